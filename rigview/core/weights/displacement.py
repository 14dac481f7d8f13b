"""How far new weights move vertices from where the old ones took them, over a range of motion."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.bones import box_diagonal
from rigview.core.deform import Deformer
from rigview.core.motion.range_of_motion import RangeOfMotion
from rigview.core.pose import Pose, sample
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS, Options
from rigview.core.weights.making import LEAST_HEIGHT

COMPARED = ("lbs", "dqs")
# The last steps bend everything at once; as many are taken evenly of the others.
TOGETHER = 4


@dataclass(frozen=True)
class Displacement:
    """The root of the mean square and the 99th percentile of all displacements, as shares of H."""

    rms: float
    p99: float


def telling_poses(rig: Rig, motion: RangeOfMotion) -> list[Pose]:
    """Return eight poses of a range of motion: four spread over its steps, and the last four."""
    times = [step.time for step in motion.steps]
    count = len(times)
    if count <= 2 * TOGETHER:
        return [sample(rig, motion.clip, time) for time in times]
    spread = [round(i * (count - TOGETHER - 1) / (TOGETHER + 1)) for i in range(1, TOGETHER + 1)]
    return [sample(rig, motion.clip, times[i]) for i in (*spread, *range(count - TOGETHER, count))]


def displacements(
    old: Rig, new: Rig, poses: Sequence[Pose], vertices: dict[tuple[int, int], BoolArray]
) -> dict[str, Displacement]:
    """Return method → how far vertices move between two rigs that differ in weights alone.

    Parameters
    ----------
    vertices
        Mesh and primitive → ``(V,)`` which vertices are measured.
    """
    before, after = Deformer(old, "normalised"), Deformer(new, "normalised")
    chosen = [
        (number, vertices[part.mesh, part.primitive])
        for number, part in enumerate(old.parts)
        if (part.mesh, part.primitive) in vertices
    ]
    size = standing_height(before)
    found: dict[str, list[FloatArray]] = {method: [] for method in COMPARED}
    options = Options(scale="origin")
    for pose in poses:
        frames = before.frame(pose), after.frame(pose)
        for id_, lengths in found.items():
            for number, picked in chosen:
                a, b = (
                    deformer.skin(number, frame, METHODS[id_], options).positions[picked]
                    for deformer, frame in zip((before, after), frames, strict=True)
                )
                lengths.append(np.linalg.norm(a - b, axis=1) / size)
    return {id_: _summary(np.concatenate([np.zeros(0), *found[id_]])) for id_ in found}


def standing_height(deformer: Deformer) -> float:
    """Return H in metres: how high the skinned vertices stand at rest."""
    rows = [
        c
        for p, c in zip(deformer.rig.parts, deformer.rest_corners, strict=True)
        if len(c) and deformer.is_skinned(p)
    ]
    corners = np.concatenate([np.zeros((0, 3)), *rows])
    if not len(corners):
        return deformer.size
    return max(float(np.ptp(corners[:, 1])), LEAST_HEIGHT * box_diagonal(corners))


def _summary(lengths: FloatArray) -> Displacement:
    if not len(lengths):
        return Displacement(0.0, 0.0)
    return Displacement(float(np.sqrt(np.mean(lengths**2))), float(np.percentile(lengths, 99.0)))
