"""The legend below the panes: what the colours of scalar shading mean."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from rigview.assets import colour_map
from rigview.render.scene import joint_weights
from rigview.ui import theme
from rigview.ui.stage import Stage
from rigview.ui.theme import colour, font
from rigview.ui.view_state import State, ViewState

_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class Legend(QWidget):
    """The colour map of the selected joint's weights, with a marker at the selected vertex."""

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self.setFixedHeight(38)
        self._joint, self._counts = "", ""
        self._marker: float | None = None
        stage.rig_changed.connect(self._refresh)
        state.changed.connect(self._follow)
        self._refresh()

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if (old.shading, old.joint, old.vertex) != (new.shading, new.joint, new.vertex):
            self._refresh()

    def _refresh(self) -> None:
        deformer, joint, vertex = self._stage.deformer, self._stage.joint, self._stage.vertex
        shown = self._state.value.shading == "weights" and deformer is not None
        self.setVisible(shown)
        if deformer is None or not shown:
            return
        if joint is None:
            self.show_weights("", "Select a joint to see its weights.", None)
            return
        shares = [joint_weights(deformer, i, joint) for i in range(len(deformer.rig.parts))]
        total = sum(len(s) for s in shares)
        moved = sum(int((s != 0.0).sum()) for s in shares)
        marker = float(shares[vertex[0]][vertex[1]]) if vertex is not None else None
        words = f"{moved:,} of {total:,} vertices · lines every 0.25".replace(",", " ")
        self.show_weights(deformer.rig.nodes.label(joint), words, marker)

    def show_weights(self, joint: str, counts: str, marker: float | None) -> None:
        """Name the joint, say how many vertices it moves, and mark one weight."""
        self._joint, self._counts, self._marker = joint, counts, marker
        self.setAccessibleName(f"Weight of {joint}: {counts}" if joint else counts)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), colour("background1"))
        painter.setFont(font())
        painter.setPen(colour("text2"))
        if not self._joint:
            painter.drawText(QRectF(12, 0, self.width() - 24, 38), _LEFT, self._counts)
            return
        painter.drawText(QRectF(12, 0, 64, 38), _LEFT, "Weight of")
        painter.setFont(font(theme.BODY, theme.SEMIBOLD))
        painter.setPen(colour("text"))
        name = painter.fontMetrics().elidedText(self._joint, Qt.TextElideMode.ElideMiddle, 100)
        painter.drawText(QRectF(74, 0, 104, 38), _LEFT, name)
        self._swatch(painter, 184.0)
        x = 232.0
        width = min(290.0, self.width() - x - 256.0)
        self._ramp(painter, x, width)
        painter.setFont(font(theme.SMALL, numbers=True))
        painter.setPen(colour("text2"))
        left = x + width + 24
        painter.drawText(QRectF(left, 0, self.width() - left - 12, 38), _RIGHT, self._counts)

    def _swatch(self, painter: QPainter, x: float) -> None:
        painter.setPen(QPen(colour("edge"), 1))
        painter.setBrush(colour("zero"))
        painter.drawRoundedRect(QRectF(x, 8, 22, 10), 2, 2)
        painter.setFont(font(theme.TICK, numbers=True))
        painter.setPen(colour("text2"))
        painter.drawText(QRectF(x - 10, 20, 42, 14), Qt.AlignmentFlag.AlignCenter, "none")

    def _ramp(self, painter: QPainter, x: float, width: float) -> None:
        colours = colour_map("viridis")
        gradient = QLinearGradient(x, 0, x + width, 0)
        for i in range(17):
            gradient.setColorAt(i / 16, colours[round(255 * i / 16)])
        painter.setPen(QPen(colour("edge"), 1))
        painter.setBrush(gradient)
        painter.drawRoundedRect(QRectF(x, 8, width, 10), 2, 2)
        painter.setPen(colour("text2"))
        for value in _TICKS:
            at = x + width * value
            painter.fillRect(QRectF(at - 0.5, 18, 1, 3), colour("text3"))
            text = ">0" if value == 0.0 else f"{value:g}"
            painter.drawText(QRectF(at - 20, 20, 40, 14), Qt.AlignmentFlag.AlignCenter, text)
        if self._marker is not None:
            at = x + width * min(max(self._marker, 0.0), 1.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("text"))
            painter.drawPolygon(QPolygonF([QPointF(at, 9), QPointF(at - 4, 2), QPointF(at + 4, 2)]))
