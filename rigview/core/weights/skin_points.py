"""The weights of one character by welded points: what hands edit, so that seams stay closed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from rigview.core import memo
from rigview.core.arrays import BoolArray, FloatArray, IntArray, owned
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.rig import Rig
from rigview.core.weights import prune
from rigview.core.weights.making import CharacterMesh, characters, geometry_of, with_slots
from rigview.core.weights.weight_surface import WeightSurface, joined, welded

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_Number = TypeVar("_Number", bound=np.generic)
# Copies of a vertex whose weights differ by no more have the same ones: files round them to a byte or two.
SAME = 1e-4
# Where points are that are not shown: no brush reaches them.
FAR = 1e9


@dataclass(frozen=True, eq=False)
class SkinPoints:
    """One character's weights by points: the copies of a vertex at a seam are one point.

    Vertices in one place whose weights differ are different points: lips that touch at rest stay two.

    Parameters
    ----------
    rig
        With slots on every primitive of the character.
    surface
        The points, in mesh space at bind time.
    starts
        Where each member's vertices begin in `surface.point_of`.
    nodes
        The skin's joints.
    joints, weights
        ``(P, K)`` position in the skin and weight of every point's influences; unused slots are 0.
    number
        Which of the rig's characters it is.
    """

    rig: Rig
    character: CharacterMesh
    surface: WeightSurface
    starts: tuple[int, ...]
    nodes: tuple[int, ...]
    joints: IntArray
    weights: FloatArray
    number: int = 0

    @property
    def count(self) -> int:
        """The number of points."""
        return len(self.joints)

    @cached_property
    def column_of(self) -> dict[int, int]:
        """Node → the position in the skin that stands for it: the first, where it is listed twice."""
        return {node: self.nodes.index(node) for node in set(self.nodes)}

    @cached_property
    def parents(self) -> IntArray:
        """``(J,)`` the position of each joint's nearest ancestor in the skin; −1 without one."""
        above = (self.rig.nodes.ancestors(node) for node in self.nodes)
        found = (
            next((self.column_of[n] for n in line if n in self.column_of), -1) for line in above
        )
        return np.array(list(found), dtype=np.int64)

    def rows(self, points: IntArray) -> FloatArray:
        """Return ``(n, J)`` the weights of some points, joint by joint."""
        return dense(self.joints[points], self.weights[points], len(self.nodes))

    def column(self, position: int) -> FloatArray:
        """Return ``(P,)`` the weight of one joint on every point."""
        return np.asarray(np.where(self.joints == position, self.weights, 0.0).sum(axis=1))

    @cached_property
    def neighbours(self) -> "csr_array":
        """``(P, P)`` the mean of the points at the other ends of each point's edges; empty rows without."""
        from scipy.sparse import coo_array

        i, j = self.surface.edges.T
        places = (np.concatenate([i, j]), np.concatenate([j, i]))
        shares = 1.0 / np.maximum(np.bincount(places[0], minlength=self.count), 1)
        return coo_array((shares[places[0]], places), shape=(self.count, self.count)).tocsr()

    def points_of(self, chosen: Mapping[int, Iterable[int]]) -> IntArray:
        """Return the points of vertices that are given by part, ascending, each once."""
        found = [np.zeros(0, dtype=np.int64)]
        for number, vertices in chosen.items():
            part = self.rig.parts[number]
            if (start := self._start_of.get((part.mesh, part.primitive))) is not None:
                found.append(
                    self.surface.point_of[start + np.asarray(list(vertices), dtype=np.int64)]
                )
        return np.unique(np.concatenate(found))

    def vertices_of(self, points: IntArray) -> dict[int, IntArray]:
        """Return part → its vertices that are copies of some points, ascending."""
        wanted = np.zeros(self.count, dtype=np.bool_)
        wanted[points] = True
        result = {}
        for number, part in enumerate(self.rig.parts):
            start = self._start_of.get((part.mesh, part.primitive))
            if start is not None:
                end = start + len(self.rig.primitive(part).positions)
                chosen = np.flatnonzero(wanted[self.surface.point_of[start:end]])
                if len(chosen):
                    result[number] = chosen
        return result

    def points_at(self, part: int, vertices: IntArray) -> IntArray:
        """Return the points of a part's vertices, in their order.

        Raises
        ------
        KeyError
            If the part is another character's.
        """
        own = self.rig.parts[part]
        return self.surface.point_of[self._start_of[own.mesh, own.primitive] + vertices]

    def has_part(self, part: int) -> bool:
        """Return whether a part belongs to the character."""
        own = self.rig.parts[part]
        return (own.mesh, own.primitive) in self._start_of

    def placed(self, positions: Mapping[int, FloatArray]) -> FloatArray:
        """Return ``(P, 3)`` where points are, given vertices by part; far away where a part has none."""
        every = np.full((len(self.surface.point_of), 3), FAR)
        for number, start in zip(self._part_of, self.starts, strict=True):
            if number in positions:
                every[start : start + len(positions[number])] = positions[number]
        return every[self.first_vertex]

    @cached_property
    def first_vertex(self) -> IntArray:
        """``(P,)`` the first copy of each point, counted over all members."""
        return _first_copies(self.count, self.surface.point_of)

    def vertex(self, point: int) -> tuple[int, int]:
        """Return the part and number of the first copy of a point."""
        vertex = int(self.first_vertex[point])
        place = int(np.searchsorted(self.starts, vertex, side="right")) - 1
        return self._part_of[place], vertex - self.starts[place]

    @cached_property
    def _part_of(self) -> tuple[int, ...]:
        """The first part that shows each member."""
        shown = [(part.mesh, part.primitive) for part in self.rig.parts]
        return tuple(shown.index(member) for member in self.character.members)

    @cached_property
    def copies(self) -> IntArray:
        """``(P,)`` how many vertices each point stands for."""
        return np.bincount(self.surface.point_of, minlength=self.count)

    @cached_property
    def _start_of(self) -> dict[tuple[int, int], int]:
        return dict(zip(self.character.members, self.starts, strict=True))

    @property
    def most(self) -> int:
        """The most influences that an edit leaves a vertex: as many as it has slots, at least 4."""
        widths = (self._influences(member).joints.shape[1] for member in self.character.members)
        return max(prune.MOST, *widths)

    def _influences(self, member: tuple[int, int]) -> Influences:
        influences = self.rig.meshes[member[0]].primitives[member[1]].influences
        if influences is None:
            raise ValueError("influences: wanted a primitive with slots")
        return influences

    def with_rows(self, points: IntArray, rows: FloatArray) -> Rig:
        """Return the rig with the weights ``(n, J)`` of some points on all their copies.

        Other vertices keep theirs bit for bit. A primitive with fewer slots than a row needs gets more.
        """
        place = np.full(self.count, -1, dtype=np.int64)
        place[points] = np.arange(len(points))
        joints, weights = slots(rows)
        rig = self.rig
        for member, start in zip(self.character.members, self.starts, strict=True):
            old = self._influences(member)
            row_of = place[self.surface.point_of[start : start + len(old.joints)]]
            picked = row_of >= 0
            if not picked.any():
                continue
            own = row_of[picked]
            used = int(np.count_nonzero(weights[own], axis=1).max(initial=0))
            rig = rig.with_primitive(
                *member,
                replace(
                    rig.meshes[member[0]].primitives[member[1]],
                    influences=_exchanged(old, picked, joints[own, :used], weights[own, :used]),
                ),
            )
        return rig

    def after(self, points: IntArray, rows: FloatArray) -> "SkinPoints":
        """Return the character with the weights ``(n, J)`` of some points (`with_rows`)."""
        joints, weights = slots(rows)
        width = max(self.joints.shape[1], joints.shape[1])
        new_joints, new_weights = _widened(self.joints, width), _widened(self.weights, width)
        new_joints[points], new_weights[points] = _widened(joints, width), _widened(weights, width)
        return self.within(
            self.with_rows(points, rows), joints=owned(new_joints), weights=owned(new_weights)
        )

    def within(self, rig: Rig, **changes: IntArray | FloatArray) -> "SkinPoints":
        """Return the character in a rig that differs in weights only."""
        result = replace(self, rig=rig, **changes)  # type: ignore[arg-type] # fields by name
        memo.hand_over(self, result, _OF_THE_SURFACE)
        return result


# What does not depend on the weights.
_OF_THE_SURFACE = {
    "column_of",
    "parents",
    "neighbours",
    "first_vertex",
    "copies",
    "_start_of",
    "_part_of",
}


def _widened(slots: NDArray[_Number], width: int) -> NDArray[_Number]:
    return np.pad(slots, ((0, 0), (0, width - slots.shape[1])))


def skin_points(
    rig: Rig, deformer: Deformer, character: CharacterMesh, number: int = 0
) -> SkinPoints:
    """Return the points of a character.

    Raises
    ------
    NotMade
        If a vertex or a joint of it has no finite place.
    """
    mesh = geometry_of(rig, deformer, character)
    nodes = rig.skins[character.skin].joints
    joints, weights = _all_slots(rig, character, nodes)
    points, point_of = _apart(*welded(mesh.positions), joints, weights)
    surface = joined(points, point_of, mesh.triangles, mesh.size)
    first = _first_copies(len(points), point_of)
    starts = tuple(mesh.starts)
    own = owned(joints[first]), owned(weights[first])
    return SkinPoints(rig, character, surface, starts, nodes, *own, number)


def editable(deformer: Deformer) -> list[SkinPoints]:
    """Return the points of all characters of a rig.

    Raises
    ------
    NotMade
        If none is skinned, or one is nowhere.
    """
    rig = with_slots(deformer.rig)
    full = deformer if rig is deformer.rig else Deformer(rig)
    every = enumerate(characters(rig))
    return [skin_points(rig, full, character, number) for number, character in every]


def dense(joints: IntArray, weights: FloatArray, count: int) -> FloatArray:
    """Return ``(n, count)`` the weights of slots ``(n, K)``, joint by joint."""
    n = len(joints)
    flat = (joints + count * np.arange(n)[:, None]).reshape(-1)
    sums = np.bincount(flat, weights=weights.reshape(-1), minlength=n * count)
    return np.asarray(sums, dtype=np.float64).reshape(n, count)


def slots(rows: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return ``(n, K)`` joints and weights of rows ``(n, J)``, the largest first."""
    width = int(np.count_nonzero(rows, axis=1).max(initial=0))
    order = np.argsort(-rows, axis=1, kind="stable")[:, :width]
    weights = np.take_along_axis(rows, order, axis=1)
    return np.where(weights > 0.0, order, 0), weights


def _exchanged(
    old: Influences, picked: BoolArray, joints: IntArray, weights: FloatArray
) -> Influences:
    """Return influences with the slots of picked vertices exchanged."""
    width, used = max(old.joints.shape[1], joints.shape[1]), joints.shape[1]
    pad = ((0, 0), (0, width - old.joints.shape[1]))
    new_joints, new_weights = np.pad(old.joints, pad), np.pad(old.weights, pad)
    new_joints[picked], new_weights[picked] = 0, 0.0
    new_joints[picked, :used], new_weights[picked, :used] = joints, weights
    # Most strokes change weights of joints that are there: undo then keeps one array of them.
    same = np.array_equal(new_joints, old.joints)
    return Influences(old.joints if same else owned(new_joints), owned(new_weights))


def _all_slots(
    rig: Rig, character: CharacterMesh, nodes: tuple[int, ...]
) -> tuple[IntArray, FloatArray]:
    """Return ``(V, K)`` the influences that count of all members, joints listed twice by the first."""
    first = np.array([nodes.index(node) for node in nodes], dtype=np.int64)
    parts = []
    for mesh, number in character.members:
        influences = rig.meshes[mesh].primitives[number].influences
        if influences is None:
            raise ValueError("influences: wanted a primitive with slots")
        sound = (influences.joints >= 0) & (influences.joints < len(nodes))
        sound &= np.isfinite(influences.weights) & (influences.weights > 0.0)
        joints = first[np.where(sound, influences.joints, 0)]
        parts.append((np.where(sound, joints, 0), np.where(sound, influences.weights, 0.0)))
    width = max(1, *(joints.shape[1] for joints, _ in parts))
    pads = [((0, 0), (0, width - joints.shape[1])) for joints, _ in parts]
    joints = np.concatenate([np.pad(j, pad) for (j, _), pad in zip(parts, pads, strict=True)])
    weights = np.concatenate([np.pad(w, pad) for (_, w), pad in zip(parts, pads, strict=True)])
    return joints, weights


def _first_copies(count: int, point_of: IntArray) -> IntArray:
    """Return ``(count,)`` the first vertex of each point."""
    result = np.zeros(count, dtype=np.int64)
    result[point_of[::-1]] = np.arange(len(point_of))[::-1]
    return result


def _apart(
    points: FloatArray, point_of: IntArray, joints: IntArray, weights: FloatArray
) -> tuple[FloatArray, IntArray]:
    """Return places and the place of each vertex, with another one for copies whose weights are others."""
    own_joints, own_weights = _ordered(joints, weights)
    of_first = _first_copies(len(points), point_of)[point_of]
    same = (own_joints == own_joints[of_first]).all(axis=1)
    same &= (np.abs(own_weights - own_weights[of_first]) <= SAME).all(axis=1)
    others = np.flatnonzero(~same)
    if not len(others):
        return points, point_of
    said = np.column_stack([point_of[others], own_joints[others], own_weights[others]])
    rows, group = np.unique(said, axis=0, return_inverse=True)
    result = point_of.copy()
    result[others] = len(points) + group.reshape(-1)
    return np.concatenate([points, points[rows[:, 0].astype(np.int64)]]), result


def _ordered(joints: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return slots with joints ascending, those that are not used last and −1."""
    names = np.where(weights > 0.0, joints, np.iinfo(np.int64).max)
    order = np.argsort(names, axis=1, kind="stable")
    ordered = np.take_along_axis(names, order, axis=1)
    return (
        np.where(ordered == np.iinfo(np.int64).max, -1, ordered),
        np.take_along_axis(weights, order, axis=1),
    )
