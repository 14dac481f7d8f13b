"""The standard streams, as whoever starts the command has left them: some may be closed."""

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import NoReturn

from rigview.cli.status import UsageError


class _Closed(io.TextIOBase):
    """Stands for an output that is closed: writing to it is no success."""

    def write(self, _text: str, /) -> NoReturn:
        """Refuse."""
        raise UsageError("there is nothing to write to: the output is closed")


def prepare() -> None:
    """Let no file be opened as a standard stream, and errors be told to nobody where stderr is closed.

    What a library prints would end in such a file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    if sys.stderr is None:
        # Python prints to stdout what is for a stream that is not there.
        sys.stderr = io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names of files and joints may hold what a terminal cannot show: that is no reason to stop.
        sys.stdout.reconfigure(errors="backslashreplace")


@contextlib.contextmanager
def expecting_output() -> Iterator[None]:
    """Let writing to stdout fail in a block, where it is closed: the result would go nowhere."""
    closed = sys.stdout
    if closed is not None:
        yield
        return
    sys.stdout = _Closed()
    try:
        yield
    finally:
        sys.stdout = closed


def drop_output() -> None:
    """Let what is still to be written go nowhere: Python would try again when it ends."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
