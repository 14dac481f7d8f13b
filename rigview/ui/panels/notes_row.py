"""The row of the Checks dock behind which the notes are folded."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy

from rigview.check.rule import Finding, count
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.words import tr

_HEIGHT = 28


class NotesRow(Button):
    """How many notes there are, and of which rules; a click lists them or folds them again."""

    def __init__(self) -> None:
        super().__init__("", "caret-right", "ghost", "", _HEIGHT)
        self.shorten()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def tell(self, notes: Sequence[Finding], *, opened: bool) -> None:
        """Show how many notes there are; nothing without any."""
        rules = Counter(finding.rule for finding in notes)
        each = ", ".join(f"{rule} {number}" for rule, number in rules.items())
        words = f"{tr(count(len(notes), 'note'))}: {each}"
        act = "Hide what asks for no action" if opened else "List what asks for no action"
        self.setText(words)
        self.set_icon("caret-down" if opened else "caret-right")
        self.explain(f"{words}. {tr(act)}")
        self.setVisible(bool(notes))

    def sizeHint(self) -> QSize:
        return QSize(100, _HEIGHT)
