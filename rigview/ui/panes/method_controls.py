"""The options of a pane's method, in a corner of that pane."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from rigview.core.skinning import FILE, METHODS
from rigview.render import axis_gizmo
from rigview.ui.dialogs.method_options import FURTHER, MethodOptions
from rigview.ui.panes.viewport import Panes
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.layout import across, label
from rigview.ui.widgets.theme import colour
from rigview.ui.widgets.words import tr

_MARGIN = 8
# The letters of the world's axes stand in the other corner.
_GIZMO = int(2 * axis_gizmo.CENTRE)
# What the controls do with these keys goes before what the panes below them do.
_OWN_KEYS = {
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
}


class _Slider(QSlider):
    """A slim slider; a click goes there at once."""

    def __init__(self, tip: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, 100)
        self.setFixedSize(50, 18)
        self.setAccessibleName(tr(tip))
        self.setToolTip(tr(tip))

    def sizeHint(self) -> QSize:
        return QSize(50, 18)

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


class _Row(QWidget):
    """One option from 0 to 1: its name, a slider and its value."""

    def __init__(self, option: str, tip: str) -> None:
        super().__init__()
        self.option = option
        self.slider = _Slider(tip)
        self.name = label(option.capitalize(), "text2", theme.SMALL)
        self.value = label("", "text", theme.SMALL, numbers=True)
        self.value.setFixedWidth(self.value.fontMetrics().horizontalAdvance("0.00") + 2)
        self.setFixedHeight(22)
        across(self, self.name, self.slider, self.value, spacing=4)

    @property
    def words(self) -> tuple[QLabel, QLabel]:
        """What can be left out where there is little room, in order."""
        return self.name, self.value

    @property
    def wanted_width(self) -> int:
        """The width of what of it is shown."""
        shown = [w for w in (self.name, self.slider, self.value) if not w.isHidden()]
        return sum(w.sizeHint().width() + 4 for w in shown) - 4

    def show_value(self, value: float | None) -> None:
        """Show a value, or that the file's own values are used."""
        blocked = self.slider.blockSignals(True)
        self.slider.setValue(round(100 * (0.5 if value is None else value)))
        self.slider.blockSignals(blocked)
        self.value.setText(tr("file") if value is None else f"{value:.2f}")


# The options that are a share, with what their sliders do.
_SHARES = (
    ("strength", "Strength of the compensation"),
    ("blend", "From linear (0) to dual quaternion skinning (1)"),
)


class MethodControls(QWidget):
    """Strength and blend, as far as the method of a pane minds them.

    They stand in the lower right corner of the chosen pane, else of the first that has any. What a
    method minds beyond them is behind a button.
    """

    def __init__(self, stage: Stage, state: State, panes: Panes) -> None:
        super().__init__(panes.canvas)
        self._stage, self._state, self._panes = stage, state, panes
        self.rows = {option: _Row(option, tip) for option, tip in _SHARES}
        for entry in self.rows.values():
            entry.slider.valueChanged.connect(lambda n, o=entry.option: self._set_share(o, n))
            entry.slider.installEventFilter(self)
        self.more = Button("", "sliders-horizontal", "ghost", "Further options of the method", 22)
        self.more.clicked.connect(self._show_further)
        self.more.installEventFilter(self)
        self.further = MethodOptions(self, state)
        shares = QVBoxLayout()
        shares.setContentsMargins(0, 0, 0, 0)
        shares.setSpacing(0)
        for entry in self.rows.values():
            shares.addWidget(entry)
        self._line = layout = QHBoxLayout(self)
        layout.setSpacing(4)
        layout.addLayout(shares)
        layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        state.changed.connect(self._follow)
        stage.rig_changed.connect(self._place)
        panes.resized.connect(self._place)
        self._show()
        self._place()

    @property
    def strength(self) -> QSlider:
        """The slider of the strength."""
        return self.rows["strength"].slider

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Keep the shortcuts of the panes from taking the controls' keys."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
            if plain and event.key() in _OWN_KEYS:
                event.accept()
                return True
        return False

    def _set_share(self, option: str, hundredths: int) -> None:
        options = self._state.value.options
        changed: dict[str, Any] = {option: hundredths / 100}
        self._state.update(options=replace(options, **changed))

    def _show_further(self) -> None:
        number = self._number
        if number is not None:
            shown = tuple(option for option in FURTHER if option in self._minded(number))
            self.further.open(shown, self.more)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.options != new.options:
            self._show()
        if (old.methods, old.pane) != (new.methods, new.pane):
            self._place()

    def _minded(self, number: int) -> tuple[str, ...]:
        """Return which options the method of a pane minds."""
        method, deformer = self._state.value.methods[number], self._stage.deformer
        if method != FILE.id:
            return METHODS[method].options
        asked = deformer.files_methods() if deformer is not None else ()
        # Its blend is the file's own.
        return tuple(dict.fromkeys(o for m in asked for o in m.options if o != "blend"))

    @property
    def _number(self) -> int | None:
        """The pane whose options are shown: the chosen one, else the first that has any here."""
        count, chosen = len(self._panes.logical_panes()), self._state.value.pane
        if chosen < count and self._minded(chosen):
            return chosen
        return next((n for n in range(count) if set(self.rows) & set(self._minded(n))), None)

    def _place(self) -> None:
        """Go to the pane whose options are shown, in as much detail as it has room for."""
        areas, number = self._panes.logical_panes(), self._number
        self.setVisible(number is not None and self._stage.rig is not None)
        self._panes.foot = 0.0
        if number is None:
            return
        area, minded = areas[number], self._minded(number)
        shown = [entry for option, entry in self.rows.items() if option in minded]
        for option, entry in self.rows.items():
            entry.setVisible(option in minded)
        self.more.setVisible(bool(set(FURTHER) & set(minded)))
        room = int(area.width()) - _MARGIN - _GIZMO
        words = [entry.words for entry in shown]
        for word in (w for pair in words for w in pair):
            word.show()
        for column in zip(*words, strict=True):
            if self._wanted_width() > room:
                for word in column:
                    word.hide()
        self._line.setContentsMargins(8 if shown else 2, 2, 2, 2)
        width = min(self._wanted_width(), int(area.width()) - 2 * _MARGIN)
        height = 4 + 22 * max(len(shown), 1)
        right, bottom = int(area.right()) - _MARGIN, int(area.bottom()) - _MARGIN
        self.setGeometry(right - width, bottom - height, width, height)
        if width + _MARGIN > area.width() / 2:
            # What stands in the middle of the pane would stand behind them.
            self._panes.foot = height + _MARGIN

    def _wanted_width(self) -> int:
        """Return the width of what is shown now; layouts hear of what was hidden only later."""
        rows = [entry.wanted_width for entry in self.rows.values() if not entry.isHidden()]
        more = 0 if self.more.isHidden() else self.more.sizeHint().width() + 4
        return (8 if rows else 2) + max(rows, default=-4) + more + 2

    def _show(self) -> None:
        options = self._state.value.options
        for option, entry in self.rows.items():
            entry.show_value(getattr(options, option))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour("edge"))
        painter.setBrush(colour("background1", 0.86))
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
