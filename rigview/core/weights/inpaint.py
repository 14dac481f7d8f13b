"""Rows of weights that are not known, from those around them (Abdrashitov et al. 2023)."""

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.weights.weight_surface import (
    WeightSurface,
    components,
    diagonal,
    solve,
    used_columns,
)

# Rings around the filled points that smoothing may change.
RINGS = 2


def inpainted(
    surface: WeightSurface, weights: FloatArray, known: BoolArray, stiffness: float = 0.0
) -> tuple[FloatArray, BoolArray]:
    """Fill unknown rows so that ``tr Wᵀ (L + ℓ² L M⁻¹ L) W`` is least, the known rows fixed.

    Parameters
    ----------
    weights
        ``(P, J)``; unknown rows of a shell without any known row are kept.
    known
        ``(P,)``.
    stiffness
        ℓ as a share of H. With 0 the result is harmonic: no weight leaves the span of the known.

    Returns
    -------
    ``(P, J)`` weights, and ``(P,)`` whether a point's shell has no known row.
    """
    count, shell = components(len(known), surface.edges)
    alone = (np.bincount(shell[known], minlength=count) == 0)[shell]
    fill = np.flatnonzero(~known & ~alone)
    if not len(fill):
        return weights, alone
    form = surface.laplacian
    if stiffness > 0.0:
        length = stiffness * surface.size
        form = form + length**2 * (form @ diagonal(1.0 / surface.mass) @ form)
    # A trace of mass keeps points regular whose cotangents are all clamped to 0.
    trace = diagonal(1e-12 * (surface.mass / surface.mass.max() + form.diagonal()))
    rows = (form + trace)[fill]
    used = np.flatnonzero(used_columns(weights[known]))
    right = -(rows[:, np.flatnonzero(known)] @ weights[np.ix_(known, used)])
    result = weights.copy()
    result[fill] = 0.0
    result[np.ix_(fill, used)] = np.clip(solve(rows[:, fill], right), 0.0, 1.0)
    sums = result[fill].sum(axis=1, keepdims=True)
    result[fill] = np.where(
        sums > 0.0, result[fill] / np.where(sums > 0.0, sums, 1.0), weights[fill]
    )
    return result, alone


def smoothed(
    surface: WeightSurface, weights: FloatArray, filled: BoolArray, steps: int
) -> FloatArray:
    """Return weights ``(P, J)`` smoothed by half steps where rows are filled and two rings around."""
    from scipy.sparse import coo_array

    if steps < 1 or not filled.any():
        return weights
    i, j = surface.edges.T
    size = len(weights)
    places = (np.concatenate([i, j]), np.concatenate([j, i]))
    ring = coo_array((np.ones(2 * len(i)), places), shape=(size, size)).tocsr()
    chosen = filled.copy()
    for _ in range(RINGS):
        chosen |= (ring @ chosen.astype(np.float64)) > 0.0
    degree = np.asarray(ring.sum(axis=1)).reshape(-1)
    rows = np.flatnonzero(chosen & (degree > 0.0))
    mean = diagonal(1.0 / degree[rows]) @ ring[rows]
    result = weights.copy()
    for _ in range(steps):
        result[rows] = 0.5 * (result[rows] + mean @ result)
    return result
