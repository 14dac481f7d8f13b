"""Weights from those of neighbours: smoothing, sharpening, and mending from the ring around."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.weights.edits import Freedom, obeying

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Sharpening by more than half of the way makes neighbours that differ swing apart.
MOST_SHARPENING = 0.5


def smoothed(
    rows: FloatArray, means: FloatArray, strength: FloatArray, free: Freedom
) -> FloatArray:
    """Bring all free joints nearer to the mean of the neighbours ``(n, J)``, by a strength of 0 to 1."""
    return obeying(rows, rows + strength[:, None] * (means - rows), free)


def sharpened(
    rows: FloatArray, means: FloatArray, strength: FloatArray, free: Freedom
) -> FloatArray:
    """Take all free joints further from the mean of the neighbours; half of the way at the most."""
    away = np.minimum(strength, MOST_SHARPENING)[:, None]
    return obeying(rows, rows - away * (means - rows), free)


def means_of(
    neighbours: "csr_array", points: IntArray, rows_of: Callable[[IntArray], FloatArray]
) -> FloatArray:
    """Return ``(n, J)`` the mean row of each point's neighbours; its own where it has none.

    Parameters
    ----------
    neighbours
        ``(P, P)`` whose rows sum to one, or are empty.
    rows_of
        Gives the rows of some points.
    """
    from scipy.sparse import csr_array

    own = neighbours[points]
    met = np.zeros(neighbours.shape[1], dtype=np.bool_)
    met[own.indices] = True
    around = np.flatnonzero(met)
    place = np.cumsum(met) - 1
    # Sums over the points that are met alone: most columns of the whole matrix are empty here.
    shape = (len(points), len(around))
    means: FloatArray = csr_array((own.data, place[own.indices], own.indptr), shape) @ rows_of(
        around
    )
    lone = np.diff(own.indptr) == 0
    if lone.any():
        means[lone] = rows_of(points[lone])
    return means


def hammered(
    neighbours: "csr_array", points: IntArray, rows_of: Callable[[IntArray], FloatArray]
) -> FloatArray:
    """Return ``(n, J)`` what points get from the ring around them.

    Of several at once those at the border come first, so that none takes from one that is still
    to be mended. Points of a piece that is chosen as a whole keep their weights.
    """
    graph = neighbours[points]
    around = np.unique(np.concatenate([graph.indices, points]))
    rows = rows_of(around)
    inside = np.searchsorted(around, points)
    known = np.ones(len(around), dtype=np.bool_)
    known[inside] = False
    linked = (graph[:, around] != 0.0).astype(np.float64)
    while not known[inside].all():
        seen = linked @ known.astype(np.float64)
        ready = np.flatnonzero((seen > 0.0) & ~known[inside])
        if not len(ready):
            break
        sums = linked[ready] @ np.where(known[:, None], rows, 0.0)
        rows[inside[ready]] = sums / seen[ready, None]
        known[inside[ready]] = True
    return rows[inside]
