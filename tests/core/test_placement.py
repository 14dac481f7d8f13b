"""A rig in other units or with another axis up is the same rig: every vertex, in every pose."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.placement import scaled, to_y_up, turned
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options


def with_unbound(rig, every=3):
    """Return the rig with every third vertex let go of by its joints."""
    for number, mesh in enumerate(rig.meshes):
        for p, primitive in enumerate(mesh.primitives):
            if primitive.influences is not None:
                weights = primitive.influences.weights.copy()
                weights[::every] = 0.0
                let_go = Influences(primitive.influences.joints, weights)
                rig = rig.with_primitive(number, p, replace(primitive, influences=let_go))
    return rig


def shown(rig, method):
    """Return all vertices and normals of the scene, at rest and in the middle of every clip."""
    deformer = Deformer(rig)
    clips = [None, *rig.clips]
    frames = [deformer.frame(sample(rig, c, 0.4 * c.end if c else 0.0)) for c in clips]
    skinned = [
        part for frame in frames for part in deformer.skin_all(frame, METHODS[method], Options())
    ]
    return (
        np.concatenate([getattr(p, name) for p in skinned]) for name in ("positions", "normals")
    )


@pytest.mark.parametrize("method", ["lbs", "dqs", "compensated", "capsule"])
@given(
    rig=rigs.rigs(clips=1, morphs=st.integers(0, 2), prop=st.booleans(), joints=st.integers(3, 6)),
    up=st.sampled_from(["X", "Z"]),
    unbound=st.booleans(),
)
@settings(max_examples=12)
def test_a_turned_rig_shows_everything_turned(method, rig, up, unbound):
    rig = with_unbound(rig) if unbound else rig
    rotation = to_y_up(up)
    before, after = shown(rig, method), shown(turned(rig, rotation), method)
    for old, new in zip(before, after, strict=True):
        size = max(1.0, np.abs(old).max())
        assert np.abs(new - quat.rotate(rotation, old)).max() <= 1e-9 * size


@given(rig=rigs.rigs(clips=1, morphs=2, prop=True, joints=4), unbound=st.booleans())
@settings(max_examples=12)
def test_a_scaled_rig_shows_everything_scaled(rig, unbound):
    rig = with_unbound(rig) if unbound else rig
    (old, normals), (new, turned_normals) = (
        shown(r, "capsule") for r in (rig, scaled(rig, 0.0254))
    )
    assert np.abs(new - 0.0254 * old).max() <= 1e-9 * max(1.0, np.abs(old).max())
    assert np.abs(normals - turned_normals).max() <= 1e-6


def test_turning_there_and_back_is_nothing():
    rig = with_unbound(rigs.make(rigs.Recipe(seed=2, clips=1, morphs=1)))
    rotation = to_y_up("Z")
    again = turned(turned(rig, rotation), quat.conjugate(rotation))
    for method in ("lbs", "dqs"):
        for old, new in zip(shown(rig, method), shown(again, method), strict=True):
            assert np.abs(new - old).max() <= 1e-12 * max(1.0, np.abs(old).max())


def test_a_mesh_that_also_stands_without_skin_turns_with_its_node():
    rig = with_unbound(rigs.make(rigs.Recipe(seed=5, mesh_transform=True)))
    node = next(n for n, mesh in enumerate(rig.node_meshes) if mesh is not None)
    free = next(n for n, mesh in enumerate(rig.node_meshes) if mesh is None and n not in rig.joints)
    meshes = list(rig.node_meshes)
    meshes[free] = meshes[node]
    rig = replace(rig, node_meshes=tuple(meshes))
    rotation = to_y_up("X")
    after = turned(rig, rotation)
    assert len(after.meshes) == len(rig.meshes) + 1
    for old, new in zip(shown(rig, "lbs"), shown(after, "lbs"), strict=True):
        assert np.allclose(new, quat.rotate(rotation, old), atol=1e-9)


def test_what_hangs_on_joints_alone_keeps_its_numbers():
    rig = rigs.make(rigs.Recipe(seed=1, prop=True))
    after = turned(rig, to_y_up("Z"))
    assert after.meshes is rig.meshes
    assert after.skins is rig.skins
