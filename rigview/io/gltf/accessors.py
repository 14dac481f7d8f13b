"""Accessors: typed arrays out of buffers, every bound checked before memory is taken."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.io.allowance import Allowance
from rigview.io.gltf import packed, records
from rigview.io.gltf.container import GltfSource
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.runs import APART, Numbers, Runs
from rigview.io.gltf.table import ABSENT, Table
from rigview.io.reading import quoted

COMPONENTS: dict[int, np.dtype[Any]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
FLOAT = 5126
UNSIGNED = (5121, 5123, 5125)
# Bytes become at most eight times as many as 64-bit numbers; the rest is for sparse morph targets,
# which are zero almost everywhere and take no bytes there. The floor is for small files: the largest
# real mesh takes a tenth of it.
_FLOOR, _GROWTH = 1 << 28, 64
# Bytes that take a few milliseconds to convert.
_LARGE = 1 << 22
_FLOAT_SIZE = 4


class Accessors:
    """All accessors of a document; each is decoded once, and the arrays are shared, read-only.

    Parameters
    ----------
    tell
        Called before long work; what it raises ends the reading.

    Attributes
    ----------
    types
        The type of each, as the document spells it.
    """

    def __init__(
        self, source: GltfSource, root: Cursor, tell: Callable[[], object] | None = None
    ) -> None:
        self.source, self._tell = source, tell
        self.allowance = Allowance(_FLOOR, _GROWTH)
        self._buffers = root.array("buffers")
        self._buffer_lengths = Table.of(root.get("buffers")).integers("byteLength")
        self._views = views = records.table(root, "bufferViews")
        self._view_extensions = views.members("extensions")
        self._view_buffers = views.indices("buffer", len(self._buffers), "buffer")
        self._view_offsets = views.integers("byteOffset", 0)
        self._view_lengths = views.integers("byteLength")
        self._view_strides = views.integers("byteStride", 0)
        self._table = table = records.table(root, "accessors")
        self.types = table.strings("type")
        self._components = table.integers("componentType")
        self._counts = table.integers("count")
        self._in_view = table.optional_indices("bufferView", len(views), "bufferView")
        self._offsets = table.integers("byteOffset", 0)
        self._normalised = table.booleans("normalized", default=False)
        self._sparse = table.members("sparse")
        self._contents: dict[int, memoryview] = {}
        self._opened: dict[int, tuple[memoryview, int]] = {}
        self._given: dict[int, NDArray[Any]] = {}
        self._claimed: set[int] = set()
        self._floats: dict[int, FloatArray] = {}
        self._integers: dict[int, IntArray] = {}

    def __len__(self) -> int:
        return len(self._table)

    def number(self, place: Cursor) -> int:
        """Return the accessor number that stands at a place, of an accessor that is sound.

        Raises
        ------
        LoadError
            If there is none of that number, or its object is not as it should be.
        """
        number = place.index(len(self._table), "accessor")
        self._table.use(number)
        return number

    def count(self, place: Cursor) -> int:
        """Return how many elements the accessor has whose number stands at a place."""
        return self._counts[self.number(place)]

    def width(self, place: Cursor) -> int:
        """Return how many numbers an element has of the accessor whose number stands at a place."""
        return self._form(self.number(place))[1]

    def floats(self, place: Cursor, *types: str) -> FloatArray:
        """Return ``(n, width)`` float64 values; normalised integers become −1…1 or 0…1.

        Parameters
        ----------
        place
            Where the accessor's number stands.
        types
            Which the accessor may have.
        """
        return self.floats_of(self._typed(place, types))

    def floats_of(self, number: int) -> FloatArray:
        """Return the values of `floats` of a numbered accessor."""
        found = self._floats.get(number)
        if found is None:
            run = self._numbers.runs.of[number]
            if run < 0 or number in self._given:
                found = self._converted(number)
            else:
                self._claim(run, number)
                found = self._numbers.of(number).reshape(self._counts[number], -1)
            self._floats[number] = found
        return found

    @property
    def plain_widths(self) -> IntArray:
        """``(n,)`` how many numbers an element has of those that `numbers_of` gives; 0 of others."""
        if not self._given:
            return self._plain_widths
        result = self._plain_widths.copy()
        result[list(self._given)] = 0
        return result

    @cached_property
    def _plain_widths(self) -> IntArray:
        return np.where(np.array(self._numbers.runs.of, dtype=np.int64) < 0, 0, self._widths)

    @cached_property
    def _widths(self) -> IntArray:
        return np.array([WIDTHS.get(name, 0) for name in self.types], dtype=np.int64)

    @cached_property
    def counts(self) -> IntArray:
        """``(n,)`` how many elements the accessors have."""
        return np.array(self._counts, dtype=np.int64)

    def numbers_of(self, accessors: Sequence[int]) -> Numbers:
        """Return what converts the numbers of plain accessors once they are wanted.

        The memory is claimed and the bytes are read already: nothing can be wrong with them later.

        Raises
        ------
        LoadError
            If the file is too small to claim so much, or has not the bytes it states.
        """
        runs = self._numbers.runs.of
        if not self._claimed.issuperset(map(runs.__getitem__, accessors)):
            for number in accessors:
                self._claim(runs[number], number)
        return self._numbers

    def _claim(self, run: int, number: int) -> None:
        """Claim the memory of a run for one of its accessors, and read the bytes it comes from."""
        if run not in self._claimed:
            start, end = self._numbers.runs.bounds[run]
            self._content(start // APART)
            self._spend(number, 8 * (end - start))
            self._claimed.add(run)

    def _converted(self, number: int) -> FloatArray:
        raw = self.raw(number)
        self._spend(number, 8 * raw.size)
        result = raw.astype(np.float64)
        if self._normalised[number] and raw.dtype.kind != "f":
            result = np.maximum(result / np.iinfo(raw.dtype).max, -1.0)
        result.setflags(write=False)
        return result

    @cached_property
    def _numbers(self) -> Numbers:
        """The plain 32-bit numbers, by where they lie in the buffers.

        A clip has hundreds of small accessors in a row: one by one takes several times as long.
        """
        # Every column of the views has one more row, which −1 names.
        buffer, at, length, stride = (
            np.array([*column, 0])
            for column in (
                self._view_buffers,
                self._view_offsets,
                self._view_lengths,
                self._view_strides,
            )
        )
        plain = np.append(self._views.sound & _absent(self._view_extensions), False)
        plain &= at + length <= np.array([*self._buffer_lengths, 0])[buffer]
        view = np.array([-1 if v is None else v for v in self._in_view], dtype=np.int64)
        offset, count = np.array([self._offsets, self._counts], dtype=np.int64)
        size = _FLOAT_SIZE * self._widths
        start = at[view] + offset
        end = start + size * count
        wanted = self._table.sound & _absent(self._sparse)
        wanted &= (np.array(self._components, dtype=np.int64) == FLOAT) & plain[view]
        wanted &= (end > start) & (offset + size * count <= length[view])
        wanted &= ((stride[view] == 0) | (stride[view] == size)) & (start % _FLOAT_SIZE == 0)
        apart = buffer[view] * APART
        runs = Runs.joined(apart + start // _FLOAT_SIZE, apart + end // _FLOAT_SIZE, wanted)
        return Numbers(runs, self._contents)

    def integers(self, place: Cursor, type_: str) -> IntArray:
        """Return ``(n, width)`` unsigned integers.

        Raises
        ------
        LoadError
            If the accessor holds other numbers.
        """
        number = self._typed(place, (type_,))
        found = self._integers.get(number)
        if found is None:
            raw = self.raw(number)
            if raw.dtype.kind != "u":
                raise place.error(f"the numbers must be unsigned integers, not {raw.dtype.name}")
            self._spend(number, 8 * raw.size)
            found = raw.astype(np.int64)
            found.setflags(write=False)
            self._integers[number] = found
        return found

    def _typed(self, place: Cursor, types: tuple[str, ...]) -> int:
        number = self.number(place)
        if self.types[number] not in types:
            self._form(number)
            stated = self.types[number]
            raise place.error(f"accessor {number} is {stated}, not {' or '.join(types)}")
        return number

    def _spend(self, number: int, size: int) -> None:
        """Claim the memory of an array, before a stretch of work if it is a large one."""
        if not self.allowance.take(size):
            self.allowance.spend(self._table.place(number), size)
        if size > _LARGE and self._tell is not None:
            self._tell()

    def raw(self, number: int) -> NDArray[Any]:
        """Return ``(n, width)`` components as stored, sparse changes applied."""
        if number in self._given:
            return self._given[number]
        self._table.use(number)
        component, width = self._form(number)
        count, view = self._counts[number], self._in_view[number]
        if view is not None and count:
            array = self._strided(
                lambda: self._table.place(number),
                view,
                self._offsets[number],
                component,
                count,
                width,
            )
        else:
            self._spend(number, count * width * component.itemsize)
            array = np.zeros((count, width), component)
        if self._sparse[number] is ABSENT:
            return array
        return self._changed(self._table.place(number).need("sparse"), array)

    def is_stored(self, number: int) -> bool:
        """Tell whether the document itself says where the accessor's values are."""
        return self._in_view[number] is not None

    def is_given(self, number: int) -> bool:
        """Tell whether values that were found elsewhere are those of the accessor."""
        return number in self._given

    def give(self, target: Cursor, values: NDArray[Any]) -> None:
        """Let values that were found elsewhere be those of the accessor named at a place.

        Raises
        ------
        LoadError
            If the accessor is of another length or width.
        """
        number = self.number(target)
        component, width = self._form(number)
        values = values.reshape(len(values), -1)
        if values.shape != (self._counts[number], width):
            raise self._table.place(number).error(
                f"it is for {self._counts[number]:,} elements of {width} numbers, and the "
                f"compressed data have {len(values):,} of {values.shape[1]}"
            )
        self._given[number] = values.astype(component)

    def _form(self, number: int) -> tuple[np.dtype[Any], int]:
        """Return the type of an accessor's components, and how many an element has."""
        component = COMPONENTS.get(self._components[number])
        width = WIDTHS.get(self.types[number])
        if component is None:
            code = self._table.place(number).need("componentType")
            raise code.error(f"{code.value} is no component type of glTF")
        if width is None:
            raise self._table.place(number).error(
                f"{quoted(self.types[number])} is no type that rigview reads"
            )
        return component, width

    def _strided(
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
        number = place.index(len(self._views), "bufferView")
        return (self._opened.get(number) or self._open(number))[0]

    def _open(self, number: int) -> tuple[memoryview, int]:
        """Return the bytes of a buffer view, and its stride or 0."""
        self._views.use(number)
        packed_ = None
        if self._view_extensions[number] is not ABSENT:
            extensions = self._views.place(number).need("extensions")
            stated = (extensions.get(name) for name in packed.EXTENSIONS)
            packed_ = next((place for place in stated if place is not None), None)
        if packed_ is None:
            content = self._slice(
                lambda: self._views.place(number),
                self._view_buffers[number],
                self._view_offsets[number],
                self._view_lengths[number],
            )
        else:
            content = memoryview(packed.unpack(packed_, self._compressed(packed_), self.allowance))
        self._opened[number] = content, self._view_strides[number]
        return self._opened[number]

    def _compressed(self, place: Cursor) -> bytes:
        """Return the bytes that the extension of a packed view tells of."""
        buffer = place.need("buffer").index(len(self._buffers), "buffer")
        offset, length = _offset(place), place.need("byteLength").integer(low=0)
        return bytes(self._slice(lambda: place, buffer, offset, length))

    def _slice(
        self, place: Callable[[], Cursor], buffer: int, offset: int, length: int
    ) -> memoryview:
        """Return the bytes that a place says begin at an offset in a buffer."""
        content = self._content(buffer)
        if offset + length > len(content):
            missing = offset + length - len(content)
            raise place().error(f"it ends {missing:,} bytes after buffer {buffer} does")
        return content[offset : offset + length]

    def _content(self, buffer: int) -> memoryview:
        """Return the bytes of a buffer, which allow to claim more."""
        content = self._contents.get(buffer)
        if content is None:
            content = self.source.buffer(self._buffers[buffer], buffer, self._tell)
            self.allowance.earn(len(content))
            self._contents[buffer] = content
        return content

    def _changed(self, sparse: Cursor, base: NDArray[Any]) -> NDArray[Any]:
        """Return an array with the elements exchanged that sparse storage states."""
        count = sparse.need("count").integer(low=1, high=len(base))
        component = COMPONENTS.get(sparse.need("indices").need("componentType").integer())
        if component is None or component.kind != "u":
            raise sparse.need("indices").error("sparse indices must be unsigned integers")
        where = self._part(sparse.need("indices"), component, count, 1)[:, 0].astype(np.int64)
        if int(where.max()) >= len(base):
            raise sparse.need("indices").error(
                f"element {int(where.max())} does not exist: there are {len(base)}"
            )
        new = self._part(sparse.need("values"), base.dtype, count, base.shape[1])
        if base.flags.owndata:
            # Zeros of its own, whose memory is claimed already.
            base[where] = new
            return base
        self.allowance.spend(sparse, base.nbytes)
        result = base.copy()
        result[where] = new
        return result

    def _part(
        self, place: Cursor, component: np.dtype[Any], count: int, width: int
    ) -> NDArray[Any]:
        """Return one of the two arrays that sparse storage consists of."""
        view = place.need("bufferView").index(len(self._views), "bufferView")
        return self._strided(lambda: place, view, _offset(place), component, count, width)


def _absent(values: list[Any]) -> BoolArray:
    """Return ``(n,)`` which members are absent; mostly all are."""
    if values.count(ABSENT) == len(values):
        return np.ones(len(values), dtype=np.bool_)
    return np.array([value is ABSENT for value in values])


def _offset(place: Cursor) -> int:
    found = place.get("byteOffset")
    return 0 if found is None else found.integer(low=0)
