"""What moves a rig: its pose at any time, and the words that say which one it is."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.pose import Pose
from rigview.render import review


@dataclass(frozen=True)
class Motion:
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

    def caption(self, time: float) -> str:
        """Return the line that says what a picture of that time shows."""
        return review.caption(self.file, self.name, time * self.rate, time)

    def even_times(self, count: int, start: float | None = None) -> list[float]:
        """Return times evenly over the clip, its end included; without one there is a single time."""
        if self.clip is None:
            return [start or 0.0]
        begin = self.clip.start if start is None else start
        times: list[float] = np.linspace(begin, self.clip.end, count).tolist()
        return times
