"""The F1 sheet: every key and mouse gesture, read off the table of actions."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from rigview.ui.actions import ACTIONS, MENUS, MOUSE, WITHIN
from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.keys.shortcuts import Shortcuts, shown
from rigview.ui.navigation import Preset
from rigview.ui.widgets import theme
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import across, column, down, label

# What stands below each other; what is in a block has its texts in one column.
_COLUMNS = (
    (("File", "Edit", "Look from", "Weights", "Review", "Help"),),
    (("View", "Overlays"),),
    (("Rig",), ("Mouse",)),
)


class KeysSheet(Dialog):
    """A window with all keys in columns; Esc closes it."""

    def __init__(self, parent: QWidget, preset: Preset, shortcuts: Shortcuts) -> None:
        super().__init__(parent, "Keys and mouse")
        listed: dict[str, list[tuple[str, str]]] = {
            menu: [
                (", ".join(map(shown, keys)), row.text)
                for row in ACTIONS
                if row.menu == menu and (keys := shortcuts.keys(row.id))
            ]
            for menu in (*MENUS, *WITHIN)
        }
        listed["Mouse"] = [*preset.lines, *MOUSE]
        columns = across(
            QWidget(),
            *(
                column(
                    *(_block({n: listed[n] for n in names}) for names in blocks), None, spacing=16
                )
                for blocks in _COLUMNS
            ),
            margins=(20, 16, 20, 20),
            spacing=36,
        )
        down(self, Title("Keys and mouse"), (columns, 1))


def _block(groups: dict[str, list[tuple[str, str]]]) -> QWidget:
    """Return groups below each other, their keys in one column and their texts in another."""
    grid = QWidget()
    layout = QGridLayout(grid)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(16)
    layout.setVerticalSpacing(4)
    for name, lines in groups.items():
        if layout.rowCount() > 1:
            layout.setRowMinimumHeight(layout.rowCount(), 12)
        heading = label(name, "text3", theme.SMALL, theme.SEMIBOLD)
        layout.addWidget(heading, layout.rowCount(), 0, 1, 2)
        for keys, text in lines:
            line = layout.rowCount()
            layout.addWidget(label(keys, "text", numbers=True), line, 0, Qt.AlignmentFlag.AlignLeft)
            layout.addWidget(label(text, "text2"), line, 1, Qt.AlignmentFlag.AlignLeft)
    return grid
