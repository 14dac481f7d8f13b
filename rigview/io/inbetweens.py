"""Shapes in between: how the weight of one blend shape is shared among the positions it is stated at."""

import numpy as np

from rigview.core.arrays import FloatArray


def shares(full: FloatArray, weights: FloatArray) -> FloatArray:
    """Return ``(…, S)`` the weights of targets at weights ``(…)`` of their shape.

    At 0 there is no displacement. Between two neighbours both are mixed; beyond the ends the last mix
    goes on.

    Parameters
    ----------
    full
        ``(S,)`` ascending weights, none of them 0, at which one target is seen alone.
    """
    zero = int(np.searchsorted(full, 0.0))
    knots = np.concatenate([full[:zero], [0.0], full[zero:]])
    piece = np.clip(np.searchsorted(knots, weights, side="right") - 1, 0, len(full) - 1)
    length = knots[piece + 1] - knots[piece]
    # Two targets may state one weight.
    u = (weights - knots[piece]) / np.where(length != 0.0, length, 1.0)
    result = np.zeros((*weights.shape, len(knots)))
    np.put_along_axis(result, piece[..., None], (1.0 - u)[..., None], axis=-1)
    np.put_along_axis(result, piece[..., None] + 1, u[..., None], axis=-1)
    return result[..., np.arange(len(knots)) != zero]
