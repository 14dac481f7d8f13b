"""Small painted buttons and choices; their behaviour, keys and accessibility stay Qt's."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QComboBox, QPushButton, QSizePolicy, QToolTip, QWidget

from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.tips import plain
from rigview.ui.widgets.words import tr

# What presses a button or a tick, and opens a list: Space plays.
RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
# Pixels that a button keeps whose text may be cut short.
_SHORTEST = 60


class Button(QPushButton):
    """A flat button: "plain", "primary" (the one thing to do) or "ghost" (no face until hovered)."""

    def __init__(
        self, text: str = "", icon: str = "", kind: str = "plain", tip: str = "", height: int = 24
    ) -> None:
        super().__init__(tr(text))
        self._icon, self._kind = icon, kind
        self._is_cut = False
        self.setFont(font(theme.BODY, theme.MEDIUM))
        self.setFixedHeight(height)
        self.explain(tip)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def explain(self, tip: str) -> None:
        """Say what the button does, in its tool tip and to screen readers."""
        tip = tr(tip)
        self.setToolTip(plain(tip))
        self.setAccessibleName(tip or self.text())

    def set_icon(self, name: str) -> None:
        """Change the icon."""
        self._icon = name
        self.update()

    def set_kind(self, kind: str) -> None:
        """Make it "primary", "plain" or "ghost"."""
        self._kind = kind
        self.update()

    def sizeHint(self) -> QSize:
        text = self.fontMetrics().horizontalAdvance(self.text()) if self.text() else 0
        width = text + 22 + (18 if self._icon else 0) if text else self.height() + 2
        return QSize(width, self.height())

    def minimumSizeHint(self) -> QSize:
        least = self.sizeHint()
        return least.boundedTo(QSize(_SHORTEST, least.height())) if self._is_cut else least

    def shorten(self) -> None:
        """Let the text be cut short where there is no room for it."""
        self._is_cut = True
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take Return, as cards and rows do; whether Qt does depends on the desktop."""
        if event.key() in RETURN:
            self.click()
        else:
            super().keyPressEvent(event)

    def _colours(self) -> tuple[str | None, str]:
        """Return the tokens of face and text."""
        if not self.isEnabled():
            return (None if self._kind == "ghost" else "background2"), "off"
        if self.isChecked():
            return "selection", "selection_text"
        face, text = {
            "primary": ("accent", "on_accent"),
            "plain": ("background3", "text"),
            "ghost": (None, "text2"),
        }[self._kind]
        if self.underMouse() and self._kind != "primary":
            face = "background4"
        return face, text

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        face, text = self._colours()
        if face is not None:
            edge = QPen(colour("edge"), 1) if self._kind == "plain" else Qt.PenStyle.NoPen
            painter.setPen(edge)
            painter.setBrush(colour(face))
            painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        if self.hasFocus():
            # A ring in the colour of the face would not be seen.
            painter.setPen(QPen(colour("text" if self._kind == "primary" else "accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        left = box.left()
        if self._icon:
            picture = theme.pixmap(self._icon, text, 16, self.devicePixelRatioF())
            at = left + (10 if self.text() else (box.width() - 16) / 2)
            painter.drawPixmap(QPointF(at, box.center().y() - 8), picture)
            left = at + 18
        if self.text():
            painter.setPen(colour(text))
            painter.setFont(self.font())
            area = QRectF(left, 0, box.right() - left - (8 if self._icon else 0), self.height())
            text = self.text()
            if self._is_cut:
                most = int(area.width()) - 11
                text = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, most)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)


def toggle(icon: str, tip: str, *, checked: bool = False) -> Button:
    """Return an icon that switches something on and off."""
    result = Button("", icon, "ghost", tip, theme.BUTTON)
    result.setCheckable(True)
    result.setChecked(checked)
    result.setFixedWidth(28)
    return result


class SegmentedControl(QWidget):
    """One choice of a few, side by side; one tab stop, arrow keys move."""

    chosen = Signal(int)

    def __init__(
        self, items: Sequence[str], current: int = 0, name: str = "", margins: int = 18
    ) -> None:
        """Make them, each as wide as its words and these margins together."""
        super().__init__()
        self.items, self._current = list(map(tr, items)), current
        self.setFont(font(theme.BODY, theme.MEDIUM))
        self.setFixedHeight(24)
        advance = self.fontMetrics().horizontalAdvance
        self._widths = [advance(item) + margins for item in self.items]
        self.setFixedWidth(sum(self._widths) + 4)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr(name))
        self._tell()

    def _tell(self) -> None:
        """Tell screen readers which item is chosen."""
        place = tr("{number} of {all}", number=self._current + 1, all=len(self.items))
        self.setAccessibleDescription(f"{self.items[self._current]}, {place}")

    @property
    def current(self) -> int:
        """The number of the chosen item."""
        return self._current

    def select(self, number: int) -> None:
        """Show another choice without telling anyone."""
        if number != self._current:
            self._current = number
            self._tell()
            self.update()

    def choose(self, number: int) -> None:
        """Choose an item as a click does, and tell of it where it is another one."""
        number = min(max(number, 0), len(self.items) - 1)
        if number != self._current:
            self.select(number)
            self.chosen.emit(number)

    def item_rect(self, number: int) -> QRectF:
        """Return where an item is."""
        return QRectF(2 + sum(self._widths[:number]), 2, self._widths[number], self.height() - 4)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for number in range(len(self.items)):
            if self.item_rect(number).contains(event.position()):
                self.choose(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.choose(self._current + step)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(colour("accent" if self.hasFocus() else "edge"), 1))
        painter.setBrush(colour("field"))
        painter.drawRoundedRect(box, 5, 5)
        for number, item in enumerate(self.items):
            area = self.item_rect(number)
            if number == self._current:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour("background4" if self.isEnabled() else "background2"))
                painter.drawRoundedRect(area, 3.5, 3.5)
            token = "text" if number == self._current else "text2"
            painter.setPen(colour(token if self.isEnabled() else "off"))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, item)


# Pixels of a chooser's arrow.
_CARET = 18
# The list of a chooser is no wider: longer entries are shortened, and their tips say all.
_WIDEST_LIST = 480


class Chooser(QComboBox):
    """A drop-down list with our face; "flat" ones look like a heading that can be changed."""

    def __init__(
        self, items: Sequence[str] = (), name: str = "", *, flat: bool = False, most: int = 220
    ) -> None:
        super().__init__()
        self._flat, self._most = flat, most
        # Names differ in their ends.
        self.elide = Qt.TextElideMode.ElideMiddle
        self.addItems(list(map(tr, items)))
        self.setFixedHeight(24 if flat else theme.BUTTON)
        self.setFont(font(theme.BODY, theme.SEMIBOLD if flat else QFont.Weight.Normal))
        self.setAccessibleName(tr(name))
        self.setToolTip(tr(name))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.currentIndexChanged.connect(self.updateGeometry)
        self.view().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view().window().setMaximumWidth(_WIDEST_LIST)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in RETURN:
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def showPopup(self) -> None:
        for number in range(self.count()):
            text = self.itemText(number)
            long = self.fontMetrics().horizontalAdvance(text) > _WIDEST_LIST - 30
            self.setItemData(number, plain(text) if long else None, Qt.ItemDataRole.ToolTipRole)
        super().showPopup()

    def sizeHint(self) -> QSize:
        text = self.fontMetrics().horizontalAdvance(self.currentText())
        width = min(text + (26 if self._flat else 36), self._most)
        return QSize(width, self.height())

    minimumSizeHint = sizeHint

    @property
    def _margin(self) -> int:
        return 5 if self._flat else 8

    @property
    def shown(self) -> str:
        """The entry that is chosen, as there is room for it."""
        room = self.width() - 1 - self._margin - _CARET
        return self.fontMetrics().elidedText(self.currentText(), self.elide, room)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self.shown != self.currentText():
            tip = plain(f"{self.toolTip()}: {self.currentText()}")
            QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), tip, self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        hovered = self.underMouse() and self.isEnabled()
        if not self._flat or hovered:
            face = "background4" if hovered else "background3"
            painter.setPen(Qt.PenStyle.NoPen if self._flat else QPen(colour("edge"), 1))
            painter.setBrush(colour(face if self.isEnabled() else "background2"))
            painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        if self.hasFocus():
            painter.setPen(QPen(colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        painter.setPen(colour("text" if self.isEnabled() else "off"))
        area = box.adjusted(self._margin, 0, -_CARET, 0)
        start = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        painter.drawText(area, start, self.shown)
        caret = theme.pixmap("caret-down", "text3", 11, self.devicePixelRatioF())
        painter.drawPixmap(QPointF(box.right() - 17, box.center().y() - 5), caret)


class Tick(QCheckBox):
    """A check box whose empty box can be seen on dark panels."""

    def __init__(self, text: str, *, checked: bool = False) -> None:
        super().__init__(tr(text))
        self.setFont(font())
        self.setChecked(checked)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 26, theme.ROW)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in RETURN:
            self.click()
        else:
            super().keyPressEvent(event)

    def hitButton(self, _position: object) -> bool:
        return True

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(0.5, (self.height() - 14) / 2, 14, 14)
        on = self.isChecked()
        accent = "accent" if self.isEnabled() else "off"
        painter.setPen(QPen(colour(accent if on else "text3"), 1))
        painter.setBrush(colour(accent if on else "field"))
        painter.drawRoundedRect(box, 3, 3)
        if on:
            pen = QPen(colour("on_accent"), 1.8)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            left, top = box.left(), box.top()
            painter.drawPolyline(
                [
                    QPointF(left + 3.2, top + 7.3),
                    QPointF(left + 6.0, top + 10.0),
                    QPointF(left + 11.0, top + 4.3),
                ]
            )
        painter.setPen(colour("text" if self.isEnabled() else "off"))
        area = QRectF(self.rect()).adjusted(22, 0, 0, 0)
        middle = Qt.TextElideMode.ElideMiddle
        text = self.fontMetrics().elidedText(self.text(), middle, int(area.width()))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), text)
        if self.hasFocus():
            painter.setPen(QPen(colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            wide = self.fontMetrics().horizontalAdvance(text) + 8
            ring = QRectF(18, 1, min(wide, area.width() + 3), self.height() - 2)
            painter.drawRoundedRect(ring, theme.RADIUS, theme.RADIUS)
