"""The camera goes where a retargeted motion carries the character, so that both stay in view."""

from dataclasses import replace

from PySide6.QtCore import QObject

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.render.camera import Camera
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.workers.retargeting import Retargeter


class BodyFollow(QObject):
    """Moves the camera as the joint moves that carries the body, while a motion is tried."""

    def __init__(self, retargeter: Retargeter, stage: Stage, state: State) -> None:
        super().__init__()
        self._retargeter, self._stage, self._state = retargeter, stage, state
        # The rig on show, and where its body was.
        self._last: tuple[Deformer, FloatArray] | None = None
        stage.pose_changed.connect(self._follow)
        retargeter.shown.connect(self._begin)

    def _begin(self) -> None:
        self._last = self._body()

    def _body(self) -> tuple[Deformer, FloatArray] | None:
        tried, frame = self._retargeter.tried, self._stage.frame
        if tried is None or frame is None or not self._stage.is_previewing(tried.deformer):
            return None
        return tried.deformer, frame.model_from_node[tried.body][:3, 3]

    def _follow(self) -> None:
        before, self._last = self._last, self._body()
        if before is None or self._last is None or before[0] is not self._last[0]:
            return
        moved, view = self._last[1] - before[1], self._state.value
        if moved.any():
            apart = {pane: _moved(camera, moved) for pane, camera in view.apart.items()}
            self._state.update(linked_camera=_moved(view.linked_camera, moved), apart=apart)


def _moved(camera: Camera, by: FloatArray) -> Camera:
    x, y, z = (float(a) + float(b) for a, b in zip(camera.target, by, strict=True))
    return replace(camera, target=(x, y, z))
