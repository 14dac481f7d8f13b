"""Ending work that takes too long, in the main thread of a process."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from rigview.check.deadline import TimeUp

# An error raised where nobody can hear it, in a finaliser say, is raised again after as many seconds.
_AGAIN = 1.0
# Work inside one call of a library hears no signal; the process ends this much later.
GRACE = 10.0


@contextmanager
def interrupting(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` in a block after some seconds.

    Windows has no such signal, and other threads do not hear it: there nothing is raised.

    Raises
    ------
    TimeUp
        If the block takes longer.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        yield
        return

    def end(_number: int, _frame: FrameType | None) -> None:
        raise TimeUp

    usual = signal.signal(signal.SIGALRM, end)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, usual)


@contextmanager
def ending(seconds: float, say: Callable[[], int]) -> Iterator[None]:
    """End the process after some seconds, where a block hears no `TimeUp`.

    Parameters
    ----------
    say
        Says why, and returns the exit status.
    """

    def end() -> None:
        os._exit(say())

    watchdog = threading.Timer(seconds, end)
    watchdog.daemon = True
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()
