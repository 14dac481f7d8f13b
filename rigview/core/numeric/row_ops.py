"""Tall arrays, ``(n, k)`` with a few numbers a row: numpy is ten times as quick column by column."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, FloatArray, IntArray

_Scalar = TypeVar("_Scalar", bound=np.generic)

# Numbers as wide as so many truths.
_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def any_of(mask: BoolArray) -> BoolArray:
    """Return ``(n,)`` which rows hold anything true."""
    width = mask.shape[1]
    if width in _WORDS and mask.flags.c_contiguous:
        # A row of that many bytes is one number.
        row: BoolArray = mask.view(_WORDS[width])[:, 0] != 0
        return row
    result = np.zeros(len(mask), dtype=np.bool_)
    for column in mask.T:
        result |= column
    return result


def sum_of(values: FloatArray) -> FloatArray:
    """Return ``(n,)`` the sums of the rows."""
    result = np.zeros(len(values))
    for column in values.T:
        result += column
    return result


def largest_of(values: FloatArray) -> FloatArray:
    """Return ``(n,)`` the largest number of each row, 0 for rows without any above it."""
    result = np.zeros(len(values))
    for column in values.T:
        np.maximum(result, column, out=result)
    return result


def place_of_largest(values: FloatArray) -> IntArray:
    """Return ``(n,)`` where the first largest number of each row stands; 0 in rows of nothing."""
    place = np.zeros(len(values), dtype=np.int64)
    largest = values[:, 0].copy() if values.shape[1] else np.zeros(len(values))
    for i, column in enumerate(values.T[1:], 1):
        above = column > largest
        if above.any():
            place[above] = i
            np.maximum(largest, column, out=largest)
    return place


def box(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and the highest corner, ``(k,)`` each, of the box around some points."""
    columns = np.ascontiguousarray(points.T)
    return columns.min(axis=1), columns.max(axis=1)


def corners(points: FloatArray) -> FloatArray:
    """Return ``(2, k)``, the lowest and the highest corner of the box around some points.

    Around none this is ``(0, k)``.
    """
    return np.stack(box(points)) if len(points) else np.zeros((0, points.shape[1]))


def lengths(vectors: FloatArray) -> FloatArray:
    """Return ``(n,)`` the lengths of ``(n, k)`` vectors."""
    return np.sqrt(np.einsum("ij,ij->i", vectors, vectors))


def widened(rows: NDArray[_Scalar], width: int, fill: int = 0) -> NDArray[_Scalar]:
    """Return ``(n, width)``: the ``(n, k)`` rows, and what fills them behind."""
    missing = width - rows.shape[1]
    return np.pad(rows, ((0, 0), (0, missing)), constant_values=fill) if missing else rows
