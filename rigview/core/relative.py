"""The blended rotation of a vertex as the joints see it that have a seat there.

Seen from joint j, the blended rotation R_b is R_b⁻¹·R_j. Of quaternions that is Σ w_k q̄_k·q_j: a sum
over what pairs of joints are to each other, and of such pairs a pose has few. What it yields is not
of length one, and may have either sign.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rigview.core import quat
from rigview.core.arcs import distinct_pairs
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.binding import Binding
from rigview.core.blending import csr
from rigview.core.limbs import PosedLimbs
from rigview.core.seats import Seating

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# A quaternion as two complex numbers, w + z·i and x + y·i: what turns about z and what tilts it.
_WZXY = (3, 2, 0, 1)


@dataclass(frozen=True, eq=False)
class Relative:
    """The sums over the influences of every seated vertex, once per seat."""

    binding: Binding
    seating: Seating

    def rotations(self, limbs: PosedLimbs, rotations: FloatArray) -> Iterator[FloatArray]:
        """Yield ``(n, 4)`` wzxy for each block of seats, in the frames of their bones.

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
        table = np.ascontiguousarray(quat.multiply(back, limbs.posed_frames[seat])[:, _WZXY])
        for entries, matrix in self._blocks:
            weights = matrix
            if signed is not None:
                data = signed[self._influences[entries]]
                weights = csr(data, matrix.indices, matrix.indptr, matrix.shape[1])
            yield weights @ table

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
    def _blocks(self) -> list[tuple[slice, "csr_array"]]:
        """Per block of seats which entries are theirs, and their weights ``(n, P)``."""
        used, starts = self._used
        weights = self.binding.weights[self.seating.vertices][used]
        pairs, pair_of = self._pairs
        result = []
        for block in self.seating.blocks:
            of_block = starts[block.seats.start : block.seats.stop + 1]
            entries = slice(int(of_block[0]), int(of_block[-1]))
            columns, rows = pair_of[entries], of_block - of_block[0]
            result.append((entries, csr(weights[entries], columns, rows, pairs.shape[1])))
        return result

    @cached_property
    def _influences(self) -> IntArray:
        """Each entry's influence, counted as `Blending` counts them."""
        used, _ = self._used
        number = np.cumsum(self.binding.weights != 0.0).reshape(self.binding.weights.shape) - 1
        return number[self.seating.vertices][used]
