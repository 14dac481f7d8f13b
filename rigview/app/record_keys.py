"""Keys that tell whether a record still holds: by content of all that is read, version and settings."""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rigview import __version__
from rigview.check.catalogue import BY_ID
from rigview.io import Overrides

if TYPE_CHECKING:
    from rigview.app.tasks import Task

# Half of SHA-256 in hexadecimal digits tells any two contents apart.
_DIGITS = 32
_MISSING = "missing"


def record_key(task: "Task", read: Iterable[str | Path]) -> str:
    """Return the key of what a check of a file comes to.

    Baselines and limits of time are not in it: the first are taken out of what is found, and what had no
    time is not kept.

    Parameters
    ----------
    read
        The paths of all files that are read for it, or looked for.
    """
    files = sorted((beside(task.path, path), digest(Path(path))) for path in read)
    return hashed([settings_key(task), task.path.name, files])


def content_key(path: Path, read: Iterable[str | Path], overrides: Overrides | None = None) -> str:
    """Return what changes with the content of a file and of all that was read for it.

    Parameters
    ----------
    overrides
        What the user knew better than the file when it was read.
    """
    files = sorted((beside(path, one), digest(Path(one))) for one in read)
    return hashed([files, asdict(overrides or Overrides())])


def beside(file: Path, path: str | Path) -> str:
    """Return how a path is named from the folder of a file, whichever links lead to both folders."""
    folder, name = os.path.split(path)
    place = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 - as text
    return os.path.relpath(place, os.path.realpath(file.parent))


def settings_key(task: "Task") -> str:
    """Return the key of what a file is held to, by this version of rigview."""
    standard = task.standard
    return hashed(
        {
            "version": __version__,
            "rules": sorted(BY_ID),
            "own rules": _own_rules(task.rules_from),
            "profile": asdict(standard.profile),
            "follows the format": not standard.named,
            "severities": [standard.config.severities, standard.config.notes],
            "limits": standard.config.limits,
            "select": sorted(standard.select),
            "ignore": sorted(standard.ignore),
            "accept": standard.config.accepted,
            "settings": standard.config.file,
            "fail on": task.fail_on,
            "tried": task.measured,
            "drawn": task.pictures,
            "read as": asdict(task.overrides),
        }
    )


def digest(path: Path) -> str:
    """Return what tells the content of a file from another's; one word for what is no file."""
    try:
        if not path.is_file():
            return _MISSING
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return _MISSING


def _own_rules(folder: Path | None) -> list[tuple[str, str]]:
    if folder is None:
        return []
    return sorted((path.name, digest(path)) for path in folder.rglob("*.py"))


def hashed(values: object) -> str:
    """Return what tells values of JSON, arrays and paths from others."""
    text = json.dumps(values, sort_keys=True, default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _plain(value: Any) -> Any:  # noqa: ANN401 - anything that a profile may hold
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    return os.fspath(value) if isinstance(value, Path) else repr(value)
