"""One finding for all clips, meshes or skins that one cause shows in."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from functools import partial, wraps

from rigview.check.labels import PRIMITIVE, skin_label
from rigview.check.rule import Finding, Fix, FixClass, Place, Refused, Subject, count
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence


def over_clips(
    find: Callable[[Subject], Iterator[Finding]],
) -> Callable[[Subject], Iterator[Finding]]:
    """Let a rule that looks at each clip say one thing about all: the worst, and how many more.

    Notes, and findings that differ in the class of their fix, stay apart.
    """

    @wraps(find)
    def gathered(subject: Subject) -> Iterator[Finding]:
        kinds: dict[tuple[FixClass, bool], list[Finding]] = {}
        for finding in find(subject):
            kinds.setdefault((finding.fix.kind, finding.note), []).append(finding)
        for key, found in enumerate(kinds.values()):
            worst = max(found, key=lambda f: abs(f.value or 0.0))
            more = len({f.clip for f in found}) - 1
            joints = (*worst.joints, *(j for f in found for j in f.joints))
            yield replace(
                worst,
                key=key,
                message=worst.message
                + (Sentence(", and {clips}", clips=count(more, "more clip")) if more > 0 else ""),
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
            more = Sentence(", in {number} skins", number=len(found)) if len(found) > 1 else ""
            fix = all_fixes(found[0].fix, [f.fix for f in found])
            yield replace(found[0], message=found[0].message + more, fix=fix)

    return gathered


def for_alike(
    rig: Rig, skins: Iterable[int], find: Callable[[int], Iterable[Finding]]
) -> Iterator[Finding]:
    """Yield what is found in skins, looked for once in those that list the same joints and binds.

    Parameters
    ----------
    find
        Skin → findings about it. Repairs among them are partial functions with the keyword `skin`.
    """
    known: dict[int, tuple[Finding, ...]] = {}
    for skin in skins:
        first = rig.alike[skin]
        if first not in known:
            known[first] = tuple(find(skin))
            yield from known[first]
            continue
        for finding in known[first]:
            repair = finding.fix.repair
            if isinstance(repair, partial):
                repair = partial(repair, skin=skin)
            fix = replace(finding.fix, repair=repair)
            yield replace(finding, key=skin, object=skin_label(rig, skin), fix=fix)


def over_meshes(
    find: Callable[[Subject], Iterator[Finding]],
) -> Callable[[Subject], Iterator[Finding]]:
    """Let a rule that looks at each primitive, or each mesh, say one thing about all.

    Findings that differ in severity, or in what can be done, stay apart.
    """
    return _over_objects(find, "mesh")


def over_each_skin(
    find: Callable[[Subject], Iterator[Finding]],
) -> Callable[[Subject], Iterator[Finding]]:
    """Let a rule that looks at each skin say one thing about all, whatever joints they list."""
    return _over_objects(find, "skin")


def over_nodes(
    find: Callable[[Subject], Iterator[Finding]],
) -> Callable[[Subject], Iterator[Finding]]:
    """Let a rule that looks at each node say one thing about all.

    Nodes hang on one another: where the fix of one node makes that of another impossible, each node has
    a finding of its own.
    """

    @wraps(find)
    def gathered(subject: Subject) -> Iterator[Finding]:
        single: list[Finding] = []

        def kept(subject: Subject) -> Iterator[Finding]:
            single.extend(find(subject))
            yield from single

        together = list(_over_objects(kept, "node")(subject))
        yield from together if _all_apply(subject.rig, together) else single

    return gathered


def _all_apply(rig: Rig, findings: list[Finding]) -> bool:
    """Return whether the fix of every finding about several objects can be applied."""
    try:
        for finding in findings:
            if finding.places and finding.fix.repair is not None:
                finding.fix.repair(rig)
    except Refused:
        return False
    return True


def _over_objects(
    find: Callable[[Subject], Iterator[Finding]], noun: str
) -> Callable[[Subject], Iterator[Finding]]:
    @wraps(find)
    def gathered(subject: Subject) -> Iterator[Finding]:
        causes: dict[Hashable, list[Finding]] = {}
        for finding in find(subject):
            fix = finding.fix.kind, finding.fix.reason
            causes.setdefault((finding.severity, finding.note, *fix), []).append(finding)
        for found in causes.values():
            yield found[0] if len(found) == 1 else _together(found, noun)

    return gathered


def _together(found: list[Finding], noun: str) -> Finding:
    """Return one finding for several: the worst, and how many other objects there are."""
    worst = max(found, key=_excess)
    if any(PRIMITIVE in finding.object for finding in found):
        noun = "primitive"
    fix = all_fixes(worst.fix, [finding.fix for finding in found])
    label = (
        Sentence("{fix} in {objects}", fix=fix.label, objects=count(len(found), noun))
        if fix.label
        else ""
    )
    if fix.label and noun == "node":
        # The label of such a fix names the worst node.
        label = Sentence(
            "{fix} and mend {nodes}", fix=fix.label, nodes=count(len(found) - 1, "more node")
        )
    joints = (*worst.joints, *(joint for finding in found for joint in finding.joints))
    return replace(
        worst,
        # That of the first: no other finding of the rule has it.
        key=found[0].key,
        message=Sentence(
            "{message} (also in {objects})",
            message=worst.message,
            objects=count(len(found) - 1, f"more {noun}"),
        ),
        joints=tuple(dict.fromkeys(joints)),
        fix=replace(fix, label=label),
        places=tuple(Place(f.object, f.value, f.vertices) for f in found),
    )


def _excess(finding: Finding) -> float:
    """Return how far a finding's value is beyond its limit."""
    if finding.value is None or finding.limit is None or math.isnan(finding.value):
        return 0.0
    return abs(finding.value - finding.limit)


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
