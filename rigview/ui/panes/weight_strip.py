"""The strip of the weight brush: tool, value, radius, strength, falloff, mirror, and flooding."""

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from rigview.core.weights.edits import TOOLS
from rigview.core.weights.strokes import FALLOFFS
from rigview.ui.view_state import WeightBrush
from rigview.ui.widgets.controls import Button, Chooser, SegmentedControl, toggle
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.layout import across, fill, label

_MILLI = 1000.0
# Narrower strips shorten the names of their numbers, and then leave out what is rarely set.
_NAMED, _ROOMY = 900, 780


class WeightStrip(QWidget):
    """Shows the weight brush and changes it; `changed` carries the new one."""

    changed = Signal(object)
    flooded = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        fill(self, "background1")
        self.setFixedHeight(38)
        self._brush = WeightBrush()
        self.tool = SegmentedControl(
            [tool.capitalize() for tool in TOOLS], 0, "What the brush does", 14
        )
        self.value = Number("", 2, name="Value that is set, added or multiplied by")
        self.radius = Number(" mm", 1, name="Radius of the brush over the surface", step=1.0)
        self.strength = Number("", 2, name="Strength of the brush", step=0.01)
        self._value_name, self._radius_name = label("Value", "text2"), label("Radius", "text2")
        self.value.setRange(0.0, 10.0)
        self.radius.setRange(0.01, 1e6)
        self.strength.setRange(0.0, 1.0)
        for field, width in ((self.value, 52), (self.radius, 84), (self.strength, 52)):
            field.setFixedWidth(width)
            field.valueChanged.connect(self._fields_are_new)
        self.falloff = Chooser([curve.capitalize() for curve in FALLOFFS], "Falloff of the brush")
        self.falloff.activated.connect(self._fields_are_new)
        self.mirror = toggle("arrows-left-right", "Paint the other side too")
        self.owned = toggle("drop", "Only vertices that the joint moves already")
        for switch in (self.mirror, self.owned):
            switch.toggled.connect(self._fields_are_new)
        self.flood = Button("Flood", tip="Do to all chosen vertices what the brush does")
        self.flood.clicked.connect(self.flooded)
        self.done = Button("Done", "", "primary", "Stop painting  Esc")
        self.done.clicked.connect(self.left)
        self.tool.chosen.connect(self._tool_is_new)
        self._strength_name = label("Strength", "text2")
        # Field's name → its words, whole and short.
        self._names = {
            self._value_name: ("Value", "Val"),
            self._radius_name: ("Radius", "Rad"),
            self._strength_name: ("Strength", "Str"),
        }
        names = tuple(self._names)
        numbers = self.value, self.radius, self.strength
        fields = (*(w for pair in zip(names, numbers, strict=True) for w in pair), self.falloff)
        rest = self.mirror, self.owned, self.flood, self.done
        across(self, self.tool, *fields, None, *rest, margins=(10, 0, 8, 0), spacing=6)
        self.hide()

    def show_brush(self, brush: WeightBrush) -> None:
        """Show the brush as it is now."""
        self._brush = brush
        self.tool.select(TOOLS.index(brush.tool))
        self.value.show_value(brush.value)
        self.radius.show_value(_MILLI * brush.radius)
        self.strength.show_value(brush.strength)
        for widget, on in ((self.mirror, brush.mirror), (self.owned, brush.owned)):
            widget.blockSignals(True)
            widget.setChecked(on)
            widget.blockSignals(False)
        self.falloff.setCurrentIndex(FALLOFFS.index(brush.falloff))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten names where there is little room, and leave out what is rarely set."""
        valued = self._brush.tool not in ("smooth", "sharpen")
        named = self.width() >= _NAMED
        self.value.setVisible(valued)
        self._value_name.setVisible(valued)
        for name, words in self._names.items():
            name.setText(words[0] if named else words[1])
        for rare in (self.falloff, self.owned):
            rare.setVisible(self.width() >= _ROOMY)

    def _tool_is_new(self, number: int) -> None:
        """Take another tool, with a value that suits it."""
        tool = TOOLS[number]
        value = {"replace": 1.0, "add": 0.1, "scale": 0.5}.get(tool, self._brush.value)
        self.changed.emit(replace(self._brush, tool=tool, value=value))

    def _fields_are_new(self, *_values: object) -> None:
        brush = replace(
            self._brush,
            value=self.value.value(),
            radius=self.radius.value() / _MILLI,
            strength=self.strength.value(),
            falloff=FALLOFFS[self.falloff.currentIndex()],
            mirror=self.mirror.isChecked(),
            owned=self.owned.isChecked(),
        )
        if brush != self._brush:
            self.changed.emit(brush)
