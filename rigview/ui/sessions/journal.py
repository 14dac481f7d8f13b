"""The journal: soon after it changes, what is open is written to the state directory, always whole."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from rigview.core.text import system_reason
from rigview.io.files import write_atomically
from rigview.io.session_files import INDEX
from rigview.ui.jobs import Jobs, Latest, Progress
from rigview.ui.sessions.folders import WindowFolder
from rigview.ui.sessions.saving import SessionMaker, SessionSnapshot, snapshot
from rigview.ui.settings import Settings
from rigview.ui.tabs.open_rigs import OpenRigs
from rigview.ui.view_state import State, ViewState

# Seconds after a change, unless set otherwise; 0 keeps no journal.
SETTING, USUAL = "autosave", 2.0


@dataclass(frozen=True)
class _Written:
    fault: str


class Journal(QObject):
    """Keeps what is open for the case that the process ends; gone when the window is closed.

    `written` says that all that was open a moment ago is on disk; `failed` carries a title and a reason,
    once.
    """

    written = Signal()
    failed = Signal(str, str)

    def __init__(
        self, rigs: OpenRigs, state: State, jobs: Jobs, settings: Settings, place: Path
    ) -> None:
        super().__init__()
        self._rigs, self._settings = rigs, settings
        self._folder = WindowFolder(place)
        self._teller = SessionMaker()
        self._writing = Latest(jobs, "keeping the session", self._take)
        self._has_failed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._write)
        rigs.changed.connect(self.stir)
        state.changed.connect(self._looked)

    def _looked(self, _old: ViewState, new: ViewState) -> None:
        if not new.playing:
            self.stir()

    def stir(self) -> None:
        """Write soon: something changed."""
        seconds = self._settings.read(SETTING, USUAL)
        if seconds > 0.0 and not self._timer.isActive():
            self._timer.start(round(1000 * seconds))

    def _write(self) -> None:
        taken, folder, teller = snapshot(self._rigs), self._folder, self._teller

        def work(_progress: Progress) -> _Written:
            try:
                _keep(folder, teller, taken)
            except OSError as error:
                return _Written(f"{folder.path}: {system_reason(error)}")
            return _Written("")

        self._writing.request(work)

    def _take(self, result: _Written) -> None:
        if not result.fault:
            self.written.emit()
        elif not self._has_failed:
            self._has_failed = True
            self.failed.emit("What is open cannot be kept for a crash", result.fault)

    def end(self) -> None:
        """Forget what was kept: the window is closed. Call it when no job runs any more."""
        self._timer.stop()
        self._folder.remove()


def _keep(folder: WindowFolder, teller: SessionMaker, taken: SessionSnapshot) -> None:
    """Write a snapshot: its records first, then in one step the index that names them."""
    folder.make()
    session = teller.session(taken)
    there = {path.stem: path for path in folder.path.glob("*.record")}
    for name, data in teller.records(taken, set(there)):
        write_atomically(folder.path / f"{name}.record", data)
    write_atomically(folder.path / INDEX, session.to_json())
    for name in set(there) - session.records:
        with suppress(OSError):
            there[name].unlink()
