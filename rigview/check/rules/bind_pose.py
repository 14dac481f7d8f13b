"""Rules about the bind as a pose: against the rest pose, and against other skins."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter

import numpy as np

from rigview.check.fixes.reframe import whole_binds
from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts, bind_scales, measured, skin_scales, stated
from rigview.check.rule import (
    Finding,
    Fix,
    Refused,
    Severity,
    Subject,
    count,
    first_beyond,
    offer,
    turned_and_moved,
    verb,
)
from rigview.check.rules.bind_matrices import crushing
from rigview.check.rules.gathering import for_alike, over_skins
from rigview.check.rules.scale import NOTHING
from rigview.check.rules.scale_time import vanished
from rigview.core import affine, quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.nodes import Nodes
from rigview.core.numeric import tall
from rigview.core.rig import Rig

# Rest and bind differ in half of all real skeletons: it says something, and is wrong only where the
# mesh rests visibly bent.
TURN, MOVE = 1.0, 0.01
_TURN, _MOVE = "the angle between", "the distance, in sizes, between"
REST_TURN = Limit("BND-REST.turn", TURN, "°", f"{_TURN} rest and bind")
REST_MOVE = Limit("BND-REST.move", MOVE, "share", f"{_MOVE} rest and bind")
REST_BENT = Limit("BND-REST.warning", 45.0, "°", f"{_TURN} rest and bind", tells="warning")
CONFLICT_TURN = Limit("BND-CONFLICT.turn", TURN, "°", f"{_TURN} the binds of two skins")
CONFLICT_MOVE = Limit("BND-CONFLICT.move", MOVE, "share", f"{_MOVE} the binds of two skins")

# The largest skeleton of the corpus has fewer joints: of theirs all are tried.
_MOST_TRIED = 512
# Rows of the table of all pairs that are computed at once: of 10,000 joints 15 MB.
_BLOCK = 64
# With how many other skins that list a joint a skin is compared for it.
_MOST_OTHERS = 8

# Joints, and by what angle and length they are bound differently at most.
_Conflict = tuple[tuple[int, ...], float, float]


@dataclass(frozen=True, eq=False)
class _Moves:
    """Matrices, how they turn, and where they take a point each.

    Parameters
    ----------
    matrices, turns, points, taken
        ``(J, 4, 4)``, ``(J, 4)``, ``(J, 3)`` and ``(J, 3)``.
    """

    matrices: FloatArray
    turns: FloatArray
    points: FloatArray
    taken: FloatArray

    @classmethod
    def of(cls, matrices: FloatArray, points: FloatArray) -> "_Moves":
        """Measure ``(J, 4, 4)`` matrices at ``(J, 3)`` points."""
        turns = quat.from_matrix(affine.polar(matrices[:, :3, :3])[0])
        return cls(matrices, turns, points, _moved(matrices, points))

    def common(self, size: float) -> int:
        """Return the place of the matrix that most agree with: the rigid offset of the skin as a whole.

        Joints agree as far as the rules' limits are by default, whatever a studio makes of them: what is
        looked for is the middle of the largest heap, and how wide it is taken hardly moves that. Of more
        than `_MOST_TRIED` so many are tried, spread evenly over the list, each against all.
        """
        # |q·p| is the cosine of half the angle between two rotations.
        tried = np.unique(np.linspace(0, len(self.turns) - 1, _MOST_TRIED).astype(np.int64))
        found = np.zeros(len(tried), dtype=np.int64)
        for start in range(0, len(tried), _BLOCK):
            rows = tried[start : start + _BLOCK]
            near = np.abs(self.turns[rows] @ self.turns.T) >= np.cos(0.5 * np.radians(TURN))
            apart = self.matrices[rows, :3, :3] @ self.points.T + self.matrices[rows, :3, 3:]
            apart -= self.taken.T
            near &= np.einsum("aib,aib->ab", apart, apart) <= (MOVE * size) ** 2
            found[start : start + _BLOCK] = np.count_nonzero(near, axis=1)
        return int(tried[np.argmax(found)])

    def apart(self, place: int) -> tuple[FloatArray, FloatArray]:
        """Return ``(J,)`` the angles to one of them, and how far it takes the points elsewhere."""
        taken = _moved(self.matrices[place], self.points)
        turns = np.broadcast_to(self.turns[place], self.turns.shape)
        return quat.angle_between(self.turns, turns), np.linalg.norm(self.taken - taken, axis=-1)


def _moved(matrices: FloatArray, points: FloatArray) -> FloatArray:
    """Return where ``(…, 4, 4)`` matrices take ``(…, 3)`` points."""
    return np.einsum("...ij,...j->...i", matrices[..., :3, :3], points) + matrices[..., :3, 3]


def _bound(facts: Facts, skin: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the places of soundly bound joints, their skin matrices and bind positions."""
    binds = stated(facts.rig, skin)
    joints = np.array(facts.rig.skins[skin].joints[: len(binds)], dtype=np.int64)
    model, (low, high) = facts.deformer.rest_nodes[joints], facts.scales
    good = ~crushing(*facts.of_skin(bind_scales, skin)) & ~crushing(low[joints], high[joints])
    good &= (affine.determinant(binds[:, :3, :3]) > 0.0) & (
        affine.determinant(model[:, :3, :3]) > 0.0
    )
    places = np.flatnonzero(good)
    return places, (model @ binds)[places], facts.rig.skins[skin].mesh_from_joint[places, :3, 3]


def _against_rest(facts: Facts, skin: int) -> tuple[IntArray, _Moves, int]:
    """Return the places of soundly bound joints, their skin matrices, and which most agree with."""
    places, matrices, points = facts.of_skin(_bound, skin)
    moves = _Moves.of(matrices, points)
    return places, moves, moves.common(facts.size_of(skin)) if len(places) else -1


def _as_bound(subject: Subject, skin: int) -> bool:
    """Tell whether a skin's matrices are so alike that no two are apart by half of the rule's limits.

    How far a rotation is from that of another matrix is at most the distance of the matrices by the
    smallest of their scales, all in the Frobenius norm (Li 1995, New perturbation bounds for the unitary
    polar factor), and 2√2 times the sine of half the angle between them.
    """
    _, matrices, points = subject.facts.of_skin(_bound, skin)
    if not len(matrices):
        return True
    low, _ = subject.facts.of_skin(skin_scales, skin)
    apart = 2.0 * np.abs(matrices[:, :3] - matrices[0, :3]).max(axis=0)
    linear, moved = np.linalg.norm(apart[:, :3]), np.linalg.norm(apart[:, 3])
    furthest = tall.lengths(points).max()
    turn = subject.limit(REST_TURN)
    move = subject.limit(REST_MOVE) * subject.facts.size_of(skin)
    sine = 0.5 * linear / np.sqrt(2.0)
    return bool(
        np.pi * sine <= 0.5 * np.radians(turn) * low.min()
        and linear * furthest + moved <= 0.5 * move
    )


@over_skins
def off_rest(subject: Subject) -> Iterator[Finding]:
    """BND-REST: joints that rest elsewhere than where they were bound.

    Exporters leave the rest at the frame that they were at. That warns where it is much and a clip plays
    it: one that moves other joints of the skin and has no key of the joint that rests turned.
    """
    yield from for_alike(subject.rig, range(len(subject.rig.skins)), partial(_off_rest, subject))


def _off_rest(subject: Subject, skin: int) -> Iterator[Finding]:
    rig = subject.rig
    if _as_bound(subject, skin):
        return
    places, moves, most = subject.facts.of_skin(_against_rest, skin)
    if len(places) < 2:
        return
    size = subject.facts.size_of(skin)
    turn, move = moves.apart(most)
    limit = subject.limit(REST_TURN)
    # What stretches or shears is named by the rules about that; it turns and moves by no more.
    low, high = (of[places] for of in subject.facts.of_skin(skin_scales, skin))
    stretch = np.maximum(high / low - high[most] / low[most], 0.0)
    off = turn > np.radians(limit) + stretch
    off |= move > (subject.limit(REST_MOVE) + stretch) * size
    nodes = [rig.skins[skin].joints[i] for i in places]
    asked = _asked(subject, skin)
    judged = [joint in asked for joint in nodes]
    joints = _turned_first(rig, nodes, moves, off, off & judged, size)
    off = np.flatnonzero(off & judged)
    if not len(off):
        return
    first = joints[0] not in {nodes[i] for i in off}
    above = f": {rig.nodes.label(joints[0])} is posed against the joint above it" if first else ""
    worst = float(turn[off].max())
    value, held, unit = first_beyond(
        (float(np.degrees(worst)), limit, "°"),
        (float(move[off].max()) / size, subject.limit(REST_MOVE), "share"),
    )
    yield Finding(
        "BND-REST",
        skin,
        f"{count(len(off), 'joint')} of {sum(judged)} "
        f"{verb(len(off), 'rests', 'rest')} up to {turned_and_moved(worst, move[off].max())} "
        f"away from the bind pose{above}",
        skin_label(rig, skin),
        joints=joints,
        value=value,
        limit=held,
        unit=unit,
        severity=_severity(subject, skin, joints[0], worst),
        explanation="The file's rest pose is not the pose the mesh was attached in: often a frame of "
        "a clip. Programs that rebuild the bind from the rest pose deform the mesh already at rest.",
        fix=offer(
            rig,
            "shape",
            "Rest in the bind pose",
            partial(rest_as_bound, skin=skin),
            trial=partial(_bound_locals, skin=skin),
        ),
    )


def _asked(subject: Subject, skin: int) -> frozenset[int]:
    """Return the joints that are judged by where they rest under a skin.

    Where what carries no weight was bound, no vertex shows, and what only holds vertices in place has no
    rest. Those that another skin binds differently and those without size are named by BND-CONFLICT and
    SCL-ZERO.
    """
    otherwise = subject.kept(_bound_otherwise).get(subject.rig.alike[skin], frozenset())
    lost = subject.facts.of(vanished, subject.limit(NOTHING))
    return subject.facts.carrying - subject.anatomy.neutral - otherwise - lost


def _severity(subject: Subject, skin: int, joint: int, turn: float) -> Severity:
    """Return how grave it is that a joint of a skin rests turned by an angle, as the rule says."""
    rig = subject.rig
    bent = turn > np.radians(subject.limit(REST_BENT))
    joints = rig.skins[skin].joints
    shows = (not clip.moves.isdisjoint(joints) and joint not in clip.moves for clip in rig.clips)
    return "warning" if bent and any(shows) else "info"


def _turned_first(
    rig: Rig, nodes: Sequence[int], moves: _Moves, off: BoolArray, told: BoolArray, size: float
) -> tuple[int, ...]:
    """Return the joints that a finding tells, those first that were turned against the joint above.

    Where most joints moved with one that was turned, only those above it are off: it is told, too.

    Parameters
    ----------
    nodes
        ``(J,)`` the joints that moved so.
    off, told
        ``(J,)`` which are off the bind pose, and which of them a finding tells.
    """
    place = {joint: i for i, joint in enumerate(nodes)}
    above = [place.get(rig.joint_parents[joint], -1) for joint in nodes]
    turned, behind = np.zeros((2, len(nodes)), dtype=np.bool_)
    hung = np.flatnonzero(np.array(above) >= 0)
    over = np.array(above)[hung]
    angle = quat.angle_between(moves.turns[hung], moves.turns[over])
    way = moves.taken[hung] - _moved(moves.matrices[over], moves.points[hung])
    turned[hung] = (angle > np.radians(TURN)) | (tall.lengths(way) > MOVE * size)
    for i in sorted(range(len(nodes)), key=lambda i: int(rig.nodes.depths[nodes[i]])):
        upper = above[i]
        behind[i] = upper >= 0 and off[upper] and (above[upper] < 0 or behind[upper])
    only_above = not np.any(told & turned)
    groups = only_above & turned & behind & ~off, told & turned, told & ~turned
    return tuple(nodes[i] for group in groups for i in np.flatnonzero(group).tolist())


def rest_as_bound(rig: Rig, skin: int) -> Rig:
    """Let the joints of a skin rest where they were bound; clips that key them stay as they are.

    Raises
    ------
    Refused
        If a joint's parent crushes or shears it, so that no TRS can bring it there.
    """
    joints, locals_ = _bound_locals(rig, skin)
    nodes = rig.nodes
    translations, rotations = nodes.translations.copy(), nodes.rotations.copy()
    scales = nodes.scales.copy()
    translations[joints], rotations[joints], scales[joints] = locals_
    kept = set(nodes.matrices).difference(joints)
    matrices = {node: matrix for node, matrix in nodes.matrices.items() if node in kept}
    posed = Nodes(nodes.names, nodes.children, translations, rotations, scales, matrices)
    return replace(rig, nodes=posed).made_of(rig)


def _bound_locals(rig: Rig, skin: int) -> tuple[list[int], affine.TRS]:
    """Return the soundly bound joints of a skin, and how each was bound as its parent sees it.

    A parent that is none of them rests as it does under the nearest above it that is one.
    """
    facts, nodes = measured(rig), rig.nodes
    places, moves, most = facts.of_skin(_against_rest, skin)
    if not len(places):
        raise Refused("no joint of the skin has a sound bind")
    bound = moves.matrices[most] @ affine.inverse(whole_binds(rig.skins[skin])[places])
    # Of a joint that is listed twice the last bind counts.
    row = {rig.skins[skin].joints[place]: i for i, place in enumerate(places.tolist())}
    joints, rest = list(row), facts.deformer.rest_nodes
    wanted = {joint: i for i, joint in enumerate(joints)}
    model_from_joint = bound[list(row.values())]
    anchor, order = {-1: -1}, [node for level in nodes.levels for node in level.tolist()]
    for node in order:
        anchor[node] = node if node in row else anchor[nodes.parents[node]]
    parents = [nodes.parents[joint] for joint in joints]
    anchors = [anchor[parent] for parent in parents]
    above = np.where(np.array(parents)[:, None, None] >= 0, rest[parents], np.eye(4))
    hung = [i for i, node in enumerate(anchors) if node >= 0]
    among = [anchors[i] for i in hung]
    moved = model_from_joint[[wanted[node] for node in among]] @ affine.inverse(rest[among])
    above[hung] = moved @ above[hung]
    step = affine.inverse(above) @ model_from_joint
    trs = affine.decompose(step)
    off = np.abs(affine.compose(*trs) - step)[:, :3, :3].max(axis=(1, 2))
    sheared = np.flatnonzero(off > 1e-5 * np.abs(step[:, :3, :3]).max(axis=(1, 2)))
    lost = {joints[i] for i in sheared}
    if lost:
        first = next(node for node in order if node in lost)
        raise Refused(f"{nodes.label(first)} would need shear")
    return joints, trs


def conflicts(subject: Subject) -> Iterator[Finding]:
    """BND-CONFLICT: two skins bind one joint differently beyond an offset common to all."""
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
            "BND-CONFLICT",
            second,
            f"{count(len(joints), 'joint')} bound up to {turned_and_moved(turn, move)} "
            f"otherwise than in {skin_label(rig, first)}",
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
            worst = subject.facts.of(_conflict, first, second, limits)
            if worst is not None:
                result.append((first, second, worst))
    return result


def _bound_otherwise(subject: Subject) -> dict[int, frozenset[int]]:
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
    moves = _Moves.of(offset, points)
    size = facts.size_of(second)
    turn, move = moves.apart(moves.common(size))
    off = np.flatnonzero((turn > np.radians(limits[0])) | (move > limits[1] * size))
    if not len(off):
        return None
    off = off[np.argsort(-np.maximum(np.degrees(turn[off]) / TURN, move[off] / (MOVE * size)))]
    joints = tuple(skins[0].joints[here[i]] for i in off)
    return joints, float(turn[off].max()), float(move[off].max())
