"""Rules about a skin's list of joints: entries that are double, idle, too many or without length."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts
from rigview.check.measures.influences import merge
from rigview.check.measures.same_bones import same_bones
from rigview.check.profiles import JOINTS
from rigview.check.rig_edits.joint_list import meshes_of_skin, relisted, renumbered
from rigview.check.rule import Finding, Fix, Refused, Subject, count, offer, rule, verb
from rigview.check.rules.scale import NOTHING
from rigview.check.rules.scale_time import vanished
from rigview.check.rules.shared.merge_findings import for_alike, over_each_skin
from rigview.core.bones import ZERO_LENGTH
from rigview.core.names import words
from rigview.core.nodes import ADDED
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

# Inverse bind matrices nearer to each other than this are one that was written twice.
_SAME_BIND = 1e-6
# One byte counts so far.
ZERO_BONE = Limit("HIE-ZEROLEN", ZERO_LENGTH, "share", "the length of a bone, in sizes", "least")
# What exporters call the joints that only mark where the last bone ends.
_END_WORDS = {"end", "leaf", "nub", "tip", "endsite"}


@rule(
    "HIE-DUPJOINT",
    title="Joint listed twice",
    measures="nodes that stand more than once in a skin's list",
    severity="warning",
    fix="exact",
    needs="skins",
)
def doubles(subject: Subject) -> Iterator[Finding]:
    """One node stands twice in a skin's list of joints."""
    rig = subject.rig
    for skin, value in enumerate(rig.skins):
        twice = sorted(j for j, times in Counter(value.joints).items() if times > 1)
        if not twice:
            continue
        yield Finding(
            skin,
            Sentence(
                "{joints} {verb} more than once in the skin's list, the first is {joint}",
                joints=count(len(twice), "joint"),
                verb=verb(len(twice), "stands", "stand"),
                joint=rig.nodes.label(twice[0]),
            ),
            skin_label(rig, skin),
            joints=tuple(twice),
            value=len(twice),
            limit=0,
            unit="joint",
            explanation="Programs that look joints up by node keep one entry and lose the weights of "
            "the other.",
            fix=offer(rig, "exact", "Merge the double joints", partial(merge_doubles, skin=skin)),
        )


def merge_doubles(rig: Rig, skin: int) -> Rig:
    """Let the first entry of every joint of a skin take the weights of the others.

    Raises
    ------
    Refused
        If the entries state different inverse bind matrices.
    """
    joints, binds = rig.skins[skin].joints, rig.skins[skin].joint_from_mesh
    first = [joints.index(joint) for joint in joints]
    if float(np.abs(binds - binds[first]).max(initial=0.0)) > _SAME_BIND:
        raise Refused("the entries state different inverse bind matrices")
    return with_joints(rig, skin, first)


def with_joints(rig: Rig, skin: int, heirs: Sequence[int]) -> Rig:
    """Shorten a skin's list of joints.

    Parameters
    ----------
    heirs
        For each position the position that takes over its weights: its own where it stays, −1 where
        it has none to hand on.

    Raises
    ------
    Refused
        If a mesh of the skin also hangs on another skin, or inverse bind matrices are missing.
    """
    kept = [i for i, heir in enumerate(heirs) if heir == i]
    place = {position: i for i, position in enumerate(kept)}
    lookup = np.array([place.get(heir, 0) for heir in heirs], dtype=np.int64)
    changed = relisted(rig, skin, kept)
    for mesh in sorted(meshes_of_skin(rig, skin)):
        for number, primitive in enumerate(rig.meshes[mesh].primitives):
            influences = primitive.influences
            if influences is None:
                continue
            merged = merge(replace(influences, joints=renumbered(influences, lookup)))
            changed = changed.with_primitive(mesh, number, replace(primitive, influences=merged))
    return changed


def _pointed_at(subject: Subject) -> set[int]:
    """Return joints at which the bone of a joint with weights ends."""
    skeleton = subject.deformer.skeleton
    total = subject.deformer.total_weights
    return {
        int(skeleton.joints[child])
        for joint, child in zip(skeleton.joints, skeleton.primary, strict=True)
        if child >= 0 and total[int(joint)] > 0.0
    }


def _is_end(rig: Rig, joint: int) -> bool:
    named = bool(set(words(rig.nodes.names[joint])) & _END_WORDS)
    return named and not rig.joint_children[joint]


def _shown_skins(rig: Rig) -> list[int]:
    return [s for s in range(len(rig.skins)) if rig.skinned_parts(s)]


@rule(
    "HIE-UNUSED",
    title="Joint without use",
    measures="joints without weight in their whole subtree, at which no bone ends",
    severity="info",
    fix="exact",
    needs="influences",
    tree=True,
    whole=True,
)
@over_each_skin
def idle(subject: Subject) -> Iterator[Finding]:
    """Joints that move no vertex, nor does anything below them.

    A joint at which the bone of another ends is used: it says where that bone points.
    """
    rig = subject.rig
    lost = subject.facts.idle - _pointed_at(subject)
    chosen = {j for j in lost if not _is_end(rig, j)}
    yield from for_alike(rig, _shown_skins(rig), partial(_weightless, subject, chosen, False))


@rule(
    "HIE-LEAF",
    title="End joint in the skin",
    measures="weightless joints whose names say that they only mark the end of a bone",
    severity="info",
    fix="exact",
    note=True,
    needs="influences",
    tree=True,
    whole=True,
)
@over_each_skin
def ends(subject: Subject) -> Iterator[Finding]:
    """Weightless joints that only mark the end of a bone, by their names.

    The compensation reads where bones end: where it would read another place, the fix is bounded.
    """
    rig = subject.rig
    lost = subject.facts.idle
    chosen = {j for j in lost if _is_end(rig, j)}
    yield from for_alike(rig, _shown_skins(rig), partial(_weightless, subject, chosen, True))


def _weightless(subject: Subject, lost: set[int], is_end: bool, skin: int) -> Iterator[Finding]:
    chosen = [joint for joint in subject.rig.skins[skin].joints if joint in lost]
    if chosen:
        yield _without_weights(subject, is_end, skin, chosen)


def _without_weights(subject: Subject, is_end: bool, skin: int, chosen: list[int]) -> Finding:
    rig = subject.rig
    chosen = list(dict.fromkeys(chosen))
    label = Sentence("Take {joints} out of the skin", joints=count(len(chosen), "joint"))
    drop = partial(without_joints, skin=skin, joints=tuple(chosen))
    try:
        # Only the compensation looks at bones; linear and dual quaternion skinning stay exact.
        shorter = relisted(rig, skin, _without(rig, skin, chosen))
        exact = _say_nothing(subject.facts, skin, chosen) or same_bones(subject.deformer, shorter)
        fix = Fix("exact" if exact else "bounded", label, drop, on_request=is_end)
    except Refused as refusal:
        fix = Fix("none", reason=str(refusal))
    does = verb(len(chosen), "moves nothing", "move nothing")
    if is_end:
        does = Sentence("only {verb} where a bone ends", verb=verb(len(chosen), "marks", "mark"))
    return Finding(
        skin,
        Sentence(
            "{joints} of {number} {does}, the first is {joint}",
            joints=count(len(chosen), "joint"),
            number=len(rig.skins[skin].joints),
            does=does,
            joint=rig.nodes.label(chosen[0]),
        ),
        skin_label(rig, skin),
        joints=tuple(chosen),
        value=len(chosen),
        limit=0,
        unit="joint",
        explanation="They cost a matrix each in every frame. Programs that count joints against a "
        "limit count these too.",
        fix=fix,
    )


def without_joints(rig: Rig, skin: int, joints: tuple[int, ...]) -> Rig:
    """Take joints that carry no weight out of a skin's list; the nodes stay.

    Raises
    ------
    Refused
        If that would leave a skin without joints.
    """
    kept = set(_without(rig, skin, joints))
    heirs = [i if i in kept else -1 for i in range(len(rig.skins[skin].joints))]
    return with_joints(rig, skin, heirs)


def _without(rig: Rig, skin: int, joints: Collection[int]) -> list[int]:
    """Return the positions of a skin's joints that stay without some."""
    left_out = set(joints)
    kept = [i for i, joint in enumerate(rig.skins[skin].joints) if joint not in left_out]
    if not kept:
        raise Refused("the skin would have no joint left")
    return kept


def _say_nothing(facts: Facts, skin: int, joints: Collection[int]) -> bool:
    """Tell whether a skin's list may lack some joints without a bone that carries weight being another.

    That is sure where none of these lies on them, and where nothing is left that hung on them.
    """
    rig, gone = facts.rig, set(joints)
    below = {child for joint in gone for child in rig.joint_children[joint]}
    # What a skin does not list is placed by the first joint that it lists, if by none above.
    asked = {rig.skins[skin].joints[0], *facts.once(_telling)}
    return below <= gone and gone.isdisjoint(asked)


def _telling(facts: Facts) -> frozenset[int]:
    """Return the joints that say where the bones of those with weights lie."""
    skeleton, total = facts.deformer.skeleton, facts.deformer.total_weights
    carrying = [joint for joint in facts.rig.joints if total[joint] > 0.0]
    return frozenset(skeleton.around(carrying).joints.tolist())


@rule(
    JOINTS,
    title="Too many joints",
    measures="the number of joints of a skin against what the target takes",
    severity="info",
    needs="skins",
)
@over_each_skin
def too_many(subject: Subject) -> Iterator[Finding]:
    """More joints in a skin than the profile's target takes."""
    rig, limit, profile = subject.rig, int(subject.limit(JOINTS)), subject.profile
    takes = Sentence("{title} takes", title=Sentence(profile.title))
    if profile.is_set(JOINTS):
        takes = Sentence("the configuration allows")
    for skin, value in enumerate(rig.skins):
        if len(value.joints) > limit:
            yield Finding(
                skin,
                Sentence(
                    "{joints}; {takes} {limit}",
                    joints=count(len(value.joints), "joint"),
                    takes=takes,
                    limit=limit,
                ),
                skin_label(rig, skin),
                value=len(value.joints),
                limit=limit,
                unit="joint",
                explanation=Sentence(
                    "{source}. What is above the limit is split off into further draws, or not "
                    "drawn.",
                    source=profile.source(JOINTS),
                ),
                fix=Fix("none", reason="which joints can be spared is for the rigger to say"),
            )


@rule(
    ZERO_BONE,
    title="Bone without length",
    measures="bones shorter than 1/10 000 of the rig's size",
    severity="info",
    needs="skins",
    tree=True,
    beside=(NOTHING.rule,),
)
def without_length(subject: Subject) -> Iterator[Finding]:
    """Joints whose bone has no length, so that it points nowhere."""
    rig, skeleton = subject.rig, subject.deformer.skeleton
    heads = subject.deformer.rest_nodes[skeleton.joints][:, :3, 3]
    lost = subject.facts.once(vanished, subject.limit(NOTHING))
    # What a reader adds stands where the joint below it does.
    passed = [j in lost or rig.nodes.names[j].endswith(ADDED) for j in skeleton.joints.tolist()]
    shown = ~np.array(passed, dtype=np.bool_)
    parents = np.flatnonzero((skeleton.primary >= 0) & shown)
    lengths = np.linalg.norm(heads[skeleton.primary[parents]] - heads[parents], axis=1)
    limits = subject.limit(ZERO_BONE) * subject.facts.sizes[skeleton.joints[parents]]
    short = parents[lengths < limits]
    if not len(short):
        return
    worst = int(np.argmin(lengths / limits))
    joints = tuple(int(skeleton.joints[i]) for i in short)
    yield Finding(
        0,
        Sentence(
            "{bones} without length, the first is {joint}",
            bones=count(len(joints), "bone"),
            joint=rig.nodes.label(joints[0]),
        ),
        rig.nodes.label(joints[0]),
        joints=joints,
        value=float(lengths[worst]),
        limit=float(limits[worst]),
        unit="m",
        explanation="Joint and child are at one place, so the bone has no direction; it takes its "
        "parent's. Helper joints are often made like this on purpose.",
        fix=Fix("none", reason="helper joints at their parent's place are legitimate"),
    )
