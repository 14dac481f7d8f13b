"""Exit statuses, and how a command says that it cannot."""

import argparse
import os
import sys
from dataclasses import dataclass
from typing import TextIO

from rigview.core.errors import RigviewError
from rigview.core.text import one_line

OK, FINDINGS, BAD_INPUT, MISTAKE, INTERRUPTED = 0, 1, 2, 3, 130
COLORS = ("auto", "always", "never")
_PREFIX = "rigview:"
# Colours of a terminal (ECMA-48, SGR): bold red for errors, bold for all else.
_RED, _BOLD, _PLAIN = "\033[1;31m", "\033[1m", "\033[0m"


class UsageError(RigviewError):
    """Arguments that make no sense together, or name something that does not exist."""


@dataclass
class _Voice:
    """How this process speaks to people.

    Parameters
    ----------
    quiet
        Whether only errors are said beside the result.
    color
        One of `COLORS`.
    """

    quiet: bool = False
    color: str = "auto"


_voice = _Voice()


def add_voice(command: argparse.ArgumentParser) -> None:
    """Declare --quiet and --color."""
    command.add_argument(
        "-q", "--quiet", action="store_true", help="of what is said beside the result, only errors"
    )
    command.add_argument(
        "--color",
        choices=COLORS,
        default="auto",
        help="default auto: on terminals, unless NO_COLOR is set",
    )


def set_voice(options: argparse.Namespace) -> None:
    """Speak as --quiet and --color say."""
    _voice.quiet, _voice.color = options.quiet, options.color


def is_quiet() -> bool:
    """Return whether only errors are said beside the result."""
    return _voice.quiet


def is_colored(stream: TextIO | None) -> bool:
    """Return whether what is written to a stream may have colours (https://no-color.org)."""
    if _voice.color != "auto":
        return _voice.color == "always"
    refused = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream is not None and stream.isatty() and not refused


def say(line: str) -> None:
    """Print a line of the result."""
    print(one_line(line))


def tell(sentence: str) -> None:
    """Print one sentence for people, beside the result; nothing where --quiet is given."""
    if not _voice.quiet:
        _print(sentence, _BOLD)


def complain(message: str) -> int:
    """Print what is wrong in one sentence for people, and return the status for bad input."""
    _print(message, _RED)
    return BAD_INPUT


def _print(sentence: str, color: str) -> None:
    text = one_line(f"{_PREFIX} {sentence}")
    if is_colored(sys.stderr):
        text = f"{color}{_PREFIX}{_PLAIN}{text.removeprefix(_PREFIX)}"
    print(text, file=sys.stderr)
