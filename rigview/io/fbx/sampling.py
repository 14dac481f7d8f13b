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
from rigview.core.arrays import BoolArray, FloatArray
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
        keys, splines = _splines(
            lambda t: motion(t)[bent], grid, found, tolerance[bent], rotation=rotation
        )
        for row, spline in zip(bent.tolist(), splines, strict=True):
            result[row] = Sampler(keys, spline, "CUBICSPLINE")
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


def _splines(
    motion: Motion,
    grid: FloatArray,
    inner: FloatArray | None,
    tolerance: FloatArray,
    *,
    rotation: bool,
) -> tuple[FloatArray, FloatArray]:
    """Return key times ``(n,)`` and ``(m, n, 3, c)``: in-tangent, value, out-tangent.

    Parameters
    ----------
    inner
        ``(m, shares, n − 1, c)`` of the first round, where it is known already.
    """
    turn = 0
    while True:
        values = _continuous(motion(grid)) if rotation else motion(grid)
        if inner is None:
            inner = _inside(motion, grid, values, _SHARES, rotation=rotation)
        start, end = values[:, :-1], values[:, 1:]
        first, half, second, late = (inner[:, number] for number in range(len(_SHARES)))
        length = np.diff(grid)
        long = (length > _JUMP)[:, None]
        out = (-11.0 * start + 18.0 * first - 9.0 * second + 2.0 * end) / 2.0
        into = (-2.0 * start + 9.0 * first - 18.0 * second + 11.0 * end) / 2.0
        out, into = np.where(long, out, end - start), np.where(long, into, end - start)
        bad = np.zeros(len(length), dtype=np.bool_)
        for share, wanted in ((_SHARES[1], half), (_SHARES[3], late)):
            got = _hermite(start, out, into, end, share)
            got = quat.normalise(got) if rotation else got
            bad |= np.any(_distance(wanted, got, rotation=rotation) > tolerance, axis=0)
        bad &= long[:, 0]
        if turn == _ROUNDS or not np.any(bad) or len(grid) + np.count_nonzero(bad) > _MOST_KEYS:
            break
        grid = np.sort(np.concatenate([grid, (grid[:-1] + 0.5 * length)[bad]]))
        inner = None
        turn += 1
    keys = np.zeros((len(values), len(grid), 3, values.shape[-1]))
    keys[:, :, 1] = values
    keys[:, 1:, 0] = into / length[:, None]
    keys[:, :-1, 2] = out / length[:, None]
    return grid, keys


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
