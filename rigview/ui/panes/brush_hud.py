"""What is drawn about the brush: its ring on the surface, the points in reach, and what it does to them."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from rigview.core.arrays import FloatArray, cross, unit
from rigview.core.text import count
from rigview.render.camera import Camera
from rigview.ui.view_state import WeightBrush
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font

_STEPS = 64
_RING, _HALO = 1.6, 4.0
# More points than this are not drawn one by one.
_MOST_DOTS = 4000
# The tag stands off the ring at 45°.
_TAG = math.radians(45.0)


@dataclass(frozen=True, eq=False)
class Hud:
    """The brush on the skin.

    Parameters
    ----------
    place, normal
        ``(3,)`` in model space.
    points
        ``(n, 3)`` those in reach.
    joint
        The name of the joint that is painted; empty without one.
    weights
        Of the nearest point before the stroke, and now.
    refusal
        Why nothing can be painted; empty where it can.
    """

    place: FloatArray
    normal: FloatArray
    brush: WeightBrush
    points: FloatArray
    joint: str
    weights: tuple[float, float] | None
    refusal: str


def millimetres(metres: float) -> str:
    """Return a length as the HUD writes it."""
    return f"{1000.0 * metres:.3g} mm" if metres < 1.0 else f"{metres:.3g} m"


def draw_hud(painter: QPainter, area: QRectF, camera: Camera, hud: Hud) -> None:
    """Draw the brush into a pane."""
    painter.save()
    painter.setClipRect(area)
    painter.translate(area.topLeft())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    size = area.width(), area.height()
    across = unit(cross(hud.normal, camera.axes[2]))
    if not across.any():
        across = camera.axes[0]
    up = cross(across, hud.normal)
    rings = [_ring(camera, hud, up, across, share, size) for share in (1.0, 0.5)]
    if all(np.isfinite(ring).all() for ring in rings):
        _draw_points(painter, camera.project(hud.points, *size))
        _draw_rings(painter, rings, hud)
        _draw_tag(painter, rings[0], hud, size)
    painter.restore()


def _ring(
    camera: Camera,
    hud: Hud,
    up: FloatArray,
    across: FloatArray,
    share: float,
    size: tuple[float, float],
) -> FloatArray:
    """Return ``(n, 2)`` pixels of a ring on the surface, from the top on."""
    turn = np.linspace(0.0, math.tau, _STEPS + 1)[:, None]
    spokes = np.cos(turn) * up + np.sin(turn) * across
    points = hud.place + share * hud.brush.radius * spokes
    return camera.project(points, *size)[:, :2]


def _path(points: FloatArray) -> QPainterPath:
    path = QPainterPath(QPointF(*points[0].tolist()))
    for x, y in points[1:].tolist():
        path.lineTo(x, y)
    return path


def _draw_points(painter: QPainter, seen: FloatArray) -> None:
    painter.setPen(QPen(colour("background0"), 1.0))
    painter.setBrush(QColor("white"))
    for x, y in seen[np.isfinite(seen).all(axis=1), :2][:_MOST_DOTS].tolist():
        painter.drawEllipse(QPointF(x, y), 2.0, 2.0)


def _draw_rings(painter: QPainter, rings: list[FloatArray], hud: Hud) -> None:
    outer, half = _path(rings[0]), _path(rings[1])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.strokePath(outer, QPen(colour("background0", 0.6), _RING + _HALO))
    painter.strokePath(outer, QPen(colour("off") if hud.refusal else QColor("white"), _RING))
    if hud.refusal:
        return
    arc = rings[0][: 1 + round(hud.brush.strength * _STEPS)]
    if len(arc) > 1:
        painter.strokePath(_path(arc), QPen(colour("accent"), 2.0 * _RING))
    painter.strokePath(half, QPen(QColor(255, 255, 255, 160), 1.0, Qt.PenStyle.DashLine))
    centre = rings[0][:-1].mean(axis=0)
    painter.setPen(QPen(QColor("white"), _RING))
    x, y = centre.tolist()
    painter.drawLine(QPointF(x - 4, y), QPointF(x + 4, y))
    painter.drawLine(QPointF(x, y - 4), QPointF(x, y + 4))


def _draw_tag(painter: QPainter, ring: FloatArray, hud: Hud, size: tuple[float, float]) -> None:
    """Write joint and weight beside the ring, and below what the brush does."""
    lines = [hud.refusal] if hud.refusal else list(_words(hud))
    painter.setFont(font(theme.SMALL, theme.MEDIUM, numbers=True))
    measure = QFontMetricsF(painter.font())
    wide = max(measure.horizontalAdvance(line) for line in lines) + 16
    high = 18.0 * len(lines) + 6
    centre = ring[:-1].mean(axis=0)
    reach = float(np.linalg.norm(ring[:-1] - centre, axis=1).max()) + 10.0
    x = float(centre[0]) + reach * math.cos(_TAG)
    y = float(centre[1]) - reach * math.sin(_TAG) - high
    if x + wide > size[0] - 4.0:
        x = float(centre[0]) - reach * math.cos(_TAG) - wide
    left = min(max(x, 4.0), max(size[0] - wide - 4.0, 4.0))
    box = QRectF(left, min(max(y, 4.0), max(size[1] - high - 4.0, 4.0)), wide, high)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("background0", 0.78))
    painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
    for number, line in enumerate(lines):
        painter.setPen(colour("warning" if hud.refusal else "text" if number == 0 else "text2"))
        row = QRectF(box.left() + 8, box.top() + 3 + 18 * number, wide - 16, 18)
        painter.drawText(row, int(Qt.AlignmentFlag.AlignVCenter), line)


def _words(hud: Hud) -> tuple[str, str]:
    brush = hud.brush
    head = hud.joint or "all joints"
    if hud.weights is not None:
        before, after = hud.weights
        head += f"  {before:.2f}" + (f" → {after:.2f}" if abs(after - before) > 5e-3 else "")
    number = count(len(hud.points), "vertex")
    return head, f"{brush.tool} · {millimetres(brush.radius)} · {number}"
