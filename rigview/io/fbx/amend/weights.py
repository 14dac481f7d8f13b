"""Weights of control points: the entries of clusters, as shares of the sums that a file states.

Reading divides the weights of a point by their sum; the file may state any. A weight is written as a share
of that sum, so that entries of other clusters stay as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.mesh import Influences
from rigview.core.rig import Rig
from rigview.io.fbx.amend.amendments import Amendments, Record
from rigview.io.fbx.amend.skin_file import SkinFile, Slots
from rigview.io.fbx.objects import Element
from rigview.io.reading import SaveError

# Shares of a weight: vertices of one point that differ by less agree, changes by less are rounding.
_AGREE, _SAME = 1e-7, 1e-12
# The one way to join weights that reading knows.
_MODES = ("", "Total1")


@dataclass(frozen=True, eq=False)
class _Shares:
    """Weights of control points for joints: ascending ``point · count + joint`` and their weights."""

    keys: IntArray
    weights: FloatArray
    count: int

    def of(self, joint: int, points: int) -> FloatArray:
        """Return ``(P,)`` the weights for one joint."""
        own = self.keys % self.count == joint
        result = np.zeros(points)
        result[self.keys[own] // self.count] = self.weights[own]
        return result

    def among(self, count: int) -> "_Shares":
        """Return the same weights where there are more nodes."""
        return _Shares(
            self.keys // self.count * count + self.keys % self.count, self.weights, count
        )


def _shares(file: SkinFile, rig: Rig) -> _Shares:
    """Return the weights of all points that the mesh uses.

    Raises
    ------
    SaveError
        If vertices of one point differ.
    """
    mesh, skin = rig.node_meshes[file.node], rig.node_skins[file.node]
    if mesh is None or skin is None:
        raise SaveError(f"the mesh of {file.name} cannot be taken off an FBX file")
    nodes, count = rig.skins[skin].nodes, len(rig.nodes)
    points = file.reading.meshes.control_points[mesh]
    keys, weights, vertices = [], [], np.zeros(file.points, dtype=np.int64)
    for primitive, at in zip(rig.meshes[mesh].primitives, points, strict=True):
        if primitive.influences is None:
            raise SaveError(f"the weights of {file.name} cannot be taken away")
        np.add.at(vertices, at, 1)
        own, share = _merged(primitive.influences, nodes, count)
        keys.append(at[own // count] * count + own % count)
        weights.append(share)
    every, value = np.concatenate(keys), np.concatenate(weights)
    order = np.argsort(every, kind="stable")
    every, value = every[order], value[order]
    found, first, counts = np.unique(every, return_index=True, return_counts=True)
    low = np.minimum.reduceat(value, first) if len(first) else value
    high = np.maximum.reduceat(value, first) if len(first) else value
    if np.any(counts != vertices[found // count]) or np.any(high - low > _AGREE):
        raise SaveError(
            f"vertices of {file.name} at one control point have different weights, and FBX has one set "
            "of weights for each control point"
        )
    return _Shares(found, high, count)


def _merged(influences: Influences, nodes: IntArray, count: int) -> tuple[IntArray, FloatArray]:
    """Return ascending ``vertex · count + joint`` of the weights that are not 0, each once."""
    valid = (influences.joints >= 0) & (influences.joints < len(nodes))
    row, slot = (valid & (influences.weights != 0.0)).nonzero()
    keys = row * count + nodes[influences.joints[row, slot]]
    found, place = np.unique(keys, return_inverse=True)
    sums = np.bincount(place.ravel(), weights=influences.weights[row, slot], minlength=len(found))
    kept = sums != 0.0
    return found[kept], sums[kept]


def write_weights(
    file: SkinFile, slots: Slots, old: Rig, new: Rig, amendments: Amendments
) -> dict[int, FloatArray]:
    """Write the weights of points where any differs; return ``(P,)`` those of joints without cluster."""
    meshes = old.node_meshes[file.node], new.node_meshes[file.node]
    if meshes[0] is None or meshes[1] is None:
        return {}
    pairs = zip(old.meshes[meshes[0]].primitives, new.meshes[meshes[1]].primitives, strict=True)
    stays = None not in slots.kept and not slots.added
    if stays and all(a.influences is b.influences for a, b in pairs):
        return {}
    was, now = _shares(file, old).among(len(new.nodes)), _shares(file, new)
    changed = _changed_points(was, now, file.points)
    for (index, _), slot in zip(file.entries, slots.kept, strict=True):
        if slot is None:
            changed[index[(index >= 0) & (index < file.points)]] = True
    if changed.any():
        _entries(file, slots.kept, now, changed, amendments)
    skin = new.node_skins[file.node]
    joints = () if skin is None else (new.skins[skin].joints[slot] for slot in slots.added)
    return {joint: now.of(joint, file.points) * file.sums for joint in joints}


def _entries(
    file: SkinFile,
    slots: Sequence[int | None],
    now: _Shares,
    changed: BoolArray,
    amendments: Amendments,
) -> None:
    """Write the weights of changed points into the clusters that stay."""
    taken: set[int] = set()
    for number, (cluster, joint) in enumerate(zip(file.clusters, file.joints, strict=True)):
        if slots[number] is None:
            continue
        mode = cluster.node.child("Mode")
        if mode is not None and mode.text() not in _MODES:
            raise SaveError(f"the cluster {cluster.name} of {file.name} has the mode {mode.text()}")
        wanted = np.zeros(file.points) if joint in taken else now.of(joint, file.points)
        taken.add(joint)
        _cluster(cluster, file.entries[number], changed, wanted * file.sums, amendments)


def _changed_points(was: _Shares, now: _Shares, points: int) -> BoolArray:
    """Return ``(P,)`` the points of which any weight differs."""
    keys, place = np.unique(np.concatenate([was.keys, now.keys]), return_inverse=True)
    signed = np.concatenate([was.weights, -now.weights])
    off = np.abs(np.bincount(place.ravel(), weights=signed, minlength=len(keys))) > _SAME
    result = np.zeros(points, dtype=np.bool_)
    result[keys[off] // now.count] = True
    return result


def _cluster(
    cluster: Element,
    entries: tuple[IntArray, FloatArray],
    changed: BoolArray,
    wanted: FloatArray,
    amendments: Amendments,
) -> None:
    """Write the entries of one cluster: those of other points stay, new ones come last.

    Parameters
    ----------
    changed, wanted
        ``(P,)`` which points have new weights, and those of this cluster.
    """
    index, weight = entries
    inside = (index >= 0) & (index < len(changed))
    of = np.where(inside, index, 0)
    stale = inside & changed[of]
    is_first = np.zeros(len(index), dtype=np.bool_)
    is_first[np.unique(index, return_index=True)[1]] = True
    kept = ~stale | (is_first & (wanted[of] != 0.0))
    value = np.where(stale, wanted[of], weight)[kept]
    missing = changed & (wanted != 0.0)
    missing[index[stale]] = False
    more = np.flatnonzero(missing)
    points = np.concatenate([index[kept], more])
    values = np.concatenate([value, wanted[more]])
    places = cluster.node.child("Indexes"), cluster.node.child("Weights")
    if places[0] is not None and places[1] is not None:
        if len(points):
            amendments.set_array(places[0], points)
            amendments.set_array(places[1], values)
        else:
            amendments.drop(places[0])
            amendments.drop(places[1])
    elif len(points):
        amendments.add(cluster.node, Record("Indexes", (("i", points),)))
        amendments.add(cluster.node, Record("Weights", (("d", values),)))
