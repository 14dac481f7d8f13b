"""What every dialog is."""

from PySide6.QtWidgets import QDialog, QWidget

from rigview.ui.widgets.words import tr


class Dialog(QDialog):
    """A dialog that is gone when it is closed: a window keeps every child that it ever had.

    Every widget that a dialog makes stands in it, shown or not. One without a parent would be Python's: its
    garbage collection would delete it later, at any time, also while Qt's list of all widgets is read.
    """

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr(title))
        self.finished.connect(self.deleteLater)
