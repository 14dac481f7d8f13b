"""Write resources/rules.md, the page of all rules: ``PYTHONPATH=. python samples/rule_pages.py``.

It is made from the table of rules and the table of profiles, so that it says what the program does; a
test holds it to them.
"""

from pathlib import Path

from rigview.check.catalogue import RULES
from rigview.check.limits import Limit
from rigview.check.rule import COUNTED, PROFILES, Profile, Rule

PAGE = Path(__file__).parents[1] / "resources" / "rules.md"
FAMILIES = {
    "HIE": "Hierarchy",
    "ORI": "Orientation",
    "SCL": "Scale",
    "BND": "Bind",
    "WGT": "Weights",
    "MSH": "Mesh",
    "ANI": "Animation",
    "DEF": "Deformation",
}
CLASSES = {
    "exact": "moves nothing in any clip under any method",
    "bounded": "changes the shape by a stated amount",
    "shape": "changes the shape on purpose: see it first",
    "none": "none: no automatic fix is right",
}
NEEDS = {
    "skins": "a skin",
    "influences": "a skinned mesh",
    "clips": "a clip",
    "pairs": "joints named left and right",
    "humanoid": "joints named like a body",
}


def page() -> str:
    """Return the page."""
    lines = [
        "# The rules",
        "",
        "What `rigview check` and the window look for. This page is made from the table of rules "
        "(`python samples/rule_pages.py`).",
        "",
        "## Profiles",
        "",
        "| profile | target | limits of its own | limits from |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| `{p.name}` | {p.title} | {_own_limits(p)} | {p.source} |" for p in PROFILES.values()
    ]
    lines += [
        "",
        "Every limit can be set in `[tool.rigview.limits]` under the key that stands beside it: "
        '`WGT-COUNT = 8`. What is found lies above a limit of "at most" and below one of "at least"; '
        "the fix goes by the same number. A size is the diagonal of the rig at rest.",
        "",
        "A rule that had nothing to look at is listed as not evaluated, with the reason. So is one that "
        "found nothing where the file's reader left part of what it looks at out: constraints and caches "
        "where it looks at motion, geometry of a kind that rigview does not show where it looks at "
        "weights.",
    ]
    known = [rule for rule in RULES if rule.id.split("-")[0] in FAMILIES]
    for family, title in FAMILIES.items():
        lines += ["", f"## {title}"]
        for rule in known:
            if rule.id.startswith(f"{family}-"):
                lines += ["", *_entry(rule)]
    return "\n".join(lines) + "\n"


def _entry(rule: Rule) -> list[str]:
    severity = rule.severity
    raised = [f"{word} under {name}" for name, word in rule.raised.items()]
    lines = [
        f"### {rule.id}: {rule.title}",
        "",
        _sentence(rule.find.__doc__ or ""),
        "",
        f"* measures: {rule.measures}",
        f"* severity: {', '.join([severity, *raised])}",
        *(f"* limit: {_limit(limit)}" for limit in rule.limits),
        f"* fix: {CLASSES[rule.fix]}",
    ]
    needs = [NEEDS[need] for need in rule.needs.split()]
    if needs:
        lines.append(f"* needs: {', '.join(needs)}")
    if rule.after:
        lines.append(f"* waits for: {', '.join(rule.after)}")
    return lines


def _own_limits(profile: Profile) -> str:
    """Return the limits that a target sets."""
    return ", ".join(f"`{key}` {value:g}" for key, value in profile.limits.items()) or "none"


def _limit(limit: Limit) -> str:
    """Return what is held against a limit, its default, and its key."""
    noun = COUNTED.get(limit.unit, limit.unit) if limit.default != 1.0 else limit.unit
    unit = {"°": "°", "×": " ×", "cosine": "", "share": "", "": ""}.get(limit.unit, f" {noun}")
    beyond = "above" if limit.sense == "most" else "below"
    how = f"at {limit.sense}" if limit.tells is None else f"{limit.tells} {beyond}"
    bound = f"{how} {limit.default:.3g}{unit}"
    also = [
        f"{p.limits[limit.key]:g} under {p.name}"
        for p in PROFILES.values()
        if limit.key in p.limits
    ]
    return f"{limit.meaning}: {', '.join([bound, *also])} (`{limit.key}`)"


def _sentence(doc: str) -> str:
    """Return what a rule's docstring says behind its id, as one paragraph."""
    first, _, rest = doc.partition("\n\n")
    text = first.split(": ", 1)[-1]
    more = " ".join(rest.split())
    said = " ".join(text.split())
    return f"{said[0].upper()}{said[1:]}" + (f" {more}" if more else "")


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
