"""The command palette: a field over the panes that finds whatever has a name, and does it."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from rigview.ui.keys.shortcuts import Shortcuts, shown
from rigview.ui.palette.search import GROUPS, MOST, Entry, places_of, search
from rigview.ui.widgets import theme
from rigview.ui.widgets.fields import Search
from rigview.ui.widgets.layout import Elided, down, label, row
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr

_WIDTH, _HEAD, _ROW, _MOST_ROWS, _SIDE = 560, 42, 30, 9, 16
_ENTRY = Qt.ItemDataRole.UserRole
_HELP = "@ joint   # frame   ! finding   > action   ↵ do   Ctrl+↵ set a key"
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class CommandPalette(QFrame):
    """Stands over its window until something is done or the focus goes elsewhere.

    `keys_asked` carries the action whose keys are to be set.

    Parameters
    ----------
    found
        Text of the field → all that can be found now.
    """

    keys_asked = Signal(str)

    def __init__(
        self,
        parent: QWidget,
        found: Callable[[str], Iterable[Entry]],
        shortcuts: Shortcuts,
        text: str = "",
    ) -> None:
        super().__init__(parent)
        self._window, self._found, self._text = parent, found, ""
        self._entries: list[Entry] = []
        self._before = parent.focusWidget()
        self.setAccessibleName(tr("Command palette"))
        self.field = Search("Find an action, joint, clip, pose, finding or file")
        self.count = label("", "text3", theme.SMALL, numbers=True)
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(tr("Found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(_RowPainter(self.list, shortcuts, lambda: self._text))
        self.list.itemClicked.connect(self._do)
        self.list.currentItemChanged.connect(lambda *_: self._describe())
        self.foot = Elided("text3")
        head = row((self.field, 1), self.count, margins=(10, 0, 12, 0), spacing=8)
        head.setFixedHeight(_HEAD)
        foot = row((self.foot, 1), margins=(12, 0, 12, 0))
        foot.setFixedHeight(_ROW)
        down(self, head, (self.list, 1), foot, margins=(1, 1, 1, 1))
        self.setAutoFillBackground(True)
        theme.give(self, "ground", "background1")
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)
        parent.installEventFilter(self)
        self.field.setText(text)
        self._search(text)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    # --- what is found ------------------------------------------------------------------------

    def _search(self, text: str) -> None:
        self._text = text.lstrip("@#!>").strip()
        everything = list(self._found(text))
        self._entries = search(text, everything)
        self.list.clear()
        shown_entries, above = self._entries[:MOST], ""
        first: QListWidgetItem | None = None
        for entry in shown_entries:
            if entry.group != above:
                above = entry.group
                heading = QListWidgetItem(tr(GROUPS[above]))
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
                self.list.addItem(heading)
            item = QListWidgetItem()
            item.setData(_ENTRY, entry)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, _words(entry))
            item.setToolTip(tr(entry.why_not))
            self.list.addItem(item)
            if first is None:
                first = item
        self.count.setText(tr("{number} of {all}", number=len(self._entries), all=len(everything)))
        if first is not None:
            self.list.setCurrentItem(first)
        self._describe()
        self._place()

    @property
    def current(self) -> Entry | None:
        """The entry that Return does."""
        entry = self.list.currentIndex().data(_ENTRY)
        return entry if isinstance(entry, Entry) else None

    def _describe(self) -> None:
        """Say below the list what the chosen row is about, or that there is none."""
        entry = self.current
        if entry is None:
            nothing = tr("Nothing is called “{text}”.", text=self._text)
            self.foot.setText(nothing if self._text else tr(_HELP))
        else:
            self.foot.setText(tr(entry.why_not or _HELP))
        self.field.setAccessibleDescription("" if entry is None else _words(entry))

    # --- keys and mouse -----------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Choose rows from the field, and go when the focus does."""
        if watched is self._window and isinstance(event, QResizeEvent):
            self._place()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._press(event)
        elif watched is self.field and event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.leave(back=False)
        return super().eventFilter(watched, event)

    def _press(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: _MOST_ROWS - 1,
            Qt.Key.Key_PageUp: 1 - _MOST_ROWS,
        }
        if key in steps:
            self._step(steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            entry = self.current
            if entry is not None and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                if entry.action:
                    self.leave()
                    self.keys_asked.emit(entry.action)
            elif entry is not None:
                self._do()
        elif key == Qt.Key.Key_Escape:
            self.leave()
        else:
            return False
        return True

    def _step(self, by: int) -> None:
        rows = [i for i in range(self.list.count()) if self.list.item(i).data(_ENTRY) is not None]
        if rows:
            now = self.list.currentRow()
            at = rows.index(now) if now in rows else 0
            self.list.setCurrentRow(rows[min(max(at + by, 0), len(rows) - 1)])

    def _do(self, _item: QListWidgetItem | None = None) -> None:
        """Do what is chosen, with the focus where it was."""
        entry = self.current
        if entry is not None:
            self.leave()
            entry.do()

    def leave(self, *, back: bool = True) -> None:
        """Take the palette away, and give the focus back."""
        self.hide()
        self._window.removeEventFilter(self)
        if back and self._before is not None:
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.deleteLater()

    # --- look ---------------------------------------------------------------------------------

    def _place(self) -> None:
        """Stand at a quarter of the window's height, as high as what was found."""
        window = self._window
        width = min(_WIDTH, window.width() - 2 * _SIDE)
        rows = min(max(self.list.count(), 1), _MOST_ROWS + 1)
        height = _HEAD + rows * _ROW + _ROW + 2
        self.setGeometry((window.width() - width) // 2, window.height() // 8, width, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(QPen(colour("edge"), 1))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))


def _words(entry: Entry) -> str:
    """Return an entry as a screen reader says it."""
    return ", ".join(filter(None, (entry.text, entry.place, tr(entry.why_not))))


class _RowPainter(QStyledItemDelegate):
    """Draws icon, name with the letters that match, place and keys."""

    def __init__(self, parent: QWidget, shortcuts: Shortcuts, text: Callable[[], str]) -> None:
        super().__init__(parent)
        self._shortcuts, self._text = shortcuts, text

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(0, _ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw a row."""
        # PySide's stubs know no fields of style options.
        area, state = QRectF(option.rect), option.state
        entry = index.data(_ENTRY)
        painter.save()
        if not isinstance(entry, Entry):
            painter.setFont(font(theme.SMALL))
            painter.setPen(colour("text3"))
            painter.drawText(area.adjusted(12, 6, -12, 0), _LEFT, str(index.data()))
        else:
            chosen = bool(state & QStyle.StateFlag.State_Selected)
            if chosen:
                painter.fillRect(area, colour("selection"))
            self._draw(painter, area, entry, chosen=chosen)
        painter.restore()

    def _draw(self, painter: QPainter, area: QRectF, entry: Entry, *, chosen: bool) -> None:
        name, token = entry.icon
        plain = "off" if entry.why_not else "selection_text" if chosen else "text"
        if entry.why_not and chosen:
            plain = "selection_text2"
        if token == "text2" and chosen:
            token = "selection_text2"
        ratio = painter.device().devicePixelRatioF()
        picture = theme.pixmap(name, token, 16, ratio)
        painter.drawPixmap(round(area.left() + 12), round(area.center().y() - 7), picture)
        right = self._draw_keys(painter, area, entry, chosen=chosen)
        at = area.left() + 40
        for part, is_match in _parts(entry.text, places_of(self._text(), entry.text) or ()):
            painter.setFont(font(theme.BODY, theme.SEMIBOLD if is_match else theme.MEDIUM))
            matched = "selection_text" if chosen else "accent"
            painter.setPen(colour(matched if is_match and not entry.why_not else plain))
            width = painter.fontMetrics().horizontalAdvance(part)
            line = QRectF(at, area.top(), min(width, max(right - at, 0)), area.height())
            painter.drawText(line, _LEFT, part)
            if is_match and chosen:
                below = line.center().y() + 8
                painter.drawLine(round(at), round(below), round(at + width), round(below))
            at += width
        painter.setFont(font(theme.SMALL))
        painter.setPen(colour("selection_text2" if chosen else "text3"))
        place = tr(entry.why_not) or entry.place
        line = QRectF(at + 10, area.top(), max(right - at - 16, 0), area.height())
        words = painter.fontMetrics().elidedText(
            place, Qt.TextElideMode.ElideRight, int(line.width())
        )
        painter.drawText(line, _LEFT, words)

    def _draw_keys(self, painter: QPainter, area: QRectF, entry: Entry, *, chosen: bool) -> float:
        """Draw the first key at the right, and return where it begins."""
        keys = self._shortcuts.keys(entry.action) if entry.action else ()
        right = area.right() - 12
        if not keys:
            return right
        painter.setFont(font(theme.SMALL, numbers=True))
        words = shown(keys[0])
        width = painter.fontMetrics().horizontalAdvance(words) + 10
        box = QRectF(right - width, area.center().y() - 9, width, 18)
        painter.setPen(colour("selection_text2" if chosen else "edge"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.setPen(colour("selection_text2" if chosen else "text2"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), words)
        return box.left() - 8


def _parts(text: str, places: tuple[tuple[int, int], ...]) -> list[tuple[str, bool]]:
    """Return a text cut into what matches and what does not."""
    parts, at = [], 0
    for start, end in places:
        if start >= at:
            parts += [(text[at:start], False), (text[start:end], True)]
            at = end
    return [part for part in [*parts, (text[at:], False)] if part[0]]
