"""Painting weights: the brush on and off, and each stroke as one undo step."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from rigview.core.arrays import IntArray
from rigview.core.sentence import Sentence
from rigview.core.weights import flooding
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import BrushPoints, Edited
from rigview.core.weights.skin_points import SkinPoints
from rigview.ui.document import Document
from rigview.ui.panes.viewport import Panes
from rigview.ui.panes.weight_strip import WeightStrip
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState, WeightBrush
from rigview.ui.widgets.words import tr
from rigview.ui.workers.weight_editing import WeightEditor

# The radius that a brush begins with, as a share of the rig's size.
_RADIUS = 0.01


class WeightPainting(QObject):
    """Turns the weight brush on and off, and its strokes into changes of the document."""

    said = Signal(str, bool)

    def __init__(
        self,
        document: Document,
        stage: Stage,
        state: State,
        panes: Panes,
        strip: WeightStrip,
        editor: WeightEditor,
    ) -> None:
        super().__init__()
        self._stage, self._state, self._panes = stage, state, panes
        self._strip, self._editor = strip, editor
        # The brush as it was left, for the next time.
        self._brush: WeightBrush | None = None
        panes.weights.editor = editor
        panes.weights.stroked.connect(self._take)
        panes.weights.picked.connect(self._take_value)
        panes.weights.said.connect(lambda words: self.said.emit(words, False))
        strip.changed.connect(lambda brush: self._state.update(weight_brush=brush))
        strip.flooded.connect(self.flood)
        strip.left.connect(self.leave)
        state.changed.connect(self._follow)
        document.opened.connect(self._forget)

    @property
    def is_active(self) -> bool:
        """Whether a drag paints weights."""
        return self._state.value.weight_brush is not None

    def start(self) -> None:
        """Let a drag paint weights, and show them."""
        deformer = self._stage.deformer
        if deformer is None or self.is_active:
            return
        if not deformer.skins:
            self.said.emit("This mesh is not skinned: it has no weights to paint.", False)
            return
        brush = self._brush or WeightBrush(radius=_RADIUS * deformer.size)
        self._state.update(weight_brush=brush, shading="weights", playing=False)
        self._editor.ask()

    def leave(self) -> None:
        """Let a drag orbit again."""
        self._panes.weights.cancel()
        self._state.update(weight_brush=None)

    def _forget(self) -> None:
        self.leave()
        self._brush = None

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.weight_brush is new.weight_brush:
            return
        if new.weight_brush is not None:
            self._brush = new.weight_brush
            self._strip.show_brush(new.weight_brush)
        self._strip.setVisible(new.weight_brush is not None)

    def _take(self, edited: Edited, words: str) -> None:
        self._editor.take_edited(edited, words)

    def _take_value(self, value: float) -> None:
        brush = self._state.value.weight_brush
        if brush is not None:
            self._state.update(weight_brush=replace(brush, tool="replace", value=round(value, 4)))
            self.said.emit(tr("The brush sets {value:.4f} now.", value=value), False)

    def flood(self) -> None:
        """Do to all chosen vertices what the brush does."""
        brush, joint, rig = self.brush, self._stage.joint, self._stage.rig
        if rig is None:
            return
        name = "" if joint is None else rig.nodes.label(joint)

        def edit(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
            if BrushPoints(brush.tool).of_one_joint and joint not in of.column_of:
                return Edited(of, points[:0])
            position = 0 if joint is None else of.column_of.get(joint, 0)
            tool = BrushPoints(brush.tool, position, brush.value, brush.strength)
            return flooding.flood(of, points, tool, free)

        def words(vertices: str) -> str:
            if not BrushPoints(brush.tool).of_one_joint:
                smoothed = brush.tool == "smooth"
                return tr(
                    "Smooth {vertices}" if smoothed else "Sharpen {vertices}", vertices=vertices
                )
            return tr(
                "Flood {joint}: {tool} {value:.4g} on {vertices}",
                joint=name,
                tool=Sentence(brush.tool),
                value=brush.value,
                vertices=vertices,
            )

        self._editor.edit(edit, words)

    @property
    def brush(self) -> WeightBrush:
        """The brush as it is, or as it was left."""
        return self._state.value.weight_brush or self._brush or WeightBrush()
