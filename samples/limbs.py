"""A left arm in its own space: the shoulder at the origin, the arm along +X, the elbow bends to +Z.

The palm looks down, the thumb forward. `arm.glb` is this arm alone, turned; the biped has two of them.
"""

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from fields import Tube, placed, smooth_union, within
from hand import hand, hand_joints
from skeleton import Joint, joint

Array = NDArray[np.float64]

SHOULDER = np.zeros(3)
ELBOW = np.array([0.285, 0.0, 0.0])
# The forearm is bent a little at rest, so that it is plain which way the elbow goes.
FOREARM = qt.about((0.0, -1.0, 0.0), 8.0)
FOREARM_LENGTH = 0.255
WRIST = ELBOW + qt.rotate(FOREARM, (FOREARM_LENGTH, 0.0, 0.0))
# Where along their bone the twist joints are.
TWISTS = {"upperarm": (0.12, 0.5), "lowerarm": (0.85, 0.5)}

_UPPER = Tube(
    SHOULDER,
    ELBOW,
    (0.0, 0.2, 0.45, 0.75, 1.0),
    (0.060, 0.058, 0.050, 0.043, 0.0405),
    (0.060, 0.057, 0.052, 0.045, 0.041),
    (0.0, 0.0, 0.005, 0.002, 0.0),
    caps=(0.060, 0.041),
)
_LOWER = Tube(
    ELBOW,
    WRIST,
    (0.0, 0.2, 0.5, 0.8, 1.0),
    (0.0395, 0.0415, 0.0355, 0.0260, 0.0215),
    (0.0405, 0.0450, 0.0390, 0.0305, 0.0275),
    (0.0, -0.002, 0.0, 0.0, 0.0),
    caps=(0.040, 0.022),
)
_HAND = placed(within(hand, (0.09, -0.02, 0.02), 0.20), FOREARM, WRIST)


def arm(points: Array) -> Array:
    """Return the field of the arm with its hand."""
    return smooth_union(sleeve(points), _HAND(points), 0.012)


def sleeve(points: Array) -> Array:
    """Return the field of the arm down to the wrist."""
    return smooth_union(_UPPER(points), _LOWER(points), 0.010)


def arm_joints(parent: str | None, side: str) -> list[Joint]:
    """Return the joints of the arm below the joint `parent`; names end in `side`."""
    names = (f"upperarm{side}", f"lowerarm{side}", f"hand{side}")
    fingers = [_moved(j, FOREARM, WRIST) for j in hand_joints(names[2], side)]
    # The hand points at the finger that most of its skin hangs on.
    knuckle = next(j.head for j in fingers if j.name.startswith("middle"))
    result = [joint(names[0], parent, SHOULDER, ELBOW), *_twists("upperarm", side, SHOULDER, ELBOW)]
    result += [joint(names[1], names[0], ELBOW, WRIST), *_twists("lowerarm", side, ELBOW, WRIST)]
    return [*result, joint(names[2], names[1], WRIST, knuckle), *fingers]


def _twists(bone: str, side: str, head: Array, tail: Array) -> list[Joint]:
    return [
        joint(
            f"{bone}_twist_{i + 1:02}{side}",
            bone + side,
            head + share * (tail - head),
            2 * tail - head,
        )
        for i, share in enumerate(TWISTS[bone])
    ]


def placed_joints(joints: list[Joint], turn: Array, offset: Array) -> list[Joint]:
    """Return joints turned about the origin and shifted ``(3,)`` metres."""
    return [_moved(j, turn, offset) for j in joints]


def _moved(old: Joint, turn: Array, offset: Array) -> Joint:
    head, tail = (qt.rotate(turn, p) + offset for p in (old.head, old.tail))
    return joint(old.name, old.parent, head, tail, qt.rotate(turn, old.front))
