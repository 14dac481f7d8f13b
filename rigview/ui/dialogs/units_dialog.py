"""What the user knows better than the file: its unit, its up axis, its frame rate."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from rigview.core.placement import Up
from rigview.core.rig import Origin
from rigview.io.overrides import Overrides
from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.widgets.controls import Button, Chooser
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import Item, column, down, fill, label, row
from rigview.ui.widgets.words import tr

_UNITS = (
    ("metres", 1.0),
    ("decimetres", 0.1),
    ("centimetres", 0.01),
    ("millimetres", 0.001),
    ("inches", 0.0254),
    ("feet", 0.3048),
)
_UPS: tuple[Up, ...] = ("Y", "Z", "X")
_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0)


def unit_name(metres: float) -> str:
    """Return "centimetres" for 0.01, a number for a unit without name."""
    named = next((name for name, m in _UNITS if abs(m - metres) <= 1e-9 * metres), None)
    return tr(named) if named else tr("units of {metres:.4g} m", metres=metres)


def _stated(words: str) -> str:
    return tr("As in the file: {words}", words=words)


def _up_name(axis: str) -> str:
    return tr("{axis} up", axis=axis)


def _rate_name(fps: float) -> str:
    return tr("{rate:g} fps", rate=fps)


class UnitsDialog(Dialog):
    """Asks what to believe instead of what the file says; `chosen` carries `Overrides`."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, path: Path, origin: Origin) -> None:
        super().__init__(parent, "Unit and axes")
        rate = tr("not stated") if origin.fps is None else _rate_name(origin.fps)
        units, ups = [name for name, _ in _UNITS], [_up_name(up) for up in _UPS]
        self.unit = Chooser([_stated(unit_name(origin.unit_m)), *units], "Unit")
        self.up = Chooser([_stated(_up_name(origin.up)), *ups], "Up axis")
        self.rate = Chooser([_stated(rate), *map(_rate_name, _RATES)], "Frame rate")
        cancel = Button("Cancel", height=28)
        cancel.clicked.connect(self.reject)
        self.again = Button("Open again", "", "primary", height=28)
        self.again.clicked.connect(self._accept)
        foot = row(None, cancel, self.again, margins=(14, 10, 14, 12), spacing=8)
        fill(foot, "background2")
        words = tr("{file} is read again by what is chosen here.", file=path.name)
        lines: list[Item] = [label(words, "text2", wrap=True)]
        for name, chooser in (
            ("One unit is", self.unit),
            ("Upwards", self.up),
            ("Frames", self.rate),
        ):
            word = label(name, "text2")
            word.setFixedWidth(90)
            lines.append(row(word, chooser, None))
        body = column(*lines, margins=(16, 14, 16, 14), spacing=8)
        down(self, Title("Unit and axes"), (body, 1), foot)
        self.setMinimumWidth(420)
        self.again.setDefault(True)

    @property
    def overrides(self) -> Overrides:
        """What was chosen."""
        unit, up, rate = (c.currentIndex() - 1 for c in (self.unit, self.up, self.rate))
        return Overrides(
            None if unit < 0 else _UNITS[unit][1],
            None if up < 0 else _UPS[up],
            None if rate < 0 else _RATES[rate],
        )

    def _accept(self) -> None:
        self.chosen.emit(self.overrides)
        self.accept()
