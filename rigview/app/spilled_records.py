"""Records of many files, kept in a temporary file: memory holds one at a time."""

import pickle
import tempfile
from collections.abc import Collection, Iterator
from typing import Self

from rigview.check.report import Record

# Fewer bytes stay in memory, so that small runs need no disk.
_IN_MEMORY = 4 << 20
_NOT_THERE = -1


class SpilledRecords(Collection[Record]):
    """Records by their numbers; each is set before it is read.

    Parameters
    ----------
    count
        How many there are to be.
    """

    def __init__(self, count: int = 0) -> None:
        self._places = [_NOT_THERE] * count
        self._end = 0
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY, prefix="rigview-")  # noqa: SIM115

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, record: object) -> bool:
        return any(record == one for one in self)

    def __iter__(self) -> Iterator[Record]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> Record:
        place = self._places[number]
        if place == _NOT_THERE:
            raise KeyError(number)
        self._file.seek(place)
        record: Record = pickle.load(self._file)
        return record

    def __setitem__(self, number: int, record: Record) -> None:
        """Set a record; one that stood there stays in the file, unread."""
        self._file.seek(self._end)
        pickle.dump(record, self._file, pickle.HIGHEST_PROTOCOL)
        self._places[number], self._end = self._end, self._file.tell()

    def add(self, record: Record) -> None:
        """Set a record behind the others."""
        self._places.append(_NOT_THERE)
        self[len(self) - 1] = record
