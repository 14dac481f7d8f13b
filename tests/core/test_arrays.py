"""Arrays of rows, grouped."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rigview.core.arrays import distinct_rows, median


@given(
    st.integers(1, 3).flatmap(
        lambda width: arrays(
            np.float64,
            st.tuples(st.integers(0, 40), st.just(width)),
            elements=st.sampled_from([-2.0, -0.0, 0.0, 1.0, 1.5, 1e300]),
        )
    )
)
def test_rows_are_grouped_as_numpy_groups_them(rows):
    first, group = distinct_rows(rows)
    wanted, index, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(first, index)
    np.testing.assert_array_equal(group, inverse.reshape(-1))
    np.testing.assert_array_equal(rows[first], wanted)


@pytest.mark.parametrize("dtype", [np.int64, np.uint8])
def test_many_distinct_rows_do_not_run_into_each_other(dtype):
    rows = np.random.default_rng(0).integers(0, 200, (20_000, 3)).astype(dtype)
    first, group = distinct_rows(rows)
    assert len(first) == len({tuple(row) for row in rows.tolist()})
    np.testing.assert_array_equal(rows[first][group], rows)


@given(arrays(np.float64, st.integers(1, 9), elements=st.floats(-1e6, 1e6)))
def test_the_median_is_that_of_numpy(values):
    assert median(values) == np.median(values)


def test_a_median_of_nothing_or_of_what_is_no_number_is_none():
    assert np.isnan(median(np.zeros(0)))
    assert np.isnan(median(np.array([1.0, np.nan, 2.0])))
