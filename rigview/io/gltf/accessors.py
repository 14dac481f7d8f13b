"""Accessors: typed arrays out of buffers, every bound checked before memory is taken."""

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.numeric.lazy import LazyArray
from rigview.io.gltf import records
from rigview.io.gltf.container import GltfSource
from rigview.io.gltf.contiguous import APART, Numbers
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.raw_accessor import RawAccessor
from rigview.io.gltf.table import ABSENT
from rigview.io.gltf.views import Views, absent
from rigview.io.memory_budget import MemoryBudget
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
# Bytes become at most eight times as many as 64-bit numbers; the rest is for sparse morph targets,
# which are zero almost everywhere and take no bytes there. The floor is for small files: the largest
# real mesh takes a tenth of it.
_FLOOR, _GROWTH = 1 << 28, 64
# Bytes that take a few milliseconds to convert.
_LARGE = 1 << 22
_FLOAT_SIZE = 4


class _Extents(NamedTuple):
    """Per accessor where its numbers begin and end among all of the buffers, if they are plain.

    And how many elements it has.
    """

    first: IntArray
    last: IntArray
    plain: BoolArray
    counts: IntArray


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
        self.allowance = MemoryBudget(_FLOOR, _GROWTH)
        self._views = Views(source, root, self.allowance, tell)
        self._table = table = records.table(root, "accessors")
        self.types = table.strings("type")
        self._components = table.integers("componentType")
        self._counts = table.integers("count")
        self._in_view = table.optional_indices("bufferView", len(self._views), "bufferView")
        self._offsets = table.integers("byteOffset", 0)
        self._normalised = table.booleans("normalized", default=False)
        self._sparse = table.members("sparse")
        self._length = len(table)
        self._given: dict[int, NDArray[Any]] = {}
        self._stored: dict[int, RawAccessor] = {}
        self._floats: dict[int, FloatArray] = {}
        self._later: dict[int, LazyArray] = {}
        self._integers: dict[int, IntArray] = {}

    def __len__(self) -> int:
        return self._length

    def number(self, place: Cursor) -> int:
        """Return the accessor number that stands at a place, of an accessor that is sound.

        Raises
        ------
        LoadError
            If there is none of that number, or its object is not as it should be.
        """
        number: int = place.value
        if type(number) is not int or not 0 <= number < self._length:
            number = place.index(self._length, "accessor")
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
        return self.floats_of(self.typed(place, types))

    def floats_of(self, number: int) -> FloatArray:
        """Return the values of `floats` of a numbered accessor."""
        found = self._floats.get(number)
        if found is None:
            later = self._later.get(number)
            found = self._floats[number] = self._decoded(number) if later is None else later.value
        return found

    def _decoded(self, number: int) -> FloatArray:
        stored = self.stored(number)
        self._spend(number, 8 * stored.length * stored.width)
        return stored.floats()

    def later(self, number: int) -> FloatArray | LazyArray:
        """Return the values of `floats_of`, which become numbers when they are first asked for.

        The memory is claimed and the bytes are there: nothing can be wrong with them later.
        """
        found = self._floats.get(number, self._later.get(number))
        if found is None:
            stored = self.stored(number)
            shape = stored.length, stored.width
            self._spend(number, 8 * shape[0] * shape[1])
            found = self._later[number] = LazyArray(shape, stored.floats)
        return found

    def is_finite(self, number: int) -> bool:
        """Tell whether all values of a numbered accessor are finite."""
        surely = self.stored(number).is_surely_finite()
        return surely or bool(np.isfinite(self.floats_of(number)).all())

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
        return np.where(self._extents.plain, self._widths, 0)

    @cached_property
    def _widths(self) -> IntArray:
        return np.array([WIDTHS.get(name, 0) for name in self.types], dtype=np.int64)

    @property
    def counts(self) -> IntArray:
        """``(n,)`` how many elements the accessors have."""
        return self._extents.counts

    def numbers_of(self, accessors: Iterable[int]) -> Numbers:
        """Return what converts the numbers of plain accessors once they are wanted.

        The memory is claimed and the bytes are read already: nothing can be wrong with them later.

        Raises
        ------
        LoadError
            If the file is too small to claim so much, or has not the bytes it states.
        """
        chosen = np.array(sorted(set(accessors)), dtype=np.int64)
        starts, ends = self._extents.first[chosen], self._extents.last[chosen]
        for buffer in set((starts // APART).tolist()):
            self._views.content(buffer)
        if len(chosen):
            self._spend(int(chosen[0]), 8 * int((ends - starts).sum()))
        return Numbers(chosen, starts, ends, self._views.contents)

    @cached_property
    def _extents(self) -> "_Extents":
        """Where the plain 32-bit numbers lie in the buffers."""
        spans = self._views.spans
        view, offset, count, component = np.array(
            [self._in_view, self._offsets, self._counts, self._components], dtype=np.int64
        )
        length, stride = spans.length[view], spans.stride[view]
        size = _FLOAT_SIZE * self._widths
        taken = size * count
        start = spans.start[view] + offset
        plain = self._table.sound & absent(self._sparse)
        plain &= (component == FLOAT) & spans.plain[view]
        plain &= (taken > 0) & (offset + taken <= length)
        plain &= ((stride == 0) | (stride == size)) & (start % _FLOAT_SIZE == 0)
        first = spans.buffer[view] * APART + start // _FLOAT_SIZE
        return _Extents(first, first + taken // _FLOAT_SIZE, plain, count)

    def integers(self, place: Cursor, type_: str) -> IntArray:
        """Return ``(n, width)`` unsigned integers.

        Raises
        ------
        LoadError
            If the accessor holds other numbers.
        """
        number = self.typed(place, (type_,))
        dtype = self.stored(number).dtype
        if dtype.kind != "u":
            raise place.error(f"the numbers must be unsigned integers, not {dtype.name}")
        return self.integers_of(number)

    def integers_of(self, number: int) -> IntArray:
        """Return the values of `integers` of a numbered accessor."""
        found = self._integers.get(number)
        if found is None:
            raw = self.raw(number)
            self._spend(number, 8 * raw.size)
            found = self._integers[number] = raw.astype(np.int64)
            found.setflags(write=False)
        return found

    def typed(self, place: Cursor, types: tuple[str, ...]) -> int:
        """Return the accessor number that stands at a place, of an accessor of one of some types."""
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
        stored = self.stored(number)
        self._spend(number, stored.claim)
        return stored.raw()

    def stored(self, number: int) -> RawAccessor:
        """Return where the components of a numbered accessor are, nothing being wrong with any of it."""
        found = self._stored.get(number)
        if found is None:
            found = self._stored[number] = self._found(number)
        return found

    def _found(self, number: int) -> RawAccessor:
        self._table.use(number)
        component, width = self._form(number)
        count, view = self._counts[number], self._in_view[number]
        normalised = self._normalised[number]
        if number in self._given:
            return RawAccessor(count, width, component, normalised, self._given[number])
        base = None
        if view >= 0 and count:
            base = self._views.strided(
                lambda: self._table.place(number),
                view,
                self._offsets[number],
                component,
                count,
                width,
            )
        if self._sparse[number] is ABSENT:
            return RawAccessor(count, width, component, normalised, base)
        rows, changes = self._exchanged(number, component, count, width)
        return RawAccessor(count, width, component, normalised, base, rows, changes)

    def view(self, place: Cursor) -> memoryview:
        """Return the bytes of the buffer view whose number stands at a place."""
        return self._views.view(place)

    def is_stored(self, number: int) -> bool:
        """Tell whether the document itself says where the accessor's values are."""
        return self._in_view[number] >= 0

    def member(self, number: int, key: str) -> Cursor:
        """Return the place of a member of a numbered accessor, null where it is absent."""
        return self._table.place(number).member(key)

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
        self._stored.pop(number, None)

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

    def _exchanged(
        self, number: int, component: np.dtype[Any], count: int, width: int
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return which elements sparse storage exchanges, and what they become."""
        stated = self._sparse[number]
        if type(stated) is not records.Sparse or not self._is_sound(stated, count):
            stated = self._careful(self._table.place(number).need("sparse"), count)

        indices, values = stated.indices, stated.values
        rows = self._views.strided(
            partial(self._part, number, "indices"),
            indices.bufferView,
            indices.byteOffset,
            COMPONENTS[indices.componentType],
            stated.count,
            1,
        )[:, 0]
        highest = int(np.maximum.reduce(rows))
        if highest >= count:
            raise self._part(number, "indices").error(
                f"element {highest} does not exist: there are {count}"
            )
        changes = self._views.strided(
            partial(self._part, number, "values"),
            values.bufferView,
            values.byteOffset,
            component,
            stated.count,
            width,
        )
        return rows, changes

    def _part(self, number: int, key: str) -> Cursor:
        return self._table.place(number).need("sparse").need(key)

    def _is_sound(self, sparse: records.Sparse, count: int) -> bool:
        last = max(sparse.indices.bufferView, sparse.values.bufferView)
        return sparse.count <= count and last < len(self._views)

    def _careful(self, sparse: Cursor, count: int) -> records.Sparse:
        """Return what a place states of sparse storage, or raise what is wrong with it."""
        exchanged = sparse.need("count").integer(low=1, high=count)
        indices, values = sparse.need("indices"), sparse.need("values")
        component = indices.need("componentType").integer()
        if component not in records.UNSIGNED:
            raise indices.error("sparse indices must be unsigned integers")
        views = (
            p.need("bufferView").index(len(self._views), "bufferView") for p in (indices, values)
        )
        return records.Sparse(
            exchanged,
            records.SparseIndices(
                next(views), cast("records.Unsigned", component), indices.natural("byteOffset")
            ),
            records.SparseValues(next(views), values.natural("byteOffset")),
        )
