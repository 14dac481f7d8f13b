"""Folding the constant stretch of a leaf joint into the vertices that follow it alone."""

from dataclasses import replace

import numpy as np

from rigview.check.rig_edits.joint_list import meshes_of_skin
from rigview.check.rig_edits.reframe import animated, keyed_scales, map_keys, whole_binds
from rigview.check.rule import Refused
from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, unit
from rigview.core.mesh import Primitive
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

# A vertex that follows a joint with all but this share of its weight follows it alone.
_ALONE = 1e-6
# Keys of a scale nearer to each other than this are one value.
_CONSTANT = 1e-6


def folded(rig: Rig, skin: int, joint: int) -> Rig:
    """Take the scale of one leaf joint over into its vertices.

    Raises
    ------
    Refused
        If the joint has children, a matrix or a scale that changes, or shares vertices with others.
    """
    label = rig.nodes.label(joint)
    if rig.nodes.sound_children[joint]:
        raise Refused(Sentence("{joint} has children, which the stretch would shear", joint=label))
    if joint in rig.nodes.matrices:
        raise Refused(Sentence("{joint} states a matrix, without a scale of its own", joint=label))
    if float(np.ptp(keyed_scales(rig, joint, tangents=True), axis=0).max()) > _CONSTANT:
        raise Refused(Sentence("{joint} changes its scale during a clip", joint=label))
    if any(joint in other.joints for i, other in enumerate(rig.skins) if i != skin):
        raise Refused(Sentence("{joint} also serves another skin", joint=label))
    if rig.node_meshes[joint] is not None and animated(rig, [joint]):
        raise Refused(Sentence("{joint} is animated and shows a mesh of its own", joint=label))
    position = rig.skins[skin].joints.index(joint)
    binds = whole_binds(rig.skins[skin])
    # S·B·p = Q·H·(p − b) with b where the joint was bound: p' = H·(p − b) + b and B' = Q·(p − b).
    head = affine.inverse(binds[position])[:3, 3]
    rotation, stretch = affine.polar(np.diag(rig.nodes.scales[joint]) @ binds[position, :3, :3])
    binds[position, :3, :3], binds[position, :3, 3] = rotation, -rotation @ head
    changed = rig.with_skin(skin, replace(rig.skins[skin], inverse_binds=binds))
    for mesh in sorted(meshes_of_skin(rig, skin)):
        for number, primitive in enumerate(rig.meshes[mesh].primitives):
            own = _own_vertices(primitive, position, label)
            if np.any(own):
                changed = changed.with_primitive(
                    mesh, number, stretched(primitive, own, stretch, head)
                )
    scales = changed.nodes.scales.copy()
    scales[joint] = 1.0
    return replace(
        changed,
        nodes=replace(changed.nodes, scales=scales),
        clips=map_keys(
            changed.clips,
            (joint,),
            lambda _node, path: np.ones_like if path == "scale" else None,
        ),
    )


def _own_vertices(primitive: Primitive, position: int, label: str) -> BoolArray:
    """Return ``(V,)`` which vertices follow one joint alone."""
    influences = primitive.influences
    if influences is None:
        return np.zeros(len(primitive.positions), dtype=np.bool_)
    weights = np.where(influences.joints == position, influences.weights, 0.0).sum(axis=1)
    touched: BoolArray = weights != 0.0
    total = np.abs(influences.weights).sum(axis=1)
    if np.any(touched & (np.abs(total - weights) > _ALONE)):
        raise Refused(Sentence("{joint} shares vertices with other joints", joint=label))
    return touched


def stretched(
    primitive: Primitive, own: BoolArray, stretch: FloatArray, head: FloatArray
) -> Primitive:
    """Stretch some vertices ``(V,)`` of a primitive by ``(3, 3)`` about a point, morph targets too."""
    mask = own[:, None]
    morphs = primitive.morphs
    if morphs is not None:
        larger = np.where(mask, morphs.positions @ stretch.T, morphs.positions)
        morphs = replace(morphs, positions=larger)
    normals = primitive.normals
    if normals is not None:
        normals = np.where(mask, unit(normals @ np.linalg.inv(stretch), normals), normals)
    moved = (primitive.positions - head) @ stretch.T + head
    positions = np.where(mask, moved, primitive.positions)
    return replace(primitive, positions=positions, normals=normals, morphs=morphs)
