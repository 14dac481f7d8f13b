"""Limbs: the bones of one skin and how they hang on one another, at bind time and in a pose.

What the methods that reshape a bent joint read: the capsule compensation and bulging-free skinning.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray, unit
from rigview.core.bones import Segments, Skeleton
from rigview.core.methods.palette import Palette
from rigview.core.rig import Rig

# Two unit directions whose sum is shorter than this are folded onto each other: no plane halves them.
FOLDED = 1e-6
# The plane that halves a bend is followed as if it stood no flatter than this cosine to the bone.
FLATTEST = 0.5
# How far a limb goes on where its bone meets no other, in metres; float32 can still square its root.
UNLIMITED = 1e30
# Lengths in metres.
NOTHING = 1e-30


@dataclass(frozen=True, eq=False)
class BoneFrames:
    """The bones of one skin in mesh space at bind time, joints numbered as the skin lists them.

    Parameters
    ----------
    parents
        ``(J,)`` the nearest joint of the skin above, −1 for none.
    primary
        ``(J,)`` the joint of the skin at the bone's tail, −1 for none.
    offsets
        ``(J, J)`` symmetric: how far bone b branches off the line of bone a above it, the most by
        which a head on the way down, b's included, lies from that line; ∞ where neither is above
        the other.
    first
        ``(J,)`` where the skin lists the same joint first.
    """

    bones: Segments
    parents: IntArray
    primary: IntArray
    offsets: FloatArray
    first: IntArray

    @classmethod
    def linked(cls, bones: Segments, parents: IntArray, primary: IntArray) -> "BoneFrames":
        """Build from bones and their links; the offsets follow."""
        return cls(bones, parents, primary, _offsets(bones, parents), np.arange(len(parents)))

    def posed(self, palette: Palette) -> "PosedBoneFrames":
        """Carry the bones into a pose, each by its own joint, and halve every bend by a plane."""
        joints = np.arange(len(self.parents))
        rotations = palette.rotations
        axes, lengths = self.bones.directions, self.bones.lengths
        if not palette.rigid:
            along = np.einsum("jab,jb->ja", palette.stretches, axes)
            lengths = lengths * np.linalg.norm(along, axis=-1)
            axes = unit(along, axes)
        directions = quat.rotate(rotations, axes)
        linear, offset = palette.matrices[:, :3, :3], palette.matrices[:, :3, 3]
        # Where the bone's direction would point if it moved with its neighbour.
        above = quat.rotate(rotations[np.where(self.parents >= 0, self.parents, joints)], axes)
        below = quat.rotate(rotations[np.where(self.primary >= 0, self.primary, joints)], axes)
        has_head, has_tail = self.parents >= 0, self.primary >= 0
        return PosedBoneFrames(
            self.bones.heads,
            axes,
            lengths,
            np.einsum("jab,jb->ja", linear, self.bones.heads) + offset,
            directions,
            _gaps(directions, above, has_head),
            -_gaps(directions, below, has_tail),
            has_head,
            has_tail,
        )

    def distance_above(self, joints: IntArray, points: FloatArray) -> FloatArray:
        """Return ``(V,)``: from ``(V, 3)`` points in mesh space to the nearest bone above their joint.

        ∞ where no bone of the skin is above it.
        """
        nearest = np.full(len(points), np.inf)
        bones, rows = self.parents[joints], np.arange(len(points))
        while len(rows):
            below = bones >= 0
            bones, rows = bones[below], rows[below]
            distance = self.bones.distance(bones, points[rows])
            nearest[rows] = np.minimum(nearest[rows], distance)
            bones = self.parents[bones]
        return nearest

    @cached_property
    def branches(self) -> IntArray:
        """``(J, 2)`` joints counted from the root down: a joint's own number, and where its branch ends.

        A joint that the skin lists twice has one number.
        """
        below: list[list[int]] = [[] for _ in self.parents]
        own = np.flatnonzero(self.first == np.arange(len(self.first))).tolist()
        roots: list[int] = []
        for joint in own:
            parent = int(self.parents[joint])
            (roots if parent < 0 else below[parent]).append(joint)
        result = np.zeros((len(self.parents), 2), dtype=np.int64)
        waiting, count = [(root, False) for root in reversed(roots)], 0
        while waiting:
            joint, seen = waiting.pop()
            if seen:
                result[joint, 1] = count
                continue
            result[joint, 0] = count
            count += 1
            waiting.append((joint, True))
            waiting.extend((child, False) for child in reversed(below[joint]))
        return result[self.first]

    def is_above(self, upper: IntArray, lower: IntArray) -> BoolArray:
        """Return ``(n,)`` whether joints are strictly above others."""
        first, end = self.branches[upper].T
        number = self.branches[lower, 0]
        return (first < number) & (number < end)

    def are_related(self, one: IntArray, other: IntArray) -> BoolArray:
        """Return ``(n,)`` whether of two joints either is strictly above the other."""
        return self.is_above(one, other) | self.is_above(other, one)


@dataclass(frozen=True, eq=False)
class PosedBoneFrames:
    """The bones of one skin in one pose.

    Parameters
    ----------
    rest_heads
        ``(J, 3)`` in mesh space.
    axes
        ``(J, 3)`` unit directions in mesh space after the joint's stretch and before its rotation.
    lengths
        ``(J,)`` stretched.
    heads, directions
        ``(J, 3)`` in model space.
    head_gaps, tail_gaps
        ``(J, 3)`` square to the bone, in model space: the dot product with a vector across the bone
        says how far outside the bone's head, or inside its tail, the plane that halves the bend
        stands there; zeros where there is no such joint.
    has_head, has_tail
        ``(J,)`` whether the bone meets that of its parent, and of its primary child.
    """

    rest_heads: FloatArray
    axes: FloatArray
    lengths: FloatArray
    heads: FloatArray
    directions: FloatArray
    head_gaps: FloatArray
    tail_gaps: FloatArray
    has_head: BoolArray
    has_tail: BoolArray

    @cached_property
    def ends(self) -> FloatArray:
        """``(J, 2)``: how far from its head a bone meets the bone before it and the one after it."""
        low = np.where(self.has_head, 0.0, -UNLIMITED)
        return np.stack([low, np.where(self.has_tail, self.lengths, UNLIMITED)], axis=1)

    @cached_property
    def bends(self) -> FloatArray:
        """``(J, 2)``: the tangents of half the bends at head and tail, up to that of `FLATTEST`."""
        return np.linalg.norm(np.stack([self.head_gaps, self.tail_gaps], axis=1), axis=-1)

    @cached_property
    def nearness(self) -> FloatArray:
        """``(J, 2)`` slope and start of the line over the height: 0 counts for the head, 1 for the tail.

        Between two ends it rises from one quarter to three quarters of the bone.
        """
        between = self.has_head & self.has_tail
        slope = np.where(between, 2.0 / np.maximum(self.lengths, NOTHING), 0.0)
        start = np.where(between, -0.5, np.where(self.has_tail, 1.0, 0.0))
        return np.stack([slope, start], axis=1)


@dataclass(frozen=True, eq=False)
class SkinnedByDualQuaternions:
    """Vertices that dual quaternions have skinned.

    Parameters
    ----------
    rest, positions
        ``(V, 3)`` in mesh space, and skinned in model space.
    rotations
        ``(V, 4)`` blended.
    stretch
        ``(V, 3, 3)`` blended; None where no joint stretches.
    at_origin
        Whether the stretch acted about the mesh's origin before anything turned, else about the
        vertex (`skinning.ScaleConvention`).
    """

    rest: FloatArray
    positions: FloatArray
    rotations: FloatArray
    palette: Palette
    stretch: FloatArray | None
    at_origin: bool

    def seen_from(
        self, limbs: PosedBoneFrames, vertices: IntArray, joints: IntArray | int
    ) -> tuple[FloatArray, FloatArray]:
        """Return ``(n, 3)`` stretched arms from bones' heads to vertices at rest, and the posed heads.

        Where joints stretch, the head is placed so that the arm, turned by the joint's rotation, ends
        at the vertex's image under that joint.
        """
        rest, head = self.rest.take(vertices, axis=0), limbs.rest_heads[joints]
        if self.stretch is None:
            return rest - head, limbs.heads[joints]
        stretch = self.stretch[vertices]
        arms = np.einsum("nij,nj->ni", stretch, rest - head)
        rotations = self.palette.rotations[joints]
        linear = self.palette.matrices[joints, :3, :3]
        offset = self.palette.matrices[joints, :3, 3]
        if self.at_origin:
            stretched = np.einsum("...ij,...j->...i", stretch, head)
            return arms, quat.rotate(rotations, stretched) + offset
        image = np.einsum("...ij,...j->...i", linear, rest) + offset
        return arms, image - quat.rotate(rotations, arms)


def of_skin(rig: Rig, skin: int, skeleton: Skeleton, bones: Segments) -> BoneFrames:
    """Link a skin's bones (`bones.Bound`) as its joints hang in the hierarchy."""
    joints = rig.skins[skin].joints
    # A joint that the skin lists twice hangs as its first listing does.
    place: dict[int, int] = {}
    for i, joint in enumerate(joints):
        place.setdefault(joint, i)
    parents = [
        next((place[n] for n in rig.nodes.ancestors(joint) if n in place), -1) for joint in joints
    ]
    child = {
        int(joint): int(skeleton.joints[below])
        for joint, below in zip(skeleton.joints, skeleton.primary, strict=True)
        if below >= 0
    }
    primary = [place.get(child.get(joint, -1), -1) for joint in joints]
    limbs = BoneFrames.linked(
        bones, np.array(parents, dtype=np.int64), np.array(primary, dtype=np.int64)
    )
    first = np.array([place[joint] for joint in joints], dtype=np.int64)
    return replace(limbs, offsets=limbs.offsets[np.ix_(first, first)], first=first)


def _offsets(bones: Segments, parents: IntArray) -> FloatArray:
    count = len(parents)
    result = np.full((count, count), np.inf)
    np.fill_diagonal(result, 0.0)
    for joint in range(count):
        path = [joint]
        while parents[path[-1]] >= 0:
            path.append(int(parents[path[-1]]))
        above = np.array(path[1:], dtype=np.int64)
        # Of each bone above, how far every head of the path lies from its line.
        arms = bones.heads[path] - bones.heads[above, None]
        lines = bones.directions[above, None]
        along = np.sum(arms * lines, axis=-1, keepdims=True)
        from_line = np.linalg.norm(arms - along * lines, axis=-1)
        between = np.tri(len(above), len(path), dtype=bool)
        result[above, joint] = np.max(from_line, axis=1, where=between, initial=0.0)
        result[joint, above] = result[above, joint]
    return result


def _gaps(direction: FloatArray, other: FloatArray, has_joint: BoolArray) -> FloatArray:
    """Return ``(J, 3)`` `PosedBoneFrames.head_gaps` of bones that point along two ``(J, 3)`` directions.

    The plane's normal n halves them; a vector r across the bone d reaches it after −r·n / d·n along
    the bone.
    """
    both = direction + other
    size = np.linalg.norm(both, axis=-1, keepdims=True)
    across = both - 0.5 * size * size * direction
    halved = has_joint[:, None] & (size > FOLDED)
    steepness = size * np.maximum(0.5 * size, FLATTEST)
    return np.where(halved, across / np.where(halved, steepness, 1.0), 0.0)
