"""What is worst in the pose on show, under each pane's method, and its heat; measured in a worker."""

from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from rigview.check.measures.facts import joint_meter, measured
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.worst_poses import WorstRegion, worst_regions
from rigview.render.heat import Heats, heats
from rigview.ui.jobs import Jobs, Latest, Progress
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState

# What a reading depends on besides rig and pose.
_READ = ("methods", "options", "weights", "measure", "shading")


class JointMeters:
    """The meter of the rig that was measured last: what it knows of a rig takes a second to find.

    It is the one of the rig's checks, unless the rig is shown otherwise than it is checked.
    """

    def __init__(self) -> None:
        self._meter: JointMeter | None = None

    def of(self, deformer: Deformer) -> JointMeter:
        """Return the meter of a rig."""
        facts = measured(deformer.rig)
        if facts.deformer is deformer:
            return facts.once(joint_meter, deformer)
        meter = self._meter
        if meter is None or meter.deformer is not deformer:
            meter = self._meter = JointMeter(deformer)
        return meter


@dataclass(frozen=True, eq=False)
class PoseReadings:
    """One pose of one rig.

    Parameters
    ----------
    worst
        Method → its worst region; None where there is nothing to measure.
    heats
        Method → places on the map of heat; empty under other shadings.
    """

    deformer: Deformer
    frame: Frame
    worst: dict[str, WorstRegion | None] = field(default_factory=dict)
    heats: Heats = field(default_factory=dict)


class JointReadings(QObject):
    """Follows the pose on show; `read` says that a new reading is there."""

    read = Signal()

    def __init__(self, stage: Stage, state: State, jobs: Jobs, meters: JointMeters) -> None:
        super().__init__()
        self._stage, self._state, self._meters = stage, state, meters
        self._reading: PoseReadings | None = None
        self._latest = Latest(jobs, "measuring joints", self._take)
        for signal in (stage.rig_changed, stage.pose_changed, stage.prepared):
            signal.connect(self._request)
        state.changed.connect(self._follow)

    @property
    def reading(self) -> PoseReadings | None:
        """What was read last of the rig on show; None where nothing is known yet."""
        reading = self._reading
        return reading if reading is not None and reading.deformer is self._stage.deformer else None

    @property
    def worst(self) -> dict[str, WorstRegion | None]:
        """Method → the worst region of the very pose on show, as far as that has been measured."""
        reading = self.reading
        return reading.worst if reading is not None and reading.frame is self._stage.frame else {}

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if new.differs(old, _READ):
            self._request()

    def _request(self) -> None:
        deformer, frame, view = self._stage.deformer, self._stage.frame, self._state.value
        if deformer is None or frame is None or not deformer.skins or self._stage.guest is not None:
            return
        methods, options = tuple(dict.fromkeys(self._stage.methods)), view.options
        measure = view.measure if view.shading == "heat" else ""
        meter = self._meters.of(deformer)

        def work(progress: Progress) -> PoseReadings:
            progress("measuring joints", 0.0)
            meter.prepare()
            worst = worst_regions(meter, frame, methods, options)
            seen = heats(meter, frame, methods, options, measure) if measure else {}
            return PoseReadings(deformer, frame, worst, seen)

        self._latest.request(work)

    def _take(self, reading: PoseReadings) -> None:
        if reading.deformer is self._stage.deformer:
            self._reading = reading
            self.read.emit()
