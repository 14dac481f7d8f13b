"""Along the short arc: the signs with which rotations enter a blend.

A rotation has two quaternions, q and −q. Before quaternions are summed, each is turned into the
hemisphere of the one with the largest weight (Kavan et al. 2008). Which joints meet in a vertex is
known beforehand, so only pairs of joints that occur are looked at, not influences.

Mostly each joint can be given one sign for the whole mesh that suits every pair: the signs are passed
on from joint to joint along a tree of pairs. Only where a ring of joints turns once round in itself,
some pairs are left that need a sign of their own.
"""

from collections import deque
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import memo
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.dualquat import HALF_TURN

# Of so many possible pairs of joints for each that is there, counting takes longer than sorting.
_COUNTED = 16


@dataclass(frozen=True, eq=False)
class Arcs:
    """The signs of one pose, ±1.

    Parameters
    ----------
    joints
        ``(J,)``: what each joint's quaternion is multiplied by.
    pairs
        ``(P,)``: what influences are multiplied by besides, by their pair; None where all are +1.
    """

    joints: FloatArray
    pairs: FloatArray | None


@dataclass(frozen=True, eq=False)
class Meetings:
    """The joints that meet in vertices of a mesh.

    Parameters
    ----------
    heaviest, joint
        ``(P,)``: the different pairs of a vertex's heaviest joint and any of its joints.
    pair_of
        Per influence its pair.
    """

    heaviest: IntArray
    joint: IntArray
    pair_of: IntArray

    def short_arcs(self, quaternions: FloatArray) -> Arcs:
        """Return the signs that turn each influence into the heaviest one's hemisphere.

        All influences of a vertex may have been turned once more: that is the same rotation.

        Parameters
        ----------
        quaternions
            ``(J, 4)`` skin rotations.
        """
        facing = np.einsum("pq,pq->p", quaternions[self.heaviest], quaternions[self.joint])
        wanted = np.where(facing < -HALF_TURN, -1.0, 1.0)
        link, jumps = self._tree
        joints = np.ones(len(quaternions))
        joints[: len(link)] = np.where(link < 0, 1.0, wanted[link])
        for up in jumps:
            joints[: len(link)] *= joints[up]
        left = wanted * joints[self.heaviest] * joints[self.joint]
        return Arcs(joints, left if np.any(left < 0.0) else None)

    def copies(self, count: int, width: int) -> "Meetings":
        """Return who meets in as many copies of the mesh, each on joints of its own.

        Parameters
        ----------
        width
            How many joints a copy has.
        """
        pairs = len(self.heaviest)
        result = Meetings(
            tiled(self.heaviest, count, width),
            tiled(self.joint, count, width),
            tiled(self.pair_of, count, pairs),
        )
        if not pairs:
            return result
        link, jumps = self._tree
        alone = np.arange(len(link), width)
        every = tiled(np.append(link, np.full(len(alone), -1)), count, pairs)
        every[np.tile(np.append(link < 0, np.ones(len(alone), np.bool_)), count)] = -1
        up = [tiled(np.append(above, alone), count, width) for above in jumps]
        memo.tell(result, _tree=(every, up))
        return result

    @cached_property
    def _tree(self) -> tuple[IntArray, list[IntArray]]:
        """Per joint the pair that joins it to the joint above (−1: none), and who is how far above.

        The first of the arrays names the joint above, the next the one twice as far above, and so on
        until all have arrived at the top, which is above itself.
        """
        count = int(max(self.heaviest.max(initial=-1), self.joint.max(initial=-1))) + 1
        beside: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        for pair, (a, b) in enumerate(
            zip(self.heaviest.tolist(), self.joint.tolist(), strict=True)
        ):
            beside[a].append((b, pair))
            beside[b].append((a, pair))
        above, link = np.full(count, -1), np.full(count, -1)
        for top in range(count):
            if above[top] >= 0:
                continue
            above[top] = top
            waiting = deque([top])
            while waiting:
                here = waiting.popleft()
                for other, pair in beside[here]:
                    if above[other] < 0:
                        above[other], link[other] = here, pair
                        waiting.append(other)
        jumps = []
        while np.any(link[above] >= 0):
            jumps.append(above)
            above = above[above]
        return link, jumps


def tiled(numbers: IntArray, count: int, step: int) -> IntArray:
    """Return numbers ``(n,)`` as often as there are copies, those of each so much above the last one's."""
    every: IntArray = (numbers + step * np.arange(count)[:, None]).reshape(-1)
    return every


def meetings(heaviest: IntArray, joint: IntArray) -> Meetings:
    """Return who meets, from the heaviest joint and the joint of every influence, ``(n,)`` each."""
    (first, second), pair_of = distinct_pairs(heaviest, joint)
    return Meetings(first, second, pair_of)


def distinct_pairs(first: IntArray, second: IntArray) -> tuple[IntArray, IntArray]:
    """Return the different pairs of two ``(n,)`` arrays of joints as ``(2, P)``, and each one's pair.

    Joints that meet have numbers near each other, so what tells a pair is the first joint and how far
    the second lies from it: mostly few enough numbers to count them instead of sorting.
    """
    if not len(first):
        return np.zeros((2, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)
    apart = second - first
    lowest = apart.min()
    width = int(apart.max() - lowest) + 1
    codes = first * width + (apart - lowest)
    if (int(first.max()) + 1) * width > _COUNTED * len(first):
        different, pair_of = np.unique(codes, return_inverse=True)
    else:
        different = np.flatnonzero(np.bincount(codes))
        pair_of = np.zeros(different[-1] + 1, dtype=np.int64)
        pair_of[different] = np.arange(len(different))
        pair_of = pair_of[codes]
    joint, offset = np.divmod(different, width)
    return np.stack([joint, joint + offset + lowest]), pair_of
