"""Freeing the rigs that are no longer shown: their parts name one another, so that a collection has to."""

import ctypes
import gc
import sys

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
            give_back()


def give_back() -> None:
    """Give the system the memory that glibc keeps of what was freed; elsewhere, do nothing.

    glibc returns what is free at the end of a heap only (malloc_trim(3), mallopt(3)): a heap grows with
    each rig though as much of it is free. It takes a few milliseconds.
    """
    if sys.platform == "linux":
        # Other C libraries have no such function.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def leave_out_what_stays() -> None:
    """Let collections pass over all that there is now: a window and its modules stay until the end.

    A collection then takes a seventh of the time, which the window waits for.
    """
    gc.freeze()
