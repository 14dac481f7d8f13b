"""Sparse sums over influences equal the plain ones, for any number of influences per vertex."""

import numpy as np
import plain_dual_quaternions
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import dualquat, quat
from rigview.core.methods.binding import Binding
from rigview.core.numeric.blending import _BLOCK, Blending

JOINTS = 9


def scattered(seed, vertices=40):
    """Return influences of 0 to 7 joints a vertex, the heaviest first, among them negative weights."""
    rng = np.random.default_rng(seed)
    weights = rng.uniform(-0.2, 1.0, (vertices, 7))
    weights[np.arange(7) >= rng.integers(0, 8, vertices)[:, None]] = 0.0
    order = np.argsort(-weights, axis=1)
    joints = np.argsort(rng.random((vertices, JOINTS)), axis=1)[:, :7]
    weights = np.take_along_axis(weights, order, axis=1)
    return Blending(np.where(weights != 0.0, joints, 0), weights), rng


def palette(rng):
    rotations = quat.normalise(rng.normal(size=(JOINTS, 4)))
    return dualquat.from_rigid(rotations, rng.normal(size=(JOINTS, 3)))


def points(rng, blending, frozen):
    result = rng.normal(size=(len(blending.weights), 3))
    result.flags.writeable = not frozen
    return result


seeds = st.integers(0, 2**32 - 1)
both = pytest.mark.parametrize("frozen", [True, False], ids=["read-only", "writable"])


@given(seed=seeds)
def test_a_sum_over_joints_is_the_weighted_sum(seed):
    blending, rng = scattered(seed)
    table = rng.normal(size=(JOINTS, 5))
    wanted = np.einsum("vk,vkc->vc", blending.weights, table[blending.joints])
    assert np.abs(blending.of_joints(table) - wanted).max() <= 1e-13


@both
@given(seed=seeds)
def test_points_are_moved_by_the_blended_matrix(frozen, seed):
    blending, rng = scattered(seed)
    matrices, rest = rng.normal(size=(JOINTS, 3, 4)), points(rng, blending, frozen)
    blended = np.einsum("vk,vkij->vij", blending.weights, matrices[blending.joints])
    wanted = np.einsum("vij,vj->vi", blended[..., :3], rest) + blended[..., 3]
    assert np.abs(blending.transformed(matrices, rest) - wanted).max() <= 1e-13


@both
@given(seed=seeds)
def test_points_are_moved_by_the_dual_quaternion_blended_on_the_short_arc(frozen, seed):
    blending, rng = scattered(seed)
    dq, rest = palette(rng), points(rng, blending, frozen)
    plain = plain_dual_quaternions.blend(dq[blending.joints], blending.weights)
    length = np.linalg.norm(
        np.einsum("vk,vkq->vq", np.abs(blending.weights), np.abs(dq[blending.joints, :4])), axis=1
    )
    got = blending.moved(dq, rest, blending.short_arcs(dq[:, :4]))
    # Weights of both signs may cancel almost: what is left then is rounding.
    whole = length < 1e3 * _blended_length(blending, dq)
    wanted = plain_dual_quaternions.transform_points(plain, rest)
    assert np.abs((got - wanted)[whole]).max(initial=0.0) <= 1e-9
    empty = ~np.any(blending.weights, axis=1)
    assert np.array_equal(got[empty], rest[empty])


def _blended_length(blending, dq):
    turned = dq[blending.joints, :4]
    facing = np.einsum("vkq,vq->vk", turned, turned[:, 0])
    signed = np.where(facing < 0.0, -blending.weights, blending.weights)
    return np.linalg.norm(np.einsum("vk,vkq->vq", signed, turned), axis=1)


def test_points_that_change_are_not_taken_for_those_of_the_last_pose():
    blending, rng = scattered(3)
    matrices, dq = rng.normal(size=(JOINTS, 3, 4)), palette(rng)
    for frozen in (True, False, True):
        rest = points(rng, blending, frozen)
        fresh = Blending(blending.joints, blending.weights)
        assert np.allclose(
            blending.transformed(matrices, rest), fresh.transformed(matrices, rest), atol=1e-13
        )
        assert np.array_equal(blending.moved(dq, rest), fresh.moved(dq, rest))


def test_a_mesh_of_several_blocks_is_whole():
    blending, rng = scattered(4, 2 * _BLOCK + 5)
    dq, rest = palette(rng), points(rng, blending, True)
    arcs = blending.short_arcs(dq[:, :4])
    assert arcs.pairs is not None
    half = slice(_BLOCK + 7, None)
    part = Blending(blending.joints[half], blending.weights[half])
    whole = blending.moved(dq, rest, arcs)
    assert np.allclose(whole[half], part.moved(dq, rest[half], part.short_arcs(dq[:, :4])))


def test_one_vertex_of_many_influences_costs_the_others_nothing():
    joints, weights = np.tile(np.arange(2), (1000, 1)), np.full((1000, 2), 0.5)
    wide = np.zeros((1000, 12))
    wide[:, :2] = weights
    wide[0] = 1.0 / 12.0
    many = np.tile(np.arange(12), (1000, 1))
    narrow, ragged = Blending(joints, weights)._weights, Blending(many, wide)._weights
    assert ragged.nnz == narrow.nnz + 10


@pytest.mark.parametrize("vertices", [0, 1])
def test_almost_no_mesh_is_skinned_too(vertices):
    blending, rng = scattered(5, vertices)
    dq, rest = palette(rng), points(rng, blending, True)
    assert blending.moved(dq, rest, blending.short_arcs(dq[:, :4])).shape == (vertices, 3)
    assert blending.transformed(rng.normal(size=(JOINTS, 3, 4)), rest).shape == (vertices, 3)


@given(seed=seeds, vertices=st.integers(0, 12), count=st.integers(1, 4), room=st.integers(0, 2))
def test_copies_are_what_they_would_be_told_one_by_one(seed, vertices, count, room):
    blending, rng = scattered(seed, vertices)
    width = JOINTS + room
    copies = blending.copies(count, width)
    offsets = width * np.repeat(np.arange(count), vertices)[:, None]
    anew = Blending(
        np.tile(blending.joints, (count, 1)) + offsets, np.tile(blending.weights, (count, 1))
    )
    np.testing.assert_array_equal(copies.joints, anew.joints)
    np.testing.assert_array_equal(copies.weights, anew.weights)
    rotations = quat.normalise(rng.normal(size=(count * width, 4)))
    ours, theirs = copies.short_arcs(rotations), anew.short_arcs(rotations)
    np.testing.assert_array_equal(ours.joints, theirs.joints)
    assert (ours.pairs is None) == (theirs.pairs is None)
    np.testing.assert_array_equal(
        copies.of_joints(rotations, ours), anew.of_joints(rotations, theirs)
    )
    if ours.pairs is not None:
        np.testing.assert_array_equal(
            copies.signed_weights(ours.pairs), anew.signed_weights(theirs.pairs)
        )
    side, radius = rng.choice([-1.0, 0.0, 1.0], vertices), rng.random(vertices)
    one = Binding(blending.joints, blending.weights, side, radius)
    bound, whole = (
        one.copies(count, width),
        Binding(anew.joints, anew.weights, np.tile(side, count), np.tile(radius, count)),
    )
    np.testing.assert_array_equal(bound.side, whole.side)
    np.testing.assert_array_equal(bound.radius, whole.radius)
    for own, other in zip(bound.leading, whole.leading, strict=True):
        np.testing.assert_array_equal(own, other)
