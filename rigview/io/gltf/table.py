"""Arrays of like objects, a member at a time: for what a document has by the thousand."""

from collections.abc import Callable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray
from rigview.io.gltf.cursor import LARGEST_INTEGER, Cursor
from rigview.io.reading import LARGEST_NUMBER, LoadError

# Stands for a member that is absent, which is another thing than null.
ABSENT: Any = object()
# Stands for the default of a member that must be there.
_NEEDED: Any = object()


class Table:
    """The objects of an array of the document, by column.

    A member of all objects is read and checked at once, in a tenth of the time that cursors take.
    Where a column is not as it should be it is read anew, cursor by cursor; the error which that
    finds is one of the object, raised when the object is used: else it does no harm.

    Parameters
    ----------
    rows
        The objects.
    place
        Returns where the object of a number stands.
    """

    def __init__(self, rows: Sequence[Any], place: Callable[[int], Cursor]) -> None:
        self.place = place
        self._faults: dict[int, LoadError] = {}
        self._rows: Sequence[Any] = rows
        if not _types(rows) <= {dict}:
            self._rows = [row if type(row) is dict else {} for row in rows]
            for i in range(len(rows)):
                self._try(i, Cursor.keys, None)
        # What no object has is not looked for in each.
        self._keys = set[str]().union(*self._rows)

    @classmethod
    def of(cls, array: Cursor | None) -> "Table":
        """Return the table of an array, or one without rows where there is none."""
        return cls((), _nowhere) if array is None else cls(array.elements(), array.element)

    def __len__(self) -> int:
        return len(self._rows)

    def use(self, row: int) -> None:
        """Raise what is wrong with an object, if anything is."""
        if self._faults and row in self._faults:
            raise self._faults[row]

    @property
    def is_sound(self) -> bool:
        """Whether all objects are as they should be, as far as they were read."""
        return not self._faults

    @property
    def sound(self) -> BoolArray:
        """``(n,)`` which objects have been found to be as they should be, as far as they were read."""
        result = np.ones(len(self), dtype=np.bool_)
        if self._faults:
            result[list(self._faults)] = False
        return result

    def use_all(self) -> None:
        """Raise what is wrong with the first object that is not as it should be."""
        if self._faults:
            self.use(min(self._faults))

    def members(self, key: str, default: Any = ABSENT) -> list[Any]:  # noqa: ANN401 - JSON
        """Return the values of a member as they are."""
        if key not in self._keys:
            return [default] * len(self._rows)
        try:
            return list(map(itemgetter(key), self._rows))
        except KeyError:
            return [row.get(key, default) for row in self._rows]

    def objects(self, key: str) -> "Table":
        """Return the objects at a member that must be there."""
        return Table(self.members(key), lambda row: self.place(row).need(key))

    def arrays(self, key: str, row: int) -> "Table":
        """Return the table of an array that one object must have."""
        return Table.of(self.place(row).need(key))

    def integers(self, key: str, default: int = _NEEDED) -> list[int]:
        """Return whole numbers of 0 or more; −1 where there is none as there should be."""

        def good(values: list[int]) -> bool:
            return _types(values) == {int} and min(values) >= 0 and max(values) <= LARGEST_INTEGER

        return self._column(key, default, good, lambda place: place.integer(0), -1)

    def indices(self, key: str, count: int, what: str) -> list[int]:
        """Return numbers of one of `count` things called `what`; −1 where there is none."""

        def good(values: list[int]) -> bool:
            return are_indices(values, count)

        return self._column(key, _NEEDED, good, lambda place: place.index(count, what), -1)

    def optional_indices(self, key: str, count: int, what: str) -> list[int]:
        """Return numbers of one of `count` things called `what`; −1 where the member is absent."""
        values = self.members(key)
        if are_indices([value for value in values if value is not ABSENT], count):
            return [-1 if value is ABSENT else value for value in values]

        def read(place: Cursor) -> int:
            found = place.get(key)
            return -1 if found is None else found.index(count, what)

        return [self._try(row, read, -1) for row in range(len(values))]

    def strings(self, key: str, default: str = _NEEDED) -> list[str]:
        """Return strings; those that are not ASCII as `Cursor.string` mends them."""

        def good(values: list[str]) -> bool:
            return _types(values) == {str} and "".join(values).isascii()

        return self._column(key, default, good, Cursor.string)

    def booleans(self, key: str, *, default: bool) -> list[bool]:
        """Return truths."""
        return self._column(key, default, lambda values: _types(values) == {bool}, Cursor.boolean)

    def numbers(self, row: int, key: str, count: int | None = None) -> list[float]:
        """Return the numbers that one object must have, so many if any number is given."""
        return self.place(row).need(key).numbers(count)

    def vectors(self, key: str, default: Sequence[float]) -> FloatArray:
        """Return ``(n, width)`` numbers, as many an object as the default has."""
        width = len(default)

        def good(values: list[list[float]]) -> bool:
            if _types(values) != {list} or set(map(len, values)) != {width}:
                return False
            flat = list(chain.from_iterable(values))
            # A whole number may have more digits than a float can hold.
            return (
                _types(flat) <= {int, float}
                and min(flat) >= -LARGEST_NUMBER
                and max(flat) <= LARGEST_NUMBER
            )

        values = self._column(key, list(default), good, lambda place: place.numbers(width))
        return np.array(values, dtype=np.float64).reshape(len(values), width)

    def index_lists(
        self, key: str, count: int, what: str, *, needed: bool = False
    ) -> tuple[tuple[int, ...], ...]:
        """Return lists of numbers of one of `count` things, empty where the member is absent."""

        def good(values: list[list[int]]) -> bool:
            if _types(values) != {list}:
                return False
            flat = list(chain.from_iterable(values))
            return are_indices(flat, count)

        def read(place: Cursor) -> list[int]:
            return [item.index(count, what) for item in place.items()]

        default = _NEEDED if needed else []
        return tuple(map(tuple, self._column(key, default, good, read, [])))

    def _column(
        self,
        key: str,
        default: Any,  # noqa: ANN401 - JSON
        good: Callable[[list[Any]], bool],
        read: Callable[[Cursor], Any],
        otherwise: Any = None,  # noqa: ANN401
    ) -> list[Any]:
        """Return the values of a member: at once where all are good, else each by its cursor."""
        values = self.members(key, default)
        if not values or good(values):
            return values

        def careful(place: Cursor) -> Any:  # noqa: ANN401 - JSON
            if default is _NEEDED:
                return read(place.need(key))
            found = place.get(key)
            return default if found is None else read(found)

        instead = otherwise if default is _NEEDED else default
        return [self._try(row, careful, instead) for row in range(len(values))]

    def _try(self, row: int, read: Callable[[Cursor], Any], otherwise: Any) -> Any:  # noqa: ANN401
        """Return what is read of an object; what is wrong with it is kept for its use."""
        if row in self._faults:
            return otherwise
        try:
            return read(self.place(row))
        except LoadError as error:
            self._faults[row] = error
            return otherwise


def are_indices(values: Sequence[Any], count: int) -> bool:
    """Tell whether all values are numbers of one of `count` things."""
    return not values or (_types(values) == {int} and min(values) >= 0 and max(values) < count)


def _nowhere(row: int) -> Cursor:
    raise IndexError(row)


def _types(values: Sequence[Any]) -> set[type]:
    return set(map(type, values))
