"""Choosing a clip: one that has not been read yet is read in a worker, and the old one stays until then."""

from PySide6.QtCore import QObject, Signal

from rigview.core.clip import Clip
from rigview.ui.jobs import Job, Jobs, Progress
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets.words import tr


class ClipChoice(QObject):
    """Shows another clip of the rig from its start; `changed` says that `waiting` is another."""

    changed = Signal()

    def __init__(self, stage: Stage, state: State, jobs: Jobs) -> None:
        super().__init__()
        self._stage, self._state, self._jobs = stage, state, jobs
        self._job: Job | None = None
        self.waiting: int | None = None
        stage.rig_changed.connect(self.give_up)

    def choose(self, number: int | None) -> None:
        """Show a clip by its number, or the rest pose."""
        self.give_up()
        rig = self._stage.rig
        clip = rig.clips[number] if rig is not None and number is not None else None
        if clip is None or clip.is_read:
            self._show(number, clip)
            return

        def work(_progress: Progress) -> Clip:
            clip.prepare()
            return clip

        job = self._jobs.run(
            tr("Reading {clip}", clip=clip.name or tr("clip {number}", number=number)),
            work,
            lambda read: self._show(number, read),
        )
        job.cancelled.connect(lambda: self._forget(job))
        self._wait(job, number)

    def give_up(self) -> None:
        """Stop waiting for a clip: the one on show stays."""
        if self._job is not None:
            self._job.cancel()

    def _show(self, number: int | None, clip: Clip | None) -> None:
        self._wait(None, None)
        start = clip.start if clip is not None else 0.0
        self._state.update(clip=number, time=start, playing=False)

    def _forget(self, job: Job) -> None:
        if job is self._job:
            self._wait(None, None)

    def _wait(self, job: Job | None, number: int | None) -> None:
        self._job = job
        if number != self.waiting:
            self.waiting = number
            self.changed.emit()
