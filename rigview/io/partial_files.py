"""Files that are being written: beside their final names, and gone once their writer is.

Each piece of writing holds a lock file in every folder that it writes to. Where the lock of another can be
had, its writer was killed, and what it left behind is removed.
"""

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from types import TracebackType

# No file of a studio is called like this.
_PREFIX, _LOCK, _FILE = ".rigview-unfinished-", ".lock", ".tmp"


class PartialFile:
    """Temporary files of one piece of writing; those that are left are removed at its end."""

    def __init__(self) -> None:
        self._locks: dict[Path, tuple[Path, int]] = {}
        self._files: list[Path] = []

    def __enter__(self) -> "PartialFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for path in self._files:
            _remove(path)
        for lock, handle in self._locks.values():
            if sys.platform == "win32":  # where what is open cannot be removed
                os.close(handle)
                _remove(lock)
            else:
                _remove(lock)
                os.close(handle)

    def make(self, folder: Path, suffix: str = _FILE) -> tuple[int, Path]:
        """Make an empty file in a folder; return its handle and its name.

        Parameters
        ----------
        suffix
            How the name ends, for programs that go by that.

        Raises
        ------
        OSError
            If none can be made.
        """
        handle, name = tempfile.mkstemp(suffix, self._prefix(folder), folder)
        self._files.append(Path(name))
        return handle, Path(name)

    def make_folder(self, folder: Path) -> Path:
        """Make an empty folder in a folder, and return its name; what is left in it is removed, too.

        Raises
        ------
        OSError
            If none can be made.
        """
        path = Path(tempfile.mkdtemp(_FILE, self._prefix(folder), folder))
        self._files.append(path)
        return path

    def _prefix(self, folder: Path) -> str:
        """Return what the names of temporary files in a folder begin with; there is its lock then."""
        if folder not in self._locks:
            remove_abandoned(folder)
            self._locks[folder] = _locked(folder)
        lock, _ = self._locks[folder]
        return f"{lock.name.removesuffix(_LOCK)}-"


def remove_abandoned(folder: Path) -> None:
    """Remove what killed writers have left in a folder, as far as that can be told and done."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        ours = [Path(entry.path) for entry in entries if entry.name.startswith(_PREFIX)]
        for lock in ours:
            if lock.suffix == _LOCK:
                _remove_if_abandoned(lock, ours)


def sync_folder(folder: Path) -> None:
    """Have a folder's new names written to the disk, where the system does that."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _locked(folder: Path) -> tuple[Path, int]:
    """Return a new lock file that this process holds, and its handle."""
    while True:
        handle, name = tempfile.mkstemp(_LOCK, _PREFIX, folder)
        _lock(handle, wait=True)
        # Before it was locked another writer may have taken it for abandoned.
        if Path(name).exists():
            return Path(name), handle
        os.close(handle)


def _lock(handle: int, *, wait: bool) -> bool:
    """Lock a file for this process; return whether it is."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:  # another holds it, or the file system has no locks
        return False
    return True


def _remove_if_abandoned(lock: Path, ours: list[Path]) -> None:
    left = [path for path in ours if path.name.startswith(f"{lock.stem}-")]
    if sys.platform == "win32":
        lock.unlink()  # fails where its writer has it open
        for path in left:
            _remove(path)
        return
    if not stat.S_ISREG(lock.lstat().st_mode):
        return
    handle = os.open(lock, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if _lock(handle, wait=False):
            for path in (*left, lock):
                _remove(path)
    finally:
        os.close(handle)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with contextlib.suppress(OSError):
        path.unlink()
