"""The biped's left half as fields: trunk, head, leg, and the arm of `bone_frames` put in its place.

It stands on the ground, 1.8 m high, looks along +Z, its left is +X. What is written here is the half at
x ≥ 0; every field sees |x|, so the other half is its mirror image.
"""

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from fields import Field, Tube, capsule, ellipsoid, placed, smooth_cut, smooth_union
from limbs import arm

Array = NDArray[np.float64]

# Joints of the skeleton that shapes hang on, metres.
HIP = np.array([0.088, 0.925, 0.0])
KNEE = np.array([0.099, 0.505, 0.012])
ANKLE = np.array([0.106, 0.085, -0.012])
BALL = np.array([0.113, 0.022, 0.118])
TOE = np.array([0.117, 0.020, 0.175])
SHOULDER = np.array([0.182, 1.428, -0.014])
NECK, HEAD, CROWN = (
    np.array([0.0, 1.492, -0.022]),
    np.array([0.0, 1.592, -0.002]),
    np.array([0.0, 1.80, 0.0]),
)
# The arms hang 35° below the horizontal, half way from a T to hanging down, where shoulders deform best.
ARM = qt.about((0.0, 0.0, 1.0), -35.0)

_TRUNK_HEIGHTS = (0.87, 0.94, 1.02, 1.11, 1.21, 1.31, 1.39, 1.45, 1.51)
_TRUNK = Tube(
    (0.0, 0.87, 0.0),
    (0.0, 1.51, 0.0),
    [(y - 0.87) / 0.64 for y in _TRUNK_HEIGHTS],
    (0.128, 0.152, 0.147, 0.132, 0.140, 0.157, 0.155, 0.120, 0.058),
    (0.088, 0.102, 0.096, 0.091, 0.102, 0.114, 0.106, 0.086, 0.056),
    (-0.008, -0.010, -0.002, 0.004, 0.004, 0.000, -0.007, -0.017, -0.026),
    caps=(0.040, 0.030),
)
_MUSCLES = (
    # chest, shoulder blade, seat, shoulder line; the width of each blend
    (ellipsoid((0.080, 1.354, 0.056), (0.080, 0.060, 0.034), -12.0, 10.0), 0.06),
    (ellipsoid((0.090, 1.335, -0.076), (0.066, 0.100, 0.034)), 0.08),
    (ellipsoid((0.070, 0.910, -0.056), (0.074, 0.085, 0.060)), 0.07),
    (capsule((0.02, 1.490, -0.030), (0.175, 1.434, -0.020), 0.046, 0.046), 0.06),
)
_NECK = Tube(
    (0.0, 1.42, -0.030),
    (0.0, 1.62, 0.008),
    (0.0, 0.4, 1.0),
    (0.062, 0.054, 0.052),
    (0.060, 0.056, 0.056),
)
_THIGH = Tube(
    HIP,
    KNEE,
    (0.0, 0.15, 0.4, 0.7, 0.9, 1.0),
    (0.070, 0.078, 0.074, 0.060, 0.053, 0.0505),
    (0.086, 0.091, 0.083, 0.066, 0.057, 0.0545),
    (-0.004, 0.000, 0.008, 0.006, 0.004, 0.003),
    caps=(0.09, 0.05),
)
_CALF = Tube(
    KNEE,
    ANKLE,
    (0.0, 0.12, 0.3, 0.55, 0.8, 1.0),
    (0.0495, 0.051, 0.053, 0.044, 0.034, 0.032),
    (0.053, 0.054, 0.057, 0.048, 0.038, 0.036),
    (0.002, -0.005, -0.014, -0.011, -0.003, 0.0),
    caps=(0.05, 0.04),
)
_UP = (0.0, 1.0, 0.0)
_FOOT = (
    ellipsoid((0.106, 0.045, -0.034), (0.035, 0.055, 0.042)),
    Tube(
        (0.106, 0.060, -0.015),
        (0.115, 0.026, 0.115),
        (0.0, 0.5, 1.0),
        (0.034, 0.040, 0.047),
        (0.046, 0.040, 0.030),
        front=_UP,
    ),
    Tube(
        (0.115, 0.022, 0.110),
        (0.116, 0.018, 0.162),
        (0.0, 1.0),
        (0.047, 0.040),
        (0.027, 0.023),
        front=_UP,
        caps=(0.02, 0.026),
    ),
)
_SKULL = ellipsoid((0.0, 1.702, -0.008), (0.077, 0.098, 0.096))
_FACE = ellipsoid((0.0, 1.658, 0.034), (0.057, 0.066, 0.064), -10.0)
_NOSE = capsule((0.0, 1.706, 0.083), (0.0, 1.660, 0.100), 0.009, 0.0115)
_JAW = capsule((0.044, 1.640, 0.010), (0.012, 1.603, 0.068), 0.022, 0.021)
_CHIN = ellipsoid((0.0, 1.600, 0.074), (0.022, 0.019, 0.019))
_LIP = ellipsoid((0.0, 1.630, 0.078), (0.026, 0.020, 0.018))
_EYE = ellipsoid((0.031, 1.683, 0.113), (0.040, 0.014, 0.026), roll=-4.0)


def mirror(field: Field) -> Field:
    """Return a field that is symmetric: at −x what it is at x."""
    return lambda points: field(np.concatenate([np.abs(points[:, :1]), points[:, 1:]], axis=1))


def trunk(points: Array) -> Array:
    """Return the field from seat to shoulders."""
    result = _TRUNK(points)
    for muscle, width in _MUSCLES:
        result = smooth_union(result, muscle(points), width)
    return result


def head(points: Array) -> Array:
    """Return the field of neck and head."""
    result = smooth_union(_SKULL(points), _FACE(points), 0.05)
    result = smooth_union(result, _JAW(points), 0.035)
    result = smooth_union(result, _CHIN(points), 0.03)
    result = smooth_union(result, _LIP(points), 0.02)
    result = smooth_cut(result, _EYE(points), 0.024)
    result = smooth_union(result, _NOSE(points), 0.013)
    return smooth_union(result, _NECK(points), 0.025)


def foot(points: Array) -> Array:
    """Return the field of a foot with a level sole."""
    heel, middle, toes = (part(points) for part in _FOOT)
    result = smooth_union(smooth_union(heel, middle, 0.03), toes, 0.02)
    return smooth_cut(result, points[:, 1], 0.012)


def leg(points: Array) -> Array:
    """Return the field of a leg."""
    shank = smooth_union(_CALF(points), foot(points), 0.03)
    return smooth_union(_THIGH(points), shank, 0.010)


placed_arm = placed(arm, ARM, SHOULDER)


@mirror
def body(points: Array) -> Array:
    """Return the field of the whole biped."""
    result = smooth_union(trunk(points), head(points), 0.04)
    result = smooth_union(result, leg(points), 0.045)
    return smooth_union(result, placed_arm(points), 0.045)
