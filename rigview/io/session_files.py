"""Sessions as files: which rigs were open and what was changed in them; written whole, read with suspicion.

A session is ``session.json`` and a record (`rig_records`) for every changed rig; both lie in a folder while
the window runs, and in one ``.rigview``, a ZIP file, where someone saves it.
"""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from rigview.core.text import system_reason
from rigview.io.files import read_file, write_atomically
from rigview.io.memory_budget import MOST_READ
from rigview.io.overrides import Overrides
from rigview.io.reading import LoadError, SaveError

SUFFIX = ".rigview"
INDEX = "session.json"
_VERSION = 1
# A session of a thousand rigs has less.
_MOST_INDEX = 1 << 24
# What a ZIP file that is damaged, encrypted or packed in a way that is not ours ends in.
_UNSOUND = (
    *(KeyError, EOFError, OSError, OverflowError, RuntimeError, ValueError),
    *(struct.error, zlib.error, zipfile.BadZipFile),
)
_PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# More rigs than this nobody has open.
_MOST_RIGS = 200


@dataclass(frozen=True)
class SavedStep:
    """A state of a rig.

    Parameters
    ----------
    name, parts
        What the undo step is called, and what it consists of if of several.
    record
        Which record holds the rig; empty for the rig as its file has it.
    """

    name: str
    parts: tuple[str, ...] = ()
    record: str = ""


@dataclass(frozen=True)
class SavedRig:
    """An open rig: its file, what it was read by, its states, and how it was looked at.

    Parameters
    ----------
    file, sha256
        The file, and its hash when it was read: a changed rig is one of that content.
    at, saved_at
        Which of the states is the present one, and which is on disk (none: -1).
    view
        How it was looked at, for the window to make sense of.
    recipes
        What a clip is called that the file does not have → how it was made.
    extras
        What other parts of the window keep, each under its own name.
    """

    file: str
    sha256: str = ""
    overrides: Overrides | None = None
    steps: tuple[SavedStep, ...] = (SavedStep("Open"),)
    at: int = 0
    saved_at: int = 0
    view: dict[str, Any] = field(default_factory=dict)
    recipes: dict[str, dict[str, str]] = field(default_factory=dict)
    extras: dict[str, Any] = field(default_factory=dict)

    @property
    def unsaved(self) -> int:
        """How many changes are not saved."""
        return abs(self.at - max(self.saved_at, 0)) if self.at != self.saved_at else 0


@dataclass(frozen=True)
class SavedSession:
    """All rigs of a window in the order of their tabs.

    Parameters
    ----------
    written
        When, in ISO 8601 with the offset.
    """

    rigs: tuple[SavedRig, ...]
    current: int = 0
    written: str = ""
    version: int = _VERSION

    @property
    def records(self) -> set[str]:
        """The records that it needs."""
        return {step.record for rig in self.rigs for step in rig.steps if step.record}

    def to_json(self) -> bytes:
        """Return it as JSON."""
        return msgspec.json.encode(self)


Read = Callable[[str], bytes]


def parsed(data: bytes, path: Path) -> SavedSession:
    """Return a session from JSON.

    Raises
    ------
    LoadError
        If it is damaged or of a later version.
    """
    try:
        stated = json.loads(data)
        version = stated.get("version") if isinstance(stated, dict) else None
        if isinstance(version, int) and version > _VERSION:
            raise LoadError(path, INDEX, f"it is of a later rigview (version {version})")
        session = msgspec.convert(stated, SavedSession)
    except (ValueError, RecursionError) as error:
        raise LoadError(path, INDEX, f"the session is damaged ({error})") from None
    for number, rig in enumerate(session.rigs):
        where = f"{INDEX}/rigs/{number}"
        if not 0 <= rig.at < len(rig.steps) or rig.steps[0].record or not rig.file:
            raise LoadError(path, where, "the session is damaged (states of the rig are missing)")
        if not all(step.record.isalnum() or not step.record for step in rig.steps):
            raise LoadError(path, where, "the session is damaged (a record has an impossible name)")
    if len(session.rigs) > _MOST_RIGS:
        raise LoadError(
            path, INDEX, f"it has {len(session.rigs)} rigs, and {_MOST_RIGS} may be open"
        )
    return session


def opened_folder(folder: Path) -> tuple[SavedSession, Read]:
    """Return the session that a window keeps in a folder, and what reads its records.

    Raises
    ------
    LoadError
        If it cannot be read, or is damaged.
    """

    def read(record: str) -> bytes:
        return _file(folder / f"{record}.record")

    return parsed(_file(folder / INDEX, _MOST_INDEX), folder), read


def _file(path: Path, most: int = MOST_READ) -> bytes:
    try:
        return read_file(path, most=most)
    except OSError as error:
        raise LoadError(path, "", system_reason(error)) from None


def opened_session(path: Path) -> tuple[SavedSession, Read]:
    """Return the session of a ``.rigview`` file, and what reads its records.

    Raises
    ------
    LoadError
        If it cannot be read, or is damaged.
    """
    data = _file(path)

    def read(name: str, most: int = MOST_READ) -> bytes:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                found = _unpacked(archive, name, most + 1)
        except _UNSOUND as error:
            reason = str(error.args[0]) if error.args else "it is damaged"
            raise LoadError(path, name, f"this is no sound session of rigview ({reason})") from None
        if len(found) > most:
            raise LoadError(path, name, f"it has more than {most >> 20:,} MiB")
        return found

    return parsed(read(INDEX, _MOST_INDEX), path), lambda record: read(f"{record}.record")


def _unpacked(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    if archive.getinfo(name).compress_type not in _PACKED_AS:
        raise zipfile.BadZipFile("it is packed neither plainly nor by deflate")
    with archive.open(name) as file:
        return file.read(most)


def is_session(path: Path) -> bool:
    """Tell whether a file is a session that can be read."""
    try:
        opened_session(path)
    except LoadError:
        return False
    return True


def save_session(path: Path, session: SavedSession, records: Iterable[tuple[str, bytes]]) -> None:
    """Write a ``.rigview``; only a session is ever replaced.

    Raises
    ------
    SaveError
        If it cannot be written, or another file has that name.
    """
    if path.suffix.lower() != SUFFIX:
        raise SaveError(f"{path}: a session's name ends in {SUFFIX}")
    if path.exists() and not is_session(path):
        raise SaveError(f"{path}: this is no session of rigview, and is left as it is")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(INDEX, session.to_json())
        for name, data in records:
            archive.writestr(f"{name}.record", data)
    try:
        write_atomically(path, packed.getvalue())
    except OSError as error:
        raise SaveError(f"{path}: {system_reason(error)}") from None


def found_rig(saved: SavedRig, beside: Path) -> Path | None:
    """Return the file of a rig: where it was, else beside the session; None at neither place."""
    stored = Path(saved.file)
    return next((p for p in (stored, beside / stored.name) if p.is_file()), None)
