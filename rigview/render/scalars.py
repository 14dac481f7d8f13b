"""Shadings that show a number per vertex through a colour map: one table."""

from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.changes import REWEIGHTED, Changes
from rigview.core.deform import Deformer, Frame
from rigview.core.mask import mask_of
from rigview.render.look import Look, Shading

# Where the difference's colours end, as a share of the rig's size H.
DIFFERENCE_RANGE = 0.005
# The least number of influences at which the colours of the count end.
_LEAST_TOP = 4


@dataclass(frozen=True)
class Scalar:
    """One row: the map of `assets.colour_map`, whether 0 is its middle, and lines per unit on it."""

    colour_map: str
    signed: bool = False
    lines: float = 0.0


SCALARS: dict[Shading, Scalar] = {
    "weights": Scalar("viridis", lines=4.0),
    "count": Scalar("viridis"),
    "mask": Scalar("viridis"),
    "difference": Scalar("CET-D1", signed=True, lines=4.0),
    "reweighted": Scalar("viridis"),
    "displaced": Scalar("viridis"),
}


@dataclass(frozen=True, eq=False)
class Before:
    """The first rig of a comparison, in the pose that the drawn one is in.

    Parameters
    ----------
    changes
        From that rig to the drawn one.
    """

    deformer: Deformer
    frame: Frame
    changes: Changes


def values(
    deformer: Deformer, number: int, look: Look, changes: Changes | None = None
) -> FloatArray:
    """Return ``(V,)`` what a part's vertices show, 0…1; 0 is "none".

    What poses change is not static: the vertex shader computes the difference of two methods, or how
    far a vertex was displaced.
    """
    if look.shading == "weights":
        return deformer.joint_weights(number, look.joint)
    if look.shading == "count":
        return influence_counts(deformer, number) / count_top(deformer)
    if look.shading == "mask":
        return mask_of(deformer.rig, deformer.rig.parts[number])
    heat = changes.comparable.get(number) if changes is not None else None
    if look.shading == "reweighted" and changes is not None and heat is not None:
        shares = np.where(heat.reweighted > REWEIGHTED, heat.reweighted, 0.0)
        return shares / changes.weight_end
    return np.zeros(len(deformer.bindings[number].weights))


def influence_counts(deformer: Deformer, number: int) -> FloatArray:
    """Return ``(V,)`` how many joints move each vertex of a part; 0 for a part without skin."""
    weights = deformer.bindings[number].weights
    if not deformer.is_skinned(deformer.rig.parts[number]):
        return np.zeros(len(weights))
    return np.count_nonzero(weights, axis=1).astype(np.float64)


def count_top(deformer: Deformer) -> int:
    """Return how many influences the last colour stands for."""
    counts = [influence_counts(deformer, i).max(initial=0) for i in range(len(deformer.bindings))]
    return max(_LEAST_TOP, int(max(counts, default=0)))
