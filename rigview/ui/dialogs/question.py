"""A short dialog that tells or asks something, with as few buttons as the answers there are."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import column, down, fill, label, row
from rigview.ui.widgets.words import tr

# So many of a list are shown in a dialog, which must fit on a small screen.
_MOST = 12


def bullets(names: Sequence[str]) -> tuple[str, ...]:
    """Return a line for each name; of a long list the first ones, and how many more there are."""
    shown = names if len(names) <= _MOST else names[: _MOST - 1]
    left = len(names) - len(shown)
    more = (f"•  {tr('{number} more', number=left)}",) if left else ()
    return (*(f"•  {name}" for name in shown), *more)


class Question(Dialog):
    """Says something and waits; `answered` carries the words of the button that was pressed.

    Esc is the first answer, which changes nothing and is told to nobody.

    Parameters
    ----------
    answers
        From left to right. Return does the last one, which stands out.
    is_risky
        Whether the last answer may do harm: the first one stands out then, and Return does it.
    """

    answered = Signal(str)

    def __init__(
        self,
        parent: QWidget,
        title: str,
        lines: Sequence[str],
        answers: Sequence[str],
        *,
        is_risky: bool = False,
    ) -> None:
        super().__init__(parent, title)
        self.lines = tuple(lines)
        self._stays = answers[0]
        first, *others = lines
        usual = 0 if is_risky else -1
        texts = [label(first, wrap=True), *(label(line, "text2", wrap=True) for line in others)]
        self.buttons = [
            Button(words, "", "primary" if words == answers[usual] else "plain", height=28)
            for words in answers
        ]
        for words, button in zip(answers, self.buttons, strict=True):
            button.clicked.connect(lambda _=False, words=words: self._answer(words))
        foot = row(None, *self.buttons, margins=(14, 10, 14, 12), spacing=8)
        fill(foot, "background2")
        body = column(*texts, margins=(16, 14, 16, 16), spacing=6)
        down(self, Title(title), (body, 1), foot)
        self.setMinimumWidth(380)
        self.setAccessibleDescription(" ".join(lines))
        # Only a button that is in the dialog already can be its default.
        self.buttons[usual].setDefault(True)
        self.buttons[usual].setFocus()

    def _answer(self, words: str) -> None:
        if words == self._stays:
            self.reject()
        else:
            self.accept()
            self.answered.emit(words)
