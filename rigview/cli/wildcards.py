"""Names with wildcards, which the shells of Windows leave to the program."""

import glob
import os
from collections.abc import Sequence
from pathlib import Path, PurePath

_WILD = "*?"


def expanded(paths: Sequence[Path]) -> list[Path]:
    """Return paths with each that does not exist and has ``*`` or ``?`` replaced by what it means.

    ``**`` crosses folders. Brackets are letters of names: who means them names what is there. What means
    nothing stays as it is.
    """
    return [one for path in paths for one in _meant(path)]


def pattern(path: PurePath) -> str:
    r"""Return the pattern of a path below its drive or root; empty where it has no wildcard.

    The question mark of ``\\?\C:\`` is part of a drive and means nothing.
    """
    parts = path.parts[1:] if path.anchor else path.parts
    if not any(sign in part for part in parts for sign in _WILD):
        return ""
    # In a pattern this is one bracket.
    return "/".join(parts).replace("[", "[[]")


def _meant(path: Path) -> list[Path]:
    wanted = pattern(path)
    if not wanted or os.path.lexists(path):
        return [path]
    root = path.anchor or None
    found = glob.glob(wanted, root_dir=root, recursive=True)  # noqa: PTH207 - Path's knows no `**` at the end
    return [Path(root or "", name) for name in sorted(found)] or [path]
