"""Geometry: polygons with layers of values become the primitives of a rig, one for each material.

A layer maps values by control point, by polygon, by corner of a polygon, or one to all, directly or
through indices. A vertex of the rig is a control point with one value of every layer; vertices keep
the order of their control points.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray, owned, unit
from rigview.io.fbx.blocks import blocks, gathered, mapped
from rigview.io.fbx.polygons import Pieces, Polygons, read_polygons, triangulate
from rigview.io.fbx.tree import Node, all_finite, within
from rigview.io.fbx.vertices import Layer, vertices
from rigview.io.reading import Pulse, quoted

_WIDTHS = {"Normals": 3, "UV": 2, "Colors": 4}
_INDICES = {"Normals": "NormalsIndex", "UV": "UVIndex", "Colors": "ColorIndex"}
_EYE = np.eye(3)


# ``(C,)`` which value each corner has; all of them, one after the other.
Index = IntArray | slice


@dataclass(frozen=True, eq=False)
class Surface:
    """Vertices that share one material, in the space of the geometry and the file's units.

    Parameters
    ----------
    material
        Number in the node's list of materials.
    control_points
        ``(V,)`` which of the file's points each vertex is.
    """

    material: int
    control_points: IntArray
    positions: FloatArray
    triangles: IntArray
    lines: IntArray
    points: IntArray
    normals: FloatArray | None
    uvs: dict[int, FloatArray]
    colours: FloatArray | None

    def moved(
        self, node_from_geometry: FloatArray, pulse: Pulse
    ) -> tuple[FloatArray, IntArray, FloatArray | None]:
        """Return positions, triangles and normals in another space.

        Mirrored triangles wind the other way.
        """
        into_node = partial(affine.transform_points, node_from_geometry)
        positions = mapped(into_node, self.positions, pulse)
        linear = node_from_geometry[:3, :3]
        size = linear[0, 0]
        if size > 0.0 and np.array_equal(linear, size * _EYE):
            if self.normals is None:
                return positions, self.triangles, None
            made_unit = partial(unit, fallback=_EYE[2])
            return positions, self.triangles, mapped(made_unit, self.normals, pulse)
        mirrored = bool(affine.determinant(linear) < 0.0)
        triangles = self.triangles[:, ::-1] if mirrored else self.triangles
        if self.normals is None:
            return positions, triangles, None
        turn = affine.cofactor(linear) * (-1.0 if mirrored else 1.0)
        # A normal of no length becomes +Z of the geometry.
        fallback = unit(turn[:, 2])
        normals = mapped(lambda rows: unit(rows @ turn.T, fallback), self.normals, pulse)
        return positions, triangles, normals


def control_points(geometry: Node) -> FloatArray:
    """Return ``(P, 3)`` points; none where the geometry has none.

    Raises
    ------
    LoadError
        If a point is not finite.
    """
    place = geometry.child("Vertices")
    if place is None:
        return np.zeros((0, 3))
    values = place.floats()
    if len(values) % 3:
        raise place.error(f"{len(values)} coordinates are not three a point")
    points = values.reshape(-1, 3)
    if all_finite(points, place.document.pulse):
        return points
    bad = ~np.all(np.isfinite(points), axis=1)
    first = int(np.flatnonzero(bad)[0])
    raise place.error(f"{int(bad.sum())} points are not finite, the first is point {first}")


def read_surfaces(geometry: Node, points: FloatArray, notes: list[str]) -> list[Surface]:
    """Read a mesh of ``(P, 3)`` points: one surface for each material that it uses, in their order."""
    polygons = read_polygons(geometry, len(points))
    corners = polygons.corners
    geometry.document.allowance.spend(geometry, 160 * len(corners))
    pulse = geometry.document.pulse
    layers = _Layers(geometry, polygons, len(points), notes)
    normals = layers.values("LayerElementNormal", "Normals")
    colours = layers.values("LayerElementColor", "Colors")
    uvs = layers.all_values("LayerElementUV", "UV")
    pulse()
    stated = [values for values in (normals, colours, *uvs.values()) if values is not None]
    vertex, first = vertices(corners, stated, len(points), pulse)
    pieces = triangulate(polygons, points, pulse)
    result = []
    for number, shown in _by_material(pieces, layers.materials()):
        used, (triangles, lines, dots) = _renumbered(vertex, len(first), shown, pulse)
        at = first if used is None else first[used]
        result.append(
            Surface(
                number,
                gathered(corners, at, pulse),
                gathered(points, gathered(corners, at, pulse), pulse),
                owned(triangles),
                owned(lines),
                owned(dots.ravel()),
                None if normals is None else owned(normals.at(at, pulse)),
                # Pictures are stored from their top row down, FBX counts v from below.
                {n: owned(mapped(_from_below, uv.at(at, pulse), pulse)) for n, uv in uvs.items()},
                None if colours is None else owned(colours.at(at, pulse)),
            )
        )
    return result


def _from_below(uv: FloatArray) -> FloatArray:
    return uv * (1.0, -1.0) + (0.0, 1.0)


_Corners = tuple[IntArray, ...]


def _by_material(pieces: tuple[Pieces, ...], material: IntArray) -> Iterator[tuple[int, _Corners]]:
    """Yield (material, corners of its triangles, lines and points)."""
    whole = tuple(piece.corners for piece in pieces)
    if not len(material) or np.all(material == material[0]):
        yield int(material[0]) if len(material) else 0, whole
        return
    for number in np.unique(material):
        chosen = material == number
        yield int(number), tuple(piece.corners[chosen[piece.polygons]] for piece in pieces)


def _renumbered(
    vertex: IntArray, count: int, shown: _Corners, pulse: Pulse
) -> tuple[IntArray | None, list[IntArray]]:
    """Return the vertices that are used, None for all, and vertex numbers among those."""
    numbers = [gathered(vertex, corners, pulse) for corners in shown]
    is_used = np.zeros(count, dtype=np.bool_)
    for of in numbers:
        for rows in blocks(len(of), pulse):
            is_used[of[rows]] = True
    if np.all(is_used):
        return None, numbers
    place = np.cumsum(is_used) - 1
    return np.flatnonzero(is_used), [place[of] for of in numbers]


class _Layers:
    """The layers of one geometry."""

    def __init__(self, geometry: Node, polygons: Polygons, points: int, notes: list[str]) -> None:
        self.geometry, self.polygons, self.points, self.notes = geometry, polygons, points, notes
        self.pulse = geometry.document.pulse

    def values(self, kind: str, name: str) -> Layer | None:
        """Return the values at the corners by the first layer of a kind."""
        found = self.geometry.child(kind)
        return None if found is None else self._at_corners(found, name)

    def all_values(self, kind: str, name: str) -> dict[int, Layer]:
        """Return layer number → values for all layers of a kind."""
        result: dict[int, Layer] = {}
        for layer in self.geometry.all(kind):
            values = self._at_corners(layer, name)
            if values is not None:
                result[len(result)] = values
        return result

    def materials(self) -> IntArray:
        """Return ``(polygons,)`` numbers in the node's list of materials."""
        count = len(self.polygons.starts)
        none: IntArray = np.zeros(count, dtype=np.int64)
        layer = self.geometry.child("LayerElementMaterial")
        found = None if layer is None else layer.child("Materials")
        if layer is None or found is None:
            return none
        numbers = np.maximum(found.integers(), 0)
        mapping = layer.child("MappingInformationType")
        if mapping is not None and mapping.text() == "ByPolygon" and len(numbers) >= count:
            return numbers[:count]
        return none + (numbers[0] if len(numbers) else 0)

    def _at_corners(self, layer: Node, name: str) -> Layer | None:
        place = layer.child(name)
        if place is None:
            return None
        width = _WIDTHS[name]
        stated = place.floats()
        values = stated[: len(stated) // width * width].reshape(-1, width)
        index = self._index(layer)
        if index is None or not len(values):
            return None
        reference = layer.child("ReferenceInformationType")
        if reference is not None and reference.text() in ("IndexToDirect", "Index"):
            through = layer.child(_INDICES[name])
            if through is not None:
                index = self._through(through, index)
        if not all_finite(values, self.pulse) or not self._within(index, len(values)):
            repaired = self._repaired(layer, name, values, index)
            return None if repaired is None else Layer(repaired, slice(0, len(repaired)))
        return Layer(values[index] if isinstance(index, slice) else values, index)

    def _within(self, index: Index, count: int) -> bool:
        if isinstance(index, slice):
            return index.stop <= count
        return within(index, count, self.pulse)

    def _repaired(
        self, layer: Node, name: str, values: FloatArray, which: Index
    ) -> FloatArray | None:
        """Return values at the corners with zeros where there are none; None where none is sound."""
        index = np.arange(len(self.polygons.corners)) if isinstance(which, slice) else which
        wrong = (index < 0) | (index >= len(values))
        if np.all(wrong):
            self.notes.append(f"{name} of {self._where(layer)} name no values and are ignored")
            return None
        result = values[np.where(wrong, 0, index)]
        wrong |= ~np.all(np.isfinite(result), axis=1)
        if np.any(wrong):
            self.notes.append(
                f"{name} of {self._where(layer)} are missing or not finite at {int(wrong.sum()):,} "
                f"of {len(index):,} corners"
            )
            result = np.where(wrong[:, None], 0.0, result)
        return result

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
        self.notes.append(f"{self._where(layer)} is mapped {quoted(kind) or 'in no way'}: ignored")
        return None

    def _through(self, place: Node, which: Index) -> IntArray:
        indices = place.integers()
        if self._within(which, len(indices)):
            return (
                indices[which] if isinstance(which, slice) else gathered(indices, which, self.pulse)
            )
        index = np.arange(len(self.polygons.corners)) if isinstance(which, slice) else which
        if not len(indices):
            return np.full(len(index), -1)
        inside = (index >= 0) & (index < len(indices))
        return np.where(inside, indices[np.where(inside, index, 0)], -1)

    def _where(self, layer: Node) -> str:
        return f"{layer.name} at {layer.document.place(layer.offset)}"
