"""Geometry: polygons with layers of values become the primitives of a rig, one for each material.

A vertex of the rig is a control point with one value of every layer; vertices keep the order of their
control points.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray, owned, unit
from rigview.core.numeric.lazy import LazyArray
from rigview.io.fbx.blocks import gathered, in_one, mapped, paced
from rigview.io.fbx.corner_layers import GeometryPart, Joined, Values, join
from rigview.io.fbx.polygons import (
    Polygons,
    read_polygons,
    stated_polygons,
    triangulate,
)
from rigview.io.fbx.surfaces import Cut, SurfacePlan, cut_by_material, renumbered
from rigview.io.fbx.tree import Node, all_finite, bounded
from rigview.io.fbx.vertices import vertices
from rigview.io.reading import Pulse

# Corners of geometries that are read together; more take up memory and save no time.
_TOGETHER = 1 << 14
_UP = np.array([0.0, 0.0, 1.0])
_FLIP, _SHIFT = np.array([1.0, -1.0]), np.array([0.0, 1.0])


@dataclass(frozen=True, eq=False)
class MaterialVertices:
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
        self, node_from_geometry: FloatArray, pulse: Pulse, *, last: bool
    ) -> tuple[FloatArray, IntArray, LazyArray | None]:
        """Return positions, triangles and normals in another space.

        Mirrored triangles wind the other way.

        Parameters
        ----------
        last
            Whether nobody needs the positions after that: they may be written over.
        """
        linear = node_from_geometry[:3, :3]
        turn, triangles = None, self.triangles
        into_node = partial(affine.transform_points, node_from_geometry)
        if _only_grows(linear):
            into_node = partial(_grown, linear[0, 0], node_from_geometry[:3, 3])
        else:
            turn, step = affine.of_surface(linear)
            triangles = triangles[:, ::step]
        positions = mapped(into_node, self.positions, pulse, given=last)
        if self.normals is None:
            return positions, triangles, None
        make = partial(_turned, self.normals, turn)
        return positions, triangles, LazyArray(self.normals.shape, make)


def _only_grows(linear: FloatArray) -> bool:
    """Tell whether a ``(3, 3)`` matrix scales by one number above zero."""
    (x, *_), *_ = rows = linear.tolist()
    return bool(x > 0.0 and rows == [[x, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.0, x]])


def _grown(size: float, shift: FloatArray, points: FloatArray) -> FloatArray:
    """Return points scaled by one number and moved."""
    return points * size + shift


def _turned(normals: FloatArray, turn: FloatArray | None) -> FloatArray:
    """Return unit normals, turned; one of no length becomes +Z of the geometry."""
    if turn is None:
        return owned(unit(normals, _UP))
    return owned(unit(normals @ turn.T, unit(turn[:, 2])))


@dataclass(frozen=True, eq=False)
class Geometry:
    """What a geometry shows.

    Parameters
    ----------
    points
        How many control points it has.
    surfaces
        One for each material that it uses, in their order.
    notes
        What was ignored or assumed.
    """

    points: int
    surfaces: list[MaterialVertices]
    notes: list[str]


def read_geometries(nodes: Iterable[Node]) -> Iterator[Geometry]:
    """Yield what geometries show, in their order.

    Small ones are read together: of some programs a character is dozens of meshes of a few polygons
    each, and numpy takes as long to begin as to go through hundreds of them.

    Raises
    ------
    LoadError
        If a geometry is damaged.
    """
    batch: list[_StatedGeometry] = []
    corners = 0
    for node in nodes:
        stated = _StatedGeometry(node, _control_points(node), stated_polygons(node))
        corners += len(stated.corners)
        if batch and corners > _TOGETHER:
            yield from _each(_taken(batch))
            corners = len(stated.corners)
        batch.append(stated)
        del stated
    yield from _each(_taken(batch))


def _each(found: list[Geometry]) -> Iterator[Geometry]:
    """Yield geometries, of which none is kept."""
    found.reverse()
    while found:
        yield found.pop()


@dataclass(frozen=True, eq=False)
class _StatedGeometry:
    """Points and polygons as a geometry states them: ``(P, 3)`` and ``(C,)``."""

    node: Node
    points: NDArray[Any]
    corners: IntArray


def _control_points(geometry: Node) -> NDArray[Any]:
    """Return ``(P, 3)`` points as the file types them; none where the geometry has none."""
    place = geometry.child("Vertices")
    if place is None:
        return np.zeros((0, 3))
    values = place.array()
    if len(values) % 3:
        raise place.error(f"{len(values)} coordinates are not three a point")
    return values.reshape(-1, 3)


def _joined_points(stated: Sequence[_StatedGeometry], pulse: Pulse) -> FloatArray:
    """Return the points of all geometries.

    Raises
    ------
    LoadError
        If a point is not finite.
    """
    points = bounded(in_one([one.points for one in stated]), pulse)
    if all_finite(points, pulse):
        return points
    for one in stated:
        bad = ~np.all(np.isfinite(bounded(one.points)), axis=1)
        if np.any(bad):
            first = int(np.flatnonzero(bad)[0])
            place = one.node.need("Vertices")
            raise place.error(f"{int(bad.sum())} points are not finite, the first is point {first}")
    return points


def _taken(stated: list[_StatedGeometry]) -> list[Geometry]:
    """Return what some geometries show, and empty the list of them."""
    if not stated:
        return []
    pulse = stated[0].node.document.pulse
    for one in stated:
        one.node.document.allowance.spend(one.node, 160 * len(one.corners))
    points = _joined_points(stated, pulse)
    counts = [len(one.points) for one in stated]
    polygons = read_polygons(
        [one.node for one in stated], [one.corners for one in stated], counts, pulse
    )
    nodes, corners = [one.node for one in stated], [len(one.corners) for one in stated]
    stated.clear()
    notes: list[list[str]] = [[] for _ in nodes]
    parts = list(map(GeometryPart, nodes, polygons.split(corners, counts), notes))
    joint = _Joint.of(parts, counts, points, polygons, pulse)
    parts.clear()
    return list(map(Geometry, counts, joint.surfaces(pulse), notes))


@dataclass(frozen=True, eq=False)
class _Joint:
    """Several geometries as one: their points, corners and vertices one after the other.

    Parameters
    ----------
    point_ends
        Where the points of each begin, and where the last ends: G + 1 numbers.
    points
        ``(P, 3)``.
    vertex, first
        ``(C,)`` vertex of every corner, ``(V,)`` first corner of every vertex.
    normals, colours, uvs
        Layers of a kind at the vertices: the first of all geometries, the second, ….
    """

    plan: SurfacePlan
    point_ends: list[int]
    points: FloatArray
    polygons: Polygons
    vertex: IntArray
    first: IntArray
    normals: list[Values]
    colours: list[Values]
    uvs: list[Values]

    @classmethod
    def of(
        cls,
        parts: Sequence[GeometryPart],
        counts: Sequence[int],
        points: FloatArray,
        polygons: Polygons,
        pulse: Pulse,
    ) -> "_Joint":
        """Read the layers and find the vertices."""
        corners = [len(part.polygons.corners) for part in parts]
        layers = [
            join([part.layer("LayerElementNormal", "Normals") for part in parts], corners),
            join([part.layer("LayerElementColor", "Colors") for part in parts], corners),
            join([part.layers("LayerElementUV", "UV") for part in parts], corners),
        ]
        pulse()
        stated = [joined.layer for found in layers for joined in found]
        vertex, first = vertices(polygons.corners, stated, len(points), pulse)
        del stated
        normals, colours, uvs = (_at(first, found, pulse) for found in layers)
        return cls(
            SurfacePlan.of(parts),
            [0, *accumulate(counts)],
            points,
            polygons,
            vertex,
            first,
            normals,
            colours,
            [
                Values(mapped(_from_below, uv.values, pulse, given=True), uv.stated)
                for uv in paced(uvs, pulse)
            ],
        )

    def surfaces(self, pulse: Pulse) -> list[list[MaterialVertices]]:
        """Return the surfaces of every geometry."""
        result: list[list[MaterialVertices]] = [[] for _ in self.point_ends[1:]]
        pieces = triangulate(self.polygons, self.points, pulse)
        of_vertex = gathered(self.polygons.corners, self.first, pulse)
        ends = [0, len(of_vertex)]
        if len(result) > 1:
            ends = np.searchsorted(of_vertex, self.point_ends).tolist()
        for cut in cut_by_material(pieces, self.plan, self.vertex, ends, pulse):
            for planned, surface in zip(cut.surfaces, self._of(cut, of_vertex, pulse), strict=True):
                result[planned.geometry].append(surface)
        return result

    def _of(self, cut: Cut, of_vertex: IntArray, pulse: Pulse) -> Iterator[MaterialVertices]:
        """Yield surfaces; `of_vertex` are the points of all vertices."""
        used, ends = cut.vertices, cut.vertex_ends
        points = of_vertex if used is None else gathered(of_vertex, used, pulse)
        positions = gathered(self.points, points, pulse)
        own = renumbered(points, [self.point_ends[of] for of, _ in cut.surfaces], ends)
        dots = cut.points.ravel()
        normals, colours, uvs = (
            _chosen(layers, cut, pulse) for layers in (self.normals, self.colours, self.uvs)
        )
        slices = zip(*(map(slice, row[:-1], row[1:]) for row in (ends, *cut.ends)), strict=True)
        for (number, material), (rows, *of) in zip(cut.surfaces, slices, strict=True):
            normal, colour, uv = (
                [layer.values[rows] for layer in paced(layers, pulse) if layer.stated[number]]
                for layers in (normals, colours, uvs)
            )
            yield MaterialVertices(
                material,
                own[rows],
                positions[rows],
                cut.triangles[of[0]],
                cut.lines[of[1]],
                dots[of[2]],
                normal[0] if normal else None,
                dict(enumerate(uv)),
                colour[0] if colour else None,
            )


def _at(first: IntArray, found: list[Joined], pulse: Pulse) -> list[Values]:
    """Return layers at the vertices, none of which is kept at the corners."""
    found.reverse()
    return [found.pop().at(first, pulse) for _ in range(len(found))]


def _chosen(layers: list[Values], cut: Cut, pulse: Pulse) -> list[Values]:
    """Return layers at the vertices of some surfaces; after the last none is kept at all of them."""
    if cut.vertices is None:
        return layers
    taken = layers.copy()
    if cut.is_last:
        layers.clear()
    taken.reverse()
    return [taken.pop().chosen(cut.vertices, pulse) for _ in range(len(taken))]


def _from_below(uv: FloatArray) -> FloatArray:
    """Pictures are stored from their top row down, FBX counts v from below."""
    return uv * _FLIP + _SHIFT
