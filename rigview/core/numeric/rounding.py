"""Weights as integers, for files and vertex buffers."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray


def largest_remainder(weights: FloatArray, total: int) -> IntArray:
    """Return integers whose rows sum to `total`, as near to ``(V, K)`` weights as can be.

    Each weight is rounded down, and what is missing goes, one each, to those that lost most. A row
    that does not sum to one is rounded as it is.
    """
    scaled = weights * total
    down = np.floor(scaled + 1e-6).astype(np.int64)
    missing = np.rint(scaled.sum(axis=1)).astype(np.int64) - down.sum(axis=1)
    lost = scaled - down
    rank = np.argsort(np.argsort(-lost, axis=1, kind="stable"), axis=1, kind="stable")
    return down + (rank < missing[:, None])
