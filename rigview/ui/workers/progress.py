"""Progress of long work in the status line; work quicker than a moment shows none."""

from PySide6.QtCore import QObject, QTimer

from rigview.ui.jobs import Job, Jobs
from rigview.ui.panes.strips import StatusStrip
from rigview.ui.workers.opening import PATIENCE_MS


class ProgressLine(QObject):
    """Shows the job that began last, unless it is a quiet one."""

    def __init__(self, jobs: Jobs, status: StatusStrip) -> None:
        super().__init__()
        self._status = status
        self._shown: Job | None = None
        jobs.started.connect(self._watch)

    def _watch(self, job: Job) -> None:
        if job.quiet:
            return
        timer = QTimer(self)
        timer.setSingleShot(True)

        def begin() -> None:
            self._shown = job
            self._status.show_job(job.name, "", None)

        def progressed(text: str, share: float) -> None:
            if self._shown is job:
                # A job begins by telling its name: how far it is is not known by that.
                known = text != job.name
                self._status.show_job(job.name, text if known else "", share if known else None)

        def over() -> None:
            timer.stop()
            if self._shown is job:
                self._shown = None
                self._status.end_job()

        timer.timeout.connect(begin)
        job.progressed.connect(progressed)
        job.cancelled.connect(over)
        job.ended.connect(over)
        job.ended.connect(timer.deleteLater)
        timer.start(PATIENCE_MS)
