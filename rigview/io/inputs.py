"""The files that a piece of work reads: noted as they are read, and protected from being written over.

A file is known by its device and inode, so that a link to it and every other spelling of its path count.
"""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_Identity = tuple[int, int]

# The files that the present work protects; None where it protects none.
_protected: ContextVar[dict[_Identity, Path] | None] = ContextVar("protected", default=None)
# The files that the present reading has met; None where nobody asks.
_noted: ContextVar[dict[Path, None] | None] = ContextVar("noted", default=None)


@contextmanager
def protected(paths: Iterable[Path]) -> Iterator[None]:
    """Let nothing that is written in a block replace some files, nor those that `protect` adds.

    It counts in this thread only, as every context variable does.
    """
    token = _protected.set({})
    try:
        protect(paths)
        yield
    finally:
        _protected.reset(token)


def protect(paths: Iterable[Path]) -> None:
    """Add files to those that the present work protects, if it protects any."""
    held = _protected.get()
    if held is not None:
        for path in paths:
            identity = _identity(path)
            if identity is not None:
                held.setdefault(identity, path)


def release(paths: Iterable[Path]) -> None:
    """Let files be written over: for who asked for that."""
    held = _protected.get()
    if held is not None:
        for path in paths:
            identity = _identity(path)
            if identity is not None:
                held.pop(identity, None)


def refuse_inputs(path: Path) -> None:
    """Refuse to write to one of the protected files.

    Raises
    ------
    OSError
        If it is one, whatever it is called here.
    """
    held, identity = _protected.get(), _identity(path)
    source = held.get(identity) if held and identity is not None else None
    if source is not None:
        named = "the file" if source == path else f"this is {source}, which"
        reason = f"{named} is read here and would be lost: choose another name"
        raise OSError(errno.EPERM, reason)


@contextmanager
def noting() -> Iterator[dict[Path, None]]:
    """Give the files that are read, or looked for, in a block; a block around it is given them too."""
    noted: dict[Path, None] = {}
    around = _noted.get()
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)
        if around is not None:
            around.update(noted)


def note(path: Path) -> None:
    """Note that a file belongs to what is read."""
    noted = _noted.get()
    if noted is not None:
        noted[path] = None


def is_same_file(a: Path, b: Path) -> bool:
    """Tell whether two names mean one existing file."""
    identity = _identity(a)
    return identity is not None and identity == _identity(b)


def _identity(path: Path) -> _Identity | None:
    """Return device and inode of what a path leads to; None where there is no such file."""
    try:
        facts = path.stat()
    except (OSError, ValueError):
        return None
    return facts.st_dev, facts.st_ino
