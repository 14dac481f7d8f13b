"""What geometries are cut into: a surface for each material, with vertices and pieces of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import IntArray, owned
from rigview.io.fbx.blocks import blocks, gathered, in_one
from rigview.io.fbx.corner_layers import GeometryPart
from rigview.io.fbx.polygons import Pieces
from rigview.io.reading import Pulse

# Vertices: surfaces of more are cut one by one, since each takes memory for all of its geometry.
_TOGETHER = 1 << 17


# Which of several surfaces pieces are of.
_Which = NDArray[np.signedinteger[Any]]


class Planned(NamedTuple):
    """A surface: which geometry it is of, and its number in the node's list of materials."""

    geometry: int
    material: int


@dataclass(frozen=True, eq=False)
class SurfacePlan:
    """The surfaces that there will be, each geometry's in order.

    Parameters
    ----------
    of_polygon
        ``(polygons,)`` which surface each polygon is of.
    """

    surfaces: Sequence[Planned]
    of_polygon: IntArray

    @classmethod
    def of(cls, parts: Sequence[GeometryPart]) -> "SurfacePlan":
        """Plan a surface for each material that a geometry uses."""
        result: list[Planned] = []
        rows = []
        for number, part in enumerate(parts):
            first, stated = len(result), part.materials()
            if isinstance(stated, int):
                result.append(Planned(number, stated))
                rows.append(np.full(len(part.polygons.starts), first))
            else:
                different = np.unique(stated)
                result.extend(Planned(number, material) for material in different.tolist())
                rows.append(np.searchsorted(different, stated) + first)
        return cls(result, in_one(rows))


@dataclass(frozen=True, eq=False)
class Cut:
    """Several surfaces, one after the other.

    Parameters
    ----------
    vertices
        ``(U,)`` of the geometries; None for all of them in their order.
    vertex_ends
        Where the vertices of each surface begin, and where the last ends.
    triangles, lines, points
        ``(F, 3)``, ``(L, 2)``, ``(D, 1)`` numbers within the vertices of their surface.
    ends
        Where the triangles, lines and points of each surface begin, and where the last ends.
    is_last
        Whether no other surfaces follow.
    """

    surfaces: Sequence[Planned]
    vertices: IntArray | None
    vertex_ends: list[int]
    triangles: IntArray
    lines: IntArray
    points: IntArray
    ends: tuple[list[int], ...]
    is_last: bool


def cut_by_material(
    pieces: Sequence[Pieces],
    plan: SurfacePlan,
    vertex: IntArray,
    vertex_ends: Sequence[int],
    pulse: Pulse,
) -> Iterator[Cut]:
    """Yield the surfaces of several geometries, some at a time, each geometry's in order.

    Parameters
    ----------
    pieces
        Triangles, lines and points.
    vertex
        ``(C,)`` of every corner.
    vertex_ends
        Where the vertices of each geometry begin, and where the last ends.
    """
    surfaces = plan.surfaces
    stated: list[tuple[IntArray, _Which]]
    if len(surfaces) == 1:
        stated = [(piece.corners, np.zeros(len(piece.corners), np.int8)) for piece in pieces]
    else:
        stated = [(piece.corners, plan.of_polygon[piece.polygons]) for piece in pieces]
    sizes = [vertex_ends[of + 1] - vertex_ends[of] for of, _ in surfaces]
    for first, last in _rounds(sizes):
        chosen = stated
        if last - first < len(surfaces):
            chosen = [_between(first, last, *one) for one in stated]
        elif len(surfaces) >= len(vertex_ends):
            chosen = [_in_order(*one) for one in stated]
        is_last = last == len(surfaces)
        yield _cut(surfaces[first:last], chosen, vertex, vertex_ends, pulse, is_last=is_last)


def _rounds(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last but one of surfaces of so many vertices that are cut together."""
    first = total = 0
    for number, size in enumerate(sizes):
        if number > first and total + size > _TOGETHER:
            yield first, number
            first, total = number, 0
        total += size
    yield first, len(sizes)


def _between(first: int, last: int, corners: IntArray, of: _Which) -> tuple[IntArray, _Which]:
    (rows,) = ((of >= first) & (of < last)).nonzero()
    corners, of = corners[rows], of[rows] - first
    return _in_order(corners, of) if last - first > 1 else (corners, of)


def _in_order(corners: IntArray, of: _Which) -> tuple[IntArray, _Which]:
    order = np.argsort(of, kind="stable")
    return corners.take(order, axis=0), of[order]


def _cut(
    surfaces: Sequence[Planned],
    pieces: Sequence[tuple[IntArray, _Which]],
    vertex: IntArray,
    vertex_ends: Sequence[int],
    pulse: Pulse,
    *,
    is_last: bool,
) -> Cut:
    """Give surfaces vertices of their own.

    Parameters
    ----------
    pieces
        Corners, and ascending which of the surfaces each piece is of.
    """
    places = [0, *accumulate(vertex_ends[of + 1] - vertex_ends[of] for of, _ in surfaces)]
    bases = [vertex_ends[of] for of, _ in surfaces]
    shifts = None if bases == places[:-1] else np.array(places[:-1]) - bases
    numbers = [gathered(vertex, corners, pulse) for corners, _ in pieces]
    if shifts is not None:
        numbers = [own + shifts[of, None] for own, (_, of) in zip(numbers, pieces, strict=True)]
    is_used = np.zeros(places[-1], dtype=np.bool_)
    for own in numbers:
        for rows in blocks(len(own), pulse):
            is_used[own[rows]] = True
    vertices = None
    if shifts is not None or places[-1] < vertex_ends[-1] or not is_used.all():
        vertices = np.flatnonzero(is_used)
        place = np.cumsum(is_used) - 1
        numbers = [place[own] for own in numbers]
        places = np.searchsorted(vertices, places).tolist()
        if shifts is not None:
            vertices -= np.repeat(shifts, np.diff(places))
    ends = tuple(_ends(of, len(surfaces)) for _, of in pieces)
    numbers = [renumbered(own, places[:-1], end) for own, end in zip(numbers, ends, strict=True)]
    return Cut(surfaces, vertices, places, numbers[0], numbers[1], numbers[2], ends, is_last)


def _ends(of: _Which, count: int) -> list[int]:
    """Return where ascending numbers below `count` begin, and where the last end."""
    if count == 1:
        return [0, len(of)]
    found: list[int] = np.searchsorted(of, np.arange(count + 1)).tolist()
    return found


def renumbered(numbers: IntArray, bases: Sequence[int], ends: Sequence[int]) -> IntArray:
    """Return numbers that count on from surface to surface as numbers within each.

    Parameters
    ----------
    bases
        The first number of each surface.
    ends
        Where the numbers of each begin, and where the last ends.
    """
    if len(bases) == 1:
        return owned(numbers - bases[0] if bases[0] else numbers)
    shifts = np.repeat(bases, np.diff(ends))
    return owned(numbers - shifts.reshape(-1, *(1,) * (numbers.ndim - 1)))
