"""Few influences per vertex: the largest ones, none that hardly counts, and their sum one."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray

# The influences that every engine takes.
MOST = 4
# What is below moves nothing that can be seen.
LEAST = 0.01
# Weights that differ by less are equal: the joints' order in the skin decides, not rounding.
EQUAL = 1e-9


def pruned(
    weights: FloatArray, most: int = MOST, least: float = LEAST
) -> tuple[IntArray, FloatArray]:
    """Return the largest weights of each row, the largest first, divided by their sum.

    Parameters
    ----------
    weights
        ``(P, J)``, each row with a weight above 0.
    most
        How many are kept.
    least
        What is below is dropped, but for the largest of a row.

    Returns
    -------
    ``(P, N)`` columns and their weights; a slot that is not used has column 0 and weight 0.
    """
    kept = min(most, weights.shape[1])
    order = np.argsort(-np.rint(weights / EQUAL), axis=1, kind="stable")[:, :kept]
    values = np.take_along_axis(weights, order, axis=1)
    drop = values < least
    drop[:, 0] = False
    values = np.where(drop, 0.0, values)
    values /= values.sum(axis=1, keepdims=True)
    # What is equal but for rounding gets equal slots in the skin's order, and no slot a stray column.
    columns = np.where(values > 0.0, order, 0)
    pad = ((0, 0), (0, most - kept))
    return np.pad(columns, pad), np.pad(values, pad)
