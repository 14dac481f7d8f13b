"""Rigs and folders as values to compare."""

from dataclasses import replace

import numpy as np


def arrays(rig):
    """Yield all arrays of a rig, with what they are."""
    for name in ("translations", "rotations", "scales"):
        yield name, getattr(rig.nodes, name)
    for i, skin in enumerate(rig.skins):
        yield f"inverse binds {i}", skin.inverse_binds
    for i, mesh in enumerate(rig.meshes):
        yield f"weights of {i}", mesh.morph_weights
        for j, primitive in enumerate(mesh.primitives):
            yield f"positions {i}/{j}", primitive.positions
            yield f"normals {i}/{j}", primitive.normals
            yield f"triangles {i}/{j}", primitive.triangles
            if primitive.influences is not None:
                yield f"joints {i}/{j}", primitive.influences.joints
                yield f"weights {i}/{j}", primitive.influences.weights
            if primitive.morphs is not None:
                yield f"morphs {i}/{j}", primitive.morphs.positions
    for i, clip in enumerate(rig.clips):
        for j, channel in enumerate(clip.channels):
            yield f"times {i}/{j}", channel.sampler.times
            yield f"values {i}/{j}", channel.sampler.values
    for i, image in enumerate(rig.images):
        yield f"image {i}", None if image is None else image.pixels


def assert_same_rig(a, b):
    assert a.nodes.names == b.nodes.names
    assert a.nodes.children == b.nodes.children
    assert a.roots == b.roots
    assert a.materials == b.materials
    assert [skin.joints for skin in a.skins] == [skin.joints for skin in b.skins]
    for (name, before), (_, after) in zip(arrays(a), arrays(b), strict=True):
        assert (before is None) == (after is None), name
        if before is not None:
            np.testing.assert_array_equal(before, after, name)


def moved(rig, node=1, by=(0.0, 0.25, 0.0)):
    translations = rig.nodes.translations.copy()
    translations[node] += by
    return replace(rig, nodes=replace(rig.nodes, translations=translations))


def bound(rig, height):
    """Return a rig whose first skin binds its joints somewhere else."""
    binds = rig.skins[0].inverse_binds.copy()
    binds[:, 1, 3] = height
    return rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))


def snapshot(folder):
    return {p: p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}
