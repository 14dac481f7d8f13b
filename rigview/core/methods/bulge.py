"""Compensation of the bulge that dual quaternion skinning makes at a bent joint.

After Rudenko 2020, "Dual quaternion skinning with joint-bulge compensation", §2.2 and §4, listing 2,
with the corrections that its own plugin makes and that numbers ask for:

* The sign comes from the hierarchy. As printed (directions from the root outwards, child number above
  the parent's) vertices move outwards: the bulge at 90° grows from .119 to .224 of the radius.
* The displacement runs along the *offset*, the part of the bisector square to the bend axis (the
  plugin, ``DQBlend.compute``); with the bisector of the listing's line 14 a pure twist of 90° shifts a
  vertex by .149 R.
* Influences are chosen by weight, not by slot, and w₃/w₂ is guarded.
* R is the distance to the bone's segment, not to its infinite line.

Listing 1, the basic form, is here too: along the whole bisector, by the second weight as it is, with
no regard to the angle. It moves the skin in the rest pose already.
"""

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.core.methods.binding import Binding

Polynomial = Literal["p1", "p0", "p2", "c1"]
POLYNOMIALS: dict[Polynomial, tuple[float, float, float]] = {
    # Rudenko 2020, formula 4 and listing 2 line 9. Zero at x = ½, so both sides of the joint meet;
    # the slope there is .4 (the text says 0, which nothing needs).
    "p1": (2.2, -9.6, 10.4),
    # Formula 3: leaves least bulge at the thesis's own blend width.
    "p0": (2.29, -9.14, 9.12),
    # The slides of the thesis. −.025 at x = ½, where the two sides of the joint so do not quite meet.
    "p2": (2.2, -8.1, 7.4),
    # Ours: zero and level at x = ½.
    "c1": (2.2, -8.8, 8.8),
}
POLYNOMIAL_NAMES: tuple[Polynomial, ...] = get_args(Polynomial)
# One of the named, or c₁, c₂, c₃ of c₁x + c₂x² + c₃x³.
Profile = Polynomial | tuple[float, float, float]

# How the compensation grows with the angle α between the two joints: `code` is min(1, 2·√(1 − cos α/2)),
# what the thesis's plugin computes; `slide` is min(1, 1.41·sin α/2), what its slides state. They differ
# by up to .067, at 83°. `sine` is sin α, what the thesis's text says, which falls again beyond 90°;
# `linear` is min(1, α/90°), ours: no formula of a linear factor is published that we know of.
AngleFactor = Literal["code", "slide", "sine", "linear"]
ANGLE_FACTORS: tuple[AngleFactor, ...] = get_args(AngleFactor)
SLIDE = 1.41
# The linear factor is one at 90°, half of which is this one's inverse.
WHOLE_FROM = 4.0 / np.pi

# Below this sine of half the relative rotation the bend axis is rounding; the displacement, which
# shrinks with the sine, is then below 2e-7 R. The thesis's own code stops at 1e-3, where it leaves a
# step of 2e-4 R.
STRAIGHT = 1e-6
# Two unit directions whose sum is shorter than this are folded onto each other: what is left of the
# sum is rounding (float32's on the graphics card), and its direction means nothing.
FOLDED = 1e-6


def profile(polynomial: Profile, x: FloatArray) -> FloatArray:
    """Evaluate the polynomial at ``(…)`` shares of the second joint."""
    c1, c2, c3 = POLYNOMIALS[polynomial] if isinstance(polynomial, str) else polynomial
    return x * (c1 + x * (c2 + x * c3))


def basic_amplitudes(binding: Binding, polynomial: Profile) -> FloatArray:
    """Return ``(V,)`` signed lengths of listing 1: ``side · f(w₂) · R``."""
    if binding.weights.shape[1] < 2:
        return np.zeros(len(binding.weights))
    w2 = np.maximum(binding.weights[:, 1], 0.0)
    return binding.side * profile(polynomial, w2) * binding.radius


def amplitudes(binding: Binding, polynomial: Profile) -> FloatArray:
    """Return ``(V,)`` signed lengths: everything of listing 2 that no pose changes.

    ``side · f(x) · (1 − w₃/w₂) · (w₁ + w₂) · R`` with ``x = w₂/(w₁+w₂)``; 0 for a vertex with fewer
    than two joints, or whose two heaviest are not above one another.
    """
    w1, w2, w3 = (
        binding.weights[:, k] if k < binding.weights.shape[1] else np.zeros(len(binding.weights))
        for k in range(3)
    )
    blended = (w2 > 0.0) & (w1 + w2 > 0.0)
    safe_w2 = np.where(blended, w2, 1.0)
    both = np.where(blended, w1 + w2, 1.0)
    x = safe_w2 / both
    result = binding.side * profile(polynomial, x) * (1.0 - w3 / safe_w2) * both * binding.radius
    return np.where(blended, result, 0.0)


def bend(
    first: FloatArray,
    second: FloatArray,
    first_bone: FloatArray,
    second_bone: FloatArray,
    angle_factor: AngleFactor = "code",
) -> FloatArray:
    """Return ``(…, 3)``: the direction of the compensation times the angle factor.

    Parameters
    ----------
    first, second
        ``(…, 4)`` skin rotations of the two heaviest joints.
    first_bone, second_bone
        ``(…, 3)`` their posed bone directions.
    """
    opposed = np.sum(first * second, axis=-1, keepdims=True) < 0.0
    relative = quat.multiply(first, quat.conjugate(np.where(opposed, -second, second)))
    sine = np.linalg.norm(relative[..., :3], axis=-1, keepdims=True)
    axis = relative[..., :3] / np.where(sine > 0.0, sine, 1.0)
    middle = bisector(first_bone, second_bone)
    offset = middle - axis * np.sum(axis * middle, axis=-1, keepdims=True)
    angle = _ANGLES[angle_factor](sine, relative[..., 3:])
    return np.where(sine > STRAIGHT, offset * angle, 0.0)


# Of sine and cosine of half the angle.
_ANGLES: dict[AngleFactor, Callable[[FloatArray, FloatArray], FloatArray]] = {
    # 2·√(1 − w), as 2·sin/√(1 + w): equal, and without cancellation near w = 1.
    "code": lambda sine, w: np.minimum(1.0, 2.0 * sine / np.sqrt(1.0 + w)),
    "slide": lambda sine, _: np.minimum(1.0, SLIDE * sine),
    "sine": lambda sine, w: 2.0 * sine * np.abs(w),
    "linear": lambda sine, w: np.minimum(1.0, WHOLE_FROM * np.arctan2(sine, np.abs(w))),
}


def bisector(first_bone: FloatArray, second_bone: FloatArray) -> FloatArray:
    """Return ``(…, 3)`` unit directions halfway between bones; 0 where they are folded onto each other."""
    both = first_bone + second_bone
    folded = np.linalg.norm(both, axis=-1, keepdims=True) <= FOLDED
    return unit(np.where(folded, 0.0, both))


def displacement(
    binding: Binding,
    amplitude: FloatArray,
    rotations: FloatArray,
    bone_directions: FloatArray,
    angle_factor: AngleFactor = "code",
) -> FloatArray:
    """Return ``(V, 3)``: how far each vertex is moved at full strength.

    Parameters
    ----------
    amplitude
        ``(V,)`` of `amplitudes`.
    rotations
        ``(J, 4)`` skin rotations.
    bone_directions
        ``(J, 3)`` posed unit directions of the bones.
    """
    (first, second), pair_of = binding.leading
    direction = bend(
        rotations[first],
        rotations[second],
        bone_directions[first],
        bone_directions[second],
        angle_factor,
    )
    return _along(direction, pair_of, amplitude)


def basic_displacement(
    binding: Binding, amplitude: FloatArray, bone_directions: FloatArray
) -> FloatArray:
    """Return ``(V, 3)`` of listing 1 at full strength; `amplitude` is that of `basic_amplitudes`."""
    (first, second), pair_of = binding.leading
    middle = bisector(bone_directions[first], bone_directions[second])
    return _along(middle, pair_of, amplitude)


def _along(direction: FloatArray, pair_of: IntArray, amplitude: FloatArray) -> FloatArray:
    """Return ``(V, 3)``: each vertex's amplitude along its pair's direction ``(P, 3)``."""
    with_none = np.concatenate([direction, np.zeros((1, 3))])
    result = np.take(with_none, pair_of, axis=0)
    flat = result.reshape(-1)  # a row of three would be a loop of its own
    flat *= np.repeat(amplitude, 3)
    return result
