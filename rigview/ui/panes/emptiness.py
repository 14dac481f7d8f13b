"""Why a pane shows no mesh, in a sentence to write into it."""

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.skinning import ASKED
from rigview.render.camera import Camera
from rigview.ui.comparison import ComparedPane
from rigview.ui.jobs import Jobs, Latest, Progress
from rigview.ui.stage import Stage
from rigview.ui.view_state import State

# What is in a view is asked so long after a change, milliseconds: it costs a skinning of all that is shown.
_LATER = 150
NO_MESH = "The file has no mesh. B shows its bones."
HIDDEN = "All meshes are hidden. Alt+H shows them."
NO_FACES = "What is shown has no faces."
NOT_FINITE = "No vertex has a finite position in this pose."
OUTSIDE = "All meshes are outside the view. A frames them."
BACKS = "Only backs of single-sided faces are in view. C (clay) draws both sides."


def reason(side: ComparedPane, method: str, camera: Camera, aspect: float) -> str:
    """Return why no mesh is seen in a pane; empty where one is, or where bones stand for it.

    Parameters
    ----------
    aspect
        Width over height of the pane.
    """
    rig, look = side.deformer.rig, side.look
    if not rig.parts:
        has_bones = bool(rig.joints) and not look.bones
        return NO_MESH if has_bones else ""
    shown = [i for i, part in enumerate(rig.parts) if part.node not in look.hidden]
    if not shown:
        return HIDDEN
    matrix = camera.clip_from_model(aspect)
    is_finite = is_inside = False
    faced = [i for i in shown if len(rig.primitive(rig.parts[i]).triangles)]
    for i in faced:
        primitive = rig.primitive(rig.parts[i])
        positions = side.deformer.skin(i, side.frame, ASKED[method], look.options).positions
        finite = np.all(np.isfinite(positions), axis=1)
        positions = np.where(finite[:, None], positions, 0.0)
        triangles = primitive.triangles[np.all(finite[primitive.triangles], axis=1)]
        is_finite = is_finite or bool(finite.any())
        inside = _inside(positions, triangles, matrix)
        is_inside = is_inside or bool(len(inside))
        material = primitive.material
        double = material is None or rig.materials[material].double_sided
        if len(inside) and (look.shading != "textured" or look.xray or double or _fronts(inside)):
            return ""
    if not faced:
        return NO_FACES
    if not is_finite:
        return NOT_FINITE
    return BACKS if is_inside else OUTSIDE


def _inside(positions: FloatArray, triangles: IntArray, matrix: FloatArray) -> FloatArray:
    """Return ``(n, 3, 4)`` clip coordinates of the triangles that no side of the view shuts out."""
    clip = positions @ matrix[:, :3].T + matrix[:, 3]
    w = clip[:, 3:]
    beyond = np.concatenate([clip[:, :3] > w, clip[:, :3] < -w], axis=1)
    return clip[triangles[~np.any(np.all(beyond[triangles], axis=1), axis=1)]]


def _fronts(corners: FloatArray) -> bool:
    """Tell whether any triangle shows its front: it winds counter-clockwise on the screen."""
    return bool(np.any(np.linalg.det(corners[:, :, [0, 1, 3]]) > 0.0))


class Emptiness(QObject):
    """Keeps what is to be said in every pane; `changed` says that it is something else.

    It is found in a worker: of a mesh whose parts are mostly out of view, all are skinned for it.
    """

    changed = Signal()

    def __init__(self, stage: Stage, state: State, jobs: Jobs) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self._latest = Latest(jobs, "looking for meshes in view", self._take)
        self.reasons: list[str] = []
        self.aspect = 1.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_LATER)
        self._timer.timeout.connect(self._ask)
        for signal in (stage.rig_changed, stage.pose_changed, stage.prepared, state.changed):
            signal.connect(self.ask)

    def ask(self) -> None:
        """Look again, soon."""
        # Of what plays there is no time to tell, and nobody to read it.
        if not self._timer.isActive() and not self._state.value.playing:
            self._timer.start()

    def _ask(self) -> None:
        view, aspect, methods = self._state.value, self.aspect, self._stage.methods
        sides = [side for i in range(len(methods)) if (side := self._stage.side(i)) is not None]
        cameras = [view.camera_of(pane) for pane in range(len(methods))]
        asked = list(zip(sides, methods, cameras, strict=False))

        def work(progress: Progress) -> list[str]:
            progress("looking for meshes in view", 0.0)
            known: dict[tuple[int, str, Camera], str] = {}
            for side, method, camera in asked:
                key = id(side.deformer), method, camera
                if key not in known:
                    known[key] = reason(side, method, camera, aspect)
            return [known[id(side.deformer), method, camera] for side, method, camera in asked]

        self._latest.request(work)

    def _take(self, reasons: list[str]) -> None:
        if reasons != self.reasons:
            self.reasons = reasons
            self.changed.emit()
