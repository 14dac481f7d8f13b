"""Markdown, for the comment on a merge request: a table per file."""

from rigview.check.report.facts import FileReport, Outcome
from rigview.check.report.text import held_to, remedy, totals, unevaluated
from rigview.core import escape

_MARKS = {"error": "❌ error", "warning": "⚠️ warning", "info": "ℹ️ info"}


def as_markdown(outcome: Outcome) -> str:
    """Return a heading and a table per file, those that could not be checked first."""
    lines = ["# Rig check", ""]
    lines += [f"- ❌ {escape.markdown(unchecked.reason)}" for unchecked in outcome.unchecked]
    if outcome.unchecked:
        lines.append("")
    for report in outcome.reports:
        lines += [*_section(report), ""]
    return "\n".join(lines[:-1]) + "\n"


def _section(report: FileReport) -> list[str]:
    held = escape.markdown(held_to(report))
    lines = [f"## {escape.markdown(report.file)}", "", f"{totals(report)} ({held})"]
    if report.findings:
        lines += ["", "| severity | rule | finding | fix |", "|---|---|---|---|"]
    for fact in report.findings:
        said, cure = map(escape.markdown, (fact.sentence, remedy(fact)))
        cells = (_MARKS[fact.severity], fact.rule, said, cure)
        lines.append(f"| {' | '.join(cells)} |")
    if report.not_evaluated or report.notes:
        lines.append("")
    for why, rules in unevaluated(report):
        lines.append(f"- not evaluated: {', '.join(rules)} ({escape.markdown(why)})")
    lines += [f"- note: {escape.markdown(note)}" for note in report.notes]
    return lines
