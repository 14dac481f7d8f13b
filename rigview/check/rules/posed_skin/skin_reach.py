"""How far the skin of each character reaches in a few telling poses of all clips."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rigview.check.rule import Subject
from rigview.check.rules.posed_skin.exclusions import Exclusions
from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.clip import Clip
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS, Options

# Poses measured of all clips together, and looked at to choose them: of a clip never fewer than some.
POSES = 32
LOOKED_AT, OF_A_CLIP = 960, 8
# Beside them so many poses, each of another clip, are asked how far the skin reaches.
REACHES = 4
# Every joint shall be seen this near to the furthest that it goes, and as near on each side of an axis.
_FURTHEST, _EACH_WAY = 0.97, 0.9
# A joint that goes less far than this goes nowhere: radians, share of the rig's size.
_TURNED, _MOVED = np.radians(5.0), 0.01


@dataclass(frozen=True, eq=False)
class SkinReach:
    """The bounds of one character in some poses of all clips that are judged.

    Parameters
    ----------
    character
        The number of the character (`Anatomy.characters`).
    reached
        (clip, time) of every pose: telling ones, and those that take joints furthest away.
    bounds, rest_bounds
        ``(R, 2, 3)`` the lowest and highest corner of the skinned parts under LBS, and the same of what
        is judged in that pose at rest; NaN without any.
    """

    character: int
    reached: tuple[tuple[int, float], ...]
    bounds: FloatArray
    rest_bounds: FloatArray


def skin_reach(subject: Subject) -> tuple[SkinReach, ...]:
    """Measure each character in its telling poses of all clips that are judged; for `Subject.kept`."""
    return tuple(_worn(subject, character) for character in subject.kept(Exclusions).characters)


def looked(subject: Subject) -> "dict[int, SampledPoses]":
    """Return character → its poses in all clips that are judged, as quickly looked at; for `kept`."""
    rig, left = subject.rig, subject.kept(Exclusions)
    of, result = subject.facts.anatomy.characters, {}
    for character in left.characters:
        joints = [
            j for j in rig.joints if of.get(j, -1) == character and j not in subject.facts.idle
        ]
        size = float(subject.facts.sizes[character]) if character >= 0 else subject.deformer.size
        result[character] = looked_at(rig, size, left.clips, joints)
    return result


def _worn(subject: Subject, character: int) -> SkinReach:
    rig, left = subject.rig, subject.kept(Exclusions)
    seen = subject.kept(looked)[character]
    poses = telling(seen, POSES)
    reached = [*poses, *(pose for pose in _furthest_away(seen) if pose not in poses)]
    bounds, rest_bounds = np.full((2, len(reached), 2, 3), np.nan)
    meters: dict[int, ShapeMeter] = {}
    for number, (clip, time) in enumerate(reached):
        deformer = left.deformer(clip, character)
        meter = meters.setdefault(id(deformer), ShapeMeter(deformer))
        frame = deformer.frame(sample(rig, rig.clips[clip], time))
        points = meter.mesh.positions(deformer.skin_all(frame, METHODS["lbs"], Options()))
        if points.size:
            bounds[number] = points.min(axis=1), points.max(axis=1)
            rest_bounds[number] = meter.rest_bounds
    return SkinReach(character, tuple(reached), bounds, rest_bounds)


@dataclass(frozen=True, eq=False)
class SampledPoses:
    """Some poses of all clips, as quickly looked at.

    Parameters
    ----------
    poses
        (clip, time) of every pose.
    turned, moved
        ``(P, J)`` by what angle joints are turned from rest, and how far they are from where they rest
        under their parents, as a share of the rig's size.
    turns
        ``(P, 6J)`` the same turn about each axis of the joint, one way and the other, as sines of half.
    away
        ``(P,)`` how far one joint is at most from where it rests in the model.
    """

    poses: list[tuple[int, float]]
    turned: FloatArray
    moved: FloatArray
    turns: FloatArray
    away: FloatArray


def looked_at(rig: Rig, size: float, clips: Sequence[int], joints: Sequence[int]) -> SampledPoses:
    """Look at some joints in each of some clips of a rig of size H, in its own unit."""
    rest = quat.normalise(rig.nodes.rotations[joints])
    heads = model_from_nodes(rig, rest_pose(rig))[joints, :3, 3]
    poses: list[tuple[int, float]] = []
    found: list[tuple[FloatArray, ...]] = []
    for number in clips:
        times = _spread(rig.clips[number], max(OF_A_CLIP, LOOKED_AT // len(clips)))
        if not len(times):
            continue
        pose = sample(rig, rig.clips[number], times)
        rotations = pose.rotations[:, joints]
        offsets = pose.translations[:, joints] - rig.nodes.translations[joints]
        apart = model_from_nodes(rig, pose)[:, joints][..., :3, 3] - heads
        turn = quat.multiply(quat.conjugate(rest), rotations)
        sines = np.where(turn[..., 3:] < 0.0, -turn[..., :3], turn[..., :3]).reshape(len(times), -1)
        poses += [(number, float(time)) for time in times]
        found.append(
            (
                quat.angle_between(rest, rotations),
                np.linalg.norm(offsets, axis=2) / max(size, np.finfo(np.float64).tiny),
                np.maximum(np.concatenate([sines, -sines], axis=1), 0.0),
                np.linalg.norm(apart, axis=2).max(axis=1, initial=0.0),
            )
        )
    if not found:
        none = np.zeros((0, len(joints)))
        return SampledPoses(poses, none, none, np.zeros((0, 6 * len(joints))), np.zeros(0))
    return SampledPoses(poses, *(np.concatenate(of) for of in zip(*found, strict=True)))


def telling(looked: SampledPoses, most: int) -> list[tuple[int, float]]:
    """Return at most so many (clip, time), in order, in which shapes suffer.

    Those that take every joint as far as it goes come first, then those that do so each way about its
    axes, then those that turn all joints most, of every clip one before a second of any.
    """
    goes = np.concatenate([_shares(looked.turned, _TURNED), _shares(looked.moved, _MOVED)], axis=1)
    turns = _shares(looked.turns, np.sin(0.5 * _TURNED))
    together = looked.turned.sum(axis=1)
    chosen = _covering(goes >= _FURTHEST, together, most, [])
    chosen = _covering(turns >= _EACH_WAY, together, most, chosen)
    ranks: Counter[int] = Counter()
    order = []
    for k in np.argsort(-together, kind="stable").tolist():
        clip = looked.poses[k][0]
        order.append((ranks[clip], -float(together[k]), k))
        ranks[clip] += 1
    taken = set(chosen)
    chosen += [k for *_, k in sorted(order) if k not in taken]
    return sorted(looked.poses[k] for k in chosen[:most])


def _shares(values: FloatArray, least: float) -> FloatArray:
    """Return the columns of ``(P, n)`` values that reach `least`, as shares of the largest in each."""
    largest = values.max(axis=0, initial=0.0)
    counts = largest >= least
    return values[:, counts] / largest[counts]


def _covering(
    reached: BoolArray, together: FloatArray, most: int, chosen: Sequence[int]
) -> list[int]:
    """Choose poses until each column of ``(P, n)`` is reached in one, beside those already chosen.

    Greedy: the pose that reaches most columns comes next, of such the one that turns most together.
    """
    result = list(chosen)
    left = ~reached[result].any(axis=0)
    tie = together / (2.0 * max(float(together.max(initial=0.0)), 1.0))
    while left.any() and len(result) < most:
        best = int(np.argmax(reached[:, left].sum(axis=1) + tie))
        result.append(best)
        left &= ~reached[best]
    return result


def _furthest_away(looked: SampledPoses) -> list[tuple[int, float]]:
    """Return `REACHES` (clip, time) of different clips in which a joint is furthest from where it rests."""
    worst: dict[int, tuple[float, float]] = {}
    for (clip, time), away in zip(looked.poses, looked.away.tolist(), strict=True):
        if clip not in worst or away > worst[clip][0]:
            worst[clip] = (away, time)
    found = sorted((-away, clip, time) for clip, (away, time) in worst.items())
    return [(clip, time) for _, clip, time in found[:REACHES]]


def _spread(clip: Clip, most: int) -> FloatArray:
    """Return at most so many of a clip's key times, evenly from first to last."""
    times = clip.key_times
    if len(times) <= most:
        return times
    return times[np.rint(np.linspace(0, len(times) - 1, most)).astype(np.int64)]
