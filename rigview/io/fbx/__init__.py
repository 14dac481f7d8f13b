"""FBX 6.1 and 7.0 to 7.7, binary and ASCII: reading into a `Rig`, and amending 7.0 to 7.7.

Reader and writer are loaded when they are first asked for.
"""

from pathlib import Path

from rigview.core.rig import Rig
from rigview.io.reading import Listener, Loaded

__all__ = ["BINARY", "MAGIC", "NAME", "load", "recognises", "save"]

NAME = "FBX"

BINARY = b"Kaydara FBX Binary"
MAGIC = BINARY + b"  \x00"


def recognises(head: bytes) -> bool:
    """Tell whether a file is FBX, binary or ASCII."""
    if head.startswith(BINARY):
        return True
    text = head.lstrip()
    return text.startswith(b"; FBX") or b"FBXHeaderExtension" in text


def load(path: Path, listener: Listener) -> Loaded:
    """Read an .fbx file.

    Raises
    ------
    LoadError
        If it is damaged or of a version that rigview does not read.
    """
    from rigview.io.fbx import reader

    return reader.load(path, listener)


def save(loaded: Loaded, rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig as an amended copy of the .fbx file that was opened.

    Raises
    ------
    SaveError
        If it was read from something else, or has a change that the file cannot hold.
    """
    from rigview.io.fbx import saving

    return saving.save(loaded, rig, out)
