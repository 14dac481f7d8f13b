"""A skin's list of joints: in another order, or shorter, with influences and binds to match."""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from rigview.check.rig_edits.reframe import whole_binds
from rigview.check.rule import Refused
from rigview.core.arrays import IntArray
from rigview.core.mesh import Influences
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence


def reorder_joints(rig: Rig, skin: int, order: Sequence[int]) -> Rig:
    """List a skin's joints in another order, with influences and inverse bind matrices to match.

    Parameters
    ----------
    order
        For each new position the old one.

    Raises
    ------
    Refused
        If a mesh of this skin also hangs on another skin, whose joints would then be wrong. If
        inverse bind matrices are missing.
    """
    changed = relisted(rig, skin, order)
    new_of_old = np.zeros(len(order), dtype=np.int64)
    new_of_old[list(order)] = np.arange(len(order))
    for mesh in meshes_of_skin(rig, skin):
        for number, primitive in enumerate(rig.meshes[mesh].primitives):
            influences = primitive.influences
            if influences is None:
                continue
            # Unused slots stay on joint 0, as exporters write them.
            unused = (influences.weights == 0.0) & (influences.joints == 0)
            joints = np.where(unused, 0, renumbered(influences, new_of_old))
            updated = replace(primitive, influences=replace(influences, joints=joints))
            changed = changed.with_primitive(mesh, number, updated)
    return changed


def relisted(rig: Rig, skin: int, kept: Sequence[int]) -> Rig:
    """Return a rig whose skin lists the joints at some positions only, in this order.

    Influences stay as they are: alone it is for trials, and it refuses what `reorder_joints` refuses.
    """
    old = rig.skins[skin]
    binds = None if old.inverse_binds is None else whole_binds(old)[list(kept)]
    joints = tuple(old.joints[i] for i in kept)
    meshes_of_skin(rig, skin)
    return rig.with_skin(skin, replace(old, joints=joints, inverse_binds=binds))


def renumbered(influences: Influences, new_of_old: IntArray) -> IntArray:
    """Return ``(V, K)`` joint numbers after a list has changed; those that it does not have stay."""
    known = (influences.joints >= 0) & (influences.joints < len(new_of_old))
    return np.where(known, new_of_old[np.where(known, influences.joints, 0)], influences.joints)


def meshes_of_skin(rig: Rig, skin: int) -> set[int]:
    """Return the meshes that hang on a skin.

    Raises
    ------
    Refused
        If one of them also hangs on another skin or on none.
    """
    meshes = {
        mesh for node in rig.skinned_nodes[skin] if (mesh := rig.node_meshes[node]) is not None
    }
    for mesh in meshes:
        if rig.mesh_skins[mesh] != {skin}:
            raise Refused(
                Sentence(
                    "mesh {mesh} is also used without this skin",
                    mesh=rig.meshes[mesh].name or mesh,
                )
            )
    return meshes


def parent_positions(rig: Rig, skin: int) -> list[int]:
    """Return for each joint of a skin the position of the nearest of its joints above, or −1."""
    joints = rig.skins[skin].joints
    position: dict[int, int] = {}
    for i, joint in enumerate(joints):
        position.setdefault(joint, i)
    result, above = [], rig.joint_parents
    for joint in joints:
        node = above[joint]
        while node >= 0 and node not in position:
            node = above[node]
        result.append(position.get(node, -1))
    return result


def parents_first(
    rig: Rig, skin: int, reorder: Callable[[Rig, int, list[int]], Rig] = reorder_joints
) -> Rig:
    """Sort the joints of a skin so that parents come first, keeping the order where it is right.

    Parameters
    ----------
    reorder
        What lists the joints anew: with `relisted` influences stay as they are, for trials.
    """
    parents = parent_positions(rig, skin)
    children: dict[int, list[int]] = {}
    for i, parent in enumerate(parents):
        children.setdefault(parent, []).append(i)
    ready = list(children.get(-1, []))
    order: list[int] = []
    while ready:
        chosen = heapq.heappop(ready)
        order.append(chosen)
        for child in children.get(chosen, []):
            heapq.heappush(ready, child)
    return reorder(rig, skin, order)
