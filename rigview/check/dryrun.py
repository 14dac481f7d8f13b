"""What a fix would move: two rigs compared in every clip under every method, before anything is applied."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.rig import Rig
from rigview.core.skinning import DEFAULT_PANES, METHODS, Options

# An exact fix may move nothing by more than this share of the rig's size.
EXACT = 1e-5
# Palettes are compared at every key and at this many even times; vertices where palettes differ most.
EVEN_TIMES = 32
COMPARED_TIMES = 64
# Poses sampled in one go: enough to be quick, little enough to keep memory flat and to cancel soon.
_CHUNK = 128
# Multiples of the golden ratio fall evenly into 0…1 however many are taken.
_SPREAD = 0.6180339887498949

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class DryRun:
    """The largest displacement of any vertex, per method, in metres.

    Parameters
    ----------
    size
        H of the rig in metres.
    clip, time
        Where the largest one is; None in the rest pose.
    poses
        How many poses were compared vertex by vertex.
    """

    displacement: dict[str, float]
    size: float
    clip: str | None
    time: float | None
    poses: int

    @property
    def largest(self) -> float:
        """Over all methods, in metres."""
        return max(self.displacement.values(), default=0.0)

    @property
    def exact(self) -> bool:
        """Whether nothing moves: at most `EXACT` of the rig's size."""
        return self.largest <= EXACT * self.size


def dry_run(before: Rig, after: Rig, progress: Progress | None = None) -> DryRun:
    """Compare two rigs of the same clips and meshes.

    Parameters
    ----------
    progress
        Hears what is under way and the share done; may raise to stop.

    Raises
    ------
    ValueError
        If the two show different parts.
    """
    pairs = _same_parts(before, after)
    tell = progress or (lambda _text, _share: None)
    old, new = Deformer(before), Deformer(after)
    times = _times_of_interest(old, new, tell)
    worst: dict[str, float] = dict.fromkeys(DEFAULT_PANES, 0.0)
    place: tuple[str | None, float | None] = (None, None)
    for i, (clip, t) in enumerate(times):
        tell("comparing vertices", 0.5 + 0.5 * i / len(times))
        moved = _displacements(old, new, pairs, clip, t)
        if max(moved.values()) > max(worst.values()):
            place = (None, None) if clip is None else (before.clips[clip].name, t)
        worst = {method: max(worst[method], moved[method]) for method in DEFAULT_PANES}
    return DryRun(worst, old.size, *place, len(times))


def _same_parts(before: Rig, after: Rig) -> list[tuple[int, int]]:
    """Return where each part stands in both rigs: a node that hangs elsewhere is drawn elsewhere."""
    place = {part: i for i, part in enumerate(after.parts)}
    same = len(place) == len(before.parts) and all(
        part in place
        and len(before.primitive(part).positions) == len(after.primitive(part).positions)
        for part in before.parts
    )
    if not same:
        raise ValueError("the two rigs do not show the same vertices")
    return [(i, place[part]) for i, part in enumerate(before.parts)]


def _times_of_interest(
    old: Deformer, new: Deformer, tell: Progress
) -> list[tuple[int | None, float]]:
    """Return the rest pose, and the (clip, time) at which palettes differ most."""
    candidates: list[tuple[float, int, float]] = []
    clips = old.rig.clips
    for number, (before, after) in enumerate(zip_longest(clips, new.rig.clips)):
        tell("comparing palettes", 0.5 * number / max(1, len(clips)))
        times = sample_times(before)
        for start in range(0, len(times), _CHUNK):
            chunk = times[start : start + _CHUNK]
            differences = _palette_difference(old, new, (before, after), chunk)
            candidates += [
                (float(d), number, float(t)) for d, t in zip(differences, chunk, strict=True)
            ]
    # A fix of weights leaves all palettes equal: what is even is taken from all over the clips.
    order = sorted(range(len(candidates)), key=lambda i: (-candidates[i][0], i * _SPREAD % 1.0))
    chosen: list[tuple[int | None, float]] = [(None, 0.0)]
    chosen += [candidates[i][1:] for i in order[: COMPARED_TIMES - 1]]
    return chosen


def sample_times(clip: Clip) -> FloatArray:
    """Return every key time of a clip and `EVEN_TIMES` even ones, ascending."""
    if not len(clip.key_times):
        return np.zeros(0)
    return np.unique(
        np.concatenate([clip.key_times, np.linspace(clip.start, clip.end, EVEN_TIMES)])
    )


def _palette_difference(
    old: Deformer, new: Deformer, clips: tuple[Clip, Clip], times: FloatArray
) -> FloatArray:
    """Return ``(T,)`` how far apart the skin matrices are at most, joint by joint of equal node.

    A part without skin counts with its node.
    """
    models = []
    for deformer, clip in zip((old, new), clips, strict=True):
        models.append(model_from_nodes(deformer.rig, sample(deformer.rig, clip, times)))
    alone = sorted({part.node for part in old.rig.parts if not old.is_skinned(part)})
    apart = np.abs(models[0][:, alone] - models[1][:, alone])
    difference: FloatArray = apart.max(axis=(1, 2, 3), initial=0.0)
    for skin in old.skins:
        before, after = old.rig.skins[skin], new.rig.skins[skin]
        place = {joint: i for i, joint in enumerate(after.joints)}
        pairs = [(i, place[j]) for i, j in enumerate(before.joints) if j in place]
        if not pairs:
            continue
        first, second = (list(p) for p in zip(*pairs, strict=True))
        a = models[0][:, [before.joints[i] for i in first]] @ before.joint_from_mesh[first]
        b = models[1][:, [after.joints[i] for i in second]] @ after.joint_from_mesh[second]
        difference = np.maximum(difference, np.abs(a - b).max(axis=(1, 2, 3)))
    return difference


def _displacements(
    old: Deformer, new: Deformer, pairs: list[tuple[int, int]], clip: int | None, time: float
) -> dict[str, float]:
    """Return per method the largest distance between a vertex and itself, in one pose."""
    frames = [
        d.frame(rest_pose(d.rig) if clip is None else sample(d.rig, d.rig.clips[clip], time))
        for d in (old, new)
    ]
    result = {}
    for name in DEFAULT_PANES:
        moved = 0.0
        for i, j in pairs:
            a = old.skin(i, frames[0], METHODS[name], Options()).positions
            b = new.skin(j, frames[1], METHODS[name], Options()).positions
            if len(a):
                moved = max(moved, float(np.linalg.norm(a - b, axis=-1).max()))
        result[name] = moved
    return result
