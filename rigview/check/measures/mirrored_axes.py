"""How far the axes of joints on the right are off mirroring those on the left, about their bones."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.check.limits import Limit
from rigview.check.measures.bone_ends import bone_ends
from rigview.check.measures.facts import Facts
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.core.mirror_plane import MirrorPlane, mirror_plane

MIRROR = Limit(
    "ORI-MIRROR.angle", 5.0, "°", "the angle between axes and the mirror image of the partner's"
)
# Joints of a pair that are further off each other's mirror image are posed apart.
POSED = Limit(
    MIRROR.key_of("place"),
    0.02,
    "share",
    "the distance, in sizes, between a joint and the mirror image of its partner",
    "least",
)

# The mirror images of a frame that are frames: each with one axis turned round, or with all three.
_IMAGES = np.array([[-1.0, 1, 1], [1, -1, 1], [1, 1, -1], [-1, -1, -1]])
# What a turn of the right is as one of the left, as factors of its quaternion: seen through an image, or
# the other way about where both sides have the same axes.
_ON_THE_LEFT = np.tile(
    np.concatenate([np.concatenate([_IMAGES, np.ones((4, 1))], axis=1), [[-1.0, -1.0, -1.0, 1.0]]]),
    (2, 1),
)


@dataclass(frozen=True, eq=False)
class Mirroring:
    """In what ways the axes of a pair could mirror, and what each takes.

    Parameters
    ----------
    angles
        ``(W,)`` by what angle they are off that, in radians.
    left, right
        ``(W, 4)`` ``old_from_new``: the turn of either joint that makes it so.
    """

    angles: FloatArray
    left: FloatArray
    right: FloatArray

    @classmethod
    def of(cls, right: FloatArray) -> "Mirroring":
        """Return the ways of some turns ``(W, 4)`` of the right: in each of the images, twice."""
        angles = quat.angle_between(np.array(quat.IDENTITY), right)
        return cls(angles, right * _ON_THE_LEFT, right)

    @cached_property
    def angle(self) -> float:
        """By what angle they are off the nearest."""
        return float(self.angles.min())

    def after(self, left: FloatArray, right: FloatArray) -> "Mirroring":
        """Return the ways once both have been turned, ``(4,)`` ``old_from_new``."""
        seen = quat.conjugate(left * _ON_THE_LEFT)
        return self.of(quat.multiply(quat.multiply(quat.conjugate(right), self.right), seen))


@dataclass(frozen=True, eq=False)
class _Stand:
    """A pose in which pairs are compared: the rest pose, or the one that a skin was bound in.

    Parameters
    ----------
    pairs
        ``(P, 2)`` nodes, left and right.
    heads, frames
        ``(P, 2, 3)`` and ``(P, 2, 3, 3)``, the latter without scale.
    bones
        ``(P, 2, 3)`` the directions of bones that begin and end in partners; elsewhere 0.
    size
        Of the character in the space of `heads`.
    plane
        Between left and right there.
    """

    pairs: IntArray
    heads: FloatArray
    frames: FloatArray
    bones: FloatArray
    size: float
    plane: MirrorPlane


def mirrorings(facts: Facts, limit: float, posed: float) -> dict[tuple[int, int], Mirroring]:
    """Return in what ways the axes of each pair (left, right) could mirror; for `Facts.once`.

    A file may rest in any pose, and be bound in any: axes that mirror in one of them were made
    mirrored. What counts is the pose in which a pair mirrors best. Where the bones of a pair point
    elsewhere in it, the axes may as well have turned with them.

    Parameters
    ----------
    limit
        In radians: once all pairs are within, no further pose is asked.
    posed
        Pairs that stand further from each other's mirror image are left out, in sizes.
    """
    best: dict[tuple[int, int], Mirroring] = {}
    for stand in _stands(facts):
        for pair, found in _mirrorings(stand, posed):
            if pair not in best or found.angle < best[pair].angle:
                best[pair] = found
        if len(best) == len(facts.anatomy.pairs) and all(m.angle <= limit for m in best.values()):
            break
    return {pair: best[pair] for pair in facts.anatomy.pairs if pair in best}


def _stands(facts: Facts) -> Iterator[_Stand]:
    """Yield the rest pose, and if one asks for more the bind pose of every skin."""
    deformer = facts.deformer
    heads = deformer.rest_nodes[:, :3, 3]
    bones = _bones(facts)
    for character, plane in facts.mirror_planes.items():
        pairs = np.array(facts.anatomy.pairs_of[character])
        ways = _directions(pairs, bones, heads)
        size = facts.size_over(facts.anatomy.pairs_of[character])
        yield _Stand(pairs, heads[pairs], facts.frames[pairs], ways, size, plane)
    for skin, size in deformer.bind_sizes.items():
        joints = facts.rig.skins[skin].nodes
        binds = facts.rig.skins[skin].joint_from_mesh
        sound = np.flatnonzero(np.all(np.isfinite(binds), axis=(1, 2)))
        bound = np.full((len(facts.rig.nodes), 4, 4), np.nan)
        bound[joints[sound]] = affine.inverse(binds[sound])
        known = [p for p in facts.anatomy.pairs if np.isfinite(bound[list(p), 0, 0]).all()]
        pairs = np.array(known, dtype=np.int64).reshape(-1, 2)
        heads = bound[:, :3, 3]
        frames, _ = affine.polar(bound[pairs][..., :3, :3])
        starts = facts.anatomy.starts(known)
        left, right = heads[pairs.T]
        bound_plane = mirror_plane(left, right, starts, size)
        if bound_plane is not None:
            ways = _directions(pairs, bones, heads)
            yield _Stand(pairs, heads[pairs], frames, ways, size, bound_plane)


def _bones(facts: Facts) -> tuple[IntArray, IntArray]:
    """Return ``(N,)`` each where bones begin and end of which the partner's does in the partners; else −1.

    A leaf continues the bone above.
    """
    skeleton, partner = facts.deformer.skeleton, facts.anatomy.partner
    ends = facts.once(bone_ends).copy()
    begins = np.arange(len(ends))
    above = facts.rig.joint_parents
    for joint in skeleton.joints[skeleton.primary < 0].tolist():
        begins[joint], ends[joint] = above[joint], ends[above[joint]] if above[joint] >= 0 else -1
    for left, right in facts.anatomy.pairs:
        both = zip((begins[left], ends[left]), (begins[right], ends[right]), strict=True)
        if any(one < 0 or partner.get(int(one)) != other for one, other in both):
            begins[[left, right]] = ends[[left, right]] = -1
    return begins, ends


def _directions(pairs: IntArray, bones: tuple[IntArray, IntArray], heads: FloatArray) -> FloatArray:
    begins, ends = (end[pairs] for end in bones)
    along = heads[ends] - heads[begins]
    known = np.isfinite(along).all(axis=(1, 2)) & np.all(ends >= 0, axis=1)
    return unit(np.where(known[:, None, None], along, 0.0))


def _mirrorings(stand: _Stand, posed: float) -> Iterator[tuple[tuple[int, int], Mirroring]]:
    """Yield the pairs that stand mirrored, and by what their axes are off it.

    1. A frame of the left L has the images P·L·D, where P reflects and D turns axes round so that what
       comes out is a frame; where both sides have the same axes, as where all look ahead, the image is L.
    2. S turns the image of the left bone onto the right one: also S·P·L·D mirrors.
    3. The turn A of the right is ``R⁻¹·S·P·L·D``; for the left instead it is ``D·A⁻¹·D``.
    """
    images = stand.plane.images(stand.heads[:, 0])
    alike = np.linalg.norm(images - stand.heads[:, 1], axis=1) < posed * stand.size
    reflection = stand.plane.reflection
    own, other = stand.frames[alike, 0][:, None], stand.frames[alike, 1]
    mirrored = reflection @ own * _IMAGES[:, None, :]
    ahead = np.concatenate([mirrored, own], axis=1)
    bones = stand.bones[alike]
    swing = quat.to_matrix(quat.arc(bones[:, 0] @ reflection, bones[:, 1]))
    wanted = np.concatenate([ahead, swing[:, None] @ ahead], axis=1)
    right = quat.from_matrix(np.swapaxes(other, -1, -2)[:, None] @ wanted)
    every = Mirroring.of(right)
    for i, (one, two) in enumerate(stand.pairs[alike].tolist()):
        yield (one, two), Mirroring(every.angles[i], every.left[i], right[i])
