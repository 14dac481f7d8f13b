"""Weights by heat equilibrium (Baran and Popović 2007), with bridges between shells."""

from typing import TYPE_CHECKING

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.methods.centres import Progress
from rigview.core.weights.problem import (
    Laplacian,
    Made,
    NotMade,
    Problem,
    WeightOptions,
    normalised,
)
from rigview.core.weights.sight import TriangleGrid
from rigview.core.weights.sources import (
    distances,
    facing_distances,
    nearest,
    nearest_points,
    shared,
)
from rigview.core.weights.weight_surface import (
    WeightSurface,
    components,
    diagonal,
    diffused,
    graph_laplacian,
    solve,
    used_columns,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# How strongly a bone heats what it sees. Blender has 1; the five characters' error is least at 4.
CONDUCTANCE = 4.0
# No distance is less than this share of H: heat goes with one over its square.
LEAST_DISTANCE = 1e-5
# Bridges shorter than this share of H conduct as one of this length.
LEAST_BRIDGE = 1e-3


def heat(problem: Problem, options: WeightOptions, progress: Progress) -> Made:
    """Heat each point from the nearest bone behind the surface that it sees, and let the heat flow."""
    surface, bones = problem.surface, problem.bones
    facing = facing_distances(surface, bones)
    tied = nearest(facing, surface.size)
    progress(0.1)
    points, numbers = np.nonzero(tied)
    ends = nearest_points(surface.points[points], bones, numbers)
    blocked = TriangleGrid(surface).blocked(points, ends)
    seen = tied.copy()
    seen[points[blocked], numbers[blocked]] = False
    progress(0.5)
    pairs, strengths = bridges(surface, options.bridge)
    flowing = flow(surface, options.laplacian)
    if len(pairs):
        flowing = flowing + graph_laplacian(len(surface.points), pairs, strengths)
    weights, cold = equilibrium(surface, flowing, facing.min(axis=1), seen)
    progress(0.9)
    if cold.any():
        far = distances(surface.points[cold], bones)
        weights[cold] = shared(nearest(far, surface.size))
    weights = normalised(diffused(surface, weights, options.smooth or 0.0))
    bridged = np.zeros(len(weights), dtype=np.bool_)
    bridged[pairs] = True
    progress(1.0)
    return Made(weights, np.asarray(~seen.any(axis=1)), bridged, cold)


def equilibrium(
    surface: WeightSurface, flowing: "csr_array", far: FloatArray, seen: BoolArray
) -> tuple[FloatArray, BoolArray]:
    """Solve ``(L + M K) W = M K P`` where heat reaches, and return where it does not.

    Parameters
    ----------
    flowing
        ``(P, P)`` L, bridges included.
    far
        ``(P,)`` how far the heating bones are.
    seen
        ``(P, J)`` which bones heat each point; they share it equally.

    Returns
    -------
    ``(P, J)`` weights, and ``(P,)`` whether a point is connected to none that is heated.
    """
    heating = seen.sum(axis=1)
    floor = LEAST_DISTANCE * surface.size
    sources = surface.mass * heating * CONDUCTANCE / np.maximum(far, floor) ** 2
    links = flowing.tocoo()
    joined = links.data < 0.0
    count, piece = components(
        len(far), np.column_stack([links.row[joined], links.col[joined]]).astype(np.int64)
    )
    warm = (np.bincount(piece, heating, minlength=count) > 0.0)[piece]
    weights = np.zeros(seen.shape)
    used = used_columns(seen)
    rows = np.flatnonzero(warm)
    system = (flowing + diagonal(sources))[rows][:, rows]
    right = sources[rows, None] * shared(seen[rows][:, used])
    weights[np.ix_(rows, np.flatnonzero(used))] = solve(system, right)
    return weights, ~warm


def flow(surface: WeightSurface, laplacian: Laplacian) -> "csr_array":
    """Return the Laplacian ``(P, P)`` that the user asks for.

    Raises
    ------
    NotMade
        If the tufted one is asked for and its package is not installed.
    """
    if laplacian == "cotangent":
        return surface.laplacian
    try:
        from robust_laplacian import mesh_laplacian
    except ImportError:
        reason = "the tufted Laplacian needs a package: pip install 'rigview[tufted]'"
        raise NotMade(reason) from None
    if not len(surface.triangles):
        return surface.laplacian
    result, _ = mesh_laplacian(surface.points, surface.triangles)
    return result.tocsr()


def bridges(surface: WeightSurface, reach: float) -> tuple[IntArray, FloatArray]:
    """Return pairs ``(n, 2)`` of near points of different shells, and how each conducts ``(n,)``.

    Parameters
    ----------
    reach
        The longest bridge, as a share of H; 0 for none.
    """
    from scipy.spatial import cKDTree

    if reach <= 0.0 or surface.shell_count < 2:
        return np.zeros((0, 2), dtype=np.int64), np.zeros(0)
    tree = cKDTree(surface.points)
    pairs = tree.query_pairs(reach * surface.size, output_type="ndarray").astype(np.int64)
    i, j = pairs[surface.shells[pairs[:, 0]] != surface.shells[pairs[:, 1]]].T
    lengths = np.linalg.norm(surface.points[i] - surface.points[j], axis=1)
    lengths = np.maximum(lengths, LEAST_BRIDGE * surface.size)
    return np.column_stack([i, j]), np.sqrt(surface.mass[i] * surface.mass[j]) / lengths**2
