"""Buffer views that meshopt's extensions pack: checked, decoded, filtered."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rigview.io.gltf import meshopt
from rigview.io.gltf.cursor import Cursor
from rigview.io.memory_budget import MemoryBudget
from rigview.io.reading import quoted

# The second differs in what its streams may hold only; both are read alike.
EXTENSIONS = ("EXT_meshopt_compression", "KHR_meshopt_compression")
_MOST_STRIDE = 256


class _Filter(NamedTuple):
    """What undoes a filter, and the type and the number of values it works on, by stride."""

    undo: Callable[[NDArray[Any]], NDArray[Any]]
    types: dict[int, str]


_OCTAHEDRAL = _Filter(meshopt.octahedral, {4: "<i1", 8: "<i2"})
_QUATERNION = _Filter(meshopt.quaternion, {8: "<i2"})
_EXPONENTIAL = _Filter(meshopt.exponential, dict.fromkeys(range(4, _MOST_STRIDE + 1, 4), "<i4"))
_COLOUR = _Filter(meshopt.colour, {4: "u1", 8: "<u2"})
_FILTERS: dict[str, _Filter | None] = {
    "NONE": None,
    "OCTAHEDRAL": _OCTAHEDRAL,
    "QUATERNION": _QUATERNION,
    "EXPONENTIAL": _EXPONENTIAL,
    "COLOR": _COLOUR,
}
_INDEX_MODES = {"TRIANGLES": meshopt.triangles, "INDICES": meshopt.sequence}
_INDEX_TYPES = {2: "<u2", 4: "<u4"}


def unpack(place: Cursor, data: bytes, allowance: MemoryBudget) -> bytes:
    """Return what a packed view holds.

    Parameters
    ----------
    place
        The extension's object.
    data
        The packed bytes.

    Raises
    ------
    LoadError
        If they are damaged, or claim more than a file of this size can.
    """
    count = place.need("count").integer(low=0)
    stride_place = place.need("byteStride")
    stride = stride_place.integer(1, _MOST_STRIDE)
    mode = place.need("mode").string()
    name_place = place.get("filter")
    name = "NONE" if name_place is None else name_place.string()
    if name not in _FILTERS:
        raise place.error(f"{quoted(name)} is no filter of {EXTENSIONS[-1]}")
    # Decoding holds the deltas beside the values, in two orders.
    allowance.spend(place, 4 * count * stride)
    try:
        if mode in _INDEX_MODES:
            if stride not in _INDEX_TYPES or (mode == "TRIANGLES" and count % 3):
                raise place.error(f"no {mode} have a stride of {stride} and a count of {count}")
            return _INDEX_MODES[mode](data, count).astype(_INDEX_TYPES[stride]).tobytes()
        if mode != "ATTRIBUTES":
            raise place.error(f"{quoted(mode)} is no mode of {EXTENSIONS[-1]}")
        if stride % 4:
            raise stride_place.error(f"the stride of {stride} is no multiple of 4")
        values = meshopt.attributes(data, count, stride)
    except ValueError as error:
        raise place.error(f"the compressed data are damaged: {error}") from None
    return _unfiltered(stride_place, values, _FILTERS[name], stride)


def _unfiltered(place: Cursor, values: bytes, filter_: _Filter | None, stride: int) -> bytes:
    if filter_ is None:
        return values
    if stride not in filter_.types:
        raise place.error(f"the filter works on no elements of {stride} bytes")
    dtype = np.dtype(filter_.types[stride])
    rows = np.frombuffer(values, dtype).reshape(-1, stride // dtype.itemsize)
    return filter_.undo(rows).tobytes()
