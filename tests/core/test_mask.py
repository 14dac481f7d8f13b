"""The mask of compensation: where it is 0 the compensated skin is that of plain DQS, where 1 all is."""

import numpy as np
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core.deform import Deformer
from rigview.core.mask import mask_of, painted, set_by_joint
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options


def skinned(rig, method):
    deformer = Deformer(rig)
    clip = rig.clips[0] if rig.clips else None
    frame = deformer.frame(sample(rig, clip, clip.end if clip else 0.0))
    return deformer.skin(0, frame, METHODS[method], Options()).positions


@given(rig=rigs.rigs(), seed=st.integers(0, 1000))
def test_painted_vertices_are_left_to_dqs_and_the_others_are_not_touched(rig, seed):
    chosen = np.flatnonzero(
        np.random.default_rng(seed).random(len(mask_of(rig, rig.parts[0]))) < 0.5
    )
    masked = painted(rig, {0: chosen}, 0.0)
    plain, whole = skinned(rig, "dqs"), skinned(rig, "compensated")
    result = skinned(masked, "compensated")
    rest = np.setdiff1d(np.arange(len(plain)), chosen)
    np.testing.assert_allclose(result[chosen], plain[chosen], atol=1e-12)
    np.testing.assert_allclose(result[rest], whole[rest], atol=1e-12)


@given(rig=rigs.rigs())
def test_painting_it_all_back_leaves_no_mask(rig):
    everything = np.arange(len(mask_of(rig, rig.parts[0])))
    back = painted(painted(rig, {0: everything}, 0.25), {0: everything}, 1.0)
    assert rig.primitive(rig.parts[0]).compensation is None
    assert back.primitive(back.parts[0]).compensation is None


@given(rig=rigs.rigs(), value=st.floats(0.0, 1.0))
def test_a_joint_sets_the_mask_by_its_weights(rig, value):
    deformer, joint = Deformer(rig), rig.skins[0].joints[0]
    changed = set_by_joint(deformer, joint, value)
    for number, part in enumerate(rig.parts):
        share = np.clip(deformer.joint_weights(number, joint), 0.0, 1.0)
        wanted = 1.0 + share * (value - 1.0)
        np.testing.assert_allclose(mask_of(changed, changed.parts[number]), wanted)
        assert part == changed.parts[number]
