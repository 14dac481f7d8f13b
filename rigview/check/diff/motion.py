"""What became of the clips, and of the skinned shape at the same times."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from rigview.check.applying.dryrun import sample_times
from rigview.check.diff.pairing import Pairing, one_name
from rigview.check.rule import Progress
from rigview.core.arrays import FloatArray, IntArray, finite
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS, Options
from rigview.core.weight_changes import DISPLACED

# Poses compared vertex by vertex, over all clips; each clip gets at least so many.
POSES, LEAST_POSES = 64, 2
# Times nearer than this are one, seconds.
SAME_TIME = 1e-6
# Poses sampled in one go.
_CHUNK = 128

# A property of a node, by the name that it has in the second rig, or had in the first if it is gone.
Curve = tuple[str, str]


@dataclass(frozen=True)
class ClipChange:
    """A clip of both rigs that is not the same.

    Parameters
    ----------
    clip
        Its number in the second rig; `was` is the one in the first.
    renamed
        Whether it bears another name.
    spans
        (start, end) in seconds, before and after.
    removed, added
        Curves that only one of them has.
    joint, time, moved
        The joint that comes to stand furthest from where it did, when, and how far, metres.
    """

    was: int
    clip: int
    renamed: bool
    spans: tuple[tuple[float, float], tuple[float, float]]
    removed: tuple[Curve, ...]
    added: tuple[Curve, ...]
    joint: int | None
    time: float | None
    moved: float

    @property
    def is_other(self) -> bool:
        """Whether more than its name is not the same."""
        return self.spans[0] != self.spans[1] or bool(self.removed or self.added or self.moved)


@dataclass(frozen=True)
class LargestDifference:
    """Where the skinned shape differs most in one clip; `clip` None is the rest pose."""

    clip: int | None
    time: float | None
    part: int
    vertex: int
    distance: float


@dataclass(frozen=True)
class MotionDiff:
    """All of it.

    Parameters
    ----------
    worst
        Per clip of both rigs, and of the rest pose, where the shape differs at all.
    displaced
        Part of the second rig → ``(V,)`` the furthest that each vertex stands from itself, metres.
    """

    clips: tuple[ClipChange, ...]
    worst: tuple[LargestDifference, ...]
    displaced: dict[int, FloatArray] = field(compare=False, default_factory=dict)


def motion_of(a: Rig, b: Rig, pairing: Pairing, tell: Progress) -> MotionDiff:
    """Compare the clips, and what they make of the parts that have as many vertices as before."""
    old, new = Deformer(a), Deformer(b)
    parts = [
        (i, j)
        for i, j in pairing.parts.both
        if len(a.primitive(a.parts[i]).positions) == len(b.primitive(b.parts[j]).positions)
    ]
    displaced = {j: np.zeros(len(b.primitive(b.parts[j]).positions)) for _, j in parts}
    limit = DISPLACED * old.size
    changes: list[ClipChange] = []
    worst = [_shape(old, new, parts, None, [0.0], displaced)]
    for number, pair in enumerate(pairing.clips.both):
        share = number / len(pairing.clips.both)
        tell("comparing clips", share)
        times = _times(a.clips[pair[0]], b.clips[pair[1]])
        apart = _joints_apart(a, b, pairing.joints.both, pair, times)
        changes += _clip_change((a, b), pairing, pair, times, apart, limit)
        poses = max(LEAST_POSES, POSES // len(pairing.clips.both))
        chosen = times[_worth_a_look(apart.max(axis=1, initial=0.0), poses)]
        worst.append(_shape(old, new, parts, pair, chosen, displaced))
    return MotionDiff(
        tuple(changes), tuple(w for w in worst if w is not None and w.distance > limit), displaced
    )


def _times(before: Clip, after: Clip) -> FloatArray:
    """Return the times of both clips' keys and even ones between, ascending, each once."""
    times = np.unique(np.concatenate([[0.0], sample_times(before), sample_times(after)]))
    return times[np.concatenate([[True], np.diff(times) > SAME_TIME])]


def _joints_apart(
    a: Rig, b: Rig, joints: Sequence[tuple[int, int]], clips: tuple[int, int], times: FloatArray
) -> FloatArray:
    """Return ``(T, J)`` how far paired joints stand from each other in model space."""
    first, second = ([p[i] for p in joints] for i in (0, 1))
    rows = []
    for start in range(0, len(times), _CHUNK):
        chunk = times[start : start + _CHUNK]
        heads = [
            model_from_nodes(rig, sample(rig, rig.clips[clip], chunk))[:, nodes][..., :3, 3]
            for rig, clip, nodes in ((a, clips[0], first), (b, clips[1], second))
        ]
        rows.append(np.linalg.norm(heads[0] - heads[1], axis=-1))
    return finite(np.concatenate(rows))


def _clip_change(
    rigs: tuple[Rig, Rig],
    pairing: Pairing,
    clips: tuple[int, int],
    times: FloatArray,
    apart: FloatArray,
    limit: float,
) -> Iterator[ClipChange]:
    before, after = rigs[0].clips[clips[0]], rigs[1].clips[clips[1]]
    curves_a = {(_now_called(rigs, pairing, node), path) for node, path in before.properties}
    curves_b = {(rigs[1].nodes.label(node), path) for node, path in after.properties}
    spans = ((before.start, before.end), (after.start, after.end))
    removed, added = sorted(curves_a - curves_b), sorted(curves_b - curves_a)
    joint, time, moved = None, None, 0.0
    if apart.size and apart.max() > limit:
        row, column = divmod(int(apart.argmax()), apart.shape[1])
        joint, time = pairing.joints.both[column][1], float(times[row])
        moved = float(apart[row, column])
    if np.abs(np.subtract(*spans)).max() <= SAME_TIME:
        spans = spans[0], spans[0]
    renamed = not one_name(before.name, after.name)
    if renamed or spans[0] != spans[1] or removed or added or moved:
        yield ClipChange(*clips, renamed, spans, tuple(removed), tuple(added), joint, time, moved)


def _now_called(rigs: tuple[Rig, Rig], pairing: Pairing, node: int) -> str:
    joint = pairing.joints.second.get(node)
    return rigs[0].nodes.label(node) if joint is None else rigs[1].nodes.label(joint)


def _worth_a_look(apart: FloatArray, count: int) -> IntArray:
    """Return the places of some times: half of them the worst, half spread evenly."""
    even = np.linspace(0, len(apart) - 1, count - count // 2).round().astype(np.int64)
    worst = np.argsort(-apart, kind="stable")[: count // 2]
    return np.unique(np.concatenate([worst, even]))


def _shape(
    old: Deformer,
    new: Deformer,
    parts: Sequence[tuple[int, int]],
    clips: tuple[int, int] | None,
    times: Sequence[float] | FloatArray,
    displaced: dict[int, FloatArray],
) -> LargestDifference | None:
    """Return where the linearly skinned shapes differ most, and note it per vertex."""
    worst: LargestDifference | None = None
    for time in map(float, times):
        frames = [
            d.frame(sample(d.rig, None if clips is None else d.rig.clips[clips[side]], time))
            for side, d in enumerate((old, new))
        ]
        for i, j in parts:
            a = old.skin(i, frames[0], METHODS["lbs"], Options()).positions
            b = new.skin(j, frames[1], METHODS["lbs"], Options()).positions
            distance = finite(np.linalg.norm(a - b, axis=-1))
            displaced[j] = np.maximum(displaced[j], distance)
            most = float(distance.max(initial=0.0))
            if worst is None or most > worst.distance:
                clip = None if clips is None else clips[1]
                at = None if clips is None else time
                vertex = int(distance.argmax()) if len(distance) else 0
                worst = LargestDifference(clip, at, j, vertex, most)
    return worst
