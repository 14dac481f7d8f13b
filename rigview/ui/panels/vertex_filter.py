"""The field above the table of vertices that keeps those with some weight of the selected joint."""

import re
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from rigview.core.arrays import BoolArray, FloatArray
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.fields import Search
from rigview.ui.widgets.layout import across
from rigview.ui.widgets.words import tr

_NUMBER = r"(\d*\.?\d+)"
# What is typed → where the limits are among its numbers.
_ABOVE = re.compile(rf"(?:above|over|>|≥)?\s*{_NUMBER}")
_BELOW = re.compile(rf"(?:below|under|<|≤)\s*{_NUMBER}")
_BETWEEN = re.compile(rf"{_NUMBER}\s*(?:\.\.|–|-|to)\s*{_NUMBER}")


@dataclass(frozen=True)
class WeightLimits:
    """Weights that are kept: above one number and below another, both exclusive."""

    above: float
    below: float

    def keep(self, weights: FloatArray) -> BoolArray:
        """Return ``(n,)`` which weights are kept."""
        return (weights > self.above) & (weights < self.below)


def limits_in(text: str) -> WeightLimits | None:
    """Return the limits that a text names: "above 0.02", "below 0.5", "0.2 to 0.4"; None for no such."""
    words = text.strip().lower().replace(",", ".")
    if match := _BETWEEN.fullmatch(words):
        return WeightLimits(float(match[1]), float(match[2]))
    if match := _BELOW.fullmatch(words):
        return WeightLimits(-1.0, float(match[1]))
    match = _ABOVE.fullmatch(words)
    return WeightLimits(float(match[1]), float("inf")) if match else None


class VertexFilter(QWidget):
    """A field and, while it filters, the button that chooses what is left.

    `changed` says that other limits are wanted; `taken` that the vertices left are to be the chosen ones.
    """

    changed = Signal()
    taken = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.limits: WeightLimits | None = None
        self.field = Search("above 0.02")
        self.field.setAccessibleName(tr("Only vertices whose weight of the selected joint is so"))
        tip = (
            "Only vertices whose weight of the selected joint is so:\n"
            "above 0.02, below 0.5, or 0.2 to 0.4"
        )
        self.field.setToolTip(tr(tip))
        self.field.setFixedSize(126, 22)
        self.take = Button(
            "Choose these", "", "ghost", "Choose only the vertices that are listed", 20
        )
        self.take.hide()
        self.take.clicked.connect(self._take)
        self.field.textChanged.connect(self._read)
        across(self, self.field, self.take, spacing=4)

    def ask(self) -> None:
        """Begin to ask for a weight."""
        self.field.setText(tr("above 0.5"))
        self.field.setFocus()
        self.field.selectAll()

    def _read(self, text: str) -> None:
        self.limits = limits_in(text)
        self.take.setVisible(self.limits is not None)
        self.changed.emit()

    def _take(self) -> None:
        self.taken.emit()
        self.field.clear()
