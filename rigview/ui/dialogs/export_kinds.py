"""What can be exported beside a plain picture, and the fields that say how."""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from rigview.app.movie_files import FORMS, Form
from rigview.core.clip import Clip
from rigview.core.text import count
from rigview.render.turntable import (
    MOST_PICTURES,
    USUAL_RATE,
    USUAL_SECONDS,
    Turntable,
    fitting,
)
from rigview.ui.widgets.controls import Chooser, Tick
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.layout import down, label, row
from rigview.ui.widgets.words import tr

_MOST_COLUMNS, _USUAL_COLUMNS = 64, 6
_FASTEST = 240.0
_HEADING, _FIELD = 76, 76


@dataclass(frozen=True)
class StillPicture:
    """One picture of the view."""


@dataclass(frozen=True)
class Sheet:
    """Times of the clip across, methods down.

    Parameters
    ----------
    columns
        How many times.
    """

    columns: int


Kind = StillPicture | Sheet | Turntable


def line(name: str, *widgets: QWidget) -> QWidget:
    """Return fields behind their heading, as all rows of the dialog are."""
    words = label(name, "text2")
    words.setFixedWidth(_HEADING)
    return row(words, *widgets, None, spacing=8)


def number(unit: str, name: str, value: float, limits: tuple[float, float], step: float) -> Number:
    """Return a field for a whole number of pixels, columns or pictures."""
    field = Number(unit, 0, name=name, step=step)
    field.setRange(*limits)
    field.setValue(value)
    field.setFixedWidth(_FIELD)
    return field


class Fields(QWidget):
    """The fields of one kind; `changed` follows every change."""

    changed = Signal()

    def __init__(self, *rows: QWidget) -> None:
        super().__init__()
        down(self, *rows, spacing=10)

    @property
    def value(self) -> Kind:
        """The options that the fields state."""
        return StillPicture()

    @property
    def facts(self) -> tuple[str, ...]:
        """What follows from that."""
        return ()


class SheetFields(Fields):
    """How many times a contact sheet shows."""

    def __init__(self, clip: Clip | None) -> None:
        most = _MOST_COLUMNS if clip is not None else 1
        self.columns = number("", "Times across", min(_USUAL_COLUMNS, most), (1, most), 0.1)
        self.columns.setEnabled(clip is not None)
        super().__init__(line("Times", self.columns))
        self.columns.valueChanged.connect(self.changed)

    @property
    def value(self) -> Sheet:
        """What the fields say."""
        return Sheet(int(self.columns.value()))

    @property
    def facts(self) -> tuple[str, ...]:
        """What follows from that."""
        return ("evenly over the clip",) if self.columns.isEnabled() else ("there is no clip",)


class TurnFields(Fields):
    """How long a turn takes, whether the clip plays meanwhile, and what is made of it."""

    def __init__(self, clip: Clip | None, rate: float) -> None:
        self._clip = clip
        self.seconds = Number(" s", 2, name="Seconds for one turn", step=0.05)
        self.seconds.setRange(0.1, 600.0)
        self.seconds.setValue(USUAL_SECONDS)
        self.seconds.setFixedWidth(_FIELD)
        usual = min(rate, USUAL_RATE)
        self.rate = number(" fps", "Pictures a second", usual, (1, _FASTEST), 0.2)
        self.plays = Tick("Clip plays meanwhile")
        self.plays.setEnabled(clip is not None and clip.end > clip.start)
        self.form = Chooser([f"{form.name}, {form.says}" for form in FORMS], "What to write")
        super().__init__(
            line("One turn", self.seconds, self.rate),
            line("", self.plays),
            line("File", self.form),
        )
        self.plays.toggled.connect(self._fit)
        for field in (self.seconds, self.rate):
            field.valueChanged.connect(self.changed)
        self.form.activated.connect(self.changed)

    def _fit(self, plays: bool) -> None:
        """Let the turn take as long as the clip needs at its own speed."""
        fits = fitting(self.seconds.value(), self.rate.value(), self._clip if plays else None)
        self.seconds.show_value(fits.seconds)
        self.changed.emit()

    @property
    def chosen_form(self) -> Form:
        """What is to be written."""
        return FORMS[self.form.currentIndex()]

    @property
    def value(self) -> Turntable:
        """What the fields say."""
        rate = self.rate.value()
        count = min(max(1, round(self.seconds.value() * rate)), MOST_PICTURES)
        return Turntable(count, rate, self.plays.isChecked())

    @property
    def facts(self) -> tuple[str, ...]:
        """What follows from that."""
        table = self.value
        pictures = count(table.pictures, "picture")
        if not table.plays:
            return (pictures,)
        speed = table.speed(self._clip)
        return pictures, tr(
            "clip {rounds} × at {speed:.0%} of its speed",
            rounds=table.rounds(self._clip),
            speed=speed,
        )
