"""Arrays that lie side by side, found so that they are converted together."""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rigview.core.arrays import FloatArray, IntArray

# Keeps the buffers apart on one axis of places; no file has so many 32-bit numbers.
APART = 1 << 32
# A run is converted in some milliseconds, except where a single array is longer.
_LONGEST = 1 << 20
_FLOAT = np.dtype("<f4")


class Numbers:
    """32-bit numbers of arrays, those that lie side by side converted together when one is asked for.

    A clip has hundreds of small arrays in a row: one by one takes several times as long.

    Parameters
    ----------
    names
        ``(n,)`` how the arrays are called, ascending.
    starts, ends
        ``(n,)`` where each lies among the numbers of all buffers, which are `APART`.
    contents
        The bytes of the buffers by number.
    """

    def __init__(
        self,
        names: IntArray,
        starts: IntArray,
        ends: IntArray,
        contents: Mapping[int, memoryview],
    ) -> None:
        self._extents = names, starts, ends
        self._contents = contents
        self._converted: dict[int, FloatArray] = {}

    def of(self, name: int) -> FloatArray:
        """Return the numbers of an array, read-only."""
        run, start, end = self._places[name]
        values = self._converted.get(run)
        if values is None:
            values = self._converted[run] = self._convert(*self._bounds[run])
        return values[start:end]

    @cached_property
    def _runs(self) -> "_Runs":
        return _Runs.joined(*self._extents[1:])

    @cached_property
    def _bounds(self) -> list[tuple[int, int]]:
        return list(zip(self._runs.begins.tolist(), self._runs.reach.tolist(), strict=True))

    @cached_property
    def _places(self) -> dict[int, tuple[int, int, int]]:
        """Per array its run, and where it starts and ends in that."""
        names, starts, ends = self._extents
        origin = self._runs.begins[self._runs.of]
        columns = (self._runs.of, starts - origin, ends - origin)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return dict(zip(names.tolist(), rows, strict=True))

    def _convert(self, start: int, end: int) -> FloatArray:
        buffer, start = divmod(start, APART)
        count = end - buffer * APART - start
        raw = np.frombuffer(self._contents[buffer], _FLOAT, count, start * _FLOAT.itemsize)
        # A signalling NaN complains when it is made a 64-bit number; what it stands for is checked.
        with np.errstate(invalid="ignore"):
            values = raw.astype(np.float64)
        values.setflags(write=False)
        return values


class _Runs(NamedTuple):
    """Arrays joined where one begins before those in front of it end.

    Parameters
    ----------
    begins, reach
        ``(r,)`` where each run begins and ends.
    of
        ``(n,)`` per array its run.
    """

    begins: IntArray
    reach: IntArray
    of: IntArray

    @classmethod
    def joined(cls, starts: IntArray, ends: IntArray) -> "_Runs":
        order = np.argsort(starts, kind="stable")
        first, last = starts[order], ends[order]
        opens = np.ones(len(order), dtype=np.bool_)
        opens[1:] = first[1:] > np.maximum.accumulate(last)[:-1]
        opens[1:] |= first[1:] // _LONGEST != first[:-1] // _LONGEST
        heads = np.flatnonzero(opens)
        of = np.zeros_like(order)
        of[order] = np.cumsum(opens) - 1
        return cls(first[heads], np.maximum.reduceat(last, heads), of)
