"""Which axis of its joints a rig's bones run along, and how far off it each is."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rigview.check.limits import Limit
from rigview.check.measures.bone_ends import bone_ends
from rigview.check.measures.facts import Facts
from rigview.core import affine, bones
from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.core.rig import Rig

_MEANING = "the angle between a bone and the axis that the rig's bones follow"
# A bone this far off its axis turns about a visibly wrong line; half of that is worth knowing.
ANGLE = Limit("ORI-PRIMARY.angle", 15.0, "°", _MEANING)
SLIGHT = Limit(ANGLE.key_of("slight"), 5.0, "°", f"{_MEANING}, to be told as info")
# The vote of a bone that is longer than this, in sizes, counts no more: one that leads far out of the
# character (BND-FAR) would outvote all others.
_LONGEST = 0.5
AXIS_NAMES = ("+X", "+Y", "+Z", "−X", "−Y", "−Z")
# ``(6, 3)`` what they stand for.
AXES = np.concatenate([np.eye(3), -np.eye(3)])


@dataclass(frozen=True, eq=False)
class Axes:
    """The bones of one skeleton in their joints' frames, against the axis that most of them follow.

    Parameters
    ----------
    joints
        ``(n,)`` nodes that have a bone of their own: a primary child, not at the same place.
    directions
        ``(n, 3)`` unit bone directions in the joints' frames.
    axis
        Which of the six signed axes the rig follows.
    share
        The part of all bone length that follows it, of each at most half the character's size.
    deviations
        ``(n,)`` angle between bone and that axis in radians.
    """

    joints: IntArray
    directions: FloatArray
    axis: int
    share: float
    deviations: FloatArray


def skeletons(rig: Rig) -> tuple[frozenset[int], ...]:
    """Return per skin its joints, those of all skins that share any with it, and so on.

    They vote for one axis: with a vote per skin, a joint of two skins could be right for neither.
    """
    whole: dict[int, set[int]] = {}
    for skin in rig.skins:
        met = {id(whole[joint]): whole[joint] for joint in skin.joints if joint in whole}
        joined = set(skin.joints).union(*met.values())
        whole |= dict.fromkeys(joined, joined)
    each = {id(members): members for members in whole.values()}
    listed = {key: frozenset(members) for key, members in each.items()}
    none = frozenset[int]()
    return tuple(listed[id(whole[skin.joints[0]])] if skin.joints else none for skin in rig.skins)


def skin_axes(facts: Facts, skin: int) -> Axes | None:
    """Measure the bones of one skin's skeleton at rest; None where no bone has a direction."""
    deformer, skeleton = facts.deformer, facts.deformer.skeleton
    model, members = deformer.rest_nodes, facts.of_rig(skeletons)[skin]
    inside = np.array([joint in members for joint in skeleton.joints.tolist()], dtype=np.bool_)
    every = facts.once(bone_ends)
    joints = skeleton.joints[(every[skeleton.joints] >= 0) & inside]
    ends = every[joints]
    along = model[ends, :3, 3] - model[joints, :3, 3]
    lengths = np.linalg.norm(along, axis=1)
    long = lengths > bones.ZERO_LENGTH * facts.sizes[joints]
    if not np.any(long):
        return None
    joints, lengths = joints[long], lengths[long]
    joint_from_model = affine.inverse(model[joints])[:, :3, :3]
    directions = unit(np.einsum("jab,jb->ja", joint_from_model, along[long]))
    own = np.argmax(directions @ AXES.T, axis=1)
    heard = np.minimum(lengths, _LONGEST * facts.sizes[joints])
    votes = np.bincount(own, weights=heard, minlength=6)
    axis = int(np.argmax(votes))
    cosine = np.clip(directions @ AXES[axis], -1.0, 1.0)
    return Axes(joints, directions, axis, float(votes[axis] / votes.sum()), np.arccos(cosine))


def deviations(facts: Facts) -> dict[int, float]:
    """Return joint → how far its bone is off its rig's axis, in radians."""
    result: dict[int, float] = {}
    for skin in range(len(facts.rig.skins)):
        axes = facts.of_skin(skin_axes, skin)
        if axes is not None:
            result |= zip(map(int, axes.joints), map(float, axes.deviations), strict=True)
    return result


def each_skeleton(facts: Facts) -> Iterator[tuple[int, Axes]]:
    """Yield the first skin of every skeleton that has bones, and their axes."""
    seen: set[frozenset[int]] = set()
    for skin in range(len(facts.rig.skins)):
        members = facts.of_rig(skeletons)[skin]
        axes = facts.of_skin(skin_axes, skin) if members not in seen else None
        seen.add(members)
        if axes is not None:
            yield skin, axes
