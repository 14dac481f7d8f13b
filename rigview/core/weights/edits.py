"""Editing weights by hand: rows in, rows out; what is locked stays, and every row keeps its sum."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.weights.problem import NotMade

# Rows whose weights sum to no more have none: what is set in them sums to one.
NO_WEIGHT = 1e-6
# Weights that are off by no more are off by rounding.
EQUAL = 1e-12

Tool = Literal["replace", "add", "scale", "smooth", "sharpen"]
TOOLS: tuple[Tool, ...] = get_args(Tool)


@dataclass(frozen=True, eq=False)
class Freedom:
    """Which joints of a skin may change, and who takes the weight that nobody else has.

    Parameters
    ----------
    parents
        ``(J,)`` the position of each joint's nearest ancestor in the skin; −1 without one.
    locked
        ``(J,)``.
    """

    parents: IntArray
    locked: BoolArray

    def of(self, columns: IntArray) -> "Freedom":
        """Return the same for some joints ``(m,)``, ascending; ancestors are the nearest of these."""
        place = np.full(len(self.parents), -1, dtype=np.int64)
        place[columns] = np.arange(len(columns))
        parents = np.full(len(columns), -1, dtype=np.int64)
        for number, column in enumerate(columns.tolist()):
            above = int(self.parents[column])
            while above >= 0 and place[above] < 0:
                above = int(self.parents[above])
            parents[number] = place[above] if above >= 0 else -1
        return Freedom(parents, self.locked[columns])

    def taker(self, joint: int) -> int | None:
        """Return the nearest ancestor of a joint that is not locked; None without one."""
        above = int(self.parents[joint])
        while above >= 0 and self.locked[above]:
            above = int(self.parents[above])
        return above if above >= 0 else None

    def refusal(self, joint: int, name: str) -> str | None:
        """Return why no weight of a joint can be set; None where it can."""
        if self.locked[joint]:
            return f"{name} is locked"
        if len(self.locked) > 1 and self.locked.sum() == len(self.locked) - 1:
            return "all other joints are locked"
        return None


def totals(rows: FloatArray) -> FloatArray:
    """Return ``(n,)`` the sum that each row keeps: its own, and one where it has no weight."""
    sums = rows.sum(axis=1)
    return np.where(sums > NO_WEIGHT, sums, 1.0)


def with_weight(rows: FloatArray, joint: int, wanted: FloatArray, free: Freedom) -> FloatArray:
    """Return rows ``(n, J)`` in which a joint has the weights ``(n,)`` that are wanted, as far as may be.

    They end at 0 and at what the locked joints leave. The other joints give way in proportion; where none
    has weight, the nearest ancestor that is not locked takes what the joint gives away, and without
    one the row stays as it is.
    """
    total, before = totals(rows), rows[:, joint]
    room = np.maximum(total - rows[:, free.locked].sum(axis=1), 0.0)
    new = np.clip(wanted, 0.0, room)
    others = ~free.locked
    others[joint] = False
    had = rows[:, others].sum(axis=1)
    left = np.where(had > NO_WEIGHT, room - new, 0.0)
    result = rows.copy()
    result[:, others] *= (left / np.where(had > NO_WEIGHT, had, 1.0))[:, None]
    result[:, joint] = new
    alone = had <= NO_WEIGHT
    taker = free.taker(joint)
    if taker is None:
        # A row without any weight gets all of it from the first joint that is given some.
        bare = rows.sum(axis=1) <= NO_WEIGHT
        result[alone] = rows[alone]
        result[bare & (new > 0.0), joint] = total[bare & (new > 0.0)]
    else:
        result[alone, taker] += (room - new)[alone]
    same = np.abs(new - before) <= EQUAL
    result[same] = rows[same]
    return result


def replaced(
    rows: FloatArray, joint: int, value: float, strength: FloatArray, free: Freedom
) -> FloatArray:
    """Bring a joint's weight to a value, by a strength of 0 to 1 per row."""
    return with_weight(rows, joint, rows[:, joint] + strength * (value - rows[:, joint]), free)


def added(
    rows: FloatArray, joint: int, value: float, strength: FloatArray, free: Freedom
) -> FloatArray:
    """Add a value times the strength to a joint's weight."""
    return with_weight(rows, joint, rows[:, joint] + strength * value, free)


def scaled(
    rows: FloatArray, joint: int, value: float, strength: FloatArray, free: Freedom
) -> FloatArray:
    """Multiply a joint's weight by a value, at strength 0 by one."""
    return with_weight(rows, joint, rows[:, joint] * (1.0 + strength * (value - 1.0)), free)


def obeying(rows: FloatArray, wanted: FloatArray, free: Freedom) -> FloatArray:
    """Return wanted rows ``(n, J)`` as locks allow them: locked joints and sums stay as in `rows`.

    A row whose free joints would have no weight stays as it is.
    """
    locked = free.locked
    loose = np.where(locked, 0.0, np.maximum(wanted, 0.0))
    room = np.maximum(totals(rows) - rows[:, locked].sum(axis=1), 0.0)
    sums = loose.sum(axis=1)
    result = loose * (room / np.where(sums > NO_WEIGHT, sums, 1.0))[:, None]
    result[:, locked] = rows[:, locked]
    kept = (sums <= NO_WEIGHT) | (np.abs(result - rows).max(axis=1, initial=0.0) <= EQUAL)
    result[kept] = rows[kept]
    return result


def with_some(rows: FloatArray, joints: IntArray, values: FloatArray, free: Freedom) -> FloatArray:
    """Give some joints ``(m,)`` the weights ``(n, m)``; the other free ones share what is left."""
    wanted = rows.copy()
    wanted[:, joints] = values
    others = ~free.locked
    others[joints] = False
    fixed = np.where(free.locked, rows, np.where(others, 0.0, wanted)).sum(axis=1)
    had = rows[:, others].sum(axis=1)
    left = np.maximum(totals(rows) - fixed, 0.0)
    wanted[:, others] *= (left / np.where(had > NO_WEIGHT, had, 1.0))[:, None]
    return obeying(rows, wanted, free)


def normalised(rows: FloatArray, free: Freedom) -> FloatArray:
    """Make every row that has weight sum to one; locked joints change only where they exceed one."""
    locked = rows[:, free.locked].sum(axis=1)
    loose = rows[:, ~free.locked].sum(axis=1)
    over = locked > 1.0
    result = rows.copy()
    can = loose > NO_WEIGHT
    share = np.where(can, np.maximum(1.0 - locked, 0.0) / np.where(can, loose, 1.0), 1.0)
    result[:, ~free.locked] *= share[:, None]
    result[over] = np.where(free.locked, rows[over] / np.where(over, locked, 1.0)[over, None], 0.0)
    same = np.abs(rows.sum(axis=1) - 1.0) <= EQUAL
    result[same] = rows[same]
    return result


def pruned_below(rows: FloatArray, least: float, free: Freedom) -> FloatArray:
    """Drop free weights below a share, but for the largest of a row; the others take them in proportion."""
    drop = (rows < least) & (rows > 0.0) & ~free.locked
    drop[np.arange(len(rows)), rows.argmax(axis=1)] = False
    return _without(rows, drop, free)


def largest_kept(rows: FloatArray, most: int, free: Freedom) -> FloatArray:
    """Keep the N largest weights of every row, locked ones first; the others take the rest in proportion.

    Raises
    ------
    NotMade
        If more joints with weight are locked on one vertex than may stay.
    """
    locked = int(((rows > 0.0) & free.locked).sum(axis=1).max(initial=0))
    if locked > most:
        raise NotMade(f"{locked} joints of one vertex are locked, and {most} are to stay")
    rank = np.where(free.locked & (rows > 0.0), np.inf, rows)
    order = np.argsort(-rank, axis=1, kind="stable")
    drop = np.ones(rows.shape, dtype=np.bool_)
    np.put_along_axis(drop, order[:, :most], values=False, axis=1)
    return _without(rows, drop & (rows > 0.0), free)


def _without(rows: FloatArray, drop: BoolArray, free: Freedom) -> FloatArray:
    result = obeying(rows, np.where(drop, 0.0, rows), free)
    # Also where what is dropped is so little that the row counts as unchanged.
    result[drop] = 0.0
    touched = drop.any(axis=1)
    # Only locked joints are left: they take the rest, since nobody else may have it.
    full = touched & (np.where(drop | free.locked, 0.0, rows).sum(axis=1) <= NO_WEIGHT)
    kept = np.where(drop[full], 0.0, rows[full])
    sums = kept.sum(axis=1, keepdims=True)
    result[full] = kept * rows[full].sum(axis=1, keepdims=True) / np.where(sums > 0.0, sums, 1.0)
    result[~touched] = rows[~touched]
    return result


def changed(before: FloatArray, after: FloatArray) -> BoolArray:
    """Return ``(n,)`` which rows differ by more than rounding."""
    return np.asarray(np.abs(after - before).max(axis=1, initial=0.0) > EQUAL)
