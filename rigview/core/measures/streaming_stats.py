"""Measuring places (vertices or triangles) batch by batch, and what the values come to."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.measures.quantities import Quantity

# The share of places that are no worse than the figure named "99".
MOST = 0.99
# Places worked on together: few enough that what is computed of them stays in a processor's last cache,
# and enough that calling numpy costs little beside computing.
BATCH = 65536
# Of the first batch each so-manieth value tells how bad those are that need to be held.
_SAMPLE = 4


@dataclass(frozen=True, eq=False)
class Batch:
    """Places that follow each other, in runs of one joint each.

    Parameters
    ----------
    rows
        Which of the places they are.
    joints, starts
        ``(n,)`` the joint of each, and where it changes.
    runs
        Which of all runs they are.
    """

    rows: slice
    joints: IntArray
    starts: IntArray
    runs: slice

    def __len__(self) -> int:
        return len(self.joints)


@dataclass(frozen=True, eq=False)
class Places:
    """Places in an order.

    Parameters
    ----------
    joints
        ``(n,)`` the joint that each belongs to; it should not change often.
    changing
        How many of them can change: no batch straddles the border.
    """

    joints: IntArray
    changing: int

    def __len__(self) -> int:
        return len(self.joints)

    @cached_property
    def batches(self) -> tuple[Batch, ...]:
        """All places, in batches of one length on either side of the border, but for the last ones."""
        result: list[Batch] = []
        for first, last in ((0, self.changing), (self.changing, len(self))):
            count = -(-(last - first) // BATCH)
            length = -(-(last - first) // max(count, 1))
            borders = [min(first + length * i, last) for i in range(count + 1)]
            for start, end in pairwise(borders):
                if start == end:
                    continue
                starts = run_starts(self.joints[start:end])
                before = result[-1].runs.stop if result else 0
                runs = slice(before, before + len(starts))
                result.append(Batch(slice(start, end), self.joints[start:end], starts, runs))
        return tuple(result)

    @cached_property
    def run_joints(self) -> IntArray:
        """``(R,)`` the joint of every run of the batches; a joint may have several."""
        runs = [batch.joints[batch.starts] for batch in self.batches]
        return np.concatenate([np.zeros(0, dtype=np.int64), *runs])

    def measured(self, *, rigid: bool) -> tuple[Batch, ...]:
        """Return the batches to look at: where joints move like rigid bodies, those that can change."""
        if not rigid:
            return self.batches
        return tuple(batch for batch in self.batches if batch.rows.stop <= self.changing)


class StreamingStats:
    """What the values of a quantity at places come to, without keeping them.

    Of all values only as many are held as may be among the 1 % that the figure "99" leaves out.

    Parameters
    ----------
    places
        All of them; those that nothing is entered for are unchanged.
    """

    def __init__(self, quantity: Quantity, places: Places) -> None:
        self.quantity = quantity
        self._places = places
        self._high = quantity.worse == "high"
        self._pick = np.maximum if self._high else np.minimum
        self._worst = np.full(len(places.run_joints), quantity.unchanged)
        self._sum = quantity.unchanged * len(places)
        self._entered = 0
        self._most = len(places) - int(np.ceil(MOST * (len(places) - 1)))
        self._held: list[FloatArray] = []
        self._held_count = 0
        # As many values as are asked for are known to be as bad as this.
        self._bar = -np.inf if self._high else np.inf

    def enter(self, batch: Batch, values: FloatArray) -> None:
        """Take note of the ``(n,)`` values of a batch; once each."""
        self._sum += float(values.sum()) - self.quantity.unchanged * len(values)
        self._pick.reduceat(values, batch.starts, out=self._worst[batch.runs])
        self._entered += len(values)
        if not np.isfinite(self._bar) and len(values) > _SAMPLE * self._most:
            # What so many of some values reach, so many of all reach, too.
            bar = self._reached(values[::_SAMPLE].copy())
            worse = values.compress(values >= bar if self._high else values <= bar)
            self._bar = bar
        else:
            worse = values.compress(values > self._bar if self._high else values < self._bar)
        self._held.append(worse)
        self._held_count += len(worse)
        if self._held_count > 2 * self._most:
            self._raise_bar()

    def _raise_bar(self) -> None:
        """Let go of values that are not among the worst that are asked for."""
        held = np.concatenate(self._held)
        self._bar = self._reached(held)
        self._held = [held[-self._most :] if self._high else held[: self._most]]
        self._held_count = self._most

    def _reached(self, values: FloatArray) -> float:
        """Return what as many values as are asked for are at least as bad as; they are put in two parts."""
        cut = len(values) - self._most if self._high else self._most - 1
        values.partition(cut)
        return float(values[cut])

    def figures(self) -> dict[str, float]:
        """Return mean, 99 % and worst; NaN without places."""
        columns = self.quantity.columns
        if not len(self._places):
            return dict.fromkeys(columns, float("nan"))
        mean, ninety_nine, last = columns
        return {
            mean: self._sum / len(self._places),
            ninety_nine: self._ninety_nine(),
            last: float(self._pick.reduce(self._worst)),
        }

    def _ninety_nine(self) -> float:
        sign = 1.0 if self._high else -1.0
        held = -np.sort(-sign * np.concatenate([np.zeros(0), *self._held]))
        unchanged = sign * self.quantity.unchanged
        # The places without entry stand between what is worse than unchanged and what is better.
        worse, rest = int(np.count_nonzero(held > unchanged)), len(self._places) - self._entered
        if self._most <= worse:
            return sign * float(held[self._most - 1])
        if self._most <= worse + rest:
            return self.quantity.unchanged
        return sign * float(held[self._most - 1 - rest])

    def by_joint(self, count: int) -> FloatArray:
        """Return ``(J,)`` the worst value at each of `count` joints, none better than unchanged."""
        result = np.full(count, self.quantity.unchanged)
        self._pick.at(result, self._places.run_joints, self._worst)
        return result


def run_starts(values: IntArray) -> IntArray:
    """Return where runs of equal values begin."""
    if not len(values):
        return np.zeros(0, dtype=np.int64)
    changes: BoolArray = values[1:] != values[:-1]
    return np.concatenate([[0], np.flatnonzero(changes) + 1])
