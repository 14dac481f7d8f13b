"""Filling chosen points with weights that a method makes for the whole mesh."""

import numpy as np

from rigview.core.arrays import IntArray
from rigview.core.deform import Deformer
from rigview.core.weights import prune
from rigview.core.weights.edits import NO_WEIGHT, Freedom
from rigview.core.weights.flooding import Edited, set_weights
from rigview.core.weights.making import joints_of
from rigview.core.weights.methods import METHODS
from rigview.core.weights.problem import Problem, WeightOptions
from rigview.core.weights.skin_points import SkinPoints


def fill(of: SkinPoints, points: IntArray, free: Freedom, method: str = "geodesic-voxel") -> Edited:
    """Give points the weights that a method makes, on the joints that the mesh follows already.

    A point without weight takes those of a copy at a seam that has some, so that the seam stays closed.

    Raises
    ------
    NotMade
        If the method refuses the mesh.
    """
    deformer = Deformer(of.rig)
    joints = joints_of(of.rig, deformer, of.character, of.surface, "deform")
    bones = deformer.bind_bones[of.character.skin].of(joints)
    made = METHODS[method].make(Problem(of.surface, bones), WeightOptions(), lambda _share: None)
    columns, weights = prune.pruned(made.weights[points], of.most)
    rows = np.zeros((len(points), len(of.nodes)))
    # Slots that are not used name the first joint, with weight 0: they are added, not put.
    np.add.at(rows, (np.arange(len(points))[:, None], joints[columns]), weights)
    twins = _weighted_twins(of, points)
    rows[twins >= 0] = of.rows(twins[twins >= 0])
    return set_weights(of, points, rows, free)


def _weighted_twins(of: SkinPoints, points: IntArray) -> IntArray:
    """Return ``(n,)`` another point in the same place that has weight, for points without; −1 for none."""
    weighted = of.weights.sum(axis=1) > NO_WEIGHT
    _, place = np.unique(of.surface.points, axis=0, return_inverse=True)
    place = place.reshape(-1)
    twin = np.full(int(place.max(initial=0)) + 1, -1, dtype=np.int64)
    others = np.setdiff1d(np.flatnonzero(weighted), points)
    twin[place[others]] = others
    return np.where(weighted[points], -1, twin[place[points]])
