"""Long arrays a block at a time, so that a reader can be stopped between two blocks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import IntArray

_T = TypeVar("_T", bound=np.generic)
_Item = TypeVar("_Item")
# Rows: what is done with so many takes a few milliseconds.
SIZE = 1 << 17
# Objects: what is done with so many in Python takes a few milliseconds.
MANY = 1 << 12
# Rows that stay in the processor's cache while several things are done with them.
CACHED = 1 << 13


def blocks(
    count: int, pulse: Callable[[], None], size: int | None = None, *, backwards: bool = False
) -> Iterable[slice]:
    """Return rows from 0 to `count`, block after block; `pulse` is called after each of several."""
    size = size or SIZE
    if count <= size:
        return (slice(0, count),) if count else ()
    starts = range(0, count, size)
    return _told(reversed(starts) if backwards else starts, count, size, pulse)


def _told(
    starts: Iterable[int], count: int, size: int, pulse: Callable[[], None]
) -> Iterator[slice]:
    for start in starts:
        yield slice(start, min(start + size, count))
        pulse()


def paced(items: Sequence[_Item], pulse: Callable[[], None]) -> Iterable[_Item]:
    """Return items; where they are many, `pulse` is called every few milliseconds."""
    return items if len(items) <= MANY else _paced(items, pulse)


def _paced(items: Sequence[_Item], pulse: Callable[[], None]) -> Iterator[_Item]:
    for start in range(0, len(items), MANY):
        pulse()
        yield from items[start : start + MANY]


def batches(items: Sequence[_Item], pulse: Callable[[], None]) -> Iterator[Sequence[_Item]]:
    """Yield items as `paced` does, all those together between which `pulse` is not called."""
    return (items[rows] for rows in blocks(len(items), pulse, MANY))


def mapped(
    function: Callable[[NDArray[_T]], NDArray[_T]],
    values: NDArray[_T],
    pulse: Callable[[], None],
    *,
    given: bool = False,
) -> NDArray[_T]:
    """Return ``function(values)`` of a function that treats rows alike, and keeps shape and type.

    Parameters
    ----------
    given
        Whether nobody else needs the values: they are then written over.
    """
    if len(values) <= CACHED:
        found = function(values)
        if not given:
            return found
        values[:] = found
        return values
    result = values if given else np.zeros(values.shape, values.dtype)
    for rows in blocks(len(values), pulse, CACHED):
        result[rows] = function(values[rows])
    return result


def of_type(values: NDArray[Any], dtype: type[_T], pulse: Callable[[], None]) -> NDArray[_T]:
    """Return values of another type, themselves where they have it."""
    if len(values) <= SIZE or values.dtype == dtype:
        return np.asarray(values, dtype)
    result = np.zeros(values.shape, dtype)
    for rows in blocks(len(values), pulse):
        result[rows] = values[rows]
    return result


def extremes(values: NDArray[Any], pulse: Callable[[], None]) -> tuple[Any, Any]:
    """Return the smallest and the largest of at least one value."""
    if len(values) <= SIZE:
        return values.min(), values.max()
    found = [extremes(values[rows], pulse) for rows in blocks(len(values), pulse)]
    return min(low for low, _ in found), max(high for _, high in found)


def in_one(rows: Sequence[NDArray[_T]]) -> NDArray[_T]:
    """Return rows one after the other; a single one is not copied."""
    return rows[0] if len(rows) == 1 else np.concatenate(rows)


def joined(rows: Sequence[NDArray[_T]], pulse: Callable[[], None]) -> NDArray[_T]:
    """Return at least one row after the other, of which each is filled in a few milliseconds."""
    if len(rows) == 1:
        return rows[0]
    result = np.zeros(sum(map(len, rows)), rows[0].dtype)
    start = 0
    for row in rows:
        result[start : start + len(row)] = row
        start += len(row)
        pulse()
    return result


def gathered(values: NDArray[Any], index: IntArray, pulse: Callable[[], None]) -> NDArray[Any]:
    """Return ``values[index]``, rows as a whole where they are of several numbers."""
    if len(index) <= SIZE:
        return values.take(index, axis=0)
    result = np.zeros((*index.shape, *values.shape[1:]), values.dtype)
    for rows in blocks(len(index), pulse):
        result[rows] = values.take(index[rows], axis=0)
    return result
