"""The cross of axes in the corner of each pane as buttons: a letter turns the camera to look from there."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from rigview.render import axis_gizmo
from rigview.ui.view_state import State
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr

_COLOURS = ("x", "y", "z")
# What a click does, by the number of the end.
_TIPS = (
    "Look from +X; again, from −X",
    "Look from +Y, the top; again, from −Y",
    "Look from +Z; again, from −Z",
    "Look from −X; again, from +X",
    "Look from −Y, below; again, from +Y",
    "Look from −Z; again, from +Z",
)


@dataclass(frozen=True)
class _Hovered:
    """The cross that the mouse is over: its pane, that one's area, and the end under the mouse."""

    pane: int
    area: QRectF
    end: int | None


class AxisCorner:
    """Finds the letter under the mouse, and lights it up; the hover over the panes paints it."""

    def __init__(self, canvas: QWidget, state: State) -> None:
        self._canvas, self._state = canvas, state
        self._hovered: _Hovered | None = None

    @property
    def end(self) -> int | None:
        """The end that is lit up, as `axis_gizmo` numbers them."""
        return None if self._hovered is None else self._hovered.end

    def _end_at(self, place: QPointF, pane: tuple[int, QRectF]) -> int | None:
        number, area = pane
        at = place.x() - area.left(), area.bottom() - place.y()
        return axis_gizmo.hit(self._state.value.camera_of(number), at)

    def hover(self, place: QPointF, pane: tuple[int, QRectF]) -> bool:
        """Follow the mouse; return whether it is over the cross."""
        number, area = pane
        centre = self._centre(area)
        over = math.hypot(place.x() - centre.x(), place.y() - centre.y()) <= axis_gizmo.RADIUS
        self._hovered = _Hovered(number, area, self._end_at(place, pane)) if over else None
        end = self.end
        self._canvas.setToolTip("" if end is None else tr(_TIPS[end]))
        return over

    def leave(self) -> None:
        """Light nothing up."""
        if self._hovered is not None:
            self._hovered = None
            self._canvas.setToolTip("")

    def click(self, place: QPointF, pane: tuple[int, QRectF]) -> bool:
        """Turn the camera to the letter at a place; return whether there is one."""
        end, view = self._end_at(place, pane), self._state.value
        if end is not None:
            self._state.see(axis_gizmo.looking_from(view.camera_of(pane[0]), end), pane[0])
        return end is not None

    @property
    def bounds(self) -> QRectF:
        """All that is painted now."""
        if self._hovered is None:
            return QRectF()
        centre, reach = self._centre(self._hovered.area), axis_gizmo.RADIUS + 2.0
        return QRectF(centre.x() - reach, centre.y() - reach, 2.0 * reach, 2.0 * reach)

    def _centre(self, area: QRectF) -> QPointF:
        return area.bottomLeft() + QPointF(axis_gizmo.CENTRE, -axis_gizmo.CENTRE)

    def draw(self, painter: QPainter) -> None:
        """Draw what there is to click: all six ends, the one under the mouse filled."""
        if self._hovered is None:
            return
        area, end = self._hovered.area, self._hovered.end
        camera = self._state.value.camera_of(self._hovered.pane)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("text", 0.1))
        painter.drawEllipse(self._centre(area), axis_gizmo.RADIUS, axis_gizmo.RADIUS)
        painter.setFont(font(theme.TICK, theme.SEMIBOLD))
        for number, (x, y) in enumerate(axis_gizmo.ends(camera).tolist()):
            if number < 3 and number != end:
                continue
            place, token = area.bottomLeft() + QPointF(x, -y), _COLOURS[number % 3]
            radius = axis_gizmo.REACH - 1.0 if number == end else 4.0
            painter.setPen(QPen(colour(token), 1.5))
            painter.setBrush(colour(token, 1.0 if number == end else 0.25))
            painter.drawEllipse(place, radius, radius)
            if number == end:
                painter.setPen(colour("background0"))
                box = QRectF(place.x() - 10.0, place.y() - 10.0, 20.0, 20.0)
                painter.drawText(
                    box, Qt.AlignmentFlag.AlignCenter, axis_gizmo.NAMES[number].lstrip("+")
                )
