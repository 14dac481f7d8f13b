"""Which keys do what: the table's own, a preset's, or what the user has set."""

import json
from collections import defaultdict

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence

from rigview.ui.actions import ACTIONS, BY_ID
from rigview.ui.settings import Settings

Keys = tuple[str, ...]

# Preset → the title, and the keys that differ from the table's: those of the program for the same thing,
# and others for what had them.
PRESETS: dict[str, tuple[str, dict[str, Keys]]] = {
    "rigview": ("rigview", {}),
    "maya": (
        "Maya",
        {
            "toggle_play": ("Alt+V", "Space"),
            "next_frame": ("Alt+.", "Right"),
            "previous_frame": ("Alt+,", "Left"),
            "next_key": (".", "Down"),
            "previous_key": (",", "Up"),
            "first_frame": ("Alt+Shift+V", "Home"),
            "undo": ("Z", "Ctrl+Z"),
            "redo": ("Shift+Z", "Ctrl+Shift+Z", "Ctrl+Y"),
            "wires": ("4",),
            "clay": ("5", "C"),
            "textured": ("6", "T"),
            "orthographic": ("Ctrl+6",),
            "hide": ("Ctrl+H", "H"),
            "show_all": ("Ctrl+Shift+H", "Alt+H"),
            "isolate": ("Shift+I", "Shift+H"),
            "history": ("Ctrl+Alt+H",),
        },
    ),
    "blender": (
        "Blender",
        {
            "frame_selected": (".", "F"),
            "frame_all": ("Home", "A"),
            "first_frame": ("Shift+Left",),
            "last_frame": ("Shift+Right", "End"),
            "ten_on": ("Ctrl+Right",),
            "ten_back": ("Ctrl+Left",),
            "next_key": ("Up",),
            "previous_key": ("Down",),
            "palette": ("F3", "Ctrl+Shift+P"),
            "rotate": ("R",),
            "rest_ghost": ("E",),
            "wires": ("Shift+Z",),
            "xray": ("Alt+Z",),
            "isolate": ("/", "Shift+H"),
            "clear_selection": ("Alt+A", "Ctrl+D"),
        },
    ),
}


def portable(key: str) -> str:
    """Return a shortcut as settings keep it; empty where it is none."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)


def shown(key: str) -> str:
    """Return a shortcut as this platform writes it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


class Shortcuts(QObject):
    """The keys of all actions: a preset, and over it what the user has set. `changed` carries nothing."""

    changed = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        stored = settings.read("keys preset", "")
        self._preset = stored if stored in PRESETS else "rigview"
        self._own = _stored_keys(settings.read("keys own", ""))

    @property
    def preset(self) -> str:
        """The name of the preset."""
        return self._preset

    @property
    def own(self) -> dict[str, Keys]:
        """What the user has set: action → keys."""
        return dict(self._own)

    def keys(self, action: str) -> Keys:
        """Return the keys of an action, the first one to be shown; () where it has none."""
        if action in self._own:
            return self._own[action]
        return PRESETS[self._preset][1].get(action, BY_ID[action].keys)

    def choose(self, preset: str) -> None:
        """Take another preset; what the user has set stays set."""
        self._preset = preset
        self._keep()

    def set_keys(self, action: str, keys: Keys) -> None:
        """Give an action other keys, and take them from whatever had them."""
        wanted = tuple(dict.fromkeys(filter(None, map(portable, keys))))
        for row in ACTIONS:
            rest = tuple(k for k in self.keys(row.id) if portable(k) not in wanted)
            if row.id != action and rest != self.keys(row.id):
                self._own[row.id] = rest
        self._own[action] = wanted
        self._keep()

    def restore(self, action: str | None = None) -> None:
        """Go back to the preset's keys: of one action, or of all."""
        if action is None:
            self._own.clear()
        else:
            self._own.pop(action, None)
        self._keep()

    def holders(self, key: str) -> tuple[str, ...]:
        """Return the actions that have a key."""
        wanted = portable(key)
        return tuple(row.id for row in ACTIONS if wanted in map(portable, self.keys(row.id)))

    @property
    def conflicts(self) -> dict[str, tuple[str, ...]]:
        """Key → the actions that share it, where there are several: such a key does nothing."""
        held: dict[str, list[str]] = defaultdict(list)
        for row in ACTIONS:
            for key in self.keys(row.id):
                held[portable(key)].append(row.id)
        return {key: tuple(ids) for key, ids in held.items() if len(ids) > 1}

    def _keep(self) -> None:
        self._settings.write("keys preset", self._preset)
        self._settings.write("keys own", json.dumps(self._own))
        self.changed.emit()


def _stored_keys(text: str) -> dict[str, Keys]:
    """Return stored keys, as far as they are of actions that there are."""
    try:
        stored = json.loads(text or "{}")
    except ValueError:
        return {}
    if not isinstance(stored, dict):
        return {}
    return {
        name: tuple(filter(None, map(portable, keys)))
        for name, keys in stored.items()
        if name in BY_ID and isinstance(keys, list) and all(isinstance(k, str) for k in keys)
    }
