"""What a click selects in a pane, and the box or lasso that selects joints or chooses vertices."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.skinning import ASKED
from rigview.render.look import Chosen
from rigview.render.occlusion import covered
from rigview.render.picking import (
    boxed,
    heads_boxed,
    heads_lassoed,
    lassoed,
    pick_bone,
    pick_vertex,
)
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets.theme import colour

Way = Literal["only", "more", "less"]
_SHIFT, _CTRL, _ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
# What a drag chooses by the keys that are held; with Alt where the mouse preset needs them itself.
_WAYS: dict[Qt.KeyboardModifier, Way] = {
    _SHIFT: "more",
    _CTRL: "less",
    _ALT | _SHIFT: "more",
    _ALT | _CTRL: "less",
}


@dataclass
class _Drag:
    """A box or a lasso that is being dragged in a pane.

    Parameters
    ----------
    path
        Where the mouse has been; a box needs its first and last place only.
    """

    pane: int
    area: QRectF
    way: Way
    path: list[QPointF]
    is_lasso: bool

    @property
    def rectangle(self) -> QRectF:
        """The box."""
        return QRectF(self.path[0], self.path[-1]).normalized().intersected(self.area)

    @property
    def reach(self) -> float:
        """How far the mouse has been from where it was pressed; a lasso may come back to it."""
        start = self.path[0]
        return max(math.hypot(p.x() - start.x(), p.y() - start.y()) for p in self.path)

    @property
    def outline(self) -> FloatArray:
        """``(n, 2)`` the lasso in the pane's pixels."""
        corner = self.area.topLeft()
        return np.array([[p.x() - corner.x(), p.y() - corner.y()] for p in self.path])

    @property
    def ends(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the box in the pane's pixels."""
        box = self.rectangle.translated(-self.area.topLeft())
        return box.left(), box.top(), box.right(), box.bottom()


@dataclass(frozen=True)
class Target:
    """What a click takes: a joint or a vertex.

    Parameters
    ----------
    joint
        Its node in the document's rig; None also where that has not the joint of the rig compared with.
    bone
        Its number in the skeleton of the pane's rig; None for a vertex.
    """

    joint: int | None = None
    bone: int | None = None
    vertex: tuple[int, int] | None = None


class Selecting:
    """Selects joints and vertices; the panes hand it mouse and painter."""

    def __init__(self, stage: Stage, state: State) -> None:
        self._stage, self._state = stage, state
        self._drag: _Drag | None = None

    @property
    def is_held(self) -> bool:
        """Whether a box or a lasso is being dragged."""
        return self._drag is not None

    def press(self, place: QPointF, pane: tuple[int, QRectF], held: Qt.KeyboardModifier) -> bool:
        """Begin a box or a lasso; return whether the keys that are held ask for one."""
        way = _WAYS.get(held & (_SHIFT | _CTRL | _ALT))
        if way is None or self._stage.guest is not None or self._stage.rig is None:
            return False
        self._drag = _Drag(*pane, way, [place, place], self._state.value.lasso)
        return True

    def move(self, place: QPointF) -> None:
        """Drag the box or the lasso."""
        if self._drag is not None:
            self._drag.path.append(place)

    def cancel(self) -> bool:
        """Forget what is being dragged; return whether there was anything."""
        held, self._drag = self._drag is not None, None
        return held

    def release(self, trembling: float) -> None:
        """Take what is inside, or what is under the mouse where it has moved by less than `trembling`."""
        drag, self._drag = self._drag, None
        if drag is None:
            return
        trembled = drag.reach < trembling
        target = self.target(drag.path[-1], drag.pane, drag.area) if trembled else None
        if target is not None and target.joint is not None:
            inside = target.joint in self._state.value.joints
            self._add((target.joint,), "less" if inside else drag.way)
        elif trembled:
            hit = self._vertex_at(drag.pane, drag.path[-1], drag.area)
            found: dict[int, IntArray] = {}
            if hit is not None:
                found = {hit[0]: np.array([hit[1]], dtype=np.int64)}
                # A second click takes the vertex out again.
                inside = hit[1] in dict(self._state.value.chosen).get(hit[0], ())
                drag.way = "less" if inside and drag.way == "more" else drag.way
                self._state.update(vertex=hit)
            self._choose(found, drag.way)
        elif self._takes_joints:
            self._add(self._joints_within(drag), drag.way)
        else:
            self._choose(self._within(drag), drag.way)

    @property
    def _takes_joints(self) -> bool:
        """Whether a drag selects joints: it is asked to, or there is no mesh."""
        rig = self._stage.rig
        return self._state.value.drags_joints or (rig is not None and not rig.parts)

    def _add(self, joints: tuple[int, ...], way: Way) -> None:
        """Add joints to the selection, or take them out of it."""
        before = self._stage.joints
        if way == "less":
            after = tuple(joint for joint in before if joint not in joints)
        else:
            after = tuple(dict.fromkeys((*before, *joints)))
        self._state.update(joints=after, vertex=None)

    def _joints_within(self, drag: _Drag) -> tuple[int, ...]:
        deformer, frame = self._stage.deformer, self._stage.frame
        if deformer is None or frame is None:
            return ()
        heads = deformer.posed_bones(frame).heads
        camera = self._state.value.camera_of(drag.pane)
        size = (drag.area.width(), drag.area.height())
        if drag.is_lasso:
            found = heads_lassoed(heads, camera, drag.outline, size)
        else:
            found = heads_boxed(heads, camera, drag.ends, size)
        joints: list[int] = deformer.skeleton.joints[found].tolist()
        return tuple(joints)

    def _within(self, drag: _Drag) -> dict[int, IntArray]:
        """Return the vertices inside that the eye sees; under X-ray also those behind."""
        deformer, frame, view = self._stage.deformer, self._stage.frame, self._state.value
        if deformer is None or frame is None:
            return {}
        method, size = (
            ASKED[self._stage.methods[drag.pane]],
            (drag.area.width(), drag.area.height()),
        )
        result, camera = {}, view.camera_of(drag.pane)
        for number, part in enumerate(deformer.rig.parts):
            if part.node in view.hidden or not deformer.is_skinned(part):
                continue
            skinned = deformer.skin(number, frame, method, view.options)
            if drag.is_lasso:
                found = lassoed(skinned, camera, drag.outline, size, through=view.xray)
            else:
                found = boxed(skinned, camera, drag.ends, size, through=view.xray)
            if len(found):
                result[number] = found
        return result if view.xray or not result else self._uncovered(result, drag)

    def _uncovered(self, found: dict[int, IntArray], drag: _Drag) -> dict[int, IntArray]:
        """Leave out the vertices that lie behind other parts of the skin."""
        deformer, frame, view = self._stage.deformer, self._stage.frame, self._state.value
        if deformer is None or frame is None:
            return {}
        method = ASKED[self._stage.methods[drag.pane]]
        size = (drag.area.width(), drag.area.height())
        shown = [n for n, part in enumerate(deformer.rig.parts) if part.node not in view.hidden]
        each = {n: deformer.skin(n, frame, method, view.options).positions for n in shown}
        starts = dict(zip(shown, np.cumsum([0, *map(len, each.values())]).tolist(), strict=False))
        positions = np.concatenate([*each.values()])
        triangles = np.concatenate(
            [deformer.rig.primitive(deformer.rig.parts[n]).triangles + starts[n] for n in shown]
        )
        points = np.concatenate([each[number][vertices] for number, vertices in found.items()])
        hidden = covered(points, positions, triangles, view.camera_of(drag.pane), size)
        ends = np.cumsum([len(vertices) for vertices in found.values()])[:-1]
        pairs = zip(found.items(), np.split(~hidden, ends), strict=True)
        return {number: vertices[seen] for (number, vertices), seen in pairs if seen.any()}

    def _choose(self, found: dict[int, IntArray], way: Way) -> None:
        before = {part: np.array(ids) for part, ids in self._state.value.chosen}
        nothing = np.zeros(0, dtype=np.int64)
        after = found
        if way != "only":
            join = np.union1d if way == "more" else np.setdiff1d
            parts = sorted({*before, *found})
            after = {p: join(before.get(p, nothing), found.get(p, nothing)) for p in parts}
        self._state.update(chosen=_named(after))

    def pick(self, place: QPointF, pane: int, area: QRectF) -> None:
        """Select the joint under the cursor, else the vertex, else nothing."""
        if self._stage.side(pane) is None:
            return
        target = self.target(place, pane, area)
        if target is None:
            self._state.update(joint=None, vertex=None, chosen=())
        elif target.vertex is None:
            self._state.update(joint=target.joint, vertex=None)
        else:
            hit = target.vertex
            self._state.update(vertex=hit, chosen=((hit[0], (hit[1],)),))

    def target(self, place: QPointF, pane: int, area: QRectF) -> Target | None:
        """Return what a click would take; None where there is nothing."""
        side = self._stage.side(pane)
        if side is None:
            return None
        x, y = place.x() - area.x(), place.y() - area.y()
        state, skeleton = self._state.value, side.deformer.skeleton
        guest = self._stage.guest if side.deformer is not self._stage.deformer else None
        if state.bones and len(skeleton.joints):
            bones, size = side.deformer.posed_bones(side.frame), (area.width(), area.height())
            bone = pick_bone(bones, state.camera_of(pane), x, y, *size)
            if bone is not None:
                joint = int(skeleton.joints[bone])
                return Target(joint if guest is None else guest.host_joint(joint), bone)
        # The inspector speaks of the document's vertices only.
        hit = self._vertex_at(pane, place, area) if guest is None else None
        return None if hit is None else Target(vertex=hit)

    def _vertex_at(self, pane: int, place: QPointF, area: QRectF) -> tuple[int, int] | None:
        deformer, frame, state = self._stage.deformer, self._stage.frame, self._state.value
        if deformer is None or frame is None:
            return None
        x, y = place.x() - area.x(), place.y() - area.y()
        origin, direction = state.camera_of(pane).ray(x, y, area.width(), area.height())
        method = ASKED[self._stage.methods[pane]]
        best: tuple[float, tuple[int, int]] | None = None
        for i, part in enumerate(deformer.rig.parts):
            if part.node in state.hidden:
                continue
            skinned = deformer.skin(i, frame, method, state.options)
            triangles = deformer.rig.primitive(part).triangles
            hit = pick_vertex(skinned.positions, triangles, origin, direction)
            if hit is not None and (best is None or hit.distance < best[0]):
                best = (hit.distance, (i, hit.vertex))
        return best[1] if best is not None else None

    def draw(self, painter: QPainter) -> None:
        """Draw the box or the lasso."""
        drag = self._drag
        if drag is not None:
            painter.setPen(QPen(colour("accent"), 1.0, Qt.PenStyle.DashLine))
            painter.setBrush(colour("accent", 0.12))
            if drag.is_lasso:
                painter.drawPolygon(QPolygonF(drag.path))
            else:
                painter.drawRect(drag.rectangle)


def _named(vertices: dict[int, IntArray]) -> Chosen:
    """Return vertices as the view state names them."""
    return tuple((part, tuple(ids.tolist())) for part, ids in vertices.items() if len(ids))
