"""Exit statuses, and how a command says that it cannot."""

import sys

# Seconds that the check of one file may take, unless told otherwise.
TIMEOUT = 60.0
OK, FINDINGS, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class UsageError(Exception):
    """Arguments that make no sense together, or name something that does not exist."""


def complain(message: str) -> int:
    """Print one sentence for people and return the status for bad input."""
    print(f"rigview: {message}", file=sys.stderr)
    return BAD_INPUT
