"""Comparing the document's rig with another file: side by side, and what changed in words."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from rigview.check.diff import compare
from rigview.check.diff.words import as_text
from rigview.core.deform import Deformer
from rigview.io import LoadError, load
from rigview.render.look import COMPARING, Shading
from rigview.ui.comparison import ComparedRig
from rigview.ui.document import Document
from rigview.ui.jobs import Job, Jobs, Progress, refused
from rigview.ui.panes.strips import CompareStrip
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets.words import tr
from rigview.ui.workers.preparing import JobListener, warmed


class Comparer(QObject):
    """Puts a second rig on the stage; `refused` carries a file and why it could not be opened."""

    refused = Signal(object, object)

    def __init__(
        self, document: Document, stage: Stage, state: State, strip: CompareStrip, jobs: Jobs
    ) -> None:
        super().__init__()
        self._document, self._stage, self._state = document, stage, state
        self._strip, self._jobs = strip, jobs
        self._path: Path | None = None
        self._other: Deformer | None = None
        self._methods: tuple[str, ...] = ()
        self.text = ""
        self._plain: Shading = "clay"
        strip.left.connect(self.leave)
        strip.shading_chosen.connect(self._shade)
        state.changed.connect(self._follow)
        document.opened.connect(self.leave)
        document.changed.connect(self._again)

    @property
    def is_active(self) -> bool:
        """Whether a second rig is shown."""
        return self._other is not None

    def open(self, path: Path) -> Job:
        """Read a file and show it beside the document's rig."""

        def work(progress: Progress) -> Deformer:
            loaded = load(path, JobListener(progress))
            return warmed(loaded.rig, progress)

        def done(other: Deformer) -> None:
            if not self.is_active:
                self._methods = self._state.value.methods
            self._path, self._other = path, other
            self._again()

        failed = refused(LoadError, lambda error: self.refused.emit(path, error))
        return self._jobs.run(tr("Opening {file}", file=path.name), work, done, failed)

    def _again(self) -> None:
        """Compare with the document's rig as it is now."""
        mine, other, path = self._document.deformer, self._other, self._path
        if mine is None or other is None or path is None:
            return
        here = self._document.path
        names = (here.name if here is not None else "this rig", path.name)

        def work(progress: Progress) -> tuple[ComparedRig, str]:
            difference = compare(mine.rig, other.rig, progress)
            # Computed here, and not where it is first drawn.
            _ = difference.heat
            return ComparedRig(path.name, other, difference, mine), as_text(difference, *names)

        def done(result: tuple[ComparedRig, str]) -> None:
            if self._document.deformer is mine and self._other is other:
                self._show(*result)

        self._jobs.run(tr("comparing with {file}", file=path.name), work, done)

    def _show(self, guest: ComparedRig, text: str) -> None:
        self.text = text
        if self._stage.guest is None:
            state = self._state.value
            method = state.methods[min(state.pane, len(state.methods) - 1)]
            self._state.update(methods=(method, method), pane=0)
        self._stage.show_guest(guest)
        self._strip.show_comparison(guest.name, text)

    def _shade(self, shading: Shading | None) -> None:
        """Colour the second rig by what changed; None shows both as before."""
        if shading is not None and self._state.value.shading not in COMPARING:
            self._plain = self._state.value.shading
        self._state.update(shading=shading or self._plain)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.shading != new.shading:
            self._strip.show_shading(new.shading)

    def leave(self) -> None:
        """Show the document's rig alone again."""
        self._strip.hide()
        if self._other is not None:
            self._other, self._path, self.text = None, None, ""
            self._stage.show_guest(None)
            if self._state.value.shading in COMPARING:
                self._shade(None)
            self._state.update(methods=self._methods, pane=0)
