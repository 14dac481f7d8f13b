"""A mesh as solid voxels, and how far through them each point is from each bone."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.methods.centres import Progress
from rigview.core.weights.weight_surface import WeightSurface

if TYPE_CHECKING:
    from scipy.sparse import csr_array
    from scipy.spatial import cKDTree

# Triangles and bones are sampled at steps of this many voxels: no voxel in their way is missed.
STEP = 0.45
# Samples, or pairs of column and triangle, that are worked on at once: 10 MB of numbers.
BLOCK = 200_000
# Columns miss edges that lie exactly between voxels by this share of one.
SHIFT = (1.3e-7, 0.7e-7)
# Voxels farther from a bone than this share of H are out of its reach.
REACH = 0.25
# A point is reached through the nearest voxels, as many as meet in a corner.
AROUND = 8


@dataclass(frozen=True, eq=False)
class Solid:
    """The voxels that the surface touches, and those inside it; the grid is centred on its box.

    Parameters
    ----------
    resolution
        Voxels along the longest side of the box.
    """

    surface: WeightSurface
    resolution: int

    @cached_property
    def side(self) -> float:
        """The side of a voxel, in the unit of the points."""
        longest = float(np.ptp(self.surface.points, axis=0).max(initial=0.0))
        return (longest if longest > 0.0 else self.surface.size) / self.resolution

    @cached_property
    def shape(self) -> IntArray:
        """``(3,)`` voxels along each axis; at every side one is beyond the surface."""
        extent = np.ptp(self.surface.points, axis=0)
        return np.ceil(extent / self.side - SHIFT[0]).astype(np.int64) + 2

    @cached_property
    def low(self) -> FloatArray:
        """``(3,)`` the lowest corner of the grid."""
        points = self.surface.points
        middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        return middle - 0.5 * self.side * self.shape

    @cached_property
    def filled(self) -> BoolArray:
        """``(X, Y, Z)`` touched, or called inside by two of the three axes at least."""
        votes = np.zeros(self.shape, dtype=np.int8)
        for axis in range(3):
            votes += np.moveaxis(self._inside_along(axis), -1, axis)
        result = votes >= 2
        result.reshape(-1)[self._touched()] = True
        return result

    @cached_property
    def voxels(self) -> IntArray:
        """``(N, 3)`` the filled voxels."""
        return np.argwhere(self.filled)

    @cached_property
    def centres(self) -> FloatArray:
        """``(N, 3)`` of the filled voxels, in the space of the points."""
        return self.low + (self.voxels + 0.5) * self.side

    @cached_property
    def numbers(self) -> IntArray:
        """``(X, Y, Z)`` the number of each filled voxel; −1 elsewhere."""
        result = np.full(self.shape, -1, dtype=np.int64)
        result[self.filled] = np.arange(len(self.voxels))
        return result

    @cached_property
    def tree(self) -> "cKDTree":
        """The centres, for finding the nearest."""
        from scipy.spatial import cKDTree

        return cKDTree(self.centres)

    def inside(self, points: FloatArray) -> BoolArray:
        """Return ``(n,)`` which of ``(n, 3)`` points lie in filled voxels."""
        return self.at(points) >= 0

    def at(self, points: FloatArray) -> IntArray:
        """Return ``(n,)`` the numbers of the filled voxels that points lie in; −1 for none."""
        cells = np.floor((points - self.low) / self.side).astype(np.int64)
        within = ((cells >= 0) & (cells < self.shape)).all(axis=1)
        result = np.full(len(points), -1, dtype=np.int64)
        result[within] = self.numbers[tuple(cells[within].T)]
        return result

    def along(self, bones: Segments, number: int) -> IntArray:
        """Return the filled voxels along a bone; where there are none, the one nearest to it."""
        steps = max(1, int(np.ceil(bones.lengths[number] / (STEP * self.side))))
        share = np.linspace(0.0, bones.lengths[number], min(steps, 4 * self.resolution) + 1)
        samples = bones.heads[number] + share[:, None] * bones.directions[number]
        found = np.unique(self.at(samples))
        found = found[found >= 0]
        if len(found):
            return found
        far, near = self.tree.query(samples)
        return np.array([near[np.argmin(far)]], dtype=np.int64)

    def _touched(self) -> IntArray:
        """Return the flat numbers of the voxels in which samples of points and triangles lie."""
        points = (self.surface.points - self.low) / self.side
        found = [self._flat(points)]
        corners = points[self.surface.triangles]
        longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
        steps = np.ceil(longest / STEP).astype(np.int64)
        for count in np.unique(steps).tolist():
            i, j = (axis.ravel() for axis in np.indices((count + 1, count + 1)))
            i, j = i[i + j <= count], j[i + j <= count]
            shares = np.column_stack([i, j, count - i - j]) / max(count, 1)
            some = corners[steps == count]
            for start in range(0, len(some), max(1, BLOCK // len(shares))):
                block = some[start : start + max(1, BLOCK // len(shares))]
                samples = np.einsum("sk,fki->fsi", shares, block).reshape(-1, 3)
                found.append(np.unique(self._flat(samples)))
        return np.unique(np.concatenate(found))

    def _flat(self, cells: FloatArray) -> IntArray:
        """Return the flat numbers of the voxels that positions in voxels lie in."""
        whole = np.clip(np.floor(cells).astype(np.int64), 0, self.shape - 1)
        return (whole[:, 0] * self.shape[1] + whole[:, 1]) * self.shape[2] + whole[:, 2]

    def _inside_along(self, axis: int) -> BoolArray:
        """Return which voxels one axis calls inside, that axis last.

        The signs of the crossings below a voxel's centre are summed; another sum than zero is
        inside. A column whose sum does not end at zero goes through a hole and says nothing.
        """
        u, v = (k for k in range(3) if k != axis)
        shape = self.shape[[u, v, axis]]
        points = (self.surface.points - self.low) / self.side - 0.5
        corners = points[:, (u, v, axis)][self.surface.oriented]
        sums = np.zeros(int(shape[0] * shape[1] * (shape[2] + 1)), dtype=np.int32)
        for columns, depths, signs in _crossings(corners, shape):
            above = np.clip(np.floor(depths).astype(np.int64) + 1, 0, shape[2])
            np.add.at(sums, columns * (shape[2] + 1) + above, signs)
        sums = np.cumsum(sums.reshape(shape[0], shape[1], -1), axis=2)
        return np.asarray((sums[..., :-1] != 0) & (sums[..., -1:] == 0))

    @cached_property
    def graph(self) -> "csr_array":
        """``(N, N)`` the lengths between the centres of the 26 neighbours of each voxel."""
        from scipy.sparse import csr_array

        steps = [step for step in product((-1, 0, 1), repeat=3) if step != (0, 0, 0)]
        padded = np.pad(self.numbers.astype(np.int32), 1, constant_values=-1)
        at = self.voxels + 1
        neighbours = np.zeros((len(at), len(steps)), dtype=np.int32)
        for place, step in enumerate(steps):
            neighbours[:, place] = padded[tuple((at + step).T)]
        filled = neighbours >= 0
        ends = np.cumsum([0, *np.count_nonzero(filled, axis=1)], dtype=np.int32)
        lengths = self.side * np.linalg.norm(steps, axis=1)
        lengths = np.broadcast_to(lengths, neighbours.shape)[filled]
        return csr_array((lengths, neighbours[filled], ends), shape=(len(at), len(at)))


def _crossings(
    corners: FloatArray, shape: IntArray
) -> Iterator[tuple[IntArray, FloatArray, IntArray]]:
    """Yield columns, depths and signs where columns through centres cross triangles.

    Parameters
    ----------
    corners
        ``(F, 3, 3)`` in voxels, centres at whole numbers; the columns go along the last axis.
    """
    flat = corners[:, :, :2] - SHIFT
    low = np.clip(np.ceil(flat.min(axis=1)).astype(np.int64), 0, shape[:2])
    high = np.clip(np.floor(flat.max(axis=1)).astype(np.int64) + 1, 0, shape[:2])
    spans = np.maximum(high - low, 0)
    counts = spans.prod(axis=1)
    ends = np.cumsum(counts)
    for start in range(0, int(ends[-1]) if len(ends) else 0, BLOCK):
        entries = np.arange(start, min(start + BLOCK, int(ends[-1])))
        face = np.searchsorted(ends, entries, side="right")
        place = entries - (ends[face] - counts[face])
        cell = low[face] + np.column_stack([place // spans[face, 1], place % spans[face, 1]])
        a, b, c = (flat[face, k] - cell for k in range(3))
        shares = np.column_stack([_cross2(b, c), _cross2(c, a), _cross2(a, b)])
        within = (shares > 0.0).all(axis=1) | (shares < 0.0).all(axis=1)
        face, cell, shares = face[within], cell[within], shares[within]
        area = shares.sum(axis=1)
        depth = (shares * corners[face, :, 2]).sum(axis=1) / area
        yield cell[:, 0] * shape[1] + cell[:, 1], depth, np.sign(area).astype(np.int32)


def _cross2(a: FloatArray, b: FloatArray) -> FloatArray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def solid_distances(
    solid: Solid, bones: Segments, points: FloatArray, progress: Progress
) -> FloatArray:
    """Return ``(P, J)``: through the solid, from each point to each bone; infinite beyond `REACH`."""
    from scipy.sparse.csgraph import dijkstra

    count = min(AROUND, len(solid.voxels))
    last, near = solid.tree.query(points, k=count)
    last, near = last.reshape(len(points), count), near.reshape(len(points), count)
    result = np.full((len(points), len(bones.lengths)), np.inf)
    limit = REACH * solid.surface.size
    for j in range(len(bones.lengths)):
        start = solid.along(bones, j)
        far = dijkstra(solid.graph, indices=start, min_only=True, limit=limit)
        result[:, j] = (far[near] + last).min(axis=1)
        progress((j + 1) / len(bones.lengths))
    return result
