"""Vertices of a mesh: corners of polygons that share their control point and all values of layers.

Equal values are found by 64-bit hashes of their bits; two different corners of one control point
would be merged once in 10¹⁹.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx.blocks import CACHED, blocks, gathered

_Hashes = NDArray[np.uint64]

# An odd constant of 64 bits (Steele & Vigna 2021, table 6): multiplying by it spreads bits upwards.
_MIX = np.uint64(0xD1342543DE82EF95)
# Few control points have more vertices, the poles of a sphere for one: those are found by sorting.
_ROUNDS = 16


@dataclass(frozen=True, eq=False)
class LayerElement:
    """Values at the corners of polygons.

    Parameters
    ----------
    values
        ``(n, w)``.
    index
        ``(C,)`` which of them each corner has; or all corners, which have one after the other.
    """

    values: FloatArray
    index: IntArray | slice

    def at(self, corners: IntArray, pulse: Callable[[], None]) -> FloatArray:
        """Return ``(m, w)`` values at some corners."""
        if isinstance(self.index, slice):
            return gathered(self.values, corners, pulse)
        return gathered(self.values, gathered(self.index, corners, pulse), pulse)


def vertices(
    corners: IntArray, layers: Sequence[LayerElement], points: int, pulse: Callable[[], None]
) -> tuple[IntArray, IntArray]:
    """Return the vertex of every corner ``(C,)``, and the first corner of every vertex ``(V,)``.

    Vertices are in the order of their control points, those of one in the order of their corners. In
    every round the first corner that is left of each control point becomes a vertex, and takes the
    corners with it that have the same values.

    Parameters
    ----------
    corners
        ``(C,)`` control points.
    points
        How many control points there are.
    """
    key = _hashes(layers, len(corners), pulse)
    rank, counts = np.zeros(len(corners), dtype=np.int64), np.zeros(points, dtype=np.int64)
    first_left = np.zeros(points, dtype=np.int64)
    pulse()
    left, of = np.arange(len(corners)), corners
    pulse()
    for done in range(_ROUNDS):
        # Of several corners of a point the one that is written last stays: the first.
        for rows in blocks(len(left), pulse, backwards=True):
            first_left[of[rows][::-1]] = left[rows][::-1]
            counts[of[rows]] = done + 1
            rank[left[rows]] = done
        others = [
            np.flatnonzero(key[left[rows]] != key[first_left[of[rows]]]) + rows.start
            for rows in blocks(len(left), pulse)
        ]
        other = np.concatenate(others) if others else left
        pulse()
        if not len(other):
            break
        left, of = gathered(left, other, pulse), gathered(of, other, pulse)
    else:
        rank[left] = _ROUNDS + _ranks(of, key[left])
        np.maximum.at(counts, of, rank[left] + 1)
    base = np.cumsum(counts) - counts
    first = np.zeros(int(counts.sum()), dtype=np.int64)
    for rows in blocks(len(corners), pulse, backwards=True):
        rank[rows] += base[corners[rows]]
        first[rank[rows][::-1]] = np.arange(rows.stop - 1, rows.start - 1, -1)
    return rank, first


def _hashes(layers: Sequence[LayerElement], count: int, pulse: Callable[[], None]) -> _Hashes:
    """Return ``(C,)`` hashes of the values of corners."""
    result = np.zeros(count, dtype=np.uint64)
    column = 1
    for layer in layers:
        rows_of = layer.index
        width = layer.values.shape[1]
        keys = _row_hashes(layer.values, column, pulse)
        pulse()
        column += width
        for rows in blocks(count, pulse):
            result[rows] += keys[rows] if isinstance(rows_of, slice) else keys[rows_of[rows]]
    for rows in blocks(count, pulse):
        result[rows] = (result[rows] ^ (result[rows] >> np.uint64(32))) * _MIX
    return result


def _row_hashes(values: FloatArray, column: int, pulse: Callable[[], None]) -> _Hashes:
    """Return ``(n,)`` hashes of rows whose first value is in a numbered column of all layers."""
    width = values.shape[1]
    factors = _factors(column, width)
    result = np.zeros(len(values), dtype=np.uint64)
    for rows in blocks(len(values), pulse, CACHED):
        bits = (values[rows] + 0.0).view(np.uint64)  # −0 becomes 0
        # Sums of products by odd constants: what is equal in the lower halves differs in the upper.
        bits ^= bits >> np.uint64(32)
        result[rows] = bits @ factors
    return result


@lru_cache(maxsize=64)
def _factors(column: int, width: int) -> _Hashes:
    """Return ``(w,)`` odd constants, one for each of some columns; most files have the same few."""
    factors: _Hashes = _MIX ** np.arange(column, column + width, dtype=np.uint64)
    return factors


def _ranks(of: IntArray, key: _Hashes) -> IntArray:
    """Return ``(n,)`` which of its control point's vertices each corner is, by their first corners."""
    order = np.lexsort((key, of))
    starts = np.ones(len(order), dtype=np.bool_)
    starts[1:] = (np.diff(of[order]) != 0) | (key[order][1:] != key[order][:-1])
    firsts = order[starts]
    ordered = np.lexsort((firsts, of[firsts]))
    points = of[firsts][ordered]
    ranks = np.zeros(len(firsts), dtype=np.int64)
    ranks[ordered] = np.arange(len(points)) - np.searchsorted(points, points)
    result = np.zeros(len(order), dtype=np.int64)
    result[order] = ranks[np.cumsum(starts) - 1]
    return result
