"""The rings about the selected joint: drag one to try a rotation, which is never saved."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.motion.joint_limits import JointLimits
from rigview.render import rotate_rings
from rigview.render.rotate_rings import TWIST, WORDS, Rings
from rigview.ui.joint_ranges import usual_axes
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr

_AXES = ("x", "y", "z")
# Widths of lines: the ring about the bone, the two across it, their far sides, and the halo about them.
_TWIST_WIDE, _BEND_WIDE, _FAR_WIDE, _HALO = 3.6, 2.6, 1.4, 2.0
_FAR = 0.38
# Degrees that Ctrl snaps to; Shift turns by a tenth.
SNAP = 15.0
_FINE = 0.1
# A pane this wide has room for the hints between the letters of the axes and its edge.
_ROOMY = 560
_HINTS = (("Ctrl", f"{SNAP:.0f}°"), ("Shift", "÷10"), ("Esc", "back"))


@dataclass
class _Drag:
    """A ring that is held.

    Parameters
    ----------
    start, last
        Angle of the ring under the cursor when it was pressed, and now, radians.
    turned
        Radians turned since, before snapping.
    axis
        ``(3,)`` the ring's axis in the frame of the joint when it was pressed.
    trial
        ``(3,)`` the joint's trial degrees when it was pressed; None where it had none.
    rings
        As they were when one was pressed, so that they do not turn away under the hand.
    """

    ring: int
    start: float
    last: float
    axis: FloatArray
    trial: tuple[float, float, float] | None
    rings: Rings
    turned: float = 0.0
    applied: float = 0.0


class RotateGizmo:
    """Draws the rings in the current pane and turns the joint; the panes hand it mouse and painter."""

    def __init__(self, stage: Stage, state: State) -> None:
        self._stage, self._state = stage, state
        self._hovered: int | None = None
        self._drag: _Drag | None = None

    @property
    def joint(self) -> int | None:
        """The joint that has rings; None while there are none."""
        deformer, joint = self._stage.deformer, self._stage.joint
        shown = self._state.value.rotating and self._stage.guest is None
        return joint if shown and deformer is not None and joint in deformer.rig.joints else None

    @property
    def is_held(self) -> bool:
        """Whether a ring is being dragged."""
        return self._drag is not None

    def rings(self, height: float) -> Rings | None:
        """Return the rings as they are in a pane of a height; None without any."""
        deformer, frame, joint = self._stage.deformer, self._stage.frame, self.joint
        if self._drag is not None:
            return self._drag.rings
        if deformer is None or frame is None or joint is None:
            return None
        return rotate_rings.rings_of(deformer, frame, joint, self._state.value.camera, height)

    def hover(self, place: QPointF, area: QRectF) -> bool:
        """Follow the mouse without a button; return whether another ring lights up."""
        before, self._hovered = self._hovered, self.hit(place, area)
        return before != self._hovered

    def hit(self, place: QPointF, area: QRectF) -> int | None:
        """Return which ring is under a place in a pane; None for none."""
        rings = self.rings(area.height())
        if rings is None:
            return None
        at = place - area.topLeft()
        size = (area.width(), area.height())
        return rotate_rings.hit(rings, self._state.value.camera, (at.x(), at.y()), size)

    def press(self, place: QPointF, area: QRectF) -> bool:
        """Take hold of the ring under the cursor; return whether there is one."""
        rings, ring = self.rings(area.height()), self.hit(place, area)
        frame, joint = self._stage.frame, self.joint
        if rings is None or ring is None or frame is None or joint is None:
            return False
        rotation = affine.polar(frame.model_from_node[joint][:3, :3])[0]
        angle = self._angle(rings, ring, place, area)
        trial = self._state.value.trial.get(joint)
        axis = rotation.T @ rings.axes[ring]
        self._drag = _Drag(ring, angle, angle, axis, trial, rings)
        return True

    def _angle(self, rings: Rings, ring: int, place: QPointF, area: QRectF) -> float:
        at, size = place - area.topLeft(), (area.width(), area.height())
        camera = self._state.value.camera
        return rotate_rings.angle_at(rings, ring, camera, (at.x(), at.y()), size)

    def move(self, place: QPointF, area: QRectF, held: Qt.KeyboardModifier) -> None:
        """Turn the joint with the ring that is held."""
        drag, joint = self._drag, self.joint
        if drag is None or joint is None:
            return
        now = self._angle(drag.rings, drag.ring, place, area)
        step = math.remainder(now - drag.last, math.tau)
        drag.last = now
        drag.turned += step * (_FINE if held & Qt.KeyboardModifier.ShiftModifier else 1.0)
        drag.applied = drag.turned
        if held & Qt.KeyboardModifier.ControlModifier:
            drag.applied = math.radians(SNAP) * round(drag.turned / math.radians(SNAP))
        before = np.array(drag.trial or (0.0, 0.0, 0.0))
        x, y, z = rotate_rings.turned(before, drag.axis, drag.applied).tolist()
        self._state.update(trial=self._state.value.trial | {joint: (x, y, z)})

    def release(self) -> None:
        """Let go of the ring."""
        self._drag = None

    def cancel(self) -> bool:
        """Give the joint back the rotation that it had; return whether a ring was held."""
        drag, joint = self._drag, self.joint
        self._drag = None
        if drag is None or joint is None:
            return False
        trial = {k: v for k, v in self._state.value.trial.items() if k != joint}
        self._state.update(trial=trial if drag.trial is None else trial | {joint: drag.trial})
        return True

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Draw rings, wedge and angles into a pane."""
        rings, deformer, frame = self.rings(area.height()), self._stage.deformer, self._stage.frame
        joint = self.joint
        if rings is None or deformer is None or frame is None or joint is None:
            return
        painter.save()
        painter.setClipRect(area)
        painter.translate(area.topLeft())
        size = (area.width(), area.height())
        if self._drag is not None:
            self._draw_wedge(painter, self._drag, size)
        for ring in range(3):
            self._draw_ring(painter, rings, ring, size)
        self._draw_centre(painter, rings, size)
        bend, twist = rotate_rings.bend_and_twist(deformer, frame, joint)
        lit = self._drag.ring if self._drag is not None else self._hovered
        if lit is not None:
            self._draw_word(painter, rings, lit, (bend, twist), size)
        axes = usual_axes(deformer, joint)
        usual = None if axes is None else axes.limits
        self._draw_readout(painter, usual, (bend, twist), area)
        painter.restore()

    def _draw_ring(
        self, painter: QPainter, rings: Rings, ring: int, size: tuple[float, float]
    ) -> None:
        seen = self._state.value.camera.project(rings.points(ring), *size)
        if not np.isfinite(seen).all():
            return
        near = rings.faces(ring, self._state.value.camera)
        token = _AXES[rings.colours[ring]]
        lit = ring == (self._drag.ring if self._drag is not None else self._hovered)
        wide = (_TWIST_WIDE if ring == TWIST else _BEND_WIDE) + (1.4 if lit else 0.0)
        far, front = _paths(seen, ~near), _paths(seen, near)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(colour(token, _FAR), _FAR_WIDE, Qt.PenStyle.DashLine)
        painter.strokePath(far, pen)
        halo = QPen(colour("background0", 0.7), wide + 2 * _HALO)
        line = QPen(colour(token), wide)
        for pen in (halo, line):
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.strokePath(front, pen)

    def _draw_wedge(self, painter: QPainter, drag: _Drag, size: tuple[float, float]) -> None:
        """Fill the angle between where the ring was pressed and where it is."""
        first, second = drag.rings.spokes(drag.ring)
        count = max(2, int(abs(drag.applied) / math.radians(3.0)))
        angles = drag.start + np.linspace(0.0, drag.applied, count + 1)
        spokes = np.cos(angles)[:, None] * first + np.sin(angles)[:, None] * second
        points = np.concatenate(
            [drag.rings.centre[None], drag.rings.centre + drag.rings.radius * spokes]
        )
        seen = self._state.value.camera.project(points, *size)
        if np.isfinite(seen).all():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(_AXES[drag.rings.colours[drag.ring]], 0.28))
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in seen[:, :2].tolist()]))

    def _draw_centre(self, painter: QPainter, rings: Rings, size: tuple[float, float]) -> None:
        x, y, _ = self._state.value.camera.project(rings.centre[None], *size)[0].tolist()
        if math.isfinite(x) and math.isfinite(y):
            painter.setPen(QPen(colour("background0"), 2.0))
            painter.setBrush(colour("accent"))
            painter.drawEllipse(QPointF(x, y), 4.5, 4.5)

    def _draw_word(
        self,
        painter: QPainter,
        rings: Rings,
        ring: int,
        angles: tuple[float, float],
        size: tuple[float, float],
    ) -> None:
        """Write beside a ring what it does, its angle, and the change since it was pressed."""
        value = angles[1] if ring == TWIST else angles[0]
        words = f"{tr(WORDS[ring])} {_degrees(value)}"
        if self._drag is not None:
            words += f"  {math.degrees(self._drag.applied):+.1f}°".replace("-", "−")
        seen = self._state.value.camera.project(rings.points(ring), *size)
        if not np.isfinite(seen).all():
            return
        x, y = seen[int(np.argmin(seen[:, 1])), :2].tolist()
        painter.setFont(font(theme.SMALL, theme.SEMIBOLD, numbers=True))
        wide = QFontMetricsF(painter.font()).horizontalAdvance(words) + 12
        left = min(max(x - wide / 2, 4.0), max(size[0] - wide - 4.0, 4.0))
        box = QRectF(left, max(y - 26.0, 30.0), wide, 18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("background0", 0.78))
        painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        painter.setPen(colour("text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def _draw_readout(
        self,
        painter: QPainter,
        usual: JointLimits | None,
        angles: tuple[float, float],
        area: QRectF,
    ) -> None:
        """Write bend and twist at the bottom; amber beyond the usual range of the joint."""
        bend, twist = angles
        parts = [
            (
                tr("bend {bend}", bend=_degrees(bend)),
                "warning" if usual and bend > _most_bend(usual) else "text",
            ),
            (
                tr("twist {twist}", twist=_degrees(twist)),
                "warning" if usual and _beyond(usual, twist) else "text",
            ),
        ]
        if area.width() >= _ROOMY:
            parts.append(("not saved", "text3"))
            parts += [(f"{key} {what}", "text2") for key, what in _HINTS]
        painter.setFont(font(theme.SMALL, theme.MEDIUM, numbers=True))
        advance = QFontMetricsF(painter.font()).horizontalAdvance
        widths = [advance(words) + 14 for words, _ in parts]
        left = (area.width() - sum(widths)) / 2
        box = QRectF(left - 6, area.height() - 36, sum(widths) + 4, 24)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("background0", 0.78))
        painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        for (words, token), wide in zip(parts, widths, strict=True):
            painter.setPen(colour(token))
            place = QRectF(left, box.top(), wide, box.height())
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), words)
            left += wide


def _paths(seen: FloatArray, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> QPainterPath:
    """Return the part of a ring between chosen points."""
    path = QPainterPath()
    points = [QPointF(x, y) for x, y in seen[:, :2].tolist()]
    for i in range(len(points) - 1):
        if chosen[i] or chosen[i + 1]:
            if i == 0 or not (chosen[i - 1] or chosen[i]):
                path.moveTo(points[i])
            path.lineTo(points[i + 1])
    return path


def _degrees(value: float) -> str:
    return f"{value:.1f}°".replace("-", "−")


def _most_bend(usual: JointLimits) -> float:
    return max(abs(angle) for angle in (*usual.flex[1:], *usual.swing[1:]))


def _beyond(usual: JointLimits, twist: float) -> bool:
    # Which way is positive depends on the side of the body: the wider of the two ways counts.
    return abs(twist) > max(map(abs, usual.twist))
