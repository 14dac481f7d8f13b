"""What frozen values keep of what was computed of them: each result once, when it is first asked for.

A result without parameters is a cached property; one with parameters is asked for by `Remembers.once`.
A value that is made of another is told what stays the same (`hand_over`, `tell`). Nothing else writes into
a frozen value after it is made.
"""

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from typing import Any, TypeVar

_Result = TypeVar("_Result")


def knows(value: object, name: str) -> bool:
    """Tell whether a cached property of a value is computed already."""
    return name in vars(value)


def tell(value: object, **results: object) -> None:
    """Give a value results of its cached properties, by their names: they are not computed then."""
    vars(value).update(results)


def hand_over(of: object, to: object, names: Iterable[str]) -> None:
    """Give a value those of some cached properties that another value has computed already."""
    known = vars(of)
    tell(to, **{name: known[name] for name in names if name in known})


class Remembers:
    """A value that never changes and keeps what functions of it return."""

    @cached_property
    def _results(self) -> dict[Hashable, Any]:
        """The function and what it was given → what it returned."""
        return {}

    @cached_property
    def _last(self) -> dict[Hashable, tuple[tuple[Hashable, ...], Any]]:
        """The function and what its results are kept for → what it was given last, and returned."""
        return {}

    def once(self, compute: Callable[..., _Result], *given: Hashable) -> _Result:
        """Return ``compute(self, *given)``, computed for the first that asks, and kept.

        Two threads that ask at the same time may compute it both.
        """
        key = (compute, *given)
        if key not in self._results:
            self._results[key] = compute(self, *given)
        result: _Result = self._results[key]
        return result

    def has_computed(self, compute: Callable[..., object], *given: Hashable) -> bool:
        """Tell whether `once` returns a result at once."""
        return (compute, *given) in self._results

    def latest(
        self, compute: Callable[..., _Result], *given: Hashable, per: Hashable = None
    ) -> _Result:
        """Return ``compute(self, *given)``, of which the last result is kept.

        For what a user drags: a result for each value on the way would fill the memory.

        Parameters
        ----------
        per
            One result is kept for each value of this.
        """
        last = self._last.get((compute, per))
        if last is None or last[0] != given:
            last = self._last[compute, per] = given, compute(self, *given)
        result: _Result = last[1]
        return result
