"""Rules about where joints' axes point."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.axes import (
    ANGLE,
    AXES,
    AXIS_NAMES,
    SLIGHT,
    Axes,
    each_skeleton,
    skin_axes,
)
from rigview.check.measures.twist import ROLL, rolled
from rigview.check.rig_edits.mirror_axes import with_partners
from rigview.check.rig_edits.reframe import may_reframe, reframe, rotations
from rigview.check.rule import (
    Finding,
    Profile,
    Refused,
    Severity,
    Subject,
    count,
    offer,
    rule,
    verb,
)
from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray, unit
from rigview.core.rig import Rig

# A skeleton that agrees on an axis this much means it: below, mixed axes are its convention (71 % of
# real glTF skeletons have 95 % of their joints on one axis, 9 % less than half).
AGREED = Limit(
    ANGLE.key_of("agreed"),
    0.8,
    "share",
    "the part of the bones' length that follows one axis, under dqs",
    tells="warning",
)


@rule(
    ANGLE,
    SLIGHT,
    AGREED,
    title="Bone off the primary axis",
    measures="the angle between each bone and the joint axis that the rig's bones follow",
    severity="info",
    fix="exact",
    needs="skins",
    raised={"dqs": "warning", "thesis": "error"},
    tree=True,
)
def primary_axis(subject: Subject) -> Iterator[Finding]:
    """Bones that do not run along the axis that the rig's other bones follow.

    Bones that are off by no more than the limit of the angle are a note. So are, but under the profiles dqs
    and thesis, those of joints whose direction several children leave open: the joint that all weighted
    joints hang on, and one whose axis runs along another of its children.
    """
    for skin, axes in each_skeleton(subject.facts):
        far = _beyond(subject, axes, np.radians(subject.limit(ANGLE)), spare=True)
        near = ~far & (axes.deviations > np.radians(subject.limit(SLIGHT)))
        for chosen, limit in ((far, ANGLE), (near, SLIGHT)):
            if np.any(chosen):
                yield _finding(subject, skin, axes, np.flatnonzero(chosen), limit)


def _beyond(subject: Subject, axes: Axes, limit: float, *, spare: bool) -> BoolArray:
    """Return ``(n,)`` which bones are more than an angle in radians off the axis.

    Parameters
    ----------
    spare
        Leave out bones of joints whose direction is open, where the profile does not mind.
    """
    beyond = np.asarray(axes.deviations > limit, dtype=np.bool_)
    if spare and subject.profile.name not in ("dqs", "thesis"):
        for i in np.flatnonzero(beyond):
            beyond[i] = not _is_open(subject, axes, int(i))
    return beyond


def _is_open(subject: Subject, axes: Axes, number: int) -> bool:
    """Return whether several children leave the direction of a joint open.

    All weighted joints hang on it, or the axis runs along another child than the one its bone ends at.
    """
    facts, joint = subject.facts, int(axes.joints[number])
    children = facts.rig.joint_children[joint]
    if len(children) < 2:
        return False
    if facts.carrying.isdisjoint(facts.rig.nodes.ancestors(joint)):
        return True
    rest, along = facts.deformer.rest_nodes, [c for c in children if c in facts.carrying]
    ways = unit(rest[along, :3, 3] - rest[joint, :3, 3]) @ facts.frames[joint]
    near = np.cos(np.radians(subject.limit(ANGLE)))
    return bool((ways @ AXES[axes.axis] >= near).any())


def _finding(subject: Subject, skin: int, axes: Axes, chosen: IntArray, limit: Limit) -> Finding:
    rig = subject.rig
    radians = float(np.radians(subject.limit(limit)))
    order = chosen[np.argsort(-axes.deviations[chosen], kind="stable")]
    joints = tuple(int(axes.joints[i]) for i in order)
    worst = float(axes.deviations[order[0]])
    following = int(np.count_nonzero(axes.deviations <= np.radians(subject.limit(SLIGHT))))
    nearest = np.argmax(axes.directions[chosen] @ AXES.T, axis=1)
    elsewhere = int(np.count_nonzero(nearest != axes.axis))
    name = AXIS_NAMES[axes.axis]
    severity: Severity | None = None
    slight = limit is SLIGHT
    if slight or (subject.profile.name == "dqs" and axes.share < subject.limit(AGREED)):
        severity = "info"
    return Finding(
        2 * skin + int(slight),
        f"{count(len(joints), 'bone')} of {len(axes.joints)} up to {np.degrees(worst):.1f}° off "
        f"{name}, " + (f"which {following} follow" if following else "the nearest axis"),
        skin_label(rig, skin),
        joints=joints,
        value=float(np.degrees(worst)),
        limit=subject.limit(limit),
        unit="°",
        severity=severity,
        note=slight,
        explanation=f"{following or 'None'} of {len(axes.joints)} bones run along their joint's {name}. "
        f"{'This one points' if len(joints) == 1 else 'These point'} up to {np.degrees(worst):.0f}° "
        "away, so a twist turns about the wrong line." + _nearer(len(joints), elsewhere),
        fix=offer(
            rig,
            "exact",
            f"Re-orient {count(len(joints), 'joint')}",
            partial(reorient, skin=skin, limit=radians, profile=subject.profile, spare=not slight),
            # Whether a joint can be turned does not depend on how far.
            trial=lambda rig: may_reframe(
                rig,
                rotations(
                    _aiming(Subject.of(rig, subject.profile), skin, radians, spare=not slight)[1]
                ),
            ),
        ),
    )


def _nearer(number: int, elsewhere: int) -> str:
    """Return a sentence about bones that lie nearer to another axis than to the rig's; empty for none."""
    if not elsewhere:
        return ""
    if number == 1:
        return " It is nearer to another axis."
    return f" {elsewhere} of them {verb(elsewhere, 'is', 'are')} nearer to another axis."


def reorient(rig: Rig, skin: int, limit: float, profile: Profile, *, spare: bool = False) -> Rig:
    """Turn the joints whose bones are more than `limit` off, so that the rig's axis points along them.

    Each turn is the smallest rotation that does it, so roll changes least; where that leaves a joint
    twisted against the one above or below, it is turned about its bone to agree, and where it would end
    the mirroring of a pair, its partner turns with it (`with_partners`).
    Inverse bind matrices, children and the keys of all clips follow (`reframe`), and nothing moves.

    Parameters
    ----------
    profile
        Whose limits count.
    spare
        Leave joints whose direction is open as they are.
    """
    subject = Subject.of(rig, profile)
    axes, smallest = _aiming(subject, skin, limit, spare=spare)
    along, roll = set(axes.joints.tolist()), float(np.radians(subject.limit(ROLL)))
    turns = dict(rolled(subject.facts, smallest, along, AXES[axes.axis], roll))
    return reframe(rig, rotations(with_partners(subject, turns)))


def _aiming(
    subject: Subject, skin: int, limit: float, *, spare: bool
) -> tuple[Axes, dict[int, FloatArray]]:
    """Return the axes, and joint → the smallest rotation ``(4,)`` onto its bone, of those off it."""
    axes = subject.facts.of_skin(skin_axes, skin)
    if axes is None:
        raise Refused("no bone has a direction")
    off = np.flatnonzero(_beyond(subject, axes, limit, spare=spare))
    if not len(off):
        raise Refused("no bone is off its axis")
    target = np.broadcast_to(AXES[axes.axis], (len(off), 3))
    smallest = quat.arc(target, axes.directions[off])
    return axes, dict(zip(axes.joints[off].tolist(), smallest, strict=True))
