"""Weights that have no business where they are: far joints, and islands in another's region."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rigview.check.facts import Facts
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
from rigview.check.surface import around, edges_of, region_sizes, welded
from rigview.core import tall
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import box_diagonal
from rigview.core.mesh import Influences
from rigview.core.names import side
from rigview.core.rig import Part, Rig
from rigview.core.solid import WELD

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


def joint_steps(facts: Facts, skin: int) -> IntArray:
    """Return ``(J, J)`` how many steps each joint of a skin is from each other one in the skeleton.

    Joints without weights, as of controls between those that deform, make no way longer.
    """
    rig = facts.rig
    place = {joint: i for i, joint in enumerate(rig.joints)}
    above = np.diag([float(joint in facts.carrying) for joint in rig.joints])
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
    assert part.skin is not None
    good = subject.brief.once(counted, part, influences)
    result = np.zeros(good.weights.shape, dtype=np.bool_)
    shows, island = subject.limit(STRAY), subject.limit(ISLAND_WEIGHT)
    slots = _Slots.heavier(good, min(shows, island))
    main = good.heaviest.take(slots.vertices)
    # Most slots are those of the dominant joints, which are at home.
    others = np.flatnonzero(slots.joints != main)
    if not len(others):
        return result
    reach = subject.limit(STEPS), subject.limit(SIDE_STEPS)
    near, far = subject.facts.of_skin(_relations, part.skin, *reach)
    every, slots, main = slots, slots.of(others), main.take(others)
    pair = main * len(far) + slots.joints
    stray = far.reshape(-1).take(pair) & (slots.weights > shows)
    stray[stray] = _reaches_far(subject, part, good, slots.of(np.flatnonzero(stray)))
    apart = ~near.reshape(-1).take(pair) & (slots.weights > island) & ~stray
    if np.any(apart):
        shown = every if shows <= island else every.of(np.flatnonzero(every.weights > shows))
        stray[apart] = _islands(subject, part, shown, slots.of(np.flatnonzero(apart)))
    result.reshape(-1)[slots.numbers[stray]] = True
    return result


def _relations(
    facts: Facts, skin: int, most: float, most_across: float
) -> tuple[BoolArray, BoolArray]:
    """Return ``(J, J)`` which joints of a skin are at most one step apart, and which are far apart.

    Parameters
    ----------
    most, most_across
        How many steps are not far, on one side and from one side to the other.
    """
    rig, steps = facts.rig, joint_steps(facts, skin)
    signs = {"left": 1, "right": -1}
    names = (rig.nodes.names[joint] for joint in rig.skins[skin].joints)
    sides = np.array([signs.get(side(name) or "", 0) for name in names])
    across = sides[:, None] * sides < 0
    # A joint and the next one share vertices as a matter of course.
    return steps < 2, (steps > most) | (across & (steps > most_across))


# Places of a mesh, and for each the column of a joint that it is asked about.
_Asked = tuple[IntArray, IntArray]


@dataclass(frozen=True, eq=False)
class _Slots:
    """Some slots of a mesh.

    Parameters
    ----------
    numbers
        ``(n,)`` counted row by row, ascending.
    vertices, joints, weights
        ``(n,)`` what they say.
    """

    numbers: IntArray
    vertices: IntArray
    joints: IntArray
    weights: FloatArray

    @classmethod
    def heavier(cls, influences: Influences, limit: float) -> "_Slots":
        """Find the slots of more weight than a limit."""
        joints, weights = influences.joints.reshape(-1), influences.weights.reshape(-1)
        numbers = np.flatnonzero(weights > limit)
        vertices = numbers // max(influences.weights.shape[1], 1)
        return cls(numbers, vertices, joints.take(numbers), weights.take(numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def of(self, which: IntArray) -> "_Slots":
        """Return some of the slots."""
        return _Slots(
            self.numbers.take(which),
            self.vertices.take(which),
            self.joints.take(which),
            self.weights.take(which),
        )


def _reaches_far(subject: Subject, part: Part, good: Influences, slots: _Slots) -> BoolArray:
    """Return ``(n,)`` which slots belong to a bone further off than the dominant one, at bind."""
    assert part.skin is not None
    points = subject.rig.primitive(part).positions
    bones, away = subject.deformer.bind_bones[part.skin], points[slots.vertices]
    further = bones.distance(slots.joints, away)
    further -= bones.distance(good.heaviest[slots.vertices], away)
    size = box_diagonal(subject.rig.primitive(part).box)
    return further > subject.limit(DISTANCE) * size


def _islands(subject: Subject, part: Part, shown: _Slots, asked: _Slots) -> BoolArray:
    """Return ``(n,)`` which slots asked lie in a region of their joint with fewer vertices than `ISLAND`.

    A joint's largest region is no island, and neither is one on a piece of mesh that small.

    Parameters
    ----------
    shown
        The slots that show: they make the regions.
    """
    primitive, size = subject.rig.primitive(part), int(subject.limit(ISLAND))
    weld = welded(primitive.positions, WELD * box_diagonal(primitive.box))
    corners = weld.take(np.ascontiguousarray(primitive.triangles.T))
    joints = np.unique(asked.joints)
    held = _held(weld, shown, joints)
    places, columns = weld.take(asked.vertices), np.searchsorted(joints, asked.joints)
    doubtful = np.flatnonzero(held[places, columns])
    doubtful = doubtful[_few_around(held, corners, (places[doubtful], columns[doubtful]), size)]
    result = np.zeros(len(asked), dtype=np.bool_)
    if not len(doubtful):
        return result
    lonely, column = np.unique(columns[doubtful], return_inverse=True)
    seeds = weld[[_heaviest_vertex(shown, joint) for joint in joints[lonely].tolist()]]
    result[doubtful] = _lie_apart(held[:, lonely], corners, (places[doubtful], column), seeds, size)
    if np.any(result):
        result[result] = _on_large_pieces(corners, len(weld), places[result], 2 * size)
    return result


def _heaviest_vertex(slots: _Slots, joint: int) -> int:
    """Return the vertex on which a joint weighs most; the first of all for one without a slot."""
    own = np.flatnonzero(slots.joints == joint)
    return int(slots.vertices[own[np.argmax(slots.weights.take(own))]]) if len(own) else 0


def _held(weld: IntArray, slots: _Slots, joints: IntArray) -> BoolArray:
    """Return ``(V, J)`` at which places, named by their first vertex, some slots name which joints."""
    most = max(int(slots.joints.max(initial=0)), int(joints[-1]))
    column = np.full(most + 1, -1)
    column[joints] = np.arange(len(joints))
    columns = column.take(slots.joints)
    asked = np.flatnonzero(columns >= 0)
    result = np.zeros((len(weld), len(joints)), dtype=np.bool_)
    result[weld.take(slots.vertices.take(asked)), columns.take(asked)] = True
    return result


def _few_around(held: BoolArray, corners: IntArray, asked: _Asked, size: int) -> IntArray:
    """Return which of some places may stand in a region of fewer than `size`, ascending.

    Who makes `size` with its neighbours, or hangs together with one that does, stands on no island,
    however far that reaches.
    """
    places, columns = asked
    row, other = _company(held, corners, asked)
    few = np.bincount(row, minlength=len(places)) < size - 1
    open_ = np.flatnonzero(few.take(row))
    row, other = row.take(open_), other.take(open_)
    if len(row):
        beyond, _ = _company(held, corners, (other, columns.take(row)))
        few[row[np.bincount(beyond, minlength=len(other)) >= size - 1]] = False
    return np.flatnonzero(few)


def _company(held: BoolArray, corners: IntArray, asked: _Asked) -> tuple[IntArray, IntArray]:
    """Return the neighbours that places have in the regions of joints: for each whose it is, and where."""
    places, columns = asked
    among = np.zeros(len(held), dtype=np.bool_)
    among[places] = True
    edges = edges_of(around(corners, among, 1))
    source, other = np.concatenate([edges, edges[::-1]], axis=1)
    here = np.flatnonzero(among.take(source))
    bits = len(held).bit_length()
    code = np.sort((source.take(here) << bits) + other.take(here))
    code = code.take(np.flatnonzero(np.diff(code, prepend=-1)))
    source, other = code >> bits, code & ((1 << bits) - 1)
    # The neighbours of each place stand side by side.
    start, end = (np.searchsorted(source, places, side) for side in ("left", "right"))
    row = np.repeat(np.arange(len(places)), end - start)
    neighbours = other.take(np.arange(len(row)) + (end - np.cumsum(end - start)).take(row))
    holds = np.flatnonzero(held[neighbours, columns.take(row)])
    return row.take(holds), neighbours.take(holds)


def _lie_apart(
    held: BoolArray,
    corners: IntArray,
    asked: _Asked,
    seeds: IntArray,
    size: int,
) -> BoolArray:
    """Return ``(n,)`` which places lie in a region of fewer than `size` that is not their joint's largest.

    Parameters
    ----------
    held
        ``(V, J)`` the places that make the regions of each joint.
    corners
        ``(3, F)`` of all triangles.
    asked
        ``(n,)`` places, and the column of `held` that each is asked about.
    seeds
        ``(J,)`` where the largest region of each joint is likely to be: where it weighs most.
    """
    places, columns = asked
    near = np.zeros(len(held), dtype=np.bool_)
    near[places] = near[seeds] = True
    # What can be reached in so few steps tells, unless no region there is large.
    patch = around(corners, near, size - 1)
    near[patch] = True
    here, local = np.flatnonzero(near), np.zeros(len(held), dtype=np.int64)
    local[here] = np.arange(len(here))
    sizes = _sizes(held[here], local.take(patch))
    own, largest = sizes[local[places], columns], sizes.max(axis=0)
    for column in np.flatnonzero(largest < size):
        whole = _sizes(held[:, column : column + 1], corners)[:, 0]
        largest[column] = whole.max()
        own = np.where(columns == column, whole[places], own)
    apart: BoolArray = own < np.minimum(largest, size)[columns]
    return apart


def _sizes(held: BoolArray, corners: IntArray) -> IntArray:
    """Return ``(V, J)`` how many places of each joint hang together with each; 1 where not held.

    Parameters
    ----------
    held
        ``(V, J)``.
    corners
        ``(3, F)``.
    """
    joints = held.shape[1]
    a, b = edges_of(corners)
    edge, joint = np.nonzero(held[a] & held[b])
    within = np.stack([a.take(edge), b.take(edge)]) * joints + joint
    return region_sizes(held.size, within).reshape(held.shape)


def _on_large_pieces(corners: IntArray, number: int, places: IntArray, size: int) -> BoolArray:
    """Return ``(n,)`` which of some places lie on pieces of mesh of that size at least."""
    near = np.zeros(number, dtype=np.bool_)
    near[places] = True
    # Two steps reach enough places of most meshes, and so many enough of all.
    large = np.zeros(len(places), dtype=np.bool_)
    for steps in (2, size - 1):
        if not large.all():
            sizes = region_sizes(number, edges_of(around(corners, near, steps)))
            large = sizes[places] >= size
    return large


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
