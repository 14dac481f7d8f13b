"""Skins: clusters of weighted control points, one for each joint."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.mesh import FileMethod
from rigview.io.fbx.blocks import batches, blocks, in_one, paced
from rigview.io.fbx.hierarchy import FbxHierarchy
from rigview.io.fbx.objects import Element, Objects, matrices
from rigview.io.fbx.tree import Node, bounded
from rigview.io.reading import LoadError, Notes

# corpus: no file has sums off by between 1e-5 and 1e-2, so this tells rounding from another intent.
_SUM_TOLERANCE = 1e-3
# corpus: no file's clusters disagree by more than 1e-6.
_AGREEMENT = 1e-2
_BYTES_A_SLOT = 16


@dataclass(frozen=True, eq=False)
class PointInfluences:
    """How a mesh hangs on its joints, per control point.

    Parameters
    ----------
    nodes
        ``(J,)`` numbers of the joints in the hierarchy.
    joint_from_node
        ``(J, 4, 4)`` from the space of the mesh's node.
    joints, weights
        ``(P, K)``.
    method
        What the file asks for; None where it says nothing.
    dual_quaternion
        ``(P,)`` share of dual quaternion skinning, 0 to 1, where the method is "blended".
    """

    name: str
    nodes: tuple[int, ...]
    joint_from_node: FloatArray
    joints: IntArray
    weights: FloatArray
    method: FileMethod | None
    dual_quaternion: FloatArray | None

    @property
    def unbound(self) -> BoolArray:
        """``(P,)`` the points that no joint moves: they stay with the mesh's node."""
        return ~(self.weights != 0.0).any(axis=1)


def read_skin(
    owner: Element,
    model: int,
    points: int,
    objects: Objects,
    hierarchy: FbxHierarchy,
    notes: Notes,
) -> PointInfluences | None:
    """Read the skin of a mesh; None where it has none.

    Parameters
    ----------
    owner
        What the skin is connected to: the geometry or, before version 7, the node.
    model
        The mesh's node in the hierarchy.
    points
        How many control points the mesh has.
    """
    skins = objects.sources(owner.key, "Deformer", "Skin")
    if not skins:
        return None
    if len(skins) > 1:
        notes.leave_out(
            "influences", f"the mesh {owner.name} has {len(skins)} skins: the first one moves it"
        )
    skin = skins[0]
    name = owner.name or hierarchy.names[model]
    clusters: list[Element] = []
    nodes: list[int] = []
    for cluster, bone in clusters_of(skin, objects, hierarchy):
        if bone is not None:
            clusters.append(cluster)
            nodes.append(bone)
        else:
            notes.append(f"the cluster {cluster.name} of {name} names no joint: ignored")
    if not nodes:
        return None
    joints, weights = _slots(skin, _entries(clusters, points, notes), points)
    weights = _normalised(weights, name, notes)
    skin.node.document.pulse()
    binds, disagree = _binds(clusters, nodes, model, hierarchy)
    if disagree:
        notes.append(
            f"the clusters of {name} disagree on where it was when it was bound: it is taken to have "
            "been where it stands"
        )
    return PointInfluences(
        skin.name,
        tuple(nodes),
        binds,
        joints,
        weights,
        *_method(skin, points),
    )


def clusters_of(
    skin: Element, objects: Objects, hierarchy: FbxHierarchy
) -> Iterator[tuple[Element, int | None]]:
    """Yield the clusters of a skin, each with its joint in the hierarchy, None where it names none."""
    for cluster in paced(objects.sources(skin.key, "Deformer", "Cluster"), objects.pulse):
        bones = map(hierarchy.numbers.get, objects.source_keys(cluster.key, "Model"))
        yield cluster, next((bone for bone in bones if bone is not None), None)


def _binds(
    clusters: list[Element], nodes: list[int], model: int, hierarchy: FbxHierarchy
) -> tuple[FloatArray, bool]:
    """Return ``(J, 4, 4)`` ``joint_from_node``, and whether the clusters contradict each other.

    Stated as Transform; where that is missing or cannot be, it is made of where the joint was by
    TransformLink, else is in the rest pose, and where the mesh is in the rest pose.
    """
    places = _places(clusters, "Transform")
    links = _links(clusters)
    linked = np.isfinite(links[:, 0, 0])
    result = np.full((len(clusters), 4, 4), np.nan)
    stated = np.array([place is not None for place in places])
    clusters[0].node.document.pulse()
    if stated.any():
        result[stated] = matrices([place for place in places if place is not None])
    both = stated & linked
    disagree = _disagree(links[both] @ result[both], links[both])
    if disagree:
        stated = stated & ~linked
    result[stated] = hierarchy.settings.between_nodes(result[stated])
    if not stated.all():
        frames = hierarchy.rest_frames
        clusters[0].node.document.pulse()
        joints = np.where(linked[:, None, None], hierarchy.model_from_file(links), frames[nodes])
        result[~stated] = affine.inverse(joints[~stated]) @ frames[model]
    return result, disagree


def _places(clusters: list[Element], name: str) -> list[Node | None]:
    """Return what clusters state by a name."""
    pulse = clusters[0].node.document.pulse
    return [cluster.node.child(name) for cluster in paced(clusters, pulse)]


def _links(clusters: list[Element]) -> FloatArray:
    """Return ``(J, 4, 4)`` where the joints were in the file's space, not numbers where unknown.

    Most files need them only to be checked: damaged ones are as good as none.
    """
    result = np.full((len(clusters), 4, 4), np.nan)
    places = _places(clusters, "TransformLink")
    stated = [i for i, place in enumerate(places) if place is not None]
    if stated:
        with suppress(LoadError):
            result[stated] = matrices([place for place in places if place is not None])
    return result


def _disagree(meshes: FloatArray, links: FloatArray) -> bool:
    """Tell whether frames of one mesh, ``(n, 4, 4)``, are not the same for all joints."""
    if len(meshes) < 2:
        return False
    off = np.abs(meshes - meshes[0])
    turned = np.max(off[:, :3, :3]) > _AGREEMENT * np.max(np.abs(meshes[0, :3, :3]))
    reach = max(np.max(np.abs(links[:, :3, 3])), np.max(np.abs(meshes[0, :3, 3])))
    moved = np.max(off[:, :3, 3]) > _AGREEMENT * reach
    return bool(turned or moved)


def _entries(
    clusters: list[Element], points: int, notes: list[str]
) -> tuple[IntArray, FloatArray, IntArray]:
    """Return control points, weights and joints of all influences, cluster by cluster.

    Zero weights are no influence.
    """
    indices: list[IntArray] = [np.zeros(0, dtype=np.int64)]
    weights: list[FloatArray] = [np.zeros(0)]
    counts = np.zeros(len(clusters), dtype=np.int64)
    pulse = clusters[0].node.document.pulse
    for number, cluster in enumerate(paced(clusters, pulse)):
        place, stated = cluster.node.child("Indexes"), cluster.node.child("Weights")
        if place is not None and stated is not None:
            indices.append(place.integers())
            weights.append(stated.array())
            counts[number] = len(indices[-1])
            if len(weights[-1]) != counts[number]:
                raise stated.error(f"{len(weights[-1])} weights for {counts[number]} points")
    index, weight = _end_to_end(indices, pulse), bounded(_end_to_end(weights, pulse))
    joint = np.repeat(np.arange(len(clusters)), counts)
    inside = (index >= 0) & (index < points)
    if not inside.all():
        outside = np.bincount(joint[~inside], minlength=len(clusters)).tolist()
        notes.extend(
            f"the cluster {cluster.name} weights {count} points that the mesh does not have: ignored"
            for cluster, count in zip(clusters, outside, strict=True)
            if count
        )
    used = inside & (weight != 0.0)
    return index[used], weight[used], joint[used]


def _end_to_end(rows: list[NDArray[Any]], pulse: Callable[[], None]) -> NDArray[Any]:
    """Return rows one after the other, however many there are."""
    return in_one([np.concatenate(some) for some in batches(rows, pulse)])


def _slots(
    skin: Element, entries: tuple[IntArray, FloatArray, IntArray], points: int
) -> tuple[IntArray, FloatArray]:
    """Return ``(P, K)`` joints and weights, the joints of a point in the order of the clusters."""
    pulse = skin.node.document.pulse
    counts = np.bincount(entries[0], minlength=points)
    width = max(1, int(counts.max(initial=0)))
    skin.node.document.allowance.spend(skin.node, points * width * _BYTES_A_SLOT)
    joints, weights = np.zeros((points, width), dtype=np.int64), np.zeros((points, width))
    for rows in blocks(points, pulse):
        index, weight, joint = entries
        if rows.stop - rows.start < points:
            inside = (index >= rows.start) & (index < rows.stop)
            index, weight, joint = index[inside], weight[inside], joint[inside]
        order = np.argsort(index, kind="stable")
        index = index[order]
        before = np.cumsum(counts[rows]) - counts[rows]
        slot = np.arange(len(index)) - np.repeat(before, counts[rows])
        joints[index, slot], weights[index, slot] = joint[order], weight[order]
    return joints, weights


def _normalised(weights: FloatArray, name: str, notes: list[str]) -> FloatArray:
    """Scale the weights of every point to a sum of one, as FBX's link mode prescribes."""
    total = np.sum(weights, axis=1)
    sound = np.isfinite(total) & (total > 0.0)
    off = sound & (np.abs(total - 1.0) > _SUM_TOLERANCE)
    if off.any():
        worst = float(np.max(np.abs(total[off] - 1.0)))
        notes.append(
            f"{int(off.sum())} points of {name} have weights off one by up to {worst:.3g}: "
            "normalised, as FBX prescribes"
        )
    return weights / np.where(sound, total, 1.0)[:, None]


def _method(skin: Element, points: int) -> tuple[FileMethod | None, FloatArray | None]:
    """Return the method that a skin asks for and, where it blends, ``(P,)`` shares of DQS.

    Exporters write "Blend" also where no point has any share: the shares decide.
    """
    kind = skin.node.child("SkinningType")
    word = "" if kind is None else kind.text()
    if word != "Blend":
        methods: dict[str, FileMethod] = {"DualQuaternion": "dqs", "Linear": "lbs", "Rigid": "lbs"}
        return methods.get(word), None
    place, stated = skin.node.child("Indexes"), skin.node.child("BlendWeights")
    if place is None or stated is None:
        return "lbs", None
    index, share = place.integers(), stated.floats()
    if len(index) != len(share):
        raise stated.error(f"{len(share)} blend weights for {len(index)} points")
    result = np.zeros(points)
    inside = (index >= 0) & (index < points) & np.isfinite(share)
    result[index[inside]] = np.clip(share[inside], 0.0, 1.0)
    return ("blended", result) if np.any(result) else ("lbs", None)
