"""GitLab's code quality report, which a merge request shows as what it adds and what it settles.

The form is that of "Code Quality report format" in GitLab's documentation: an array of objects with
description, check_name, fingerprint, severity and location.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

from rigview.check.report.records import HOLE, Outcome, dumped_around
from rigview.check.rule import Severity
from rigview.core.text import one_line

_SEVERITIES: dict[Severity, str] = {"error": "critical", "warning": "major", "info": "info"}


def as_gitlab(outcome: Outcome) -> Iterator[str]:
    """Yield the array; files and rules that could not be checked are blockers."""
    return dumped_around(HOLE, _entries(outcome))


def _entries(outcome: Outcome) -> Iterator[dict[str, Any]]:
    for unchecked in outcome.unchecked:
        severity = "info" if unchecked.allowed else "blocker"
        yield _entry("unchecked", unchecked.file, unchecked.reason, severity, "unchecked")
    for report in outcome.reports:
        for fact in outcome.told(report):
            severity = _SEVERITIES[fact.severity]
            yield _entry(fact.rule, report.file, fact.sentence, severity, fact.fingerprint)
        for one in report.late:
            words = f"{one.rule} was not evaluated: {one.reason}"
            yield _entry(one.rule, report.file, words, "blocker", "out of time")


def _entry(rule: str, file: str, text: str, severity: str, mark: str) -> dict[str, Any]:
    """Return one object; fingerprints are told apart by file, since GitLab compares them by themselves."""
    own = hashlib.sha256(f"{file}\0{rule}\0{mark}".encode("utf-8", "surrogateescape")).hexdigest()
    return {
        "description": one_line(text),
        "check_name": rule,
        "fingerprint": own,
        "severity": severity,
        "location": {"path": one_line(file), "lines": {"begin": 1}},
    }
