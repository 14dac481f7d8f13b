"""Rules about scale over time: unequal, nothing, or changing; and about a rig's scale as a whole."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.fixes.leaf import folded
from rigview.check.fixes.reframe import KeyChange, keyed_scales, map_keys, stretching
from rigview.check.labels import clip_label, skin_label
from rigview.check.limits import Limit
from rigview.check.measures.anatomy import Humanoid
from rigview.check.measures.curves import curves
from rigview.check.measures.facts import Facts, measured
from rigview.check.measures.sizes import wearers
from rigview.check.measures.stretch import TOLERANCE, stretches, suspects
from rigview.check.rule import Finding, Fix, Subject, count, offer, verb
from rigview.check.rules.clips import over_clips, spreads
from rigview.check.rules.scale import NOTHING
from rigview.core.arrays import FloatArray
from rigview.core.arrays import unit as direction
from rigview.core.bones import box_diagonal
from rigview.core.clip import Clip, Path
from rigview.core.rig import Rig

UNEQUAL = Limit(
    "SCL-NONUNI", TOLERANCE, "share", "by how much one scale of a skin matrix exceeds another"
)
CHANGE = Limit("SCL-ANIM", TOLERANCE, "×", "how far the keys of a scale are apart")
# People, from a child to a giant; what is outside was stated in other units.
LOWEST = Limit("SCL-UNIT.lowest", 0.3, "m", "the height of a body", "least")
HIGHEST = Limit("SCL-UNIT.highest", 10.0, "m", "the height of a body")
USUAL_HEIGHT = 1.7
# Fewer joints span no body: a mesh on the head alone says nothing of sizes.
_MEASURABLE = 4
# Skeleton and mesh of one character are never this different in size.
RATIO = Limit("SCL-UNIT.ratio", 20.0, "×", "the sizes of skeleton and mesh against each other")


def _chain(rig: Rig) -> tuple[int, ...]:
    """Return the joints of all skins and every node above them, ascending."""
    return tuple(sorted(rig.nodes.with_ancestors(j for skin in rig.skins for j in skin.joints)))


def _lost(facts: Facts, zero: float) -> set[int]:
    """Return nodes at or below one with a negative scale or one below `zero`: other rules name those."""
    rig, keyed = facts.rig, facts.once(curves)["scale"]
    suspects = set(keyed.nodes[~keyed.sound | (keyed.lowest < zero).any(axis=1)].tolist())
    suspects |= set(np.flatnonzero((rig.nodes.scales < zero).any(axis=1)).tolist())
    bad = suspects.intersection(facts.once(_chain))
    bad = {node for node in bad if keyed_scales(rig, node).min() < zero}
    return rig.nodes.with_descendants(bad)


def unequal(subject: Subject) -> Iterator[Finding]:
    """SCL-NONUNI: joints that stretch the mesh unequally, at rest or in a clip."""
    rig = subject.rig
    sources = subject.facts.of(stretching).intersection(subject.once(_chain))
    below = rig.nodes.with_descendants(sources)
    zero, limit = subject.limit(NOTHING), subject.limit(UNEQUAL)
    below -= subject.facts.of(_lost, zero) if below else set()
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
            "SCL-NONUNI",
            skin,
            f"{count(len(joints), 'joint')} {verb(len(joints), 'stretches', 'stretch')} the mesh "
            f"unequally, by up to {100.0 * first.ratio:.3g} %",
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
    sources = facts.of(stretching).intersection(facts.once(_chain))
    below = rig.nodes.with_descendants(sources)
    below -= facts.of(_lost, zero)
    joints = [j for j in rig.skins[skin].joints if j in below]
    for joint in joints:
        rig = folded(rig, skin, joint)
    return rig


def vanishing(facts: Facts, limit: float) -> dict[int | None, frozenset[int]]:
    """Return clip, or None for the rest pose → the joints, or nodes above them, scaled to nothing there."""
    rig, scales = facts.rig, facts.once(curves)["scale"]
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
    lost = facts.of(vanishing, limit).get(None, frozenset[int]())
    return frozenset(below for node in lost for below in nodes.subtree(node))


def nothing(subject: Subject) -> Iterator[Finding]:
    """SCL-ZERO: joints that are scaled to nothing, at rest or in a clip."""
    rig, limit = subject.rig, subject.limit(NOTHING)
    suspects = frozenset[int]().union(*subject.facts.of(vanishing, limit).values())
    for joint in sorted(suspects):
        smallest, clip, time = _smallest(rig, joint)
        if smallest >= limit:
            continue
        when = "at rest" if clip is None else f"in {clip.name or 'a clip'} at {time:.2f} s"
        yield Finding(
            "SCL-ZERO",
            joint,
            f"{rig.nodes.label(joint)} is scaled to nothing {when}",
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


@over_clips
def animated_scale(subject: Subject) -> Iterator[Finding]:
    """SCL-ANIM: clips that change the size of joints."""
    rig = subject.rig
    limit, clips = subject.limit(CHANGE), spreads(subject, "scale")
    chain = set(subject.once(_chain)) - subject.facts.idle
    if any(value > limit for clip in clips for value in clip.values()):
        chain -= subject.facts.of(_lost, subject.limit(NOTHING))
    for number, clip in enumerate(rig.clips):
        changes = {node: value for node, value in clips[number].items() if node in chain}
        joints = sorted((n for n in changes if changes[n] > limit), key=lambda n: -changes[n])
        if not joints:
            continue
        yield Finding(
            "SCL-ANIM",
            number,
            f"{count(len(joints), 'joint')} {verb(len(joints), 'changes its', 'change their')} scale by "
            f"up to {changes[joints[0]]:.3g} in {clip_label(rig, number)}",
            clip_label(rig, number),
            joints=tuple(joints),
            clip=clip.name,
            value=changes[joints[0]],
            limit=limit,
            explanation="Squash and stretch is lost where only rotations are kept, and dual quaternions "
            "carry no scale.",
            fix=Fix("none", reason="the change of size is what the clip shows"),
        )


def unit(subject: Subject) -> Iterator[Finding]:
    """SCL-UNIT: people of impossible height, or a mesh of another size than its skeleton."""
    rig = subject.rig
    heights = (subject.limit(LOWEST), subject.limit(HIGHEST))
    found = _heights(subject.facts, heights)
    factors = {1.0 if height is None else _to_metres(height) for height in found}
    for number, height in enumerate(found):
        if height is not None:
            yield _unlikely(subject, number, height, factors)
    for skin in subject.deformer.skins:
        ratio = _size_ratio(subject, skin)
        if ratio > subject.limit(RATIO):
            yield Finding(
                "SCL-UNIT",
                1 + skin,
                f"skeleton and mesh differ in size {ratio:.3g} times",
                skin_label(rig, skin),
                value=ratio,
                limit=subject.limit(RATIO),
                unit="×",
                explanation="Mesh and skeleton seem to be stated in different units.",
                fix=Fix("none", reason="which of the two has the right size is unknown"),
            )


def _unlikely(subject: Subject, number: int, height: float, factors: set[float]) -> Finding:
    """Return what is said of a body of a height, where all bodies are to be scaled by some factors."""
    rig = subject.rig
    lowest, highest = heights = subject.limit(LOWEST), subject.limit(HIGHEST)
    if len(factors) > 1:
        fix = Fix("none", reason="other characters of the file have another size")
    else:
        label = f"Scale the whole file by {min(factors):g}"
        fix = offer(rig, "shape", label, partial(in_metres, heights=heights))
    people = _people(subject.facts)
    first = rig.roots[0] if rig.roots and len(people) == 1 else people[number].hips
    return Finding(
        "SCL-UNIT",
        -number,
        f"the character is {height:.3g} m tall",
        rig.nodes.label(first),
        value=height,
        limit=lowest if height < lowest else highest,
        unit="m",
        explanation="glTF counts in metres; this file seems to count in other units. Physics, shadows "
        "and cameras take it at its word.",
        fix=fix,
    )


def _heights(facts: Facts, usual: tuple[float, float]) -> list[float | None]:
    """Return how tall each body is, None where that is between two heights."""
    return [_height(facts, body, usual) for body in _people(facts)]


def _people(facts: Facts) -> list[Humanoid]:
    """Return one body of each character: copies of a skeleton have one each."""
    first: dict[int, Humanoid] = {}
    for body in facts.bodies:
        first.setdefault(facts.characters[body.hips], body)
    return list(first.values())


def _height(facts: Facts, body: Humanoid, usual: tuple[float, float]) -> float | None:
    """Return how far a body reaches from hips to head and on, where that is not between two heights."""
    deformer, characters = facts.deformer, facts.characters
    # Limbs may have skeletons of their own.
    numbers = {characters[joint] for joint in (body.hips, body.head, *body.arms, *body.legs)}
    own = [i for i, wearer in enumerate(wearers(facts.rig, characters)) if wearer in numbers]
    corners = np.concatenate([np.zeros((0, 3)), *(deformer.rest_corners[i] for i in own)])
    if not len(corners):
        return None
    heads = deformer.rest_nodes[[body.hips, body.head], :3, 3]
    up = direction(heads[1] - heads[0])
    # Some vertices touch the sides of the box around all: their distances bound the height.
    reach = np.abs(up) * np.ptp(corners, axis=0)
    if usual[0] <= 2.0 * reach.max() - reach.sum() and reach.sum() <= usual[1]:
        return None
    counts = [len(facts.rig.primitive(part).positions) for part in facts.rig.parts]
    starts = np.cumsum([0, *counts])
    along = deformer.rest_positions @ up
    height = float(np.ptp(np.concatenate([along[starts[i] : starts[i + 1]] for i in own])))
    return None if usual[0] <= height <= usual[1] else height


def _size_ratio(subject: Subject, skin: int) -> float:
    """Return how many times one of skeleton and skinned mesh at rest is larger than the other."""
    rig = subject.rig
    heads = subject.deformer.rest_nodes[list(rig.skins[skin].joints)][:, :3, 3]
    corners = zip(rig.parts, subject.deformer.rest_corners, strict=True)
    boxes = [box for part, box in corners if part.skin == skin and len(box)]
    if not boxes:
        return 1.0
    mesh = box_diagonal(*boxes)
    # Of a large skeleton a small mesh uses few joints: those count.
    moved = np.zeros(len(heads), dtype=np.bool_)
    for part in rig.skinned_parts(skin):
        influences = rig.primitive(part).influences
        if influences is not None:
            moved |= influences.moves(len(heads))
    used = np.flatnonzero(moved)
    if len(used) < _MEASURABLE:
        return 1.0
    near = float(np.linalg.norm(np.ptp(heads[used], axis=0)))
    return max(mesh / near, near / mesh) if near > 0.0 else 1.0


def _to_metres(height: float) -> float:
    """Return the power of ten that brings a height nearest to a person's."""
    return 10.0 ** float(np.rint(np.log10(USUAL_HEIGHT / height)))


def in_metres(rig: Rig, heights: tuple[float, float]) -> Rig:
    """Scale a file whose body has a height outside of some by a power of ten."""
    off = [height for height in _heights(measured(rig), heights) if height is not None]
    return rescale(rig, _to_metres(off[0])) if off else rig


def rescale(rig: Rig, factor: float) -> Rig:
    """Scale every length of a file: vertices, bones, binds and keys."""
    nodes = rig.nodes
    matrices = {n: _moved(m, factor) for n, m in nodes.matrices.items()}
    scaled = replace(
        rig,
        nodes=replace(nodes, translations=factor * nodes.translations, matrices=matrices),
        clips=map_keys(rig.clips, range(len(nodes)), partial(_longer, factor=factor)),
        skins=tuple(
            skin
            if skin.inverse_binds is None
            else replace(skin, inverse_binds=_moved(skin.inverse_binds, factor))
            for skin in rig.skins
        ),
    )
    for number, mesh in enumerate(rig.meshes):
        for i, primitive in enumerate(mesh.primitives):
            morphs = primitive.morphs
            if morphs is not None:
                morphs = replace(morphs, positions=factor * morphs.positions)
            larger = replace(primitive, positions=factor * primitive.positions, morphs=morphs)
            scaled = scaled.with_primitive(number, i, larger)
    return scaled


def _longer(_node: int, path: Path, factor: float) -> KeyChange | None:
    return (lambda v: factor * v) if path == "translation" else None


def _moved(matrices: FloatArray, factor: float) -> FloatArray:
    result = matrices.copy()
    result[..., :3, 3] *= factor
    return result
