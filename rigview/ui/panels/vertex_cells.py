"""How the table of vertices is painted and typed into: cells in the ramp's colours, locks in the header."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QBrush, QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from rigview.assets import colour_map
from rigview.ui.panels.vertex_model import FINE, WEIGHT, VertexModel
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr

_Index = QModelIndex | QPersistentModelIndex
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
# Text over the ramp is white below this share of it and black above: 4.5 and more either way.
_LIGHT_FROM = 0.43
# The lock at the end of a joint's header.
LOCK = 22
# Keys that write, which the window has as shortcuts elsewhere.
_WRITING = set("0123456789.,+-*/−")


class CellPainter(QStyledItemDelegate):
    """Paints a weight in its colour, and takes what is typed.

    `written` carries the column and the text.

    Parameters
    ----------
    locked
        Tells whether a column's joint is locked.
    refusal
        Tells why nothing can be set in a column; empty where it can.
    """

    written = Signal(int, str)

    def __init__(
        self, parent: QWidget, locked: Callable[[int], bool], refusal: Callable[[int], str]
    ) -> None:
        super().__init__(parent)
        self._locked, self._refusal = locked, refusal
        self._ramp = [QColor(c) for c in colour_map("viridis")]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one cell."""
        area = QRectF(option.rect).adjusted(0, 0, -1, -1)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        weight, locked = index.data(WEIGHT), self._locked(index.column())
        painter.save()
        token = "selection_text" if chosen else "text"
        if chosen:
            painter.fillRect(area, colour("selection"))
        if weight:
            ground = self._ramp[min(int(weight * 255), 255)]
            painter.fillRect(area.adjusted(2, 2, -2, -2) if chosen else area, ground)
        if locked:
            hatched = QBrush(colour("text3", 0.3), Qt.BrushStyle.BDiagPattern)
            painter.fillRect(area, hatched)
        if weight:
            painter.setPen(QColor("white" if weight < _LIGHT_FROM else "black"))
        elif not index.data(FINE):
            painter.setPen(colour("selection_text" if chosen else "warning"))
        else:
            painter.setPen(colour(token if weight is None else "text3"))
        painter.setFont(font(theme.SMALL, theme.MEDIUM, numbers=True))
        side = _RIGHT if index.data(Qt.ItemDataRole.TextAlignmentRole) else _LEFT
        painter.drawText(area.adjusted(8, 0, -8, 0), side, str(index.data()))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour("accent"), 1.5))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
        painter.restore()

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, index: _Index
    ) -> QWidget:
        """Return the field that is typed into; amber, with the reason, where nothing can be set."""
        field = QLineEdit(parent)
        field.setFrame(False)
        field.setFont(font(theme.SMALL, theme.MEDIUM, numbers=True))
        field.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        reason = self._refusal(index.column())
        edge = theme.hex_of("warning" if reason else "accent")
        field.setStyleSheet(
            f"QLineEdit {{ background: {theme.hex_of('field')}; color: "
            f"{theme.hex_of('warning' if reason else 'text')}; border: 2px solid {edge}; }}"
        )
        field.setToolTip(reason)
        return field

    def setModelData(self, editor: QWidget, _model: object, index: _Index) -> None:
        """Hand over what was typed; what only was looked at is left alone."""
        if isinstance(editor, QLineEdit) and editor.isModified():
            self.written.emit(index.column(), editor.text())


class LockHeader(QHeaderView):
    """Names of joints with a lock each.

    `lock_asked` carries a column and whether all others are meant; `sort_asked` a column.
    """

    lock_asked = Signal(int, bool)
    sort_asked = Signal(int)

    def __init__(
        self, model: VertexModel, locked: Callable[[int], bool], painted: Callable[[], int | None]
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._of, self._locked, self._painted = model, locked, painted
        self.sorted: tuple[int, bool] | None = None
        self.setSectionsClickable(True)
        self.setFixedHeight(26)
        self.setMinimumSectionSize(40)
        self.setAccessibleName(tr("Joints of the chosen vertices"))

    def lock_rect(self, column: int) -> QRectF:
        """Return where a column's lock is, in the viewport."""
        right = self.sectionViewportPosition(column) + self.sectionSize(column)
        return QRectF(right - LOCK, 0, LOCK, self.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        column = self.logicalIndexAt(place.toPoint())
        if event.button() == Qt.MouseButton.LeftButton and column >= 0:
            if self._of.node(column) is not None and self.lock_rect(column).contains(place):
                others = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
                self.lock_asked.emit(column, others)
            elif self.cursor().shape() != Qt.CursorShape.SplitHCursor:
                self.sort_asked.emit(column)
        super().mouseReleaseEvent(event)

    def paintSection(self, painter: QPainter, rect: Any, column: int) -> None:  # noqa: ANN401
        """Paint one column's name and lock."""
        area, node = QRectF(rect), self._of.node(column)
        painter.save()
        painter.fillRect(area, colour("background2"))
        painter.fillRect(QRectF(area.right(), area.top(), 1, area.height()), colour("edge"))
        mine = node is not None and node == self._painted()
        painter.setFont(font(theme.SMALL, theme.SEMIBOLD if mine else theme.MEDIUM))
        painter.setPen(colour("text" if node is not None else "text2"))
        room = area.adjusted(8, 0, -(LOCK if node is not None else 8), 0)
        name = str(self._of.headerData(column, Qt.Orientation.Horizontal))
        if self.sorted is not None and self.sorted[0] == column:
            name += " ↑" if self.sorted[1] else " ↓"
        text = painter.fontMetrics().elidedText(
            name, Qt.TextElideMode.ElideMiddle, int(room.width())
        )
        side = _LEFT if node is not None or column == 0 else _RIGHT
        painter.drawText(room, side, text)
        if mine:
            painter.fillRect(area.adjusted(0, area.height() - 2, 0, 0), colour("accent"))
        if node is not None:
            locked = self._locked(column)
            picture = theme.pixmap(
                "lock-fill" if locked else "lock-open",
                "warning" if locked else "text3",
                14,
                self.devicePixelRatioF(),
            )
            at = QPointF(area.right() - LOCK + 4, area.center().y() - 7)
            painter.drawPixmap(at, picture)
        painter.restore()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 26)


class CellView(QTableView):
    """The table: keys that write are its own, also where the window has them as shortcuts."""

    copied = Signal()
    pasted = Signal()

    def event(self, event: QEvent) -> bool:
        asks = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if asks and isinstance(event, QKeyEvent) and self._is_own(event):
            event.accept()
            return True
        return super().event(event)

    def _is_own(self, event: QKeyEvent) -> bool:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = held == Qt.KeyboardModifier.ControlModifier
        if control:
            return event.key() in (Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_A)
        keys = (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_F2)
        return event.text() in _WRITING or event.key() in keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if control and event.key() == Qt.Key.Key_C:
            self.copied.emit()
        elif control and event.key() == Qt.Key.Key_V:
            self.pasted.emit()
        elif (
            event.text()
            and event.text() not in _WRITING
            and not control
            and event.text().isprintable()
        ):
            # Any other letter is a shortcut of the window or nothing.
            event.ignore()
        else:
            super().keyPressEvent(event)
