"""Many poses skinned as one crowd are each what they are alone."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import quat, thesis_scene
from rigview.core.deform import Deformer
from rigview.core.measures.batched_poses import BatchedPoses, Frames
from rigview.core.motion.subrig import SubRig
from rigview.core.pose import sample
from rigview.core.skinning import DEFAULT_PANES, METHODS, Options


def moments(rig):
    """Return the rest pose and a few times of each clip, clips taking turns."""
    clips = [(i, float(t)) for t in (0.1, 0.6) for i in range(len(rig.clips))]
    return [(None, 0.0), *clips]


def frames_of(deformer, crowd):
    return Frames.at(SubRig.of(deformer.rig, crowd.nodes), moments(deformer.rig))


@pytest.mark.parametrize("method", DEFAULT_PANES)
@given(rig=rigs.rigs(clips=2, morphs=2, prop=True), data=st.data())
def test_every_copy_stands_where_its_pose_puts_it(method, rig, data):
    deformer = Deformer(rig)
    for number, part in enumerate(rig.parts):
        every = np.arange(len(rig.primitive(part).positions))
        some = np.array(data.draw(st.lists(st.sampled_from(every), unique=True, min_size=1)))
        crowd = BatchedPoses.of(deformer, number, some, Options())
        frames = frames_of(deformer, crowd)
        few = slice(data.draw(st.integers(0, 2)), len(frames))
        posed = crowd.posed(frames, few, Options())
        together = deformer.method_of(number, method).skin(posed, Options()).positions
        copies = together.reshape(-1, len(some), 3)
        for (clip, time), copy in zip(moments(rig)[few], copies, strict=True):
            pose = sample(rig, None if clip is None else rig.clips[clip], time)
            alone = deformer.skin(number, deformer.frame(pose), METHODS[method], Options())
            assert np.abs(copy - alone.positions[some]).max() <= 1e-9 * deformer.size


@given(rig=rigs.rigs(clips=1, prop=True), data=st.data())
def test_some_of_a_crowd_are_bound_as_they_were_among_all(rig, data):
    deformer = Deformer(rig)
    for number, part in enumerate(rig.parts):
        every = np.arange(len(rig.primitive(part).positions))
        some = np.array(data.draw(st.lists(st.sampled_from(every), unique=True, min_size=1)))
        crowd = BatchedPoses.of(deformer, number, every, Options()).only(some)
        whole = deformer.bindings[number]
        assert np.array_equal(crowd.binding.joints, whole.joints[some])
        assert np.array_equal(crowd.binding.weights, whole.weights[some])
        assert np.array_equal(crowd.amplitude, deformer.amplitude(number, Options())[some])


def turned(rig):
    rotations = quat.multiply(rig.nodes.rotations, quat.from_axis_angle((0.0, 0.0, 1.0), 0.4))
    return rigs.with_nodes(rig, rotations=rotations)


def shifted(rig):
    moved = []
    for number, skin in enumerate(rig.skins):
        binds = skin.joint_from_mesh.copy()
        binds[-1, :3, 3] += 0.3
        moved.append((number, replace(skin, inverse_binds=binds)))
    for number, skin in moved:
        rig = rig.with_skin(number, skin)
    return rig


@pytest.mark.parametrize("change", [turned, shifted])
@given(rig=rigs.rigs(clips=1, morphs=st.sampled_from([0, 2]), prop=True))
def test_what_two_crowds_share_changes_nothing(change, rig):
    first, second = Deformer(rig), Deformer(change(rig))
    for number, part in enumerate(rig.parts):
        every = np.arange(len(rig.primitive(part).positions))
        old, new = (
            BatchedPoses.of(deformer, number, every, Options()) for deformer in (first, second)
        )
        frames = frames_of(second, new)
        some = slice(0, 2)
        beside = new.beside(old)
        ours = beside.posed(frames, some, Options())
        assert ours.binding.blending is old.copies(2).blending
        theirs = new.posed(frames, some, Options())
        assert ours.binding.blending is not theirs.binding.blending
        for name in DEFAULT_PANES:
            method = second.method_of(number, name)
            a, b = (method.skin(posed, Options()).positions for posed in (ours, theirs))
            np.testing.assert_array_equal(a, b)


def test_crowds_that_follow_other_joints_or_lie_elsewhere_share_nothing():
    rig = rigs.make(rigs.Recipe(seed=4, clips=1))
    primitive = rig.meshes[0].primitives[0]
    weights = primitive.influences.weights.copy()
    weights[2] = weights[2][::-1]
    larger = replace(primitive, positions=2.0 * primitive.positions)
    crowds = [
        BatchedPoses.of(Deformer(each), 0, np.arange(len(weights)), Options())
        for each in (
            rig,
            rigs.with_influences(rig, weights=weights),
            rig.with_primitive(0, 0, larger),
        )
    ]
    assert crowds[0].beside(crowds[0]).like is crowds[0]
    assert crowds[1].beside(crowds[0]).like is None
    assert crowds[2].beside(crowds[0]).like is None


@given(vertices=st.integers(1, 40_000), count=st.integers(0, 70))
def test_poses_are_taken_in_even_portions(vertices, count):
    rig = rigs.make(rigs.Recipe(vertices=3, joints=3, influences=1))
    deformer = Deformer(rig)
    crowd = BatchedPoses.of(deformer, 0, np.zeros(vertices, dtype=np.int64), Options())
    taken = [list(range(count))[few] for few in crowd.portions(count)]
    assert [pose for some in taken for pose in some] == list(range(count))
    sizes = sorted({len(some) for some in taken})
    assert len(set(map(len, taken[:-1]))) <= 1
    assert len(sizes) < 2 or sizes[0] + len(taken) > sizes[-1]
    assert all(len(some) == 1 or len(some) * vertices <= 32768 for some in taken)


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
