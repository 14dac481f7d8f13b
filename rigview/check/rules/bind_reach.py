"""The rule about where the bind puts joints: how far from what they move."""

from collections.abc import Iterator, Sequence

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import bind_scales, size_in_mesh, stated
from rigview.check.rule import Finding, Fix, Subject, count, rule, verb
from rigview.check.rules.bind_matrices import crushing
from rigview.check.rules.shared.merge_findings import over_each_skin
from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, IntArray, finite
from rigview.core.mesh import Influences
from rigview.core.numeric import row_ops
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

# Of so many vertices one shows where most joints are.
_FEW = 8
# A joint may stand outside of the mesh it moves by this share of the mesh's size (weapons, tails).
FAR = Limit("BND-FAR", 0.5, "×", "the distance of a joint to the nearest vertex it moves, in sizes")


@rule(
    FAR,
    title="Joint far from its vertices",
    measures="the distance from each joint at bind time to the nearest vertex it moves",
    severity="warning",
    needs="influences",
    whole=True,
)
@over_each_skin
def far(subject: Subject) -> Iterator[Finding]:
    """Joints bound far from all vertices that they move."""
    yield from subject.found(far_of_each_skin)


def far_of_each_skin(subject: Subject) -> Iterator[Finding]:
    """Yield what BND-FAR says of each skin; the key of a finding is the skin's number."""
    rig = subject.rig
    for skin in range(len(rig.skins)):
        bound = _bound(rig, skin)
        if not len(stated(rig, skin)) or not bound:
            continue
        # A mesh may be a small part of a character: the size of all of it counts, in the mesh's units.
        whole = max(subject.facts.once(size_in_mesh, skin), subject.deformer.bind_sizes[skin])
        limit = subject.limit(FAR) * whole
        heads = _heads(rig, skin)
        nearest = _nearest(bound, heads, limit)
        beyond = np.flatnonzero(
            np.isfinite(nearest)
            & (nearest > limit)
            & ~crushing(*subject.facts.of_skin(bind_scales, skin))
        )
        listed, neutral = rig.skins[skin].joints, subject.anatomy.neutral
        ranked = beyond[np.argsort(-nearest[beyond], kind="stable")].tolist()
        off = [i for i in ranked if listed[i] not in neutral]
        if not off:
            continue
        joints = tuple(listed[i] for i in off)
        worst = float(nearest[off[0]] / whole)
        yield Finding(
            skin,
            Sentence(
                "{joints} bound up to {worst:.2g} times the size of the character from the "
                "nearest vertex {verb}",
                joints=count(len(joints), "joint"),
                worst=worst,
                verb=verb(len(joints), "it moves", "they move"),
            ),
            skin_label(rig, skin),
            joints=joints,
            value=worst,
            limit=subject.limit(FAR),
            unit="×",
            explanation="A joint far outside of what it moves is mostly bound in other units or in "
            "another place than the mesh.",
            fix=Fix(
                "none", reason="this is a symptom: mesh, bind and weights may each be the cause"
            ),
        )


def _bound(rig: Rig, skin: int) -> list[tuple[FloatArray, Influences]]:
    """Return the points that a skin moves, part by part, and the joints that each follows."""
    primitives = (rig.primitive(part) for part in rig.skinned_parts(skin))
    return [(p.positions, p.influences) for p in primitives if p.influences is not None]


def _heads(rig: Rig, skin: int) -> FloatArray:
    """Return ``(B, 3)`` where the joints with inverse bind matrices were bound, whatever these are."""
    binds = stated(rig, skin)
    if np.isfinite(binds).all():
        return rig.skins[skin].mesh_from_joint[: len(binds), :3, 3]
    return affine.inverse(finite(binds))[:, :3, 3]


def _nearest(
    bound: Sequence[tuple[FloatArray, Influences]], heads: FloatArray, limit: float
) -> FloatArray:
    """Return ``(J,)`` how far each joint is from the nearest vertex that it moves; inf without any.

    Of joints that have one within the limit it is the distance of any such vertex.

    Parameters
    ----------
    heads
        ``(J, 3)`` where the joints were bound.
    """
    nearest, moved = np.full(len(heads), np.inf), np.zeros(len(heads), dtype=np.bool_)
    # One vertex of each joint settles most, and a few of all know most joints.
    for points, influences in bound:
        if influences.joints.shape[1]:
            moved |= influences.moves(len(heads))
            vertices, joints = _moving(influences, moved, _FEW)
            some = np.full(len(heads), -1)
            some[joints] = vertices
            known = np.flatnonzero(some >= 0)
            away = row_ops.lengths(points[some[known]] - heads[known])
            nearest[known] = np.minimum(nearest[known], away)
    unsettled = moved & ~(nearest <= limit)
    # Of the others all vertices are looked at.
    for points, influences in bound if unsettled.any() else ():
        vertices, joints = _moving(influences, unsettled, 1)
        away = row_ops.lengths(points[vertices] - heads[joints])
        np.minimum.at(nearest, joints, away)
    return nearest


def _moving(influences: Influences, asked: BoolArray, step: int) -> tuple[IntArray, IntArray]:
    """Return of every influence by the joints asked its vertex and its joint.

    Parameters
    ----------
    asked
        ``(J,)``.
    step
        Of so many vertices one is looked at.
    """
    joints = influences.joints[::step]
    used = (influences.weights[::step] > 0.0) & asked.take(joints, mode="clip")
    if not influences.fit(len(asked)):
        used &= (joints >= 0) & (joints < len(asked))
    numbers = np.flatnonzero(used)
    vertices = numbers // max(joints.shape[1], 1) * step
    return vertices, joints.reshape(-1).take(numbers)
