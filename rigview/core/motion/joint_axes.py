"""The axes about which joints flex, swing and twist, found from the skeleton alone.

Weights have no say, so that two files of one skeleton are posed alike whatever their meshes are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from rigview.core import affine, bones, quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.bones import Segments, Skeleton
from rigview.core.motion.four_legs import LegJoint, flexion, standing_legs
from rigview.core.motion.joint_limits import Direction, JointLimits, LimitTable
from rigview.core.names import body_parts, side
from rigview.core.rig import Rig

_SIGNS = {"left": 1, "right": -1, None: 0}
# A bone nearer to the direction it should bend towards than this sine cannot tell where to bend.
_ALONG = 0.3
# A matrix with more shear than this is no TRS, so its node cannot be turned by a clip.
_SHEARED = 1e-4
# Joints of the column that the trunk's bones follow, rather than an arm or a leg.
_COLUMN = ("spine", "neck", "head")
# More than any rig has joints: a child that leads to the head is primary.
_LEADS_TO_THE_HEAD = 1e6
# Fingers curled by less than this sine at rest do not show which way the palm looks.
_CURLED = np.sin(np.radians(2.0))


@dataclass(frozen=True)
class JointAxes:
    """Axes of a joint in its own frame, unit, and its limits."""

    flex: FloatArray
    swing: FloatArray
    twist: FloatArray
    limits: JointLimits

    def turns(self, angles: FloatArray) -> FloatArray:
        """Return ``(n, 4)`` the turns by ``(n, 3)`` flex, swing and twist in degrees.

        The twist comes first, then swing, then flex.
        """
        flexed, swung, twisted = (
            quat.from_axis_angle(axis, np.radians(column))
            for axis, column in zip((self.flex, self.swing, self.twist), angles.T, strict=True)
        )
        return quat.multiply(flexed, quat.multiply(swung, twisted))


def joint_axes(rig: Rig, rest_nodes: FloatArray, table: LimitTable) -> dict[int, JointAxes]:
    """Return the joints to move, parents first, each with its axes.

    Parameters
    ----------
    rest_nodes
        ``(N, 4, 4)`` ``model_from_node`` at rest.
    """
    parts = body_parts(rig)
    skeleton, segments = rest_bones(rig, rest_nodes, parts)
    directions = dict(zip(rig.joints, segments.directions, strict=True))
    rotations, _ = affine.polar(rest_nodes[:, :3, :3])
    body = _Body.of(rig, rest_nodes)
    legs = standing_legs(rig, skeleton, segments, body.up, body.forward)
    palms = _palms(rig, parts, directions, body)
    result = {}
    for joint, of_name in table.of_rig(rig).items():
        if not _can_move(rig, joint):
            continue
        sign = _SIGNS[side(rig.body_name(joint))]
        leg = legs.get(joint)
        limits = of_name if leg is None else _of_leg(table, leg)
        towards = palms.get(joint) if leg is None else leg.towards
        in_model = body.axes(directions[joint], limits, sign, towards)
        flex, swing, twist = (rotations[joint].T @ axis for axis in in_model)
        result[joint] = JointAxes(flex, swing, twist, limits)
    return result


def rest_bones(
    rig: Rig, rest_nodes: FloatArray, parts: Mapping[int, str | None]
) -> tuple[Skeleton, Segments]:
    """Return the bones at rest in model space, one per joint of the rig, whatever weights say.

    The primary child is the one that leads to the head, else the one with most joints below it, then
    the one with the longer bone, then the first in file order. A head's bone goes on as the neck's does.
    """
    counts = {
        joint: 1.0 + _LEADS_TO_THE_HEAD * (parts.get(joint) in _COLUMN) for joint in rig.joints
    }
    found = bones.skeleton(rig, rest_nodes, counts)
    heads = [place for place, joint in enumerate(rig.joints) if parts.get(joint) == "head"]
    primary = found.primary.copy()
    primary[heads] = -1
    skeleton = replace(found, primary=primary)
    frames = rest_nodes[list(rig.joints)]
    size = bones.box_diagonal(frames[:, :3, 3])
    return skeleton, bones.segments(skeleton, frames[:, :3, 3], frames[:, :3, :3], size)


def _of_leg(table: LimitTable, leg: LegJoint) -> JointLimits:
    limits = table.animal[leg.row]
    if leg.towards is None:
        return limits
    direction, *least_most = limits.flex
    least, most = flexion((least_most[0], least_most[1]), leg.inner, table.hinge_reach)
    return replace(limits, flex=(direction, least, most))


def _palms(
    rig: Rig,
    parts: Mapping[int, str | None],
    directions: Mapping[int, FloatArray],
    body: "_Body",
) -> dict[int, FloatArray]:
    """Return hand or finger → the unit direction in which the hand closes, where the skeleton tells it.

    Fingers close the way they are curled at rest; straight ones of a hand that hangs down close towards
    the body. Any other hand closes downward, as the table says.
    """
    bends: dict[int, list[FloatArray]] = {}
    members: dict[int, list[int]] = {}
    for joint, part in parts.items():
        if part != "finger":
            continue
        above = [a for a in rig.nodes.ancestors(joint) if parts.get(a) == "hand"]
        if not above:
            continue
        members.setdefault(above[0], []).append(joint)
        parent = rig.joint_parents[joint]
        if parts.get(parent) == "finger":
            over, bone = directions[parent], directions[joint]
            bends.setdefault(above[0], []).append(bone - over * (over @ bone))
    palms: dict[int, FloatArray] = {}
    for hand, fingers in members.items():
        curl = np.mean([np.zeros(3), *bends.get(hand, [])], axis=0)
        if np.linalg.norm(curl) > _CURLED:
            palms |= dict.fromkeys((hand, *fingers), unit(curl))
        elif np.linalg.norm(np.cross(directions[hand], body.up)) < _ALONG:
            inward = -_SIGNS[side(rig.body_name(hand))] * body.left
            palms |= dict.fromkeys((hand, *fingers), inward)
    return palms


def _can_move(rig: Rig, joint: int) -> bool:
    """Return whether a joint hangs on another and a clip can state its turn."""
    if rig.joint_parents[joint] < 0:
        return False
    matrix = rig.nodes.matrices.get(joint)
    return matrix is None or float(affine.shear(matrix)) <= _SHEARED


@dataclass(frozen=True)
class _Body:
    """Which way the body faces in model space: unit vectors."""

    left: FloatArray
    up: FloatArray
    forward: FloatArray

    @classmethod
    def of(cls, rig: Rig, model_from_node: FloatArray) -> "_Body":
        """Find it from where left and right joints are; else as glTF says, facing +Z."""
        heads = model_from_node[:, :3, 3]
        up = np.array([0.0, 1.0, 0.0])
        sides = np.array([_SIGNS[side(rig.body_name(joint))] for joint in rig.joints])
        across = np.array([1.0, 0.0, 0.0])
        if np.any(sides > 0) and np.any(sides < 0):
            of_joints = heads[list(rig.joints)]
            apart = of_joints[sides > 0].mean(axis=0) - of_joints[sides < 0].mean(axis=0)
            across = unit(apart - up * (apart @ up), across)
        return cls(across, up, np.cross(across, up))

    def axes(
        self, bone: FloatArray, limits: JointLimits, where: int, towards: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return flex, swing and twist axes of a bone.

        Parameters
        ----------
        where
            +1 on the left, −1 on the right.
        towards
            Direction in which the bone flexes; None where the limits say it.
        """
        sign = -1.0 if where < 0 else 1.0
        flexes = self._direction(limits.flex[0], sign) if towards is None else towards
        flex = np.cross(bone, flexes)
        if np.linalg.norm(flex) < _ALONG:
            flex = np.cross(bone, self.forward)
        if np.linalg.norm(flex) < _ALONG:
            flex = np.cross(bone, -self.up)
        flex = unit(flex)
        swing = np.cross(bone, self._direction(limits.swing[0], sign))
        swing = swing - flex * (flex @ swing)
        if np.linalg.norm(swing) < _ALONG:
            # Cross products of mirrored vectors are mirrored with the other sign.
            swing = sign * np.cross(flex, bone)
        return flex, unit(swing), sign * bone

    def _direction(self, direction: Direction, sign: float) -> FloatArray:
        match direction:
            case "forward":
                return self.forward
            case "back":
                return -self.forward
            case "up":
                return self.up
            case "down":
                return -self.up
        return sign * self.left
