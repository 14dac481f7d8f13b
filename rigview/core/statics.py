"""What the methods read of a part that no pose changes, each computed when it is first asked for."""

from dataclasses import dataclass
from functools import cached_property

from rigview.core import capsule
from rigview.core.arrays import FloatArray
from rigview.core.binding import Binding
from rigview.core.limbs import Limbs


@dataclass(frozen=True, eq=False)
class Statics:
    """One skinned part at rest.

    Parameters
    ----------
    positions
        ``(V, 3)`` in mesh space, morph targets left out.
    """

    binding: Binding
    limbs: Limbs
    positions: FloatArray

    @cached_property
    def shares(self) -> FloatArray:
        """``(V, K)`` of `capsule.shares`."""
        return capsule.shares(self.binding, self.limbs, self.positions)

    @cached_property
    def crease_onset(self) -> FloatArray:
        """``(V,)`` of `capsule.crease_onset`."""
        return capsule.crease_onset(self.binding)
