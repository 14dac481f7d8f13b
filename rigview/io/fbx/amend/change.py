"""A change of a file: the rig that was read from it, the wanted one, and what to amend so far."""

from dataclasses import dataclass, field
from functools import cached_property

from rigview.core.rig import Rig
from rigview.io.fbx.amend.amendments import Amendments
from rigview.io.fbx.amend.curves import Tracks
from rigview.io.fbx.amend.properties import PropertyEdits
from rigview.io.fbx.reader import Reading


@dataclass(frozen=True, eq=False)
class Change:
    """One change of a file, from one rig to another.

    Parameters
    ----------
    edits
        Properties to be set, which become amendments at the end.
    """

    reading: Reading
    old: Rig
    new: Rig
    amendments: Amendments = field(default_factory=Amendments)
    edits: PropertyEdits = field(default_factory=PropertyEdits)

    @cached_property
    def tracks(self) -> Tracks:
        """The curves of all properties."""
        return Tracks(self.reading)
