"""New values into accessors: over the old bytes where nobody else reads them, else behind all others."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.io.gltf.accessors import COMPONENTS, WIDTHS
from rigview.io.gltf.container import GltfSource
from rigview.io.gltf.layout import crowded, references
from rigview.io.gltf.written import as_stored, bounds, form
from rigview.io.reading import LoadError


@dataclass(eq=False)
class _Assignment:
    """One reference to an accessor, and the values it shall have."""

    holder: dict[str, Any]
    key: str
    values: NDArray[Any]
    normalised: bool
    bounds: bool
    target: int | None

    @property
    def content(self) -> tuple[Any, ...]:
        return self.values.dtype.str, self.values.shape, self.values.tobytes()


class Store:
    """The buffers of a document that is being changed, and the accessors over them.

    Attributes
    ----------
    buffers
        The bytes of every buffer, changed or not; None where it cannot be read.
    """

    def __init__(self, source: GltfSource, document: dict[str, Any]) -> None:
        self._source, self._document = source, document
        self._places = source.root.array("buffers")
        self.buffers = [self._read(number) for number in range(len(self._places))]
        self._assignments: list[_Assignment] = []

    def _read(self, number: int) -> bytearray | None:
        try:
            return bytearray(self._source.buffer(self._places[number], number))
        except LoadError:
            return None

    def is_changed(self, number: int) -> bool:
        """Tell whether a buffer holds other bytes than the file's."""
        data = self.buffers[number]
        if data is None or number >= len(self._places):
            return data is not None
        return data != self._source.buffer(self._places[number], number)

    def component(self, holder: dict[str, Any], key: str) -> tuple[int, bool] | None:
        """Return the component type of the accessor at a place and whether it is normalised."""
        if key not in holder:
            return None
        accessor = self._document["accessors"][holder[key]]
        return accessor["componentType"], accessor.get("normalized", False)

    def width(self, number: int) -> int:
        """Return how many components an element of an accessor has."""
        return WIDTHS[self._document["accessors"][number]["type"]]

    def assign(
        self,
        holder: dict[str, Any],
        key: str,
        values: NDArray[Any],
        *,
        normalised: bool = False,
        bounds: bool = False,
        target: int | None = None,
    ) -> None:
        """Plan that the accessor named by `holder[key]` shall have ``(n, width)`` `values`.

        Parameters
        ----------
        bounds
            Whether min and max must be stated.
        target
            The use of the bytes that a new buffer view states.
        """
        stored = as_stored(values)
        self._assignments.append(_Assignment(holder, key, stored, normalised, bounds, target))

    def is_planned(self, holder: dict[str, Any], key: str | None = None) -> bool:
        """Tell whether the accessor that an object names, or any of them, shall have new values."""
        return any(
            assignment.holder is holder and key in (None, assignment.key)
            for assignment in self._assignments
        )

    def write(self) -> None:
        """Carry out the plan."""
        if not self._assignments:
            return
        named = references(self._document)
        shared = crowded(self._source.root)
        by_accessor: dict[int | None, list[_Assignment]] = defaultdict(list)
        for assignment in self._assignments:
            by_accessor[assignment.holder.get(assignment.key)].append(assignment)
        for number, assignments in by_accessor.items():
            groups: dict[tuple[Any, ...], list[_Assignment]] = defaultdict(list)
            for assignment in assignments:
                groups[assignment.content].append(assignment)
            alone = len(groups) == 1 and len(assignments) == named.get(number or 0)
            if number is not None and alone:
                self._replace(number, assignments[0], in_place=number not in shared)
            else:
                for members in groups.values():
                    self._add(members)
        self._assignments.clear()

    def _add(self, members: list[_Assignment]) -> None:
        """Give assignments of equal values one new accessor."""
        accessors = self._document.setdefault("accessors", [])
        accessors.append({})
        self._append(accessors[-1], members[0])
        for member in members:
            member.holder[member.key] = len(accessors) - 1

    def _replace(self, number: int, assignment: _Assignment, *, in_place: bool) -> None:
        accessor = self._document["accessors"][number]
        target = self._target(accessor, assignment) if in_place else None
        if target is None:
            for key in ("sparse", "byteOffset", "normalized"):
                accessor.pop(key, None)
            self._append(accessor, assignment)
            return
        target[...] = assignment.values
        _state_bounds(accessor, assignment)

    def _target(self, accessor: dict[str, Any], assignment: _Assignment) -> NDArray[Any] | None:
        """Return the old values' place as an array, or None where the new ones do not fit over them."""
        values = assignment.values
        fits = (
            "bufferView" in accessor
            and "sparse" not in accessor
            and COMPONENTS[accessor["componentType"]] == values.dtype
            and (accessor["count"], WIDTHS[accessor["type"]]) == values.shape
            and accessor.get("normalized", False) == assignment.normalised
        )
        if not fits:
            return None
        view = self._document["bufferViews"][accessor["bufferView"]]
        buffer = self.buffers[view["buffer"]]
        # An extension of the view may hold the same values in another form, compressed for example.
        if buffer is None or "extensions" in view:
            return None
        offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", 0) or values.itemsize * values.shape[1]
        return np.ndarray(values.shape, values.dtype, buffer, offset, (stride, values.itemsize))

    def _append(self, accessor: dict[str, Any], assignment: _Assignment) -> None:
        """Write values behind the last byte of a buffer, in a view of their own."""
        number, buffer = self._home()
        buffer.extend(b"\0" * (-len(buffer) % 4))
        values = assignment.values
        pad = 0
        if assignment.target is not None:
            # Vertex attributes must start at multiples of four bytes: glTF 2.0, 3.6.2.4.
            pad = -(values.shape[1] * values.itemsize) % 4 // values.itemsize
        stored = np.pad(values, ((0, 0), (0, pad)))
        view = {"buffer": number, "byteOffset": len(buffer), "byteLength": stored.nbytes}
        if assignment.target is not None:
            view["byteStride"] = stored.shape[1] * stored.itemsize
            view["target"] = assignment.target
        buffer.extend(stored.tobytes())
        views = self._document.setdefault("bufferViews", [])
        views.append(view)
        accessor.update(bufferView=len(views) - 1, **form(values))
        if assignment.normalised:
            accessor["normalized"] = True
        _state_bounds(accessor, assignment)

    def _home(self) -> tuple[int, bytearray]:
        """Return the first buffer that can be read, with its number; there is one after this."""
        for number, data in enumerate(self.buffers):
            if data is not None:
                return number, data
        new = bytearray()
        self.buffers.append(new)
        self._document.setdefault("buffers", []).append({"byteLength": 0})
        return len(self.buffers) - 1, new


def _state_bounds(accessor: dict[str, Any], assignment: _Assignment) -> None:
    """State the least and the greatest value of each component where they are wanted or were stated."""
    if not assignment.bounds and "min" not in accessor and "max" not in accessor:
        return
    found = bounds(assignment.values)
    if not found:
        accessor.pop("min", None)
        accessor.pop("max", None)
    accessor.update(found)
