"""Seats: who has a share in the capsule compensation of a vertex, and where the vertex sits on its bone.

A seat is a pair of a vertex and a bone. Shares follow from the weights and the rest pose; where the
vertex sits follows from its position, and is found anew only where that changes with the pose (morph
targets, joints that stretch).
"""

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from rigview.core import quat
from rigview.core.arrays import ComplexArray, FloatArray, IntArray
from rigview.core.methods.binding import Binding
from rigview.core.methods.bone_frames import NOTHING, BoneFrames, PosedBoneFrames
from rigview.core.numeric.blending import index_type

if TYPE_CHECKING:
    from scipy.sparse import csc_array

# Shares fall with this power of the weight …
POWER = 4
# … and where the vertex has strayed from the bone by more than this share of its radius; what is left
# out there keeps the sum of shares from vanishing.
REACH = 0.15
REMAINDER = 1e-3
# A joint that branches off by less than .25 of the vertex's smaller radius bends the limb itself;
# by more than .75 it leads to another limb.
ASIDE = (0.25, 0.75)
# Where no more than this share of the other weight is with joints of the same limb, nothing is made round.
LEAST_RELATED = 0.5
# More radii than this are counted as so many.
FAR = 1e6
# A bone that counts for less than the first share does not count at all, above the second it counts
# alone; a smooth step leads from one to the other.
SHARPENED = (0.2, 0.8)
# Where no bone counts for much, the sharpened shares are scaled up as if they summed to this at least:
# what is missing from 1 is left to plain dual quaternion skinning.
LEAST_TOTAL = 0.25
# Around the plane that halves the bend the capsule fades in over a quarter of the radius to either side.
RAMP = 2.0
# Nearer to the bend's axis than this share of its distance from the bone's head, a vertex has no side
# (what is left is rounding, also float32's): it does not turn over the cap.
ASTRIDE = 1e-3
# Vertices handled at once: what their seats need stays in a processor's caches, and what calling numpy
# costs is little beside it.
_BLOCK = 16384


def smooth(t: FloatArray) -> FloatArray:
    """Return the cubic step: 0 below 0, 1 above 1, level at both."""
    t = np.clip(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def shares(binding: Binding, limbs: BoneFrames, points: FloatArray) -> FloatArray:
    """Return ``(V, K)``: how much of the corrected position each influence states; rows sum to ≤ 1.

    An influence counts by its weight to the fourth power, less where the vertex has strayed from its
    bone (`_strayed`); a smooth step sharpens this. All of it fades where the joints that share the
    vertex with it are on other limbs. A vertex of one joint has no share: it is where it belongs.

    Parameters
    ----------
    points
        ``(V, 3)`` mesh-space rest positions.
    """
    weights = np.maximum(binding.weights, 0.0)
    strong, radius = np.zeros_like(weights), np.zeros_like(weights)
    for k in range(weights.shape[1]):
        joint = binding.joints[:, k]
        axis = limbs.bones.directions[joint]
        arm = points - limbs.bones.heads[joint]
        height = np.einsum("vi,vi->v", arm, axis)
        radius[:, k] = np.linalg.norm(arm - height[:, None] * axis, axis=-1)
        ratio = _in_radii(_strayed(limbs, joint, points, height), REACH * radius[:, k])
        strong[:, k] = weights[:, k] ** POWER * (1.0 / (1.0 + ratio**2) + REMAINDER)
    total = strong.sum(axis=1, keepdims=True)
    result = sharpened(strong / np.where(total > 0.0, total, 1.0))
    result *= _among_relatives(limbs, binding.joints, weights, radius)
    alone = np.count_nonzero(binding.weights, axis=1) < 2
    return np.where(alone[:, None], 0.0, result)


def sharpened(shares: FloatArray) -> FloatArray:
    """Return ``(V, K)`` shares drawn apart by `SHARPENED`; rows that sum to 1 sum to ≤ 1 after it."""
    low, high = SHARPENED
    stepped = smooth((shares - low) / (high - low))
    return stepped / np.maximum(stepped.sum(axis=1, keepdims=True), LEAST_TOTAL)


def _among_relatives(
    limbs: BoneFrames, joints: IntArray, weights: FloatArray, radius: FloatArray
) -> FloatArray:
    """Return ``(V, K)`` 0 to 1: how far a vertex shares each joint with joints of the same limb alone.

    1 where all of the other joints' weight is with such, 0 where `LEAST_RELATED` of it or less is.
    Two joints are of one limb where one branches off the other by little, measured in the smaller of
    the vertex's two radii: seen from a shoulder's skin the clavicle starts near the spine, seen from
    the clavicle it does not.

    Parameters
    ----------
    joints, weights, radius
        ``(V, K)``; the radius is that about each joint's bone.
    """
    result = np.ones_like(weights)
    near, far = ASIDE
    for k in range(weights.shape[1]):
        others = np.delete(np.arange(weights.shape[1]), k)
        aside = limbs.offsets[joints[:, k, None], joints[:, others]]
        smaller = np.minimum(radius[:, k, None], radius[:, others])
        related = 1.0 - smooth((_in_radii(aside, smaller) - near) / (far - near))
        rest = weights[:, others].sum(axis=1)
        shared = rest > 0.0
        relatives = np.einsum("vk,vk->v", weights[:, others], related)
        result[:, k] = np.where(shared, relatives / np.where(shared, rest, 1.0), 1.0)
    return smooth((result - LEAST_RELATED) / (1.0 - LEAST_RELATED))


def _strayed(
    limbs: BoneFrames, joint: IntArray, points: FloatArray, height: FloatArray
) -> FloatArray:
    """Return ``(V,)``: how far vertices lie beyond the ends of their bone, or off it at another limb.

    A bone that branches off a trunk lies beside the trunk's skin, not beyond it. There the trunk's line,
    all bones above, is nearer (t) than the bone (d), and √(d² − t²) counts: in a straight limb it is how
    far beyond its head the vertex lies.
    """
    over = np.maximum(height - limbs.bones.lengths[joint], 0.0)
    beyond = np.where(limbs.primary[joint] >= 0, over, 0.0)
    beyond += np.where(limbs.parents[joint] >= 0, np.maximum(-height, 0.0), 0.0)
    own, above = limbs.bones.distance(joint, points), limbs.distance_above(joint, points)
    nearer = np.minimum(own, above)
    return np.maximum(beyond, np.sqrt((own - nearer) * (own + nearer)))


def _in_radii(lengths: FloatArray, radius: FloatArray) -> FloatArray:
    """Return lengths in radii, at most `FAR`: beyond, the ratio means nothing but "far"."""
    far = lengths >= FAR * radius
    return np.where(far & (lengths > 0.0), FAR, lengths / np.where(far, 1.0, radius))


@dataclass(frozen=True, eq=False)
class ShareLayout:
    """The seats of a mesh: block by block of its vertices, in each by joint, then by vertex.

    Parameters
    ----------
    vertices, joints
        ``(n,)``.
    shares
        ``(n,)`` of `shares`, without those that are 0.
    count
        V, of vertices with and without seats.
    """

    vertices: IntArray
    joints: IntArray
    shares: FloatArray
    count: int

    @classmethod
    def of(cls, binding: Binding, shares: FloatArray) -> "ShareLayout":
        """Seat the vertices of a mesh by their ``(V, K)`` shares."""
        vertices, slots = np.nonzero(shares)
        joints = binding.joints[vertices, slots]
        order = np.lexsort((joints, vertices // _BLOCK))
        vertices, slots = vertices[order], slots[order]
        return cls(vertices, joints[order], shares[vertices, slots], len(shares))

    @cached_property
    def blocks(self) -> tuple["ShareBlock", ...]:
        """The seats of some vertices at a time, without vertices that have none."""
        width = int(self.joints.max(initial=-1)) + 1
        firsts = range(0, self.count, _BLOCK)
        borders = np.searchsorted(self.vertices // _BLOCK, np.arange(len(firsts) + 1)).tolist()
        result = []
        for first, start, end in zip(firsts, borders, borders[1:], strict=False):
            if start < end:
                vertices = slice(first, min(first + _BLOCK, self.count))
                rows, joints = self.vertices[start:end] - first, self.joints[start:end]
                pattern = _fours(rows, joints, (vertices.stop - first, width))
                result.append(ShareBlock(vertices, slice(start, end), np.bincount(joints), pattern))
        return tuple(result)

    @cached_property
    def left(self) -> Callable[[float], FloatArray]:
        """What gives ``(V, 3)`` what shares of a strength leave to others, once for each coordinate.

        It remembers the last.
        """
        total = self.sum(np.ones(len(self.shares)))
        return lru_cache(1)(lambda strength: np.repeat(1.0 - strength * total, 3).reshape(-1, 3))

    def sum(self, values: FloatArray) -> FloatArray:
        """Return ``(V,)`` per vertex: its seats' ``(n,)`` values, each times the share."""
        sums = np.bincount(self.vertices, weights=self.shares * values, minlength=self.count)
        return sums.astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class ShareBlock:
    """Vertices next to each other, and their seats.

    Parameters
    ----------
    numbers
        How many of the seats are on each joint; joints after the last one with any are left out.
    pattern
        A sparse matrix of a row a vertex and four times a column a joint: which of them seats stand for.
    """

    vertices: slice
    seats: slice
    numbers: IntArray
    pattern: "csc_array"

    def of_seats(self, table: FloatArray) -> FloatArray:
        """Return ``(c, n)`` for each seat the joint's column of ``(c, J)``."""
        return np.repeat(table[:, : len(self.numbers)], self.numbers, axis=1)

    def gather(self, numbers: FloatArray, table: FloatArray) -> FloatArray:
        """Return ``(m, 3)`` per vertex: its seats' numbers, each times a vector of the joint's.

        Parameters
        ----------
        numbers
            ``(4, n)``.
        table
            ``(4, J, 3)``.
        """
        matrix = copy(self.pattern)
        matrix.data = numbers.reshape(-1)
        result: FloatArray = matrix @ table[:, : matrix.shape[1] // 4].reshape(-1, 3)
        return result


@dataclass(frozen=True, eq=False)
class BoneShares:
    """Where vertices sit on their bones, one value a seat. Each bone has a frame, its axis along z.

    Parameters
    ----------
    share
        Of `shares`.
    across
        The conjugate x − y·i of the vector from the bone's line to the vertex.
    height
        Along the bone from its head.
    down, up
        How far along the bone the vertex comes until it lies above the end; ≤ 0 and ≥ 0, and
        `bone_frames.UNLIMITED` away where the bone meets no other.
    beyond
        How far the vertex lies beyond the bone's ends; negative at the head.
    near_tail
        0 where it counts for the bend at the head, 1 for that at the tail.
    towards_head, towards_tail
        How the ends count in telling the inner side of the bend, per metre from its plane.
    astride
        The square of the distance from the bend's axis within which the vertex has no side.
    """

    share: FloatArray
    across: ComplexArray
    height: FloatArray
    down: FloatArray
    up: FloatArray
    beyond: FloatArray
    near_tail: FloatArray
    towards_head: FloatArray
    towards_tail: FloatArray
    astride: FloatArray

    def by_block(self, blocks: Iterable[ShareBlock]) -> list["BoneShares"]:
        """Return the seats of each block."""
        columns = [getattr(self, field.name) for field in fields(self)]
        return [BoneShares(*(column[block.seats] for column in columns)) for block in blocks]


def share_blocks(
    seating: ShareLayout, arms: FloatArray, limbs: PosedBoneFrames
) -> list[BoneShares]:
    """Return the seats of vertices, block by block.

    Parameters
    ----------
    arms
        ``(n, 3)`` from the bones' heads to the vertices, stretched and not turned.
    """
    seen = np.einsum("nij,ni->nj", quat.to_matrix(limbs.frames)[seating.joints], arms)
    across, height = seen[:, 0] - 1j * seen[:, 1], seen[:, 2].copy()
    above_head, above_tail = height - limbs.ends[seating.joints].T
    slope, start = limbs.nearness[seating.joints].T
    near_tail = smooth(height * slope + start)
    radius = np.abs(across)
    ramp = RAMP / np.maximum(radius, NOTHING)
    down, up = -np.maximum(above_head, 0.0), np.maximum(-above_tail, 0.0)
    seats = BoneShares(
        seating.shares,
        across,
        height,
        down,
        up,
        np.minimum(above_head, 0.0) + np.maximum(above_tail, 0.0),
        near_tail,
        (1.0 - near_tail) * ramp,
        near_tail * ramp,
        ASTRIDE**2 * np.einsum("ni,ni->n", seen, seen),
    )
    return seats.by_block(seating.blocks)


def _fours(rows: IntArray, joints: IntArray, shape: tuple[int, int]) -> "csc_array":
    """Return a sparse matrix of four times a column a joint, each seat having a number in all four.

    Parameters
    ----------
    rows, joints
        ``(n,)`` of seats, by joint.
    shape
        How many rows, and how many joints.
    """
    from scipy.sparse import csc_array

    height, width = shape
    narrow = index_type(4 * len(rows))
    per_column = np.tile(np.bincount(joints, minlength=width), 4)
    starts = np.concatenate([[0], np.cumsum(per_column)])
    return csc_array(
        (np.zeros(4 * len(rows)), np.tile(rows, 4).astype(narrow), starts.astype(narrow)),
        shape=(height, 4 * width),
    )
