"""Where a command's result goes: to the pipe, or whole into a file."""

import argparse
import contextlib
import sys
from collections.abc import Iterable
from pathlib import Path

from rigview.cli.status import UsageError
from rigview.core.text import system_reason

# The arguments by which commands name the files that they read.
_INPUTS = ("file", "source_file", "target_file", "a", "b", "paths")
_READ = (*_INPUTS, "also", "clips_from", "session", "config", "baseline")


def add_out(
    command: argparse.ArgumentParser,
    metavar: str,
    words: str = "",
    stdout: str | None = None,
    *,
    required: bool = False,
) -> None:
    """Declare -o.

    Parameters
    ----------
    stdout
        Of a command that writes a file: the suffix of what ``-o -`` writes to stdout.
    """
    command.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        metavar=metavar,
        required=required,
        help="; ".join(part for part in (words, "- is stdout") if part),
    )
    command.set_defaults(stdout_suffix=stdout)


def add_form(command: argparse.ArgumentParser, *more: str) -> argparse._MutuallyExclusiveGroup:
    """Declare --format, text or json or one of `more`, and --json for the second.

    Returns
    -------
    The group, for other names of the forms.
    """
    form = command.add_mutually_exclusive_group()
    form.add_argument("--format", choices=("text", "json", *more), default="text")
    form.add_argument(
        "--json", dest="format", action="store_const", const="json", help="same as --format json"
    )
    return form


def named_inputs(options: argparse.Namespace) -> list[Path]:
    """Return the files that a command reads by its arguments."""
    given = {name: getattr(options, name, None) for name in _READ}
    if getattr(options, "write_baseline", False):
        # It is read to be written.
        del given["baseline"]
    inputs: list[Path] = []
    for value in given.values():
        inputs += value if isinstance(value, list) else [] if value is None else [value]
    return inputs


def refuse_place(out: Path, options: argparse.Namespace) -> None:
    """Refuse to write over a file that is read, before the work for it is done.

    Raises
    ------
    UsageError
        If it is one, and the command was not asked to change it in place.
    """
    from rigview.io.inputs import is_same_file, refuse_inputs

    in_place: bool | None = getattr(options, "in_place", None)
    if in_place and is_same_file(out, getattr(options, "file", out)):
        return
    try:
        refuse_inputs(out)
    except OSError as error:
        hint = ", or ask for --in-place" if in_place is False else ""
        raise UsageError(f"{out}: {error.strerror}{hint}") from None


def expect_name(out: Path) -> None:
    """See whether a file can have a name.

    Raises
    ------
    UsageError
        If none can, or links that bear it lead round.
    """
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            out.stat()
    except OSError as error:
        raise UsageError(f"{out}: {system_reason(error)}") from None
    except ValueError:
        raise UsageError(f"{out}: no file can have this name") from None


def expect_place(out: Path) -> None:
    """See whether a file can be written, before the work for it is done.

    Raises
    ------
    UsageError
        If it is a folder, stands in none, or has a name that no file can have.
    """
    expect_name(out)
    if out.is_dir():
        raise UsageError(f"{out}: this is a folder, not a file")
    if not out.parent.is_dir():
        raise UsageError(f"{out}: there is no folder {out.parent}")


def deliver(text: str | Iterable[str], out: Path | None) -> None:
    """Write a result, or its parts as they come, to stdout, or to a file in one step.

    Raises
    ------
    SaveError
        If the file cannot be written, or the output is closed.
    """
    from rigview.io import SaveError
    from rigview.io.files import save_bytes

    parts = (text,) if isinstance(text, str) else text
    if out is None:
        if not sys.stdout:
            raise SaveError("there is nothing to write to: the output is closed")
        # What reads a pipe takes reports for UTF-8, whatever the terminals of this machine speak.
        if sys.stdout.isatty() or not hasattr(sys.stdout, "buffer"):
            sys.stdout.writelines(parts)
        else:
            sys.stdout.flush()
            sys.stdout.buffer.writelines(map(_encoded, parts))
        return
    save_bytes(out, map(_encoded, parts))


def _encoded(text: str) -> bytes:
    return text.encode(errors="backslashreplace")
