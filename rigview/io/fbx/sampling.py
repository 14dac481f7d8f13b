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
# No interval between keys of a file is shorter; the two times beside a jump are.
_JUMP = 1e-9
# Keys that refinement may add to a motion.
_MOST_KEYS = 200_000

Motion = Callable[[FloatArray], FloatArray]


def fit(
    motion: Motion, grid: FloatArray, *, rotation: bool, straight: bool = False
) -> list[Sampler]:
    """Return one sampler for each of m motions.

    Parameters
    ----------
    motion
        ``(n,)`` times → ``(m, n, c)`` values; with `rotation` unit quaternions of any sign.
    grid
        ``(n,)`` ascending times of all keys.
    straight
        Whether all curves are lines between these times.
    """
    values = _continuous(motion(grid)) if rotation else motion(grid)
    if len(grid) == 1:
        return [Sampler(grid, row) for row in values]
    tolerance = _tolerance(values, rotation=rotation)
    is_line = np.ones(len(values), dtype=np.bool_)
    for share in (1 / 3,) if straight else (1 / 3, 1 / 2):
        off = _distance(
            _between(motion, grid, values, share, rotation=rotation),
            _lines(values, share, rotation=rotation),
            rotation=rotation,
        )
        is_line &= np.all((off <= tolerance) | (np.diff(grid) <= _JUMP), axis=1)
    result: list[Sampler | None] = [None] * len(values)
    for row in np.flatnonzero(is_line):
        result[row] = Sampler(grid, values[row])
    bent = np.flatnonzero(~is_line)
    if len(bent):
        keys, splines = _splines(
            lambda t: motion(t)[bent], grid, tolerance[bent], rotation=rotation
        )
        for row, spline in zip(bent, splines, strict=True):
            result[row] = Sampler(keys, spline, "CUBICSPLINE")
    return [sampler for sampler in result if sampler is not None]


def stepped(motion: Motion, grid: FloatArray) -> list[Sampler]:
    """Return one sampler for each of m motions that jump from key to key."""
    interpolation: Interpolation = "STEP"
    return [Sampler(grid, row, interpolation) for row in motion(grid)]


def _splines(
    motion: Motion, grid: FloatArray, tolerance: FloatArray, *, rotation: bool
) -> tuple[FloatArray, FloatArray]:
    """Return key times ``(n,)`` and ``(m, n, 3, c)``: in-tangent, value, out-tangent."""
    for _ in range(_ROUNDS):
        bad = _off(motion, grid, tolerance, rotation=rotation)
        if not np.any(bad) or len(grid) + np.count_nonzero(bad) > max(_MOST_KEYS, len(grid)):
            break
        grid = np.sort(np.concatenate([grid, (grid[:-1] + 0.5 * np.diff(grid))[bad]]))
    values, out, into = _cubics(motion, grid, rotation=rotation)
    length = np.diff(grid)[:, None]
    keys = np.zeros((len(values), len(grid), 3, values.shape[-1]))
    keys[:, :, 1] = values
    keys[:, 1:, 0] = into / length
    keys[:, :-1, 2] = out / length
    return grid, keys


def _cubics(
    motion: Motion, grid: FloatArray, *, rotation: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return values ``(m, n, c)``, and the slopes that leave and enter every interval."""
    values = _continuous(motion(grid)) if rotation else motion(grid)
    first, second = (
        _between(motion, grid, values, share, rotation=rotation) for share in (1 / 3, 2 / 3)
    )
    start, end = values[:, :-1], values[:, 1:]
    long = (np.diff(grid) > _JUMP)[:, None]
    out = (-11.0 * start + 18.0 * first - 9.0 * second + 2.0 * end) / 2.0
    into = (-2.0 * start + 9.0 * first - 18.0 * second + 11.0 * end) / 2.0
    return values, np.where(long, out, end - start), np.where(long, into, end - start)


def _off(motion: Motion, grid: FloatArray, tolerance: FloatArray, *, rotation: bool) -> BoolArray:
    """Tell which intervals ``(n − 1,)`` no cubic holds for some motion."""
    values, out, into = _cubics(motion, grid, rotation=rotation)
    bad = np.zeros(len(grid) - 1, dtype=np.bool_)
    for share in (0.5, 5.0 / 6.0):
        wanted = _between(motion, grid, values, share, rotation=rotation)
        got = _hermite(values[:, :-1], out, into, values[:, 1:], share)
        got = quat.normalise(got) if rotation else got
        bad |= np.any(_distance(wanted, got, rotation=rotation) > tolerance, axis=0)
    return bad & (np.diff(grid) > _JUMP)


def _hermite(
    start: FloatArray, out: FloatArray, into: FloatArray, end: FloatArray, u: float
) -> FloatArray:
    return (
        (1.0 + 2.0 * u) * (1.0 - u) ** 2 * start
        + u * (1.0 - u) ** 2 * out
        + u**2 * (3.0 - 2.0 * u) * end
        - u**2 * (1.0 - u) * into
    )


def _between(
    motion: Motion, grid: FloatArray, values: FloatArray, share: float, *, rotation: bool
) -> FloatArray:
    """Return ``(m, n − 1, c)`` at a share of every interval, with the sign of the key before."""
    result = motion(grid[:-1] + share * np.diff(grid))
    if rotation:
        same = np.einsum("mnc,mnc->mn", result, values[:, :-1]) >= 0.0
        result = np.where(same[..., None], result, -result)
    return result


def _continuous(values: FloatArray) -> FloatArray:
    """Choose the signs of quaternions so that neighbours are near each other."""
    same = np.einsum("mnc,mnc->mn", values[:, 1:], values[:, :-1]) >= 0.0
    signs = np.cumprod(np.where(same, 1.0, -1.0), axis=1)
    result = values.copy()
    result[:, 1:] *= signs[..., None]
    return result


def _lines(values: FloatArray, share: float, *, rotation: bool) -> FloatArray:
    start, end = values[:, :-1], values[:, 1:]
    if rotation:
        return quat.slerp(start, end, np.full(start.shape[:-1], share))
    return start + share * (end - start)


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


def is_still(values: FloatArray, rest: FloatArray) -> tuple[BoolArray, BoolArray]:
    """Tell which of ``(m, n, c)`` motions never move, and which of those stay at ``(m, c)`` rest."""
    still = np.all(values == values[:, :1], axis=(1, 2))
    size = np.maximum(np.max(np.abs(rest), axis=1), 1e-3)
    at_rest = np.max(np.abs(values[:, 0] - rest), axis=1) <= 1e-12 * size
    return still, still & at_rest
