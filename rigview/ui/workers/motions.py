"""Clips that the file does not have: made up to take joints through their range, or of another file."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from rigview.app.arguments import rom_of
from rigview.app.sessions import recipes_of
from rigview.check.rule import count
from rigview.core.deform import Deformer
from rigview.core.motion.clips_by_name import Borrowed, borrow_clips
from rigview.core.motion.range_of_motion import with_clip
from rigview.core.text import shortened, spaced
from rigview.io import LoadError, load
from rigview.render.session import Recipe
from rigview.ui.dialogs.question import bullets
from rigview.ui.document import Document
from rigview.ui.jobs import Job, Jobs, Progress, refused
from rigview.ui.view_state import State
from rigview.ui.workers.preparing import Teller, warmed


class Motions(QObject):
    """Adds clips to the document, each as one undo step, and shows them.

    `refused` carries a file and why it could not be opened; `borrowed` a title and what of another
    file's clips did not match; `asked` a title, lines, and what is to be done if the user wants it.
    """

    said = Signal(str, bool)
    refused = Signal(object, object)
    borrowed = Signal(str, str)
    asked = Signal(str, object, object)

    def __init__(self, document: Document, state: State, jobs: Jobs) -> None:
        super().__init__()
        self._document, self._state, self._jobs = document, state, jobs

    def add_range_of_motion(self) -> Job | None:
        """Make up a clip of flex, swing and twist of every joint that moves a vertex."""
        deformer = self._document.deformer
        if deformer is None:
            return None

        def work(progress: Progress) -> Deformer | None:
            motion = rom_of(deformer.rig)
            if not motion.steps:
                return None
            return warmed(with_clip(deformer.rig, motion.clip), progress)

        def done(changed: Deformer | None) -> None:
            if changed is None:
                self.said.emit("No joint below another moves anything here.", False)
            elif self._document.deformer is deformer:
                self._document.recipes[changed.rig.clip_names[-1]] = Recipe("range of motion")
                self._document.replace(changed, "Add a range of motion")
                self._state.update(clip=len(changed.rig.clips) - 1, time=0.0)
                self.said.emit("Added a range of motion.", True)

        return self._jobs.run("making a range of motion", work, done)

    def borrow(self, path: Path) -> Job | None:
        """Add the clips of another file, joint by joint of the same name."""
        deformer = self._document.deformer
        if deformer is None:
            return None

        def work(progress: Progress) -> tuple[Deformer, Borrowed, dict[str, Recipe]]:
            other = load(path, Teller(progress)).rig
            found = borrow_clips(deformer.rig, other)
            names = found.rig.clip_names[len(deformer.rig.clips) :]
            return warmed(found.rig, progress), found, recipes_of(path, other, names)

        def done(result: tuple[Deformer, Borrowed, dict[str, Recipe]]) -> None:
            changed, found, recipes = result

            def add() -> None:
                if self._document.deformer is deformer:
                    self._document.recipes |= recipes
                    self._add(changed, found, path)

            file = shortened(path.name)
            if not any(clip.channels for clip in found.clips):
                words = "It has no clip that moves a joint of this rig's names."
                self.borrowed.emit(f"{file}: nothing to take over", words)
            elif self._document.deformer is not deformer:
                return
            elif found.complaint:
                self._ask(path, found, add)
            else:
                add()

        failed = refused(LoadError, lambda error: self.refused.emit(path, error))
        return self._jobs.run(f"Opening {path.name}", work, done, failed)

    def _ask(self, path: Path, found: Borrowed, go: Callable[[], None]) -> None:
        """Ask whether clips are to be played that do not suit the rig."""
        words = found.complaint
        names = [
            f"{found.rig.nodes.label(misfit.joint)}, {misfit.degrees:.0f}°"
            for misfit in found.misfits
        ]
        lines = (f"{words[0].upper()}{words[1:]}.", *bullets(names))
        self.asked.emit(f"Clips of {shortened(path.name)} do not suit this rig", lines, go)

    def _add(self, changed: Deformer, found: Borrowed, path: Path) -> None:
        """Add borrowed clips to the rig that they were borrowed for."""
        file = shortened(path.name)
        moving = [clip for clip in found.clips if clip.channels]
        name = f"Add {count(len(found.clips), 'clip')} of {file}"
        self._document.replace(changed, name)
        shown = next((clip for clip in moving if clip.changes_anything), moving[0])
        self._state.update(clip=changed.rig.clips.index(shown), time=shown.start)
        self.said.emit(f"{name}.", True)
        if found.unmatched:
            share = f"{spaced(len(found.unmatched))} of {count(found.moved, 'joint')}"
            self.borrowed.emit(f"{share} of {file} did not match", ", ".join(found.unmatched))
