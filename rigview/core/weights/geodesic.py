"""Weights by distances through a voxelised solid (Dionne and de Lasa 2013), blended as heat."""

import numpy as np

from rigview.core.methods.centres import Progress
from rigview.core.weights.heat import equilibrium
from rigview.core.weights.problem import RESOLUTION, Made, Problem, WeightOptions, normalised
from rigview.core.weights.sources import distances, facing_distances, nearest
from rigview.core.weights.voxels import Solid, solid_distances
from rigview.core.weights.weight_surface import diffused


def geodesic_voxel(problem: Problem, options: WeightOptions, progress: Progress) -> Made:
    """Heat each point from the bone that is nearest through the solid, and let the heat flow.

    A bone before the surface counts as farther. A point that no bone reaches through the solid
    takes the straight distances.
    """
    surface, bones = problem.surface, problem.bones
    solid = Solid(surface, options.resolution or RESOLUTION)
    straight = distances(surface.points, bones)
    facing = facing_distances(surface, bones)
    progress(0.1)

    def tell(share: float) -> None:
        progress(0.1 + 0.7 * share)

    far = solid_distances(solid, bones, surface.points, tell)
    far *= facing / np.where(straight > 0.0, straight, 1.0)
    alone = np.isinf(far).all(axis=1)
    far[alone] = facing[alone]
    weights, _ = equilibrium(
        surface, surface.laplacian, far.min(axis=1), nearest(far, surface.size)
    )
    progress(0.95)
    weights = normalised(diffused(surface, weights, options.smooth or 0.0))
    progress(1.0)
    return Made.of(weights, np.asarray(alone))
