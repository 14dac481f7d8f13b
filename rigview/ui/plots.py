"""The Plots panel: curves over the clip, with a cursor tied to the timeline."""

from collections.abc import Sequence

import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rigview.core.clip import Clip
from rigview.ui import theme
from rigview.ui.boxes import fill, label, row
from rigview.ui.controls import Button, Segments
from rigview.ui.curves import KINDS, Curve, Kind, OfJoint, Subject
from rigview.ui.scanning import Scanner
from rigview.ui.stage import Stage
from rigview.ui.theme import colour, font
from rigview.ui.view_state import State, ViewState

# What the curves depend on, of what the user looks at.
_READ = ("joint", "clip", "fps", "methods")
_NO_CLIPS = "The file has no clips."
_MAKE_ONE = " Rig > Add a range of motion makes one."
# Curves that one kind of plot can have at most: one per axis or per pane.
_MOST_CURVES = 4


class _Graph(pyqtgraph.PlotWidget):  # type: ignore[misc] # pyqtgraph is untyped
    """A plot on which a drag moves the time."""

    def __init__(self, plots: "Plots") -> None:
        super().__init__(background=colour("field"))
        self._plots = plots
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.showGrid(x=True, y=True, alpha=0.12)
        self.getPlotItem().setContentsMargins(4, 6, 10, 2)
        left, bottom = self.getAxis("left"), self.getAxis("bottom")
        left.setWidth(44)
        bottom.setHeight(18)
        for axis in (left, bottom):
            axis.setStyle(tickFont=font(theme.TICK, numbers=True), tickLength=0)
            axis.setPen(pyqtgraph.mkPen(colour("edge")))
            axis.setTextPen(pyqtgraph.mkPen(colour("text3")))
        left.enableAutoSIPrefix(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._plots.seek(self._frame(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._plots.seek(self._frame(event))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        pass

    def _frame(self, event: QMouseEvent) -> float:
        scene = self.mapToScene(event.position().toPoint())
        return float(self.getPlotItem().vb.mapSceneToView(QPointF(scene)).x())


class Plots(QWidget):
    """Curves over the clip, in frames; the cursor is the playhead, both ways.

    `folded` says whether only the header is left.
    """

    folded = Signal(bool)

    def __init__(self, stage: Stage, state: State, scanner: Scanner) -> None:
        super().__init__()
        self._stage, self._state, self._scanner = stage, state, scanner
        self._shown: tuple[object, ...] = ()
        # What a finding asked for, and what was shown before it.
        self._asked: tuple[int | None, int] = (None, 0)
        self.kind = Segments([kind.label for kind in KINDS], 0, "What the curves show")
        self.kind.chosen.connect(self._refresh)
        self.fold = Button("", "caret-down", "ghost", "Fold the plots", 20)
        self.fold.clicked.connect(lambda: self.set_folded(folded=not self.is_folded))
        self._words = label("", "text3", theme.SMALL)
        self.legend = _Legend()
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
        self.graph = _Graph(self)
        self.curves = [self.graph.plot([], []) for _ in range(_MOST_CURVES)]
        self.playhead = pyqtgraph.InfiniteLine(0, pen=pyqtgraph.mkPen(colour("accent"), width=1.5))
        self.graph.addItem(self.playhead)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(head)
        layout.addWidget(self.graph, 1)
        layout.addWidget(self._words, 1)
        stage.rig_changed.connect(self._refresh)
        scanner.scanned.connect(self._refresh)
        state.changed.connect(self._follow)
        self._refresh()

    @property
    def is_folded(self) -> bool:
        """Whether only the header is shown."""
        return self.graph.isHidden() and self._words.isHidden()

    def set_folded(self, *, folded: bool) -> None:
        """Show only the header, or all."""
        self.setMaximumHeight(theme.TITLE if folded else 16777215)
        self.setMinimumHeight(theme.TITLE if folded else 120)
        self.fold.set_icon("caret-up" if folded else "caret-down")
        if folded:
            self.graph.hide()
            self._words.hide()
        else:
            self._shown = ()
            self._refresh()
        self.folded.emit(folded)

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

    def seek(self, frame: float) -> None:
        """Move the time to a frame, fractions allowed."""
        clip, fps = self._stage.clip, self._state.value.fps
        if clip is not None:
            time = min(max(frame / fps, clip.start), clip.end)
            self._state.update(time=time, playing=False)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.time != new.time:
            self.playhead.setValue(new.time * new.fps)
        if any(getattr(old, name) != getattr(new, name) for name in _READ):
            self._refresh()

    @property
    def _subject(self) -> Subject | None:
        deformer, clip = self._stage.deformer, self._stage.clip
        if deformer is None or clip is None:
            return None
        methods = self._state.value.methods
        return Subject(
            deformer, clip, self._state.value.fps, self._stage.joint, methods, self._scanner.scan
        )

    def _missing(self, kind: Kind) -> str:
        rig, subject = self._stage.rig, self._subject
        if rig is None:
            return "Curves appear with a rig that has clips."
        if subject is None:
            if rig.clips:
                return "The rest pose has no curves."
            return f"{_NO_CLIPS}{_MAKE_ONE}" if rig.joints else _NO_CLIPS
        return kind.missing(subject)

    def _refresh(self) -> None:
        if self.maximumHeight() == theme.TITLE:
            return
        kind, subject = KINDS[self.kind.current], self._subject
        words = self._missing(kind)
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self.graph.setVisible(not words)
        if words or subject is None:
            self.legend.show_curves([])
            self._shown = ()
            return
        key = (kind, *vars(subject).values())
        if self._shown and all(a is b or a == b for a, b in zip(key, self._shown, strict=True)):
            return
        self._shown = key
        self._plot(kind.curves(subject), subject.clip)
        joint = "" if subject.joint is None else subject.deformer.rig.nodes.label(subject.joint)
        of = f" of {joint}" if isinstance(kind, OfJoint) else " of every pane's method"
        self.graph.setAccessibleName(kind.label + of)

    def _plot(self, shown: list[Curve], clip: Clip) -> None:
        fps = self._state.value.fps
        for i, line in enumerate(self.curves):
            if i < len(shown):
                line.setData(shown[i].times * fps, shown[i].values)
                line.setPen(pyqtgraph.mkPen(colour(shown[i].token), width=1.6))
            else:
                line.setData([], [])
        self.legend.show_curves(shown)
        first, last = clip.start * fps, clip.end * fps
        self.graph.setXRange(first, max(last, first + 1e-6), padding=0.01)
        low = min(float(curve.values.min()) for curve in shown)
        high = max(float(curve.values.max()) for curve in shown)
        room = max(0.08 * (high - low), 1e-3)
        self.graph.setYRange(low - room, high + room, padding=0)
        self.playhead.setValue(self._state.value.time * fps)


class _Legend(QWidget):
    """Strokes in the curves' colours with their names."""

    def __init__(self) -> None:
        super().__init__()
        self._curves: list[tuple[str, str]] = []
        self.setFont(font(theme.SMALL))
        self.setFixedHeight(theme.TITLE)

    def show_curves(self, curves: Sequence[Curve]) -> None:
        """Name the curves."""
        self._curves = [(curve.name, curve.token) for curve in curves]
        advance = self.fontMetrics().horizontalAdvance
        self.setFixedWidth(sum(advance(name) + 26 for name, _ in self._curves))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        x = 0
        for name, token in self._curves:
            painter.fillRect(x, self.height() // 2 - 1, 10, 3, colour(token))
            advance = self.fontMetrics().horizontalAdvance(name)
            painter.setPen(colour("text2"))
            area = QRectF(x + 14, 0, advance + 2, self.height())
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), name)
            x += advance + 26
