"""The Notes dock: the notes on the file in a list, and where one is written."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from rigview.core.review_notes import STROKE_KINDS, ReviewNote, StrokeKind, place_in_words
from rigview.core.skinning import ASKED
from rigview.core.text import one_line
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import RETURN, Button, toggle
from rigview.ui.widgets.layout import clear, column, down, fill, folded, label, row
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr
from rigview.ui.workers.noting import Noter

TOOLS: dict[StrokeKind, tuple[str, str]] = {
    "arrow": ("arrow-up-right", "Arrow"),
    "line": ("line-segment", "Line"),
    "box": ("rectangle", "Box"),
    "pen": ("pencil-simple", "Free hand"),
    "text": ("text-t", "Text"),
}
_CTRL = Qt.KeyboardModifier.ControlModifier
_ROW_HEIGHT = 44


class NoteRow(QWidget):
    """One note: number, author and place, and its words; a click goes there."""

    def __init__(self, number: int, note: ReviewNote, noter: Noter) -> None:
        super().__init__()
        self.number, self.note, self._noter = number, note, noter
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedHeight(_ROW_HEIGHT)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        words = one_line(" ".join(note.words.split())) or _drawn(note)
        place = one_line(place_in_words(note))
        self.words, self.place = words, place
        self.setAccessibleName(
            tr(
                "Note {number}, {author}, {place}: {words}",
                number=number,
                author=note.author,
                place=place,
                words=words,
            )
        )
        self.setToolTip(folded(f"{place}\n{words}"))

    def sizeHint(self) -> QSize:
        return QSize(200, _ROW_HEIGHT)

    @property
    def is_chosen(self) -> bool:
        """Whether it is the note that is written on."""
        chosen = self._noter.chosen
        return chosen is not None and chosen.id == self.note.id

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        self._noter.go_to(self.note)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in RETURN:
            self._noter.go_to(self.note)
        elif event.key() == Qt.Key.Key_Delete:
            self._noter.delete(self.note)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box, chosen = self.rect(), self.is_chosen
        if chosen:
            painter.fillRect(box, colour("selection"))
        if self.hasFocus():
            painter.setPen(colour("accent"))
            painter.drawRect(box.adjusted(0, 0, -1, -1))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("accent"))
        painter.drawEllipse(10, 5, 18, 18)
        painter.setPen(colour("on_accent"))
        painter.setFont(font(theme.SMALL, theme.SEMIBOLD, numbers=True))
        painter.drawText(10, 5, 18, 18, Qt.AlignmentFlag.AlignCenter, str(self.number))
        first, second = ("selection_text", "selection_text2") if chosen else ("text", "text2")
        painter.setPen(colour(first))
        painter.setFont(font(theme.BODY, theme.SEMIBOLD))
        self._line(painter, 3, one_line(self.note.author) or tr("Note"), self._short_place())
        painter.setFont(font(theme.BODY))
        painter.setPen(colour(second))
        self._line(painter, 22, self.words, "")

    def _short_place(self) -> str:
        note = self.note
        clip = "Rest pose" if note.clip is None else one_line(note.clip)
        frame = "" if note.frame is None else f" {note.frame:g}"
        method = f" · {ASKED[note.method].label}" if note.method in ASKED else ""
        return f"{clip}{frame}{method}"

    def _line(self, painter: QPainter, top: int, left: str, right: str) -> None:
        """Write a line: what is at its right is read last and cut first."""
        metrics, room = painter.fontMetrics(), self.width() - 36 - 10
        elide = Qt.TextElideMode.ElideRight
        wide = min(metrics.horizontalAdvance(left), room if not right else room // 2)
        painter.drawText(36, top, room, 20, 0, metrics.elidedText(left, elide, wide + 1))
        if right:
            painter.setFont(font(theme.SMALL))
            shown = painter.fontMetrics().elidedText(right, elide, room - wide - 8)
            painter.drawText(36, top + 1, room, 20, Qt.AlignmentFlag.AlignRight, shown)


class NotesPanel(QWidget):
    """All notes, and below them tools to draw with and a field to write in."""

    def __init__(self, noter: Noter, stage: Stage, state: State) -> None:
        super().__init__()
        self._noter, self._stage, self._state = noter, stage, state
        self.rows: list[NoteRow] = []
        content = QWidget()
        self._list = QVBoxLayout(content)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(0)
        self._scroll = QScrollArea()
        self._scroll.setWidget(content)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tools = {
            kind: toggle(icon, tr("{tool} over the picture", tool=tr(words)))
            for kind, (icon, words) in TOOLS.items()
        }
        for kind, button in self.tools.items():
            button.clicked.connect(lambda on, kind=kind: self._take_tool(kind if on else None))
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(tr("Words of the note"))
        self.field.setFixedHeight(58)
        self.field.setTabChangesFocus(True)
        self.field.installEventFilter(self)
        self.add = Button("Add note", "", "plain", "", theme.BUTTON)
        self.new = Button("New", "", "ghost", "Write another note", theme.BUTTON)
        self.delete = Button("Delete", "", "ghost", "Delete this note", theme.BUTTON)
        self.save = Button("Save notes", "", "plain", "", theme.BUTTON)
        self.add.clicked.connect(self._add)
        self.new.clicked.connect(lambda: self._noter.choose(None))
        self.delete.clicked.connect(self._delete)
        self.save.clicked.connect(noter.save)
        tools = row(*self.tools.values(), None, self.new, self.delete, spacing=2)
        foot = row(self.save, None, self.add, spacing=6)
        writing = column(tools, self.field, foot, margins=(8, 6, 8, 8), spacing=6)
        fill(writing, "background2")
        down(self, (self._scroll, 1), writing)
        for signal in (noter.chosen_changed, stage.rig_changed):
            signal.connect(self.refresh)
        state.changed.connect(self._follow)
        self._written_for: str | None = None
        self._is_in_front = False
        self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take Ctrl+Return as the button does."""
        if event.type() == QEvent.Type.KeyPress and _adds(event):
            self._add()
            return True
        return super().eventFilter(watched, event)

    def start_writing(self) -> None:
        """Begin a new note on what is on show."""
        self._noter.choose(None)
        self.field.setFocus()

    def _take_tool(self, kind: StrokeKind | None) -> None:
        self._state.update(note_tool=kind)

    def _add(self) -> None:
        chosen, words = self._noter.chosen, self.field.toPlainText()
        if chosen is None:
            self._noter.add(words)
        else:
            self._noter.write(chosen, words)

    def _delete(self) -> None:
        if self._noter.chosen is not None:
            self._noter.delete(self._noter.chosen)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if new.differs(old, ("note_tool", "time", "clip", "pane", "methods")):
            self._show()

    def refresh(self) -> None:
        """List the notes as they are now."""
        notes = self._noter.notes
        if [(r.number, r.note) for r in self.rows] != list(enumerate(notes.each, 1)):
            clear(self._list)
            self.rows = [NoteRow(i, note, self._noter) for i, note in enumerate(notes.each, 1)]
            for line in self.rows:
                self._list.addWidget(line)
            if not self.rows:
                words = tr("No notes yet. Draw on the picture or press Shift+A.")
                empty = label(words, "text2", wrap=True)
                empty.setContentsMargins(12, 12, 12, 12)
                self._list.addWidget(empty)
            self._list.addStretch(1)
        for line in self.rows:
            line.update()
        chosen = self._noter.chosen
        wanted = None if chosen is None else chosen.id
        if wanted != self._written_for:
            # Words that were begun before one drew become those of the note that was drawn.
            begun = self._written_for is None and chosen is not None and not chosen.words
            self._written_for = wanted
            if not begun:
                self.field.setPlainText("" if chosen is None else chosen.words)
        self._show()

    def _show(self) -> None:
        chosen, view = self._noter.chosen, self._state.value
        for kind, button in self.tools.items():
            button.setChecked(view.note_tool == kind)
        self.add.setText(tr("Add note") if chosen is None else tr("Change note"))
        self.new.setEnabled(chosen is not None)
        self.delete.setEnabled(chosen is not None)
        method = self._stage.methods[min(view.pane, len(self._stage.methods) - 1)]
        where = tr("the rest pose")
        if self._stage.clip is not None:
            where = tr("frame {frame:g}", frame=view.time * view.fps)
        words = tr("Write on {where}, {method}…", where=where, method=ASKED[method].label)
        self.field.setPlaceholderText(words)
        # Of a panel behind another one nothing can have the focus.
        self.setEnabled(self._is_in_front and self._stage.rig is not None)

    def set_in_front(self, front: bool) -> None:
        """Take note of whether the panel is seen, or behind another one."""
        self._is_in_front = front
        self._show()

    def show_saved(self, *, saved: bool) -> None:
        """Let the button stand out while notes are not saved."""
        self.save.setEnabled(not saved)
        self.save.set_kind("plain" if saved else "primary")


def _adds(event: QEvent) -> bool:
    """Tell whether a key adds the note."""
    if not isinstance(event, QKeyEvent):
        return False
    return event.key() in RETURN and bool(event.modifiers() & _CTRL)


def _drawn(note: ReviewNote) -> str:
    kinds = [kind for kind in STROKE_KINDS if any(s.kind == kind for s in note.strokes)]
    names = ", ".join(tr(TOOLS[kind][1].lower()) for kind in kinds)
    return tr("Drawn: {tools}", tools=names) if kinds else ""
