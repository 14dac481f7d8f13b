"""What all clips do to the shape: a few telling poses of each, measured under two methods."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rigview.check.left_out import shapes
from rigview.check.rule import Subject
from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Clip
from rigview.core.meter import Meter
from rigview.core.pose import sample
from rigview.core.quantities import Reading
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS, Options

# Poses measured of all clips together: those that turn a joint furthest from rest, where shapes suffer.
POSES = 24
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
    bounds, rest_bounds
        ``(P, 2, 3)`` the lowest and highest corner of the skinned parts under LBS, and the same of what
        is judged in that pose at rest; NaN without any.
    triangles
        ``(P,)`` how many triangles were measured.
    """

    poses: tuple[tuple[int, float], ...]
    readings: dict[str, tuple[Reading, ...]]
    bounds: FloatArray
    rest_bounds: FloatArray
    triangles: IntArray


def wear(subject: Subject) -> Wear:
    """Measure the telling poses of all clips that are judged; for `Subject.kept`."""
    rig, left = subject.rig, subject.kept(shapes)
    poses = telling_poses(rig, POSES, left.clips)
    readings: dict[str, list[Reading]] = {method: [] for method in MEASURED}
    bounds, rest_bounds = np.full((2, len(poses), 2, 3), np.nan)
    triangles = np.zeros(len(poses), dtype=np.int64)
    meters: dict[int, Meter] = {}
    for number, (clip, time) in enumerate(poses):
        deformer = left.deformer(clip)
        meter = meters.setdefault(id(deformer), Meter(deformer))
        frame = deformer.frame(sample(rig, rig.clips[clip], time))
        for method in MEASURED:
            skinned = deformer.skin_all(frame, METHODS[method], Options())
            readings[method].append(meter.read(frame, skinned, faces=method in _FACES))
            points = meter.mesh.positions(skinned)
            if method == "lbs" and points.size:
                bounds[number] = points.min(axis=1), points.max(axis=1)
                rest_bounds[number] = meter.rest_bounds
        triangles[number] = len(meter.mesh.triangles)
    rows = {method: tuple(of) for method, of in readings.items()}
    return Wear(tuple(poses), rows, bounds, rest_bounds, triangles)


def telling_poses(rig: Rig, most: int, clips: Iterable[int]) -> list[tuple[int, float]]:
    """Return at most so many (clip, time), in order: keys that turn some joint furthest from rest.

    Each clip gives its furthest pose first, then its second, and so on, so that no clip is left out
    before another is seen in detail.

    Parameters
    ----------
    clips
        Those to choose from.
    """
    joints = list(rig.joints)
    rest = quat.normalise(rig.nodes.rotations[joints])
    ranked: list[tuple[int, float, int, float]] = []
    for number in clips:
        clip = rig.clips[number]
        times = _spread(clip)
        if not len(times):
            continue
        turned = sample(rig, clip, times).rotations[:, joints]
        angles = quat.angle_between(rest, turned).max(axis=1, initial=0.0)
        order = np.argsort(-angles, kind="stable")
        ranked += [(i, -float(angles[at]), number, float(times[at])) for i, at in enumerate(order)]
    return sorted((number, time) for _, _, number, time in sorted(ranked)[:most])


def _spread(clip: Clip) -> FloatArray:
    """Return at most `POSES` of a clip's key times, evenly from first to last."""
    times = clip.key_times
    if len(times) <= POSES:
        return times
    return times[np.rint(np.linspace(0, len(times) - 1, POSES)).astype(np.int64)]
