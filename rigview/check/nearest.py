"""Which points have another bone nearer than a length, and how far it is."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import Segments

# Points that are looked at in one go.
_BLOCK = 1024
# What float32 loses of a distance, as a share of the size.
_ROUNDED = 2e-3


def nearer(bones: Segments, points: FloatArray, reach: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return which of ``(V, 3)`` points may have a bone within ``(V,)`` lengths, and how far it is.

    In float32: the answer is compared with a twentieth of the size. All bones are asked at once which
    may be the nearest ones of a point, and these how far they are.
    """
    bone, point = _candidates(bones, points, reach)
    if not len(point):
        return point, np.zeros(0)
    p = points.astype(np.float32)
    square = np.full(len(p), np.inf, dtype=np.float32)
    ends = np.cumsum(np.bincount(bone, minlength=len(bones.heads)))
    by_bone = np.split(point[np.argsort(bone, kind="stable")], ends[:-1])
    for head, direction, length, rows in zip(
        bones.heads.astype(np.float32),
        bones.directions.astype(np.float32),
        bones.lengths.astype(np.float32),
        by_bone,
        strict=True,
    ):
        if len(rows):
            offset = p[rows] - head
            foot = np.clip(offset @ direction, 0.0, length)
            offset -= foot[:, None] * direction
            square[rows] = np.minimum(square[rows], np.einsum("vi,vi->v", offset, offset))
    found = np.flatnonzero(np.isfinite(square))
    return found, np.sqrt(square[found].astype(np.float64))


def _candidates(
    bones: Segments, points: FloatArray, reach: FloatArray
) -> tuple[IntArray, IntArray]:
    """Return the pairs of a bone and a point within its reach whose nearest bone it may be."""
    middle = bones.heads.mean(axis=0)
    furthest = max(np.abs(bones.heads - middle).max(), np.abs(points - middle).max(initial=0.0))
    size = float(furthest + bones.lengths.max()) or 1.0
    heads, away, reach = (bones.heads - middle) / size, (points - middle) / size, reach / size
    # The foot of a point on the line of a bone, and the square of its distance to the head less its own.
    along = np.column_stack([bones.directions, -np.einsum("ij,ij->i", heads, bones.directions)])
    apart = np.column_stack([-2.0 * heads, np.einsum("ij,ij->i", heads, heads)])
    places = np.column_stack([away, np.ones(len(away))])
    along, apart, places = (m.astype(np.float32) for m in (along, apart, places))
    lengths = (bones.lengths / size).astype(np.float32)[:, None]
    own = np.einsum("ij,ij->i", away, away)
    pairs = [np.zeros((2, 0), dtype=np.int64)]
    for start in range(0, len(points), _BLOCK):
        here = slice(start, start + _BLOCK)
        foot, square = along @ places[here].T, apart @ places[here].T
        at = np.clip(foot, 0.0, lengths)
        square += at * (at - 2.0 * foot)
        least = square.min(axis=0)
        within = np.sqrt(np.maximum(least + own[here], 0.0)) <= reach[here] + _ROUNDED
        chosen = np.flatnonzero(within)
        if len(chosen):
            maybe = np.flatnonzero(square[:, chosen] <= least[chosen] + _ROUNDED**2)
            bone, point = np.divmod(maybe, len(chosen))
            pairs.append(np.stack([bone, chosen[point] + start]))
    bone, point = np.concatenate(pairs, axis=1)
    return bone, point
