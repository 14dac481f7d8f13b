"""Packed influences and the matrix route: what they cost in memory, and what in accuracy."""

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core.deform import Deformer
from rigview.core.methods.binding import Binding
from rigview.core.skinning import METHODS, Options
from rigview.render.feedback import Feedback
from rigview.render.vertex_stage import VertexStage, pack

FULL = VertexStage(joints=32, weights=32)


def bound(weights, joints=None):
    order = np.tile(np.arange(weights.shape[1]), (len(weights), 1)) if joints is None else joints
    count = len(weights)
    return Binding(order, weights, np.zeros(count), np.zeros(count))


def random_weights(seed, influences):
    weights = np.random.default_rng(seed).uniform(0.0, 1.0, (50, influences)) ** 3
    return weights / weights.sum(axis=1, keepdims=True)


@given(seed=st.integers(0, 2**32 - 1), influences=st.integers(1, 12), bits=st.sampled_from([8, 16]))
def test_packed_weights_sum_to_one_exactly_and_are_off_by_less_than_one_step(
    seed, influences, bits
):
    weights = random_weights(seed, influences)
    packed = pack(bound(weights), VertexStage(weights=bits))
    most = 2**bits - 1
    assert packed.weights.dtype.itemsize == bits // 8
    assert np.all(packed.weights.sum(axis=1, dtype=np.int64) == most)
    assert packed.weight_error == np.abs(packed.shares - weights).max()
    assert packed.weight_error < 1.0 / most


def test_memory_is_what_the_formats_say():
    binding = bound(random_weights(1, 4))
    taken = {
        (joints, weights): pack(binding, VertexStage(joints, weights)).bytes_per_vertex
        for joints in (8, 16, 32)
        for weights in (8, 16, 32)
    }
    assert taken == {(j, w): (j + w) // 2 for j, w in taken}


@pytest.mark.parametrize(("most", "bits"), [(255, 8), (256, 16), (65535, 16), (65536, 32)])
def test_joints_take_as_many_bits_as_they_need(most, bits):
    binding = bound(np.ones((3, 1)), np.array([[0], [7], [most]]))
    packed = pack(binding, VertexStage(joints=8))
    assert packed.joints.dtype.itemsize == bits // 8
    assert np.array_equal(packed.joints, binding.joints)


@pytest.mark.parametrize("odd", [-0.25, 1.25])
def test_weights_beyond_the_range_stay_floats(odd):
    binding = bound(np.array([[0.5, 0.5], [odd, 1.0 - odd]]))
    packed = pack(binding, VertexStage(weights=8))
    assert packed.weights.dtype == np.float32
    assert packed.weight_error == 0.0


def test_weights_that_do_not_sum_to_one_keep_their_sum():
    packed = pack(bound(np.array([[0.3, 0.3], [0.0, 0.0]])), VertexStage(weights=8))
    assert packed.weights.sum(axis=1).tolist() == [153, 0]


def skinned(rig, pose, method, stage):
    deformer = Deformer(rig)
    feedback = Feedback(deformer, stage)
    result = feedback.skin_all(deformer.frame(pose), method, Options())
    packed = [part.packed for part in feedback.scene.parts]
    feedback.close()
    return result, packed


@pytest.mark.gl
@pytest.mark.parametrize("influences", [3, 9])
@pytest.mark.parametrize("stage", [VertexStage(8, 8), VertexStage(16, 16)])
def test_packed_influences_move_a_vertex_no_further_than_their_weights_are_off(
    gl, stage, influences
):
    rig = rigs.make(rigs.Recipe(seed=3, joints=12, influences=influences, clips=1, prop=True))
    deformer = Deformer(rig)
    pose = rigs.poses(rig)[-1]
    frame = deformer.frame(pose)
    core = deformer.skin_all(frame, METHODS["lbs"], Options())
    card, packed = skinned(rig, pose, "lbs", stage)
    for number, (one, other) in enumerate(zip(core, card, strict=True)):
        binding = deformer.bindings[number]
        off = np.abs(packed[number].shares - binding.weights).sum(axis=1)
        matrices = deformer.part_palette(frame, rig.parts[number]).matrices[binding.joints]
        rest = deformer.morphed(number, pose)[0]
        images = np.einsum("vkij,vj->vki", matrices[..., :3, :3], rest) + matrices[..., :3, 3]
        # The errors of a vertex's weights sum to nothing: it moves by half of them at most, from one
        # end of its images to the other.
        spread = np.linalg.norm(np.ptp(images, axis=1), axis=-1)
        moved = np.linalg.norm(one.positions - other.positions, axis=1)
        assert np.all(moved <= 0.5 * off * spread + 1e-5)


@pytest.mark.gl
@pytest.mark.parametrize("method", METHODS)
def test_every_method_reads_packed_influences(gl, method):
    rig = rigs.make(rigs.Recipe(seed=4, joints=10, influences=6, clips=1))
    pose = rigs.poses(rig)[-1]
    plain, _ = skinned(rig, pose, method, FULL)
    fine, packed = skinned(rig, pose, method, VertexStage(8, 16))
    size = Deformer(rig).size
    assert 0.0 < packed[0].weight_error < 1.6e-5
    assert np.abs(plain[0].positions - fine[0].positions).max() <= 2e-3 * size
    same, _ = skinned(rig, pose, method, VertexStage())
    assert np.array_equal(plain[0].positions, same[0].positions)


@pytest.mark.gl
@pytest.mark.parametrize("stretch", [(), ("scale",)])
@pytest.mark.parametrize("method", METHODS)
def test_a_matrix_made_of_the_dual_quaternion_moves_vertices_alike(gl, method, stretch):
    animated = ("translation", "rotation", *stretch)
    rig = rigs.make(rigs.Recipe(seed=5, joints=10, influences=6, clips=1, animated=animated))
    pose = rigs.poses(rig)[-1]
    direct, _ = skinned(rig, pose, method, FULL)
    by_matrix, _ = skinned(rig, pose, method, VertexStage(dual_route="matrix"))
    largest = np.abs(direct[0].positions).max()
    assert np.abs(direct[0].positions - by_matrix[0].positions).max() <= 4e-6 * largest
    assert np.abs(direct[0].normals - by_matrix[0].normals).max() <= 1e-4
