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
_HALF = float(np.sqrt(0.5))
# The rotation that takes an axis to +Y, about the third one.
_TO_Y: dict[Up, FloatArray] = {
    "X": np.array([0.0, 0.0, _HALF, _HALF]),
    "Y": np.array(quat.IDENTITY),
    "Z": np.array([-_HALF, 0.0, 0.0, _HALF]),
}


def to_y_up(up: Up) -> FloatArray:
    """Return the quaternion that turns the axis `up` to +Y."""
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


def turned(rig: Rig, rotation: FloatArray) -> Rig:
    """Return the rig rotated as a whole: its root nodes turn, everything below keeps its values.

    Parameters
    ----------
    rotation
        Quaternion ``(4,)``, applied in model space.
    """
    if np.array_equal(rotation, quat.IDENTITY):
        return rig
    nodes = rig.nodes
    roots = [n for n, parent in enumerate(nodes.parents) if parent < 0]
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
