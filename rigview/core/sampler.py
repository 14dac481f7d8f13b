"""Samplers: the curve of one property, and its values at any time.

Interpolation follows glTF 2.0 appendix C: STEP, LINEAR (slerp along the short arc for rotations)
and CUBICSPLINE, whose tangents are scaled by the length of the interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Literal

import numpy as np

from rigview.core import memo, quat
from rigview.core.arrays import FloatArray, frozen
from rigview.core.brief import brief_repr

Path = Literal["translation", "rotation", "scale", "weights"]
Interpolation = Literal["STEP", "LINEAR", "CUBICSPLINE"]
# Keys that differ by less than this, of their size or in metres, are the same but for rounding.
STILL = 1e-5


@dataclass(frozen=True, eq=False)
class Sampler:
    """The curve of one property.

    Parameters
    ----------
    times
        ``(n,)`` seconds.
    values
        ``(n, c)``; with CUBICSPLINE ``(n, 3, c)``: in-tangent, value, out-tangent.
    stated
        The times of the file's own keys where its reader added others; None where all are the file's.
    """

    __repr__ = brief_repr

    times: FloatArray
    values: FloatArray
    interpolation: Interpolation = "LINEAR"
    stated: FloatArray | None = None

    def __post_init__(self) -> None:
        times = frozen("times", self.times, (None,))
        n = len(times)
        shape = (n, 3, None) if self.interpolation == "CUBICSPLINE" else (n, None)
        values = frozen("values", self.values, shape)
        if times is not self.times:
            object.__setattr__(self, "times", times)
        if values is not self.values:
            object.__setattr__(self, "values", values)

    @cached_property
    def stated_times(self) -> FloatArray:
        """``(n,)`` the times of the keys that the file itself states."""
        return self.times if self.stated is None else np.intersect1d(self.times, self.stated)

    @property
    def keys(self) -> FloatArray:
        """``(n, c)`` the keyed values without tangents."""
        return self.values[:, 1] if self.interpolation == "CUBICSPLINE" else self.values

    @cached_property
    def usable(self) -> "Sampler | None":
        """The same curve with finite keys in ascending order only; None where no key is left.

        Evaluation reads this one, so that a damaged curve moves what it can (rules name the rest).
        """
        if not len(self.times):
            return None
        if self._is_sound():
            return self
        finite = np.isfinite(self.times)
        finite &= np.all(np.isfinite(self.values.reshape(len(self.times), -1)), axis=1)
        times = self.times[finite]
        if not len(times):
            return None
        order = np.argsort(times, kind="stable")
        return replace(self, times=times[order], values=self.values[finite][order])

    def _is_sound(self) -> bool:
        """Tell whether all keys are finite and in ascending order."""
        times = self.times
        # What is no number compares as false: but for the ends that tells it, too.
        ascending = bool((times[1:] > times[:-1]).all())
        bounded = isfinite(times[0]) and isfinite(times[-1])
        return ascending and bounded and bool(np.isfinite(self.values).all())

    def at(self, times: FloatArray, *, rotation: bool = False) -> FloatArray:
        """Return ``(…, c)`` values at ``(…)`` times, clamped to the first and last key.

        `rotation` interpolates unit quaternions and returns unit quaternions.

        Raises
        ------
        ValueError
            If no key is usable: ask `usable` first.
        """
        curve = self.usable
        if curve is None:
            raise ValueError("the sampler has no usable key")
        values = curve.values[..., None, :]
        return evaluate(curve.times, values, curve.interpolation, times, rotation=rotation)[
            ..., 0, :
        ]

    def changes(self, *, rotation: bool = False) -> bool:
        """Tell whether its value is ever another than at the first key.

        Parameters
        ----------
        rotation
            Whether the values are quaternions, of which q and -q turn alike.
        """
        curve = self.usable
        if curve is None or len(curve.times) < 2:
            return False
        keys = curve.keys
        others = keys
        if rotation:
            alike = np.einsum("nc,c->n", keys, keys[0])
            others = np.where(alike < 0.0, -1.0, 1.0)[:, None] * keys
        if np.abs(others - keys[0]).max() > STILL * max(1.0, np.abs(keys[0]).max()):
            return True
        # Tangents bend a curve whose keys are the same.
        tangents = curve.values[:, ::2] if curve.interpolation == "CUBICSPLINE" else np.zeros(1)
        return bool(np.abs(tangents).max() > STILL)


def find_usable(samplers: Sequence[Sampler]) -> None:
    """Find `Sampler.usable` of many curves at once: of those that are sound, several times as quickly."""
    asked = [s for s in samplers if not memo.knows(s, "usable") and len(s.times)]
    if not asked or not np.isfinite(np.concatenate([s.values.reshape(-1) for s in asked])).all():
        return
    # Curves that are keyed at the same times mostly share them.
    rows = {id(s.times): s.times for s in asked}
    times = np.concatenate(list(rows.values()))
    starts = np.cumsum([0, *map(len, rows.values())])[:-1]
    good = np.isfinite(times)
    good[1:] &= times[1:] > times[:-1]
    good[starts] = np.isfinite(times[starts])
    sound = dict(zip(rows, np.logical_and.reduceat(good, starts).tolist(), strict=True))
    for sampler in asked:
        if sound[id(sampler.times)]:
            memo.tell(sampler, usable=sampler)


def evaluate(
    key_times: FloatArray,
    values: FloatArray,
    interpolation: Interpolation,
    times: FloatArray,
    *,
    rotation: bool,
) -> FloatArray:
    """Evaluate curves that share their key times.

    Parameters
    ----------
    key_times
        ``(n,)`` ascending.
    values
        ``(n, m, c)``, with CUBICSPLINE ``(n, 3, m, c)``: m curves of c components.
    times
        ``(…)``.

    Returns
    -------
    ``(…, m, c)``.
    """
    spline = interpolation == "CUBICSPLINE"
    last = len(key_times) - 1
    t = np.clip(np.asarray(times, dtype=np.float64), key_times[0], key_times[last])
    if interpolation == "STEP":
        # Most files state times in 32 bits: a key on a frame may be just behind the frame's time.
        t = np.maximum(t, t.astype(np.float32))
    right = np.clip(np.searchsorted(key_times, t, side="right"), min(1, last), last)
    left = np.maximum(right - 1, 0)
    length = key_times[right] - key_times[left]
    u = (t - key_times[left]) / np.where(length > 0.0, length, 1.0)
    if interpolation == "STEP" or last == 0:
        # A time on the last key falls into the interval before it: take the key itself.
        keys = values[:, 1] if spline else values
        result = keys[np.where(u >= 1.0, right, left)]
    elif spline:
        start, end = values[left], values[right]
        u, length = u[..., None, None], length[..., None, None]
        result = hermite(
            start[..., 1, :, :],
            start[..., 2, :, :],
            end[..., 0, :, :],
            end[..., 1, :, :],
            u,
            length,
        )
    elif rotation:
        turns = quat.normalise(values)
        return quat.slerp(turns[left], turns[right], u[..., None])
    else:
        start = values[left]
        result = start + u[..., None, None] * (values[right] - start)
    return quat.normalise(result) if rotation else result


def hermite(
    start: FloatArray,
    out: FloatArray,
    into: FloatArray,
    end: FloatArray,
    u: FloatArray | float,
    length: FloatArray | float = 1.0,
) -> FloatArray:
    """Evaluate the cubic spline of glTF 2.0, appendix C.5, at u in 0..1 of its interval.

    Parameters
    ----------
    out, into
        The slopes that it leaves its start and enters its end with, in units of 1 / `length`.
    """
    u2, u3 = u * u, u * u * u
    return (
        (2 * u3 - 3 * u2 + 1) * start
        + length * (u3 - 2 * u2 + u) * out
        + (-2 * u3 + 3 * u2) * end
        + length * (u3 - u2) * into
    )
