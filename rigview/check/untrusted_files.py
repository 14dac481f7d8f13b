"""Reading a studio's files, which may come with somebody else's repository: small regular ones only."""

import errno
import os
import stat
from pathlib import Path

_MIB = 1 << 20


def read_text(path: Path, most: int) -> str:
    """Return the text of a regular file.

    Parameters
    ----------
    most
        The most bytes that it may have.

    Raises
    ------
    OSError
        If it cannot be read, is a folder, a device or a pipe, or is larger.
    UnicodeDecodeError
        If it is no UTF-8.
    """
    try:
        # A pipe would let us wait for ever; it is opened only if it became one since it was looked at.
        _require_file(path.stat(), most)
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name") from None
    with os.fdopen(handle, "rb") as file:
        _require_file(os.fstat(handle), most)
        return file.read(most).decode("utf-8").replace("\r\n", "\n")


def _require_file(facts: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(facts.st_mode):
        raise OSError(errno.EISDIR, "this is a folder, not a file")
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a file")
    if facts.st_size > most:
        raise OSError(errno.EFBIG, f"the file is larger than {most // _MIB} MiB")


def is_within(path: Path, folder: Path) -> bool:
    """Tell whether a path, its links followed, leads into a folder or below it.

    Raises
    ------
    ValueError
        If no file can have this name.
    """
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
