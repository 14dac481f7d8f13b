"""Accessors: typed arrays out of buffers, every bound checked before memory is taken."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.allowance import Allowance
from rigview.io.gltf import packed
from rigview.io.gltf.container import GltfSource
from rigview.io.gltf.cursor import Cursor
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


@dataclass
class Accessors:
    """All accessors of a document; each is decoded once, and the arrays are shared, read-only."""

    source: GltfSource
    places: list[Cursor] = field(init=False)
    allowance: Allowance = field(init=False)
    _views: list[Cursor] = field(init=False)
    _buffers: list[Cursor] = field(init=False)
    _contents: dict[int, memoryview] = field(default_factory=dict)
    _opened: dict[int, tuple[memoryview, int]] = field(default_factory=dict)
    _decoded: dict[int, NDArray[Any]] = field(default_factory=dict)
    _floats: dict[int, FloatArray] = field(default_factory=dict)
    _integers: dict[int, IntArray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        root = self.source.root
        self.places = root.array("accessors")
        self._views = root.array("bufferViews")
        self._buffers = root.array("buffers")
        self.allowance = Allowance(_FLOOR, _GROWTH)

    def number(self, place: Cursor) -> int:
        """Return the accessor number that stands at a place."""
        return place.index(len(self.places), "accessor")

    def count(self, place: Cursor) -> int:
        """Return how many elements the accessor has whose number stands at a place."""
        return self.places[self.number(place)].need("count").integer(low=0)

    def floats(self, place: Cursor, width: int | tuple[int, ...], types: str) -> FloatArray:
        """Return ``(n, width)`` float64 values; normalised integers become −1…1 or 0…1.

        Parameters
        ----------
        place
            Where the accessor's number stands.
        width
            How many components an element has, or which numbers of them are allowed.
        types
            The wanted types, for the message.
        """
        number, raw = self._typed(place, width, types)
        if number not in self._floats:
            self.allowance.spend(place, 8 * raw.size)
            # A signalling NaN complains when it is converted; the checks after this one see it.
            with np.errstate(invalid="ignore"):
                values = raw.astype(np.float64)
            if raw.dtype.kind != "f" and self._is_normalised(number):
                values = np.maximum(values / np.iinfo(raw.dtype).max, -1.0)
            values.flags.writeable = False
            self._floats[number] = values
        return self._floats[number]

    def integers(self, place: Cursor, width: int, types: str) -> IntArray:
        """Return ``(n, width)`` unsigned integers.

        Raises
        ------
        LoadError
            If the accessor holds other numbers.
        """
        number, raw = self._typed(place, width, types)
        if raw.dtype.kind != "u":
            raise place.error(f"the numbers must be unsigned integers, not {raw.dtype.name}")
        if number not in self._integers:
            self.allowance.spend(place, 8 * raw.size)
            values = raw.astype(np.int64)
            values.flags.writeable = False
            self._integers[number] = values
        return self._integers[number]

    def _is_normalised(self, number: int) -> bool:
        flag = self.places[number].get("normalized")
        return flag is not None and flag.boolean()

    def _typed(
        self, place: Cursor, width: int | tuple[int, ...], types: str
    ) -> tuple[int, NDArray[Any]]:
        number = self.number(place)
        raw = self.raw(number)
        allowed = (width,) if isinstance(width, int) else width
        if raw.shape[1] not in allowed:
            stated = self.places[number].need("type").string()
            raise place.error(f"accessor {number} is {stated}, not {types}")
        return number, raw

    def raw(self, number: int) -> NDArray[Any]:
        """Return ``(n, width)`` components as stored, sparse changes applied."""
        if number not in self._decoded:
            self._decoded[number] = self._decode(self.places[number])
        return self._decoded[number]

    def is_stored(self, number: int) -> bool:
        """Tell whether the document itself says where the accessor's values are."""
        return self.places[number].get("bufferView") is not None

    def is_given(self, number: int) -> bool:
        """Tell whether the accessor's values are known."""
        return number in self._decoded

    def give(self, target: Cursor, values: NDArray[Any]) -> None:
        """Let values that were found elsewhere be those of the accessor named at a place.

        Raises
        ------
        LoadError
            If the accessor is of another length or width.
        """
        number = self.number(target)
        place = self.places[number]
        values = values.reshape(len(values), -1)
        width = WIDTHS.get(place.need("type").string())
        if len(values) != self.count(target) or values.shape[1] != width:
            raise place.error(
                f"it is for {self.count(target):,} elements of {width} numbers, and the "
                f"compressed data have {len(values):,} of {values.shape[1]}"
            )
        self._decoded[number] = values.astype(self._component(place))

    def _decode(self, place: Cursor) -> NDArray[Any]:
        component = self._component(place)
        type_ = place.need("type").string()
        if type_ not in WIDTHS:
            raise place.error(f"{quoted(type_)} is no type that rigview reads")
        count = place.need("count").integer(low=0)
        view = place.get("bufferView")
        if view is not None and count:
            array = self._strided(place, view, component, count, WIDTHS[type_])
        else:
            self.allowance.spend(place, count * WIDTHS[type_] * component.itemsize)
            array = np.zeros((count, WIDTHS[type_]), component)
        sparse = place.get("sparse")
        return array if sparse is None else self._sparse(sparse, array)

    def _component(self, place: Cursor) -> np.dtype[Any]:
        found = place.need("componentType")
        code = found.integer()
        if code not in COMPONENTS:
            raise found.error(f"{code} is no component type of glTF")
        return COMPONENTS[code]

    def _strided(
        self, place: Cursor, view: Cursor, component: np.dtype[Any], count: int, width: int
    ) -> NDArray[Any]:
        content, stride = self.view(view)
        size = component.itemsize * width
        offset = _optional(place, "byteOffset", 0)
        stride = stride or size
        if stride < size:
            raise view.error(f"the stride of {stride} bytes is shorter than an element of {size}")
        end = offset + stride * (count - 1) + size
        if end > len(content):
            number = view.integer()
            raise place.error(
                f"it ends {end - len(content):,} bytes after bufferView {number} does"
            )
        return np.ndarray((count, width), component, content, offset, (stride, component.itemsize))

    def view(self, place: Cursor) -> tuple[memoryview, int]:
        """Return the bytes of the buffer view whose number stands at a place, and its stride or 0."""
        number = place.index(len(self._views), "bufferView")
        if number not in self._opened:
            view = self._views[number]
            extensions = view.get("extensions")
            compressed = None if extensions is None else extensions.get(packed.EXTENSION)
            content = self._slice(view if compressed is None else compressed)
            if compressed is not None:
                unpacked = packed.unpack(compressed, bytes(content), self.allowance)
                content = memoryview(unpacked)
            self._opened[number] = content, _optional(view, "byteStride", 0)
        return self._opened[number]

    def _slice(self, holder: Cursor) -> memoryview:
        """Return the bytes that an object's buffer, byteOffset and byteLength tell of."""
        number = holder.need("buffer").index(len(self._buffers), "buffer")
        content = self._content(number)
        offset = _optional(holder, "byteOffset", 0)
        length = holder.need("byteLength").integer(low=0)
        if offset + length > len(content):
            missing = offset + length - len(content)
            raise holder.error(f"it ends {missing:,} bytes after buffer {number} does")
        return content[offset : offset + length]

    def _content(self, number: int) -> memoryview:
        """Return the bytes of a buffer, which allow to claim more."""
        if number not in self._contents:
            content = self.source.buffer(self._buffers[number], number)
            self.allowance.earn(len(content))
            self._contents[number] = content
        return self._contents[number]

    def _sparse(self, place: Cursor, base: NDArray[Any]) -> NDArray[Any]:
        count = place.need("count").integer(low=1, high=len(base))
        indices = place.need("indices")
        values = place.need("values")
        component = self._component(indices)
        if component.kind != "u":
            raise indices.error("sparse indices must be unsigned integers")
        where = self._strided(indices, indices.need("bufferView"), component, count, 1)[:, 0]
        where = where.astype(np.int64)
        if int(where.max()) >= len(base):
            raise indices.error(f"element {int(where.max())} does not exist: there are {len(base)}")
        new = self._strided(values, values.need("bufferView"), base.dtype, count, base.shape[1])
        self.allowance.spend(place, base.nbytes)
        result = base.copy()
        result[where] = new
        return result


def _optional(place: Cursor, key: str, default: int) -> int:
    found = place.get(key)
    return default if found is None else found.integer(low=0)
