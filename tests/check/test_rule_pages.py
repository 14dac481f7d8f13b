"""The page of all rules, and the table of the Khronos validator's codes, say what the program does."""

import json
import sys
from pathlib import Path

import pytest

from rigview.check.catalogue import BY_ID, RULES

ROOT = Path(__file__).parents[2]
CODES = json.loads((ROOT / "tests" / "data" / "validator_codes.json").read_text(encoding="utf-8"))
sys.path.append(str(ROOT / "samples"))
import rule_pages  # noqa: E402


def test_the_page_of_rules_is_current():
    assert rule_pages.PAGE.read_text(encoding="utf-8") == rule_pages.page()


def test_the_page_has_every_rule():
    page = rule_pages.page()
    for rule in RULES:
        if rule.id.split("-")[0] in rule_pages.FAMILIES:
            assert f"### {rule.id}: {rule.title}" in page


def test_every_code_of_the_validator_has_a_rule_or_a_reason():
    assert len(CODES["codes"]) > 40
    for code, answer in CODES["codes"].items():
        assert set(answer) in ({"rule"}, {"reason"}), code
        assert answer.get("rule", "MSH-READ") in BY_ID
        assert answer.get("reason", "said") != ""


@pytest.mark.corpus
def test_the_codes_cover_those_that_the_corpus_expects(corpus):
    expected = set()
    for path in (corpus / "broken").rglob("*.report.json"):
        issues = json.loads(path.read_text(encoding="utf-8")).get("issues", {}).get("messages", [])
        expected |= {issue["code"] for issue in issues}
    about = ("SKIN", "JOINT", "WEIGHT", "ANIMATION", "NODE", "IBM", "QUATERNION")
    known = {code for code in expected if any(word in code for word in about)}
    assert known <= set(CODES["codes"])
