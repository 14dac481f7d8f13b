"""The key B held down: a drag changes the brush's radius and strength; a tap shows the bones or not."""

import math
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from rigview.ui.view_state import State

# Natural logarithm of the radius, and strength, for a pixel.
_RADIUS, _STRENGTH = 0.01, 0.004


class BrushKeys(QObject):
    """Filters the events of the canvas while weights are painted."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state
        self._is_held = self._has_moved = False
        self._last: QPointF | None = None

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Take B, and the mouse while it is held."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_B:
            return self._key(event)
        if self._is_held and isinstance(event, QMouseEvent):
            if event.type() == QEvent.Type.MouseMove:
                self._drag(event.position())
            return True
        return False

    def _key(self, event: QKeyEvent) -> bool:
        painting = self._state.value.weight_brush is not None
        if event.modifiers() or not (painting or self._is_held):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            # Else the shortcut would take the key.
            event.accept()
        elif event.isAutoRepeat():
            pass
        elif event.type() == QEvent.Type.KeyPress:
            self._is_held, self._has_moved, self._last = True, False, None
        elif event.type() == QEvent.Type.KeyRelease:
            self._is_held = False
            if not self._has_moved:
                self._state.update(bones=not self._state.value.bones)
        return True

    def _drag(self, place: QPointF) -> None:
        """Make the brush larger to the right and stronger upwards."""
        brush, last, self._last = self._state.value.weight_brush, self._last, place
        if brush is None or last is None:
            return
        moved = place - last
        self._has_moved = True
        strength = min(max(brush.strength - _STRENGTH * moved.y(), 0.0), 1.0)
        radius = brush.radius * math.exp(_RADIUS * moved.x())
        self._state.update(weight_brush=replace(brush, radius=radius, strength=strength))
