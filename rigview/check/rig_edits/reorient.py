"""Turning joints so that the axis which the rig's bones follow points along them."""

import numpy as np

from rigview.check.measures.axes import ANGLE, AXES, Axes, skin_axes
from rigview.check.measures.twist import ROLL, rolled
from rigview.check.rig_edits.mirror_axes import with_partners
from rigview.check.rig_edits.reframe import reframe, rotations
from rigview.check.rule import Profile, Refused, Subject
from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, unit
from rigview.core.rig import Rig


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
    axes, smallest = aiming(subject, skin, limit, spare=spare)
    along, roll = set(axes.joints.tolist()), float(np.radians(subject.limit(ROLL)))
    turns = dict(rolled(subject.facts, smallest, along, AXES[axes.axis], roll))
    return reframe(rig, rotations(with_partners(subject, turns)))


def aiming(
    subject: Subject, skin: int, limit: float, *, spare: bool
) -> tuple[Axes, dict[int, FloatArray]]:
    """Return the axes, and joint → the smallest rotation ``(4,)`` onto its bone, of those off it."""
    axes = subject.facts.of_skin(skin_axes, skin)
    if axes is None:
        raise Refused("no bone has a direction")
    off = np.flatnonzero(beyond(subject, axes, limit, spare=spare))
    if not len(off):
        raise Refused("no bone is off its axis")
    target = np.broadcast_to(AXES[axes.axis], (len(off), 3))
    smallest = quat.arc(target, axes.directions[off])
    return axes, dict(zip(axes.joints[off].tolist(), smallest, strict=True))


def beyond(subject: Subject, axes: Axes, limit: float, *, spare: bool) -> BoolArray:
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
