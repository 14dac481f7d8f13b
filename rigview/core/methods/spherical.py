"""Spherical blend skinning: vertices turn by the blended rotation about a centre that the pose gives.

After Kavan and Žára 2005, "Spherical blend skinning: a real-time deformation of articulated models". With
Q the normalised sum of the joints' quaternions, and r the point of which the images under the vertex's
joints lie nearest to one another,

    v' = Q (v − r) + Σ w_j M_j r,     r = argmin Σ_{a<b} |M_a r − M_b r|²

Of all such points, two joints on a hinge have a line of them, the paper takes the one nearest to the origin
by singular values; here it is the one nearest to the vertex, which gives the same v', by a damped
solution (`DAMPING`), which is continuous where joints come to move as one. It is here for comparison.

Its known faults: all joints of the vertex count alike for r, also those of almost no weight, so that the
surface tears where a joint enters; it bulges as DQS does; and r shoots away where joints turn about axes
that do not meet.
"""

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.methods.binding import Binding
from rigview.core.numeric.blending import Blending

# Joints that turn against each other by much less than the root of this, in radians, have no centre: r is
# the vertex itself, and v' that of linear blending, which differs from it by the square of the angle.
DAMPING = 1e-3


def centres(binding: Binding, matrices: FloatArray, points: FloatArray) -> FloatArray:
    """Return ``(V, 3)`` the rotation centres in mesh space.

    With n joints of sums S = Σ M_a the squares add up to n Σ |M_a r|² − |S r|².

    Parameters
    ----------
    matrices
        ``(J, 3, 4)``.
    points
        ``(V, 3)`` in mesh space.
    """
    counts = np.count_nonzero(binding.weights, axis=1)
    shared = np.flatnonzero(counts > 1)
    centre = points.copy()
    if not len(shared):
        return centre
    members = Blending(binding.joints[shared], (binding.weights[shared] != 0.0).astype(np.float64))
    linear = matrices[:, :, :3]
    products = np.einsum("jia,jib->jab", linear, matrices)
    table = np.concatenate([matrices.reshape(-1, 12), products.reshape(-1, 12)], axis=1)
    sums = members.of_joints(table)
    count, of = counts[shared, None, None], points[shared]
    total = sums[:, :12].reshape(-1, 3, 4)
    square = count * sums[:, 12:].reshape(-1, 3, 4)
    size = np.einsum("vii->v", square[:, :, :3])[:, None, None] / 3.0
    square -= np.swapaxes(total[:, :, :3], 1, 2) @ total
    apart = np.einsum("vab,vb->va", square[:, :, :3], of) + square[:, :, 3]
    damped = square[:, :, :3] + DAMPING * np.where(size > 0.0, size, 1.0) * np.eye(3)
    cofactor = affine.cofactor(damped)
    determinant = np.einsum("vi,vi->v", damped[:, 0], cofactor[:, 0])
    # Symmetric, so that the cofactors need not be transposed.
    moved = np.einsum("vab,vb->va", cofactor, apart) / determinant[:, None]
    centre[shared] -= moved
    return centre
