"""Weighted sums over influences as sparse products: the inner loop of every skinning method.

The weights of a mesh are a matrix of V rows and J columns, almost all of it zero. Blending a row of
numbers that each joint has is a product with that matrix and costs what there are influences: a
vertex with twelve does not make the others pay for twelve.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rigview.core import dualquat
from rigview.core.arcs import Arcs, Meetings, meetings
from rigview.core.arrays import ComplexArray, FloatArray, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Vertices whose numbers stay in a processor's cache while they are worked on, and enough of them
# that what Python adds to each step does not count.
_BLOCK = 8192


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
                yield rows, csr(data, matrix.indices, matrix.indptr, matrix.shape[1]) @ used

    def transformed(self, matrices: FloatArray, points: FloatArray) -> FloatArray:
        """Return ``(V, 3)``: each point moved by the weighted sum of its joints' matrices.

        Two numbers of a matrix's row are taken as one complex number, and two of the point's as the
        conjugate of one: the real part of their product is what both add to the sum.

        Parameters
        ----------
        matrices
            ``(J, 3, 4)``.
        points
            ``(V, 3)``.
        """
        result = np.zeros_like(points)
        blocks = self.in_blocks(matrices.reshape(-1, 12))
        every = self._of_points("coordinates", points, _coordinates)
        for (rows, blended), coordinates in zip(blocks, every, strict=True):
            products = blended.reshape(-1).view(np.complex128)
            products *= coordinates
            terms = products.real
            np.add(terms[0::2], terms[1::2], out=result[rows].reshape(-1))
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
        every = self._of_points("factors", points, dualquat.point_factors)
        for (rows, pairs), factors in zip(blocks, every, strict=True):
            result[rows] = dualquat.move_points(pairs, factors)
        return result

    def short_arcs(self, quaternions: FloatArray) -> Arcs:
        """Return the signs for sums over ``(J, 4)`` skin rotations: `Meetings.short_arcs`."""
        return self._meetings.short_arcs(quaternions)

    def signed_weights(self, pairs: FloatArray) -> FloatArray:
        """Return the weight of every influence, vertex by vertex, times its sign of `Arcs.pairs`."""
        signed: FloatArray = self._weights.data * pairs[self._meetings.pair_of]
        return signed

    @cached_property
    def _joint_count(self) -> int:
        return int(self.joints.max(initial=-1)) + 1

    @cached_property
    def _weights(self) -> "csr_array":
        used = self.weights != 0.0
        starts = np.concatenate([[0], np.cumsum(np.count_nonzero(used, axis=1))])
        return csr(self.weights[used], self.joints[used], starts, self._joint_count)

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

    def _of_points(
        self, name: str, points: FloatArray, compute: Callable[[FloatArray], ComplexArray]
    ) -> Iterable[ComplexArray]:
        """Return what `compute` makes of each block's points: the last time's, if of this array."""
        every = (compute(points[rows]) for rows, _, _ in self._blocks)
        if points.flags.writeable:
            return every
        kept = self._kept.get(name)
        if kept is None or kept[0] is not points:
            kept = self._kept[name] = (points, list(every))
        return kept[1]

    @cached_property
    def _kept(self) -> dict[str, tuple[FloatArray, list[ComplexArray]]]:
        return {}


def _coordinates(points: FloatArray) -> ComplexArray:
    """Return ``(6n,)``: per point x − y·i and z − i, once for each of a matrix's three rows."""
    numbers = np.ones((len(points), 3, 4))
    numbers[..., :3] = points[:, None]
    numbers[..., 1::2] *= -1.0
    return numbers.reshape(-1).view(np.complex128)


def csr(data: FloatArray, columns: IntArray, starts: IntArray, width: int) -> "csr_array":
    """Return a sparse matrix by its rows' entries; columns and starts are narrowed where they fit."""
    from scipy.sparse import csr_array

    # Half the width of an index is a quarter less to read.
    narrow = np.int32 if max(len(data), width) < np.iinfo(np.int32).max else np.int64
    return csr_array(
        (data, columns.astype(narrow), starts.astype(narrow)), shape=(len(starts) - 1, width)
    )
