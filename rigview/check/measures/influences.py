"""Influences as they count: which are sound, each joint once, and as shares."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rigview.check.labels import part_keys
from rigview.check.measures.soundness import beyond_list, out_of_range
from rigview.core.arrays import BoolArray, FloatArray, IntArray, owned
from rigview.core.mesh import Influences
from rigview.core.numeric import row_ops
from rigview.core.rig import Part, Rig

# Weights nearer to each other than this are in no order: bytes and float32 round them either way.
EVEN = 1e-3


def sound(influences: Influences) -> BoolArray:
    """Return ``(V,)`` which vertices have weights that are shares, and any.

    The others are the business of WGT-RANGE and WGT-ZERO: one fault, one finding.
    """
    any_: BoolArray = influences.sums > 0.0
    return any_ & ~out_of_range(influences)


def twice(influences: Influences) -> BoolArray:
    """Return ``(V,)`` which sound vertices give weight to one joint in two slots."""
    return influences.doubled & sound(influences)


def merge(influences: Influences) -> Influences:
    """Give a joint that a vertex names twice one slot with the sum of its weights."""
    chosen = np.flatnonzero(twice(influences))
    if not len(chosen):
        return influences
    joints, weights = influences.joints.copy(), influences.weights.copy()
    own_joints, own = joints[chosen], weights[chosen]
    for slot in range(1, own.shape[1]):
        for kept in range(slot):
            same = (own_joints[:, slot] == own_joints[:, kept]) & (own[:, slot] != 0.0)
            same &= own[:, kept] != 0.0
            own[same, kept] += own[same, slot]
            own[same, slot] = 0.0
            own_joints[same, slot] = 0
    joints[chosen], weights[chosen] = own_joints, own
    return front(Influences(joints, weights), chosen)


def front(influences: Influences, chosen: IntArray) -> Influences:
    """Move the used slots of some vertices to the front, the heaviest first."""
    joints, weights = influences.joints.copy(), influences.weights.copy()
    order = np.argsort(-weights[chosen], axis=1, kind="stable")
    weights[chosen] = np.take_along_axis(weights[chosen], order, axis=1)
    joints[chosen] = np.take_along_axis(joints[chosen], order, axis=1)
    return Influences(joints, weights)


def of_same_sums(influences: Influences, weights: FloatArray) -> Influences:
    """Return other weights of the same sums; slots that lost theirs name joint 0."""
    touched = row_ops.any_of(weights != influences.weights)
    total, kept = row_ops.sum_of(influences.weights), row_ops.sum_of(weights)
    with np.errstate(invalid="ignore"):
        factor = np.where(touched & (kept > 0.0), total / np.where(kept > 0.0, kept, 1.0), 1.0)
    emptied = (weights == 0.0) & (influences.weights != 0.0)
    return Influences(np.where(emptied, 0, influences.joints), weights * factor[:, None])


class Weighted(NamedTuple):
    """A primitive that a skin moves.

    Parameters
    ----------
    key
        What findings about the primitive are known by (`part_keys`).
    part
        The first part that shows it.
    """

    key: int
    part: Part
    skin: int
    influences: Influences


def weighted(rig: Rig) -> tuple[Weighted, ...]:
    """Return every skinned primitive once, however many nodes show it."""
    found: dict[tuple[int, int], Weighted] = {}
    keys = part_keys(rig)
    for part in rig.parts:
        influences = rig.primitive(part).influences
        if part.skin is not None and influences is not None:
            own = Weighted(keys[part], part, part.skin, influences)
            found.setdefault((part.mesh, part.primitive), own)
    return tuple(found.values())


def counted(rig: Rig, skin: int, influences: Influences) -> Influences:
    """Return a skin's influences as shares, vertices left without any that have unsound ones.

    A joint that is listed twice counts where it is listed first.
    """
    listed = rig.skins[skin].joints
    well = sound(influences) & ~beyond_list(influences, len(listed))
    if not well.all():
        influences = Influences(
            np.where(well[:, None], influences.joints, 0),
            np.where(well[:, None], influences.weights, 0.0),
        )
    if len(set(listed)) < len(listed):
        first = np.array([listed.index(joint) for joint in listed])
        influences = replace(influences, joints=first[influences.joints])
    influences = merge(influences)
    total = influences.sums[:, None]
    idle = influences.idle
    return Influences(
        owned(np.where(idle, 0, influences.joints)) if idle.any() else influences.joints,
        owned(influences.weights / (total if total.all() else np.where(total > 0.0, total, 1.0))),
    )
