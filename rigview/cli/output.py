"""Where a command's result goes: to the pipe, or whole into a file."""

import sys
from pathlib import Path


def deliver(text: str, out: Path | None) -> None:
    """Write a result to stdout, or to a file in one step."""
    from rigview.io import SaveError
    from rigview.io.files import write_atomically
    from rigview.io.reading import system_reason

    if out is None:
        sys.stdout.write(text)
        return
    try:
        write_atomically(out, text.encode())
    except OSError as error:
        raise SaveError(f"{out}: {system_reason(error)}") from None
