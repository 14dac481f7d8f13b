"""Markdown, for the comment on a merge request: a table per file."""

import re

from rigview.check.report.facts import FileReport, Outcome
from rigview.check.report.text import held_to, remedy, totals, unevaluated
from rigview.core.text import one_line

_MARKS = {"error": "❌ error", "warning": "⚠️ warning", "info": "ℹ️ info"}
# What Markdown, or the HTML in it, would take for more than text.
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&@])")


def as_markdown(outcome: Outcome) -> str:
    """Return a heading and a table per file, those that could not be checked first."""
    lines = ["# Rig check", ""]
    lines += [f"- ❌ {_plain(unchecked.reason)}" for unchecked in outcome.unchecked]
    if outcome.unchecked:
        lines.append("")
    for report in outcome.reports:
        lines += [*_section(report), ""]
    return "\n".join(lines[:-1]) + "\n"


def _section(report: FileReport) -> list[str]:
    lines = [f"## {_plain(report.file)}", "", f"{totals(report)} ({_plain(held_to(report))})"]
    if report.findings:
        lines += ["", "| severity | rule | finding | fix |", "|---|---|---|---|"]
    for fact in report.findings:
        cells = (_MARKS[fact.severity], fact.rule, _plain(fact.sentence), _plain(remedy(fact)))
        lines.append(f"| {' | '.join(cells)} |")
    if report.not_evaluated or report.notes:
        lines.append("")
    for why, rules in unevaluated(report):
        lines.append(f"- not evaluated: {', '.join(rules)} ({_plain(why)})")
    lines += [f"- note: {_plain(note)}" for note in report.notes]
    return lines


def _plain(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", one_line(" ".join(text.split())))
