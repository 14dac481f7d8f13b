"""Weights and binds of skins: the clusters whose entries change, and where their joints were bound.

Reading divides the weights of a point by their sum; the file may state any. A weight is written as a share
of that sum, so that entries of other clusters stay as they are.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.mesh import Influences
from rigview.core.rig import Rig
from rigview.io.fbx.amend.amendments import Amendments, Record
from rigview.io.fbx.amend.change import Change
from rigview.io.fbx.amend.poses import move_in_poses
from rigview.io.fbx.objects import Element, matrices
from rigview.io.fbx.reader import Reading
from rigview.io.fbx.skins import clusters_of
from rigview.io.reading import LoadError, SaveError, quoted

# Shares of a weight: vertices of one point that differ by less agree, changes by less are rounding.
_AGREE, _SAME = 1e-7, 1e-12
# The one way to join weights that reading knows.
_MODES = ("", "Total1")


@dataclass(frozen=True, eq=False)
class SkinFile:
    """The skin of a geometry as the file states it.

    Parameters
    ----------
    number
        The node of the hierarchy that shows the geometry.
    clusters, joints
        What reading takes, in the order of the rig's skin: objects, and nodes of the rig.
    points
        How many control points there are.
    """

    reading: Reading
    number: int
    skin: Element
    clusters: tuple[Element, ...]
    joints: tuple[int, ...]
    points: int

    @property
    def node(self) -> int:
        """The rig's node that shows the geometry."""
        return int(self.reading.hierarchy.node_of[self.number])

    @property
    def name(self) -> str:
        """What messages call it."""
        return quoted(self.reading.hierarchy.names[self.number])

    @cached_property
    def entries(self) -> list[tuple[IntArray, FloatArray]]:
        """Per cluster its points and stated weights."""
        result = []
        for cluster in self.clusters:
            place, stated = cluster.node.child("Indexes"), cluster.node.child("Weights")
            if place is None or stated is None:
                result.append((np.zeros(0, dtype=np.int64), np.zeros(0)))
            else:
                result.append((place.integers(), stated.floats()))
        return result

    @cached_property
    def sums(self) -> FloatArray:
        """``(P,)`` what reading divides the weights of a point by."""
        total = np.zeros(self.points)
        for index, weight in self.entries:
            inside = (index >= 0) & (index < self.points)
            np.add.at(total, index[inside], weight[inside])
        return np.where(np.isfinite(total) & (total > 0.0), total, 1.0)


def skin_files(reading: Reading, old: Rig) -> list[SkinFile]:
    """Return the skins of all nodes that have one."""
    result = []
    objects, hierarchy = reading.objects, reading.hierarchy
    for number, geometry in reading.meshes.geometries.items():
        node = int(hierarchy.node_of[number])
        if old.node_skins[node] is None:
            continue
        skin = objects.sources(geometry.key, "Deformer", "Skin")[0]
        found = [(c, bone) for c, bone in clusters_of(skin, objects, hierarchy) if bone is not None]
        joints = tuple(int(hierarchy.node_of[bone]) for _, bone in found)
        place = geometry.node.child("Vertices")
        points = 0 if place is None else len(place.array()) // 3
        result.append(SkinFile(reading, number, skin, tuple(c for c, _ in found), joints, points))
    return result


def amend(change: Change) -> None:
    """Write the weights and binds that differ.

    Raises
    ------
    SaveError
        If the clusters of the file cannot hold them.
    """
    reading, old, new = change.reading, change.old, change.new
    written: dict[object, Amendments] = {}
    for file in skin_files(reading, old):
        own = Amendments()
        if new.node_skins[file.node] is None:
            raise SaveError(f"the skin of {file.name} cannot be taken off an FBX file")
        slots = _kept_slots(file, old, new)
        _weights(file, slots, old, new, own)
        _binds(file, slots, old, new, own)
        key = file.skin.key
        if key in written and not _alike(written[key], own):
            raise SaveError(
                f"{file.name} shares its geometry with a node whose skin changes otherwise"
            )
        written[key] = own
    for own in written.values():
        _join(change.amendments, own)


def _join(whole: Amendments, own: Amendments) -> None:
    whole.arrays.update(own.arrays)
    for place, numbers in own.numbers.items():
        whole.numbers[place].update(numbers)
    for place, records in own.added.items():
        whole.added[place].extend(records)
    whole.dropped |= own.dropped


def _alike(a: Amendments, b: Amendments) -> bool:
    """Tell whether two users of a skin change it alike."""
    return (
        a.arrays.keys() == b.arrays.keys()
        and all(np.allclose(row, b.arrays[place], 1e-9, 1e-9) for place, row in a.arrays.items())
        and a.added.keys() == b.added.keys()
        and a.dropped == b.dropped
    )


def _kept_slots(file: SkinFile, old: Rig, new: Rig) -> list[int | None]:
    """Return per cluster its place in the new skin's list of joints, None where it is dropped."""
    was, now = old.node_skins[file.node], new.node_skins[file.node]
    if was is None or now is None or old.skins[was].joints != file.joints:
        raise SaveError(f"the clusters of {file.name} are not those that were opened")
    left: dict[int, list[int]] = defaultdict(list)
    for slot, joint in enumerate(new.skins[now].joints):
        left[joint].append(slot)
    result = [left[joint].pop(0) if left[joint] else None for joint in file.joints]
    added = [joint for joint, slots in left.items() if slots]
    if added:
        names = ", ".join(new.nodes.label(joint) for joint in added)
        raise SaveError(f"{names} is to be a joint of {file.name}, which has no cluster for it")
    if None in result:
        names = ", ".join(
            quoted(old.nodes.label(j))
            for j, s in zip(file.joints, result, strict=True)
            if s is None
        )
        raise SaveError(f"the clusters of {names} in {file.name} cannot be taken away yet")
    return result


@dataclass(frozen=True, eq=False)
class _Shares:
    """Weights of control points for joints: ascending ``point · count + joint`` and their weights."""

    keys: IntArray
    weights: FloatArray
    count: int

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


def _weights(
    file: SkinFile, slots: list[int | None], old: Rig, new: Rig, amendments: Amendments
) -> None:
    """Write the weights of points where any differs."""
    meshes = old.node_meshes[file.node], new.node_meshes[file.node]
    if meshes[0] is None or meshes[1] is None:
        return
    pairs = zip(old.meshes[meshes[0]].primitives, new.meshes[meshes[1]].primitives, strict=True)
    if None not in slots and all(a.influences is b.influences for a, b in pairs):
        return
    was, now = _shares(file, old).among(len(new.nodes)), _shares(file, new)
    changed = _changed_points(was, now, file.points)
    for (index, _), slot in zip(file.entries, slots, strict=True):
        if slot is None:
            changed[index[(index >= 0) & (index < file.points)]] = True
    if changed.any():
        _entries(file, slots, now, changed, amendments)


def _entries(
    file: SkinFile,
    slots: list[int | None],
    now: _Shares,
    changed: BoolArray,
    amendments: Amendments,
) -> None:
    """Write the weights of changed points into the clusters that stay."""
    count = now.count
    taken: set[int] = set()
    for number, (cluster, joint) in enumerate(zip(file.clusters, file.joints, strict=True)):
        if slots[number] is None:
            continue
        mode = cluster.node.child("Mode")
        if mode is not None and mode.text() not in _MODES:
            raise SaveError(f"the cluster {cluster.name} of {file.name} has the mode {mode.text()}")
        wanted = np.zeros(file.points)
        if joint not in taken:
            own = now.keys % count == joint
            wanted[now.keys[own] // count] = now.weights[own]
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


def _binds(
    file: SkinFile, slots: list[int | None], old: Rig, new: Rig, amendments: Amendments
) -> None:
    """Write where joints were bound: Transform, TransformLink and the bind poses, together."""
    was, now = old.node_skins[file.node], new.node_skins[file.node]
    if was is None or now is None:
        return
    reading = file.reading
    before, after = old.skins[was].joint_from_mesh, new.skins[now].joint_from_mesh
    if before is after:
        return
    ours = reading.hierarchy.ours_from_geometry[file.number]
    space = reading.meshes.spaces[file.number] @ affine.inverse(ours[None])[0]
    for number, slot in enumerate(slots):
        if slot is None or np.array_equal(before[number], after[slot]):
            continue
        pair = np.stack([before[number], after[slot]]) @ space
        stated = reading.hierarchy.settings.back_between_nodes(pair)
        _bind(file, file.clusters[number], stated[0], stated[1], amendments)


def _bind(
    file: SkinFile, cluster: Element, old: FloatArray, new: FloatArray, amendments: Amendments
) -> None:
    """Write one cluster's bind.

    Parameters
    ----------
    old, new
        ``(4, 4)`` ``joint_from_node`` in the file's units.
    """
    if not np.isfinite(new).all() or affine.crushed(new[:3, :3]):
        raise SaveError(f"the bind of {cluster.name} in {file.name} has no inverse")
    place, link = cluster.node.child("Transform"), cluster.node.child("TransformLink")
    if place is None:
        amendments.add(cluster.node, Record("Transform", (("d", as_row(new)),)))
    else:
        amendments.set_array(place, as_row(new))
    if link is None:
        return
    try:
        (stated,) = matrices([link])
    except LoadError:
        raise SaveError(f"the TransformLink of {cluster.name} in {file.name} is damaged") from None
    moved = stated @ old @ affine.inverse(new[None])[0]
    amendments.set_array(link, as_row(moved))
    objects = file.reading.objects
    for joint in objects.source_keys(cluster.key, "Model"):
        move_in_poses(objects, joint, stated, moved, amendments)


def as_row(matrix: FloatArray) -> FloatArray:
    """Return the 16 numbers of a ``(4, 4)`` matrix as the file lists them, column by column."""
    return np.ascontiguousarray(matrix.T.reshape(16))
