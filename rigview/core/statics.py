"""What the methods read of a part that no pose changes, each computed when it is first asked for."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import capsule
from rigview.core.arrays import FloatArray
from rigview.core.binding import Binding
from rigview.core.bulge import Profile, basic_amplitudes
from rigview.core.limbs import Limbs
from rigview.core.rig import Primitive

# How much of DQS is blended in where neither the user nor the file says.
EVEN_BLEND = 0.5


@dataclass(frozen=True, eq=False)
class Statics:
    """One skinned part at rest.

    Parameters
    ----------
    primitive
        Its geometry in mesh space; morph targets are left out.
    """

    binding: Binding
    limbs: Limbs
    primitive: Primitive

    @cached_property
    def shares(self) -> FloatArray:
        """``(V, K)`` of `capsule.shares`."""
        return capsule.shares(self.binding, self.limbs, self.primitive.positions)

    @cached_property
    def crease_onset(self) -> FloatArray:
        """``(V,)`` of `capsule.crease_onset`."""
        return capsule.crease_onset(self.binding)

    @cached_property
    def dqs_weights(self) -> FloatArray:
        """``(V,)`` how much of DQS the file wants blended in; ½ where it says nothing."""
        stated = self.primitive.dqs_weights
        if stated is None:
            return np.full(len(self.primitive.positions), EVEN_BLEND)
        return np.nan_to_num(stated, posinf=0.0, neginf=0.0)

    def basic_amplitude(self, polynomial: Profile) -> FloatArray:
        """Return ``(V,)`` of `bulge.basic_amplitudes`, kept for the polynomial last asked for."""
        kept = self._basic.get(polynomial)
        if kept is None:
            kept = basic_amplitudes(self.binding, polynomial)
            self._basic.clear()
            self._basic[polynomial] = kept
        return kept

    @cached_property
    def _basic(self) -> dict[Profile, FloatArray]:
        return {}
