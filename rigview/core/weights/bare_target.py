"""A target without skin gets the joints of the source, and hangs on them where it is."""

from dataclasses import replace

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.bones import box_diagonal
from rigview.core.deform import Deformer
from rigview.core.nodes import Nodes
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Rig, Skin
from rigview.core.weights.making import characters, with_slots
from rigview.core.weights.problem import NotMade


def is_bare(rig: Rig) -> bool:
    """Return whether a rig shows meshes, and none of them hangs on joints."""
    return bool(rig.parts) and not any(
        part.skin is not None and rig.skins[part.skin].joints for part in rig.parts
    )


def with_joints_of(source: Rig, target: Rig) -> Rig:
    """Return a rig without skin whose meshes hang on copies of the source's joints, as bound there.

    What a mesh node's place was before stays its place while the joints are as they were bound.

    Raises
    ------
    NotMade
        If source and target lie in different places, so that no weight could be right.
    """
    full = with_slots(source)
    deformer = Deformer(full)
    groups = characters(full)
    _refuse_apart(deformer, target)
    joint_from_model: dict[int, FloatArray] = {}
    frame = deformer.bind or deformer.rest
    for group in groups:
        skin = full.skins[group.skin]
        mesh_from_model = affine.inverse(frame.palettes[group.skin].matrices[0])
        for joint, joint_from_mesh in zip(skin.joints, skin.joint_from_mesh, strict=True):
            joint_from_model.setdefault(joint, joint_from_mesh @ mesh_from_model)
    chosen = _with_ancestors(source, joint_from_model)
    place = {node: len(target.nodes) + number for number, node in enumerate(chosen)}
    rig = replace(
        target,
        nodes=_joined(target.nodes, source.nodes, place),
        node_meshes=(*target.node_meshes, *(None,) * len(chosen)),
        node_skins=(*target.node_skins, *(None,) * len(chosen)),
        roots=(*target.roots, *(place[n] for n in chosen if source.nodes.parents[n] < 0)),
    )
    return _hung(rig, [place[node] for node in joint_from_model], list(joint_from_model.values()))


def _refuse_apart(source: Deformer, target: Rig) -> None:
    """Refuse a target whose middle is further from the source's than the source is large."""
    boxes = [
        np.concatenate([np.zeros((0, 3)), *(c for c in of.rest_corners if len(c))])
        for of in (source, Deformer(target))
    ]
    if not all(map(len, boxes)):
        raise NotMade("the target has no vertex")
    middles = [0.5 * (box.min(axis=0) + box.max(axis=0)) for box in boxes]
    if not np.linalg.norm(middles[0] - middles[1]) <= box_diagonal(boxes[0]):
        raise NotMade("the target lies further from the source than the source is large")


def _with_ancestors(rig: Rig, joints: dict[int, FloatArray]) -> list[int]:
    """Return joints and all nodes above them, in the order of the rig."""
    wanted = set(joints)
    for joint in joints:
        wanted.update(rig.nodes.ancestors(joint))
    return sorted(wanted)


def _joined(own: Nodes, other: Nodes, place: dict[int, int]) -> Nodes:
    """Return nodes followed by copies of some of another hierarchy.

    Parameters
    ----------
    place
        Node of the other → its number here.
    """
    chosen = list(place)
    children = [tuple(place[c] for c in other.sound_children[n] if c in place) for n in chosen]
    return Nodes(
        (*own.names, *(other.names[node] for node in chosen)),
        (*own.children, *children),
        np.concatenate([own.translations, other.translations[chosen]]),
        np.concatenate([own.rotations, other.rotations[chosen]]),
        np.concatenate([own.scales, other.scales[chosen]]),
        {**own.matrices, **{place[n]: m for n, m in other.matrices.items() if n in place}},
    )


def _hung(rig: Rig, joints: list[int], joint_from_model: list[FloatArray]) -> Rig:
    """Return a rig all of whose meshes hang on joints; meshes that stand alike share a skin."""
    model = model_from_nodes(rig, rest_pose(rig))
    skins = list(rig.skins)
    of: dict[bytes, int] = {}
    node_skins = list(rig.node_skins)
    for node, mesh in enumerate(rig.node_meshes):
        if mesh is None:
            continue
        key = np.round(model[node], 9).tobytes()
        if key not in of:
            of[key] = len(skins)
            binds = np.array(joint_from_model) @ model[node]
            skins.append(Skin("", tuple(joints), binds))
        node_skins[node] = of[key]
    return replace(rig, skins=tuple(skins), node_skins=tuple(node_skins))
