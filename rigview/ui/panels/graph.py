"""The graph of the Plots panel: curves with the playhead, or bars."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.text import spaced
from rigview.ui.panels.charts import Bars, PlotCurves
from rigview.ui.widgets import theme
from rigview.ui.widgets.layout import FocusRing
from rigview.ui.widgets.theme import colour, font

# Curves that one kind of plot can have at most: one per axis or per pane.
_MOST_CURVES = 4
# Room for numbers at the left and below, without and with the name of what they count.
_LEFT, _LEFT_NAMED, _BELOW, _BELOW_NAMED = 50, 58, 18, 32
_BAR = 0.88
# One vertex is that much of a tenfold step high, so that it can be seen.
_ONE = 0.3
# Above the highest bar is room for its number.
_HEADROOM = 1.22
# What leads from bar to bar.
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_HELD = ~Qt.KeyboardModifier.KeypadModifier

# What is above and below a curve at the least, by its unit: what does not move is a line, not noise.
_LEAST_ROOM = {"°": 0.5, " %": 0.5}


class _Numbers(pyqtgraph.AxisItem):  # type: ignore[misc] # pyqtgraph is untyped
    """An axis whose numbers are followed by their unit."""

    unit = ""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        numbers = super().tickStrings(values, scale, spacing)
        return [f"{text.replace('-', '−')}{self.unit}" for text in numbers]


class Graph(pyqtgraph.PlotWidget):  # type: ignore[misc] # pyqtgraph is untyped
    """What the Plots panel draws; `pressed` and `dragged` carry a place on the axis below.

    `stepped` carries −1 or 1: keys lead to the bar before or after. `rescaled` tells that it is on a screen
    of another scale now: what is plotted is to be drawn anew.
    """

    pressed = Signal(float)
    dragged = Signal(float)
    stepped = Signal(int)
    rescaled = Signal()

    def __init__(self) -> None:
        self._left = _Numbers("left")
        super().__init__(axisItems={"left": self._left})
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.showGrid(x=True, y=True, alpha=0.12)
        self.getPlotItem().setContentsMargins(4, 6, 10, 2)
        self._below = self.getAxis("bottom")
        for axis in (self._left, self._below):
            axis.setStyle(tickFont=font(theme.TICK, numbers=True), tickLength=0)
            axis.enableAutoSIPrefix(False)
        self.curves = [self.plot([], []) for _ in range(_MOST_CURVES)]
        self.playhead = pyqtgraph.InfiniteLine(0)
        self.addItem(self.playhead)
        self.limit = pyqtgraph.InfiniteLine(
            angle=0, label="", labelOpts={"position": 1.0, "anchors": [(1, 1), (1, 0)]}
        )
        self.limit.label.setFont(font(theme.TICK))
        self.addItem(self.limit, ignoreBounds=True)
        self.bars = pyqtgraph.BarGraphItem(x=[], height=[], width=_BAR)
        self.addItem(self.bars)
        self._labels: list[pyqtgraph.TextItem] = []
        self.getPlotItem().vb.sigResized.connect(self._show_labels)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._ring = FocusRing(self)
        self.dress()

    def dress(self) -> None:
        """Take ground, axes and playhead from the theme; what is plotted takes its own."""
        self.setBackground(colour("field"))
        for axis in (self._left, self._below):
            axis.setPen(self._pen("edge"))
            axis.setTextPen(self._pen("text3"))
        self.playhead.setPen(self._pen("accent", 1.5))
        self.limit.setPen(self._pen("warning", style=Qt.PenStyle.DashLine))
        self.limit.label.setColor(colour("warning"))

    def _pen(
        self, token: str, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine
    ) -> QPen:
        """Return a pen of the theme; its width is that of the scaled screen.

        The pens of pyqtgraph are cosmetic: Qt draws them as wide in pixels of any screen.
        """
        wide = width * self.devicePixelRatioF()
        pen: QPen = pyqtgraph.mkPen(colour(token), width=wide, style=style)
        return pen

    def show_curves(self, chart: PlotCurves, fps: float) -> None:
        """Draw curves over frames."""
        for i, line in enumerate(self.curves):
            if i < len(chart.curves):
                curve = chart.curves[i]
                line.setData(curve.times * fps, curve.values)
                line.setPen(self._pen(curve.token, 1.6))
            else:
                line.setData([], [])
        self.bars.setOpts(x=[], height=[])
        self._write([], [])
        self.playhead.show()
        self._show_limit(chart.limit)
        self._name_axes("", "", chart.unit)
        for axis in (self._left, self._below):
            axis.setTicks(None)
        self.showGrid(x=True, y=True, alpha=0.12)
        first, last = chart.clip.start * fps, chart.clip.end * fps
        # A clip of one frame is a point in the middle of those beside it.
        beside = 1.0 if last <= first else 0.0
        self.setXRange(first - beside, last + beside, padding=0.01)
        low = min(float(curve.values.min()) for curve in chart.curves)
        high = max(float(curve.values.max()) for curve in chart.curves)
        room = max(0.08 * (high - low), _LEAST_ROOM.get(chart.unit, 1e-3))
        self.setYRange(low - room, high + room, padding=0)

    def _show_limit(self, limit: tuple[str, float] | None) -> None:
        """Draw what curves are held against; curves that are far from it keep their size."""
        self.limit.setVisible(limit is not None)
        if limit is not None:
            self.limit.label.setFormat(limit[0])
            self.limit.setValue(limit[1])

    def show_bars(self, chart: Bars, chosen: int | None) -> None:
        """Draw bars, by tenfold steps, so that few vertices are seen beside many; one can be chosen."""
        for line in self.curves:
            line.setData([], [])
        self.playhead.hide()
        self._show_limit(None)
        edge, marked = self._pen("text3"), self._pen("warning", 2.5)
        self.bars.setOpts(
            x=chart.places,
            height=_height(chart.counts),
            width=_BAR,
            brushes=[QColor(c) if c else colour("zero") for c in chart.colours],
            pens=[marked if i == chosen else edge for i in range(len(chart.places))],
        )
        self._name_axes("vertices", chart.across, "")
        most = int(chart.counts.max(initial=1))
        steps = [10**power for power in range(len(str(most)) + 1)]
        between = [digit * step for step in steps for digit in (2, 5)]
        named = [(_height(n), spaced(n)) for n in (*steps, *(between if most < 100 else ()))]
        self._left.setTicks([[*map(_as_tick, named)], [(float(_height(n)), "") for n in between]])
        self._below.setTicks([list(chart.ticks)])
        self.showGrid(x=False, y=True, alpha=0.12)
        self.setXRange(chart.places[0] - 0.7, chart.places[-1] + 0.7, padding=0)
        self.setYRange(0.0, _HEADROOM * float(_height(most)), padding=0)
        self._write(chart.places, chart.counts)

    def _write(
        self, places: Sequence[float] | FloatArray, counts: Sequence[int] | IntArray
    ) -> None:
        """Write above each bar how many it counts."""
        while len(self._labels) < len(places):
            self._labels.append(pyqtgraph.TextItem(anchor=(0.5, 0.9)))
            self._labels[-1].setFont(font(theme.TICK, numbers=True))
            self.addItem(self._labels[-1], ignoreBounds=True)
        for i, item in enumerate(self._labels):
            shown = i < len(places) and counts[i] > 0
            item.setText(spaced(counts[i]) if shown else "", colour("text2"))
            if shown:
                item.setPos(float(places[i]), float(_height(int(counts[i]))))
        self._show_labels()

    def _show_labels(self) -> None:
        """Show what is written above bars where all of it fits."""
        width = _BAR / max(self.getPlotItem().vb.viewPixelSize()[0], 1e-9)
        metrics = QFontMetricsF(font(theme.TICK, numbers=True))
        widest = max(
            (metrics.horizontalAdvance(item.toPlainText()) for item in self._labels), default=0
        )
        for item in self._labels:
            item.setVisible(bool(item.toPlainText()) and widest <= width)

    def _name_axes(self, left: str, below: str, unit: str) -> None:
        style = {"color": theme.hex_of("text2"), "font-size": f"{theme.TICK}px"}
        self._left.unit = unit
        for axis, text in ((self._left, left), (self._below, below)):
            axis.setLabel(text or None, **style)
            axis.showLabel(bool(text))
        self._left.setWidth(_LEFT_NAMED if left else _LEFT)
        self._below.setHeight(_BELOW_NAMED if below else _BELOW)

    def event(self, event: QEvent) -> bool:
        """Keep the keys that step through the clip from those that step through bars."""
        if event.type() == QEvent.Type.ShortcutOverride and self._step(event):
            event.accept()
            return True
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.dress()
            self.rescaled.emit()
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = self._step(event)
        if step:
            self.stepped.emit(step)
        else:
            super().keyPressEvent(event)

    def _step(self, event: QEvent) -> int:
        """Return the step that a key asks for; 0 for other keys, and beside curves."""
        if not isinstance(event, QKeyEvent) or event.modifiers() & _HELD:
            return 0
        return _STEPS.get(Qt.Key(event.key()), 0) if len(self.bars.opts["x"]) else 0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit(self._place(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(self._place(event))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        pass

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._ring.draw(QPainter(self.viewport()))

    def _place(self, event: QMouseEvent) -> float:
        scene = self.mapToScene(event.position().toPoint())
        return float(self.getPlotItem().vb.mapSceneToView(QPointF(scene)).x())


def _height(counts: IntArray | int) -> FloatArray:
    """Return how high bars are: 0 for nothing, then a step for each tenfold."""
    return np.where(np.asarray(counts) > 0, _ONE + np.log10(np.maximum(counts, 1)), 0.0)


def _as_tick(named: tuple[FloatArray, str]) -> tuple[float, str]:
    return float(named[0]), named[1]
