"""A file of USD, the rig that is wanted of it, and the stage that takes the difference."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from pxr import Usd

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.placement import has_unbound, scaled, to_y_up, turned
from rigview.core.rig import Rig
from rigview.io.reading import SaveError
from rigview.io.usd.reader import OpenedStage

# Lengths that differ by less, as a share of the largest, are the same but for rounding.
ROUNDING = 1e-9


@dataclass(eq=False)
class LayerChange:
    """An open file, the rig that is wanted of it, and the stage that takes what differs.

    Parameters
    ----------
    opened
        The file as it was read.
    stage
        The stage whose root layer is the new one.
    wanted
        The wanted rig, metres, +Y up.
    factor
        By what all its lengths are multiplied.
    tokens
        Skeleton prim → the tokens of its joints in the wanted rig, in the order of the new file.
    nodes
        Skeleton prim → the node of each of these.
    """

    opened: OpenedStage
    stage: Usd.Stage
    wanted: Rig
    factor: float
    tokens: dict[str, tuple[str, ...]] = field(default_factory=dict)
    nodes: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def was(self) -> Rig:
        """The rig as the file gives it, metres, +Y up."""
        return self.opened.rig

    @cached_property
    def old(self) -> Rig:
        """The rig as the file gives it, in the file's unit and axes."""
        return self._placed(self.was, self.opened.unit)

    @cached_property
    def new(self) -> Rig:
        """The wanted rig in the file's unit and axes."""
        return self._placed(self.wanted, self.opened.unit * self.factor)

    def _placed(self, rig: Rig, unit: float) -> Rig:
        back = quat.conjugate(to_y_up(self.opened.up))
        unbound = has_unbound(self.was)
        return scaled(turned(rig, back, skins=unbound), 1.0 / unit)

    def prim(self, read: Usd.Prim) -> Usd.Prim:
        """Return the prim of the new stage where something was read from one of the old.

        Raises
        ------
        SaveError
            If no layer can set its attributes.
        """
        prim = self.stage.GetPrimAtPath(read.GetPath())
        if prim.IsInstanceProxy():
            stated = prim.GetPrimInPrototype().GetPrimStack()[0]
            raise SaveError(
                f"{read.GetPath()} is in an instance of {stated.path} "
                f"({stated.layer.GetDisplayName()}), whose parts no layer can set; glTF can hold it"
            )
        return prim


def same(a: FloatArray | None, b: FloatArray | None) -> bool:
    """Return whether two arrays are the same but for rounding."""
    if a is b or a is None or b is None:
        return a is b
    if a.shape != b.shape:
        return False
    if np.array_equal(a, b, equal_nan=True):
        return True
    size = float(np.nan_to_num(np.abs(a)).max(initial=0.0))
    return bool(np.allclose(a, b, rtol=0.0, atol=ROUNDING * size, equal_nan=True))
