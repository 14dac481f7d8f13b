"""What other parts of the window keep of a rig in a session; a row adds something.

A row is a name, what returns JSON of the rig on show, and what takes that back when the rig is shown again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rigview.ui.document import Held


@dataclass(frozen=True)
class Kept:
    """Something that is kept of an open rig beside its states and its view.

    Parameters
    ----------
    told
        Returns JSON of a rig that is held; called in the window's thread.
    taken
        Takes that back into what is held, which nobody has seen yet; raises `ValueError`, `TypeError` or
        `KeyError` where it makes no sense.
    """

    name: str
    told: Callable[[Held], Any]
    taken: Callable[[Held, Any], None]


KEPT: tuple[Kept, ...] = ()
