"""What every dialog is."""

from PySide6.QtWidgets import QDialog, QWidget


class Dialog(QDialog):
    """A dialog that is gone when it is closed: a window keeps every child that it ever had."""

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.finished.connect(self.deleteLater)
