"""Rules about the axes beside the bone: twisted against the neighbours, or not mirrored left to right."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from rigview.check.anatomy import Anatomy
from rigview.check.limits import Limit
from rigview.check.orientation import ANGLE, AXES, Axes, skeleton_of, skin_axes
from rigview.check.reframe import Turn, may_reframe, measured, reframe
from rigview.check.rule import Finding, Refused, Subject, count, offer, skin_label
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.rig import Rig

ROLL = Limit("ORI-ROLL", 30.0, "°", "the twist of a joint about its bone against the joint above")
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


def _frames(deformer: Deformer) -> FloatArray:
    """Return ``(N, 3, 3)`` the axes of all nodes at rest in model space, without scale."""
    rotation, _ = affine.polar(deformer.rest.model_from_node[:, :3, :3])
    return rotation


def _twists(deformer: Deformer, axes: Axes, follows: float) -> dict[int, float]:
    """Return joint → twist about its bone against the joint above, in radians and in file order.

    Only joints that continue the bone above have one, where both follow the rig's axis: a limb that
    leaves the body is rolled as its own bend asks. The joints come parents first.

    Parameters
    ----------
    follows
        How far a bone that follows the axis may be off it, in radians: ORI-PRIMARY names the others.
    """
    frames = _frames(deformer)
    skeleton = deformer.skeleton
    continues = {
        int(skeleton.joints[child]): int(joint)
        for joint, child in zip(skeleton.joints, skeleton.primary, strict=True)
        if child >= 0
    }
    along = {int(j) for j, off in zip(axes.joints, axes.deviations, strict=True) if off <= follows}
    order = sorted(along, key=lambda j: int(deformer.rig.nodes.depths[j]))
    pairs = [(continues[j], j) for j in order if continues.get(j) in along]
    parents, joints = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    turns = quat.from_matrix(np.swapaxes(frames[parents], -1, -2) @ frames[joints])
    angles = _twist_angle(turns, AXES[axes.axis])
    return dict(zip(map(int, joints), map(float, angles), strict=True))


def _twist_angle(turn: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the angle ``(…)``, −π to π, of the part of rotations ``(…, 4)`` that turns about an axis."""
    _, twist = quat.swing_twist(turn, axis)
    angle = 2.0 * np.arctan2(twist[..., :3] @ axis, twist[..., 3])
    return np.asarray((angle + np.pi) % (2.0 * np.pi) - np.pi, dtype=np.float64)


def rolls(subject: Subject) -> Iterator[Finding]:
    """ORI-ROLL: joints twisted about their bone against the joint above."""
    rig = subject.rig
    seen: set[frozenset[int]] = set()
    for skin in range(len(rig.skins)):
        members = skeleton_of(rig, skin)
        axes = skin_axes(subject.deformer, skin) if members not in seen else None
        seen.add(members)
        if axes is None:
            continue
        limit, follows = (float(np.radians(subject.limit(one))) for one in (ROLL, ANGLE))
        twists = _twists(subject.deformer, axes, follows)
        off = sorted((j for j in twists if abs(twists[j]) > limit), key=lambda j: -abs(twists[j]))
        if not off:
            continue
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
                f"Untwist {count(len(off), 'joint')}",
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
    deformer = measured(rig)
    axes = skin_axes(deformer, skin)
    if axes is None:
        raise Refused("no bone has a direction")
    axis = AXES[axes.axis]
    turns: dict[int, Turn] = {}
    frames = _frames(deformer)
    for joint in _twists(deformer, axes, follows):
        # The joint above may have been turned itself: what is left counts.
        parent = rig.joint_parents[joint]
        above = quat.from_matrix(frames[parent])
        if parent in turns:
            above = quat.multiply(above, turns[parent].rotation)
        left = float(
            _twist_angle(
                quat.multiply(quat.conjugate(above), quat.from_matrix(frames[joint])), axis
            )
        )
        if abs(left) > limit:
            turns[joint] = Turn(quat.from_axis_angle(axis, -left))
    if not turns:
        raise Refused("no joint is twisted")
    return turns


def _plane(anatomy: Anatomy, heads: FloatArray) -> float | None:
    """Return the x of the plane between left and right; None where the pairs lie in no x."""
    left = heads[[a for a, _ in anatomy.pairs]]
    right = heads[[b for _, b in anatomy.pairs]]
    if int(np.argmax(np.abs(left - right).mean(axis=0))) != 0:
        return None
    return float(np.median(0.5 * (left + right)[:, 0]))


def _unmirrored(
    deformer: Deformer, anatomy: Anatomy, limit: float, posed: float
) -> dict[tuple[int, int], tuple[float, Turn]]:
    """Return per pair whose frames mirror in no usual way: by what angle, and the turn of the right.

    Parameters
    ----------
    posed
        Pairs that stand further from each other's mirror image are left out, in sizes.
    """
    heads = deformer.rest.model_from_node[:, :3, 3]
    plane = _plane(anatomy, heads)
    if plane is None:
        return {}
    frames = _frames(deformer)
    flip = np.diag([-1.0, 1.0, 1.0])
    result = {}
    for left, right in anatomy.pairs:
        image = heads[left] * (-1.0, 1.0, 1.0) + (2.0 * plane, 0.0, 0.0)
        if np.linalg.norm(image - heads[right]) >= posed * deformer.size:
            continue
        wanted = [flip @ frames[left] @ np.diag(image_) for image_ in _IMAGES] + [frames[left]]
        turns = quat.from_matrix(np.stack([frames[right].T @ w for w in wanted]))
        angles = quat.angle_between(np.array(quat.IDENTITY), turns)
        best = int(np.argmin(angles))
        if angles[best] > limit:
            result[left, right] = (float(angles[best]), Turn(turns[best]))
    return result


def unmirrored(subject: Subject) -> Iterator[Finding]:
    """ORI-MIRROR: pairs of joints whose axes are no mirror image of each other."""
    rig = subject.rig
    limit, posed = float(np.radians(subject.limit(MIRROR))), subject.limit(POSED)
    off = _unmirrored(subject.deformer, subject.anatomy, limit, posed)
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
    off = _unmirrored(measured(rig), Anatomy(rig), limit, posed)
    if not off:
        raise Refused("all pairs mirror")
    return {right: turn for (_, right), (_, turn) in off.items()}
