"""What is typed into a cell of the table of vertices, and tables as text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rigview.ui.panels.vertex_filter import limits_in
from rigview.ui.panels.vertex_text import Typed, as_text, pasted, typed


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("0.42", Typed("replace", 0.42)),
        (" 0,42 ", Typed("replace", 0.42)),
        ("*0.5", Typed("scale", 0.5)),
        ("/2", Typed("scale", 0.5)),
        ("+0.1", Typed("add", 0.1)),
        ("-.1", Typed("add", -0.1)),
        ("−0.1", Typed("add", -0.1)),
        *((nothing, None) for nothing in ("", "x", "*", "1.5", "--1", "nan", "inf", "/0", "+-1")),
    ],
)
def test_what_is_typed_is_a_weight_or_a_change_of_it(text, what):
    assert typed(text) == what


@given(values=arrays.arrays(float, (3, 2), elements=st.floats(0.0, 1.0)))
def test_a_table_that_was_copied_is_pasted_as_it_was(values):
    table = pasted(as_text(["3", "4 ×2", "5"], ["hand_l", "lowerarm_l"], values))
    assert table.joints == ("hand_l", "lowerarm_l")
    np.testing.assert_allclose(table.values, values, rtol=1e-5, atol=1e-300)


def test_numbers_alone_are_a_table_too_and_anything_else_is_none():
    plain = pasted("0.25\t0,75\n·\t1\n")
    assert plain.joints is None
    np.testing.assert_array_equal(plain.values, [[0.25, 0.75], [0.0, 1.0]])
    for text in ("", "a word", "0.5\t-0.5", "a\tb\n0.5", "0.5\n0.5\t0.5"):
        assert pasted(text) is None


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("above 0.2", [0.3, 0.5]),
        (">.2", [0.3, 0.5]),
        ("0,3", [0.5]),
        ("below 0.3", [0.0, 0.1]),
        ("0.05 to 0.4", [0.1, 0.3]),
        ("0.05–0.4", [0.1, 0.3]),
    ],
)
def test_a_filter_names_the_weights_that_are_kept(text, kept):
    weights = np.array([0.0, 0.1, 0.3, 0.5])
    assert weights[limits_in(text).keep(weights)].tolist() == kept


@pytest.mark.parametrize("text", ["", "hand", "above", "0.2 0.3", "above -1"])
def test_a_filter_that_names_no_weights_keeps_all(text):
    assert limits_in(text) is None
