"""How far each point is from each bone, which bones are nearest, and which lie behind the surface."""

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.weights.weight_surface import WeightSurface

# Bones within this share of the least distance are as near as the nearest. Around a joint two bones
# have the same nearest point, and rounding shall not choose between them.
TIE = 1e-4
# … and within this share of H where the least distance is 0.
TIE_OF_SIZE = 1e-9
# How much a bone before the surface is farther than one behind it: 7.7 times. Blender's is 0.001.
FACING = 0.3


def distances(points: FloatArray, bones: Segments) -> FloatArray:
    """Return ``(P, J)``: from each point to each bone."""
    result = np.zeros((len(points), len(bones.lengths)))
    x = np.ascontiguousarray(points.T)
    for j in range(len(bones.lengths)):
        result[:, j] = np.sqrt((_away(x, bones, j) ** 2).sum(axis=0))
    return result


def facing_distances(surface: WeightSurface, bones: Segments) -> FloatArray:
    """Return ``(P, J)`` distances, longer the more a bone lies before the surface.

    A distance is multiplied by ``2 (1 + ε/2) / (1 + cos θ + ε)``, θ between the normal and the way
    from the bone's nearest point to the point: 1 straight behind the surface.
    """
    result = np.zeros((len(surface.points), len(bones.lengths)))
    x, normals = np.ascontiguousarray(surface.points.T), np.ascontiguousarray(surface.normals.T)
    for j in range(len(bones.lengths)):
        away = _away(x, bones, j)
        far = np.sqrt((away**2).sum(axis=0))
        cosine = (away * normals).sum(axis=0) / np.where(far > 0.0, far, 1.0)
        result[:, j] = far * facing_factor(cosine)
    return result


def facing_factor(cosine: FloatArray) -> FloatArray:
    """Return how much farther a bone counts whose way to the point has this cosine with the normal."""
    return 2.0 * (1.0 + 0.5 * FACING) / (1.0 + cosine + FACING)


def nearest_points(points: FloatArray, bones: Segments, numbers: IntArray) -> FloatArray:
    """Return ``(n, 3)`` the point of the numbered bone nearest to each of ``(n, 3)`` points."""
    heads, directions = bones.heads[numbers], bones.directions[numbers]
    along = np.einsum("ni,ni->n", points - heads, directions)
    return heads + np.clip(along, 0.0, bones.lengths[numbers])[:, None] * directions


def nearest(distances_: FloatArray, size: float) -> BoolArray:
    """Return ``(P, J)`` which bones are nearest to each point, all that tie.

    Infinite distances are those of bones that do not reach the point.
    """
    least = distances_.min(axis=1, keepdims=True)
    tied = distances_ <= least * (1.0 + TIE) + TIE_OF_SIZE * size
    return np.asarray(tied & np.isfinite(distances_))


def shared(tied: BoolArray) -> FloatArray:
    """Return ``(P, J)`` weights that share 1 equally among the bones that tie."""
    counts = tied.sum(axis=1, keepdims=True)
    return tied / np.maximum(counts, 1)


def _away(x: FloatArray, bones: Segments, j: int) -> FloatArray:
    """Return ``(3, P)`` the way from the nearest point of one bone to points ``(3, P)``."""
    offset = x - bones.heads[j][:, None]
    along = np.clip(bones.directions[j] @ offset, 0.0, bones.lengths[j])
    return offset - bones.directions[j][:, None] * along
