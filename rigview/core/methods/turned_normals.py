"""Normals of a surface that matrices move: the inverse transpose turns them."""

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, unit
from rigview.core.numeric.blending import Blending

# Where a matrix crushes the surface, what it makes of a unit normal is less than this share of its
# squared size, and its determinant less than this share of the cubed size: rounding (float32's on the
# graphics card), of which neither direction nor sign mean anything.
LOST = 1e-6


def by_sums(blending: Blending, linear: FloatArray, normals: FloatArray) -> FloatArray:
    """Return ``(V, 3)`` unit normals turned by the weighted sums of the joints' ``(J, 3, 3)``."""
    result = np.zeros_like(normals)
    for rows, sums in blending.in_blocks(linear.reshape(-1, 9)):
        result[rows] = by_matrices(sums.reshape(-1, 3, 3), normals[rows])
    return result


def by_matrices(linear: FloatArray, normals: FloatArray) -> FloatArray:
    """Return ``(V, 3)`` unit normals turned by the inverse transpose of ``(V, 3, 3)`` matrices.

    The cofactor matrix is det·L⁻ᵀ and exists also where L is singular; a normal that it sends to
    nothing (`LOST`) stays as it is.
    """
    square = np.einsum("vij,vij->v", linear, linear)[:, None]
    cofactor = affine.cofactor(linear)
    determinant = np.einsum("vi,vi->v", linear[:, :, 0], cofactor[:, :, 0])[:, None]
    mirrored = determinant < -LOST * square**1.5
    turned = np.einsum("vij,vj->vi", cofactor, normals)
    turned = np.where(mirrored, -turned, turned)
    lost = np.einsum("vi,vi->v", turned, turned)[:, None] <= (LOST * square) ** 2
    return unit(np.where(lost, 0.0, turned), unit(normals))
