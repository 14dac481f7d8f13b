"""Buffer views: pieces of the buffers, each opened when something in it is read."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, IntArray
from rigview.io.gltf import packed, records
from rigview.io.gltf.container import GltfSource
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.table import ABSENT, Table
from rigview.io.memory_budget import MemoryBudget


class Spans(NamedTuple):
    """Per view its buffer, where it starts in it, its length and stride, and whether it is plain bytes.

    The last row is that of an accessor without a view.
    """

    buffer: IntArray
    start: IntArray
    length: IntArray
    stride: IntArray
    plain: BoolArray


class Views:
    """All buffer views of a document.

    Parameters
    ----------
    allowance
        Grows by the bytes that are read.
    tell
        Called before long work; what it raises ends the reading.

    Attributes
    ----------
    contents
        The bytes of the buffers that have been read, by number.
    """

    def __init__(
        self,
        source: GltfSource,
        root: Cursor,
        allowance: MemoryBudget,
        tell: Callable[[], object] | None = None,
    ) -> None:
        self._source, self._allowance, self._tell = source, allowance, tell
        self._buffers = root.array("buffers")
        self._buffer_lengths = Table.of(root.get("buffers")).integers("byteLength")
        self._table = table = records.table(root, "bufferViews")
        self._extensions = table.members("extensions")
        self._in_buffer = table.indices("buffer", len(self._buffers), "buffer")
        self._offsets = table.integers("byteOffset", 0)
        self._lengths = table.integers("byteLength")
        self._strides = table.integers("byteStride", 0)
        self.contents: dict[int, memoryview] = {}
        self._opened: dict[int, tuple[memoryview, int]] = {}

    def __len__(self) -> int:
        return len(self._table)

    @cached_property
    def spans(self) -> "Spans":
        """Where all of them are."""
        # One more row, which −1 names.
        columns = (self._in_buffer, self._offsets, self._lengths, self._strides)
        buffer, start, length, stride = np.array([[*column, 0] for column in columns])
        plain = start + length <= np.array([*self._buffer_lengths, 0])[buffer]
        plain[:-1] &= self._table.sound & absent(self._extensions)
        plain[-1] = False
        return Spans(buffer, start, length, stride, plain)

    def strided(
        self,
        place: Callable[[], Cursor],
        view: int,
        offset: int,
        component: np.dtype[Any],
        count: int,
        width: int,
    ) -> NDArray[Any]:
        """Return the elements that a place says begin at an offset in a view."""
        content, stride = self._opened.get(view) or self._open(view)
        size = component.itemsize * width
        stride = stride or size
        if stride < size:
            raise (
                place()
                .need("bufferView")
                .error(f"the stride of {stride} bytes is shorter than an element of {size}")
            )
        end = offset + stride * (count - 1) + size
        if end > len(content):
            missing = end - len(content)
            raise place().error(f"it ends {missing:,} bytes after bufferView {view} does")
        return np.ndarray((count, width), component, content, offset, (stride, component.itemsize))

    def view(self, place: Cursor) -> memoryview:
        """Return the bytes of the buffer view whose number stands at a place."""
        number = place.index(len(self._table), "bufferView")
        return (self._opened.get(number) or self._open(number))[0]

    def _open(self, number: int) -> tuple[memoryview, int]:
        """Return the bytes of a buffer view, and its stride or 0."""
        self._table.use(number)
        packed_ = None
        if self._extensions[number] is not ABSENT:
            stated = map(self._table.place(number).extension, packed.EXTENSIONS)
            packed_ = next((place for place in stated if place is not None), None)
        if packed_ is None:
            buffer, offset = self._in_buffer[number], self._offsets[number]
            length = self._lengths[number]
            content = self._slice(lambda: self._table.place(number), buffer, offset, length)
        else:
            content = memoryview(packed.unpack(packed_, self._compressed(packed_), self._allowance))
        opened = self._opened[number] = content, self._strides[number]
        return opened

    def _compressed(self, place: Cursor) -> bytes:
        """Return the bytes that the extension of a packed view tells of."""
        buffer = place.need("buffer").index(len(self._buffers), "buffer")
        offset, length = place.natural("byteOffset"), place.need("byteLength").integer(low=0)
        return bytes(self._slice(lambda: place, buffer, offset, length))

    def _slice(
        self, place: Callable[[], Cursor], buffer: int, offset: int, length: int
    ) -> memoryview:
        """Return the bytes that a place says begin at an offset in a buffer."""
        content = self.contents.get(buffer) or self.content(buffer)
        if offset + length > len(content):
            missing = offset + length - len(content)
            raise place().error(f"it ends {missing:,} bytes after buffer {buffer} does")
        return content[offset : offset + length]

    def content(self, buffer: int) -> memoryview:
        """Return the bytes of a buffer, which allow to claim more."""
        content = self.contents.get(buffer)
        if content is None:
            content = self._source.buffer(self._buffers[buffer], buffer, self._tell)
            self._allowance.earn(len(content))
            self.contents[buffer] = content
        return content


def absent(values: list[Any]) -> BoolArray:
    """Return ``(n,)`` which members are absent; mostly all are."""
    if values.count(ABSENT) == len(values):
        return np.ones(len(values), dtype=np.bool_)
    return np.array([value is ABSENT for value in values])
