"""How much of each vertex's weight went elsewhere between two rigs, and how far that moves it."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.arrays import FloatArray

# Shares of weight: less is the rounding of a file that stores them as bytes.
REWEIGHTED = 1.0 / 255.0
# Vertices and joints nearer than this share of the rig's size are in one place: files hold float32.
DISPLACED = 1e-5
# Ends of the colours, of which the least that holds everything is taken: per decade, and for weights.
_DECADE = (1.0, 2.0, 5.0)
_WEIGHT_ENDS = (0.05, 0.1, 0.25, 0.5, 1.0)


@dataclass(frozen=True, eq=False)
class PartHeat:
    """What became of the vertices of one part of both rigs.

    Parameters
    ----------
    was, part
        Its numbers in the first rig and in the second.
    label
        Its name in the second.
    vertices
        How many, before and after. Where they differ they cannot be compared, and the arrays are
        empty.
    reweighted
        ``(V,)`` ½ Σ|Δw| over joints: the share of weight that went from one joint to another, 0…1.
    displaced
        ``(V,)`` metres, the furthest that the vertex stands from itself at one time of one clip.
    """

    was: int
    part: int
    label: str
    vertices: tuple[int, int]
    reweighted: FloatArray
    displaced: FloatArray

    @property
    def is_comparable(self) -> bool:
        """Whether the part has the same number of vertices in both rigs."""
        return self.vertices[0] == self.vertices[1]


@dataclass(frozen=True, eq=False)
class Changes:
    """All parts of both rigs; what little there is below `REWEIGHTED` and `DISPLACED` is rounding.

    Parameters
    ----------
    size
        H of the first rig, metres.
    """

    size: float
    parts: tuple[PartHeat, ...]

    @cached_property
    def comparable(self) -> dict[int, PartHeat]:
        """Part of the second rig → what became of it, as far as that can be told."""
        return {heat.part: heat for heat in self.parts if heat.is_comparable}

    @property
    def incomparable(self) -> tuple[PartHeat, ...]:
        """The parts that have another number of vertices than before."""
        return tuple(heat for heat in self.parts if not heat.is_comparable)

    @cached_property
    def most_reweighted(self) -> float:
        """The largest share of any vertex."""
        return max((float(h.reweighted.max(initial=0.0)) for h in self.parts), default=0.0)

    @cached_property
    def most_displaced(self) -> float:
        """The furthest of any vertex, metres."""
        return max((float(h.displaced.max(initial=0.0)) for h in self.parts), default=0.0)

    @property
    def weight_end(self) -> float:
        """The share at which the colours of weights end."""
        return next((end for end in _WEIGHT_ENDS if self.most_reweighted <= end), 1.0)

    @property
    def displacement_end(self) -> float:
        """Where the colours of displacements end, as a share of `size`; 1, 2 or 5 of a power of ten."""
        share = max(self.most_displaced / self.size if self.size else 0.0, 10.0 * DISPLACED)
        decade = 10.0 ** math.floor(math.log10(share))
        wanted = share / decade * (1.0 - 1e-9)
        return decade * next((step for step in _DECADE if wanted <= step), 10.0)


@dataclass(frozen=True)
class WeightChanges:
    """Numbers of one mesh: the most, the mean over all its vertices, and how many changed."""

    most: float
    mean: float
    changed: int


def tally(amounts: FloatArray, least: float) -> WeightChanges:
    """Sum up ``(V,)`` amounts, of which those above `least` count as changed."""
    if not len(amounts):
        return WeightChanges(0.0, 0.0, 0)
    return WeightChanges(float(amounts.max()), float(amounts.mean()), int(np.sum(amounts > least)))
