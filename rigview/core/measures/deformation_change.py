"""What other weights change about how joints deform: the same poses measured before and after.

A region is the vertices that a joint blends, so other weights make other regions. After the change each
pose is therefore measured twice, in the regions of the old weights and in those of the new ones, and the
worse value counts: a fold that leaves the old region is seen, and a region that is gone hides nothing.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.measures.joint_measures import MEASURES, OF_ANY_SHAPE, SCANNED
from rigview.core.measures.joint_meter import JointMeter, JointPose
from rigview.core.measures.joint_scan import angles_over, telling_times
from rigview.core.measures.scan import scan_times
from rigview.core.measures.worst_poses import APART, PINCHES
from rigview.core.methods.posed import Skinned
from rigview.core.motion.range_of_motion import RangeOfMotion
from rigview.core.pose import Pose, sample
from rigview.core.rig import Rig
from rigview.core.skinning import ASKED, Options

# Poses of all clips together, and of the range of motion.
OF_CLIPS, OF_MOTION = 16, 24
# Severities that differ by less are the same. Weights that differ by rounding (1e-4) let vertices at the
# border of a region join it or leave it, which moved severities of biped.glb by up to 0.032.
SAME = 0.04

Progress = Callable[[str, float], None]
Verdict = Literal["better", "worse", "same"]


@dataclass(frozen=True, eq=False)
class TriedPose:
    """A pose of a clip, and what people call it: "frame 15 of Walk"."""

    words: str
    clip: Clip
    time: float
    pose: Pose

    @classmethod
    def of_clip(cls, rig: Rig, clip: Clip, time: float) -> "TriedPose":
        """Return a pose of a rig's clip, by its frame or second."""
        fps = rig.origin.fps
        at = f"frame {time * fps:.0f}" if fps else f"{time:.2f} s"
        return cls(f"{at} of {clip.name}" if clip.name else at, clip, time, sample(rig, clip, time))

    @classmethod
    def of_motion(cls, rig: Rig, clip: Clip, time: float) -> "TriedPose":
        """Return a pose of a range of motion, by the name of its step."""
        marker = clip.marker_at(time)
        words = f"{time:.2f} s" if marker is None else f"“{marker.name}”"
        return cls(words, clip, time, sample(rig, clip, time))


def tried_poses(
    meter: JointMeter,
    motion: RangeOfMotion | None,
    joints: Collection[int],
    most: tuple[int, int] = (OF_CLIPS, OF_MOTION),
) -> list[TriedPose]:
    """Return the poses of a rig's clips and of a range of motion that turn some joints furthest.

    Parameters
    ----------
    joints
        Nodes; a step of the range of motion that moves none of them is left out.
    most
        Poses of all clips together, and of the range of motion.
    """
    rig = meter.deformer.rig
    own = [i for i, region in enumerate(meter.regions.each) if region.joint in joints]
    clips = [(clip, scan_times(clip)) for clip in rig.clips]
    places = [(clip, float(time)) for clip, times in clips for time in times]
    result: list[TriedPose] = []
    if own and places:
        angles = np.concatenate([angles_over(meter, clip, times)[:, own] for clip, times in clips])
        turned = np.flatnonzero(angles.reshape(len(angles), -1).max(axis=1) >= APART)
        for i in telling_times(angles[turned], most[0]):
            clip, time = places[int(turned[i])]
            result.append(TriedPose.of_clip(rig, clip, time))
    if motion is not None:
        steps = [step for step in motion.steps if not set(joints).isdisjoint(step.joints)]
        chosen = np.unique(np.linspace(0, len(steps) - 1, most[1]).round().astype(np.int64))
        result += [
            TriedPose.of_motion(rig, motion.clip, steps[i].time)
            for i in (chosen.tolist() if steps else ())
        ]
    return result


@dataclass(frozen=True)
class Extreme:
    """The worst value of a measure at a joint, its severity, and the number of the pose."""

    value: float
    severity: float
    pose: int


@dataclass(frozen=True)
class MeasureChange:
    """One measure at one joint; None where it has no value."""

    joint: int
    measure: str
    before: Extreme | None
    after: Extreme | None

    @property
    def rise(self) -> float:
        """By how much the severity rises; below 0 where the joint deforms better."""
        return severity_of(self.after) - severity_of(self.before)

    @property
    def crosses(self) -> bool:
        """Whether it is beyond its limit now and was not before."""
        return severity_of(self.after) >= 1.0 > severity_of(self.before)


def severity_of(extreme: Extreme | None) -> float:
    """Return the severity of a value; 0 where there is none."""
    return 0.0 if extreme is None else extreme.severity


@dataclass(frozen=True, eq=False)
class Readings:
    """All poses measured in the regions of one meter.

    Parameters
    ----------
    joints
        ``(R,)`` node of each region.
    values, severities
        Measure → ``(T, R)``; severities are −∞ where a value says nothing about the joint.
    """

    joints: IntArray
    values: Mapping[str, FloatArray]
    severities: Mapping[str, FloatArray]

    def worst(self, joint: int, measure: str, pose: int | None = None) -> Extreme | None:
        """Return the worst value at a joint in all poses, or in one."""
        columns = np.flatnonzero(self.joints == joint)
        severities = self.severities[measure][:, columns]
        if pose is not None:
            severities = severities[pose : pose + 1]
        if not severities.size:
            return None
        at, column = np.unravel_index(int(np.argmax(severities)), severities.shape)
        if not np.isfinite(severities[at, column]):
            return None
        number = int(at) if pose is None else pose
        value = float(self.values[measure][number, columns[column]])
        return Extreme(value, float(severities[at, column]), number)


@dataclass(frozen=True, eq=False)
class DeformationChange:
    """What was measured before and after.

    Parameters
    ----------
    after
        The new weights in the regions of the old ones, and in their own.
    moved
        The furthest that a vertex of the new weights is from where the old ones take it, metres.
    """

    poses: Sequence[TriedPose]
    before: Readings
    after: tuple[Readings, Readings]
    moved: float

    @property
    def joints(self) -> list[int]:
        """The joints that have a region before or after."""
        return np.unique(np.concatenate([self.before.joints, self.after[1].joints])).tolist()

    def change(self, joint: int, measure: str, pose: int | None = None) -> MeasureChange:
        """Return the change of one measure at a joint, over all poses or in one."""
        found = (reading.worst(joint, measure, pose) for reading in self.after)
        after = max(found, key=severity_of)
        return MeasureChange(joint, measure, self.before.worst(joint, measure, pose), after)

    @cached_property
    def changes(self) -> tuple[MeasureChange, ...]:
        """Every measure at every joint that changes, the greatest change first."""
        every = (self.change(joint, name) for joint in self.joints for name in SCANNED)
        differs = [change for change in every if abs(change.rise) > SAME]
        return tuple(sorted(differs, key=lambda change: -abs(change.rise)))

    @cached_property
    def worst(self) -> float:
        """The highest severity after, at the joints that change."""
        joints = sorted({change.joint for change in self.changes})
        every = (self.change(joint, name) for joint in joints for name in SCANNED)
        return max((severity_of(change.after) for change in every), default=0.0)

    def verdict(self, focus: MeasureChange | None = None) -> Verdict:
        """Return whether joints deform better.

        It is worse where a measure crosses its limit, and where one loses more than any other gains, or
        than what is to be mended does.

        Parameters
        ----------
        focus
            What is to be mended.
        """
        gain = (
            -focus.rise if focus is not None else max((-c.rise for c in self.changes), default=0.0)
        )
        loss = max((c.rise for c in self.changes), default=0.0)
        if any(c.crosses for c in self.changes) or loss > max(gain, SAME):
            return "worse"
        return "better" if gain > SAME else "same"


@dataclass(frozen=True)
class Judged:
    """How poses are measured: under which method, and against which limits."""

    method: str = "file"
    options: Options = field(default_factory=Options)
    limits: Mapping[str, float] | None = None

    def severity(self, measure: str, values: FloatArray) -> FloatArray:
        """Return the severities of values."""
        return MEASURES[measure].severity(values, (self.limits or {}).get(measure))


@dataclass(frozen=True, eq=False)
class Reference:
    """The poses with the weights before, measured once for all weights that are tried.

    Parameters
    ----------
    meter
        Of the rig before.
    """

    meter: JointMeter
    poses: Sequence[TriedPose]
    judged: Judged = field(default_factory=Judged)

    @cached_property
    def shown(self) -> "list[_Shown]":
        """Every pose, skinned."""
        return [_shown(self.meter, tried.pose, self.judged) for tried in self.poses]

    @cached_property
    def readings(self) -> Readings:
        """Every pose, measured."""
        rows = [_Row.of(self.meter, shown.pose, shown.skinned, self.judged) for shown in self.shown]
        return _stacked(self.meter, rows)


def deformation_change(
    reference: Reference, after: JointMeter, progress: Progress | None = None
) -> DeformationChange:
    """Measure the poses with other weights on the same skeleton and meshes.

    Raises
    ------
    ValueError
        If the rigs differ in more than weights.
    """
    before, judged = reference.meter, reference.judged
    if before.deformer.rig.nodes is not after.deformer.rig.nodes:
        raise ValueError("after: wanted the skeleton of the rig before")
    rows: tuple[list[_Row], list[_Row]] = ([], [])
    moved = 0.0
    for number, old in enumerate(reference.shown):
        if progress is not None:
            progress("measuring the change", number / len(reference.shown))
        new = _shown(after, reference.poses[number].pose, judged)
        rows[0].append(_Row.of(before, old.pose, new.skinned, judged))
        rows[1].append(_Row.of(after, new.pose, new.skinned, judged))
        moved = max(moved, *map(_apart, old.skinned, new.skinned), 0.0)
    own, others = _stacked(before, rows[0]), _stacked(after, rows[1])
    return DeformationChange(tuple(reference.poses), reference.readings, (own, others), moved)


def change_between(
    old: Rig, new: Rig, motion: RangeOfMotion | None, progress: Progress | None = None
) -> DeformationChange:
    """Measure what other weights change in all joints of a rig, in its clips and a range of motion.

    Raises
    ------
    ValueError
        If the rigs differ in more than weights.
    """
    before, after = JointMeter(Deformer(old)), JointMeter(Deformer(new))
    joints = {region.joint for meter in (before, after) for region in meter.regions.each}
    poses = tried_poses(after, motion, joints, (2 * OF_CLIPS, 4 * OF_MOTION))
    return deformation_change(Reference(before, poses), after, progress)


@dataclass(frozen=True, eq=False)
class _Shown:
    """One pose, skinned."""

    pose: JointPose
    skinned: Sequence[Skinned]


def _shown(meter: JointMeter, pose: Pose, judged: Judged) -> _Shown:
    frame = meter.deformer.frame(pose)
    skinned = meter.deformer.skin_all(frame, ASKED[judged.method], judged.options)
    return _Shown(meter.pose(frame), skinned)


def _apart(a: Skinned, b: Skinned) -> float:
    """Return the furthest that a vertex is from where it was."""
    if a is b or not len(a.positions):
        return 0.0
    return float(np.nan_to_num(np.linalg.norm(a.positions - b.positions, axis=1)).max())


@dataclass(frozen=True, eq=False)
class _Row:
    """One pose: measure → ``(R,)`` values and severities."""

    values: Mapping[str, FloatArray]
    severities: Mapping[str, FloatArray]

    @classmethod
    def of(
        cls, meter: JointMeter, pose: JointPose, skinned: Sequence[Skinned], judged: Judged
    ) -> "_Row":
        """Measure the regions of a meter; what its joint has not turned enough for says nothing."""
        values = meter.read(pose, skinned).values
        turned = {True: pose.angles >= APART, False: pose.angles >= PINCHES}
        severities = {}
        for name, row in values.items():
            said = np.nan_to_num(judged.severity(name, row), nan=-np.inf)
            if name not in OF_ANY_SHAPE:
                said = np.where(turned[name != "collapse"], said, -np.inf)
            severities[name] = said
        return cls(values, severities)


def _stacked(meter: JointMeter, rows: Sequence[_Row]) -> Readings:
    shape = (0, len(meter.regions))
    joints = np.array([region.joint for region in meter.regions.each], dtype=np.int64)
    stacks = (
        {
            name: np.array([getattr(row, part)[name] for row in rows]).reshape(-1, shape[1])
            for name in SCANNED
        }
        for part in ("values", "severities")
    )
    return Readings(joints, *stacks)
