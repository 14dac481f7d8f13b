"""All changes of the open file, to go back to any of them."""

from PySide6.QtCore import QItemSelectionModel, QSize
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from rigview.core.text import count
from rigview.core.weights.editable_rig import changed_vertices
from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.document import Document
from rigview.ui.widgets import theme
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import Elided, down, fill, row
from rigview.ui.widgets.theme import colour
from rigview.ui.widgets.words import tr


class HistoryDialog(Dialog):
    """Stays open beside the work; a click, or the arrow keys, go to a state. Esc closes it."""

    def __init__(self, parent: QWidget, document: Document) -> None:
        super().__init__(parent, "History")
        self._document = document
        self.resize(320, 320)
        # Beside the panes, which show what a change did.
        corner = parent.mapToGlobal(parent.rect().topRight())
        self.move(corner.x() - self.width() - 16, corner.y() + 80)
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setStyleSheet("QListWidget::item { padding-left: 10px; }")
        self.list.setAccessibleName(tr("Changes, the first on top"))
        self.list.currentRowChanged.connect(self._go)
        self.words = Elided("text2")
        foot = row((self.words, 1), margins=(12, 0, 12, 0))
        fill(foot, "background2")
        foot.setFixedHeight(theme.TITLE)
        down(self, Title("History"), (self.list, 1), foot)
        document.changed.connect(self.refresh)
        document.saved.connect(self.refresh)
        document.noted.connect(self.refresh)
        self.refresh()
        self.list.setFocus()

    def refresh(self) -> None:
        """List the steps as they are now; those that were undone are dim."""
        document, blocked = self._document, self.list.blockSignals(True)
        names = document.step_names
        while self.list.count() > len(names):
            self.list.takeItem(self.list.count() - 1)
        for number, name in enumerate(names):
            if number >= self.list.count():
                added = QListWidgetItem()
                added.setSizeHint(QSize(0, theme.ROW))
                self.list.addItem(added)
            item = self.list.item(number)
            path = document.path
            opened = path.name if path is not None else tr("the file")
            item.setText(name if number else tr("Opened {file}", file=opened))
            item.setForeground(colour("text" if number <= document.at else "text3"))
        select = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.list.setCurrentRow(document.at, select)
        self.list.blockSignals(blocked)
        self.list.scrollToItem(self.list.item(document.at))
        self.words.setText(self._state_words())

    def _state_words(self) -> str:
        document = self._document
        if not document.is_changed:
            unsaved = document.has_unsaved_notes
            return tr("Notes are not saved." if unsaved else "Nothing is unsaved.")
        saved, rig = document.saved_rig, document.rig
        vertices = changed_vertices(saved, rig) if saved is not None and rig is not None else 0
        words = "{vertices} with other weights, not saved"
        return tr(words, vertices=count(vertices, "vertex")) if vertices else tr("Not saved")

    def _go(self, number: int) -> None:
        if number >= 0:
            self._document.go_to(number)
