"""Vertices of a mesh: corners of polygons that share their control point and all values of layers.

Equal values are found by 64-bit hashes of their bits; two different corners of one control point
would be merged once in 10¹⁹.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray

_Hashes = NDArray[np.uint64]

# An odd constant of 64 bits (Steele & Vigna 2021, table 6): multiplying by it spreads bits upwards.
_MIX = np.uint64(0xD1342543DE82EF95)
# Corners whose values are hashed at once; few milliseconds and megabytes.
_BLOCK = 1 << 16
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
    left, of = np.arange(len(corners)), corners
    while len(left):
        done = int(counts[of[0]])
        if done == _ROUNDS:
            rank[left] = done + _ranks(of, key[left])
            np.maximum.at(counts, of, rank[left] + 1)
            break
        rank[left] = done
        counts[of] = done + 1
        # Of several corners of a point the one that is written last stays: the first.
        first_left[of[::-1]] = left[::-1]
        other = key[left] != key[first_left[of]]
        pulse()
        left, of = left[other], of[other]
    vertex = (np.cumsum(counts) - counts)[corners] + rank
    first = np.zeros(int(counts.sum()), dtype=np.int64)
    first[vertex[::-1]] = np.arange(len(corners) - 1, -1, -1)
    pulse()
    return vertex, first


def _hashes(layers: Sequence[FloatArray], count: int, pulse: Callable[[], None]) -> _Hashes:
    """Return ``(C,)`` hashes of the values of corners."""
    width = sum(values.shape[1] for values in layers)
    factors = _MIX ** np.arange(1, width + 1, dtype=np.uint64)
    result = np.zeros(count, dtype=np.uint64)
    for start in range(0, count, _BLOCK):
        rows = slice(start, start + _BLOCK)
        values = np.concatenate(
            [np.zeros((len(result[rows]), 0)), *(v[rows] for v in layers)], axis=1
        )
        values += 0.0  # −0 becomes 0
        # Sums of products by odd constants: what is equal in the lower halves differs in the upper.
        halves = values.view(np.uint32).reshape(len(values), -1, 2)
        halves[..., 0] ^= halves[..., 1]
        key: _Hashes = values.view(np.uint64) @ factors
        result[rows] = (key ^ (key >> np.uint64(32))) * _MIX
        pulse()
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
