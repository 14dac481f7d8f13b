"""Binary FBX into a node tree; nodes are read when they are asked for.

A record is: the offset of its end, the count and size of its values (32-bit, from version 7.5 on
64-bit), its name, its values, the records inside it and, after those, one record of zeros. Most of
a file's records are never looked at, so a node reads its values and children on first use.
"""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.io.fbx.tree import LARGEST_NUMBER, Node, Packed, Value, allowance
from rigview.io.reading import LoadError

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
_STRING = ord("S")
_TEXTS = b"SR"
_LENGTH = struct.Struct("<I")
_ARRAY = struct.Struct("<III")
_LINK = struct.Struct("<cI2scqcq")
_THREE = struct.Struct("<cdcdcd")
_STRING_HEAD = 5
_PLAIN, _DEFLATED = 0, 1


class BinaryDocument:
    """The bytes of a binary FBX file."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.data = path, data
        self.version = 0
        self.names: dict[bytes, str] = {}
        self.allowance = allowance(len(data))
        if len(data) < _HEADER:
            raise self.error(0, "the file ends within its header")
        if data[22] != 0:
            raise self.error(22, "the file is big-endian, which no FBX of this century is")
        self.version = _LENGTH.unpack_from(data, 23)[0]
        wide = self.version >= _WIDE
        self.record = struct.Struct("<QQQB" if wide else "<IIIB")

    def place(self, offset: int) -> str:
        """Return where a byte stands, in words."""
        return f"byte {offset}"

    def error(self, offset: int, reason: str) -> LoadError:
        """Return the error that names a byte."""
        return LoadError(self.path, self.place(offset), reason)

    def root(self) -> "BinaryNode":
        """Return the node that holds the file's top nodes."""
        return BinaryNode(self, "", 0, (0, _HEADER, _HEADER, len(self.data)))


_Record = tuple[int, bytes, tuple[int, int, int, int]]


class BinaryNode(Node):
    """A record that reads its values and children on first use."""

    __slots__ = ("_children", "_extent", "_values", "source")

    def __init__(
        self, source: BinaryDocument, name: str, offset: int, extent: tuple[int, int, int, int]
    ) -> None:
        """Note where a record is.

        Parameters
        ----------
        extent
            How many values it has, where they begin, where the records inside begin, where it ends.
        """
        self.document = self.source = source
        self.name, self.offset, self._extent = name, offset, extent
        self._values: list[Value] | None = None
        self._children: list[Node] | None = None

    @property
    def children(self) -> list[Node]:
        """The records inside."""
        if self._children is None:
            self._children = [self._node(*record) for record in self._records()]
        return self._children

    def _node(self, position: int, name: bytes, extent: tuple[int, int, int, int]) -> "BinaryNode":
        names = self.source.names
        text = names.get(name)
        if text is None:
            text = names[name] = name.decode("utf-8", "replace")
        return BinaryNode(self.source, text, position, extent)

    def _records(self) -> list[_Record]:
        """Return where each record inside is, its name and its extent."""
        source, data = self.source, self.source.data
        unpack, head = source.record.unpack_from, source.record.size
        result: list[_Record] = []
        _, _, position, last = self._extent
        while position + head <= last:
            end, count, size, length = unpack(data, position)
            if end == 0:
                return result
            begin = position + head + length
            inside = begin + size
            if not inside <= end <= last:
                raise source.error(position, "the node ends outside of the one that it is in")
            extent = (count, begin, inside, end)
            result.append((position, data[position + head : begin], extent))
            position = end
        if self._extent[2] == _HEADER:
            raise source.error(position, "the file ends before its last node does")
        return result

    def by_first_string(self, name: bytes) -> "Rows":
        """Return the records of a name inside by their first value, which is a string."""
        data = self.source.data
        result: dict[str, _Record] = {}
        for record in self._records():
            _, begin, inside, _ = record[2]
            if record[1] == name and inside - begin >= _STRING_HEAD and data[begin] == _STRING:
                text = begin + _STRING_HEAD
                end = text + _LENGTH.unpack_from(data, begin + 1)[0]
                result[data[text : min(end, inside)].decode("utf-8", "replace")] = record
        return Rows(self, result)

    def rows(self) -> Iterator[list[Value]]:
        """Yield the values of the records inside.

        Files hold thousands of rows of a word of two letters, two 64-bit numbers and sometimes
        another word: those are taken apart in one step.
        """
        data = self.source.data
        for record in self._records():
            count, begin, inside, _ = record[2]
            if count in (3, 4) and inside - begin >= _LINK.size:
                s, length, word, l1, first, l2, second = _LINK.unpack_from(data, begin)
                at = begin + _LINK.size
                plain = (s, length, l1, l2) == (b"S", 2, b"L", b"L")
                if plain and count == 3 and at == inside:
                    yield [word.decode("latin-1"), first, second]
                    continue
                if plain and inside - at >= _STRING_HEAD and data[at] == _STRING:
                    end = at + _STRING_HEAD + _LENGTH.unpack_from(data, at + 1)[0]
                    if end == inside:
                        text = data[at + _STRING_HEAD : end].decode("utf-8", "replace")
                        yield [word.decode("latin-1"), first, second, text]
                        continue
            yield self._node(*record).values

    def mentions(self, name: bytes) -> bool:
        """Tell whether the bytes inside hold a name."""
        return self.source.data.find(name, self._extent[2], self._extent[3]) >= 0

    def packed(self) -> dict[str, Packed]:
        """Return name → array of the records inside that hold one."""
        data, names = self.source.data, self.source.names
        result: dict[str, Packed] = {}
        for _, name, (count, begin, inside, _) in self._records():
            if count == 1 and begin + 13 <= inside and data[begin] in _ARRAYS:
                total, encoding, size = _ARRAY.unpack_from(data, begin + 1)
                if begin + 13 + size > inside:
                    raise self.error("an array ends outside of its node")
                raw = data[begin + 13 : begin + 13 + size]
                text = names.get(name) or name.decode("utf-8", "replace")
                result[text] = PackedArray(_ARRAYS[data[begin]], total, encoding, raw)
        return result

    def three(self, index: int, default: float) -> tuple[float, float, float]:
        """Return three values that are numbers; without the others where they are the last."""
        count, begin, inside, _ = self._extent
        if count == index + 3 and inside - begin >= _THREE.size:
            a, x, b, y, c, z = _THREE.unpack_from(self.source.data, inside - _THREE.size)
            if a == b == c == b"D" and max(abs(x), abs(y), abs(z)) <= LARGEST_NUMBER:
                return x, y, z
        return super().three(index, default)

    @property
    def values(self) -> list[Value]:
        """Numbers, strings, bytes and packed arrays."""
        if self._values is None:
            self._values = self._read_values()
        return self._values

    def _read_values(self) -> list[Value]:
        data, (total, position, end, _) = self.source.data, self._extent
        result: list[Value] = []
        try:
            for _ in range(total):
                code = data[position] if position < end else 0
                position += 1
                scalar = _SCALARS.get(code)
                if scalar is not None:
                    result.append(scalar.unpack_from(data, position)[0])
                    position += scalar.size
                elif code in _TEXTS:
                    begin = position + 4
                    position = begin + _LENGTH.unpack_from(data, position)[0]
                    raw = data[begin:position]
                    result.append(raw.decode("utf-8", "replace") if code == _STRING else raw)
                elif code in _ARRAYS:
                    count, encoding, size = _ARRAY.unpack_from(data, position)
                    begin = position + _ARRAY.size
                    position = begin + size
                    result.append(PackedArray(_ARRAYS[code], count, encoding, data[begin:position]))
                else:
                    raise self.error("a value has a type that FBX does not have")
                if position > end:
                    raise self.error("a value ends outside of its node")
        except struct.error:
            raise self.error("a value ends outside of its node") from None
        return result


class Rows:
    """Records by their first value; most are never looked at, so they are no nodes yet."""

    def __init__(self, block: BinaryNode, records: dict[str, _Record]) -> None:
        self._block, self._records = block, records

    def get(self, name: str) -> Node | None:
        """Return the record of a name as a node."""
        record = self._records.get(name)
        return None if record is None else self._block._node(*record)  # noqa: SLF001 - its own


class PackedArray:
    """An array as it stands in the file: plain or deflated."""

    __slots__ = ("count", "dtype", "encoding", "raw")

    def __init__(self, dtype: np.dtype[Any], count: int, encoding: int, raw: bytes) -> None:
        self.dtype, self.count, self.encoding, self.raw = dtype, count, encoding, raw

    def decode(self, node: Node) -> NDArray[Any]:
        """Return the array, read-only."""
        size = self.count * self.dtype.itemsize
        raw = self.raw
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
