"""The legend below the panes: what the colours of scalar shading mean."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QLinearGradient, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from rigview.assets import colour_map
from rigview.core.deform import Deformer
from rigview.core.mask import mask_of
from rigview.core.skinning import ASKED
from rigview.render.look import COMPARING, Shading
from rigview.render.scalars import (
    DIFFERENCE_RANGE,
    SCALARS,
    Scale,
    changes_scale,
    count_top,
    influence_counts,
)
from rigview.ui import theme
from rigview.ui.stage import Stage
from rigview.ui.theme import colour, font
from rigview.ui.view_state import State, ViewState

_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


def _spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def weights_scale(stage: Stage, _view: ViewState, deformer: Deformer) -> Scale:
    """Explain the weights of the selected joint."""
    joint, vertex = stage.joint, stage.vertex
    if joint is None:
        return Scale("Select a joint to see its weights.")
    shares = [deformer.joint_weights(i, joint) for i in range(len(deformer.rig.parts))]
    total = sum(len(s) for s in shares)
    moved = sum(int((s != 0.0).sum()) for s in shares)
    marker = float(shares[vertex[0]][vertex[1]]) if vertex is not None else None
    ticks = ((0.0, ">0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1"))
    words = f"{_spaced(moved)} of {_spaced(total)} vertices · lines every 0.25"
    name = deformer.rig.nodes.label(joint)
    return Scale("Weight of", name, "viridis", ticks, words, marker)


def count_scale(stage: Stage, _view: ViewState, deformer: Deformer) -> Scale:
    """Explain the numbers of influences."""
    counts = [influence_counts(deformer, i) for i in range(len(deformer.rig.parts))]
    top, vertex = count_top(deformer), stage.vertex
    step = max(1, -(-top // 6))
    ticks = tuple((n / top, str(n)) for n in range(step, top + 1, step))
    marker = float(counts[vertex[0]][vertex[1]]) / top if vertex is not None else None
    everything = np.concatenate([np.zeros(0), *counts])
    four = int((everything > 4).sum())
    words = f"{_spaced(four)} of {_spaced(len(everything))} vertices have more than 4"
    return Scale("Influences", "per vertex", "viridis", ticks, words, marker)


def mask_scale(stage: Stage, _view: ViewState, deformer: Deformer) -> Scale:
    """Explain the painted mask."""
    masks = [mask_of(deformer.rig, part) for part in deformer.rig.parts]
    everything = np.concatenate([np.zeros(0), *masks])
    less, vertex = int((everything < 1.0).sum()), stage.vertex
    marker = float(masks[vertex[0]][vertex[1]]) if vertex is not None else None
    ticks = ((0.0, ">0"), (0.5, "0.5"), (1.0, "1"))
    words = f"{_spaced(less)} of {_spaced(len(everything))} vertices below 1"
    return Scale("Compensation", "mask", "viridis", ticks, words, marker)


def difference_scale(_stage: Stage, view: ViewState, deformer: Deformer) -> Scale:
    """Explain how far the panes stand from the first one."""
    reach = 1000.0 * DIFFERENCE_RANGE * deformer.size
    share = f"{100.0 * DIFFERENCE_RANGE:g} %"
    ends = (
        (0.0, f"≤−{reach:.2g}"),
        (0.25, f"−{reach / 2:.2g}"),
        (0.5, "0"),
        (0.75, f"{reach / 2:.2g}"),
        (1.0, f"≥{reach:.2g}"),
    )
    first = ASKED[view.methods[0]].label if len(view.methods) > 1 else ASKED["lbs"].label
    words = f"mm outward · ends at {share} of size"
    return Scale("Distance to", first, "CET-D1", ends, words)


def comparing_scale(stage: Stage, view: ViewState, _deformer: Deformer) -> Scale:
    """Explain what changed since another file."""
    if stage.guest is None:
        return Scale("Compare with another file to see what changed.")
    return changes_scale(view.shading, stage.guest.difference.heat)


# What each scalar shading says; a new one is a row here and in render.scalars.
_SCALES: dict[Shading, Callable[[Stage, ViewState, Deformer], Scale]] = {
    "weights": weights_scale,
    "count": count_scale,
    "mask": mask_scale,
    "difference": difference_scale,
    **dict.fromkeys(COMPARING, comparing_scale),
}


class Legend(QWidget):
    """The colour map of the present shading, with a marker at the selected vertex."""

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self.setFixedHeight(38)
        self.scale = Scale("")
        stage.rig_changed.connect(self._refresh)
        state.changed.connect(self._follow)
        self._refresh()

    def _follow(self, old: ViewState, new: ViewState) -> None:
        read = ("shading", "joint", "vertex", "methods")
        if any(getattr(old, name) != getattr(new, name) for name in read):
            self._refresh()

    def _refresh(self) -> None:
        deformer, view = self._stage.deformer, self._state.value
        shown = view.shading in SCALARS and deformer is not None
        self.setVisible(shown)
        if deformer is None or not shown:
            return
        self.scale = _SCALES[view.shading](self._stage, view, deformer)
        words = (self.scale.title, self.scale.name, self.scale.words)
        self.setAccessibleName(" ".join(filter(None, words)))
        self.setToolTip(self.scale.words)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), colour("background1"))
        painter.setFont(font())
        painter.setPen(colour("text2"))
        if not self.scale.name:
            painter.drawText(QRectF(12, 0, self.width() - 24, 38), _LEFT, self.scale.title)
            return
        start = 12 + painter.fontMetrics().horizontalAdvance(self.scale.title) + 6
        painter.drawText(QRectF(12, 0, start, 38), _LEFT, self.scale.title)
        painter.setFont(font(theme.BODY, theme.SEMIBOLD))
        painter.setPen(colour("text"))
        room = 178.0 - start
        elide = painter.fontMetrics().elidedText
        name = elide(self.scale.name, Qt.TextElideMode.ElideMiddle, int(room))
        painter.drawText(QRectF(start, 0, room + 2, 38), _LEFT, name)
        self._swatch(painter, 184.0)
        x = 236.0
        said = font(theme.SMALL, numbers=True)
        words = QFontMetricsF(said)
        room = self.width() - x - words.horizontalAdvance(self.scale.words) - 46.0
        width = min(290.0, max(room, 160.0))
        self._ramp(painter, x, width)
        painter.setFont(said)
        painter.setPen(colour("text2"))
        left = x + width + 30
        room = self.width() - left - 12.0
        text = words.elidedText(self.scale.words, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(left, 0, room, 38), _RIGHT, text)

    def _swatch(self, painter: QPainter, x: float) -> None:
        painter.setPen(QPen(colour("edge"), 1))
        painter.setBrush(colour("zero"))
        painter.drawRoundedRect(QRectF(x, 8, 22, 10), 2, 2)
        painter.setFont(font(theme.TICK, numbers=True))
        painter.setPen(colour("text2"))
        painter.drawText(QRectF(x - 10, 20, 42, 14), Qt.AlignmentFlag.AlignCenter, "none")

    def _ramp(self, painter: QPainter, x: float, width: float) -> None:
        colours = colour_map(self.scale.colour_map)
        gradient = QLinearGradient(x, 0, x + width, 0)
        for i in range(17):
            gradient.setColorAt(i / 16, colours[round(255 * i / 16)])
        painter.setPen(QPen(colour("edge"), 1))
        painter.setBrush(gradient)
        painter.drawRoundedRect(QRectF(x, 8, width, 10), 2, 2)
        painter.setPen(colour("text2"))
        for place, text in self.scale.ticks:
            at = x + width * place
            painter.fillRect(QRectF(at - 0.5, 18, 1, 3), colour("text3"))
            painter.drawText(QRectF(at - 40, 20, 80, 14), Qt.AlignmentFlag.AlignCenter, text)
        if self.scale.marker is not None:
            at = x + width * min(max(self.scale.marker, 0.0), 1.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("text"))
            painter.drawPolygon(QPolygonF([QPointF(at, 9), QPointF(at - 4, 2), QPointF(at + 4, 2)]))
