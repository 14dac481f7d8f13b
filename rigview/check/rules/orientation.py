"""Rules about where joints' axes point."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from rigview.check.fixes.reframe import Turn, may_reframe, reframe
from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts, measured
from rigview.check.measures.twist import ROLL, rolled
from rigview.check.rule import Finding, Refused, Severity, Subject, count, offer
from rigview.core import affine, bones, quat
from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.core.rig import Rig

_MEANING = "the angle between a bone and the axis that the rig's bones follow"
# A bone this far off its axis turns about a visibly wrong line; half of that is worth knowing.
ANGLE = Limit("ORI-PRIMARY.angle", 15.0, "°", _MEANING)
SLIGHT = Limit("ORI-PRIMARY.slight", 5.0, "°", f"{_MEANING}, to be told as info")
# Further off than half a right angle a bone is nearer to another axis: it runs along none.
UNASSIGNABLE = np.radians(45.0)
# A skeleton that agrees on an axis this much means it: below, mixed axes are its convention (71 % of
# real glTF skeletons have 95 % of their joints on one axis, 9 % less than half).
AGREED = Limit(
    "ORI-PRIMARY.agreed",
    0.8,
    "share",
    "the part of the bones' length that follows one axis, under dqs",
    tells="warning",
)
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
        The part of all bone length that follows it.
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
    model, members = deformer.rest_nodes, facts.once(skeletons)[skin]
    inside = np.array([joint in members for joint in skeleton.joints.tolist()], dtype=np.bool_)
    chosen = (skeleton.primary >= 0) & inside
    joints, ends = skeleton.joints[chosen], skeleton.joints[skeleton.primary[chosen]]
    along = model[ends, :3, 3] - model[joints, :3, 3]
    lengths = np.linalg.norm(along, axis=1)
    long = lengths > bones.ZERO_LENGTH * deformer.size
    if not np.any(long):
        return None
    joints, lengths = joints[long], lengths[long]
    joint_from_model = affine.inverse(model[joints])[:, :3, :3]
    directions = unit(np.einsum("jab,jb->ja", joint_from_model, along[long]))
    own = np.argmax(directions @ AXES.T, axis=1)
    votes = np.bincount(own, weights=lengths, minlength=6)
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
        members = facts.once(skeletons)[skin]
        axes = facts.of_skin(skin_axes, skin) if members not in seen else None
        seen.add(members)
        if axes is not None:
            yield skin, axes


def primary_axis(subject: Subject) -> Iterator[Finding]:
    """ORI-PRIMARY: bones that do not run along the axis that the rig's other bones follow."""
    for skin, axes in each_skeleton(subject.facts):
        far = axes.deviations > np.radians(subject.limit(ANGLE))
        near = ~far & (axes.deviations > np.radians(subject.limit(SLIGHT)))
        for chosen, limit in ((far, ANGLE), (near, SLIGHT)):
            if np.any(chosen):
                yield _finding(subject, skin, axes, np.flatnonzero(chosen), limit)


def _finding(subject: Subject, skin: int, axes: Axes, chosen: IntArray, limit: Limit) -> Finding:
    rig = subject.rig
    radians, roll = (float(np.radians(subject.limit(one))) for one in (limit, ROLL))
    order = chosen[np.argsort(-axes.deviations[chosen], kind="stable")]
    joints = tuple(int(axes.joints[i]) for i in order)
    worst = float(axes.deviations[order[0]])
    following = int(np.count_nonzero(axes.deviations <= np.radians(subject.limit(SLIGHT))))
    lost = int(np.count_nonzero(axes.deviations[chosen] > UNASSIGNABLE))
    name = AXIS_NAMES[axes.axis]
    severity: Severity | None = None
    slight = limit is SLIGHT
    if slight or (subject.profile.name == "dqs" and axes.share < subject.limit(AGREED)):
        severity = "info"
    return Finding(
        "ORI-PRIMARY",
        2 * skin + int(slight),
        f"{count(len(joints), 'bone')} of {len(axes.joints)} up to {np.degrees(worst):.1f}° off "
        f"{name}, which {following} follow",
        skin_label(rig, skin),
        joint=rig.nodes.label(joints[0]),
        joints=joints,
        value=float(np.degrees(worst)),
        limit=subject.limit(limit),
        unit="°",
        severity=severity,
        explanation=f"{following} of {len(axes.joints)} bones run along their joint's {name}. "
        f"{'This one points' if len(joints) == 1 else 'These point'} up to {np.degrees(worst):.0f}° "
        "away, so a twist turns about the wrong line."
        + (f" {lost} of them run along no axis at all." if lost else ""),
        fix=offer(
            rig,
            "exact",
            f"Re-orient {count(len(joints), 'joint')}",
            partial(reorient, skin=skin, limit=radians, roll=roll),
            # Whether a joint can be turned does not depend on how far.
            trial=lambda rig: may_reframe(rig, _turns(_aiming(rig, skin, radians)[1])),
        ),
    )


def reorient(rig: Rig, skin: int, limit: float, roll: float) -> Rig:
    """Turn the joints whose bones are more than `limit` off, so that the rig's axis points along them.

    Each turn is the smallest rotation that does it, so roll changes least; where that leaves a joint
    twisted by more than `roll` against the one above or below, it is turned about its bone to agree.
    Inverse bind matrices, children and the keys of all clips follow (`reframe`), and nothing moves.
    """
    axes, smallest = _aiming(rig, skin, limit)
    along = set(axes.joints.tolist())
    turns = dict(rolled(measured(rig), smallest, along, AXES[axes.axis], roll))
    return reframe(rig, _turns(turns))


def _turns(rotations: dict[int, FloatArray]) -> dict[int, Turn]:
    return {joint: Turn(rotation) for joint, rotation in rotations.items()}


def _aiming(rig: Rig, skin: int, limit: float) -> tuple[Axes, dict[int, FloatArray]]:
    """Return the axes, and joint → the smallest rotation ``(4,)`` onto its bone, of those off it."""
    axes = measured(rig).of_skin(skin_axes, skin)
    if axes is None:
        raise Refused("no bone has a direction")
    off = np.flatnonzero(axes.deviations > limit)
    if not len(off):
        raise Refused("no bone is off its axis")
    target = np.broadcast_to(AXES[axes.axis], (len(off), 3))
    smallest = quat.arc(target, axes.directions[off])
    return axes, dict(zip(axes.joints[off].tolist(), smallest, strict=True))
