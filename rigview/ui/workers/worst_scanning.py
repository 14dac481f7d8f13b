"""The worst poses of the rig on show, over all its clips, found in a worker while nobody waits."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from rigview.assets import resource
from rigview.core.clip import Clip
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.joint_scan import ClipScan, JointPlan, JointScan, scan_joints
from rigview.core.measures.worst_poses import (
    Judgement,
    WorstPose,
    by_severity,
    worst_poses,
)
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.rom_fallback import motion_of_tame
from rigview.core.rig import Rig
from rigview.ui.jobs import Job, Jobs, Progress
from rigview.ui.joint_readings import JointMeters
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets.words import tr
from rigview.ui.workers.tried_poses import AddedPose, TriedPoses

# How long the view must stay as it is: whoever tries things out shall not wait for the processor.
_QUIET_MS = 500
_READ = ("methods", "options", "weights")
# Poses measured of all clips together while somebody may be waiting.
_MOST = 240

# Method, measure (None for all) and whether further poses of a joint are listed → the poses.
Listed = dict[tuple[str, str | None, bool], tuple[WorstPose, ...]]
Stand = Literal["nothing", "waiting", "scanning", "done", "failed", "stopped"]


class WorstScanner(QObject):
    """Keeps the worst poses up to date.

    `changed` says that other poses are known, or that it stands otherwise; `told` that it got further.
    """

    changed = Signal()
    told = Signal()

    def __init__(self, stage: Stage, state: State, jobs: Jobs, meters: JointMeters) -> None:
        super().__init__()
        self._stage, self._state, self._jobs, self._meters = stage, state, jobs, meters
        self.stand: Stand = "nothing"
        self.words = ""
        self.failure = ""
        # What was scanned of clips; the tried poses come behind them in `scan`.
        self._base: JointScan | None = None
        # The poses of the clips alone, which the worker has listed.
        self._base_listed: Listed = {}
        self._scan: JointScan | None = None
        self._own = 0
        self.tried = TriedPoses(stage, state, jobs, meters)
        self.tried.changed.connect(self._add_tried)
        # What was listed of a scan: panels ask again whenever something changes.
        self._listed_of: JointScan | None = None
        self._listed: Listed = {}
        self._job: Job | None = None
        self.quiet_timer = QTimer(self)
        self.quiet_timer.setSingleShot(True)
        self.quiet_timer.setInterval(_QUIET_MS)
        self.quiet_timer.timeout.connect(self._start)
        stage.rig_changed.connect(self.renew)
        stage.prepared.connect(self.renew)
        state.changed.connect(self._follow)

    @property
    def scan(self) -> JointScan | None:
        """What has been scanned so far; None without a rig that is skinned."""
        return self._scan

    def is_tried(self, worst: WorstPose) -> bool:
        """Return whether a pose is of the range of motion, which the file does not have."""
        return worst.clip >= self._own or self.tried_pose(worst) is not None

    @property
    def has_clips(self) -> bool:
        """Whether any clip of the file was scanned."""
        return self._own > 0

    @property
    def clip_on_show(self) -> Clip | None:
        """The clip that the panes play."""
        return self._stage.clip

    def tried_pose(self, worst: WorstPose) -> AddedPose | None:
        """Return what was tried and added by hand, where a pose is such a one."""
        clip = self.clip(worst)
        return next((pose for pose in self.tried.poses if pose.clip is clip), None)

    def _add_tried(self) -> None:
        """List the tried poses behind the clips."""
        deformer, own = self._stage.deformer, self.tried.scan
        base = self._base
        if base is not None and base.meter.deformer is not deformer:
            base = None
            self._base_listed = {}
        if own is None or own.meter.deformer is not deformer:
            self._scan = base
        elif base is None or base.plan.methods != own.plan.methods:
            self._scan, self._base_listed = own, {}
        else:
            behind = len(base.clips)
            each = tuple(replace(one, clip=behind + one.clip) for one in own.each)
            clips = (*base.clips, *own.clips)
            self._scan = JointScan(base.meter, base.plan, clips, (*base.each, *each))
        self.changed.emit()

    def clip(self, worst: WorstPose) -> Clip:
        """Return the clip of a pose."""
        if self._scan is None:
            raise ValueError("nothing is scanned")
        return self._scan.clips[worst.clip]

    def poses(
        self, method: str, measure: str | None = None, *, every: bool = False
    ) -> tuple[WorstPose, ...]:
        """Return the worst poses under one method, the most severe first.

        Parameters
        ----------
        measure
            Only those of one measure.
        every
            Whether to list further poses of one joint in one clip.
        """
        if self._scan is None or method not in self._scan.plan.methods:
            return ()
        key = method, measure, every
        if self._listed_of is not self._scan:
            self._listed_of, self._listed = self._scan, {}
        if key not in self._listed:
            measures = tuple(MEASURES) if measure is None else (measure,)
            found = self._base_listed.get(key)
            if found is None:
                judgement = Judgement(measures=measures, every=every)
                found = worst_poses(self._clips_alone(self._scan), judgement, (method,))
            tried = self._tried_among(self._scan, measures, method)
            self._listed[key] = by_severity((*found, *tried))
        return self._listed[key]

    def _clips_alone(self, scan: JointScan) -> JointScan:
        tried = {id(pose.clip) for pose in self.tried.poses}
        each = tuple(one for one in scan.each if id(scan.clips[one.clip]) not in tried)
        return replace(scan, each=each)

    def _tried_among(
        self, scan: JointScan, measures: tuple[str, ...], method: str
    ) -> Iterator[WorstPose]:
        """Yield the tried poses whose worst measure is asked for, whether it is over its limit or not."""
        every = Judgement(least=-np.inf)
        for one in scan.each:
            pose = next((p for p in self.tried.poses if p.clip is scan.clips[one.clip]), None)
            if pose is not None:
                found = worst_poses(replace(scan, each=(one,)), every, (method,))
                mine = [worst for worst in found if worst.joint == pose.joint]
                worst = next(iter(mine or found), None)
                if worst is not None and worst.measure in measures:
                    yield worst

    def nearest(self, method: str) -> WorstPose | None:
        """Return the pose that comes nearest to a limit, whether over it or not."""
        if self._scan is None or method not in self._scan.plan.methods:
            return None
        scan = self._clips_alone(self._scan)
        return next(iter(worst_poses(scan, Judgement(least=0.0), (method,))), None)

    def curves(self, clip: Clip | None) -> ClipScan | None:
        """Return what was measured of one clip."""
        if self._scan is None or clip is None:
            return None
        numbers = [i for i, one in enumerate(self._scan.clips) if one is clip]
        return next((one for one in self._scan.each if one.clip in numbers), None)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if new.differs(old, _READ):
            self.renew()
        elif old.playing and not new.playing and self.stand == "waiting":
            self.quiet_timer.start()

    def renew(self) -> None:
        """Scan anew once the window is quiet."""
        self.cancel()
        deformer = self._stage.deformer
        self._base, self._base_listed = None, {}
        self.failure, self.words = "", ""
        self.stand = "waiting" if deformer is not None and deformer.skins else "nothing"
        if self.stand == "waiting":
            self.quiet_timer.start()
        self._add_tried()

    def cancel(self) -> None:
        """Stop the scan; what it has found stays."""
        self.quiet_timer.stop()
        job, self._job = self._job, None
        if job is not None:
            job.cancel()
            self.stand = "stopped"
            self.changed.emit()

    def _start(self) -> None:
        deformer, view = self._stage.deformer, self._state.value
        if deformer is None or not deformer.skins or view.playing:
            return
        meter, rig = self._meters.of(deformer), deformer.rig
        methods = tuple(dict.fromkeys(self._stage.methods))
        plan = JointPlan(methods=methods, options=view.options, most=_MOST)
        self.stand = "scanning"

        # The rig's own clips come first.
        self._own = sum(clip.changes_anything for clip in rig.clips)

        def work(progress: Progress) -> tuple[JointScan, Listed]:
            listed = _listing()

            def found(scan: JointScan) -> None:
                known = listed(scan)
                progress.report(lambda: self._take_part(scan, known))

            scan = scan_joints(meter, clips_to_scan(rig), plan, progress=progress, found=found)
            return scan, listed(scan)

        job = self._jobs.run("scanning joints", work, self._take, self._fail, quiet=True)
        self._job = job
        job.progressed.connect(self._tell)
        self.changed.emit()

    def _tell(self, text: str, share: float) -> None:
        if self._job is not None and text == tr(self._job.name):
            # A job begins by telling its name.
            return
        self.words = tr("scanning {clip}, {share:.0f} %", clip=text, share=100.0 * share)
        self.told.emit()

    def _take_part(self, scan: JointScan, listed: Listed) -> None:
        if self._job is not None and scan.meter.deformer is self._stage.deformer:
            self._base, self._base_listed = scan, listed
            self._add_tried()

    def _take(self, result: tuple[JointScan, Listed]) -> None:
        scan, listed = result
        self._job, self.words = None, ""
        if scan.meter.deformer is self._stage.deformer:
            self._base, self._base_listed, self.stand = scan, listed, "done"
            self._add_tried()

    def _fail(self, error: BaseException) -> None:
        self._job, self.stand = None, "failed"
        self.failure = f"{type(error).__name__}: {error}"
        self.changed.emit()
        raise error


def _listing() -> Callable[[JointScan], Listed]:
    """Return what lists the worst poses of a growing scan: each clip's are found once."""
    known: dict[tuple[int, str], tuple[ClipScan, tuple[WorstPose, ...]]] = {}

    def of_clip(scan: JointScan, one: ClipScan, method: str) -> tuple[WorstPose, ...]:
        # The clip's scan is kept beside its poses, so that no other gets its id.
        if (id(one), method) not in known:
            found = worst_poses(replace(scan, each=(one,)), Judgement(), (method,))
            known[id(one), method] = one, found
        return known[id(one), method][1]

    def listed(scan: JointScan) -> Listed:
        return {
            (method, None, False): by_severity(
                worst for one in scan.each for worst in of_clip(scan, one, method)
            )
            for method in scan.plan.methods
        }

    return listed


def clips_to_scan(rig: Rig) -> tuple[Clip, ...]:
    """Return the clips in which joints are looked at.

    They are the rig's own that change anything, then a range of motion of the characters that these leave
    tame.
    """
    own = tuple(clip for clip in rig.clips if clip.changes_anything)
    motion = motion_of_tame(rig, own, LimitTable.of(resource("joint_limits.json")))
    return own if motion is None else (*own, motion.clip)
