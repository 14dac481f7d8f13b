"""Measure what skinning methods cost the shape over a clip."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from rigview.app.arguments import (
    ROM,
    MethodSettings,
    clip_of,
    methods_of,
    options_of,
    rig_of,
    rom_of,
)
from rigview.app.posing import deformer_of
from rigview.core.arrays import FloatArray
from rigview.core.brief import brief_repr
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.errors import RigviewError
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.joint_scan import JointPlan, JointScan, scan_joints
from rigview.core.measures.scan import Comparison, Scan, scan, scan_times
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.core.measures.worst_poses import Judgement, WorstPose, worst_poses
from rigview.core.motion.range_of_motion import RangeOfMotion
from rigview.core.rig import Rig
from rigview.core.skinning import DEFAULT_PANES
from rigview.core.text import some_of
from rigview.io import Loaded

Progress = Callable[[str, float], None]


class NothingToMeasure(RigviewError):  # noqa: N818 - the rig is in order
    """A rig without skinned mesh."""

    def __str__(self) -> str:
        return "no mesh is skinned, so there is nothing to measure"


@dataclass(frozen=True)
class Measurement:
    """What a clip was measured to cost under several methods.

    Parameters
    ----------
    clip
        What the clip is called; None for the rest pose.
    size
        H in metres: the diagonal of the character's box at rest.
    scan
        The curves over the clip, per method.
    joints
        The worst pose of each joint, the most severe first; none where single times were measured.
    motion
        Where the clip is a made-up range of motion: what it shows when.
    """

    __repr__ = brief_repr

    clip: str | None
    rig: Rig
    scan: Scan
    size: float
    motion: RangeOfMotion | None = None
    joints: tuple[WorstPose, ...] = ()

    def shown(self, time: float) -> str:
        """Say what the range of motion shows at a time; empty for other clips."""
        step = self.motion.at(time) if self.motion is not None else None
        if step is None:
            return ""
        return f"{step.label} of {some_of([*map(self.rig.nodes.label, step.joints)], 1)}"


def measure(
    rig: Rig | Loaded,
    clip: str | int | Clip | None = ROM,
    methods: str | Iterable[str] = DEFAULT_PANES,
    *,
    times: Iterable[float] | None = None,
    **options: Unpack[MethodSettings],
) -> Measurement:
    """Measure what methods cost the shape over a clip, and find the worst pose of every joint.

    Parameters
    ----------
    rig
        The rig, or an opened file.
    clip
        As in `skin`. By default "rom", a made-up range of motion of all joints.
    methods
        Ids of skinning methods, or "all". Differences are measured to the first.
    times
        Seconds to look at. By default all keys of the clip and 32 even times, and the worst pose of every
        joint is found too.
    **options
        As in `skin`.

    Raises
    ------
    NothingToMeasure
        If no mesh is skinned.
    """
    measured = rig_of(rig)
    comparison = Comparison(methods_of(methods), None, options_of(options))
    motion = rom_of(measured) if clip == ROM and ROM not in measured.clip_names else None
    chosen = clip_of(measured, clip) if motion is None else motion.clip
    at = None if times is None else np.array([*map(float, times)])
    plan = MeasurePlan(chosen, comparison, at, motion, joints=at is None)
    return measured_by(plan, deformer_of(measured))


@dataclass(frozen=True)
class MeasurePlan:
    """What is measured.

    Parameters
    ----------
    times
        ``(T,)`` seconds; None takes those of `scan_times`.
    motion
        Where the clip is a made-up range of motion.
    joints
        Whether the worst pose of every joint over the clip is found, too.
    """

    clip: Clip | None
    comparison: Comparison
    times: FloatArray | None = None
    motion: RangeOfMotion | None = None
    joints: bool = True


def measured_by(
    plan: MeasurePlan, deformer: Deformer, progress: Progress | None = None
) -> Measurement:
    """Measure a clip under methods.

    Parameters
    ----------
    progress
        Hears what is under way and the share done; may raise to stop.

    Raises
    ------
    NothingToMeasure
        If no mesh is skinned.
    """
    meter = ShapeMeter(deformer)
    if not len(meter.mesh):
        raise NothingToMeasure
    clip, comparison = plan.clip, plan.comparison
    at = scan_times(clip) if plan.times is None else plan.times
    result = scan(meter, clip, comparison, times=at, progress=progress)
    joints: tuple[WorstPose, ...] = ()
    if clip is not None and plan.joints:
        over = JointPlan(comparison.methods, comparison.options)
        scanned = scan_joints(JointMeter(deformer), [clip], over, progress=progress)
        joints = worst_of_joints(scanned)
    name = _name(deformer.rig, clip)
    return Measurement(name, deformer.rig, result, deformer.size, plan.motion, joints)


def _name(rig: Rig, clip: Clip | None) -> str | None:
    """Return what a clip is called: its name, or its number in the rig where it has none."""
    if clip is None or clip not in rig.clips:
        return None if clip is None else clip.name
    return rig.clip_names[rig.clips.index(clip)]


def worst_of_joints(scanned: JointScan) -> tuple[WorstPose, ...]:
    """Return one pose per joint, the worst under any method, the most severe first."""
    found: dict[int, WorstPose] = {}
    for worst in worst_poses(scanned, Judgement(least=np.finfo(np.float64).tiny)):
        found.setdefault(worst.joint, worst)
    return tuple(found.values())
