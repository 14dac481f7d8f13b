"""Which clips are one under two names: as long, and with the same motion, or nearly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, finite
from rigview.core.clip import Clip
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Rig
from rigview.core.weight_changes import DISPLACED

# Programs round the end of a clip to a frame: lengths this near, as a share, are one.
SAME_LENGTH = 0.02
# Keys that were reduced or baked anew leave a motion within this share of how far it goes.
SAME_MOTION = 0.05
# Poses compared of each clip, evenly from its start to its end.
_POSES = 17
# Turns count as what stands this far from a joint does, in sizes of the rig.
_LEVER = 0.1


@dataclass(frozen=True)
class Shared:
    """What the motion of clips of two rigs is told by.

    Parameters
    ----------
    joints
        Nodes of the first rig and of the second.
    morphed
        Nodes that show morph targets, of the first and of the second.
    size
        H of the first rig, metres.
    """

    joints: Sequence[tuple[int, int]]
    morphed: Sequence[tuple[int, int]]
    size: float


def same_motions(
    a: Rig, b: Rig, left: tuple[Sequence[int], Sequence[int]], shared: Shared
) -> dict[int, int]:
    """Return clip of the first rig → the one of the second that moves alike, the nearest first.

    Parameters
    ----------
    left
        The clips that are asked about, of the first rig and of the second.
    """
    motions = [
        {clip: _Motion.of(rig, rig.clips[clip], shared, side) for clip in clips}
        for side, (rig, clips) in enumerate(zip((a, b), left, strict=True))
    ]
    apart = {
        (i, j): before.apart(after)
        for i, before in motions[0].items()
        for j, after in motions[1].items()
        if before.may_be(after)
    }
    found: dict[int, int] = {}
    for i, j in sorted(apart, key=lambda pair: apart[pair]):
        if i not in found and j not in found.values():
            found[i] = j
    return found


@dataclass(frozen=True, eq=False)
class _Motion:
    """What a clip does.

    Parameters
    ----------
    length
        Seconds.
    moves
        What has keys: the joint's place among those shared, and the property.
    values
        ``(T, n)`` where joints stand and how they have turned since the start, in sizes of the rig, and
        weights of morph targets.
    """

    length: float
    moves: frozenset[tuple[int, str]]
    values: FloatArray

    @classmethod
    def of(cls, rig: Rig, clip: Clip, shared: Shared, side: int) -> "_Motion":
        nodes = [pair[side] for pair in shared.joints]
        pose = sample(rig, clip, np.linspace(clip.start, clip.end, _POSES))
        model = model_from_nodes(rig, pose)[:, nodes]
        turns = affine.polar(finite(model[..., :3, :3]))[0]
        since = turns @ np.swapaxes(turns[0], -1, -2)
        rows = [model[..., :3, 3] / shared.size, _LEVER * since]
        weights: Mapping[int, FloatArray] = pose.morph_weights
        rows += [weights[pair[side]] for pair in shared.morphed if pair[side] in weights]
        place = {node: i for i, node in enumerate(nodes)}
        moves = {(place.get(node, -1), path) for node, path in clip.properties}
        values = np.concatenate([row.reshape(_POSES, -1) for row in rows], axis=1)
        return cls(clip.end - clip.start, frozenset(moves), finite(values))

    def may_be(self, other: "_Motion") -> bool:
        """Tell whether another clip is this one; what does not move has to have the same curves, too."""
        longer = max(self.length, other.length)
        if abs(self.length - other.length) > SAME_LENGTH * longer:
            return False
        if self.values.shape != other.values.shape:
            return False
        far = max(float(np.abs(m.values - m.values[0]).max(initial=0.0)) for m in (self, other))
        if far <= DISPLACED and self.moves != other.moves:
            return False
        return self.apart(other) <= max(DISPLACED, SAME_MOTION * far)

    def apart(self, other: "_Motion") -> float:
        """Return how far the two are from each other at most."""
        return float(np.abs(self.values - other.values).max(initial=0.0))
