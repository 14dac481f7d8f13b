"""Rules about inverse bind matrices as such: what is no rigid motion, and what has no inverse."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import bind_scales, scale_range, stated
from rigview.check.rig_edits.joint_list import meshes_of_skin
from rigview.check.rig_edits.leaf import stretched
from rigview.check.rig_edits.reframe import whole_binds
from rigview.check.rule import Finding, Fix, Refused, Subject, count, offer, rule, verb
from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, finite
from rigview.core.deform import Deformer
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

# Above this ratio of its scales a matrix loses so many digits that its inverse is noise in float32.
# The rules that need an inverse go by this, whatever a studio finds fault with.
CONDITION = 1e6
SINGULAR = Limit(
    "BND-SINGULAR", CONDITION, "", "the largest scale of a matrix against its smallest"
)
# Unequal scales up to this are what float32 and a few multiplications leave.
NONRIGID = 1e-3
STRETCH = Limit("BND-NONRIGID", NONRIGID, "", "by how much one scale of a matrix exceeds another")
# A last row this near to 0 0 0 1 is rounding of an exporter that multiplied in float32.
AFFINE_NOISE = 1e-4
_LAST = np.array([0.0, 0.0, 0.0, 1.0])


def singular(matrices: FloatArray, condition: float = CONDITION) -> BoolArray:
    """Return ``(…)`` which matrices crush a direction or are no numbers."""
    return crushing(*scale_range(matrices), condition)


def crushing(low: FloatArray, high: FloatArray, condition: float = CONDITION) -> BoolArray:
    """Return ``(…)`` which matrices of such scales (`facts.scale_range`) crush a direction."""
    lost: BoolArray = (high <= CONDITION * np.finfo(np.float64).tiny) | (low * condition < high)
    return lost


def _about(rig: Rig, skin: int, off: BoolArray, says: str) -> Finding:
    """Return a finding about those of a skin's matrices that are off, without value, limit and fix."""
    joints = tuple(rig.skins[skin].joints[i] for i in np.flatnonzero(off))
    return Finding(
        skin,
        Sentence(
            "{matrices} {says}, the first is that of {joint}",
            matrices=count(len(joints), "inverse bind matrix"),
            says=Sentence(says),
            joint=rig.nodes.label(joints[0]),
        ),
        skin_label(rig, skin),
        joints=joints,
    )


@rule(
    SINGULAR,
    title="Inverse bind matrix without inverse",
    measures="the ratio of the largest scale of inverse bind matrices to the smallest",
    severity="error",
    fix="shape",
    needs="skins",
)
def crushed(subject: Subject) -> Iterator[Finding]:
    """Inverse bind matrices that crush the mesh and have no inverse."""
    rig, limit = subject.rig, subject.limit(SINGULAR)
    for skin in range(len(rig.skins)):
        off = crushing(*subject.facts.of_skin(bind_scales, skin), limit)
        if not off.any():
            continue
        finding, number = _about(rig, skin, off, "without inverse"), int(off.sum())
        low, high = affine.scale_range(finite(stated(rig, skin)[off]))
        yield replace(
            finding,
            value=float((high / np.maximum(low, 1e-300 * np.maximum(high, 1.0))).max()),
            limit=limit,
            explanation="The joint flattens whatever it moves, and where it was when the mesh was attached "
            "is lost.",
            fix=offer(
                rig,
                "shape",
                Sentence(
                    "Bind {joints} anew where {verb}",
                    joints=count(number, "joint"),
                    verb=verb(number, "it rests", "they rest"),
                ),
                partial(rebind, skin=skin, condition=limit),
            ),
        )


def rebind(rig: Rig, skin: int, condition: float) -> Rig:
    """Bind the joints of a skin whose matrices have no inverse where they rest.

    ``B' = W⁻¹·M`` with the skin matrix M of a joint whose bind is sound: the mesh rests as that joint
    lets it.

    Raises
    ------
    Refused
        If no joint of the skin has a sound bind.
    """
    binds = whole_binds(rig.skins[skin])
    lost = singular(binds, condition)
    model = Deformer(rig).rest_nodes[list(rig.skins[skin].joints)]
    good = np.flatnonzero(~lost & ~singular(model))
    if not len(good):
        raise Refused("no joint of the skin has a sound bind")
    binds[lost] = affine.inverse(model[lost]) @ model[good[0]] @ binds[good[0]]
    return rig.with_skin(skin, replace(rig.skins[skin], inverse_binds=binds))


@rule(
    "BND-MIRROR",
    title="Bind mirrors the mesh",
    measures="the determinant of inverse bind matrices of joints that are not mirrored",
    severity="error",
    needs="skins",
    tree=True,
)
def mirrored(subject: Subject) -> Iterator[Finding]:
    """Inverse bind matrices that mirror the mesh, and joints that do not.

    Where the joint itself is mirrored, SCL-NEG says so.
    """
    rig, model = subject.rig, subject.deformer.rest_nodes
    for skin, value in enumerate(rig.skins):
        binds = stated(rig, skin)
        volumes = affine.determinant(finite(binds[:, :3, :3]))
        joints = affine.determinant(model[list(value.joints[: len(binds)]), :3, :3])
        sound = ~crushing(*subject.facts.of_skin(bind_scales, skin))
        off = (volumes < 0.0) & sound & (joints > 0.0)
        if not off.any():
            continue
        yield replace(
            _about(rig, skin, off, "mirrored"),
            value=float(volumes[off].min()),
            limit=0.0,
            explanation="The joint turns the mesh inside out. Dual quaternions cannot mirror at all.",
            fix=Fix(
                "none", reason="whether the mesh or its bind is the wrong way round is unknown"
            ),
        )


@rule(
    "BND-AFFINE",
    title="Inverse bind matrix is not affine",
    measures="the last row of inverse bind matrices against 0 0 0 1",
    severity="error",
    fix="exact",
    needs="skins",
)
def not_affine(subject: Subject) -> Iterator[Finding]:
    """Inverse bind matrices whose last row is not 0 0 0 1."""
    rig = subject.rig
    for skin in range(len(rig.skins)):
        rows = stated(rig, skin)[:, 3]
        off = np.any(rows != _LAST, axis=1)
        if not off.any():
            continue
        furthest = float(np.abs(rows - _LAST).max())
        fix = Fix("none", reason="the last row is no rounding error: what it means is unknown")
        if furthest <= AFFINE_NOISE:
            fix = offer(rig, "exact", "Write last rows as 0 0 0 1", partial(snap, skin=skin))
        yield replace(
            _about(rig, skin, off, "with a last row other than 0 0 0 1"),
            value=furthest,
            limit=0.0,
            explanation="glTF forbids it. Programs that keep three rows see another matrix than those that "
            "keep four.",
            fix=fix,
        )


def snap(rig: Rig, skin: int) -> Rig:
    """Write the last row of every inverse bind matrix of a skin as 0 0 0 1."""
    old = rig.skins[skin].inverse_binds
    if old is None:
        return rig
    binds = old.copy()
    binds[:, 3] = _LAST
    return rig.with_skin(skin, replace(rig.skins[skin], inverse_binds=binds))


def _unequal(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return ``(…)`` by how much the largest scale exceeds the smallest, as a share; inf of nothing."""
    with np.errstate(over="ignore"):
        return high / np.where(low > 0.0, low, 1.0) - 1.0


@rule(
    STRETCH,
    title="Bind stretches the mesh",
    measures="unequal scales and shear in inverse bind matrices",
    severity="warning",
    fix="bounded",
    needs="skins",
    tree=True,
)
def not_rigid(subject: Subject) -> Iterator[Finding]:
    """Inverse bind matrices that scale unequally or shear, on joints that do not.

    Where the joint itself scales unequally, the matrix only cancels it, and SCL-NONUNI watches it.
    """
    rig, limit = subject.rig, subject.limit(STRETCH)
    for skin, value in enumerate(rig.skins):
        low, high = subject.facts.of_skin(bind_scales, skin)
        joints = list(value.joints[: len(low)])
        unequal = _unequal(low, high)
        off = (unequal > limit) & ~crushing(low, high)
        off &= _unequal(*(scales[joints] for scales in subject.facts.scales)) <= limit
        if not off.any():
            continue
        yield replace(
            _about(rig, skin, off, "with unequal scales"),
            value=float(unequal[off].max()),
            limit=limit,
            explanation="The mesh was attached stretched. Normals, dual quaternions and physics see "
            "another shape than linear skinning.",
            fix=offer(
                rig,
                # Linear and dual quaternion skinning stay exact; the compensation measures distances
                # in mesh space, which the fold stretches.
                "bounded",
                "Fold the common stretch into the mesh",
                partial(fold_stretch, skin=skin),
            ),
        )


def fold_stretch(rig: Rig, skin: int) -> Rig:
    """Stretch the meshes of a skin as all its inverse bind matrices do, which then are rigid.

    ``B = Q·H`` with one stretch H for all joints: ``p' = H·p`` and ``B'·p' = B·p``.

    Raises
    ------
    Refused
        If the joints stretch differently, or a mesh has vertices that no joint moves.
    """
    binds = whole_binds(rig.skins[skin])
    rotation, stretch = affine.polar(binds[:, :3, :3])
    common = stretch[0]
    if float(np.abs(stretch - common).max()) > NONRIGID * float(np.abs(common).max()):
        raise Refused("the joints stretch the mesh differently")
    binds[:, :3, :3] = rotation @ stretch @ np.linalg.inv(common)
    changed = rig.with_skin(skin, replace(rig.skins[skin], inverse_binds=binds))
    for mesh in sorted(meshes_of_skin(rig, skin)):
        for number, primitive in enumerate(rig.meshes[mesh].primitives):
            influences = primitive.influences
            if influences is None:
                continue
            if not np.all(np.any(influences.weights != 0.0, axis=1)):
                raise Refused("a mesh has vertices that no joint moves")
            everyone = np.ones(len(primitive.positions), dtype=np.bool_)
            larger = stretched(primitive, everyone, common, np.zeros(3))
            changed = changed.with_primitive(mesh, number, larger)
    return changed
