"""Binary FBX into a node tree; nodes are read when they are asked for.

Most of a file's records are never looked at, so a record is a tuple of where its parts are until it
is asked for as a node, and a node reads its values and the records inside on first use.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.io.fbx.blocks import paced
from rigview.io.fbx.container import HEADER, STEP, Container, Record
from rigview.io.fbx.nodes import FbxNodes
from rigview.io.fbx.packed import ARRAYS, PackedArray
from rigview.io.fbx.records import RecordColumns, rows_inside
from rigview.io.fbx.tree import (
    Node,
    Packed,
    Rows,
    Value,
)

_SCALARS = {
    ord(code): struct.Struct(f"<{form}")
    for code, form in zip("YCBIFDL", ("h", "B", "B", "i", "f", "d", "q"), strict=True)
}
_STRING, _BYTES = ord("S"), ord("R")
_LENGTH = struct.Struct("<I")
_ARRAY = struct.Struct("<III")
_STRING_HEAD = 5
# Fewer records are read one by one in less time than numpy takes to begin.
_LISTED = 32
# In so many bytes are hundreds of connections.
_LONG = 1 << 14


class BinaryDocument(Container):
    """A binary FBX file."""

    def root(self) -> "BinaryNode":
        """Return the node that holds the file's top nodes."""
        return BinaryNode(self, (b"", 0, 0, HEADER, HEADER, len(self.data)))

    def node_at(self, position: int, last: int) -> "BinaryNode":
        """Return the record at a byte, which ends before `last`, as a node."""
        return BinaryNode(self, self.read_record(position, last))


class BinaryNode(Node):
    """A record that reads its values and the records inside on first use."""

    __slots__ = ("_records", "_values")
    document: BinaryDocument
    extent: Record

    def __init__(self, document: BinaryDocument, record: Record) -> None:
        self.document, self.extent = document, record
        self._values: list[Value] | None = None
        self._records: list[Record] | None = None

    @property
    def children(self) -> FbxNodes:
        """The records inside; of many only where each begins is read one by one."""
        document, (_, start, _, _, position, last) = self.document, self.extent
        if last - position >= _LONG and document.end.unpack_from(document.data, position)[0]:
            row, _, _, begin, inside, _ = document.read_record(position, last)
            if begin < inside and document.data[begin] == _STRING:
                block = RecordColumns.at(document, np.array([start]), last)
                return RecordColumns.at(document, rows_inside(block, row)[0], last)
            starts = document.chain(position, last)
            if len(starts) >= _LISTED:
                return RecordColumns.at(document, np.array(starts, dtype=np.int64), last)
        records = self._inside()
        if len(records) < _LISTED:
            return FbxNodes([BinaryNode(document, record) for record in records])
        return RecordColumns.at(document, np.array([record[1] for record in records]), last)

    def child(self, name: str) -> Node | None:
        """Return the first record inside of a name."""
        raw = name.encode()
        for record in self._inside():
            if record[0] == raw:
                return BinaryNode(self.document, record)
        return None

    def all(self, name: str) -> Iterator[Node]:
        """Yield the records inside of a name."""
        raw = name.encode()
        return (BinaryNode(self.document, r) for r in self._inside() if r[0] == raw)

    def _inside(self) -> list[Record]:
        if self._records is None:
            self._records = self._read_records()
        return self._records

    def _read_records(self) -> list[Record]:
        data = self.document.data
        unpack, head = self.document.record.unpack_from, self.document.record.size
        result: list[Record] = []
        add = result.append
        _, _, _, _, position, last = self.extent
        while position + head <= last:
            step = min(last - head, position + STEP)
            while position <= step:
                end, count, size, length = unpack(data, position)
                begin = position + head + length
                inside = begin + size
                if not inside <= end <= last:
                    if end == 0:
                        return result
                    raise self.document.outside(position)
                add((data[position + head : begin], position, count, begin, inside, end))
                position = end
            self.document.pulse()
        if self.extent[4] == HEADER:
            raise self.document.error(position, "the file ends before its last node does")
        return result

    def by_first_string(self, name: str) -> Rows:
        """Return the records of a name inside by their first value, which is a string."""
        document, (_, _, _, _, first, last) = self.document, self.extent
        data, wanted = document.data, b"%c%bS" % (len(name), name.encode())
        head = struct.Struct(f"<{len(wanted)}sI")
        before = document.record.size - 1
        text = before + head.size
        rows, final = {}, last - text
        for start in paced(document.chain(first, last), document.pulse):
            if start <= final:
                word, size = head.unpack_from(data, start + before)
                if word == wanted:
                    begin = start + text
                    rows[data[begin : begin + size]] = start
        return _Rows(document, rows, last)

    def packed(self, names: Sequence[str]) -> dict[str, Packed]:
        """Return name → array of the records inside of some names that hold one."""
        document = self.document
        _, _, _, _, first, last = self.extent
        result: dict[str, Packed] = {}
        for start in document.chain(first, last):
            record = document.read_record(start, last)
            name, array = document.names[record[0]], self._array_of(record)
            if array is not None and name in names:
                result[name] = array
        return result

    def _array_of(self, record: Record) -> PackedArray | None:
        """Return the array that a record holds, if it holds just one."""
        data, (_, _, count, begin, inside, _) = self.document.data, record
        at = begin + 1 + _ARRAY.size
        if count != 1 or at > inside or (dtype := ARRAYS.get(data[begin])) is None:
            return None
        total, encoding, size = _ARRAY.unpack_from(data, begin + 1)
        if at + size > inside:
            raise self.error("an array ends outside of its node")
        return PackedArray(dtype, total, encoding, data[at : at + size])

    def array(self) -> NDArray[Any]:
        """Return the array that the record holds, as the file types it; empty where it holds none."""
        array = self._array_of(self.extent)
        return super().array() if array is None else array.decode(self)

    def value(self, index: int) -> Value | None:
        """Return one value; texts and numbers before it are passed over."""
        data, (_, _, count, position, end, _) = self.document.data, self.extent
        if index >= count:
            return None
        for _ in range(index):
            code = data[position] if position + _STRING_HEAD <= end else 0
            if code == _STRING:
                position += _STRING_HEAD + _LENGTH.unpack_from(data, position + 1)[0]
            elif (scalar := _SCALARS.get(code)) is not None:
                position += 1 + scalar.size
            else:
                return super().value(index)
        code = data[position] if position < end else 0
        scalar = _SCALARS.get(code)
        if scalar is not None and position + 1 + scalar.size <= end:
            return scalar.unpack_from(data, position + 1)[0]
        begin = position + _STRING_HEAD
        if code == _STRING and begin <= end:
            last = begin + _LENGTH.unpack_from(data, position + 1)[0]
            if last <= end:
                return data[begin:last].decode("utf-8", "replace")
        return super().value(index)

    @property
    def values(self) -> list[Value]:
        """Numbers, strings, bytes and packed arrays."""
        if self._values is None:
            try:
                self._values = self._read_values()
            except struct.error:
                raise self.error("a value ends outside of its node") from None
        return self._values

    def _read_values(self) -> list[Value]:
        data = self.document.data
        _, _, total, position, end, _ = self.extent
        result: list[Value] = []
        for _ in range(total):
            code = data[position] if position < end else 0
            position += 1
            if code == _STRING:
                begin = position + 4
                position = begin + _LENGTH.unpack_from(data, position)[0]
                result.append(data[begin:position].decode("utf-8", "replace"))
            elif (scalar := _SCALARS.get(code)) is not None:
                result.append(scalar.unpack_from(data, position)[0])
                position += scalar.size
            elif (dtype := ARRAYS.get(code)) is not None:
                count, encoding, size = _ARRAY.unpack_from(data, position)
                begin = position + _ARRAY.size
                position = begin + size
                result.append(PackedArray(dtype, count, encoding, data[begin:position]))
            elif code == _BYTES:
                begin = position + 4
                position = begin + _LENGTH.unpack_from(data, position)[0]
                result.append(data[begin:position])
            else:
                raise self.error("a value has a type that FBX does not have")
            if position > end:
                raise self.error("a value ends outside of its node")
        return result


class _Rows(Rows):
    """Records by their first value, as bytes → where they start."""

    def __init__(self, document: BinaryDocument, rows: dict[bytes, int], last: int) -> None:
        self._document, self._rows, self._last = document, rows, last

    def get(self, name: str) -> Node | None:
        """Return the record of a name as a node."""
        start = self._rows.get(name.encode())
        return None if start is None else self._document.node_at(start, self._last)
