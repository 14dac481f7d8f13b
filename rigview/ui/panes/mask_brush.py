"""The brush of the compensation mask: what a drag touches, marked while it goes on."""

from PySide6.QtCore import QPointF, QRectF, Qt

from rigview.core.arrays import IntArray
from rigview.core.skinning import ASKED
from rigview.render.picking import brushed, merged
from rigview.ui.stage import Stage
from rigview.ui.view_state import State


class MaskPainter:
    """Gathers the vertices under the brush; the panes hand it the mouse."""

    def __init__(self, stage: Stage, state: State) -> None:
        self._stage, self._state = stage, state
        self._stroke: dict[int, list[IntArray]] | None = None

    @property
    def is_held(self) -> bool:
        """Whether a stroke is under way."""
        return self._stroke is not None

    def press(self, place: QPointF, pane: tuple[int, QRectF], held: Qt.KeyboardModifier) -> None:
        """Begin a stroke where the mask is painted and no key is held."""
        if self._state.value.brush is not None and held == Qt.KeyboardModifier.NoModifier:
            self._stroke = {}
            self.move(place, pane)

    def move(self, place: QPointF, pane: tuple[int, QRectF]) -> None:
        """Add what is under the brush to the stroke."""
        view, side = self._state.value, self._stage.side(0)
        if side is None or view.brush is None or self._stroke is None:
            return
        number, area = pane
        at = (place.x() - area.x(), place.y() - area.y())
        size, method = (area.width(), area.height()), ASKED[self._stage.methods[number]]
        for i, part in enumerate(side.deformer.rig.parts):
            if part.node in view.hidden or not side.deformer.is_skinned(part):
                continue
            skinned = side.deformer.skin(i, side.frame, method, view.options)
            touched = brushed(skinned, view.camera_of(number), at, size, view.brush.radius)
            if len(touched):
                self._stroke.setdefault(i, []).append(touched)
        marks = ((i, tuple(v.tolist())) for i, v in merged(self._stroke).items())
        self._state.update(marked=tuple(marks))

    def release(self) -> dict[int, IntArray]:
        """End the stroke and return its vertices by part."""
        stroke, self._stroke = self._stroke, None
        return merged(stroke or {})
