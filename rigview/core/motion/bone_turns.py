"""The bend and the twist of a joint against rest, split about its bone, and the rotation that gives them.

With r the joint's local rotation at rest and p the posed one, the change is c = r⁻¹ · p, in the joint's own
frame. It is split into swing · twist, the twist about the bone.
"""

from dataclasses import dataclass

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.deform import Deformer
from rigview.core.pose import Pose

# Below this angle in degrees a swing does not tell its axis.
_STILL = 0.05
Angles = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class BoneTurn:
    """A change of a joint's rotation against rest.

    Parameters
    ----------
    bend, twist
        Degrees; the bend about `hinge`, the twist about the bone.
    hinge
        ``(3,)`` unit axis square to the bone, in the frame of the joint at rest.
    """

    bend: float
    twist: float
    hinge: FloatArray


def bone_axis(deformer: Deformer, joint: int) -> FloatArray:
    """Return the ``(3,)`` unit direction of a joint's bone at rest, in the frame of the joint."""
    rest = deformer.rest.model_from_node[joint]
    bone = deformer.rest_bones.directions[deformer.skeleton.places[joint]]
    return unit(affine.polar(rest[:3, :3])[0].T @ bone)


def square_axis(deformer: Deformer, joint: int) -> FloatArray:
    """Return the joint's own axis that is most across its bone, made square to it."""
    bone = bone_axis(deformer, joint)
    own = np.eye(3)[int(np.argmin(np.abs(bone)))]
    return unit(own - bone * (bone @ own))


def bone_turn(
    deformer: Deformer, pose: Pose, joint: int, hinge: FloatArray, forward: FloatArray | None = None
) -> BoneTurn:
    """Return how a joint is turned against rest in a pose.

    Parameters
    ----------
    hinge
        ``(3,)`` the axis where the joint is not bent.
    forward
        ``(3,)`` the bend is positive about axes that lie on its side; `hinge` where None.
    """
    bone = bone_axis(deformer, joint)
    swing, about = quat.swing_twist(_change(deformer, pose, joint), bone)
    half = np.arctan2(about[:3] @ bone, about[3])
    twist = np.degrees(np.remainder(2.0 * half + np.pi, 2.0 * np.pi) - np.pi)
    turned = quat.rotation_vector(swing)
    bend = float(np.degrees(np.linalg.norm(turned)))
    if bend < _STILL:
        return BoneTurn(0.0, float(twist), hinge)
    axis = turned / np.linalg.norm(turned)
    if axis @ (hinge if forward is None else forward) < 0.0:
        bend, axis = -bend, -axis
    return BoneTurn(bend, float(twist), axis)


def trial_for(
    deformer: Deformer, pose: Pose, trial: Angles, joint: int, wanted: BoneTurn
) -> Angles:
    """Return the trial degrees under which a joint has a wanted bend and twist.

    Parameters
    ----------
    pose
        The pose on show, with the trial rotation in it.
    trial
        Degrees about the joint's x, y and z that are in the pose.
    """
    swing = quat.from_axis_angle(wanted.hinge, np.radians(wanted.bend))
    about = quat.from_axis_angle(bone_axis(deformer, joint), np.radians(wanted.twist))
    rest = quat.normalise(deformer.rig.nodes.rotations[joint])
    return trial_to(pose, trial, joint, quat.multiply(rest, quat.multiply(swing, about)))


def trial_to(pose: Pose, trial: Angles, joint: int, wanted: FloatArray) -> Angles:
    """Return the trial degrees under which a joint has a local rotation ``(4,)``; else as `trial_for`."""
    tried = quat.from_euler(np.radians(np.array(trial)))
    local = quat.normalise(pose.rotations[joint])
    before = quat.multiply(local, quat.conjugate(tried))
    x, y, z = np.degrees(quat.to_euler(quat.multiply(quat.conjugate(before), wanted))).tolist()
    return x, y, z


def _change(deformer: Deformer, pose: Pose, joint: int) -> FloatArray:
    rest = quat.normalise(deformer.rig.nodes.rotations[joint])
    return quat.multiply(quat.conjugate(rest), quat.normalise(pose.rotations[joint]))
