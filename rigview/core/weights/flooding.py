"""Edits of all chosen points at once, as changed rigs; a stroke of the brush is one with a falloff."""

from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.rig import Rig
from rigview.core.weights import edits, smoothing
from rigview.core.weights.edits import Freedom, Tool
from rigview.core.weights.mirroring import Mirror, Mirrored, Way, mirrored
from rigview.core.weights.problem import NotMade
from rigview.core.weights.skin_points import SkinPoints

# Weights below are traces of smoothing that no picture shows.
TRACE = 1e-6
_OF_ONE_JOINT = {"replace": edits.replaced, "add": edits.added, "scale": edits.scaled}
_OF_ALL_JOINTS = {"smooth": smoothing.smoothed, "sharpen": smoothing.sharpened}


@dataclass(frozen=True)
class BrushPoints:
    """What is done to points.

    Parameters
    ----------
    joint
        Position in the skin; smoothing and sharpening change all free joints.
    value
        What is set, added, or multiplied by.
    strength
        0 to 1.
    """

    tool: Tool = "replace"
    joint: int = 0
    value: float = 1.0
    strength: float = 1.0

    @property
    def of_one_joint(self) -> bool:
        """Whether the weight of one joint is set, and others only give way."""
        return self.tool in _OF_ONE_JOINT


@dataclass(frozen=True, eq=False)
class Edited:
    """A character after an edit.

    Parameters
    ----------
    points
        Those whose weights are others now.
    """

    of: SkinPoints
    points: IntArray

    @property
    def rig(self) -> Rig:
        """The changed rig."""
        return self.of.rig


def brushed_rows(
    rows: FloatArray,
    means: FloatArray | None,
    falloff: FloatArray,
    brush: BrushPoints,
    free: Freedom,
) -> FloatArray:
    """Return rows ``(n, J)`` after a touch of the brush.

    Parameters
    ----------
    means
        ``(n, J)`` of the neighbours, for tools of all joints.
    falloff
        ``(n,)`` 0 to 1, by which the strength is multiplied.
    """
    strength = brush.strength * falloff
    if brush.of_one_joint:
        return _OF_ONE_JOINT[brush.tool](rows, brush.joint, brush.value, strength, free)
    if means is None:
        raise ValueError(f"means: wanted, to {brush.tool}")
    return _OF_ALL_JOINTS[brush.tool](rows, means, strength, free)


def flood(
    of: SkinPoints,
    points: IntArray,
    brush: BrushPoints,
    free: Freedom,
    falloff: FloatArray | None = None,
) -> Edited:
    """Do to all points what the brush does.

    Raises
    ------
    NotMade
        If locks leave nothing to change.
    """
    refusal = None
    if brush.of_one_joint:
        refusal = free.refusal(brush.joint, of.rig.nodes.label(of.nodes[brush.joint]))
    elif free.locked.all():
        refusal = "all joints are locked"
    if refusal is not None:
        raise NotMade(refusal)
    means = None
    if not brush.of_one_joint:
        means = smoothing.means_of(of.neighbours, points, of.rows)
    strength = np.ones(len(points)) if falloff is None else falloff
    return finished(of, points, brushed_rows(of.rows(points), means, strength, brush, free), free)


def set_weights(of: SkinPoints, points: IntArray, rows: FloatArray, free: Freedom) -> Edited:
    """Give points the weights of rows ``(n, J)`` as locks allow, such as those of another vertex."""
    return finished(of, points, edits.obeying(of.rows(points), rows, free), free)


def hammer(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
    """Give points the mean of the ring around them."""
    return set_weights(of, points, smoothing.hammered(of.neighbours, points, of.rows), free)


def normalise(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
    """Make the weights of points sum to one."""
    return finished(of, points, edits.normalised(of.rows(points), free), free)


def prune_below(of: SkinPoints, points: IntArray, least: float, free: Freedom) -> Edited:
    """Drop weights below a share."""
    return finished(of, points, edits.pruned_below(of.rows(points), least, free), free)


def keep_largest(of: SkinPoints, points: IntArray, most: int, free: Freedom) -> Edited:
    """Keep the N largest weights of every point."""
    return finished(of, points, edits.largest_kept(of.rows(points), most, free), free)


def mirror(
    of: SkinPoints, by: Mirror, way: Way, free: Freedom, chosen: IntArray | None = None
) -> tuple[Edited, Mirrored]:
    """Give one side the weights of the other; what did not pair is told beside it."""
    result = mirrored(of, by, way, free, chosen)
    return finished(of, result.points, result.rows, free), result


def finished(of: SkinPoints, points: IntArray, rows: FloatArray, free: Freedom) -> Edited:
    """Return the rig with rows that differ, each with as many influences as fit (`SkinPoints.most`)."""
    points, rows = _differing(of, points, rows)
    rows = edits.pruned_below(rows, TRACE, free)
    if len(rows) and np.count_nonzero(rows, axis=1).max() > of.most:
        rows = edits.largest_kept(rows, of.most, free)
    # What only gained a trace is as it was.
    points, rows = _differing(of, points, rows)
    return Edited(of.after(points, rows) if len(points) else of, points)


def _differing(of: SkinPoints, points: IntArray, rows: FloatArray) -> tuple[IntArray, FloatArray]:
    differs = edits.changed(of.rows(points), rows)
    return points[differs], rows[differs]
