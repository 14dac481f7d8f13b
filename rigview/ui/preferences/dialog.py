"""The dialog of preferences: a line a row of the table; what is chosen counts at once."""

from itertools import groupby

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.preferences.rows import PREFERENCES, Desk, chooser
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, Chooser
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import Item, column, down, fill, label, row
from rigview.ui.widgets.words import tr

_TITLES = 150
# The longest choice is read in full.
_WIDEST = 400


class PreferencesDialog(Dialog):
    """`keys_asked` wants the editor of keys.

    Attributes
    ----------
    choosers
        By the key of the setting.
    author
        Who writes notes in this window.
    """

    keys_asked = Signal()

    def __init__(self, parent: QWidget, desk: Desk) -> None:
        super().__init__(parent, "Preferences")
        self.choosers: dict[str, Chooser] = {}
        settings = desk.bench.settings
        lines: list[Item] = []
        for section, rows in groupby(PREFERENCES, lambda one: one.section):
            lines.append(label(section, "text", theme.BODY, theme.SEMIBOLD))
            for one in rows:
                field = Chooser(list(one.choices.values()), one.title, most=_WIDEST)
                field.setCurrentIndex(list(one.choices).index(one.value(settings)))
                field.activated.connect(chooser(desk, one))
                self.choosers[one.key] = field
                lines.append(row(_title(one.title), field, None))
                if one.note:
                    lines.append(row(_TITLES + 6, label(one.note, "text3", theme.SMALL), None))
            lines.append(4)
        self.author = QLineEdit(desk.bench.noter.author)
        self.author.setAccessibleName(tr("Author of notes"))
        self.author.setStyleSheet(theme.field_sheet(8))
        self.author.setFixedHeight(28)
        self.author.textChanged.connect(desk.bench.noter.set_author)
        lines += (
            label("Notes", "text", theme.BODY, theme.SEMIBOLD),
            row(_title("Author of notes"), (self.author, 1)),
        )
        keys = Button("Change keys…", "", "plain", "Change the keys of actions", 28)
        keys.clicked.connect(self._edit_keys)
        close = Button("Close", "", "primary", "Close", 28)
        close.clicked.connect(self.accept)
        foot = row(
            label("What is chosen counts at once.", "text2"),
            None,
            keys,
            close,
            margins=(14, 10, 14, 12),
            spacing=8,
        )
        fill(foot, "background2")
        body = column(*lines, margins=(16, 14, 16, 10), spacing=6)
        down(self, Title("Preferences"), (body, 1), foot)
        self.setMinimumWidth(480)
        close.setDefault(True)

    def _edit_keys(self) -> None:
        self.accept()
        self.keys_asked.emit()


def _title(text: str) -> QWidget:
    result = label(text, "text2")
    result.setFixedWidth(_TITLES)
    return result
