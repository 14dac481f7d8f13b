"""The one table of preferences; a row is a setting with words, choices and what choosing does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from rigview.core.rig import Rig
from rigview.core.skinning import ASKED, DEFAULT_PANES
from rigview.ui.appearance import CHOICES, Appearance
from rigview.ui.keys.shortcuts import PRESETS as KEYS
from rigview.ui.keys.shortcuts import Shortcuts
from rigview.ui.lengths import LENGTH_UNITS, length_unit
from rigview.ui.lengths import SETTING as LENGTHS
from rigview.ui.navigation import PRESETS as MICE
from rigview.ui.sessions.journal import SETTING, USUAL
from rigview.ui.settings import Settings
from rigview.ui.widgets.words import LANGUAGE, LANGUAGES
from rigview.ui.workbench import Workbench

Value = str | float | bool
# Panes that a method is chosen for; others are added in the window.
_PANES = 3
# What a pane is for that there is not at first.
_NO_PANE = "none"


@dataclass(frozen=True)
class Desk:
    """What preferences act on."""

    bench: Workbench
    appearance: Appearance
    shortcuts: Shortcuts


def _at_the_next_start(_desk: Desk, _value: Value) -> None:
    """Do nothing now."""


@dataclass(frozen=True)
class Preference:
    """One setting.

    Parameters
    ----------
    key
        What the settings store calls it.
    choices
        Value → what it is called; for a switch no and yes.
    usual
        The value that nobody has chosen.
    take
        Does what the choice asks for in an open window, after it was written.
    note
        What is to be known about it, in a sentence; empty for nothing.
    """

    key: str
    section: str
    title: str
    choices: Mapping[Value, str]
    usual: Value
    take: Callable[[Desk, Value], None] = _at_the_next_start
    note: str = ""

    def value(self, settings: Settings) -> Value:
        """Return what is chosen; the usual where something else is stored."""
        usual: Any = self.usual
        stored: Value = settings.read(self.key, usual)
        return stored if stored in self.choices else self.usual

    def choose(self, desk: Desk, value: Value) -> None:
        """Choose a value, now and for later."""
        desk.bench.settings.write(self.key, value)
        self.take(desk, value)


def _show_methods(desk: Desk, _value: Value) -> None:
    methods = wanted_methods(desk.bench.settings)
    pane = min(desk.bench.state.value.pane, len(methods) - 1)
    desk.bench.state.update(methods=methods, pane=pane)


def _move_as(desk: Desk, value: Value) -> None:
    desk.bench.panes.preset = str(value)


def _pane_rows() -> tuple[Preference, ...]:
    names: dict[Value, str] = {name: method.label for name, method in ASKED.items()}
    rows = []
    for number in range(_PANES):
        usual = DEFAULT_PANES[number] if number < len(DEFAULT_PANES) else _NO_PANE
        choices = names if number == 0 else {**names, _NO_PANE: "No pane"}
        title = f"Pane {number + 1}"
        rows.append(Preference(f"pane {number}", "Panes", title, choices, usual, _show_methods))
    return tuple(rows)


_SECONDS: dict[Value, str] = {
    0.0: "Never",
    **{seconds: f"After {seconds:g} s" for seconds in (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)},
}
_SHADINGS: dict[Value, str] = {
    "first": "Textured in the first pane, if the file has textures",
    "stay": "As it was",
    "textured": "Textured, if the file has textures",
    "clay": "Clay",
}

PREFERENCES: tuple[Preference, ...] = (
    Preference(
        "theme",
        "Window",
        "Colours",
        {name: title for name, title in CHOICES.items()},  # noqa: C416 - of another type
        next(iter(CHOICES)),
        lambda desk, value: desk.appearance.choose(str(value)),
    ),
    Preference(
        "keys preset",
        "Window",
        "Keys as in",
        {name: title for name, (title, _) in KEYS.items()},
        "rigview",
        lambda desk, value: desk.shortcuts.choose(str(value)),
    ),
    Preference(
        "navigation",
        "Window",
        "Mouse as in",
        {preset.name: preset.title for preset in MICE.values()},
        next(iter(MICE)),
        _move_as,
    ),
    Preference(
        LANGUAGE,
        "Window",
        "Language",
        {"desktop": "As the desktop", **{name: own for name, own in LANGUAGES.items()}},  # noqa: C416
        "desktop",
        note="Counts at the next start.",
    ),
    Preference(
        LENGTHS,
        "Window",
        "Lengths",
        {name: unit.title for name, unit in LENGTH_UNITS.items()},
        "m",
        lambda desk, value: desk.bench.inspector.show_lengths_in(length_unit(str(value))),
        note="Of the numbers in the Inspector.",
    ),
    Preference(
        "open in tabs", "Files", "A file opens", {False: "In this tab", True: "In a new tab"}, False
    ),
    Preference(
        "reload by itself",
        "Files",
        "A file that changes",
        {False: "Is asked about", True: "Is read again"},
        False,
        note="What is not saved is never lost by it.",
    ),
    Preference(
        SETTING,
        "Files",
        "Keep what is open",
        _SECONDS,
        USUAL,
        note="For the case that rigview or the computer stops.",
    ),
    Preference("shading at first", "Panes", "A rig is shown", _SHADINGS, "first"),
    *_pane_rows(),
)
BY_KEY = {row.key: row for row in PREFERENCES}


def wanted_methods(settings: Settings) -> tuple[str, ...]:
    """Return by what the panes of a new window are skinned."""
    chosen = (str(BY_KEY[f"pane {number}"].value(settings)) for number in range(_PANES))
    return tuple(method for method in chosen if method != _NO_PANE)


def first_shading(settings: Settings, rig: Rig) -> dict[str, Any]:
    """Return the fields of the view state that a rig is shown by when it is opened; none to leave them."""
    chosen = BY_KEY["shading at first"].value(settings)
    if chosen == "textured" and any(m.texture is not None for m in rig.materials):
        return {"shading": "textured"}
    if chosen == "clay":
        return {"shading": "clay", "file_look": False}
    return {"file_look": True} if chosen == "first" else {}


def chooser(desk: Desk, row: Preference) -> Callable[[int], None]:
    """Return what takes the number of a choice."""
    return partial(_take, desk, row)


def _take(desk: Desk, row: Preference, number: int) -> None:
    row.choose(desk, list(row.choices)[number])
