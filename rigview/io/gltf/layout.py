"""Which bytes of the buffers lie under which accessors, and how often each accessor is named."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from rigview.io.gltf.accessors import COMPONENTS, WIDTHS
from rigview.io.gltf.cursor import Cursor
from rigview.io.reading import LoadError

# An interleaved view holds a handful of attributes; of more that overlap none is written in place.
_MOST_OVERLAPPING = 64
_NAMING_ONE = ("indices", "inverseBindMatrices", "input", "output")


class _Extent(NamedTuple):
    """Bytes of a buffer: from `start` to before `end`, `size` of them every `stride`."""

    accessor: int | None
    buffer: int
    start: int
    end: int
    stride: int
    size: int


def crowded(root: Cursor) -> set[int]:
    """Return the accessors over whose bytes anything else of the document may lie."""
    extents = sorted(_extents(root), key=lambda e: (e.buffer, e.start))
    found: set[int] = set()
    open_: list[_Extent] = []
    for extent in extents:
        open_ = [e for e in open_ if e.buffer == extent.buffer and e.end > extent.start]
        many = len(open_) >= _MOST_OVERLAPPING
        for other in open_:
            if many or not _interleaved(other, extent):
                found |= {n for n in (other.accessor, extent.accessor) if n is not None}
        if many:
            # The one that reaches furthest stands for all: whatever it meets is crowded as well.
            open_ = [max(open_, key=lambda e: e.end)._replace(accessor=None, stride=1, size=1)]
        open_.append(extent)
    return found


def _interleaved(a: _Extent, b: _Extent) -> bool:
    """Tell whether two extents share a stride and lie beside each other within it."""
    gap = (b.start - a.start) % a.stride
    return a.stride == b.stride and gap >= a.size and gap + b.size <= a.stride


def _extents(root: Cursor) -> Iterator[_Extent]:
    """Yield the bytes that every accessor takes, and every view that is no accessor's alone."""
    views = root.array("bufferViews")
    read = set()
    for number, place in enumerate(root.array("accessors")):
        try:
            stored = place.get("bufferView")
            if stored is not None:
                view = stored.index(len(views), "bufferView")
                yield _extent(number, place, views[view])
                read.add(view)
        except LoadError:
            continue  # what cannot be read is no place to write to, and its view counts as a whole
    for number, view_place in enumerate(views):
        if number not in read:
            # An image, sparse data, something compressed, or nothing at all.
            try:
                yield _whole(view_place)
            except LoadError:
                continue


def _extent(number: int, place: Cursor, view: Cursor) -> _Extent:
    """Return the bytes of an accessor; the whole view where its elements have unknown size."""
    type_ = place.need("type").string()
    component = COMPONENTS.get(place.need("componentType").integer())
    if type_ not in WIDTHS or component is None:
        return _whole(view)
    size = component.itemsize * WIDTHS[type_]
    stride = view.natural("byteStride") or size
    start = view.natural("byteOffset") + place.natural("byteOffset")
    count = place.need("count").integer(low=0)
    end = start + stride * max(0, count - 1) + size
    return _Extent(number, view.need("buffer").integer(low=0), start, end, stride, size)


def _whole(view: Cursor) -> _Extent:
    start, length = view.natural("byteOffset"), view.need("byteLength").integer(low=0)
    buffer = view.need("buffer").integer(low=0)
    return _Extent(None, buffer, start, start + length, max(1, length), max(1, length))


def references(document: dict[str, Any]) -> dict[int, int]:
    """Count how often each accessor is named, extensions included; never too few."""
    counts: dict[int, int] = defaultdict(int)
    waiting: list[Any] = [document.get(key) for key in ("meshes", "skins", "animations", "nodes")]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            for number in _named(value):
                counts[number] += 1
            waiting.extend(value.values())
    return counts


def _named(holder: dict[str, Any]) -> Iterator[int]:
    """Yield the accessors that an object names itself."""
    values = [holder.get(key) for key in _NAMING_ONE]
    tables = [holder.get("attributes")]
    targets = holder.get("targets")
    tables += targets if isinstance(targets, list) else []
    values += [number for table in tables if isinstance(table, dict) for number in table.values()]
    yield from (number for number in values if type(number) is int)
