"""Amendments applied to a binary file: records that change are written anew, all others copied.

The end of a record is stated as its place in the file, so a change of size moves the ends of all records
behind it; nothing else of those changes.
"""

import struct
import zlib
from bisect import bisect_left
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.io.fbx.amend.amendments import ARRAY_CODES, WHOLE_CODES, Amendments, Record, Typed
from rigview.io.fbx.binary import BinaryDocument
from rigview.io.fbx.container import HEADER
from rigview.io.fbx.packed import ARRAYS, DEFLATED
from rigview.io.reading import SaveError

_ARRAY = struct.Struct("<cIII")
_TEXT = struct.Struct("<cI")
_SCALARS = dict(
    zip("YCBIFDL", map(struct.Struct, ("<h", "<B", "<B", "<i", "<f", "<d", "<q")), strict=True)
)
# zlib's level that gives back the bytes of the SDK's arrays.
_LEVEL = 1
# Shorter new arrays are not deflated.
_PLAIN_BYTES = 128
# Footer: an identity, padding, the version, zeros, an end.
_IDENTITY, _ZEROS, _END = 16, 120, 16
_ALIGNED, _GAP = 16, 4


def apply(document: BinaryDocument, amendments: Amendments) -> bytes:
    """Return the amended file.

    Raises
    ------
    SaveError
        If a value does not fit its type, or the file its offsets.
    """
    if not amendments:
        return document.data
    return _Writer(document, amendments).file()


class _Writer:
    """The new file under construction."""

    def __init__(self, document: BinaryDocument, amendments: Amendments) -> None:
        self._document, self._amendments = document, amendments
        self._data, self._places = document.data, amendments.places
        self._out = bytearray(document.data[:HEADER])
        self._nothing = bytes(document.record.size)

    def file(self) -> bytes:
        """Return all of it."""
        position = self._inside(HEADER, len(self._data))
        foot = self._data[position : position + len(self._nothing)]
        self._out += foot
        tail = self._data[position + len(foot) :]
        self._out += self._footer(tail, position + len(foot))
        try:
            self._document.end.pack(len(self._out))
        except struct.error:
            raise SaveError(
                "the copy would have more than 4 GiB, which its version cannot"
            ) from None
        return bytes(self._out)

    def _footer(self, tail: bytes, start: int) -> bytes:
        """Return the footer with the padding that its writer's rule gives here."""
        zeros = len(tail) - _IDENTITY - 4 - _ZEROS - _END
        after = start + _IDENTITY
        here = len(self._out) + _IDENTITY
        for rule in (_sdk_padding, _blender_padding):
            if zeros == rule(after) and not any(tail[_IDENTITY : _IDENTITY + zeros]):
                return tail[:_IDENTITY] + bytes(rule(here)) + tail[_IDENTITY + zeros :]
        return tail

    def _inside(self, position: int, last: int) -> int:
        """Write the records between two bytes; return where they end, before the closing zeros."""
        head = len(self._nothing)
        while position + head <= last:
            end = self._document.end.unpack_from(self._data, position)[0]
            if not end:
                break
            self._record(position, last)
            position = end
        return position

    def _is_touched(self, start: int, end: int) -> bool:
        """Tell whether anything changes from one byte to another."""
        number = bisect_left(self._places, start)
        return number < len(self._places) and self._places[number] < end

    def _record(self, start: int, last: int) -> None:
        """Write one record, amended."""
        name, _, count, begin, inside, end = self._document.read_record(start, last)
        if start in self._amendments.dropped:
            return
        at = len(self._out)
        touched = self._is_touched(start, end)
        if at == start and not touched:
            self._out += self._data[start:end]
            return
        values = self._data[begin:inside]
        if touched:
            values = self._values(start, count, begin, inside)
        self._out += bytes(len(self._nothing)) + name + values
        position = self._inside(inside, end)
        added = self._amendments.added.get(start, ())
        for record in added:
            self._new(record)
        # What closes a record is kept as it is; zeros where records are inside.
        closing = self._data[position:end]
        self._out += closing or (self._nothing if added else b"")
        self._close(at, count, len(values), len(name))

    def _close(self, at: int, count: int, size: int, length: int) -> None:
        """Fill in the head of the record that begins at a byte and ends here."""
        try:
            self._document.record.pack_into(self._out, at, len(self._out), count, size, length)
        except struct.error:
            raise SaveError(
                "the copy would have more than 4 GiB, which its version cannot"
            ) from None

    def _new(self, record: Record) -> None:
        """Write a record that the source does not have."""
        at, name = len(self._out), record.name.encode()
        values = b"".join(map(encoded, record.values))
        self._out += bytes(len(self._nothing)) + name + values
        for child in record.children:
            self._new(child)
        if record.children or record.is_block:
            self._out += self._nothing
        self._close(at, len(record.values), len(values), len(name))

    def _values(self, start: int, count: int, begin: int, inside: int) -> bytes:
        """Return the values of a record, amended."""
        if start in self._amendments.arrays:
            return self._array(self._amendments.arrays[start], count, begin, inside)
        changed: dict[int, Any] = dict(self._amendments.numbers.get(start, {}))
        changed |= self._amendments.texts.get(start, {})
        if not changed:
            return self._data[begin:inside]
        parts, position = [], begin
        for index in range(count):
            code, after = chr(self._data[position]), _after(self._data, position)
            part = self._data[position:after]
            parts.append(encoded((code, changed[index])) if index in changed else part)
            position = after
        return b"".join(parts)

    def _array(self, values: NDArray[Any], count: int, begin: int, inside: int) -> bytes:
        """Return an array in the type and encoding of the record's own."""
        if count == 1 and begin < inside and (dtype := ARRAYS.get(self._data[begin])) is not None:
            code, _, encoding, _ = _ARRAY.unpack_from(self._data, begin)
            raw = _of_type(values, dtype).tobytes()
            stored = zlib.compress(raw, _LEVEL) if encoding == DEFLATED else raw
            return _ARRAY.pack(code, len(values), encoding, len(stored)) + stored
        if count != len(values):
            raise SaveError("a row of single numbers cannot change its length")
        result, position = [], begin
        for value in values:
            result.append(encoded((chr(self._data[position]), value)))
            position = _after(self._data, position)
        return b"".join(result)


def _sdk_padding(position: int) -> int:
    """Return the zeros behind the footer's identity: up to a multiple of 16, a full 16 if even, and 4."""
    return _ALIGNED - position % _ALIGNED + _GAP


def _blender_padding(position: int) -> int:
    """Return the zeros as Blender's exporter has them: 4, and then up to a multiple of 16."""
    return _GAP + _ALIGNED - (position + _GAP) % _ALIGNED


def _of_type(values: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return values in a type of the file; whole ones must fit."""
    result = values.astype(dtype)
    if dtype.kind in "iu" and not np.array_equal(result, values):
        raise SaveError("a number does not fit the whole numbers that the file has there")
    return result


def _after(data: bytes, position: int) -> int:
    """Return where the value that begins at a byte ends."""
    code = chr(data[position])
    if code in _SCALARS:
        return position + 1 + _SCALARS[code].size
    if code in "SR":
        return position + _TEXT.size + int(_TEXT.unpack_from(data, position)[1])
    return position + _ARRAY.size + int(_ARRAY.unpack_from(data, position)[3])


def encoded(typed: Typed) -> bytes:
    """Return the bytes of a value.

    Raises
    ------
    SaveError
        If its type cannot hold it.
    """
    code, value = typed
    letter = code.encode()
    if code in "SR":
        return _TEXT.pack(letter, len(value)) + bytes(value)
    if code in ARRAY_CODES:
        raw = _of_type(np.asarray(value), ARRAYS[ord(code)]).tobytes()
        count = len(value)
        if len(raw) < _PLAIN_BYTES:
            return _ARRAY.pack(letter, count, 0, len(raw)) + raw
        stored = zlib.compress(raw, _LEVEL)
        return _ARRAY.pack(letter, count, DEFLATED, len(stored)) + stored
    whole = code in WHOLE_CODES
    if whole and int(value) != value:
        raise SaveError(f"{value:g} does not fit the whole numbers that the file has there")
    try:
        return letter + _SCALARS[code].pack(int(value) if whole else float(value))
    except (struct.error, OverflowError):
        raise SaveError(f"{value:g} does not fit the numbers that the file has there") from None
