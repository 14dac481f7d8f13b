"""The components of an accessor as the file has them, looked through before they become numbers."""

import math
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray


class RawAccessor(msgspec.Struct, frozen=True, eq=False):
    """Components that lie in the buffers, and what sparse storage exchanges of them.

    Parameters
    ----------
    length, width
        How many elements there are, of how many components each.
    dtype, normalised
        What a component is, and whether it stands for a number of −1…1 or 0…1.
    base
        ``(length, width)``; None stands for zeros.
    rows, changes
        ``(k,)`` the elements that are exchanged, and ``(k, width)`` what they are; None and None.
    """

    length: int
    width: int
    dtype: np.dtype[Any]
    normalised: bool
    base: NDArray[Any] | None
    rows: NDArray[Any] | None = None
    changes: NDArray[Any] | None = None

    @property
    def claim(self) -> int:
        """How many bytes `raw` takes besides those of the file."""
        taken = self.base is None or self.rows is not None
        return self.length * self.width * self.dtype.itemsize if taken else 0

    def raw(self) -> NDArray[Any]:
        """Return ``(length, width)`` components; they are the file's own where nothing is exchanged."""
        if self.base is None:
            result = np.zeros((self.length, self.width), self.dtype)
        elif self.rows is None:
            return self.base
        else:
            result = self.base.copy()
        if self.rows is not None:
            result[self.rows] = self.changes
        return result

    def floats(self) -> FloatArray:
        """Return ``(length, width)`` what the components stand for, read-only."""
        if self.base is not None and self.rows is None:
            result = self.base.astype(np.float64)
            if self.normalised:
                scale(result, self.dtype)
        else:
            result = np.zeros((self.length, self.width))
            self.write(result)
        result.setflags(write=False)
        return result

    def write(self, result: FloatArray) -> None:
        """Write what the components stand for to ``(length, width)`` zeros."""
        if self.base is not None:
            result[:] = self.base
        if self.rows is not None:
            result[self.rows] = self.changes
        if self.normalised:
            scale(result, self.dtype)

    def is_surely_finite(self) -> bool:
        """Tell whether no component can be infinite or no number; False where one may be.

        Their squares are summed: that leaves the range of finite numbers only where there is another
        one, or a huge one. It is the quickest pass over an array, and makes none.
        """
        if self.dtype.kind != "f":
            return True
        for values in (self.base, self.changes):
            if values is not None and not math.isfinite(np.vdot(values, values)):
                return False
        return True


def scale(values: FloatArray, dtype: np.dtype[Any]) -> None:
    """Make normalised components of a type what they stand for, where they are."""
    if dtype.kind != "f":
        values /= np.iinfo(dtype).max
    if dtype.kind == "i":
        np.maximum(values, -1.0, out=values)
