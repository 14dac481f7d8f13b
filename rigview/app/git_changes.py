"""Which files differ from a commit, and which refer to such files."""

import contextlib
import os
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from rigview.app.pool import answers
from rigview.core.errors import RigviewError
from rigview.io import LoadError, load
from rigview.io.child import ChildError, output_of
from rigview.io.inputs import noting

# Neither a hook of the repository nor a program that its settings name is run.
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


class GitError(RigviewError):
    """git is not there, or knows no such commit."""


def changed_since(paths: Sequence[Path], reference: str, jobs: int) -> list[Path]:
    """Return the files that differ from a commit, that git does not know, or that refer to such files.

    Files outside any repository count as changed.

    Raises
    ------
    GitError
        If git is not installed, or knows no such commit.
    """
    if not reference or reference.startswith("-"):
        raise GitError(f"{reference or 'nothing'} is no commit of git")
    roots = {path: _root(path.absolute().parent) for path in paths}
    changed: set[str] = set()
    for root in {root for root in roots.values() if root is not None}:
        changed |= _changed_below(root, reference)
    result = {path for path, root in roots.items() if root is None or _real(path) in changed}
    asked = [path for path in paths if path not in result]
    if changed and asked:
        found = dict(answers(f"{__name__}:files_of", dict(enumerate(asked)), max(1, jobs)))
        for number, path in enumerate(asked):
            files = found.get(number)
            # What cannot be read is checked, which says why.
            if not isinstance(files, list) or not changed.isdisjoint(files):
                result.add(path)
    return [path for path in paths if path in result]


def files_of(path: Path) -> list[str]:
    """Return the real paths of all files that one refers to, in a child; itself is among them."""
    # What it refers to is noted up to where it cannot be read.
    with noting() as read, contextlib.suppress(LoadError):
        load(path)
    return [_real(one) for one in read]


def _changed_below(root: Path, reference: str) -> set[str]:
    tracked = _git(root, "diff", "--name-only", "--no-ext-diff", "-z", reference, "--")
    own = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return {_real(root / os.fsdecode(name)) for name in (tracked + own).split(b"\0") if name}


@cache
def _root(folder: Path) -> Path | None:
    """Return the top folder of the repository that a folder is in; None where it is in none."""
    for parent in (folder, *folder.parents):
        if os.path.lexists(parent / ".git"):
            return parent
    return None


def _git(root: Path, *words: str) -> bytes:
    program = shutil.which("git")
    if program is None:
        raise GitError("--changed-since asks git, which is not installed")
    try:
        return output_of([program, *_SAFE, "-C", str(root), *words])
    except ChildError as error:
        raise GitError(f"{root}: git says: {error}") from None


def _real(path: str | Path) -> str:
    return os.path.realpath(path)
