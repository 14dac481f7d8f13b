"""Labels, colours and boxes that panels are built of."""

import re
import textwrap
from collections.abc import Sequence
from typing import TypeVar
from unicodedata import bidirectional

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
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
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.tips import plain
from rigview.ui.widgets.words import tr

_REASON = Qt.FocusReason
# Why the focus comes: keys lead to a widget, or it comes back from a menu or another window.
_BY_KEYS = {_REASON.TabFocusReason, _REASON.BacktabFocusReason, _REASON.ShortcutFocusReason}
_BACK = {
    _REASON.ActiveWindowFocusReason,
    _REASON.PopupFocusReason,
    _REASON.MenuBarFocusReason,
}
# Between groups of digits, and between a number and its unit.
_WITHIN_NUMBER = re.compile(r"(?<=\d) (?=\d{3}\b|(?:mm|m|s|fps)\b|[%°])")
# Names that are wider than the narrowest panel, and where their parts begin.
_LONG = re.compile(r"\S{25,}")
_PART = re.compile(r"(?<=[_.:|/\\-])(?=\w)|(?<=[a-z])(?=[A-Z])")
# As much of a name as a line must end in at the latest, where it has no parts.
_STIFF = re.compile(r"[^\s\u200b]{25}(?=[^\s\u200b])")
# Letters of these kinds decide which way a text is read.
_STRONG = {"L", "R", "AL"}
# Letters of a line of a tool tip.
_TIP_WIDTH = 90

Margins = tuple[int, int, int, int]
_NO_MARGINS = (0, 0, 0, 0)
# What is laid out: a widget or a layout, a gap in pixels, or None for a gap that takes what is left; a pair
# says by how large a share something takes of that.
Content = QWidget | QLayout | int | None
Item = Content | tuple[Content, int]
_Widget = TypeVar("_Widget", bound=QWidget)


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
    text = tr(text)
    result = QLabel(unbroken(text) if wrap else text)
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setFont(font(size, weight, numbers=numbers))
    result.setWordWrap(wrap)
    tint(result, token)
    return result


def unbroken(text: str) -> str:
    """Return a text in which no line ends within a number, or between it and its unit.

    In long names one can: between their parts, and within parts that are long themselves. It is read from
    left to right, whatever name it begins with.
    """
    parted = _LONG.sub(lambda name: _PART.sub("\u200b", name[0]), text)
    parted = _STIFF.sub("\\g<0>\u200b", parted)
    result = _WITHIN_NUMBER.sub("\u00a0", parted)
    directions = (bidirectional(letter) for letter in text)
    return (
        f"\u200e{result}" if next((d for d in directions if d in _STRONG), "L") != "L" else result
    )


def folded(text: str) -> str:
    """Return a text for a tool tip in lines that fit on a screen: Qt folds none."""
    if len(text) > _TIP_WIDTH:
        text = "\n".join(textwrap.fill(line, _TIP_WIDTH) for line in text.splitlines())
    return plain(text)


def tint(widget: QWidget, token: str) -> None:
    """Give a widget's text a colour of the theme."""
    theme.give(widget, "text", token)


def fill(widget: QWidget, token: str) -> None:
    """Give a widget a background of the theme."""
    widget.setAutoFillBackground(True)
    theme.give(widget, "ground", token)


def row(*items: Item, margins: Margins = _NO_MARGINS, spacing: int = 6) -> QWidget:
    """Return a widget in which others stand side by side."""
    return across(QWidget(), *items, margins=margins, spacing=spacing)


def column(*items: Item, margins: Margins = _NO_MARGINS, spacing: int = 6) -> QWidget:
    """Return a widget in which others stand below each other."""
    return down(QWidget(), *items, margins=margins, spacing=spacing)


def across(
    parent: _Widget, *items: Item, margins: Margins = _NO_MARGINS, spacing: int = 0
) -> _Widget:
    """Lay items out side by side in a widget, and return it."""
    return _lay_out(parent, QHBoxLayout(parent), items, margins, spacing)


def down(
    parent: _Widget, *items: Item, margins: Margins = _NO_MARGINS, spacing: int = 0
) -> _Widget:
    """Lay items out below each other in a widget, and return it."""
    return _lay_out(parent, QVBoxLayout(parent), items, margins, spacing)


def _lay_out(
    parent: _Widget,
    layout: QHBoxLayout | QVBoxLayout,
    items: Sequence[Item],
    margins: Margins,
    spacing: int,
) -> _Widget:
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    for item in items:
        content, share = item if isinstance(item, tuple) else (item, 0)
        if content is None:
            layout.addStretch(share or 1)
        elif isinstance(content, int):
            layout.addSpacing(content)
        elif isinstance(content, QLayout):
            layout.addLayout(content, share)
        else:
            layout.addWidget(content, share)
    return parent


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
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(self.rect(), int(self.alignment()), self.shown)

    @property
    def shown(self) -> str:
        """The text as there is room for it."""
        return self.fontMetrics().elidedText(self.text(), self._elide, self.width())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            own = "" if self.shown == self.text() else self.text()
            QToolTip.showText(event.globalPos(), folded(self.toolTip() or own), self)
            return True
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(20, super().minimumSizeHint().height())


class FocusRing(QObject):
    """Marks a widget that keys have led to, along its edges; who comes with the mouse knows where he is."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget, self._by_keys = widget, False
        self._painted = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what gives the widget the focus."""
        if isinstance(event, QFocusEvent):
            if event.gotFocus() and event.reason() not in _BACK:
                self._by_keys = event.reason() in _BY_KEYS
            self._painted.update()
        elif isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self._by_keys = False
        return super().eventFilter(watched, event)

    def draw(self, painter: QPainter) -> None:
        """Draw the ring, where there is one, over everything else in the widget."""
        if self._by_keys and self._widget.hasFocus():
            painter.setPen(QPen(colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self._painted.rect()).adjusted(1, 1, -1, -1))
