"""Who has a share in the capsule compensation of a vertex: what weights and the rest pose say."""

from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.methods.binding import Binding
from rigview.core.methods.bone_frames import BoneFrames

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
class BoneShare:
    """Whose capsule compensation a bone has a share in.

    Parameters
    ----------
    vertices, shares
        ``(n,)`` with shares above 0.
    """

    vertices: IntArray
    shares: FloatArray


def by_bone(joints: IntArray, shares: FloatArray) -> dict[int, BoneShare]:
    """Return joint → its shares, from ``(V, K)`` joints and `shares`."""
    vertices, slots = np.nonzero(shares)
    order = np.argsort(joints[vertices, slots], kind="stable")
    vertices, slots = vertices[order], slots[order]
    every, starts = np.unique(joints[vertices, slots], return_index=True)
    parts = np.split(vertices, starts[1:]), np.split(shares[vertices, slots], starts[1:])
    return {int(j): BoneShare(v, s) for j, v, s in zip(every, *parts, strict=False)}
