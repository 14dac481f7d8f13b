"""Rows of morph targets: a name, the curve that keys it, its weight, and a slider to try another one."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from rigview.core.arrays import FloatArray
from rigview.ui.widgets import theme
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr

ROW = 38
# A weight of −100 to 200 % can be tried.
LEAST, MOST = -1.0, 2.0
# An arrow key changes a weight by the first, with Shift by the second.
_STEP, _LONG_STEP = 0.01, 0.1
_SIDE, _TRACK, _KNOB = 12.0, 27.0, 4.5
_CURVE = QSize(46, 10)
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)

# Node that shows the mesh, and number of the target.
Target = tuple[int, int]


class MorphRow(NamedTuple):
    """What a row shows.

    Parameters
    ----------
    targets
        Targets of one name, each of another node: a face is often parted into skin, brows and teeth.
    curve
        ``(n,)`` weights over the clip, evenly in time; None where the clip does not key the target.
    moves
        Whether any vertex is elsewhere under it.
    """

    targets: tuple[Target, ...]
    name: str
    curve: FloatArray | None = None
    moves: bool = True

    @property
    def target(self) -> Target:
        """The first of its targets, whose weight the row shows."""
        return self.targets[0]


class MorphRows(QWidget):
    """Rows below each other; one stop for Tab, arrow keys choose and change.

    `tried` carries a row and the weight that its targets shall have, or None for that of the file.
    """

    tried = Signal(object, object)
    moved_to = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[MorphRow] = ()
        self._weights: Mapping[Target, float] = {}
        self._changed: frozenset[Target] = frozenset()
        self._current = 0
        self._dragged: tuple[MorphRow, float | None] | None = None
        self._field: Number | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(False)

    @property
    def rows(self) -> Sequence[MorphRow]:
        """The rows that are listed."""
        return self._rows

    def show_rows(self, rows: Sequence[MorphRow]) -> None:
        """List other rows."""
        self._rows = rows
        self._current = min(self._current, max(len(rows) - 1, 0))
        self.setFixedHeight(ROW * len(rows))
        self._describe()
        self.update()

    def show_weights(self, weights: Mapping[Target, float], changed: frozenset[Target]) -> None:
        """Show the weights of the present pose, and which of them are tried out."""
        self._weights, self._changed = weights, changed
        self._describe()
        self.update()

    def weight(self, row: MorphRow) -> float:
        """Return the weight that a row shows."""
        return self._weights.get(row.target, 0.0)

    def _describe(self) -> None:
        """Say the current row to screen readers."""
        if not self._rows:
            self.setAccessibleName(tr("Morph targets"))
            return
        row = self._rows[self._current]
        words = [
            tr("Morph target {name}", name=row.name),
            tr("{weight:.0f} percent", weight=100.0 * self.weight(row)),
            *([tr("tried")] if row.target in self._changed else []),
            *([] if row.moves else [tr("moves nothing")]),
            tr("{number} of {all}", number=self._current + 1, all=len(self._rows)),
        ]
        self.setAccessibleName(", ".join(words))

    def track(self, number: int) -> QRectF:
        """Return where the slider of a row is."""
        return QRectF(_SIDE, number * ROW + _TRACK - 6.0, self.width() - 2 * _SIDE, 12.0)

    def place_of(self, number: int, weight: float) -> QPointF:
        """Return where the knob of a row stands at a weight."""
        track = self.track(number)
        share = (min(max(weight, LEAST), MOST) - LEAST) / (MOST - LEAST)
        return QPointF(track.left() + share * track.width(), track.center().y())

    def _weight_at(self, x: float) -> float:
        track = self.track(0)
        share = (x - track.left()) / max(track.width(), 1.0)
        # A whole per cent, so that a drag comes to 0 and 100 again.
        return round(100.0 * min(max(LEAST + share * (MOST - LEAST), LEAST), MOST)) / 100.0

    def _at(self, position: QPointF) -> int | None:
        number = int(position.y() // ROW)
        return number if 0 <= number < len(self._rows) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        if number is None:
            return
        self._go_to(number)
        row = self._rows[number]
        if event.button() == Qt.MouseButton.RightButton:
            self.tried.emit(row, 0.0)
        elif self.track(number).adjusted(-_SIDE, -4, _SIDE, 6).contains(event.position()):
            before = self.weight(row) if row.target in self._changed else None
            self._dragged = row, before
            self.tried.emit(row, self._weight_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None:
            self.tried.emit(self._dragged[0], self._weight_at(event.position().x()))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._dragged = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        if number is not None:
            self._type(number)

    def _type(self, number: int) -> None:
        """Let a weight be typed, in per cent."""
        row = self._rows[number]
        self._close_field()
        field = Number(" %", 0, step=1.0, name=tr("Weight of {name} in per cent", name=row.name))
        field.setRange(100.0 * LEAST, 100.0 * MOST)
        field.setParent(self)
        field.setGeometry(self.width() - 78, number * ROW + 2, 70, theme.ROW)
        field.show_value(100.0 * self.weight(row))
        field.valueChanged.connect(lambda value: self.tried.emit(row, value / 100.0))
        field.editingFinished.connect(self._close_field)
        field.show()
        field.setFocus()
        field.selectAll()
        self._field = field

    def _close_field(self) -> None:
        field, self._field = self._field, None
        if field is not None:
            field.hide()
            field.deleteLater()
            self.setFocus()

    def _go_to(self, number: int) -> None:
        self._current = min(max(number, 0), len(self._rows) - 1)
        self._describe()
        self.update()
        self.moved_to.emit(self._current)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._rows:
            super().keyPressEvent(event)
            return
        row, key = self._rows[self._current], Qt.Key(event.key())
        rows = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -6,
            Qt.Key.Key_PageDown: 6,
        }
        steps = {Qt.Key.Key_Left: -1.0, Qt.Key.Key_Right: 1.0}
        if key in rows:
            self._go_to(self._current + rows[key])
        elif key in steps:
            long = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            step = steps[key] * (_LONG_STEP if long else _STEP)
            self.tried.emit(row, min(max(self.weight(row) + step, LEAST), MOST))
        elif key == Qt.Key.Key_Escape and self._dragged is not None:
            self.tried.emit(*self._dragged)
            self._dragged = None
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_F2):
            self._type(self._current)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.tried.emit(row, None)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first, last = event.rect().top() // ROW, event.rect().bottom() // ROW
        for number in range(max(first, 0), min(last + 1, len(self._rows))):
            self._paint_row(painter, number)

    def _paint_row(self, painter: QPainter, number: int) -> None:
        row, top = self._rows[number], float(number * ROW)
        weight, tried = self.weight(row), row.target in self._changed
        beyond = not -1e-9 <= weight <= 1.0 + 1e-9
        if number == self._current and self.hasFocus():
            painter.setPen(QPen(colour("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(
                QRectF(2.5, top + 1.5, self.width() - 5, ROW - 3), theme.RADIUS, theme.RADIUS
            )
        painter.setFont(font(theme.BODY, numbers=True))
        painter.setPen(colour("warning" if beyond else "text" if weight or tried else "text2"))
        number_area = QRectF(self.width() - _SIDE - 52, top + 2, 52, 18)
        painter.drawText(number_area, _RIGHT, f"{100.0 * weight:.0f} %".replace("-", "−"))
        right = number_area.left() - 6
        says = "moves nothing" if not row.moves else "tried" if tried else ""
        if says:
            painter.setFont(font(theme.TICK))
            painter.setPen(colour("text3"))
            painter.drawText(QRectF(right - 90, top + 2, 90, 18), _RIGHT, says)
            right -= QFontMetricsF(painter.font()).horizontalAdvance(says) + 6
        if row.curve is not None:
            self._paint_curve(painter, row.curve, QPointF(right - _CURVE.width(), top + 6))
            right -= _CURVE.width() + 6
        chosen = font(theme.BODY, theme.MEDIUM if weight or tried else theme.font().weight())
        painter.setFont(chosen)
        painter.setPen(colour("text" if weight or tried else "text2"))
        room = max(right - _SIDE, 20.0)
        name = QFontMetricsF(chosen).elidedText(row.name, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRectF(_SIDE, top + 2, room, 18), _LEFT, name)
        self._paint_track(painter, number, weight, beyond=beyond)

    def _paint_track(self, painter: QPainter, number: int, weight: float, *, beyond: bool) -> None:
        track, middle = self.track(number), self.track(number).center().y()
        zero, one, now = (self.place_of(number, value).x() for value in (0.0, 1.0, weight))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("field"))
        painter.drawRoundedRect(QRectF(track.left(), middle - 2, track.width(), 4), 2, 2)
        painter.setBrush(colour("background4"))
        painter.drawRect(QRectF(zero, middle - 2, one - zero, 4))
        painter.setBrush(colour("warning_fill" if beyond else "accent"))
        painter.drawRect(QRectF(min(zero, now), middle - 2, abs(now - zero), 4))
        painter.setBrush(colour("text3"))
        for tick in (zero, one):
            painter.drawRect(QRectF(tick - 0.5, middle - 5, 1, 10))
        painter.setBrush(colour("text" if weight else "text3"))
        painter.drawEllipse(QPointF(now, middle), _KNOB, _KNOB)

    def _paint_curve(self, painter: QPainter, curve: FloatArray, corner: QPointF) -> None:
        low, high = min(float(curve.min()), 0.0), max(float(curve.max()), 1.0)
        wide, tall = _CURVE.width() / max(len(curve) - 1, 1), _CURVE.height() / (high - low)
        points = [
            QPointF(corner.x() + i * wide, corner.y() + (high - value) * tall)
            for i, value in enumerate(curve.tolist())
        ]
        painter.setPen(QPen(colour("text3"), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
