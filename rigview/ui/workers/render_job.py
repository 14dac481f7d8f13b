"""A rig sits for its pictures: all that a worker needs to draw them, whatever is chosen meanwhile."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from rigview.app.movie_files import save_turn
from rigview.core.arrays import ByteArray
from rigview.core.frame import Frame
from rigview.io.files import save_bytes
from rigview.render import image, review
from rigview.render.camera import Camera
from rigview.render.framing import visible_points
from rigview.render.motion import RigMotion
from rigview.render.movie import Reel
from rigview.render.review import Review
from rigview.render.turntable import Turntable, drawn
from rigview.ui.dialogs.export_kinds import Kind, Sheet
from rigview.ui.jobs import Progress

# What a PNG carries that shows a time by a camera.
Text = Callable[[Camera, float], Mapping[str, str]]


@dataclass(frozen=True)
class RenderJob:
    """A rig, how it moves, and where it is drawn.

    Parameters
    ----------
    frame, time
        The pose on show, and when that is.
    camera, aspect
        The view of it, and width over height of what shows it.
    context
        Makes an OpenGL context current in a worker's thread.
    """

    motion: RigMotion
    frame: Frame
    time: float
    camera: Camera
    aspect: float
    context: Callable[[], AbstractContextManager[None]]

    def picture(self, wanted: Review, kind: Kind, progress: Progress) -> ByteArray:
        """Draw what is wanted ``(H, W, 4)``; of a turntable that is the first picture."""
        motion = self.motion
        if isinstance(kind, Sheet):
            times = motion.even_times(kind.columns)
            words = [motion.caption(time) if wanted.caption else "" for time in times]
            frames = [motion.frame(time) for time in times]
            if self._shows_all(wanted.look.hidden):
                wanted = review.framing_all(motion.deformer, frames, wanted)
            cells = list(zip(frames, words, strict=True))
            with self.context():
                return review.sheet(motion.deformer, cells, wanted, progress)
        with self.context(), review.easel(motion.deformer) as draw:
            if isinstance(kind, Turntable):
                times = kind.times(motion.clip, self.time)
                return next(drawn(motion, times, wanted, draw, progress)).pixels
            return draw(self.frame, wanted)

    def _shows_all(self, hidden: frozenset[int]) -> bool:
        """Tell whether everything is in the view, so that it is none of a detail."""
        points = visible_points(self.motion.deformer, self.frame, hidden)
        x, y, _ = self.camera.project(points, self.aspect, 1.0).T
        inside = (x >= 0.0) & (x <= self.aspect) & (y >= 0.0) & (y <= 1.0)
        return bool(inside.all())

    def save(self, path: Path, wanted: Review, kind: Kind, text: Text, progress: Progress) -> None:
        """Draw what is wanted and write it.

        Raises
        ------
        SaveError
            If it cannot be written; nothing is left behind.
        GLError
            If it cannot be drawn.
        """
        if not isinstance(kind, Turntable):
            pixels = self.picture(wanted, kind, progress)
            save_bytes(path, image.png(pixels, text(self.camera, self.time)))
            return
        times = kind.times(self.motion.clip, self.time)
        first = text(self.camera, self.time)
        reel = Reel(kind.pictures, kind.rate, wanted.size, wanted.look.transparent, first)
        with self.context(), review.easel(self.motion.deformer) as draw:
            save_turn(path, drawn(self.motion, times, wanted, draw, progress), reel, text)
