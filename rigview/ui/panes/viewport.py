"""The panes: what the mouse does in them, what it picks, and what they frame."""

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QTabletEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from rigview.core.arrays import ByteArray, FloatArray
from rigview.render import framing, gl, review
from rigview.render.camera import Camera
from rigview.render.look import Chosen
from rigview.render.passes import Pane, side_by_side
from rigview.render.review import Review
from rigview.render.shader_programs import ShaderError
from rigview.ui.jobs import Jobs
from rigview.ui.navigation import PRESETS, Gesture, known, orbited, scrolled, wheel_zoom
from rigview.ui.panes.brush_keys import BrushKeys
from rigview.ui.panes.emptiness import Emptiness
from rigview.ui.panes.hovering import Hovering
from rigview.ui.panes.ink import Ink
from rigview.ui.panes.mask_brush import MaskPainter
from rigview.ui.panes.painter import Painter
from rigview.ui.panes.picture_words import explain, write
from rigview.ui.panes.rotate_gizmo import RotateGizmo
from rigview.ui.panes.selecting import Selecting
from rigview.ui.panes.stillness import Stillness
from rigview.ui.panes.weight_brush import WeightPainter
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets.layout import FocusRing
from rigview.ui.widgets.words import tr

# Pixels the mouse may tremble in a click.
_CLICK = 4.0
GAP = 2
Context = Callable[[], AbstractContextManager[None]]


class Panes(QObject):
    """What every kind of canvas does: mouse, picking, framing, and the words on the picture.

    `failed` carries a sentence when OpenGL cannot be used after all; `drawn` follows every picture,
    `resized` every change of the canvas's size, `stroked` a stroke of the brush: part → vertices,
    `inked` a stroke for a note: it and its pane.
    """

    failed = Signal(str)
    drawn = Signal()
    resized = Signal()
    stroked = Signal(object)
    inked = Signal(object, int)

    def __init__(self, stage: Stage, state: State, jobs: Jobs) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self.painter = Painter(stage, state)
        self.gizmo = RotateGizmo(stage, state)
        self.selecting = Selecting(stage, state)
        self.mask = MaskPainter(stage, state)
        self.ink = Ink(stage, state)
        self.weights = WeightPainter(stage, state, self.painter)
        self._brush_keys = BrushKeys(state)
        self.preset = known("")
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._gesture: Gesture | None = None
        self.message = ""
        self.emptiness = Emptiness(stage, state, jobs)
        # How high from below a pane is covered; what is framed is above.
        self.foot = 0.0
        self._broken = False

    def attach(self, canvas: QWidget, current: Context, apart: Context) -> None:
        """Serve a canvas: take its mouse, and repaint it when what it shows changes.

        Parameters
        ----------
        current
            Makes the canvas's OpenGL context current for the length of a ``with`` block.
        apart
            The same with a context of its own for a worker thread.
        """
        self.canvas, self._current, self.apart = canvas, current, apart
        canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        canvas.setAccessibleName(tr("Panes"))
        canvas.setMinimumSize(200, 160)
        # Rings light up under the mouse.
        canvas.setMouseTracking(True)
        canvas.installEventFilter(self)
        # What is installed last hears of events first.
        canvas.installEventFilter(self._brush_keys)
        self._ring = FocusRing(canvas)
        self.hovering = Hovering(canvas, self._stage, self._state, self.selecting)
        self.stillness = Stillness(canvas, self.drawn, self.painter, self._state)
        self.emptiness.changed.connect(canvas.update)
        for signal in (
            self._stage.rig_changed,
            self._stage.pose_changed,
            self._stage.measured,
            self._stage.prepared,
        ):
            signal.connect(canvas.update)
        self._state.changed.connect(self._state_is_new)

    def guarded(self, work: Callable[[], None]) -> None:
        """Do OpenGL work; what the driver refuses becomes a sentence in the window, said once."""
        if self._broken:
            return
        try:
            work()
        except (gl.GLError, ShaderError) as error:
            self._broken = True
            self.failed.emit(str(error).splitlines()[0])

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Handle the canvas's mouse events."""
        handlers: dict[QEvent.Type, Callable[[Any], None]] = {
            QEvent.Type.MouseButtonPress: self._press,
            QEvent.Type.MouseMove: self._move,
            QEvent.Type.MouseButtonRelease: self._release,
            QEvent.Type.MouseButtonDblClick: self._double_click,
            QEvent.Type.Wheel: self._wheel,
            QEvent.Type.NativeGesture: self._native,
        }
        if isinstance(event, QTabletEvent):
            # What is not taken comes again as of a mouse, which knows no pressure.
            down = event.buttons() != Qt.MouseButton.NoButton
            self.weights.pressure = event.pressure() if down else 1.0
            event.ignore()
            return False
        if event.type() == QEvent.Type.Resize:
            self._reshaped()
            self.resized.emit()
        if event.type() == QEvent.Type.Leave:
            self.hovering.leave()
            if self.weights.hover(QPointF(), None):
                self.canvas.update()
        handler = handlers.get(event.type())
        if handler is None:
            return False
        handler(event)
        return True

    def say(self, message: str) -> None:
        """Write a line at the top of the first pane; empty removes it."""
        self.message = tr(message)
        self.canvas.update()

    def _reshaped(self) -> None:
        self.emptiness.aspect = self.aspect
        self.emptiness.ask()

    def _state_is_new(self, old: ViewState, new: ViewState) -> None:
        if len(old.methods) != len(new.methods) and old.linked_camera == new.linked_camera:
            seen, aspect = self._aspect(old.methods), self._aspect(new.methods)
            apart = {n: camera.as_wide(seen, aspect) for n, camera in new.apart.items()}
            linked = new.linked_camera.as_wide(seen, aspect)
            self._state.update(linked_camera=linked, apart=apart)
            self._reshaped()
        self.canvas.update()

    @property
    def are_empty(self) -> bool:
        """Whether there is no rig that could be drawn."""
        return self._stage.deformer is None

    def divide(self, width: int, height: int, ratio: float) -> list[Pane]:
        """Return the panes' rectangles in device pixels."""
        return side_by_side(self._stage.methods, width, height, max(1, round(GAP * ratio)))

    def logical_panes(self) -> list[QRectF]:
        """Return the panes' rectangles in the widget's own coordinates."""
        return [
            QRectF(pane.x, 0, pane.width, pane.height)
            for pane in self.divide(self.canvas.width(), self.canvas.height(), 1.0)
        ]

    @property
    def aspect(self) -> float:
        """Width over height of a pane."""
        return self._aspect(self._stage.methods)

    def _aspect(self, methods: Sequence[str]) -> float:
        first = side_by_side(methods, self.canvas.width(), self.canvas.height(), GAP)[0]
        return max(first.width, 1) / max(first.height, 1)

    def render(self, wanted: Review) -> ByteArray:
        """Draw the panes of a picture in the canvas's context, as `review.draw_panes` does."""
        deformer, frame = self._stage.deformer, self._stage.frame
        if deformer is None or frame is None:
            raise ValueError("nothing is open")
        with self._current():
            scene = self.painter.scene(deformer)
            return review.draw_panes(self.painter.renderer, scene, frame, wanted)

    def frame_all(self) -> None:
        """Bring everything into view."""
        deformer, frame = self._stage.deformer, self._stage.frame
        if deformer is None or frame is None:
            return
        look = self._stage.look
        posed = framing.visible_points(deformer, frame, look.hidden, scenery=True)
        beside = self._stage.side(1) if self._stage.guest is not None else None
        other = np.zeros((0, 3))
        if beside is not None:
            other = framing.visible_points(beside.deformer, beside.frame, scenery=True)
        self.frame_points(np.concatenate([posed, other, framing.still_points(deformer, look)]))

    def frame_points(self, points: FloatArray, reach: float | None = None) -> None:
        """Bring ``(n, 3)`` points into view; what is around them reaches as far as `reach`."""
        self._state.update(camera=self._framed(self._state.value.camera, points, reach))

    def _framed(self, camera: Camera, points: FloatArray, reach: float | None = None) -> Camera:
        """Bring points into view, above the sliders of narrow panes."""
        area = self.logical_panes()[0]
        width, height = max(area.width(), 1.0), max(area.height(), 1.0)
        bottom = min(self.foot, height / 4)
        free = height - bottom
        camera = camera.framed(points, width / free, reach)
        camera = replace(camera, distance=camera.distance * height / free)
        return camera.panned(0.0, -bottom / 2, height)

    def frame_selected(self) -> None:
        """Bring the selected joints or the vertex into view, everything without one."""
        look = self._stage.look
        joints = [joint for joint in self._stage.joints if self._is_joint(joint)]
        deformer, frame = self._stage.deformer, self._stage.frame
        if len(joints) > 1 and deformer is not None and frame is not None:
            points = [framing.joint_points(deformer, frame, joint) for joint in joints]
            self.frame_points(np.concatenate(points), max(self._state.value.camera.reach, 1e-6))
            return
        chosen = look.marked
        if look.vertex is not None and not chosen:
            chosen = ((look.vertex[0], (look.vertex[1],)),)
        self._frame_together(look.joint, () if self._is_joint(look.joint) else chosen)

    def frame_marked(self) -> None:
        """Bring the marked vertices into view together with the joint they are about."""
        look = self._stage.look
        self._frame_together(look.joint, look.marked)

    def _is_joint(self, node: int | None) -> bool:
        deformer = self._stage.deformer
        return deformer is not None and node in deformer.rig.joints

    def _frame_together(self, joint: int | None, chosen: Chosen) -> None:
        deformer, frame, state = self._stage.deformer, self._stage.frame, self._state.value
        if deformer is None or frame is None:
            return
        points, normal = framing.points_of_interest(deformer, frame, joint, chosen)
        if not len(points):
            self.frame_all()
            return
        camera = state.camera if normal is None else state.camera.facing(normal)
        camera = self._framed(camera, points, max(state.camera.reach, 1e-6))
        self._state.update(camera=camera)

    def _pane_at(self, position: QPointF) -> tuple[int, QRectF] | None:
        for number, rectangle in enumerate(self.logical_panes()):
            if rectangle.contains(position):
                return number, rectangle
        return None

    def _press(self, event: QMouseEvent) -> None:
        self.hovering.leave()
        self._pressed = self._last = event.position()
        self._gesture = PRESETS[self.preset].gesture(event.button(), event.modifiers())
        pane = self._pane_at(event.position())
        if pane is not None:
            self._state.update(pane=pane[0])
        if pane is not None and event.button() == Qt.MouseButton.LeftButton:
            free = not event.modifiers() & Qt.KeyboardModifier.AltModifier
            if free and self.ink.press(event.position(), pane):
                self._gesture = self._pressed = None
                return
            if free and self.weights.press(event.position(), pane, event.modifiers()):
                # A press that was refused is no click that selects.
                self._gesture = self._pressed = None
                self.canvas.update()
                return
            if free and self.gizmo.press(event.position(), pane[1]):
                self._gesture = None
                return
            if self._gesture is None and self.selecting.press(
                event.position(), pane, event.modifiers()
            ):
                return
            self.mask.press(event.position(), pane, event.modifiers())

    def _move(self, event: QMouseEvent) -> None:
        if self._tool_moves(event):
            return
        if self._pressed is None:
            self._hover(event.position())
        if self._pressed is None or self._gesture is None:
            return
        position = event.position()
        if self._last == self._pressed and self._trembles(position):
            return
        moved, self._last = position - self._last, position
        if self._gesture == "zoom":
            factor = PRESETS[self.preset].zoom(moved)
            camera = self._state.value.camera.zoomed(factor, 0.5, 0.5, 1.0, 1.0)
            self._state.update(camera=camera)
        else:
            self._swing(self._gesture, moved)

    def _tool_moves(self, event: QMouseEvent) -> bool:
        """Let the tool that is held follow the mouse; return whether there is one."""
        place = event.position()
        pane = self._pane_at(place)
        for brush in (self.mask, self.weights):
            if brush.is_held:
                if pane is not None:
                    brush.move(place, pane)
                self.canvas.update()
                return True
        for held in (self.selecting, self.ink):
            if held.is_held:
                held.move(place)
                self.canvas.update()
                return True
        if self.gizmo.is_held:
            area = self.logical_panes()[self._state.value.pane]
            self.gizmo.move(place, area, event.modifiers())
            return True
        return False

    def _hover(self, position: QPointF) -> None:
        """Light up the ring under the mouse, in the current pane, or what a click would select."""
        pane = self._pane_at(position)
        self.hovering.move_to(position, pane)
        if self.weights.hover(position, pane):
            self.canvas.update()
        current = pane is not None and pane[0] == self._state.value.pane
        if pane is not None and current and self.gizmo.hover(position, pane[1]):
            self.canvas.update()

    def _swing(self, gesture: Gesture, moved: QPointF, pane: int | None = None) -> None:
        """Orbit or pan by pixels, in the current pane where none is named."""
        pane = self._state.value.pane if pane is None else pane
        camera = self._state.value.camera_of(pane)
        if gesture == "orbit":
            camera = orbited(camera, moved)
        else:
            camera = camera.panned(moved.x(), moved.y(), self.canvas.height())
        self._state.see(camera, pane)

    def _trembles(self, position: QPointF) -> bool:
        if self._pressed is None:
            return False
        away = position - self._pressed
        return math.hypot(away.x(), away.y()) < _CLICK

    def _release(self, event: QMouseEvent) -> None:
        if self.ink.is_held:
            drawn = self.ink.release()
            self.canvas.update()
            if drawn is not None:
                self.inked.emit(*drawn)
            return
        if self.gizmo.is_held:
            self.gizmo.release()
            self._pressed = None
            self.canvas.update()
            return
        if self.weights.is_held:
            self.weights.release()
            self._pressed = None
            self.canvas.update()
            return
        if self.selecting.is_held:
            self.selecting.move(event.position())
            self.selecting.release(_CLICK)
            self._pressed = None
            self.canvas.update()
            return
        if self.mask.is_held:
            self._pressed = None
            self.stroked.emit(self.mask.release())
            return
        clicked = self._pressed is not None and self._last == self._pressed
        clicked = clicked and self._trembles(event.position())
        self._pressed, self._gesture = None, None
        if clicked and event.button() == Qt.MouseButton.LeftButton:
            held, pane = event.modifiers(), self._pane_at(event.position())
            dropper = self.weights.is_on and held & Qt.KeyboardModifier.AltModifier
            if dropper and pane is not None:
                self.weights.pick(event.position(), pane)
            elif pane is None or not self.hovering.axes.click(event.position(), pane):
                self.pick(event.position())

    def _double_click(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        pane = self._pane_at(event.position())
        if pane is None or not self.hovering.axes.click(event.position(), pane):
            self.frame_selected()

    def _wheel(self, event: QWheelEvent) -> None:
        gesture = PRESETS[self.preset].scroll(event.modifiers())
        if gesture == "zoom":
            self._zoom_to(event.position(), wheel_zoom(event))
        else:
            pane = self._pane_at(event.position())
            self._swing(gesture, scrolled(event), None if pane is None else pane[0])

    def _native(self, event: QNativeGestureEvent) -> None:
        """Zoom as two fingers part."""
        if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self._zoom_to(event.position(), math.exp(-event.value()))

    def _zoom_to(self, position: QPointF, factor: float) -> None:
        """Come nearer to what is under the cursor, which stays there."""
        pane = self._pane_at(position)
        if pane is None:
            return
        number, area = pane
        place, camera = position - area.topLeft(), self._state.value.camera_of(number)
        camera = camera.zoomed(factor, place.x(), place.y(), area.width(), area.height())
        self._state.see(camera, number)

    def pick(self, position: QPointF) -> None:
        """Select the joint under the cursor, else the vertex, else nothing."""
        pane = self._pane_at(position)
        if pane is not None:
            self.selecting.pick(position, *pane)

    def write(self, painter: QPainter) -> None:
        """Write labels and numbers over the panes, and mark them where keys have led to them."""
        areas, current = self.logical_panes(), self._state.value.pane
        reasons = self.emptiness.reasons
        write(painter, self._stage, self._state.value, areas, self.message, reasons)
        if current < len(areas):
            self.gizmo.draw(painter, areas[current])
        self.ink.draw(painter, areas)
        self.selecting.draw(painter)
        self.weights.draw(painter, areas)
        explain(painter, areas, reasons)
        self._ring.draw(painter)
