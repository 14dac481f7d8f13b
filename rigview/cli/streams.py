"""The standard streams, as whoever starts the command has left them: some may be closed."""

import argparse
import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
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


_STREAM = Path("-")
_READ = ("file", "a", "b", "source_file", "target_file")


@contextlib.contextmanager
def standard_input(options: argparse.Namespace) -> Iterator[None]:
    """Let ``-`` as a file mean what stdin holds, in a block; `options.stdin` is the file it is kept in."""
    options.stdin = None
    named = [name for name in _READ if getattr(options, name, None) == _STREAM]
    paths = getattr(options, "paths", [])
    if not named and _STREAM not in paths:
        yield
        return
    if len(named) + paths.count(_STREAM) > 1:
        raise UsageError("stdin (-) can be read once")
    if not sys.stdin:
        raise UsageError("there is nothing to read: the input is closed")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "stdin"
        place.write_bytes(sys.stdin.buffer.read())
        options.stdin = place
        for name in named:
            setattr(options, name, place)
        if paths:
            options.paths = [place if path == _STREAM else path for path in paths]
        yield


@contextlib.contextmanager
def standard_output(options: argparse.Namespace) -> Iterator[None]:
    """Let ``-o -`` mean stdout, in a block: for a command that writes a file, that file's bytes.

    What such a command says beside them goes to stderr.
    """
    if getattr(options, "out", None) != _STREAM:
        yield
        return
    suffix = getattr(options, "stdout_suffix", None)
    if suffix is None:
        options.out = None
        yield
        return
    if not sys.stdout:
        raise UsageError("there is nothing to write to: the output is closed")
    with tempfile.TemporaryDirectory() as folder:
        options.out = Path(folder) / f"stdout{suffix}"
        with contextlib.redirect_stdout(io.StringIO()):
            yield
        if options.out.exists():
            sys.stdout.flush()
            sys.stdout.buffer.write(options.out.read_bytes())
