"""Who hears how far a piece of work is. Nothing heavy is imported here: the command line begins with it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rigview.io import Listener


class Watcher:
    """Hears how far a piece of work is; any method may raise to stop it. This one hears nothing."""

    def begin(self, name: str) -> None:
        """Hear what the work is on from now on."""

    def tell(self, text: str, *, at_once: bool = False) -> None:
        """Hear what is under way.

        Parameters
        ----------
        at_once
            Whether it matters even if the work just began.
        """

    def tell_share(self, text: str, share: float) -> None:
        """Hear what is under way and how much of it is done, 0 to 1."""
        self.tell(f"{text} {share:.0%}")

    def clear(self) -> None:
        """Hear that something else is about to be said."""

    def overdue(self, sentence: str) -> int:
        """Hear why this process is about to be ended, and return its exit status."""
        from rigview.io.child_entry import OVERDUE

        del sentence  # the process that started this one says it
        return OVERDUE


def listener(watcher: Watcher) -> "Listener":
    """Return what tells a watcher how far the reading of a file is."""
    from rigview.io import Listener

    class Reading(Listener):
        def stage(self, text: str, fraction: float) -> None:
            watcher.tell_share(text, fraction)

    return Reading()
