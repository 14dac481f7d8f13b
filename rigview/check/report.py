"""Reports for people and programs."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rigview import __version__
from rigview.check.catalogue import BY_ID
from rigview.check.dryrun import DryRun
from rigview.check.rule import Finding, count
from rigview.check.run import Report

_MARKS = {"error": "error  ", "warning": "warning", "info": "info   "}


@dataclass(frozen=True)
class FileReport:
    """A report with the name of its file and, per finding, what its fix would move if that is known."""

    file: str
    report: Report
    dry_runs: Callable[[Finding], DryRun | None]


def as_dict(entry: FileReport) -> dict[str, Any]:
    """Return a report as JSON values (DESIGN, "JSON reports")."""
    report = entry.report
    return {
        "version": __version__,
        "file": entry.file,
        "profile": report.profile.name,
        "findings": [_finding(report, f, entry.dry_runs(f)) for f in report.ranked()],
        "not_evaluated": [{"rule": rule, "reason": why} for rule, why in report.not_evaluated],
        "summary": dict(report.counts()),
    }


def as_json(entries: Sequence[FileReport]) -> str:
    """Return one report as an object, several as ``{"reports": [...]}``."""
    reports = [as_dict(entry) for entry in entries]
    return json.dumps(reports[0] if len(reports) == 1 else {"reports": reports}, indent=1)


def _finding(report: Report, finding: Finding, measured: DryRun | None) -> dict[str, Any]:
    vertices = finding.vertices
    return {
        "rule": finding.rule,
        "severity": report.severity(finding),
        "message": finding.message,
        "object": finding.object,
        "joint": finding.joint,
        "clip": finding.clip,
        "time": finding.time,
        "vertices": {
            "count": vertices.count if vertices else 0,
            "ids": list(vertices.ids) if vertices else [],
        },
        "value": finding.value,
        "limit": finding.limit,
        "unit": finding.unit,
        "fix": {
            "class": finding.fix.kind,
            "max_displacement_m": None if measured is None else measured.largest,
        },
    }


def as_text(entries: Sequence[FileReport]) -> str:
    """Return reports as people read them: a line per finding, and a count."""
    return "\n".join(line for entry in entries for line in _text(entry))


def _text(entry: FileReport) -> list[str]:
    report = entry.report
    lines = [f"{entry.file}  ({report.profile.name} profile)"]
    width = max((len(f.rule) for f in report.findings), default=0)
    for finding in report.ranked():
        mark = _MARKS[report.severity(finding)]
        words = finding.message
        if not words.startswith(finding.object):
            words = f"{finding.object}: {words}"
        lines.append(f"  {mark}  {finding.rule:<{width}}  {words}{_remedy(finding)}")
    counts = report.counts()
    totals = [
        count(counts["error"], "error"),
        count(counts["warning"], "warning"),
        f"{counts['info']} for information",
    ]
    lines.append("  " + ", ".join(totals))
    if report.not_evaluated:
        reasons: dict[str, list[str]] = {}
        for rule, why in report.not_evaluated:
            reasons.setdefault(why, []).append(rule)
        named = "; ".join(f"{', '.join(rules)} ({why})" for why, rules in reasons.items())
        lines.append(f"  not evaluated: {named}")
    return lines


def _remedy(finding: Finding) -> str:
    if finding.fix.kind == "exact":
        return "  [fix: moves nothing]"
    if finding.fix.kind == "none":
        return ""
    return f"  [fix on request: {finding.fix.label.lower()}, changes the shape]"


def title(finding: Finding) -> str:
    """Return the title of a finding's rule."""
    return BY_ID[finding.rule].title
