"""Unit quaternions xyzw, the Hamilton product: the little that rigs and clips need."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


def unit(vectors: ArrayLike) -> Array:
    """Return vectors ``(…, n)`` divided by their length; those without length stay."""
    array = np.asarray(vectors, dtype=np.float64)
    length = np.sqrt(np.sum(array * array, axis=-1, keepdims=True))
    return array / np.where(length > 0.0, length, 1.0)


def about(axis: ArrayLike, degrees: float) -> Array:
    """Return ``(4,)``: the turn about an axis ``(3,)`` by an angle in degrees."""
    half = math.radians(degrees) / 2.0
    return np.append(unit(axis) * math.sin(half), math.cos(half))


def multiply(second: ArrayLike, first: ArrayLike) -> Array:
    """Return ``(…, 4)`` the product: `first` is applied first."""
    q, p = np.asarray(second, dtype=np.float64), np.asarray(first, dtype=np.float64)
    vector = q[..., 3:] * p[..., :3] + p[..., 3:] * q[..., :3] + np.cross(q[..., :3], p[..., :3])
    scalar = q[..., 3:] * p[..., 3:] - np.sum(q[..., :3] * p[..., :3], axis=-1, keepdims=True)
    return np.concatenate([vector, scalar], axis=-1)


def product(*turns: ArrayLike) -> Array:
    """Return the product of several quaternions; the last is applied first."""
    result = np.asarray(turns[0], dtype=np.float64)
    for turn in turns[1:]:
        result = multiply(result, turn)
    return result


def conjugate(q: ArrayLike) -> Array:
    """Return the inverse of unit quaternions ``(…, 4)``."""
    return np.asarray(q, dtype=np.float64) * np.array([-1.0, -1.0, -1.0, 1.0])


def rotate(q: ArrayLike, points: ArrayLike) -> Array:
    """Return points ``(…, 3)`` turned by quaternions ``(…, 4)``."""
    q, p = np.asarray(q, dtype=np.float64), np.asarray(points, dtype=np.float64)
    across = 2.0 * np.cross(q[..., :3], p)
    return p + q[..., 3:] * across + np.cross(q[..., :3], across)


def arc(start: ArrayLike, end: ArrayLike) -> Array:
    """Return ``(4,)`` the smallest turn from one direction ``(3,)`` to another, not its opposite."""
    a, b = unit(start), unit(end)
    return unit(np.append(np.cross(a, b), 1.0 + float(np.sum(a * b))))


def angle(first: ArrayLike, second: ArrayLike) -> Array:
    """Return ``(…)`` the angle in degrees that leads from one turn to another on the short way."""
    q = multiply(conjugate(first), second)
    sine = np.sqrt(np.sum(q[..., :3] ** 2, axis=-1))
    return np.degrees(2.0 * np.arctan2(sine, np.abs(q[..., 3])))


def to_matrix(q: ArrayLike) -> Array:
    """Return ``(3, 3)`` the rotation matrix of a quaternion."""
    return rotate(np.asarray(q, dtype=np.float64), np.eye(3)).T


def from_matrix(matrix: Array) -> Array:
    """Return ``(4,)`` the quaternion with positive w of a rotation matrix ``(3, 3)``."""
    m = matrix
    # Four times the square of each component; the largest is the safe one to divide by.
    squares = 1.0 + np.array(
        [
            m[0, 0] - m[1, 1] - m[2, 2],
            m[1, 1] - m[0, 0] - m[2, 2],
            m[2, 2] - m[0, 0] - m[1, 1],
            m[0, 0] + m[1, 1] + m[2, 2],
        ]
    )
    x, y, z = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    xy, xz, yz = m[0, 1] + m[1, 0], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1]
    columns = (
        (squares[0], xy, xz, x),
        (xy, squares[1], yz, y),
        (xz, yz, squares[2], z),
        (x, y, z, squares[3]),
    )
    q = unit(columns[int(np.argmax(squares))])
    return q if q[3] >= 0.0 else -q


def mirrored(q: ArrayLike) -> Array:
    """Return turns as their image in the mirror x = 0 makes them.

    That holds in model axes, and for the local turns of left and right joints too: a right joint's
    y and z mirror the left one's, and its x is opposed to the left one's image.
    """
    return np.asarray(q, dtype=np.float64) * np.array([1.0, -1.0, -1.0, 1.0])
