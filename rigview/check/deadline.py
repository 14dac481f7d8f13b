"""The time that the check of one file may take, all of it and each rule."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rigview.core.sentence import Sentence

# A rule has this share of the file's time, so that one slow rule leaves time for the others.
RULE_SHARE = 1.0 / 3.0
# Seconds that the check of one file may take, unless told otherwise.
TIMEOUT = 60.0


class TimeUp(BaseException):
    """The time for a piece of work is used up.

    It is no `Exception`: what handles the errors of rules and readers must let it pass.
    """


# Runs a block and raises `TimeUp` in it after some seconds.
Interrupt = Callable[[float], AbstractContextManager[None]]


class Deadline:
    """The time for one file, which runs from when this is made.

    Parameters
    ----------
    seconds
        For reading the file and for all rules.
    interrupt
        Ends work that takes too long; without it, time is looked at between pieces of work only.
    """

    def __init__(self, seconds: float, interrupt: Interrupt | None = None) -> None:
        self.seconds, self.rule_seconds = seconds, RULE_SHARE * seconds
        self._end = time.monotonic() + seconds
        self._interrupt = interrupt or (lambda _: nullcontext())

    @property
    def left(self) -> float:
        """Seconds that are left; 0 where none are."""
        return max(self._end - time.monotonic(), 0.0)

    @contextmanager
    def limited(self, seconds: float | None = None) -> Iterator[None]:
        """Raise `TimeUp` in a block that takes longer than all that is left, or than some seconds.

        Raises
        ------
        TimeUp
            At once where no time is left.
        """
        left = self.left
        if left <= 0.0:
            raise TimeUp
        with self._interrupt(left if seconds is None else min(seconds, left)):
            yield

    def reason(self) -> str:
        """Return why a rule whose time was up was not evaluated."""
        if self.left > 0.0:
            return Sentence("it takes longer than {seconds:.3g} s", seconds=self.rule_seconds)
        return Sentence("the {seconds:.3g} s for the file were used up", seconds=self.seconds)
