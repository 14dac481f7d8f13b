"""All lengths at once: the unit that a Collada file states."""

from dataclasses import replace

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip
from rigview.core.mesh import Mesh, Primitive
from rigview.core.nodes import Nodes
from rigview.core.placement import length_factor, scaled
from rigview.core.rig import Rig, Skin
from rigview.io.collada.elements import child
from rigview.io.collada.reader import ColladaReading
from rigview.io.collada.spans import Text
from rigview.io.reading import SaveError

# Of the largest number: what multiplying and dividing by a factor leaves.
_ROUNDING = 1e-12


def amend_unit(reading: ColladaReading, old: Rig, new: Rig, text: Text) -> Rig:
    """State another unit where all lengths changed by one factor; return the new rig without that change.

    What is then as it was before is the old rig's own, so that nothing else is written for it.

    Raises
    ------
    SaveError
        If the file states no unit.
    """
    factor = length_factor(old, new)
    if factor == 1.0:
        return new
    unit = child(reading.document.root, "asset", "unit")
    if unit is None:
        raise SaveError("the file states no unit that could be changed; glTF can hold the rig")
    text.set_attribute(unit, "meter", repr(reading.unit * factor))
    new = scaled(new, 1.0 / factor)
    return replace(
        new,
        nodes=_nodes(old.nodes, new.nodes),
        meshes=tuple(map(_mesh, old.meshes, new.meshes)),
        skins=tuple(map(_skin, old.skins, new.skins)),
        clips=tuple(map(_clip, old.clips, new.clips))
        if len(old.clips) == len(new.clips)
        else new.clips,
    )


def _close(old: FloatArray, new: FloatArray) -> bool:
    if old.shape != new.shape:
        return False
    size = float(np.abs(old).max(initial=0.0))
    return bool(np.allclose(old, new, rtol=0.0, atol=_ROUNDING * size))


def _nodes(old: Nodes, new: Nodes) -> Nodes:
    if len(old) != len(new):
        return new
    near = np.abs(old.translations - new.translations) <= _ROUNDING * np.abs(old.translations)
    matrices = {
        n: old.matrices[n] if n in old.matrices and _close(old.matrices[n], m) else m
        for n, m in new.matrices.items()
    }
    return replace(
        new,
        translations=np.where(near.all(axis=1, keepdims=True), old.translations, new.translations),
        matrices=matrices,
    )


def _mesh(old: Mesh, new: Mesh) -> Mesh:
    return replace(new, primitives=tuple(map(_primitive, old.primitives, new.primitives)))


def _primitive(old: Primitive, new: Primitive) -> Primitive:
    return replace(new, positions=old.positions) if _close(old.positions, new.positions) else new


def _skin(old: Skin, new: Skin) -> Skin:
    same = old.joints == new.joints and old.skeleton == new.skeleton and old.name == new.name
    return old if same and _close(old.joint_from_mesh, new.joint_from_mesh) else new


def _clip(old: Clip, new: Clip) -> Clip:
    return old if is_same_clip(old, new) else new


def is_same_clip(old: Clip, new: Clip) -> bool:
    """Tell whether two clips have the same name, keys and values, but for rounding."""
    same = old.name == new.name and len(old.channels) == len(new.channels)
    return old is new or (same and all(map(_same_channel, old.channels, new.channels)))


def _same_channel(old: Channel, new: Channel) -> bool:
    return (
        (old.node, old.path) == (new.node, new.path)
        and old.sampler.interpolation == new.sampler.interpolation
        and np.array_equal(old.sampler.times, new.sampler.times)
        and _close(old.sampler.values, new.sampler.values)
    )
