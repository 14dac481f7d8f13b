"""A pose as a clip of one key, so that what reads clips can read it."""

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip
from rigview.core.pose import Pose, rest_pose
from rigview.core.rig import Rig
from rigview.core.sampler import Path, Sampler


def held_pose(rig: Rig, pose: Pose, time: float, name: str) -> Clip:
    """Return a clip that has a pose at all times.

    Its keys are at one time, and only what differs from the file's rest pose has one.
    """
    rest, keys = rest_pose(rig), dict[tuple[int, Path], FloatArray]()
    now: dict[Path, FloatArray] = {
        "translation": pose.translations,
        "rotation": pose.rotations,
        "scale": pose.scales,
    }
    before: dict[Path, FloatArray] = {
        "translation": rest.translations,
        "rotation": rest.rotations,
        "scale": rest.scales,
    }
    for path, values in now.items():
        for node in np.flatnonzero((values != before[path]).any(axis=1)).tolist():
            keys[node, path] = values[node]
    for node, matrix in pose.matrices.items():
        if node not in rest.matrices or not np.array_equal(matrix, rest.matrices[node]):
            parts = affine.decompose(matrix)
            keys[node, "translation"] = parts.translation
            keys[node, "rotation"] = parts.rotation
            keys[node, "scale"] = parts.scale
    for node in rest.matrices.keys() - pose.matrices.keys():
        # The clip moves it by its translation, rotation and scale, whatever they are.
        for path, values in now.items():
            keys[node, path] = values[node]
    for node, weights in pose.morph_weights.items():
        if not np.array_equal(weights, rest.morph_weights.get(node, np.zeros(0))):
            keys[node, "weights"] = weights
    times = np.array([time])
    channels = [
        Channel(node, path, Sampler(times, np.array([value])))
        for (node, path), value in keys.items()
    ]
    return Clip(name, tuple(channels))
