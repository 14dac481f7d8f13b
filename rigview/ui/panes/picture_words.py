"""Words on the picture: names of joints, the letters of the axes, and messages."""

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from rigview.render import joint_labels, overlay, overlay_legend
from rigview.render.camera import Camera
from rigview.render.overlay import Label
from rigview.ui.stage import Stage
from rigview.ui.view_state import ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font, hex_of

# Pixels that a message covers at the top.
MESSAGE = 28
# Of a small word: the outline about it, the height, and how far down its middle is.
_HALO, _HIGH, _BASE = 3.0, 14.0, 7.0
_WRAPPED = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
_LETTERS = "".join(map(chr, range(33, 127)))


def explain(painter: QPainter, areas: Sequence[QRectF], reasons: Sequence[str]) -> None:
    """Write into the middle of panes why they show no mesh; an empty reason writes nothing."""
    for area, reason in zip(areas, reasons, strict=False):
        if not reason:
            continue
        box = _reason_box(painter, area, reason)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("background0", 0.78))
        painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        painter.setPen(colour("text"))
        painter.drawText(box, _WRAPPED, reason)


def _reason_box(painter: QPainter, area: QRectF, reason: str) -> QRectF:
    """Return the box in the middle of a pane that a reason is written in."""
    painter.setFont(font(theme.BODY))
    box = painter.boundingRect(area.adjusted(20, 20, -20, -20), _WRAPPED, reason)
    return box.adjusted(-8, -5, 8, 5)


def write(
    painter: QPainter,
    stage: Stage,
    state: ViewState,
    areas: Sequence[QRectF],
    message: str,
    reasons: Sequence[str] = (),
) -> None:
    """Write labels over the panes, and a message into the first one.

    Parameters
    ----------
    reasons
        What `explain` writes into the panes: no name of a joint lies there.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    # Panes of one size that show the same pose and give the same reason have the same names.
    known: dict[tuple[int, tuple[float, float], str, Camera], list[Label]] = {}
    for number, area in enumerate(areas):
        side = stage.side(number)
        if side is None:
            return
        look, camera = side.look, state.camera_of(number)
        painter.save()
        painter.setClipRect(area)
        painter.translate(area.topLeft())
        size = (area.width(), area.height())
        says = bool(message) and number == 0
        labels = []
        # One key will do, and in a comparison one for each rig.
        if number < (1 if stage.guest is None else 2):
            labels = overlay_legend.labels(side.deformer, look, MESSAGE if says else 0.0)
        reason = reasons[number] if number < len(reasons) else ""
        seen = id(side.frame), size, reason, camera
        if seen not in known:
            whole = QRectF(QPointF(), area.size())
            box = _reason_box(painter, whole, reason)
            covered = [(box.left(), box.top(), box.right(), box.bottom())] if reason else []
            known[seen] = joint_labels.joint_labels(
                side.deformer, side.frame, look, camera, size, covered
            )
        labels += known[seen]
        labels += overlay.gizmo(camera, area.height(), look)[1]
        for item in labels:
            _write_label(painter, item, area.width())
        if message and number == 0:
            painter.setFont(font(theme.BODY))
            painter.setPen(colour("text2"))
            painter.drawText(QPointF(10, 19), message)
        painter.restore()


def rehearse(painter: QPainter) -> None:
    """Write something of every kind, so that fonts and programs are there when it matters."""
    # More letters come after the first, as in use: their cache grows by a program of its own.
    for text, small in (("joint", False), (_LETTERS, False), ("X", True)):
        _write_label(painter, Label(text, 8.0, 8.0, "text", backed=not small, small=small), 900.0)


def _write_label(painter: QPainter, item: Label, width: float) -> None:
    if item.small:
        ratio = painter.device().devicePixelRatio()
        word = _word(item.text, hex_of(item.colour), hex_of("viewport_bottom"), ratio)
        wide = word.deviceIndependentSize().width() - 2 * _HALO
        share = 1.0 if item.ends else 0.5 if len(item.text) == 1 else 0.0
        corner = QPointF(item.x - share * wide - _HALO, item.y - _BASE - _HALO)
        # Between the pixels of the screen it would be blurred.
        painter.drawPixmap(QPointF((corner * ratio).toPoint()) / ratio, word)
        return
    painter.setFont(font(theme.SMALL, theme.SEMIBOLD))
    advance = painter.fontMetrics().horizontalAdvance(item.text) + 12
    box = QRectF(min(item.x, width - advance - 6), item.y, advance, 18)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("background0", 0.78))
    painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
    painter.setPen(colour(item.colour))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, item.text)


@lru_cache(maxsize=2048)
def _word(text: str, ink: str, ground: str, ratio: float) -> QPixmap:
    """Return a small word within an outline; painting it anew for each frame takes half a millisecond."""
    face = font(theme.TICK, theme.SEMIBOLD)
    wide = QFontMetricsF(face).horizontalAdvance(text)
    picture = QPixmap((QSizeF(wide, _HIGH) + QSizeF(2, 2) * _HALO).toSize() * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    path = QPainterPath()
    path.addText(QPointF(_HALO, _HALO + _BASE + 0.38 * QFontMetricsF(face).ascent()), face, text)
    outline = QColor(ground)
    outline.setAlphaF(0.9)
    pen = QPen(outline, 3)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.strokePath(path, pen)
    painter.fillPath(path, QColor(ink))
    painter.end()
    return picture
