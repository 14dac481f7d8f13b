"""Blend shapes with in-betweens: their displacements, and weights as functions of their channels.

A channel has a percentage, animated or not, and shapes that are full at given percentages, also
negative ones; at 0 there is none. Between two neighbours the shapes blend linearly; beyond the ends
the last piece goes on. Every shape is a morph target of the rig.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.mesh import MorphTargets
from rigview.core.numeric.lazy import LazyArray
from rigview.io.fbx.layers import WEIGHT, Stack
from rigview.io.fbx.objects import Element, Objects
from rigview.io.fbx.tree import Key, Node, split_name
from rigview.io.inbetweens import shares

_FULL = 100.0
_BYTES_A_POINT = 24


@dataclass(frozen=True, eq=False)
class PointOffsets:
    """Displacements of control points, in the geometry's space and the file's units."""

    name: str
    points: IntArray
    positions: FloatArray
    normals: FloatArray | None


@dataclass(frozen=True, eq=False)
class ShapeChannel:
    """A weight in percent and the shapes it brings in.

    Parameters
    ----------
    full
        ``(S,)`` ascending percentages at which the shapes are full.
    """

    key: Key
    rest: float
    full: FloatArray
    shapes: tuple[PointOffsets, ...]

    def weights(self, percent: FloatArray) -> FloatArray:
        """Return ``(…, S)`` weights of the shapes at ``(…)`` percentages."""
        return shares(self.full, percent)


def read_shapes(
    owner: Element, points: int, objects: Objects, notes: list[str]
) -> list[ShapeChannel]:
    """Read all channels of a mesh that have a shape."""
    result = []
    for deformer in objects.sources(owner.key, "Deformer", "BlendShape"):
        for channel in objects.sources(deformer.key, "Deformer", "BlendShapeChannel"):
            shapes = objects.sources(channel.key, "Geometry", "Shape")
            if shapes:
                result.append(_channel(channel, shapes, points, notes))
    return result


def _channel(
    channel: Element, elements: list[Element], points: int, notes: list[str]
) -> ShapeChannel:
    stated = channel.node.child("FullWeights")
    full = np.zeros(0) if stated is None else stated.floats()
    shares = None
    if len(elements) == 1 and len(full) > 1:
        # Blender writes its vertex group here: a percentage for each displaced point.
        shares, full = full / _FULL, full[:0]
    shapes = [
        read_shape(element.node, element.name or channel.name, points, shares)
        for element in elements
    ]
    if len(full) != len(shapes) or not np.all(np.isfinite(full)) or np.any(full == 0.0):
        if len(shapes) > 1:
            notes.append(f"the shapes of {channel.name} state no usable weights: evenly spaced")
        full = _FULL * np.arange(1, len(shapes) + 1) / len(shapes)
    order = np.argsort(full, kind="stable")
    percent = channel.node.child("DeformPercent")
    rest = channel.number(WEIGHT, 0.0 if percent is None else percent.number())
    rest = rest if np.isfinite(rest) else 0.0
    return ShapeChannel(channel.key, rest, full[order], tuple(shapes[i] for i in order))


def read_shape(
    node: Node, name: str, points: int, shares: FloatArray | None = None
) -> PointOffsets:
    """Read displacements of control points, those of `shares` times as much."""
    place, moved = node.child("Indexes"), node.child("Vertices")
    index = np.zeros(0, dtype=np.int64) if place is None else place.integers()
    positions = _rows(moved, len(index))
    turned = node.child("Normals")
    normals = None if turned is None else _rows(turned, len(index))
    if shares is not None and len(shares) == len(index):
        positions = positions * shares[:, None]
        normals = None if normals is None else normals * shares[:, None]
    inside = (index >= 0) & (index < points)
    inside &= np.all(np.isfinite(positions), axis=1)
    if normals is not None:
        inside &= np.all(np.isfinite(normals), axis=1)
        normals = normals[inside]
    return PointOffsets(split_name(name), index[inside], positions[inside], normals)


def _rows(place: Node | None, count: int) -> FloatArray:
    values = np.zeros(0) if place is None else place.floats()
    if place is not None and len(values) != 3 * count:
        raise place.error(f"{len(values)} coordinates for {count} points")
    return values.reshape(-1, 3) if len(values) else np.zeros((count, 3))


def morph_targets(
    owner: Element,
    channels: list[ShapeChannel],
    points: int,
    control_points: IntArray,
    linear: FloatArray,
) -> MorphTargets:
    """Return the targets of the vertices whose control points are given, made when asked for.

    Parameters
    ----------
    linear
        ``(3, 3)`` from the geometry's space to the mesh's.
    """
    shapes = [shape for channel in channels for shape in channel.shapes]
    has_normals = any(shape.normals is not None for shape in shapes)
    size = len(shapes) * len(control_points) * _BYTES_A_POINT
    owner.node.document.allowance.spend(owner.node, 2 * size if has_normals else size)

    def later(rows: list[FloatArray | None], turn: FloatArray) -> LazyArray:
        moved = [(shape.points, row) for shape, row in zip(shapes, rows, strict=True)]
        make = partial(_at_vertices, moved, points, control_points, turn)
        return LazyArray((len(shapes), len(control_points), 3), make)

    return MorphTargets(
        later([shape.positions for shape in shapes], linear),
        later([shape.normals for shape in shapes], _unscaled(linear)) if has_normals else None,
        None,
        tuple(shape.name for shape in shapes),
    )


def _at_vertices(
    moved: Sequence[tuple[IntArray, FloatArray | None]],
    points: int,
    control_points: IntArray,
    linear: FloatArray,
) -> FloatArray:
    """Return ``(T, V, 3)`` displacements of vertices from those of some of the control points."""
    result = np.zeros((len(moved), len(control_points), 3))
    of_point = np.zeros((points, 3))
    for i, (index, displacements) in enumerate(moved):
        if displacements is not None:
            of_point[index] = displacements @ linear.T
            result[i] = of_point[control_points]
            of_point[index] = 0.0
    return result


def _unscaled(linear: FloatArray) -> FloatArray:
    size = np.cbrt(abs(affine.determinant(linear)))
    return linear / size if size > 0.0 else linear


def rest_weights(channels: list[ShapeChannel]) -> FloatArray:
    """Return ``(T,)`` weights of all targets without animation."""
    rows = [
        # Nearly all rest at 0, where there is none of any shape.
        channel.weights(np.array(channel.rest)) if channel.rest else np.zeros(len(channel.full))
        for channel in channels
    ]
    return np.concatenate(rows) if rows else np.zeros(0)


def moved(channels: list[ShapeChannel], stack: Stack) -> bool:
    """Tell whether a stack moves any of the channels."""
    return any(stack.moves(channel.key, WEIGHT) for channel in channels)


def shape_nodes(objects: Objects, geometry: Element) -> list[Node]:
    """Return the records of all blend shapes of a geometry."""
    shapes = list(geometry.node.all("Shape"))
    for deformer in objects.sources(geometry.key, "Deformer", "BlendShape"):
        for channel in objects.sources(deformer.key, "Deformer", "BlendShapeChannel"):
            shapes += [shape.node for shape in objects.sources(channel.key, "Geometry", "Shape")]
    return shapes
