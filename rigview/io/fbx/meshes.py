"""Meshes as nodes show them: geometry, skin and blend shapes brought together."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray, owned
from rigview.core.clip import Channel
from rigview.core.mesh import Influences, Mesh, Primitive
from rigview.core.numeric.lazy import LazyArray
from rigview.core.rig import Skin
from rigview.io import sampling
from rigview.io.colours import linear
from rigview.io.fbx.blocks import gathered, paced
from rigview.io.fbx.hierarchy import FbxHierarchy
from rigview.io.fbx.layers import (
    ROTATION,
    SCALE,
    TRANSLATION,
    WEIGHT,
    Property,
    Stack,
    breaks,
    stated_times,
)
from rigview.io.fbx.legacy import read_shapes_of_node
from rigview.io.fbx.materials import FbxMaterials
from rigview.io.fbx.mesh import Geometry, MaterialVertices, read_geometries
from rigview.io.fbx.objects import Element, Objects
from rigview.io.fbx.shapes import ShapeChannel, morph_targets, moved, read_shapes, rest_weights
from rigview.io.fbx.skins import PointInfluences, read_skin
from rigview.io.fbx.tree import Key
from rigview.io.reading import Notes, Pulse, quoted

# Positions, normals and texture coordinates; a geometry may be shown by any number of nodes.
_BYTES_A_VERTEX = 64


@dataclass(frozen=True, eq=False)
class _Shown:
    """A geometry, read."""

    element: Element
    points: int
    surfaces: list[MaterialVertices]
    channels: list[ShapeChannel]


class Meshes:
    """The meshes and skins of a rig, read one after the other."""

    def __init__(
        self,
        objects: Objects,
        hierarchy: FbxHierarchy,
        stacks: Sequence[Stack],
        materials: FbxMaterials,
        notes: Notes,
        pulse: Pulse,
    ) -> None:
        self._objects, self._hierarchy, self._materials = objects, hierarchy, materials
        self._stacks = stacks
        self._notes, self._pulse = notes, pulse
        self._shown: dict[Key, _Shown] = {}
        self._nodes_left: Counter[Key] = Counter()
        self._geometries: Iterator[Geometry] = iter(())
        self._numbers: dict[tuple[object, ...], int] = {}
        # Node → the channels of the shapes that it shows.
        self.channels: dict[int, list[ShapeChannel]] = {}
        count = len(hierarchy.rig_nodes)
        # Node of the hierarchy → the geometry that it shows, and from its space to the mesh's.
        self.geometries: dict[int, Element] = {}
        self.spaces: dict[int, FloatArray] = {}
        # Mesh → per primitive the control point of every vertex.
        self.control_points: list[tuple[IntArray, ...]] = []
        self.meshes: list[Mesh] = []
        self.skins: list[Skin] = []
        self.node_meshes: list[int | None] = [None] * count
        self.node_skins: list[int | None] = [None] * count

    def owners(self) -> list[tuple[int, Element]]:
        """Return (node, geometry) of every node that shows a mesh."""
        result = []
        for number, key in enumerate(paced(self._hierarchy.keys, self._pulse)):
            found = self._objects.sources(key, "Geometry", "Mesh")
            # Before version 7 objects have names for keys, and a node is its geometry.
            if isinstance(key, str):
                model = self._objects.element(key)
                found.extend([model] if model.node.child("Vertices") is not None else [])
            if len(found) > 1:
                name = self._hierarchy.names[number]
                self._notes.leave_out(
                    "influences", f"{name} has {len(found)} meshes: the first is shown"
                )
            if found:
                result.append((number, found[0]))
        self._nodes_left = Counter(geometry.key for _, geometry in result)
        different = {geometry.key: geometry.node for _, geometry in result}
        self._geometries = read_geometries(different.values())
        return result

    def read(self, number: int, geometry: Element) -> None:
        """Read the mesh of a node, with its skin and blend shapes."""
        node = int(self._hierarchy.node_of[number])
        shown = self._taken(geometry)
        self._pulse()
        bound = read_skin(
            geometry, number, shown.points, self._objects, self._hierarchy, self._notes
        )
        self._pulse()
        space = None if bound is None else self._space(bound, number, shown)
        mesh_from_geometry = self._hierarchy.ours_from_geometry[number]
        if space is not None:
            mesh_from_geometry = space @ mesh_from_geometry
        numbers = self._materials.of_node(self._hierarchy.keys[number])
        if bound is not None:
            self.node_skins[node] = len(self.skins)
            joint_from_mesh = bound.joint_from_node
            if space is not None:
                joint_from_mesh = joint_from_mesh @ affine.inverse(space)
            joints = tuple(int(self._hierarchy.node_of[joint]) for joint in bound.nodes)
            self.skins.append(Skin(bound.name or geometry.name, joints, joint_from_mesh))
        self.geometries[number], self.spaces[number] = geometry, mesh_from_geometry
        key = (geometry.key, mesh_from_geometry.tobytes(), numbers)
        self._pulse()
        if key not in self._numbers:
            self._numbers[key] = len(self.meshes)
            vertices = sum(len(surface.positions) for surface in shown.surfaces)
            geometry.node.document.allowance.spend(geometry.node, vertices * _BYTES_A_VERTEX)
            is_last = geometry.key not in self._shown
            primitives = tuple(
                _primitive(surface, shown, bound, mesh_from_geometry, numbers, last=is_last)
                for surface in shown.surfaces
            )
            name = geometry.name or self._hierarchy.names[number]
            self.meshes.append(Mesh(name, primitives, rest_weights(shown.channels)))
            points = tuple(surface.control_points for surface in shown.surfaces)
            self.control_points.append(points)
        self.node_meshes[node] = self._numbers[key]
        if shown.channels:
            self.channels[node] = shown.channels

    def _taken(self, geometry: Element) -> _Shown:
        """Return a geometry, which is kept only while other nodes are left that show it."""
        shown = self._shown.pop(geometry.key, None)
        if shown is None:
            found = next(self._geometries)
            self._notes.extend(found.notes)
            points, surfaces = found.points, found.surfaces
            channels = [
                *read_shapes(geometry, points, self._objects, self._notes),
                *read_shapes_of_node(geometry, points),
            ]
            shown = _Shown(geometry, points, surfaces, channels)
        self._nodes_left[geometry.key] -= 1
        if self._nodes_left[geometry.key]:
            self._shown[geometry.key] = shown
        return shown

    def _space(self, bound: PointInfluences, number: int, shown: _Shown) -> FloatArray | None:
        """Return ``(4, 4)`` ``mesh_from_node``, None where it is the identity.

        A mesh's space is its node's, only that vertices without any weight are drawn where they
        are in mesh space: for their sake it is then the model's, where FBX shows them.
        """
        unbound = bound.unbound
        used = [surface.control_points for surface in shown.surfaces]
        if not unbound.any() or not any(unbound[points].any() for points in used):
            return None
        if self._is_moved(number):
            name = quoted(self._hierarchy.names[number])
            text = f"the vertices of {name} without any weight do not follow its node, which moves"
            self._notes.leave_out("motion", text)
        frame: FloatArray = self._hierarchy.rest_frames[number]
        return frame if abs(affine.determinant(frame[:3, :3])) > 0.0 else None

    @cached_property
    def _moving(self) -> frozenset[Key]:
        """The nodes that clips move, not those below them."""
        paths = (TRANSLATION, ROTATION, SCALE)
        return frozenset(key for s in self._stacks for path in paths for key in s.moving(path))

    def _is_moved(self, number: int) -> bool:
        """Tell whether a clip moves a node, or one above it."""
        keys, parents = self._hierarchy.keys, self._hierarchy.parents
        while number >= 0 and keys[number] not in self._moving:
            number = int(parents[number])
        return number >= 0


def _primitive(
    surface: MaterialVertices,
    shown: _Shown,
    bound: PointInfluences | None,
    mesh_from_geometry: FloatArray,
    materials: tuple[int, ...],
    *,
    last: bool,
) -> Primitive:
    """Return a primitive with its influences and morph targets.

    `last` is whether nobody needs the surface after that.
    """
    at, pulse = surface.control_points, shown.element.node.document.pulse
    morphs = None
    if shown.channels:
        linear = mesh_from_geometry[:3, :3]
        morphs = morph_targets(shown.element, shown.channels, shown.points, at, linear)
    positions, triangles, normals = surface.moved(mesh_from_geometry, pulse, last=last)
    share = None if bound is None else bound.dual_quaternion
    return Primitive(
        owned(positions),
        owned(triangles),
        surface.lines,
        surface.points,
        normals=normals,
        uvs={number: owned(surface.uvs[number]) for number in paced([*surface.uvs], pulse)},
        colours=None if surface.colours is None else _colours(owned(surface.colours)),
        influences=None
        if bound is None
        else Influences(
            owned(gathered(bound.joints, at, pulse)), owned(gathered(bound.weights, at, pulse))
        ),
        morphs=morphs,
        material=materials[surface.material] if surface.material < len(materials) else None,
        method=None if bound is None else bound.method,
        dqs_weights=None if share is None else share[at],
    )


def _colours(stated: FloatArray) -> LazyArray:
    """Return linear colours: the programs that write FBX state them as they show them."""
    return LazyArray(stated.shape, partial(linear, stated))


def morph_channels(shown: dict[int, list[ShapeChannel]], stack: Stack) -> list[Channel]:
    """Return the channels of morph weights in a stack."""
    return [
        _morph_channel(node, channels, stack)
        for node, channels in shown.items()
        if moved(channels, stack)
    ]


def _morph_channel(node: int, channels: list[ShapeChannel], stack: Stack) -> Channel:
    keys = [channel.key for channel in channels]
    rest = np.array([[channel.rest] for channel in channels])
    percents = Property.of(stack, keys, WEIGHT, rest, np.zeros(len(keys), dtype=np.int64))
    curves = [curve for key in keys for curve in stack.curves(key, WEIGHT)]
    stated = stated_times(curves) if curves else np.array([stack.start])
    grid = breaks(curves, stack.start, stack.stop) if curves else stated

    def weights(times: FloatArray) -> FloatArray:
        found = percents.at(times)[..., 0]
        rows = [channel.weights(row) for channel, row in zip(channels, found, strict=True)]
        return np.concatenate(rows, axis=1)[None]

    (fitted,) = sampling.fit(weights, grid, rotation=False, stated=stated)
    return Channel(node, "weights", fitted)
