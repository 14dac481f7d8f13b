"""Headings: the titles of docks, and sections that fold."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget

from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.layout import Elided, across, down, fill, label, row, tint
from rigview.ui.widgets.words import tr


class Title(QWidget):
    """The title of a dock: its name and a count."""

    def __init__(self, name: str) -> None:
        super().__init__()
        fill(self, "background2")
        self.count = label("", "text3", theme.SMALL, numbers=True)
        heading = label(name, weight=theme.SEMIBOLD)
        across(self, heading, self.count, None, margins=(10, 0, 6, 0), spacing=6)

    def sizeHint(self) -> QSize:
        return QSize(60, theme.TITLE)

    minimumSizeHint = sizeHint


class Section(QWidget):
    """A heading that folds what is below it."""

    def __init__(self, name: str, body: QWidget) -> None:
        super().__init__()
        self._body = body
        self._caret = Button("", "caret-down", "ghost", tr("Fold {name}", name=tr(name)), 18)
        self._caret.setFixedWidth(16)
        self._caret.clicked.connect(self._flip)
        self.note = Elided("text3", elide=Qt.TextElideMode.ElideMiddle)
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = row(
            self._caret, label(name, "text2", theme.SMALL, theme.SEMIBOLD), self.note, spacing=4
        )
        down(self, head, body, spacing=3)

    def _flip(self) -> None:
        shown = self._body.isHidden()
        self._body.setVisible(shown)
        self._caret.set_icon("caret-down" if shown else "caret-right")

    def set_note(self, text: str, token: str = "text3") -> None:
        """Write at the right of the heading."""
        self.note.setText(text)
        tint(self.note, token)
