"""A rig beside what ufbx has of its file: weights, bind matrices, and the skin at rest and in all clips."""

import numpy as np
import ufbx_skins
from scipy.spatial import cKDTree

from rigview.core import quat
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.io import Listener
from rigview.io.fbx.reader import document, read

# Of the size: numbers of keys have 32 bits. Weights are compared as shares of their sum.
NEAR_PLACES, NEAR_WEIGHTS, NEAR_BINDS = 1e-5, 1e-6, 1e-6
# Points that stand together at rest: the one of them with the same weights is looked for.
_TOGETHER = 16


def assert_read_alike(path, rig, folder):
    """Expect ufbx to read, of a file, the skin of a rig: at all times, and joint by joint."""
    found = ufbx_skins.reads(path, folder)
    names = sorted({rig.nodes.names[joint] for skin in rig.skins for joint in skin.joints})
    theirs = _their_points(path, found, names, folder)
    ours = _our_points(rig, names, found["times"])
    if not len(ours[0]):
        return
    size = np.ptp(ours[0][:, 0], axis=0).max()
    tree, most = cKDTree(theirs[0][:, 0]), min(_TOGETHER, len(theirs[0]))
    _, near = tree.query(ours[0][:, 0], most)
    near = near.reshape(len(near), most)
    weights_off = np.abs(theirs[1][near] - ours[1][:, None]).max(axis=-1)
    places_off = np.abs(theirs[0][near] - ours[0][:, None]).max(axis=(-1, -2)) / size
    off = np.maximum(weights_off / NEAR_WEIGHTS, places_off / NEAR_PLACES).min(axis=1)
    assert off.max() <= 1.0
    _assert_binds_alike(found, rig)


def _their_points(path, found, names, folder):
    """Return ``(P, S, 3)`` places as rigview has axes and unit, and ``(P, J)`` shares of joints."""
    hierarchy = read(document(path), Listener()).hierarchy
    states = len(found["times"])
    places, weights = [np.zeros((0, states, 3))], [np.zeros((0, len(names)))]
    for skin, moved in ufbx_skins.vertices(path, folder).items():
        metres = moved / found["unit"] @ hierarchy.settings.ours_from_file[:3, :3].T
        places.append(np.moveaxis(quat.rotate(hierarchy.turn, metres), 0, 1))
        own = found[f"weights {skin}"]
        own = own[:, own.sum(axis=0) > 0.0]
        labels = found["names"][found[f"joints {skin}"]]
        weights.append(_by_name(own.T / own.sum(axis=0)[:, None], labels, names))
    return np.concatenate(places), np.concatenate(weights)


def _our_points(rig, names, times):
    """Return the same of the vertices that follow joints, by matrices blended in double precision."""
    poses = [rest_pose(rig)]
    per_clip = (len(times) - 1) // max(len(rig.clips), 1)
    assert len(times) == 1 + per_clip * len(rig.clips)
    for number, clip in enumerate(rig.clips):
        poses += [sample(rig, clip, t) for t in times[1 + number * per_clip :][:per_clip]]
    nodes = np.stack([model_from_nodes(rig, pose) for pose in poses])
    places, weights = [np.zeros((0, len(poses), 3))], [np.zeros((0, len(names)))]
    for part in rig.parts:
        primitive, number = (
            rig.meshes[part.mesh].primitives[part.primitive],
            rig.node_skins[part.node],
        )
        if number is None or primitive.influences is None:
            continue
        skin, influences = rig.skins[number], primitive.influences
        dense = np.zeros((len(primitive.positions), len(skin.joints)))
        rows = np.arange(len(dense))[:, None]
        np.add.at(dense, (rows, influences.joints), influences.weights)
        followed = dense.sum(axis=1) > 0.0
        dense = dense[followed] / dense[followed].sum(axis=1)[:, None]
        points = np.pad(primitive.positions[followed], ((0, 0), (0, 1)), constant_values=1.0)
        matrices = nodes[:, list(skin.joints)] @ skin.joint_from_mesh
        places.append(
            np.einsum("pj,sjik,pk->psi", dense, matrices[:, :, :3], points, optimize=True)
        )
        labels = [rig.nodes.names[joint] for joint in skin.joints]
        weights.append(_by_name(dense, labels, names))
    return np.concatenate(places), np.concatenate(weights)


def _by_name(weights, labels, names):
    """Return ``(P, N)`` of ``(P, J)``: what joints of a name have together."""
    result = np.zeros((len(weights), len(names)))
    for column, label in zip(weights.T, labels, strict=True):
        if label in names:
            result[:, names.index(label)] += column
        else:
            assert not column.any()
    return result


def _assert_binds_alike(found, rig):
    """Expect, in every skin, the same place of each joint in the bind beside that of its first one."""
    stated = {}
    for key in (key for key in found if key.startswith("binds ")):
        labels = found["names"][found[key.replace("binds", "joints")]].tolist()
        stated[frozenset(labels)] = dict(zip(labels, ufbx_skins.whole(found[key]), strict=True))
    for skin in rig.skins:
        labels = [rig.nodes.names[joint] for joint in skin.joints]
        theirs = stated[frozenset(labels)]
        first, scale = labels[0], found["unit"]
        size = max(1.0, np.abs(skin.joint_from_mesh[:, :3, 3]).max())
        for label, own in zip(labels, skin.joint_from_mesh, strict=True):
            ours = own @ np.linalg.inv(skin.joint_from_mesh[0])
            seen = theirs[label] @ np.linalg.inv(theirs[first])
            seen[:3, 3] *= scale
            assert np.abs(ours - seen).max() <= NEAR_BINDS * size, label
