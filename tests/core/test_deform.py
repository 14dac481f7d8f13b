"""What a rig's static half tells of its parts, whatever the pose."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.core.deform import Deformer
from rigview.core.pose import rest_pose, sample
from rigview.core.skinning import METHODS, Options


@given(rig=rigs.rigs(prop=True, skins=st.integers(1, 2)))
@settings(max_examples=10)
def test_the_weights_of_all_joints_are_those_that_move_a_part(rig):
    deformer = Deformer(rig)
    for number, part in enumerate(rig.parts):
        shares = {joint: deformer.joint_weights(number, joint) for joint in rig.joints}
        influences = rig.primitive(part).influences
        if not deformer.is_skinned(part):
            assert not any(share.any() for share in shares.values())
            continue
        np.testing.assert_allclose(sum(shares.values()), influences.sums)
        named = np.array(rig.skins[part.skin].joints)[influences.heaviest]
        rows = range(len(named))
        heaviest = [shares[joint][row] for row, joint in zip(rows, named.tolist(), strict=True)]
        np.testing.assert_allclose(heaviest, influences.weights.max(axis=1))
        assert not deformer.joint_weights(number, None).any()


def test_of_a_joint_that_a_skin_lists_twice_both_count():
    rig = rigs.make(rigs.Recipe(seed=5))
    (skin,) = rig.skins
    binds = np.concatenate([skin.joint_from_mesh, skin.joint_from_mesh[:1]])
    twice = replace(skin, joints=(*skin.joints, skin.joints[0]), inverse_binds=binds)
    joints = rig.meshes[0].primitives[0].influences.joints.copy()
    joints[::2] = np.where(joints[::2] == 0, len(skin.joints), joints[::2])
    both = rigs.with_influences(rig.with_skin(0, twice), joints=joints)
    shares = [Deformer(r).joint_weights(0, skin.joints[0]) for r in (rig, both)]
    assert shares[0][::2].any()
    np.testing.assert_allclose(*shares)


@pytest.mark.parametrize("weights", [[], [0.5], [0.5, 0.0], [0.5, np.nan], [0.5, 0.0, 9.0]])
def test_weights_that_no_target_or_no_number_stands_for_move_nothing(weights):
    rig = rigs.make(rigs.Recipe(seed=2, morphs=2))
    (part,) = rig.parts
    pose = replace(rest_pose(rig), morph_weights={part.node: np.array(weights)})
    primitive = rig.primitive(part)
    moved, _ = Deformer(rig).morphed(0, pose)
    share = sum(weights[:1])
    wanted = primitive.positions + share * primitive.morphs.positions[0]
    np.testing.assert_allclose(moved, wanted, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_normalised_weights_deform_as_those_divided_by_their_sum_would(method):
    rig = rigs.make(rigs.Recipe(seed=7, clips=1))
    stated = rig.meshes[0].primitives[0].influences.weights
    stated = stated / stated.sum(axis=1, keepdims=True)
    factors = np.linspace(0.2, 5.0, len(stated))[:, None]
    # A vertex without weight stays so, in whichever way weights are read.
    factors[0] = 0.0
    off = rigs.with_influences(rig, weights=factors * stated)
    sound = rigs.with_influences(rig, weights=np.where(factors > 0.0, stated, 0.0))
    read = Deformer(off, "normalised")
    assert not read.sums_to_one
    assert Deformer(sound).sums_to_one
    pose = sample(off, off.clips[0], off.clips[0].end)
    one, other, literal = (
        d.skin(0, d.frame(pose), METHODS[method], Options()).positions
        for d in (read, Deformer(sound), Deformer(off))
    )
    np.testing.assert_allclose(one, other, atol=1e-9 * read.size)
    if method == "lbs":
        # Of rigid joints a blended rotation has the same direction, whatever its length.
        assert np.abs(one - literal).max() > 1e-3 * read.size
    np.testing.assert_allclose(read.rest_positions, Deformer(sound).rest_positions, atol=1e-9)


def test_weights_that_sum_to_one_are_read_by_one_deformer():
    deformer = Deformer(rigs.make(rigs.Recipe(seed=7)), "normalised")
    assert deformer.sums_to_one
    assert deformer.reading("literal") is deformer


def test_both_readings_of_weights_are_kept():
    rig = rigs.make(rigs.Recipe(seed=7))
    weights = 0.5 * rig.meshes[0].primitives[0].influences.weights
    deformer = Deformer(rigs.with_influences(rig, weights=weights), "normalised")
    literal = deformer.reading("literal")
    assert literal.weights == "literal"
    assert deformer.reading("literal") is literal
    assert deformer.of_changed(rig).weights == "normalised"
