"""What an action is: a row with its words, keys and icon, what it does, and why it cannot."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rigview.ui.workbench import Workbench

# What an action is: something done, a switch that is on or off, or one that the view state holds: the
# shading of its name, or the overlay of its name.
Kind = Literal["command", "switch", "shading", "overlay"]
Menu = Literal["File", "Edit", "View", "Look from", "Overlays", "Rig", "Weights", "Review", "Help"]
# What a context menu is about.
Context = Literal["joint", "vertex", "pane", "key", "finding"]

Do = Callable[[Workbench], object]
WhyNot = Callable[[Workbench], str]
Tell = Callable[[Workbench], str]
IsOn = Callable[[Workbench], bool]


def always_can(_bench: Workbench) -> str:
    """Return no reason: the action can be done whenever a rig is open."""
    return ""


@dataclass(frozen=True)
class Action:
    """One action.

    Parameters
    ----------
    id
        What settings, tests and panels call it; of a shading or overlay, what the view state calls it.
    text
        What menus and the command palette call it.
    do
        Does it, in the current workbench.
    keys
        Shortcuts; the first one is shown. The user may set others (`shortcuts.py`).
    icon
        Of Phosphor ("eye") or Material Design ("mdi6.bone").
    why_not
        Says in a sentence why there is nothing to do now; empty where there is.
    is_on
        Of a switch: whether it is on.
    text_now
        What menus call it now, where that changes.
    where
        "anywhere", or "time": keys that lists and fields need for themselves work on panes and
        timeline only. Text fields keep the keys that write; buttons and ticks are pressed by Return.
    divider
        Whether a line stands above it in its menu.
    always
        Whether it can be done while no rig is open.
    greyed
        Whether menus grey it where `why_not` has a reason; others say the reason when they are chosen.
    button
        What stands for it in the bar: the word of a shading, the icon of an overlay.
    contexts
        The context menus that it stands in.
    """

    id: str
    menu: Menu
    text: str
    do: Do
    keys: tuple[str, ...] = ()
    icon: str = ""
    why_not: WhyNot = always_can
    is_on: IsOn | None = None
    text_now: Tell | None = None
    where: Literal["anywhere", "time"] = "anywhere"
    kind: Kind = "command"
    divider: bool = False
    always: bool = False
    greyed: bool = False
    button: str = ""
    contexts: tuple[Context, ...] = ()

    def reason(self, bench: Workbench) -> str:
        """Return why it cannot be done now, as a sentence; empty where it can."""
        if bench.document.rig is None and not self.always:
            return "No rig is open."
        return self.why_not(bench)
