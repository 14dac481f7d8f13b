"""Affine transforms ``(…, 4, 4)``, column vectors: compose, take apart, measure what TRS cannot hold."""

from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, cross, unit

# A stretch nearer to the identity than this is rounding of float32 files, not scale.
RIGID_TOLERANCE = 1e-6
# Below this share of the largest singular value a direction is crushed: no unique rotation is left.
CRUSHED = 1e-9
# A negative determinant nearer to zero than this share of the cubed size is that of a crushed matrix
# with noise on it, not of a reflection.
_REFLECTS = 1e-8
# How far LᵀL may be from a multiple of the identity, as a share: of float32 matrices it is 1e-6.
_SAME_LENGTHS, _LIKE_LENGTHS = 1e-14, 1e-5


class TRS(NamedTuple):
    """Translation ``(…, 3)``, rotation ``(…, 4)`` xyzw and scale ``(…, 3)``; applied scale first."""

    translation: FloatArray
    rotation: FloatArray
    scale: FloatArray


def compose(translation: FloatArray, rotation: FloatArray, scale: FloatArray) -> FloatArray:
    """Return the ``(…, 4, 4)`` matrices T·R·S."""
    matrix = np.zeros((*np.broadcast_shapes(translation.shape, scale.shape)[:-1], 4, 4))
    matrix[..., :3, :3] = quat.to_matrix(rotation) * scale[..., None, :]
    matrix[..., :3, 3] = translation
    matrix[..., 3, 3] = 1.0
    return matrix


def decompose(matrix: FloatArray) -> TRS:
    """Take ``(…, 4, 4)`` matrices apart into the TRS whose columns have the matrix's lengths.

    A reflection goes on local x. Shear cannot be held by a TRS and is lost: measure it first with
    `shear`.
    """
    linear = matrix[..., :3, :3]
    scale = np.linalg.norm(linear, axis=-2)
    mirrored = determinant(linear) < 0.0
    scale = np.where(mirrored[..., None], scale * (-1.0, 1.0, 1.0), scale)
    safe = np.where(np.abs(scale) > np.finfo(np.float64).tiny, scale, 1.0)
    rotation, _ = polar(linear / safe[..., None, :])
    return TRS(matrix[..., :3, 3].copy(), quat.from_matrix(rotation), scale)


def residue(matrices: FloatArray, trs: TRS) -> FloatArray:
    """Return ``(…)`` how much of each matrix its parts do not give back, as a share of its size."""
    linear = np.abs(matrices[..., :3, :3])
    left = np.abs(compose(*trs) - matrices)[..., :3, :3]
    size = np.maximum(linear.max(axis=(-1, -2)), np.finfo(np.float64).tiny)
    return left.max(axis=(-1, -2)) / size


def shear(matrix: FloatArray) -> FloatArray:
    """Return how far the columns are from square to each other: the largest |cosine|, ``(…)``."""
    columns = unit(np.swapaxes(matrix[..., :3, :3], -1, -2))
    gram = columns @ np.swapaxes(columns, -1, -2)
    return np.max(np.abs(gram[..., (0, 0, 1), (1, 2, 2)]), axis=-1)


def inverse(matrix: FloatArray) -> FloatArray:
    """Invert ``(…, 4, 4)`` affine matrices; a singular one gets the pseudo-inverse of its linear part."""
    linear = matrix[..., :3, :3]
    result = np.zeros_like(matrix)
    lost = crushed(linear)
    none = not lost.any()
    inverted = np.linalg.inv(linear if none else np.where(lost[..., None, None], np.eye(3), linear))
    if not none:
        inverted[lost] = np.linalg.pinv(linear[lost], rcond=CRUSHED)
    result[..., :3, :3] = inverted
    result[..., :3, 3] = -np.einsum("...ij,...j->...i", inverted, matrix[..., :3, 3])
    result[..., 3, 3] = 1.0
    return result


def crushed(linear: FloatArray) -> BoolArray:
    """Tell which ``(…, 3, 3)`` matrices map some direction to (almost) nothing, ``(…)``.

    With singular values a ≥ b ≥ c the determinant is at most a²·c: only where it is next to nothing
    are they computed.
    """
    square = np.einsum("...ij,...ij->...", linear, linear)
    suspect = np.asarray(np.abs(determinant(linear)) <= CRUSHED * square**1.5)
    if suspect.any():
        values = np.linalg.svd(linear[suspect], compute_uv=False)
        suspect[suspect] = values[..., 2] <= CRUSHED * values[..., 0]
    return suspect


def transform_points(matrix: FloatArray, points: FloatArray) -> FloatArray:
    """Apply one ``(4, 4)`` matrix to ``(…, 3)`` points."""
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def polar(
    linear: FloatArray, mirror_axis: ArrayLike = (1.0, 0.0, 0.0)
) -> tuple[FloatArray, FloatArray]:
    """Split ``(…, 3, 3)`` matrices into rotation and stretch, ``linear = rotation @ stretch``.

    1. Where the determinant is clearly negative, the reflection F across the plane square to
       `mirror_axis` (``(…, 3)``, in the space the matrix acts on) is taken out first: the singular
       value decomposition of a reflection has no stable rotation (noise of 1e-9 turns 149°).
    2. Where ``LᵀL`` is a multiple of the identity the rotation is L over that length, exactly.
    3. Where it is so but for rounding, X = L over that length is near the rotation, and Newton's
       ``X·(3 − XᵀX)/2`` is nearer: lengths off 1 by e are off by 1.5·e² then, which two steps bring
       from 1e-5 to below 1e-18.
    4. Elsewhere ``L = U Σ Vᵀ`` gives the rotation U·Vᵀ.
    5. The stretch is ``rotationᵀ · linear``, so it carries the reflection, if any.
    """
    proper = linear
    volume = determinant(linear)
    if np.any(volume < 0.0):
        axis = unit(np.asarray(mirror_axis, dtype=np.float64), (1.0, 0.0, 0.0))
        mirrored = volume < -_REFLECTS * np.linalg.norm(linear, axis=(-1, -2)) ** 3
        reflection = np.eye(3) - 2.0 * axis[..., :, None] * axis[..., None, :]
        proper = np.where(mirrored[..., None, None], linear @ reflection, linear)
    gram = np.swapaxes(proper, -1, -2) @ proper
    square = np.einsum("...ii", gram) / 3.0
    length = np.sqrt(square)[..., None, None]
    off = np.max(np.abs(gram - square[..., None, None] * np.eye(3)), axis=(-1, -2))
    rotation: FloatArray = proper / np.where(length > 0.0, length, 1.0)
    stretch: FloatArray
    general = ~(off <= _LIKE_LENGTHS * square) | (square == 0.0)
    rounded = (off > _SAME_LENGTHS * square) & ~general
    if np.any(rounded):
        rotation[rounded] = _squared(_squared(rotation[rounded]))
    if np.any(general):
        u, _, vt = np.linalg.svd(proper[general])
        # A crushed matrix can come out improper: turn the direction that carries no length.
        sign = determinant(u @ vt)
        u[..., :, 2] *= sign[..., None]
        rotation[general] = u @ vt
    stretch = np.swapaxes(rotation, -1, -2) @ linear
    return rotation, stretch


def _squared(near: FloatArray) -> FloatArray:
    """Return the matrices a step nearer to rotations than ``(n, 3, 3)`` that are near ones."""
    return near @ (1.5 * np.eye(3) - 0.5 * (np.swapaxes(near, -1, -2) @ near))


def is_rigid(stretch: FloatArray, tolerance: float = RIGID_TOLERANCE) -> bool:
    """Tell whether every ``(…, 3, 3)`` stretch is the identity to within `tolerance`."""
    return bool(np.all(np.abs(stretch - np.eye(3)) <= tolerance))


def scale_range(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and largest singular value of the linear part, each ``(…)``."""
    values = np.asarray(np.linalg.svd(matrix[..., :3, :3], compute_uv=False), dtype=np.float64)
    return values[..., 2], values[..., 0]


def cofactor(linear: FloatArray) -> FloatArray:
    """Return det(L)·L⁻ᵀ of ``(…, 3, 3)`` matrices: what turns normals, defined also when singular."""
    c0, c1, c2 = linear[..., :, 0], linear[..., :, 1], linear[..., :, 2]
    return np.stack([cross(c1, c2), cross(c2, c0), cross(c0, c1)], axis=-1)


def of_surface(linear: FloatArray) -> tuple[FloatArray, int]:
    """Return what a ``(3, 3)`` matrix does to a surface: the matrix of its normals, and a step.

    Normals stay outside, and triangles whose corners are taken by that step wind about them as before:
    a mirroring matrix turns them round.
    """
    turn = cofactor(linear)
    mirrors = np.sum(linear[:, 0] * turn[:, 0]) < 0.0
    return (-turn, -1) if mirrors else (turn, 1)


def determinant(linear: FloatArray) -> FloatArray:
    """Return ``(…)`` determinants of ``(…, 3, 3)`` matrices, much quicker than by elimination."""
    across = cross(linear[..., :, 1], linear[..., :, 2])
    return np.einsum("...i,...i->...", linear[..., :, 0], across)


def quarter_turns() -> FloatArray:
    """Return ``(24, 3, 3)`` the rotations that take axes to axes."""
    result = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            matrix = np.eye(3)[list(order)] * np.array(signs)[:, None]
            if determinant(matrix) > 0.0:
                result.append(matrix)
    return np.stack(result)
