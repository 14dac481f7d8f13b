"""Weighted sums over influences as sparse products: the inner loop of every skinning method.

The weights of a mesh are a matrix of V rows and J columns, almost all of it zero. Blending a row of
numbers that each joint has is a product with that matrix and costs what there are influences: a
vertex with twelve does not make the others pay for twelve.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from rigview.core import dualquat, memo
from rigview.core.arrays import ComplexArray, FloatArray, IntArray
from rigview.core.dualquat import PointFactors, Room
from rigview.core.numeric.hemisphere import Arcs, Meetings, meetings

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

# Vertices whose numbers stay in a processor's cache while they are worked on, and enough of them
# that what Python adds to each step does not count.
_BLOCK = 16384

_Value = TypeVar("_Value")
_Number = TypeVar("_Number", bound=np.generic)


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

    def copies(self, count: int, width: int) -> "Blending":
        """Return the sums for as many copies of the mesh, one below the other, each on joints of its own.

        Parameters
        ----------
        width
            How many joints a copy has.
        """
        offsets = width * np.repeat(np.arange(count), len(self.joints))
        result = Blending(
            np.tile(self.joints, (count, 1)) + offsets[:, None], np.tile(self.weights, (count, 1))
        )
        memo.tell(result, _meetings=self._meetings.copies(count, width))
        return result

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
        if arcs is None or arcs.pairs is None:
            for rows, weights in self._blocks:
                yield rows, weights @ used
            return
        for (rows, weights), pair_of in zip(self._blocks, self._pairs_of_blocks, strict=True):
            signed = copy(weights)
            signed.data = weights.data * arcs.pairs[pair_of]
            yield rows, signed @ used

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
        every = self._coordinates.of(points, self._rows)
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
        every = self._factors.of(points, self._rows)
        room = Room.of(min(_BLOCK, len(points)))
        for (rows, pairs), factors in zip(blocks, every, strict=True):
            moved = result[rows]
            still = dualquat.move_points(pairs, factors, room[: len(moved)], moved)
            moved[still] = points[rows][still]
        return result

    def short_arcs(self, quaternions: FloatArray) -> Arcs:
        """Return the signs for sums over ``(J, 4)`` skin rotations: `Meetings.short_arcs`."""
        return self._meetings.short_arcs(quaternions)

    def signed_weights(self, pairs: FloatArray) -> FloatArray:
        """Return the weight of every influence, vertex by vertex, times its sign of `Arcs.pairs`."""
        signed: FloatArray = self._weights.data * pairs[self._meetings.pair_of]
        return signed

    @property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """The different pairs of a vertex's heaviest joint and any of its joints, ``(P,)`` each."""
        return self._meetings.heaviest, self._meetings.joint

    def of_pairs(self, table: FloatArray) -> FloatArray:
        """Return ``(V, c)``: the weighted sum of the rows of the vertex's `pairs` in a ``(P, c)`` table."""
        sums: FloatArray = self._weights_of_pairs @ table
        return sums

    @cached_property
    def _weights_of_pairs(self) -> "csr_array":
        matrix = self._weights
        return csr(matrix.data, self._meetings.pair_of, matrix.indptr, len(self._meetings.joint))

    @cached_property
    def _joint_count(self) -> int:
        return int(self.joints.max(initial=-1)) + 1

    @cached_property
    def _weights(self) -> "csr_array":
        used = self.weights != 0.0
        starts = np.concatenate([[0], np.cumsum(np.count_nonzero(used, axis=1))])
        return csr(self.weights[used], self.joints[used], starts, self._joint_count)

    @cached_property
    def _blocks(self) -> list[tuple[slice, "csc_array"]]:
        """Some vertices at a time: which they are, and their weights.

        They are stored by joint, for the processor waits less where what is added to next is
        another vertex.
        """
        return [(rows, self._weights[rows].tocsc()) for rows in self._rows]

    @cached_property
    def _rows(self) -> list[slice]:
        count = len(self.weights)
        return [slice(first, min(first + _BLOCK, count)) for first in range(0, count, _BLOCK)]

    @cached_property
    def _pairs_of_blocks(self) -> list[IntArray]:
        """Per block the pair of each of its weights, as they are stored."""
        matrix = self._weights
        pairs = csr(self._meetings.pair_of, matrix.indices, matrix.indptr, matrix.shape[1])
        return [pairs[rows].tocsc().data for rows in self._rows]

    @cached_property
    def _meetings(self) -> Meetings:
        matrix = self._weights
        return meetings(np.repeat(self.joints[:, 0], np.diff(matrix.indptr)), matrix.indices)

    @cached_property
    def _coordinates(self) -> "_Kept[ComplexArray]":
        return _Kept(_coordinates)

    @cached_property
    def _factors(self) -> "_Kept[PointFactors]":
        return _Kept(PointFactors.of)


class _Kept(Generic[_Value]):
    """What is computed of each block's points: kept for as long as the same array of them is asked for."""

    def __init__(self, compute: Callable[[FloatArray], _Value]) -> None:
        self._compute = compute
        self._last: tuple[FloatArray, list[_Value]] | None = None

    def of(self, points: FloatArray, blocks: Sequence[slice]) -> Iterable[_Value]:
        """Return one value a block."""
        every = (self._compute(points[rows]) for rows in blocks)
        if points.flags.writeable:
            return every
        last = self._last
        if last is None or last[0] is not points:
            last = self._last = points, list(every)
        return last[1]


def _coordinates(points: FloatArray) -> ComplexArray:
    """Return ``(6n,)``: per point x − y·i and z − i, once for each of a matrix's three rows."""
    numbers = np.ones((len(points), 3, 4))
    numbers[..., :3] = points[:, None]
    numbers[..., 1::2] *= -1.0
    return numbers.reshape(-1).view(np.complex128)


def csr(data: NDArray[_Number], columns: IntArray, starts: IntArray, width: int) -> "csr_array":
    """Return a sparse matrix by its rows' entries; columns and starts are narrowed where they fit."""
    from scipy.sparse import csr_array

    narrow = index_type(max(len(data), width))
    return csr_array(
        (data, columns.astype(narrow), starts.astype(narrow)), shape=(len(starts) - 1, width)
    )


def index_type(most: int) -> type[np.signedinteger]:
    """Return what a sparse matrix's indices up to a number are stored as."""
    # Half the width of an index is a quarter less to read.
    return np.int32 if most < np.iinfo(np.int32).max else np.int64
