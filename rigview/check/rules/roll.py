"""Rules about the axes beside the bone: twisted against the neighbours, or not mirrored left to right."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from rigview.check.fixes.reframe import Turn, may_reframe, reframe
from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts, measured
from rigview.check.measures.mirror_plane import MirrorPlane, mirror_plane
from rigview.check.measures.twist import ROLL, continued, twist_angle, wrapped
from rigview.check.rule import Finding, Refused, Subject, count, offer
from rigview.check.rules.orientation import ANGLE, AXES, each_skeleton, skin_axes
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.rig import Rig

MIRROR = Limit(
    "ORI-MIRROR.angle", 5.0, "°", "the angle between axes and the mirror image of the partner's"
)
# Joints of a pair that are further off each other's mirror image are posed apart.
POSED = Limit(
    "ORI-MIRROR.place",
    0.02,
    "share",
    "the distance, in sizes, between a joint and the mirror image of its partner",
    "least",
)
# The mirror images of a frame that are frames: each with one axis turned round, or with all three.
_IMAGES = np.array([[-1.0, 1, 1], [1, -1, 1], [1, 1, -1], [-1, -1, -1]])


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


def rolls(subject: Subject) -> Iterator[Finding]:
    """ORI-ROLL: joints twisted about their bone against the joint above."""
    rig = subject.rig
    limit, follows = (float(np.radians(subject.limit(one))) for one in (ROLL, ANGLE))
    for skin, _ in each_skeleton(subject.facts):
        twists = subject.facts.of_skin(_twists, skin, follows)
        off = sorted((j for j in twists if abs(twists[j]) > limit), key=lambda j: -abs(twists[j]))
        if not off:
            continue
        turned = subject.facts.of_skin(_turned_back, skin, limit, follows)
        yield Finding(
            "ORI-ROLL",
            skin,
            f"{count(len(off), 'joint')} of {len(twists)} twisted up to "
            f"{np.degrees(abs(twists[off[0]])):.0f}° about the bone against the joint above",
            skin_label(rig, skin),
            joint=rig.nodes.label(off[0]),
            joints=tuple(off),
            value=float(np.degrees(abs(twists[off[0]]))),
            limit=subject.limit(ROLL),
            unit="°",
            explanation="Bending about the same local axis bends the chain sideways there. Limbs are often "
            "rolled on purpose where they leave the body.",
            fix=offer(
                rig,
                "exact",
                f"Untwist {count(len(turned), 'joint')}",
                partial(untwist, skin=skin, limit=limit, follows=follows),
                on_request=True,
                trial=partial(_try_untwist, skin=skin, limit=limit, follows=follows),
            ),
        )


def untwist(rig: Rig, skin: int, limit: float, follows: float) -> Rig:
    """Turn joints about their bones until each agrees with the joint above.

    Parameters
    ----------
    limit
        What is twisted by no more stays, in radians.
    follows
        As in `_twists`.

    Raises
    ------
    Refused
        If a joint ever scales unequally: the turn would shear it.
    """
    return reframe(rig, _untwists(rig, skin, limit, follows))


def _try_untwist(rig: Rig, skin: int, limit: float, follows: float) -> None:
    may_reframe(rig, _untwists(rig, skin, limit, follows))


def _untwists(rig: Rig, skin: int, limit: float, follows: float) -> dict[int, Turn]:
    facts = measured(rig)
    axes = facts.of_skin(skin_axes, skin)
    if axes is None:
        raise Refused("no bone has a direction")
    turned = facts.of_skin(_turned_back, skin, limit, follows)
    if not turned:
        raise Refused("no joint is twisted")
    back = quat.from_axis_angle(AXES[axes.axis], -np.array(list(turned.values())))
    return {joint: Turn(turn) for joint, turn in zip(turned, back, strict=True)}


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


@dataclass(frozen=True, eq=False)
class _Stand:
    """A pose in which pairs are compared: the rest pose, or the one that a skin was bound in.

    Parameters
    ----------
    pairs
        ``(P, 2)`` nodes, left and right.
    heads, frames
        ``(P, 2, 3)`` and ``(P, 2, 3, 3)``, the latter without scale.
    size
        Of the character in the space of `heads`.
    plane
        Between left and right there.
    """

    pairs: IntArray
    heads: FloatArray
    frames: FloatArray
    size: float
    plane: MirrorPlane


def _stands(facts: Facts) -> Iterator[_Stand]:
    """Yield the rest pose, and if one asks for more the bind pose of every skin."""
    deformer = facts.deformer
    heads = deformer.rest_nodes[:, :3, 3]
    for character, plane in facts.mirror_planes.items():
        pairs = np.array(facts.anatomy.pairs_of[character])
        yield _Stand(pairs, heads[pairs], facts.frames[pairs], deformer.size, plane)
    for skin, size in deformer.bind_sizes.items():
        binds = facts.rig.skins[skin].joint_from_mesh
        sound = set(np.flatnonzero(np.all(np.isfinite(binds), axis=(1, 2))).tolist())
        place = {j: i for i, j in enumerate(facts.rig.skins[skin].joints) if i in sound}
        known = [pair for pair in facts.anatomy.pairs if place.keys() >= set(pair)]
        nodes = np.array(known, dtype=np.int64).reshape(-1, 2)
        rows = np.array([[place[joint] for joint in pair] for pair in known], dtype=np.int64)
        mesh_from_joint = affine.inverse(binds[rows.ravel()])
        mesh_from_joint = mesh_from_joint.reshape(-1, 2, 4, 4)
        frames, _ = affine.polar(mesh_from_joint[..., :3, :3])
        bound = mesh_from_joint[..., :3, 3]
        starts = facts.anatomy.starts(known)
        bound_plane = mirror_plane(bound[:, 0], bound[:, 1], starts, size)
        if bound_plane is not None:
            yield _Stand(nodes, bound, frames, size, bound_plane)


def _unmirrored(
    facts: Facts, limit: float, posed: float
) -> dict[tuple[int, int], tuple[float, Turn]]:
    """Return per pair whose frames mirror in no usual way: by what angle, and the turn of the right.

    A file may rest in any pose, and be bound in any: axes that mirror in one of them were made
    mirrored. What counts is the pose in which a pair mirrors best.

    Parameters
    ----------
    posed
        Pairs that stand further from each other's mirror image are left out, in sizes.
    """
    best: dict[tuple[int, int], tuple[float, Turn]] = {}
    for stand in _stands(facts):
        for pair, found in _off_mirroring(stand, posed):
            if pair not in best or found[0] < best[pair][0]:
                best[pair] = found
        if len(best) == len(facts.anatomy.pairs) and all(a <= limit for a, _ in best.values()):
            return {}
    return {
        pair: best[pair] for pair in facts.anatomy.pairs if pair in best and best[pair][0] > limit
    }


def _off_mirroring(
    stand: _Stand, posed: float
) -> Iterator[tuple[tuple[int, int], tuple[float, Turn]]]:
    """Yield the pairs that stand mirrored, and by what their axes are off it."""
    images = stand.plane.images(stand.heads[:, 0])
    alike = np.linalg.norm(images - stand.heads[:, 1], axis=1) < posed * stand.size
    own, other = stand.frames[alike, 0][:, None], stand.frames[alike, 1]
    mirrored = stand.plane.reflection @ own * _IMAGES[:, None, :]
    wanted = np.concatenate([mirrored, own], axis=1)
    turns = quat.from_matrix(np.swapaxes(other, -1, -2)[:, None] @ wanted)
    angles = quat.angle_between(np.array(quat.IDENTITY), turns)
    least = np.argmin(angles, axis=1)
    for i, (left, right) in enumerate(stand.pairs[alike].tolist()):
        yield (left, right), (float(angles[i, least[i]]), Turn(turns[i, least[i]]))


def unmirrored(subject: Subject) -> Iterator[Finding]:
    """ORI-MIRROR: pairs of joints whose axes are no mirror image of each other."""
    rig = subject.rig
    limit, posed = float(np.radians(subject.limit(MIRROR))), subject.limit(POSED)
    off = subject.facts.of(_unmirrored, limit, posed)
    if not off:
        return
    worst = max(off, key=lambda pair: off[pair][0])
    joints = [worst[1], *(right for _, right in off if right != worst[1])]
    yield Finding(
        "ORI-MIRROR",
        0,
        f"{count(len(off), 'pair')} of {len(subject.anatomy.pairs)} with axes up to "
        f"{np.degrees(off[worst][0]):.0f}° off mirroring",
        rig.nodes.label(worst[1]),
        joint=rig.nodes.label(worst[1]),
        joints=tuple(joints),
        value=float(np.degrees(off[worst][0])),
        limit=subject.limit(MIRROR),
        unit="°",
        explanation="A pose pasted to the other side bends another way.",
        fix=offer(
            rig,
            "exact",
            f"Mirror the axes of {count(len(off), 'joint')}",
            partial(mirror_axes, limit=limit, posed=posed),
            on_request=True,
            trial=lambda rig: may_reframe(rig, _mirrorings(rig, limit, posed)),
        ),
    )


def mirror_axes(rig: Rig, limit: float, posed: float) -> Rig:
    """Give the right joint of every pair that does not mirror the nearest mirror image of the left.

    Parameters
    ----------
    limit
        What is off by no more stays, in radians.
    posed
        As in `_unmirrored`.

    Raises
    ------
    Refused
        If a joint ever scales unequally: the turn would shear it.
    """
    return reframe(rig, _mirrorings(rig, limit, posed))


def _mirrorings(rig: Rig, limit: float, posed: float) -> dict[int, Turn]:
    off = measured(rig).of(_unmirrored, limit, posed)
    if not off:
        raise Refused("all pairs mirror")
    return {right: turn for (_, right), (_, turn) in off.items()}
