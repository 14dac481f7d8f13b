"""What rules about skins share: one finding for all skins that one cause shows in."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import wraps

from rigview.check.rule import Finding, Subject
from rigview.check.rules.clips import all_fixes


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
            first, number = found[0], len(found)
            yield (
                first
                if number == 1
                else replace(
                    first,
                    message=f"{first.message}, in {number} skins",
                    fix=all_fixes(first.fix, [f.fix for f in found]),
                )
            )

    return gathered
