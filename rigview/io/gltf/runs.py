"""Arrays that lie side by side, found so that they are converted together."""

from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import BoolArray, IntArray

# A run is converted in some milliseconds, except where a single array is longer.
_LONGEST = 1 << 20


@dataclass(frozen=True, eq=False)
class Runs:
    """Extents joined where one begins before those in front of it end.

    Parameters
    ----------
    bounds
        ``(r, 2)`` where every run starts and ends.
    places
        Per array its run, and where it starts and ends there; None where it belongs to none.
    """

    bounds: IntArray
    places: list[tuple[int, int, int] | None]

    @classmethod
    def joined(cls, starts: IntArray, ends: IntArray, wanted: BoolArray) -> "Runs":
        """Join the wanted of the extents ``(n,)``."""
        chosen = np.flatnonzero(wanted)
        order = chosen[np.argsort(starts[chosen], kind="stable")]
        starts, ends = starts[order], ends[order]
        opens = np.ones(len(order), dtype=np.bool_)
        opens[1:] = starts[1:] > np.maximum.accumulate(ends)[:-1]
        opens[1:] |= starts[1:] // _LONGEST != starts[:-1] // _LONGEST
        first, run = np.flatnonzero(opens), np.cumsum(opens) - 1
        begins = starts[first]
        reach = np.maximum.reduceat(ends, first) if len(first) else begins
        places: list[tuple[int, int, int] | None] = [None] * len(wanted)
        columns = (order, run, starts - begins[run], ends - begins[run])
        for array, *place in zip(*(column.tolist() for column in columns), strict=True):
            places[array] = (place[0], place[1], place[2])
        return cls(np.stack([begins, reach], axis=1), places)
