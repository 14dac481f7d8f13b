"""Plain grids: boxes and cylinders that stand on the ground, their long axis +Y."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Shape:
    """Positions and normals ``(V, 3)``, texture coordinates ``(V, 2)``, triangles ``(F, 3)``."""

    positions: Array
    normals: Array
    uvs: Array
    triangles: Ints


def lattice(columns: int, rows: int) -> Ints:
    """Return the triangles of a grid of ``(rows + 1) · (columns + 1)`` vertices, row by row.

    They face the way that (along the row) × (along the column) points.
    """
    row, column = (i.reshape(-1) for i in np.mgrid[:rows, :columns])
    a = row * (columns + 1) + column
    b, c, d = a + 1, a + columns + 1, a + columns + 2
    return np.stack([a, b, d, a, d, c], axis=1).reshape(-1, 3)


def joined(shapes: Sequence[Shape]) -> Shape:
    """Return several shapes as one; vertices are not merged."""
    starts = np.cumsum([0, *(len(s.positions) for s in shapes[:-1])])
    return Shape(
        np.concatenate([s.positions for s in shapes]),
        np.concatenate([s.normals for s in shapes]),
        np.concatenate([s.uvs for s in shapes]),
        np.concatenate([s.triangles + n for s, n in zip(shapes, starts, strict=True)]),
    )


def patch(
    corner: Sequence[float], across: Sequence[float], up: Sequence[float], counts: tuple[int, int]
) -> Shape:
    """Return a flat rectangle.

    Parameters
    ----------
    corner, across, up
        ``(3,)`` its first corner and its two edges, metres; it faces `across` × `up`.
    counts
        How many fields across and up.
    """
    columns, rows = counts
    v, u = (i.reshape(-1) for i in np.mgrid[: rows + 1, : columns + 1])
    uvs = np.stack([u / columns, v / rows], axis=1)
    edges = np.array([across, up], dtype=np.float64)
    positions = np.asarray(corner) + uvs[:, :1] * edges[0] + uvs[:, 1:] * edges[1]
    normal = np.cross(edges[0], edges[1])
    normals = np.tile(normal / np.sqrt(np.sum(normal**2)), (len(uvs), 1))
    # The image's first row is on top.
    uvs[:, 1] = 1.0 - uvs[:, 1]
    return Shape(positions, normals, uvs, lattice(columns, rows))


def box(width: float, height: float, across: int, along: int) -> Shape:
    """Return a box ``width × height × width`` with fields across and along its sides."""
    h = width / 2.0
    shapes = []
    for x, z in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        # The side that faces (x, 0, z); to its right is (z, 0, −x).
        corner = (h * (x - z), 0.0, h * (z + x))
        shapes.append(patch(corner, (width * z, 0, -width * x), (0, height, 0), (across, along)))
    ends = (
        patch((-h, height, h), (width, 0, 0), (0, 0, -width), (across, across)),
        patch((-h, 0, -h), (width, 0, 0), (0, 0, width), (across, across)),
    )
    for end in ends:
        end.uvs[:, 1] = 1.0 - (1.0 - end.uvs[:, 1]) * width / height
    return joined([*shapes, *ends])


def cylinder(radius: float, height: float, around: int, along: int) -> Shape:
    """Return a closed cylinder on a uniform grid; the seam of the texture is at the back."""
    row, column = (i.reshape(-1) for i in np.mgrid[: along + 1, : around + 1])
    # The last column is the first one, to the bit.
    angle = 2.0 * np.pi * (column % around) / around
    normals = np.stack([-np.sin(angle), 0.0 * angle, -np.cos(angle)], axis=1)
    positions = radius * normals + np.array([0.0, height, 0.0]) * (row / along)[:, None]
    uvs = np.stack([column / around, 1.0 - row / along], axis=1)
    side = Shape(positions, normals, uvs, lattice(around, along))
    rim = side.normals[:around]
    return joined([side, _cap(rim, radius, height, up=True), _cap(rim, radius, height, up=False)])


def _cap(rim: Array, radius: float, height: float, up: bool) -> Shape:
    """Return one end of a cylinder whose grid starts with the directions ``(around, 3)`` of `rim`."""
    around = len(rim)
    circle = np.concatenate([rim * radius, np.zeros((1, 3))])
    this = np.arange(around)
    after = (this + 1) % around
    centre = np.full(around, around)
    order = [this, after, centre] if up else [after, this, centre]
    sign = 1.0 if up else -1.0
    return Shape(
        circle + np.array([0.0, height if up else 0.0, 0.0]),
        np.tile([0.0, sign, 0.0], (around + 1, 1)),
        0.5 + circle[:, [0, 2]] / np.array([2.0 * np.pi * radius, height]),
        np.stack(order, axis=1),
    )
