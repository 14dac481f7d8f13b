"""Which points are chosen: of a joint, of whole shells, one ring more or less."""

import numpy as np

from rigview.core.arrays import BoolArray, IntArray
from rigview.core.weights.skin_points import SkinPoints


def of_joint(of: SkinPoints, node: int) -> IntArray:
    """Return the points to which a joint gives weight."""
    position = of.column_of.get(node)
    if position is None:
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(of.column(position) > 0.0)


def of_shells(of: SkinPoints, points: IntArray) -> IntArray:
    """Return all points of the connected pieces that some points lie on."""
    shells = of.surface.shells
    return np.flatnonzero(np.isin(shells, shells[points]))


def grown(of: SkinPoints, points: IntArray) -> IntArray:
    """Return points and the ring around them."""
    inside = _inside(of, points)
    first, second = of.surface.edges.T
    beside = np.concatenate([first[inside[second]], second[inside[first]]])
    return np.union1d(points, beside)


def shrunk(of: SkinPoints, points: IntArray) -> IntArray:
    """Return points without those that have a neighbour which is not chosen."""
    inside = _inside(of, points)
    first, second = of.surface.edges.T
    border = np.concatenate([first[~inside[second]], second[~inside[first]]])
    return np.setdiff1d(points, border)


def _inside(of: SkinPoints, points: IntArray) -> BoolArray:
    result = np.zeros(of.count, dtype=np.bool_)
    result[points] = True
    return result
