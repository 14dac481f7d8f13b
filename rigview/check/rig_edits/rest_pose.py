"""Another rest pose: nodes turned at rest, with the meshes bound anew or left as they were bound."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rigview.check.rig_edits.reframe import UNIFORM, whole_binds
from rigview.check.rule import Refused
from rigview.core import affine, quat
from rigview.core.arrays import BoolArray, FloatArray, unit
from rigview.core.clip import Channel, Clip
from rigview.core.mesh import MorphTargets, Primitive
from rigview.core.nodes import Nodes
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.core.sentence import Sentence

# Shares of a matrix or of a translation: a local transform is a translation, a rotation and a scale.
_STATED = 1e-6
# Changes of joints that differ by less, in linear part or as a share of the size, are one change.
_ALIKE = 1e-7


def rest_turned(rig: Rig, turns: Mapping[int, FloatArray]) -> Rig:
    """Turn nodes at rest; clips get keys where a turned node had none, so that none of them changes.

    Parameters
    ----------
    turns
        Node → ``(4,)`` its turn about its own place in model space, after what is above it was turned.

    Raises
    ------
    Refused
        If unequal scale above a node would shear it.
    """
    nodes = rig.nodes
    rotations, matrices = nodes.rotations.copy(), dict(nodes.matrices)
    local = nodes.local_matrices()
    model = np.zeros_like(local)
    for node in (int(n) for level in nodes.levels for n in level):
        above = model[nodes.parents[node]] if nodes.parents[node] >= 0 else np.eye(4)
        if node in turns:
            turn = _seen_from(above, turns[node], nodes.label(node))
            local[node, :3, :3] = quat.to_matrix(turn) @ local[node, :3, :3]
            matrices.pop(node, None)
            rotations[node] = quat.normalise(quat.multiply(turn, rotations[node]))
        model[node] = above @ local[node]
    _expect_stated(nodes, turns)
    turned = Nodes(
        nodes.names, nodes.children, nodes.translations, rotations, nodes.scales, matrices
    )
    clips = tuple(_keyed(clip, nodes, turns) for clip in rig.clips)
    return replace(rig, nodes=turned, clips=clips).made_of(rig)


def _seen_from(above: FloatArray, turn: FloatArray, label: str) -> FloatArray:
    """Return a turn of model space as a node's parent ``(4, 4)`` sees it."""
    low, high = affine.scale_range(above)
    if high - low > UNIFORM * high:
        raise Refused(Sentence("unequal scale above {joint} would shear it", joint=label))
    frame = quat.from_matrix(affine.polar(above[:3, :3])[0])
    return quat.multiply(quat.multiply(quat.conjugate(frame), turn), frame)


def _expect_stated(nodes: Nodes, turns: Mapping[int, FloatArray]) -> None:
    """Expect that the matrix of every node that is turned is a translation, a rotation and a scale."""
    for node in turns.keys() & nodes.matrices.keys():
        parts = nodes.translations[node], nodes.rotations[node], nodes.scales[node]
        off = np.abs(affine.compose(*parts) - nodes.matrices[node]).max()
        if off > _STATED * np.abs(nodes.matrices[node]).max():
            raise Refused(
                Sentence("{joint} is sheared, which no key can state", joint=nodes.label(node))
            )


def _keyed(clip: Clip, nodes: Nodes, turns: Mapping[int, FloatArray]) -> Clip:
    """Return a clip with a key of how each turned node rested, where it had none of its rotation."""
    lacks = [node for node in turns if clip.curve(node, "rotation") is None]
    if not lacks:
        return clip
    at = np.array([clip.start])
    held = [Channel(n, "rotation", Sampler(at, nodes.rotations[n][None].copy())) for n in lacks]
    return replace(clip, channels=(*clip.channels, *held))


@dataclass(frozen=True, eq=False)
class NewBind:
    """Meshes that are posed and bound anew where some nodes rest turned.

    Parameters
    ----------
    rig
        As it was.
    turned
        `rest_turned` of it.
    laid
        Skin that the turned nodes move → ``(4, 4)`` ``model_from_mesh`` of its mesh as it was bound.
    """

    rig: Rig
    turned: Rig
    laid: Mapping[int, FloatArray]

    @cached_property
    def moved(self) -> BoolArray:
        """``(N,)`` which nodes rest elsewhere."""
        old, new = self._models
        return np.asarray(np.any(old != new, axis=(1, 2)))

    @cached_property
    def _models(self) -> tuple[FloatArray, FloatArray]:
        old, new = (model_from_nodes(rig, rest_pose(rig)) for rig in (self.rig, self.turned))
        return old, new

    @cached_property
    def changes(self) -> dict[int, FloatArray]:
        """Skin → ``(J, 4, 4)`` how the mesh is moved for each joint, in the space of the mesh."""
        result = {}
        for skin, laid in self.laid.items():
            joints = self.rig.skins[skin].nodes
            moved = self.moved[joints]
            each = np.tile(np.eye(4), (len(joints), 1, 1))
            binds = whole_binds(self.rig.skins[skin])[moved]
            each[moved] = affine.inverse(laid[None])[0] @ self._models[1][joints[moved]] @ binds
            result[skin] = each
        return result

    def made(self) -> Rig:
        """Return the rig with its meshes posed, and bound where the nodes rest now.

        Raises
        ------
        Refused
            If a mesh is moved by something else as well, which would see the new shape.
        """
        rig = self.turned
        for skin, laid in self.laid.items():
            binds = whole_binds(self.rig.skins[skin])
            joints = self.rig.skins[skin].nodes
            moved = self.moved[joints]
            binds[moved] = affine.inverse(self._models[1][joints[moved]]) @ laid
            rig = rig.with_skin(skin, replace(rig.skins[skin], inverse_binds=binds))
        for mesh in sorted(self._meshes()):
            skin = self._skin_of(mesh)
            for number, primitive in enumerate(rig.meshes[mesh].primitives):
                if primitive.influences is not None:
                    posed = _posed(primitive, self.changes[skin])
                    rig = rig.with_primitive(mesh, number, posed)
        return rig

    def _meshes(self) -> set[int]:
        return {m for m, skins in self.rig.mesh_skins.items() if skins & self.laid.keys()}

    def _skin_of(self, mesh: int) -> int:
        first, *others = sorted(self.rig.mesh_skins[mesh], key=lambda s: -1 if s is None else s)
        if first is None or any(self.rig.alike[o or 0] != self.rig.alike[first] for o in others):
            raise Refused(
                Sentence("the mesh {mesh} is moved in two ways", mesh=self.rig.meshes[mesh].name)
            )
        return first

    def is_exact(self, size: float) -> bool:
        """Tell whether no vertex blends joints that are moved differently: then no clip changes.

        Parameters
        ----------
        size
            Metres of the rig.
        """
        for mesh in self._meshes():
            each = self.changes[self._skin_of(mesh)].copy()
            each[:, :3, 3] /= size
            for primitive in self.rig.meshes[mesh].primitives:
                if primitive.influences is None:
                    continue
                joints = np.clip(primitive.influences.joints, 0, len(each) - 1)
                first = each[joints[np.arange(len(joints)), primitive.influences.weights.argmax(1)]]
                apart = np.abs(each[joints] - first[:, None]).max(axis=(2, 3))
                if np.any((apart > _ALIKE) & (primitive.influences.weights != 0.0)):
                    return False
        return True


def _posed(primitive: Primitive, changes: FloatArray) -> Primitive:
    """Return a primitive moved by the changes ``(J, 4, 4)`` of its joints, blended by its weights."""
    influences = primitive.influences
    if influences is None:
        return primitive
    changed = np.any(changes != np.eye(4), axis=(1, 2))
    whole = influences.normalised(len(changes))
    valid = (whole.joints >= 0) & (whole.joints < len(changes)) & (whole.weights != 0.0)
    joints = np.where(valid, whole.joints, 0)
    rows = np.flatnonzero(np.any(valid & changed[joints], axis=1))
    if not len(rows):
        return primitive
    weights = np.where(valid, whole.weights, 0.0)[rows]
    blended = np.einsum("vk,vkij->vij", weights, changes[joints[rows]])
    linear = blended[:, :3, :3]
    positions = primitive.positions.copy()
    positions[rows] = np.einsum("vij,vj->vi", linear, positions[rows]) + blended[:, :3, 3]
    normals, tangents = primitive.normals, primitive.tangents
    if normals is not None:
        normals = normals.copy()
        normals[rows] = unit(np.einsum("vij,vj->vi", affine.cofactor(linear), normals[rows]))
    if tangents is not None:
        tangents = tangents.copy()
        tangents[rows, :3] = unit(np.einsum("vij,vj->vi", linear, tangents[rows, :3]))
    morphs = primitive.morphs
    if morphs is not None:
        morphs = _morphs_posed(morphs, rows.tolist(), linear)
    return replace(
        primitive, positions=positions, normals=normals, tangents=tangents, morphs=morphs
    )


def _morphs_posed(morphs: MorphTargets, rows: list[int], linear: FloatArray) -> MorphTargets:
    """Return morph targets whose displacements of some vertices are turned with them ``(n, 3, 3)``."""
    turn, _ = affine.polar(linear)
    normals, tangents = morphs.normals, morphs.tangents
    return replace(
        morphs,
        positions=_turned(morphs.positions, rows, linear),
        normals=None if normals is None else _turned(normals, rows, turn),
        tangents=None if tangents is None else _turned(tangents, rows, turn),
    )


def _turned(values: FloatArray, rows: list[int], linear: FloatArray) -> FloatArray:
    """Return ``(T, V, 3)`` displacements, those of some vertices changed by ``(n, 3, 3)``."""
    result = values.copy()
    result[:, rows] = np.einsum("vij,tvj->tvi", linear, values[:, rows])
    return result


def skins_moved(rig: Rig, nodes: Set[int]) -> tuple[int, ...]:
    """Return the skins that list any of some nodes, or of what hangs under them."""
    below = rig.nodes.with_descendants(nodes)
    return tuple(i for i, skin in enumerate(rig.skins) if not below.isdisjoint(skin.joints))
