"""Weights of the nearest bone, and the same after heat has diffused them."""

from rigview.core.methods.centres import Progress
from rigview.core.weights.problem import Made, Problem, WeightOptions, normalised
from rigview.core.weights.sources import distances, nearest, shared
from rigview.core.weights.weight_surface import diffused


def nearest_bone(problem: Problem, options: WeightOptions, progress: Progress) -> Made:
    """Give each point to the nearest bone; bones that tie share it."""
    surface = problem.surface
    weights = shared(nearest(distances(surface.points, problem.bones), surface.size))
    progress(0.3)
    smooth = options.smooth or 0.0
    if smooth > 0.0:
        weights = normalised(diffused(surface, weights, smooth))
    progress(1.0)
    return Made.of(weights)
