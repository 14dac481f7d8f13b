"""Poses that were tried by hand and added to the worst poses; they stay until the file is closed."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, Signal

from rigview.core.clip import Clip
from rigview.core.measures.joint_scan import JointPlan, JointScan, scan_at
from rigview.core.motion.held_pose import held_pose
from rigview.core.nodes import Nodes
from rigview.ui.jobs import Jobs, Latest, Progress
from rigview.ui.joint_readings import JointMeters
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState

_READ = ("methods", "options", "weights")


@dataclass(frozen=True, eq=False)
class AddedPose:
    """A pose that somebody added.

    Parameters
    ----------
    clip
        It as a clip of one key.
    source, time
        The clip that it was tried in, None at rest, and when, in seconds.
    joint
        The joint that was selected; None where none was.
    trial, morphs
        What was tried, as the view state has it.
    nodes
        The rig's, to tell whether the pose is of the rig on show.
    """

    clip: Clip
    source: Clip | None
    time: float
    joint: int | None
    trial: dict[int, tuple[float, float, float]]
    morphs: dict[tuple[int, int], float]
    nodes: Nodes


class TriedPoses(QObject):
    """The tried poses of the open file; `changed` says that others are listed, or measured."""

    changed = Signal()

    def __init__(self, stage: Stage, state: State, jobs: Jobs, meters: JointMeters) -> None:
        super().__init__()
        self._stage, self._state, self._meters = stage, state, meters
        self._every: tuple[AddedPose, ...] = ()
        self.scan: JointScan | None = None
        self._latest = Latest(jobs, "measuring tried poses", self._take)
        stage.rig_changed.connect(self._measure)
        state.changed.connect(self._follow)

    @property
    def poses(self) -> tuple[AddedPose, ...]:
        """Those that the rig on show can take; an undone fix brings back those from before it."""
        rig = self._stage.rig
        return () if rig is None else tuple(p for p in self._every if _fits(p.nodes, rig.nodes))

    def forget(self) -> None:
        """Have none: another file is opened."""
        self._every, self.scan = (), None
        self.changed.emit()

    def add(self) -> bool:
        """Keep the pose on show; return whether there is a skin to measure."""
        deformer, frame, view = self._stage.deformer, self._stage.frame, self._state.value
        if deformer is None or frame is None or not deformer.skins:
            return False
        source, time = self._stage.posed_at
        name = "rest pose" if source is None else source.name
        clip = held_pose(deformer.rig, frame.pose, time, name)
        joint, nodes = self._stage.joint, deformer.rig.nodes
        pose = AddedPose(clip, source, time, joint, view.trial, view.morphs, nodes)
        self._every = (*self._every, pose)
        self._measure()
        return True

    def remove(self, pose: AddedPose) -> None:
        """Take a pose off the list."""
        self._every = tuple(one for one in self._every if one is not pose)
        self._measure()

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if self._every and new.differs(old, _READ):
            self._measure()

    def _measure(self) -> None:
        deformer, poses = self._stage.deformer, self.poses
        if deformer is None or not poses:
            if self.scan is not None:
                self.scan = None
                self.changed.emit()
            return
        meter, methods = self._meters.of(deformer), tuple(dict.fromkeys(self._stage.methods))
        plan = JointPlan(methods=methods, options=self._state.value.options)
        clips = tuple(pose.clip for pose in poses)
        times = {number: [pose.time] for number, pose in enumerate(poses)}

        def work(progress: Progress) -> JointScan:
            progress("measuring tried poses", 0.0)
            return scan_at(meter, clips, times, plan)

        self._latest.request(work)

    def _take(self, scan: JointScan) -> None:
        # Poses may have been added or removed meanwhile; then a newer request is under way.
        if scan.clips == tuple(pose.clip for pose in self.poses):
            self.scan = scan
            self.changed.emit()


def _fits(before: Nodes, now: Nodes) -> bool:
    """Return whether local rotations of one skeleton mean the same in another."""
    if before is now:
        return True
    arrays = ("translations", "rotations", "scales")
    return before.parents == now.parents and all(
        np.array_equal(getattr(before, name), getattr(now, name)) for name in arrays
    )
