"""Weights of an arm and its hand, in the arm's own space (`bone_frames`)."""

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from hand import FINGERS, Finger, palm
from limbs import ELBOW, FOREARM, SHOULDER, WRIST
from weights import Flow, beyond, step

Array = NDArray[np.float64]

# Half widths of the blends, metres: about .6 of the limb's radius, where the thesis's formula is best.
AT_ELBOW, AT_WRIST = 0.024, 0.013
AT_KNUCKLES, AT_THUMB, AT_WEB = (0.0075, 0.0050, 0.0042), 0.013, 0.0035
# Where along the bone one twist joint hands over to the next, and over which width.
UPPER_SHARES, LOWER_SHARES, TWIST_WIDTH = (0.24, 0.58), (0.33, 0.68), 0.09


def arm_weights(flow: Flow, points: Array, side: str) -> None:
    """Hand on what the upper arm has, down to the finger tips.

    Parameters
    ----------
    points
        ``(V, 3)`` in the arm's space, metres.
    side
        What the joints' names end in.
    """
    along = qt.rotate(FOREARM, (1.0, 0.0, 0.0))
    upper, lower, hand = (f"{bone}{side}" for bone in ("upperarm", "lowerarm", "hand"))
    flow.give(upper, lower, beyond(points, ELBOW, along + qt.unit(ELBOW - SHOULDER), AT_ELBOW))
    flow.give(lower, hand, beyond(points, WRIST, along, AT_WRIST))
    local = qt.rotate(qt.conjugate(FOREARM), points - WRIST)
    first = {f"{f.name}_01{side}": s for f, s in zip(FINGERS, finger_shares(local), strict=True)}
    flow.spread(hand, first)
    for finger in FINGERS:
        _finger(flow, finger, local, side)
    place = along_bone(points, SHOULDER, ELBOW)
    flow.give(upper, f"upperarm_twist_01{side}", 1.0 - step(place - UPPER_SHARES[0], TWIST_WIDTH))
    flow.give(upper, f"upperarm_twist_02{side}", 1.0 - step(place - UPPER_SHARES[1], TWIST_WIDTH))
    place = along_bone(points, ELBOW, WRIST)
    flow.give(lower, f"lowerarm_twist_01{side}", step(place - LOWER_SHARES[1], TWIST_WIDTH))
    flow.give(lower, f"lowerarm_twist_02{side}", step(place - LOWER_SHARES[0], TWIST_WIDTH))


def along_bone(points: Array, head: Array, tail: Array) -> Array:
    """Return ``(V,)`` how far along a bone points are, 0 at its head and 1 at its tail."""
    bone = tail - head
    return np.sum((points - head) * bone, axis=1) / np.sum(bone * bone)


def finger_shares(local: Array) -> list[Array]:
    """Return per finger ``(V,)`` how far the skin of the hand follows it.

    Beyond a knuckle it follows the nearest finger; between two, in the web, both.

    Parameters
    ----------
    local
        ``(V, 3)`` in the hand's space.
    """
    distances = np.stack([finger.field()(local) for finger in FINGERS])
    flesh = palm(local)
    shares = []
    for i, finger in enumerate(FINGERS):
        others = np.min(np.delete(distances, i, axis=0), axis=0)
        bone = np.diff(finger.joints(), axis=0)[0]
        share = step(others - distances[i], AT_WEB)
        if finger.name == "thumb":
            # The thumb's first bone lies in the palm, and only the skin on its side follows it.
            share *= step(flesh - distances[i], 0.006)
            share *= beyond(local, np.array(finger.knuckle), bone, AT_THUMB)
        else:
            share *= beyond(local, np.array(finger.knuckle), bone, AT_KNUCKLES[0])
        shares.append(share)
    return shares


def _finger(flow: Flow, finger: Finger, local: Array, side: str) -> None:
    """Hand on what a finger's first bone has to the second and the third."""
    ends = finger.joints()
    bones = qt.unit(np.diff(ends, axis=0))
    for i in (1, 2):
        share = beyond(local, ends[i], bones[i] + bones[i - 1], AT_KNUCKLES[i])
        flow.give(f"{finger.name}_{i:02}{side}", f"{finger.name}_{i + 1:02}{side}", share)


def is_hand(joint: str) -> bool:
    """Return whether a joint is a hand or a finger."""
    return joint.startswith(("hand", *(finger.name for finger in FINGERS)))
