"""The tabs of the open rigs, below the bar: severity, name, a dot for what is unsaved."""

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QTabBar, QWidget

from rigview.ui.tabs.open_rigs import OpenRigs
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.layout import across, fill, label
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.tips import plain
from rigview.ui.widgets.words import tr

_HEIGHT, _WIDEST, _NARROWEST = 32, 200, 96
_MARK, _DOT, _CLOSE = 16, 6, 20


class _Tabs(QTabBar):
    """Tabs that can be dragged, and closed by their cross or the middle button."""

    close_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setMovable(True)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setAccessibleName(tr("Open rigs"))
        self.setFont(font())
        self.marks: list[tuple[str, bool]] = []

    def tabSizeHint(self, _index: int) -> QSize:  # noqa: N802 - Qt's name
        strip = self.parent()
        room = strip.width() - 120 if isinstance(strip, QWidget) else 800
        width = min(max(room // max(self.count(), 1), _NARROWEST), _WIDEST)
        return QSize(width, _HEIGHT)

    def minimumTabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        return self.tabSizeHint(index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and at >= 0:
            self.close_asked.emit(at)
        super().mouseReleaseEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number in range(self.count()):
            self._paint_tab(painter, number, self.tabRect(number))

    def _paint_tab(self, painter: QPainter, number: int, box: QRect) -> None:
        current = number == self.currentIndex()
        painter.fillRect(box, colour("background2" if current else "background1"))
        if current:
            painter.fillRect(QRect(box.left(), box.top(), box.width(), 2), colour("accent"))
        severity, unsaved = self.marks[number] if number < len(self.marks) else ("", False)
        left = box.left() + 10.0
        if severity:
            icon, token = theme.SEVERITY_ICONS[severity]
            picture = theme.pixmap(icon, token, 14, self.devicePixelRatioF())
            painter.drawPixmap(QPointF(left, box.center().y() - 7), picture)
            left += _MARK + 4
        right = box.right() - _CLOSE - 12.0
        if unsaved:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("text2"))
            middle = QPointF(right - _DOT, box.center().y() + 0.5)
            painter.drawEllipse(middle, _DOT / 2, _DOT / 2)
            right -= 2 * _DOT + 2
        painter.setPen(colour("text" if current else "text2"))
        painter.setFont(font(theme.BODY, theme.SEMIBOLD if current else theme.MEDIUM))
        area = QRectF(left, box.top(), right - left, box.height())
        name = painter.fontMetrics().elidedText(
            self.tabText(number), Qt.TextElideMode.ElideMiddle, int(area.width())
        )
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), name)
        if self.hasFocus() and current:
            painter.setPen(QPen(colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(box).adjusted(1, 1, -1, -1))


class TabStrip(QWidget):
    """The strip of tabs; there with two or more rigs only.

    `close_asked` carries the number of a tab, `open_asked` wants another file in a tab of its own.
    """

    close_asked = Signal(int)
    open_asked = Signal()

    def __init__(self, rigs: OpenRigs) -> None:
        super().__init__()
        self._rigs = rigs
        fill(self, "background1")
        self.setFixedHeight(_HEIGHT)
        self.tabs = _Tabs()
        self.tabs.currentChanged.connect(self._chosen)
        self.tabs.tabMoved.connect(self._moved)
        self.tabs.close_asked.connect(self.close_asked)
        more = Button("", "plus", "ghost", "Open a rig in a new tab", theme.BUTTON)
        more.clicked.connect(self.open_asked)
        self.session = label("", "text2", theme.SMALL)
        across(self, self.tabs, more, None, self.session, margins=(8, 0, 12, 0), spacing=4)
        rigs.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the rigs that are open."""
        rigs, tabs = self._rigs, self.tabs
        blocked = tabs.blockSignals(True)
        while tabs.count() > len(rigs.rigs):
            tabs.removeTab(tabs.count() - 1)
        while tabs.count() < len(rigs.rigs):
            self._add_tab()
        tabs.marks = []
        for number, rig in enumerate(rigs.rigs):
            unsaved = rigs.is_changed(number)
            tabs.marks.append((rig.severity, unsaved))
            path = rigs.path(number)
            name = path.name if path is not None else ""
            if tabs.tabText(number) != name:
                tabs.setTabText(number, name)
                tabs.setTabToolTip(number, plain(str(path or name)))
            tabs.setAccessibleTabName(
                number, tr("{name}, not saved", name=name) if unsaved else name
            )
        if rigs.current >= 0:
            tabs.setCurrentIndex(rigs.current)
        tabs.blockSignals(blocked)
        tabs.update()
        self.setVisible(len(rigs.rigs) > 1)

    def _add_tab(self) -> None:
        number = self.tabs.addTab("")
        close = Button("", "x", "ghost", "Close this rig", _CLOSE)
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(lambda: self._close(close))
        self.tabs.setTabButton(number, QTabBar.ButtonPosition.RightSide, close)

    def _close(self, button: QWidget) -> None:
        side = QTabBar.ButtonPosition.RightSide
        for number in range(self.tabs.count()):
            if self.tabs.tabButton(number, side) is button:
                self.close_asked.emit(number)
                return

    def _chosen(self, number: int) -> None:
        self._rigs.show(number)

    def _moved(self, number: int, to: int) -> None:
        self._rigs.move(number, to)
