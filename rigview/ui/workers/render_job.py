"""All that a worker needs to draw pictures: rig, pose and view as they were when they were asked for."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

from rigview.app.movie_files import save_turn
from rigview.core.arrays import ByteArray
from rigview.core.frame import Frame
from rigview.core.review_notes import ReviewNotes
from rigview.io.files import save_bytes
from rigview.render import film, image, review, video
from rigview.render.camera import Camera
from rigview.render.framing import visible_points
from rigview.render.motion import RigMotion
from rigview.render.movie import Reel
from rigview.render.note_view import notes_at
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
    notes
        Those on the file.
    """

    motion: RigMotion
    frame: Frame
    time: float
    camera: Camera
    aspect: float
    context: Callable[[], AbstractContextManager[None]]
    notes: ReviewNotes = field(default_factory=ReviewNotes)

    def picture(self, wanted: Review, kind: Kind, progress: Progress) -> ByteArray:
        """Draw what is wanted ``(H, W, 4)``; of a turntable that is the first picture."""
        motion = self.motion
        if isinstance(kind, Sheet):
            times = motion.even_times(kind.columns)
            words = [motion.caption(time) if wanted.caption else "" for time in times]
            frames = [motion.frame(time) for time in times]
            if self._shows_all(wanted.look.hidden):
                wanted = review.framing_all(motion.deformer, frames, wanted)
            cells = [
                review.SheetColumn(
                    frame, caption, notes_at(self.notes, motion.name, time, motion.rate)
                )
                for frame, caption, time in zip(frames, words, times, strict=True)
            ]
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

    def save_film(self, path: Path, wanted: Review, progress: Progress, *, turns: bool) -> None:
        """Draw the clip picture by picture and write it as a film, which holds at each note.

        Raises
        ------
        SaveError
            If it cannot be written; nothing is left behind.
        GLError, VideoError
            If it cannot be drawn or encoded.
        """
        plan = film.film_of(self.motion, self.motion.rate, turns=turns)
        plan = replace(plan, notes=self.notes, framed=turns)
        kind = video.BY_SUFFIX.get(path.suffix.lower(), video.VIDEOS[0])
        wanted = replace(wanted, worst={}, notes=())
        with self.context(), review.easel(self.motion.deformer) as draw:
            shots = film.drawn(self.motion, plan, wanted, draw, progress)
            save_bytes(path, video.encode(shots, kind, plan.rate))
