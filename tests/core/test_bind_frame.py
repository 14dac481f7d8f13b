"""The pose in which meshes were attached, and how it lies beside the rest pose."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st
from tidy import ARM, CHEST, HAND, HIPS, SPINE

from rigview.core import affine, quat
from rigview.core.deform import Deformer
from rigview.core.skinning import METHODS, Options

QUARTER = quat.from_axis_angle((0.0, 0.0, 1.0), np.pi / 2)


def resting_turned(rig, node, turn=QUARTER):
    """Return the rig with a node turned at rest; how it was bound stays."""
    rotations = rig.nodes.rotations.copy()
    rotations[node] = quat.multiply(rotations[node], turn)
    return rigs.with_nodes(rig, rotations=rotations)


def points(deformer, frame, number=0, method="lbs"):
    return deformer.skin(number, frame, METHODS[method], Options()).positions


@given(rig=rigs.rigs(clips=0, prop=st.booleans()))
def test_a_rig_that_rests_as_bound_is_bound_as_it_rests(rig):
    deformer = Deformer(rig)
    bind, rest = deformer.bind, deformer.rest
    np.testing.assert_allclose(bind.model_from_node, rest.model_from_node, atol=1e-9)
    for skin in deformer.skins:
        matrices = rest.palettes[skin].matrices
        np.testing.assert_allclose(bind.palettes[skin].matrices, matrices, atol=1e-9)


@given(rig=rigs.rigs(clips=0), seed=st.integers(0, 2**32 - 1))
def test_bound_meshes_are_as_they_were_modelled_and_joints_where_the_bind_says(rig, seed):
    rng = np.random.default_rng(seed)
    turned = rig
    for joint in rng.choice(rig.joints, 3):
        turned = resting_turned(turned, joint, rigs.random_turn(rng))
    deformer = Deformer(turned)
    bind = deformer.bind
    for number, part in enumerate(turned.parts):
        (laid, *others) = bind.palettes[part.skin].matrices
        assert all(np.array_equal(laid, other) for other in others)
        modelled = affine.transform_points(laid, turned.primitive(part).positions)
        np.testing.assert_allclose(points(deformer, bind, number), modelled, atol=1e-9)
        joints = list(turned.skins[part.skin].joints)
        wanted = laid @ turned.skins[part.skin].mesh_from_joint
        scale = np.abs(wanted).max()
        np.testing.assert_allclose(bind.model_from_node[joints], wanted, atol=1e-9 * scale)


# The basic compensation displaces whatever two joints share, bent or not.
@pytest.mark.parametrize("method", [name for name in METHODS if name != "basic"])
def test_no_method_does_anything_to_a_mesh_as_it_was_bound(method):
    deformer = Deformer(resting_turned(rigs.tidy(), ARM))
    linear = points(deformer, deformer.bind)
    np.testing.assert_allclose(points(deformer, deformer.bind, method=method), linear, atol=1e-9)


def test_what_is_not_posed_at_rest_stays_where_it_rests():
    deformer = Deformer(resting_turned(rigs.tidy(), ARM))
    off = np.abs(deformer.bind.model_from_node - deformer.rest_nodes).max(axis=(1, 2))
    assert np.all(off[[HIPS, SPINE, CHEST]] < 1e-9)
    assert np.all(off[[ARM, HAND]] > 0.5)


def test_a_node_that_no_skin_binds_hangs_on_the_joint_above_it():
    rig = rigs.tidy()
    skin = rig.skins[0]
    kept = [i for i, joint in enumerate(skin.joints) if joint != HAND]
    listed = replace(
        skin,
        joints=tuple(skin.joints[i] for i in kept),
        inverse_binds=skin.inverse_binds[kept],
    )
    bare = resting_turned(rig.with_skin(0, listed), ARM)
    whole = Deformer(resting_turned(rig, ARM)).bind.model_from_node
    np.testing.assert_allclose(Deformer(bare).bind.model_from_node[HAND], whole[HAND], atol=1e-9)


def test_one_damaged_matrix_leaves_the_others_their_bind():
    rig = rigs.tidy()
    wanted = Deformer(rig).bind.model_from_node
    place = rig.skins[0].joints.index(HAND)
    for damage in (np.zeros((4, 4)), np.full((4, 4), np.nan)):
        binds = rig.skins[0].inverse_binds.copy()
        binds[place] = damage
        broken = rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))
        np.testing.assert_allclose(Deformer(broken).bind.model_from_node, wanted, atol=1e-9)


def test_without_bind_there_is_none():
    rig = rigs.tidy()
    unstated = rig.with_skin(0, replace(rig.skins[0], inverse_binds=None))
    assert Deformer(unstated).bind is None
    nothing = (None,) * len(rig.nodes)
    bare = replace(rig, node_meshes=nothing, node_skins=nothing, skins=(), meshes=())
    assert Deformer(bare).bind is None


def test_meshes_of_different_characters_are_each_laid_where_they_rest():
    first, second = rigs.tidy(), rigs.under(rigs.tidy(), translation=(3.0, 0.0, 0.0))
    posed = resting_turned(second, second.nodes.names.index("arm"))
    both = Deformer(rigs.beside(first, posed))
    off = np.abs(both.bind.model_from_node - both.rest_nodes)[:, :3, 3].max(axis=1)
    (moved,) = np.flatnonzero(off > 1e-9)
    assert moved > len(first.nodes)
    assert both.rig.nodes.names[moved] == "hand"
