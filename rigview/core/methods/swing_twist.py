"""Swing-twist skinning: the swing of joints is blended linearly, their twist by dual quaternions.

Linear blend skinning is close to flesh where a limb bends and collapses where it is twisted (the candy
wrapper). Jacobson and Sorkine 2011, "Stretchable and twistable bones for skeletal shape deformation",
turn the vertex about every bone before its matrix is applied, ``v' = Σ w_j M_j K_j v``, by a twist that a
second weight spreads along the bone. Here the twist comes from the pose and the weights that skin:

1. Seen from joint j, joint k is turned by ``q = R_k R_j⁻¹``. The bone of the lower of both, carried by
   joint j, is a line; the twist of q about it is the dual quaternion ``(cos, sin · line)``. Joints
   of which neither is above the other have no common bone and no twist.
2. The twists of all joints of the vertex, that of j itself being none, are blended by weight to K_j.
3. The vertex is ``Σ w_j K_j M_j v``.

Two joints that twist about a common bone so carry the vertex to one place, whatever the weights: the
radius is kept, as by dual quaternions. A swing without twist has ``K = 1`` and is linear.

Its known faults: a bend collapses as under LBS, and at half a turn of twist the sides change, as under
all methods. Beyond a swing of 157° the twist fades out, for at 180° there is none.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray, cross, unit
from rigview.core.dualquat import HALF_TURN
from rigview.core.methods import turned_normals
from rigview.core.methods.binding import Binding
from rigview.core.methods.bone_frames import BoneFrames
from rigview.core.methods.palette import Palette
from rigview.core.numeric.blending import csr
from rigview.core.numeric.hemisphere import distinct_pairs

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Cosines of half the swing, those of 180° and 157°, between which the twist fades in.
FADE = 0.2
# A blended twist shorter than this, which takes negative weights, is none.
NO_TWIST = 1e-6
# A bone that its joint's matrix crushes has no direction: its squared length is less than this share of
# the sum of all of the matrix's squares.
LOST_AXIS = 1e-6


@dataclass(frozen=True, eq=False)
class Twists:
    """The vertices that several joints move, and which of their joints twist one another.

    An entry is a vertex with one of its joints; the entries of a vertex follow one another.
    """

    binding: Binding
    limbs: BoneFrames

    @cached_property
    def shared(self) -> IntArray:
        """The vertices of two joints or more."""
        return np.flatnonzero(np.count_nonzero(self.binding.weights, axis=1) > 1)

    @cached_property
    def _used(self) -> BoolArray:
        used: BoolArray = self.binding.weights[self.shared] != 0.0
        return used

    @cached_property
    def entries(self) -> tuple[IntArray, IntArray, FloatArray]:
        """``(n,)`` each: vertex, joint and weight of every entry."""
        counts = np.count_nonzero(self._used, axis=1)
        of = self.shared
        joints, weights = self.binding.joints[of], self.binding.weights[of]
        return np.repeat(of, counts), joints[self._used], weights[self._used]

    @cached_property
    def starts(self) -> IntArray:
        """``(S + 1,)`` where the entries of each shared vertex begin."""
        return np.concatenate([[0], np.cumsum(np.count_nonzero(self._used, axis=1))])

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray, "csr_array", FloatArray]:
        """Joints j and k of the pairs that twist, weights ``(n, P)``, and ``(n,)`` those of all others."""
        _, joints, weights = self.entries
        counts = np.diff(self.starts)
        per_entry = np.repeat(counts, counts)
        first = np.repeat(np.arange(len(joints)), per_entry)
        ends = np.cumsum(per_entry)
        place = np.arange(len(first)) - np.repeat(ends - per_entry, per_entry)
        other = np.repeat(np.repeat(self.starts[:-1], counts), per_entry) + place
        twists = self.limbs.are_related(joints[first], joints[other])
        still = np.asarray(
            np.bincount(first[~twists], weights[other[~twists]], len(joints)), dtype=np.float64
        )
        pairs, pair_of = distinct_pairs(joints[first[twists]], joints[other[twists]])
        begin = np.concatenate([[0], np.cumsum(np.bincount(first[twists], minlength=len(joints)))])
        table = csr(weights[other[twists]], pair_of, begin, pairs.shape[1])
        return pairs[0], pairs[1], table, still

    def even(self, palette: Palette, points: FloatArray, normals: FloatArray) -> "Evened":
        """Return the shared vertices of ``(V, 3)`` points and normals in mesh space, skinned."""
        joint, other, weights, still = self._pairs
        table, half_swing = self._table(palette, joint, other)
        rotation, shift = _normalised(weights @ table, still)
        vertices, joints, _ = self.entries
        own = palette.matrices[joints, :3]
        image = np.einsum("nij,nj->ni", own[:, :, :3], points[vertices]) + own[:, :, 3]
        image = quat.rotate(rotation, image) + shift

        def turn_normals() -> FloatArray:
            turned = quat.to_matrix(rotation) @ own[:, :, :3]
            return turned_normals.by_matrices(self._summed(turned), normals[self.shared])

        return Evened(self, self._summed(image), turn_normals, half_swing)

    def _summed(self, values: FloatArray) -> FloatArray:
        """Return the sum over the entries of each shared vertex, by weight."""
        _, _, weights = self.entries
        if not len(values):
            return values
        shaped = weights.reshape(-1, *[1] * (values.ndim - 1))
        return np.add.reduceat(shaped * values, self.starts[:-1])

    def mean_of_pairs(self, values: FloatArray) -> FloatArray:
        """Return ``(S, c)`` per shared vertex the mean over its pairs of ``(P, c)`` values, by |w_j w_k|.

        0 where no two of its joints are above one another.
        """
        _, _, weights = self.entries
        if not len(weights):
            return np.zeros((0, values.shape[1]))
        of_entries = abs(self._pairs[2]) @ np.concatenate(
            [values, np.ones((len(values), 1))], axis=1
        )
        sums = np.add.reduceat(np.abs(weights)[:, None] * of_entries, self.starts[:-1])
        total = sums[:, -1:]
        return np.asarray(sums[:, :-1] / np.where(total > 0.0, total, 1.0))

    def _table(
        self, palette: Palette, joint: IntArray, other: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return per pair the half twist as a dual quaternion, and the cosine of half the swing ``(P,)``.

        ``(P, 7)``: cosine; sine · direction; sine · moment.
        """
        lower = np.where(self.limbs.is_above(joint, other), other, joint)
        bones, matrices = self.limbs.bones, palette.matrices[joint, :3]
        heads = np.einsum("pij,pj->pi", matrices[:, :, :3], bones.heads[lower]) + matrices[:, :, 3]
        along = np.einsum("pij,pj->pi", matrices[:, :, :3], bones.directions[lower])
        large = np.einsum("pij,pij->p", matrices[:, :, :3], matrices[:, :, :3])
        lost = np.einsum("pi,pi->p", along, along) <= LOST_AXIS * large
        along = unit(np.where(lost[:, None], 0.0, along))
        turned = quat.multiply(palette.rotations[other], quat.conjugate(palette.rotations[joint]))
        cosine, sine, half_swing = half_twist(turned, along)
        sine = sine[:, None]
        table = np.concatenate([cosine[:, None], sine * along, sine * cross(heads, along)], axis=1)
        return table, half_swing


@dataclass(frozen=True, eq=False)
class Evened:
    """The shared vertices of a mesh in one pose.

    Parameters
    ----------
    positions
        ``(S, 3)``.
    turn_normals
        Returns their unit normals ``(S, 3)``.
    half_swing
        ``(P,)`` cosine of half the swing of every pair.
    """

    twists: Twists
    positions: FloatArray
    turn_normals: Callable[[], FloatArray]
    half_swing: FloatArray


def _normalised(total: FloatArray, still: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return ``(n, 4)`` rotations and ``(n, 3)`` translations of blended twists.

    Parameters
    ----------
    total
        ``(n, 7)`` blended rows of `Twists._table`.
    still
        ``(n,)`` the weight of joints that do not twist.
    """
    rotation = np.concatenate([total[:, 1:4], (total[:, 0] + still)[:, None]], axis=1)
    size = np.linalg.norm(rotation, axis=1, keepdims=True)
    lost = size <= NO_TWIST
    size = np.where(lost, 1.0, size)
    rotation = np.where(lost, quat.IDENTITY, rotation / size)
    moment = np.where(lost, 0.0, total[:, 4:] / size)
    # That of a dual quaternion whose dual part has no w.
    return rotation, 2.0 * (rotation[:, 3:] * moment + cross(rotation[:, :3], moment))


def half_twist(turn: FloatArray, axis: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return cosine and sine of half the twist of turns about unit axes, and cosine of half the swing.

    ``(P,)`` each. Of a turn and its negative the one of the shorter twist is taken.
    """
    cosine, sine = turn[:, 3], np.sum(turn[:, :3] * axis, axis=1)
    sign = np.where(cosine < -HALF_TURN, -1.0, 1.0)
    numbers = sign * cosine, sign * sine
    # The length is the cosine of half the swing.
    size = np.hypot(*numbers)
    share = np.clip(size / FADE, 0.0, 1.0)
    share = share * share * (3.0 - 2.0 * share)
    safe = np.where(size > 0.0, size, 1.0)
    cosine, sine = share * (numbers[0] / safe) + (1.0 - share), share * (numbers[1] / safe)
    # Half a turn of twist is not the opposite of none: the mean has a length.
    length = np.maximum(np.hypot(cosine, sine), NO_TWIST)
    return cosine / length, sine / length, size
