"""The camera goes with a change that moves or scales the character out of its view, and back with it."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QObject

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.pose import sample
from rigview.render.camera import Camera
from rigview.render.framing import visible_points
from rigview.ui.panes.viewport import Panes
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.workers.opening import Opener
from rigview.ui.workers.previewing import Previewer

# A rig has left the view where less than this share is in it of what was of the rig before.
_STAYS = 0.5
# Nor can it be read where it is so many times larger or smaller on the screen.
_SCALE = 4.0
# So many points tell that; it is asked whenever the rig changes, while the window waits.
_POINTS = 2_000


@dataclass(frozen=True)
class Sight:
    """What a camera has of a rig: the share of its points, and the size of all, in panes' heights."""

    share: float
    size: float

    def is_lost(self, now: "Sight") -> bool:
        """Tell whether another rig is no longer seen as this one was."""
        if self.share == 0.0:
            return False
        factor = now.size / self.size if self.size > 0.0 else 1.0
        return now.share < _STAYS * self.share or not 1.0 / _SCALE <= factor <= _SCALE


def sight(camera: Camera, points: FloatArray, aspect: float) -> Sight:
    """Return what a camera has of ``(n, 3)`` points, in a pane of width / height `aspect`."""
    finite = points[np.all(np.isfinite(points), axis=1)]
    if not len(finite):
        return Sight(0.0, 0.0)
    place = camera.project(finite, aspect, 1.0)[:, :2]
    ahead = place[np.all(np.isfinite(place), axis=1)]
    inside = np.all((ahead >= 0.0) & (ahead <= (aspect, 1.0)), axis=1)
    size = float(np.linalg.norm(np.ptp(ahead, axis=0))) if len(ahead) else 0.0
    return Sight(float(np.count_nonzero(inside)) / len(finite), size)


class Follower(QObject):
    """Frames the character anew when another state of the same file would not be seen."""

    def __init__(
        self, stage: Stage, state: State, panes: Panes, opener: Opener, previewer: Previewer
    ) -> None:
        super().__init__()
        self._stage, self._state, self._panes, self._opener = stage, state, panes, opener
        self._shown: Deformer | None = None
        self._left: Deformer | None = None
        self._before: tuple[Sight, Camera] | None = None
        # Rig → the camera with which it was left, and the one that was made for the rig that followed.
        self._cameras: WeakKeyDictionary[Deformer, tuple[Camera, Camera]] = WeakKeyDictionary()
        stage.rig_changed.connect(self._follow)
        previewer.shown.connect(self._look)

    def forget(self) -> None:
        """Forget what was seen of a file: another one is opened."""
        self._shown = self._left = self._before = None
        self._cameras.clear()

    def _follow(self) -> None:
        now = self._stage.deformer
        if self._opener.is_busy or now is None or now is self._shown:
            return
        self._left, self._shown = self._shown, now
        if self._left is None:
            return
        camera = self._state.value.camera
        self._before = None
        if not _stands_alike(self._left, now):
            self._before = self._sight(self._left, self._frame(self._left)), camera
        kept = self._cameras.get(now)
        if kept is not None and camera == kept[1]:
            # Nobody has moved it since it followed: it goes back with what it followed.
            self._state.update(camera=kept[0])
        else:
            self._look()

    def _look(self) -> None:
        """Frame what is shown anew, unless it is seen as what was shown before."""
        now, frame = self._shown, self._stage.frame
        if now is None or frame is None or self._left is None or self._before is None:
            return
        before, camera = self._before
        if not before.is_lost(self._sight(now, frame)):
            return
        kept = self._cameras.get(now)
        if kept is not None:
            self._state.update(camera=kept[0])
        if kept is None or before.is_lost(self._sight(now, frame)):
            self._panes.frame_all()
        self._cameras[self._left] = camera, self._state.value.camera

    def _frame(self, deformer: Deformer) -> Frame:
        """Return a rig in the pose of the present clip and time."""
        view, clips = self._state.value, deformer.rig.clips
        has = view.clip is not None and view.clip < len(clips)
        clip = clips[view.clip] if has and view.clip is not None else None
        return deformer.frame(sample(deformer.rig, clip, view.time))

    def _sight(self, deformer: Deformer, frame: Frame) -> Sight:
        view = self._state.value
        points = visible_points(deformer, frame, view.hidden)
        return sight(view.camera, points[:: max(1, len(points) // _POINTS)], self._panes.aspect)


def _stands_alike(one: Deformer, other: Deformer) -> bool:
    """Tell whether two rigs have the same joints and vertices at the same places, in the same clips.

    Weights may differ: they leave a vertex among the joints that move it.
    """
    a, b = one.rig, other.rig
    if not (a.is_laid_out_like(b) and a.nodes.rests_like(b.nodes) and len(a.skins) == len(b.skins)):
        return False
    skins = zip(a.skins, b.skins, strict=True)
    parts = zip(a.parts, b.parts, strict=True)
    return (
        len(a.clips) == len(b.clips)
        and all(x is y for x, y in zip(a.clips, b.clips, strict=True))
        and all(np.array_equal(x.joint_from_mesh, y.joint_from_mesh) for x, y in skins)
        and all(
            np.array_equal(a.primitive(x).positions, b.primitive(y).positions) for x, y in parts
        )
    )
