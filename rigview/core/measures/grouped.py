"""Figures of groups of values that stand one group below the other."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray


def quantiles(values: FloatArray, starts: IntArray, share: float) -> FloatArray:
    """Return ``(G,)``: per group the smallest value that `share` of its values do not exceed; NaN for none.

    One sort does for all groups: v of group g is sorted as g + v / (1 + v), which keeps 11 digits of v.

    Parameters
    ----------
    values
        ``(n,)``, 0 or above.
    starts
        ``(G + 1,)`` where groups start and the last one ends.
    """
    counts = np.diff(starts)
    keys = values / (1.0 + values)
    # What overflows is as large as can be told.
    np.clip(keys, 0.0, 1.0 - 1e-9, out=keys)
    np.nan_to_num(keys, copy=False, nan=1.0 - 1e-9)
    keys += np.repeat(np.arange(len(counts), dtype=np.float64), counts)
    keys.sort()
    place = starts[:-1] + np.maximum(np.ceil(share * counts).astype(np.int64) - 1, 0)
    known = counts > 0
    result = np.full(len(counts), np.nan)
    part = keys[place[known]] - np.flatnonzero(known)
    result[known] = part / (1.0 - part)
    return result


def sums(values: FloatArray, starts: IntArray) -> FloatArray:
    """Return ``(G,)`` or ``(G, c)`` the sums of groups of ``(n,)`` or ``(n, c)`` values; 0 for none."""
    result = np.zeros((len(starts) - 1, *values.shape[1:]))
    filled = np.flatnonzero(np.diff(starts) > 0)
    if len(filled):
        result[filled] = np.add.reduceat(values, starts[:-1][filled], axis=0)
    return result


def lowest(values: FloatArray, starts: IntArray) -> FloatArray:
    """Return ``(G,)`` the lowest value of each group; NaN for none."""
    result = np.full(len(starts) - 1, np.nan)
    filled = np.flatnonzero(np.diff(starts) > 0)
    if len(filled):
        result[filled] = np.fmin.reduceat(values, starts[:-1][filled])
    return result


def weighted_quantiles(
    values: FloatArray, weights: FloatArray, starts: IntArray, shares: tuple[float, ...]
) -> list[FloatArray]:
    """Return ``(G,)`` each: per group the value that a share of its weight does not exceed, or NaN.

    Parameters
    ----------
    values, weights
        ``(n,)``, 0 or above.
    starts
        ``(G + 1,)`` where groups start and the last one ends.
    """
    counts = np.diff(starts)
    keys = np.nan_to_num(values / (1.0 + values), nan=1.0 - 1e-9)
    np.clip(keys, 0.0, 1.0 - 1e-9, out=keys)
    keys += np.repeat(np.arange(len(counts), dtype=np.float64), counts)
    order = np.argsort(keys)
    below = np.concatenate([[0.0], np.cumsum(weights[order])])
    first, last = starts[:-1][counts > 0], starts[1:][counts > 0]
    results = []
    for share in shares:
        wanted = below[first] + share * (below[last] - below[first])
        # The first whose sum up to and with it is as much.
        place = np.searchsorted(below[1:], wanted - 1e-12 * below[-1], side="left")
        result = np.full(len(counts), np.nan)
        result[counts > 0] = values[order[np.clip(place, first, last - 1)]]
        results.append(result)
    return results
