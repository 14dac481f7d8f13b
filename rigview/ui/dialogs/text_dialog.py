"""A dialog with a long text to read and to copy."""

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import down, row


class TextDialog(Dialog):
    """Shows a text with its lines as they are; Esc closes it."""

    def __init__(self, parent: QWidget, title: str, text: str) -> None:
        super().__init__(parent, title)
        self.resize(620, 460)
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.document().setDocumentMargin(14)
        self.copy = Button("Copy", "copy", tip="Copy the whole text")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        close = Button("Close", "", "primary")
        close.clicked.connect(self.accept)
        foot = row(None, self.copy, close, margins=(12, 8, 12, 12), spacing=8)
        down(self, Title(title), (self.text, 1), foot)
