"""Affine transforms taken apart and put together, and arrays turned into frozen values."""

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import affine, quat
from rigview.core.arrays import frozen, unit

seeds = st.integers(0, 2**32 - 1)
signs = st.tuples(*[st.sampled_from([-1.0, 1.0])] * 3)


def parts(seed, sign=(1.0, 1.0, 1.0), count=6):
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.uniform(-3, 3, (count, 3)) * sign
    return rng.normal(size=(count, 3)), quat.normalise(rng.normal(size=(count, 4))), scale


@given(seed=seeds, sign=signs)
def test_a_matrix_taken_apart_is_put_together_again(seed, sign):
    matrix = affine.compose(*parts(seed, sign))
    again = affine.compose(*affine.decompose(matrix))
    assert np.abs(again - matrix).max() <= 1e-12 * np.abs(matrix).max()


@given(seed=seeds)
def test_translation_rotation_and_positive_scale_come_back(seed):
    translation, rotation, scale = parts(seed)
    got = affine.decompose(affine.compose(translation, rotation, scale))
    assert np.array_equal(got.translation, translation)
    assert np.allclose(got.scale, scale, rtol=1e-13)
    assert quat.angle_between(got.rotation, rotation).max() <= 1e-7


@given(seed=seeds, axis=st.integers(0, 2))
def test_a_reflection_taken_apart_lies_on_local_x(seed, axis):
    sign = np.where(np.arange(3) == axis, -1.0, 1.0)
    got = affine.decompose(affine.compose(*parts(seed, sign)))
    assert np.all(got.scale[:, 0] < 0.0)
    assert np.all(got.scale[:, 1:] > 0.0)


@pytest.mark.parametrize("scale", [(0, 0, 0), (1, 0, 2), (0, 3, 1), (0, 0, 5)])
def test_a_scale_of_zero_is_taken_apart_into_finite_numbers(scale):
    matrix = affine.compose(np.zeros(3), quat.from_euler([0.1, 0.2, 0.3]), np.array(scale, float))
    got = affine.decompose(matrix)
    assert np.allclose(got.scale, scale)
    assert np.allclose(affine.compose(*got), matrix, atol=1e-14)
    assert np.linalg.norm(got.rotation) == pytest.approx(1.0)


@given(seed=seeds)
def test_an_inverse_undoes(seed):
    matrix = affine.compose(*parts(seed))
    assert np.allclose(affine.inverse(matrix) @ matrix, np.eye(4), atol=1e-9)


def test_the_inverse_of_a_crushed_matrix_is_finite_and_undoes_what_is_left():
    flat = affine.compose(
        np.array([1.0, 2, 3]), quat.from_euler([1, 2, 3.0]), np.array([2.0, 3, 0])
    )
    back = affine.inverse(np.stack([flat, np.eye(4)]))
    assert np.array_equal(back[1], np.eye(4))
    assert np.allclose(back[0] @ flat, np.diag([1.0, 1, 0, 1]), atol=1e-12)
    nothing = affine.inverse(np.diag([0.0, 0, 0, 1]))
    assert np.array_equal(nothing, np.diag([0.0, 0, 0, 1]))


def test_shear_is_the_cosine_between_columns():
    square = affine.compose(*parts(3))
    assert affine.shear(square).max() <= 1e-12
    leaning = np.eye(4)
    leaning[0, 1] = np.tan(np.radians(30.0))
    assert affine.shear(leaning) == pytest.approx(0.5)


@given(seed=seeds)
def test_cofactors_are_the_inverse_transpose_times_the_determinant(seed):
    linear = np.random.default_rng(seed).normal(size=(5, 3, 3))
    wanted = np.linalg.det(linear)[:, None, None] * np.swapaxes(np.linalg.inv(linear), 1, 2)
    assert np.allclose(affine.cofactor(linear), wanted, rtol=1e-6, atol=1e-9)


@given(seed=seeds, sign=signs)
def test_polar_gives_a_rotation_and_what_is_left(seed, sign):
    linear = affine.compose(*parts(seed, sign))[:, :3, :3]
    rotation, stretch = affine.polar(linear)
    assert np.allclose(rotation @ np.swapaxes(rotation, 1, 2), np.eye(3), atol=1e-12)
    assert np.allclose(np.linalg.det(rotation), 1.0)
    assert np.abs(rotation @ stretch - linear).max() <= 1e-12 * np.abs(linear).max()
    if np.prod(sign) > 0:
        largest = np.abs(stretch).max()
        assert np.allclose(stretch, np.swapaxes(stretch, 1, 2), rtol=1e-9, atol=1e-9 * largest)


@given(seed=seeds, size=st.floats(1e-6, 1e6))
def test_polar_of_a_uniform_scale_is_the_rotation_to_the_last_digit(seed, size):
    q = quat.normalise(np.random.default_rng(seed).normal(size=4))
    rotation, stretch = affine.polar(size * quat.to_matrix(q))
    assert np.abs(rotation - quat.to_matrix(q)).max() <= 2e-15
    assert np.allclose(stretch, size * np.eye(3), rtol=1e-14, atol=1e-14 * size)


def perturbed(linear, seed, noise=1e-9):
    rng = np.random.default_rng(seed)
    return linear + noise * np.abs(linear).max() * rng.uniform(-1, 1, (200, 3, 3))


@pytest.mark.parametrize(
    "scale",
    [
        (1, 1, 1),
        (-1, 1, 1),
        (-1, -1, -1),
        (-2, 2, 2),
        (-1, 2, 3),
        (1, 1, -1),
        (1, 2, 3),
        (0.01,) * 3,
    ],
)
@given(seed=seeds)
def test_the_rotation_of_plain_and_mirrored_matrices_is_stable(scale, seed):
    turn = quat.to_matrix(quat.normalise(np.random.default_rng(seed).normal(size=4)))
    linear = turn @ np.diag(scale).astype(float)
    axis = np.eye(3)[int(np.argmin(scale))]
    steady, _ = affine.polar(linear, axis)
    rotation, _ = affine.polar(perturbed(linear, seed), axis)
    assert np.abs(rotation - steady).max() < 1e-6


@pytest.mark.parametrize("scale", [(1, 1, 0), (1, 0, 1), (0, 1, 1), (2, 3, 0), (0, 100, 30)])
@given(seed=seeds)
def test_the_rotation_of_a_matrix_that_crushes_one_axis_is_stable(scale, seed):
    # Two directions are left and fix the rotation; noise must not pass for a reflection.
    turn = quat.to_matrix(quat.normalise(np.random.default_rng(seed).normal(size=4)))
    linear = turn @ np.diag(scale).astype(float)
    steady, _ = affine.polar(linear)
    assert np.abs(steady - turn).max() < 1e-12
    rotation, _ = affine.polar(perturbed(linear, seed))
    assert np.abs(rotation - steady).max() < 1e-6


@given(seed=seeds)
def test_the_rotation_is_continuous_while_a_negative_axis_passes_through_zero(seed):
    turn = quat.to_matrix(quat.normalise(np.random.default_rng(seed).normal(size=4)))
    sizes = np.linspace(-1.0, 1.0, 401)
    linear = turn @ (np.eye(3) * np.stack([np.ones(401), np.ones(401), sizes], 1)[:, None, :])
    rotation, _ = affine.polar(linear, (0.0, 0.0, 1.0))
    assert np.abs(np.diff(rotation, axis=0)).max() <= 1e-6


def test_a_scale_range_is_the_smallest_and_the_largest():
    low, high = affine.scale_range(affine.compose(*(p[0] for p in parts(1))))
    assert (low, high) == pytest.approx(
        (np.abs(parts(1)[2][0]).min(), np.abs(parts(1)[2][0]).max())
    )


def test_points_are_transformed_by_one_matrix():
    rng = np.random.default_rng(0)
    matrix, points = rigs.random_rigid(rng), rng.normal(size=(2, 5, 3))
    wanted = (matrix @ np.append(points[1, 2], 1.0))[:3]
    assert np.allclose(affine.transform_points(matrix, points)[1, 2], wanted)


def test_a_frozen_array_is_read_only_and_its_own():
    mine = np.zeros((2, 3))
    value = frozen("x", mine, (None, 3))
    assert not value.flags.writeable
    mine[0, 0] = 1.0
    assert value[0, 0] == 0.0


def test_a_frozen_view_does_not_follow_what_it_was_a_view_of():
    mine = np.zeros((4, 3))
    value = frozen("x", mine[1:3], (2, 3))
    mine[:] = 1.0
    assert np.array_equal(value, np.zeros((2, 3)))


def test_frozen_arrays_are_shared_instead_of_copied():
    value = frozen("x", [[1.0, 2.0, 3.0]], (None, 3))
    assert frozen("y", value, (1, 3)) is value


def test_a_read_only_view_of_a_writable_array_is_copied():
    mine = np.zeros((2, 3))
    window = mine.view()
    window.flags.writeable = False
    value = frozen("x", window, (2, 3))
    mine[0, 0] = 1.0
    assert value[0, 0] == 0.0


def test_another_shape_names_array_wanted_and_given():
    with pytest.raises(ValueError, match=r"weights: wanted shape \(any, 4\), got \(2, 3\)"):
        frozen("weights", np.zeros((2, 3)), (None, 4))


def test_vectors_of_no_length_become_the_fallback():
    got = unit(np.array([[0.0, 0, 0], [0, 0, 2]]), (1.0, 0.0, 0.0))
    assert np.array_equal(got, [[1, 0, 0], [0, 0, 1]])


@pytest.mark.parametrize("least", [0.0, 1e-320, 1e-300, 1e-30])
def test_a_scale_next_to_nothing_is_taken_apart_without_a_word(least):
    matrix = np.eye(4)
    matrix[:3, :3] = quat.to_matrix(np.array([0.6, 0.0, 0.0, 0.8])) * (least, 2.0, -3.0)
    got = affine.decompose(matrix)
    np.testing.assert_allclose(np.abs(got.scale), [least, 2.0, 3.0], rtol=1e-12, atol=1e-150)
    np.testing.assert_allclose(affine.compose(*got), matrix, atol=1e-12)
