"""The brush in the weights view: it follows the skin under the mouse and changes weights as it goes."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.skinning import ASKED
from rigview.core.text import count
from rigview.core.weights.editable_rig import EditableRig
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import BrushPoints
from rigview.core.weights.mirroring import Mirror, mirror_of
from rigview.core.weights.problem import NotMade
from rigview.core.weights.skin_points import SkinPoints
from rigview.core.weights.strokes import PosedSurface, WeightStroke, falloff
from rigview.render.camera import Camera
from rigview.render.scene import LiveInfluences
from rigview.render.surface_picker import SurfaceHit, SurfacePicker
from rigview.ui.panes.brush_hud import Hud, draw_hud
from rigview.ui.panes.painter import Painter
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, WeightBrush
from rigview.ui.widgets.words import capital, tr

# Dabs of a drag stand at most this share of the radius apart.
_SPACING = 0.34
# Influences that the buffers of the card hold per vertex.
_FOUR = 4


class Editor(Protocol):
    """Who knows the points of the document's rig and its locks."""

    reason: str

    @property
    def is_shown(self) -> bool:
        """Whether the panes show the document's rig."""

    @property
    def editable(self) -> EditableRig | None:
        """The points; None until they are known."""

    def freedom(self, of: SkinPoints) -> Freedom:
        """Return which joints of a character may change."""


@dataclass(frozen=True, eq=False)
class _Sight:
    """What the brush reads of one pane: it stays while rig, pose and camera do."""

    editable: EditableRig
    deformer: Deformer
    frame: Frame
    camera: Camera
    method: str
    picker: SurfacePicker
    surfaces: tuple[PosedSurface, ...]

    def is_of(self, other: tuple[object, ...]) -> bool:
        """Return whether it is still what is seen."""
        own = (self.editable, self.deformer, self.frame, self.method, self.picker.size)
        return all(a is b or a == b for a, b in zip(own, other[:-1], strict=True)) and (
            self.camera == other[-1]
        )


@dataclass(frozen=True, eq=False)
class Contact:
    """Where the brush is on the skin, and what it reaches.

    Parameters
    ----------
    shares
        ``(n,)`` how much of the brush reaches each point.
    """

    hit: SurfaceHit
    surface: PosedSurface
    points: IntArray
    shares: FloatArray

    @property
    def of(self) -> SkinPoints:
        """The character that is touched."""
        return self.surface.of


class WeightPainter(QObject):
    """Paints weights; the panes hand it mouse and painter.

    `stroked` carries the character after a stroke and what was done, `picked` a weight that the
    eye-dropper read, `said` why nothing was painted.
    """

    stroked = Signal(object, str)
    picked = Signal(float)
    said = Signal(str)

    def __init__(self, stage: Stage, state: State, painter: Painter) -> None:
        super().__init__()
        self._stage, self._state, self._painter = stage, state, painter
        self.editor: Editor | None = None
        self._sight: _Sight | None = None
        self._contact: Contact | None = None
        # Whether the mouse is over a rig that has changed since it moved.
        self._is_to_touch = False
        self._stroke: WeightStroke | None = None
        self._last = QPointF()
        # Of the pen of a tablet, 0 to 1: by it the strength of every dab is multiplied.
        self.pressure = 1.0
        self._mirrors: dict[int, Mirror] = {}
        stage.rig_changed.connect(self._rig_is_new)

    @property
    def is_on(self) -> bool:
        """Whether a drag paints weights."""
        return self._state.value.weight_brush is not None and self._stage.guest is None

    @property
    def is_held(self) -> bool:
        """Whether a stroke is under way."""
        return self._stroke is not None

    def _seen(self, pane: tuple[int, QRectF]) -> _Sight | None:
        """Return what the brush reads of a pane, made anew where something has changed."""
        editor = self.editor
        editable = editor.editable if editor is not None and editor.is_shown else None
        deformer, frame, view = self._stage.deformer, self._stage.frame, self._state.value
        if editable is None or deformer is None or frame is None:
            return None
        number, area = pane
        method, size = self._stage.methods[number], (area.width(), area.height())
        now = (editable, deformer, frame, method, size, view.camera_of(number))
        if self._sight is not None and (self._stroke is not None or self._sight.is_of(now)):
            return self._sight
        shown = {
            i: deformer.skin(i, frame, ASKED[method], view.options).positions
            for i, part in enumerate(deformer.rig.parts)
            if part.node not in view.hidden and deformer.is_skinned(part)
        }
        parts = [
            (i, p, deformer.rig.primitive(deformer.rig.parts[i]).triangles)
            for i, p in shown.items()
        ]
        picker = SurfacePicker.of(parts, view.camera_of(number), size)
        surfaces = tuple(PosedSurface(of, of.placed(shown)) for of in editable.characters)
        self._sight = _Sight(
            editable, deformer, frame, view.camera_of(number), method, picker, surfaces
        )
        return self._sight

    def _touch(self, place: QPointF, pane: tuple[int, QRectF]) -> Contact | None:
        """Return what the brush reaches at a place of a pane; None where no skin is."""
        sight, brush = self._seen(pane), self._state.value.weight_brush
        at = place - pane[1].topLeft()
        hit = sight.picker.pick(at.x(), at.y()) if sight is not None else None
        if sight is None or hit is None or brush is None:
            return None
        for surface in sight.surfaces:
            if surface.of.has_part(hit.part):
                corners = surface.of.points_at(hit.part, hit.corners)
                points, far = surface.reach(hit.place, np.unique(corners), brush.radius)
                return Contact(hit, surface, points, falloff(brush.falloff, far, brush.radius))
        return None

    def _touch_again(self, pane: tuple[int, QRectF]) -> None:
        """Read what is under the brush anew where the rig has changed since the mouse moved."""
        if self._is_to_touch and self.editor is not None and self.editor.editable is not None:
            self._is_to_touch = False
            self._contact = self._touch(self._last, pane)

    def hover(self, place: QPointF, pane: tuple[int, QRectF] | None) -> bool:
        """Follow the mouse without a button; return whether a picture is needed."""
        before = self._contact
        self._contact, self._is_to_touch = None, False
        if self.is_on and pane is not None:
            self._last = place
            self._contact = self._touch(place, pane)
        return before is not None or self._contact is not None

    def press(self, place: QPointF, pane: tuple[int, QRectF], held: Qt.KeyboardModifier) -> bool:
        """Begin a stroke; return whether the brush takes the mouse."""
        if not self.is_on:
            return False
        editor = self.editor
        if editor is None or editor.editable is None:
            words = editor.reason if editor is not None else ""
            self.said.emit(words or "The weights are still being read.")
            return True
        if not editor.is_shown:
            self.said.emit("This is a preview: apply it or leave it, then paint.")
            return True
        contact = self._touch(place, pane)
        if contact is None:
            return False
        self._begin(contact, held)
        if self._stroke is not None:
            self._dab(contact)
        self._last = place
        return True

    def _position(self, of: SkinPoints) -> int | None:
        """Return the selected joint's position in the skin."""
        joint = self._stage.joint
        return None if joint is None else of.column_of.get(joint)

    def pick(self, place: QPointF, pane: tuple[int, QRectF]) -> None:
        """Read the selected joint's weight under the mouse: the eye-dropper."""
        contact = self._touch(place, pane)
        position = None if contact is None else self._position(contact.of)
        if contact is not None and position is not None and len(contact.points):
            nearest = contact.points[int(np.argmax(contact.shares))]
            self.picked.emit(float(contact.of.rows(np.array([nearest]))[0, position]))

    def _begin(self, contact: Contact, held: Qt.KeyboardModifier) -> None:
        brush = self._state.value.weight_brush
        if brush is None or self.editor is None:
            return
        wanted = held_brush(brush, held)
        refusal = self.refusal(contact, wanted)
        if refusal:
            self.said.emit(f"{capital(tr(refusal))}.")
            return
        position, mirror = self._position(contact.of), None
        if brush.mirror:
            try:
                mirror = self._mirror(contact.of)
            except NotMade as error:
                self.said.emit(tr("Without mirror: {reason}.", reason=tr(str(error))))
        tool = BrushPoints(wanted.tool, position or 0, wanted.value, wanted.strength)
        self._stroke = WeightStroke(
            contact.of,
            tool,
            self.editor.freedom(contact.of),
            mirror=mirror,
            owned=brush.owned and position is not None,
        )

    def _mirror(self, of: SkinPoints) -> Mirror:
        key = id(of.surface)
        if key not in self._mirrors:
            self._mirrors = {key: mirror_of(of)}
        return self._mirrors[key]

    def refusal(self, contact: Contact, brush: WeightBrush) -> str:
        """Return why nothing can be painted; empty where it can."""
        if self.editor is None:
            return ""
        free = self.editor.freedom(contact.of)
        if brush.tool in ("smooth", "sharpen"):
            return "all joints are locked" if free.locked.all() else ""
        position, rig = self._position(contact.of), self._stage.rig
        if position is None or rig is None:
            return "select a joint of this mesh to paint its weight"
        return free.refusal(position, rig.nodes.label(contact.of.nodes[position])) or ""

    def _dab(self, contact: Contact) -> None:
        """Touch the points under the brush and show what comes of it."""
        stroke = self._stroke
        if stroke is None or contact.of is not stroke.of or not len(contact.points):
            return
        self._show(stroke, stroke.dab(contact.points, self.pressure * contact.shares))

    def _show(self, stroke: WeightStroke, points: IntArray) -> None:
        """Hand the weights of points, as they are now, to the pictures."""
        of, position = stroke.of, self._position(stroke.of)
        joints, weights = stroke.heaviest(points, _FOUR)
        sums = weights.sum(axis=1, keepdims=True)
        weights = weights / np.where(sums > 0.0, sums, 1.0)
        shown = np.zeros(len(points)) if position is None else stroke.weight_of(points, position)
        row_of = np.zeros(of.count, dtype=np.int64)
        row_of[points] = np.arange(len(points))
        for part, vertices in of.vertices_of(points).items():
            own = row_of[of.points_at(part, vertices)]
            live = LiveInfluences(part, vertices, joints[own], weights[own], shown[own])
            self._painter.live.append(live)

    def move(self, place: QPointF, pane: tuple[int, QRectF]) -> None:
        """Go on with the stroke: dabs stand close to one another, however fast the mouse is."""
        contact, brush = self._touch(place, pane), self._state.value.weight_brush
        way = place - self._last
        step = self._pixels(pane[1]) * _SPACING if brush is not None else 0.0
        count = int(np.hypot(way.x(), way.y()) / step) if step > 1.0 else 0
        for number in range(1, min(count, 24)):
            between = self._touch(self._last + way * (number / count), pane)
            if between is not None:
                self._dab(between)
        if contact is not None:
            self._dab(contact)
        self._contact, self._last = contact, place

    def _pixels(self, area: QRectF) -> float:
        """Return the radius in pixels where the brush is."""
        brush, contact = self._state.value.weight_brush, self._contact
        if brush is None or contact is None:
            return 0.0
        camera = self._state.value.camera
        scale = camera.pixels_per_metre(contact.hit.place[None], area.height())
        return float(np.nan_to_num(scale[0]) * brush.radius)

    def release(self) -> None:
        """End the stroke."""
        stroke, self._stroke = self._stroke, None
        if stroke is None:
            return
        self._painter.discard()
        edited = stroke.finish()
        if len(edited.points):
            self.stroked.emit(edited, self._words(stroke, count(len(edited.points), "vertex")))

    def _words(self, stroke: WeightStroke, vertices: str) -> str:
        if not stroke.brush.of_one_joint:
            smoothed = stroke.brush.tool == "smooth"
            words = "Smoothed {vertices}" if smoothed else "Sharpened {vertices}"
            return tr(words, vertices=vertices)
        name = stroke.of.rig.nodes.label(stroke.of.nodes[stroke.brush.joint])
        return tr("Painted {joint} on {vertices}", joint=name, vertices=vertices)

    def cancel(self) -> bool:
        """Give up the stroke under way; return whether there was one."""
        stroke, self._stroke = self._stroke, None
        if stroke is None:
            return False
        self._painter.discard()
        return True

    def _rig_is_new(self) -> None:
        """Give up a stroke whose rig is not shown any more: undo was pressed in the middle of it."""
        self._is_to_touch = self._is_to_touch or self._contact is not None
        self._stroke = self._contact = None

    def draw(self, painter: QPainter, areas: list[QRectF]) -> None:
        """Draw ring, points and tag in the current pane."""
        number = self._state.value.pane
        hud = self.hud((number, areas[number])) if number < len(areas) else None
        if hud is not None:
            draw_hud(painter, areas[number], self._state.value.camera, hud)

    def hud(self, pane: tuple[int, QRectF]) -> Hud | None:
        """Return what is written and drawn about the brush in the current pane; None without any."""
        brush = self._state.value.weight_brush
        if brush is None or not self.is_on:
            return None
        self._touch_again(pane)
        contact = self._contact
        if contact is None:
            return None
        of, position = contact.of, self._position(contact.of)
        rows = None
        if len(contact.points) and position is not None:
            nearest = contact.points[[int(np.argmax(contact.shares))]]
            before = float(of.rows(nearest)[0, position])
            after = (
                before if self._stroke is None else float(self._stroke.rows(nearest)[0, position])
            )
            rows = before, after
        rig = self._stage.rig
        name = "" if position is None or rig is None else rig.nodes.label(of.nodes[position])
        return Hud(
            contact.hit.place,
            contact.hit.normal,
            brush,
            contact.surface.positions[contact.points],
            name,
            rows,
            self.refusal(contact, brush),
        )


def held_brush(brush: WeightBrush, held: Qt.KeyboardModifier) -> WeightBrush:
    """Return the brush while keys are held: Shift smooths, Ctrl takes away."""
    if held & Qt.KeyboardModifier.ShiftModifier:
        return replace(brush, tool="smooth")
    if held & Qt.KeyboardModifier.ControlModifier:
        if brush.tool == "replace":
            return replace(brush, value=0.0)
        if brush.tool == "add":
            return replace(brush, value=-brush.value)
        return replace(brush, tool="add", value=-1.0)
    return brush
