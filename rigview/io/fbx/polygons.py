"""Polygons of any number of corners, and the triangles that fill them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.arrays import FloatArray, IntArray, cross
from rigview.io.fbx.blocks import CACHED, blocks, in_one, mapped
from rigview.io.fbx.tree import Node

# Cutting ears costs the square of the corners; larger dents are filled by a fan.
_MOST_CORNERS = 512


@dataclass(frozen=True, eq=False)
class Polygons:
    """Polygons, one after the other.

    Parameters
    ----------
    corners
        ``(C,)`` control points.
    starts, counts
        Per polygon its first corner and how many it has.
    """

    corners: IntArray
    starts: IntArray
    counts: IntArray

    @cached_property
    def of_corner(self) -> IntArray:
        """``(C,)`` which polygon each corner belongs to."""
        return np.repeat(np.arange(len(self.starts)), self.counts)

    def split(self, corners: Sequence[int], points: Sequence[int]) -> "list[Polygons]":
        """Return the polygons of several geometries, each with its own control points.

        Parameters
        ----------
        corners, points
            How many of each the geometries have.
        """
        if len(corners) == 1:
            return [self]
        ends = np.cumsum(corners)
        of = np.searchsorted(self.starts, [0, *ends.tolist()]).tolist()
        result = []
        base = point = 0
        for end, count, first, last in zip(ends.tolist(), points, of[:-1], of[1:], strict=True):
            own = self.corners[base:end] - point, self.starts[first:last] - base
            result.append(Polygons(*own, self.counts[first:last]))
            base, point = end, point + count
        return result


@dataclass(frozen=True, eq=False)
class Pieces:
    """Triangles, lines or points: ``(F, 3)``, ``(F, 2)`` or ``(F, 1)`` corners, and their polygons."""

    corners: IntArray
    polygons: IntArray


def stated_polygons(geometry: Node) -> IntArray:
    """Return ``(C,)`` the corners of a geometry's polygons; the last of each is −1 − its number."""
    place = geometry.child("PolygonVertexIndex")
    return np.zeros(0, dtype=np.int64) if place is None else place.integers()


def read_polygons(
    geometries: Sequence[Node],
    stated: Sequence[IntArray],
    points: Sequence[int],
    pulse: Callable[[], None],
) -> Polygons:
    """Read the polygons of several geometries as if they were one.

    Parameters
    ----------
    stated
        As each geometry states its polygons.
    points
        How many control points each has.

    Raises
    ------
    LoadError
        If a corner is no control point.
    """
    lengths = np.array([len(row) for row in stated])
    signed = in_one(stated)
    ends = signed < 0
    pulse()
    corners = mapped(lambda rows: np.where(rows < 0, -1 - rows, rows), signed, pulse)
    ends[(np.cumsum(lengths) - 1)[lengths > 0]] = True
    (filled,) = lengths.nonzero()
    if len(filled):
        starts = (np.cumsum(lengths) - lengths)[filled]
        highest = np.maximum.reduceat(corners, starts)
        beyond = highest >= np.array(points)[filled]
        if beyond.any():
            number = int(filled[beyond.argmax()])
            place = geometries[number].need("PolygonVertexIndex")
            what = f"point {int(highest[beyond.argmax()])} does not exist"
            raise place.error(f"{what}: there are {points[number]}")
    pulse()
    if len(stated) > 1:
        corners += np.repeat(np.cumsum([0, *points[:-1]]), lengths)
    (last,) = ends.nonzero()
    starts = np.zeros(len(last), dtype=np.int64)
    starts[1:] = last[:-1] + 1
    return Polygons(corners, starts, last - starts + 1)


def triangulate(
    polygons: Polygons, points: FloatArray, pulse: Callable[[], None]
) -> tuple[Pieces, Pieces, Pieces]:
    """Return the triangles, and polygons of two corners as lines, of one as points."""
    starts, counts = polygons.starts, polygons.counts
    (lines,), (dots,) = (counts == 2).nonzero(), (counts == 1).nonzero()
    return (
        _triangles(polygons, points, pulse),
        Pieces(starts[lines, None] + np.arange(2), lines),
        Pieces(starts[dots, None], dots),
    )


def _triangles(polygons: Polygons, points: FloatArray, pulse: Callable[[], None]) -> Pieces:
    counts = polygons.counts
    if (counts == 3).all():
        return Pieces(np.arange(len(polygons.corners)).reshape(-1, 3), np.arange(len(counts)))
    fans = np.maximum(counts - 2, 0)
    ends = np.cumsum(fans)
    pulse()
    owner = np.repeat(np.arange(len(counts)), fans)
    pulse()
    triangles = np.zeros((len(owner), 3), dtype=np.int64)
    shifts = polygons.starts - (ends - fans)
    pulse()
    for rows in blocks(len(owner), pulse):
        of = owner[rows]
        triangles[rows, 0] = polygons.starts[of]
        triangles[rows, 1] = np.arange(rows.start + 1, rows.stop + 1) + shifts[of]
        triangles[rows, 2] = triangles[rows, 1] + 1
    for rows in blocks(len(counts), pulse, CACHED):
        for polygon in (_dented(polygons, rows, points) + rows.start).tolist():
            place = slice(ends[polygon] - fans[polygon], ends[polygon])
            ears = _cut_ears(_corners(polygons, polygon, points))
            triangles[place] = polygons.starts[polygon] + ears
            pulse()
    return Pieces(triangles, owner)


def _corners(polygons: Polygons, polygon: int, points: FloatArray) -> FloatArray:
    start = polygons.starts[polygon]
    return points[polygons.corners[start : start + polygons.counts[polygon]]]


def _dented(polygons: Polygons, rows: slice, points: FloatArray) -> IntArray:
    """Return which of some polygons turn the other way at one of their corners."""
    starts, counts = polygons.starts[rows], polygons.counts[rows]
    result: list[IntArray] = []
    (different,) = np.bincount(counts)[: _MOST_CORNERS + 1].nonzero()
    for count in different[different > 3].tolist():
        (chosen,) = (counts == count).nonzero()
        # Every corner, the one before the first and the one after the last.
        around = np.arange(-1, count + 1) % count
        corners = points.take(polygons.corners[starts[chosen, None] + around], axis=0)
        along = corners[:, 1:] - corners[:, :-1]
        turn = cross(along[:, :-1], along[:, 1:])
        normal = turn.sum(axis=1)
        inward = np.einsum("pca,pa->pc", turn, normal)
        # Rounding makes straight corners turn either way by a little.
        size = np.einsum("pa,pa->p", normal, normal)
        dented = inward < -1e-9 * size[:, None]
        if dented.any():
            result.append(chosen[dented.any(axis=1)])
    return np.sort(in_one(result)) if result else np.zeros(0, dtype=np.int64)


def _cut_ears(corners: FloatArray) -> IntArray:
    """Return ``(n − 2, 3)`` corners of triangles that fill a dented polygon: Meisters 1975."""
    normal = np.sum(cross(corners, np.roll(corners, -1, axis=0)), axis=0)
    axis = int(np.argmax(np.abs(normal)))
    flat = np.delete(corners, axis, axis=1)
    if (normal[axis] < 0.0) != (axis == 1):
        flat = flat * (1.0, -1.0)
    left = list(range(len(flat)))
    result = []
    while len(left) > 3:
        ear = next((i for i in range(len(left)) if _is_ear(flat, left, i)), 0)
        result.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    result.append((left[0], left[1], left[2]))
    return np.array(result)


def _is_ear(flat: FloatArray, left: list[int], i: int) -> bool:
    a, b, c = left[i - 1], left[i], left[(i + 1) % len(left)]
    if _area(flat[a], flat[b], flat[c]) <= 0.0:
        return False
    others = flat[[n for n in left if n not in (a, b, c)]]
    outside = np.zeros(len(others), dtype=np.bool_)
    for p, q in ((a, b), (b, c), (c, a)):
        side = flat[q] - flat[p]
        outside |= (
            side[0] * (others[:, 1] - flat[p, 1]) - side[1] * (others[:, 0] - flat[p, 0]) < 0.0
        )
    return bool(np.all(outside))


def _area(a: FloatArray, b: FloatArray, c: FloatArray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
