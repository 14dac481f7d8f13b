"""The three bitstreams of EXT_meshopt_compression and KHR_meshopt_compression, decoded.

Written from the extensions' specifications, appendix A; the second brought version 1 of the attribute
codec. A truncated or damaged stream raises
`ValueError` with the reason; what was asked for is never more than `count` elements.
"""

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import ByteArray, IntArray

_ATTRIBUTES_HEADERS = (0xA0, 0xA1)
_TRIANGLES_HEADERS = (0xE0, 0xE1)
_SEQUENCE_HEADERS = (0xD0, 0xD1)
# A block of attributes holds at most 8 KiB, and at most 256 elements in groups of 16.
_BLOCK_BYTES, _BLOCK_ELEMENTS, _GROUP = 8192, 256, 16
# Bits of a delta by the mode of its group: in version 0, and in version 1 by the row's control.
_BITS = (0, 2, 4, 8)
_CONTROLLED = ((0, 1, 2, 4), (1, 2, 4, 8))
_ZEROS, _LITERAL = 2, 3
# Numbers whose differences the channels of version 1 state, by their kind; the third are XORed.
_CHANNELS = ("u1", "<u2", "<u4")
_XORED = 2
_EARLY = "the stream ends too early"
_TAIL_TABLE = 16


def _marks(bits: int) -> bytes:
    """Return for every byte of packed deltas how many of them are marks of a delta that follows."""
    most = (1 << bits) - 1
    return bytes(sum((b >> s) & most == most for s in range(0, 8, bits)) for b in range(256))


# By the bits of a delta: how many of a byte's deltas mark one that follows.
_MARKS = {bits: _marks(bits) for bits in (1, 2, 4)}


def attributes(data: bytes, count: int, stride: int) -> bytes:
    """Decode mode ATTRIBUTES: `count` elements of `stride` bytes (appendix A.1)."""
    if data and data[0] not in _ATTRIBUTES_HEADERS:
        raise ValueError(f"the stream of attributes is of kind {data[0]:#x}, not 0xa0 or 0xa1")
    is_newer = data[:1] == b"\xa1"
    kinds = stride // 4
    tail = max(24, stride + kinds) if is_newer else max(32, stride)
    if len(data) < 1 + tail:
        raise ValueError(_EARLY)
    block = min(_BLOCK_BYTES // stride // _GROUP * _GROUP, _BLOCK_ELEMENTS)
    groups = _Groups(data, len(data) - tail)
    at = 1
    for start in range(0, count, block):
        size = min(block, count - start)
        controls = data[at : at + kinds] if is_newer else b""
        at += len(controls)
        for byte in range(stride):
            control = (
                controls[byte >> 2] >> (byte & 3) * 2 & 3 if byte >> 2 < len(controls) else None
            )
            at = groups.row(at, size, control)
    channels = data[len(data) - kinds :] if is_newer else bytes(kinds)
    first = len(data) - stride - (kinds if is_newer else 0)
    laid = _laid(groups.decode(), count, stride, block)
    return _summed(laid, data[first : first + stride], channels).tobytes()


class _Groups:
    """The groups of a stream of attributes: first only where they are, then all of them at once."""

    def __init__(self, data: bytes, end: int) -> None:
        self._data, self._end = data, end
        # Group numbers and places by the bits of a delta.
        self._numbers: dict[int, list[int]] = {bits: [] for bits in (1, 2, 4, 8)}
        self._places: dict[int, list[int]] = {bits: [] for bits in (1, 2, 4, 8)}
        self._count = 0

    def row(self, at: int, size: int, control: int | None) -> int:
        """Note the groups of one byte of all `size` elements of a block; return where they end.

        Parameters
        ----------
        control
            How version 1 states the row; None in version 0.
        """
        count = -(-size // _GROUP)
        if control == _LITERAL:
            self._numbers[8].extend(range(self._count, self._count + count))
            self._places[8].extend(range(at, at + size, _GROUP))
            at += size
        elif control != _ZEROS:
            at = self._grouped(at, count, _BITS if control is None else _CONTROLLED[control])
        if at > self._end:
            raise ValueError(_EARLY)
        self._count += count
        return at

    def _grouped(self, at: int, count: int, bits_of: tuple[int, ...]) -> int:
        data = self._data
        modes = data[at : at + -(-count // 4)]
        at += -(-count // 4)
        if at > self._end:
            raise ValueError(_EARLY)
        for i in range(count):
            bits = bits_of[modes[i >> 2] >> (i & 3) * 2 & 3]
            if bits:
                self._numbers[bits].append(self._count + i)
                self._places[bits].append(at)
                packed = 2 * bits
                if bits != 8:
                    packed += sum(data[at : at + packed].translate(_MARKS[bits]))
                at += packed
        return at

    def decode(self) -> ByteArray:
        """Return ``(groups, 16)`` deltas."""
        data = np.frombuffer(self._data, np.uint8)
        result = np.zeros((self._count, _GROUP), np.uint8)
        for bits in _MARKS:
            places = np.array(self._places[bits], dtype=np.int64)
            if not len(places):
                continue
            packed = data[places[:, None] + np.arange(2 * bits)]
            # Single bits stand the lowest first, wider ones the highest.
            shifts = np.arange(8) if bits == 1 else np.arange(8 - bits, -1, -bits)
            most = (1 << bits) - 1
            values = (packed[:, :, None] >> shifts & most).astype(np.uint8).reshape(-1, _GROUP)
            marked = values == most
            following = places[:, None] + 2 * bits + np.cumsum(marked, axis=1) - 1
            values[marked] = data[following[marked]]
            result[self._numbers[bits]] = values
        places = np.array(self._places[8], dtype=np.int64)
        result[self._numbers[8]] = data[places[:, None] + np.arange(_GROUP)]
        return result


def _laid(deltas: ByteArray, count: int, stride: int, block: int) -> ByteArray:
    """Return ``(count, stride)`` deltas of the elements, from ``(groups, 16)`` in rows of blocks."""
    result = np.zeros((count, stride), np.uint8)
    group = 0
    for start in range(0, count, block):
        size = min(block, count - start)
        groups = -(-size // _GROUP)
        rows = deltas[group : group + stride * groups].reshape(stride, groups * _GROUP)
        result[start : start + size] = rows[:, :size].T
        group += stride * groups
    return result


def _summed(deltas: ByteArray, first: bytes, channels: bytes) -> ByteArray:
    """Return ``(count, stride)`` bytes of the elements, each the one before it and its delta.

    Parameters
    ----------
    first
        What comes before the first element.
    channels
        For every four bytes the kind of their numbers, and in the high bits how far XORs are turned.
    """
    bases = np.frombuffer(first, np.uint8)
    if not any(channels):
        return _differences(deltas, bases, _CHANNELS[0])
    result = np.zeros_like(deltas)
    for kind in sorted({channel & 3 for channel in channels} - {_XORED}):
        if kind >= len(_CHANNELS):
            raise ValueError("a channel is of kind 3, which does not exist")
        columns = np.repeat([channel & 3 == kind for channel in channels], 4)
        result[:, columns] = _differences(deltas[:, columns], bases[columns], _CHANNELS[kind])
    for i, channel in enumerate(channels):
        if channel & 3 == _XORED:
            four, turn = slice(4 * i, 4 * i + 4), channel >> 4
            words = np.ascontiguousarray(deltas[:, four]).view(_CHANNELS[_XORED])
            words = words >> turn | words << (32 - turn) % 32
            words[:1] ^= bases[four].view(words.dtype)
            result[:, four] = np.bitwise_xor.accumulate(words, axis=0).view(np.uint8)
    return result


def _differences(deltas: ByteArray, first: ByteArray, dtype: str) -> ByteArray:
    """Return the bytes of numbers from ``(count, bytes)`` zigzag differences of a type."""
    words = np.ascontiguousarray(deltas).view(dtype)
    words = words >> 1 ^ (words.dtype.type(0) - (words & 1))
    words[:1] += np.ascontiguousarray(first).view(dtype)
    sums: ByteArray = np.cumsum(words, axis=0, dtype=dtype).view(np.uint8)
    return sums


class _Numbers:
    """The variable-length numbers of an index stream."""

    def __init__(self, data: bytes, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def byte(self) -> int:
        """Return the next byte."""
        if self.at >= self.end:
            raise ValueError(_EARLY)
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        """Return the next number of up to 35 bits, seven a byte, the lowest first."""
        value = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                break
        return value

    def delta(self) -> int:
        """Return the next signed number, zigzag."""
        value = self.varint()
        return value >> 1 ^ -(value & 1)


def triangles(data: bytes, count: int) -> IntArray:
    """Decode mode TRIANGLES: ``(count,)`` vertex numbers, three a triangle (appendix A.2)."""
    codes = count // 3
    if len(data) < 1 + codes + _TAIL_TABLE:
        raise ValueError(_EARLY)
    if data[0] not in _TRIANGLES_HEADERS:
        raise ValueError(f"the stream of triangles is of kind {data[0]:#x}, not 0xe1")
    # Version 0 has no codes for "one before" and "one after" the last free vertex.
    decoder = _Triangles(data, 1 + codes, explicit_from=13 if data[0] & 1 else 15)
    for code in data[1 : 1 + codes]:
        decoder.triangle(code)
    return np.array(decoder.result, dtype=np.int64)


class _Triangles:
    """The state of the triangle codec: recent edges, recent vertices, the next new vertex."""

    def __init__(self, data: bytes, at: int, explicit_from: int) -> None:
        self._numbers = _Numbers(data, at, len(data) - _TAIL_TABLE)
        self._table = data[len(data) - _TAIL_TABLE :]
        self._explicit = explicit_from
        # The most recent one is the first.
        self._edges = deque([(0, 0)] * 16, maxlen=16)
        self._vertices = deque([0] * 16, maxlen=16)
        self._next = self._last = 0
        self.result: list[int] = []

    def triangle(self, code: int) -> None:
        """Decode one triangle by its code."""
        high, low = code >> 4, code & 15
        if high < 15:
            a, b = self._edges[high]
            c = self._third(low)
        else:
            a, b, c = self._from_table(low) if low < 14 else self._explicit_triple(low)
            self._edges.appendleft((b, a))
        self._edges.appendleft((c, b))
        self._edges.appendleft((a, c))
        self.result += (a, b, c)

    def _third(self, low: int) -> int:
        if low == 0:
            return self._push(self._new())
        if low < self._explicit:
            return self._vertices[low]
        # 13 is one before the last free vertex, 14 one after it.
        step = self._numbers.delta() if low == 15 else 2 * low - 27
        self._last += step
        return self._push(self._last)

    def _from_table(self, low: int) -> tuple[int, int, int]:
        aux = self._table[low]
        z, w = aux >> 4, aux & 15
        # Recent vertices are those before this triangle.
        b_old, c_old = self._recent(z), self._recent(w)
        a = self._push(self._new())
        b = b_old if z else self._push(self._new())
        c = c_old if w else self._push(self._new())
        return a, b, c

    def _explicit_triple(self, low: int) -> tuple[int, int, int]:
        aux = self._numbers.byte()
        if aux == 0:
            self._next = 0
        kinds = (0 if low == 14 else 15, aux >> 4, aux & 15)
        old = [self._recent(kind) for kind in kinds]
        values = [
            self._new() if kind == 0 else value for kind, value in zip(kinds, old, strict=True)
        ]
        for i, kind in enumerate(kinds):
            if kind == 15:
                self._last += self._numbers.delta()
                values[i] = self._last
            if kind in (0, 15):
                self._push(values[i])
        return values[0], values[1], values[2]

    def _recent(self, number: int) -> int:
        return self._vertices[number - 1] if number else 0

    def _new(self) -> int:
        self._next += 1
        return self._next - 1

    def _push(self, vertex: int) -> int:
        self._vertices.appendleft(vertex)
        return vertex


def sequence(data: bytes, count: int) -> IntArray:
    """Decode mode INDICES: ``(count,)`` vertex numbers in any order (appendix A.3)."""
    if len(data) < 1 + count + 4:
        raise ValueError(_EARLY)
    if data[0] not in _SEQUENCE_HEADERS:
        raise ValueError(f"the stream of indices is of kind {data[0]:#x}, not 0xd1")
    numbers = _Numbers(data, 1, len(data) - 4)
    last = [0, 0]
    result = []
    for _ in range(count):
        value = numbers.varint()
        which, value = value & 1, value >> 1
        last[which] += value >> 1 ^ -(value & 1)
        result.append(last[which])
    return np.array(result, dtype=np.int64)


def octahedral(values: NDArray[Any]) -> NDArray[Any]:
    """Undo filter OCTAHEDRAL: ``(n, 4)`` signed bytes or shorts to unit vectors (appendix B.1)."""
    x, y, one = (values[:, i].astype(np.float64) for i in range(3))
    z = one - np.abs(x) - np.abs(y)
    fold = np.maximum(-z, 0.0)
    vector = np.stack([x + np.where(x >= 0, -fold, fold), y + np.where(y >= 0, -fold, fold), z], 1)
    length = np.linalg.norm(vector, axis=1, keepdims=True)
    most = np.iinfo(values.dtype).max
    result = values.copy()
    result[:, :3] = _rounded(vector * (most / np.where(length > 0.0, length, 1.0)))
    return result


def quaternion(values: NDArray[Any]) -> NDArray[Any]:
    """Undo filter QUATERNION: ``(n, 4)`` shorts to unit quaternions xyzw (appendix B.2)."""
    largest = values[:, 3] & 3
    scale = 1.0 / np.sqrt(2.0) / (values[:, 3] | 3)
    three = values[:, :3] * scale[:, None]
    w = np.sqrt(np.maximum(0.0, 1.0 - np.einsum("ni,ni->n", three, three)))
    parts = _rounded(np.concatenate([three, w[:, None]], axis=1) * np.iinfo(np.int16).max)
    result = np.zeros_like(values)
    rows = np.arange(len(values))
    for i in range(4):
        result[rows, (largest + 1 + i) % 4] = parts[:, i]
    return result


def exponential(values: NDArray[Any]) -> NDArray[Any]:
    """Undo filter EXPONENTIAL: ``(n, c)`` 32-bit integers to floats (appendix B.3)."""
    exponent, mantissa = values >> 24, values << 8 >> 8
    with np.errstate(over="ignore"):
        return np.ldexp(mantissa.astype(np.float64), exponent).astype("<f4")


def colour(values: NDArray[Any]) -> NDArray[Any]:
    """Undo filter COLOR: ``(n, 4)`` YCoCg and alpha to normalised RGBA, bytes or shorts.

    The highest bit of alpha tells how many bits the numbers have.
    """
    y, alpha = values[:, 0].astype(np.int64), values[:, 3].astype(np.int64)
    orange, green = (values[:, i].view(f"i{values.itemsize}").astype(np.int64) for i in (1, 2))
    most = 2 ** np.frexp(alpha.astype(np.float64))[1].astype(np.int64) - 1
    alpha &= most >> 1
    parts = [y + orange - green, y + green, y - orange - green, alpha << 1 | alpha & 1]
    scale = np.iinfo(values.dtype).max / np.maximum(most, 1)
    return _rounded(np.stack(parts, axis=1) * scale[:, None]).astype(values.dtype)


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round halves away from zero, as the specification's examples do."""
    return np.trunc(values + np.where(values >= 0.0, 0.5, -0.5))
