"""Unit quaternions, ``(…, 4)`` as xyzw with the Hamilton product: ``multiply(q, p)`` applies p first."""

import numpy as np
from numpy.typing import ArrayLike

from rigview.core.arrays import FloatArray, cross, unit

IDENTITY = (0.0, 0.0, 0.0, 1.0)

# Below this sine the two halves of a slerp are so near that linear interpolation is exact to float64.
_SMALL_SINE = 1e-9
# Between quaternions half a turn apart both ways are equally short, and the sign of their dot product
# is rounding. Such a pair is taken as it is, so that the same keys seen in another frame go the same
# way; float32 keys that mean a sign have a larger one (Blender writes cos 90° as −4.4e-8).
HALF_TURN = 1e-12


def multiply(q: FloatArray, p: FloatArray) -> FloatArray:
    """Return the product q·p of ``(…, 4)`` quaternions."""
    qx, qy, qz, qw = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    px, py, pz, pw = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    result = np.zeros(q.shape if q.shape == p.shape else np.broadcast_shapes(q.shape, p.shape))
    result[..., 0] = qw * px + qx * pw + qy * pz - qz * py
    result[..., 1] = qw * py - qx * pz + qy * pw + qz * px
    result[..., 2] = qw * pz + qx * py - qy * px + qz * pw
    result[..., 3] = qw * pw - qx * px - qy * py - qz * pz
    return result


def conjugate(q: FloatArray) -> FloatArray:
    """Return the inverse of unit quaternions."""
    return q * np.array([-1.0, -1.0, -1.0, 1.0])


def normalise(q: FloatArray) -> FloatArray:
    """Scale to length one; a zero quaternion becomes the identity."""
    return unit(q, IDENTITY)


def rotate(q: FloatArray, vectors: FloatArray) -> FloatArray:
    """Rotate ``(…, 3)`` vectors by ``(…, 4)`` unit quaternions."""
    axis, w = q[..., :3], q[..., 3:]
    twice = 2.0 * cross(axis, vectors)
    return vectors + w * twice + cross(axis, twice)


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """Return the rotation about `axis` ``(…, 3)`` by `angle` in radians ``(…)``."""
    half = 0.5 * np.asarray(angle, dtype=np.float64)[..., None]
    direction = unit(np.asarray(axis, dtype=np.float64))
    vector = direction * np.sin(half)
    return np.concatenate([vector, np.broadcast_to(np.cos(half), (*vector.shape[:-1], 1))], axis=-1)


def to_matrix(q: FloatArray) -> FloatArray:
    """Return the ``(…, 3, 3)`` rotation matrices of unit quaternions."""
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    # Nine numbers put in place take half as long as rows stacked.
    result = np.zeros((*q.shape[:-1], 3, 3))
    result[..., 0, 0] = 1 - 2 * (y * y + z * z)
    result[..., 0, 1] = 2 * (x * y - z * w)
    result[..., 0, 2] = 2 * (x * z + y * w)
    result[..., 1, 0] = 2 * (x * y + z * w)
    result[..., 1, 1] = 1 - 2 * (x * x + z * z)
    result[..., 1, 2] = 2 * (y * z - x * w)
    result[..., 2, 0] = 2 * (x * z - y * w)
    result[..., 2, 1] = 2 * (y * z + x * w)
    result[..., 2, 2] = 1 - 2 * (x * x + y * y)
    return result


def from_matrix(rotation: FloatArray) -> FloatArray:
    """Return unit quaternions of ``(…, 3, 3)`` rotation matrices.

    Uses the largest of the four squared components as pivot (Shepperd 1978), so a half turn is
    exact; scale must be removed first (`affine.polar`), or the angle is wrong.
    """
    m = rotation
    trace = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    # The symmetric 4×4 matrix 4·q·qᵀ; its row with the largest diagonal is q times that component.
    outer = np.zeros((*m.shape[:-2], 4, 4))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        outer[..., i, i] = 1.0 + 2.0 * m[..., i, i] - trace
        outer[..., i, j] = outer[..., j, i] = m[..., j, i] + m[..., i, j]
        outer[..., i, 3] = outer[..., 3, i] = m[..., k, j] - m[..., j, k]
    outer[..., 3, 3] = 1.0 + trace
    pivot = np.argmax(np.einsum("...ii->...i", outer), axis=-1)
    rows = outer.reshape(-1, 4, 4)
    row = rows[np.arange(len(rows)), pivot.reshape(-1)]
    return normalise(row.reshape(*pivot.shape, 4))


def arc(start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the shortest rotation that turns direction `start` onto direction `end`, ``(…, 3)``.

    Vectors need no unit length. Opposite directions turn by 180° about an axis square to `start`;
    a vector of no length gives the identity.
    """
    a, b = unit(start), unit(end)
    a, b = np.broadcast_arrays(a, b)
    half = unit(a + b)
    direct = np.concatenate([cross(a, half), np.sum(a * half, axis=-1, keepdims=True)], axis=-1)
    smallest = np.eye(3)[np.argmin(np.abs(a), axis=-1)]
    square = unit(cross(a, smallest))
    # Of a short a + b rounding is 1e-16 over its length: below the root of that, opposite is nearer.
    opposed = np.linalg.norm(a + b, axis=-1, keepdims=True) < 1e-8
    flipped = np.concatenate([square, np.zeros_like(square[..., :1])], axis=-1)
    empty = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1) == 0.0
    result = np.where(opposed, flipped, direct)
    return normalise(np.where(empty[..., None], IDENTITY, result))


def slerp(start: FloatArray, end: FloatArray, t: FloatArray) -> FloatArray:
    """Interpolate ``(…, 4)`` quaternions along the short arc; `t` is ``(…)``, 0 at start, 1 at end."""
    cosine = np.sum(start * end, axis=-1)
    end = np.where(cosine[..., None] < -HALF_TURN, -end, end)
    angle = np.arccos(np.minimum(np.abs(cosine), 1.0))
    sine = np.sin(angle)
    straight = sine < _SMALL_SINE
    safe = np.where(straight, 1.0, sine)
    from_start = np.where(straight, 1.0 - t, np.sin((1.0 - t) * angle) / safe)
    from_end = np.where(straight, t, np.sin(t * angle) / safe)
    return normalise(from_start[..., None] * start + from_end[..., None] * end)


def angle_between(q: FloatArray, p: FloatArray) -> FloatArray:
    """Return the angle in radians, 0 to π, of the rotation that leads from q to p."""
    relative = multiply(p, conjugate(q))
    return 2.0 * np.arctan2(np.linalg.norm(relative[..., :3], axis=-1), np.abs(relative[..., 3]))


def rotation_vector(q: FloatArray) -> FloatArray:
    """Return ``(…, 3)``: the axis of the shorter turn, as long as its angle in radians."""
    short = np.where(q[..., 3:] < 0.0, -q, q)
    sine = np.linalg.norm(short[..., :3], axis=-1, keepdims=True)
    # Of turns next to none the angle is twice the sine, and the axis any.
    per_sine = np.where(sine > 0.0, 2.0 * np.arctan2(sine, short[..., 3:]), 2.0)
    return np.asarray(short[..., :3] * per_sine / np.where(sine > 0.0, sine, 1.0))


def swing_twist(q: FloatArray, axis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Split q into swing · twist, the twist about the unit vector `axis`; both ``(…, 4)``."""
    along = np.sum(q[..., :3] * axis, axis=-1, keepdims=True)
    twist = normalise(np.concatenate([along * axis, q[..., 3:]], axis=-1))
    return multiply(q, conjugate(twist)), twist


def to_euler(q: FloatArray) -> FloatArray:
    """Return ``(…, 3)`` angles x, y, z in radians of the rotation Rz·Ry·Rx (x is applied first).

    At y = ±90° x is set to zero, since x and z then turn about the same line.
    """
    m = to_matrix(q)
    y = np.arcsin(np.clip(-m[..., 2, 0], -1.0, 1.0))
    locked = np.abs(m[..., 2, 0]) > 1.0 - 1e-12
    x = np.where(locked, 0.0, np.arctan2(m[..., 2, 1], m[..., 2, 2]))
    z = np.where(
        locked,
        np.arctan2(-m[..., 0, 1], m[..., 1, 1]),
        np.arctan2(m[..., 1, 0], m[..., 0, 0]),
    )
    return np.stack([x, y, z], axis=-1)


def from_euler(angles: ArrayLike) -> FloatArray:
    """Return the rotation Rz·Ry·Rx of ``(…, 3)`` angles in radians: the inverse of `to_euler`."""
    half = 0.5 * np.asarray(angles, dtype=np.float64)
    (sx, sy, sz), (cx, cy, cz) = np.moveaxis(np.sin(half), -1, 0), np.moveaxis(np.cos(half), -1, 0)
    return np.stack(
        [
            sx * cy * cz - cx * sy * sz,
            cx * sy * cz + sx * cy * sz,
            cx * cy * sz - sx * sy * cz,
            cx * cy * cz + sx * sy * sz,
        ],
        axis=-1,
    )
