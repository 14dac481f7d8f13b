"""Unit dual quaternions, ``(…, 8)``: real xyzw, then dual xyzw with ``dual = ½·(t, 0)·real``."""

import numpy as np

from rigview.core import quat
from rigview.core.arrays import ComplexArray, FloatArray, IntArray

IDENTITY = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)

# Rotations half a turn apart are equally far both ways round, and the sign of their dot product is
# rounding (float32's on the graphics card). Such a one enters as it is, so that rounding never
# decides which way a vertex goes: clips do key turns of exactly 180°.
HALF_TURN = 1e-6

# A quaternion as two complex numbers, w + z·i and x + y·i.
_WZXY = (3, 2, 0, 1)


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


def as_pairs(dq: FloatArray) -> FloatArray:
    """Return ``(…, 8)``: the real part and twice the dual as complex pairs, for `move_points`.

    With k as the imaginary unit i of complex numbers, a quaternion is b + a·**i** for b = w + z·i and
    a = x + y·i, and the product of two is (b₁b₂ − a₁ā₂) + (b₁a₂ + a₁b̄₂)·**i**. Sums of pairs are the
    pairs of sums, so a palette is turned into pairs before it is blended.
    """
    return np.concatenate([dq[..., _WZXY], 2.0 * dq[..., 4:][..., _WZXY]], axis=-1)


def rotation_of_pairs(pairs: FloatArray) -> FloatArray:
    """Return the unit quaternions ``(…, 4)`` of pairs of any length; the identity where it is 0."""
    return quat.normalise(pairs[..., (2, 3, 1, 0)])


def point_factors(points: FloatArray) -> ComplexArray:
    """Return ``(2, 2, V)``: what b (first) and a (second) are multiplied with in q·p, as pairs."""
    on_b, on_a = factors = np.zeros((2, 2, len(points)), dtype=np.complex128)
    on_b[0].imag = points[:, 2]
    on_b[1].real, on_b[1].imag = points[:, 0], points[:, 1]
    on_a[0].real, on_a[0].imag = -points[:, 0], points[:, 1]
    on_a[1].imag = -points[:, 2]
    return factors


def move_points(pairs: FloatArray, factors: ComplexArray) -> FloatArray:
    """Return ``(V, 3)``: points rotated and translated by dual quaternions of any length.

    Dividing q + εd by the length of q and applying it is (q·p + 2d)·q̄ / |q|². A product of complex
    numbers is four multiplications for the reads and writes of two, and those are what numpy waits for.

    Parameters
    ----------
    pairs
        ``(V, 8)`` of `as_pairs`, blended; a point whose q vanished stays.
    factors
        ``(2, 2, V)`` of `point_factors`.
    """
    numbers = pairs.view(np.complex128)
    rotation = np.ascontiguousarray(numbers[:, :2].T)
    image = rotation[0] * factors[0]
    image += rotation[1] * factors[1]
    image += numbers[:, 2:].T
    moved, vanished = vector_over(image, rotation)
    if len(vanished):
        on_b = factors[0][:, vanished]
        moved[vanished] = np.stack([on_b[1].real, on_b[1].imag, on_b[0].imag], axis=1)
    return moved


def vector_over(image: ComplexArray, rotation: ComplexArray) -> tuple[FloatArray, IntArray]:
    """Return ``(V, 3)``, the vector part of m·q⁻¹, and the vertices whose q is 0: there it is 0.

    Parameters
    ----------
    image, rotation
        ``(2, V)`` pairs of the quaternions m and q. Both are used up.
    """
    b, a = rotation
    # Times the conjugate b̄ − a·**i**; of the first number only the imaginary part is asked for.
    xy = image[1] * b
    xy -= image[0] * a
    squares = np.square(rotation.view(np.float64))
    squares[0] += squares[1]
    square = squares[0, 0::2] + squares[0, 1::2]
    vanished = np.flatnonzero(square == 0.0)
    square[vanished] = 1.0
    np.conjugate(rotation, out=rotation)
    image *= rotation
    result = np.zeros((len(xy), 3))
    np.divide(xy.real, square, out=result[:, 0])
    np.divide(xy.imag, square, out=result[:, 1])
    np.divide(image[0].imag + image[1].imag, square, out=result[:, 2])
    result[vanished] = 0.0
    return result, vanished
