"""Euler angles are the rotation that they came from, in any order, and curves of them do not jump."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import euler, quat

ANGLES = st.lists(st.floats(-400.0, 400.0), min_size=3, max_size=3)


def apart(q, p):
    return np.max(quat.angle_between(q, p))


@given(ANGLES, st.sampled_from(euler.ORDERS))
def test_angles_give_the_rotation_back(degrees, order):
    q = euler.from_angles(np.radians(degrees), order)
    assert apart(euler.from_angles(euler.to_angles(q, order), order), q) < 1e-7


@pytest.mark.parametrize("order", euler.ORDERS)
@pytest.mark.parametrize("second", [-90.0, 90.0])
def test_a_locked_joint_keeps_its_rotation(order, second):
    degrees = np.array([20.0, 20.0, 20.0])
    degrees["XYZ".index(order[1])] = second
    q = euler.from_angles(np.radians(degrees), order)
    assert apart(euler.from_angles(euler.to_angles(q, order), order), q) < 1e-7


def test_the_usual_order_is_that_of_quat():
    degrees = np.array([10.0, -40.0, 130.0])
    np.testing.assert_allclose(
        euler.from_angles(np.radians(degrees)), quat.from_euler(np.radians(degrees)), atol=1e-15
    )


@given(st.integers(0, 2**32 - 1), st.sampled_from(euler.ORDERS))
def test_a_smooth_turn_has_smooth_angles(seed, order):
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 1.0, 200)[:, None]
    # The second turn goes past ±90° and the others several times around.
    degrees = rng.uniform(-700.0, 700.0, 3) * time + rng.uniform(-180.0, 180.0, 3)
    q = euler.from_angles(np.radians(degrees), order)
    found = euler.unwrapped(euler.to_angles(q, order), order)
    assert apart(euler.from_angles(found, order), q) < 1e-6
    # The curve itself, but for whole turns and the other solution of its first value.
    steps = np.abs(np.diff(np.degrees(found), axis=0))
    assert steps.max() < 700.0 / 199 + 1e-6


def test_a_curve_past_half_a_turn_goes_on():
    degrees = np.zeros((73, 3))
    degrees[:, 1] = np.linspace(0.0, 360.0, 73)
    q = euler.from_angles(np.radians(degrees))
    assert np.abs(np.degrees(euler.to_angles(q))[:, 1]).max() <= 90.0 + 1e-9
    np.testing.assert_allclose(np.degrees(euler.unwrapped(euler.to_angles(q))), degrees, atol=1e-6)


def test_an_unknown_order_is_refused():
    with pytest.raises(ValueError, match="wanted one of XYZ"):
        euler.axes_of("XYX")
