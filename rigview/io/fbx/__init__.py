"""FBX 6.1 and 7.0 to 7.7, binary and ASCII: reading into a `Rig`. The reader is loaded for the first."""

from pathlib import Path

from rigview.io.reading import Listener, Loaded

__all__ = ["BINARY", "MAGIC", "load", "recognises"]

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
