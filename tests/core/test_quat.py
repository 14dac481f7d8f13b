"""Quaternions and dual quaternions: what every product and conversion has to keep."""

import numpy as np
import plain_dual_quaternions
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import dualquat, quat

seeds = st.integers(0, 2**32 - 1)
angles = st.floats(-np.pi, np.pi)


def turns(seed, count=8):
    return quat.normalise(np.random.default_rng(seed).normal(size=(count, 4)))


def vectors(seed, count=8):
    return np.random.default_rng(seed + 1).normal(size=(count, 3))


def same_rotation(q, p, tolerance=1e-12):
    # The angle between them is 2·asin of half the distance, which keeps its digits near nothing.
    apart = np.minimum(np.linalg.norm(q - p, axis=-1), np.linalg.norm(q + p, axis=-1))
    assert np.max(apart) <= tolerance


@given(seed=seeds)
def test_a_product_applies_the_right_factor_first(seed):
    q, p, v = turns(seed), turns(seed + 1), vectors(seed)
    one_by_one = quat.rotate(q, quat.rotate(p, v))
    assert np.allclose(quat.rotate(quat.multiply(q, p), v), one_by_one, atol=1e-13)


@given(seed=seeds)
def test_the_conjugate_turns_back(seed):
    q, v = turns(seed), vectors(seed)
    assert np.allclose(quat.rotate(quat.conjugate(q), quat.rotate(q, v)), v, atol=1e-13)


@given(seed=seeds)
def test_a_matrix_and_its_quaternion_rotate_alike(seed):
    q, v = turns(seed), vectors(seed)
    assert np.allclose(np.einsum("nij,nj->ni", quat.to_matrix(q), v), quat.rotate(q, v), atol=1e-13)
    same_rotation(quat.from_matrix(quat.to_matrix(q)), q)


@pytest.mark.parametrize(
    "axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 0), (1, 2, -3)]
)
@pytest.mark.parametrize("nearly", [0.0, 1e-15, -1e-15, 1e-8, -1e-8])
def test_half_turns_survive_the_way_over_the_matrix(axis, nearly):
    q = quat.from_axis_angle(axis, np.pi + nearly)
    same_rotation(quat.from_matrix(quat.to_matrix(q)), q, 1e-15 + 4e-16)


@given(seed=seeds)
def test_the_arc_turns_the_first_direction_onto_the_second(seed):
    a, b = vectors(seed), vectors(seed + 1)
    turned = quat.rotate(quat.arc(a, b), a / np.linalg.norm(a, axis=1, keepdims=True))
    assert np.allclose(turned, b / np.linalg.norm(b, axis=1, keepdims=True), atol=1e-12)


@given(seed=seeds, size=st.sampled_from([0.0, 1e-16, 1e-13, 1e-11, 1e-9, 1e-6]))
def test_the_arc_between_opposed_directions_is_a_half_turn(seed, size):
    a = vectors(seed)
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    b = -a + size * vectors(seed + 1)
    q = quat.arc(a, b)
    assert np.allclose(np.linalg.norm(q, axis=1), 1.0, atol=1e-14)
    assert np.abs(quat.rotate(q, a) + a).max() <= 1e-9 + 10.0 * size


@pytest.mark.parametrize(
    "empty", [((0, 0, 0), (1, 0, 0)), ((1, 0, 0), (0, 0, 0)), ((0, 0, 0),) * 2]
)
def test_the_arc_of_a_vector_of_no_length_is_the_identity(empty):
    a, b = np.array(empty, dtype=float)
    assert np.array_equal(quat.arc(a, b), quat.IDENTITY)


@given(seed=seeds, t=st.floats(0.0, 1.0))
def test_slerp_has_constant_speed_along_the_short_arc(seed, t):
    start, end = turns(seed), turns(seed + 1)
    middle = quat.slerp(start, end, np.full(8, t))
    whole = quat.angle_between(start, end)
    assert np.allclose(quat.angle_between(start, middle), t * whole, atol=1e-7)
    assert np.allclose(quat.angle_between(middle, end), (1 - t) * whole, atol=1e-7)
    assert np.all(whole <= np.pi)


@given(seed=seeds, t=st.floats(0.0, 1.0))
def test_slerp_from_a_quaternion_to_its_negative_stays(seed, t):
    start = turns(seed)
    same_rotation(quat.slerp(start, -start, np.full(8, t)), start)


@given(seed=seeds, t=st.floats(0.0, 1.0))
def test_slerp_over_half_a_turn_looks_the_same_from_every_frame(seed, t):
    rng = np.random.default_rng(seed)
    half = np.concatenate([rng.normal(size=3), [0.0]])
    start, end = np.array(quat.IDENTITY), quat.normalise(half)
    left, right = quat.normalise(rng.normal(size=(2, 4)))

    def seen(q):
        return quat.multiply(quat.multiply(left, q), right)

    t = np.asarray(t)
    same_rotation(quat.slerp(seen(start), seen(end), t), seen(quat.slerp(start, end, t)))


@given(seed=seeds, small=st.floats(0.0, np.pi - 1e-6))
def test_a_rotation_vector_is_the_axis_as_long_as_the_angle(seed, small):
    axes = vectors(seed)
    axes /= np.linalg.norm(axes, axis=-1, keepdims=True)
    q = quat.from_axis_angle(axes, np.full(len(axes), small))
    assert np.allclose(quat.rotation_vector(q), small * axes, atol=1e-9)
    assert np.allclose(quat.rotation_vector(-q), small * axes, atol=1e-9)


@given(seed=seeds)
def test_swing_and_twist_make_up_the_rotation(seed):
    q, axis = turns(seed), vectors(seed)
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    swing, twist = quat.swing_twist(q, axis)
    same_rotation(quat.multiply(swing, twist), q)
    assert np.allclose(quat.rotate(twist, axis), axis, atol=1e-12)
    assert np.abs(np.sum(swing[:, :3] * axis, axis=1)).max() <= 1e-12


@given(x=angles, y=angles, z=angles)
def test_euler_angles_come_back_as_the_same_rotation(x, y, z):
    q = quat.from_euler([x, y, z])
    same_rotation(quat.from_euler(quat.to_euler(q)), q, 1e-7)


def test_euler_angles_turn_about_x_first_and_z_last():
    x, y, z = 0.3, -0.4, 0.5
    parts = [
        quat.from_axis_angle(axis, angle) for axis, angle in zip(np.eye(3), (x, y, z), strict=True)
    ]
    q = quat.multiply(parts[2], quat.multiply(parts[1], parts[0]))
    same_rotation(quat.from_euler([x, y, z]), q)
    assert np.allclose(quat.to_euler(q), [x, y, z], atol=1e-15)


@given(x=angles, z=angles, up=st.booleans(), off=st.sampled_from([0, 1e-9, 1e-7, 1e-6, 3e-6, 1e-4]))
def test_euler_angles_hold_in_gimbal_lock_and_near_it(x, z, up, off):
    y = (np.pi / 2 - off) * (1 if up else -1)
    q = quat.from_euler([x, y, z])
    angles_ = quat.to_euler(q)
    same_rotation(quat.from_euler(angles_), q, 3e-6)
    if off == 0:
        assert angles_[0] == 0.0


@given(seed=seeds)
def test_a_dual_quaternion_is_its_matrix(seed):
    q, t, v = turns(seed), vectors(seed), vectors(seed + 2)
    dq = dualquat.from_rigid(q, t)
    assert np.allclose(plain_dual_quaternions.translation(dq), t, atol=1e-13)
    matrix = plain_dual_quaternions.to_matrix(dq)
    moved = np.einsum("nij,nj->ni", matrix[:, :3, :3], v) + matrix[:, :3, 3]
    assert np.allclose(plain_dual_quaternions.transform_points(dq, v), moved, atol=1e-13)


@given(seed=seeds)
def test_blending_equal_dual_quaternions_gives_them_back(seed):
    dq = dualquat.from_rigid(turns(seed), vectors(seed))
    weights = np.random.default_rng(seed).uniform(0.1, 1.0, (8, 5))
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (8, 5, 1))
    blended = plain_dual_quaternions.blend(signs * dq[:, None, :], weights)
    v = vectors(seed + 3)
    wanted = plain_dual_quaternions.transform_points(dq, v)
    assert np.allclose(plain_dual_quaternions.transform_points(blended, v), wanted, atol=1e-12)


@given(seed=seeds)
def test_which_way_half_a_turn_is_blended_is_no_matter_of_rounding(seed):
    rng = np.random.default_rng(seed)
    pivot = quat.normalise(rng.normal(size=4))
    half = quat.normalise(np.concatenate([rng.normal(size=3), [0.0]]))
    other = quat.multiply(pivot, half)
    noise = 1e-15 * rng.normal(size=(2, 4))
    blends = [
        plain_dual_quaternions.blend(
            dualquat.from_rigid(np.stack([pivot, other + n]), np.zeros((2, 3)))[None],
            np.array([[0.6, 0.4]]),
        )
        for n in noise
    ]
    assert np.abs(blends[0] - blends[1]).max() <= 1e-12
