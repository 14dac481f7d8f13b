"""Vertices of a mesh: corners of polygons that share their control point and all values of layers.

Equal values are found by 64-bit hashes of their bits; two different corners of one control point
would be merged once in 10¹⁹.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx.blocks import CACHED, blocks, gathered

_Hashes = NDArray[np.uint64]

# An odd constant of 64 bits (Steele & Vigna 2021, table 6): multiplying by it spreads bits upwards.
_MIX = np.uint64(0xD1342543DE82EF95)
# Few control points have more vertices, the poles of a sphere for one: those are found by sorting.
_ROUNDS = 16


def vertices(
    corners: IntArray, layers: Sequence[FloatArray], points: int, pulse: Callable[[], None]
) -> tuple[IntArray, IntArray]:
    """Return the vertex of every corner ``(C,)``, and the first corner of every vertex ``(V,)``.

    Vertices are in the order of their control points, those of one in the order of their corners. In
    every round the first corner that is left of each control point becomes a vertex, and takes the
    corners with it that have the same values.

    Parameters
    ----------
    corners
        ``(C,)`` control points.
    layers
        ``(C, w)`` values at the corners.
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


def _hashes(layers: Sequence[FloatArray], count: int, pulse: Callable[[], None]) -> _Hashes:
    """Return ``(C,)`` hashes of the values of corners."""
    width = sum(values.shape[1] for values in layers)
    factors = _MIX ** np.arange(1, width + 1, dtype=np.uint64)
    result = np.zeros(count, dtype=np.uint64)
    for rows in blocks(count if layers else 0, pulse, CACHED):
        values = np.concatenate([values[rows] for values in layers], axis=1)
        values += 0.0  # −0 becomes 0
        # Sums of products by odd constants: what is equal in the lower halves differs in the upper.
        halves = values.view(np.uint32).reshape(len(values), -1, 2)
        halves[..., 0] ^= halves[..., 1]
        key: _Hashes = values.view(np.uint64) @ factors
        result[rows] = (key ^ (key >> np.uint64(32))) * _MIX
    return result


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
