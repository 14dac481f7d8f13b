"""Part of a rig is where it is in the whole."""

import numpy as np
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core.methods import palette
from rigview.core.motion.subrig import SubRig
from rigview.core.pose import model_from_nodes, sample

TIMES = np.array([0.0, 0.3, 1.1])


@given(
    rig=rigs.rigs(clips=1, skins=2, morphs=2, mirrored=st.booleans(), stretched=st.booleans()),
    data=st.data(),
)
def test_nodes_joints_and_morphs_of_an_excerpt_are_what_they_are_in_the_whole_rig(rig, data):
    some = data.draw(st.sets(st.integers(0, len(rig.nodes) - 1), min_size=1))
    excerpt = SubRig.of(rig, some)
    assert excerpt.places.keys() == rig.nodes.with_ancestors(some)
    whole, small = (
        sample(rig, rig.clips[0], TIMES),
        sample(excerpt.rig, excerpt.rig.clips[0], TIMES),
    )
    models = model_from_nodes(rig, whole), model_from_nodes(excerpt.rig, small)
    assert np.array_equal(models[1], models[0][:, list(excerpt.places)])
    for node, place in excerpt.places.items():
        stated = [pose.morph_weights.get(n) for pose, n in ((whole, node), (small, place))]
        assert np.array_equal(*stated)
    for skin, value in enumerate(rig.skins):
        rows = excerpt.rows[skin]
        assert [joint in excerpt.places for joint in value.joints] == (rows >= 0).tolist()
        if (rows >= 0).any():
            every = palette.of_skin(rig, skin, whole, models[0])
            listed = palette.of_skin(excerpt.rig, skin, small, models[1])
            kept = every.matrices[:, rows >= 0]
            assert np.array_equal(listed.matrices[:, rows[rows >= 0]], kept)
            turned = every.rotations[:, rows >= 0]
            assert np.allclose(listed.rotations[:, rows[rows >= 0]], turned, atol=1e-12)


def test_the_clips_of_an_excerpt_ask_for_no_curve_before_they_are_played():
    rig = rigs.make(rigs.Recipe(clips=1, seed=3))
    excerpt = SubRig.of(rig, [0])
    assert not excerpt.rig.clips[0].is_read
