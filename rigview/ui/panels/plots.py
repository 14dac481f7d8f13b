"""The Plots panel: curves over the clip, with a cursor tied to the timeline, and counts of vertices."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rigview.core.sentence import Sentence
from rigview.render.look import Chosen
from rigview.ui.panels.charts import Bars, Chart, PlotCurves, PlotInput
from rigview.ui.panels.curve_legend import CurveLegend
from rigview.ui.panels.plot_kinds import KINDS
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, SegmentedControl
from rigview.ui.widgets.layout import down, fill, label, row
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import Checker
from rigview.ui.workers.scanning import Scanner
from rigview.ui.workers.worst_scanning import WorstScanner

if TYPE_CHECKING:
    from rigview.ui.panels.graph import Graph

# Pixels below which no curve can be read.
_LEAST = 120
_NOTHING_OPEN = "Plots appear with a rig."
# What the plots depend on, of what the user looks at.
_READ = ("joint", "clip", "fps", "methods", "measure", "theme", "weights")


class Plots(QWidget):
    """Curves over the clip, in frames, whose cursor is the playhead, both ways; or bars of vertices.

    The graph is made when there is something to plot, so that no empty window waits for pyqtgraph.

    `folded` says whether only the header is left; `graph_made` carries the graph.
    """

    folded = Signal(bool)
    graph_made = Signal(object)

    def __init__(
        self,
        stage: Stage,
        state: State,
        checker: Checker,
        scanner: Scanner,
        worst: WorstScanner,
    ) -> None:
        super().__init__()
        self._stage, self._state, self._checker, self._scanner = stage, state, checker, scanner
        self._worst = worst
        self._shown: tuple[object, ...] = ()
        self.chart: Chart | None = None
        self._waits = False
        # The bar whose vertices are marked on the mesh.
        self._bar: int | None = None
        # What a finding asked for, and what was shown before it.
        self._asked: tuple[int | None, int] = (None, 0)
        self.kind = SegmentedControl([kind.label for kind in KINDS], 0, "What is plotted", 10)
        self.kind.chosen.connect(self._refresh)
        self.fold = Button("", "caret-down", "ghost", "Fold the plots", 20)
        self.fold.clicked.connect(lambda: self.set_folded(folded=not self.is_folded))
        self.words = label("", "text3", theme.SMALL)
        self.legend = CurveLegend()
        head = row(
            label("Plots", weight=theme.SEMIBOLD),
            4,
            self.kind,
            None,
            self.legend,
            self.fold,
            margins=(10, 0, 6, 0),
            spacing=8,
        )
        fill(head, "background2")
        head.setFixedHeight(theme.TITLE)
        self.made_graph: Graph | None = None
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._below_head = QVBoxLayout()
        self._below_head.addWidget(self.words)
        down(self, head, (self._below_head, 1))
        self.setMinimumHeight(_LEAST)
        stage.rig_changed.connect(self._refresh)
        checker.checked.connect(self._refresh)
        scanner.scanned.connect(self._refresh)
        worst.changed.connect(self._refresh)
        state.changed.connect(self._follow)
        self._refresh()

    @property
    def graph(self) -> "Graph":
        """The graph, made on the first call."""
        if self.made_graph is None:
            from rigview.ui.panels.graph import Graph

            graph = self.made_graph = Graph()
            graph.pressed.connect(self._press)
            graph.dragged.connect(self._drag)
            graph.stepped.connect(self._step)
            graph.rescaled.connect(self._draw)
            graph.hide()
            self._below_head.addWidget(graph)
            self.graph_made.emit(graph)
        return self.made_graph

    @property
    def is_folded(self) -> bool:
        """Whether only the header is shown."""
        return self.words.isHidden() and (self.made_graph is None or self.made_graph.isHidden())

    def _show_graph(self, *, shown: bool) -> None:
        if shown:
            self.graph.show()
        elif self.made_graph is not None:
            self.made_graph.hide()

    def set_folded(self, *, folded: bool) -> None:
        """Show only the header, or all."""
        self.setMaximumHeight(theme.TITLE if folded else 16777215)
        self.setMinimumHeight(theme.TITLE if folded else _LEAST)
        self.fold.set_icon("caret-up" if folded else "caret-down")
        if folded:
            self._show_graph(shown=False)
            self.words.hide()
        else:
            self._shown = ()
            self._refresh()
        self.folded.emit(folded)

    @contextmanager
    def drawn_once(self) -> Iterator[None]:
        """Draw what changes in here at its end, and not each time."""
        self._waits = True
        try:
            yield
        finally:
            self._waits = False
            self._refresh()

    def follow(self, key: str) -> None:
        """Show what a finding asks for; without key what was shown before, if that is still shown."""
        asked, before = self._asked
        if self.kind.current == asked:
            self._show(before)
        self._asked = (None, self.kind.current)
        wanted = next((i for i, kind in enumerate(KINDS) if kind.key == key), None)
        if wanted is not None:
            self._asked = (wanted, self.kind.current)
            self._show(wanted)

    def _show(self, number: int) -> None:
        self.kind.select(number)
        self._refresh()

    def _press(self, place: float) -> None:
        if isinstance(self.chart, Bars):
            bar = int(np.argmin(np.abs(self.chart.places - place)))
            is_there = self.chart.counts[bar] and abs(self.chart.places[bar] - place) <= 0.5
            self.choose_bar(bar if is_there and bar != self._bar else None)
        else:
            self.seek(place)

    def _drag(self, place: float) -> None:
        if not isinstance(self.chart, Bars):
            self.seek(place)

    def _step(self, step: int) -> None:
        """Choose the next bar that counts anything; from none the first or last one."""
        if isinstance(self.chart, Bars):
            counted = np.flatnonzero(self.chart.counts).tolist()
            ends = -1 if step > 0 else len(counted)
            at = (counted.index(self._bar) if self._bar is not None else ends) + step
            if 0 <= at < len(counted):
                self.choose_bar(counted[at])

    def choose_bar(self, bar: int | None) -> None:
        """Mark the vertices of a bar on the mesh; None marks those of none."""
        if not isinstance(self.chart, Bars) or bar == self._bar:
            return
        # It is set before the marks are: who follows them asks for it.
        self._bar = bar
        self._state.update(marked=self._marks)
        self._draw()

    @property
    def _marks(self) -> Chosen:
        """The vertices of the chosen bar."""
        if self._bar is None or not isinstance(self.chart, Bars):
            return ()
        return self.chart.vertices(self._bar)

    def seek(self, frame: float) -> None:
        """Move the time to a frame, fractions allowed."""
        clip, fps = self._stage.clip, self._state.value.fps
        if clip is not None:
            time = min(max(frame / fps, clip.start), clip.end)
            self._state.update(time=time, playing=False)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.time != new.time and self.made_graph is not None:
            self.made_graph.playhead.setValue(new.time * new.fps)
        if new.differs(old, _READ):
            self._refresh()
        elif old.marked != new.marked and self._bar is not None and new.marked != self._marks:
            # Something else points vertices out now.
            self._bar = None
            self._draw()

    @property
    def _subject(self) -> PlotInput | None:
        deformer, view = self._stage.deformer, self._state.value
        if deformer is None:
            return None
        stage, scan, report = self._stage, self._scanner.scan, self._checker.report
        profile = None if report is None else report.profile
        curves, joints = self._worst.curves(stage.clip), self._worst.scan
        joint_scan = None if curves is None or joints is None else (joints.meter, curves)
        return PlotInput(
            deformer,
            stage.clip,
            view.fps,
            stage.joint,
            view.methods,
            scan,
            profile,
            view.measure,
            joint_scan,
        )

    def _refresh(self) -> None:
        if self._waits or self.maximumHeight() == theme.TITLE:
            return
        kind, subject = KINDS[self.kind.current], self._subject
        words = _NOTHING_OPEN if subject is None else kind.missing(subject)
        self.words.setText(tr(words))
        self.words.setVisible(bool(words))
        self._show_graph(shown=not words)
        if words or subject is None:
            self._take(None)
            self.legend.say("")
            self._shown = ()
            return
        key = (kind, *vars(subject).values())
        if self._shown and all(a is b or a == b for a, b in zip(key, self._shown, strict=True)):
            return
        self._shown = key
        self._take(kind.chart(subject))
        self._draw()

    def _take(self, chart: Chart | None) -> None:
        """Have another chart, whose bars have marked nothing yet."""
        marks = self._marks
        self.chart, self._bar = chart, None
        if marks and self._state.value.marked == marks:
            self._state.update(marked=())

    def _draw(self) -> None:
        chart = self.chart
        if isinstance(chart, PlotCurves):
            self.graph.show_curves(chart, self._state.value.fps)
            self.graph.playhead.setValue(self._state.value.time * self._state.value.fps)
            self.graph.setAccessibleName(chart.of)
            self.legend.name_curves(chart.curves)
        elif chart is not None:
            self.graph.show_bars(chart, self._bar)
            said = chart.words if self._bar is None else chart.said(self._bar)
            self.graph.setAccessibleName(
                tr("Vertices by {across}, {said}", across=Sentence(chart.across), said=said)
            )
            self.legend.say(said)
