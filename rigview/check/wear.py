"""What all clips do to the shape: a few telling poses of each, measured under two methods."""

from collections.abc import Collection, Iterable
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
    rig, left, idle = subject.rig, subject.kept(shapes), subject.facts.idle
    poses = telling_poses(rig, POSES, left.clips, idle)
    reached = [*poses, *(p for p in _furthest_away(rig, left.clips, idle) if p not in poses)]
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


def _furthest_away(
    rig: Rig, clips: Iterable[int], idle: Collection[int]
) -> list[tuple[int, float]]:
    """Return some (clip, time) of different clips in which a joint is furthest from where it rests."""
    joints = [joint for joint in rig.joints if joint not in idle]
    rest = model_from_nodes(rig, rest_pose(rig))[joints, :3, 3]
    found: list[tuple[float, int, float]] = []
    for number in clips if joints else ():
        times = _spread(rig.clips[number])
        if len(times):
            posed = model_from_nodes(rig, sample(rig, rig.clips[number], times))
            away = np.linalg.norm(posed[:, joints][..., :3, 3] - rest, axis=2).max(axis=1)
            at = int(np.argmax(away))
            found.append((-float(away[at]), number, float(times[at])))
    return [(number, time) for _, number, time in sorted(found)[:REACHES]]


def telling_poses(
    rig: Rig, most: int, clips: Iterable[int], idle: Collection[int] = ()
) -> list[tuple[int, float]]:
    """Return at most so many (clip, time), in order: keys that turn the joints furthest from rest in sum.

    Each clip gives its furthest pose first, then its second, and so on, so that no clip is left out
    before another is seen in detail.

    Parameters
    ----------
    clips
        Those to choose from.
    idle
        Joints that move nothing.
    """
    joints = [joint for joint in rig.joints if joint not in idle]
    rest = quat.normalise(rig.nodes.rotations[joints])
    ranked: list[tuple[int, float, int, float]] = []
    for number in clips:
        clip = rig.clips[number]
        times = _spread(clip)
        if not len(times):
            continue
        turned = sample(rig, clip, times).rotations[:, joints]
        angles = quat.angle_between(rest, turned).sum(axis=1)
        order = np.argsort(-angles, kind="stable")
        ranked += [(i, -float(angles[at]), number, float(times[at])) for i, at in enumerate(order)]
    return sorted((number, time) for _, _, number, time in sorted(ranked)[:most])


def _spread(clip: Clip) -> FloatArray:
    """Return at most `POSES` of a clip's key times, evenly from first to last."""
    times = clip.key_times
    if len(times) <= POSES:
        return times
    return times[np.rint(np.linspace(0, len(times) - 1, POSES)).astype(np.int64)]
