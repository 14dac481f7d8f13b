"""The bytes of a binary FBX file, and where records are in it.

A record is: the offset of its end, the count and size of its values (32-bit, from version 7.5 on
64-bit), its name, its values, the records inside it and, after those, one record of zeros.
"""

import struct
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import IntArray
from rigview.io.fbx.tree import Node, NodeNames, allowance
from rigview.io.reading import LoadError, Pulse

HEADER = 27
_WIDE = 7500
# What numpy does for all at once pays from so many on.
FEW = 64
# Bytes: to go through the records in so many takes a few milliseconds.
STEP = 1 << 17
_VERSION = struct.Struct("<I")

# Name, where it is, how many values it has, where those and the records inside begin, where it ends.
Record = tuple[bytes, int, int, int, int, int]


class Container(ABC):
    """The bytes of a binary FBX file."""

    def __init__(self, path: Path, data: bytes, pulse: Pulse) -> None:
        self.path, self.data, self.pulse = path, data, pulse
        self.version = 0
        self.names = NodeNames()
        self.allowance = allowance(len(data))
        if len(data) < HEADER:
            raise self.error(0, "the file ends within its header")
        if data[22] != 0:
            raise self.error(22, "the file is big-endian, which no FBX of this century is")
        self.version = _VERSION.unpack_from(data, 23)[0]
        wide = self.version >= _WIDE
        self.record = struct.Struct("<QQQB" if wide else "<IIIB")
        self.end = struct.Struct("<Q" if wide else "<I")
        number = "<u8" if wide else "<u4"
        self.heads = np.dtype(
            [("end", number), ("count", number), ("size", number), ("length", "u1")]
        )
        # Size → what every byte would be the begin of, if so many bytes belonged together.
        self._windows: dict[int, NDArray[np.void]] = {}

    def place(self, offset: int) -> str:
        """Return where a byte stands, in words."""
        return f"byte {offset}"

    def error(self, offset: int, reason: str) -> LoadError:
        """Return the error that names a byte."""
        return LoadError(self.path, self.place(offset), reason)

    def outside(self, offset: int) -> LoadError:
        """Return the error of a record that does not end where it may."""
        return self.error(offset, "the node ends outside of the one that it is in")

    def picked(self, form: np.dtype[Any], at: IntArray) -> NDArray[Any]:
        """Return ``(n,)`` values of a form, whose bytes begin at some places."""
        size = form.itemsize
        window = self._windows.get(size)
        if window is None:
            # As bare bytes a value is copied at once, otherwise field by field.
            bare, count = np.dtype((np.void, size)), max(0, len(self.data) - size + 1)
            window = self._windows[size] = np.ndarray((count,), bare, self.data, strides=(1,))
        return window[at].view(form)

    def end_of(self, form: np.dtype[Any]) -> int:
        """Return where the last value of a form could begin."""
        return len(self.data) - form.itemsize

    def chain(self, position: int, last: int) -> list[int]:
        """Return where the records between two bytes begin."""
        data, unpack, least = self.data, self.end.unpack_from, self.heads.itemsize
        result: list[int] = []
        add, final = result.append, last - least
        while position <= final:
            step = min(final, position + STEP)
            while position <= step:
                (end,) = unpack(data, position)
                if position + least <= end <= last:
                    add(position)
                    position = end
                elif end == 0:
                    return result
                else:
                    raise self.outside(position)
            self.pulse()
        return result

    def chains(self, at: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
        """Return where the records between ``(n,)`` pairs of bytes begin, and the pairs' numbers.

        All chains of more than a few take a step together: of one pair they are in order, not of all.
        """
        if len(at) < FEW:
            chains = list(map(self.chain, at.tolist(), last.tolist()))
            starts = np.array([start for one in chains for start in one], dtype=np.int64)
            return starts, np.arange(len(at)).repeat(list(map(len, chains)))
        rows, found = np.arange(len(at)), []
        while len(rows):
            more = at + self.heads.itemsize <= last
            ends = np.where(more, self.picked(self.heads, np.where(more, at, 0))["end"], 0)
            more = ends != 0
            if not more.all():
                rows, at, last, ends = rows[more], at[more], last[more], ends[more]
            # What is beyond 2⁶³ becomes negative here.
            ends = ends.astype(np.int64)
            sound = (at + self.heads.itemsize <= ends) & (ends <= last)
            if not sound.all():
                raise self.outside(int(at[sound.argmin()]))
            found.append((at, rows))
            at = ends
        starts, rows = (np.concatenate(column) for column in zip(*found, strict=True))
        return starts, rows

    @abstractmethod
    def node_at(self, position: int, last: int) -> Node:
        """Return the record at a byte, which ends before `last`, as a node."""

    def read_record(self, position: int, last: int) -> Record:
        """Return the record at a byte, which ends before `last`."""
        end, count, size, length = self.record.unpack_from(self.data, position)
        begin = position + self.record.size + length
        if not begin + size <= end <= last:
            raise self.outside(position)
        name = self.data[begin - length : begin]
        return name, position, count, begin, begin + size, end
