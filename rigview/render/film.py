"""A clip as a film: fixed or turning camera, and a hold at each note, seen as its author saw it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from rigview.core.arrays import ByteArray, FloatArray
from rigview.core.frame import Frame
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.review_notes import ReviewNotes
from rigview.render.camera import Camera
from rigview.render.framing import reach, still_points, visible_points
from rigview.render.motion import RigMotion
from rigview.render.note_view import NumberedNote, camera_of, notes_at, pane_of
from rigview.render.review import Review, measured
from rigview.render.turntable import outermost, turn_about

MOST_PICTURES = 20_000
# Poses that are looked at to find what the camera must see.
_MOST_POSES = 60


@dataclass(frozen=True)
class Film:
    """What a film shows.

    Parameters
    ----------
    rate
        Pictures a second.
    times
        Of the clip, one a picture.
    turns
        Whether the camera goes once round meanwhile.
    notes
        Those that it holds at.
    hold
        Seconds that it holds at a note; 0 for none.
    framed
        Whether the camera is moved so that all poses are seen; else it stays as the picture has it.
    """

    rate: float
    times: tuple[float, ...]
    turns: bool = False
    notes: ReviewNotes = field(default_factory=ReviewNotes)
    hold: float = 2.0
    framed: bool = True

    def shots(self, clip: str | None) -> list["Shot"]:
        """Return the pictures in their order, those of holds too."""
        result, held = [], round(self.hold * self.rate)
        for i, time in enumerate(self.times):
            share = i / max(len(self.times), 1)
            result.append(Shot(time, share))
            for note in notes_at(self.notes, clip, time, self.rate):
                result += [Shot(time, share, note)] * held
        return result


@dataclass(frozen=True)
class Shot:
    """One picture: its time, what share of the turn is done, and the note that it holds at."""

    time: float
    share: float
    note: NumberedNote | None = None


def film_of(motion: RigMotion, rate: float, *, turns: bool = False) -> Film:
    """Return a film of a clip at its own speed; a pose that stays is shown for a second or one turn."""
    clip = motion.clip
    if clip is None or clip.end <= clip.start:
        count = round((4.0 if turns else 1.0) * rate)
        return Film(rate, (0.0 if clip is None else clip.start,) * max(count, 1), turns)
    count = int(np.floor((clip.end - clip.start) * rate + 1e-6)) + 1
    times = tuple((clip.start + np.arange(count) / rate).tolist())
    return Film(rate, times, turns)


def drawn(
    motion: RigMotion,
    film: Film,
    wanted: Review,
    draw: Callable[[Frame, Review], ByteArray],
    tell: Callable[[str, float], None],
) -> Iterator[ByteArray]:
    """Draw a film, one picture ``(H, W, 4)`` after the other.

    Parameters
    ----------
    wanted
        Size, panes and look; its cameras say from where it is seen. A film that turns has one, the
        picture's, for all panes.
    draw
        As `review.easel` gives it.
    tell
        Is told what is under way and how much is done, 0 to 1; what it raises ends the work.
    """
    points = _swept(motion, film, wanted, tell)
    turn = turn_about(points, wanted.camera, wanted.aspect)
    far = reach(motion.deformer, motion.frame(film.times[0]), points, wanted.look.hidden)
    if film.turns:
        wanted = replace(wanted, cameras={})
    elif film.framed:
        wanted = wanted.seen_by(lambda camera: camera.framed(points, wanted.aspect, far))
    shots, meter = film.shots(motion.name), JointMeter(motion.deformer)
    last: tuple[Shot, ByteArray] | None = None
    for i, shot in enumerate(shots):
        tell(f"picture {i + 1} of {len(shots)}", i / len(shots))
        if last is None or shot != last[0]:
            frame = motion.frame(shot.time)
            camera = turn.at(shot.share) if film.turns else wanted.camera
            words = motion.caption(shot.time) if wanted.caption else ""
            seen = replace(_seen(shot, wanted, camera), caption=words, worst={})
            last = shot, draw(frame, replace(seen, worst=measured(meter, frame, seen)))
        yield last[1]


def _seen(shot: Shot, wanted: Review, camera: Camera) -> Review:
    """Return a picture with its camera and the note that it holds at."""
    if shot.note is None:
        return replace(wanted, camera=camera, notes=())
    view = shot.note.note.view
    cameras = wanted.cameras
    if view is not None and cameras:
        # The others stay as they are.
        pane = pane_of(shot.note.note, wanted.methods)
        own = camera_of(view, wanted.camera_of(pane), wanted.aspect)
        cameras = {**cameras, pane: own}
    elif view is not None:
        camera = camera_of(view, camera, wanted.aspect)
    return replace(wanted, camera=camera, cameras=cameras, notes=(shot.note,))


def _swept(
    motion: RigMotion, film: Film, wanted: Review, tell: Callable[[str, float], None]
) -> FloatArray:
    """Return the outermost points of poses all over a film."""
    times = sorted(set(film.times))
    places = np.unique(np.linspace(0, len(times) - 1, min(len(times), _MOST_POSES)).round())
    clouds = []
    for place in places.astype(int):
        tell("finding the outline", 0.0)
        frame = motion.frame(times[int(place)])
        points = visible_points(motion.deformer, frame, wanted.look.hidden)
        clouds.append(outermost(points[np.all(np.isfinite(points), axis=-1)]))
    return np.concatenate([*clouds, still_points(motion.deformer, wanted.look)])
