"""Freeing the rigs that are no longer shown: their parts name one another, so that a collection has to."""

import gc

from PySide6.QtCore import QObject, QTimer

from rigview.ui.jobs import Jobs
from rigview.ui.stage import Stage

# So long after the rig has changed; Python's own collections come after minutes and many rigs.
_WAIT_MS = 1_000


class Releaser(QObject):
    """Collects what is left of earlier rigs when the work on the new one has ended."""

    def __init__(self, stage: Stage, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._collect)
        stage.rig_changed.connect(self._wait)

    def _wait(self) -> None:
        self._timer.start()

    def _collect(self) -> None:
        # In the main thread: Qt's objects must not end in a worker.
        if self._jobs.running:
            self._timer.start()
        else:
            gc.collect()


def leave_out_what_stays() -> None:
    """Let collections pass over all that there is now: a window and its modules stay until the end.

    A collection then takes a seventh of the time, which the window waits for.
    """
    gc.freeze()
