"""Which points see a bone: segments against triangles sorted into a uniform grid."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray, cross
from rigview.core.weights.weight_surface import WeightSurface

# Cells along the longest side of the box.
CELLS = 64
# Triangles, or pairs of segment and triangle, that are tested at once: 15 MB of numbers.
BLOCK = 100_000
# A hit nearer to the point than this share of H is on the point's own surface or on its lining.
NEAR = 1e-4
# Barycentric slack, so that no segment slips between two triangles that share an edge.
SLACK = 1e-9
# A hit in the last part of a segment is where a bone ends on the surface.
LAST = 1e-6


@dataclass(frozen=True, eq=False)
class TriangleGrid:
    """The triangles of a surface by the cells of a grid that they touch; the grid is centred on them."""

    surface: WeightSurface

    @cached_property
    def _box(self) -> tuple[FloatArray, float, IntArray]:
        """The lowest corner, the side of a cell, and how many there are along each axis."""
        low, high = self.surface.points.min(axis=0), self.surface.points.max(axis=0)
        longest = float((high - low).max())
        cell = (longest if longest > 0.0 else self.surface.size) / CELLS
        counts = np.ceil((high - low) / cell).astype(np.int64) + 1
        return 0.5 * (low + high) - 0.5 * cell * counts, cell, counts

    @cached_property
    def _corners(self) -> FloatArray:
        """``(3, F, 3)`` in cells."""
        low, cell, _ = self._box
        return ((self.surface.points - low) / cell)[self.surface.triangles.T]

    @cached_property
    def _cells(self) -> tuple[IntArray, IntArray]:
        """Where the triangles of each cell begin, and the triangles cell by cell."""
        counts = self._box[2]
        corners = self._corners
        low = np.clip(np.floor(corners.min(axis=0) - SLACK).astype(np.int64), 0, counts - 1)
        high = np.clip(np.floor(corners.max(axis=0) + SLACK).astype(np.int64), 0, counts - 1)
        spans = high - low + 1
        a, b, c = corners
        normals = cross(b - a, c - a)
        found = [np.zeros((0, 2), dtype=np.int64)]
        for owners, places in _expanded(spans.prod(axis=1)):
            span = spans[owners]
            z, rest = places % span[:, 2], places // span[:, 2]
            at = low[owners] + np.column_stack([rest // span[:, 1], rest % span[:, 1], z])
            normal = normals[owners]
            off = np.einsum("ni,ni->n", normal, at + 0.5 - a[owners])
            touches = np.abs(off) <= (0.5 + SLACK) * np.abs(normal).sum(axis=1)
            number = (at[:, 0] * counts[1] + at[:, 1]) * counts[2] + at[:, 2]
            found.append(np.column_stack([number, owners])[touches])
        cells, triangles = np.concatenate(found).T
        order = np.argsort(cells, kind="stable")
        starts = np.searchsorted(cells[order], np.arange(int(counts.prod()) + 1))
        return starts, triangles[order]

    def blocked(self, sources: IntArray, ends: FloatArray) -> BoolArray:
        """Return ``(n,)`` which segments cross a triangle that their own point is no corner of.

        Parameters
        ----------
        sources
            ``(n,)`` the points where the segments begin.
        ends
            ``(n, 3)``.
        """
        result = np.zeros(len(sources), dtype=np.bool_)
        if not len(self.surface.triangles):
            return result
        low, cell, counts = self._box
        begin = (self.surface.points[sources] - low) / cell
        along = (ends - low) / cell - begin
        first = NEAR * self.surface.size / cell
        lengths = np.linalg.norm(along, axis=1)
        rays = _Rays(sources, begin, along, first / np.maximum(lengths, first))
        walk = _Walk(begin, along)
        while len(walk.active):
            at = walk.at[walk.active]
            inside = ((at >= 0) & (at < counts)).all(axis=1)
            number = (at[:, 0] * counts[1] + at[:, 1]) * counts[2] + at[:, 2]
            here = walk.active[inside]
            self._test(rays, here, number[inside], result)
            walk.step(result)
        return result

    def _test(self, rays: "_Rays", numbers: IntArray, cells: IntArray, result: BoolArray) -> None:
        """Mark those of the numbered rays that hit a triangle of the cell that each is in."""
        starts, triangles = self._cells
        a, b, c = self._corners
        for owners, places in _expanded(starts[cells + 1] - starts[cells]):
            ray = numbers[owners]
            face = triangles[starts[cells[owners]] + places]
            foreign = (self.surface.triangles[face] != rays.sources[ray][:, None]).all(axis=1)
            ray, face = ray[foreign], face[foreign]
            hit = _hits(rays, ray, a[face], (b - a)[face], (c - a)[face])
            result[ray[hit]] = True


@dataclass(frozen=True, eq=False)
class _Rays:
    """Segments in cells: the points where they begin, their ways, and where a hit begins to count."""

    sources: IntArray
    begin: FloatArray
    along: FloatArray
    first: FloatArray


class _Walk:
    """Segments that go through the grid cell by cell, all at once (Amanatides and Woo 1987)."""

    def __init__(self, begin: FloatArray, along: FloatArray) -> None:
        self.at = np.floor(begin).astype(np.int64)
        self.active = np.arange(len(begin))
        self._sign = np.sign(along).astype(np.int64)
        safe = np.where(along == 0.0, 1.0, along)
        edge = self.at + (along > 0.0)
        self._next = np.where(along == 0.0, np.inf, (edge - begin) / safe)
        self._delta = np.where(along == 0.0, np.inf, 1.0 / np.abs(safe))

    def step(self, ended: BoolArray) -> None:
        """Take the active segments into the next cell; those that end, or are said to, stop."""
        now = self.active[~ended[self.active]]
        axis = self._next[now].argmin(axis=1)
        going = self._next[now, axis] <= 1.0
        now, axis = now[going], axis[going]
        self.at[now, axis] += self._sign[now, axis]
        self._next[now, axis] += self._delta[now, axis]
        self.active = now


def _expanded(counts: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield, in blocks, the owner and the place within it of as many entries as each owner counts."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0

    for start in range(0, total, BLOCK):
        entries = np.arange(start, min(start + BLOCK, total))
        owners = np.searchsorted(ends, entries, side="right")
        yield owners, entries - (ends[owners] - counts[owners])


def _hits(
    rays: _Rays, numbers: IntArray, corner: FloatArray, first: FloatArray, second: FloatArray
) -> BoolArray:
    """Return ``(n,)`` which rays cross a triangle of a corner and two edges (Möller and Trumbore 1997)."""
    along = rays.along[numbers]
    p = cross(along, second)
    det = np.einsum("ni,ni->n", first, p)
    flat = np.abs(det) <= np.finfo(np.float64).tiny
    inverse = 1.0 / np.where(flat, 1.0, det)
    offset = rays.begin[numbers] - corner
    u = np.einsum("ni,ni->n", offset, p) * inverse
    q = cross(offset, first)
    v = np.einsum("ni,ni->n", along, q) * inverse
    t = np.einsum("ni,ni->n", second, q) * inverse
    inside = (u >= -SLACK) & (v >= -SLACK) & (u + v <= 1.0 + SLACK)
    return np.asarray(~flat & inside & (t > rays.first[numbers]) & (t < 1.0 - LAST))
