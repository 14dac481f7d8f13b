"""A clip that takes every joint of a rig through its range: flex, swing, twist, and bend with twist.

Joints of one kind and depth move together, so left and right do, and joints that no table knows by
generations; all fingers move at once. A step takes joints to one extreme; every group ends at rest,
and the last steps bend everything at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.clip import Channel, Clip, Sampler
from rigview.core.deform import Deformer
from rigview.core.motion.joint_limits import Direction, Limits, LimitTable
from rigview.core.names import side
from rigview.core.nodes import Nodes
from rigview.core.pose import sample
from rigview.core.rig import Rig

NAME = "Range of motion"
# From one extreme to the next, seconds: ten frames at 30 to the second.
STEP = 1.0 / 3.0
# Bends below this many degrees are none.
LEAST = 1.0
# Bend and twist together reach this share of their limits: joints do not go to all ends at once.
COMBINED = 0.7
# … and with all joints at once this share, lest the body folds into itself.
ALL_TOGETHER = 0.4
# A clip that turns no joint by more is tame: the knee of a walk turns this far, a squat twice.
TAME = np.radians(60.0)
_SIGNS = {"left": 1, "right": -1, None: 0}
# A bone nearer to the direction it should bend towards than this sine cannot tell where to bend.
_ALONG = 0.3
# A matrix with more shear than this is no TRS, so its node cannot be turned by a clip.
_SHEARED = 1e-4


@dataclass(frozen=True)
class Step:
    """What is reached at a time: the nodes that move, and the extreme in words."""

    time: float
    joints: tuple[int, ...]
    label: str


@dataclass(frozen=True)
class RangeOfMotion:
    """The clip, and what each of its keys shows."""

    clip: Clip
    steps: tuple[Step, ...]

    def at(self, time: float) -> Step | None:
        """Return the step nearest to a time."""
        return min(self.steps, key=lambda step: abs(step.time - time), default=None)


# Flex, swing and twist in degrees.
_Angles = tuple[float, float, float]


@dataclass(frozen=True)
class _Axes:
    """A joint's axes in its own frame, unit, and its limits."""

    flex: FloatArray
    swing: FloatArray
    twist: FloatArray
    limits: Limits

    def turns(self, angles: FloatArray) -> FloatArray:
        """Return ``(n, 4)`` the turns by ``(n, 3)`` flex, swing and twist in degrees.

        The twist comes first, then swing, then flex.
        """
        flexed, swung, twisted = (
            quat.from_axis_angle(axis, np.radians(column))
            for axis, column in zip((self.flex, self.swing, self.twist), angles.T, strict=True)
        )
        return quat.multiply(flexed, quat.multiply(swung, twisted))


def range_of_motion(rig: Rig, table: LimitTable) -> RangeOfMotion:
    """Make the clip for a rig; it has no channels where no joint can be moved."""
    axes = _axes(rig, Ground.of(Deformer(rig)), table)
    groups = _groups(rig, axes)
    score = _Score(rig, axes)
    for joints in groups:
        score.rest(joints)
        for label, share in _poses([axes[j].limits for j in joints]):
            score.reach(label, joints, share)
        score.time += STEP
        score.rest(joints)
    if len(groups) > 1:
        score.rest(tuple(axes))
        for label, share in _TOGETHER:
            score.reach(label, tuple(axes), share)
        score.time += STEP
        score.rest(tuple(axes))
    return RangeOfMotion(score.clip(), tuple(score.steps))


@dataclass(frozen=True, eq=False)
class Ground:
    """What of a rig the clip depends on: its joints at rest, their names, and what they carry.

    Parameters
    ----------
    humanoid
        As the rig has it.
    rest_nodes
        ``(N, 4, 4)`` ``model_from_node`` at rest.
    directions
        ``(J, 3)`` of the bones at rest, in model space, one per joint of the rig.
    carrying
        The joints with any weight in their subtrees.
    """

    nodes: Nodes
    joints: tuple[int, ...]
    humanoid: dict[int, str]
    rest_nodes: FloatArray
    directions: FloatArray
    carrying: frozenset[int]

    @classmethod
    def of(cls, deformer: Deformer) -> "Ground":
        """Take it from what is known of a rig."""
        rig, bones = deformer.rig, deformer.rest_bones
        return cls(
            rig.nodes,
            rig.joints,
            rig.humanoid,
            deformer.rest_nodes,
            bones.directions,
            _carrying(deformer),
        )

    def is_like(self, other: "Ground") -> bool:
        """Tell whether another rig has the same range of motion."""
        return (
            self.joints == other.joints
            and self.humanoid == other.humanoid
            and self.nodes.names == other.nodes.names
            and self.nodes.rests_like(other.nodes)
            and self.carrying == other.carrying
            and np.array_equal(self.directions, other.directions)
        )


@dataclass(frozen=True)
class _Share:
    """Which extremes a step goes to: +1 the most, −1 the least, or a part of them."""

    flex: float = 0.0
    swing: float = 0.0
    twist: float = 0.0

    def of(self, limits: Limits) -> _Angles:
        """Return flex, swing and twist in degrees."""
        pairs = ((self.flex, limits.flex[1:]), (self.swing, limits.swing[1:]))
        flex, swing = (abs(s) * (most if s > 0.0 else least) for s, (least, most) in pairs)
        least, most = limits.twist
        return flex, swing, abs(self.twist) * (most if self.twist > 0.0 else least)


class _Score:
    """Keys under construction, at a time that goes on."""

    def __init__(self, rig: Rig, axes: dict[int, _Axes]) -> None:
        self._rig, self._axes = rig, axes
        self._keys: dict[int, list[tuple[float, _Angles]]] = {}
        self.steps: list[Step] = []
        self.time = 0.0

    def _key(self, joint: int, angles: _Angles) -> None:
        keys = self._keys.setdefault(joint, [])
        if not keys or keys[-1][0] < self.time:
            keys.append((self.time, angles))

    def rest(self, joints: tuple[int, ...]) -> None:
        """Have joints at rest now."""
        for joint in joints:
            self._key(joint, (0.0, 0.0, 0.0))

    def reach(self, label: str, joints: tuple[int, ...], share: "_Share") -> None:
        """Let joints be at a share of their limits one step later."""
        self.time += STEP
        self.steps.append(Step(self.time, joints, label))
        for joint in joints:
            self._key(joint, share.of(self._axes[joint].limits))

    def clip(self) -> Clip:
        """Return what was written."""
        channels = []
        for joint, keys in self._keys.items():
            times, angles = zip(*keys, strict=True)
            turns = self._axes[joint].turns(np.array(angles))
            values = quat.multiply(self._rig.nodes.rotations[joint], turns)
            sampler = Sampler(np.array(times), quat.normalise(values))
            channels.append(Channel(joint, "rotation", sampler))
        return Clip(NAME, tuple(channels))


_SINGLE = (
    ("flex", _Share(flex=1.0)),
    ("extend", _Share(flex=-1.0)),
    ("swing", _Share(swing=1.0)),
    ("swing back", _Share(swing=-1.0)),
    ("twist", _Share(twist=1.0)),
    ("twist back", _Share(twist=-1.0)),
)
_BOTH = (
    ("flex and twist", _Share(flex=COMBINED, twist=COMBINED)),
    ("flex and twist back", _Share(flex=COMBINED, twist=-COMBINED)),
)
_TOGETHER = (
    ("everything flexed and twisted", _Share(flex=ALL_TOGETHER, twist=ALL_TOGETHER)),
    ("everything extended and swung", _Share(flex=-ALL_TOGETHER, swing=ALL_TOGETHER)),
)


def _poses(limits: list[Limits]) -> Iterator[tuple[str, _Share]]:
    """Yield the extremes to which any of these joints goes."""

    def reaches(share: _Share) -> bool:
        return any(max(map(abs, share.of(one))) >= LEAST for one in limits)

    yield from ((label, share) for label, share in _SINGLE if reaches(share))
    twists = any(max(map(abs, one.twist)) >= LEAST for one in limits)
    bends = any(one.flex[2] >= LEAST for one in limits)
    if twists and bends:
        yield from _BOTH


def _groups(rig: Rig, axes: dict[int, _Axes]) -> list[tuple[int, ...]]:
    """Return the joints that move at once, from the body's middle outwards."""
    groups: dict[tuple[str, int], list[int]] = {}
    for joint, own in axes.items():
        limits = own.limits
        depth = int(rig.nodes.depths[joint])
        name = (limits.together, 0) if limits.together else (limits.id, depth)
        groups.setdefault(name, []).append(joint)
    return [tuple(joints) for joints in groups.values()]


def _axes(rig: Rig, ground: Ground, table: LimitTable) -> dict[int, _Axes]:
    """Return the joints to move, parents first, each with its axes."""
    directions, model = dict(zip(ground.joints, ground.directions, strict=True)), ground.rest_nodes
    rotations, _ = affine.polar(model[:, :3, :3])
    body = _Body.of(rig, model)
    result = {}
    for joint, limits in table.of_rig(rig).items():
        if not _can_move(rig, joint) or joint not in ground.carrying:
            continue
        where = _SIGNS[side(rig.body_name(joint))]
        in_model = body.axes(directions[joint], limits, where)
        flex, swing, twist = (rotations[joint].T @ axis for axis in in_model)
        result[joint] = _Axes(flex, swing, twist, limits)
    return result


def _can_move(rig: Rig, joint: int) -> bool:
    """Tell whether a turn of the joint deforms anything and a clip can state it."""
    if rig.joint_parents[joint] < 0:
        return False
    matrix = rig.nodes.matrices.get(joint)
    return matrix is None or float(affine.shear(matrix)) <= _SHEARED


def _carrying(deformer: Deformer) -> frozenset[int]:
    """Return the joints that have any weight in their subtree; all in a rig without mesh."""
    weights = deformer.total_weights
    if not any(weights.values()):
        return frozenset(weights)
    carrying = {joint for joint, weight in weights.items() if weight > 0.0}
    return frozenset(deformer.rig.nodes.with_ancestors(carrying).intersection(weights))


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
        self, bone: FloatArray, limits: Limits, where: int
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return flex, swing and twist axes of a bone; `where` is +1 on the left, −1 on the right."""
        sign = -1.0 if where < 0 else 1.0
        flex = np.cross(bone, self._direction(limits.flex[0], sign))
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


def largest_bend(rig: Rig, clip: Clip) -> float:
    """Return the largest angle in radians by which a clip's keys turn a joint, not a root, from rest.

    A clip below `TAME` shows little of what a rig does.
    """
    joints = [joint for joint in rig.joints if rig.joint_parents[joint] >= 0]
    if not joints or not len(clip.key_times):
        return 0.0
    turned = sample(rig, clip, clip.key_times).rotations[:, joints]
    return float(quat.angle_between(turned, rig.nodes.rotations[joints]).max())


def with_clip(rig: Rig, clip: Clip) -> Rig:
    """Return the rig with one clip more.

    A node that the clip moves and that stated a matrix states the TRS that it is: what a clip moves
    may have no matrix (glTF 2.0, section 3.11).
    """
    moved = {channel.node for channel in clip.channels}
    matrices = {node: m for node, m in rig.nodes.matrices.items() if node not in moved}
    stated = len(matrices) < len(rig.nodes.matrices)
    nodes = replace(rig.nodes, matrices=matrices) if stated else rig.nodes
    return replace(rig, nodes=nodes, clips=(*rig.clips, clip)).made_of(rig)
