"""Markdown, for the comment on a merge request: a table per file."""

from collections.abc import Iterator

from rigview.check.report.records import FileReport, Outcome
from rigview.check.report.text import folded, held_to, remedy, totals, unevaluated
from rigview.core import escape

_MARKS = {"error": "❌ error", "warning": "⚠️ warning", "info": "ℹ️ info"}
_NOTE = "note"


def as_markdown(outcome: Outcome) -> Iterator[str]:
    """Yield a heading and a table per file, those that could not be checked first."""
    yield "# Rig check\n"
    unchecked = [f"- ❌ {escape.markdown(file.reason)}" for file in outcome.unchecked]
    if unchecked:
        yield _block(unchecked)
    for report in outcome.reports:
        yield _block(_section(report, outcome))


def _block(lines: list[str]) -> str:
    return "".join(("\n", *(f"{line}\n" for line in lines)))


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
