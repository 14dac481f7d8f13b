"""Dual quaternions as textbooks have them: what the quick products of `rigview.core.dualquat` come to."""

import numpy as np

from rigview.core import quat
from rigview.core.dualquat import HALF_TURN

IDENTITY = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)


def translation(dq):
    """Return the ``(…, 3)`` translations."""
    return 2.0 * quat.multiply(dq[..., 4:], quat.conjugate(dq[..., :4]))[..., :3]


def to_matrix(dq):
    """Return the ``(…, 4, 4)`` rigid matrices."""
    matrix = np.zeros((*dq.shape[:-1], 4, 4))
    matrix[..., :3, :3] = quat.to_matrix(dq[..., :4])
    matrix[..., :3, 3] = translation(dq)
    matrix[..., 3, 3] = 1.0
    return matrix


def transform_points(dq, points):
    """Rotate and translate ``(…, 3)`` points."""
    return quat.rotate(dq[..., :4], points) + translation(dq)


def blend(dq, weights):
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
