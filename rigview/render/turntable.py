"""Turntables: once round a character at even steps, by a camera that keeps its distance."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rigview.core.arrays import ByteArray, FloatArray
from rigview.core.clip import Clip
from rigview.core.frame import Frame
from rigview.core.measures.joint_meter import JointMeter
from rigview.render.camera import Camera
from rigview.render.framing import still_points, visible_points
from rigview.render.motion import RigMotion
from rigview.render.review import Review, measured

MOST_PICTURES = 2000
# What a turn takes by default, in seconds, and how many pictures of it a second at most.
USUAL_SECONDS, USUAL_RATE = 4.0, 30.0
# Points of the circle that stands for one a point goes round on: what lies between is 0.1 % further out.
_ROUND = 72


@dataclass(frozen=True)
class Turntable:
    """How a character is turned.

    Parameters
    ----------
    pictures
        In one turn; the one after the last would be the first again.
    rate
        Pictures a second.
    plays
        Whether the clip plays meanwhile, a whole number of times; else the pose is held.
    """

    pictures: int
    rate: float
    plays: bool = False

    @property
    def seconds(self) -> float:
        """What one turn takes."""
        return self.pictures / self.rate

    def rounds(self, clip: Clip | None) -> int:
        """Return how often the clip plays in one turn: as often as fits best, and at least once."""
        if not self.plays or clip is None or clip.end <= clip.start:
            return 0
        return max(1, round(self.seconds / (clip.end - clip.start)))

    def speed(self, clip: Clip | None) -> float:
        """Return how fast the clip plays, 1 being its own speed; 0 while the pose is held."""
        length = 0.0 if clip is None else clip.end - clip.start
        return self.rounds(clip) * length / self.seconds

    def times(self, clip: Clip | None, held: float) -> list[float]:
        """Return the clip's time in each picture; `held` is that of a pose that stays."""
        rounds = self.rounds(clip)
        if clip is None or not rounds:
            return [held] * self.pictures
        length = clip.end - clip.start
        # In whole numbers: a time that is the start again shall be exactly that.
        return [
            clip.start + length * (i * rounds % self.pictures) / self.pictures
            for i in range(self.pictures)
        ]


def fitting(seconds: float, rate: float, clip: Clip | None) -> Turntable:
    """Return a turn that takes about so long and in which the clip plays at its own speed."""
    length = 0.0 if clip is None else clip.end - clip.start
    if length > 0.0:
        seconds = length * max(1, round(seconds / length))
    pictures = min(max(1, round(seconds * rate)), MOST_PICTURES)
    return Turntable(pictures, rate, plays=length > 0.0)


@dataclass(frozen=True)
class TurntableCamera:
    """A camera that goes round an axis.

    Parameters
    ----------
    camera
        Where it begins.
    centre
        The axis: x and z in model space; it stands upright.
    """

    camera: Camera
    centre: tuple[float, float]

    def at(self, share: float) -> Camera:
        """Return the camera after a share of the turn, 0…1."""
        return self.camera.turned(math.tau * share, self.centre)


@dataclass(frozen=True)
class TurntableFrame:
    """One picture of a turn: its pixels ``(H, W, 4)``, and the camera and time that it shows."""

    pixels: ByteArray
    camera: Camera
    time: float


def turn_about(points: FloatArray, camera: Camera, aspect: float) -> TurntableCamera:
    """Return the turn about the middle of ``(n, 3)`` points that begins in a camera's direction.

    All points are in a pane of width / height `aspect` from every side, with the same camera going round.
    """
    points = points[np.all(np.isfinite(points), axis=-1)]
    if not len(points):
        return TurntableCamera(camera, (camera.target[0], camera.target[2]))
    # 1. What turns about an upright axis sweeps a body of revolution: only height and distance count.
    # 2. A camera that has all of that body in view from one side has so from every side.
    x, _, z = 0.5 * (points.min(axis=0) + points.max(axis=0))
    radii = np.hypot(points[:, 0] - x, points[:, 2] - z)
    profile = outermost(np.stack([radii, points[:, 1]], axis=1))
    # From the camera's direction on, so that the body is as wide to its left as to its right.
    angles = camera.yaw + math.tau / _ROUND * np.arange(_ROUND)[:, None]
    swept = [x + profile[:, 0] * np.sin(angles), z + profile[:, 0] * np.cos(angles)]
    heights = np.broadcast_to(profile[:, 1], swept[0].shape)
    body = np.stack([swept[0], heights, swept[1]], axis=-1).reshape(-1, 3)
    return TurntableCamera(camera.framed(body, aspect), (float(x), float(z)))


def outermost(points: FloatArray) -> FloatArray:
    """Return those of ``(n, d)`` points that all others lie between."""
    from scipy.spatial import ConvexHull

    count, dimensions = points.shape
    if count <= 2 * dimensions:
        return points
    # QJ: points in a plane or a line are no reason to stop.
    corners: FloatArray = points[ConvexHull(points, qhull_options="QJ").vertices]
    return corners


def drawn(
    motion: RigMotion,
    times: Sequence[float],
    wanted: Review,
    draw: Callable[[Frame, Review], ByteArray],
    tell: Callable[[str, float], None],
) -> Iterator[TurntableFrame]:
    """Draw a turn, one picture after the other.

    Parameters
    ----------
    times
        One a picture, as `Turntable.times` has them.
    wanted
        Size, panes and look; its camera says from where the turn begins, in all panes.
    draw
        As `review.easel` gives it.
    tell
        Is told what is under way and how much of the turn is done, 0 to 1; what it raises ends the work.
    """
    turn = turn_about(_swept(motion, times, wanted, tell), wanted.camera, wanted.aspect)
    frame, shown = motion.frame(times[0]), times[0]
    meter = JointMeter(motion.deformer)
    worst = measured(meter, frame, wanted)
    for i, time in enumerate(times):
        tell(f"picture {i + 1} of {len(times)}", i / len(times))
        if time != shown:
            frame, shown = motion.frame(time), time
            worst = measured(meter, frame, replace(wanted, worst={}))
        camera = turn.at(i / len(times))
        words = motion.caption(time) if wanted.caption else ""
        seen = replace(wanted, camera=camera, cameras={}, caption=words, worst=worst)
        yield TurntableFrame(draw(frame, seen), camera, time)


def _swept(
    motion: RigMotion, times: Sequence[float], wanted: Review, tell: Callable[[str, float], None]
) -> FloatArray:
    """Return the outermost points of all poses of a turn."""
    clouds = []
    for time in sorted(set(times)):
        tell("finding the outline", 0.0)
        points = visible_points(motion.deformer, motion.frame(time), wanted.look.hidden)
        clouds.append(outermost(points[np.all(np.isfinite(points), axis=-1)]))
    return np.concatenate([*clouds, still_points(motion.deformer, wanted.look)])
