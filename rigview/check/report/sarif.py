"""SARIF 2.1.0, the form in which code hosts and editors take findings.

Section numbers are those of the OASIS standard with errata 01.
"""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from rigview import __version__
from rigview.check.catalogue import BY_ID
from rigview.check.report.records import HOLE, Fact, FileReport, Outcome, dumped_around
from rigview.check.rule import PROFILES, Rule, Severity
from rigview.check.rule_words import anchor, facts, sentence
from rigview.core.text import count

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# GitHub refuses a run with more ("SARIF support for code scanning", limits of SARIF files).
MOST_RESULTS = 25_000
_ORDER: tuple[Severity, ...] = ("error", "warning", "info")
# A reason that holds for more files names the first ones, and how many there are.
MOST_PLACES = 1_000
# Of what there is to know of a rule, what helps with a finding.
_HELPED = ("measures", "limit", "fix")
# §3.27.10
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}


def as_sarif(outcome: Outcome) -> Iterator[str]:
    """Yield one run over all files."""
    asked: set[str] = set()
    found: Counter[Severity] = Counter()
    foreign: dict[str, str] = {}
    late = False
    for report in outcome.reports:
        asked.update(report.asked)
        told = outcome.told(report)
        found.update(fact.severity for fact in told)
        foreign |= {fact.rule: fact.title for fact in told if fact.rule not in BY_ID}
        late = late or bool(report.late)
    page = outcome.settings.rules_url
    rules = [_rule(rule, page) for id_, rule in BY_ID.items() if id_ in asked]
    # Rules of a studio, in reports that were made with them.
    rules += [{"id": id_, "shortDescription": {"text": title}} for id_, title in foreign.items()]
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    stated = _stated(found)
    run = {
        "tool": {
            "driver": {
                "name": "rigview",
                "semanticVersion": __version__,
                "rules": rules,
            }
        },
        "invocations": [
            {
                "executionSuccessful": not outcome.refused and not late,
                "toolExecutionNotifications": [
                    *_left_out(found.total() - sum(stated.values())),
                    *_notifications(outcome),
                ],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": HOLE,
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    results = (_result(report, fact, index) for report, fact in _results(outcome, stated))
    yield from dumped_around(document, results)


def _stated(found: Counter[Severity]) -> dict[Severity, int]:
    """Return how many findings of each severity are stated: the least severe of too many are not."""
    left, stated = MOST_RESULTS, {}
    for severity in _ORDER:
        stated[severity] = min(left, found[severity])
        left -= stated[severity]
    return stated


def _results(outcome: Outcome, stated: dict[Severity, int]) -> Iterator[tuple[FileReport, Fact]]:
    """Yield the first findings of each severity, as many as are stated."""
    left = dict(stated)
    for report in outcome.reports:
        for fact in outcome.told(report):
            if left[fact.severity]:
                left[fact.severity] -= 1
                yield report, fact


def _left_out(left: int) -> Iterator[dict[str, Any]]:
    if left:
        words = (
            f"{count(left, 'finding')}, the least severe, are not listed: hosts take {MOST_RESULTS} "
            "of a run; check fewer files at once, or write another format"
        )
        yield {"level": "warning", "message": {"text": words}}


def _rule(rule: Rule, page: str | None) -> dict[str, Any]:
    link = {} if page is None else {"helpUri": f"{page}#{anchor(rule)}"}
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": f"Measures {rule.measures}."},
        "help": _help(rule),
        **link,
        "defaultConfiguration": {"level": _LEVELS[rule.severity_for(PROFILES["gltf"])]},
    }


def _help(rule: Rule) -> dict[str, str]:
    """Return what a host shows beside a finding (§3.49.13): the rule in words, its limits and its fix."""
    told = [(name, words) for name, words in facts(rule) if name in _HELPED]
    said = f"{rule.title}. {sentence(rule)}"
    listed = "\n".join(f"- **{name}**: {words}" for name, words in told)
    plain = "\n".join(f"{name}: {words}" for name, words in told)
    return {"text": f"{said}\n{plain}", "markdown": f"{said}\n\n{listed}"}


def _result(report: FileReport, fact: Fact, index: dict[str, int]) -> dict[str, Any]:
    properties = {
        "profile": report.profile,
        "clip": fact.clip,
        "time": fact.time,
        **({"range_of_motion": True} if fact.range_of_motion else {}),
        "value": fact.value,
        "limit": fact.limit,
        "unit": fact.unit,
        "vertices": msgspec.to_builtins(fact.vertices),
        "fix": msgspec.to_builtins(fact.fix),
    }
    return {
        "ruleId": fact.rule,
        "ruleIndex": index[fact.rule],
        "level": _LEVELS[fact.severity],
        "message": {"text": fact.sentence},
        "locations": [
            {
                # Rigs are binary, yet code hosts show no result without a line.
                "physicalLocation": {**_file(report.file), "region": {"startLine": 1}},
                "logicalLocations": list(_logical(fact)),
            }
        ],
        # §3.27.17: what tells a host that this is yesterday's finding.
        "partialFingerprints": {"rigviewFinding/v1": fact.fingerprint},
        "properties": properties,
    }


def _logical(fact: Fact) -> Iterator[dict[str, Any]]:
    """Yield the object and its joints, each name once: the array wants unique items (§3.28.4)."""
    yield {"name": fact.object, "kind": "object"}
    named = () if fact.joint is None else (fact.joint,)
    for name in dict.fromkeys(fact.joints.names if fact.joints else named):
        if name != fact.object:
            within = f"{fact.object}/{name}"
            yield {"name": name, "kind": "object", "fullyQualifiedName": within}


def _file(name: str) -> dict[str, Any]:
    """Return an artifact location: relative names stay so, that a host finds them in its tree."""
    path = Path(name)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
    return {"artifactLocation": {"uri": uri}}


def _notifications(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """Yield what was not looked at (§3.20.21): files, and each reason why a rule or part was not, once."""
    for unchecked in outcome.unchecked:
        yield {
            "level": "note" if unchecked.allowed else "error",
            "message": {"text": unchecked.reason},
            "locations": [{"physicalLocation": _file(unchecked.file)}],
        }
    told: dict[tuple[str, str, str], dict[str, None]] = {}
    many: Counter[tuple[str, str, str]] = Counter()

    def tell(file: str, level: str, words: str, rule: str = "") -> None:
        files = told.setdefault((level, words, rule), {})
        if len(files) < MOST_PLACES:
            files[file] = None
        else:
            many[level, words, rule] += file not in files

    for report in outcome.reports:
        for one in report.not_evaluated:
            level = "error" if one.out_of_time else "note"
            words = f"{one.rule} was not evaluated: {one.reason}"
            tell(report.file, level, words, one.rule)
        for note in report.notes:
            tell(report.file, "note", note)
    for (level, words, rule), files in told.items():
        more = many[level, words, rule]
        total = f" (in {len(files) + more} files, of which {len(files)} are named)" if more else ""
        yield {
            "level": level,
            "message": {"text": f"{words}{total}"},
            **({"associatedRule": {"id": rule}} if rule else {}),
            "locations": [{"physicalLocation": _file(file)} for file in files],
        }
