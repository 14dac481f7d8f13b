"""From where a joint's deformation is seen best: a direction to look in, a centre and a radius."""

from typing import NamedTuple

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.measures.joint_meter import JointMeter, JointPose

# A bend below this share of the twist is shown as a twist.
_BENDS = 0.35
# Share of a region's vertices at either end that do not count for its extent.
_TORN = 0.05
# How much more than the region is shown, as a multiple of its radius.
_AROUND = 1.3
# Directions tried about the limb for a twist.
_TRIED = 16


class SideView(NamedTuple):
    """A view in model space.

    Parameters
    ----------
    direction
        ``(3,)`` unit, from the eye to the centre.
    centre
        ``(3,)`` what to look at, metres.
    radius
        Of the ball about it that is to be seen, metres.
    """

    direction: FloatArray
    centre: FloatArray
    radius: float


def side_view(
    meter: JointMeter, pose: JointPose, region: int, positions: FloatArray | None = None
) -> SideView:
    """Return the view that shows a region in a pose, the eye outside of the body.

    A bend is seen along the axis of its swing, a twist square to the bone. Of the two ways along an axis,
    and of the ways about a bone, that one is taken with least skin of the same character before the region.

    Parameters
    ----------
    positions
        ``(3, W)`` posed welded vertices (`WeldedSkin.posed`); else the bones stand for the body.
    """
    regions = meter.regions
    of = regions.each[region]
    joint, parent = int(regions.joints[region]), int(regions.parents[region])
    bones = pose.motion.bones
    body = bones.heads.T if positions is None else positions
    points = bones.heads[[joint]].T if positions is None else positions[:, of.vertices]
    # A vertex that is torn off shall not make the joint small in the picture.
    low, high = np.quantile(points, (_TORN, 1.0 - _TORN), axis=1)
    centre = 0.5 * (low + high)
    size = float(np.linalg.norm(high - low)) / 2.0
    radius = _AROUND * max(size, of.size * float(pose.scales[region]))
    bend, twist = pose.turns[region].tolist()
    swing = pose.motion.swings(
        regions.joints[[region]], regions.parents[[region]], regions.axes[[region]]
    )
    axis = quat.rotate(pose.motion.rotations[parent], quat.rotation_vector(swing)[0])
    bone = quat.rotate(pose.motion.rotations[parent], of.limb)
    if bend >= _BENDS * abs(twist) and np.linalg.norm(axis) > 0.0:
        tried = np.stack([unit(axis), -unit(axis)])
    else:
        tried = _about(bone)
    covered = np.array([_covered(body, centre, radius, eye) for eye in tried])
    outward = tried @ unit(centre - body.mean(axis=1))
    best = int(np.lexsort((-outward, covered))[0])
    return SideView(-tried[best], centre, radius)


def _about(bone: FloatArray) -> FloatArray:
    """Return ``(16, 3)`` directions square to a bone."""
    across = unit(np.cross(bone, np.eye(3)[int(np.argmin(np.abs(bone)))]))
    other = np.cross(bone, across)
    angles = 2.0 * np.pi * np.arange(_TRIED) / _TRIED
    return np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * other


def _covered(body: FloatArray, centre: FloatArray, radius: float, eye: FloatArray) -> int:
    """Return how many of ``(3, n)`` points lie between an eye far away and a ball."""
    offset = body - centre[:, None]
    depth = eye @ offset
    beside = np.einsum("in,in->n", offset, offset) - depth**2
    return int(np.count_nonzero((depth > radius) & (beside < radius**2)))
