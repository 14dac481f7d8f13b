"""A field on the picture for a text of a note, where it will stand."""

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from rigview.ui.widgets import theme
from rigview.ui.widgets.words import tr

_WIDE, _LEAST = 220, 80


class InkWords(QLineEdit):
    """Return or a click elsewhere writes what was typed, Esc drops it; `written` carries the words."""

    written = Signal(str)

    def __init__(self, canvas: QWidget, at: QPoint, pane: QRect) -> None:
        super().__init__(canvas)
        self._is_done = False
        self.setAccessibleName(tr("Text on the picture"))
        self.setPlaceholderText(tr("Text on the picture"))
        self.setFont(theme.font(theme.BODY, theme.SEMIBOLD))
        high = self.sizeHint().height()
        wide = max(_LEAST, min(_WIDE, pane.right() - at.x()))
        left = max(pane.left(), min(at.x(), pane.right() - wide))
        top = max(pane.top(), min(at.y() - high // 2, pane.bottom() - high))
        self.setGeometry(left, top, wide, high)
        self.returnPressed.connect(lambda: self._end(self.text()))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._end("")
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # A menu or another window takes the keys for a while only.
        for_a_while = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if event.reason() not in for_a_while:
            self._end(self.text())

    def _end(self, words: str) -> None:
        if self._is_done:
            return
        self._is_done = True
        canvas = self.parentWidget()
        self.hide()
        self.deleteLater()
        if canvas is not None:
            canvas.setFocus()
        if words.strip():
            self.written.emit(words.strip())
