"""Meshes as surfaces: vertices at one place, edges, and what hangs together."""

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import box_diagonal
from rigview.core.measures.solid import WELD

# Large odd numbers: the sum of multiples of them, which wraps, is one number for three, and two places of
# one mesh meet in it with a chance of 2⁻⁶⁴.
_MIX = np.array([-7046029254386353131, -4417276706812531889, 1609587929392839161], dtype=np.int64)

# Odd, so that multiplying by it loses nothing, and with its ones spread evenly (Fibonacci hashing).
_STIR = np.uint64(0x9E3779B97F4A7C15)

# Beside this a number of less than 51 bits has no place for what is behind its point: it is rounded, and
# stands in the last bits.
_ROUNDING = 1.5 * 2.0**52

HashArray = NDArray[np.uint64]


def welded(positions: FloatArray, grid: float | None = None) -> IntArray:
    """Return ``(V,)`` for every vertex the first one at its place.

    Parameters
    ----------
    grid
        Positions that round to the same multiples of it are one place; without, those that a
        texture seam has split (`WELD` of the size).
    """
    if not len(positions):
        return np.zeros(0, dtype=np.int64)
    step = WELD * box_diagonal(positions) if grid is None else grid
    return first_equal(_keys(positions, step))


def _keys(positions: FloatArray, step: float) -> IntArray:
    """Return ``(V,)`` numbers that are equal where positions round to the same multiples of a step."""
    return _mixed(_multiples(positions, step))


def _mixed(multiples: IntArray) -> IntArray:
    """Return ``(V,)`` one number for three, ``(3, V)``."""
    x, y, z = multiples * _MIX[:, None]
    return x + y + z


def _multiples(positions: FloatArray, step: float) -> IntArray:
    """Return ``(3, V)`` the multiples of a step that ``(V, 3)`` positions round to, as `_rounded` counts.

    Column by column, which numpy does many times as quickly as row by row.
    """
    return _rounded(np.ascontiguousarray(positions.T), step)


def _rounded(values: FloatArray, step: float) -> IntArray:
    """Return the multiples of a step that values round to, counted from one that is the same for all.

    Many times as quick as rounding and converting.
    """
    multiples = values / step
    multiples += _ROUNDING
    return multiples.view(np.int64)


def mirrored_pairs(
    positions: FloatArray, axis: int, plane: float, grid: float
) -> tuple[IntArray, IntArray]:
    """Return which vertices have a mirror image among the others, or are their own, and which that is.

    Parameters
    ----------
    positions
        ``(V, 3)``, like plane and grid in mesh space.
    axis, plane
        The axis that is mirrored, and where on it the plane stands.
    grid
        Positions that round to the same multiples of it are one place.
    """
    multiples = _multiples(positions, grid)
    keys, moved = _mixed(multiples), _rounded(2.0 * plane - positions[:, axis], grid)
    moved -= multiples[axis]
    images = keys + moved * _MIX[axis]
    # Of a mesh that is not mirrored, few places need be compared.
    found, among = (
        np.flatnonzero(_may_be_in(images, keys)),
        np.flatnonzero(_may_be_in(keys, images)),
    )
    first = first_equal(np.concatenate([keys.take(among), images.take(found)]))[len(among) :]
    known = np.flatnonzero(first < len(among))
    return found.take(known), among.take(first.take(known))


def _may_be_in(keys: IntArray, others: IntArray) -> BoolArray:
    """Return ``(n,)`` which of ``(n,)`` keys may be among others: all that are, and few that are not."""
    bits = max(len(others).bit_length() + 3, 8)
    there = np.zeros(1 << bits, dtype=np.bool_)
    there[_slots(others.view(np.uint64), bits)] = True
    return there.take(_slots(keys.view(np.uint64), bits))


def _slots(keys: HashArray, bits: int) -> IntArray:
    """Return ``(n,)`` the slots of keys in a table of so many bits."""
    return (keys >> np.uint64(64 - bits)).view(np.int64)


def first_equal(keys: IntArray) -> IntArray:
    """Return ``(n,)`` for each of ``(n,)`` keys the place of the first one equal to it.

    A hash table filled in rounds, many times as quick as sorting: in each, the first key that falls
    into a slot settles all equal ones, and the others try the slots of another round.
    """
    left, first = np.arange(len(keys)), np.zeros(len(keys), dtype=np.int64)
    open_, hashed = keys, keys.view(np.uint64)
    while len(left):
        bits = len(left).bit_length() + 1
        slot = _slots(hashed, bits)
        table = np.zeros(1 << bits, dtype=np.int64)
        # Of several for one slot the last one that is written stays.
        table[slot[::-1]] = left[::-1]
        found = table.take(slot)
        first[left] = found
        others = np.flatnonzero(keys.take(found) != open_)
        left, open_, hashed = left.take(others), open_.take(others), hashed.take(others) * _STIR
    return first


def edges_of(corners: IntArray) -> IntArray:
    """Return ``(2, E)`` the edges of triangles, those inside once a triangle, none of no length.

    Parameters
    ----------
    corners
        ``(3, F)``.
    """
    edges = np.stack([corners.reshape(-1), corners[[1, 2, 0]].reshape(-1)])
    return edges.take(np.flatnonzero(edges[0] != edges[1]), axis=1)


def around(corners: IntArray, near: BoolArray, steps: int) -> IntArray:
    """Return the ``(3, n)`` corners of the triangles that are reached in so many steps.

    Parameters
    ----------
    corners
        ``(3, F)`` of all triangles.
    near
        ``(V,)`` the vertices from which to go.
    """
    near = near.copy()
    reached = corners[:, :0]
    for _ in range(steps):
        if reached.shape[1] == corners.shape[1] > 0:
            break
        a, b, c = (near.take(corner) for corner in corners)
        reached = corners.take(np.flatnonzero(a | b | c), axis=1)
        near[reached] = True
    return reached


def region_sizes(number: int, edges: IntArray) -> IntArray:
    """Return ``(number,)`` how many vertices hang together with each along ``(2, E)`` edges, itself too."""
    linked = np.zeros(number, dtype=np.bool_)
    linked[edges] = True
    vertices = np.flatnonzero(linked)
    place = np.zeros(number, dtype=np.int64)
    place[vertices] = np.arange(len(vertices))
    region = components(len(vertices), place[edges].T)
    result = np.ones(number, dtype=np.int64)
    result[vertices] = np.bincount(region, minlength=len(vertices))[region]
    return result


def components(number: int, edges: IntArray) -> IntArray:
    """Return ``(number,)`` for every node the lowest one that it hangs together with.

    Labels spread along edges and jump to their own labels, so that long chains take few rounds.
    """
    label = np.arange(number, dtype=np.int64)
    if not len(edges):
        return label
    a, b = edges[:, 0], edges[:, 1]
    while True:
        low = np.minimum(label[a], label[b])
        spread = label.copy()
        np.minimum.at(spread, label[a], low)
        np.minimum.at(spread, label[b], low)
        np.minimum.at(spread, a, low)
        np.minimum.at(spread, b, low)
        spread = spread[spread]
        if np.array_equal(spread, label):
            return label
        label = spread
