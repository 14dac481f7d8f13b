"""Unit dual quaternions, ``(…, 8)``: real xyzw, then dual xyzw with ``dual = ½·(t, 0)·real``."""

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray

IDENTITY = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)

# Rotations half a turn apart are equally far both ways round, and the sign of their dot product is
# rounding (float32's on the graphics card). Such a one enters as it is, so that rounding never
# decides which way a vertex goes: clips do key turns of exactly 180°.
HALF_TURN = 1e-6


def from_rigid(rotation: FloatArray, translation: FloatArray) -> FloatArray:
    """Build from unit quaternions ``(…, 4)`` and translations ``(…, 3)``: rotate, then translate."""
    pure = np.concatenate([translation, np.zeros_like(translation[..., :1])], axis=-1)
    return np.concatenate([rotation, 0.5 * quat.multiply(pure, rotation)], axis=-1)


def translation(dq: FloatArray) -> FloatArray:
    """Return the ``(…, 3)`` translations."""
    return 2.0 * quat.multiply(dq[..., 4:], quat.conjugate(dq[..., :4]))[..., :3]


def to_matrix(dq: FloatArray) -> FloatArray:
    """Return the ``(…, 4, 4)`` rigid matrices."""
    matrix = np.zeros((*dq.shape[:-1], 4, 4))
    matrix[..., :3, :3] = quat.to_matrix(dq[..., :4])
    matrix[..., :3, 3] = translation(dq)
    matrix[..., 3, 3] = 1.0
    return matrix


def transform_points(dq: FloatArray, points: FloatArray) -> FloatArray:
    """Rotate and translate ``(…, 3)`` points."""
    return quat.rotate(dq[..., :4], points) + translation(dq)


def blend(dq: FloatArray, weights: FloatArray) -> FloatArray:
    """Blend along the short arc and normalise (DLB: Kavan et al. 2008, eq. 14).

    Slot 0 is the pivot: every other dual quaternion that lies clearly (`HALF_TURN`) in the opposite
    hemisphere enters with its sign turned. The sum is divided by the length of its real part only;
    the remaining part of the dual that is not orthogonal to the real changes neither points nor
    vectors.

    Parameters
    ----------
    dq
        ``(V, K, 8)`` skin dual quaternions, the influence of largest weight in slot 0.
    weights
        ``(V, K)``.

    Returns
    -------
    ``(V, 8)``; the identity where the weighted sum vanishes.
    """
    facing = np.einsum("vkq,vq->vk", dq[:, :, :4], dq[:, 0, :4])
    total = np.einsum("vk,vkq->vq", np.where(facing < -HALF_TURN, -weights, weights), dq)
    length = np.linalg.norm(total[:, :4], axis=-1, keepdims=True)
    vanished = length <= np.finfo(np.float64).tiny
    return np.where(vanished, IDENTITY, total / np.where(vanished, 1.0, length))
