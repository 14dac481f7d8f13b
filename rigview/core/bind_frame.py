"""The nodes of a rig where they were when its meshes were attached, as its inverse bind matrices say.

A skin's inverse bind matrices place joints about the mesh as it was modelled, not in the scene. Each mesh
is laid where most of its weight rests as it was bound, so that what stands out is posed and not moved.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from rigview.core import affine, palette
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.frame import Frame
from rigview.core.nodes import Nodes
from rigview.core.pose import rest_pose
from rigview.core.rig import Rig

# What lies within this share of the rig's size of where it rests counts as resting there.
NEAR = 0.01


def of(rig: Rig, skins: Sequence[int], size: float) -> Frame | None:
    """Return the pose in which the meshes of some skins were attached; None where no skin states it.

    A node that no skin binds hangs on the one above it as it does at rest.

    1. The skin of most joints is laid where most of its weight rests as it was bound.
    2. Every other follows: it is laid where joints bound before it, or hung on such, have its own.
    3. One that shares no skeleton with those before it is laid as the first one.

    Parameters
    ----------
    size
        H, of the rig at rest.
    """
    local = rest_pose(rig).local_matrices()
    bound: dict[int, FloatArray] = {}
    laid: dict[int, FloatArray] = {}
    model, held = _hung(rig.nodes, local, bound)
    stated = {skin: _stated(rig, skin) for skin in skins}
    for skin in sorted(skins, key=lambda skin: -len(stated[skin])):
        rows = stated[skin]
        if not len(rows):
            continue
        joints = rig.skins[skin].nodes[rows]
        joint_from_mesh = rig.skins[skin].joint_from_mesh[rows]
        known = held[joints] if held[joints].any() else np.ones(len(rows), dtype=np.bool_)
        matrices = model[joints[known]] @ joint_from_mesh[known]
        place = _common(
            matrices,
            rig.skins[skin].mesh_from_joint[rows[known], :3, 3],
            _weights(rig, skin)[rows[known]],
            NEAR * size,
        )
        laid[skin] = matrices[place]
        placed = laid[skin] @ rig.skins[skin].mesh_from_joint[rows]
        bound = dict(zip(joints.tolist(), placed, strict=True)) | bound
        model, held = _hung(rig.nodes, local, bound)
    if not laid:
        return None
    pose, palettes = rest_pose(rig), {}
    for skin in skins:
        if skin in laid:
            count = len(rig.skins[skin].joints)
            palettes[skin] = palette.of_matrices(np.tile(laid[skin], (count, 1, 1)))
        else:
            palettes[skin] = palette.of_skin(rig, skin, pose, model)
    return Frame(pose, model, palettes)


def _stated(rig: Rig, skin: int) -> IntArray:
    """Return the rows of joints whose inverse bind matrix is stated and has an inverse."""
    binds = rig.skins[skin].inverse_binds
    if binds is None:
        return np.zeros(0, dtype=np.int64)
    binds = binds[: len(rig.skins[skin].joints)]
    sound = np.all(np.isfinite(binds), axis=(1, 2))
    sound[sound] = ~affine.crushed(binds[sound][:, :3, :3])
    return np.flatnonzero(sound)


def _weights(rig: Rig, skin: int) -> FloatArray:
    """Return ``(J,)`` the sum of each joint's weights; all ones where no mesh has any."""
    count = len(rig.skins[skin].joints)
    total = np.zeros(count)
    for part in rig.skinned_parts(skin):
        influences = rig.primitive(part).influences
        if influences is not None:
            total += influences.totals(count)
    return total if np.any(total > 0.0) else np.ones(count)


def _hung(
    nodes: Nodes, local: FloatArray, bound: Mapping[int, FloatArray]
) -> tuple[FloatArray, BoolArray]:
    """Hang all nodes on those that are bound.

    Parameters
    ----------
    local
        ``(N, 4, 4)`` ``parent_from_node`` at rest.
    bound
        Node → ``model_from_node``.

    Returns
    -------
    ``(N, 4, 4)`` ``model_from_node``, and ``(N,)`` which nodes are bound or hang on such.
    """
    model, held = local.copy(), np.zeros(len(nodes), dtype=np.bool_)
    parents = np.array(nodes.parents, dtype=np.int64)
    for depth, level in enumerate(nodes.levels):
        if depth:
            model[level] = model[parents[level]] @ model[level]
            held[level] = held[parents[level]]
        for node in bound.keys() & set(level.tolist()):
            model[node], held[node] = bound[node], True
    return model, held


def _common(matrices: FloatArray, points: FloatArray, weights: FloatArray, near: float) -> int:
    """Return the place of the matrix that takes most weight to where the joints' own do.

    Parameters
    ----------
    matrices, points, weights
        ``(J, 4, 4)`` of each joint, ``(J, 3)`` where it was bound, and ``(J,)``.
    """
    taken = np.einsum("aij,bj->abi", matrices[:, :3, :3], points) + matrices[:, None, :3, 3]
    own = np.arange(len(points))
    apart = np.linalg.norm(taken - taken[own, own], axis=-1)
    agreed = (apart <= near) @ weights
    # Of those that agree with as much the one that is least away from the others.
    most = np.flatnonzero(agreed >= agreed.max())
    return int(most[np.argmin((apart @ weights)[most])])
