"""Opening files: in a worker, skeleton first, with progress and cancel; the old rig stays until then."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from rigview.app.sessions import Remade, picture_session, remade, session_file
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.rig import Rig
from rigview.core.stance import front
from rigview.io import Loaded, LoadError, load
from rigview.io.overrides import Overrides
from rigview.render import framing
from rigview.render.session import Session
from rigview.ui.document import Document
from rigview.ui.jobs import Job, Jobs, Progress
from rigview.ui.stage import Stage
from rigview.ui.widgets.words import tr
from rigview.ui.workers.memory import give_back
from rigview.ui.workers.preparing import JobListener, warmed

# Work quicker than this shows no progress: it would only flash.
PATIENCE_MS = 300
# So long after a file is opened or given up nobody waits for anything.
CALM_MS = 2000
# More joints are not shown in advance: tree and bones would keep the window from hearing Cancel.
MOST_SHOWN = 3000


@dataclass(frozen=True)
class OpenedRig:
    """A file that was read, made ready for the window.

    Parameters
    ----------
    session
        What a picture of rigview shows and is to be restored; None for other files.
    outline
        ``(n, 3)`` what the camera shall frame.
    reach
        How far what is around that reaches from its middle; None where nothing is.
    is_reload
        Whether the file that was open was read again, so that the view is to stay.
    front
        Where the characters look (`stance.front`).
    same_nodes
        Whether what was open had the same nodes, so that what is selected or hidden still means the
        same.
    remade, changed
        Of a session whose clip the file does not have: the clip made again, and what skins the rig then.
    """

    loaded: Loaded
    deformer: Deformer
    session: Session | None
    outline: FloatArray
    reach: float | None
    front: float
    is_reload: bool = False
    same_nodes: bool = False
    remade: Remade | None = None
    changed: Deformer | None = None


def outline(deformer: Deformer) -> tuple[FloatArray, float | None]:
    """Return ``(n, 3)`` the characters as first shown, and how far what is around them reaches."""
    rig = deformer.rig
    clip = None if rig.default_clip is None else rig.clips[rig.default_clip]
    pose = sample(rig, clip, clip.start if clip is not None else 0.0)
    frame = deformer.frame(pose)
    points = framing.visible_points(deformer, frame)
    return points, framing.reach(deformer, frame, points)


class Opener(QObject):
    """Opens files into the document; `is_reload` says whether the last one was open already.

    `arriving` comes before the document takes the file; `opened` follows a success and carries an
    `OpenedRig`; `refused` carries the file and the error;
    `previewed` says that the skeleton is on show while the meshes are read.
    """

    arriving = Signal()
    opened = Signal(object)
    refused = Signal(object, object)
    previewed = Signal(bool)

    def __init__(self, document: Document, stage: Stage, jobs: Jobs) -> None:
        super().__init__()
        self._document, self._stage, self._jobs = document, stage, jobs
        self._job: Job | None = None
        self._skeleton: Rig | None = None
        self.is_reload = False
        # Whether what is open stays open, in a tab of its own.
        self.is_beside = False
        self._overrides: Overrides | None = None
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._show_skeleton)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(CALM_MS)
        self._calm.timeout.connect(self._give_back)

    @property
    def is_busy(self) -> bool:
        """Whether a file is being read."""
        return self._job is not None

    def open(
        self,
        path: Path,
        *,
        reload: bool = False,
        beside: bool = False,
        overrides: Overrides | None = None,
    ) -> Job:
        """Begin to open a rig, or the rig that a picture of rigview shows.

        A file that is read again is so by the same overrides.

        Parameters
        ----------
        beside
            Whether what is open stays open.
        """
        believed = self._document.held.overrides if reload else overrides
        self._overrides, self.is_beside = believed, beside
        if self._job is not None:
            self._job.cancel()
        self._skeleton, old = None, self._document.rig
        self.is_reload = reload
        kept = self._stage.clip_number if reload else None

        def work(progress: Progress) -> OpenedRig:
            session = picture_session(path) if path.suffix.lower() == ".png" else None
            target = session_file(path, session) if session is not None else path
            teller = JobListener(
                progress, lambda rig: progress.report(lambda: self._keep(job, rig))
            )
            loaded = load(target, teller, believed)
            deformer = warmed(loaded.rig, progress)
            for clip in _shown_clips(loaded.rig, session, kept):
                clip.prepare()
            same = old is not None and _shares_nodes(old, loaded.rig)
            points, reach = outline(deformer)
            made = None if session is None or session.made is None else session.made
            again = None if made is None else remade(loaded.rig, made, path)
            has_clip = again is not None and again.clip is not None
            changed = warmed(again.rig, progress) if again is not None and has_clip else None
            found = loaded, deformer, session, points, reach, front(deformer)
            return OpenedRig(*found, reload, same, again, changed)

        job = self._jobs.run(tr("Opening {file}", file=path.name), work, self._succeed, self._fail)
        job.cancelled.connect(lambda: self._end(job))
        self._job, self._path = job, path
        self._patience.start()
        return job

    def _keep(self, job: Job, skeleton: Rig) -> None:
        if job is self._job and not job.is_cancelled and len(skeleton.joints) <= MOST_SHOWN:
            self._skeleton = skeleton
            if not self._patience.isActive():
                self._show_skeleton()

    def _show_skeleton(self) -> None:
        if self._skeleton is not None and self._job is not None and self._skeleton.joints:
            # A pose that is rehearsed names joints of the rig before.
            self._stage.end_rehearsal()
            self._stage.show_preview(Deformer(self._skeleton))
            self.previewed.emit(True)

    def step_back(self) -> None:
        """Leave the stage to another open rig; what is being opened comes beside it."""
        if self._job is not None:
            self.is_beside, self._skeleton = True, None
            self._stage.show_preview(None)
            self.previewed.emit(False)

    def _end(self, job: Job | None) -> None:
        if job is not None and job is not self._job:
            return
        self._job, self._skeleton = None, None
        self._patience.stop()
        self._stage.show_preview(None)
        self.previewed.emit(False)
        self._calm.start()

    def _give_back(self) -> None:
        """Give back what the file before took, or one that is not opened after all."""
        self._jobs.run("giving memory back", lambda _: give_back(), lambda _: None, quiet=True)

    def _succeed(self, result: "OpenedRig") -> None:
        self._stage.forget_preview()
        self._end(None)
        self.arriving.emit()
        self._document.open(result.loaded, result.deformer, self._overrides)
        self.opened.emit(result)

    def _fail(self, error: BaseException) -> None:
        self._end(None)
        if not isinstance(error, LoadError):
            raise error
        self.refused.emit(self._path, error)


def _shown_clips(rig: Rig, session: Session | None, kept: int | None) -> list[Clip]:
    """Return the clip that a session names, or that is on show and stays."""
    wanted = session.clip if session is not None else None
    return [
        clip
        for number, clip in enumerate(rig.clips)
        if number == kept or rig.clip_names[number] == wanted
    ]


def _shares_nodes(old: Rig, new: Rig) -> bool:
    return (old.nodes.names, old.nodes.children) == (new.nodes.names, new.nodes.children)
