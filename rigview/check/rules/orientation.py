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
)
from rigview.check.rig_edits.reframe import may_reframe, rotations
from rigview.check.rig_edits.reorient import aiming, beyond, reorient
from rigview.check.rule import (
    Finding,
    Severity,
    Subject,
    count,
    offer,
    rule,
    verb,
)
from rigview.core.arrays import IntArray
from rigview.core.sentence import Sentence

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
        far = beyond(subject, axes, np.radians(subject.limit(ANGLE)), spare=True)
        near = ~far & (axes.deviations > np.radians(subject.limit(SLIGHT)))
        for chosen, limit in ((far, ANGLE), (near, SLIGHT)):
            if np.any(chosen):
                yield _finding(subject, skin, axes, np.flatnonzero(chosen), limit)


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
        Sentence(
            "{bones} of {number} up to {angle:.1f}° off {axis}, which {following} follow"
            if following
            else "{bones} of {number} up to {angle:.1f}° off {axis}, the nearest axis",
            bones=count(len(joints), "bone"),
            number=len(axes.joints),
            angle=np.degrees(worst),
            axis=name,
            following=following,
        ),
        skin_label(rig, skin),
        joints=joints,
        value=float(np.degrees(worst)),
        limit=subject.limit(limit),
        unit="°",
        severity=severity,
        note=slight,
        explanation=Sentence(
            "{following} of {number} bones run along their joint's {axis}. {verb} up to "
            "{angle:.0f}° away, so a twist turns about the wrong line.",
            following=following or Sentence("None"),
            number=len(axes.joints),
            axis=name,
            verb=verb(len(joints), "This one points", "These point"),
            angle=np.degrees(worst),
        )
        + _nearer(len(joints), elsewhere),
        fix=offer(
            rig,
            "exact",
            Sentence("Re-orient {joints}", joints=count(len(joints), "joint")),
            partial(reorient, skin=skin, limit=radians, profile=subject.profile, spare=not slight),
            # Whether a joint can be turned does not depend on how far.
            trial=lambda rig: may_reframe(
                rig,
                rotations(
                    aiming(Subject.of(rig, subject.profile), skin, radians, spare=not slight)[1]
                ),
            ),
        ),
    )


def _nearer(number: int, elsewhere: int) -> str:
    """Return a sentence about bones that lie nearer to another axis than to the rig's; empty for none."""
    if not elsewhere:
        return ""
    if number == 1:
        return Sentence(" It is nearer to another axis.")
    return Sentence(
        " {elsewhere} of them {verb} nearer to another axis.",
        elsewhere=elsewhere,
        verb=verb(elsewhere, "is", "are"),
    )
