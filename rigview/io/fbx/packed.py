"""Arrays as binary files hold them: plain or deflated, decoded when they are asked for."""

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.io.fbx.tree import Node, Packed

# Letter of a type → the type.
ARRAYS: dict[int, np.dtype[Any]] = {
    ord(code): np.dtype(form)
    for code, form in zip("fdlibc", ("<f4", "<f8", "<i8", "<i4", "u1", "u1"), strict=True)
}
PLAIN, DEFLATED = 0, 1
# What is inflated at once, in bytes read and bytes made: a few milliseconds.
_READ, _MADE = 1 << 18, 1 << 22


class PackedArray(Packed):
    """An array as it stands in the file."""

    __slots__ = ("count", "dtype", "encoding", "raw")

    def __init__(self, dtype: np.dtype[Any], count: int, encoding: int, raw: bytes) -> None:
        self.dtype, self.count, self.encoding, self.raw = dtype, count, encoding, raw

    def decode(self, node: Node) -> NDArray[Any]:
        """Return the array, read-only."""
        size = self.count * self.dtype.itemsize
        raw: bytes | bytearray = self.raw
        node.document.pulse()
        node.document.allowance.spend(node, size)
        if self.encoding == DEFLATED:
            try:
                raw = _inflated(self.raw, size, node)
            except zlib.error:
                raise node.error("the deflated array is damaged") from None
        elif self.encoding != PLAIN:
            raise node.error(f"the array has the encoding {self.encoding}, which FBX does not have")
        if len(raw) != size:
            raise node.error(f"the array holds {len(raw)} bytes and states {size}")
        result = np.frombuffer(raw, self.dtype)
        if result.flags.writeable:
            result.flags.writeable = False
        return result


def _inflated(raw: bytes, size: int, node: Node) -> bytes | bytearray:
    """Inflate to at most one byte more than wanted, which shows a stream that is too long."""
    stream = zlib.decompressobj()
    if size < _MADE:
        return stream.decompress(raw, size + 1)
    result = bytearray()
    for first in range(0, len(raw), _READ):
        rest = raw[first : first + _READ]
        while rest and len(result) <= size:
            result += stream.decompress(rest, min(_MADE, size + 1 - len(result)))
            rest = stream.unconsumed_tail
            node.document.pulse()
    return result
