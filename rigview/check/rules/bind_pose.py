"""The rule about the bind as a pose against the rest pose, and its fix."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.bind_moves import MOVE, TURN, Moves, moved
from rigview.check.measures.facts import Facts, bind_scales, measured, skin_scales, stated
from rigview.check.rig_edits.reframe import whole_binds
from rigview.check.rule import (
    Finding,
    Refused,
    Severity,
    Subject,
    count,
    first_beyond,
    offer,
    rule,
    turned_and_moved,
    verb,
)
from rigview.check.rules.bind import missing
from rigview.check.rules.bind_conflict import CONFLICT_TURN, bound_otherwise
from rigview.check.rules.bind_matrices import crushing
from rigview.check.rules.scale import NOTHING
from rigview.check.rules.scale_time import vanished
from rigview.check.rules.shared.merge_findings import for_alike, over_skins
from rigview.core import affine, quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.nodes import Nodes
from rigview.core.numeric import row_ops
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

# Rest and bind differ in half of all real skeletons: it says something, and is wrong only where the
# mesh rests visibly bent.
_TURN, _MOVE = "the angle between", "the distance, in sizes, between"
REST_TURN = Limit("BND-REST.turn", TURN, "°", f"{_TURN} rest and bind")
REST_MOVE = Limit(REST_TURN.key_of("move"), MOVE, "share", f"{_MOVE} rest and bind")
REST_BENT = Limit(REST_TURN.key_of("warning"), 45.0, "°", f"{_TURN} rest and bind", tells="warning")


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


def against_rest(facts: Facts, skin: int) -> tuple[IntArray, Moves, int]:
    """Return the places of soundly bound joints, their skin matrices, and which most agree with."""
    places, matrices, points = facts.of_skin(_bound, skin)
    moves = Moves.of(matrices, points)
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
    furthest = row_ops.lengths(points).max()
    turn = subject.limit(REST_TURN)
    move = subject.limit(REST_MOVE) * subject.facts.size_of(skin)
    sine = 0.5 * linear / np.sqrt(2.0)
    return bool(
        np.pi * sine <= 0.5 * np.radians(turn) * low.min()
        and linear * furthest + moved <= 0.5 * move
    )


@rule(
    REST_TURN,
    REST_MOVE,
    REST_BENT,
    title="Rest is not bind",
    measures="skin matrices at rest against the one that most joints agree with",
    severity="info",
    fix="shape",
    needs="skins",
    tree=True,
    beside=(NOTHING.rule, missing.id, CONFLICT_TURN.rule),
    overlays=("rest_ghost", "bind_ghost"),
)
@over_skins
def off_rest(subject: Subject) -> Iterator[Finding]:
    """Joints that rest elsewhere than where they were bound.

    Exporters leave the rest at the frame that they were at. That warns where it is much and a clip plays
    it: one that moves other joints of the skin and has no key of the joint that rests turned.
    """
    yield from for_alike(subject.rig, range(len(subject.rig.skins)), partial(_off_rest, subject))


def _off_rest(subject: Subject, skin: int) -> Iterator[Finding]:
    rig = subject.rig
    if _as_bound(subject, skin):
        return
    places, moves, most = subject.facts.of_skin(against_rest, skin)
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
    above = (
        Sentence(": {joint} is posed against the joint above it", joint=rig.nodes.label(joints[0]))
        if first
        else ""
    )
    worst = float(turn[off].max())
    value, held, unit = first_beyond(
        (float(np.degrees(worst)), limit, "°"),
        (float(move[off].max()) / size, subject.limit(REST_MOVE), "share"),
    )
    yield Finding(
        skin,
        Sentence(
            "{joints} of {number} {verb} up to {away} away from the bind pose{above}",
            joints=count(len(off), "joint"),
            number=sum(judged),
            verb=verb(len(off), "rests", "rest"),
            away=turned_and_moved(worst, move[off].max()),
            above=above,
        ),
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
    otherwise = subject.kept(bound_otherwise).get(subject.rig.alike[skin], frozenset())
    lost = subject.facts.once(vanished, subject.limit(NOTHING))
    return subject.facts.carrying - subject.anatomy.neutral - otherwise - lost


def _severity(subject: Subject, skin: int, joint: int, turn: float) -> Severity:
    """Return how grave it is that a joint of a skin rests turned by an angle, as the rule says."""
    rig = subject.rig
    bent = turn > np.radians(subject.limit(REST_BENT))
    joints = rig.skins[skin].joints
    shows = (not clip.moves.isdisjoint(joints) and joint not in clip.moves for clip in rig.clips)
    return "warning" if bent and any(shows) else "info"


def _turned_first(
    rig: Rig, nodes: Sequence[int], moves: Moves, off: BoolArray, told: BoolArray, size: float
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
    way = moves.taken[hung] - moved(moves.matrices[over], moves.points[hung])
    turned[hung] = (angle > np.radians(TURN)) | (row_ops.lengths(way) > MOVE * size)
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
    places, moves, most = facts.of_skin(against_rest, skin)
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
        raise Refused(
            Sentence(
                "{joint} would be sheared in the bind pose, which no node can state",
                joint=nodes.label(first),
            )
        )
    return joints, trs
