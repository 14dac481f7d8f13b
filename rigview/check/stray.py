"""Weights that have no business where they are: far joints, and islands in another's region."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.limits import Limit
from rigview.check.reframe import alone
from rigview.check.rule import (
    Finding,
    Fix,
    Subject,
    count,
    part_label,
    verb,
    vertices_of,
)
from rigview.check.slots import counted, weighted
from rigview.check.surface import components, welded
from rigview.core import tall
from rigview.core.arrays import BoolArray, IntArray
from rigview.core.bones import box_diagonal
from rigview.core.mesh import Influences
from rigview.core.rig import Part, Rig

# A weight above this shows; what is below is the end of a smooth ramp.
STRAY = Limit("WGT-STRAY.weight", 0.05, "share", "the weight of a joint far from the dominant one")
_STEPS = "steps in the skeleton from the dominant joint to another"
# Joints four steps apart share no muscle: upper arm and chest are two apart, hand and chest four.
STEPS = Limit("WGT-STRAY.steps", 3, "", _STEPS, whole=True)
# Left and right meet at the hips, two steps apart; three are the far side.
SIDE_STEPS = Limit("WGT-STRAY.side-steps", 2, "", f"{_STEPS} on the other side", whole=True)
# … and move what is further from their bone than from the dominant one: joints of one chest are four steps
# apart, too, and share it.
DISTANCE = Limit(
    "WGT-STRAY.distance",
    0.1,
    "share",
    "how much further than the dominant bone, in sizes of the mesh",
)
# An island of less weight is the end of a smooth ramp: the clean Khronos CesiumMan has one of 0.16.
ISLAND_WEIGHT = Limit("WGT-STRAY.island-weight", 0.2, "share", "the weight of a joint on an island")
ISLAND = Limit(
    "WGT-STRAY.island",
    5,
    "vertex",
    "vertices of an island in a piece of mesh of twice as many",
    "least",
    whole=True,
)


def joint_steps(rig: Rig, skin: int) -> IntArray:
    """Return ``(J, J)`` how many steps each joint of a skin is from each other one in the skeleton."""
    place = {joint: i for i, joint in enumerate(rig.joints)}
    above = np.eye(len(place))
    for level in rig.nodes.levels:
        for joint in map(int, level):
            parent = rig.joint_parents.get(joint, -1)
            if parent >= 0:
                above[place[joint]] += above[place[parent]]
    chosen = above[[place[j] for j in rig.skins[skin].joints]]
    depth = chosen.sum(axis=1)
    shared = chosen @ chosen.T
    return np.rint(depth[:, None] + depth[None, :] - 2.0 * shared).astype(np.int64)


def strays(subject: Subject) -> Iterator[Finding]:
    """WGT-STRAY: weights of joints that have no business there."""
    rig = subject.rig
    for key, part, influences in weighted(rig):
        slots = _stray_slots(subject, part, influences)
        chosen = np.flatnonzero(tall.any_of(slots))
        if not len(chosen) or part.skin is None:
            continue
        worst = np.where(slots, influences.weights, 0.0)[chosen].max(axis=1)
        order = np.argsort(-worst, kind="stable")
        joints = rig.skins[part.skin].joints
        named = list(dict.fromkeys(joints[int(j)] for j in influences.joints[slots]))
        yield Finding(
            "WGT-STRAY",
            key,
            f"{count(len(chosen), 'vertex', 'vertices')} {verb(len(chosen), 'follows', 'follow')} "
            f"a joint far from the one that moves them most, by up to {worst.max():.2f}",
            part_label(rig, part),
            joint=rig.nodes.label(named[0]),
            joints=tuple(named),
            value=float(worst.max()),
            limit=subject.limit(STRAY),
            vertices=vertices_of(part, chosen[order]),
            explanation="Such weights are left over from automatic weighting or from painting "
            "through the body: a spike follows a far limb.",
            fix=Fix(
                "shape",
                f"Remove the stray weights of {count(len(chosen), 'vertex', 'vertices')}",
                partial(
                    _without_strays,
                    mesh=part.mesh,
                    primitive=part.primitive,
                    limits=subject.profile.limits,
                ),
            ),
        )


def _stray_slots(subject: Subject, part: Part, influences: Influences) -> BoolArray:
    """Return ``(V, K)`` the slots of joints far from the dominant one, or on an island of it."""
    rig = subject.rig
    assert part.skin is not None
    good = subject.once(counted, part, influences)
    shows = good.weights > subject.limit(STRAY)
    if not np.any(shows):
        return shows
    main = tall.place_of_largest(good.weights)
    dominant = good.joints[np.arange(len(main)), main][:, None]
    steps = subject.once(joint_steps, part.skin)[dominant, good.joints]
    sides = np.array(
        [
            {"left": 1, "right": -1}.get(subject.anatomy.sides.get(j, ""), 0)
            for j in rig.skins[part.skin].joints
        ]
    )
    across = sides[dominant] * sides[good.joints] < 0
    far = steps > subject.limit(STEPS)
    far |= across & (steps > subject.limit(SIDE_STEPS))
    far &= _reaches_far(subject, part, good, shows & far)
    apart = (good.weights > subject.limit(ISLAND_WEIGHT)) & (steps >= 2) & ~far
    size = int(subject.limit(ISLAND))
    result: BoolArray = far | (apart & _islands(rig, part, good, (shows, apart), size))
    return result


def _reaches_far(subject: Subject, part: Part, good: Influences, slots: BoolArray) -> BoolArray:
    """Return ``(V, K)`` which of some slots belong to a bone further off than the dominant one, at bind."""
    assert part.skin is not None
    points = subject.rig.primitive(part).positions
    vertex, slot = np.nonzero(slots)
    bones = subject.deformer.bind_bones[part.skin]
    main = np.argmax(good.weights[vertex], axis=1)
    further = bones.distance(good.joints[vertex, slot], points[vertex])
    further -= bones.distance(good.joints[vertex, main], points[vertex])
    result = np.zeros_like(slots)
    result[vertex, slot] = further > subject.limit(DISTANCE) * box_diagonal(points)
    return result


def _islands(
    rig: Rig, part: Part, good: Influences, slots: tuple[BoolArray, BoolArray], size: int
) -> BoolArray:
    """Return ``(V, K)`` which slots asked lie in a region of their joint with fewer than `size` vertices.

    A joint's largest region is no island, and neither is one on a piece of mesh that small.
    """
    shows, asked = slots
    result = np.zeros_like(asked)
    if not np.any(asked):
        return result
    primitive = rig.primitive(part)
    weld = welded(primitive.positions)
    corners = weld[primitive.triangles.T]
    edges = np.stack([corners.ravel(), corners[[1, 2, 0]].ravel()])
    edges = edges[:, edges[0] != edges[1]]
    joints = np.unique(good.joints[asked])
    held = _places(weld, good, shows, joints)
    doubtful = _lonely(held, edges, _places(weld, good, asked, joints), size)
    for i in np.flatnonzero(doubtful.any(axis=0)):
        small = doubtful[:, i] & _small_regions(held[:, i].copy(), edges, size)
        result |= asked & (good.joints == joints[i]) & np.expand_dims(small[weld], 1)
    if np.any(result):
        piece = components(len(weld), edges.T)
        piece_size = np.bincount(piece[np.unique(weld)], minlength=len(piece))
        result &= np.expand_dims(piece_size[piece[weld]] >= 2 * size, 1)
    return result


def _places(weld: IntArray, good: Influences, slots: BoolArray, joints: IntArray) -> BoolArray:
    """Return ``(V, J)`` at which places, named by their first vertex, some slots name which joints."""
    column = np.full(int(good.joints.max()) + 1, -1)
    column[joints] = np.arange(len(joints))
    vertex, slot = np.nonzero(slots)
    at = column[good.joints[vertex, slot]]
    result = np.zeros((len(weld), len(joints)), dtype=np.bool_)
    result[weld[vertex[at >= 0]], at[at >= 0]] = True
    return result


def _lonely(held: BoolArray, edges: IntArray, asked: BoolArray, size: int) -> BoolArray:
    """Return ``(V, J)`` those of the places asked that may be on an island: with few neighbours held.

    Who makes `size` with its neighbours in its own region stands on no island, however far that reaches.
    """
    among = tall.any_of(asked)
    there, back = edges[:, among[edges[0]]], edges[::-1, among[edges[1]]]
    code = np.concatenate([there[0] * len(held) + there[1], back[0] * len(held) + back[1]])
    source, other = np.divmod(np.unique(code), len(held))
    company = np.zeros(held.shape, dtype=np.int64)
    if len(source):
        first = np.flatnonzero(np.diff(source, prepend=-1))
        company[source[first]] = np.add.reduceat(held[other].astype(np.int64), first, axis=0)
    result: BoolArray = asked & (company < size - 1)
    return result


def _small_regions(held: BoolArray, edges: IntArray, size: int) -> BoolArray:
    """Return ``(V,)`` which vertices lie in a region of fewer than `size` that is not the largest.

    Parameters
    ----------
    held
        ``(V,)`` the vertices that make the regions.
    edges
        ``(2, E)`` what hangs together; an edge may be listed more than once.
    """
    vertices = np.flatnonzero(held)
    number = np.zeros(len(held), dtype=np.int64)
    number[vertices] = np.arange(len(vertices))
    within = edges[:, held[edges[0]] & held[edges[1]]]
    region = components(len(vertices), number[within].T)
    sizes = np.bincount(region, minlength=len(vertices))
    result = np.zeros(len(held), dtype=np.bool_)
    result[vertices] = (sizes[region] < size) & (sizes[region] < sizes.max())
    return result


def _without_strays(rig: Rig, mesh: int, primitive: int, limits: Mapping[str, float]) -> Rig:
    """Drop stray weights of one primitive and scale the rest of each vertex to its sum."""
    subject = alone(rig, limits)
    old = rig.meshes[mesh].primitives[primitive]
    part = next(p for p in rig.parts if (p.mesh, p.primitive) == (mesh, primitive))
    influences = old.influences
    # What is left may stray from the new dominant joint or make another island: a few rounds settle it.
    for _ in range(4):
        if influences is None or part.skin is None:
            return rig
        slots = _stray_slots(subject, part, influences)
        if not np.any(slots):
            break
        kept = np.where(slots, 0.0, influences.weights)
        total, left = influences.weights.sum(axis=1), kept.sum(axis=1)
        factor = np.where(left > 0.0, total / np.where(left > 0.0, left, 1.0), 1.0)
        influences = Influences(np.where(slots, 0, influences.joints), kept * factor[:, None])
        rank = np.argsort(-influences.weights, axis=1, kind="stable")
        touched = np.expand_dims(slots.any(axis=1), 1)
        order = np.where(touched, rank, np.arange(rank.shape[1]))
        influences = Influences(
            np.take_along_axis(influences.joints, order, axis=1),
            np.take_along_axis(influences.weights, order, axis=1),
        )
    return rig.with_primitive(mesh, primitive, replace(old, influences=influences))
