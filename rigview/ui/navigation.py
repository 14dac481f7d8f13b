"""How the mouse moves the camera: presets that riggers' hands know, as one table."""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt

Gesture = Literal["orbit", "pan", "zoom"]

_LEFT, _MIDDLE, _RIGHT = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.MiddleButton,
    Qt.MouseButton.RightButton,
)
_NONE, _ALT, _SHIFT, _CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
_HELD = _ALT | _SHIFT | _CTRL


@dataclass(frozen=True)
class Preset:
    """Which button with which key makes which gesture; a plain left drag orbits in every one."""

    name: str
    title: str
    gestures: dict[tuple[Qt.MouseButton, Qt.KeyboardModifier], Gesture]

    def gesture(self, button: Qt.MouseButton, held: Qt.KeyboardModifier) -> Gesture | None:
        """Return what a drag means."""
        return self.gestures.get((button, held & _HELD)) or _ALWAYS.get((button, held & _HELD))


_ALWAYS: dict[tuple[Qt.MouseButton, Qt.KeyboardModifier], Gesture] = {
    (_LEFT, _NONE): "orbit",
    (_RIGHT, _NONE): "pan",
}
PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "maya",
            "Maya",
            {
                (_LEFT, _ALT): "orbit",
                (_MIDDLE, _ALT): "pan",
                (_RIGHT, _ALT): "zoom",
                (_MIDDLE, _NONE): "pan",
            },
        ),
        Preset(
            "blender",
            "Blender",
            {
                (_MIDDLE, _NONE): "orbit",
                (_MIDDLE, _SHIFT): "pan",
                (_MIDDLE, _CTRL): "zoom",
            },
        ),
    )
}
