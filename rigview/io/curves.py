"""Animation curves of FBX and Collada as cubic pieces that numpy evaluates in rows.

Most curves of a file share their key times, so curves are kept in groups: one row of times, one row
of pieces a curve. All kinds of pieces are cubics in the share u of the interval: constant, linear, and
Bézier pieces whose inner points lie at the tangents' weights w₀ and 1 − w₁ of the interval. Where the
weights are ⅓, u is the Bézier parameter itself; elsewhere
``3 w₀ s(1 − s)² + 3 (1 − w₁) s²(1 − s) + s³ = u`` is solved for it. OpenUSD evaluates its splines itself.

A value that is held jumps at the key after it. Whoever joins values by lines gets a time just before
the jump, `before_jump`, at which the old value stands.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray

THIRD = 1.0 / 3.0
# Where a Bézier is nearly upright, Newton's steps shrink the error by a third only; elsewhere five do.
_BISECTIONS, _NEWTONS = 8, 60
# Seconds beside a jump that are over before any key but the one that jumps. After months they are more:
# so few steps of a 64-bit float leave no time between them.
_BESIDE, _STEPS = 2.5e-10, 4.0
# Half as much again as twice that, after a jump and before the next: the times themselves are rounded.
_NO_LONGER = 3.0
# Of a Bézier parameter: steps so short are those of rounding.
_NEAR = 1e-16
# Nearer to where cycles meet a time is there: less than those beside a jump are.
_SEAM = 1e-10
# How often a cycle repeats at most: a file can state a span of centuries.
_MOST_CYCLES = 1000


class Outside(NamedTuple):
    """What goes on before the first key or after the last.

    Parameters
    ----------
    mode
        "C" constant, "R" repeat, "M" mirror, "A" repeat with offset, "K" along the slope.
    repeats
        How often a cycle comes again; what the last ends with stays.
    """

    mode: str = "C"
    repeats: float = math.inf


HELD = Outside()


@dataclass(frozen=True, eq=False)
class CurveGroup:
    """Curves that share their key times, and what goes on outside of them.

    Parameters
    ----------
    times
        ``(n,)`` seconds, strictly ascending.
    values
        ``(k, n)``.
    pieces
        ``(4, k, n − 1)`` coefficients of 1, s, s², s³ in every interval.
    weights
        ``(k, n − 1, 2)`` tangent weights (w₀, w₁), or None where all are ⅓.
    jumps
        ``(k, n − 1, 2)`` whether an interval starts and ends with a jump to the key's value.
    slopes
        ``(k, 2)`` slopes before the first and after the last key, for linear extrapolation.
    before, after
        What goes on outside.
    """

    times: FloatArray
    values: FloatArray
    pieces: FloatArray
    weights: FloatArray | None
    jumps: BoolArray
    slopes: FloatArray
    before: Outside
    after: Outside

    @property
    def goes_on(self) -> bool:
        """Whether anything but the first and last value is outside the keys."""
        return self.before.mode != "C" or self.after.mode != "C"

    @cached_property
    def straight(self) -> BoolArray:
        """``(k,)`` whether every piece of a curve is a line."""
        return ~np.any(self.pieces[2:], axis=(0, 2))

    @cached_property
    def stepped(self) -> BoolArray:
        """``(k,)`` whether every piece of a curve keeps the value of the key before it."""
        steps: BoolArray = np.all(self.jumps == (False, True), axis=(1, 2))
        return steps & (len(self.times) > 1)

    @cached_property
    def still(self) -> BoolArray:
        """``(k,)`` whether a curve has one value at all times."""
        same: BoolArray = np.all(self.values == self.values[:, :1], axis=1)
        flat = ~np.any(self.pieces[1:], axis=(0, 2))
        return same & flat & ~np.any(self.slopes, axis=1)

    @cached_property
    def _leaps(self) -> BoolArray:
        """``(k,)`` whether a curve has a jump."""
        leaps: BoolArray = np.any(self.jumps, axis=(1, 2))
        return leaps

    @cached_property
    def _weighted(self) -> BoolArray:
        """``(k,)`` whether a curve has other weights than ⅓."""
        if self.weights is None:
            return np.zeros(len(self.values), dtype=np.bool_)
        weighted: BoolArray = np.any(self.weights != THIRD, axis=(1, 2))
        return weighted

    def at(self, rows: IntArray, times: FloatArray) -> FloatArray:
        """Return ``(r, m)`` values of the numbered curves at ``(m,)`` times."""
        if len(times) == len(self.times) and np.array_equal(times, self.times):
            return self.values[rows]
        inside, extra = self._inside(rows, times)
        if len(self.times) == 1:
            return np.repeat(self.values[rows], len(times), axis=1) + extra
        left = np.searchsorted(self.times[1:-1], inside, side="right")
        length = self.times[left + 1] - self.times[left]
        u = (inside - self.times[left]) / length
        s: FloatArray = u
        weighted = self._weighted[rows]
        if self.weights is not None and np.any(weighted):
            s = np.broadcast_to(u, (len(rows), len(u))).copy()
            s[weighted] = _parameter(u, self.weights[rows[weighted, None], left])
        at = (rows[:, None], left)
        c0, c1, c2, c3 = (coefficient[at] for coefficient in self.pieces)
        result: FloatArray = ((c3 * s + c2) * s + c1) * s + c0
        if np.any(self._leaps[rows]):
            # A key is the value at its own time, whatever the pieces beside it do.
            result = np.where((u == 0.0) & self.jumps[(*at, 0)], self.values[at], result)
            result = np.where((u == 1.0) & self.jumps[(*at, 1)], self.values[rows, -1:], result)
        return result + extra

    def _inside(self, rows: IntArray, times: FloatArray) -> tuple[FloatArray, FloatArray | float]:
        """Return times within the keys, and what cycles and slopes add to the values there."""
        first, last = self.times[0], self.times[-1]
        length = last - first
        inside = np.clip(times, first, last)
        if not self.goes_on:
            return inside, 0.0
        extra: FloatArray = np.zeros((len(rows), len(times)))
        for (mode, repeats), outside, end in (
            (self.before, times < first, 0),
            (self.after, times > last, 1),
        ):
            if mode == "K":
                beyond = times[outside] - (last if end else first)
                extra[:, outside] = self.slopes[rows, end][:, None] * beyond
            elif mode != "C" and length > 0.0:
                # Where cycles meet, the one that is further from the keys has its say.
                cycles, near = (times[outside] - first) / length, _SEAM / length
                turns = np.floor(cycles + near) if end else np.ceil(cycles - near) - 1.0
                turns = np.clip(turns, -repeats, repeats)
                rest = times[outside] - first - turns * length
                rest = np.where(rest < _SEAM, 0.0, np.where(rest > length - _SEAM, length, rest))
                back = (mode == "M") & (turns % 2 == 1)
                along = np.where(back, length - rest, rest)
                inside[outside] = np.where(along < length, first + along, last)
                if mode == "A":
                    gain = self.values[rows, -1] - self.values[rows, 0]
                    extra[:, outside] = gain[:, None] * turns
        return np.clip(inside, first, last), extra

    def breaks(self, rows: IntArray, start: float, stop: float) -> FloatArray:
        """Return the times between which curves are smooth, outside the keys up to a span.

        Just beside a jump there is a time of its own, so that whoever joins values by lines joins
        across nothing else.
        """
        inner = self.times
        if np.any(self._leaps[rows]):
            leaving, entering = np.any(self.jumps[rows], axis=0).T
            after, before = self.times[:-1][leaving], self.times[1:][entering]
            beside = (after + _beside(after), before - _beside(before))
            inner = np.unique(np.concatenate([inner, *beside]))
        if not self.goes_on:
            return inner
        result = [inner]
        length = self.times[-1] - self.times[0]
        for (mode, repeats), end, key in ((self.before, start, 0), (self.after, stop, -1)):
            outside = end < self.times[key] if key == 0 else end > self.times[key]
            if mode == "C" or not outside:
                continue
            result.append(np.array([end]))
            if mode != "K" and length > 0.0:
                reach = abs(end - self.times[key])
                cycles = np.arange(1, min(reach // length + 1.0, _MOST_CYCLES, repeats) + 1.0)
                steps = (cycles * (-length if key == 0 else length))[:, None]
                again = inner + steps
                if mode == "M":
                    # Every other cycle, from the first on, runs back.
                    again[::2] = self.times[0] + self.times[-1] - inner + steps[::2]
                shifted = [again.ravel()]
                if mode == "R":
                    # A cycle that does not end where it began jumps back.
                    seams = np.append(self.times[key] + steps[:, 0], self.times[key])
                    shifted += [seams - _beside(seams), seams + _beside(seams)]
                times = np.concatenate(shifted)
                result.append(times[(times >= start) & (times <= stop)])
        return np.unique(np.concatenate(result))


def cubics(
    values: FloatArray, curved: BoolArray, held: BoolArray, out: FloatArray, back: FloatArray
) -> FloatArray:
    """Return ``(4, k, n − 1)`` coefficients of the pieces between keys.

    Parameters
    ----------
    values
        ``(k, n)``.
    curved, held
        ``(k, n − 1)`` which pieces are Béziers and which keep the value before them; others are lines.
    out, back
        ``(k, n − 1)`` how far the inner points are above the first key, and below the last.
    """
    start, chord = values[:, :-1], np.diff(values, axis=1)
    pieces = np.zeros((4, *start.shape))
    pieces[0] = start
    pieces[1] = np.where(curved, 3.0 * out, np.where(held, 0.0, chord))
    pieces[2] = np.where(curved, 3.0 * (chord - back - 2.0 * out), 0.0)
    pieces[3] = np.where(curved, 3.0 * (out + back) - 2.0 * chord, 0.0)
    return pieces


def before_jump(times: FloatArray) -> FloatArray:
    """Return the times at which a value that jumps at some times is still the old one."""
    return times - _beside(times)


def are_jumps(starts: FloatArray, lengths: FloatArray) -> BoolArray:
    """Return which intervals are those between the two times beside a jump."""
    jumps: BoolArray = lengths <= _NO_LONGER * _beside(starts)
    return jumps


def _beside(times: FloatArray) -> FloatArray:
    """Return how far beside some times a jump is over: no share of a piece rounds to its end there."""
    return np.maximum(_BESIDE, _STEPS * np.spacing(np.abs(times)))


def _parameter(u: FloatArray, weights: FloatArray) -> FloatArray:
    """Solve the Bézier's first coordinate for its parameter: ``(r, m)`` for ``(r, m, 2)``.

    Newton's method, which keeps to an interval that holds the solution and halves it where a step
    would leave it.
    """
    w0, w1 = weights[..., 0], 1.0 - weights[..., 1]
    c1, c2, c3 = 3.0 * w0, 3.0 * w1 - 6.0 * w0, 1.0 - 3.0 * w1 + 3.0 * w0
    target = np.broadcast_to(u, w0.shape)
    low, high = np.zeros(w0.shape), np.ones(w0.shape)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        below = ((c3 * middle + c2) * middle + c1) * middle < target
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    s = 0.5 * (low + high)
    for _ in range(_NEWTONS):
        error = ((c3 * s + c2) * s + c1) * s - target
        low, high = np.where(error < 0.0, s, low), np.where(error > 0.0, s, high)
        slope = (3.0 * c3 * s + 2.0 * c2) * s + c1
        step = error / np.where(slope > 0.0, slope, 1.0)
        inside = (slope > 0.0) & (s - step >= low) & (s - step <= high)
        found = np.where(error == 0.0, s, np.where(inside, s - step, 0.5 * (low + high)))
        done = np.abs(found - s) <= _NEAR
        s = found
        if done.all():
            break
    return s


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve: a row of a group."""

    group: CurveGroup
    row: int
