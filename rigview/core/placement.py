"""A rig in other units, and turned so that another axis is up."""

from dataclasses import replace
from typing import Literal

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip
from rigview.core.mesh import Mesh, MorphTargets, Primitive
from rigview.core.rig import Rig, Skin

Up = Literal["X", "Y", "Z"]
# Lengths that differ by less, as a share of the largest, are the same but for rounding.
_SAME = 1e-9
_HALF = float(np.sqrt(0.5))
# The rotation that takes an axis to +Y, about the third one.
_TO_Y: dict[Up, FloatArray] = {
    "X": np.array([0.0, 0.0, _HALF, _HALF]),
    "Y": np.array(quat.IDENTITY),
    "Z": np.array([-_HALF, 0.0, 0.0, _HALF]),
}


def to_y_up(up: Up) -> FloatArray:
    """Return the quaternion, xyzw, that turns the axis `up` to +Y."""
    return _TO_Y[up]


def scaled(rig: Rig, factor: float) -> Rig:
    """Return the rig with every length multiplied by `factor`; no rotation and no scale changes."""
    if factor == 1.0:
        return rig
    nodes = rig.nodes
    return replace(
        rig,
        nodes=replace(
            nodes,
            translations=nodes.translations * factor,
            matrices={n: _scaled_matrices(m, factor) for n, m in nodes.matrices.items()},
        ),
        meshes=tuple(_scaled_mesh(mesh, factor) for mesh in rig.meshes),
        skins=tuple(_scaled_skin(skin, factor) for skin in rig.skins),
        clips=tuple(_scaled_clip(clip, factor) for clip in rig.clips),
    )


def length_factor(old: Rig, new: Rig) -> float:
    """Return what all translations and points of a rig were multiplied by; 1 where that is no one number.

    Nodes that are new are left out. One length alone is no unit: something was moved.
    """
    rows: list[tuple[FloatArray, FloatArray]] = [
        (old.nodes.translations, new.nodes.translations[: len(old.nodes)])
    ]
    for a, b in zip(old.meshes, new.meshes, strict=False):
        rows += [
            (p.positions, q.positions) for p, q in zip(a.primitives, b.primitives, strict=False)
        ]
    if any(was.shape != now.shape for was, now in rows):
        return 1.0
    if sum(int(np.any(was != 0.0, axis=1).sum()) for was, _ in rows) < 2:
        return 1.0
    sizes = [tuple(float(np.abs(row).max(initial=0.0)) for row in pair) for pair in rows]
    largest, size = max(sizes, default=(0.0, 0.0))
    factor = size / largest if largest > 0.0 else 1.0
    if not np.isfinite(factor) or factor <= 0.0 or abs(factor - 1.0) <= _SAME:
        return 1.0
    for (was, now), (_, size) in zip(rows, sizes, strict=True):
        if not np.abs(was * factor - now).max(initial=0.0) <= _SAME * max(size, _SAME):
            return 1.0
    return factor


def _scaled_matrices(matrices: FloatArray, factor: float) -> FloatArray:
    result = matrices.copy()
    result[..., :3, 3] *= factor
    return result


def _scaled_mesh(mesh: Mesh, factor: float) -> Mesh:
    return replace(mesh, primitives=tuple(_scaled_primitive(p, factor) for p in mesh.primitives))


def _scaled_primitive(primitive: Primitive, factor: float) -> Primitive:
    morphs = primitive.morphs
    if morphs is not None:
        morphs = MorphTargets(
            morphs.positions * factor, morphs.normals, morphs.tangents, morphs.names
        )
    return replace(primitive, positions=primitive.positions * factor, morphs=morphs)


def _scaled_skin(skin: Skin, factor: float) -> Skin:
    if skin.inverse_binds is None:
        return skin
    return replace(skin, inverse_binds=_scaled_matrices(skin.inverse_binds, factor))


def _scaled_clip(clip: Clip, factor: float) -> Clip:
    return replace(
        clip,
        channels=tuple(
            _with_values(c, c.sampler.values * factor) if c.path == "translation" else c
            for c in clip.channels
        ),
    )


def _with_values(channel: Channel, values: FloatArray) -> Channel:
    return replace(channel, sampler=replace(channel.sampler, values=values))


def turned(rig: Rig, rotation: FloatArray, skins: bool | None = None) -> Rig:
    """Return the rig rotated as a whole: its root nodes turn, everything below keeps its values.

    Vertices that no joint moves lie where they are in their mesh's space, which hangs on no node: where
    there are any, the space of skinned meshes turns too.

    Parameters
    ----------
    rotation
        Quaternion ``(4,)``, applied in model space.
    skins
        Whether the space of skinned meshes turns; None asks whether any vertex has no joint.
    """
    if np.array_equal(rotation, quat.IDENTITY):
        return rig
    if has_unbound(rig) if skins is None else skins:
        rig = _with_turned_skins(rig, rotation)
    nodes = rig.nodes
    roots = list(nodes.roots)
    translations, rotations = nodes.translations.copy(), nodes.rotations.copy()
    translations[roots] = quat.rotate(rotation, translations[roots])
    rotations[roots] = quat.multiply(rotation, rotations[roots])
    turn = affine.compose(np.zeros(3), rotation, np.ones(3))
    matrices = {n: turn @ m if n in roots else m for n, m in nodes.matrices.items()}
    top = set(roots)
    return replace(
        rig,
        nodes=replace(nodes, translations=translations, rotations=rotations, matrices=matrices),
        clips=tuple(_turned_clip(clip, top, rotation) for clip in rig.clips),
    )


def has_unbound(rig: Rig) -> bool:
    """Return whether any mesh with influences has a vertex that no joint moves."""
    return any(map(_has_unbound, rig.meshes))


def _has_unbound(mesh: Mesh) -> bool:
    every = (p.influences for p in mesh.primitives if p.influences is not None)
    return any(not np.all(influences.per_vertex) for influences in every)


def _with_turned_skins(rig: Rig, rotation: FloatArray) -> Rig:
    """Turn the space of skinned meshes; joints put them where they did before.

    A mesh that a node also shows without skin is kept for that node, and a copy of it turns.
    """
    by_joints = [skin is not None and bool(rig.skins[skin].joints) for skin in rig.node_skins]
    uses = set(zip(rig.node_meshes, by_joints, strict=True))
    meshes, place = list(rig.meshes), {}
    for number, mesh in enumerate(rig.meshes):
        if (number, True) not in uses:
            continue
        place[number] = len(meshes) if (number, False) in uses else number
        meshes[place[number] : place[number] + 1] = [_turned_mesh(mesh, rotation)]
    return replace(
        rig,
        meshes=tuple(meshes),
        node_meshes=tuple(
            place[mesh] if moved and mesh is not None else mesh
            for mesh, moved in zip(rig.node_meshes, by_joints, strict=True)
        ),
        skins=tuple(_turned_skin(skin, rotation) for skin in rig.skins),
    )


def _turned_mesh(mesh: Mesh, rotation: FloatArray) -> Mesh:
    """Turn what joints move of a mesh; primitives without influences hang on the node."""
    return replace(
        mesh,
        primitives=tuple(
            p if p.influences is None else _turned_primitive(p, rotation) for p in mesh.primitives
        ),
    )


def _turned_primitive(primitive: Primitive, rotation: FloatArray) -> Primitive:
    def turn(vectors: FloatArray | None) -> FloatArray | None:
        return None if vectors is None else quat.rotate(rotation, vectors)

    morphs, tangents = primitive.morphs, primitive.tangents
    if morphs is not None:
        morphs = replace(
            morphs,
            positions=quat.rotate(rotation, morphs.positions),
            normals=turn(morphs.normals),
            tangents=turn(morphs.tangents),
        )
    if tangents is not None:
        along = quat.rotate(rotation, tangents[:, :3])
        tangents = np.concatenate([along, tangents[:, 3:]], axis=1)
    return replace(
        primitive,
        positions=quat.rotate(rotation, primitive.positions),
        normals=turn(primitive.normals),
        tangents=tangents,
        morphs=morphs,
    )


def _turned_skin(skin: Skin, rotation: FloatArray) -> Skin:
    back = affine.compose(np.zeros(3), quat.conjugate(rotation), np.ones(3))
    return replace(skin, inverse_binds=skin.joint_from_mesh @ back)


def _turned_clip(clip: Clip, roots: set[int], rotation: FloatArray) -> Clip:
    """Turn the curves of root nodes; both maps are linear, so tangents turn like values."""
    channels = []
    for channel in clip.channels:
        turned_channel = channel
        if channel.node in roots and channel.path == "translation":
            turned_channel = _with_values(channel, quat.rotate(rotation, channel.sampler.values))
        elif channel.node in roots and channel.path == "rotation":
            turned_channel = _with_values(channel, quat.multiply(rotation, channel.sampler.values))
        channels.append(turned_channel)
    return replace(clip, channels=tuple(channels))
