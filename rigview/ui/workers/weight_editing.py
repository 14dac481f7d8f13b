"""Editing weights by hand: what is chosen, and each edit as one undo step."""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from rigview.core.arrays import IntArray
from rigview.core.deform import Deformer
from rigview.core.rig import Rig
from rigview.core.text import count
from rigview.core.weights.editable_rig import EditableRig, Points, freedom_of
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import Edited
from rigview.core.weights.problem import NotMade
from rigview.core.weights.skin_points import SkinPoints
from rigview.render.look import Chosen
from rigview.ui.document import Document
from rigview.ui.jobs import Jobs, Progress, refused
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets.words import capital, tr
from rigview.ui.workers.preparing import warmed

# Rigs whose points are kept: undo comes back to the last few.
_KEPT = 6

Edit = Callable[[SkinPoints, IntArray, Freedom], Edited]


@dataclass(frozen=True)
class _Task:
    """Work on the points of the present rig, and who takes what comes of it."""

    work: Callable[[EditableRig, Progress], Any]
    done: Callable[[EditableRig, Any], None]


class WeightEditor(QObject):
    """Knows the points of the document's rig and changes their weights, one edit after the other.

    `said` carries a sentence and whether it can be undone; `known` says that the points of the present
    rig are there, `failed` that it has none that can be edited, and why.
    """

    said = Signal(str, bool)
    known = Signal()
    failed = Signal(str)

    def __init__(self, document: Document, stage: Stage, state: State, jobs: Jobs) -> None:
        super().__init__()
        self._document, self._stage, self._state, self._jobs = document, stage, state, jobs
        self._rigs: OrderedDict[Rig, EditableRig] = OrderedDict()
        self._tasks: deque[_Task] = deque()
        self._is_busy = False
        # Why the present rig has no points.
        self.reason = ""
        document.opened.connect(self._forget)
        document.changed.connect(self._document_is_new)
        state.changed.connect(self._follow)

    @property
    def editable(self) -> EditableRig | None:
        """The points of the document's rig; None until they are asked for and known."""
        rig = self._document.rig
        return None if rig is None else self._rigs.get(rig)

    @property
    def is_shown(self) -> bool:
        """Whether the panes show the document's rig, and no preview of a fix."""
        own, shown = self._document.rig, self._stage.rig
        return own is not None and own is shown

    @property
    def points(self) -> Points:
        """The chosen points, as far as they are known."""
        of = self.editable
        return () if of is None else of.points_of(dict(self._stage.chosen))

    @property
    def chosen_count(self) -> int:
        """The number of chosen points; of vertices, until points are known."""
        if self.editable is None:
            return sum(len(vertices) for _, vertices in self._stage.chosen)
        return sum(map(len, self.points))

    def freedom(self, of: SkinPoints) -> Freedom:
        """Return which joints of a character may change."""
        return freedom_of(of, self._state.value.locked)

    def ask(self) -> None:
        """Have the points of the present rig made known."""
        if self._document.rig is not None and self.editable is None and not self._tasks:
            self._add(_Task(lambda _of, _progress: None, lambda _of, _result: None))

    def choose(self, wanted: Callable[[EditableRig], Points], none: str = "") -> None:
        """Choose points; `none` is said where there are none."""

        def done(of: EditableRig, points: Points) -> None:
            if none and not sum(map(len, points)):
                self.said.emit(none, False)
            else:
                self._state.update(chosen=as_chosen(of, points), vertex=None)

        self._add(_Task(lambda of, _: wanted(of), done))

    def edit(
        self,
        edit: Edit,
        sentence: Callable[[str], str],
        points: Points | None = None,
        *,
        everything: bool = False,
        then: Callable[[EditableRig], str] | None = None,
    ) -> None:
        """Edit the chosen points, or others.

        Parameters
        ----------
        sentence
            Says what was done, given "39 vertices".
        everything
            Whether all points are edited.
        then
            Called when it is done, whether anything changed or not; what it returns is said
            beside the sentence.
        """
        chosen, locked = self._stage.chosen, self._state.value.locked

        def work(of: EditableRig, progress: Progress) -> tuple[EditableRig, int, Deformer | None]:
            some = of.points_of(dict(chosen)) if points is None else points
            some = of.all_points if everything else some
            after, changed = of.edited(some, lambda c, p: edit(c, p, freedom_of(c, locked)))
            number = sum(map(len, changed))
            return after, number, warmed(after.rig, progress) if number else None

        def done(_of: EditableRig, result: tuple[EditableRig, int, Deformer | None]) -> None:
            after, number, deformer = result
            if deformer is not None:
                self.take(after, deformer, sentence(count(number, "vertex")))
            said = then(after) if then is not None else ""
            if deformer is None:
                words = said or tr("The weights are so already: nothing changed.")
                self.said.emit(words, False)
            elif said:
                self.said.emit(f"{self._document.undo_name}; {said}", True)

        self._add(_Task(work, done))

    def take_edited(self, edited: Edited, sentence: str) -> None:
        """Make an edited character the document's, at once: the next stroke goes on from it."""
        of = self.editable
        if of is None or edited.of.rig is of.rig:
            return
        after = of.with_character(edited.of)
        self.take(after, warmed(after.rig, lambda _words, _share: None), sentence)

    def take(self, after: EditableRig, deformer: Deformer, sentence: str) -> None:
        """Make an edited rig the document's."""
        self._keep(after.rig, after)
        self._document.replace(deformer, sentence)
        self.said.emit(f"{sentence}.", True)

    def _add(self, task: _Task) -> None:
        self._tasks.append(task)
        self._next()

    def _next(self) -> None:
        deformer = self._document.deformer
        if self._is_busy or not self._tasks:
            return
        if deformer is None:
            self._tasks.clear()
            return
        task, before, loaded = self._tasks.popleft(), self.editable, self._document.loaded

        def work(progress: Progress) -> tuple[EditableRig, Any]:
            of = before or EditableRig.of(deformer)
            return of, task.work(of, progress)

        def done(result: tuple[EditableRig, Any]) -> None:
            of, made = result
            if self._document.deformer is deformer:
                if before is None:
                    self._keep(deformer.rig, of)
                    self.reason = ""
                    self.known.emit()
                task.done(of, made)
            elif self._document.loaded is loaded:
                # The rig has changed meanwhile, by a stroke or undo: it is done to what is there now.
                self._tasks.appendleft(task)

        self._is_busy = True
        job = self._jobs.run("Editing weights", work, done, refused(NotMade, self._refuse))
        job.ended.connect(self._free)

    def _free(self) -> None:
        self._is_busy = False
        self._next()

    def _refuse(self, error: NotMade) -> None:
        words = tr(str(error))
        if self.editable is None:
            self.reason = words
            self.failed.emit(words)
        self.said.emit(f"{capital(words)}.", False)

    def _keep(self, rig: Rig, of: EditableRig) -> None:
        self._rigs[rig] = of
        self._rigs.move_to_end(rig)
        while len(self._rigs) > _KEPT:
            self._rigs.popitem(last=False)

    def _forget(self) -> None:
        self._rigs.clear()
        self._tasks.clear()
        self.reason = ""

    def _document_is_new(self) -> None:
        if self._state.value.chosen or self._state.value.weight_brush is not None:
            self.ask()

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if new.chosen and old.chosen != new.chosen:
            self.ask()


def as_chosen(of: EditableRig, points: Points) -> Chosen:
    """Return points as the view state names them, all copies of each."""
    return tuple((part, tuple(ids.tolist())) for part, ids in of.vertices_of(points).items())
