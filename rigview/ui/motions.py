"""Clips that the file does not have: made up to take every joint through its range."""

from PySide6.QtCore import QObject, Signal

from rigview.assets import resource
from rigview.core.deform import Deformer
from rigview.core.joint_limits import LimitTable
from rigview.core.range_of_motion import range_of_motion, with_clip
from rigview.ui.checking import warmed
from rigview.ui.document import Document
from rigview.ui.jobs import Job, Jobs, Progress
from rigview.ui.view_state import State


class Motions(QObject):
    """Adds clips to the document, each as one undo step, and shows them."""

    said = Signal(str, bool)

    def __init__(self, document: Document, state: State, jobs: Jobs) -> None:
        super().__init__()
        self._document, self._state, self._jobs = document, state, jobs

    def add_range_of_motion(self) -> Job | None:
        """Make up a clip of flex, swing and twist of every joint that moves a vertex."""
        deformer = self._document.deformer
        if deformer is None:
            return None

        def work(progress: Progress) -> Deformer | None:
            table = LimitTable.of(resource("joint_limits.json"))
            motion = range_of_motion(deformer.rig, table)
            if not motion.steps:
                return None
            return warmed(Deformer(with_clip(deformer.rig, motion.clip)), progress)

        def done(changed: Deformer | None) -> None:
            if changed is None:
                self.said.emit("No joint below another moves anything here.", False)
            elif self._document.deformer is deformer:
                self._document.replace(changed, "Add a range of motion")
                self._state.update(clip=len(changed.rig.clips) - 1, time=0.0)
                self.said.emit("Added a range of motion.", True)

        return self._jobs.run("making a range of motion", work, done)
