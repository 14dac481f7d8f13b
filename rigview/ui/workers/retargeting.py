"""Retargeting in the window: a motion beside the rig, their map of joints, and clips that are tried."""

from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from rigview.app.retargeting import Retargeting, retarget_clips
from rigview.app.sessions import recipes_of
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.motion.joint_mapping import JointMapping, Match, propose
from rigview.core.motion.mapping_faults import mapping_faults
from rigview.core.motion.placed_motion import placed_motion
from rigview.core.motion.retarget import PLAIN, RetargetError, RetargetOptions
from rigview.core.motion.retarget_errors import JointError
from rigview.core.rig import Rig
from rigview.core.text import count, shortened
from rigview.io import LoadError, SaveError, load
from rigview.io.joint_map import MapError, read_joint_map, write_joint_map
from rigview.render.session import Recipe
from rigview.ui.document import Document
from rigview.ui.jobs import Job, Jobs, Progress, refused
from rigview.ui.motion_source import MotionSource
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets.words import capital, tr
from rigview.ui.workers.preparing import JobListener, warmed

# Fields of the view state that are as before when retargeting is left.
_KEPT = ("methods", "pane", "clip", "time", "linked_camera", "apart")


@dataclass(frozen=True, eq=False)
class Draft:
    """What is to be retargeted, and how.

    Parameters
    ----------
    proposed
        The map as the names of joints tell it.
    mapping
        The map as it is edited.
    clip
        The number of the motion's only clip that is taken; None for all.
    """

    path: Path
    motion: Rig
    character: Deformer
    proposed: JointMapping
    mapping: JointMapping
    options: RetargetOptions = PLAIN
    clip: int | None = None

    @property
    def clips(self) -> tuple[Clip, ...]:
        """The clips of the motion that are taken."""
        every = self.motion.clips
        return every if self.clip is None else every[self.clip : self.clip + 1]

    @property
    def is_plain(self) -> bool:
        """Whether names of joints alone give the same."""
        same = self.mapping.matches == self.proposed.matches
        return same and self.options == PLAIN and self.clip is None


@dataclass(frozen=True, eq=False)
class Tried:
    """A draft carried out: the rig with the clips, and the motion's rig beside it."""

    draft: Draft
    done: Retargeting
    deformer: Deformer
    source: MotionSource

    @property
    def body(self) -> int:
        """The joint of the rig that carries its body: the hips, else the topmost mapped one."""
        parts = self.draft.mapping.parts
        joints = [error.joint for error in self.done.made.errors]
        return next((joint for joint in joints if parts.get(joint) == "hips"), joints[0])


class Retargeter(QObject):
    """Keeps a draft, and tries it in a worker whenever it is edited.

    `changed` says that there is another draft, or none, or that it has been tried; `said` carries a
    sentence and whether it can be undone, `refused` a file and why it could not be opened, `failed` a
    title and a reason; `shown` says that a motion is on show for the first time.
    """

    changed = Signal()
    said = Signal(str, bool)
    refused = Signal(object, object)
    failed = Signal(str, str)
    shown = Signal()

    def __init__(self, document: Document, stage: Stage, state: State, jobs: Jobs) -> None:
        super().__init__()
        self._document, self._stage, self._state, self._jobs = document, stage, state, jobs
        self.draft: Draft | None = None
        self.tried: Tried | None = None
        # Why the draft cannot be carried out.
        self.refusal = ""
        self._wanted = False
        self._job: Job | None = None
        # Panes, clip, time and camera before; None while no motion is on show.
        self._before: dict[str, object] | None = None
        document.opened.connect(self.leave)
        document.changed.connect(self._rig_is_new)
        stage.rig_changed.connect(self._stage_is_new)

    @property
    def is_active(self) -> bool:
        """Whether a motion is asked for, or edited."""
        return self._wanted

    @property
    def is_tried(self) -> bool:
        """Whether what is on show is the draft as it is."""
        return self.tried is not None and self.tried.draft is self.draft

    @property
    def is_trying(self) -> bool:
        """Whether the draft is being tried."""
        return self._job is not None

    @property
    def faults(self) -> list[str]:
        """What is wrong with the draft, in sentences."""
        draft = self.draft
        if draft is None:
            return []
        found = mapping_faults(draft.motion, draft.character.rig, draft.mapping, draft.clips)
        return [self.refusal, *found] if self.refusal else found

    @property
    def errors(self) -> dict[int, JointError]:
        """Joint of the rig → how far it is from its counterpart, as far as that was measured."""
        if not self.is_tried or self.tried is None:
            return {}
        return {error.joint: error for error in self.tried.done.made.errors}

    def start(self) -> None:
        """Ask for a motion."""
        if self._document.rig is not None:
            self._wanted = True
            self.changed.emit()

    def open(self, path: Path) -> Job | None:
        """Read the file of a motion, and propose which joint turns which."""
        deformer = self._document.deformer
        if deformer is None:
            return None
        self.start()

        def work(progress: Progress) -> Draft:
            motion = load(path, JobListener(progress)).rig
            mapping = propose(motion, deformer.rig)
            return Draft(path, motion, deformer, mapping, mapping)

        def done(draft: Draft) -> None:
            if self._document.deformer is not deformer or not self._wanted:
                return
            if not draft.motion.clips:
                self.failed.emit(
                    tr("{file}: no motion", file=shortened(path.name)), "The file has no clip."
                )
            else:
                self._take(draft)

        failed = refused(LoadError, lambda error: self.refused.emit(path, error))
        return self._jobs.run(tr("Opening {file}", file=path.name), work, done, failed)

    def map_joint(self, joint: int, match: Match | None) -> None:
        """Let a joint be turned by another one of the motion, or by none."""
        draft = self.draft
        if draft is None or draft.mapping.matches.get(joint) == match:
            return
        matches = {own: known for own, known in draft.mapping.matches.items() if own != joint}
        if match is not None:
            matches[joint] = match
        self._take(replace(draft, mapping=replace(draft.mapping, matches=matches)))

    def choose_clip(self, clip: int | None) -> None:
        """Take one clip of the motion; all for None."""
        if self.draft is not None and self.draft.clip != clip:
            self._take(replace(self.draft, clip=clip))

    def set_options(self, options: RetargetOptions) -> None:
        """Retarget otherwise."""
        if self.draft is not None and self.draft.options != options:
            self._take(replace(self.draft, options=options))

    def propose_again(self) -> None:
        """Take the map that the names of joints tell."""
        if self.draft is not None:
            self._take(replace(self.draft, mapping=self.draft.proposed))

    def load_map(self, path: Path) -> None:
        """Take the map of a file, as `rigview retarget --map` does."""
        draft = self.draft
        if draft is None:
            return
        try:
            mapping = read_joint_map(path, draft.motion, draft.character.rig)
        except MapError as error:
            self.failed.emit(tr("{file} could not be used", file=shortened(path.name)), f"{error}.")
            return
        self._take(replace(draft, mapping=mapping))
        self.said.emit(tr("Took the map {file}.", file=shortened(path.name)), False)

    def save_map(self, path: Path) -> None:
        """Write the map to a file, as `rigview retarget --save-map` does."""
        draft = self.draft
        if draft is None:
            return
        try:
            write_joint_map(path, draft.mapping, draft.motion, draft.character.rig)
        except SaveError as error:
            self.failed.emit("The map was not saved", f"{error}.")
            return
        self.said.emit(tr("Saved the map {file}.", file=shortened(path.name)), False)

    def try_again(self) -> None:
        """Try the draft as it is, after that was stopped."""
        if self.draft is not None and not self.is_tried:
            self._take(self.draft)

    def _take(self, draft: Draft) -> None:
        """Edit the draft, and try it in a worker; what tries the one before is given up."""
        self.draft, self.refusal = draft, ""
        self._give_up()
        first = len(draft.character.rig.clips)

        def work(progress: Progress) -> Tried:
            def tell(share: float) -> None:
                progress("retargeting", 0.8 * share)

            clips = [] if draft.clip is None else [draft.clip]
            rig = draft.character.rig
            done = retarget_clips(draft.motion, rig, clips, draft.mapping, tell, draft.options)
            beside = placed_motion(draft.motion, draft.clips, done.made.placements)
            source = MotionSource(
                draft.path.name, warmed(beside, progress), draft.mapping, first, draft.character
            )
            return Tried(draft, done, warmed(done.made.rig, progress), source)

        name = tr("Retargeting {file}", file=draft.path.name)
        job = self._jobs.run(name, work, self._show, refused(RetargetError, self._refuse))
        self._job = job
        job.ended.connect(lambda: self._free(job))
        job.cancelled.connect(lambda: self._free(job))
        self.changed.emit()

    def _give_up(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.cancel()

    def _free(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self.changed.emit()

    def _refuse(self, error: RetargetError) -> None:
        """Say why the draft cannot be carried out, and show the rig as it is."""
        self.refusal = f"{capital(tr(str(error)))}."
        self._restore()
        self.tried = None
        self.changed.emit()

    def _show(self, tried: Tried) -> None:
        if tried.draft is not self.draft or self._document.deformer is not tried.draft.character:
            return
        # What comes on show meanwhile is not somebody else's.
        self.tried = None
        view, first = self._state.value, len(tried.draft.character.rig.clips)
        begins = self._before is None
        if begins:
            self._before = {name: getattr(view, name) for name in _KEPT}
            method = view.methods[min(view.pane, len(view.methods) - 1)]
            self._state.update(methods=(method, method), pane=0, playing=False)
        self._stage.show_preview(tried.deformer)
        self._stage.show_guest(tried.source)
        self.tried = tried
        made = tried.done.made.clips
        number = view.clip
        if begins or number is None or not first <= number < first + len(made):
            moving = [i for i, clip in enumerate(made) if clip.changes_anything]
            number = first + next(iter(moving), 0)
            self._state.update(clip=number, time=made[number - first].start)
        self.changed.emit()
        if begins:
            self.shown.emit()

    def _restore(self) -> None:
        """Take preview and motion off the stage, as far as they are on it, and bring the panes back."""
        tried, before = self.tried, self._before
        self._before = None
        if tried is None or before is None:
            return
        if self._stage.is_previewing(tried.deformer):
            self._stage.show_preview(None)
        if self._stage.is_beside(tried.source):
            self._stage.show_guest(None)
            self._state.update(**before)

    def _rig_is_new(self) -> None:
        """Go on with a rig of the same joints; else the map would be of others."""
        draft, deformer = self.draft, self._document.deformer
        if draft is None or deformer is None or deformer is draft.character:
            return
        was, now = draft.character.rig, deformer.rig
        same = was.nodes.names == now.nodes.names and was.nodes.parents == now.nodes.parents
        if same and was.joints == now.joints:
            self._restore()
            self.tried = None
            self._take(replace(draft, character=deformer))
        else:
            self.leave()
            self.said.emit("Retargeting was left: the rig has other joints now.", True)

    def _stage_is_new(self) -> None:
        """Leave where a fix or another file is shown in place of what is tried."""
        tried = self.tried
        if tried is None or self._before is None:
            return
        on_show = self._stage.is_previewing(tried.deformer)
        if not on_show or not self._stage.is_beside(tried.source):
            self.leave()

    def leave(self) -> None:
        """End retargeting; the rig stays as it is."""
        if not self._wanted:
            return
        self._wanted = False
        self._give_up()
        self._restore()
        self.draft, self.tried, self.refusal = None, None, ""
        self.changed.emit()

    def apply(self) -> None:
        """Give the rig the clips on show, as one change."""
        tried = self.tried
        if tried is None or not self.is_tried:
            return
        draft, view = tried.draft, self._state.value
        name = tr(
            "Retarget {clips} of {file}",
            clips=count(len(tried.done.made.clips), "clip"),
            file=shortened(draft.path.name),
        )
        on_show = {name: getattr(view, name) for name in ("clip", "time", "linked_camera")}
        self.leave()
        # A clip that was undone may have had the name of one of these.
        for clip in tried.done.made.clips:
            self._document.recipes.pop(clip.name, None)
        self._document.recipes.update(_recipes(tried))
        self._document.replace(tried.deformer, name)
        self._state.update(**on_show)
        self.said.emit(f"{name}.", True)


def _recipes(tried: Tried) -> dict[str, Recipe]:
    """Return how the clips are made again, where names of joints alone tell it."""
    draft = tried.draft
    if not draft.is_plain:
        return {}
    names = tuple(clip.name for clip in tried.done.made.clips)
    return recipes_of(draft.path, draft.motion, names, "retargeted")
