"""Times of keys as glTF states them, in 32 bits."""

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, FloatArray


def separate(times: FloatArray, is_stated: BoolArray) -> NDArray[np.float32]:
    """Return times that stay apart as 32-bit numbers.

    Keys nearer to each other than such numbers are (a jump) get neighbouring ones. A key of the file
    keeps its time, so that a frame on a jump shows the same side of it; others beside it give way.

    Parameters
    ----------
    is_stated
        ``(n,)`` which of the keys the file itself has.
    """
    result = times.astype("<f4")
    near = np.diff(times) < np.spacing(result[1:])
    if not near.any():
        return result
    (edges,) = np.diff(np.concatenate([[False], near, [False]])).nonzero()
    for first, last in edges.reshape(-1, 2).tolist():
        (own,) = is_stated[first : last + 1].nonzero()
        kept = first + int(own[-1]) if len(own) else last
        if kept == last and result[kept] > times[kept]:
            result[kept] = _next(result[kept], -np.inf)
        elif kept == first and result[kept] < times[kept]:
            result[kept] = _next(result[kept], np.inf)
        for i in range(kept, first, -1):
            result[i - 1] = _next(result[i], -np.inf)
        for i in range(kept, last):
            result[i + 1] = _next(result[i], np.inf)
    # What stands before them gives way too, and at 0 what stands behind.
    for i in range(len(result) - 1, 0, -1):
        result[i - 1] = min(result[i - 1], _next(result[i], -np.inf))
    result[0] = max(result[0], 0.0)
    for i in range(1, len(result)):
        result[i] = max(result[i], _next(result[i - 1], np.inf))
    return result


def _next(time: np.float32, towards: float) -> np.float32:
    following: np.float32 = np.nextafter(time, np.float32(towards))
    return following
