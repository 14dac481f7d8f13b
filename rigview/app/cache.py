"""A folder that keeps what checks came to, for files, versions and settings that are the same.

Several processes may use one folder at once: entries are written in one step and never change. One that is
damaged or of another form is as good as none, and written anew.
"""

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
    for record in _entries(folder, task):
        read = tuple(_place(task.path, name) for name in record.read)
        if record.key == record_key(task, read):
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


def _is_final(task: Task, record: FileReport) -> bool:
    """Return whether nothing was left out for want of time or of a driver."""
    # A fix or a picture that has no time took at least what a rule may.
    hurried = (task.measured or task.pictures) and 3.0 * record.seconds >= task.timeout
    return not (record.late or record.left_out or hurried)


def _entries(folder: Path, task: Task) -> Iterator[FileReport]:
    """Yield what is kept of files with this name and content, whatever they refer to."""
    start = _start(task)
    for place in sorted((folder / start[:2]).glob(f"{start}-*.json")):
        try:
            record = of_dict(json.loads(place.read_bytes()))
        except (OSError, ValueError):
            continue
        if isinstance(record, FileReport):
            yield record


def _place(file: Path, name: str) -> str:
    """Return the path of what is called so from the folder of a file (`beside`)."""
    if name == file.name:
        return str(file)
    return os.path.join(os.path.realpath(file.parent), name)  # noqa: PTH118 - as text


def _start(task: Task) -> str:
    return hashed([settings_key(task), task.path.name, digest(task.path)])
