"""Arrays that lie side by side, found so that they are converted together."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, FloatArray, IntArray

# Keeps the buffers apart on one axis of places; no file has so many 32-bit numbers.
APART = 1 << 32
# A run is converted in some milliseconds, except where a single array is longer.
_LONGEST = 1 << 20
# An array of so many is converted in several times what a run of its own costs, and nobody else waits.
_LARGE = 1 << 12
_FLOAT = np.dtype("<f4")


@dataclass(frozen=True, eq=False)
class Runs:
    """Extents joined where one begins before those in front of it end; large ones that only touch are not.

    Parameters
    ----------
    bounds
        Per run where it starts and ends.
    of
        Per array its run, −1 where it belongs to none.
    starts, ends
        Per array where it starts and ends in its run.
    """

    bounds: list[tuple[int, int]]
    of: list[int]
    starts: list[int]
    ends: list[int]

    @classmethod
    def joined(cls, starts: IntArray, ends: IntArray, wanted: BoolArray) -> "Runs":
        """Join the wanted of the extents ``(n,)``."""
        chosen = np.flatnonzero(wanted)
        order = chosen[np.argsort(starts[chosen], kind="stable")]
        first, last = starts[order], ends[order]
        opens = np.ones(len(order), dtype=np.bool_)
        large, gap = last - first >= _LARGE, first[1:] - np.maximum.accumulate(last)[:-1]
        opens[1:] = gap > 0
        opens[1:] |= (gap == 0) & (large[1:] | large[:-1])
        opens[1:] |= first[1:] // _LONGEST != first[:-1] // _LONGEST
        heads, run = np.flatnonzero(opens), np.cumsum(opens) - 1
        begins = first[heads]
        reach = np.maximum.reduceat(last, heads) if len(heads) else begins
        of = np.full(len(wanted), -1)
        of[order] = run
        # What belongs to no run has places, too, which nobody asks for.
        origin = np.append(begins, 0)[of]
        bounds = list(zip(begins.tolist(), reach.tolist(), strict=True))
        return cls(bounds, of.tolist(), (starts - origin).tolist(), (ends - origin).tolist())


class Numbers:
    """The numbers of runs of 32-bit ones, each run converted when one of its arrays is asked for.

    Parameters
    ----------
    contents
        The bytes of the buffers by number; those of a run are there before it is asked for.
    """

    def __init__(self, runs: Runs, contents: Mapping[int, memoryview]) -> None:
        self.runs, self._contents = runs, contents
        self._converted: dict[int, FloatArray] = {}
        self._finite: dict[int, bool] = {}

    def of(self, array: int) -> FloatArray:
        """Return the numbers of an array that belongs to a run."""
        runs = self.runs
        run = runs.of[array]
        values = self._converted.get(run)
        if values is None:
            values = self._converted[run] = self._convert(*runs.bounds[run])
        return values[runs.starts[array] : runs.ends[array]]

    def are_surely_finite(self, array: int) -> bool:
        """Tell whether no number of the run of an array can be infinite or none; False where one may be."""
        run = self.runs.of[array]
        found = self._finite.get(run)
        if found is None:
            found = self._finite[run] = is_surely_finite(self._raw(*self.runs.bounds[run]))
        return found

    def _convert(self, start: int, end: int) -> FloatArray:
        # A signalling NaN complains when it is made a 64-bit number; what it stands for is checked.
        with np.errstate(invalid="ignore"):
            values = self._raw(start, end).astype(np.float64)
        values.setflags(write=False)
        return values

    def _raw(self, start: int, end: int) -> NDArray[np.float32]:
        buffer, start = divmod(start, APART)
        count = end - buffer * APART - start
        return np.frombuffer(self._contents[buffer], _FLOAT, count, start * _FLOAT.itemsize)


def is_surely_finite(values: NDArray[Any]) -> bool:
    """Tell whether 32-bit numbers are finite, and next to never that finite ones are not.

    A sum of squares is the quickest pass over them; only that of huge ones leaves 32 bits.
    """
    flat = values.reshape(-1)
    return math.isfinite(np.dot(flat, flat))
