"""The blended rotation of a vertex as the joints see it that have a seat there.

Seen from joint j, the blended rotation R_b is R_b⁻¹·R_j. Of quaternions that is Σ w_k q̄_k·q_j: a sum
over what pairs of joints are to each other, and of such pairs a pose has few. What it yields is not
of length one, and may have either sign.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.methods.binding import Binding
from rigview.core.methods.bone_frames import PosedBoneFrames
from rigview.core.methods.capsule_shares import ShareLayout
from rigview.core.numeric.blending import csr
from rigview.core.numeric.hemisphere import distinct_pairs

if TYPE_CHECKING:
    from scipy.sparse import csc_array

# A quaternion as two complex numbers, w + z·i and y + x·i: what turns about z and what tilts it.
_WZYX = (3, 2, 1, 0)

_Number = TypeVar("_Number", bound=np.generic)


@dataclass(frozen=True, eq=False)
class RelativeRotations:
    """The sums over the influences of every seated vertex, once per seat."""

    binding: Binding
    seating: ShareLayout

    def rotations(self, limbs: PosedBoneFrames, rotations: FloatArray) -> Iterator[FloatArray]:
        """Yield ``(n, 4)`` wzyx for each block of seats, in the frames of their bones.

        Parameters
        ----------
        rotations
            ``(J, 4)`` skin rotations.
        """
        joint, seat = self._pairs[0]
        blending = self.binding.blending
        arcs = blending.short_arcs(rotations)
        signed = None if arcs.pairs is None else blending.signed_weights(arcs.pairs)
        turned = quat.conjugate(rotations * arcs.joints[:, None])
        back = quat.multiply(quat.conjugate(limbs.frames[seat]), turned[joint])
        table = np.ascontiguousarray(quat.multiply(back, limbs.posed_frames[seat])[:, _WZYX])
        if signed is None:
            for weights in self._blocks:
                yield weights @ table
            return
        for weights, influences in zip(self._blocks, self._influences, strict=True):
            turned_round = copy(weights)
            turned_round.data = signed[influences]
            yield turned_round @ table

    @cached_property
    def _used(self) -> tuple[BoolArray, IntArray]:
        """``(n, K)`` which slots count, and ``(n + 1,)`` how many do before each seat."""
        used = (self.binding.weights != 0.0)[self.seating.vertices]
        return used, np.concatenate([[0], np.cumsum(np.count_nonzero(used, axis=1))])

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray]:
        """The different pairs ``(2, P)`` of a vertex's joint and a seat's joint, and each entry's pair."""
        used, starts = self._used
        joints = self.binding.joints[self.seating.vertices][used]
        return distinct_pairs(joints, np.repeat(self.seating.joints, np.diff(starts)))

    @cached_property
    def _blocks(self) -> list["csc_array"]:
        """Per block of seats the weights of their entries, stored by pair as `Blending` does by joint."""
        used, _ = self._used
        return self._by_pair(self.binding.weights[self.seating.vertices][used])

    @cached_property
    def _influences(self) -> list[IntArray]:
        """Per block of seats each entry's influence, counted as `Blending` counts them."""
        used, _ = self._used
        number = np.cumsum(self.binding.weights != 0.0).reshape(self.binding.weights.shape) - 1
        return [matrix.data for matrix in self._by_pair(number[self.seating.vertices][used])]

    def _by_pair(self, values: NDArray[_Number]) -> list["csc_array"]:
        """Return ``(n, P)`` for each block of seats, of a value an entry."""
        _, starts = self._used
        pairs, pair_of = self._pairs
        result = []
        for block in self.seating.blocks:
            of_block = starts[block.seats.start : block.seats.stop + 1]
            entries = slice(int(of_block[0]), int(of_block[-1]))
            columns, rows = pair_of[entries], of_block - of_block[0]
            result.append(csr(values[entries], columns, rows, pairs.shape[1]).tocsc())
        return result
