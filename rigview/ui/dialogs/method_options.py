"""What a method minds beyond its sliders: profile and angle of the compensation, and scale."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from rigview.core.bones import AXES
from rigview.core.methods.bulge import ANGLE_FACTORS, POLYNOMIAL_NAMES, POLYNOMIALS
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets.controls import Chooser, SegmentedControl
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.layout import label, row
from rigview.ui.widgets.theme import colour
from rigview.ui.widgets.words import tr

# Fields of the options, in the order of their rows.
FURTHER = ("polynomial", "angle", "axis", "scale")
_OWN = "Own"
_SCALES = ("vertex", "origin")
_AXIS_NAMES = ["auto" if axis == "auto" else axis.upper().replace("-", "−") for axis in AXES]
_TIPS = {
    "polynomial": "How the compensation is spread over the blend x: c₁x + c₂x² + c₃x³\n"
    "P1: formula 4 of the thesis, zero at the middle of the blend\n"
    "P0: its formula 3, which leaves least bulge at the thesis's own blend\n"
    "C1: zero and level at the middle",
    "angle": "How it grows with the angle α of the bend\n"
    "Code: min(1, 2·√(1 − cos α/2)), as the thesis's plugin computes it\n"
    "Slides: min(1, 1.41·sin α/2), as its slides state it",
    "axis": "The joints' local axis that bones follow; auto: towards the primary child",
    "scale": "Where joints that scale stretch the skin\n"
    "Vertex: every joint's motion at the vertex is blended\n"
    "Origin: the stretches are blended first, as Maya and OpenUSD do it",
}


class MethodOptions(QFrame):
    """A panel that opens above a button, and closes when something else is clicked."""

    def __init__(self, parent: QWidget, state: State) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._state = state
        self.polynomial = Chooser([*(n.upper() for n in POLYNOMIAL_NAMES), _OWN], "Profile")
        self.polynomial.activated.connect(self._choose_polynomial)
        self.coefficients = [
            Number(f" {power}", 2, name=tr("Coefficient of {power}", power=power), step=0.05)
            for power in ("x", "x²", "x³")
        ]
        for field in self.coefficients:
            field.setFixedWidth(70)
            field.valueChanged.connect(self._set_coefficients)
        self.angle = SegmentedControl(("Code", "Slides", "Sine", "Linear"), 0, "Angle factor")
        self.angle.chosen.connect(lambda i: self._set(angle=ANGLE_FACTORS[i]))
        self.axis = Chooser(_AXIS_NAMES, "Axis that bones follow")
        self.axis.activated.connect(lambda i: self._set(axis=AXES[i]))
        self.scale = SegmentedControl(("Vertex", "Origin"), 0, "Scale")
        self.scale.chosen.connect(lambda i: self._set(scale=_SCALES[i]))
        contents = {
            "polynomial": row(self.polynomial, *self.coefficients, None, spacing=4),
            "angle": row(self.angle, None),
            "axis": row(self.axis, None),
            "scale": row(self.scale, None),
        }
        names = {"polynomial": "Profile", "angle": "Angle", "axis": "Bone axis", "scale": "Scale"}
        layout = QGridLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setHorizontalSpacing(12)
        layout.setVerticalSpacing(6)
        self.rows: dict[str, tuple[QLabel, QWidget]] = {}
        for number, option in enumerate(FURTHER):
            name = label(names[option], "text2")
            for column, widget in enumerate((name, contents[option])):
                widget.setToolTip(tr(_TIPS[option]))
                layout.addWidget(widget, number, column)
            self.rows[option] = (name, contents[option])
        state.changed.connect(self._follow)
        self._show_values()

    def open(self, options: Sequence[str], button: QWidget) -> None:
        """Show some options above a button, within its screen."""
        for option, widgets in self.rows.items():
            for widget in widgets:
                widget.setVisible(option in options)
        self.adjustSize()
        corner = button.mapToGlobal(QPoint(button.width(), -4))
        screen = button.screen().availableGeometry()
        left = max(corner.x() - self.width(), screen.left())
        self.move(left, max(corner.y() - self.height(), screen.top()))
        self.show()
        self.setFocus()

    def _set(self, **changed: Any) -> None:  # noqa: ANN401 - fields of Options
        self._state.update(options=replace(self._state.value.options, **changed))

    def _choose_polynomial(self, number: int) -> None:
        own = number == len(POLYNOMIAL_NAMES)
        self._set(polynomial=self._typed if own else POLYNOMIAL_NAMES[number])

    def _set_coefficients(self, _value: float) -> None:
        self._set(polynomial=self._typed)

    @property
    def _typed(self) -> tuple[float, float, float]:
        first, second, third = (field.value() for field in self.coefficients)
        return first, second, third

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.options != new.options:
            self._show_values()

    def _show_values(self) -> None:
        options = self._state.value.options
        profile = options.polynomial
        named = isinstance(profile, str)
        self.polynomial.setCurrentIndex(
            POLYNOMIAL_NAMES.index(profile) if isinstance(profile, str) else len(POLYNOMIAL_NAMES)
        )
        values = POLYNOMIALS[profile] if isinstance(profile, str) else profile
        for field, value in zip(self.coefficients, values, strict=True):
            field.show_value(value)
        self.polynomial.setAccessibleDescription("" if named else tr("Coefficients of one's own"))
        self.angle.select(ANGLE_FACTORS.index(options.angle))
        self.axis.setCurrentIndex(AXES.index(options.axis))
        self.scale.select(_SCALES.index(options.scale))

    def event(self, event: QEvent) -> bool:
        """Keep the shortcuts of the panes below from taking the keys of what is in here."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour("background2"))
        painter.setPen(colour("edge"))
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRect(box)
