"""What is told of rules and their limits to people, and all settings with their defaults."""

from collections.abc import Iterator

from rigview.check.catalogue import RULES
from rigview.check.limits import Limit
from rigview.check.report.records import FAIL_ON
from rigview.check.rule import COUNTED, NEEDS, NOTE, PROFILES, SEVERITIES, Profile, Rule, verb
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


def settings(profile: Profile) -> str:
    """Return a rigview.toml that states every setting with its default under a profile, commented out."""
    lines = [
        "# What rigview holds the rigs below this folder to. Every line states a default: take the # away",
        "# where you want another. In a pyproject.toml the same stands under [tool.rigview],",
        "# [tool.rigview.limits] and so on.",
        "",
        f'# profile = "{profile.name}"  # {", ".join(PROFILES)}',
        f'# fail-on = "error"  # {", ".join(FAIL_ON)}: the least severity that exits with 1',
        "# select = []  # only these rules; without any, all",
        "# ignore = []  # not these rules; WGT-* is a family",
        "# exclude = []  # patterns of files that are not checked",
        "# allow-unreadable = []  # patterns of files that may be unreadable: told, and no failure",
        '# baseline = "rigview-baseline.json"  # what it lists does not fail; --write-baseline makes it',
        '# template = ""  # the skeleton to conform to: a .skel.toml below here, or a shipped one '
        "(rigview template --list)",
        '# rest-pose = "T"  # or "A": how the arms are to rest; ORI-TPOSE',
        "",
        f"[severity]  # {', '.join(SEVERITIES)}, note or off; of all that a rule finds",
        "# A note is information that asks for no action: reports fold it, and it never fails.",
        *(f'# {r.id} = "{_stated(r, profile)}"  # {r.title}' for r in RULES),
        "",
        "[limits]  # what is found lies beyond; the fix goes by it, too",
        *(_setting(limit, profile) for rule in RULES for limit in rule.limits),
        "",
        "[accept]  # findings no worse than this, in the unit that the finding prints, are left out",
        "# ORI-PRIMARY = 25",
        "",
        "[per-file-ignores]  # patterns are relative to this file; * crosses folders",
        '# "props/**" = ["HIE-UNUSED"]',
    ]
    return "\n".join(lines) + "\n"


def _stated(rule: Rule, profile: Profile) -> str:
    """Return what a configuration states to leave a rule's severity as it is."""
    severity = rule.severity_for(profile)
    return NOTE if rule.note and severity == "info" else severity


def _setting(limit: Limit, profile: Profile) -> str:
    value = profile.limit(limit)
    stated = int(value) if limit.whole else float(value)
    return f"# {limit.key} = {stated}  # {limit.meaning}: {bound(limit, value)}"
