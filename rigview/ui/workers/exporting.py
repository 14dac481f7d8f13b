"""Exports: the dialog, and pictures, contact sheets and turntables drawn and written in a worker."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from rigview.app.file_check import CheckSettings
from rigview.app.movie_files import PICTURE, numbered
from rigview.app.review_folder import ReviewPlan, Written, write_review
from rigview.app.review_page import PagePlan, review_page
from rigview.app.sessions import digest
from rigview.check.policy import held
from rigview.check.run import Report
from rigview.core.text import file_name, shortened
from rigview.io import SaveError
from rigview.io.files import save_bytes
from rigview.io.inputs import protected
from rigview.render import review
from rigview.render.camera import Camera
from rigview.render.gl import GLError
from rigview.render.look import COMPARING, Look
from rigview.render.motion import RigMotion
from rigview.render.note_view import notes_at
from rigview.render.review import Review
from rigview.render.session import Session
from rigview.render.turntable import Turntable
from rigview.render.video import VideoError
from rigview.ui.dialogs.export_dialog import Drawing, Export, ExportDefaults, ExportDialog
from rigview.ui.dialogs.export_kinds import Kind, StillPicture
from rigview.ui.document import Document
from rigview.ui.jobs import Jobs, Progress, refused
from rigview.ui.joint_readings import JointReadings
from rigview.ui.panes.viewport import Panes
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets.words import tr
from rigview.ui.workers.render_job import RenderJob


class Exporter(QObject):
    """Exports what the panes show. `said` carries what came of it."""

    said = Signal(str, bool)
    failed = Signal(str, str)

    def __init__(
        self,
        document: Document,
        stage: Stage,
        state: State,
        panes: Panes,
        readings: JointReadings,
        jobs: Jobs,
    ) -> None:
        super().__init__()
        self._readings = readings
        self._document, self._stage, self._state = document, stage, state
        self._panes, self._jobs = panes, jobs
        self.folder: Path | None = None

    def ask(self, parent: QWidget) -> ExportDialog | None:
        """Open the dialog."""
        base = self.base_review()
        if base is None or self._document.path is None:
            return None
        pane, aspect = self._state.value.pane, self._panes.aspect
        clip, rate = self._stage.clip, self._state.value.fps
        proposal = ExportDefaults(base, pane, aspect, clip, rate)
        dialog = ExportDialog(parent, proposal, self, self._jobs)
        dialog.chosen.connect(self.write)
        dialog.open()
        return dialog

    def base_review(self) -> Review | None:
        """Return the picture of what the panes show."""
        path, state = self._document.path, self._state.value
        if path is None:
            return None
        name, panes = self._clip_name(), range(len(self._stage.methods))
        words = review.caption(path.name, name, state.time * state.fps, state.time)
        return Review(
            self._stage.methods,
            state.camera,
            _alone(self._stage.look),
            (1920, 1080),
            caption=words,
            cameras={n: state.camera_of(n) for n in panes} if state.apart else {},
            worst=self._readings.worst,
            notes=notes_at(self._panes.ink.notes, name, state.time, state.fps),
        )

    def _clip_name(self) -> str | None:
        clip = self._stage.clip
        return None if clip is None else clip.name or str(self._state.value.clip)

    def proposed(self, word: str = "", ending: str = PICTURE.ending) -> Path:
        """Return a name that says what is shown, one that is free.

        Parameters
        ----------
        word
            What is made of it; empty for a picture of the present frame.
        """
        path, state = self._document.path or Path("rigview.glb"), self._state.value
        folder = self.folder if self.folder is not None and self.folder.is_dir() else path.parent
        clip = self._clip_name()
        words = [path.stem]
        if clip is not None:
            words.append("".join(c if c.isalnum() else "_" for c in clip))
        if word:
            words.append(word)
        elif clip is not None:
            words.append(f"f{state.time * state.fps:03.0f}")
        stem = "_".join(words)
        candidate, number = folder / file_name(stem, ending), 2
        while numbered(candidate, 1).exists():
            candidate, number = folder / file_name(stem, f"_{number}{ending}"), number + 1
        return candidate

    def preview(self, wanted: Review, kind: Kind) -> Drawing:
        """Return what draws a small picture; of a turntable that is the first one."""
        deformer, frame = self._stage.deformer, self._stage.frame
        if deformer is None or frame is None or not isinstance(kind, StillPicture):
            return self.drawing(wanted, kind)
        # What is small is drawn sooner here than a worker has an OpenGL context.
        wanted = self._fitted(wanted)
        panes = self._panes.render(wanted)
        return lambda _: review.with_words(panes, deformer, frame, wanted)

    def drawing(self, wanted: Review, kind: Kind) -> Drawing:
        """Return what draws a picture; of a turntable that is the first one."""
        sitting, wanted = self._sitting(), self._fitted(wanted)
        if sitting is None:
            return lambda _: np.zeros((1, 1, 4), dtype=np.uint8)
        return lambda progress: sitting.picture(wanted, kind, progress)

    def _fitted(self, wanted: Review) -> Review:
        # The dialog may be older than the rig: the file is read again when it changes.
        return replace(wanted, look=self._stage.fitted(wanted.look))

    def _sitting(self) -> RenderJob | None:
        deformer, frame, path = self._stage.deformer, self._stage.frame, self._document.path
        if deformer is None or frame is None or path is None:
            return None
        pose, clip, state = self._stage.posing(), self._stage.clip, self._state.value
        motion = RigMotion(deformer, pose, clip, path.name, self._clip_name(), state.fps)
        return RenderJob(
            motion,
            frame,
            state.time,
            state.camera,
            self._panes.aspect,
            self._panes.apart,
            self._panes.ink.notes,
        )

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
            # That of the current pane, where a picture shows one alone, comes when it is written.
            camera=state.linked_camera,
            cameras=state.apart,
            look=_alone(self._stage.look),
            joint=None if joint is None else rig.nodes.label(joint),
            weights=state.weights,
            made=self._document.recipe_of(self._stage.clip_number),
        )

    def write(self, export: Export) -> None:
        """Draw at full size, add words, compress and save, all in a worker."""
        sitting, wanted = self._sitting(), self._fitted(export.review)
        session, loaded = self.session() if export.with_session else None, self._document.loaded
        # What turns, and one pane alone, is seen by one camera.
        turns = isinstance(export.kind, Turntable)
        apart = session.cameras if session is not None and wanted.cameras and not turns else {}
        if sitting is None or loaded is None:
            return
        self.folder = export.path.parent

        def work(progress: Progress) -> Path:
            known = digest(loaded.path)

            def text(camera: Camera, time: float) -> dict[str, str]:
                if session is None:
                    return {"Software": "rigview"}
                seen = replace(session, sha256=known, time=time, cameras=apart)
                return (seen if apart else replace(seen, camera=camera)).text()

            with protected(loaded.files):
                sitting.save(export.path, wanted, export.kind, text, progress)
            return export.path

        self._start(export.path, work)

    def write_page(self, path: Path, report: Report | None) -> None:
        """Write the review page of the rig on show, with all its clips, in a worker.

        Parameters
        ----------
        report
            What was found in it; None where it is not checked.
        """
        deformer, loaded, state = self._stage.deformer, self._document.loaded, self._state.value
        if deformer is None or loaded is None:
            return
        self.folder = path.parent
        plan = PagePlan(
            loaded.path.name,
            tuple(deformer.rig.clips),
            state.fps,
            self._stage.methods,
            self._stage.look.options,
            report,
            review=self._panes.ink.notes,
        )

        def work(progress: Progress) -> Path:
            text = review_page(deformer, plan, progress)
            with protected(loaded.files):
                save_bytes(path, text.encode())
            return path

        self._start(path, work)

    def write_review(self, folder: Path, wish: CheckSettings) -> None:
        """Write a folder for review of the rig on show, in a worker: all of it or nothing.

        Parameters
        ----------
        wish
            What the rig is held to.
        """
        deformer, loaded, state = self._stage.deformer, self._document.loaded, self._state.value
        if deformer is None or loaded is None:
            return
        self.folder = folder.parent
        shown, clip, rate = replace(loaded, rig=deformer.rig), self._stage.clip, state.fps
        methods, notes, apart = self._stage.methods, self._panes.ink.notes, self._panes.apart

        def work(progress: Progress) -> Written:
            policy = held(loaded.path, wish.profile, configured=wish.configured).standard
            plan = ReviewPlan(policy, clip, methods, notes, rate, context=apart)
            with protected(loaded.files):
                return write_review(shown, folder, plan, progress)

        def done(written: Written) -> None:
            self.said.emit(" ".join((tr("Saved {file}.", file=folder), *written.left_out)), False)

        title = tr("{file} could not be written", file=shortened(folder.name))
        self._jobs.run(
            tr("Writing {file}", file=folder.name),
            work,
            done,
            refused((SaveError,), lambda error: self.failed.emit(title, str(error))),
        )

    def write_film(self, path: Path, *, turns: bool, size: tuple[int, int] = (1920, 1080)) -> None:
        """Write a film of the clip on show, seen as it is now or turning, in a worker.

        It holds at each note.
        """
        sitting, base, loaded = self._sitting(), self.base_review(), self._document.loaded
        if sitting is None or base is None or loaded is None:
            return
        self.folder, base = path.parent, replace(base, size=size)
        wanted = base.seen_by(lambda camera: camera.widened(self._panes.aspect, base.aspect))

        def work(progress: Progress) -> Path:
            with protected(loaded.files):
                sitting.save_film(path, wanted, progress, turns=turns)
            return path

        self._start(path, work)

    def _start(self, path: Path, work: Callable[[Progress], Path]) -> None:
        """Write a file in a worker, and say what came of it."""
        title = tr("{file} could not be written").format(file=shortened(path.name))
        self._jobs.run(
            tr("Writing {file}", file=path.name),
            work,
            lambda written: self.said.emit(tr("Saved {file}").format(file=written), False),
            refused(
                (SaveError, GLError, VideoError), lambda error: self.failed.emit(title, str(error))
            ),
        )


def _alone(look: Look) -> Look:
    """Return a look for one rig: clay stands in for what compares two."""
    return replace(look, shading="clay") if look.shading in COMPARING else look
