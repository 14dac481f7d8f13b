"""Rules about what clips show: travel, jumps, loops, and bones that change their length."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.limits import Limit
from rigview.check.measures.curves import curves
from rigview.check.measures.facts import Facts
from rigview.check.rig_edits.reframe import carries_mesh
from rigview.check.rule import (
    Finding,
    Fix,
    Refused,
    Subject,
    count,
    first_beyond,
    offer,
    rule,
    turned_and_moved,
    verb,
)
from rigview.check.rules.frame_grid import frame_rate
from rigview.check.rules.hierarchy import above_skeleton, skeleton_roots
from rigview.check.rules.shared.clip_findings import changed, clip_finding
from rigview.check.rules.shared.merge_findings import over_clips
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, median
from rigview.core.bones import ZERO_LENGTH
from rigview.core.clip import Channel
from rigview.core.names import words
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.core.sentence import Sentence

JUMP = Limit("ANI-JUMP", 90.0, "°", "the angle that a joint turns by within a frame")
# An armature that moves less than this share of the size does not travel.
TRAVEL = Limit("ANI-ROOT", 0.01, "share", "how far a node above the skeleton moves, in sizes")
# Real characters stretch a little: what halves or doubles is worth a warning, the rest worth knowing.
_VARIES = "how far the length of a bone varies"
LENGTH = Limit("ANI-LEN.change", 0.01, "share", _VARIES)
LENGTH_WARNING = Limit(LENGTH.key_of("warning"), 0.5, "share", _VARIES, tells="warning")
# First and last pose within these are one.
OPEN_TURN = Limit(
    "ANI-LOOP.turn", 1.0, "°", "the angle between the first and the last pose of a joint"
)
OPEN_MOVE = Limit(
    OPEN_TURN.key_of("move"), 0.01, "m", "the distance between a joint's first and last place"
)
# A clip that comes this near was meant to close, whatever it is called.
_NEAR = "the first and the last pose of a clip that is no loop by its name, at its worst joint"
MEANT_TURN = Limit(OPEN_TURN.key_of("meant-turn"), 10.0, "°", f"the angle between {_NEAR}", "least")
MEANT_MOVE = Limit(
    OPEN_TURN.key_of("meant-move"),
    0.05,
    "share",
    f"the distance, in sizes, between {_NEAR}",
    "least",
)
_LOOPS = ("loop", "cycle", "walk", "run", "idle")


@rule(
    JUMP,
    title="Jump within a frame",
    measures="the angle that a joint turns by within a frame",
    severity="info",
    needs="clips",
    motion=True,
    plot="turn",
)
@over_clips
def jumps(subject: Subject) -> Iterator[Finding]:
    """Joints that turn by more than a right angle within a frame."""
    rig = subject.rig
    joints = set(rig.joints) - subject.facts.idle
    limit = np.radians(subject.limit(JUMP))
    turns = subject.of_rig(curves)["rotation"]
    # What turns less between all its keys turns less within a frame, too.
    wide = turns.each(np.minimum, np.abs(turns.cosines)) <= np.cos(0.5 * limit) + 1e-9
    asked = np.flatnonzero((wide | ~turns.sound) & turns.played)
    for number in sorted(set(turns.clips[asked].tolist())):
        clip = rig.clips[number]
        frame = 1.0 / frame_rate(rig, clip)
        worst: dict[int, tuple[float, float]] = {}
        for row in asked[turns.clips[asked] == number]:
            node, curve = int(turns.nodes[row]), turns.samplers[row].usable
            if node not in joints or curve is None or len(curve.times) < 2:
                continue
            keys = quat.normalise(curve.keys)
            angle = quat.angle_between(keys[:-1], keys[1:])
            if curve.interpolation != "STEP":
                # Over a longer interval a frame sees its share; a frame sees all of a shorter one.
                angle = angle * np.minimum(1.0, frame / np.maximum(np.diff(curve.times), 1e-12))
            at = int(np.argmax(angle))
            if angle[at] > limit:
                worst[node] = (float(angle[at]), float(curve.times[at + 1]))
        if not worst:
            continue
        order = sorted(worst, key=lambda node: -worst[node][0])
        angle_, time = worst[order[0]]
        yield replace(
            clip_finding(
                rig,
                number,
                order,
                Sentence(
                    "{joints} {verb} up to {angle:.0f}° within a frame",
                    joints=count(len(order), "joint"),
                    verb=verb(len(order), "turns", "turn"),
                    angle=np.degrees(angle_),
                ),
                "Seen at a frame's pace this is a jump: a flip of an Euler solution, a cut, or a pop of "
                "inverse kinematics.",
            ),
            time=time,
            value=float(np.degrees(angle_)),
            limit=subject.limit(JUMP),
            unit="°",
            fix=Fix("none", reason="a cut may be meant; a flip is mended where the curve was made"),
        )


def _is_loop(name: str) -> bool:
    """Tell whether a clip was meant to close by its name: one that leads from a pose to another is not."""
    return "to" not in words(name) and any(word in name.lower() for word in _LOOPS)


@rule(
    OPEN_TURN,
    OPEN_MOVE,
    MEANT_TURN,
    MEANT_MOVE,
    title="Loop does not close",
    measures="the first pose of a clip that repeats against its last",
    severity="info",
    needs="clips",
    motion=True,
)
@over_clips
def open_loops(subject: Subject) -> Iterator[Finding]:
    """Clips meant to repeat whose last pose is not the first.

    A clip that ends near its first pose but is not named as a loop is a note: many clips that play
    once end there as well.
    """
    rig = subject.rig
    joints = list(rig.joints)
    if not joints:
        return
    is_root = np.array([rig.joint_parents[joint] < 0 for joint in joints])
    seen = np.array([joint not in subject.facts.idle for joint in joints])
    units = _unit_scale(subject)
    limit = units * subject.limit(OPEN_MOVE)
    meant_turn = np.radians(subject.limit(MEANT_TURN))
    meant_move = units * subject.limit(MEANT_MOVE) * subject.facts.sizes[joints]
    turns, moves = (np.where(seen, apart, 0.0) for apart in _ends_apart(subject))
    # Where the character travels, its root ends elsewhere.
    moves = np.where(is_root, 0.0, moves)
    open_ = (turns > np.radians(subject.limit(OPEN_TURN))) | (moves > limit)
    near = np.all((turns <= meant_turn) & (moves <= meant_move), axis=1)
    for number in np.flatnonzero(np.any(open_, axis=1)).tolist():
        clip, turn, move, off = rig.clips[number], turns[number], moves[number], open_[number]
        named = _is_loop(clip.name)
        if clip.end <= clip.start or not (near[number] or named):
            continue
        order = [joints[i] for i in np.lexsort((-move, -turn)) if off[i]]
        value, held, unit = first_beyond(
            (float(np.degrees(turn.max())), subject.limit(OPEN_TURN), "°"),
            (float(move.max() / units), subject.limit(OPEN_MOVE), "m"),
        )
        yield replace(
            clip_finding(
                rig,
                number,
                order,
                Sentence(
                    "{joints} {verb} up to {away} off the first pose",
                    joints=count(len(order), "joint"),
                    verb=verb(len(order), "ends", "end"),
                    away=turned_and_moved(turn.max(), move.max() / units),
                ),
                "Played again and again, the clip jerks where it begins.",
            ),
            time=clip.end,
            value=value,
            limit=held,
            unit=unit,
            note=not named,
            fix=Fix("none", reason="whether the clip repeats is not in the file"),
        )


def _ends_apart(subject: Subject) -> tuple[FloatArray, FloatArray]:
    """Return per clip and joint by what angle and length the end of a clip differs from its start.

    Clips hold a curve's first key before it and its last one after it: these are the two poses.
    """
    rig, joints = subject.rig, subject.rig.joints
    place = np.full(len(rig.nodes), -1)
    place[list(joints)] = np.arange(len(joints))
    turns = np.tile(quat.IDENTITY, (2, len(rig.clips), len(joints), 1))
    moves = np.zeros((2, len(rig.clips), len(joints), 3))
    found = subject.of_rig(curves)
    for of, ends in ((found["rotation"], turns), (found["translation"], moves)):
        rows = np.flatnonzero(of.played & (place[of.nodes] >= 0))
        ends[:, of.clips[rows], place[of.nodes[rows]]] = of.ends[:, rows]
    turns = quat.normalise(turns)
    return quat.angle_between(*turns), np.linalg.norm(moves[0] - moves[1], axis=-1)


def _unit_scale(subject: Subject) -> float:
    """Return how many of a joint's own units are a metre, for translations below scaled nodes."""
    _, high = subject.facts.scales
    scale = median(high[list(subject.rig.joints)])
    return 1.0 / scale if scale > 0.0 else 1.0


@rule(
    LENGTH,
    LENGTH_WARNING,
    title="Bone changes length",
    measures="how far the keyed length of a bone varies in a clip",
    severity="warning",
    needs="clips",
    tree=True,
    motion=True,
    plot="length",
)
@over_clips
def lengths(subject: Subject) -> Iterator[Finding]:
    """Bones that change their length during a clip.

    The bone of a root joint is none of the body's: it ends at the hips, which travel. Nor is one that
    carries no weight or ends at what moves no vertex, as a socket for a sword, or one without length.
    """
    rig = subject.rig
    ends = subject.facts.once(_limb_ends)
    for number, varying in enumerate(_varying(subject)):
        clip = rig.clips[number]
        worst: dict[int, tuple[float, float, int]] = {}
        for node in varying:
            bone, curve = ends.get(node), clip.curve(node, "translation")
            if bone is None or curve is None:
                continue
            long = np.linalg.norm(curve.keys, axis=1)
            rest = float(np.linalg.norm(rig.nodes.translations[node]))
            ratio = float(np.ptp(long)) / rest
            if ratio > subject.limit(LENGTH):
                at = int(np.argmax(np.abs(long - rest)))
                worst[bone] = (ratio, float(curve.times[at]), node)
        if not worst:
            continue
        order = sorted(worst, key=lambda node: -worst[node][0])
        ratio_, time, end = worst[order[0]]
        yield replace(
            clip_finding(
                rig,
                number,
                order,
                Sentence(
                    "{bones} {verb} length by up to {ratio:.3g} %",
                    bones=count(len(order), "bone"),
                    verb=verb(len(order), "changes", "change"),
                    ratio=100.0 * ratio_,
                ),
                Sentence(
                    "Bones of a body keep their length. Retargeting and engines that keep "
                    "rotations only lose the change. The keys are in the translation of {joint}.",
                    joint=rig.nodes.label(end),
                ),
            ),
            time=time,
            value=ratio_,
            limit=subject.limit(LENGTH),
            unit="share",
            severity=None if ratio_ > subject.limit(LENGTH_WARNING) else "info",
            fix=Fix("none", reason="stretch may be meant"),
        )


def _limb_ends(facts: Facts) -> dict[int, int]:
    """Return the joint that each bone of the body ends at → the one that it begins at."""
    rig, skeleton = facts.rig, facts.deformer.skeleton
    heads = facts.deformer.rest_nodes[:, :3, 3]
    ends = np.where(skeleton.primary >= 0, skeleton.joints[skeleton.primary], -1).tolist()
    result, leading = {}, rig.nodes.with_ancestors(facts.carrying)
    for bone, end in zip(skeleton.joints.tolist(), ends, strict=True):
        if bone not in facts.carrying or rig.joint_parents[bone] < 0:
            continue
        if end not in leading or rig.nodes.parents[end] != bone:
            continue
        if np.linalg.norm(heads[end] - heads[bone]) > ZERO_LENGTH * facts.sizes[bone]:
            result[end] = bone
    return result


def _varying(subject: Subject) -> list[list[int]]:
    """Return per clip the nodes whose keyed translations differ in length by more than the limit."""
    rig, moves = subject.rig, subject.of_rig(curves)["translation"]
    long = np.sqrt(np.einsum("ij,ij->i", moves.keys, moves.keys))
    apart = moves.each(np.maximum, long) - moves.each(np.minimum, long)
    rest = np.linalg.norm(rig.nodes.translations, axis=1)[moves.nodes]
    steady = moves.sound & (apart <= 0.5 * subject.limit(LENGTH) * rest)
    result: list[list[int]] = [[] for _ in rig.clips]
    for i in np.flatnonzero(moves.played & ~steady):
        result[moves.clips[i]].append(int(moves.nodes[i]))
    return result


@rule(
    TRAVEL,
    title="Motion above the root joint",
    measures="how far clips move nodes above the skeleton",
    severity="warning",
    fix="exact",
    needs="clips skins",
    tree=True,
    motion=True,
    plot="translation",
    overlays=("trail",),
)
@over_clips
def travel(subject: Subject) -> Iterator[Finding]:
    """Clips that move the node above the skeleton instead of its root joint."""
    rig = subject.rig
    above: dict[int, int] = {}
    for skin in range(len(rig.skins)):
        for root in subject.of_rig(skeleton_roots, skin)[:1]:
            above |= dict.fromkeys(above_skeleton(rig, skin), root)
    _, scales = subject.facts.scales
    for number, clip in enumerate(rig.clips):
        moved: dict[int, float] = {}
        for node, path, _, curve in clip.active:
            if node not in above or path == "weights":
                continue
            far = float(np.ptp(curve.keys, axis=0).max())
            if path == "translation":
                parent = rig.nodes.parents[node]
                far *= float(scales[parent]) if parent >= 0 else 1.0
                far /= float(subject.facts.sizes[above[node]])
            moved[node] = max(moved.get(node, 0.0), far)
        nodes = sorted(
            (n for n in moved if moved[n] > subject.limit(TRAVEL)), key=lambda n: -moved[n]
        )
        if not nodes:
            continue
        yield replace(
            clip_finding(
                rig,
                number,
                [*nodes, above[nodes[0]]],
                Sentence(
                    "{joint}, above the skeleton, carries the motion",
                    joint=rig.nodes.label(nodes[0]),
                ),
                "Engines take root motion from the root joint. What moves above it is lost, or stays "
                "behind when the character is placed.",
            ),
            value=moved[nodes[0]],
            limit=subject.limit(TRAVEL),
            unit="share",
            fix=offer(
                rig,
                "exact",
                "Bake the motion to the root joint",
                partial(bake_travel, number=number, node=nodes[0], root=above[nodes[0]]),
            ),
        )


_NOT_LINEAR = "keys that are not interpolated linearly cannot be added to those of the root joint"


def bake_travel(rig: Rig, number: int, node: int, root: int) -> Rig:
    """Let a root joint travel in place of the node above it.

    The node rests: ``T(t)·R·S·L(t) = T(0)·R·S·L'(t)`` with ``l'(t) = l(t) + (R·S)⁻¹·(t(t) − t(0))``,
    which is linear between the keys of both where both are.

    Raises
    ------
    Refused
        If more than the node's translation moves, a curve is not linear, or something else hangs on
        the node.
    """
    clip = rig.clips[number]
    label = rig.nodes.label(node)
    if rig.nodes.parents[root] != node:
        raise Refused(
            Sentence(
                "{joint} does not hang directly under {node}",
                joint=rig.nodes.label(root),
                node=label,
            )
        )
    others = [c for c in rig.nodes.sound_children[node] if c != root]
    if carries_mesh(rig, node) or any(not _rides(rig, c) for c in others):
        raise Refused(Sentence("more than the skeleton hangs on {node}", node=label))
    for stated in (node, root):
        if stated in rig.nodes.matrices:
            raise Refused(
                Sentence(
                    "{joint} states a matrix, which no key can move", joint=rig.nodes.label(stated)
                )
            )
    curves = [clip.curve(n, "translation") for n in (node, root)]
    if (
        any(clip.curve(node, path) is not None for path in ("rotation", "scale"))
        or curves[0] is None
    ):
        raise Refused(
            Sentence(
                "{node} turns or changes size, which cannot be baked without new keys", node=label
            )
        )
    if any(curve is not None and curve.interpolation != "LINEAR" for curve in curves):
        raise Refused(_NOT_LINEAR)
    if any(
        c.curve(node, "translation") is not None for i, c in enumerate(rig.clips) if i != number
    ):
        baked = [i for i, c in enumerate(rig.clips) if c.curve(node, "translation") is not None]
    else:
        baked = [number]
    for i in baked:
        rig = _baked(rig, i, node, root)
    return rig


def _rides(rig: Rig, node: int) -> bool:
    """Tell whether a node shows a skinned mesh and nothing else."""
    shows = rig.node_meshes[node] is not None and not carries_mesh(rig, node)
    return shows and not rig.nodes.sound_children[node]


def _baked(rig: Rig, number: int, node: int, root: int) -> Rig:
    clip, nodes = rig.clips[number], rig.nodes
    own, below = (clip.curve(n, "translation") for n in (node, root))
    if own is None or own.interpolation != "LINEAR":
        raise Refused(_NOT_LINEAR)
    times = own.times if below is None else np.unique(np.concatenate([own.times, below.times]))
    rest = nodes.translations[root]
    linear = quat.to_matrix(nodes.rotations[node]) * nodes.scales[node]
    if abs(affine.determinant(linear)) <= 1e-12 * np.abs(linear).max() ** 3:
        raise Refused(Sentence("{joint} is scaled to nothing", joint=nodes.label(node)))
    away = (own.at(times) - nodes.translations[node]) @ np.linalg.inv(linear).T
    values = away + (rest if below is None else below.at(times))
    moved = Channel(root, "translation", Sampler(times, values))

    def change(channel: Channel) -> Channel | None:
        if (channel.node, channel.path) == (root, "translation"):
            return moved
        if (channel.node, channel.path) == (node, "translation"):
            return moved if below is None else None
        return channel

    return changed(rig, number, change)
