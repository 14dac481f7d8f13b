"""A rig in other units or with another axis up is the same rig: every vertex, in every pose."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.arrays import unit
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.placement import length_factor, scaled, to_y_up, turned
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


def test_the_factor_of_all_lengths_is_found_and_a_moved_joint_is_none():
    rig = rigs.make(rigs.Recipe(seed=3, joints=4))
    assert length_factor(rig, scaled(rig, 0.01)) == pytest.approx(0.01)
    assert length_factor(rig, rig) == 1.0
    translations = rig.nodes.translations.copy()
    translations[rig.joints[1]] *= 1.5
    assert length_factor(rig, rigs.with_nodes(rig, translations=translations)) == 1.0
    # Of a skeleton with one length alone nothing else says that it was no unit.
    bare = replace(rig, meshes=(), node_meshes=(None,) * len(rig.nodes))
    one = np.zeros_like(translations)
    one[rig.joints[1]] = 0.0, 1.0, 0.0
    bare = rigs.with_nodes(bare, translations=one)
    assert length_factor(bare, rigs.with_nodes(bare, translations=1.5 * one)) == 1.0


def test_tangents_turn_with_the_surface_and_keep_their_hand():
    rig = with_unbound(rigs.make(rigs.Recipe(seed=3, morphs=2)))
    mesh = next(n for n, mesh in enumerate(rig.meshes) if mesh.primitives[0].morphs is not None)
    bare = rig.meshes[mesh].primitives[0]

    def along(primitive):
        """Return for each vertex the direction to the next."""
        return unit(np.roll(primitive.positions, 1, axis=0) - primitive.positions)

    hands = np.where(np.arange(len(bare.positions)) % 2, 1.0, -1.0)[:, None]
    # What a target adds to tangents turns as what it adds to positions.
    morphs = replace(bare.morphs, tangents=bare.morphs.positions)
    tangents = np.concatenate([along(bare), hands], axis=1)
    rig = rig.with_primitive(mesh, 0, replace(bare, tangents=tangents, morphs=morphs))
    for after in (turned(rig, to_y_up("Z")), scaled(rig, 3.0)):
        got = after.meshes[mesh].primitives[0]
        assert not np.allclose(got.positions, bare.positions)
        assert np.allclose(got.tangents, np.concatenate([along(got), hands], axis=1))
        length = np.linalg.norm(got.positions[0]) / np.linalg.norm(bare.positions[0])
        assert np.allclose(got.morphs.tangents * length, got.morphs.positions)


@pytest.mark.parametrize(
    "change", [partial(scaled, factor=2.5), partial(turned, rotation=to_y_up("X"))]
)
def test_a_skin_that_states_no_inverse_binds_still_takes_identities(change):
    rig = with_unbound(rigs.make(rigs.Recipe(seed=4)))
    bare = rig.with_skin(0, replace(rig.skins[0], inverse_binds=None))
    (before, _), (after, _) = shown(bare, "lbs"), shown(change(bare), "lbs")
    # A rotation keeps lengths, a scale multiplies all by as much.
    shares = np.linalg.norm(after, axis=1) / np.linalg.norm(before, axis=1)
    assert shares == pytest.approx(shares[0])
    assert shares[0] == pytest.approx(2.5 if change.func is scaled else 1.0)


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
