"""The nodes of a rig where they were when its meshes were attached, as its inverse bind matrices say.

A skin's inverse bind matrices place joints about the mesh as it was modelled, not in the scene. Each mesh
is laid where most of its weight rests as it was bound, so that what stands out is posed and not moved.
"""

from collections.abc import Sequence

import numpy as np

from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.frame import Frame
from rigview.core.methods import palette
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
    bound, places = np.zeros(len(rig.nodes), dtype=np.bool_), local.copy()
    laid: dict[int, FloatArray] = {}
    model, held = _hung(rig.nodes, local, bound, places)
    stated = {skin: _stated(rig, skin) for skin in skins}
    for skin in sorted(skins, key=lambda skin: -len(stated[skin])):
        rows = stated[skin]
        if not len(rows):
            continue
        joints, mesh_from_joint = rig.skins[skin].nodes[rows], rig.skins[skin].mesh_from_joint[rows]
        laid[skin] = _model_from_mesh(rig, skin, rows, model, held, NEAR * size)
        new = ~bound[joints]
        places[joints[new]] = laid[skin] @ mesh_from_joint[new]
        bound[joints] = True
        model, held = _hung(rig.nodes, local, bound, places)
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


def _model_from_mesh(
    rig: Rig, skin: int, rows: IntArray, model: FloatArray, held: BoolArray, near: float
) -> FloatArray:
    """Return where the mesh of a skin was, ``(4, 4)``, by the joints of these rows.

    Parameters
    ----------
    model, held
        ``(N, 4, 4)`` ``model_from_node``, and ``(N,)`` the nodes of which it is known; where it is of
        none of the joints all of them are asked.
    """
    joints = rig.skins[skin].nodes[rows]
    if held[joints].any():
        rows, joints = rows[held[joints]], joints[held[joints]]
    matrices = model[joints] @ rig.skins[skin].joint_from_mesh[rows]
    points = rig.skins[skin].mesh_from_joint[rows, :3, 3]
    place = _common(matrices, points, _weights(rig, skin)[rows], near)
    result: FloatArray = matrices[place]
    return result


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
    nodes: Nodes, local: FloatArray, bound: BoolArray, places: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Hang all nodes on those that are bound.

    Parameters
    ----------
    local
        ``(N, 4, 4)`` ``parent_from_node`` at rest.
    bound, places
        ``(N,)`` which nodes are, and their ``(N, 4, 4)`` ``model_from_node``.

    Returns
    -------
    ``(N, 4, 4)`` ``model_from_node``, and ``(N,)`` which nodes are bound or hang on such.
    """
    model, held = np.where(bound[:, None, None], places, local), bound.copy()
    parents = np.array(nodes.parents, dtype=np.int64)
    for level in nodes.levels[1:]:
        free = level[~bound[level]]
        model[free] = model[parents[free]] @ model[free]
        held[free] = held[parents[free]]
    return model, held


def _common(matrices: FloatArray, points: FloatArray, weights: FloatArray, near: float) -> int:
    """Return the place of the matrix that takes most weight to where the joints' own do.

    Parameters
    ----------
    matrices, points, weights
        ``(J, 4, 4)`` of each joint, ``(J, 3)`` where it was bound, and ``(J,)``.
    """
    own = np.einsum("jik,jk->ji", matrices[:, :3, :3], points) + matrices[:, :3, 3]
    agreed, away = np.zeros(len(points)), np.zeros(len(points))
    # One by one: all at once are J² points, which is slower and takes a hundred times the memory.
    for joint, matrix in enumerate(matrices):
        gap = points @ matrix[:3, :3].T + matrix[:3, 3] - own
        apart = np.sqrt(np.einsum("ji,ji->j", gap, gap))
        agreed[joint], away[joint] = (apart <= near) @ weights, apart @ weights
    # Of those that agree with as much the one that is least away from the others.
    most = np.flatnonzero(agreed >= agreed.max())
    return int(most[np.argmin(away[most])])
