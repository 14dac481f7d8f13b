"""Turn fields into triangle meshes on grids (surface nets)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fields import Field

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Grid = tuple[Array, Array, Array]

# Exactly on the surface counts as this far outside, metres: both ends of every edge have a side.
TOUCH = 1e-9


@dataclass(frozen=True, eq=False)
class Net:
    """Vertices ``(V, 3)`` and triangles ``(F, 3)``."""

    points: Array
    triangles: Ints

    def kept(self, faces: NDArray[np.bool_]) -> "Net":
        """Return the net of some of its triangles, without vertices that none of them needs."""
        triangles = self.triangles[faces]
        used = np.unique(triangles)
        number = np.full(len(self.points), -1)
        number[used] = np.arange(len(used))
        return Net(self.points[used], number[triangles])


def spaced(start: float, stop: float, cell: float) -> Array:
    """Return coordinates from `start` to `stop` or a little beyond, metres."""
    return start + cell * np.arange(int(np.ceil((stop - start) / cell - 1e-6)) + 1)


def net(field: Field, axes: Grid) -> Net:
    """Return the surface of a field on a grid; open where the surface leaves the grid.

    Every cell that the surface passes has one vertex, every edge of the grid that it crosses a
    rectangle of the four cells around it.

    Parameters
    ----------
    axes
        Coordinates of the grid's corners along x, y and z, ascending.
    """
    corners = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    values = field(corners.reshape(-1, 3)).reshape(corners.shape[:3])
    values = _plain(np.where(values == 0.0, TOUCH, values))
    cells, points = _vertices(corners, values)
    quads = [_rectangles(values, cells, axis) for axis in range(3)]
    a, b, c, d = np.concatenate(quads).T
    return Net(points, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]))


def _plain(values: Array) -> Array:
    """Return the values of a grid without doubtful faces.

    Where only two opposite corners of a face are inside, which happens where the surface grazes a plane
    of the grid, the net would touch itself. The corner nearest to the surface then changes sides.
    """
    values = values.copy()
    for one, two in ((0, 1), (1, 2), (2, 0)):
        around = np.zeros((4, 3), dtype=np.int64)
        around[[1, 2], one] = 1
        around[[2, 3], two] = 1
        for corner in _doubtful(values, one, two):
            corners = [tuple(place) for place in corner + around]
            nearest = min(corners, key=lambda place: abs(values[place]))
            values[nearest] = TOUCH if values[nearest] < 0.0 else -TOUCH
    return values


def _doubtful(values: Array, one: int, two: int) -> Ints:
    """Return ``(n, 3)`` the first corners of the faces along two axes whose diagonals differ in side."""
    low, high = _ends(values < 0.0, one)
    (a, d), (b, c) = _ends(low, two), _ends(high, two)
    return np.argwhere((a == c) & (b == d) & (a != b))


def _vertices(corners: Array, values: Array) -> tuple[Ints, Array]:
    """Return the number of each cell's vertex, −1 for none, and the vertices.

    A vertex lies at the mean of the places where the surface crosses its cell's edges.
    """
    shape = tuple(n - 1 for n in values.shape)
    total, crossings = np.zeros((*shape, 3)), np.zeros(shape)
    for axis in range(3):
        first, second = _ends(values, axis)
        low, high = _ends(corners, axis)
        crossed = (first < 0.0) != (second < 0.0)
        share = np.where(crossed, first / np.where(crossed, first - second, 1.0), 0.0)
        place = np.where(crossed[..., None], low + share[..., None] * (high - low), 0.0)
        others = [a for a in range(3) if a != axis]
        for one in (0, 1):
            for two in (0, 1):
                window = [slice(None)] * 3
                for other, start in zip(others, (one, two), strict=True):
                    window[other] = slice(start, start + shape[other])
                total += place[tuple(window)]
                crossings += crossed[tuple(window)]
    active = crossings > 0
    cells = np.full(shape, -1)
    cells[active] = np.arange(np.count_nonzero(active))
    return cells, total[active] / crossings[active][:, None]


def _ends(array: NDArray[Any], axis: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the values at the lower and the upper ends of all grid edges along an axis."""
    count = array.shape[axis]
    return np.take(array, range(count - 1), axis), np.take(array, range(1, count), axis)


def _rectangles(values: Array, cells: Ints, axis: int) -> Ints:
    """Return ``(n, 4)`` vertices around each crossed grid edge along an axis, facing outwards."""
    first, second = _ends(values, axis)
    crossed = (first < 0.0) != (second < 0.0)
    # Edges on the rim of the grid have fewer than four cells.
    u, v = (axis + 1) % 3, (axis + 2) % 3
    for other in (u, v):
        rim: list[Any] = [slice(None)] * 3
        rim[other] = np.array([0, -1])
        crossed[tuple(rim)] = False
    edges = np.argwhere(crossed)
    around = []
    for du, dv in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
        cell = edges.copy()
        cell[:, u] += du
        cell[:, v] += dv
        around.append(cells[tuple(cell.T)])
    quads = np.stack(around, axis=1)
    outwards = first[tuple(edges.T)] < 0.0
    return np.where(outwards[:, None], quads, quads[:, ::-1])


def edges_of(triangles: Ints) -> Ints:
    """Return ``(3 F, 2)`` the directed edges of triangles."""
    return np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
