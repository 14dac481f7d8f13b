"""Words on the picture: names of joints, the letters of the axes, and what each pane's method costs."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPainterPath, QPen

from rigview.core.metrics import Shape
from rigview.render import overlay
from rigview.render.overlay import Label
from rigview.render.review import shape_words
from rigview.ui import theme
from rigview.ui.stage import Stage
from rigview.ui.theme import colour, font
from rigview.ui.view_state import ViewState

# Numbers move from the header into the picture where panes are narrower.
NARROW = 280


def write(
    painter: QPainter, stage: Stage, state: ViewState, areas: Sequence[QRectF], message: str
) -> None:
    """Write labels and numbers over the panes, and a message into the first one."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    deformer, frame, look = stage.deformer, stage.frame, stage.look
    if deformer is None or frame is None:
        return
    for number, area in enumerate(areas):
        painter.save()
        painter.setClipRect(area)
        painter.translate(area.topLeft())
        size = (area.width(), area.height())
        labels = overlay.joint_labels(deformer, frame, look, state.camera, size)
        labels += overlay.gizmo(state.camera, area.height(), look)[1]
        for item in labels:
            _write_label(painter, item, area.width())
        if area.width() < NARROW and not message:
            _write_numbers(painter, stage.shapes.get(state.methods[number]))
        if message and number == 0:
            painter.setFont(font(theme.BODY))
            painter.setPen(colour("text2"))
            painter.drawText(QPointF(10, 19), message)
        painter.restore()


def _write_numbers(painter: QPainter, shape: Shape | None) -> None:
    x = 10.0
    for name, value in shape_words(shape) if shape is not None else ():
        for text, size, weight, token in (
            (name, theme.SMALL, QFont.Weight.Normal, "text2"),
            (value, theme.BODY, theme.SEMIBOLD, "text"),
        ):
            painter.setFont(font(size, weight, numbers=True))
            painter.setPen(colour(token))
            painter.drawText(QPointF(x, 19), text)
            x += painter.fontMetrics().horizontalAdvance(text) + (5 if token == "text2" else 12)


def _write_label(painter: QPainter, item: Label, width: float) -> None:
    if item.small:
        painter.setFont(font(theme.TICK, theme.SEMIBOLD))
        metrics = painter.fontMetrics()
        single = len(item.text) == 1
        left = item.x - (metrics.horizontalAdvance(item.text) / 2 if single else 0)
        path = QPainterPath()
        path.addText(QPointF(left, item.y + metrics.ascent() * 0.38), painter.font(), item.text)
        outline = QPen(colour("viewport_bottom", 0.9), 3)
        outline.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, outline)
        painter.fillPath(path, colour(item.colour))
        return
    painter.setFont(font(theme.SMALL, theme.SEMIBOLD))
    advance = painter.fontMetrics().horizontalAdvance(item.text) + 12
    box = QRectF(min(item.x, width - advance - 6), item.y, advance, 18)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("background0", 0.78))
    painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
    painter.setPen(colour(item.colour))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, item.text)
