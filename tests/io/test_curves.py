"""Cubic pieces of curves: a Bézier's value at a time, and the times beside a jump."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.io.curves import HELD, CurveGroup, are_jumps, before_jump, cubics

shares = st.floats(0.0, 1.0)


def bezier(s, *points):
    """Evaluate a Bézier curve at its parameter."""
    r = 1.0 - s
    a, b, c, d = points
    return r**3 * a + 3.0 * r * r * s * b + 3.0 * r * s * s * c + s**3 * d


def eased(first, second, values):
    """Return one Bézier piece of a second, whose inner points lie at shares of it."""
    a, b, c, d = values
    rows, yes = np.array([[a, d]]), np.ones((1, 1), dtype=np.bool_)
    pieces = cubics(rows, yes, ~yes, np.array([[b - a]]), np.array([[d - c]]))
    weights = np.array([[[first, 1.0 - second]]])
    jumps, slopes = np.zeros((1, 1, 2), dtype=np.bool_), np.zeros((1, 2))
    return CurveGroup(np.array([0.0, 1.0]), rows, pieces, weights, jumps, slopes, HELD, HELD)


@given(first=shares, second=shares, s=shares)
def test_a_bezier_is_found_by_its_time_however_upright_it_is(first, second, s):
    time = bezier(s, 0.0, first, second, 1.0)
    curve = eased(first, second, (0.0, first, second, 1.0))
    # Value and time are one, so the value is as exact as the parameter's time is.
    assert curve.at(np.array([0]), np.array([time]))[0, 0] == pytest.approx(time, abs=1e-12)


@pytest.mark.parametrize("time", [0.0, 0.1, 0.5 - 1e-9, 0.5, 0.5 + 1e-6, 0.9, 1.0])
def test_a_bezier_that_stands_upright_amid_its_piece_is_solved_as_its_cube_root(time):
    # Inner points at 1 and 0: the time is ½ + 4 (s − ½)³, so s is known in closed form.
    s = 0.5 + np.cbrt((time - 0.5) / 4.0)
    curve = eased(1.0, 0.0, (0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0))
    # Beside ½ the time is that of ½ but for rounding until s is the cube root of 1e-17 away.
    assert curve.at(np.array([0]), np.array([time]))[0, 0] == pytest.approx(s, abs=3e-6)


@given(st.floats(0.0, 1e9))
def test_the_time_before_a_jump_is_another_one_and_their_interval_is_told_from_others(time):
    before = before_jump(np.array([time]))
    assert before[0] < time
    gap = time - before
    assert are_jumps(before, gap)[0]
    assert not are_jumps(before, np.array([1.0 / 1000.0]))[0]
