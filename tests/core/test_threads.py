"""Computations side by side: in order, the first alone, and given up when nobody wants more."""

import threading

import pytest

from rigview.core.numeric.threads import in_threads


def test_results_come_in_the_order_of_the_items():
    assert list(in_threads(lambda n: n * n, range(100))) == [n * n for n in range(100)]


def test_the_first_item_is_computed_in_the_callers_thread_before_any_other():
    seen = []

    def note(n):
        seen.append((n, threading.current_thread() is threading.main_thread()))
        return n

    list(in_threads(note, range(8)))
    assert seen[0] == (0, True)
    assert not any(main for n, main in seen if n)


def test_a_consumer_that_stops_leaves_the_rest_undone():
    begun = []
    results = in_threads(lambda n: begun.append(n) or n, range(10_000))
    next(results)
    results.close()
    assert begun == [0]


def test_what_a_computation_raises_reaches_the_consumer():
    with pytest.raises(ZeroDivisionError):
        list(in_threads(lambda n: 1 // (5 - n), range(10)))
