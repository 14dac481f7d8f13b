"""What is measured of a rig once, for all rules and fixes that ask for it."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np

from rigview.check.anatomy import Anatomy
from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.rig import Rig

_Result = TypeVar("_Result")


def scale_range(matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest scale of matrices, 0 for those that are no numbers."""
    with np.errstate(invalid="ignore"):
        finite = np.isfinite(matrices).all(axis=(-1, -2), keepdims=True)
    if not np.all(finite):
        matrices = np.where(finite, matrices, 0.0)
    return affine.scale_range(matrices)


def bind_scales(rig: Rig, skin: int) -> tuple[FloatArray, FloatArray]:
    """Return ``(B,)`` each the scales of the inverse bind matrices that a file states; for `Facts.once`."""
    return scale_range(stated(rig, skin))


def skin_scales(facts: "Facts", skin: int) -> tuple[FloatArray, FloatArray]:
    """Return ``(J,)`` each the scales of a skin's matrices at rest; for `Facts.of`."""
    return scale_range(facts.skin_matrices(skin))


def stated(rig: Rig, skin: int) -> FloatArray:
    """Return ``(B, 4, 4)`` the inverse bind matrices that the file states for joints of a skin."""
    binds = rig.skins[skin].inverse_binds
    if binds is None:
        return np.zeros((0, 4, 4))
    return np.asarray(binds[: len(rig.skins[skin].joints)], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Facts:
    """A rig and what is known of it; what no rule has asked for is not computed."""

    deformer: Deformer

    @property
    def rig(self) -> Rig:
        """The rig."""
        return self.deformer.rig

    @cached_property
    def anatomy(self) -> Anatomy:
        """What the names of the joints say: sides, pairs, and the parts of a body."""
        return Anatomy(self.rig)

    @cached_property
    def frames(self) -> FloatArray:
        """``(N, 3, 3)`` the axes of all nodes at rest in model space, without scale."""
        rotation, _ = affine.polar(self.deformer.rest_nodes[:, :3, :3])
        return rotation

    @cached_property
    def scales(self) -> tuple[FloatArray, FloatArray]:
        """``(N,)`` each the smallest and the largest scale of all nodes at rest in model space."""
        return scale_range(self.deformer.rest_nodes)

    def skin_matrices(self, skin: int) -> FloatArray:
        """Return ``(J, 4, 4)`` the skin matrices of a skin's joints at rest."""
        value = self.rig.skins[skin]
        return self.deformer.rest_nodes[list(value.joints)] @ value.joint_from_mesh

    def once(self, compute: Callable[..., _Result], *given: Hashable) -> _Result:
        """Return ``compute(rig, *given)``, computed for the first that asks, and kept."""
        return self._keep(compute, self.rig, given)

    def of(self, compute: Callable[..., _Result], *given: Hashable) -> _Result:
        """Return ``compute(facts, *given)``, computed for the first that asks, and kept."""
        return self._keep(compute, self, given)

    def _keep(
        self, compute: Callable[..., _Result], subject: object, given: tuple[Hashable, ...]
    ) -> _Result:
        key = (compute, *given)
        if key not in self._kept:
            self._kept[key] = compute(subject, *given)
        result: _Result = self._kept[key]
        return result

    @cached_property
    def _kept(self) -> dict[Hashable, Any]:
        return {}


@lru_cache(maxsize=2)
def measured(rig: Rig) -> Facts:
    """Return the facts of a rig.

    Fixes are tried on one rig after the other, many on the same one; what they measure is kept for
    the last two rigs.
    """
    return Facts(Deformer(rig))
