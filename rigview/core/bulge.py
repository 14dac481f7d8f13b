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
"""

from typing import Literal, get_args

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.binding import Binding

Polynomial = Literal["p1", "p0", "c1"]
POLYNOMIALS: dict[Polynomial, tuple[float, float, float]] = {
    # Rudenko 2020, formula 4 and listing 2 line 9. Zero at x = ½, so both sides of the joint meet;
    # the slope there is .4 (the text says 0, which nothing needs).
    "p1": (2.2, -9.6, 10.4),
    # Formula 3: leaves least bulge at the thesis's own blend width.
    "p0": (2.29, -9.14, 9.12),
    # Ours: zero and level at x = ½.
    "c1": (2.2, -8.8, 8.8),
}
POLYNOMIAL_NAMES: tuple[Polynomial, ...] = get_args(Polynomial)

# Below this sine of half the relative rotation the bend axis is rounding; the displacement, which
# shrinks with the sine, is then below 2e-7 R. The thesis's own code stops at 1e-3, where it leaves a
# step of 2e-4 R.
STRAIGHT = 1e-6
# Two unit directions whose sum is shorter than this are folded onto each other: what is left of the
# sum is rounding (float32's on the graphics card), and its direction means nothing.
FOLDED = 1e-6


def amplitudes(binding: Binding, polynomial: Polynomial) -> FloatArray:
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
    c1, c2, c3 = POLYNOMIALS[polynomial]
    share = x * (c1 + x * (c2 + x * c3))
    result = binding.side * share * (1.0 - w3 / safe_w2) * both * binding.radius
    return np.where(blended, result, 0.0)


def bend(
    first: FloatArray, second: FloatArray, first_bone: FloatArray, second_bone: FloatArray
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
    # Bones folded onto each other have no bisector: they are not compensated.
    both = first_bone + second_bone
    folded = np.linalg.norm(both, axis=-1, keepdims=True) <= FOLDED
    bisector = unit(np.where(folded, 0.0, both))
    offset = bisector - axis * np.sum(axis * bisector, axis=-1, keepdims=True)
    # The code's factor 2·√(1 − w), as 2·sin/√(1 + w): equal, and without cancellation near w = 1.
    angle = np.minimum(1.0, 2.0 * sine / np.sqrt(1.0 + relative[..., 3:]))
    return np.where(~folded & (sine > STRAIGHT), offset * angle, 0.0)


def displacement(
    binding: Binding,
    amplitude: FloatArray,
    rotations: FloatArray,
    bone_directions: FloatArray,
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
    result = np.zeros((len(amplitude), 3))
    moved = np.flatnonzero(amplitude)
    if not len(moved):
        return result
    first, second = binding.joints[moved, 0], binding.joints[moved, 1]
    direction = bend(
        rotations[first], rotations[second], bone_directions[first], bone_directions[second]
    )
    result[moved] = amplitude[moved, None] * direction
    return result
