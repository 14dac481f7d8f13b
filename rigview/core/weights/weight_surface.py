"""The surface that weights are made on: welded points, shells, normals, Laplacian and solver."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray, cross, unit
from rigview.core.bones import box_diagonal

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

# Vertices nearer than this share of the box's diagonal are one point: a seam has split it.
WELD = 1e-5
# A point without area has this share of the largest mass, so that no system is singular for it.
LEAST_MASS = 1e-9
# A mesh that encloses less than this of its area to the power 1½ has no inside; a ball has 0.09.
VOLUME = 1e-3
# Cotangents of needles end here; theirs are numbers without meaning.
MOST_COTANGENT = 1e6


@dataclass(frozen=True, eq=False)
class WeightSurface:
    """The meshes of one character in mesh space at bind time, welded by position.

    Points are in lexicographic order of their positions and triangles in the order of their points,
    so that a permuted mesh gives the same surface.

    Parameters
    ----------
    points
        ``(P, 3)`` welded positions.
    oriented
        ``(T, 3)`` distinct triangles with their winding, none of them collapsed.
    point_of
        ``(V,)`` the point of each vertex.
    size
        H, the height of the character, in the unit of the points.
    """

    points: FloatArray
    oriented: IntArray
    point_of: IntArray
    size: float

    @cached_property
    def triangles(self) -> IntArray:
        """``(F, 3)`` triangles of three different points each, each set of points once."""
        return _distinct(np.sort(self.oriented, axis=1))

    @cached_property
    def normals(self) -> FloatArray:
        """``(P, 3)`` area-weighted unit normals; zero where the triangles around cancel out.

        They point outwards, also where the whole mesh is wound inwards, as mirrored ones are.
        """
        total = np.zeros_like(self.points)
        if not len(self.oriented):
            return total
        a, b, c = (self.points[self.oriented[:, i]] for i in range(3))
        face = cross(b - a, c - a)
        volume = np.einsum("fi,fi->", a + b + c - 3.0 * self.points.mean(axis=0), face) / 18.0
        area = np.linalg.norm(face, axis=1).sum() / 2.0
        face *= -1.0 if volume < -VOLUME * area**1.5 else 1.0
        for corner in range(3):
            for axis in range(3):
                total[:, axis] += np.bincount(
                    self.oriented[:, corner], weights=face[:, axis], minlength=len(total)
                )
        return unit(total)

    @cached_property
    def _shells(self) -> tuple[int, IntArray]:
        return components(len(self.points), self.edges)

    @property
    def shell_count(self) -> int:
        """The number of connected pieces; a point without triangle is one of its own."""
        return self._shells[0]

    @property
    def shells(self) -> IntArray:
        """``(P,)`` the number of each point's connected piece."""
        return self._shells[1]

    @cached_property
    def edges(self) -> IntArray:
        """``(E, 2)`` each once, the lower point first."""
        t = self.triangles
        return _distinct(np.concatenate([t[:, (0, 1)], t[:, (1, 2)], t[:, (0, 2)]]))

    @cached_property
    def mass(self) -> FloatArray:
        """``(P,)`` a third of the area around each point, never zero."""
        a, b, c = (self.points[self.triangles[:, i]] for i in range(3))
        area = np.linalg.norm(cross(b - a, c - a), axis=1) / 6.0
        result = np.zeros(len(self.points))
        for corner in range(3):
            result += np.bincount(self.triangles[:, corner], area, minlength=len(result))
        largest = result.max(initial=0.0)
        return np.maximum(result, LEAST_MASS * (largest if largest > 0.0 else self.size**2))

    @cached_property
    def laplacian(self) -> "csr_array":
        """``(P, P)`` the positive cotangent Laplacian; negative cotangents count as 0.

        With them weights could leave 0 to 1: each would be a mean that also subtracts.
        """
        ends, values = [], []
        for corner in range(3):
            at, first, second = (self.triangles[:, (corner + i) % 3] for i in range(3))
            u, v = self.points[first] - self.points[at], self.points[second] - self.points[at]
            along = np.einsum("fi,fi->f", u, v)
            across = np.linalg.norm(cross(u, v), axis=1)
            floor = np.maximum(np.abs(along) / MOST_COTANGENT, np.finfo(np.float64).tiny)
            values.append(0.5 * np.maximum(along, 0.0) / np.maximum(across, floor))
            ends.append(np.column_stack([first, second]))
        return graph_laplacian(len(self.points), np.concatenate(ends), np.concatenate(values))


def weld(positions: FloatArray, triangles: IntArray, size: float) -> WeightSurface:
    """Weld vertices by position, and drop triangles that collapse and those that repeat another.

    Parameters
    ----------
    positions
        ``(V, 3)`` finite.
    triangles
        ``(F, 3)`` vertex numbers.
    size
        H in the unit of the positions.
    """
    return joined(*welded(positions), triangles, size)


def welded(positions: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return ``(P, 3)`` the places of vertices, and ``(V,)`` the place of each vertex."""
    from scipy.spatial import cKDTree

    if not np.isfinite(positions).all():
        raise ValueError("positions: wanted finite numbers")
    # Adding zero makes −0 and 0 one value.
    points, point_of = np.unique(positions + 0.0, axis=0, return_inverse=True)
    point_of = point_of.reshape(-1).astype(np.int64)
    if len(points) > 1:
        radius = WELD * box_diagonal(points)
        near = cKDTree(points).query_pairs(radius, output_type="ndarray").astype(np.int64)
        if len(near):
            count, piece = components(len(points), near)
            members = np.bincount(piece, minlength=count)
            means = [np.bincount(piece, axis, minlength=count) / members for axis in points.T]
            points, point_of = np.column_stack(means), piece[point_of]
    return points, point_of


def joined(
    points: FloatArray, point_of: IntArray, triangles: IntArray, size: float
) -> WeightSurface:
    """Return the surface of triangles ``(F, 3)`` of vertices, given the point ``(V,)`` of each vertex."""
    corners = point_of[triangles].reshape(-1, 3)
    a, b, c = corners.T
    corners = corners[(a != b) & (b != c) & (c != a)]
    # The lowest point first, whichever corner the file begins with; the winding stays.
    start = corners.argmin(axis=1)
    turned = np.take_along_axis(corners, (start[:, None] + np.arange(3)) % 3, axis=1)
    return WeightSurface(points, _distinct(turned), point_of, size)


def components(count: int, pairs: IntArray) -> tuple[int, IntArray]:
    """Return the number of connected components of a graph, and ``(count,)`` the one of each node."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(pairs), dtype=np.bool_)
    graph = coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    number, labels = connected_components(graph.tocsr(), directed=False)
    return int(number), labels.astype(np.int64)


def graph_laplacian(count: int, pairs: IntArray, values: FloatArray) -> "csr_array":
    """Return the ``(count, count)`` Laplacian of edges ``(E, 2)`` with weights ``(E,)``."""
    from scipy.sparse import coo_array, dia_array

    i, j = pairs.T
    places = (np.concatenate([i, j]), np.concatenate([j, i]))
    off = coo_array((np.concatenate([values, values]), places), shape=(count, count)).tocsr()
    sums = off.sum(axis=1)
    return (dia_array((sums[None], [0]), shape=(count, count)) - off).tocsr()


def diagonal(values: FloatArray) -> "csr_array":
    """Return the sparse matrix with values ``(n,)`` on its diagonal."""
    from scipy.sparse import dia_array

    return dia_array((values[None], [0]), shape=(len(values), len(values))).tocsr()


def solve(matrix: "csr_array | csc_array", right: FloatArray) -> FloatArray:
    """Solve a symmetric positive definite system for the columns ``(n, k)`` of the right-hand side."""
    from scipy.sparse.linalg import splu

    if not right.size:
        return np.zeros_like(right)
    factors = splu(
        matrix.tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    return factors.solve(right)


def used_columns(weights: FloatArray | BoolArray) -> BoolArray:
    """Return ``(J,)`` which columns have any value other than 0."""
    return np.asarray((weights != 0.0).any(axis=0))


def diffused(surface: WeightSurface, weights: FloatArray, smooth: float) -> FloatArray:
    """Return weights ``(P, J)`` after heat has flowed over a length of `smooth` times H.

    One implicit step ``(M + (kH)² L) W = M W₀``: rows keep their sum, and no weight leaves the
    span that the weights had.
    """
    if smooth <= 0.0 or not len(weights):
        return weights
    length = smooth * surface.size
    system = diagonal(surface.mass) + length**2 * surface.laplacian
    used = used_columns(weights)
    result = np.zeros_like(weights)
    result[:, used] = solve(system, surface.mass[:, None] * weights[:, used])
    return np.clip(result, 0.0, 1.0)


def _distinct(rows: IntArray) -> IntArray:
    """Return the rows ``(n, k)`` in lexicographic order, each once."""
    if not len(rows):
        return rows
    rows = rows[np.lexsort(rows.T[::-1])]
    new = np.ones(len(rows), dtype=np.bool_)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return rows[new]
