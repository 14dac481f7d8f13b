"""Dual quaternions, ``(…, 8)``: real xyzw, then dual xyzw; of a rigid motion ``dual = ½·(t, 0)·real``.

First their algebra, then the products that move many points quickly.
"""

from dataclasses import dataclass

import numpy as np

from rigview.core import quat
from rigview.core.arrays import ComplexArray, FloatArray, IntArray

# Rotations half a turn apart are equally far both ways round, and the sign of their dot product is
# rounding (float32's on the graphics card). Such a one enters as it is, so that rounding never
# decides which way a vertex goes: clips do key turns of exactly 180°.
HALF_TURN = 1e-6

_NONE = np.zeros(0, dtype=np.int64)
# Below this half angle, in radians, what log and exp divide by the angle is taken from their series.
SMALL = 1e-4


def from_rigid(rotation: FloatArray, translation: FloatArray) -> FloatArray:
    """Build from unit quaternions ``(…, 4)`` and translations ``(…, 3)``: rotate, then translate."""
    pure = np.concatenate([translation, np.zeros_like(translation[..., :1])], axis=-1)
    return np.concatenate([rotation, 0.5 * quat.multiply(pure, rotation)], axis=-1)


def translation(dq: FloatArray) -> FloatArray:
    """Return the ``(…, 3)`` translations of unit dual quaternions."""
    return 2.0 * quat.multiply(dq[..., 4:], quat.conjugate(dq[..., :4]))[..., :3]


def transform_points(dq: FloatArray, points: FloatArray) -> FloatArray:
    """Rotate, then translate ``(…, 3)`` points by unit dual quaternions."""
    return quat.rotate(dq[..., :4], points) + translation(dq)


def multiply(q: FloatArray, p: FloatArray) -> FloatArray:
    """Return the product q·p, which applies p first."""
    real = quat.multiply(q[..., :4], p[..., :4])
    dual = quat.multiply(q[..., :4], p[..., 4:]) + quat.multiply(q[..., 4:], p[..., :4])
    return np.concatenate([real, dual], axis=-1)


def conjugate(dq: FloatArray) -> FloatArray:
    """Return the quaternion conjugate of both parts: the inverse of a unit dual quaternion."""
    return np.concatenate([quat.conjugate(dq[..., :4]), quat.conjugate(dq[..., 4:])], axis=-1)


def inverse(dq: FloatArray) -> FloatArray:
    """Return the inverse of any dual quaternions whose real part is not zero.

    With n = q·q̄, the dual number of `dot`, it is q̄ / n, and 1 / (a + εb) = 1/a − εb/a².
    """
    square, mixed = np.moveaxis(dot(dq, dq)[..., None], -2, 0)
    back = conjugate(dq)
    real, dual = back[..., :4] / square, back[..., 4:] / square
    return np.concatenate([real, dual - real * (mixed / square)], axis=-1)


def dot(q: FloatArray, p: FloatArray) -> FloatArray:
    """Return ``(…, 2)`` the dual number that is the scalar product: real part, dual part.

    That of a unit dual quaternion with itself is 1 + 0ε.
    """
    real = np.sum(q[..., :4] * p[..., :4], axis=-1)
    dual = np.sum(q[..., :4] * p[..., 4:], axis=-1) + np.sum(q[..., 4:] * p[..., :4], axis=-1)
    return np.stack([real, dual], axis=-1)


def normalise(dq: FloatArray) -> FloatArray:
    """Divide by the length, a dual number: what is left is a rigid motion.

    The square root of a + εb is √a + εb/(2√a). A zero real part becomes the identity.
    """
    square, mixed = np.moveaxis(dot(dq, dq)[..., None], -2, 0)
    vanished = square <= np.finfo(np.float64).tiny
    square = np.where(vanished, 1.0, square)
    size = np.sqrt(square)
    real, dual = dq[..., :4] / size, dq[..., 4:] / size
    dual = dual - real * (0.5 * mixed / square)
    identity = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    return np.where(vanished, identity, np.concatenate([real, dual], axis=-1))


def log(dq: FloatArray) -> FloatArray:
    """Return ``(…, 6)`` half the screw of unit dual quaternions: half the rotation vector, then the moment.

    The real part is taken as it is: where its w is negative the turn is the longer one.

    Derivation: of the real part (s·n, c) with s = sin h the logarithm is h·n. The dual part is its
    derivative along (d, d_w), a direction in which the length does not change: with f = h/s it is f·d
    plus n·s times −(d_w + f·(n·s)·d)/s².
    """
    vector, w = dq[..., :3], dq[..., 3:4]
    moved, moved_w = dq[..., 4:7], dq[..., 7:8]
    sine = np.linalg.norm(vector, axis=-1, keepdims=True)
    half = np.arctan2(sine, w)
    along = np.sum(vector * moved, axis=-1, keepdims=True)
    small = half < SMALL
    safe = np.where(sine > 0.0, sine, 1.0)
    per_sine = np.where(small, 1.0 + half * half / 6.0, half / safe)
    change = np.where(small, along / 3.0, -(moved_w + per_sine * along) / (safe * safe))
    return np.concatenate([per_sine * vector, per_sine * moved + change * vector], axis=-1)


def exp(screw: FloatArray) -> FloatArray:
    """Return the unit dual quaternions of ``(…, 6)`` half screws: the inverse of `log`."""
    vector, moved = screw[..., :3], screw[..., 3:]
    half = np.linalg.norm(vector, axis=-1, keepdims=True)
    cosine = np.cos(half)
    along = np.sum(vector * moved, axis=-1, keepdims=True)
    small = half < SMALL
    safe = np.where(small, 1.0, half)
    sine = np.where(small, 1.0 - half * half / 6.0, np.sin(half) / safe)
    change = np.where(small, -along / 3.0, (cosine - sine) / (safe * safe) * along)
    parts = [sine * vector, cosine, sine * moved + change * vector, -sine * along]
    return np.concatenate(parts, axis=-1)


def sclerp(start: FloatArray, end: FloatArray, t: FloatArray) -> FloatArray:
    """Interpolate rigid motions along the shorter screw; `t` is ``(…)``, 0 at start, 1 at end."""
    way = multiply(conjugate(start), end)
    way = np.where(way[..., 3:4] < -HALF_TURN, -way, way)
    return multiply(start, exp(np.asarray(t)[..., None] * log(way)))


def as_pairs(dq: FloatArray) -> FloatArray:
    """Return ``(…, 8)``: i times the real part, and twice the dual, as complex pairs.

    With k as the imaginary unit i of complex numbers, a quaternion is b + a·**i** for b = w + z·i and
    a = x + y·i, and the product of two is (b₁b₂ − a₁ā₂) + (b₁a₂ + a₁b̄₂)·**i**. Sums of pairs are the
    pairs of sums, so a palette is turned into pairs before it is blended.

    That the real part's β = i·b and α = i·a are kept spares `PointFactors` half of its products.
    """
    x, y, z, w = np.moveaxis(dq[..., :4], -1, 0)
    real = np.stack([-z, w, -y, x], axis=-1)
    return np.concatenate([real, 2.0 * dq[..., (7, 6, 4, 5)]], axis=-1)


@dataclass(frozen=True, eq=False)
class PointFactors:
    """What β and α of `as_pairs` are multiplied with in q·p, for n points p.

    With c = x + y·i the product's numbers are z·β + i·c̄·α and −z·α − i·c·β.

    Parameters
    ----------
    heights
        ``(2, 2n)`` z and −z, for both halves of a complex number.
    across
        ``(2, n)`` i·c̄ and −i·c.
    """

    heights: FloatArray
    across: ComplexArray

    @classmethod
    def of(cls, points: FloatArray) -> "PointFactors":
        """Return the factors of ``(n, 3)`` points."""
        heights = np.repeat(points[:, 2], 2)
        across = points[:, 1] + 1j * points[:, 0]
        return cls(np.stack([heights, -heights]), np.stack([across, np.conjugate(across)]))


@dataclass(frozen=True, eq=False)
class Room:
    """Where n points are moved: numpy is a fifth quicker in memory that it has just used.

    Parameters
    ----------
    rotation, image, product
        ``(2, n)`` pairs each.
    squares
        ``(2, n)``.
    """

    rotation: ComplexArray
    image: ComplexArray
    product: ComplexArray
    squares: FloatArray

    @classmethod
    def of(cls, count: int) -> "Room":
        """Return room for a number of points."""
        pairs = np.zeros((3, 2, count), dtype=np.complex128)
        return cls(pairs[0], pairs[1], pairs[2], np.zeros((2, count)))

    def __getitem__(self, rows: slice) -> "Room":
        """Return room for some of the points."""
        return Room(
            self.rotation[:, rows],
            self.image[:, rows],
            self.product[:, rows],
            self.squares[:, rows],
        )


def move_points(pairs: FloatArray, factors: PointFactors, room: Room, out: FloatArray) -> IntArray:
    """Rotate and translate points by dual quaternions of any length; return those that cannot be.

    Dividing q + εd by the length of q and applying it is (q·p + 2d)·q̄ / |q|². A product of complex
    numbers is four multiplications for the reads and writes of two, and those are what numpy waits for.

    Parameters
    ----------
    pairs
        ``(n, 8)`` of `as_pairs`, blended.
    out
        ``(n, 3)``: where to; 0 for a point whose q vanished.
    """
    numbers = pairs.view(np.complex128).T
    np.copyto(room.rotation, numbers[:2])
    np.multiply(_halves(room.rotation), factors.heights, out=_halves(room.image))
    np.multiply(room.rotation[::-1], factors.across, out=room.product)
    image = room.image
    image += room.product
    image += numbers[2:]
    return divide(room, out)


def divide(room: Room, out: FloatArray) -> IntArray:
    """Write the vector part of m·q⁻¹; return the points whose q is 0, which become 0.

    Parameters
    ----------
    room
        Holds m as `image`, and β and α of q as `rotation`; both are used up.
    out
        ``(n, 3)``.
    """
    image, rotation, product = room.image, room.rotation, room.product
    # x + y·i is −i (m_a β − m_b α), and z the real part of m_b β̄ + m_a ᾱ.
    np.multiply(image[::-1], rotation, out=product)
    across = np.subtract(product[0], product[1], out=product[0])
    per_square, other = room.squares
    halves = _halves(rotation)
    turned = _halves(image)
    turned *= halves
    _sum_of_quarters(np.square(halves, out=halves), per_square)
    vanished = np.flatnonzero(per_square == 0.0) if not per_square.all() else _NONE
    per_square[vanished] = 1.0
    np.divide(1.0, per_square, out=per_square)
    height = _sum_of_quarters(turned, other)
    np.multiply(height, per_square, out=out[:, 2])
    np.multiply(across.imag, per_square, out=out[:, 0])
    np.multiply(across.real, np.negative(per_square, out=per_square), out=out[:, 1])
    out[vanished] = 0.0
    return vanished


def _halves(numbers: ComplexArray) -> FloatArray:
    """Return ``(2, 2n)`` the real and imaginary parts of ``(2, n)``, by turns."""
    return numbers.view(np.float64)


def _sum_of_quarters(halves: FloatArray, out: FloatArray) -> FloatArray:
    """Sum up the four numbers of each point in ``(2, 2n)``, which are used up."""
    first, second = halves
    first += second
    return np.add(first[0::2], first[1::2], out=out)
