"""The Plots panel: channel curves of the selected joint, with a cursor tied to the timeline."""

import numpy as np
import pyqtgraph
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip, Path
from rigview.core.rig import Rig
from rigview.ui import theme
from rigview.ui.boxes import fill, label, row
from rigview.ui.controls import Button, Segments
from rigview.ui.stage import Stage
from rigview.ui.theme import colour, font
from rigview.ui.view_state import State, ViewState

PATHS: dict[str, Path] = {
    "Rotation": "rotation",
    "Translation": "translation",
    "Scale": "scale",
}
_KINDS = tuple(PATHS)
_AXES = ("x", "y", "z")
# Points along a curve; keys are added to them, so that steps stay steep.
_POINTS = 400


def channel_curves(rig: Rig, clip: Clip, joint: int, kind: str) -> tuple[FloatArray, FloatArray]:
    """Return times ``(n,)`` and values ``(n, 3)`` of a joint's local transform over a clip.

    Rotations are angles about x, y and z in degrees, unwrapped so that they do not jump.
    """
    times = np.unique(np.concatenate([np.linspace(clip.start, clip.end, _POINTS), clip.key_times]))
    nodes, path = rig.nodes, PATHS[kind]
    rest = {
        "translation": nodes.translations,
        "rotation": nodes.rotations,
        "scale": nodes.scales,
    }[path][joint]
    curve = clip.curve(joint, path)
    if curve is None:
        values = np.tile(rest, (len(times), 1))
    else:
        values = curve.at(times, rotation=path == "rotation")
    if path != "rotation":
        return times, values
    return times, np.degrees(np.unwrap(quat.to_euler(values), axis=0))


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

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self._shown: tuple[object, ...] = ()
        self.kind = Segments(_KINDS, 0, "What the curves show")
        self.kind.chosen.connect(self._refresh)
        self.fold = Button("", "caret-down", "ghost", "Fold the plots", 20)
        self.fold.clicked.connect(lambda: self.set_folded(folded=not self.is_folded))
        self._words = label("", "text3", theme.SMALL)
        head = row(
            label("Plots", weight=theme.SEMIBOLD),
            4,
            self.kind,
            None,
            *(_legend(axis) for axis in _AXES),
            self.fold,
            margins=(10, 0, 6, 0),
            spacing=8,
        )
        fill(head, "background2")
        head.setFixedHeight(theme.TITLE)
        self.graph = _Graph(self)
        self.curves = [
            self.graph.plot([], [], pen=pyqtgraph.mkPen(colour(axis), width=1.6)) for axis in _AXES
        ]
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

    def seek(self, frame: float) -> None:
        """Move the time to a frame, fractions allowed."""
        clip, fps = self._stage.clip, self._state.value.fps
        if clip is not None:
            time = min(max(frame / fps, clip.start), clip.end)
            self._state.update(time=time, playing=False)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.time != new.time:
            self.playhead.setValue(new.time * new.fps)
        if (old.joint, old.clip, old.fps) != (new.joint, new.clip, new.fps):
            self._refresh()

    def _refresh(self) -> None:
        rig, clip, state = self._stage.rig, self._stage.clip, self._state.value
        joint = state.joint if rig is not None and (state.joint or 0) < len(rig.nodes) else None
        words = ""
        if rig is None:
            words = "Curves appear with a rig that has clips."
        elif clip is None:
            words = "The rest pose has no curves." if rig.clips else "The file has no clips."
        elif joint is None:
            words = "Select a joint to see its curves."
        if self.maximumHeight() == theme.TITLE:
            return
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self.graph.setVisible(not words)
        if rig is None or clip is None or joint is None:
            return
        key = (rig, clip, joint, self.kind.current, state.fps)
        if all(a is b or a == b for a, b in zip(key, self._shown, strict=False)) and self._shown:
            return
        self._shown = key
        times, values = channel_curves(rig, clip, joint, _KINDS[self.kind.current])
        for curve, column in zip(self.curves, values.T, strict=True):
            curve.setData(times * state.fps, column)
        first, last = clip.start * state.fps, clip.end * state.fps
        self.graph.setXRange(first, max(last, first + 1e-6), padding=0.01)
        low, high = float(values.min()), float(values.max())
        room = max(0.08 * (high - low), 1e-3)
        self.graph.setYRange(low - room, high + room, padding=0)
        self.graph.setAccessibleName(f"{_KINDS[self.kind.current]} of {rig.nodes.label(joint)}")
        self.playhead.setValue(state.time * state.fps)


def _legend(axis: str) -> QWidget:
    """Return a stroke of an axis's colour with its letter."""
    stroke = QLabel()
    picture = QPixmap(10, 10)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.fillRect(0, 4, 10, 3, colour(axis))
    painter.end()
    stroke.setPixmap(picture)
    return row(stroke, label(axis.upper(), "text2", theme.SMALL), spacing=4)
