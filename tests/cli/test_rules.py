"""``rigview rules``: the list, what is told of one, and settings to begin with."""

import re

import pytest

from rigview.check import config
from rigview.check.catalogue import BY_ID, LIMITS, RULES
from rigview.check.config import Config
from rigview.check.rule import PROFILES


def test_every_rule_has_a_line_with_its_severity_under_the_profile(rigview):
    done = rigview("rules", "--profile", "dqs")
    lines = [line.split(maxsplit=2) for line in done.out.splitlines()]
    assert [(rule, severity) for rule, severity, _ in lines] == [
        (rule.id, rule.severity_for(PROFILES["dqs"])) for rule in RULES
    ]
    for line, rule in zip(done.out.splitlines(), RULES, strict=True):
        assert line.endswith(f"  {rule.title}")


def test_a_rule_is_explained_with_its_limits_and_their_keys(rigview):
    done = rigview("rules", "wgt-sum", "ANI-JUMP")
    assert done.status == 0
    for rule in ("WGT-SUM", "ANI-JUMP"):
        assert f"{rule}: {BY_ID[rule].title}" in done.out
        for limit in BY_ID[rule].limits:
            assert limit.key in done.out
    assert BY_ID["WGT-DUP"].title not in done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["WGT-SUMM"], "there is no rule WGT-SUMM; did you mean WGT-SUM?"),
        (["--profile", "untiy"], "there is no profile untiy; did you mean unity?"),
    ],
)
def test_what_there_is_not_is_told_with_what_there_is(rigview, arguments, words):
    done = rigview("rules", *arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.err


@pytest.mark.parametrize("profile", PROFILES)
def test_the_settings_state_the_defaults_of_a_profile(rigview, tmp_path, profile):
    text = rigview("rules", "--toml", "--profile", profile).out
    path = tmp_path / "rigview.toml"
    path.write_text(text, encoding="utf-8")
    assert config.read(path) == Config(file=path)
    path.write_text(
        re.sub(r"^# (?=[\w.\"*/-]+ = )", "", text, flags=re.MULTILINE), encoding="utf-8"
    )
    read = config.read(path)
    assert read.profile == profile
    assert read.fail_on == "error"
    assert read.limits == {key: PROFILES[profile].limit(LIMITS[key]) for key in LIMITS}
    assert read.severities == {r.id: r.severity_for(PROFILES[profile]) for r in RULES}
    assert read.notes == tuple(r.id for r in RULES if r.note and read.severities[r.id] == "info")
    assert "error, warning, info, note or off" in text
    assert read.baseline == path.with_name("rigview-baseline.json")
    assert read.accepted
    assert read.per_file_ignores
