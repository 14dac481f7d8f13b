"""What is measured of a skinned shape: one table, read by scans, reports and plots."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rigview.core.arrays import FloatArray

# A joint whose values are worse than unchanged by less is not to blame: rounding.
NOTHING = 1e-6


@dataclass(frozen=True)
class Quantity:
    """One row of the table.

    Parameters
    ----------
    id, label
        Its name in reports and on screen.
    meaning
        One sentence: what is compared with what.
    unit
        Of the figures: a ratio has "×", a share "" and an angle "rad".
    worse
        Whether high or low values are the bad ones.
    unchanged
        The value of a shape that moves rigidly.
    spread
        Whether it has a value at every place, and so a mean, a 99 % and a worst figure; else it is
        one figure of the whole shape.
    """

    id: str
    label: str
    meaning: str
    unit: Literal["×", "share", "count", "rad"]
    worse: Literal["high", "low"]
    unchanged: float
    spread: bool = True

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its figures."""
        if not self.spread:
            return (self.id,)
        return f"{self.id}_mean", f"{self.id}_99", f"{self.id}_worst"

    @property
    def column(self) -> str:
        """The figure by which frames are ranked."""
        return self.columns[-1]

    def badness(self, values: FloatArray) -> FloatArray:
        """Return values as "the larger the worse", 0 for an unchanged shape, NaN as −∞."""
        sign = 1.0 if self.worse == "high" else -1.0
        return np.where(np.isnan(values), -np.inf, sign * (values - self.unchanged))


QUANTITIES: dict[str, Quantity] = {
    quantity.id: quantity
    for quantity in (
        Quantity(
            "volume",
            "Volume",
            "enclosed volume over that of the rest pose; per joint, 1 plus the change over the "
            "joint's own skin as a share of the whole",
            "×",
            "low",
            1.0,
            spread=False,
        ),
        Quantity(
            "bulge",
            "Bulge",
            "how far a vertex stands from the nearest bone of its joints beyond its distance when "
            "it was bound, as a share of that distance",
            "share",
            "high",
            0.0,
        ),
        Quantity(
            "collapse",
            "Collapse",
            "how much nearer to the bone a vertex is than when it was bound, as a share of that "
            "distance",
            "share",
            "high",
            0.0,
        ),
        Quantity(
            "stretch",
            "Edge stretch",
            "a triangle's most stretched edge over its length when it was bound",
            "×",
            "high",
            1.0,
        ),
        Quantity(
            "area",
            "Area",
            "a triangle's area over that when it was bound",
            "×",
            "low",
            1.0,
        ),
        Quantity(
            "flipped",
            "Flipped",
            "triangles that face against their shading normals and did not when they were bound",
            "count",
            "high",
            0.0,
            spread=False,
        ),
        Quantity(
            "normal",
            "Normal error",
            "angle between a triangle and the mean of its shading normals, beyond that when it was "
            "bound",
            "rad",
            "high",
            0.0,
        ),
        Quantity(
            "difference",
            "Difference",
            "distance of a vertex to the same vertex under the method compared with, as a share of H",
            "share",
            "high",
            0.0,
        ),
    )
}
COLUMNS: tuple[str, ...] = tuple(c for q in QUANTITIES.values() for c in q.columns)


@dataclass(frozen=True, eq=False)
class PoseReading:
    """One method in one pose.

    Parameters
    ----------
    figures
        Column (`COLUMNS`) → value; NaN where it cannot be said (no volume in an open sheet, no
        triangles, a joint of no size).
    joints
        Quantity → ``(J,)`` the worst value at each joint of the rig (`Skeleton.joints`) but none
        better than unchanged, and the sum of what is counted. A vertex belongs to its heaviest
        joint, a triangle to the joint that most of its corners belong to.
    """

    figures: dict[str, float]
    joints: dict[str, FloatArray]

    @classmethod
    def unknown(cls, joints: int) -> "PoseReading":
        """Return the reading, of so many joints, of what cannot be measured."""
        return cls(
            dict.fromkeys(COLUMNS, float("nan")),
            {q.id: np.full(joints, q.unchanged) for q in QUANTITIES.values()},
        )


def ranked(quantity: Quantity, values: FloatArray) -> list[int]:
    """Return the positions of ``(J,)`` values that are worse than unchanged, the worst first."""
    badness = quantity.badness(values)
    order = np.argsort(-badness, kind="stable")
    return [int(i) for i in order if badness[i] > NOTHING]
