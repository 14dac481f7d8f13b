"""Euler angles in any of the six orders, and curves of them that do not jump.

An order is written as its axes turn: "XYZ" turns about X first, so that ``R = Rz·Ry·Rx``. So do FBX
(SDK, ``EFbxRotationOrder``) and Maya.
"""

import math
from collections.abc import Sequence

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray

USUAL = "XYZ"
ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")
# The cosine of a second turn that leaves the first and third about one axis.
LOCKED = 1e-8


def to_angles(q: FloatArray, order: str = USUAL) -> FloatArray:
    """Return ``(…, 3)`` angles about x, y and z in radians of ``(…, 4)`` unit quaternions.

    With first, second and third axis i, j and k and e = ±1 the parity of (i, j, k), the rotation matrix
    ``R_k R_j R_i`` has ``R[k, i] = −e sin j``. Where the second turn is a right angle, the first takes all.
    """
    i, j, k = axes_of(order)
    e = 1.0 if (j - i) % 3 == 1 else -1.0
    m = quat.to_matrix(q)
    # An arc sine would lose half of the digits near a right angle.
    sine, cosine = -e * m[..., k, i], np.hypot(m[..., i, i], m[..., j, i])
    locked = cosine < LOCKED
    result = np.zeros((*q.shape[:-1], 3))
    result[..., i] = np.where(
        locked,
        np.arctan2(-e * m[..., j, k], m[..., j, j]),
        np.arctan2(e * m[..., k, j], m[..., k, k]),
    )
    result[..., j] = np.arctan2(sine, cosine)
    result[..., k] = np.where(locked, 0.0, np.arctan2(e * m[..., j, i], m[..., i, i]))
    return result


def from_angles(angles: FloatArray, order: str = USUAL) -> FloatArray:
    """Return the ``(…, 4)`` rotations of ``(…, 3)`` angles in radians: the inverse of `to_angles`."""
    first, second, third = (
        quat.from_axis_angle(np.eye(3)[axis], angles[..., axis]) for axis in axes_of(order)
    )
    return quat.multiply(third, quat.multiply(second, first))


def axes_of(order: str) -> tuple[int, int, int]:
    """Return the numbers of the axes in the order in which they turn.

    Raises
    ------
    ValueError
        If it is none of `ORDERS`.
    """
    if order not in ORDERS:
        raise ValueError(f"order: wanted one of {', '.join(ORDERS)}, got {order!r}")
    i, j, k = ("XYZ".index(axis) for axis in order)
    return i, j, k


def unwrapped(angles: FloatArray, order: str = USUAL) -> FloatArray:
    """Return ``(n, 3)`` angles of the same rotations, each as near as can be to those before it.

    1. Whole turns can be added to each angle.
    2. ``(i + π, π − j, k + π)`` is the same rotation as ``(i, j, k)``: it is taken where it is nearer.
    3. At a locked row only the sum or difference of first and third counts: the first stays as it was.

    Parameters
    ----------
    angles
        ``(n, 3)`` radians, about x, y and z.
    """
    i, j, k = axes_of(order)
    # Of R_k R_j R_i with j = ±90°: k ∓ e·i is what counts.
    e = 1.0 if (j - i) % 3 == 1 else -1.0
    result = np.array(angles, dtype=np.float64)
    rows = result[:, [i, j, k]].tolist()
    for row in range(1, len(rows)):
        before, (a, b, c) = rows[row - 1], rows[row]
        if abs(math.cos(b)) < LOCKED:
            sign = e if math.sin(b) > 0.0 else -e
            c, a = c - sign * (a - before[0]), before[0]
        own = _near((a, b, c), before)
        other = _near((a + math.pi, math.pi - b, c + math.pi), before)
        rows[row] = min(own, other, key=lambda each: _apart(each, before))
    result[:, [i, j, k]] = rows or np.zeros((0, 3))
    return result


def _near(angles: Sequence[float], before: Sequence[float]) -> list[float]:
    """Return angles less the whole turns that they are away."""
    turn = 2.0 * math.pi
    return [a - turn * round((a - b) / turn) for a, b in zip(angles, before, strict=True)]


def _apart(angles: Sequence[float], before: Sequence[float]) -> float:
    return sum(abs(a - b) for a, b in zip(angles, before, strict=True))
