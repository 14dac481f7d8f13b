"""A clip that takes every joint of a rig through its range: flex, swing, twist, and bend with twist.

Joints of one kind and depth move together, so left and right do, and joints that no table knows by
generations; all fingers move at once. A step takes joints to one extreme; every group ends at rest,
and the last steps bend everything at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rigview.core import quat
from rigview.core.brief import brief_repr
from rigview.core.clip import Channel, Clip, Marker
from rigview.core.motion.joint_axes import JointAxes, joint_axes
from rigview.core.motion.joint_limits import JointLimits, LimitTable
from rigview.core.nodes import Nodes
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler

NAME = "Range of motion"
# From one extreme to the next, seconds: ten frames at 30 to the second.
STEP = 1.0 / 3.0
# Bends below this many degrees are none.
LEAST = 1.0
# Bend and twist together reach this share of their limits: joints do not go to all ends at once.
COMBINED = 0.7
# … and with all joints at once this share, lest the body folds into itself.
ALL_TOGETHER = 0.4


@dataclass(frozen=True)
class RomPose:
    """What is reached at a time.

    Parameters
    ----------
    joints
        The nodes that move.
    label
        The extreme in words: flex, twist back …
    name
        Which joints go there: "lower arm: flex".
    """

    time: float
    joints: tuple[int, ...]
    label: str
    name: str


@dataclass(frozen=True)
class RangeOfMotion:
    """The clip, and what each of its keys shows."""

    __repr__ = brief_repr

    clip: Clip
    steps: tuple[RomPose, ...]

    def at(self, time: float) -> RomPose | None:
        """Return the step nearest to a time."""
        return min(self.steps, key=lambda step: abs(step.time - time), default=None)


# Flex, swing and twist in degrees.
_Angles = tuple[float, float, float]


def range_of_motion(rig: Rig, table: LimitTable) -> RangeOfMotion:
    """Make the clip for a rig; it has no channels where no joint can be moved."""
    axes = joint_axes(rig, model_from_nodes(rig, rest_pose(rig)), table)
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
class RestSkeleton:
    """What of a rig its range of motion depends on: joints at rest and their names.

    Parameters
    ----------
    humanoid
        As the rig has it.
    """

    nodes: Nodes
    joints: tuple[int, ...]
    humanoid: dict[int, str]

    @classmethod
    def of(cls, rig: Rig) -> "RestSkeleton":
        """Return the skeleton of a rig."""
        return cls(rig.nodes, rig.joints, rig.humanoid)

    def is_like(self, other: "RestSkeleton") -> bool:
        """Return whether another rig has the same range of motion."""
        return (
            self.joints == other.joints
            and self.humanoid == other.humanoid
            and self.nodes.names == other.nodes.names
            and self.nodes.rests_like(other.nodes)
        )


@dataclass(frozen=True)
class _Share:
    """Which extremes a step goes to: +1 the most, −1 the least, or a part of them."""

    flex: float = 0.0
    swing: float = 0.0
    twist: float = 0.0

    def of(self, limits: JointLimits) -> _Angles:
        """Return flex, swing and twist in degrees."""
        pairs = ((self.flex, limits.flex[1:]), (self.swing, limits.swing[1:]))
        flex, swing = (abs(s) * (most if s > 0.0 else least) for s, (least, most) in pairs)
        least, most = limits.twist
        return flex, swing, abs(self.twist) * (most if self.twist > 0.0 else least)


class _Score:
    """Keys under construction, at a time that goes on."""

    def __init__(self, rig: Rig, axes: dict[int, JointAxes]) -> None:
        self._rig, self._axes = rig, axes
        self._keys: dict[int, list[tuple[float, _Angles]]] = {}
        self.steps: list[RomPose] = []
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
        self.steps.append(RomPose(self.time, joints, label, f"{self._whose(joints)}{label}"))
        for joint in joints:
            self._key(joint, share.of(self._axes[joint].limits))

    def _whose(self, joints: tuple[int, ...]) -> str:
        """Return "lower arm: ", or the name of a joint that moves alone; empty for the whole body."""
        if len(joints) == 1:
            return f"{self._rig.nodes.label(joints[0])}: "
        kinds = {self._axes[joint].limits.id for joint in joints}
        if len(kinds) == 1 and "other" not in kinds:
            return f"{kinds.pop().replace('_', ' ')}: "
        together = {self._axes[joint].limits.together for joint in joints}
        return f"{together.pop()}: " if len(together) == 1 and "" not in together else ""

    def clip(self) -> Clip:
        """Return what was written."""
        channels = []
        for joint, keys in self._keys.items():
            times, angles = zip(*keys, strict=True)
            turns = self._axes[joint].turns(np.array(angles))
            values = quat.multiply(self._rig.nodes.rotations[joint], turns)
            sampler = Sampler(np.array(times), quat.normalise(values))
            channels.append(Channel(joint, "rotation", sampler))
        names = [Marker(step.time, step.name) for step in self.steps]
        return Clip(NAME, tuple(channels), tuple(names))


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


def _poses(limits: list[JointLimits]) -> Iterator[tuple[str, _Share]]:
    """Yield the extremes to which any of these joints goes."""

    def reaches(share: _Share) -> bool:
        return any(max(map(abs, share.of(one))) >= LEAST for one in limits)

    yield from ((label, share) for label, share in _SINGLE if reaches(share))
    twists = any(max(map(abs, one.twist)) >= LEAST for one in limits)
    bends = any(one.flex[2] >= LEAST for one in limits)
    if twists and bends:
        yield from _BOTH


def _groups(rig: Rig, axes: dict[int, JointAxes]) -> list[tuple[int, ...]]:
    """Return the joints that move at once, from the body's middle outwards."""
    groups: dict[tuple[str, int], list[int]] = {}
    for joint, own in axes.items():
        limits = own.limits
        depth = int(rig.nodes.depths[joint])
        name = (limits.together, 0) if limits.together else (limits.id, depth)
        groups.setdefault(name, []).append(joint)
    return [tuple(joints) for joints in groups.values()]


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
