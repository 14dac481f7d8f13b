"""What a method gets and gives: a surface with bones, the options, and the weights of the points."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.bones import Segments
from rigview.core.weights.weight_surface import WeightSurface

Laplacian = Literal["cotangent", "tufted"]
# The share of H within which points of different shells are joined (WEIGHTS §2.3).
BRIDGE = 0.005
RESOLUTION = 128
MOST_RESOLUTION = 256


class NotMade(Exception):  # noqa: N818 - a refusal with its reason, nothing went wrong
    """No weights can be made, with the reason as its text."""


@dataclass(frozen=True)
class WeightOptions:
    """What a user may choose of a method.

    Parameters
    ----------
    smooth
        The share of H over which the weights are diffused; None takes the method's own.
    bridge
        The share of H within which points of different shells are joined; 0 joins none.
    resolution
        Voxels along the longest side of the box; None takes the method's own.
    """

    smooth: float | None = None
    bridge: float = BRIDGE
    laplacian: Laplacian = "cotangent"
    resolution: int | None = None

    def fault(self) -> str | None:
        """Return why no method takes these options; None where they are sound."""
        if self.smooth is not None and not 0.0 <= self.smooth <= 1.0:
            return f"smooth {self.smooth:g} is not between 0 and 1 of the height"
        if not 0.0 <= self.bridge <= 0.1:
            return f"bridge {100.0 * self.bridge:g} % is not between 0 and 10 % of the height"
        if self.resolution is not None and not 8 <= self.resolution <= MOST_RESOLUTION:
            return f"resolution {self.resolution} is not between 8 and {MOST_RESOLUTION} voxels"
        return None


@dataclass(frozen=True, eq=False)
class Problem:
    """A surface and the J bones whose joints may get weight, in the space of the surface."""

    surface: WeightSurface
    bones: Segments

    def __post_init__(self) -> None:
        if not len(self.bones.lengths):
            raise ValueError("bones: wanted at least one")
        if not self.surface.size > 0.0:
            raise ValueError(f"surface: wanted a size above 0, got {self.surface.size:g}")


@dataclass(frozen=True, eq=False)
class Made:
    """The weights that a method made, not yet pruned.

    Parameters
    ----------
    weights
        ``(P, J)`` of 0 to 1; each row's sum is 1.
    unseen
        ``(P,)`` points that see none of the bones that they would follow.
    bridged
        ``(P,)`` points that are joined to another shell.
    fallback
        ``(P,)`` points that follow the nearest bone because the method does not reach them.
    """

    weights: FloatArray
    unseen: BoolArray
    bridged: BoolArray
    fallback: BoolArray

    @classmethod
    def of(cls, weights: FloatArray, fallback: BoolArray | None = None) -> "Made":
        """Return weights of a method that neither casts rays nor joins shells."""
        none = np.zeros(len(weights), dtype=np.bool_)
        return cls(weights, none, none, none if fallback is None else fallback)


def normalised(weights: FloatArray) -> FloatArray:
    """Return weights ``(P, J)`` clipped to 0 and more, each row divided by its sum."""
    weights = np.maximum(weights, 0.0)
    sums = weights.sum(axis=1, keepdims=True)
    return weights / np.where(sums > 0.0, sums, 1.0)
