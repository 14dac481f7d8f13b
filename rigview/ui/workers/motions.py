"""Clips that the file does not have: made up to take joints through their range, or of another file."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from rigview.assets import resource
from rigview.check.rule import count
from rigview.core.deform import Deformer
from rigview.core.motion.borrowing import Borrowed, borrow_clips
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import range_of_motion, with_clip
from rigview.core.text import shortened, spaced
from rigview.io import LoadError, load
from rigview.ui.document import Document
from rigview.ui.jobs import Job, Jobs, Progress, refused
from rigview.ui.view_state import State
from rigview.ui.workers.warming import Teller, warmed


class Motions(QObject):
    """Adds clips to the document, each as one undo step, and shows them.

    `refused` carries a file and why it could not be opened; `borrowed` a title and what of another
    file's clips did not match.
    """

    said = Signal(str, bool)
    refused = Signal(object, object)
    borrowed = Signal(str, str)

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
            return warmed(with_clip(deformer.rig, motion.clip), progress)

        def done(changed: Deformer | None) -> None:
            if changed is None:
                self.said.emit("No joint below another moves anything here.", False)
            elif self._document.deformer is deformer:
                self._document.replace(changed, "Add a range of motion")
                self._state.update(clip=len(changed.rig.clips) - 1, time=0.0)
                self.said.emit("Added a range of motion.", True)

        return self._jobs.run("making a range of motion", work, done)

    def borrow(self, path: Path) -> Job | None:
        """Add the clips of another file, joint by joint of the same name."""
        deformer = self._document.deformer
        if deformer is None:
            return None

        def work(progress: Progress) -> tuple[Deformer, Borrowed]:
            other = load(path, Teller(progress)).rig
            found = borrow_clips(deformer.rig, other)
            return warmed(found.rig, progress), found

        def done(result: tuple[Deformer, Borrowed]) -> None:
            changed, found = result
            file = shortened(path.name)
            moving = [clip for clip in found.clips if clip.channels]
            if not moving:
                words = "It has no clip that moves a joint of this rig's names."
                self.borrowed.emit(f"{file}: nothing to take over", words)
            elif self._document.deformer is deformer:
                number = len(found.clips)
                name = f"Add {count(number, 'clip')} of {file}"
                self._document.replace(changed, name)
                shown = next((clip for clip in moving if clip.changes_anything), moving[0])
                first = changed.rig.clips.index(shown)
                self._state.update(clip=first, time=shown.start)
                self.said.emit(f"{name}.", True)
                if found.unmatched:
                    share = f"{spaced(len(found.unmatched))} of {count(found.moved, 'joint')}"
                    title = f"{share} of {file} did not match"
                    self.borrowed.emit(title, ", ".join(found.unmatched))

        failed = refused(LoadError, lambda error: self.refused.emit(path, error))
        return self._jobs.run(f"Opening {path.name}", work, done, failed)
