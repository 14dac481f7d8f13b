"""The F1 sheet: every key and mouse gesture, read off the table of actions."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from rigview.ui import theme
from rigview.ui.actions import ACTIONS, MENUS, MOUSE, Row
from rigview.ui.boxes import column, label, row
from rigview.ui.headings import Title


def shown(key: str) -> str:
    """Return a shortcut as this platform writes it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


class KeysSheet(QDialog):
    """A window with all keys in columns; Esc closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        blocks = [
            _block(menu, [_line(r) for r in ACTIONS if r.menu == menu and r.keys]) for menu in MENUS
        ]
        by_menu = dict(zip(MENUS, blocks, strict=True))
        mouse = _block("Mouse", list(MOUSE))
        columns = row(
            column(by_menu["File"], by_menu["Edit"], by_menu["Help"], None, spacing=16),
            column(by_menu["View"], None),
            column(by_menu["Rig"], mouse, None, spacing=16),
            margins=(20, 16, 20, 20),
            spacing=36,
        )
        title = Title("Keys")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(title)
        layout.addWidget(columns, 1)


def _line(action: Row) -> tuple[str, str]:
    return ", ".join(map(shown, action.keys)), action.text


def _block(name: str, lines: list[tuple[str, str]]) -> QWidget:
    grid = QWidget()
    layout = QGridLayout(grid)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(16)
    layout.setVerticalSpacing(4)
    layout.addWidget(label(name, "text3", theme.SMALL, theme.SEMIBOLD), 0, 0, 1, 2)
    for i, (keys, text) in enumerate(lines, 1):
        layout.addWidget(label(keys, "text", numbers=True), i, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(label(text, "text2"), i, 1, Qt.AlignmentFlag.AlignLeft)
    return grid
