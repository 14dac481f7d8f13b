"""What is told of a rule and its limits to people, in words."""

import re
from collections.abc import Iterator

from rigview.check.limits import Limit
from rigview.check.rule import COUNTED, NEEDS, PROFILES, Rule, verb
from rigview.core.text import plural

CLASSES = {
    "exact": "moves nothing in any clip under any method",
    "bounded": "changes the shape by a stated amount",
    "shape": "changes the shape on purpose: see it first",
    "none": "none: no automatic fix is right",
}
# Units that are written without a gap, or not at all.
_UNITS = {"°": "°", "×": " ×", "share": "", "": ""}


def sentence(rule: Rule) -> str:
    """Return what a rule finds and why, as one paragraph: its docstring, without the id before it."""
    first, _, rest = (
        (rule.find.__doc__ or "").strip().removeprefix(f"{rule.id}: ").partition("\n\n")
    )
    said = " ".join(first.split())
    more = " ".join(rest.split())
    return f"{said[:1].upper()}{said[1:]}" + (f" {more}" if more else "")


def heading(rule: Rule) -> str:
    """Return the heading of a rule on the page of rules."""
    return f"{rule.id}: {rule.title}"


def anchor(rule: Rule) -> str:
    """Return the fragment of a rule's heading, as mkdocs and code hosts make it of the words."""
    return re.sub(r"[^\w\s-]", "", heading(rule)).strip().lower().replace(" ", "-")


def facts(rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield what there is to know of a rule: (name, words)."""
    yield "measures", rule.measures
    raised = (f"{severity} under {name}" for name, severity in rule.raised.items())
    folded = f"{rule.severity} (a note)" if rule.note else rule.severity
    yield "severity", ", ".join([folded, *raised])
    for limit in rule.limits:
        yield "limit", limit_words(limit)
    yield "fix", CLASSES[rule.fix]
    if rule.needs:
        yield "needs", ", ".join(NEEDS[need] for need in rule.needs.split())
    if rule.beside:
        yield (
            "leaves out",
            f"what {', '.join(rule.beside)} {verb(len(rule.beside), 'names', 'name')}",
        )


def limit_words(limit: Limit) -> str:
    """Return what is held against a limit, its default, and its key."""
    also = [
        f"{p.limits[limit.key]:g} under {p.name}"
        for p in PROFILES.values()
        if limit.key in p.limits
    ]
    return f"{limit.meaning}: {', '.join([bound(limit, limit.default), *also])} (`{limit.key}`)"


def bound(limit: Limit, value: float) -> str:
    """Return "at most 15°" of a value of a limit, or "warning above 45°" of a limit that tells."""
    noun = plural(limit.unit) if limit.unit in COUNTED and value != 1.0 else limit.unit
    beyond = "above" if limit.sense == "most" else "below"
    how = f"at {limit.sense}" if limit.tells is None else f"{limit.tells} {beyond}"
    return f"{how} {value:.3g}{_UNITS.get(limit.unit, f' {noun}')}"
