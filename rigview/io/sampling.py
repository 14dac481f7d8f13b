"""Motions that no key interpolation of a rig holds, as keys that do: fitted, refined, checked.

A node's motion in FBX or USD is a product of Euler angles, pivots and scales, each with curves of its own.
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
from dataclasses import replace

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.sampler import Interpolation, Sampler, hermite
from rigview.io.curves import are_jumps

ANGLE = 2e-6
SHARE = 1e-6
_ROUNDS = 7
# Where intervals are looked into: ⅓ and ⅔ make the cubic, ½ and ⅚ check it.
_SHARES = (1 / 3, 1 / 2, 2 / 3, 5 / 6)
# Keys that refinement may add to a motion.
_MOST_KEYS = 200_000

# A quaternion between two keys knows no full turns: no interval may turn further than this.
_FURTHEST_DEGREES = 90.0
_MOST_PARTS = 64

Motion = Callable[[FloatArray], FloatArray]


def fit(
    motion: Motion,
    grid: FloatArray,
    *,
    rotation: bool,
    straight: bool = False,
    stated: FloatArray | None = None,
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
    stated
        The file's own key times, where they are fewer: samplers of more keys name them.
    """
    stated = grid if stated is None else stated
    found = _fitted(motion, grid, rotation=rotation, straight=straight)
    return [s if len(s.times) <= len(stated) else replace(s, stated=stated) for s in found]


def _fitted(motion: Motion, grid: FloatArray, *, rotation: bool, straight: bool) -> list[Sampler]:
    values = motion(grid)
    if rotation:
        values = continuous(values)
    if len(grid) == 1:
        return [Sampler(grid, row) for row in values]
    spans = np.stack([grid[:-1], np.diff(grid)])
    shares = _SHARES[:1] if straight else _SHARES
    inner = _inside(motion, spans, values[:, :-1], shares, rotation=rotation)
    still = np.all(values == values[:, :1], axis=(1, 2))
    still &= np.all(inner == values[:, None, :1], axis=(1, 2, 3))
    tolerance = _tolerance(values, inner, rotation=rotation)
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


def without_fast_turns(angles: Motion, grid: FloatArray) -> FloatArray:
    """Add times to intervals in which an angle moves by more than a right angle.

    Parameters
    ----------
    angles
        ``(n,)`` times → ``(m, n, c)`` degrees.
    """
    if len(grid) == 1:
        return grid
    degrees = np.max(np.abs(np.diff(angles(grid), axis=1)), axis=(0, 2), initial=0.0)
    parts = np.clip(np.ceil(degrees / _FURTHEST_DEGREES), 1, _MOST_PARTS).astype(np.int64)
    parts = np.where(np.diff(grid) > 1e-6, parts, 1)
    if np.all(parts == 1):
        return grid
    shares = [np.arange(1, n) / n for n in parts]
    extra = [a + (b - a) * s for a, b, s in zip(grid[:-1], grid[1:], shares, strict=True)]
    return np.unique(np.concatenate([grid, *extra]))


def _inside(
    motion: Motion,
    spans: FloatArray,
    before: FloatArray,
    shares: tuple[float, ...],
    *,
    rotation: bool,
) -> FloatArray:
    """Return ``(m, shares, p, c)`` in some intervals, with the sign of the key before.

    Parameters
    ----------
    spans
        ``(2, p)`` starts and lengths of the intervals.
    before
        ``(m, p, c)`` values at their starts.
    """
    times = np.concatenate([spans[0] + share * spans[1] for share in shares])
    m, p, c = before.shape
    result = motion(times).reshape(m, len(shares), p, c)
    if rotation:
        same = np.einsum("mspc,mpc->msp", result, before) >= 0.0
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
    jump = are_jumps(grid[:-1], np.diff(grid))
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

    Only intervals that were halved are looked into again.

    Parameters
    ----------
    known
        Of the first round: key times, values ``(r, n, c)`` and, where they are known already,
        values inside ``(r, shares, n − 1, c)``.
    """
    grid, values, inner = known
    out, into = np.zeros(values[:, 1:].shape), np.zeros(values[:, 1:].shape)
    fresh = np.arange(len(grid) - 1)
    for turn in range(_ROUNDS + 1):
        spans = np.stack([grid[fresh], grid[fresh + 1] - grid[fresh]])
        if inner is None:
            inner = _inside(
                lambda times, rows=rows: motion(times)[rows],  # type: ignore[misc]
                spans,
                values[:, fresh],
                _SHARES,
                rotation=rotation,
            )
        pair = values[:, fresh], values[:, fresh + 1]
        jump = are_jumps(*spans)
        ends = _ends(jump, pair, inner)
        out[:, fresh], into[:, fresh] = ends
        off = _off(jump, pair, ends, inner, rotation=rotation) > tolerance[rows]
        bad = np.any(off, axis=1)
        if turn == _ROUNDS or 2 * len(grid) > _MOST_KEYS:
            bad[:] = False
        for row, spline in zip(
            rows[~bad].tolist(), _keys(grid, values[~bad], out[~bad], into[~bad]), strict=True
        ):
            result[row] = Sampler(grid, spline, "CUBICSPLINE")
        if not np.any(bad):
            return
        halved = np.any(off[bad], axis=0)
        at = fresh[halved] + 1
        rows, values = rows[bad], np.insert(values[bad], at, inner[bad][:, 1][:, halved], axis=1)
        grid = np.insert(grid, at, (spans[0] + 0.5 * spans[1])[halved])
        out, into = (np.insert(ends[bad], at, 0.0, axis=1) for ends in (out, into))
        new = at + np.arange(len(at))
        fresh, inner = np.sort(np.concatenate([new - 1, new])), None


def _keys(grid: FloatArray, values: FloatArray, out: FloatArray, into: FloatArray) -> FloatArray:
    """Return ``(m, n, 3, c)``: in-tangent, value and out-tangent of every key."""
    length = np.diff(grid)[:, None]
    result = np.zeros((*values.shape[:2], 3, values.shape[2]))
    result[:, :, 1] = values
    result[:, 1:, 0], result[:, :-1, 2] = into / length, out / length
    return result


def _ends(
    jump: BoolArray, pair: tuple[FloatArray, FloatArray], inner: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return what the cubics through ⅓ and ⅔ leave and enter the intervals with."""
    start, end = pair
    first, second = inner[:, 0], inner[:, 2]
    out = (-11.0 * start + 18.0 * first - 9.0 * second + 2.0 * end) / 2.0
    into = (-2.0 * start + 9.0 * first - 18.0 * second + 11.0 * end) / 2.0
    jump = jump[:, None]
    return np.where(jump, end - start, out), np.where(jump, end - start, into)


def _off(
    jump: BoolArray,
    pair: tuple[FloatArray, FloatArray],
    ends: tuple[FloatArray, FloatArray],
    inner: FloatArray,
    *,
    rotation: bool,
) -> FloatArray:
    """Return ``(m, p)`` how far the cubics are from the motions at ½ and ⅚."""
    result = np.zeros(pair[0].shape[:2])
    for number in (1, 3):
        got = hermite(pair[0], *ends, pair[1], _SHARES[number])
        got = quat.normalise(got) if rotation else got
        result = np.maximum(result, _distance(inner[:, number], got, rotation=rotation))
    return np.where(jump, 0.0, result)


def continuous(rotations: FloatArray) -> FloatArray:
    """Return ``(…, n, 4)`` the same rotations, each quaternion on the side of the one before it."""
    same = np.einsum("...nc,...nc->...n", rotations[..., 1:, :], rotations[..., :-1, :]) >= 0.0
    result = rotations.copy()
    result[..., 1:, :] *= np.cumprod(np.where(same, 1.0, -1.0), axis=-1)[..., None]
    return result


def _distance(a: FloatArray, b: FloatArray, *, rotation: bool) -> FloatArray:
    """Return ``(m, n)`` angles, or the largest differences."""
    if rotation:
        return 2.0 * np.linalg.norm(a - b, axis=-1)
    return np.max(np.abs(a - b), axis=-1)


def _tolerance(values: FloatArray, inner: FloatArray, *, rotation: bool) -> FloatArray:
    if rotation:
        return np.full((len(values), 1), ANGLE)
    largest = np.maximum(np.abs(values).max(axis=(1, 2)), np.abs(inner).max(axis=(1, 2, 3)))[
        :, None
    ]
    return np.maximum(SHARE * largest, np.finfo(np.float64).tiny)
