"""Weighted sums over influences as sparse products: the inner loop of every skinning method.

The weights of a mesh are a matrix of V rows and J columns, almost all of it zero. Blending a row of
numbers that each joint has is a product with that matrix and costs what there are influences: a
vertex with twelve does not make the others pay for twelve.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rigview.core import dualquat
from rigview.core.arcs import Arcs, Meetings, meetings
from rigview.core.arrays import ComplexArray, FloatArray, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Vertices whose numbers stay in a processor's cache while they are worked on, and enough of them
# that what Python adds to each step does not count.
_BLOCK = 16384

_Kept = TypeVar("_Kept")


@dataclass(frozen=True, eq=False)
class Blending:
    """The sums over the influences of a mesh.

    What is computed from the vertices' positions is kept for the next pose where their array is
    read-only; one that may still be written says nothing about what is in it.

    Parameters
    ----------
    joints, weights
        ``(V, K)``, the heaviest influence in slot 0; slots of weight 0 take no part.
    """

    joints: IntArray
    weights: FloatArray

    def of_joints(self, table: FloatArray, arcs: Arcs | None = None) -> FloatArray:
        """Return ``(V, c)``: the weighted sum of the joints' rows in a ``(J, c)`` table.

        Parameters
        ----------
        arcs
            Of `short_arcs`.
        """
        result = np.zeros((len(self.weights), table.shape[1]))
        for rows, sums in self.in_blocks(table, arcs):
            result[rows] = sums
        return result

    def in_blocks(
        self, table: FloatArray, arcs: Arcs | None = None
    ) -> Iterator[tuple[slice, FloatArray]]:
        """Yield `of_joints` for some vertices at a time: which they are, and their ``(n, c)``."""
        used = np.ascontiguousarray(table[: self._joint_count])
        if arcs is not None:
            used = used * arcs.joints[: self._joint_count, None]
        for rows, entries, matrix in self._blocks:
            if arcs is None or arcs.pairs is None:
                yield rows, matrix @ used
            else:
                data = matrix.data * arcs.pairs[self._meetings.pair_of[entries]]
                yield rows, _csr(data, matrix.indices, matrix.indptr, matrix.shape[1]) @ used

    def transformed(self, matrices: FloatArray, points: FloatArray) -> FloatArray:
        """Return ``(V, 3)``: each point moved by the weighted sum of its joints' matrices.

        That is linear in the point: with w·(p, 1) for the influences' weights, a matrix of V rows and
        4J columns, it is one product. Where points change from pose to pose (morph targets) building
        that matrix would cost more than it saves.

        Parameters
        ----------
        matrices
            ``(J, 3, 4)``.
        points
            ``(V, 3)``.
        """
        if not points.flags.writeable:
            columns = np.swapaxes(matrices[: self._joint_count], 1, 2).reshape(-1, 3)
            return self._keep("weighted", points, self._weighted) @ columns
        result = np.zeros_like(points)
        for rows, blended in self.in_blocks(matrices.reshape(-1, 12)):
            homogeneous = np.ones((len(blended), 4))
            homogeneous[:, :3] = points[rows]
            linear = blended.reshape(-1, 3, 4)
            np.einsum("vij,vj->vi", linear, homogeneous, out=result[rows])
        return result

    def moved(self, dq: FloatArray, points: FloatArray, arcs: Arcs | None = None) -> FloatArray:
        """Return ``(V, 3)``: each point moved by the weighted sum of its joints' dual quaternions.

        Parameters
        ----------
        dq
            ``(J, 8)``.
        points
            ``(V, 3)``.
        arcs
            Of `short_arcs`.
        """
        result = np.zeros_like(points)
        blocks = self.in_blocks(dualquat.as_pairs(dq), arcs)
        every: Iterable[ComplexArray] = self._factors(points)
        if not points.flags.writeable:
            every = self._keep("factors", points, lambda new: list(self._factors(new)))
        for (rows, pairs), factors in zip(blocks, every, strict=True):
            result[rows] = dualquat.move_points(pairs, factors)
        return result

    def short_arcs(self, quaternions: FloatArray) -> Arcs:
        """Return the signs for sums over ``(J, 4)`` skin rotations: `Meetings.short_arcs`."""
        return self._meetings.short_arcs(quaternions)

    @cached_property
    def _joint_count(self) -> int:
        return int(self.joints.max(initial=-1)) + 1

    @cached_property
    def _weights(self) -> "csr_array":
        used = self.weights != 0.0
        starts = np.concatenate([[0], np.cumsum(np.count_nonzero(used, axis=1))])
        return _csr(self.weights[used], self.joints[used], starts, self._joint_count)

    @cached_property
    def _blocks(self) -> list[tuple[slice, slice, "csr_array"]]:
        """Some vertices at a time: which they are, which influences they have, and their weights."""
        whole, result = self._weights, []
        for start in range(0, len(self.weights), _BLOCK):
            rows = slice(start, min(start + _BLOCK, len(self.weights)))
            entries = slice(int(whole.indptr[rows.start]), int(whole.indptr[rows.stop]))
            result.append((rows, entries, whole[rows]))
        return result

    @cached_property
    def _meetings(self) -> Meetings:
        matrix = self._weights
        return meetings(np.repeat(self.joints[:, 0], np.diff(matrix.indptr)), matrix.indices)

    def _weighted(self, points: FloatArray) -> "csr_array":
        """Return the matrix ``(V, 4J)`` of w·(p, 1)."""
        weights = self._weights
        terms = np.ones((len(weights.data), 4))
        terms[:, :3] = np.repeat(points, np.diff(weights.indptr), axis=0)
        terms *= weights.data[:, None]
        columns = 4 * weights.indices.astype(np.int64)[:, None] + np.arange(4)
        starts = 4 * weights.indptr.astype(np.int64)
        return _csr(terms.ravel(), columns.ravel(), starts, 4 * self._joint_count)

    def _factors(self, points: FloatArray) -> Iterator[ComplexArray]:
        return (dualquat.point_factors(points[rows]) for rows, _, _ in self._blocks)

    def _keep(self, name: str, points: FloatArray, compute: Callable[[FloatArray], _Kept]) -> _Kept:
        """Return what `compute` makes of the points: the last time's, if it was of this array."""
        kept = self._kept.get(name)
        if kept is None or kept[0] is not points:
            kept = self._kept[name] = (points, compute(points))
        result: _Kept = kept[1]
        return result

    @cached_property
    def _kept(self) -> dict[str, tuple[FloatArray, Any]]:
        return {}


def _csr(data: FloatArray, columns: IntArray, starts: IntArray, width: int) -> "csr_array":
    from scipy.sparse import csr_array

    # Half the width of an index is a quarter less to read.
    narrow = np.int32 if max(len(data), width) < np.iinfo(np.int32).max else np.int64
    return csr_array(
        (data, columns.astype(narrow), starts.astype(narrow)), shape=(len(starts) - 1, width)
    )
