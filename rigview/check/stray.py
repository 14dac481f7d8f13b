"""Weights that have no business where they are: far joints, and islands in another's region."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.reframe import alone
from rigview.check.rule import (
    Finding,
    Subject,
    count,
    offer,
    part_label,
    verb,
    vertices_of,
)
from rigview.check.slots import counted, weighted
from rigview.check.surface import components, welded
from rigview.core.arrays import BoolArray, IntArray
from rigview.core.bones import box_diagonal
from rigview.core.rig import Influences, Part, Rig

# A weight above this shows; what is below is the end of a smooth ramp.
STRAY_WEIGHT = 0.05
# Joints this far apart in the skeleton share no muscle: upper arm and chest are two apart, hand and
# chest four.
STRAY_STEPS = 4
# Left and right meet at the hips, two steps apart; three are the far side.
_SIDE_STEPS = 3
# … and move what is further from their bone than from the dominant one by this share of the size: joints of
# one chest are four steps apart, too, and share it.
STRAY_DISTANCE = 0.1
# An island of less weight is the end of a smooth ramp: the clean Khronos CesiumMan has one of 0.16.
ISLAND_WEIGHT = 0.2
ISLAND = 5


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
        chosen = np.flatnonzero(slots.any(axis=1))
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
            limit=STRAY_WEIGHT,
            vertices=vertices_of(part, chosen[order]),
            explanation="Such weights are left over from automatic weighting or from painting "
            "through the body: a spike follows a far limb.",
            fix=offer(
                rig,
                "shape",
                f"Remove the stray weights of {count(len(chosen), 'vertex', 'vertices')}",
                partial(_without_strays, mesh=part.mesh, primitive=part.primitive),
            ),
        )


def _stray_slots(subject: Subject, part: Part, influences: Influences) -> BoolArray:
    """Return ``(V, K)`` the slots of joints far from the dominant one, or on an island of it."""
    rig = subject.rig
    assert part.skin is not None
    good = counted(rig, part, influences)
    shows = good.weights > STRAY_WEIGHT
    if not np.any(shows):
        return shows
    main = np.argmax(good.weights, axis=1)
    dominant = np.take_along_axis(good.joints, main[:, None], axis=1)
    steps = joint_steps(rig, part.skin)[dominant, good.joints]
    sides = np.array(
        [
            {"left": 1, "right": -1}.get(subject.anatomy.sides.get(j, ""), 0)
            for j in rig.skins[part.skin].joints
        ]
    )
    across = sides[dominant] * sides[good.joints] < 0
    far = (steps >= STRAY_STEPS) | (across & (steps >= _SIDE_STEPS))
    far &= _reaches_far(subject, part, good, shows & far)
    alone = (good.weights > ISLAND_WEIGHT) & (steps >= 2) & ~far
    result: BoolArray = far | (alone & _islands(rig, part, good, shows, alone))
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
    result[vertex, slot] = further > STRAY_DISTANCE * box_diagonal(points)
    return result


def _islands(
    rig: Rig, part: Part, good: Influences, shows: BoolArray, asked: BoolArray
) -> BoolArray:
    """Return ``(V, K)`` the slots of regions of a joint with fewer than `ISLAND` vertices.

    Only joints of the slots `asked` are looked at.

    A joint's largest region is no island, and neither is one on a piece of mesh that small.
    """
    if not np.any(asked):
        return np.zeros_like(shows)
    shows = shows & np.isin(good.joints, np.unique(good.joints[asked]))
    primitive = rig.primitive(part)
    weld = welded(primitive.positions)
    triangles = weld[primitive.triangles]
    joint_count = int(good.joints.max()) + 1
    vertex, slot = np.nonzero(shows)
    pair = weld[vertex] * joint_count + good.joints[vertex, slot]
    nodes, node = np.unique(pair, return_inverse=True)
    held = np.zeros(len(weld), dtype=bool)
    held[weld[vertex]] = True
    # An edge that two triangles share is listed twice here: to find it out costs more than it saves.
    edges = triangles[:, ((0, 1), (1, 2), (2, 0))].reshape(-1, 2)
    # Only edges between vertices that both show a joint can be within a region.
    within = edges[held[edges[:, 0]] & held[edges[:, 1]]]
    region = components(len(nodes), _shared(nodes, joint_count, within))
    size = np.bincount(region, minlength=len(nodes))
    largest = np.zeros(joint_count, dtype=np.int64)
    np.maximum.at(largest, nodes % joint_count, size[region])
    small = (size[region] < ISLAND) & (size[region] < largest[nodes % joint_count])
    if np.any(small):
        piece = components(len(weld), edges)
        piece_size = np.bincount(piece[np.unique(weld)], minlength=len(piece))
        small &= piece_size[piece[nodes // joint_count]] >= 2 * ISLAND
    result = np.zeros_like(shows)
    result[vertex, slot] = small[node.reshape(-1)]
    return result


def _shared(nodes: IntArray, joint_count: int, edges: IntArray) -> IntArray:
    """Return ``(L, 2)`` the pairs of places in `nodes` of one joint, at both ends of an edge.

    Parameters
    ----------
    nodes
        Ascending: vertex · `joint_count` + joint.
    edges
        ``(E, 2)`` vertices.
    """
    # Every joint of one end that the other end has too.
    vertices = np.arange(int(edges.max(initial=0)) + 2)
    begin = np.searchsorted(nodes, vertices * joint_count)
    first, last = begin[edges[:, 0]], begin[edges[:, 0] + 1]
    number = last - first
    offset = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
    source = np.repeat(first, number) + offset
    target = np.repeat(edges[:, 1], number) * joint_count + nodes[source] % joint_count
    at = np.minimum(np.searchsorted(nodes, target), len(nodes) - 1)
    found = nodes[at] == target
    return np.stack([source[found], at[found]], axis=1)


def _without_strays(rig: Rig, mesh: int, primitive: int) -> Rig:
    """Drop stray weights of one primitive and scale the rest of each vertex to its sum."""
    subject = alone(rig)
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
