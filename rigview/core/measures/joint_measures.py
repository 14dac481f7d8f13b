"""What is measured of joint regions: one table, with the limits that make measures comparable."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rigview.core.arrays import FloatArray

MeasureId = Literal[
    "collapse",
    "bulge",
    "volume",
    "stretch",
    "compression",
    "area",
    "flips",
    "intersection",
    "normal",
]

# What a value says of a shape: nothing, that a viewer would see it, or that it is lost.
Level = Literal["fine", "warning", "error"]


@dataclass(frozen=True)
class Measure:
    """One row of the table.

    Parameters
    ----------
    id, title, meaning
        Its name in reports and on screen, and what is compared with what, in one sentence.
    unit
        Of values: "share" is shown in %, "×" is a ratio, "rad" an angle.
    limit
        The value at which a viewer begins to see it: severity 1, a warning.
    error
        The value at which the shape is lost; None where no value of this measure alone says so.
    unchanged
        The value of a region that moves rigidly.
    reason
        Why the limit is what it is.
    scanned
        Whether a scan measures it in every pose; else in few or in none.
    both_ways
        Whether values below the unchanged one are as bad as those above.
    gravest
        The severity beyond which values are no worse.
    """

    id: MeasureId
    title: str
    meaning: str
    unit: Literal["share", "×", "rad"]
    limit: float
    error: float | None
    unchanged: float
    reason: str
    scanned: bool = True
    both_ways: bool = False
    gravest: float = np.inf

    def severity(self, values: FloatArray, limit: float | None = None) -> FloatArray:
        """Return how bad values are: 0 for an unchanged region, 1 at the limit; NaN stays NaN.

        It is the change over that at the limit: of shares value / limit, of a stretch
        (value − 1) / (limit − 1). Of all measures the volume alone is bad both ways.

        Parameters
        ----------
        limit
            Another limit than the table's, as a studio sets it.
        """
        bound = self.limit if limit is None else limit
        change = np.asarray(values, dtype=np.float64) - self.unchanged
        change = np.abs(change) if self.both_ways else np.maximum(change, 0.0)
        return np.minimum(change / abs(bound - self.unchanged), self.gravest)

    def level(self, value: float, limit: float | None = None) -> Level:
        """Return what a value says; NaN says nothing."""
        if not float(self.severity(np.array(value), limit)) >= 1.0:
            return "fine"
        return "error" if self.error is not None and value >= self.error else "warning"


# Seen with these limits under LBS and DQS, in up to three clips each of the corpus: no joint of robot,
# Knight, Puffer, Enemy_2Legs_Gun and the shark is blamed; of mannequiny 5 of 36 (knees bent by 114 to
# 134°, a shoulder twisted by 83°), of the spider 4 of 46, of Fox 13 of 19 (its legs are very coarse). Of
# 31 joints of seven characters that are bent or twisted by 35° none comes to a limit; broken ones all do.
MEASURES: dict[str, Measure] = {
    measure.id: measure
    for measure in (
        Measure(
            "collapse",
            "Collapse",
            "loss of width of the cross-section that loses most, in the direction that does",
            "share",
            0.35,
            0.6,
            0.0,
            "a bend or a twist by 90° under linear skinning loses .29, which games show daily; by 100° .36",
        ),
        Measure(
            "bulge",
            "Bulge",
            "how much further from the bones than at bind the outer side stands, as a share of the "
            "region's radius; 5 % of the vertices exceed it",
            "share",
            0.35,
            None,
            0.0,
            "a bend to 90° under dual quaternions bulges by .12 at the width that suits them best",
        ),
        Measure(
            "volume",
            "Local volume",
            "volume of the region, closed at its borders, over that at bind",
            "×",
            0.6,
            None,
            1.0,
            "a bend to 90° under linear skinning keeps about .7 of it",
            both_ways=True,
        ),
        Measure(
            "stretch",
            "Stretch",
            "length of edges over that at bind; edges of 1 % of all length exceed it",
            "×",
            2.5,
            None,
            1.0,
            "the armpits of CesiumMan, a clean sample, stretch 2.4 times in its walk",
        ),
        Measure(
            "compression",
            "Compression",
            "length of edges at bind over that in a pose; edges of 1 % of all length exceed it",
            "×",
            20.0,
            None,
            1.0,
            "the inner side of any sharp bend is folded to a tenth",
            # Edges shrink to a point where a limb collapses by half, which then is what to speak of.
            gravest=1.4,
        ),
        Measure(
            "area",
            "Area",
            "area of faces over that at bind; 1 % of the area exceeds it",
            "×",
            4.0,
            None,
            1.0,
            "twice the length each way",
        ),
        Measure(
            "flips",
            "Flipped faces",
            "faces turned inside out against the skin about them, as a share of the region's area",
            "share",
            0.1,
            None,
            0.0,
            "the inner side of a sound knee bent to 90° folds over 2 to 6 %",
        ),
        Measure(
            "intersection",
            "Self-intersection",
            "faces of the region that cross one another and did not at bind, as a share of all",
            "share",
            0.3,
            None,
            0.0,
            "sound elbows and knees bent beyond 90° touch with 10 to 20 % of their faces",
            scanned=False,
        ),
        Measure(
            "normal",
            "Normal error",
            "angle of faces to their shading normals beyond that at bind; 1 % of the faces exceed it",
            "rad",
            1.0472,
            None,
            0.0,
            "60°: light falls from the wrong side",
            scanned=False,
        ),
    )
}
SCANNED: tuple[str, ...] = tuple(m.id for m in MEASURES.values() if m.scanned)
# The measures of regions without cross-sections.
OF_ANY_SHAPE: tuple[str, ...] = (
    "stretch",
    "compression",
    "area",
    "flips",
    "intersection",
    "normal",
)
