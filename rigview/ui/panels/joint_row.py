"""A row of the joint tree: what it shows, and how it is painted."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeWidgetItem

from rigview.core.text import count
from rigview.ui.widgets import theme
from rigview.ui.widgets.layout import folded
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import Badge

_Index = QModelIndex | QPersistentModelIndex
# How strongly rows are tinted that the selected finding is about.
_INVOLVED = 0.22
# Where a row begins at the latest, as a share of the width.
_DEEPEST = 0.55
# What a name and how far its bone is off need together: with less, only the tip says the latter.
_ROOM = 84.0
# What a lock takes at the right end of a row.
LOCK = 22.0
# By which an item knows its node.
NODE = Qt.ItemDataRole.UserRole
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class JointRow(NamedTuple):
    """What a row of the tree shows.

    Parameters
    ----------
    off
        How far the bone is off its axis, in degrees; None within the limit.
    dim
        Whether the node is no joint.
    involved
        Whether the selected finding is about it.
    colour
        The joint's own as ``#rrggbb``, while the shading shows it.
    locked
        Whether its weights are locked; None where the row shows no lock.
    """

    name: str
    dim: bool
    off: float | None = None
    badge: Badge | None = None
    involved: bool = False
    colour: str = ""
    locked: bool | None = None

    @property
    def words(self) -> str:
        """The row as a screen reader says it."""
        words = [self.name, tr("locked")] if self.locked else [self.name]
        if self.off is not None:
            words.append(tr("{off:.0f}° off its axis", off=self.off))
        if self.badge is not None:
            words += [tr(count(self.badge.findings, "finding")), tr(self.badge.severity)]
        return ", ".join(words)


class RowItem(QTreeWidgetItem):
    """An item of the tree: its tip and what a screen reader says of it are made when asked for."""

    def __init__(self, node: int, name: str, words: Callable[[int], str]) -> None:
        super().__init__([name])
        self._node, self._words = node, words

    def data(self, column: int, role: int) -> object:
        if role == NODE:
            return self._node
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._words(self._node)
        if role == Qt.ItemDataRole.ToolTipRole:
            return folded(self._words(self._node))
        return super().data(column, role)


class RowPainter(QStyledItemDelegate):
    """Paints a row: the name, and at the right how far the bone is off its axis and the badge."""

    def __init__(self, parent: QObject, row: Callable[[int], JointRow]) -> None:
        super().__init__(parent)
        self._row = row

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        return QSize(20, theme.ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        row = self._row(index.data(NODE))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(option.rect)
        # Rows of the deepest hierarchies would begin beyond the panel.
        area.setLeft(min(area.left(), _DEEPEST * area.right()))
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(area, colour("selection"))
        elif row.involved:
            painter.fillRect(area, colour("warning", _INVOLVED))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, colour("background3"))
        if state & QStyle.StateFlag.State_HasFocus:
            # Chosen rows look the same wherever the keys go: the ring says that they go here.
            painter.setPen(QPen(colour("accent"), 1.5))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
        left = area.right() - 6.0
        if row.locked is not None:
            left = self._lock(painter, area, selected=selected, locked=row.locked)
        if row.badge is not None:
            left = self._badge(painter, area, left, row.badge, selected=selected)
        if row.off is not None and left - area.left() >= _ROOM:
            left = self._deviation(painter, area, left, row.off, selected=selected)
        painter.setFont(font(theme.BODY, theme.MEDIUM if selected else QFont.Weight.Normal))
        dim = "text3" if row.dim else "text"
        painter.setPen(colour("selection_text" if selected else dim))
        start = area.left() + 2.0
        if row.colour:
            painter.fillRect(QRectF(start, area.center().y() - 5.0, 10.0, 10.0), QColor(row.colour))
            start += 16.0
        inner = QRectF(start, area.top(), left - start - 4.0, area.height())
        text = painter.fontMetrics().elidedText(row.name, option.textElideMode, int(inner.width()))
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter), text)

    def _lock(self, painter: QPainter, area: QRectF, *, selected: bool, locked: bool) -> float:
        """Paint the lock and return where it begins."""
        token = "warning" if locked else "text3"
        picture = theme.pixmap(
            "lock-fill" if locked else "lock-open",
            "selection_text" if selected else token,
            14,
            painter.device().devicePixelRatioF(),
        )
        painter.drawPixmap(QPointF(area.right() - LOCK + 4.0, area.center().y() - 7.0), picture)
        return area.right() - LOCK

    def _badge(
        self, painter: QPainter, area: QRectF, right: float, badge: Badge, *, selected: bool
    ) -> float:
        """Paint a badge and return where it begins."""
        icon, token = theme.SEVERITY_ICONS[badge.severity]
        token = "selection_text" if selected else token
        painter.setFont(font(theme.SMALL, theme.MEDIUM, numbers=True))
        painter.setPen(colour(token))
        text = str(badge.findings)
        painter.drawText(QRectF(right - 24.0, area.top(), 24.0, area.height()), _RIGHT, text)
        left = right - max(10, painter.fontMetrics().horizontalAdvance(text)) - 18.0
        ratio = painter.device().devicePixelRatioF()
        picture = theme.pixmap(icon, token, 13, ratio)
        painter.drawPixmap(QPointF(left, area.center().y() - 6.5), picture)
        return left

    def _deviation(
        self, painter: QPainter, area: QRectF, right: float, degrees: float, *, selected: bool
    ) -> float:
        """Paint the deviation in a column of its own and return where it begins."""
        right = min(right, area.right() - 34.0) - 6.0
        painter.setFont(font(theme.SMALL, numbers=True))
        painter.setPen(colour("selection_text2" if selected else "warning"))
        box = QRectF(right - 34.0, area.top(), 34.0, area.height())
        painter.drawText(box, _RIGHT, f"{degrees:.0f}°")
        return right - painter.fontMetrics().horizontalAdvance(f"{degrees:.0f}°")
