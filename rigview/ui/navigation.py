"""How the mouse moves the camera: presets that riggers' hands know, as one table."""

import math
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QWheelEvent

from rigview.render.camera import Camera
from rigview.ui.widgets.words import tr

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


_NAMES = {_LEFT: "drag", _MIDDLE: "middle drag", _RIGHT: "right drag"}
_KEYS = {_NONE: "", _ALT: "Alt+", _SHIFT: "Shift+", _CTRL: "Ctrl+"}
_TITLES: dict[Gesture, str] = {"orbit": "Orbit", "pan": "Pan", "zoom": "Zoom"}
# Radians for a pixel.
_ORBIT = math.radians(0.35)
# Natural logarithm of how much nearer, for a pixel of a drag and for an eighth of a degree of a wheel.
_DRAG, _WHEEL = 0.01, 1.0 / 1000.0
# Pixels for an eighth of a degree, where a touchpad tells no pixels.
_SCROLL = 0.5

Drags = dict[tuple[Qt.MouseButton, Qt.KeyboardModifier], Gesture]
Scrolls = dict[Qt.KeyboardModifier, Gesture]
_ALWAYS: Drags = {(_LEFT, _NONE): "orbit", (_RIGHT, _NONE): "pan"}


@dataclass(frozen=True)
class Preset:
    """What the mouse does in a program.

    Parameters
    ----------
    drags
        Which button with which key; a plain left drag orbits in every one, a right one pans.
    scrolls
        What two fingers, or the wheel, do with a key; anything else zooms.
    sideways
        Whether a drag that zooms does so across, too, not only up and down.
    """

    name: str
    title: str
    drags: Drags
    scrolls: Scrolls = field(default_factory=dict)
    sideways: bool = True

    def gesture(self, button: Qt.MouseButton, held: Qt.KeyboardModifier) -> Gesture | None:
        """Return what a drag means."""
        return self.drags.get((button, held & _HELD)) or _ALWAYS.get((button, held & _HELD))

    def scroll(self, held: Qt.KeyboardModifier) -> Gesture:
        """Return what scrolling means."""
        return self.scrolls.get(held & _HELD, "zoom")

    def zoom(self, moved: QPointF) -> float:
        """Return how many times as far the camera is after a drag that zooms: right and up is nearer."""
        return math.exp(_DRAG * (moved.y() - (moved.x() if self.sideways else 0.0)))

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """What makes which gesture, in words."""
        every = _ALWAYS | self.drags
        lines = []
        for gesture, title in _TITLES.items():
            ways = [
                f"{tr(_KEYS[k])}{tr(_NAMES[b])}"
                for (b, k), made in every.items()
                if made == gesture
            ]
            ways += [
                f"{tr(_KEYS[k])}{tr('two fingers')}"
                for k, made in self.scrolls.items()
                if made == gesture
            ]
            if ways:
                words = ", ".join(ways)
                lines.append((words[0].upper() + words[1:], title))
        wheel = "Pinch" if self.scrolls else "Wheel"
        return (*lines, (wheel, "Zoom to the cursor"))


# The first is the default.
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
            sideways=False,
        ),
        # As Blender takes the gestures of a touchpad; drags for those that tell of none.
        Preset(
            "touchpad",
            "Touchpad",
            {(_LEFT, _SHIFT): "pan", (_LEFT, _CTRL): "zoom"},
            {_NONE: "orbit", _SHIFT: "pan", _CTRL: "zoom"},
            sideways=False,
        ),
    )
}


def known(name: str) -> str:
    """Return the name of a preset: the one that is given, or the first where there is none of it."""
    return name if name in PRESETS else next(iter(PRESETS))


def orbited(camera: Camera, moved: QPointF) -> Camera:
    """Turn with a drag of pixels: what is in front follows the cursor."""
    return camera.orbited(-moved.x() * _ORBIT, moved.y() * _ORBIT)


def scrolled(event: QWheelEvent) -> QPointF:
    """Return by how many pixels two fingers move what they touch."""
    told = QPointF(event.pixelDelta())
    return QPointF(event.angleDelta()) * _SCROLL if told.isNull() else told


def wheel_zoom(event: QWheelEvent) -> float:
    """Return how many times as far the camera is after a turn of the wheel: away from oneself is nearer."""
    # Where Alt is held, Qt takes the wheel for one that turns sideways.
    turned = event.angleDelta().y() or event.angleDelta().x()
    return math.exp(-turned * _WHEEL)
