"""Layers of values on the corners of polygons: normals, texture coordinates, colours, materials.

A layer maps values by control point, by polygon, by corner of a polygon, or one to all, directly or
through indices. The layers of several geometries are checked and joined together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx.blocks import gathered, in_one, of_type
from rigview.io.fbx.polygons import Polygons
from rigview.io.fbx.tree import Node, are_bounded, bounded, within
from rigview.io.fbx.vertices import LayerElement
from rigview.io.reading import Pulse, quoted

_WIDTHS = {"Normals": 3, "UV": 2, "Colors": 4}
_INDICES = {"Normals": "NormalsIndex", "UV": "UVIndex", "Colors": "ColorIndex"}

# ``(C,)`` which value each corner has; all of them, one after the other.
Index = IntArray | slice


@dataclass(frozen=True, eq=False)
class GeometryPart:
    """One of several geometries that are read together.

    Parameters
    ----------
    polygons
        Its own, with the numbers of its own control points.
    notes
        What is ignored or assumed of it.
    """

    node: Node
    polygons: Polygons
    notes: list[str]

    def layer(self, kind: str, name: str) -> list["StatedLayer"]:
        """Return the first layer of a kind, if there is one that can be read."""
        found = self.node.child(kind)
        return [] if found is None else self._stated([found], name)

    def layers(self, kind: str, name: str) -> list["StatedLayer"]:
        """Return all layers of a kind that can be read."""
        return self._stated(self.node.all(kind), name)

    def _stated(self, layers: Iterable[Node], name: str) -> list["StatedLayer"]:
        found = (self._read(layer, name) for layer in layers)
        return [stated for stated in found if stated is not None]

    def materials(self) -> IntArray | int:
        """Return ``(polygons,)`` numbers in the node's list of materials, or one for all."""
        count = len(self.polygons.starts)
        layer = self.node.child("LayerElementMaterial")
        found = None if layer is None else layer.child("Materials")
        if layer is None or found is None:
            return 0
        numbers = found.integers()
        mapping = layer.child("MappingInformationType")
        if mapping is not None and mapping.text() == "ByPolygon" and len(numbers) >= count > 0:
            numbers = np.maximum(numbers[:count], 0)
            return numbers if np.any(numbers != numbers[0]) else int(numbers[0])
        return max(int(numbers[0]), 0) if len(numbers) else 0

    def _read(self, layer: Node, name: str) -> "StatedLayer | None":
        place = layer.child(name)
        if place is None:
            return None
        width = _WIDTHS[name]
        stated = place.array()
        values = stated[: len(stated) // width * width].reshape(-1, width)
        index = self._index(layer)
        if index is None or not len(values):
            return None
        reference = layer.child("ReferenceInformationType")
        if reference is not None and reference.text() in ("IndexToDirect", "Index"):
            through = layer.child(_INDICES[name])
            if through is not None:
                index = self._through(through, index)
        return StatedLayer(
            self, layer, name, values[index] if isinstance(index, slice) else values, index
        )

    def _index(self, layer: Node) -> Index | None:
        """Return which value each corner has, or None where that is not known."""
        mapping = layer.child("MappingInformationType")
        kind = "" if mapping is None else mapping.text()
        if kind == "ByPolygonVertex":
            return slice(0, len(self.polygons.corners))
        if kind in ("ByVertice", "ByVertex", "ByControlPoint"):
            return self.polygons.corners
        if kind == "ByPolygon":
            return self.polygons.of_corner
        if kind == "AllSame":
            return np.zeros(len(self.polygons.corners), dtype=np.int64)
        self.notes.append(f"{_where(layer)} is mapped {quoted(kind) or 'in no way'}: ignored")
        return None

    def _through(self, place: Node, which: Index) -> IntArray:
        indices, pulse = place.integers(), place.document.pulse
        if isinstance(which, slice):
            if which.stop <= len(indices):
                return indices[which]
            which = np.arange(which.stop)
        elif within(which, len(indices), pulse):
            return gathered(indices, which, pulse)
        if not len(indices):
            return np.full(len(which), -1)
        inside = (which >= 0) & (which < len(indices))
        return np.where(inside, indices[np.where(inside, which, 0)], -1)


@dataclass(frozen=True, eq=False)
class StatedLayer:
    """A layer as a geometry states it.

    Parameters
    ----------
    values
        ``(n, w)`` of any type.
    index
        Which of them each corner has; where it is all of them, values may be missing at the end.
    """

    part: GeometryPart
    node: Node
    name: str
    values: NDArray[Any]
    index: Index

    @property
    def is_sound(self) -> bool:
        """Whether every corner has a value, and all values are finite."""
        pulse = self.node.document.pulse
        if not len(self.part.polygons.corners):
            return True
        if not are_bounded(self.values, pulse):
            return False
        if isinstance(self.index, slice):
            return self.index.stop <= len(self.values)
        return within(self.index, len(self.values), pulse)

    def repaired(self) -> "StatedLayer | None":
        """Return values with zeros where there are none; None where none is sound."""
        index = np.arange(self.index.stop) if isinstance(self.index, slice) else self.index
        wrong = (index < 0) | (index >= len(self.values))
        if np.all(wrong):
            self._note("name no values and are ignored")
            return None
        result = bounded(self.values, self.node.document.pulse)[np.where(wrong, 0, index)]
        wrong |= ~np.all(np.isfinite(result), axis=1)
        if np.any(wrong):
            count = int(wrong.sum())
            self._note(f"are missing or not finite at {count:,} of {len(index):,} corners")
            result = np.where(wrong[:, None], 0.0, result)
        return replace(self, values=result, index=slice(0, len(index)))

    def _note(self, text: str) -> None:
        self.part.notes.append(f"{self.name} of {_where(self.node)} {text}")


@dataclass(frozen=True, eq=False)
class Joined:
    """Layers of several geometries, one after the other.

    Parameters
    ----------
    layer
        At all corners of all of them.
    stated
        Which of the geometries have such a layer; the values of the others mean nothing.
    is_sound
        Whether every corner has a value of its own geometry, and all values are finite.
    """

    layer: LayerElement
    stated: Sequence[bool]
    is_sound: bool

    def at(self, corners: IntArray, pulse: Pulse) -> "Values":
        """Return the values at some corners."""
        pulse()
        return Values(self.layer.at(corners, pulse), self.stated)


@dataclass(frozen=True, eq=False)
class Values:
    """Values at the vertices of several geometries, ``(V, w)``, and which of those state them."""

    values: FloatArray
    stated: Sequence[bool]

    def chosen(self, vertices: IntArray, pulse: Pulse) -> "Values":
        """Return the values at some of the vertices."""
        return Values(gathered(self.values, vertices, pulse), self.stated)


def join(found: Sequence[Sequence[StatedLayer]], corners: Sequence[int]) -> list[Joined]:
    """Return what geometries state as layers of all of them: the first of each, the second, ….

    Parameters
    ----------
    corners
        How many corners each geometry has.
    """
    joined = _in_turn(found, corners)
    if all(one.is_sound for one in joined):
        return joined
    sound = [
        [s for stated in one if (s := stated if stated.is_sound else stated.repaired())]
        for one in found
    ]
    return _in_turn(sound, corners)


def _in_turn(found: Sequence[Sequence[StatedLayer]], corners: Sequence[int]) -> list[Joined]:
    most = max(map(len, found), default=0)
    return [
        _joined([one[k] if k < len(one) else None for one in found], corners) for k in range(most)
    ]


def _joined(found: Sequence[StatedLayer | None], corners: Sequence[int]) -> Joined:
    pulse = next(stated.node.document.pulse for stated in found if stated is not None)
    pulse()
    if len(found) == 1 and found[0] is not None:
        only = found[0]
        layer = LayerElement(of_type(only.values, np.float64, pulse), only.index)
        return Joined(layer, [True], only.is_sound)
    (width,) = {stated.values.shape[1] for stated in found if stated is not None}
    in_order = all(stated is None or isinstance(stated.index, slice) for stated in found)
    values: list[NDArray[Any]] = []
    index: list[IntArray] = []
    is_sound = True
    for stated, count in zip(found, corners, strict=True):
        if stated is None:
            values.append(np.zeros((count if in_order else 1, width)))
            which: Index = slice(0, 0) if in_order else np.zeros(count, dtype=np.int64)
        else:
            values.append(stated.values)
            which = stated.index
        if not isinstance(which, slice):
            index.append(which)
        else:
            is_sound &= which.stop <= len(values[-1])
            if not in_order:
                index.append(np.arange(count))
    together = of_type(in_one(values), np.float64, pulse)
    is_sound = is_sound and are_bounded(together, pulse)
    of: Index = slice(0, len(together))
    if not in_order:
        counts = np.array([len(one) for one in values])
        of = in_one(index)
        is_sound = is_sound and within(of, np.repeat(counts, corners), pulse)
        of = of + np.repeat(np.cumsum(counts) - counts, corners)
    return Joined(LayerElement(together, of), [stated is not None for stated in found], is_sound)


def _where(layer: Node) -> str:
    return f"{layer.name} at {layer.document.place(layer.offset)}"
