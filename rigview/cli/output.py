"""Where a command's result goes: to the pipe, or whole into a file."""

import sys
from pathlib import Path

from rigview.cli.status import UsageError


def expect_place(out: Path) -> None:
    """See whether a file can be written, before the work for it is done.

    Raises
    ------
    UsageError
        If it is a folder, or stands in none.
    """
    if out.is_dir():
        raise UsageError(f"{out}: this is a folder, not a file")
    if not out.parent.is_dir():
        raise UsageError(f"{out}: there is no folder {out.parent}")


def deliver(text: str, out: Path | None) -> None:
    """Write a result to stdout, or to a file in one step.

    Raises
    ------
    SaveError
        If the file cannot be written, or the output is closed.
    """
    from rigview.io import SaveError
    from rigview.io.files import save_bytes

    data = text.encode(errors="backslashreplace")
    if out is None:
        if not sys.stdout:
            raise SaveError("there is nothing to write to: the output is closed")
        # What reads a pipe takes reports for UTF-8, whatever the terminals of this machine speak.
        if sys.stdout.isatty() or not hasattr(sys.stdout, "buffer"):
            sys.stdout.write(text)
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
        return
    save_bytes(out, data)
