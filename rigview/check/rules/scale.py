"""Rules about scale: in the joints, cancelled in the bind, or left in the skin."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.curves import curves
from rigview.check.measures.facts import Facts, measured, skin_scales
from rigview.check.measures.stretch import TOLERANCE, ZERO
from rigview.check.rig_edits.joint_list import meshes_of_skin
from rigview.check.rig_edits.reframe import (
    UNIFORM,
    FrameTurn,
    KeyChange,
    keyed_scales,
    map_keys,
    may_reframe,
    reframe,
    whole_binds,
)
from rigview.check.rule import Finding, Fix, Refused, Subject, count, offer, rule, verb
from rigview.check.rules.shared.merge_findings import over_skins
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.mesh import Primitive
from rigview.core.rig import Rig
from rigview.core.sampler import Path
from rigview.core.sentence import Sentence, joined

_MEANING = "how far a scale is from 1"
INHERITED = Limit("SCL-INHERIT", TOLERANCE, "share", f"{_MEANING}, of a joint in model space")
IN_SKIN = Limit("SCL-SKIN", TOLERANCE, "share", f"{_MEANING}, of a skin matrix at rest")
NOTHING = Limit("SCL-ZERO", ZERO, "", "the smallest scale of a joint", "least")
_AXIS_NAMES = ("x", "y", "z")


def _first_largest(values: FloatArray) -> int:
    """Return where the first value stands that no other exceeds by more than rounding."""
    return int(np.argmax(values >= values.max() - TOLERANCE))


@rule(
    INHERITED,
    title="Scale cancelled in the bind",
    measures="the scale of joints in model space where the skin matrix has none",
    severity="info",
    fix="exact",
    note=True,
    needs="skins",
    raised={"dqs": "warning", "thesis": "error", "unreal": "warning"},
    tree=True,
)
def inherited(subject: Subject) -> Iterator[Finding]:
    """Joints scale in model space, and the inverse bind matrices cancel it."""
    rig = subject.rig
    for skin in range(len(rig.skins)):
        if not rig.skins[skin].joints:
            continue
        joints_ = list(rig.skins[skin].joints)
        low, high = (scales[joints_] for scales in subject.facts.scales)
        skin_low, skin_high = subject.facts.of_skin(skin_scales, skin)
        # What SCL-SKIN lets pass is rigid: else a looser limit there would silence both rules.
        slack = max(TOLERANCE, subject.limit(IN_SKIN))
        rigid = (np.abs(skin_low - 1.0) <= slack) & (np.abs(skin_high - 1.0) <= slack)
        scaled = rigid & (
            np.maximum(np.abs(low - 1.0), np.abs(high - 1.0)) > subject.limit(INHERITED)
        )
        chosen = np.flatnonzero(scaled)
        if not len(chosen):
            continue
        size = np.maximum(np.abs(np.log(np.maximum(low, 1e-300))), np.abs(np.log(high)))
        worst = chosen[_first_largest(size[chosen])]
        value = float(low[worst] if abs(np.log(low[worst])) >= size[worst] else high[worst])
        joints = tuple(rig.skins[skin].joints[i] for i in [worst, *chosen[chosen != worst]])
        yield Finding(
            skin,
            Sentence(
                "{joints} scaled by {value:.4g} in model space, cancelled by {inverse:.4g} in "
                "the inverse bind matrix",
                joints=count(len(joints), "joint"),
                value=value,
                inverse=1.0 / value,
            ),
            skin_label(rig, skin),
            joints=joints,
            value=value,
            limit=1.0,
            unit="×",
            explanation="Usually an armature exported in other units (the 100 / 0.01 pair). It skins "
            "right, but quaternions taken from these matrices are wrong, and physics and attached "
            "objects inherit the scale.",
            fix=offer(
                rig,
                "exact",
                "Bake inherited scale",
                partial(bake_scale, skin=skin),
                trial=partial(_may_bake_scale, skin=skin),
            ),
        )


def bake_scale(rig: Rig, skin: int) -> Rig:
    """Make every joint of a skin, and every node above them, scale 1; translations take it over.

    Raises
    ------
    Refused
        If one of them scales unequally or mirrors: that cannot move into translations.
    """
    return reframe(rig, _unscaling(rig, skin))


def _may_bake_scale(rig: Rig, skin: int) -> None:
    may_reframe(rig, _unscaling(rig, skin))


def _unscaling(rig: Rig, skin: int) -> dict[int, FrameTurn]:
    facts = measured(rig)
    chain = np.array(sorted(rig.nodes.with_ancestors(rig.skins[skin].joints)), dtype=np.int64)
    low, high = (scales[chain] for scales in facts.scales)
    mirrors = affine.determinant(facts.deformer.rest_nodes[chain, :3, :3]) <= 0.0
    wrong = chain[(high - low > UNIFORM * high) | mirrors]
    if len(wrong):
        raise Refused(
            Sentence("{joint} scales unequally or mirrors", joint=rig.nodes.label(int(wrong[0])))
        )
    return {
        int(chain[i]): FrameTurn(np.array(quat.IDENTITY), 1.0 / float(np.sqrt(low[i] * high[i])))
        for i in np.flatnonzero(np.abs(high - 1.0) > UNIFORM)
    }


@rule(
    IN_SKIN,
    title="Bind scales the mesh",
    measures="the scale of the skin matrices at rest",
    severity="info",
    fix="exact",
    note=True,
    needs="skins",
    raised={"dqs": "error", "thesis": "error"},
    tree=True,
)
@over_skins
def in_skin(subject: Subject) -> Iterator[Finding]:
    """The skin matrices scale the mesh already in the rest pose."""
    rig = subject.rig
    for skin in range(len(rig.skins)):
        if not rig.skins[skin].joints:
            continue
        model_from_joint = subject.deformer.rest_nodes[list(rig.skins[skin].joints)]
        low, high = subject.facts.of_skin(skin_scales, skin)
        mirrored = affine.determinant(model_from_joint[:, :3, :3]) < 0.0
        _, size = subject.facts.scales
        nothing = subject.limit(NOTHING)
        # What the bind alone brings to nothing is named by BND-SINGULAR.
        shown = (size[list(rig.skins[skin].joints)] >= nothing) & (high >= nothing)
        off = (
            (high - low <= TOLERANCE * high)
            & ~mirrored
            & shown
            & (np.abs(high - 1.0) > subject.limit(IN_SKIN))
        )
        chosen = np.flatnonzero(off)
        if not len(chosen):
            continue
        worst = chosen[_first_largest(np.abs(np.log(np.maximum(high[chosen], 1e-300))))]
        joints = tuple(rig.skins[skin].joints[i] for i in [worst, *chosen[chosen != worst]])
        yield Finding(
            skin,
            Sentence(
                "{joints} {verb} the mesh by {value:.4g} at rest",
                joints=count(len(joints), "joint"),
                verb=verb(len(joints), "scales", "scale"),
                value=high[worst],
            ),
            skin_label(rig, skin),
            joints=joints,
            value=float(high[worst]),
            limit=1.0,
            unit="×",
            explanation="The mesh was attached at another size than the skeleton has. Linear skinning "
            "hides it; dual quaternions know no scale and need it taken out first.",
            fix=offer(
                rig,
                "exact",
                "Fold the bind's scale into the mesh",
                partial(fold, skin=skin),
                trial=partial(_may_fold, skin=skin),
            ),
        )


def common_scale(facts: Facts, skin: int) -> float:
    """Return the one scale that all skin matrices of a skin have at rest.

    Raises
    ------
    Refused
        If they differ, or scale unequally.
    """
    low, high = facts.of_skin(skin_scales, skin)
    turned_over = affine.determinant(facts.deformer.rest_matrices[skin][:, :3, :3]) <= 0.0
    if np.any(turned_over | ~(high - low <= TOLERANCE * high)):
        raise Refused("a skin matrix scales unequally or mirrors")
    if high.max() - low.min() > TOLERANCE * high.max():
        raise Refused("the joints scale the mesh by different factors")
    return float(np.exp(np.mean(np.log(high))))


def fold(rig: Rig, skin: int) -> Rig:
    """Scale the meshes of a skin by what its joints scale them by, and take that out of the bind.

    ``p' = s·p`` and ``B' = B/s``, so ``M'·p' = M·p``; vertices that no joint moves stay where they
    are. Joints that scale in model space are baked too (`bake_scale`), or the scale would only have
    moved from the skin into the bind.
    """
    factor, meshes, binds = _foldable(rig, skin)
    binds[:, :3, :3] /= factor
    changed = rig.with_skin(skin, replace(rig.skins[skin], inverse_binds=binds))
    for mesh in sorted(meshes):
        for number, primitive in enumerate(rig.meshes[mesh].primitives):
            scaled = _scaled(primitive, factor, len(binds))
            changed = changed.with_primitive(mesh, number, scaled)
    return bake_scale(changed, skin)


def _foldable(rig: Rig, skin: int) -> tuple[float, set[int], FloatArray]:
    """Return by what a skin scales its meshes, these, and a copy of its inverse bind matrices."""
    factor = common_scale(measured(rig), skin)
    if np.any(rig.skins[skin].joint_from_mesh[:, 3] != (0.0, 0.0, 0.0, 1.0)):
        raise Refused("an inverse bind matrix is not affine")
    return factor, meshes_of_skin(rig, skin), whole_binds(rig.skins[skin])


def _may_fold(rig: Rig, skin: int) -> None:
    _foldable(rig, skin)
    # What is folded is the bind's: the joints stand as they did.
    _may_bake_scale(rig, skin)


def _scaled(primitive: Primitive, factor: float, joint_count: int) -> Primitive:
    """Scale the vertices that joints move, with their morph targets."""
    if primitive.influences is None:
        return primitive
    joints, weights = primitive.influences.joints, primitive.influences.weights
    counts = (joints >= 0) & (joints < joint_count) & np.isfinite(weights) & (weights != 0.0)
    factors = np.where(counts.any(axis=1), factor, 1.0)[:, None]
    morphs = primitive.morphs
    if morphs is not None:
        morphs = replace(morphs, positions=morphs.positions * factors)
    return replace(primitive, positions=primitive.positions * factors, morphs=morphs)


# Of negative scale on two axes, which mirrors nothing.
_HALF_TURN = Sentence(
    "Negative scale on two axes is a half turn, and mirrors nothing. Programs that take rotation and scale "
    "out of the matrix read another rotation than the file states."
)


@rule(
    "SCL-NEG",
    title="Negative scale",
    measures="negative scale of joints, in rest, in keys and in model space",
    severity="error",
    fix="exact",
    needs="skins",
)
def mirrored(subject: Subject) -> Iterator[Finding]:
    """Joints with negative scale, in rest or in a key, or mirrored in model space."""
    rig = subject.rig
    determinants = affine.determinant(subject.deformer.rest_nodes[:, :3, :3])
    joints = sorted({j for skin in rig.skins for j in skin.joints})
    scales = subject.of_rig(curves)["scale"]
    suspects = {
        *np.flatnonzero((determinants < 0.0) | (rig.nodes.scales < 0.0).any(axis=1)).tolist(),
        *scales.nodes[(scales.lowest < 0.0).any(axis=1)].tolist(),
    }
    below: dict[int, list[int]] = {}
    for joint in sorted(suspects.intersection(joints)):
        negative = keyed_scales(rig, joint) < 0.0
        if not np.any(negative) and determinants[joint] >= 0.0:
            continue
        # Below a mirrored joint every joint is mirrored: the fault is named once, where it begins.
        parent = rig.nodes.parents[joint]
        if not np.any(negative) and parent >= 0 and determinants[parent] < 0.0:
            nearest = rig.joint_parents[joint]
            if nearest < 0 or determinants[nearest] >= 0.0:
                below.setdefault(_mirror_above(rig, determinants, joint), []).append(joint)
            continue
        named = [_AXIS_NAMES[i] for i in np.flatnonzero(negative.any(axis=0))]
        axes = joined(named, "{first} and {rest}")
        lowest = float(keyed_scales(rig, joint).min())
        says = Sentence(
            "{joint} has negative scale on {axes}", joint=rig.nodes.label(joint), axes=axes
        )
        finding = _mirrored(rig, [joint], says, lowest, _unflip_offer(rig, joint))
        if not np.any(negative.sum(axis=1) % 2) and determinants[joint] > 0.0:
            finding = replace(finding, explanation=_HALF_TURN)
        yield finding
    for node, tops in below.items():
        says = Sentence(
            "{joint} is mirrored by {node}, above it",
            joint=rig.nodes.label(tops[0]),
            node=rig.nodes.label(node),
        )
        if len(tops) > 1:
            says = Sentence(
                "{joint} and {joints} are mirrored by {node}, above them",
                joint=rig.nodes.label(tops[0]),
                joints=count(len(tops) - 1, "more joint"),
                node=rig.nodes.label(node),
            )
        fix = Fix("none", reason="the mirroring comes from a node above the joint")
        yield _mirrored(rig, tops, says, float(determinants[tops[0]]), fix)


def _mirror_above(rig: Rig, determinants: FloatArray, joint: int) -> int:
    """Return the node above a mirrored joint at which the mirroring begins."""
    path = [node for node in rig.nodes.ancestors(joint) if determinants[node] < 0.0]
    return next(n for n in path if rig.nodes.parents[n] not in path)


def _mirrored(rig: Rig, joints: list[int], says: str, value: float, fix: Fix) -> Finding:
    return Finding(
        joints[0],
        says,
        rig.nodes.label(joints[0]),
        joints=tuple(joints),
        value=value,
        limit=0.0,
        explanation="A mirrored joint has no rotation of its own, so dual quaternions and many "
        "engines show something else than the file means.",
        fix=fix,
    )


def _unflip_offer(rig: Rig, joint: int) -> Fix:
    return offer(
        rig,
        "exact",
        Sentence("Turn {joint} instead of mirroring", joint=rig.nodes.label(joint)),
        partial(unflip, node=joint),
    )


def unflip(rig: Rig, node: int) -> Rig:
    """Replace two negative scale components by the half turn that they are.

    ``T·R·S = T·(R·F)·(F·S)`` with F = −1 on those two axes: a rotation. The node's matrix, and so
    everything below it, stays what it was.

    Raises
    ------
    Refused
        If the number of negative components is odd, or changes during a clip.
    """
    scales = keyed_scales(rig, node)
    negative = scales < 0.0
    if np.any(negative != negative[0]):
        raise Refused("the sign of the scale changes during a clip")
    axes = np.flatnonzero(negative[0])
    if not len(axes):
        raise Refused("it has no negative scale of its own: a node above it mirrors")
    if len(axes) != 2:
        raise Refused("negative scale on one axis or on three mirrors, which no rotation does")
    if node in rig.nodes.matrices:
        raise Refused("the node states a matrix, without a scale of its own")
    third = ({0, 1, 2} - set(map(int, axes))).pop()
    half_turn = np.zeros(4)
    half_turn[third] = 1.0
    flips = np.where(negative[0], -1.0, 1.0)
    nodes = rig.nodes
    rotations, new_scales = nodes.rotations.copy(), nodes.scales.copy()
    rotations[node] = quat.multiply(rotations[node], half_turn)
    new_scales[node] = flips * new_scales[node]

    def key_change(_node: int, path: Path) -> KeyChange | None:
        if path == "rotation":
            return lambda v: quat.multiply(v, half_turn)
        return (lambda v: flips * v) if path == "scale" else None

    return replace(
        rig,
        nodes=replace(nodes, rotations=rotations, scales=new_scales),
        clips=map_keys(rig.clips, (node,), key_change),
    ).made_of(rig)
