"""Meshes as surfaces: vertices at one place, edges, and what hangs together."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import box_diagonal
from rigview.core.solid import WELD

# Large odd numbers: the sum of multiples of them, which wraps, is one number for three, and two places of
# one mesh meet in it with a chance of 2⁻⁶⁴.
_MIX = np.array([-7046029254386353131, -4417276706812531889, 1609587929392839161], dtype=np.int64)


def welded(positions: FloatArray, grid: float | None = None) -> IntArray:
    """Return ``(V,)`` for every vertex the first one at its place.

    Parameters
    ----------
    grid
        Positions that round to the same multiples of it are one place; without, those that a
        texture seam has split (`WELD` of the size).
    """
    if not len(positions):
        return np.zeros(0, dtype=np.int64)
    step = WELD * box_diagonal(positions) if grid is None else grid
    whole = np.rint(positions / step).astype(np.int64)
    key = whole @ _MIX
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return np.asarray(first[place.reshape(-1)], dtype=np.int64)


def edges_of(triangles: IntArray) -> IntArray:
    """Return ``(E, 2)`` the edges of ``(F, 3)`` triangles, each once, the lower vertex first."""
    if not len(triangles):
        return np.zeros((0, 2), dtype=np.int64)
    edges = np.concatenate([triangles[:, (0, 1)], triangles[:, (1, 2)], triangles[:, (2, 0)]])
    edges = np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1)
    most = int(edges.max(initial=0)) + 1
    # With places, which makes numpy sort: without, it holds the interpreter while it works.
    key, _ = np.unique(edges[:, 0] * most + edges[:, 1], return_index=True)
    return np.stack([key // most, key % most], axis=1)


def components(number: int, edges: IntArray) -> IntArray:
    """Return ``(number,)`` for every node the lowest one that it hangs together with.

    Labels spread along edges and jump to their own labels, so that long chains take few rounds.
    """
    label = np.arange(number, dtype=np.int64)
    if not len(edges):
        return label
    a, b = edges[:, 0], edges[:, 1]
    while True:
        low = np.minimum(label[a], label[b])
        spread = label.copy()
        np.minimum.at(spread, label[a], low)
        np.minimum.at(spread, label[b], low)
        np.minimum.at(spread, a, low)
        np.minimum.at(spread, b, low)
        spread = spread[spread]
        if np.array_equal(spread, label):
            return label
        label = spread
