"""Rules about how the joints of each character deform in clips, or in a range of motion."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.rule import Advice, Finding, Fix, RuleFacts, Severity, Subject, count, rule
from rigview.check.rules.posed_skin.exclusions import FAULTS
from rigview.check.rules.posed_skin.fault_words import (
    beside,
    drawback,
    limit_crossed,
    meaning,
    measure_named,
    method_advice,
    none_helps,
    says_of,
    under_each_method,
    value_words,
    where,
)
from rigview.check.rules.posed_skin.joint_faults import (
    AREA,
    BULGE,
    COLLAPSE,
    COLLAPSE_ERROR,
    COMPRESSION,
    FLIPS,
    INTERSECT,
    LIMITS,
    STRETCH,
    VOLUME,
    JointFault,
    TwistFix,
    joint_faults,
    twist_fixes,
    with_twist_joints,
)
from rigview.check.rules.posed_skin.motion_faults import BEYOND, motion_faults
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.motion.rom_fallback import TAME
from rigview.core.sentence import Sentence, joined
from rigview.core.skinning import ASKED
from rigview.core.text import some_of

# Of a rule so many joints at most, pairs of left and right counted once, have findings of their own.
_TOLD = 3
# Joints named of the others.
_NAMED = 6
# Between a fault and what helps.
_THEREFORE = "{first}: {rest}"
# What the rules about joints have in common.
_OF_JOINTS: RuleFacts = {
    "needs": "poses influences",
    "tree": True,
    "beside": FAULTS,
    "motion": True,
    "plot": "joint",
}


def _of_rule(subject: Subject, rule: str) -> Iterator[Finding]:
    """Yield findings about the joints that are worst by a measure of one rule."""
    for faults in _each_character(subject.kept(joint_faults), rule):
        yield from _of_character(subject, faults)
    for faults in _each_character(subject.kept(motion_faults), rule):
        yield _in_motion(subject, faults)


def _each_character(faults: Iterable[JointFault], rule: str) -> Iterator[list[JointFault]]:
    """Yield the faults that a rule tells of, those of each character together."""
    own = [fault for fault in faults if LIMITS[fault.worst.measure].rule == rule]
    for character in sorted({fault.worst.character for fault in own}):
        yield [fault for fault in own if fault.worst.character == character]


def _of_character(subject: Subject, faults: list[JointFault]) -> Iterator[Finding]:
    pairs = _paired(subject, faults)
    told = pairs[:_TOLD]
    twisted = [pair[0] for pair in told if _may_have_twist_joints(pair[0])]
    fixes = twist_fixes(subject, twisted) if twisted else {}
    findings = [_finding(subject, pair, fixes.get(pair[0].worst.joint)) for pair in told]
    # Joints that nothing helps share one finding, which the worst of them leads.
    plain = [number for number, finding in enumerate(findings) if not _has_more_to_say(finding)]
    rest = [fault for number in plain[1:] for fault in told[number]]
    rest += [fault for pair in pairs[_TOLD:] for fault in pair]
    apart = not plain or any(_severity(subject, fault) for fault in rest)
    for number, finding in enumerate(findings):
        leads = number in plain[:1] and rest and not apart
        if leads or number not in plain[1:]:
            yield _with_others(subject, finding, rest) if leads else finding
    if rest and apart:
        yield _others(subject, rest)


def _has_more_to_say(finding: Finding) -> bool:
    """Return whether a finding is grave or says what helps."""
    return finding.severity == "error" or bool(finding.method) or finding.fix.repair is not None


def _with_others(subject: Subject, first: Finding, faults: list[JointFault]) -> Finding:
    """Return a finding that names other joints, too, each with its value."""
    label = subject.rig.nodes.label
    named = [
        f"{label(f.worst.joint)} ({value_words(f.worst.measure, f.worst.value)})" for f in faults
    ]
    return replace(
        first,
        message=_and_more_joints(first.message, named),
        joints=(*first.joints, *(fault.worst.joint for fault in faults)),
    )


def _and_more_joints(message: str, names: list[str]) -> Sentence:
    """Return a message that names further joints."""
    return Sentence(
        "{message}; {joints}: {names}",
        message=message,
        joints=count(len(names), "more joint"),
        names=some_of(names, _NAMED),
    )


def _paired(subject: Subject, faults: list[JointFault]) -> list[list[JointFault]]:
    """Return faults, the worst first, those of a joint and its partner together."""
    pairs: dict[frozenset[int], list[JointFault]] = {}
    for fault in faults:
        joint = fault.worst.joint
        pairs.setdefault(frozenset({joint, subject.anatomy.partner.get(joint, joint)}), []).append(
            fault
        )
    return list(pairs.values())


def _may_have_twist_joints(fault: JointFault) -> bool:
    rule = LIMITS[fault.worst.measure].rule
    return fault.twists and rule in (COLLAPSE.rule, STRETCH.rule)


def _finding(subject: Subject, pair: list[JointFault], twist: TwistFix | str | None) -> Finding:
    fault, worst = pair[0], pair[0].worst
    advice, words, fix = _advice(subject, fault, twist)
    told = Sentence("{fault} {where}", fault=says_of(subject, fault), where=where(subject, fault))
    message = under_each_method(fault, told)
    label = subject.rig.nodes.label
    likewise = [
        Sentence(
            "{joint} alike ({value})",
            joint=label(other.worst.joint),
            value=value_words(other.worst.measure, other.worst.value),
        )
        for other in pair[1:]
    ]
    advised = joined([message, words], _THEREFORE) if words else message
    message = joined([advised, *likewise], "{first}; {rest}")
    return Finding(
        worst.joint,
        message,
        subject.rig.nodes.label(worst.joint),
        joints=tuple(other.worst.joint for other in pair),
        clip=subject.rig.clips[worst.clip].name,
        time=worst.time,
        measure=worst.measure,
        value=worst.value,
        limit=limit_crossed(worst.measure, worst.value, worst.limit),
        unit=MEASURES[worst.measure].unit,
        severity=_severity(subject, fault),
        explanation=joined([*filter(None, (meaning(fault), beside(fault)))], "{first} {rest}"),
        fix=fix,
        under=worst.method,
        advice=advice,
    )


def _in_motion(subject: Subject, faults: list[JointFault]) -> Finding:
    """Return one finding for all joints of a character that are beyond a limit in the range of motion.

    It is information: the pose is in no clip of the file.
    """
    fault, worst = faults[0], faults[0].worst
    clip = fault.clip
    bend, twist = np.degrees(worst.turn.bend), np.degrees(abs(worst.turn.twist))
    marker = clip.marker_at(worst.time)
    turned: str = Sentence("bent by {bend:.0f}°, twisted by {twist:.0f}°", bend=bend, twist=twist)
    turned = joined([marker.name, turned], "{first}; {rest}") if marker is not None else turned
    pose = Sentence("in a range of motion, not in a clip of the file ({turned})", turned=turned)
    told = Sentence("{fault} {where}", fault=says_of(subject, fault), where=pose)
    message = under_each_method(fault, told)
    advice, advised = method_advice(fault)
    message = joined([message, *advised], _THEREFORE)
    names = [subject.rig.nodes.label(other.worst.joint) for other in faults[1:]]
    if names:
        message = _and_more_joints(message, names)
    reason = Sentence(
        "The character was put through a range of motion since {reason} by {angle:.0f}°; joints are told "
        "of from {factor:.0f} times the limit on.",
        reason=Sentence(
            "no clip turns a joint of it"
            if subject.rig.clips
            else "there is no clip that turns one"
        ),
        angle=np.degrees(TAME),
        factor=BEYOND,
    )
    explained = [*filter(None, (meaning(fault), reason, beside(fault)))]
    return Finding(
        worst.joint,
        message,
        subject.rig.nodes.label(worst.joint),
        joints=tuple(other.worst.joint for other in faults),
        clip=clip.name,
        time=worst.time,
        measure=worst.measure,
        value=worst.value,
        limit=limit_crossed(worst.measure, worst.value, worst.limit),
        unit=MEASURES[worst.measure].unit,
        severity="info",
        explanation=joined(explained, "{first} {rest}"),
        fix=Fix("none", reason="no clip of the file has the pose"),
        under=worst.method,
        advice=advice,
        motion=clip,
    )


def _others(subject: Subject, faults: list[JointFault]) -> Finding:
    """Return one finding for the joints that have none of their own."""
    worst = faults[0].worst
    names = [subject.rig.nodes.label(fault.worst.joint) for fault in faults]
    value = value_words(worst.measure, worst.value)
    grave = any(_severity(subject, fault) == "error" for fault in faults)
    return Finding(
        worst.joint,
        Sentence(
            "{joints} beyond the limit under {method}, at most {measure} {value} {where}: {names}",
            joints=count(len(faults), "more joint"),
            method=ASKED[worst.method].label,
            measure=measure_named(worst.measure),
            value=value,
            where=where(subject, faults[0]),
            names=some_of(names, _NAMED),
        ),
        names[0],
        joints=tuple(fault.worst.joint for fault in faults),
        clip=subject.rig.clips[worst.clip].name,
        time=worst.time,
        measure=worst.measure,
        value=worst.value,
        limit=limit_crossed(worst.measure, worst.value, worst.limit),
        unit=MEASURES[worst.measure].unit,
        severity="error" if grave else None,
        explanation=meaning(faults[0]),
        fix=Fix("none", reason="what helps the worst joints was measured, these were not tried"),
    )


def _severity(subject: Subject, fault: JointFault) -> Severity | None:
    """Return "error" where the shape is lost; None leaves it to the rule."""
    worst = fault.worst
    lost = worst.measure == "collapse" and worst.value >= subject.limit(COLLAPSE_ERROR)
    return "error" if lost else None


def _advice(
    subject: Subject, fault: JointFault, twist: TwistFix | str | None
) -> tuple[tuple[Advice, ...], str, Fix]:
    """Return what the numbers support; the same in words, empty for nothing; and the fix."""
    rig, worst = subject.rig, fault.worst
    advice, advised = method_advice(fault)
    fix = None
    if isinstance(twist, TwistFix):
        added = count(twist.added, "twist joint")
        use = Sentence("put the twist joints to use")
        what = Sentence("add {joints}", joints=added) if twist.added else use
        value = value_words(worst.measure, twist.remedy.value)
        with_them = Sentence(
            "{method} with them: {value}", method=ASKED[worst.method].label, value=value
        )
        advice += (Advice(what, worst.method, twist.remedy.value, by_fix=True),)
        proposed = Sentence("{what} ({figures})", what=what, figures=with_them)
        advised.append(proposed + drawback(fault, twist.remedy))
        limbs = joined([rig.nodes.label(limb) for limb in twist.limbs], "{first} and {rest}")
        words = (
            "Add {joints} to {limbs}" if twist.added else "Put the twist joints of {limbs} to use"
        )
        label = Sentence(words, joints=added, limbs=limbs)
        fix = Fix("shape", label, partial(with_twist_joints, joints=twist.joints))
    if fix is None:
        tried = [ASKED[name].label for name in fault.values if name != worst.method]
        nothing = none_helps(tried)
        method_helps = Sentence("the method is the engine's or the pane's to set, not the file's")
        reasons = [method_helps if advised else nothing]
        reasons += [twist] if isinstance(twist, str) else []
        fix = Fix("none", reason=joined(reasons, "{first}; {rest}"))
    return advice, joined(advised, "{first}, or {rest}"), fix


@rule(
    COLLAPSE,
    COLLAPSE_ERROR,
    title="Joint collapses",
    measures="the width of the cross-sections of each joint against that at bind",
    severity="warning",
    fix="shape",
    **_OF_JOINTS,
)
def collapse(subject: Subject) -> Iterator[Finding]:
    """Joints whose cross-section collapses.

    A character of which no clip turns a joint by 60° is judged in a range of motion: for information,
    from twice the limit on, and without the vertices that WGT-STRAY names.
    """
    return _of_rule(subject, COLLAPSE.rule)


@rule(
    BULGE,
    title="Joint bulges",
    measures="the distance of each joint's outer side from its bones against that at bind",
    severity="warning",
    **_OF_JOINTS,
)
def bulge(subject: Subject) -> Iterator[Finding]:
    """Joints whose outer side stands out.

    A character of which no clip turns a joint by 60° is judged in a range of motion: for information,
    from twice the limit on, and without the vertices that WGT-STRAY names.
    """
    return _of_rule(subject, BULGE.rule)


@rule(
    VOLUME,
    title="Volume of a joint changes",
    measures="the volume about each joint against that at bind",
    severity="warning",
    **_OF_JOINTS,
)
def volume(subject: Subject) -> Iterator[Finding]:
    """Joints whose flesh shrinks or swells.

    A character of which no clip turns a joint by 60° is judged in a range of motion: for information,
    from twice the limit on, and without the vertices that WGT-STRAY names.
    """
    return _of_rule(subject, VOLUME.rule)


@rule(
    STRETCH,
    COMPRESSION,
    AREA,
    title="Skin stretched or crushed",
    measures="lengths of edges and areas of faces about each joint against those at bind",
    severity="warning",
    fix="shape",
    **_OF_JOINTS,
)
def stretch(subject: Subject) -> Iterator[Finding]:
    """Joints whose skin is stretched or crushed.

    A character of which no clip turns a joint by 60° is judged in a range of motion: for information,
    from twice the limit on, and without the vertices that WGT-STRAY names.
    """
    return _of_rule(subject, STRETCH.rule)


@rule(
    FLIPS,
    title="Skin inside out",
    measures="faces about each joint that are turned over against the skin around them",
    severity="warning",
    **_OF_JOINTS,
)
def flips(subject: Subject) -> Iterator[Finding]:
    """Joints about which faces turn inside out.

    A character of which no clip turns a joint by 60° is judged in a range of motion: for information,
    from twice the limit on, and without the vertices that WGT-STRAY names.
    """
    return _of_rule(subject, FLIPS.rule)


@rule(
    INTERSECT,
    title="Skin goes through skin",
    measures="faces about each joint that cross others and do not at bind",
    severity="warning",
    **_OF_JOINTS,
)
def intersections(subject: Subject) -> Iterator[Finding]:
    """Joints about which skin goes through skin.

    A character of which no clip turns a joint by 60° is judged in a range of motion: for information,
    from twice the limit on, and without the vertices that WGT-STRAY names.
    """
    return _of_rule(subject, INTERSECT.rule)
