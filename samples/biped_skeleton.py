"""The biped's joints, named as Unreal names them."""

import numpy as np
from numpy.typing import NDArray

from biped_shape import ANKLE, ARM, BALL, CROWN, HEAD, HIP, KNEE, NECK, SHOULDER, TOE
from limbs import arm_joints, placed_joints
from skeleton import Joint, Skeleton, joint

Array = NDArray[np.float64]

PELVIS = np.array([0.0, 0.950, -0.010])
SPINE = (
    np.array([0.0, 1.040, -0.006]),
    np.array([0.0, 1.150, 0.000]),
    np.array([0.0, 1.270, -0.006]),
)
CLAVICLE = np.array([0.024, 1.452, 0.016])
_UP = (0.0, 1.0, 0.0)


def biped_skeleton() -> Skeleton:
    """Return the joints: trunk, then each limb, the left one before the right one."""
    return Skeleton([*_trunk(), *_both(_arm()), *_both(_leg())])


def _both(left: list[Joint]) -> list[Joint]:
    return [*left, *(j.mirrored() for j in left)]


def _trunk() -> list[Joint]:
    return [
        joint("root", None, np.zeros(3), PELVIS * (0.0, 1.0, 1.0)),
        joint("pelvis", "root", PELVIS, SPINE[0]),
        joint("spine_01", "pelvis", SPINE[0], SPINE[1]),
        joint("spine_02", "spine_01", SPINE[1], SPINE[2]),
        joint("spine_03", "spine_02", SPINE[2], NECK),
        joint("neck_01", "spine_03", NECK, HEAD),
        joint("head", "neck_01", HEAD, CROWN),
    ]


def _arm() -> list[Joint]:
    arm = placed_joints(arm_joints("clavicle_l", "_l"), ARM, SHOULDER)
    return [joint("clavicle_l", "spine_03", CLAVICLE, SHOULDER), *arm]


def _leg() -> list[Joint]:
    twisted = HIP + 0.12 * (KNEE - HIP)
    turned = KNEE + 0.7 * (ANKLE - KNEE)
    return [
        joint("thigh_l", "pelvis", HIP, KNEE),
        joint("thigh_twist_01_l", "thigh_l", twisted, 2.0 * KNEE - HIP),
        joint("calf_l", "thigh_l", KNEE, ANKLE),
        joint("calf_twist_01_l", "calf_l", turned, 2.0 * ANKLE - KNEE),
        joint("foot_l", "calf_l", ANKLE, BALL, _UP),
        joint("ball_l", "foot_l", BALL, TOE, _UP),
    ]
