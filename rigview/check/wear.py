"""What all clips do to the shape: a few telling poses of each, measured under two methods."""

from dataclasses import dataclass

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
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
    """Readings of some poses of all clips.

    Parameters
    ----------
    poses
        (clip, time) of every pose.
    readings
        Method → one reading per pose; of DQS its distances.
    bounds
        ``(P, 2, 3)`` the lowest and highest corner of the skinned parts under LBS; NaN without any.
    triangles
        How many triangles were measured.
    """

    poses: tuple[tuple[int, float], ...]
    readings: dict[str, tuple[Reading, ...]]
    bounds: FloatArray
    triangles: int


def wear(deformer: Deformer) -> Wear:
    """Measure the telling poses of all clips."""
    rig, meter = deformer.rig, Meter(deformer)
    poses = telling_poses(rig, POSES)
    readings: dict[str, list[Reading]] = {method: [] for method in MEASURED}
    bounds = np.full((len(poses), 2, 3), np.nan)
    for number, (clip, time) in enumerate(poses):
        frame = deformer.frame(sample(rig, rig.clips[clip], time))
        for method in MEASURED:
            skinned = deformer.skin_all(frame, METHODS[method], Options())
            readings[method].append(meter.read(frame, skinned, faces=method in _FACES))
            points = meter.mesh.positions(skinned)
            if method == "lbs" and points.size:
                bounds[number] = points.min(axis=1), points.max(axis=1)
    return Wear(
        tuple(poses),
        {method: tuple(rows) for method, rows in readings.items()},
        bounds,
        len(meter.mesh.triangles),
    )


def telling_poses(rig: Rig, most: int) -> list[tuple[int, float]]:
    """Return at most so many (clip, time), in order: keys that turn some joint furthest from rest.

    Each clip gives its furthest pose first, then its second, and so on, so that no clip is left out
    before another is seen in detail.
    """
    joints = list(rig.joints)
    rest = quat.normalise(rig.nodes.rotations[joints])
    ranked: list[tuple[int, float, int, float]] = []
    for number, clip in enumerate(rig.clips):
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
