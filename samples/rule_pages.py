"""Write resources/rules.md, the page of all rules: ``PYTHONPATH=. python samples/rule_pages.py``.

It is made from the table of rules and the table of profiles, so that it says what the program does; a
test holds it to them.
"""

from pathlib import Path

from rigview.check.catalogue import RULES
from rigview.check.rule import PROFILES, Profile, Rule
from rigview.check.rule_words import facts, heading, sentence

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
    "TPL": "Templates of skeletons",
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
        f"| `{p.name}` | {p.title} | {_own_limits(p)} | {'; '.join(p.sources.values())} |"
        for p in PROFILES.values()
    ]
    lines += [
        "",
        "Every limit can be set in `[tool.rigview.limits]` under the key that stands beside it: "
        '`WGT-COUNT = 8`. What is found lies above a limit of "at most" and below one of "at least"; '
        "the fix goes by the same number. A size is the diagonal of the rig at rest.",
        "",
        "A note is information that asks for no action: a convention that other rigs do not follow, or a "
        "few bytes to spare. Text, pages and the window fold notes into one line, SARIF and JUnit leave "
        "them out, and they never fail; `--notes` tells them one by one. A severity that "
        "`[tool.rigview.severity]` states for a rule makes its findings count.",
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
    lines = [f"### {heading(rule)}", "", sentence(rule), ""]
    return lines + [f"* {name}: {words}" for name, words in facts(rule)]


def _own_limits(profile: Profile) -> str:
    """Return the limits that a target sets."""
    return ", ".join(f"`{key}` {value:g}" for key, value in profile.limits.items()) or "none"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
