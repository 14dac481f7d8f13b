"""The one table of file formats: a new format is one row here and one module or folder beside."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rigview.core.rig import Rig
from rigview.io import gltf
from rigview.io.files import read_head
from rigview.io.reading import Listener, Loaded, LoadError, SaveError, system_reason

# Enough to tell any format by its first bytes.
_SNIFFED_BYTES = 4096


@dataclass(frozen=True)
class Format:
    """One row.

    Parameters
    ----------
    recognises
        Tells from the first bytes of a file whether it is of this format.
    load
        ``(path, listener) → Loaded``.
    save
        ``(loaded, rig, out) → None``, or None where rigview cannot write the format.
    """

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    load: Callable[[Path, Listener], Loaded]
    save: Callable[[Loaded, Rig, Path], None] | None


FORMATS: tuple[Format, ...] = (
    Format("glTF", (".gltf", ".glb", ".vrm"), gltf.recognises, gltf.load, gltf.save),
)


def suffix_filter() -> tuple[str, ...]:
    """Return the suffixes of all formats."""
    return tuple(suffix for row in FORMATS for suffix in row.suffixes)


def recognise(path: Path) -> Format | None:
    """Return the format of a file by its content, or None.

    Raises
    ------
    LoadError
        If the file cannot be read at all.
    """
    try:
        head = read_head(path, _SNIFFED_BYTES)
    except OSError as error:
        raise LoadError(path, "", system_reason(error)) from None
    if not head:
        raise LoadError(path, "", "the file is empty")
    return next((row for row in FORMATS if row.recognises(head)), None)


def load(path: Path, listener: Listener | None = None) -> Loaded:
    """Open a rig file of any known format.

    Raises
    ------
    LoadError
        If it cannot be opened; nothing else but `Cancelled` leaves this function.
    """
    row = recognise(path)
    if row is None:
        names = ", ".join(f"{row.name} ({', '.join(row.suffixes)})" for row in FORMATS)
        raise LoadError(path, "", f"the content is of no format that rigview reads: {names}")
    try:
        return row.load(path, listener or Listener())
    except MemoryError:
        raise LoadError(path, "", "there is not enough memory to open it") from None
    except OSError as error:
        raise LoadError(path, "", system_reason(error)) from None


def save(loaded: Loaded, rig: Rig, out: Path) -> None:
    """Write a changed rig as a copy of the file it came from; the container follows the suffix.

    An unchanged rig gives back the source byte for byte. Writing is atomic.

    Raises
    ------
    SaveError
        If it cannot be written.
    """
    row = next((r for r in FORMATS if out.suffix.lower() in r.suffixes and r.save), None)
    if row is None or row.save is None:
        known = ", ".join(s for r in FORMATS if r.save for s in r.suffixes)
        raise SaveError(
            f"{out}: rigview writes {known}, not {out.suffix or 'a name without suffix'}"
        )
    if not out.parent.is_dir():
        raise SaveError(f"{out}: there is no such folder")
    try:
        row.save(loaded, rig, out)
    except SaveError as error:
        raise SaveError(f"{out}: {error}") from None
    except OSError as error:
        raise SaveError(f"{out}: {system_reason(error)}") from None
    except MemoryError:
        raise SaveError(f"{out}: there is not enough memory to write it") from None
