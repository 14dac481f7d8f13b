"""Binary FBX into a node tree; nodes are read when they are asked for.

A record is: the offset of its end, the count and size of its values (32-bit, from version 7.5 on
64-bit), its name, its values, the records inside it and, after those, one record of zeros. Most of
a file's records are never looked at, so a record is a tuple of where its parts are until it is asked
for as a node, and a node reads its values and the records inside on first use.
"""

import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.io.fbx.tree import (
    LARGEST_NUMBER,
    Identity,
    Link,
    Node,
    Packed,
    Rows,
    Value,
    allowance,
    as_link,
)
from rigview.io.reading import LoadError, Pulse

MAGIC = b"Kaydara FBX Binary  \x00"
_HEADER = 27
_WIDE = 7500

_SCALARS = {
    ord(code): struct.Struct(f"<{form}")
    for code, form in zip("YCBIFDL", ("h", "B", "B", "i", "f", "d", "q"), strict=True)
}
_ARRAYS: dict[int, np.dtype[Any]] = {
    ord(code): np.dtype(form)
    for code, form in zip("fdlibc", ("<f4", "<f8", "<i8", "<i4", "u1", "u1"), strict=True)
}
_STRING, _BYTES = ord("S"), ord("R")
_LENGTH = struct.Struct("<I")
_ARRAY = struct.Struct("<III")
_LINK = struct.Struct("<8sqcq")
# A word of two letters and the type of what follows → the word.
_LINKS = {b"S\x02\0\0\0OOL": "OO", b"S\x02\0\0\0OPL": "OP"}
_IDENTITY = struct.Struct("<cqcI")
_THREE = struct.Struct("<cdcdcd")
_STRING_HEAD = 5
_ARRAY_HEAD = 13
_PLAIN, _DEFLATED = 0, 1


class BinaryDocument:
    """The bytes of a binary FBX file."""

    def __init__(self, path: Path, data: bytes, pulse: Pulse) -> None:
        self.path, self.data, self.pulse = path, data, pulse
        self.version = 0
        self.names = _Names()
        self.allowance = allowance(len(data))
        if len(data) < _HEADER:
            raise self.error(0, "the file ends within its header")
        if data[22] != 0:
            raise self.error(22, "the file is big-endian, which no FBX of this century is")
        self.version = _LENGTH.unpack_from(data, 23)[0]
        wide = self.version >= _WIDE
        self.record = struct.Struct("<QQQB" if wide else "<IIIB")
        self.end = struct.Struct("<Q" if wide else "<I")

    def place(self, offset: int) -> str:
        """Return where a byte stands, in words."""
        return f"byte {offset}"

    def error(self, offset: int, reason: str) -> LoadError:
        """Return the error that names a byte."""
        return LoadError(self.path, self.place(offset), reason)

    def outside(self, offset: int) -> LoadError:
        """Return the error of a record that does not end where it may."""
        return self.error(offset, "the node ends outside of the one that it is in")

    def read_record(self, position: int, last: int) -> "Record":
        """Return the record at a byte, which ends before `last`."""
        end, count, size, length = self.record.unpack_from(self.data, position)
        begin = position + self.record.size + length
        if not begin + size <= end <= last:
            raise self.outside(position)
        name = self.data[begin - length : begin]
        return name, position, count, begin, begin + size, end

    def root(self) -> "BinaryNode":
        """Return the node that holds the file's top nodes."""
        return BinaryNode(self, (b"", 0, 0, _HEADER, _HEADER, len(self.data)))


class _Names(dict[bytes, str]):
    """The names of records as text; a file has few different ones."""

    def __missing__(self, raw: bytes) -> str:
        text = self[raw] = raw.decode("utf-8", "replace")
        return text


# Name, where it is, how many values it has, where those and the records inside begin, where it ends.
Record = tuple[bytes, int, int, int, int, int]


class BinaryNode(Node):
    """A record that reads its values and the records inside on first use."""

    __slots__ = ("_records", "_values", "extent")
    document: BinaryDocument

    def __init__(self, document: BinaryDocument, record: Record) -> None:
        self.document, self.extent = document, record
        self.name, self.offset = document.names[record[0]], record[1]
        self._values: list[Value] | None = None
        self._records: list[Record] | None = None

    @property
    def children(self) -> Sequence[Node]:
        """The records inside."""
        document = self.document
        return [BinaryNode(document, record) for record in self._inside()]

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
            end, count, size, length = unpack(data, position)
            begin = position + head + length
            inside = begin + size
            if not inside <= end <= last:
                if end == 0:
                    return result
                raise self.document.outside(position)
            add((data[position + head : begin], position, count, begin, inside, end))
            position = end
        if self.extent[4] == _HEADER:
            raise self.document.error(position, "the file ends before its last node does")
        return result

    def by_first_string(self, name: str) -> Rows:
        """Return the records of a name inside by their first value, which is a string."""
        data, (_, _, _, _, position, last) = self.document.data, self.extent
        unpack, least = self.document.end.unpack_from, self.document.record.size
        starts = set()
        while position + least <= last:
            (end,) = unpack(data, position)
            if end == 0:
                break
            if not position + least <= end <= last:
                raise self.document.outside(position)
            starts.add(position)
            position = end
        return _Rows(self, name, starts)

    def links(self) -> Iterator[Link]:
        """Yield the connections that the records inside state.

        A file has thousands, nearly all of a word of two letters, two 64-bit numbers and sometimes
        the name of a property: those are taken apart in one step.
        """
        data, unpack, size = self.document.data, _LINK.unpack_from, _LINK.size
        for record in self._inside():
            _, _, count, begin, inside, _ = record
            at = begin + size
            if at <= inside:
                word, source, code, destination = unpack(data, begin)
                how = _LINKS.get(word)
                if how is not None and code == b"L":
                    if count == 3 and at == inside:
                        yield how, source, destination, ""
                        continue
                    text = at + _STRING_HEAD
                    if count == 4 and text <= inside and data[at] == _STRING:
                        end = text + _LENGTH.unpack_from(data, at + 1)[0]
                        if end == inside:
                            name = data[text:end].decode("utf-8", "replace")
                            yield how, source, destination, name
                            continue
            link = as_link(BinaryNode(self.document, record).values)
            if link is not None:
                yield link

    def mentions(self, name: bytes) -> bool:
        """Tell whether the bytes inside hold a name."""
        return self.document.data.find(name, self.extent[4], self.extent[5]) >= 0

    def packed(self) -> dict[str, Packed]:
        """Return name → array of the records inside that hold one.

        Curves are most of many files, and all of each is looked at here: in one loop, without a
        list of the records.
        """
        document, data = self.document, self.document.data
        unpack, head, names = document.record.unpack_from, document.record.size, document.names
        result: dict[str, Packed] = {}
        _, _, _, _, position, last = self.extent
        while position + head <= last:
            end, count, size, length = unpack(data, position)
            begin = position + head + length
            inside = begin + size
            if not inside <= end <= last:
                if end == 0:
                    break
                raise document.outside(position)
            start = begin + _ARRAY_HEAD
            if count == 1 and start <= inside and (dtype := _ARRAYS.get(data[begin])) is not None:
                total, encoding, size = _ARRAY.unpack_from(data, begin + 1)
                if start + size > inside:
                    raise self.error("an array ends outside of its node")
                name = names[data[position + head : begin]]
                result[name] = PackedArray(dtype, total, encoding, data[start : start + size])
            position = end
        return result

    def identity(self) -> Identity | None:
        """Return what the record's values say who it is: nearly always a number and two texts."""
        data, (_, _, count, begin, inside, _) = self.document.data, self.extent
        text = begin + _IDENTITY.size
        if count == 3 and text <= inside:
            number, key, string, length = _IDENTITY.unpack_from(data, begin)
            end = text + length
            at = end + _STRING_HEAD
            if (
                (number, string) == (b"L", b"S")
                and at <= inside
                and data[end] == _STRING
                and at + _LENGTH.unpack_from(data, end + 1)[0] == inside
            ):
                name = data[text:end].decode("utf-8", "replace")
                return key, name, self.document.names[data[at:inside]]
        return super().identity()

    def three(self, index: int, default: float) -> tuple[float, float, float]:
        """Return three values that are numbers; without the others where they are the last."""
        _, _, count, begin, inside, _ = self.extent
        if count == index + 3 and inside - begin >= _THREE.size:
            a, x, b, y, c, z = _THREE.unpack_from(self.document.data, inside - _THREE.size)
            if a == b == c == b"D" and max(abs(x), abs(y), abs(z)) <= LARGEST_NUMBER:
                return x, y, z
        return super().three(index, default)

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
        scalar = _SCALARS.get(data[position]) if position < end else None
        if scalar is None or position + 1 + scalar.size > end:
            return super().value(index)
        return scalar.unpack_from(data, position + 1)[0]

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
            elif (dtype := _ARRAYS.get(code)) is not None:
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
    """Records by their first value: looked for as bytes, since most are never asked for.

    What is found counts only where a record starts right before it.
    """

    def __init__(self, block: BinaryNode, name: str, starts: set[int]) -> None:
        self._block, self._name, self._starts = block, name, starts

    def get(self, name: str) -> Node | None:
        """Return the record of a name as a node."""
        document, (_, _, _, _, first, last) = self._block.document, self._block.extent
        wanted = _first_string(self._name, name)
        before = document.record.size
        at = document.data.rfind(wanted, first, last)
        while at >= 0:
            if at - before in self._starts:
                return BinaryNode(document, document.read_record(at - before, last))
            at = document.data.rfind(wanted, first, at)
        return None

    def among(self, names: tuple[str, ...]) -> list[tuple[str, Node]]:
        """Return (name, node) of the records that have one of some names."""
        document, (_, _, _, _, first, last) = self._block.document, self._block.extent
        before, starts = document.record.size, self._starts
        found = {}
        for match in _any_first_string(self._name, names).finditer(document.data, first, last):
            start = match.start() - before
            if start in starts and match.lastindex is not None:
                found[names[match.lastindex - 1]] = start
        read = document.read_record
        return [(n, BinaryNode(document, read(start, last))) for n, start in found.items()]


@lru_cache(maxsize=256)
def _first_string(record: str, value: str) -> bytes:
    """Return how a record's name and its first value, a string, stand in a file."""
    text = value.encode()
    return record.encode() + b"S" + _LENGTH.pack(len(text)) + text


@lru_cache(maxsize=16)
def _any_first_string(record: str, values: tuple[str, ...]) -> re.Pattern[bytes]:
    """Return what finds any of several strings, a group for each."""
    wanted = [_first_string("", value) for value in values]
    groups = b"|".join(b"(%s)" % re.escape(text) for text in wanted)
    return re.compile(re.escape(record.encode()) + b"(?:%s)" % groups)


class PackedArray:
    """An array as it stands in the file: plain or deflated."""

    __slots__ = ("count", "dtype", "encoding", "raw")

    def __init__(self, dtype: np.dtype[Any], count: int, encoding: int, raw: bytes) -> None:
        self.dtype, self.count, self.encoding, self.raw = dtype, count, encoding, raw

    def decode(self, node: Node) -> NDArray[Any]:
        """Return the array, read-only."""
        size = self.count * self.dtype.itemsize
        raw = self.raw
        node.document.pulse()
        node.document.allowance.spend(node, size)
        if self.encoding == _DEFLATED:
            try:
                # One byte more than wanted shows a stream that is too long without inflating it.
                raw = zlib.decompressobj().decompress(raw, size + 1)
            except zlib.error:
                raise node.error("the deflated array is damaged") from None
        elif self.encoding != _PLAIN:
            raise node.error(f"the array has the encoding {self.encoding}, which FBX does not have")
        if len(raw) != size:
            raise node.error(f"the array holds {len(raw)} bytes and states {size}")
        return np.frombuffer(raw, self.dtype)
