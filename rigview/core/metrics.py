"""What the header of a pane says of a method in a pose: change of the volume, and bulge."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures.meter import Meter
from rigview.core.methods.posed import Skinned


class Shape(NamedTuple):
    """One method in one pose; NaN where it cannot be said (an open sheet, no joints).

    Parameters
    ----------
    volume
        Enclosed volume over that of the rest pose, minus 1.
    bulge
        How far the skin stands from the nearest bone beyond its distance at bind time, as a share
        of that distance: the value that 1 % of the vertices exceed, at least 0.
    """

    volume: float
    bulge: float


@dataclass(frozen=True)
class Measure:
    """The static half of measuring a rig; see `meter.Meter` for all that can be measured."""

    deformer: Deformer

    @cached_property
    def meter(self) -> Meter:
        """What measures."""
        return Meter(self.deformer)

    def shape(self, frame: Frame, skinned: Sequence[Skinned]) -> Shape:
        """Measure one pose skinned by one method; `skinned` holds all parts in scene order."""
        figures = self.meter.read(frame, skinned, normals=False).figures
        return Shape(figures["volume"] - 1.0, figures["bulge_99"])
