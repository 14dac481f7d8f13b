"""A report as people read it in a terminal: a line per finding, and a count."""

from rigview.check.report.facts import Fact, FileReport, Outcome
from rigview.check.rule import count
from rigview.core.text import one_line

_MARKS = {"error": "error  ", "warning": "warning", "info": "info   "}


def as_text(outcome: Outcome) -> str:
    """Return the reports one below the other; files that could not be checked are said elsewhere."""
    return "".join(f"{one_line(line)}\n" for report in outcome.reports for line in _lines(report))


def totals(report: FileReport) -> str:
    """Return how many findings there are, in words."""
    counts = report.counts
    parts = [
        count(counts["error"], "error"),
        count(counts["warning"], "warning"),
        f"{counts['info']} for information",
    ]
    if report.known:
        parts.append(f"{len(report.known)} known from the baseline")
    if report.accepted:
        parts.append(f"{report.accepted} accepted")
    return ", ".join(parts)


def held_to(report: FileReport) -> str:
    """Return the profile and the configuration that a file was held to, in words."""
    settings = f", {report.settings}" if report.settings else ""
    return f"{report.profile} profile{settings}"


def unevaluated(report: FileReport) -> list[tuple[str, tuple[str, ...]]]:
    """Return each reason why rules were not evaluated, with those rules."""
    reasons: dict[str, list[str]] = {}
    for rule, why in report.not_evaluated:
        reasons.setdefault(why, []).append(rule)
    return [(why, tuple(rules)) for why, rules in reasons.items()]


def remedy(fact: Fact) -> str:
    """Return what can be done about a finding, in words; empty where nothing can."""
    if fact.fix == "exact":
        return "fix: moves nothing"
    if fact.fix == "none":
        return ""
    return f"fix on request: {fact.remedy.lower()}, changes the shape"


def _lines(report: FileReport) -> list[str]:
    lines = [f"{report.file}  ({held_to(report)})"]
    width = max((len(fact.rule) for fact in report.findings), default=0)
    for fact in report.findings:
        cure = remedy(fact)
        lines.append(
            f"  {_MARKS[fact.severity]}  {fact.rule:<{width}}  {fact.sentence}"
            + (f"  [{cure}]" if cure else "")
        )
    lines.append(f"  {totals(report)}")
    if report.not_evaluated:
        named = "; ".join(f"{', '.join(rules)} ({why})" for why, rules in unevaluated(report))
        lines.append(f"  not evaluated: {named}")
    lines += [f"  note: {note}" for note in report.notes]
    return lines
