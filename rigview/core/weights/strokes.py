"""Strokes of the brush over a posed surface: what a dab reaches, and what it does to the weights."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.weights import smoothing
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import BrushPoints, Edited, brushed_rows, finished
from rigview.core.weights.mirroring import Mirror
from rigview.core.weights.skin_points import SkinPoints, dense, slots

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

Falloff = Literal["smooth", "linear", "sharp", "constant"]
FALLOFFS: tuple[Falloff, ...] = get_args(Falloff)
_CURVES: dict[Falloff, Callable[[FloatArray], FloatArray]] = {
    "smooth": lambda x: (1.0 - x * x) ** 2,
    "linear": lambda x: 1.0 - x,
    "sharp": lambda x: (1.0 - x) ** 2,
    "constant": np.ones_like,
}
# A path along the edges of a square grid, each square cut once, is at most this much longer than the
# straight one.
_ZIGZAG = float(np.sqrt(2.0))
# Slots that a stroke may add to a point before it ends.
_SPARE = 4


def falloff(curve: Falloff, distances: FloatArray, radius: float) -> FloatArray:
    """Return ``(n,)`` 0 to 1: how much of the brush reaches points at distances below the radius."""
    return _CURVES[curve](np.clip(distances / radius, 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class PosedSurface:
    """A character's points in a pose.

    Parameters
    ----------
    positions
        ``(P, 3)``.
    """

    of: SkinPoints
    positions: FloatArray

    @cached_property
    def _tree(self) -> "cKDTree":
        from scipy.spatial import cKDTree

        return cKDTree(self.positions)

    def prepare(self) -> None:
        """Make now what the first reach would wait for."""
        _ = self._tree, self.of.neighbours

    def reach(
        self, place: FloatArray, corners: IntArray, radius: float
    ) -> tuple[IntArray, FloatArray]:
        """Return the points within a radius over the surface, and their distances.

        They are connected to the corners of the triangle that the brush is on by edges within the
        radius, so that the brush reaches no surface behind or beside it. Distances are straight, unless
        the way along the edges is much longer.

        Parameters
        ----------
        place
            ``(3,)`` where the brush is.
        corners
            The points of the triangle that it is on.
        """
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        near = np.array(self._tree.query_ball_point(place, radius, return_sorted=True), np.int64)
        within = np.union1d(near, corners)
        linked = self.of.neighbours[within][:, within]
        ends = np.repeat(np.arange(len(within)), np.diff(linked.indptr))
        along = self.positions[within[ends]] - self.positions[within[linked.indices]]
        start = np.searchsorted(within, corners)
        first = np.linalg.norm(self.positions[corners] - place, axis=1)
        # The brush is a node of its own, linked to the corners.
        data = np.concatenate([np.linalg.norm(along, axis=1), np.maximum(first, 1e-12)])
        # Older releases of scipy (1.13) measure ways over 32-bit indices only.
        indices = np.concatenate([linked.indices, start]).astype(np.int32)
        indptr = np.append(linked.indptr, len(indices)).astype(np.int32)
        graph = csr_array((data, indices, indptr), shape=(len(within) + 1, len(within) + 1))
        path = dijkstra(graph, indices=len(within), limit=_ZIGZAG * radius)[:-1]
        straight = np.linalg.norm(self.positions[within] - place, axis=1)
        distances = np.maximum(straight, path / _ZIGZAG)
        reached = distances < radius
        return within[reached], distances[reached]


class WeightStroke:
    """One stroke: its dabs change working weights, which become the rig's when it ends.

    Replacing, adding and scaling act on the weights from before the stroke, each point by the strongest
    dab that reached it: how fast the mouse moves does not matter. Smoothing acts again with every dab.

    Attributes
    ----------
    touched
        ``(P,)`` the points that some dab has reached.
    """

    def __init__(
        self,
        of: SkinPoints,
        brush: BrushPoints,
        free: Freedom,
        *,
        mirror: Mirror | None = None,
        owned: bool = False,
    ) -> None:
        self.of, self.brush, self.free = of, brush, free
        self._mirror, self._owned = mirror, owned
        pad = ((0, 0), (0, _SPARE))
        self._joints, self._weights = np.pad(of.joints, pad), np.pad(of.weights, pad)
        self.touched: BoolArray = np.zeros(of.count, dtype=np.bool_)
        other = brush.joint if mirror is None else int(mirror.partner[brush.joint])
        self._joints_set = (brush.joint, other if other >= 0 else brush.joint)
        # How strongly each point was reached, on this side and by the mirrored brush.
        self._reached = np.zeros((2, of.count))

    def rows(self, points: IntArray) -> FloatArray:
        """Return ``(n, J)`` the weights of points as the stroke has made them."""
        return dense(self._joints[points], self._weights[points], len(self.of.nodes))

    def dab(self, points: IntArray, shares: FloatArray) -> IntArray:
        """Touch points, each by a share ``(n,)`` of the brush; return the points that may have changed."""
        images = self._images(points)
        if self.brush.of_one_joint:
            touched = self._dab_joint(points, shares, images)
        else:
            touched = self._dab_all(points, shares, images)
        self.touched[touched] = True
        return touched

    def _images(self, points: IntArray) -> IntArray:
        """Return ``(n,)`` the points that mirror these; −1 without one, or without mirror."""
        if self._mirror is None:
            return np.full(len(points), -1, dtype=np.int64)
        return self._mirror.image[points]

    def _columns(self, points: IntArray) -> IntArray:
        """Return the joints that the rows of points need: those that they follow, and who takes from them.

        Rows of these alone are an eighth as wide, and quick to sort.
        """
        used = np.zeros(len(self.of.nodes), dtype=np.bool_)
        used[self._joints[points][self._weights[points] > 0.0]] = True
        used[self.of.joints[points][self.of.weights[points] > 0.0]] = True
        for joint in self._joints_set if self.brush.of_one_joint else ():
            used[joint] = True
            taker = self.free.taker(joint)
            if taker is not None:
                used[taker] = True
        return np.flatnonzero(used)

    def _compact(self, points: IntArray, columns: IntArray, *, before: bool) -> FloatArray:
        """Return the rows of points in some columns, as they are or as they were before the stroke."""
        place = np.zeros(len(self.of.nodes), dtype=np.int64)
        place[columns] = np.arange(len(columns))
        joints, weights = (
            (self.of.joints, self.of.weights) if before else (self._joints, self._weights)
        )
        return dense(place[joints[points]], weights[points], len(columns))

    def _dab_joint(self, points: IntArray, shares: FloatArray, images: IntArray) -> IntArray:
        paired = images >= 0
        front = [self._advance(0, points, shares)]
        front.append(self._advance(1, images[paired], shares[paired]))
        touched = np.union1d(*front)
        if not len(touched):
            return touched
        columns = self._columns(touched)
        rows, free = self._compact(touched, columns, before=True), self.free.of(columns)
        for joint, reached in zip(self._joints_set, self._reached, strict=True):
            strength, column = reached[touched], int(np.searchsorted(columns, joint))
            if self._owned:
                strength = np.where(rows[:, column] > 0.0, strength, 0.0)
            brush = replace(self.brush, joint=column)
            if strength.any() and not self.free.locked[joint]:
                rows = brushed_rows(rows, None, strength, brush, free)
        self._put(touched, rows, columns)
        return touched

    def _advance(self, side: int, points: IntArray, shares: FloatArray) -> IntArray:
        """Note how strongly points are reached, and return those that were reached less before."""
        reached = self._reached[side]
        before = reached[points]
        np.maximum.at(reached, points, shares)
        return points[shares > before]

    def _dab_all(self, points: IntArray, shares: FloatArray, images: IntArray) -> IntArray:
        paired = images >= 0
        both = np.concatenate([points, images[paired]])
        reached = np.zeros(self.of.count)
        np.maximum.at(reached, both, np.concatenate([shares, shares[paired]]))
        touched = np.unique(both)
        met = np.zeros(self.of.count, dtype=np.bool_)
        met[touched] = met[self.of.neighbours[touched].indices] = True
        columns = self._columns(np.flatnonzero(met))
        means = smoothing.means_of(
            self.of.neighbours, touched, lambda some: self._compact(some, columns, before=False)
        )
        rows = self._compact(touched, columns, before=False)
        free = self.free.of(columns)
        rows = brushed_rows(rows, means, reached[touched], self.brush, free)
        self._put(touched, rows, columns)
        return touched

    def _put(self, points: IntArray, rows: FloatArray, columns: IntArray) -> None:
        width = self._joints.shape[1]
        places, weights = (array[:, :width] for array in slots(rows))
        used = places.shape[1]
        self._joints[points], self._weights[points] = 0, 0.0
        self._joints[points, :used] = np.where(weights > 0.0, columns[places], 0)
        self._weights[points, :used] = weights

    def heaviest(self, points: IntArray, count: int) -> tuple[IntArray, FloatArray]:
        """Return the joints and weights ``(n, count)`` of the largest influences of points."""
        return self._joints[points, :count], self._weights[points, :count]

    def weight_of(self, points: IntArray, joint: int) -> FloatArray:
        """Return ``(n,)`` the weight of a joint on points."""
        own = self._joints[points] == joint
        return np.asarray(np.where(own, self._weights[points], 0.0).sum(axis=1))

    def finish(self) -> Edited:
        """Return the character with what the stroke has changed."""
        points = np.flatnonzero(self.touched)
        return finished(self.of, points, self.rows(points), self.free)
