"""Clips that the file does not have: made up to take joints through their range, or of another file."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from rigview.app.arguments import rom_of
from rigview.app.retargeting import Retargeting
from rigview.app.taking_clips import TakenClips, take_clips
from rigview.check.rule import count
from rigview.core.deform import Deformer
from rigview.core.motion.range_of_motion import with_clip
from rigview.core.text import shortened, some_of, spaced
from rigview.io import LoadError, load
from rigview.render.session import Recipe
from rigview.ui.document import Document
from rigview.ui.jobs import Job, Jobs, Progress, refused
from rigview.ui.view_state import State
from rigview.ui.widgets.words import capital, tr
from rigview.ui.workers.preparing import JobListener, warmed

# Joints that are named of those that are furthest off.
_MOST_TOLD = 4


class Motions(QObject):
    """Adds clips to the document, each as one undo step, and shows them.

    `refused` carries a file and why it could not be opened; `borrowed` a title and what of another
    file's clips did not match, or how far joints are off; `shown` that clips of another file, which may
    be elsewhere in space, are on show.
    """

    said = Signal(str, bool)
    refused = Signal(object, object)
    borrowed = Signal(str, str)
    shown = Signal()

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
        """Add the clips of another file: by names where the two skeletons are alike, else retargeted."""
        deformer = self._document.deformer
        if deformer is None:
            return None

        def work(progress: Progress) -> _Taken:
            other = load(path, JobListener(progress)).rig
            taken = take_clips(deformer.rig, other, path)
            return _Taken(warmed(taken.rig, progress), taken)

        def done(result: _Taken) -> None:
            taken, file = result.clips, shortened(path.name)
            if not any(clip.channels for clip in taken.clips):
                words = taken.refusal or "It has no clip that moves a joint of this rig's names."
                self.borrowed.emit(
                    tr("{file}: nothing to take over", file=file), capital(tr(words))
                )
            elif self._document.deformer is not deformer:
                return
            else:
                self._add(result, path)

        failed = refused(LoadError, lambda error: self.refused.emit(path, error))
        return self._jobs.run(tr("Opening {file}", file=path.name), work, done, failed)

    def _add(self, result: "_Taken", path: Path) -> None:
        """Add clips to the rig that they were taken for."""
        taken, file = result.clips, shortened(path.name)
        moving = [clip for clip in taken.clips if clip.channels]
        added = taken.retargeting is None
        words = "Add {clips} of {file}" if added else "Retarget {clips} of {file}"
        name = tr(words, clips=count(len(taken.clips), "clip"), file=file)
        self._document.recipes.update(taken.recipes)
        self._document.replace(result.deformer, name)
        shown = next((clip for clip in moving if clip.changes_anything), moving[0])
        self._state.update(clip=result.deformer.rig.clips.index(shown), time=shown.start)
        self.shown.emit()
        self.said.emit(f"{name}.", True)
        if taken.retargeting is not None:
            self.borrowed.emit(*_told(taken.retargeting, file))
        elif taken.borrowed is not None and taken.borrowed.unmatched:
            left = taken.borrowed.unmatched
            title = tr(
                "{number} of {joints} of {file} did not match",
                number=spaced(len(left)),
                joints=count(taken.borrowed.moved, "joint"),
                file=file,
            )
            self.borrowed.emit(title, ", ".join(left))


@dataclass(frozen=True, eq=False)
class _Taken:
    """Clips that were taken, and the rig with them, ready to be shown."""

    deformer: Deformer
    clips: TakenClips


def _told(done: Retargeting, file: str) -> tuple[str, str]:
    """Return a title and sentences: how many joints are mapped, and which are furthest off."""
    made, joints = done.made, len(done.mapping.matches)
    of = count(len(made.rig.joints), "joint")
    title = tr(
        "Retargeted from {file}: {number} of {joints} have a counterpart",
        file=file,
        number=spaced(joints),
        joints=of,
    )
    worst = sorted(made.errors, key=lambda error: -error.distance)[:_MOST_TOLD]
    names = [f"{made.rig.nodes.label(e.joint)} {100.0 * e.distance:.0f} %" for e in worst]
    furthest = tr(
        "Furthest from where the motion has them, of the length of a leg: {names}.",
        names=", ".join(names),
    )
    if not made.unmapped:
        return title, furthest
    left = some_of([done.motion.nodes.label(node) for node in made.unmapped], _MOST_TOLD)
    return title, f"{furthest} {tr('Without counterpart here: {names}.', names=left)}"
