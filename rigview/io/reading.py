"""What every reader shares: its result, its errors, and how it tells of its progress."""

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from rigview.core.errors import RigviewError
from rigview.core.rig import Rig, Unsupported
from rigview.core.text import one_line

# How often a listener is told of one stage again.
PULSE_S = 0.05
# Longer quotations of a file's own words make no message clearer.
_MOST_QUOTED = 60
# The largest 32-bit float: everything that shows or plays a rig computes with those.
LARGEST_NUMBER = 3.4028234663852886e38


def quoted(text: str) -> str:
    """Return what a file says, printable and short enough for a message."""
    # What is escaped becomes longer.
    text = one_line(text[: _MOST_QUOTED + 1])
    return text if len(text) <= _MOST_QUOTED else f"{text[: _MOST_QUOTED - 1]}…"


def and_more(count: int) -> str:
    """Return how many others there are behind the one that a message names; empty where none are."""
    return f" and {count:,} more" if count else ""


def missing_extra(name: str) -> str:
    """Return how to install an optional part of rigview, as the end of a sentence."""
    return f"to read it: pip install 'rigview[{name}]'"


class LoadError(RigviewError):
    """A file that cannot be opened: which one, where in it, and why.

    Parameters
    ----------
    path
        The file.
    where
        The place in it: a JSON pointer, a chunk, a line. Empty for the file as a whole.
    reason
        One sentence without the final stop.
    """

    def __init__(self, path: Path, where: str, reason: str) -> None:
        super().__init__(path, where, reason)
        self.path, self.where, self.reason = path, where, reason

    def __str__(self) -> str:
        place = f"{self.path}: {self.where}" if self.where else str(self.path)
        return one_line(f"{place}: {self.reason}")


class SaveError(RigviewError):
    """A copy that cannot be written; nothing was left behind."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class Cancelled(Exception):  # noqa: N818 - not an error: the user asked for it
    """The user stopped a long piece of work."""


class Listener:
    """Hears how far a reader is. Any method may raise `Cancelled` to stop the reading."""

    def stage(self, text: str, fraction: float) -> None:
        """Begin a stage of the work, `fraction` of all of it being done."""

    def skeleton(self, rig: Rig) -> None:
        """Receive the hierarchy and the joints, before any mesh is read."""


class Pulse:
    """Repeats the stage that a reader is at, so that a long one can be stopped within it.

    It may be called as often as is convenient: few of the calls reach the listener. `Cancelled` goes
    through it.
    """

    def __init__(self, listener: Listener) -> None:
        self._listener, self._stage, self._next = listener, ("", 0.0), math.inf

    def stage(self, text: str, fraction: float) -> None:
        """Begin a stage."""
        self._stage = text, fraction
        self._next = time.monotonic() + PULSE_S
        self._listener.stage(text, fraction)

    def __call__(self) -> None:
        """Tell the listener, unless it was told a moment ago."""
        if time.monotonic() >= self._next:
            self.stage(*self._stage)


class Notes(list[str]):
    """What a reader ignores or assumes; one sentence each."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        super().__init__(texts)
        self._unseen: dict[Unsupported, None] = {}

    @property
    def unseen(self) -> tuple[Unsupported, ...]:
        """What of it belongs to the character, each once."""
        return tuple(self._unseen)

    def leave_out(self, what: Literal["motion", "influences"], text: str) -> None:
        """Note what is left out of the character's motion or of its skin."""
        self.append(text)
        self._unseen[Unsupported(what, text)] = None


def comes_and_goes(name: str) -> str:
    """Return what is noted of a mesh, or something above it, whose visibility changes over time."""
    return f"the visibility of {quoted(name)} is not animated: it is shown throughout"


def hidden(rig: Rig, nodes: Iterable[int], notes: list[str]) -> Rig:
    """Return a rig of which the meshes of some nodes are not shown.

    Where a file hides all that it has, there would be nothing to see: then nothing is hidden.
    """
    named = set(nodes)
    if not named:
        return rig
    shown = {n for n in rig.scene if rig.node_meshes[n] is not None}
    found = sorted(shown & named)
    if not found:
        return rig
    names = f"{quoted(rig.nodes.label(found[0]))}{and_more(len(found) - 1)}"
    if len(found) == len(shown):
        notes.append(f"the file hides all its meshes, and they are shown all the same: {names}")
        return rig
    notes.append(f"the file hides the mesh of {names}")
    return replace(rig, hidden=frozenset(found))


@dataclass(frozen=True)
class Loaded:
    """A file that is open.

    Parameters
    ----------
    source
        What the format's writer wants back to change only what a fix changed: an `Original`, of a glTF
        its document. None where the format is not written, or the rig is no longer the file's.
    notes
        What the reader ignored or assumed; one sentence each, told once.
    files
        The file itself, and those beside it that it names: buffers, images, layers.
    """

    path: Path
    rig: Rig
    source: Any
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()

    def __repr__(self) -> str:
        return f"Loaded({self.path.name!r}, {self.rig!r})"

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", tuple(dict.fromkeys(self.notes)))
