"""The rule about axes that do not mirror from left to right."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from rigview.check.measures.mirrored_axes import MIRROR, POSED
from rigview.check.rig_edits.mirror_axes import mirroring_turns, unmirrored
from rigview.check.rig_edits.reframe import FrameTurn, may_reframe, reframe, rotations
from rigview.check.rule import Finding, Profile, Refused, Subject, count, offer, rule
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence


@rule(
    MIRROR,
    POSED,
    title="Axes not mirrored",
    measures="the angle between a joint's axes and the nearest mirror image of its partner's, "
    "the bones laid on each other",
    severity="info",
    fix="exact",
    needs="skins pairs",
    tree=True,
)
def not_mirrored(subject: Subject) -> Iterator[Finding]:
    """Pairs of joints whose axes are no mirror image of each other.

    Of each pair the joint is named that the fix turns: where one of them breaks other rules, that one.
    """
    rig = subject.rig
    off = subject.kept(unmirrored)
    if not off:
        return
    worst = max(off, key=lambda pair: off[pair].angle)
    turns = subject.kept(mirroring_turns)
    named = {(left, right): left if left in turns else right for left, right in off}
    first = named.pop(worst)
    joints = [first, *named.values()]
    yield Finding(
        0,
        Sentence(
            "{pairs} of {number} with axes up to {angle:.0f}° off mirroring",
            pairs=count(len(off), "pair"),
            number=len(subject.anatomy.pairs),
            angle=np.degrees(off[worst].angle),
        ),
        rig.nodes.label(first),
        joints=tuple(joints),
        value=float(np.degrees(off[worst].angle)),
        limit=subject.limit(MIRROR),
        unit="°",
        explanation="A pose pasted to the other side bends another way.",
        fix=offer(
            rig,
            "exact",
            Sentence("Mirror the axes of {joints}", joints=count(len(turns), "joint")),
            partial(mirror_axes, profile=subject.profile),
            on_request=True,
            trial=lambda rig: may_reframe(rig, _turns(subject)),
        ),
    )


def mirror_axes(rig: Rig, profile: Profile) -> Rig:
    """Give one joint of every pair that does not mirror the nearest mirror image of the other.

    Parameters
    ----------
    profile
        Whose limits count.

    Raises
    ------
    Refused
        If a joint ever scales unequally: the turn would shear it. If nothing can be turned.
    """
    return reframe(rig, _turns(Subject.of(rig, profile)))


def _turns(subject: Subject) -> dict[int, FrameTurn]:
    if not subject.kept(unmirrored):
        raise Refused("all pairs mirror")
    turns = subject.kept(mirroring_turns)
    if not turns:
        raise Refused(
            "each turn that mirrors them takes an axis off its bone, or twists a joint about it"
        )
    return rotations(turns)
