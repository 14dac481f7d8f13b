"""Rules about what clips show: travel, jumps, loops, frames, and bones that change their length."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.clips import changed, clip_label, curves, over_clips
from rigview.check.facts import Facts
from rigview.check.hierarchy import above_skeleton, skeleton_roots
from rigview.check.limits import Limit
from rigview.check.reframe import carries_mesh
from rigview.check.rule import Finding, Fix, Refused, Subject, count, offer, told, verb
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, median
from rigview.core.bones import ZERO_LENGTH
from rigview.core.clip import Channel, Clip, Sampler
from rigview.core.rig import Rig

# The frame rates that editors offer.
RATES = (24.0, 25.0, 30.0, 50.0, 60.0, 48.0, 15.0, 12.0, 10.0, 20.0, 120.0, 23.976, 29.97, 59.94)
DEFAULT_RATE = 30.0
# Any other whole rate between those, for clips of so many keys that none fits by chance.
WHOLE_RATES = range(int(min(RATES)), int(max(RATES)) + 1)
TELLING_KEYS = 8
# Keys further apart than these frames may stand on every second or third one.
_EVERY_FRAME = 23.976
# Of the keys of a clip that keys most frames so few lie between frames by mistake.
LOOSE = 0.1
# Keys of a baked clip are rounded by less; a rate that they lie further off is not theirs.
GRID_LIMIT = 0.1
GRID = Limit("ANI-GRID", GRID_LIMIT, "frames", "how far a key is from a whole frame")
JUMP = Limit("ANI-JUMP", 90.0, "°", "the angle that a joint turns by within a frame")
# An armature that moves less than this share of the size does not travel.
TRAVEL = Limit("ANI-ROOT", 0.01, "share", "how far a node above the skeleton moves, in sizes")
# Real characters stretch a little: what halves or doubles is worth a warning, the rest worth knowing.
_VARIES = "how far the length of a bone varies"
LENGTH = Limit("ANI-LEN.change", 0.01, "share", _VARIES)
LENGTH_WARNING = Limit("ANI-LEN.warning", 0.5, "share", _VARIES, tells="warning")
# First and last pose within these are one.
OPEN_TURN = Limit(
    "ANI-LOOP.turn", 1.0, "°", "the angle between the first and the last pose of a joint"
)
OPEN_MOVE = Limit("ANI-LOOP.move", 0.01, "m", "the distance between a joint's first and last place")
# A clip that comes this near was meant to close, whatever it is called.
_NEAR = "the first and the last pose of a clip that is no loop by its name, at its worst joint"
MEANT_TURN = Limit("ANI-LOOP.meant-turn", 10.0, "°", f"the angle between {_NEAR}", "least")
MEANT_MOVE = Limit(
    "ANI-LOOP.meant-move", 0.05, "share", f"the distance, in sizes, between {_NEAR}", "least"
)
_LOOPS = ("loop", "cycle", "walk", "run", "idle")


def frame_rate(rig: Rig, clip: Clip) -> float:
    """Return the file's frame rate, else one that a clip's keys lie on: a usual one, their own, a whole.

    A few keys between the frames of a clip that else keys every frame do not make these finer. Where
    there is none, it is the usual one that most of them lie on, and the others least far off.
    """
    if rig.origin.fps:
        return float(rig.origin.fps)
    times = clip.stated_times
    if not len(times):
        return DEFAULT_RATE
    pace = _pace(times)
    if pace is not None:
        return pace
    fitting = next((rate for rate in RATES if _off_grid(times, rate).max() <= GRID_LIMIT), None)
    if fitting is not None:
        return fitting
    own = (len(times) - 1) / float(times[-1] - times[0]) if len(times) > 1 else 0.0
    if own >= min(RATES) and _off_grid(times, own).max() <= GRID_LIMIT:
        return own
    if len(times) >= TELLING_KEYS:
        for whole in WHOLE_RATES:
            if _off_grid(times, whole).max() <= GRID_LIMIT:
                return float(whole)
    off = {rate: _off_grid(times, rate) for rate in RATES}
    return min(RATES, key=lambda r: (np.count_nonzero(off[r] > GRID_LIMIT), off[r].max()))


def _pace(times: FloatArray) -> float | None:
    """Return the rate whose frame is the usual gap between keys, if nearly all of many lie on it."""
    if len(times) < TELLING_KEYS:
        return None
    gap = float(np.median(np.diff(times)))
    rates = [rate for rate in (*RATES, *WHOLE_RATES) if abs(gap * rate - 1.0) <= GRID_LIMIT]
    rates = [rate for rate in rates if rate >= _EVERY_FRAME]
    if not rates:
        return None
    loose, _, best = min((*_loose(times, rate), rate) for rate in rates)
    return float(best) if 0 < loose <= max(1.0, LOOSE * len(times)) else None


def _loose(times: FloatArray, rate: float) -> tuple[int, float]:
    """Return how many times lie between whole frames, and how far off one the others are at most."""
    off = _off_grid(times, rate)
    on = off <= GRID_LIMIT
    return int(np.count_nonzero(~on)), float(off[on].max(initial=0.0))


def _off_grid(times: FloatArray, rate: float) -> FloatArray:
    """Return how far times are from whole frames, in frames."""
    frames = times * rate
    return np.abs(frames - np.rint(frames))


def _finding(
    rig: Rig, rule: str, number: int, nodes: list[int], says: str, explanation: str
) -> Finding:
    return Finding(
        rule,
        number,
        f"{says} in {clip_label(rig, number)}",
        clip_label(rig, number),
        joint=rig.nodes.label(nodes[0]) if nodes else None,
        joints=tuple(nodes),
        clip=rig.clips[number].name,
        explanation=explanation,
    )


@over_clips
def off_grid(subject: Subject) -> Iterator[Finding]:
    """ANI-GRID: keys between frames."""
    rig = subject.rig
    for number, clip in enumerate(rig.clips):
        rate = frame_rate(rig, clip)
        times = clip.stated_times
        off = _off_grid(times, rate)
        loose = int(np.count_nonzero(off > subject.limit(GRID)))
        if not loose:
            continue
        worst = int(np.argmax(off))
        yield replace(
            _finding(
                rig,
                "ANI-GRID",
                number,
                [],
                f"{count(loose, 'key time')} of {len(times)} up to {off[worst]:.2f} frames off a grid "
                f"of {rate:g} to the second",
                "Keys between frames are moved or lost by editors that work frame by frame.",
            ),
            time=float(times[worst]),
            value=float(off[worst]),
            limit=subject.limit(GRID),
            unit="frames",
            fix=Fix("none", reason="moving keys would change the motion"),
        )


@over_clips
def jumps(subject: Subject) -> Iterator[Finding]:
    """ANI-JUMP: joints that turn by more than a right angle within a frame."""
    rig = subject.rig
    joints = set(rig.joints) - subject.facts.idle
    limit = np.radians(subject.limit(JUMP))
    turns = subject.once(curves)["rotation"]
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
            _finding(
                rig,
                "ANI-JUMP",
                number,
                order,
                f"{count(len(order), 'joint')} {verb(len(order), 'turns', 'turn')} up to "
                f"{np.degrees(angle_):.0f}° within a frame",
                "Seen at a frame's pace this is a jump: a flip of an Euler solution, a cut, or a pop of "
                "inverse kinematics.",
            ),
            time=time,
            value=float(np.degrees(angle_)),
            limit=subject.limit(JUMP),
            unit="°",
            fix=Fix("none", reason="a cut may be meant; a flip is mended where the curve was made"),
        )


@over_clips
def open_loops(subject: Subject) -> Iterator[Finding]:
    """ANI-LOOP: clips meant to repeat whose last pose is not the first."""
    rig = subject.rig
    joints = list(rig.joints)
    if not joints:
        return
    is_root = np.array([rig.joint_parents[joint] < 0 for joint in joints])
    seen = np.array([joint not in subject.facts.idle for joint in joints])
    units = _unit_scale(subject)
    limit = units * subject.limit(OPEN_MOVE)
    meant_turn = np.radians(subject.limit(MEANT_TURN))
    meant_move = units * subject.limit(MEANT_MOVE) * subject.deformer.size
    turns, moves = (np.where(seen, apart, 0.0) for apart in _ends_apart(subject))
    # Where the character travels, its root ends elsewhere.
    moves = np.where(is_root, 0.0, moves)
    open_ = (turns > np.radians(subject.limit(OPEN_TURN))) | (moves > limit)
    near = np.all((turns <= meant_turn) & (moves <= meant_move), axis=1)
    for number in np.flatnonzero(np.any(open_, axis=1)).tolist():
        clip, turn, move, off = rig.clips[number], turns[number], moves[number], open_[number]
        named = any(word in clip.name.lower() for word in _LOOPS)
        if clip.end <= clip.start or not (near[number] or named):
            continue
        order = [joints[i] for i in np.lexsort((-move, -turn)) if off[i]]
        value, held, unit = told(
            (float(np.degrees(turn.max())), subject.limit(OPEN_TURN), "°"),
            (float(move.max() / units), subject.limit(OPEN_MOVE), "m"),
        )
        yield replace(
            _finding(
                rig,
                "ANI-LOOP",
                number,
                order,
                f"{count(len(order), 'joint')} {verb(len(order), 'ends', 'end')} up to "
                f"{np.degrees(turn.max()):.1f}° and {move.max() / units:.3g} m off the first pose",
                "Played again and again, the clip jerks where it begins.",
            ),
            time=clip.end,
            value=value,
            limit=held,
            unit=unit,
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
    found = subject.once(curves)
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


@over_clips
def lengths(subject: Subject) -> Iterator[Finding]:
    """ANI-LEN: bones that change their length during a clip.

    The bone of a root joint is none of the body's: it ends at the hips, which travel. Nor is one that
    carries no weight or ends at what moves nothing, or one without length.
    """
    rig = subject.rig
    ends = subject.facts.of(_limb_ends)
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
            _finding(
                rig,
                "ANI-LEN",
                number,
                order,
                f"{count(len(order), 'bone')} {verb(len(order), 'changes', 'change')} length by up to "
                f"{100.0 * ratio_:.3g} %",
                "Bones of a body keep their length. Retargeting and engines that keep rotations only lose "
                f"the change. The keys are in the translation of {rig.nodes.label(end)}.",
            ),
            time=time,
            value=ratio_,
            limit=subject.limit(LENGTH),
            severity=None if ratio_ > subject.limit(LENGTH_WARNING) else "info",
            fix=Fix("none", reason="stretch may be meant"),
        )


def _limb_ends(facts: Facts) -> dict[int, int]:
    """Return the joint that each bone of the body ends at → the one that it begins at."""
    rig, skeleton = facts.rig, facts.deformer.skeleton
    heads = facts.deformer.rest_nodes[:, :3, 3]
    ends = np.where(skeleton.primary >= 0, skeleton.joints[skeleton.primary], -1).tolist()
    result = {}
    for bone, end in zip(skeleton.joints.tolist(), ends, strict=True):
        if bone not in facts.carrying or rig.joint_parents[bone] < 0:
            continue
        if end < 0 or end in facts.idle or rig.nodes.parents[end] != bone:
            continue
        if np.linalg.norm(heads[end] - heads[bone]) > ZERO_LENGTH * facts.deformer.size:
            result[end] = bone
    return result


def _varying(subject: Subject) -> list[list[int]]:
    """Return per clip the nodes whose keyed translations differ in length by more than the limit."""
    rig, moves = subject.rig, subject.once(curves)["translation"]
    long = np.sqrt(np.einsum("ij,ij->i", moves.keys, moves.keys))
    apart = moves.each(np.maximum, long) - moves.each(np.minimum, long)
    rest = np.linalg.norm(rig.nodes.translations, axis=1)[moves.nodes]
    steady = moves.sound & (apart <= 0.5 * subject.limit(LENGTH) * rest)
    result: list[list[int]] = [[] for _ in rig.clips]
    for i in np.flatnonzero(moves.played & ~steady):
        result[moves.clips[i]].append(int(moves.nodes[i]))
    return result


@over_clips
def travel(subject: Subject) -> Iterator[Finding]:
    """ANI-ROOT: clips that move the node above the skeleton instead of its root joint."""
    rig = subject.rig
    above: dict[int, int] = {}
    for skin in range(len(rig.skins)):
        for root in subject.once(skeleton_roots, skin)[:1]:
            above |= dict.fromkeys(above_skeleton(rig, skin), root)
    _, scales = subject.facts.scales
    for number, clip in enumerate(rig.clips):
        moved: dict[int, float] = {}
        for channel, curve in clip.active:
            if channel.node not in above or channel.path == "weights" or channel.node is None:
                continue
            far = float(np.ptp(curve.keys, axis=0).max())
            if channel.path == "translation":
                parent = rig.nodes.parents[channel.node]
                far *= float(scales[parent]) if parent >= 0 else 1.0
                far /= subject.deformer.size
            moved[channel.node] = max(moved.get(channel.node, 0.0), far)
        nodes = sorted(
            (n for n in moved if moved[n] > subject.limit(TRAVEL)), key=lambda n: -moved[n]
        )
        if not nodes:
            continue
        yield replace(
            _finding(
                rig,
                "ANI-ROOT",
                number,
                [*nodes, above[nodes[0]]],
                f"{rig.nodes.label(nodes[0])}, above the skeleton, carries the motion",
                "Engines take root motion from the root joint. What moves above it is lost, or stays "
                "behind when the character is placed.",
            ),
            value=moved[nodes[0]],
            limit=subject.limit(TRAVEL),
            fix=offer(
                rig,
                "exact",
                "Bake the motion to the root joint",
                partial(bake_travel, number=number, node=nodes[0], root=above[nodes[0]]),
            ),
        )


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
        raise Refused(f"{rig.nodes.label(root)} does not hang right under {label}")
    others = [c for c in rig.nodes.sound_children[node] if c != root]
    if carries_mesh(rig, node) or any(not _rides(rig, c) for c in others):
        raise Refused(f"more than the skeleton hangs on {label}")
    if {n for n in (node, root) if n in rig.nodes.matrices}:
        raise Refused("a node states a matrix")
    curves = [clip.curve(n, "translation") for n in (node, root)]
    if (
        any(clip.curve(node, path) is not None for path in ("rotation", "scale"))
        or curves[0] is None
    ):
        raise Refused(f"{label} turns or changes size, which cannot be baked without new keys")
    if any(curve is not None and curve.interpolation != "LINEAR" for curve in curves):
        raise Refused("only linear curves add up to a linear curve")
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
        raise Refused("only linear curves add up to a linear curve")
    times = own.times if below is None else np.unique(np.concatenate([own.times, below.times]))
    rest = nodes.translations[root]
    linear = quat.to_matrix(nodes.rotations[node]) * nodes.scales[node]
    if abs(affine.determinant(linear)) <= 1e-12 * np.abs(linear).max() ** 3:
        raise Refused(f"{nodes.label(node)} is scaled to nothing")
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
