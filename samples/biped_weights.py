"""Weights of the biped's skin: worked out for the left half, mirrored to the right."""

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from arm_weights import along_bone, arm_weights, is_hand
from biped_shape import ANKLE, ARM, BALL, HEAD, HIP, KNEE, NECK, SHOULDER, placed_arm, trunk
from biped_skeleton import SPINE
from skeleton import Skeleton, other_side
from surface_nets import Net
from weights import Flow, beyond, smoothed, step

Array = NDArray[np.float64]
UP = (0.0, 1.0, 0.0)


def biped_weights(net: Net, image: NDArray[np.int64], skeleton: Skeleton) -> Array:
    """Return ``(V, J)`` weights.

    Parameters
    ----------
    net, image
        The skin and the mirror image of every vertex; the left half comes first (`whole`).
    """
    half = int(np.count_nonzero(net.points[:, 0] >= 0.0))
    points = net.points[:half]
    flow = Flow(skeleton.names, half, "pelvis")
    _arm(flow, points)
    _leg(flow, points)
    _trunk(flow, points)
    middle = points[:, 0] == 0.0
    faces = np.all(net.triangles < half, axis=1)
    # The hand's blends are narrower than smoothing would leave them.
    hand = flow.dense[:, [is_hand(name) for name in skeleton.names]].sum(axis=1) > 0.01
    left = smoothed(flow.dense, net.triangles[faces], rounds=2, held=middle | hand)
    sided = [i for i, name in enumerate(skeleton.names) if name != other_side(name)]
    # Skin in the middle follows neither side.
    left[np.ix_(middle, sided)] = 0.0
    swap = [skeleton.number(_opposite(name)) for name in skeleton.names]
    result = np.zeros((len(net.points), len(skeleton)))
    result[:half] = left
    result[half:] = left[image[half:]][:, swap]
    return result


def _opposite(name: str) -> str:
    return f"{name[:-2]}_l" if name.endswith("_r") else other_side(name)


def _arm(flow: Flow, points: Array) -> None:
    """Give clavicle and arm their shares of what the trunk has."""
    outwards = qt.rotate(ARM, (1.0, 0.0, 0.0)) + np.array([0.6, 0.0, 0.0])
    own = step(trunk(points) - placed_arm(points) - 0.002, 0.020)
    arm = beyond(points, SHOULDER, outwards, 0.022) * own
    top = beyond(points, np.array([0.085, 0.0, 0.0]), (1.0, 0.0, 0.0), 0.03)
    top *= step(points[:, 1] - 1.405, 0.03) * (1.0 - step(points[:, 1] - 1.515, 0.008))
    girdle = 1.0 - (1.0 - arm) * (1.0 - 0.9 * top)
    flow.give("pelvis", "clavicle_l", girdle)
    flow.give("clavicle_l", "upperarm_l", arm / np.maximum(girdle, 1e-9))
    arm_weights(flow, qt.rotate(qt.conjugate(ARM), points - SHOULDER), "_l")


def _leg(flow: Flow, points: Array) -> None:
    """Give the leg its share of what is left to the pelvis."""
    hip = beyond(points, HIP, (0.5, -0.866, 0.0), 0.034)
    flow.give("pelvis", "thigh_l", hip)
    flow.give("thigh_l", "calf_l", beyond(points, KNEE, ANKLE - HIP, 0.030))
    flow.give("calf_l", "foot_l", beyond(points, ANKLE, (0.0, -0.92, 0.38), 0.015))
    flow.give("foot_l", "ball_l", beyond(points, BALL, (0.0, 0.0, 1.0), 0.012))
    thigh = 1.0 - step(along_bone(points, HIP, KNEE) - 0.36, 0.10)
    flow.give("thigh_l", "thigh_twist_01_l", thigh)
    flow.give("calf_l", "calf_twist_01_l", step(along_bone(points, KNEE, ANKLE) - 0.55, 0.10))


def _trunk(flow: Flow, points: Array) -> None:
    """Spread the rest over spine, neck and head."""
    below = "pelvis"
    for i, (height, width) in enumerate(zip(SPINE, (0.034, 0.036, 0.040), strict=True)):
        joint = f"spine_{i + 1:02}"
        flow.give(below, joint, beyond(points, height, UP, width))
        below = joint
    # Beside the neck the shoulders are as high as it is.
    column = 1.0 - step(points[:, 0] - 0.080, 0.014) * (1.0 - step(points[:, 1] - 1.53, 0.010))
    flow.give(below, "neck_01", beyond(points, NECK, (0.0, 0.93, 0.37), 0.022) * column)
    flow.give("neck_01", "head", beyond(points, HEAD, (0.0, 0.85, 0.53), 0.017))
