"""A bar from the middle for an angle from −180 to 180 degrees: drag it, or use the arrow keys."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour
from rigview.ui.widgets.words import tr

MOST = 180.0
_STEP, _LONG_STEP = 1.0, 10.0
# Half of the knob's width, which the bar leaves free at either end.
_KNOB = 3.0


class AngleBar(QWidget):
    """One angle; `turned` carries degrees while it is dragged, and after every key.

    A right click asks for 0, Esc gives back what was there before the drag.
    """

    turned = Signal(float)

    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        self.name, self._token = name, token
        self.value = 0.0
        self.usual: tuple[float, float] | None = None
        self._before: float | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedHeight(theme.ROW)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_value(0.0, None)

    def sizeHint(self) -> QSize:
        return QSize(120, theme.ROW)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, theme.ROW)

    @property
    def is_beyond(self) -> bool:
        """Whether the angle is beyond the usual range, by more than what is shown as 0.0."""
        low, high = self.usual or (-MOST, MOST)
        return not low - 0.05 <= self.value <= high + 0.05

    def show_value(self, value: float, usual: tuple[float, float] | None) -> None:
        """Show an angle and the usual range, degrees, without telling anyone."""
        self.value, self.usual = value, usual
        name = tr(self.name)
        within = "{name}, slider, {angle:.0f} degrees"
        beyond = "{name}, slider, {angle:.0f} degrees, beyond the usual range"
        self.setAccessibleName(tr(beyond if self.is_beyond else within, name=name, angle=value))
        keys = "{name}: drag, arrows 1°, Shift+arrows 10°, right click or Delete 0"
        tip = [tr(keys, name=name)]
        if usual is not None:
            least, most = usual
            span = tr("usually {least:.0f}° to {most:.0f}°", least=least, most=most)
            tip.append(span.replace("-", "−"))
        self.setToolTip("\n".join(tip))
        self.update()

    def place(self, value: float) -> QPointF:
        """Return where an angle is on the bar."""
        share = (min(max(value, -MOST), MOST) + MOST) / (2.0 * MOST)
        return QPointF(_KNOB + share * (self.width() - 2.0 * _KNOB), self.height() / 2.0)

    def _angle(self, x: float) -> float:
        share = (x - _KNOB) / max(self.width() - 2.0 * _KNOB, 1.0)
        # Whole degrees, so that a drag comes to 0 again.
        return float(round(min(max(share, 0.0), 1.0) * 2.0 * MOST - MOST))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton:
            self.turned.emit(0.0)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._before = self.value
            self.turned.emit(self._angle(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._before is not None:
            self.turned.emit(self._angle(event.position().x()))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._before = None

    @property
    def is_held(self) -> bool:
        """Whether it is being dragged."""
        return self._before is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1.0, Qt.Key.Key_Right: 1.0}
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self._before is not None:
            before, self._before = self._before, None
            self.turned.emit(before)
        elif key in steps:
            long = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            after = self.value + steps[key] * (_LONG_STEP if long else _STEP)
            self.turned.emit(min(max(after, -MOST), MOST))
        elif key == Qt.Key.Key_Delete:
            self.turned.emit(0.0)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2.0
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("field"))
        painter.drawRoundedRect(QRectF(0.0, middle - 2.0, self.width(), 4.0), 2, 2)
        if self.usual is not None:
            low, high = (self.place(value).x() for value in self.usual)
            painter.setBrush(colour("background4"))
            painter.drawRoundedRect(QRectF(low, middle - 2.5, high - low, 5.0), 2, 2)
        zero, now = self.place(0.0).x(), self.place(self.value).x()
        painter.setBrush(colour("warning_fill" if self.is_beyond else self._token))
        painter.drawRect(QRectF(min(zero, now), middle - 2.5, abs(now - zero), 5.0))
        painter.setBrush(colour("text3"))
        painter.drawRect(QRectF(zero - 0.5, middle - 6.0, 1.0, 12.0))
        painter.setBrush(colour("text"))
        painter.drawRoundedRect(QRectF(now - _KNOB + 1.0, middle - 6.0, 4.0, 12.0), 2, 2)
        if self.hasFocus():
            painter.setPen(QPen(colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = QRectF(self.rect()).adjusted(0.5, 1.0, -0.5, -1.0)
            painter.drawRoundedRect(ring, theme.RADIUS, theme.RADIUS)
