"""Collada 1.4 and 1.5 (.dae): reading into a `Rig`. The reader is loaded for the first file."""

import re
from pathlib import Path

from rigview.io.reading import Listener, Loaded

__all__ = ["load", "recognises"]

_ROOT = re.compile(rb"<([\w.-]+:)?COLLADA")


def recognises(head: bytes) -> bool:
    """Tell a Collada by its root element, in UTF-16 too."""
    return _ROOT.search(head.translate(None, b"\0")) is not None


def load(path: Path, listener: Listener) -> Loaded:
    """Read a .dae file.

    Raises
    ------
    LoadError
        If it is damaged.
    """
    from rigview.io.collada import reader

    return reader.load(path, listener)
