"""Motions that no key interpolation of a rig holds, as keys that do: fitted, refined, checked.

A node's motion in FBX is a product of Euler angles, pivots and scales, each with curves of its own.
A rig holds keys of translations, quaternions and scales. So a motion is evaluated at all its keys,
and checked between them:

1. Where the lines (or short arcs) between keys are within the tolerance at ⅓ and ½, they are the
   result; so a file's linear keys stay what they are. (At ½ alone an easing curve looks straight.)
2. Else every interval becomes the cubic through the motion at 0, ⅓, ⅔ and 1; cubic curves without
   weights come out exact. It is checked at ½ and ⅚.
3. Intervals that are still off are halved, up to `_ROUNDS` times.

Keys of the file always stay keys. The tolerances: `ANGLE` for rotations, `SHARE` of the largest value
for others.
"""

from collections.abc import Callable

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.clip import Interpolation, Sampler

ANGLE = 2e-6
SHARE = 1e-6
_ROUNDS = 7
# Where intervals are looked into: ⅓ and ⅔ make the cubic, ½ and ⅚ check it.
_SHARES = (1 / 3, 1 / 2, 2 / 3, 5 / 6)
# No interval between keys of a file is shorter; the two times beside a jump are.
_JUMP = 1e-9
# Keys that refinement may add to a motion.
_MOST_KEYS = 200_000

Motion = Callable[[FloatArray], FloatArray]


def fit(
    motion: Motion, grid: FloatArray, *, rotation: bool, straight: bool = False
) -> list[Sampler]:
    """Return one sampler for each of m motions; one that never moves has one key.

    Parameters
    ----------
    motion
        ``(n,)`` times → ``(m, n, c)`` values; with `rotation` unit quaternions of any sign.
    grid
        ``(n,)`` ascending times of all keys.
    straight
        Whether all curves are lines between these times.
    """
    values = motion(grid)
    if rotation:
        values = _continuous(values)
    if len(grid) == 1:
        return [Sampler(grid, row) for row in values]
    inner = _inside(motion, grid, values, _SHARES[:1] if straight else _SHARES, rotation=rotation)
    still = np.all(values == values[:, :1], axis=(1, 2))
    still &= np.all(inner == values[:, None, :1], axis=(1, 2, 3))
    tolerance = _tolerance(values, rotation=rotation)
    is_line = still | _are_lines(grid, values, inner[:, :2], tolerance, rotation=rotation)
    result: list[Sampler | None] = [None] * len(values)
    for row, never in enumerate(still):
        if never or is_line[row]:
            result[row] = (
                Sampler(grid[:1], values[row, :1]) if never else Sampler(grid, values[row])
            )
    bent = np.flatnonzero(~is_line)
    if len(bent):
        found = inner[bent] if inner.shape[1] == len(_SHARES) else None
        _fit_splines(motion, bent, (grid, values[bent], found), tolerance, rotation, result)
    return [sampler for sampler in result if sampler is not None]


def stepped(motion: Motion, grid: FloatArray) -> list[Sampler]:
    """Return one sampler for each of m motions that jump from key to key."""
    interpolation: Interpolation = "STEP"
    return [Sampler(grid, row, interpolation) for row in motion(grid)]


def _inside(
    motion: Motion,
    grid: FloatArray,
    values: FloatArray,
    shares: tuple[float, ...],
    *,
    rotation: bool,
) -> FloatArray:
    """Return ``(m, shares, n − 1, c)`` in every interval, with the sign of the key before."""
    length = np.diff(grid)
    times = np.concatenate([grid[:-1] + share * length for share in shares])
    m, n, c = values.shape
    result = motion(times).reshape(m, len(shares), n - 1, c)
    if rotation:
        same = np.einsum("msnc,mnc->msn", result, values[:, :-1]) >= 0.0
        result = np.where(same[..., None], result, -result)
    return result


def _are_lines(
    grid: FloatArray,
    values: FloatArray,
    inner: FloatArray,
    tolerance: FloatArray,
    *,
    rotation: bool,
) -> BoolArray:
    """Tell which motions ``(m,)`` run along the lines, or short arcs, between the keys."""
    start, end = values[:, :-1], values[:, 1:]
    jump = np.diff(grid) <= _JUMP
    result = np.ones(len(values), dtype=np.bool_)
    for number in range(inner.shape[1]):
        share = _SHARES[number]
        if rotation:
            line = quat.slerp(start, end, np.full(start.shape[:-1], share))
        else:
            line = start + share * (end - start)
        off = _distance(inner[:, number], line, rotation=rotation)
        result &= np.all((off <= tolerance) | jump, axis=1)
    return result


def _fit_splines(
    motion: Motion,
    rows: IntArray,
    known: tuple[FloatArray, FloatArray, FloatArray | None],
    tolerance: FloatArray,
    rotation: bool,
    result: list[Sampler | None],
) -> None:
    """Put cubics for the numbered motions into `result`, on keys as dense as each needs.

    Parameters
    ----------
    known
        Of the first round: key times, values ``(r, n, c)`` and, where they are known already,
        values inside ``(r, shares, n − 1, c)``.
    """
    grid, values, inner = known
    for turn in range(_ROUNDS + 1):
        limit = tolerance[rows]

        def chosen(times: FloatArray, rows: IntArray = rows) -> FloatArray:
            return motion(times)[rows]

        if turn:
            values = _continuous(chosen(grid)) if rotation else chosen(grid)
            inner = None
        if inner is None:
            inner = _inside(chosen, grid, values, _SHARES, rotation=rotation)
        out, into = _ends(grid, values, inner)
        off = _off(grid, values, (out, into), inner, rotation=rotation) > limit
        bad = np.any(off, axis=1)
        if turn == _ROUNDS or 2 * len(grid) > _MOST_KEYS:
            bad[:] = False
        keys = np.stack([values, values, values], axis=2)
        length = np.diff(grid)[:, None]
        keys[:, 0, 0], keys[:, -1, 2] = 0.0, 0.0
        keys[:, 1:, 0], keys[:, :-1, 2] = into / length, out / length
        for row, spline in zip(rows[~bad].tolist(), keys[~bad], strict=True):
            result[row] = Sampler(grid, spline, "CUBICSPLINE")
        rows = rows[bad]
        if not len(rows):
            return
        halves = (grid[:-1] + 0.5 * np.diff(grid))[np.any(off[bad], axis=0)]
        grid = np.sort(np.concatenate([grid, halves]))


def _ends(grid: FloatArray, values: FloatArray, inner: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what the cubics through ⅓ and ⅔ leave and enter the intervals with."""
    start, end = values[:, :-1], values[:, 1:]
    first, second = inner[:, 0], inner[:, 2]
    out = (-11.0 * start + 18.0 * first - 9.0 * second + 2.0 * end) / 2.0
    into = (-2.0 * start + 9.0 * first - 18.0 * second + 11.0 * end) / 2.0
    jump = (np.diff(grid) <= _JUMP)[:, None]
    return np.where(jump, end - start, out), np.where(jump, end - start, into)


def _off(
    grid: FloatArray,
    values: FloatArray,
    ends: tuple[FloatArray, FloatArray],
    inner: FloatArray,
    *,
    rotation: bool,
) -> FloatArray:
    """Return ``(m, n − 1)`` how far the cubics are from the motions at ½ and ⅚."""
    result = np.zeros((len(values), len(grid) - 1))
    for number in (1, 3):
        got = _hermite(values[:, :-1], *ends, values[:, 1:], _SHARES[number])
        got = quat.normalise(got) if rotation else got
        result = np.maximum(result, _distance(inner[:, number], got, rotation=rotation))
    return np.where(np.diff(grid) <= _JUMP, 0.0, result)


def _hermite(
    start: FloatArray, out: FloatArray, into: FloatArray, end: FloatArray, u: float
) -> FloatArray:
    return (
        (1.0 + 2.0 * u) * (1.0 - u) ** 2 * start
        + u * (1.0 - u) ** 2 * out
        + u**2 * (3.0 - 2.0 * u) * end
        - u**2 * (1.0 - u) * into
    )


def _continuous(values: FloatArray) -> FloatArray:
    """Choose the signs of quaternions so that neighbours are near each other."""
    same = np.einsum("mnc,mnc->mn", values[:, 1:], values[:, :-1]) >= 0.0
    signs = np.cumprod(np.where(same, 1.0, -1.0), axis=1)
    result = values.copy()
    result[:, 1:] *= signs[..., None]
    return result


def _distance(a: FloatArray, b: FloatArray, *, rotation: bool) -> FloatArray:
    """Return ``(m, n)`` angles, or the largest differences."""
    if rotation:
        return 2.0 * np.linalg.norm(a - b, axis=-1)
    return np.max(np.abs(a - b), axis=-1)


def _tolerance(values: FloatArray, *, rotation: bool) -> FloatArray:
    if rotation:
        return np.full((len(values), 1), ANGLE)
    largest = np.max(np.abs(values), axis=(1, 2))[:, None]
    return np.maximum(SHARE * largest, np.finfo(np.float64).tiny)
