"""Labels, colours and boxes that panels are built of."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import font


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
    result = QLabel(text)
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setFont(font(size, weight, numbers=numbers))
    result.setWordWrap(wrap)
    tint(result, token)
    return result


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
    """A label that shortens its text in the middle instead of pushing its neighbours."""

    def __init__(self, token: str = "text2", size: int = theme.SMALL) -> None:
        super().__init__()
        self.setFont(font(size, numbers=True))
        tint(self, token)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        text = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideMiddle, self.width()
        )
        painter.drawText(self.rect(), int(self.alignment()), text)

    def minimumSizeHint(self) -> QSize:
        return QSize(20, super().minimumSizeHint().height())
