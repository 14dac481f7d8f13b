"""Rules about scale over time: unequal, nothing, or changing."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from rigview.check.labels import clip_label, skin_label
from rigview.check.limits import Limit
from rigview.check.measures.curves import curves
from rigview.check.measures.facts import Facts, measured
from rigview.check.measures.stretch import TOLERANCE, stretches, suspects
from rigview.check.rig_edits.leaf import folded
from rigview.check.rig_edits.reframe import keyed_scales, stretching
from rigview.check.rule import Finding, Fix, Subject, count, offer, rule, verb
from rigview.check.rules.scale import NOTHING
from rigview.check.rules.shared.clip_findings import spreads
from rigview.check.rules.shared.merge_findings import over_clips
from rigview.core.clip import Clip
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

UNEQUAL = Limit(
    "SCL-NONUNI", TOLERANCE, "share", "by how much one scale of a skin matrix exceeds another"
)
CHANGE = Limit("SCL-ANIM", TOLERANCE, "", "how far the keys of a scale are apart")


def _chain(rig: Rig) -> tuple[int, ...]:
    """Return the joints of all skins and every node above them, ascending."""
    return tuple(sorted(rig.nodes.with_ancestors(j for skin in rig.skins for j in skin.joints)))


def _lost(facts: Facts, zero: float) -> set[int]:
    """Return nodes at or below one with a negative scale or one below `zero`: other rules name those."""
    rig, keyed = facts.rig, facts.of_rig(curves)["scale"]
    suspects = set(keyed.nodes[~keyed.sound | (keyed.lowest < zero).any(axis=1)].tolist())
    suspects |= set(np.flatnonzero((rig.nodes.scales < zero).any(axis=1)).tolist())
    bad = suspects.intersection(facts.of_rig(_chain))
    bad = {node for node in bad if keyed_scales(rig, node).min() < zero}
    return rig.nodes.with_descendants(bad)


@rule(
    UNEQUAL,
    title="Unequal scale",
    measures="the ratio of the scales of each skin matrix, at rest and over all clips",
    severity="warning",
    fix="exact",
    needs="skins",
    tree=True,
    motion=True,
)
def unequal(subject: Subject) -> Iterator[Finding]:
    """Joints that stretch the mesh unequally, at rest or in a clip."""
    rig = subject.rig
    sources = subject.facts.once(stretching).intersection(subject.of_rig(_chain))
    below = rig.nodes.with_descendants(sources)
    zero, limit = subject.limit(NOTHING), subject.limit(UNEQUAL)
    below -= subject.facts.once(_lost, zero) if below else set()
    # What carries no weight stretches no mesh.
    below &= subject.facts.carrying
    # What the scales of each node alone cannot stretch need not be looked at in every pose.
    places = {
        skin: [i for i in suspects(subject.facts, skin, limit) if value.joints[i] in below]
        for skin, value in enumerate(rig.skins if below else ())
    }
    places = {skin: chosen for skin, chosen in places.items() if chosen}
    found = stretches(subject.facts, places) if places else {}
    for skin in places:
        worst = {j: w for j, w in found[skin].items() if w.ratio > limit}
        if not worst:
            continue
        first = max(worst.values(), key=lambda w: w.ratio)
        joints = sorted(worst, key=lambda j: -worst[j].ratio)
        yield Finding(
            skin,
            Sentence(
                "{joints} {verb} the mesh unequally, by up to {ratio:.3g} %",
                joints=count(len(joints), "joint"),
                verb=verb(len(joints), "stretches", "stretch"),
                ratio=100.0 * first.ratio,
            ),
            skin_label(rig, skin),
            joints=tuple(joints),
            clip=None if first.clip is None else rig.clips[first.clip].name,
            time=first.time,
            value=first.ratio,
            limit=limit,
            unit="share",
            explanation="Unequal scale turns to shear as soon as a joint below rotates: engines that keep "
            "translation, rotation and scale apart show another shape.",
            fix=offer(
                rig,
                "exact",
                "Fold the stretch into the mesh",
                partial(fold_leaf, skin=skin, zero=zero),
            ),
        )


def fold_leaf(rig: Rig, skin: int, zero: float) -> Rig:
    """Fold a constant stretch of leaf joints into vertices that follow them alone.

    ``S·B = Q·H`` with a rotation Q: vertices take H over, the bind keeps Q, and the scale is 1 (`leaf`).

    Raises
    ------
    Refused
        If a joint has children, changes its scale, or shares vertices with others: that would shear.
    """
    facts = measured(rig)
    sources = facts.once(stretching).intersection(facts.of_rig(_chain))
    below = rig.nodes.with_descendants(sources)
    below -= facts.once(_lost, zero)
    joints = [j for j in rig.skins[skin].joints if j in below]
    for joint in joints:
        rig = folded(rig, skin, joint)
    return rig


def vanishing(facts: Facts, limit: float) -> dict[int | None, frozenset[int]]:
    """Return clip, or None for the rest pose → the joints, or nodes above them, scaled to nothing there."""
    rig, scales = facts.rig, facts.of_rig(curves)["scale"]
    seen = rig.nodes.with_ancestors(set(rig.joints) - facts.idle)
    at_rest = np.flatnonzero(~(np.abs(rig.nodes.scales).min(axis=1) >= limit)).tolist()
    result: dict[int | None, frozenset[int]] = {None: frozenset(seen.intersection(at_rest))}
    keyed = scales.each(np.minimum, np.abs(scales.keys)).min(axis=1, initial=np.inf) < limit
    for i in np.flatnonzero(keyed & scales.played).tolist():
        played = scales.samplers[i].usable if int(scales.nodes[i]) in seen else None
        if played is not None and np.abs(played.keys).min() < limit:
            clip = int(scales.clips[i])
            result[clip] = result.get(clip, frozenset()) | {int(scales.nodes[i])}
    return {clip: nodes for clip, nodes in result.items() if nodes}


def vanished(facts: Facts, limit: float) -> frozenset[int]:
    """Return the nodes that are scaled to nothing at rest, and all below them."""
    nodes = facts.rig.nodes
    lost = facts.once(vanishing, limit).get(None, frozenset[int]())
    return frozenset(below for node in lost for below in nodes.subtree(node))


@rule(
    NOTHING,
    title="Joint without size",
    measures="the smallest scale of each joint, at rest and in keys",
    severity="error",
    needs="skins",
    plot="scale",
)
def nothing(subject: Subject) -> Iterator[Finding]:
    """Joints that are scaled to nothing, at rest or in a clip."""
    rig, limit = subject.rig, subject.limit(NOTHING)
    suspects = frozenset[int]().union(*subject.facts.once(vanishing, limit).values())
    for joint in sorted(suspects):
        smallest, clip, time = _smallest(rig, joint)
        if smallest >= limit:
            continue
        when = Sentence("at rest")
        if clip is not None:
            name = clip.name or Sentence("a clip")
            when = Sentence("in {clip} at {time:.2f} s", clip=name, time=time)
        yield Finding(
            joint,
            Sentence(
                "{joint} is scaled to nothing {when}", joint=rig.nodes.label(joint), when=when
            ),
            rig.nodes.label(joint),
            joints=(joint,),
            clip=None if clip is None else clip.name,
            time=time,
            value=smallest,
            limit=limit,
            explanation="A joint without size has no rotation: dual quaternions and normals are lost "
            "there. Mostly a trick to hide a part.",
            fix=Fix("none", reason="hiding a part like this may be meant"),
        )


def _smallest(rig: Rig, joint: int) -> tuple[float, Clip | None, float | None]:
    """Return the smallest size of a joint's scale components, and in which clip and when it is."""
    best: tuple[float, Clip | None, float | None] = (
        float(np.abs(rig.nodes.scales[joint]).min()),
        None,
        None,
    )
    for clip in rig.clips:
        curve = clip.curve(joint, "scale")
        if curve is not None:
            sizes = np.abs(curve.keys).min(axis=1)
            at = int(np.argmin(sizes))
            if sizes[at] < best[0]:
                best = (float(sizes[at]), clip, float(curve.times[at]))
    return best


@rule(
    CHANGE,
    title="Scale changes in a clip",
    measures="how far the keys of a scale channel are apart",
    severity="warning",
    needs="skins clips",
    tree=True,
    motion=True,
    plot="scale",
)
@over_clips
def animated_scale(subject: Subject) -> Iterator[Finding]:
    """Clips that change the size of joints."""
    rig = subject.rig
    limit, clips = subject.limit(CHANGE), spreads(subject, "scale")
    chain = set(subject.of_rig(_chain)) - subject.facts.idle
    if any(value > limit for clip in clips for value in clip.values()):
        chain -= subject.facts.once(_lost, subject.limit(NOTHING))
    for number, clip in enumerate(rig.clips):
        changes = {node: value for node, value in clips[number].items() if node in chain}
        joints = sorted((n for n in changes if changes[n] > limit), key=lambda n: -changes[n])
        if not joints:
            continue
        yield Finding(
            number,
            Sentence(
                "{joints} {verb} scale by up to {factor:.3g} in {clip}",
                joints=count(len(joints), "joint"),
                verb=verb(len(joints), "changes its", "change their"),
                factor=changes[joints[0]],
                clip=clip_label(rig, number),
            ),
            clip_label(rig, number),
            joints=tuple(joints),
            clip=clip.name,
            value=changes[joints[0]],
            limit=limit,
            explanation="Squash and stretch is lost where only rotations are kept, and dual quaternions "
            "carry no scale.",
            fix=Fix("none", reason="the change of size is what the clip shows"),
        )
