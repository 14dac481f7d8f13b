"""Keys of a property: lines between those of the motion where lines hold it, else cubics."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.sampler import hermite
from rigview.io.reading import SaveError

# Where between two keys lines and cubics are compared with the motion; cubics are exact at thirds.
_LINE_SHARES = np.array([1.0 / 3.0, 0.5, 2.0 / 3.0])
_CUBIC_SHARES = np.array([1.0 / 6.0, 0.5, 5.0 / 6.0])
_THIRDS = np.array([0.0, 1.0 / 3.0, 2.0 / 3.0])
# Halvings of an interval, and keys of one curve.
_ROUNDS, MOST_KEYS = 14, 50_000

# ``(n,)`` times → ``(n, c)`` values, and ``(n,)`` times with ``(n, c)`` values → ``(n,)`` how far off.
ValuesAt = Callable[[FloatArray], FloatArray]
OffAt = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class KeyRows:
    """The keys of all axes of a property.

    Parameters
    ----------
    times
        ``(n,)`` seconds.
    values
        ``(n, c)``.
    slopes
        ``(2, n, c)`` a second, right and left of each key; None where lines lead from key to key.
    steps
        Whether values stay until the next key.
    off
        How far the curve is off the motion at most.
    """

    times: FloatArray
    values: FloatArray
    slopes: FloatArray | None = None
    steps: bool = False
    off: float = 0.0


def fitted(values_at: ValuesAt, off_at: OffAt, times: FloatArray, limit: float) -> KeyRows:
    """Return as few keys as hold a motion within a limit.

    Parameters
    ----------
    times
        ``(n,)`` ascending, which are keys in any case; intervals between them are halved where needed.

    Raises
    ------
    SaveError
        If the curve stays further off than the limit.
    """
    lines = _lines(values_at, off_at, times)
    if lines.off <= limit:
        return lines
    for _ in range(_ROUNDS):
        grid = np.append((times[:-1, None] + np.diff(times)[:, None] * _THIRDS).ravel(), times[-1])
        keys, off = _cubics(values_at(grid), off_at, times)
        bent = off > limit
        if not bent.any():
            return keys
        middles = 0.5 * (times[:-1] + times[1:])[bent]
        times = np.unique(np.concatenate([times, middles]))
        if len(times) > MOST_KEYS:
            break
    raise SaveError(
        f"its curve would need more than {min(len(times), MOST_KEYS):,} keys to stay within {limit:.0e}"
    )


def _lines(values_at: ValuesAt, off_at: OffAt, times: FloatArray) -> KeyRows:
    values, spans = rounded(values_at(times)), np.diff(times)
    at_keys = float(off_at(times, values).max(initial=0.0))
    if not len(spans):
        return KeyRows(times, values, off=at_keys)
    inner = times[:-1, None] + spans[:, None] * _LINE_SHARES
    guess = values[:-1, None] + np.diff(values, axis=0)[:, None] * _LINE_SHARES[:, None]
    between = off_at(inner.ravel(), guess.reshape(-1, values.shape[1]))
    return KeyRows(times, values, off=max(at_keys, float(between.max())))


def _cubics(grid: FloatArray, off_at: OffAt, times: FloatArray) -> tuple[KeyRows, FloatArray]:
    """Return keys with the cubics through the values at thirds, and ``(n − 1,)`` how far off each is.

    With h a third of an interval and f its four values, the cubic through them leaves the first with
    the slope (−11 f₀ + 18 f₁ − 9 f₂ + 2 f₃) / 6h, and enters the last with that of the reverse.

    Parameters
    ----------
    grid
        ``(3 n − 2, c)`` values at the keys and at thirds between them.
    """
    values, spans = rounded(grid[::3]), np.diff(times)[:, None]
    first, second, third, last = values[:-1], grid[1::3], grid[2::3], values[1:]
    slopes = np.zeros((2, *values.shape))
    slopes[0, :-1] = (-11.0 * first + 18.0 * second - 9.0 * third + 2.0 * last) / (2.0 * spans)
    slopes[1, 1:] = (11.0 * last - 18.0 * third + 9.0 * second - 2.0 * first) / (2.0 * spans)
    slopes = rounded(slopes)
    start, out, into, end = (row[:, None] for row in (first, slopes[0, :-1], slopes[1, 1:], last))
    guess = hermite(start, out, into, end, _CUBIC_SHARES[:, None], spans[:, None])
    inner = times[:-1, None] + spans * _CUBIC_SHARES
    off = off_at(inner.ravel(), guess.reshape(-1, values.shape[1])).reshape(len(spans), -1)
    worst: FloatArray = off.max(axis=1, initial=0.0)
    at_keys = float(off_at(times, values).max(initial=0.0))
    return KeyRows(times, values, slopes, off=max(at_keys, float(worst.max(initial=0.0)))), worst


def rounded(values: FloatArray) -> FloatArray:
    """Return numbers as keys have them: in 32 bits."""
    return values.astype(np.float32).astype(np.float64)
