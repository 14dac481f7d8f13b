"""One finding for all clips, or all skins, that one cause shows in."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import wraps

from rigview.check.rule import Finding, Fix, FixClass, Subject, count
from rigview.core.rig import Rig


def over_clips(
    find: Callable[[Subject], Iterator[Finding]],
) -> Callable[[Subject], Iterator[Finding]]:
    """Let a rule that looks at each clip say one thing about all: the worst, and how many more."""

    @wraps(find)
    def gathered(subject: Subject) -> Iterator[Finding]:
        kinds: dict[FixClass, list[Finding]] = {}
        for finding in find(subject):
            kinds.setdefault(finding.fix.kind, []).append(finding)
        for key, found in enumerate(kinds.values()):
            worst = max(found, key=lambda f: abs(f.value or 0.0))
            more = len({f.clip for f in found}) - 1
            joints = (*worst.joints, *(j for f in found for j in f.joints))
            yield replace(
                worst,
                key=key,
                message=worst.message + (f", and {count(more, 'more clip')}" if more > 0 else ""),
                joints=tuple(dict.fromkeys(joints)),
                fix=all_fixes(worst.fix, [f.fix for f in found]),
            )

    return gathered


def over_skins(
    find: Callable[[Subject], Iterator[Finding]],
) -> Callable[[Subject], Iterator[Finding]]:
    """Let a rule that looks at each skin say once what it says of the same joints in several.

    The parts of a character each have a skin, which list one skeleton: the first tells, and its fix mends
    all.
    """

    @wraps(find)
    def gathered(subject: Subject) -> Iterator[Finding]:
        causes: dict[Hashable, list[Finding]] = {}
        for finding in find(subject):
            says = finding.message, finding.severity, finding.fix.kind, finding.fix.reason
            causes.setdefault((*says, frozenset(finding.joints)), []).append(finding)
        for found in causes.values():
            more = f", in {len(found)} skins" if len(found) > 1 else ""
            fix = all_fixes(found[0].fix, [f.fix for f in found])
            yield replace(found[0], message=f"{found[0].message}{more}", fix=fix)

    return gathered


def all_fixes(worst: Fix, fixes: list[Fix]) -> Fix:
    """Return one fix for several: what it says is what the one of the worst says."""
    repairs = [fix.repair for fix in fixes if fix.repair is not None]
    if not repairs:
        return worst

    def repair(rig: Rig) -> Rig:
        for one in repairs:
            rig = one(rig)
        return rig

    return replace(worst, repair=repair)
