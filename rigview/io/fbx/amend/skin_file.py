"""The skin of a geometry as the file states it, and which of its clusters a wanted rig keeps."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.rig import Rig
from rigview.io.fbx.objects import Element, matrices
from rigview.io.fbx.reader import FbxReading
from rigview.io.fbx.skins import clusters_of
from rigview.io.reading import LoadError, SaveError, quoted


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
    geometric
        ``(4, 4)`` the new geometric transform of the node, as `ours_from_geometry`; None where it stays.
    """

    reading: FbxReading
    number: int
    skin: Element
    clusters: tuple[Element, ...]
    joints: tuple[int, ...]
    points: int
    geometric: FloatArray | None = None

    def stated_bind(self, bind: FloatArray, *, wanted: bool) -> FloatArray:
        """Return ``(4, 4)`` ``joint_from_node`` in the file's units of a rig's ``joint_from_mesh``.

        Parameters
        ----------
        wanted
            Whether it is one of the copy, in which the node may have another geometric transform.
        """
        hierarchy = self.reading.hierarchy
        ours = hierarchy.ours_from_geometry[self.number]
        if wanted and self.geometric is not None:
            ours = self.geometric
        space = self.reading.meshes.spaces[self.number] @ affine.inverse(ours[None])[0]
        result: FloatArray = hierarchy.settings.back_between_nodes((bind @ space)[None])[0]
        return result

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
    def bound_at(self) -> FloatArray | None:
        """``(4, 4)`` where the node is at bind time in the copy, as the first sound cluster has it."""
        for cluster in self.clusters:
            if not _damaged(cluster):
                stated = [cluster.node.need(name) for name in ("Transform", "TransformLink")]
                transform, frame = matrices(stated)
                place: FloatArray = np.asarray(frame @ transform)
                if self.geometric is None:
                    return place
                ours = self.reading.hierarchy.ours_from_geometry[self.number]
                moved = (ours @ affine.inverse(self.geometric[None])[0])[None]
                return place @ self.reading.hierarchy.settings.back_between_nodes(moved)[0]
        return None

    @cached_property
    def sums(self) -> FloatArray:
        """``(P,)`` what reading divides the weights of a point by."""
        total = np.zeros(self.points)
        for index, weight in self.entries:
            inside = (index >= 0) & (index < self.points)
            np.add.at(total, index[inside], weight[inside])
        return np.where(np.isfinite(total) & (total > 0.0), total, 1.0)


def _damaged(cluster: Element) -> bool:
    """Tell whether a cluster states no two matrices that can be read."""
    places = [cluster.node.child(name) for name in ("Transform", "TransformLink")]
    if None in places:
        return True
    try:
        matrices([place for place in places if place is not None])
    except LoadError:
        return True
    return False


def skin_files(
    reading: FbxReading, old: Rig, geometric: Mapping[int, FloatArray]
) -> list[SkinFile]:
    """Return the skins of all nodes that have one.

    Parameters
    ----------
    geometric
        Of `FbxChange`.
    """
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
        clusters = tuple(cluster for cluster, _ in found)
        moved = geometric.get(number)
        result.append(SkinFile(reading, number, skin, clusters, joints, points, moved))
    return result


class Slots(NamedTuple):
    """Where the clusters of a skin stand in the wanted one.

    Parameters
    ----------
    kept
        Per cluster its place in the new list of joints, None where it is dropped.
    added
        The places in that list that have no cluster yet.
    """

    kept: tuple[int | None, ...]
    added: tuple[int, ...]


def find_slots(file: SkinFile, old: Rig, new: Rig) -> Slots:
    """Match the clusters of a skin with the joints of the wanted one."""
    was, now = old.node_skins[file.node], new.node_skins[file.node]
    if was is None or now is None or old.skins[was].joints != file.joints:
        raise SaveError(f"the clusters of {file.name} are not those that were opened")
    left: dict[int, list[int]] = defaultdict(list)
    for slot, joint in enumerate(new.skins[now].joints):
        left[joint].append(slot)
    kept = tuple(left[joint].pop(0) if left[joint] else None for joint in file.joints)
    return Slots(kept, tuple(slot for slots in left.values() for slot in slots))
