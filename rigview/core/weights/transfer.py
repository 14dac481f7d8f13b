"""Weights from one mesh onto another: closest points where they agree, the rest filled in."""

from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.weights.closest import closest_points
from rigview.core.weights.inpaint import inpainted, smoothed
from rigview.core.weights.problem import NotMade, normalised
from rigview.core.weights.weight_surface import WeightSurface


@dataclass(frozen=True)
class Trust:
    """Where the closest point of the source is believed, and how the rest is filled.

    Parameters
    ----------
    distance
        The farthest that a closest point may be, as a share of H.
    angle
        The most degrees between the normals.
    flips
        Whether normals that point the other way agree as well.
    stiffness
        As in `inpainted`.
    smooth
        Half steps of smoothing where rows were filled.
    """

    distance: float = 0.05
    angle: float = 60.0
    flips: bool = False
    stiffness: float = 0.0
    smooth: int = 4

    def fault(self) -> str | None:
        """Return why nothing can be transferred so; None where it can."""
        if not 0.0 < self.distance <= 1.0:
            return f"distance {100.0 * self.distance:g} % is not above 0 and up to 100 %"
        if not 0.0 < self.angle <= 180.0:
            return f"angle {self.angle:g} is not above 0 and up to 180 degrees"
        if not 0.0 <= self.stiffness <= 1.0:
            return f"stiffness {self.stiffness:g} is not between 0 and 1 of the height"
        if not 0 <= self.smooth <= 100:
            return f"smooth {self.smooth} is not between 0 and 100 steps"
        return None


@dataclass(frozen=True, eq=False)
class Transferred:
    """``(P, J)`` weights of the target's points, and ``(P,)`` which are known, and which alone.

    Known ones are taken from the source; alone are those of shells without any known point, which
    take the closest point's weights all the same; all others are filled in.
    """

    weights: FloatArray
    known: BoolArray
    alone: BoolArray


def transferred(
    source: WeightSurface, rows: FloatArray, target: WeightSurface, trust: Trust
) -> Transferred:
    """Transfer the rows ``(S, J)`` of the source's points onto the target's points.

    Raises
    ------
    NotMade
        If the source has no surface, or no point of the target is near enough to it.
    """
    fault = trust.fault()
    if fault is not None:
        raise NotMade(fault)
    if not len(source.triangles):
        raise NotMade("the source has no triangle whose vertices have weights")
    faces, shares, far = closest_points(source, target.points)
    corners = source.triangles[faces]
    weights = normalised(np.einsum("pk,pkj->pj", shares, rows[corners]))
    normals = np.einsum("pk,pki->pi", shares, source.normals[corners])
    cosine = np.einsum("pi,pi->p", normals, target.normals)
    lengths = np.linalg.norm(normals, axis=1)
    cosine /= np.where(lengths > 0.0, lengths, 1.0)
    if trust.flips:
        cosine = np.abs(cosine)
    near = far <= trust.distance * target.size
    known = near & (cosine >= np.cos(np.radians(trust.angle)) - 1e-12) & (weights.sum(axis=1) > 0.0)
    if not known.any():
        reason = f"no vertex lies within {100.0 * trust.distance:g} % of the height of the source"
        raise NotMade(f"{reason} and {trust.angle:g}° of its normals")
    filled, alone = inpainted(target, weights, known, trust.stiffness)
    filled = smoothed(target, filled, ~known & ~alone, trust.smooth)
    return Transferred(normalised(filled), known, alone)
