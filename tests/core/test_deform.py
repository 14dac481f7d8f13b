"""What a rig's static half tells of its parts, whatever the pose."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.core.deform import Deformer
from rigview.core.pose import rest_pose


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
