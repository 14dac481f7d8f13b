"""A report as people read it in a terminal: a line per finding, and a count."""

from collections import Counter
from collections.abc import Iterable, Iterator

from rigview.check.report.records import Fact, FileReport, Outcome
from rigview.check.rule import count, verb
from rigview.core.text import length_words, one_line

_NOTE = "note   "
_MARKS = {"error": "error  ", "warning": "warning", "info": "info   "}
# Colours of a terminal (ECMA-48, SGR): red, yellow and cyan, the first two bold.
_COLORS = {"error": "\033[1;31m", "warning": "\033[1;33m", "info": "\033[36m"}
_PLAIN = "\033[0m"


def as_text(outcome: Outcome) -> Iterator[str]:
    """Yield the reports one below the other; files that could not be checked are said elsewhere."""
    for report in outcome.reports:
        yield from (f"{one_line(line)}\n" for line in _lines(report, outcome))
    if len(outcome.files) > 1:
        yield f"{_grand_total(outcome)}\n"


def painted(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of `as_text` with the severities of findings in the colours of a terminal."""
    marks = [(f"  {_MARKS[severity]}  ", color) for severity, color in _COLORS.items()]
    for line in lines:
        mark, color = next((one for one in marks if line.startswith(one[0])), ("", ""))
        yield f"{color}{mark}{_PLAIN}{line[len(mark) :]}" if mark else line


def _grand_total(outcome: Outcome) -> str:
    found = outcome.totals
    parts = [f"{found['failed']} failed"]
    if found["unchecked"]:
        parts.append(f"{found['unchecked']} could not be checked")
    notes = found.get("notes", 0)
    parts += [count(found["error"], "error"), count(found["warning"], "warning")]
    parts.append(f"{found['info'] - notes} for information")
    return f"{count(found['files'], 'file')}: {', '.join(parts)}"


def totals(report: FileReport) -> str:
    """Return how many findings there are, in words."""
    counts, notes = report.counts, len(report.folded)
    parts = [
        count(counts["error"], "error"),
        count(counts["warning"], "warning"),
        f"{counts['info'] - notes} for information",
    ]
    if notes:
        parts.append(count(notes, "note"))
    if report.known:
        parts.append(f"{len(report.known)} known from the baseline")
    if report.accepted:
        parts.append(f"{report.accepted} accepted")
    return ", ".join(parts)


def folded(report: FileReport) -> str:
    """Return the notes of a report in one line: how many, and how many of each rule."""
    rules = Counter(fact.rule for fact in report.folded)
    each = ", ".join(f"{rule} {number}" for rule, number in rules.items())
    return f"{count(rules.total(), 'note')}: {each}"


def held_to(report: FileReport) -> str:
    """Return the profile and the configuration that a file was held to, in words."""
    settings = f", {report.settings}" if report.settings else ""
    return f"{report.profile} profile{settings}"


def unevaluated(report: FileReport) -> list[tuple[str, tuple[str, ...]]]:
    """Return each reason why rules were not evaluated, with those rules."""
    reasons: dict[str, list[str]] = {}
    for one in report.not_evaluated:
        reasons.setdefault(one.reason, []).append(one.rule)
    return [(why, tuple(rules)) for why, rules in reasons.items()]


def remedy(fact: Fact) -> str:
    """Return what can be done about a finding, in words; empty where nothing can."""
    if fact.fix.kind == "exact":
        return "fix: moves nothing"
    if fact.fix.kind == "none":
        return ""
    # Names of joints keep their letters.
    label, moved = fact.fix.label, fact.fix.max_displacement_m
    effect = "may change the shape" if moved is None else f"moves at most {length_words(moved)}"
    return f"fix on request: {label[:1].lower()}{label[1:]}, {effect}"


def _lines(report: FileReport, outcome: Outcome) -> list[str]:
    head = f"{report.file}  ({held_to(report)})"
    told, is_whole = outcome.told(report), outcome.settings.verbose
    unseen = len(report.not_evaluated)
    ending = (
        f"; {count(unseen, 'rule')} not evaluated, -v says why" if unseen and not is_whole else ""
    )
    if not (told or report.folded or report.notes or report.late or is_whole):
        return [f"{head}  {totals(report)}{ending}"]
    lines = [head]
    width = max((len(fact.rule) for fact in told), default=0)
    for fact in told:
        cure = remedy(fact)
        lines.append(
            f"  {_NOTE if fact.note else _MARKS[fact.severity]}  {fact.rule:<{width}}  {fact.sentence}"
            + (f"  [{cure}]" if cure else "")
        )
    if report.folded and not outcome.settings.notes:
        shows = verb(len(report.folded), "shows it", "shows them")
        lines.append(f"  {folded(report)}; --notes {shows}")
    lines.append(f"  {totals(report)}{ending}")
    if is_whole and unseen:
        named = "; ".join(f"{', '.join(rules)} ({why})" for why, rules in unevaluated(report))
        lines.append(f"  not evaluated: {named}")
    lines += [f"  not evaluated: {one.rule} ({one.reason})" for one in report.late if not is_whole]
    return lines + [f"  note: {note}" for note in report.notes]
