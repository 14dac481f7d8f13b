"""What is wanted of one file of many."""

from dataclasses import dataclass
from pathlib import Path

from rigview.check.deadline import TIMEOUT
from rigview.check.policy import Policy
from rigview.io import Overrides

# Files are believed.
_AS_STATED = Overrides()


@dataclass(frozen=True)
class Task:
    """One file and what is wanted of it.

    Parameters
    ----------
    standard
        What it is held to.
    fail_on
        The least severity that fails, or "never".
    measured
        Whether to try every fix, and state what it would move.
    pictures
        Whether to draw every finding, and the curves of the clips.
    timeout
        Seconds that reading the file, its rules, fixes and pictures may take together.
    traceback
        Whether to print where a mistake in rigview is.
    rules_from
        The folder of rules that another process has to ask as well.
    memory
        Bytes that the process that checks it may take; None for all there are.
    cache
        The folder where results are kept; None keeps none.
    overrides
        What the user knows better than the file.
    """

    path: Path
    standard: Policy
    fail_on: str = "error"
    measured: bool = False
    pictures: bool = False
    timeout: float = TIMEOUT
    traceback: bool = False
    rules_from: Path | None = None
    cache: Path | None = None
    memory: int | None = None
    overrides: Overrides = _AS_STATED
