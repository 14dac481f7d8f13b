"""Collada 1.4 and 1.5 (.dae): reading into a `Rig`, and amending its XML.

Reader and writer are loaded when they are first asked for.
"""

import re
from pathlib import Path

from rigview.core.rig import Rig
from rigview.io.reading import Listener, Loaded

__all__ = ["load", "recognises", "save"]

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


def save(loaded: Loaded, rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig as an amended copy of the .dae file that was opened.

    Raises
    ------
    SaveError
        If it was read from something else, or has a change that is not amended in Collada.
    """
    from rigview.io.collada import saving

    return saving.save(loaded, rig, out)
