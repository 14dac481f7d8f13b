"""Markdown, for the comment on a merge request: a table per file."""

from rigview.check.report.records import FileReport, Outcome
from rigview.check.report.text import folded, held_to, remedy, totals, unevaluated
from rigview.core import escape

_MARKS = {"error": "❌ error", "warning": "⚠️ warning", "info": "ℹ️ info"}
_NOTE = "note"


def as_markdown(outcome: Outcome) -> str:
    """Return a heading and a table per file, those that could not be checked first."""
    lines = ["# Rig check", ""]
    lines += [f"- ❌ {escape.markdown(unchecked.reason)}" for unchecked in outcome.unchecked]
    if outcome.unchecked:
        lines.append("")
    for report in outcome.reports:
        lines += [*_section(report, outcome), ""]
    return "\n".join(lines[:-1]) + "\n"


def _section(report: FileReport, outcome: Outcome) -> list[str]:
    lines = [
        f"## {escape.markdown(report.file)}",
        "",
        f"{totals(report)} ({escape.markdown(held_to(report))})",
    ]
    told = outcome.told(report)
    if told:
        lines += ["", "| severity | rule | finding | fix |", "|---|---|---|---|"]
    for fact in told:
        mark = _NOTE if fact.note else _MARKS[fact.severity]
        cells = (mark, fact.rule, escape.markdown(fact.sentence), escape.markdown(remedy(fact)))
        lines.append(f"| {' | '.join(cells)} |")
    hidden = report.folded and not outcome.settings.notes
    if hidden or report.not_evaluated or report.notes:
        lines.append("")
    if hidden:
        lines.append(f"- {folded(report)}")
    for why, rules in unevaluated(report):
        lines.append(f"- not evaluated: {', '.join(rules)} ({escape.markdown(why)})")
    lines += [f"- note: {escape.markdown(note)}" for note in report.notes]
    return lines
