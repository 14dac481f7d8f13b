"""The algebra of dual quaternions, held to the matrices of the same rigid motions."""

import numpy as np
import plain_dual_quaternions
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import dualquat, quat

seeds = st.integers(0, 2**32 - 1)
COUNT = 8


def motions(seed):
    """Return random rigid motions, among them none, a shift, and turns of almost nothing."""
    rng = np.random.default_rng(seed)
    turns = quat.normalise(rng.normal(size=(COUNT, 4)))
    turns[:2] = quat.IDENTITY
    turns[2] = quat.from_axis_angle(rng.normal(size=3), 1e-9)
    turns[3] = quat.from_axis_angle(rng.normal(size=3), 3e-4)
    shifts = rng.normal(size=(COUNT, 3))
    shifts[0] = 0.0
    return dualquat.from_rigid(turns, shifts)


def same_motion(one, other, tolerance=1e-12):
    one, other = (plain_dual_quaternions.to_matrix(dq) for dq in (one, other))
    assert np.abs(one - other).max() <= tolerance


@given(seed=seeds)
def test_a_product_is_the_product_of_the_matrices(seed):
    q, p = motions(seed), motions(seed + 1)
    got = plain_dual_quaternions.to_matrix(dualquat.multiply(q, p))
    to_matrix = plain_dual_quaternions.to_matrix
    assert np.abs(got - to_matrix(q) @ to_matrix(p)).max() <= 1e-12


@given(seed=seeds)
def test_points_move_as_the_matrix_moves_them(seed):
    q, points = motions(seed), np.random.default_rng(seed).normal(size=(COUNT, 3))
    matrix = plain_dual_quaternions.to_matrix(q)
    wanted = np.einsum("nij,nj->ni", matrix[:, :3, :3], points) + matrix[:, :3, 3]
    assert np.abs(dualquat.transform_points(q, points) - wanted).max() <= 1e-12


@given(seed=seeds)
def test_the_conjugate_of_a_rigid_motion_undoes_it(seed):
    q = motions(seed)
    same_motion(dualquat.multiply(q, dualquat.conjugate(q)), motions(0)[:1])
    same_motion(dualquat.inverse(q), dualquat.conjugate(q))


@given(seed=seeds)
def test_the_inverse_of_any_dual_quaternion_gives_one(seed):
    q = np.random.default_rng(seed).normal(size=(COUNT, 8))
    one = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    for product in (
        dualquat.multiply(q, dualquat.inverse(q)),
        dualquat.multiply(dualquat.inverse(q), q),
    ):
        assert np.abs(product - one).max() <= 1e-9


@given(seed=seeds)
def test_the_scalar_product_is_the_w_of_a_product_with_the_conjugate(seed):
    rng = np.random.default_rng(seed)
    q, p = rng.normal(size=(2, COUNT, 8))
    product = dualquat.multiply(q, dualquat.conjugate(p))
    assert np.abs(dualquat.dot(q, p) - product[:, [3, 7]]).max() <= 1e-12
    unit = motions(seed)
    assert np.abs(dualquat.dot(unit, unit) - (1.0, 0.0)).max() <= 1e-12


@given(seed=seeds)
def test_a_normalised_dual_quaternion_is_rigid_and_a_rigid_one_stays(seed):
    q = np.random.default_rng(seed).normal(size=(COUNT, 8))
    unit = dualquat.normalise(q)
    assert np.abs(dualquat.dot(unit, unit) - (1.0, 0.0)).max() <= 1e-10
    same_motion(dualquat.normalise(3.0 * motions(seed)), motions(seed))
    assert np.array_equal(dualquat.normalise(np.zeros(8)), motions(0)[0])


@given(seed=seeds)
def test_exp_undoes_log(seed):
    q = motions(seed)
    assert np.abs(dualquat.exp(dualquat.log(q)) - q).max() <= 1e-11


@given(seed=seeds)
def test_log_undoes_exp_up_to_half_a_turn(seed):
    rng = np.random.default_rng(seed)
    screws = rng.normal(size=(COUNT, 6))
    half = rng.uniform(0.0, np.pi - 0.01, (COUNT, 1))
    half[:2, 0] = 0.0, 1e-7
    screws[:, :3] *= half / np.linalg.norm(screws[:, :3], axis=1, keepdims=True)
    assert np.abs(dualquat.log(dualquat.exp(screws)) - screws).max() <= 1e-9


@given(seed=seeds, share=st.floats(-1.0, 2.0))
def test_motions_along_one_screw_add_up(seed, share):
    screws = np.random.default_rng(seed).normal(size=(COUNT, 6))
    parts = dualquat.exp(share * screws), dualquat.exp((1.0 - share) * screws)
    same_motion(dualquat.multiply(*parts), dualquat.exp(screws), 1e-11)


@given(seed=seeds, t=st.floats(0.0, 1.0))
def test_interpolation_goes_from_start_to_end_and_back_alike(seed, t):
    start, end = motions(seed), motions(seed + 1)
    every = np.full(COUNT, t)
    same_motion(dualquat.sclerp(start, end, np.zeros(COUNT)), start, 1e-11)
    same_motion(dualquat.sclerp(start, end, np.ones(COUNT)), end, 1e-11)
    there, back = (
        dualquat.sclerp(start, end, every),
        dualquat.sclerp(end, start, 1.0 - every),
    )
    same_motion(there, back, 1e-10)
    same_motion(dualquat.sclerp(start, -end, every), there, 1e-10)


@given(seed=seeds, t=st.floats(0.0, 1.0))
def test_interpolation_is_seen_alike_from_everywhere(seed, t):
    start, end, world, mesh = (motions(seed + i) for i in range(4))
    every = np.full(COUNT, t)

    def seen(dq):
        return dualquat.multiply(dualquat.multiply(world, dq), mesh)

    wanted = seen(dualquat.sclerp(start, end, every))
    same_motion(dualquat.sclerp(seen(start), seen(end), every), wanted, 1e-10)


def test_a_screw_turns_and_moves_evenly():
    turn = quat.from_axis_angle([0.0, 0.0, 1.0], 2.0)
    end = dualquat.from_rigid(turn, np.array([0.0, 0.0, 3.0]))
    none = dualquat.from_rigid(np.array(quat.IDENTITY), np.zeros(3))
    third = dualquat.sclerp(none, end, np.array(1.0 / 3.0))
    assert quat.angle_between(third[:4], none[:4]) == pytest.approx(2.0 / 3.0)
    assert dualquat.translation(third) == pytest.approx([0.0, 0.0, 1.0])
