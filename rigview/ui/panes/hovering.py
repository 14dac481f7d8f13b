"""What a click would select, lit up under the mouse: drawn over the panes, which are not redrawn."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from rigview.core.skinning import ASKED
from rigview.core.text import one_line, shortened
from rigview.ui.panes.axis_corner import AxisCorner
from rigview.ui.panes.selecting import Selecting, Target
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font

# The mouse may go on while the last place is looked at: milliseconds.
_PAUSE = 12
_RING, _DOT, _MARGIN = 6.0, 4.0, 10.0
_MOST_LETTERS = 40


@dataclass(frozen=True)
class _Shown:
    """A target in the canvas's pixels: a joint's bone, or a vertex, whose ends are one; and its name."""

    target: Target
    head: QPointF
    tail: QPointF
    name: str
    area: QRectF


class Hovering(QWidget):
    """Lies over the canvas, takes no mouse, and paints what is under it."""

    def __init__(self, canvas: QWidget, stage: Stage, state: State, selecting: Selecting) -> None:
        super().__init__(canvas)
        self._stage, self._state, self._selecting = stage, state, selecting
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setGeometry(canvas.rect())
        canvas.installEventFilter(self)
        self._place: tuple[QPointF, tuple[int, QRectF]] | None = None
        self._shown: _Shown | None = None
        self.axes = AxisCorner(canvas, state)
        self.quiet_timer = QTimer(self)
        self.quiet_timer.setSingleShot(True)
        self.quiet_timer.setInterval(_PAUSE)
        self.quiet_timer.timeout.connect(self._look)
        stage.rig_changed.connect(self.leave)
        stage.pose_changed.connect(self.leave)
        state.changed.connect(self.leave)

    @property
    def target(self) -> Target | None:
        """What is lit up."""
        return None if self._shown is None else self._shown.target

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as the canvas."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def move_to(self, place: QPointF, pane: tuple[int, QRectF] | None) -> None:
        """Hear where the mouse is; what is there is looked for once it rests a moment."""
        self._place = None if pane is None else (place, pane)
        if not self.quiet_timer.isActive():
            self.quiet_timer.start()

    def leave(self, *_: object) -> None:
        """Light nothing up until the mouse moves again."""
        self._place = None
        self.quiet_timer.stop()
        self._leave_axes()
        self._show(None)

    def _look(self) -> None:
        view = self._state.value
        # A tool takes what is under the mouse otherwise, and what moves would have to be looked for again.
        tools = view.playing, view.brush, view.weight_brush, view.note_tool
        if self._place is None or any(tools):
            self._leave_axes()
            self._show(None)
            return
        place, (pane, area) = self._place
        self._leave_axes()
        if self.axes.hover(place, (pane, area)):
            self.update(self.axes.bounds.toAlignedRect())
            self._show(None)
            return
        target = self._selecting.target(place, pane, area)
        self._show(None if target is None else self._shown_of(target, pane, area))

    def _leave_axes(self) -> None:
        self.update(self.axes.bounds.toAlignedRect())
        self.axes.leave()

    def _shown_of(self, target: Target, pane: int, area: QRectF) -> _Shown | None:
        side, camera = self._stage.side(pane), self._state.value.camera_of(pane)
        if side is None:
            return None
        rig = side.deformer.rig
        if target.bone is not None:
            bones = side.deformer.posed_bones(side.frame)
            points = bones.heads[target.bone], bones.tails[target.bone]
            node = int(side.deformer.skeleton.joints[target.bone])
            name = rig.nodes.label(node)
        elif target.vertex is not None:
            part, number = target.vertex
            method = ASKED[self._stage.methods[pane]]
            skinned = side.deformer.skin(part, side.frame, method, self._state.value.options)
            points = skinned.positions[number], skinned.positions[number]
            name = str(number)
        else:
            return None
        seen = camera.project(np.stack(points), area.width(), area.height())[:, :2]
        # A bone may end behind the eye.
        ends = np.where(np.isfinite(seen), seen, seen[0]).tolist()
        head, tail = (QPointF(x, y) + area.topLeft() for x, y in ends)
        return _Shown(target, head, tail, one_line(shortened(name, _MOST_LETTERS)), area)

    def _show(self, shown: _Shown | None) -> None:
        if shown == self._shown:
            return
        for one in (self._shown, shown):
            if one is not None:
                self.update(self._bounds(one).toAlignedRect())
        self._shown = shown

    def _bounds(self, shown: _Shown) -> QRectF:
        """Return all that is painted for a target."""
        bone = QRectF(shown.head, shown.tail).normalized()
        bone.adjust(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
        return bone.united(self._label(shown)).intersected(shown.area)

    def _label(self, shown: _Shown) -> QRectF:
        """Return where the name stands: right of the target, left of it where there is no room."""
        self.setFont(font(theme.SMALL))
        width = self.fontMetrics().horizontalAdvance(shown.name) + 10.0
        left = shown.head.x() + 10.0
        if left + width > shown.area.right():
            left = shown.head.x() - 10.0 - width
        return QRectF(left, shown.head.y() - 22.0, width, 18.0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        shown = self._shown
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.axes.draw(painter)
        if shown is None:
            return
        painter.setClipRect(shown.area)
        if shown.target.vertex is None:
            painter.setPen(QPen(colour("accent", 0.8), 3.0))
            painter.drawLine(shown.head, shown.tail)
            painter.setPen(QPen(colour("accent"), 2.0))
            painter.drawEllipse(shown.head, _RING, _RING)
        else:
            painter.setPen(QPen(colour("accent"), 2.0))
            painter.drawEllipse(shown.head, _DOT, _DOT)
        box = self._label(shown)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("background1", 0.86))
        painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        painter.setFont(font(theme.SMALL))
        painter.setPen(colour("text"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), shown.name)
