"""What a camera shall frame."""

from collections.abc import Sequence

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer, Frame
from rigview.core.skinning import METHODS, Options

# So many points describe the outline of any character well enough to frame it.
_MOST_POINTS = 20_000
# A joint is framed with so much of what is around it.
SURROUNDINGS = 1.7
# Nothing is framed nearer than with so much of the size H around it.
_LEAST_SHARE = 0.06


def visible_points(
    deformer: Deformer, frame: Frame, hidden: frozenset[int] = frozenset()
) -> FloatArray:
    """Return ``(n, 3)`` what there is to see in a pose: skinned vertices, without mesh the bones."""
    clouds = [
        deformer.skin(i, frame, METHODS["lbs"], Options()).positions
        for i, part in enumerate(deformer.rig.parts)
        if part.node not in hidden
    ]
    points = np.concatenate([np.zeros((0, 3)), *clouds])
    if not len(points):
        bones = deformer.posed_bones(frame)
        points = np.concatenate([bones.heads, bones.tails])
    if not len(points):
        points = frame.model_from_node[:, :3, 3]
    return points[:: max(1, len(points) // _MOST_POINTS)]


def vertex_points(
    deformer: Deformer, frame: Frame, chosen: Sequence[tuple[int, Sequence[int]]]
) -> tuple[FloatArray, FloatArray]:
    """Return ``(n, 3)`` vertices (part and numbers) with what is around them, and their mean normal."""
    skinned = [(deformer.skin(part, frame, METHODS["lbs"], Options()), n) for part, n in chosen]
    points = np.concatenate([s.positions[list(numbers)] for s, numbers in skinned])
    normals = np.concatenate([s.normals[list(numbers)] for s, numbers in skinned])
    low, high = points.min(axis=0), points.max(axis=0)
    half = SURROUNDINGS * np.maximum(0.5 * (high - low), _LEAST_SHARE * deformer.size)
    middle = 0.5 * (low + high)
    return np.stack([middle - half, middle + half]), normals.mean(axis=0)


def joint_points(deformer: Deformer, frame: Frame, joint: int) -> FloatArray:
    """Return ``(n, 3)`` what a joint moves: the vertices it weighs half or more, and its bone."""
    bones = deformer.posed_bones(frame)
    number = int(np.flatnonzero(deformer.skeleton.joints == joint)[0])
    clouds = [bones.heads[number][None], bones.tails[number][None]]
    for i, part in enumerate(deformer.rig.parts):
        if part.skin is None or not deformer.is_skinned(part):
            continue
        joints = deformer.rig.skins[part.skin].joints
        if joint not in joints:
            continue
        binding = deformer.bindings[i]
        share = np.where(binding.joints == joints.index(joint), binding.weights, 0.0).sum(axis=1)
        chosen = share >= 0.5
        if np.any(chosen):
            clouds.append(deformer.skin(i, frame, METHODS["lbs"], Options()).positions[chosen])
    points = np.concatenate(clouds)
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return middle + SURROUNDINGS * (points - middle)
