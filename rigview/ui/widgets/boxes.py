"""Labels, colours and boxes that panels are built of."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QHelpEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import font

# Between groups of digits, and between a number and its unit.
_WITHIN_NUMBER = re.compile(r"(?<=\d) (?=\d{3}\b|(?:mm|m|s|fps)\b|[%°])")


def label(
    text: str = "",
    token: str = "text",
    size: int = theme.BODY,
    weight: QFont.Weight = QFont.Weight.Normal,
    *,
    numbers: bool = False,
    wrap: bool = False,
) -> QLabel:
    """Return a text label in one of the theme's colours."""
    result = QLabel(unbroken(text) if wrap else text)
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setFont(font(size, weight, numbers=numbers))
    result.setWordWrap(wrap)
    tint(result, token)
    return result


def unbroken(text: str) -> str:
    """Return a text in which no line ends within a number, or between it and its unit."""
    return _WITHIN_NUMBER.sub("\u00a0", text)


def tint(widget: QWidget, token: str) -> None:
    """Give a widget's text a colour of the theme."""
    theme.give(widget, "text", token)


def fill(widget: QWidget, token: str) -> None:
    """Give a widget a background of the theme."""
    widget.setAutoFillBackground(True)
    theme.give(widget, "ground", token)


def row(
    *items: QWidget | int | None,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
    spacing: int = 6,
) -> QWidget:
    """Return widgets side by side; a number is a gap in pixels, None a gap that takes what is left."""
    return _box(QHBoxLayout(), items, margins, spacing)


def column(
    *items: QWidget | int | None,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
    spacing: int = 6,
) -> QWidget:
    """Return widgets below each other."""
    return _box(QVBoxLayout(), items, margins, spacing)


def _box(
    layout: QHBoxLayout | QVBoxLayout,
    items: Sequence[QWidget | int | None],
    margins: tuple[int, int, int, int],
    spacing: int,
) -> QWidget:
    widget = QWidget()
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        else:
            layout.addWidget(item)
    widget.setLayout(layout)
    return widget


def clear(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def line() -> QFrame:
    """Return a thin vertical divider."""
    result = QFrame()
    result.setFixedSize(1, 18)
    fill(result, "edge")
    return result


class Mark(QWidget):
    """An icon that stands for itself, in one of the theme's colours."""

    def __init__(self, icon: str = "", token: str = "text2", size: int = 16) -> None:
        super().__init__()
        self._icon, self._token = icon, token
        self.setFixedSize(size, size)

    def show_icon(self, icon: str, token: str) -> None:
        """Show another icon."""
        self._icon, self._token = icon, token
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._icon:
            ratio = self.devicePixelRatioF()
            picture = theme.pixmap(self._icon, self._token, self.width(), ratio)
            QPainter(self).drawPixmap(0, 0, picture)


class Elided(QLabel):
    """A label that shortens its text instead of pushing its neighbours: sentences at the end.

    Names, which differ in their ends, want `ElideMiddle`. What is shortened is shown whole by the tool
    tip, unless that says something else.
    """

    def __init__(
        self,
        token: str = "text2",
        size: int = theme.SMALL,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__()
        self._elide = elide
        self.setFont(font(size, numbers=True))
        tint(self, token)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(self.rect(), int(self.alignment()), self.shown)

    @property
    def shown(self) -> str:
        """The text as there is room for it."""
        return self.fontMetrics().elidedText(self.text(), self._elide, self.width())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            own = "" if self.shown == self.text() else self.text()
            QToolTip.showText(event.globalPos(), self.toolTip() or own, self)
            return True
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(20, super().minimumSizeHint().height())
