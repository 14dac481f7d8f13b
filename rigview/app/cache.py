"""A folder that keeps what checks came to, for files, versions and settings that are the same.

Several processes may use one folder at once: entries are written in one step and never change. One that is
damaged or of another form is as good as none, and written anew. Beyond a limit those entries are removed
that were longest of no use; an entry that another process removes meanwhile was none.
"""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from rigview.app.record_keys import beside, digest, hashed, record_key, settings_key
from rigview.app.tasks import Task
from rigview.check.report import FileReport, Record, as_dict, of_dict
from rigview.check.report.records import dumped
from rigview.io.files import save_bytes

# Of the limit what is left after trimming, so that a full folder is not trimmed at every run.
_LEFT = 0.8


def usual_folder() -> Path:
    """Return where caches are kept on this system."""
    if sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    else:
        # https://specifications.freedesktop.org/basedir-spec/latest
        root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(root) / "rigview"


def kept(folder: Path, task: Task) -> FileReport | None:
    """Return what a former check of the same came to; None where there was none."""
    for place, record in _entries(folder, task):
        read = tuple(_place(task.path, name) for name in record.read)
        if record.key == record_key(task, read):
            _note_use(place)
            return replace(record, file=str(task.path), read=read)
    return None


def keep(folder: Path, task: Task, record: Record) -> None:
    """Keep what a check came to, unless another check might come to more.

    Raises
    ------
    SaveError
        If it cannot be written.
    """
    if not isinstance(record, FileReport) or not _is_final(task, record):
        return
    read = tuple(beside(task.path, path) for path in record.read)
    values = as_dict(replace(record, file=task.path.name, read=read), whole=True)
    start = _start(task)
    place = folder / start[:2] / f"{start}-{record.key}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    save_bytes(place, dumped(values, indent=None).encode())


def trim(folder: Path, most: int) -> int:
    """Remove the entries whose last use is oldest where all take more than `most` bytes; return how many.

    What other processes remove or use meanwhile is no error.
    """
    entries = [
        (stat.st_mtime_ns, stat.st_size, place)
        for place in folder.glob("[0-9a-f][0-9a-f]/*.json")
        if (stat := _stat(place)) is not None
    ]
    taken = sum(size for _, size, _ in entries)
    if taken <= most:
        return 0
    removed = 0
    for _, size, place in sorted(entries):
        if taken <= _LEFT * most:
            break
        # Windows lets nobody remove a file that another process reads: it is in use.
        with contextlib.suppress(FileNotFoundError, PermissionError):
            place.unlink()
            removed += 1
        taken -= size
    return removed


def _stat(place: Path) -> os.stat_result | None:
    """Return what the system tells of an entry; None where another process has removed it."""
    try:
        return place.stat()
    except FileNotFoundError:
        return None


def _note_use(place: Path) -> None:
    """Let the time of an entry's file be that of its last use; of a folder that is only read it stays."""
    with contextlib.suppress(OSError):
        os.utime(place)


def _is_final(task: Task, record: FileReport) -> bool:
    """Return whether nothing was left out for want of time or of a driver."""
    # A fix or a picture that has no time took at least what a rule may.
    hurried = (task.measured or task.pictures) and 3.0 * record.seconds >= task.timeout
    return not (record.late or record.left_out or hurried)


def _entries(folder: Path, task: Task) -> Iterator[tuple[Path, FileReport]]:
    """Yield, with its place, what is kept of files with this name and content, whatever they refer to."""
    start = _start(task)
    for place in sorted((folder / start[:2]).glob(f"{start}-*.json")):
        try:
            record = of_dict(json.loads(place.read_bytes()))
        except (OSError, ValueError):
            continue
        if isinstance(record, FileReport):
            yield place, record


def _place(file: Path, name: str) -> str:
    """Return the path of what is called so from the folder of a file (`beside`)."""
    if name == file.name:
        return str(file)
    return os.path.join(os.path.realpath(file.parent), name)  # noqa: PTH118 - as text


def _start(task: Task) -> str:
    return hashed([settings_key(task), task.path.name, digest(task.path)])
