"""Write clips as turns away from the rest pose, on whole frames."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

import quaternions as qt
from document import Channel
from skeleton import Skeleton, other_side

Array = NDArray[np.float64]

FPS = 30.0
# Between two keys further apart than this the short way round is no longer plain to see.
MOST_DEGREES = 90.0 + 1e-6
# Keys nearer to the rest pose than this are the rest pose.
STILL = 1e-7


def turn(bend: float = 0.0, side: float = 0.0, twist: float = 0.0) -> Array:
    """Return ``(4,)`` a turn in a joint's own frame at rest, in degrees.

    It twists about the bone (+Y), then swings the bone about an axis square to it: `bend` is the
    share about +X, `side` about +Z.
    """
    degrees = float(np.hypot(bend, side))
    swing = qt.about((bend, 0.0, side), degrees) if degrees else qt.IDENTITY
    return qt.multiply(swing, qt.about((0.0, 1.0, 0.0), twist))


class Motion:
    """One clip: per joint turns by frame; joints without any stay at rest.

    Parameters
    ----------
    skeleton
        Whose rest pose the turns start from.
    """

    def __init__(self, name: str, skeleton: Skeleton) -> None:
        self.name = name
        self._skeleton = skeleton
        self._turns: dict[str, dict[int, Array]] = {}
        self._moves: dict[str, tuple[Sequence[int], Array, str]] = {}

    def key(self, frame: int, joint: str, value: ArrayLike) -> None:
        """Turn a joint away from rest at a frame; `value` as of `turn`."""
        self._turns.setdefault(joint, {})[frame] = np.asarray(value, dtype=np.float64)

    def keys(self, joint: str, turns: Mapping[int, ArrayLike], both: bool = False) -> None:
        """Turn a joint at several frames; with `both` the right joint too, as in a mirror."""
        for frame, value in turns.items():
            self.key(frame, joint, value)
            if both:
                self.key(frame, other_side(joint), qt.mirrored(value))

    def world(self, frame: int, joint: str, value: ArrayLike) -> None:
        """Turn a joint, as seen from its posed parent, by a turn about the axes of the model."""
        rest = self._skeleton.turns[self._skeleton.number(joint)]
        self.key(frame, joint, qt.product(qt.conjugate(rest), value, rest))

    def move(
        self, joint: str, frames: Sequence[int], offsets: ArrayLike, cubic: bool = False
    ) -> None:
        """Move a joint off its rest place.

        Parameters
        ----------
        offsets
            ``(K, 3)`` in model axes, metres. Their parent must stay at rest.
        cubic
            Write a smooth spline that closes on itself: the last offset must be the first.
        """
        number = self._skeleton.number(joint)
        parent = self._skeleton.parents[number]
        back = qt.IDENTITY if parent < 0 else qt.conjugate(self._skeleton.turns[parent])
        rest = self._skeleton.translations[number]
        values = rest + qt.rotate(back, np.asarray(offsets, dtype=np.float64))
        if cubic:
            values = _spline(np.asarray(frames) / FPS, values)
        self._moves[joint] = (frames, values, "CUBICSPLINE" if cubic else "LINEAR")

    def channels(self, nodes: Sequence[int]) -> list[Channel]:
        """Return the channels of every joint that moves, in the order of the joints.

        Parameters
        ----------
        nodes
            The file's node of every joint.
        """
        result = []
        for number, name in enumerate(self._skeleton.names):
            if name in self._moves:
                frames, values, kind = self._moves[name]
                times = np.asarray(frames) / FPS
                result.append(Channel(nodes[number], "translation", times, values, kind))
            if name in self._turns:
                channel = self._rotation(number, nodes[number])
                if channel is not None:
                    result.append(channel)
        return result

    def _rotation(self, number: int, node: int) -> Channel | None:
        turns = self._turns[self._skeleton.names[number]]
        frames = sorted(turns)
        deltas = np.array([turns[frame] for frame in frames])
        if np.abs(deltas[:, :3]).max() < STILL:
            return None
        values = qt.multiply(self._skeleton.rotations[number], deltas)
        for i in range(1, len(values)):
            if np.sum(values[i] * values[i - 1]) < 0.0:
                values[i] = -values[i]
        widest = float(qt.angle(values[:-1], values[1:]).max(initial=0.0))
        if widest > MOST_DEGREES:
            raise ValueError(f"{self.name}: {self._skeleton.names[number]} turns {widest:.0f}°")
        return Channel(node, "rotation", np.array(frames) / FPS, qt.unit(values))


def _spline(times: Array, values: Array) -> Array:
    """Return ``(K, 3, 3)`` in-tangent, value, out-tangent of a closed spline through ``(K, 3)``."""
    before = np.concatenate([values[-2:-1], values[:-1]])
    after = np.concatenate([values[1:], values[1:2]])
    steps = np.diff(times)
    span = np.concatenate([steps[-1:], steps]) + np.concatenate([steps, steps[:1]])
    slopes = (after - before) / span[:, None]
    return np.stack([slopes, values, slopes], axis=1)
