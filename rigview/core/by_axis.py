"""Vectors by axis, ``(3, n)``: numpy is two to three times as quick on whole rows as on ``(n, 3)``."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray


def gather(points: FloatArray, corners: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the points of each corner, ``(3, n)`` each, of ``(3, V)`` points at ``(3, n)`` corners."""
    taken = np.take(points, corners, axis=1)
    return taken[:, 0], taken[:, 1], taken[:, 2]


def dot(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the ``(n,)`` dot products."""
    return np.einsum("in,in->n", a, b)


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the ``(3, n)`` cross products."""
    result = np.zeros_like(a)
    for axis in range(3):
        after, last = (axis + 1) % 3, (axis + 2) % 3
        np.multiply(a[after], b[last], out=result[axis])
        result[axis] -= a[last] * b[after]
    return result
