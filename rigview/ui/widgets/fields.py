"""Fields to type into: numbers that can be dragged, searches, paths."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QLineEdit, QSizePolicy, QToolButton

from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.tips import plain
from rigview.ui.widgets.words import tr


class Number(QDoubleSpinBox):
    """A number: drag sideways to change (Shift fine, Ctrl coarse, Esc takes back), double-click to type.

    Letters and Space, which are in no number, stay the window's keys. One that is only to be read has no
    face of a field.
    """

    def __init__(
        self,
        unit: str = "",
        decimals: int = 3,
        axis: str | None = None,
        *,
        step: float = 0.01,
        name: str = "",
        read_only: bool = False,
    ) -> None:
        super().__init__()
        self._axis, self._step = axis, step
        self._drag_from: tuple[float, float] | None = None
        self._moved = False
        self.setRange(-1e9, 1e9)
        self.setDecimals(decimals)
        self.setSuffix(unit)
        self.setSingleStep(step)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setFrame(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFixedHeight(theme.ROW)
        # Three of them share a narrow panel: spin boxes would insist on their whole width.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFont(font(theme.BODY, numbers=True))
        self.setKeyboardTracking(False)
        self.setReadOnly(read_only)
        self.setAccessibleName(tr(name))
        self.setToolTip(plain(tr(name)))
        edit = self.lineEdit()
        # The editor would paint over our face.
        edit.setStyleSheet("QLineEdit { background: transparent; border: 0; }")
        if not read_only:
            edit.setCursor(Qt.CursorShape.SizeHorCursor)
            edit.installEventFilter(self)

    def sizeHint(self) -> QSize:
        return QSize(70, theme.ROW)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, theme.ROW)

    def eventFilter(self, watched: object, event: object) -> bool:
        """Turn sideways drags on the text into changes of the value."""
        is_read = self.isReadOnly()
        if watched is self.lineEdit() and isinstance(event, QMouseEvent) and not is_read:
            kind = event.type()
            if kind == QMouseEvent.Type.MouseButtonPress:
                self._drag_from = (event.globalPosition().x(), self.value())
                self._moved = False
            elif kind == QMouseEvent.Type.MouseMove and self._drag_from is not None:
                return self._drag(event)
            elif kind == QMouseEvent.Type.MouseButtonRelease and self._drag_from is not None:
                self._drag_from = None
                return self._moved
        return False

    def _drag(self, event: QMouseEvent) -> bool:
        if self._drag_from is None:
            return False
        start, value = self._drag_from
        distance = event.globalPosition().x() - start
        if not self._moved:
            if abs(distance) < 3:
                return False
            self._moved = True
        held = event.modifiers()
        factor = 0.1 if held & Qt.KeyboardModifier.ShiftModifier else 1.0
        factor *= 10.0 if held & Qt.KeyboardModifier.ControlModifier else 1.0
        self.setValue(value + distance * self._step * factor)
        return True

    def event(self, event: QEvent) -> bool:
        """Leave keys that no number has to the window's shortcuts; a line to type into takes them all."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            written = event.text()
            if self.isReadOnly() or written.isalpha() or written == " ":
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._drag_from is not None:
            self.setValue(self._drag_from[1])
            self._drag_from = None
            return
        super().keyPressEvent(event)

    def let_change(self, *, may: bool) -> None:
        """Let the number be changed, or only read."""
        if may == self.isReadOnly():
            self.setReadOnly(not may)
            shape = Qt.CursorShape.SizeHorCursor if may else Qt.CursorShape.IBeamCursor
            self.lineEdit().setCursor(shape)

    def show_value(self, value: float) -> None:
        """Show a value without telling anyone."""
        blocked = self.blockSignals(True)
        self.setValue(value)
        self.blockSignals(blocked)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(box, theme.RADIUS, theme.RADIUS)
        focused = self.hasFocus() or self.lineEdit().hasFocus()
        if focused or not self.isReadOnly():
            painter.setPen(QPen(colour("accent" if focused else "edge"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush if self.isReadOnly() else colour("field"))
            painter.drawPath(path)
        if self._axis:
            painter.setClipPath(path)
            painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), colour(self._axis))


class Search(QLineEdit):
    """A search field; ↓ leaves it for what it searches."""

    left_downwards = Signal()

    def __init__(self, placeholder: str) -> None:
        super().__init__()
        self.setPlaceholderText(tr(placeholder))
        self.setAccessibleName(tr(placeholder))
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(tr("Clear"))
        self._glass = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(button.accessibleName() or tr(placeholder))
        self.setFixedHeight(26)
        self.setFont(font())
        self.dress()

    def dress(self) -> None:
        """Take icon and frame from the theme."""
        self._glass.setIcon(theme.icon("magnifying-glass", "text3"))
        self.setStyleSheet(theme.field_sheet(2))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.left_downwards.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
