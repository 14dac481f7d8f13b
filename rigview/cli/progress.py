"""How far a command is: one line for whoever watches, and a line now and then in a log."""

import shutil
import sys
import time
from types import TracebackType

from rigview.app.watching import Watcher
from rigview.cli.status import complain, is_quiet, tell
from rigview.core.text import one_line

# What takes less, in seconds, is done before a line of it was read …
_WORTH_TELLING = 1.0
# … and so long each text stands at least.
_PAUSE = 0.1
# A log gets a line so often, in seconds.
_IN_LOGS = 10.0
_CLEARED = "\r\033[K"


class Line(Watcher):
    """One line on a terminal that says how far the work is, gone when the work ends.

    Elsewhere long work tells how far it is every ten seconds, on a line each.
    """

    def __init__(self) -> None:
        watched = sys.stderr is not None and sys.stderr.isatty() and not is_quiet()
        self._write = sys.stderr.write if watched else None
        self._next = time.monotonic() + _WORTH_TELLING
        self._next_in_log = time.monotonic() + _IN_LOGS
        self._name, self._stands = "", False

    def __enter__(self) -> "Line":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()

    def begin(self, name: str) -> None:
        """Let all texts begin with the name of what the work is on."""
        self._name = f"{name}: " if name else ""

    def tell(self, text: str, *, at_once: bool = False) -> None:
        """Say what is under way.

        Parameters
        ----------
        at_once
            Whether to say so even if the work just began, or the last text did.
        """
        now = time.monotonic()
        if self._write is None and sys.stderr is not None and now >= self._next_in_log:
            tell(f"{self._name}{text}")
            self._next_in_log = now + _IN_LOGS
        if self._write is None or (now < self._next and not at_once):
            return
        said = one_line(f"{self._name}{text}").encode("ascii", "replace").decode()
        self._write(f"{_CLEARED}{said[: shutil.get_terminal_size().columns - 1]}")
        sys.stderr.flush()
        self._next, self._stands = now + _PAUSE, True

    def clear(self) -> None:
        """Leave no line."""
        if self._write is not None and self._stands:
            self._write(_CLEARED)
            sys.stderr.flush()
            self._stands = False

    def overdue(self, sentence: str) -> int:
        """Say why the process ends, and return its exit status."""
        return complain(sentence)
