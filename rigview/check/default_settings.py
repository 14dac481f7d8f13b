"""All settings with their defaults, as people read them."""

from rigview.check.catalogue import RULES
from rigview.check.limits import Limit
from rigview.check.report.records import FAIL_ON
from rigview.check.rule import NOTE, PROFILES, SEVERITIES, Profile, Rule
from rigview.check.rule_words import bound


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
