"""Screenshots: the dialog, the picture drawn in the viewport's own context, the PNG written in a worker."""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from rigview.io import SaveError
from rigview.io.files import save_bytes
from rigview.render import image, review
from rigview.render.look import COMPARING, Look
from rigview.render.review import Review
from rigview.render.session import Session
from rigview.ui.document import Document
from rigview.ui.export_dialog import Drawing, Export, ExportDialog, Proposal
from rigview.ui.jobs import Jobs, Progress
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.viewport import Panes


class Exporter(QObject):
    """Exports what the panes show. `said` carries what came of it."""

    said = Signal(str, bool)
    failed = Signal(str, str)

    def __init__(
        self, document: Document, stage: Stage, state: State, panes: Panes, jobs: Jobs
    ) -> None:
        super().__init__()
        self._document, self._stage, self._state = document, stage, state
        self._panes, self._jobs = panes, jobs
        self.folder: Path | None = None

    def ask(self, parent: QWidget) -> ExportDialog | None:
        """Open the dialog."""
        base = self.base_review()
        if base is None or self._document.path is None:
            return None
        pane, aspect = self._state.value.pane, self._panes.aspect
        proposal = Proposal(base, pane, aspect, self.proposed())
        dialog = ExportDialog(parent, proposal, self.drawing, self._jobs)
        dialog.chosen.connect(self.write)
        dialog.open()
        return dialog

    def base_review(self) -> Review | None:
        """Return the picture of what the panes show."""
        path, state = self._document.path, self._state.value
        if path is None:
            return None
        name = self._clip_name()
        words = review.caption(path.name, name, state.time * state.fps, state.time)
        return Review(
            self._stage.methods,
            state.camera,
            _alone(self._stage.look),
            (1920, 1080),
            caption=words,
            shapes=dict(self._stage.shapes),
        )

    def _clip_name(self) -> str | None:
        clip = self._stage.clip
        return None if clip is None else clip.name or str(self._state.value.clip)

    def proposed(self) -> Path:
        """Return a name that says what the picture shows, one that is free."""
        path, state = self._document.path or Path("rigview.glb"), self._state.value
        folder = self.folder or path.parent
        clip = self._clip_name()
        words = [path.stem]
        if clip is not None:
            words += [
                "".join(c if c.isalnum() else "_" for c in clip),
                f"f{state.time * state.fps:03.0f}",
            ]
        stem = "_".join(words)
        candidate, number = folder / f"{stem}.png", 2
        while candidate.exists():
            candidate, number = folder / f"{stem}_{number}.png", number + 1
        return candidate

    def drawing(self, wanted: Review) -> Drawing:
        """Draw the panes of a picture now, and return what makes the whole of it in any thread."""
        deformer, frame = self._stage.deformer, self._stage.frame
        if deformer is None or frame is None:
            return lambda: np.zeros((1, 1, 4), dtype=np.uint8)
        # The dialog may be older than the rig: the file is read again when it changes.
        wanted = replace(wanted, look=self._stage.fitted(wanted.look))
        panes = self._panes.render(wanted)
        return lambda: review.with_words(panes, deformer, frame, wanted)

    def session(self) -> Session | None:
        """Return what is on show, to be stored in the picture; the hash comes when it is written."""
        path, rig, state = self._document.path, self._stage.rig, self._state.value
        joint = self._stage.joint
        if path is None or rig is None:
            return None
        return Session(
            file=str(path.resolve()),
            sha256="",
            clip=self._clip_name(),
            time=state.time,
            methods=state.methods,
            camera=state.camera,
            look=_alone(self._stage.look),
            joint=None if joint is None else rig.nodes.label(joint),
        )

    def write(self, export: Export) -> None:
        """Draw the panes at full size here, then write words, compress and save in a worker."""
        drawing = self.drawing(export.review)
        session, source = self.session() if export.with_session else None, self._document.path
        self.folder = export.path.parent

        def work(_progress: Progress) -> Path:
            text = {"Software": "rigview"}
            if session is not None and source is not None:
                text = replace(session, sha256=_digest(source)).text()
            save_bytes(export.path, image.png(drawing(), text))
            return export.path

        def failed(error: BaseException) -> None:
            if not isinstance(error, SaveError):
                raise error
            self.failed.emit(f"{export.path.name} could not be written", str(error))

        self._jobs.run(
            "Writing the picture", work, lambda path: self.said.emit(f"Saved {path}", False), failed
        )


def _alone(look: Look) -> Look:
    """Return a look for one rig: clay stands in for what compares two."""
    return replace(look, shading="clay") if look.shading in COMPARING else look


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file; empty where it is gone."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
