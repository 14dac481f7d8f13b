"""Frozen values keep what is computed of them: once for what it was given, as long as they live."""

import gc
import re
import weakref
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import rigview
from rigview.core import memo


@dataclass(frozen=True, eq=False)
class _Number(memo.Remembers):
    value: int

    @cached_property
    def square(self) -> int:
        return self.value**2


class _Counted:
    """A function of a number that counts how often it is called."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, ...]] = []

    def __call__(self, of: _Number, *given: int) -> int:
        self.calls.append(given)
        return of.value + sum(given)


def test_a_result_is_computed_once_for_what_it_was_given():
    number, add = _Number(2), _Counted()
    assert not number.has_computed(add, 1)
    assert [number.once(add, 1), number.once(add, 1), number.once(add, 3)] == [3, 3, 5]
    assert add.calls == [(1,), (3,)]
    assert number.has_computed(add, 1)
    assert not number.has_computed(add, 2)


def test_another_value_and_another_function_have_results_of_their_own():
    add, other = _Counted(), _Counted()
    number = _Number(2)
    assert (number.once(add, 1), _Number(5).once(add, 1), number.once(other, 1)) == (3, 6, 3)
    assert add.calls == [(1,), (1,)]
    assert other.calls == [(1,)]


def test_what_fails_is_tried_again():
    number, calls = _Number(1), []

    def fails_once(_: _Number) -> int:
        calls.append(1)
        if len(calls) == 1:
            raise ValueError
        return 7

    try:
        number.once(fails_once)
    except ValueError:
        assert not number.has_computed(fails_once)
    assert number.once(fails_once) == 7


def test_of_a_parameter_that_is_dragged_only_the_last_result_is_kept():
    number, add = _Number(0), _Counted()
    for given in (1, 2, 2, 1):
        assert number.latest(add, given) == given
    assert add.calls == [(1,), (2,), (1,)]
    assert [number.latest(add, 8, part, per=part) for part in (1, 2, 1, 2)] == [9, 10, 9, 10]
    assert len(add.calls) == 5


def test_results_are_handed_over_only_where_they_are_known():
    of, to, third = _Number(3), _Number(-3), _Number(4)
    memo.hand_over(of, to, ["square"])
    assert not memo.knows(to, "square")
    assert of.square == 9
    memo.hand_over(of, to, ["square"])
    assert memo.knows(to, "square")
    memo.tell(third, square=0)
    assert third.square == 0


def test_results_end_with_the_value():
    number = _Number(1)
    number.once(_Counted())
    gone = weakref.ref(number)
    gc.disable()
    try:
        del number
        assert gone() is None
    finally:
        gc.enable()


def test_nothing_else_writes_into_values_that_are_made():
    """`memo` alone does; `lazy` is how fields hold arrays that are made later, and checks them once."""
    package = Path(rigview.__file__).parent
    doors = {package / "core/memo.py", package / "core/numeric/lazy.py"}
    writes = re.compile(r"vars\([^)]*\)(\[[^]]+\] =(?!=)|\.update\()|\.__dict__\b")
    found = [
        f"{file.relative_to(package)}: {line.strip()}"
        for file in sorted(package.rglob("*.py"))
        if file not in doors
        for line in file.read_text(encoding="utf-8").splitlines()
        if writes.search(line)
    ]
    assert not found
