"""Many poses skinned as one crowd are each what they are alone."""

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import thesis_scene
from rigview.core.crowd import Crowd
from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.skinning import DEFAULT_PANES, METHODS, Options


@pytest.mark.parametrize("method", DEFAULT_PANES)
@given(rig=rigs.rigs(clips=1, prop=True))
def test_every_copy_stands_where_its_pose_puts_it(method, rig):
    deformer = Deformer(rig)
    frames = [deformer.frame(pose) for pose in rigs.poses(rig)]
    for number in range(len(rig.parts)):
        chosen = deformer.method_of(number, method)
        crowd = Crowd(deformer, number).posed(frames, Options())
        together = chosen.skin(crowd, Options()).positions.reshape(len(frames), -1, 3)
        for frame, copy in zip(frames, together, strict=True):
            alone = deformer.skin(number, frame, METHODS[method], Options()).positions
            assert np.abs(copy - alone).max(initial=0.0) <= 1e-9 * deformer.size


@pytest.mark.parametrize("method", DEFAULT_PANES)
@given(rig=rigs.rigs(clips=1, prop=True), data=st.data())
def test_a_crowd_of_some_vertices_moves_them_as_the_whole_does(method, rig, data):
    deformer = Deformer(rig)
    frames = [deformer.frame(pose) for pose in rigs.poses(rig)]
    for number, part in enumerate(rig.parts):
        every = np.arange(len(rig.primitive(part).positions))
        some = np.array(data.draw(st.lists(st.sampled_from(every), unique=True, min_size=1)))
        chosen = deformer.method_of(number, method)
        whole, few = (
            chosen.skin(Crowd(deformer, number, taken).posed(frames, Options()), Options())
            for taken in (None, some)
        )
        expected = whole.positions.reshape(len(frames), -1, 3)[:, some]
        apart = few.positions.reshape(len(frames), -1, 3) - expected
        assert np.abs(apart).max() <= 1e-9 * deformer.size


@given(rig=rigs.rigs(clips=1))
def test_a_stack_of_poses_is_its_poses(rig):
    clip, deformer = rig.clips[0], Deformer(rig)
    times = np.linspace(clip.start, clip.end, 3)
    stack = deformer.frame(sample(rig, clip, times))
    for i, time in enumerate(times):
        alone = deformer.frame(sample(rig, clip, time))
        assert np.allclose(stack[i].model_from_node, alone.model_from_node, atol=1e-12)
        for skin, palette in alone.palettes.items():
            assert np.allclose(stack[i].palettes[skin].matrices, palette.matrices, atol=1e-12)


def test_the_thesis_character_is_as_large_as_the_thesis_says_and_rests_where_it_was_bound():
    rig = thesis_scene.character()
    body = rig.primitive(rig.parts[0])
    assert len(rig.joints) == 80
    assert len(body.triangles) == 126_000
    assert np.allclose(body.influences.weights.sum(axis=1), 1.0)
    deformer = Deformer(rig)
    assert np.abs(deformer.rest_positions - body.positions).max() <= 1e-12
    first, second = (deformer.frame(thesis_scene.pose(rig, n)).palettes[0] for n in (0, 1))
    assert first.rigid
    assert np.abs(first.matrices - second.matrices).max() > 0.1
