"""What the methods read of a part that no pose changes, each computed when it is first asked for."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from rigview.core import memo
from rigview.core.arrays import FloatArray, owned
from rigview.core.mesh import Primitive
from rigview.core.methods import capsule_shares, centres, delta_mush
from rigview.core.methods.binding import Binding
from rigview.core.methods.bone_frames import BoneFrames
from rigview.core.methods.bulge import Profile, basic_amplitudes
from rigview.core.methods.capsule_shares import BoneShare
from rigview.core.methods.centres import Progress
from rigview.core.methods.delta_mush import Moments
from rigview.core.methods.swing_twist import Twists

# What some methods read per vertex and no pose changes, by its name in `VertexConstants`.
Static = Literal["shares", "dqs_weights", "basic_amplitude", "mask", "centres", "moments"]
# Those that take long to find.
SLOW: tuple[Static, ...] = ("centres", "moments")
# How much of DQS is blended in where neither the user nor the file says.
EVEN_BLEND = 0.5


@dataclass(frozen=True, eq=False)
class VertexConstants(memo.Remembers):
    """One skinned part at rest.

    Parameters
    ----------
    primitive
        Its geometry in mesh space; morph targets are left out.
    """

    binding: Binding
    limbs: BoneFrames
    primitive: Primitive

    @property
    def mask(self) -> FloatArray:
        """``(V,)`` 0 to 1: how much of any compensation the user wants there."""
        return self.primitive.mask

    @cached_property
    def shares(self) -> FloatArray:
        """``(V, K)`` of `capsule_shares.shares`, masked."""
        shares = capsule_shares.shares(self.binding, self.limbs, self.primitive.positions)
        return shares * self.mask[:, None]

    @cached_property
    def bone_shares(self) -> dict[int, BoneShare]:
        """Joint → the vertices whose capsule compensation its bone has a share in."""
        return capsule_shares.by_bone(self.binding.joints, self.shares)

    @cached_property
    def twists(self) -> Twists:
        """The joints of each vertex that twist one another."""
        return Twists(self.binding, self.limbs)

    @cached_property
    def dqs_weights(self) -> FloatArray:
        """``(V,)`` how much of DQS the file wants blended in; ½ where it says nothing."""
        stated = self.primitive.dqs_weights
        if stated is None:
            return np.full(len(self.primitive.positions), EVEN_BLEND)
        return np.nan_to_num(stated, posinf=0.0, neginf=0.0)

    @cached_property
    def centres(self) -> FloatArray:
        """``(V, 3)`` of `centres.centres`; found now where nobody has found them before."""
        return self._find_centres()

    def _find_centres(self, progress: Progress | None = None) -> FloatArray:
        of = self.primitive
        return owned(centres.centres(self._merged, of.positions, of.triangles, progress))

    @cached_property
    def moments(self) -> Moments:
        """What each vertex's neighbourhood is to its joints; found now where nobody has before."""
        return self._find_moments()

    def _find_moments(self, progress: Progress | None = None) -> Moments:
        of = self.primitive
        return delta_mush.moments(self._merged, of.positions, of.triangles, progress)

    @property
    def _merged(self) -> Binding:
        """The binding, joints that the skin lists twice being one."""
        return replace(self.binding, joints=self.limbs.first[self.binding.joints])

    def has(self, name: Static) -> bool:
        """Tell whether something of `SLOW` is known already."""
        return memo.knows(self, name)

    def find(self, name: Static, progress: Progress | None = None) -> None:
        """Find something of `SLOW`; `progress` hears the share done and may raise to stop."""
        if not self.has(name):
            find = self._find_centres if name == "centres" else self._find_moments
            memo.tell(self, **{name: find(progress)})

    def basic_amplitude(self, polynomial: Profile) -> FloatArray:
        """Return ``(V,)`` of `bulge.basic_amplitudes`, masked; the last polynomial's is kept."""
        return self.latest(_basic_amplitude, polynomial)


def _basic_amplitude(of: VertexConstants, polynomial: Profile) -> FloatArray:
    return basic_amplitudes(of.binding, polynomial) * of.mask
