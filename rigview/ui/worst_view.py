"""Going to where a joint breaks: its clip, time and joint, in heat, from the side that shows it."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from rigview.core.frame import Frame
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.measure_words import said
from rigview.core.measures.side_view import side_view
from rigview.core.measures.worst_poses import WorstPose, WorstRegion
from rigview.core.pose import sample
from rigview.core.skinning import ASKED
from rigview.render.camera import Camera
from rigview.render.framing import watching
from rigview.ui.joint_readings import JointMeters
from rigview.ui.panes.viewport import Panes
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets.words import tr
from rigview.ui.workers.worst_scanning import WorstScanner

# What is shown again when one goes back.
_KEPT = (
    "clip",
    "time",
    "joint",
    "vertex",
    "marked",
    "involved",
    "pane",
    "shading",
    "measure",
    "camera",
    "trial",
    "morphs",
)


class WorstView(QObject):
    """Shows worst poses in the panes, and what was looked at before them.

    `said` carries a sentence about what is shown.
    """

    said = Signal(str, bool)

    def __init__(
        self, stage: Stage, state: State, panes: Panes, scanner: WorstScanner, meters: JointMeters
    ) -> None:
        super().__init__()
        self._stage, self._state, self._panes = stage, state, panes
        self._scanner, self._meters = scanner, meters
        # What was looked at before the first worst pose was gone to.
        self._before: dict[str, Any] | None = None
        stage.rig_changed.connect(self._forget)

    def _forget(self) -> None:
        self._before = None

    def _keep(self) -> None:
        if self._before is None:
            self._before = {name: getattr(self._state.value, name) for name in _KEPT}

    def show_pose(self, worst: WorstPose, place: str) -> None:
        """Go to a worst pose.

        Parameters
        ----------
        place
            "1 of 14", its place in the list.
        """
        view, scan, deformer = self._state.value, self._scanner.scan, self._stage.deformer
        if scan is None or deformer is None or scan.meter.deformer is not deformer:
            return
        self._keep()
        clip, pane = self._scanner.clip(worst), view.pane
        if worst.method in view.methods:
            pane = view.methods.index(worst.method)
        frame = deformer.frame(sample(deformer.rig, clip, worst.time))
        tried = self._scanner.tried_pose(worst)
        source = clip if tried is None else tried.source
        number = next((i for i, own in enumerate(deformer.rig.clips) if own is source), None)
        here = {"clip": number, "time": worst.time} if number is not None or source is None else {}
        self._state.update(
            **here,
            # What was tried before would be added to the pose that was measured.
            trial={} if tried is None else tried.trial,
            morphs={} if tried is None else tried.morphs,
            playing=False,
            joint=worst.joint,
            vertex=None,
            marked=(),
            involved=(),
            pane=pane,
            shading="heat",
            measure=worst.measure,
            camera=self._watching(scan.meter, frame, worst.region, worst.method),
        )
        if source is None or number is not None:
            self._stage.end_rehearsal()
        else:
            self._stage.rehearse(source, worst.time)
        marker = clip.marker_at(worst.time)
        where = clip.name if marker is None else f"{clip.name}, {marker.name}"
        words = tr(
            "{place} worst poses: {pose}, frame {frame:.0f} of {clip}. Backspace goes back.",
            place=place,
            pose=self._words(worst),
            frame=worst.time * view.fps,
            clip=where,
        )
        self.said.emit(words, False)

    def _words(self, worst: WorstPose) -> str:
        rig, title = self._stage.rig, MEASURES[worst.measure].title.lower()
        joint = rig.nodes.label(worst.joint) if rig is not None else ""
        bend, twist = (math.degrees(angle) for angle in worst.turn)
        # The panel of trial poses splits the turn about the joint's own bone instead.
        turned = tr(
            "about the limb above bend {bend:.0f}°, twist {twist:.0f}°", bend=bend, twist=abs(twist)
        )
        return f"{joint} {said(worst.measure, worst.value)} ({title}; {turned})"

    def _watching(self, meter: JointMeter, frame: Frame, region: int, method: str) -> Camera:
        """Return the camera that shows a joint region in a pose from the side."""
        view = self._state.value
        pose = meter.pose(frame)
        skinned = meter.deformer.skin_all(frame, ASKED[method], view.options)
        side = side_view(meter, pose, region, meter.skin.posed(skinned))
        reach = max(view.camera.reach, float(meter.deformer.size))
        return watching(side, replace(view.camera, reach=reach), self._panes.aspect)

    def show_region(self, worst: WorstRegion) -> None:
        """Frame a region in the pose on show, under the current pane's method."""
        view, deformer, frame = self._state.value, self._stage.deformer, self._stage.frame
        if deformer is None or frame is None:
            return
        self._keep()
        method = view.methods[min(view.pane, len(view.methods) - 1)]
        camera = self._watching(self._meters.of(deformer), frame, worst.region, method)
        self._state.update(
            joint=worst.joint, vertex=None, shading="heat", measure=worst.measure, camera=camera
        )

    def look_at(self, joint: int, measure: str) -> bool:
        """Turn the camera to where a joint is worst by a measure in the pose on show.

        Return whether there is anything of it to measure.
        """
        view, deformer, frame = self._state.value, self._stage.deformer, self._stage.frame
        if deformer is None or frame is None:
            return False
        meter = self._meters.of(deformer)
        regions = [i for i, region in enumerate(meter.regions.each) if region.joint == joint]
        if not regions:
            return False
        method = view.methods[min(view.pane, len(view.methods) - 1)]
        pose = meter.pose(frame)
        reading = meter.read_all(pose, (method,), view.options)[method]
        values = reading.values.get(measure)
        severities = reading.worst if values is None else MEASURES[measure].severity(values)
        worst = max(regions, key=np.nan_to_num(severities).item)
        self._state.update(camera=self._watching(meter, frame, worst, method))
        return True

    def go_back(self) -> None:
        """Show what was looked at before a worst pose was chosen."""
        before, self._before = self._before, None
        if before is None:
            self.said.emit("No worst pose was gone to.", False)
            return
        self._stage.end_rehearsal()
        self._state.update(**before)
        self.said.emit(tr("This is what was shown before the worst pose."), False)
