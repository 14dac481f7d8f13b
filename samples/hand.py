"""A left hand in its own space: the wrist at the origin, fingers along +X, thumb side +Z, palm −Y."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from fields import Field, Tube, capsule, ellipsoid, smooth_union
from skeleton import Joint, joint
from surface_nets import Grid, spaced

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Finger:
    """One finger at rest.

    Parameters
    ----------
    knuckle
        ``(3,)`` its first joint, metres.
    spread
        Degrees from +X towards the thumb side.
    droop
        Degrees that the three bones point towards the palm.
    lengths
        Of the three bones, metres; the last ends in the middle of the round tip.
    radii
        At the three joints and the tip, metres.
    """

    name: str
    knuckle: tuple[float, float, float]
    spread: float
    droop: tuple[float, float, float]
    lengths: tuple[float, float, float]
    radii: tuple[float, float, float, float]

    def joints(self) -> Array:
        """Return ``(4, 3)`` the three joints and the tip."""
        turn = qt.about((0.0, 1.0, 0.0), -self.spread)
        points = [np.array(self.knuckle)]
        for droop, length in zip(self.droop, self.lengths, strict=True):
            bone = qt.rotate(qt.about((0.0, 0.0, 1.0), -droop), (length, 0.0, 0.0))
            points.append(points[-1] + qt.rotate(turn, bone))
        return np.array(points)

    def field(self) -> Field:
        """Return the finger's solid."""
        ends = self.joints()
        bones = [capsule(ends[i], ends[i + 1], *self.radii[i : i + 2]) for i in range(3)]

        def solid(points: Array) -> Array:
            first, second, third = (bone(points) for bone in bones)
            return smooth_union(smooth_union(first, second, 0.003), third, 0.003)

        return solid


FINGERS = (
    Finger(
        "thumb",
        (0.026, -0.008, 0.026),
        44,
        (20, 12, 8),
        (0.046, 0.036, 0.024),
        (0.0145, 0.0122, 0.0108, 0.009),
    ),
    Finger(
        "index",
        (0.094, 0.001, 0.031),
        6,
        (9, 14, 16),
        (0.042, 0.027, 0.019),
        (0.0105, 0.0095, 0.0088, 0.0076),
    ),
    Finger(
        "middle",
        (0.097, 0.003, 0.006),
        0.5,
        (9, 14, 16),
        (0.048, 0.031, 0.0205),
        (0.0108, 0.0098, 0.009, 0.0078),
    ),
    Finger(
        "ring",
        (0.092, 0.001, -0.018),
        -5.5,
        (10, 16, 18),
        (0.043, 0.028, 0.019),
        (0.0104, 0.0094, 0.0087, 0.0075),
    ),
    Finger(
        "pinky",
        (0.083, -0.003, -0.040),
        -13,
        (12, 17, 18),
        (0.034, 0.021, 0.017),
        (0.0094, 0.0083, 0.0077, 0.0068),
    ),
)
# How far along the hand the palm's skin has become the fingers': the webs between them.
WEB = 0.010


def palm(points: Array) -> Array:
    """Return the field of wrist and palm."""
    knuckles = [np.array(f.knuckle) for f in FINGERS[1:]]
    result = _WRIST(points)
    for knuckle in knuckles:
        root = np.array([0.012, 0.0, 0.45 * knuckle[2]])
        bone = Tube(
            root, knuckle - np.array([0.004, 0.001, 0.0]), (0, 1), (0.0155, 0.0118), (0.014, 0.0125)
        )
        result = smooth_union(result, bone(points), 0.016)
    result = smooth_union(result, _BALL(points), 0.02)
    return smooth_union(result, _EDGE(points), 0.02)


_BALL = ellipsoid((0.044, -0.013, 0.026), (0.028, 0.0125, 0.015))  # of the thumb
_EDGE = ellipsoid((0.042, -0.009, -0.026), (0.034, 0.012, 0.011))  # opposite to it
_WRIST = Tube((-0.05, 0.0, 0.0), (0.016, 0.0, 0.0), (0, 1), (0.0215, 0.0195), (0.0275, 0.027))


def hand(points: Array) -> Array:
    """Return the field of the whole hand; fingers melt into the palm but not into each other."""
    flesh = palm(points)
    result = flesh
    for finger in FINGERS:
        width = 0.016 if finger.name == "thumb" else WEB
        limb = smooth_union(flesh, finger.field()(points), width)
        result = smooth_union(result, limb, 0.002)
    return result


def hand_joints(wrist: str, side: str) -> list[Joint]:
    """Return the fingers' joints below the joint `wrist`; names end in `side`."""
    result = []
    for finger in FINGERS:
        ends = finger.joints()
        parent = wrist
        front = (0.0, 1.0, 0.0) if finger.name == "thumb" else (0.0, 0.0, 1.0)
        for i in range(3):
            name = f"{finger.name}_{i + 1:02}{side}"
            result.append(joint(name, parent, ends[i], ends[i + 1], front))
            parent = name
    return result


def hand_grid(palm_cell: float, finger_cell: float, height: float, width: float) -> Grid:
    """Return a grid for `net` that begins at the wrist; the cells of the palm may be longer.

    Parameters
    ----------
    palm_cell, finger_cell, height, width
        Sizes of the cells along the hand, through it and across it, metres.
    """
    first = spaced(0.0, 0.075, palm_cell)
    along = np.concatenate([first, spaced(first[-1] + finger_cell, 0.23, finger_cell)])
    return along, spaced(-0.09, 0.05, height), spaced(-0.08 + 0.33 * width, 0.13, width)
