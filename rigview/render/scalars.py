"""Shadings that show a number per vertex through a colour map: one table."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.mask import mask_of
from rigview.core.weight_changes import REWEIGHTED, Changes
from rigview.render.heat import TOP
from rigview.render.look import Look, Shading

# Where the difference's colours end, as a share of the rig's size H.
DIFFERENCE_RANGE = 0.005
# The least number of influences at which the colours of the count end.
_LEAST_TOP = 4


@dataclass(frozen=True)
class Scalar:
    """One row.

    Parameters
    ----------
    values
        Gives ``(V,)`` what the vertices of a part show, 0…1; 0 is "none". What poses change is not
        static: the vertex shader computes the difference of two methods, or how far a vertex was
        displaced.
    colour_map
        That of `assets.colour_map`.
    lines
        Lines per unit.
    """

    values: Callable[[Deformer, int, Look, Changes | None], FloatArray]
    colour_map: str = "viridis"
    lines: float = 0.0


def values(
    deformer: Deformer, number: int, look: Look, changes: Changes | None = None
) -> FloatArray:
    """Return ``(V,)`` what a part's vertices show (`Scalar.values`); all 0 under other shadings."""
    row = SCALARS.get(look.shading)
    if row is None:
        return _nothing(deformer, number, look, changes)
    return row.values(deformer, number, look, changes)


def _nothing(deformer: Deformer, number: int, _look: Look, _changes: Changes | None) -> FloatArray:
    return np.zeros(len(deformer.bindings[number].weights))


def _reweighted(deformer: Deformer, number: int, look: Look, changes: Changes | None) -> FloatArray:
    heat = None if changes is None else changes.comparable.get(number)
    if changes is None or heat is None:
        return _nothing(deformer, number, look, changes)
    shares = np.where(heat.reweighted > REWEIGHTED, heat.reweighted, 0.0)
    return shares / changes.weight_end


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


# A new shading is also a row of `scales`, of the window's table of actions, and a name in `look`.
SCALARS: dict[Shading, Scalar] = {
    "weights": Scalar(lambda of, part, look, _: of.joint_weights(part, look.joint), lines=4.0),
    "count": Scalar(lambda of, part, *_: influence_counts(of, part) / count_top(of)),
    "mask": Scalar(lambda of, part, *_: mask_of(of.rig, of.rig.parts[part])),
    "difference": Scalar(_nothing, "CET-D1", lines=4.0),
    # What a pane's method makes of the pose (`Scene.show_heat`); the one line runs along the limit.
    "heat": Scalar(_nothing, "heat", lines=TOP),
    "reweighted": Scalar(_reweighted),
    "displaced": Scalar(_nothing),
}
