"""Faces of a region that pass through one another and did not when they were bound.

1. Pairs of faces whose boxes overlap and that share no vertex are found by a sweep along the longest side.
2. Two triangles cross where an edge of one passes through the other: the six edges are tested in float64,
   ends that only touch count as apart.
3. A pair that crossed at bind is left out: a sleeve modelled through an arm stays as it was.
"""

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.numeric import axis_major

# Pairs tested in one go.
_AT_ONCE = 1 << 18
# An edge that meets a face this near to one of its ends or borders only touches it, as a share.
_TOUCHES = 1e-6
_EDGES = ((0, 1), (1, 2), (2, 0))


def crossing_faces(positions: FloatArray, bound: FloatArray, faces: IntArray) -> BoolArray:
    """Return ``(F,)`` which faces cross another of them in a pose and did not at bind.

    Parameters
    ----------
    positions, bound
        ``(3, W)`` posed, and as bound.
    faces
        ``(F, 3)`` of one region.
    """
    result = np.zeros(len(faces), dtype=np.bool_)
    for first, second in _near_pairs(positions, faces):
        crossing = _cross(positions, faces[first], faces[second])
        a, b = first[crossing], second[crossing]
        new = ~_cross(bound, faces[a], faces[b])
        result[a[new]] = True
        result[b[new]] = True
    return result


def _near_pairs(positions: FloatArray, faces: IntArray) -> list[tuple[IntArray, IntArray]]:
    """Return pairs of faces without common vertex whose boxes overlap, some at a time."""
    corners = positions[:, faces]
    low, high = corners.min(axis=2), corners.max(axis=2)
    axis = int(np.argmax(high.max(axis=1, initial=0.0) - low.min(axis=1, initial=0.0)))
    order = np.argsort(low[axis], kind="stable")
    ends = np.searchsorted(low[axis][order], high[axis][order], side="right")
    counts = np.maximum(ends - np.arange(len(order)) - 1, 0)
    result: list[tuple[IntArray, IntArray]] = []
    if not counts.any():
        return result
    borders = np.searchsorted(np.cumsum(counts), np.arange(0, counts.sum(), _AT_ONCE), side="left")
    for start, end in zip(borders, [*borders[1:], len(order)], strict=True):
        some = counts[start:end]
        first = np.repeat(np.arange(start, end), some)
        second = np.arange(some.sum()) - np.repeat(np.cumsum(some) - some, some) + first + 1
        a, b = order[first], order[second]
        near = np.ones(len(a), dtype=np.bool_)
        for other in {0, 1, 2} - {axis}:
            near &= (low[other, a] <= high[other, b]) & (low[other, b] <= high[other, a])
        a, b = a[near], b[near]
        apart = ~(faces[a][:, :, None] == faces[b][:, None, :]).any(axis=(1, 2))
        result.append((a[apart], b[apart]))
    return result


def _cross(positions: FloatArray, a: IntArray, b: IntArray) -> BoolArray:
    """Return ``(n,)`` which of ``(n, 3)`` faces cross."""
    result = np.zeros(len(a), dtype=np.bool_)
    near = np.flatnonzero(_straddles(positions, a, b))
    near = near[_straddles(positions, b[near], a[near])]
    for one, other in ((a[near], b[near]), (b[near], a[near])):
        for start, end in _EDGES:
            result[near] |= _pierces(positions, one[:, start], one[:, end], other)
    return result


def _straddles(positions: FloatArray, a: IntArray, b: IntArray) -> BoolArray:
    """Return ``(n,)`` which faces b have corners on both sides of the planes of faces a."""
    corner = positions[:, a[:, 0]]
    normal = axis_major.cross(positions[:, a[:, 1]] - corner, positions[:, a[:, 2]] - corner)
    sides = [axis_major.dot(normal, positions[:, b[:, i]] - corner) for i in range(3)]
    low, high = np.minimum.reduce(sides), np.maximum.reduce(sides)
    return np.asarray((low < 0.0) & (high > 0.0))


def _pierces(positions: FloatArray, start: IntArray, end: IntArray, faces: IntArray) -> BoolArray:
    """Return ``(n,)`` which edges pass through faces, by Möller and Trumbore's test."""
    origin, corner = positions[:, start], positions[:, faces[:, 0]]
    along = positions[:, end] - origin
    u, v = positions[:, faces[:, 1]] - corner, positions[:, faces[:, 2]] - corner
    across = axis_major.cross(along, v)
    determinant = axis_major.dot(u, across)
    flat = determinant == 0.0
    inverse = 1.0 / np.where(flat, 1.0, determinant)
    offset = origin - corner
    first = axis_major.dot(offset, across) * inverse
    around = axis_major.cross(offset, u)
    second = axis_major.dot(along, around) * inverse
    place = axis_major.dot(v, around) * inverse
    inside = (first > _TOUCHES) & (second > _TOUCHES) & (first + second < 1.0 - _TOUCHES)
    return np.asarray(~flat & inside & (place > _TOUCHES) & (place < 1.0 - _TOUCHES))
