"""The state directory: a folder a window, locked while it runs; the lock tells what a crash has left."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QLockFile, QStandardPaths

from rigview.core.text import shortened
from rigview.io import LoadError
from rigview.io.session_files import INDEX, Read, SavedSession, opened_folder
from rigview.ui.widgets.words import tr

_DAMAGED = "damaged"


def state_folder() -> Path | None:
    """Return where sessions are kept: ``RIGVIEW_STATE``, else the platform's place; None for nowhere.

    With ``:memory:`` for it, or for the settings alone, nothing is kept.
    """
    wanted = os.environ.get("RIGVIEW_STATE", "")
    if not wanted and os.environ.get("RIGVIEW_SETTINGS") == ":memory:":
        return None
    if wanted:
        return None if wanted == ":memory:" else Path(wanted)
    place = QStandardPaths.StandardLocation.StateLocation
    return Path(QStandardPaths.writableLocation(place)) / "sessions"


class WindowFolder:
    """The folder of a window, made when something is first to be kept."""

    def __init__(self, state: Path) -> None:
        self.path = state / uuid4().hex
        self._lock: QLockFile | None = None

    def make(self) -> None:
        """Make the folder and lock it.

        Raises
        ------
        OSError
            If it cannot be made.
        """
        if self._lock is None:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(self.path)
            if not self._lock.tryLock(0):
                self._lock = None
                raise OSError(f"{self.path} cannot be locked")

    def remove(self) -> None:
        """Forget all that is kept: the window was closed as it should be."""
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
        shutil.rmtree(self.path, ignore_errors=True)


def _lock(folder: Path) -> QLockFile:
    lock = QLockFile(str(folder / "lock"))
    # Only the end of its process makes a lock stale, however old it is.
    lock.setStaleLockTime(0)
    return lock


@dataclass(eq=False)
class LeftBehind:
    """The session of a window that ended without closing."""

    folder: Path
    session: SavedSession
    read: Read
    lock: QLockFile

    def remove(self) -> None:
        """Delete it."""
        self.lock.unlock()
        shutil.rmtree(self.folder, ignore_errors=True)

    def release(self) -> None:
        """Leave it for the next start."""
        self.lock.unlock()


def left_behind(state: Path) -> tuple[LeftBehind | None, tuple[str, ...]]:
    """Return the newest session that a window left behind, locked, and what was put aside and why."""
    found: list[LeftBehind] = []
    faults = []
    for folder in sorted(state.iterdir()) if state.is_dir() else ():
        if folder.name == _DAMAGED or not folder.is_dir():
            continue
        lock = _lock(folder)
        if not lock.tryLock(0):
            continue
        if not (folder / INDEX).exists():
            # It ended before anything was kept.
            lock.unlock()
            shutil.rmtree(folder, ignore_errors=True)
            continue
        try:
            session, read = opened_folder(folder)
        except LoadError as error:
            lock.unlock()
            aside = _put_aside(state, folder)
            faults.append(
                tr(
                    "What a window kept could not be read ({reason}); it was put aside in {folder}.",
                    reason=shortened(error.reason),
                    folder=aside,
                )
            )
            continue
        if session.rigs:
            found.append(LeftBehind(folder, session, read, lock))
        else:
            lock.unlock()
            shutil.rmtree(folder, ignore_errors=True)
    found.sort(key=lambda left: left.session.written)
    for other in found[:-1]:
        other.release()
    return (found[-1] if found else None), tuple(faults)


def _put_aside(state: Path, folder: Path) -> Path:
    aside = state / _DAMAGED / folder.name
    aside.parent.mkdir(exist_ok=True)
    shutil.move(folder, aside)
    return aside
