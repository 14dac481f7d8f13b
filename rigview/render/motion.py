"""What moves a rig: its pose at any time, and the words that say which one it is."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.motion.trail import trails
from rigview.core.pose import Pose
from rigview.render import review
from rigview.render.look import Look


@dataclass(frozen=True)
class RigMotion:
    """A rig over time.

    Parameters
    ----------
    pose
        Seconds → pose.
    clip
        What plays; None for a pose that stays.
    file, name
        What the rig and the clip are called in pictures.
    rate
        Frames a second that their numbers count.
    """

    deformer: Deformer
    pose: Callable[[float], Pose]
    clip: Clip | None
    file: str
    name: str | None
    rate: float

    def frame(self, time: float) -> Frame:
        """Return the rig at a time in seconds."""
        return self.deformer.frame(self.pose(time))

    def shown(self, look: Look) -> Look:
        """Return a look with the trails that it wants to be drawn."""
        known = self.clip is not None and self.clip in self.deformer.rig.clips
        if not look.trail or not known:
            return replace(look, trails=())
        number = self.deformer.rig.clips.index(self.clip)
        return replace(look, trails=trails(self.deformer, number, self.rate))

    def caption(self, time: float) -> str:
        """Return the line that says what a picture of that time shows."""
        return review.caption(self.file, self.name, time * self.rate, time)

    def even_times(self, count: int, start: float | None = None) -> list[float]:
        """Return times evenly over the clip, its end included; without one there is a single time.

        They are those of whole frames where the clip has enough of them.
        """
        if self.clip is None:
            return [start or 0.0]
        begin = self.clip.start if start is None else start
        times = np.linspace(begin, self.clip.end, count)
        if (self.clip.end - begin) * self.rate >= count - 1:
            times[1:-1] = np.rint(times[1:-1] * self.rate) / self.rate
        result: list[float] = times.tolist()
        return result
