"""The rule about the axes beside the bone: joints that are twisted against the one above."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.measures.axes import ANGLE, AXES, each_skeleton, skin_axes
from rigview.check.measures.facts import Facts
from rigview.check.measures.twist import ROLL, continued, twist_angle, wrapped
from rigview.check.rig_edits.mirror_axes import with_partners
from rigview.check.rig_edits.reframe import may_reframe, reframe, rotations
from rigview.check.rule import Finding, Profile, Refused, Subject, count, offer, rule
from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence


def _twists(facts: Facts, skin: int, follows: float) -> dict[int, float]:
    """Return joint → twist about its bone against the joint above, in radians and in file order.

    Only joints that continue the bone above have one, where both follow the rig's axis: a limb that
    leaves the body is rolled as its own bend asks. The joints come parents first.

    Parameters
    ----------
    follows
        How far a bone that follows the axis may be off it, in radians: ORI-PRIMARY names the others.
    """
    frames = facts.frames
    axes = facts.of_skin(skin_axes, skin)
    if axes is None:
        return {}
    continues = continued(facts)
    along = set(axes.joints[axes.deviations <= follows].tolist())
    depths = facts.rig.nodes.depths.tolist()
    order = sorted(along, key=lambda j: depths[j])
    pairs = [(continues[j], j) for j in order if continues.get(j) in along]
    parents, joints = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    turns = quat.from_matrix(np.swapaxes(frames[parents], -1, -2) @ frames[joints])
    angles = twist_angle(turns, AXES[axes.axis])
    return dict(zip(joints.tolist(), angles.tolist(), strict=True))


@rule(
    ROLL,
    title="Joint twisted about its bone",
    measures="the twist of each joint about its bone against the joint above",
    severity="info",
    fix="exact",
    note=True,
    needs="skins",
    tree=True,
)
def rolls(subject: Subject) -> Iterator[Finding]:
    """Joints twisted about their bone against the joint above."""
    rig = subject.rig
    limit, follows = (float(np.radians(subject.limit(one))) for one in (ROLL, ANGLE))
    for skin, _ in each_skeleton(subject.facts):
        twists = subject.facts.of_skin(_twists, skin, follows)
        # Of a left and a right joint twisted alike the first comes first, whatever rounding says.
        sizes = {joint: round(abs(twist), 4) for joint, twist in twists.items()}
        off = sorted((j for j in twists if abs(twists[j]) > limit), key=lambda j: -sizes[j])
        if not off:
            continue
        turned = _untwisting(subject, skin)
        yield Finding(
            skin,
            Sentence(
                "{joints} of {number} twisted up to {angle:.0f}° about the bone against the "
                "joint above",
                joints=count(len(off), "joint"),
                number=len(twists),
                angle=np.degrees(abs(twists[off[0]])),
            ),
            skin_label(rig, skin),
            joints=tuple(off),
            value=float(np.degrees(abs(twists[off[0]]))),
            limit=subject.limit(ROLL),
            unit="°",
            explanation="Bending about the same local axis bends the chain sideways there. Limbs are often "
            "rolled on purpose where they leave the body.",
            fix=offer(
                rig,
                "exact",
                _fix_label(len(off), len(turned)),
                partial(untwist, skin=skin, profile=subject.profile),
                on_request=True,
                trial=partial(may_reframe, turns=rotations(turned)),
            ),
        )


def _fix_label(twisted: int, turned: int) -> str:
    """Return the name of the fix: it counts twisted joints, as the finding does.

    Of three joints whose middle one is turned two are twisted against the joint above, and one turn of it
    cures both.
    """
    words = Sentence("Untwist {joints}", joints=count(twisted, "joint"))
    return (
        words
        if turned == twisted
        else Sentence("{fix}, turning {turned}", fix=words, turned=turned)
    )


def untwist(rig: Rig, skin: int, profile: Profile) -> Rig:
    """Turn joints about their bones until each agrees with the joint above.

    Where that would end the mirroring of a pair, its partner turns with it (`with_partners`).

    Parameters
    ----------
    profile
        Whose limits count.

    Raises
    ------
    Refused
        If a joint ever scales unequally: the turn would shear it.
    """
    turned = _untwisting(Subject.of(rig, profile), skin)
    if not turned:
        raise Refused("no joint is twisted")
    return reframe(rig, rotations(turned))


def _untwisting(subject: Subject, skin: int) -> dict[int, FloatArray]:
    """Return joint → ``(4,)`` ``old_from_new`` of what is turned so that no joint is twisted."""
    axes = subject.facts.of_skin(skin_axes, skin)
    if axes is None:
        raise Refused("no bone has a direction")
    limit, follows = (float(np.radians(subject.limit(one))) for one in (ROLL, ANGLE))
    turned = subject.facts.of_skin(_turned_back, skin, limit, follows)
    back = quat.from_axis_angle(AXES[axes.axis], -np.array(list(turned.values())))
    return with_partners(subject, dict(zip(turned, back, strict=True)))


def _turned_back(facts: Facts, skin: int, limit: float, follows: float) -> dict[int, float]:
    """Return joint → by what angle it is to be turned back, so that each agrees with the one above.

    Of a chain as few as can be: where its first joint is the one that is twisted, the others stay.
    """
    twists = facts.of_skin(_twists, skin, follows)
    chains: dict[int, list[int]] = {}
    for joint in twists:
        parent = facts.rig.joint_parents[joint]
        chain = chains.pop(parent, [parent])
        chains[joint] = [*chain, joint]
    result: dict[int, float] = {}
    for chain in chains.values():
        steps = [twists[joint] for joint in chain[1:]]
        if max(map(abs, steps)) <= limit:
            continue
        tried = (_around(steps, anchor, limit) for anchor in range(len(chain)))
        fewest = max(tried, key=lambda turns: turns.count(0.0))
        result |= {joint: turn for joint, turn in zip(chain, fewest, strict=True) if turn != 0.0}
    return result


def _around(steps: list[float], anchor: int, limit: float) -> list[float]:
    """Return by what angle each of a chain is turned back where one of them stays.

    Parameters
    ----------
    steps
        The twist of each but the first against the one before.
    """
    turns = [0.0] * (len(steps) + 1)
    ways = [(i, i - 1, steps[i - 1]) for i in range(anchor + 1, len(turns))]
    ways += [(i, i + 1, -steps[i]) for i in reversed(range(anchor))]
    for own, other, twist in ways:
        # The one beside it may have been turned back itself, about the same axis: what is left counts.
        left = wrapped(twist + turns[other])
        turns[own] = left if abs(left) > limit else 0.0
    return turns
