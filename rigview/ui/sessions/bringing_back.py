"""Opening a session: its rigs are read again, their changes put on them, and each shown as it was left."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from rigview.app.sessions import digest
from rigview.core.deform import Deformer
from rigview.core.stance import front
from rigview.core.text import shortened
from rigview.io import Loaded, LoadError, load
from rigview.io.rig_records import RecordError, read_record
from rigview.io.session_files import Read, SavedRig, SavedSession, found_rig
from rigview.render.session import Recipe
from rigview.ui.document import DocumentState, UndoStep
from rigview.ui.jobs import Jobs, Progress
from rigview.ui.sessions.kept import KEPT
from rigview.ui.sessions.views import view_from_json
from rigview.ui.tabs.open_rigs import OpenRig
from rigview.ui.view_state import ViewState
from rigview.ui.widgets.words import tr
from rigview.ui.workers.preparing import JobListener, warmed
from rigview.ui.workers.restoring import view_at_first


@dataclass(frozen=True, eq=False)
class Back:
    """What came back of a session.

    Parameters
    ----------
    current
        Which of the rigs is to be shown.
    missing
        What did not come back and why, a sentence each.
    """

    rigs: tuple[OpenRig, ...]
    current: int
    missing: tuple[str, ...]


class Bringer(QObject):
    """Reads the rigs of sessions in a worker; `came` carries a `Back`."""

    came = Signal(object)

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs

    def bring(self, session: SavedSession, read: Read, beside: Path) -> None:
        """Begin to open the session of a folder."""

        def work(progress: Progress) -> Back:
            return brought_back(session, read, beside, progress)

        self._jobs.run("Opening the session", work, self.came.emit)


def brought_back(session: SavedSession, read: Read, beside: Path, progress: Progress) -> Back:
    """Open the rigs of a session, as far as they can be."""
    rigs: list[OpenRig] = []
    missing: list[str] = []
    current = 0
    for number, saved in enumerate(session.rigs):
        name = Path(saved.file).name
        if number == session.current:
            current = len(rigs)

        def tell(text: str, share: float, name: str = name, before: int = number) -> None:
            progress(f"{name}: {text}", (before + share) / len(session.rigs))

        try:
            rig, lost = _rig(saved, read, beside, tell)
        except LoadError as error:
            words = "{file} is not there: {reason}."
            missing.append(tr(words, file=shortened(name), reason=error.reason))
            continue
        rigs.append(rig)
        missing += lost
    return Back(tuple(rigs), current, tuple(missing))


def _rig(
    saved: SavedRig, read: Read, beside: Path, tell: Callable[[str, float], None]
) -> tuple[OpenRig, list[str]]:
    path = found_rig(saved, beside)
    if path is None:
        raise LoadError(Path(saved.file), "", "its file is gone")
    same = digest(path) == saved.sha256
    loaded = load(path, JobListener(tell), saved.overrides)
    held, lost = DocumentState(loaded, overrides=saved.overrides), []
    held.steps = [UndoStep("Open", warmed(loaded.rig, tell))]
    name = shortened(path.name)
    if same:
        try:
            held.steps += _steps(saved, read, loaded)
            held.at, held.saved_at = saved.at, min(saved.saved_at, len(saved.steps) - 1)
            _take_over(saved, held)
        except (LoadError, RecordError) as error:
            del held.steps[1:]
            lost.append(
                tr(
                    "The changes of {file} are not there: {reason}.",
                    file=name,
                    reason=_reason(error),
                )
            )
    elif len(saved.steps) > 1:
        lost.append(
            tr("The changes of {file} are not there: the file is another one since.", file=name)
        )
    rig = held.steps[held.at].deformer.rig
    if held.at:
        step = held.steps[held.at]
        held.steps[held.at] = replace(step, deformer=warmed(rig, tell))
    shown = held.steps[held.at].deformer
    view = view_at_first(rig, front(shown)) | view_from_json(saved.view, rig, same_file=same)
    return OpenRig(held, ViewState(**view)), lost


def _reason(error: LoadError | RecordError) -> str:
    return error.reason if isinstance(error, LoadError) else str(error)


def _steps(saved: SavedRig, read: Read, loaded: Loaded) -> list[UndoStep]:
    """Return the states of a rig behind the first, which is the file's."""
    result = []
    for step in saved.steps[1:]:
        rig = read_record(read(step.record), loaded.rig) if step.record else loaded.rig
        result.append(UndoStep(step.name, Deformer(rig, "normalised"), step.parts))
    return result


def _take_over(saved: SavedRig, held: DocumentState) -> None:
    try:
        held.recipes = {name: Recipe(**made) for name, made in saved.recipes.items()}  # type: ignore[arg-type]
        for row in KEPT:
            if row.name in saved.extras:
                row.taken(held, saved.extras[row.name])
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(tr("the session is damaged ({error})", error=error)) from None
