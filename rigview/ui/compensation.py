"""Strength and axis of the compensation, in a corner of the pane that it acts on."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from rigview.core.bones import AXES
from rigview.core.skinning import METHODS
from rigview.ui import theme
from rigview.ui.boxes import label
from rigview.ui.controls import Chooser
from rigview.ui.stage import Stage
from rigview.ui.theme import colour
from rigview.ui.view_state import State, ViewState
from rigview.ui.viewport import Panes

_AXIS_NAMES = {axis: "auto" if axis == "auto" else axis.upper().replace("-", "−") for axis in AXES}
_MARGIN = 8
# The letters of the world's axes stand in the other corner.
_GIZMO = 60
# What the controls do with these keys goes before what the panes below them do.
_OWN_KEYS = {
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_Space,
}


class _Strength(QSlider):
    """A slim slider; a click goes there at once."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, 100)
        self.setFixedSize(58, 18)
        self.setAccessibleName("Strength of the compensation")
        self.setToolTip("Strength of the compensation")

    def sizeHint(self) -> QSize:
        return QSize(58, 18)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._go(event)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        pass

    def _go(self, event: QMouseEvent) -> None:
        self.setValue(round(100 * (event.position().x() - 5) / max(self.width() - 10, 1)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, length = self.height() / 2, self.width() - 10
        at = 5 + length * self.value() / 100
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("background4"))
        painter.drawRoundedRect(QRectF(5, middle - 1.5, length, 3), 1.5, 1.5)
        painter.setBrush(colour("accent"))
        painter.drawRoundedRect(QRectF(5, middle - 1.5, at - 5, 3), 1.5, 1.5)
        painter.setBrush(colour("accent" if self.hasFocus() else "text"))
        painter.drawEllipse(QPointF(at, middle), 5, 5)


class CompensationControls(QWidget):
    """Strength and axis of the compensation, in the lower right corner of the pane that shows it."""

    def __init__(self, stage: Stage, state: State, panes: Panes) -> None:
        super().__init__(panes.canvas)
        self._stage, self._state, self._panes = stage, state, panes
        self.strength = _Strength()
        self.strength.valueChanged.connect(self._set_strength)
        self._name = label("Strength", "text2", theme.SMALL)
        self._value = label("", "text", theme.SMALL, numbers=True)
        self._value.setFixedWidth(self._value.fontMetrics().horizontalAdvance("0.00") + 2)
        self.axis = Chooser(list(_AXIS_NAMES.values()), "Axis that bones follow", flat=True)
        self.axis.activated.connect(self._set_axis)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 2, 2, 2)
        layout.setSpacing(4)
        for widget in (self._name, self.strength, self._value, self.axis):
            layout.addWidget(widget)
        for control in (self.strength, self.axis):
            control.installEventFilter(self)
        state.changed.connect(self._follow)
        stage.rig_changed.connect(self._place)
        panes.resized.connect(self._place)
        self._show()
        self._place()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Keep the shortcuts of the panes from taking the controls' keys."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
            if plain and event.key() in _OWN_KEYS:
                event.accept()
                return True
        return False

    def _set_strength(self, hundredths: int) -> None:
        options = self._state.value.options
        self._state.update(options=replace(options, strength=hundredths / 100))

    def _set_axis(self, row: int) -> None:
        options = self._state.value.options
        self._state.update(options=replace(options, axis=AXES[row]))

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.options != new.options:
            self._show()
        if old.methods != new.methods or old.options.axis != new.options.axis:
            self._place()

    def _place(self) -> None:
        """Go to the first pane that compensates, in as much detail as it has room for."""
        areas = zip(self._panes.logical_panes(), self._state.value.methods, strict=True)
        area = next((a for a, method in areas if METHODS[method].compensates), None)
        self.setVisible(area is not None and self._stage.rig is not None)
        if area is None:
            return
        room = int(area.width()) - 2 * _MARGIN - _GIZMO
        for widget in (self._name, self._value):
            widget.show()
        for widget in (self._name, self._value):
            if self.sizeHint().width() > room:
                widget.hide()
        width = min(self.sizeHint().width(), int(area.width()) - 2 * _MARGIN)
        self.setGeometry(int(area.right()) - width - _MARGIN, int(area.bottom()) - 34, width, 26)

    def _show(self) -> None:
        options = self._state.value.options
        blocked = self.strength.blockSignals(True)
        self.strength.setValue(round(100 * options.strength))
        self.strength.blockSignals(blocked)
        self._value.setText(f"{options.strength:.2f}")
        self.axis.setCurrentIndex(AXES.index(options.axis))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour("edge"))
        painter.setBrush(colour("background1", 0.86))
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
