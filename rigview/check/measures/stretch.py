"""How unequally joints scale what they move, at rest and over all clips."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from rigview.check.measures.curves import curves
from rigview.check.measures.facts import Facts, bind_scales, scale_range
from rigview.core.arrays import FloatArray
from rigview.core.clip import Bundle, Clip, bundled
from rigview.core.measures.scan import scan_times
from rigview.core.rig import Rig

# A scale nearer to 1 than this is rounding; exporters that mean a scale write one of percents.
TOLERANCE = 1e-4
# A scale below this leaves nothing to see, and no rotation to find in the matrix.
ZERO = 1e-6

# A stretch that lasts for no more than the time between so many of a clip's times is not missed often.
_TIMES = 64
# Matrices that are looked at in one go.
_BLOCK = 16384
# More than what a ratio of scales is off by, measured or bounded.
_ROUNDING = 1e-7


@dataclass(frozen=True)
class WorstStretch:
    """The pose in which a joint scales most unequally: by how much as a share, in which clip and when."""

    ratio: float
    clip: int | None
    time: float | None


@dataclass(frozen=True, eq=False)
class _Poses:
    """The rest pose, or a clip at some times."""

    number: int | None
    clip: Clip | None
    times: FloatArray


def stretches(
    facts: Facts, places: Mapping[int, Sequence[int]]
) -> dict[int, dict[int, WorstStretch]]:
    """Return per skin and joint the pose in which its skin matrix scales most unequally.

    The first of poses that are alike to within rounding.

    Parameters
    ----------
    places
        Skin → positions in its list of joints.
    """
    rig = facts.rig
    result: dict[int, dict[int, WorstStretch]] = {skin: {} for skin in places}
    _look_at(rig, [_Poses(None, None, np.zeros(1))], places, result)
    # Clips need not be played for joints that they cannot stretch by more than the rest does.
    asked, played = {}, np.zeros(len(rig.clips), dtype=np.bool_)
    for skin, chosen in places.items():
        rest = [result[skin][rig.skins[skin].joints[i]].ratio for i in chosen]
        more = _bounds(facts, skin)[chosen, 1:] > np.array(rest)[:, None] + TOLERANCE
        asked[skin] = [chosen[row] for row in np.flatnonzero(more.any(axis=1)).tolist()]
        played |= more.any(axis=0)
    poses = [
        _Poses(i, rig.clips[i], _even(scan_times(rig.clips[i])))
        for i in np.flatnonzero(played).tolist()
    ]
    _look_at(rig, poses, {skin: chosen for skin, chosen in asked.items() if chosen}, result)
    return result


def _look_at(
    rig: Rig,
    poses: Sequence[_Poses],
    places: Mapping[int, Sequence[int]],
    result: Mapping[int, dict[int, WorstStretch]],
) -> None:
    """Note of some joints the worst of some poses, and of those that are noted already."""
    listed = {skin: [rig.skins[skin].joints[i] for i in chosen] for skin, chosen in places.items()}
    levels = _levels(rig, {joint for joints in listed.values() for joint in joints})
    place = {node: i for i, node in enumerate(chain.from_iterable(levels))}
    for some in _blocks([one for one in poses if len(one.times)], len(place)):
        linear = _linear(rig, some, levels, place)
        ends = np.cumsum([len(one.times) for one in some])
        for skin, joints in listed.items():
            rows = [place[joint] for joint in joints]
            binds = rig.skins[skin].joint_from_mesh[places[skin], :3, :3]
            ratios = _unequal(_product(linear[:, :, rows], binds.transpose(1, 2, 0)[..., None]))
            for one, ratio in zip(some, np.split(ratios, ends[:-1], axis=1), strict=True):
                _note(result[skin], one, joints, ratio)


def suspects(facts: Facts, skin: int, limit: float) -> list[int]:
    """Return the positions of a skin's joints whose scales may differ by more than a share, at any time."""
    return np.flatnonzero(~(_bounds(facts, skin).max(axis=1) <= limit)).tolist()


def _bounds(facts: Facts, skin: int) -> FloatArray:
    """Return ``(J, 1 + C)`` by what share the scales of each joint's skin matrix differ at most.

    At rest and in each clip; ∞ where nothing is known.
    """
    ratios = facts.once(_ratios)[list(facts.rig.skins[skin].joints)]
    low, high = facts.of_skin(bind_scales, skin)
    bound = np.where(low > 0.0, high / np.where(low > 0.0, low, 1.0), np.inf)
    ratios[: len(low)] *= bound[:, None]
    return ratios - 1.0 + _ROUNDING


def _ratios(facts: Facts) -> FloatArray:
    """Return ``(N, 1 + C)`` what the largest scale of a node in model space is at most, in smallest ones.

    At rest and in each clip; ∞ where nothing is known. Matrices one after the other stretch by no more
    than what each does, multiplied; and between two keys no scale exceeds another by more than at one of
    them, unless tangents bend the curves.
    """
    nodes, keyed = facts.rig.nodes, facts.of_rig(curves)["scale"]
    turned = _turned_ratio(nodes.rotations)
    rest = turned * _ratio(nodes.scales)
    for node, matrix in nodes.matrices.items():
        low, high = scale_range(matrix)
        rest[node] = max(rest[node], float(high / low) if low > 0.0 else np.inf)
    ratios = np.repeat(rest[:, None], 1 + len(facts.rig.clips), axis=1)
    moving = np.flatnonzero(keyed.nodes >= 0)
    most = keyed.each(np.maximum, _ratio(keyed.keys))
    most = turned[keyed.nodes] * np.where(keyed.sound & ~keyed.bent, most, np.inf)
    np.maximum.at(ratios, (keyed.nodes[moving], 1 + keyed.clips[moving]), most[moving])
    parents = np.array(nodes.parents, dtype=np.int64)
    for level in nodes.levels[1:]:
        ratios[level] *= ratios[parents[level]]
    return ratios


def _ratio(scales: FloatArray) -> FloatArray:
    """Return ``(n,)`` the largest of ``(n, 3)`` scales in smallest ones; ∞ for nothing and mirrors."""
    columns = np.ascontiguousarray(scales.T)
    low, high = columns.min(axis=0), columns.max(axis=0)
    return np.where(low > 0.0, high / np.where(low > 0.0, low, 1.0), np.inf)


def _turned_ratio(rotations: FloatArray) -> FloatArray:
    """Return ``(n,)`` the largest scale of what `_turned` gives in smallest ones: 1 for unit quaternions.

    Along the axis of q = (v, w) the scale is 1, square to it the root of 1 + 4·|v|²·(|q|² − 1).
    """
    x, y, z, w = rotations.T
    along = x * x + y * y + z * z
    square = 1.0 + 4.0 * along * (along + w * w - 1.0)
    safe = np.where(square > 0.0, square, 1.0)
    return np.where(square > 0.0, np.sqrt(np.maximum(safe, 1.0 / safe)), np.inf)


def _note(
    known: dict[int, WorstStretch], poses: _Poses, joints: Sequence[int], ratios: FloatArray
) -> None:
    """Keep of ``(J, T)`` stretches what is worse than what is known."""
    for joint, at, ratio in zip(joints, ratios.argmax(axis=1).tolist(), ratios, strict=True):
        if joint not in known or ratio[at] > known[joint].ratio + TOLERANCE:
            time = None if poses.clip is None else float(poses.times[at])
            known[joint] = WorstStretch(float(ratio[at]), poses.number, time)


def _blocks(poses: Sequence[_Poses], nodes: int) -> Iterator[list[_Poses]]:
    """Yield poses in turn, as many at a time as stay near the processor."""
    block: list[_Poses] = []
    for one in poses:
        if sum(len(b.times) for b in (*block, one)) * nodes > _BLOCK and block:
            yield block
            block = []
        block.append(one)
    if block:
        yield block


def _even(times: FloatArray) -> FloatArray:
    """Return at most `_TIMES` of some times."""
    if len(times) <= _TIMES:
        return times
    return times[np.unique(np.linspace(0, len(times) - 1, _TIMES).astype(np.int64))]


def _levels(rig: Rig, joints: set[int]) -> list[list[int]]:
    """Return some joints and all nodes above them by their depth."""
    needed = rig.nodes.with_ancestors(joints)
    levels = ([n for n in level.tolist() if n in needed] for level in rig.nodes.levels)
    return [level for level in levels if level]


def _linear(
    rig: Rig,
    poses: Sequence[_Poses],
    levels: Sequence[Sequence[int]],
    place: Mapping[int, int],
) -> FloatArray:
    """Return ``(3, 3, n, T)`` the linear parts of ``model_from_node`` of n nodes.

    Number by number: numpy adds and multiplies long rows many times as quickly as small matrices.

    Parameters
    ----------
    levels
        The nodes by their depth, as `_levels` gives them.
    place
        Node → where it stands among the n, which is level by level.
    """
    nodes, number = rig.nodes, sum(len(one.times) for one in poses)
    rotations, scales = (
        np.repeat(rest[list(place)].T[..., None], number, axis=2)
        for rest in (nodes.rotations, nodes.scales)
    )
    ends = np.cumsum([len(one.times) for one in poses]).tolist()
    places = [slice(end - len(one.times), end) for one, end in zip(poses, ends, strict=True)]
    for one, here in zip(poses, places, strict=True):
        for bundle in _bundles(one, place):
            values = rotations if bundle.path == "rotation" else scales
            rows = [place[node] for node in bundle.nodes]
            values[:, rows, here] = bundle.at(one.times).transpose(2, 1, 0)
    result = _turned(rotations) * scales
    for one, here in zip(poses, places, strict=True):
        for node in place.keys() & nodes.matrices.keys():
            if one.clip is None or node not in one.clip.moves:
                result[:, :, place[node], here] = nodes.matrices[node][:3, :3, None]
    end = len(levels[0])
    for level in levels[1:]:
        parents = [place[nodes.parents[node]] for node in level]
        here, end = slice(end, end + len(level)), end + len(level)
        result[:, :, here] = _product(result[:, :, parents], result[:, :, here])
    return result


def _bundles(poses: _Poses, nodes: Container[int]) -> tuple[Bundle, ...]:
    """Return the curves that turn and scale some nodes."""
    active = poses.clip.active if poses.clip is not None else ()
    return bundled(own for own in active if own.node in nodes and own.path in ("rotation", "scale"))


def _turned(rotations: FloatArray) -> FloatArray:
    """Return ``(3, 3, …)`` the matrices of quaternions ``(4, …)``."""
    x, y, z, w = rotations
    xx, yy, zz = x * x, y * y, z * z
    xy, xz, yz, xw, yw, zw = x * y, x * z, y * z, x * w, y * w, z * w
    rows = (
        (1 - 2 * (yy + zz), 2 * (xy - zw), 2 * (xz + yw)),
        (2 * (xy + zw), 1 - 2 * (xx + zz), 2 * (yz - xw)),
        (2 * (xz - yw), 2 * (yz + xw), 1 - 2 * (xx + yy)),
    )
    return np.array(rows)


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the products of matrices ``(3, 3, …)``."""
    return a[:, 0, None] * b[None, 0] + a[:, 1, None] * b[None, 1] + a[:, 2, None] * b[None, 2]


def _unequal(linear: FloatArray) -> FloatArray:
    """Return ``(…)`` by how much the largest scale exceeds the smallest, as a share; 0 next to nothing.

    The squares of the scales of ``(3, 3, …)`` matrices are the eigenvalues of ``LᵀL``, by the cosines
    of Smith 1961: to 1e-8 of the largest, and many times as quick as singular values.
    """
    a, b, c = linear.swapaxes(0, 1)
    # The diagonal, and what is beside it.
    d, e, f = (_dot(v, v) for v in (a, b, c))
    g, h, i = _dot(a, b), _dot(b, c), _dot(a, c)
    middle = (d + e + f) / 3.0
    d, e, f = d - middle, e - middle, f - middle
    radius = np.sqrt((d * d + e * e + f * f + 2.0 * (g * g + h * h + i * i)) / 6.0)
    volume = d * (e * f - h * h) - g * (g * f - h * i) + i * (g * h - e * i)
    size = np.where(radius > 0.0, radius, 1.0)
    half = 0.5 * volume / size / size / size
    angle = np.arccos(np.clip(half, -1.0, 1.0)) / 3.0
    high = np.sqrt(middle + 2.0 * radius * np.cos(angle))
    low = middle + 2.0 * radius * np.cos(angle + 2.0 * np.pi / 3.0)
    low = np.sqrt(np.maximum(low, 0.0))
    return np.where(low > ZERO * high, high / np.where(low > 0.0, low, 1.0) - 1.0, 0.0)


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
