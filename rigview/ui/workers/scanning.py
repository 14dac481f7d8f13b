"""The clip on show, measured along its length under every pane's method, while nobody waits."""

from PySide6.QtCore import QObject, QTimer, Signal

from rigview.core.measures.scan import Comparison, Scan, scan, scan_times
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.ui.jobs import Job, Jobs, Progress
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState

# How long the view must stay as it is: whoever tries things out shall not wait for the processor.
_QUIET_MS = 400
_READ = ("clip", "methods", "options", "weights")


class Scanner(QObject):
    """Keeps the scan of the present clip up to date; `scanned` says that it is new or gone."""

    scanned = Signal()

    def __init__(self, stage: Stage, state: State, jobs: Jobs) -> None:
        super().__init__()
        self._stage, self._state, self._jobs = stage, state, jobs
        self._scan: Scan | None = None
        self._meter: ShapeMeter | None = None
        self._job: Job | None = None
        self.quiet_timer = QTimer(self)
        self.quiet_timer.setSingleShot(True)
        self.quiet_timer.setInterval(_QUIET_MS)
        self.quiet_timer.timeout.connect(self._start)
        stage.rig_changed.connect(self._renew)
        stage.prepared.connect(self._renew)
        state.changed.connect(self._follow)

    @property
    def scan(self) -> Scan | None:
        """What was measured of the present clip; None while it is not known."""
        return self._scan

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if new.differs(old, _READ):
            self._renew()
        elif old.playing and not new.playing and self._scan is None:
            self.quiet_timer.start()

    def _renew(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if self._scan is not None:
            self._scan = None
            self.scanned.emit()
        if self._stage.clip is not None:
            self.quiet_timer.start()

    def _start(self) -> None:
        deformer, clip, state = self._stage.deformer, self._stage.clip, self._state.value
        if deformer is None or clip is None or not deformer.skins or state.playing:
            return
        if self._meter is None or self._meter.deformer is not deformer:
            self._meter = ShapeMeter(deformer)
        meter = self._meter
        comparison = Comparison(tuple(dict.fromkeys(self._stage.methods)), options=state.options)

        def work(progress: Progress) -> Scan:
            return scan(meter, clip, comparison, times=scan_times(clip), progress=progress)

        self._job = self._jobs.run("scanning", work, self._take, quiet=True)

    def _take(self, result: Scan) -> None:
        self._job = None
        if result.clip is self._stage.clip:
            self._scan = result
            self.scanned.emit()
