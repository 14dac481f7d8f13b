"""Skins: their weights, where their joints were bound, and the clusters that come and go."""

from collections.abc import Sequence

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.rig import Rig
from rigview.io.fbx.amend.amendments import Amendments, Record
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.amend.poses import move_in_poses
from rigview.io.fbx.amend.skin_file import SkinFile, Slots, find_slots, skin_files
from rigview.io.fbx.amend.weights import write_weights
from rigview.io.fbx.objects import Element, matrices
from rigview.io.fbx.tree import Key
from rigview.io.reading import LoadError, SaveError

_CLUSTER_VERSION = 100
# Of the largest number of a matrix: binds that change alike.
_ALIKE = 1e-9
_ROUNDING = 1e-14


def amend(change: FbxChange) -> None:
    """Write the weights and binds that differ.

    Raises
    ------
    SaveError
        If the clusters of the file cannot hold them.
    """
    written: dict[Key, tuple[Amendments, Slots]] = {}
    for file in skin_files(change.reading, change.old, change.geometric):
        own = Amendments()
        if change.new.node_skins[file.node] is None:
            raise SaveError(f"the skin of {file.name} cannot be taken off an FBX file")
        slots = find_slots(file, change.old, change.new)
        wanted = write_weights(file, slots, change.old, change.new, own)
        _binds(file, slots.kept, change.old, change.new, own)
        key = file.skin.key
        if key in written:
            other, theirs = written[key]
            if slots != theirs or not _alike(other, own):
                raise SaveError(
                    f"{file.name} shares its geometry with a node whose skin changes otherwise"
                )
            continue
        written[key] = own, slots
        _change_clusters(change, file, slots, wanted)
    for own, _ in written.values():
        _join(change.amendments, own)


def _change_clusters(
    change: FbxChange, file: SkinFile, slots: Slots, wanted: dict[int, FloatArray]
) -> None:
    """Drop the clusters of joints that leave a skin, and add those of new ones."""
    for cluster, slot in zip(file.clusters, slots.kept, strict=True):
        if slot is None:
            change.drop_object(cluster.key)
    number = change.new.node_skins[file.node]
    if number is None or not slots.added:
        return
    skin = change.new.skins[number]
    for slot in slots.added:
        joint = skin.joints[slot]
        bind = file.stated_bind(skin.joint_from_mesh[slot], wanted=True)
        weights = wanted.get(joint, np.zeros(0))
        points = np.flatnonzero(weights)
        inside = [Record("Version", (("I", _CLUSTER_VERSION),))]
        if len(points):
            inside.append(Record("Indexes", (("i", points),)))
            inside.append(Record("Weights", (("d", weights[points]),)))
        inside.append(Record("Transform", (("d", as_row(bind)),)))
        place = file.bound_at
        if place is not None:
            link = place @ affine.inverse(bind[None])[0]
            inside.append(Record("TransformLink", (("d", as_row(link)),)))
        key = change.free_key()
        name = change.new.nodes.names[joint].encode() + b"\x00\x01SubDeformer"
        values = (("L", key), ("S", name), ("S", b"Cluster"))
        change.add_object(Record("Deformer", values, tuple(inside)))
        change.connect(key, file.skin.key)
        change.connect(change.key_of(joint), key)


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


def _binds(
    file: SkinFile, slots: Sequence[int | None], old: Rig, new: Rig, amendments: Amendments
) -> None:
    """Write where joints were bound: Transform, TransformLink and the bind poses, together."""
    was, now = old.node_skins[file.node], new.node_skins[file.node]
    if was is None or now is None:
        return
    before, after = old.skins[was].joint_from_mesh, new.skins[now].joint_from_mesh
    pairs = {
        number: (
            file.stated_bind(before[number], wanted=False),
            file.stated_bind(after[slot], wanted=True),
        )
        for number, slot in enumerate(slots)
        if slot is not None
        and (file.geometric is not None or not _are_same(before[number], after[slot]))
    }
    # Where the mesh itself is another, joints were where they were.
    link_too = not (
        len(pairs) == len(slots) > 0
        and (file.geometric is not None or _is_reshaped(file, old, new))
        and _change_alike(list(pairs.values()))
    )
    for number, (first, second) in pairs.items():
        _bind(file, file.clusters[number], first, second, amendments, link_too=link_too)


def _are_same(a: FloatArray, b: FloatArray) -> bool:
    """Tell whether binds differ by no more than a factor and its inverse leave."""
    return bool(np.abs(a - b).max() <= _ROUNDING * np.abs(a).max())


def _is_reshaped(file: SkinFile, old: Rig, new: Rig) -> bool:
    """Tell whether the points of a mesh change."""
    was, now = old.node_meshes[file.node], new.node_meshes[file.node]
    if was is None or now is None:
        return False
    pairs = zip(old.meshes[was].primitives, new.meshes[now].primitives, strict=True)
    return any(not np.array_equal(a.positions, b.positions) for a, b in pairs)


def _change_alike(pairs: list[tuple[FloatArray, ...]]) -> bool:
    """Tell whether all binds change by one map C, ``T' = T·C``."""
    olds, news = (np.stack(rows) for rows in zip(*pairs, strict=True))
    if not np.isfinite(news).all() or affine.crushed(olds[:, :3, :3]).any():
        return False
    maps = affine.inverse(olds) @ news
    return bool(np.abs(maps - maps[0]).max() <= _ALIKE * max(1.0, float(np.abs(maps[0]).max())))


def _bind(
    file: SkinFile,
    cluster: Element,
    old: FloatArray,
    new: FloatArray,
    amendments: Amendments,
    *,
    link_too: bool,
) -> None:
    """Write one cluster's bind.

    Parameters
    ----------
    old, new
        ``(4, 4)`` ``joint_from_node`` in the file's units.
    link_too
        Whether the joint was elsewhere when the mesh was bound; else the mesh was.
    """
    if not np.isfinite(new).all() or affine.crushed(new[:3, :3]):
        raise SaveError(f"the bind of {cluster.name} in {file.name} has no inverse")
    place, link = cluster.node.child("Transform"), cluster.node.child("TransformLink")
    if place is None:
        amendments.add(cluster.node, Record("Transform", (("d", as_row(new)),)))
    else:
        amendments.set_array(place, as_row(new))
    if link is None or not link_too:
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
