"""How far the joints of a retargeted character are from their counterparts."""

from dataclasses import dataclass

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.motion.body_pair import BodyPair
from rigview.core.motion.subrig import SubRig


@dataclass(frozen=True)
class JointError:
    """How far a joint is from its counterpart, over all retargeted clips.

    Parameters
    ----------
    joint, source
        Of the character, and of the motion.
    degrees
        The largest angle between their bones; NaN where a bone's end has no counterpart.
    distance
        The largest distance between their places, as a share of the length of a leg, once the motion is
        scaled to the character.
    """

    joint: int
    source: int
    degrees: float
    distance: float


class ErrorMeter:
    """Keeps the worst angle and distance of every mapped joint."""

    def __init__(self, pair: BodyPair, excerpt: SubRig) -> None:
        self._pair, self._excerpt = pair, excerpt
        self._worst: dict[int, tuple[float, float]] = {}

    def measure(self, posed: FloatArray, model: FloatArray, placement: FloatArray) -> None:
        """Measure some frames.

        Parameters
        ----------
        posed
            ``(T, M, 4, 4)`` ``model_from_node`` of the motion's excerpt.
        model
            ``(N, T, 4, 4)`` the same of the character.
        placement
            ``(4, 4)`` ``character_from_motion``.
        """
        pair = self._pair
        turned, moved = placement[:3, :3], placement[:3, 3]
        places = self._excerpt.places
        for joint, match in pair.mapping.matches.items():
            place = posed[:, places[match.source], :3, 3]
            wanted = place @ turned.T + moved
            distance = float(np.linalg.norm(model[joint][:, :3, 3] - wanted, axis=1).max())
            degrees, end = np.nan, pair.ends[joint]
            if end is not None:
                tip = posed[:, places[end[1]], :3, 3] - place
                bone = model[end[0]][:, :3, 3] - model[joint][:, :3, 3]
                off = quat.angle_between(np.array(quat.IDENTITY), quat.arc(tip @ turned.T, bone))
                degrees = float(np.degrees(off.max()))
            distance /= pair.leg_length or 1.0
            worst = self._worst.get(joint, (np.nan, 0.0))
            self._worst[joint] = (float(np.fmax(worst[0], degrees)), max(worst[1], distance))

    def errors(self) -> tuple[JointError, ...]:
        """Return the worst of every mapped joint, in the order of the tree."""
        matches = self._pair.mapping.matches
        return tuple(
            JointError(joint, matches[joint].source, *self._worst[joint])
            for joint in self._pair.order
            if joint in self._worst
        )
