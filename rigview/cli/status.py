"""Exit statuses, and how a command says that it cannot."""

import sys

from rigview.core.errors import RigviewError
from rigview.core.text import one_line

OK, FINDINGS, BAD_INPUT, MISTAKE, INTERRUPTED = 0, 1, 2, 3, 130


class UsageError(RigviewError):
    """Arguments that make no sense together, or name something that does not exist."""


def say(line: str) -> None:
    """Print a line of the result."""
    print(one_line(line))


def tell(sentence: str) -> None:
    """Print one sentence for people, beside the result."""
    print(one_line(f"rigview: {sentence}"), file=sys.stderr)


def complain(message: str) -> int:
    """Print one sentence for people and return the status for bad input."""
    tell(message)
    return BAD_INPUT
