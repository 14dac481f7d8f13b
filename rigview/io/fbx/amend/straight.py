"""Curves as straight lines between keys: as few as keep the wanted motion to within a limit."""

from collections.abc import Callable

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.io.reading import SaveError

# Where between two keys a line is compared with the motion.
_SHARES = np.array([1.0 / 3.0, 0.5, 2.0 / 3.0])
# Halvings of an interval, and keys of one curve.
_ROUNDS, MOST_KEYS = 14, 50_000

# ``(n,)`` times → ``(n, c)`` values, and ``(n,)`` times with ``(n, c)`` values → ``(n,)`` how far off.
ValuesAt = Callable[[FloatArray], FloatArray]
OffAt = Callable[[FloatArray, FloatArray], FloatArray]


def straight(
    values_at: ValuesAt, off_at: OffAt, times: FloatArray, limit: float
) -> tuple[FloatArray, FloatArray, float]:
    """Return the times and values of keys, and how far off the lines between them are at most.

    Parameters
    ----------
    times
        ``(n,)`` ascending, which are keys in any case; intervals between them are halved where needed.

    Raises
    ------
    SaveError
        If the lines stay further off than the limit.
    """
    for _ in range(_ROUNDS):
        values = values_at(times)
        spans = np.diff(times)
        inner = times[:-1, None] + spans[:, None] * _SHARES
        guess = values[:-1, None] + np.diff(values, axis=0)[:, None] * _SHARES[:, None]
        off = off_at(inner.ravel(), guess.reshape(-1, values.shape[1]))
        worst = off.reshape(len(spans), -1).max(axis=1, initial=0.0)
        at_keys = float(off_at(times, values).max(initial=0.0))
        bent = worst > limit
        if not bent.any():
            return times, values, max(at_keys, float(worst.max(initial=0.0)))
        middles = 0.5 * (times[:-1] + times[1:])[bent]
        times = np.unique(np.concatenate([times, middles]))
        if len(times) > MOST_KEYS:
            break
    raise SaveError(
        f"its curve would need more than {min(len(times), MOST_KEYS):,} keys to stay within {limit:.0e}"
    )
