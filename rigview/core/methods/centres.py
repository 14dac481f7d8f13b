"""Optimised centres of rotation: the point of each vertex that linear skinning moves as it should.

After Le and Hodgins 2016, "Real-time skeletal skinning with optimized centers of rotation". The centre
of a vertex is the mean of all triangles, weighted by area and by how alike the weights are (eq. 1, 4):

    s(v, t) = Σ_{j≠k} v_j v_k t_j t_k exp(−(v_j t_k − v_k t_j)² / σ²)

Only triangles that share two joints with the vertex count, so the sum is done joint pair by joint pair,
and within a pair it depends on two weights only. Complexity: for every pair, its vertices times its
triangles, or times the cells of a grid of weights where triangles are many. 100,000 vertices on 60
joints take seconds; memory stays below `_BLOCK` numbers.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from rigview.core.arrays import FloatArray, IntArray, distinct_rows
from rigview.core.methods.binding import Binding

if TYPE_CHECKING:
    from scipy import sparse

# How unlike weights may be: the paper's value.
SIGMA = 0.1
# Up to so many triangles a pair is summed exactly; beyond, triangles whose weights lie in one cell of
# a grid this fine are one, at their own mean. A cell is an eighth of σ: what it hides is below 1e-3 of
# the cell's own extent in space.
EXACT = 2048
CELL = SIGMA / 8.0
_BLOCK = 1 << 20

Progress = Callable[[float], None]


def centres(
    binding: Binding,
    points: FloatArray,
    triangles: IntArray,
    progress: Progress | None = None,
) -> FloatArray:
    """Return ``(V, 3)`` the centre of every vertex, in mesh space.

    A vertex that shares no two joints with any triangle is its own centre.

    Parameters
    ----------
    points, triangles
        ``(V, 3)`` and ``(F, 3)`` of the mesh at rest.
    progress
        Hears the share done, 0 to 1; may raise to stop.
    """
    from scipy import sparse

    tell = progress or (lambda _share: None)
    of_vertices = _matrix(binding)
    corners = sparse.csr_array(
        (
            np.full(triangles.size, 1.0 / 3.0),
            triangles.reshape(-1),
            np.arange(0, triangles.size + 1, 3),
        ),
        shape=(len(triangles), len(points)),
    )
    of_triangles = sparse.csc_array(corners @ of_vertices)
    of_vertices = sparse.csc_array(of_vertices)
    a, b, c = (points[triangles[:, i]] for i in range(3))
    areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=-1)
    middles = (a + b + c) / 3.0
    together = sparse.coo_array(sparse.triu(of_triangles.T @ of_triangles, k=1))
    pairs = sorted(zip(together.row.tolist(), together.col.tolist(), strict=True))
    weighted, total = np.zeros_like(points), np.zeros(len(points))
    for done, (first, second) in enumerate(pairs):
        tell(done / len(pairs))
        vertices, v_first, v_second = _shared(of_vertices, first, second)
        faces, t_first, t_second = _shared(of_triangles, first, second)
        if not len(vertices) or not len(faces):
            continue
        mass = t_first * t_second * areas[faces]
        cloud = _Cloud(t_first, t_second, mass, middles[faces]).binned()
        moment, weight = cloud.seen_by(v_first, v_second)
        both = v_first * v_second
        weighted[vertices] += both[:, None] * moment
        total[vertices] += both * weight
    tell(1.0)
    found = total > np.finfo(np.float64).tiny
    return np.where(found[:, None], weighted / np.where(found, total, 1.0)[:, None], points)


class _Cloud:
    """Triangles of one pair of joints: their two weights, mass and middle."""

    def __init__(
        self, first: FloatArray, second: FloatArray, mass: FloatArray, middles: FloatArray
    ) -> None:
        self._first, self._second, self._mass, self._middles = first, second, mass, middles

    def binned(self) -> "_Cloud":
        """Return the cloud with triangles of one cell of weights made one, where they are many."""
        if len(self._mass) <= EXACT:
            return self
        cells = np.stack([self._first, self._second], axis=1) // CELL
        _, cell_of = distinct_rows(cells)
        mass = np.bincount(cell_of, weights=self._mass).astype(np.float64)
        safe = np.where(mass > 0.0, mass, 1.0)

        def mean(values: FloatArray) -> FloatArray:
            return np.bincount(cell_of, weights=self._mass * values) / safe

        middles = np.stack([mean(self._middles[:, axis]) for axis in range(3)], axis=1)
        return _Cloud(mean(self._first), mean(self._second), mass, middles)

    def seen_by(self, first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return ``(n, 3)`` the summed moment and ``(n,)`` mass for vertices of these two weights."""
        moment, weight = np.zeros((len(first), 3)), np.zeros(len(first))
        # Mass beside moment: one matrix product.
        columns = np.concatenate([self._mass[:, None] * self._middles, self._mass[:, None]], axis=1)
        rows = max(1, _BLOCK // len(self._mass))
        for start in range(0, len(first), rows):
            part = slice(start, start + rows)
            unlike = np.outer(first[part], self._second) - np.outer(second[part], self._first)
            sums = np.exp(-((unlike / SIGMA) ** 2)) @ columns
            moment[part], weight[part] = sums[:, :3], sums[:, 3]
        return moment, weight


def _matrix(binding: Binding) -> "sparse.csr_array":
    """Return ``(V, J)`` the weights; negative ones count as 0."""
    from scipy import sparse

    rows, slots = np.nonzero(binding.weights > 0.0)
    columns = binding.joints[rows, slots]
    shape = len(binding.weights), int(binding.joints.max(initial=0)) + 1
    return sparse.csr_array((binding.weights[rows, slots], (rows, columns)), shape=shape)


def _shared(
    matrix: "sparse.csc_array", first: int, second: int
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the rows where two columns both stand, ascending, and the columns' values there."""
    starts = matrix.indptr
    one = slice(starts[first], starts[first + 1])
    other = slice(starts[second], starts[second + 1])
    rows, at_one, at_other = np.intersect1d(
        matrix.indices[one], matrix.indices[other], assume_unique=True, return_indices=True
    )
    return rows, matrix.data[one][at_one], matrix.data[other][at_other]
