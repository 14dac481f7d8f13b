"""What all clips do to the shape: a few telling poses of each, measured under two methods."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from rigview.check.left_out import shapes
from rigview.check.rule import Subject
from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Clip
from rigview.core.meter import Meter
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.quantities import Reading
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS, Options

# Poses measured of all clips together: those that turn the joints furthest from rest, where shapes suffer.
# Of the worst values that all poses of eight characters have, they meet more by the sum of all angles than
# by the largest one, by a mean of squares or by both in turn.
POSES = 24
# Beside them so many poses, each of another clip, are asked how far the skin reaches.
REACHES = 4
MEASURED = ("lbs", "dqs")
# What rules ask of the others is only how far they bulge.
_FACES = ("lbs",)


@dataclass(frozen=True, eq=False)
class Wear:
    """Readings of some poses of all clips that are judged.

    Parameters
    ----------
    poses
        (clip, time) of every pose.
    readings
        Method → one reading per pose; of DQS its distances.
    reached
        (clip, time) of these poses, and of those that take joints furthest away.
    bounds, rest_bounds
        ``(R, 2, 3)`` the lowest and highest corner of the skinned parts under LBS, and the same of what
        is judged in that pose at rest; NaN without any.
    triangles
        ``(P,)`` how many triangles were measured.
    """

    poses: tuple[tuple[int, float], ...]
    readings: dict[str, tuple[Reading, ...]]
    reached: tuple[tuple[int, float], ...]
    bounds: FloatArray
    rest_bounds: FloatArray
    triangles: IntArray


def wear(subject: Subject) -> Wear:
    """Measure the telling poses of all clips that are judged; for `Subject.kept`."""
    rig, left = subject.rig, subject.kept(shapes)
    looked = _looked_at(rig, left.clips, subject.facts.idle)
    poses = _most_turned(looked, POSES)
    reached = [*poses, *(pose for pose in _furthest_away(looked) if pose not in poses)]
    readings: dict[str, list[Reading]] = {method: [] for method in MEASURED}
    bounds, rest_bounds = np.full((2, len(reached), 2, 3), np.nan)
    triangles = np.zeros(len(poses), dtype=np.int64)
    meters: dict[int, Meter] = {}
    for number, (clip, time) in enumerate(reached):
        deformer = left.deformer(clip)
        meter = meters.setdefault(id(deformer), Meter(deformer))
        frame = deformer.frame(sample(rig, rig.clips[clip], time))
        for method in MEASURED if number < len(poses) else ("lbs",):
            skinned = deformer.skin_all(frame, METHODS[method], Options())
            if number < len(poses):
                readings[method].append(meter.read(frame, skinned, faces=method in _FACES))
                triangles[number] = len(meter.mesh.triangles)
            points = meter.mesh.positions(skinned)
            if method == "lbs" and points.size:
                bounds[number] = points.min(axis=1), points.max(axis=1)
                rest_bounds[number] = meter.rest_bounds
    rows = {method: tuple(of) for method, of in readings.items()}
    return Wear(tuple(poses), rows, tuple(reached), bounds, rest_bounds, triangles)


@dataclass(frozen=True, eq=False)
class _Looked:
    """Some poses of a clip, as quickly looked at.

    Parameters
    ----------
    times, turned, away
        ``(T,)`` seconds, by what angle all joints are turned from rest in sum, and how far one joint is
        at most from where it rests.
    """

    clip: int
    times: FloatArray
    turned: FloatArray
    away: FloatArray


def _looked_at(rig: Rig, clips: Iterable[int], idle: Collection[int]) -> list[_Looked]:
    """Look at the joints that move something, in each of some clips."""
    joints = [joint for joint in rig.joints if joint not in idle]
    rest = quat.normalise(rig.nodes.rotations[joints])
    heads = model_from_nodes(rig, rest_pose(rig))[joints, :3, 3]
    result = []
    for number in clips:
        times = _spread(rig.clips[number])
        if len(times):
            pose = sample(rig, rig.clips[number], times)
            turned = quat.angle_between(rest, pose.rotations[:, joints]).sum(axis=1)
            moved = model_from_nodes(rig, pose)[:, joints][..., :3, 3] - heads
            away = np.linalg.norm(moved, axis=2).max(axis=1, initial=0.0)
            result.append(_Looked(number, times, turned, away))
    return result


def telling_poses(
    rig: Rig, most: int, clips: Iterable[int], idle: Collection[int] = ()
) -> list[tuple[int, float]]:
    """Return at most so many (clip, time), in order: keys that turn the joints furthest from rest in sum.

    Parameters
    ----------
    clips
        Those to choose from.
    idle
        Joints that move nothing.
    """
    return _most_turned(_looked_at(rig, clips, idle), most)


def _most_turned(looked: Sequence[_Looked], most: int) -> list[tuple[int, float]]:
    """Return at most so many (clip, time), in order, of those that turn joints most.

    Each clip gives its furthest pose first, then its second, and so on, so that no clip is left out
    before another is seen in detail.
    """
    ranked: list[tuple[int, float, int, float]] = []
    for of in looked:
        order = np.argsort(-of.turned, kind="stable")
        ranked += [
            (i, -float(of.turned[k]), of.clip, float(of.times[k])) for i, k in enumerate(order)
        ]
    return sorted((number, time) for _, _, number, time in sorted(ranked)[:most])


def _furthest_away(looked: Sequence[_Looked]) -> list[tuple[int, float]]:
    """Return `REACHES` (clip, time) of different clips in which a joint is furthest from where it rests."""
    worst = [(of, int(np.argmax(of.away))) for of in looked]
    found = sorted((-float(of.away[k]), of.clip, float(of.times[k])) for of, k in worst)
    return [(number, time) for _, number, time in found[:REACHES]]


def _spread(clip: Clip) -> FloatArray:
    """Return at most `POSES` of a clip's key times, evenly from first to last."""
    times = clip.key_times
    if len(times) <= POSES:
        return times
    return times[np.rint(np.linspace(0, len(times) - 1, POSES)).astype(np.int64)]
