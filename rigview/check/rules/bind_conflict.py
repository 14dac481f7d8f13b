"""The rule about skins that bind a joint differently."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.bind_moves import MOVE, TURN, Moves
from rigview.check.measures.facts import Facts, bind_scales
from rigview.check.rule import (
    Finding,
    Fix,
    Subject,
    count,
    first_beyond,
    rule,
    turned_and_moved,
)
from rigview.check.rules.bind_matrices import crushing
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

CONFLICT_TURN = Limit("BND-CONFLICT.turn", TURN, "°", "the angle between the binds of two skins")
CONFLICT_MOVE = Limit(
    CONFLICT_TURN.key_of("move"),
    MOVE,
    "share",
    "the distance, in sizes, between the binds of two skins",
)

# With how many other skins that list a joint a skin is compared for it: no rig of the corpus has more.
_MOST_OTHERS = 64

# Joints, and by what angle and length they are bound differently at most.
_Conflict = tuple[tuple[int, ...], float, float]


@rule(
    CONFLICT_TURN,
    CONFLICT_MOVE,
    title="Skins disagree about the bind",
    measures="joints that two skins bind differently beyond an offset common to all",
    severity="warning",
    needs="skins",
)
def conflicts(subject: Subject) -> Iterator[Finding]:
    """Two skins bind one joint differently beyond an offset common to all."""
    rig = subject.rig
    limits = subject.limit(CONFLICT_TURN), subject.limit(CONFLICT_MOVE)
    classes = _classes(rig)
    odd_ones = [
        (first, second, worst)
        for first, odd, worst in _odd_ones(subject.kept(_disagreements), classes)
        for second in classes[odd]
    ]
    for first, second, worst in sorted(odd_ones, key=itemgetter(1)):
        joints, turn, move = worst
        share = move / subject.facts.size_of(second)
        value, held, unit = first_beyond(
            (float(np.degrees(turn)), limits[0], "°"), (share, limits[1], "share")
        )
        yield Finding(
            second,
            Sentence(
                "{joints} bound up to {away} otherwise than in {skin}",
                joints=count(len(joints), "joint"),
                away=turned_and_moved(turn, move),
                skin=skin_label(rig, first),
            ),
            skin_label(rig, second),
            joints=joints,
            value=value,
            limit=held,
            unit=unit,
            explanation="Programs with one bind pose per joint take one of the two, and the other "
            "mesh deforms already at rest.",
            fix=Fix("none", reason="which of the two binds was meant is unknown"),
        )


def _odd_ones(
    pairs: Sequence[tuple[int, int, _Conflict]], classes: Mapping[int, Sequence[int]]
) -> list[tuple[int, int, _Conflict]]:
    """Return (skin that others agree with, skin that disagrees with most, how), each of these once.

    Of two that disagree with as many the later one is told.

    Parameters
    ----------
    classes
        Skin → all that say the same as it does, for each of which it stands.
    """
    left, found = list(pairs), []
    while left:
        met: Counter[int] = Counter()
        for first, second, _ in left:
            met[first] += len(classes[second])
            met[second] += len(classes[first])
        odd = max(met, key=lambda skin: (met[skin], classes[skin][-1]))
        first, second, worst = next(pair for pair in left if odd in pair[:2])
        found.append((first + second - odd, odd, worst))
        left = [pair for pair in left if odd not in pair[:2]]
    return found


def _classes(rig: Rig) -> dict[int, list[int]]:
    """Return the first of skins that say the same → all of these."""
    result: dict[int, list[int]] = {}
    for number, first in enumerate(rig.alike):
        result.setdefault(first, []).append(number)
    return result


def _disagreements(subject: Subject) -> list[tuple[int, int, _Conflict]]:
    """Return pairs of skins that bind joints differently, and how; by the second, then the first one.

    Of skins that say the same only the first is among them. Each is compared with the first few of those
    that list one of its joints.
    """
    rig = subject.rig
    limits = subject.limit(CONFLICT_TURN), subject.limit(CONFLICT_MOVE)
    users = _users(rig)
    result = []
    for second in _classes(rig):
        joints = rig.skins[second].joints
        near = {first for joint in joints for first in users[joint][:_MOST_OTHERS]}
        for first in sorted(first for first in near if first < second):
            worst = subject.facts.once(_conflict, first, second, limits)
            if worst is not None:
                result.append((first, second, worst))
    return result


def bound_otherwise(subject: Subject) -> dict[int, frozenset[int]]:
    """Return skin → the joints that another skin binds differently, for the first of those alike."""
    result: dict[int, frozenset[int]] = {}
    for first, second, (joints, _, _) in subject.kept(_disagreements):
        for skin in (first, second):
            result[skin] = result.get(skin, frozenset()).union(joints)
    return result


def _users(rig: Rig) -> dict[int, list[int]]:
    """Return joint → the skins that list it, ascending; of those that say the same the first."""
    users: dict[int, list[int]] = {joint: [] for joint in rig.joints}
    for number in _classes(rig):
        for joint in set(rig.skins[number].joints):
            users[joint].append(number)
    return users


def _conflict(
    facts: Facts, first: int, second: int, limits: tuple[float, float]
) -> _Conflict | None:
    """Return the joints that two skins bind differently, and by what angle and length at most.

    Parameters
    ----------
    limits
        In degrees, and as a share of the size.
    """
    skins = facts.rig.skins[first], facts.rig.skins[second]
    sound = [~crushing(*facts.of_skin(bind_scales, skin)) for skin in (first, second)]
    place = {j: i for i, j in enumerate(skins[0].joints[: len(sound[0])])}
    both = [(place[j], i) for i, j in enumerate(skins[1].joints[: len(sound[1])]) if j in place]
    if len(both) < 2:
        return None
    here, there = np.array(both).T
    good = np.flatnonzero(sound[0][here] & sound[1][there])
    if len(good) < 2:
        return None
    here, there = here[good], there[good]
    # From the second mesh's space to the first's, as each joint sees it.
    offset = skins[0].mesh_from_joint[here] @ skins[1].joint_from_mesh[there]
    points = skins[1].mesh_from_joint[there, :3, 3]
    moves = Moves.of(offset, points)
    size = facts.size_of(second)
    turn, move = moves.apart(moves.common(size))
    off = np.flatnonzero((turn > np.radians(limits[0])) | (move > limits[1] * size))
    if not len(off):
        return None
    off = off[np.argsort(-np.maximum(np.degrees(turn[off]) / TURN, move[off] / (MOVE * size)))]
    joints = tuple(skins[0].joints[here[i]] for i in off)
    return joints, float(turn[off].max()), float(move[off].max())
