"""Points of meshes: control points, with the normals, tangents and shapes that go with them.

A fix mostly maps a mesh as a whole; then all that is stated of the geometry is mapped, used or not. Single
points are written where normals stay as they are.
"""

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, unit
from rigview.core.mesh import Primitive
from rigview.io.fbx.amend import normals
from rigview.io.fbx.amend.amendments import Amendments
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.objects import Element
from rigview.io.fbx.shapes import shape_nodes
from rigview.io.fbx.tree import Key
from rigview.io.reading import SaveError, quoted

# Shares of the size: what a map may be off by, and vertices of one point from each other.
_MAPPED, _AGREE = 1e-9, 1e-7
# Of the largest number: what a factor and its inverse leave.
_ROUNDING = 1e-14
_NORMALS, _DIRECTIONS = "LayerElementNormal", ("LayerElementTangent", "LayerElementBinormal")
_ARRAYS = {_NORMALS: "Normals", _DIRECTIONS[0]: "Tangents", _DIRECTIONS[1]: "Binormals"}


def amend(change: FbxChange) -> None:
    """Write the points that differ.

    Raises
    ------
    SaveError
        If they cannot be those of the geometry.
    """
    written: dict[Key, FloatArray] = {}
    turned: set[Key] = set()
    for number, geometry in change.reading.meshes.geometries.items():
        node = int(change.reading.hierarchy.node_of[number])
        was, now = change.old.node_meshes[node], change.new.node_meshes[node]
        if was is None:
            continue
        name = quoted(change.old.nodes.label(node))
        if now is None:
            raise SaveError(f"the mesh of {name} cannot be taken off an FBX file")
        if was == now and change.old.meshes[was] is change.new.meshes[now]:
            continue
        pairs = list(
            zip(change.old.meshes[was].primitives, change.new.meshes[now].primitives, strict=True)
        )
        if any(len(a.positions) != len(b.positions) for a, b in pairs):
            raise SaveError(f"the vertices of {name} cannot come or go in an FBX file")
        if all(_same(a, b) for a, b in pairs):
            if geometry.key not in turned:
                normals.turn_round(change, geometry, was, pairs, name)
            turned.add(geometry.key)
            continue
        points = _write(change, number, geometry, was, pairs)
        if geometry.key in written and not np.allclose(written[geometry.key], points, 1e-9, 1e-9):
            raise SaveError(f"{name} shares its geometry with a node whose points change otherwise")
        written[geometry.key] = points


def _same(a: Primitive, b: Primitive) -> bool:
    if a.positions is b.positions:
        return True
    size = float(np.abs(a.positions).max(initial=0.0))
    return bool(np.abs(a.positions - b.positions).max(initial=0.0) <= _ROUNDING * size)


def _write(
    change: FbxChange,
    number: int,
    geometry: Element,
    mesh: int,
    pairs: list[tuple[Primitive, Primitive]],
) -> FloatArray:
    """Write the points of one geometry, and return all of them ``(P, 3)``."""
    node = int(change.reading.hierarchy.node_of[number])
    space = change.reading.meshes.spaces[number]
    back = affine.inverse(space[None])[0]
    place = geometry.node.need("Vertices")
    stated = place.floats().reshape(-1, 3)
    mapped = _map_of(change, node, pairs)
    if mapped is not None:
        whole = back @ mapped @ space
        points = affine.transform_points(whole, stated)
        _map_layers(geometry, whole, change.amendments)
        _map_shapes(change, geometry, whole)
    else:
        points = stated.copy()
        at = change.reading.meshes.control_points[mesh]
        for (old, new), vertices in zip(pairs, at, strict=True):
            moved = np.abs(old.positions - new.positions).max(axis=1) > 0.0
            points[vertices[moved]] = affine.transform_points(back, new.positions[moved])
        size = max(float(np.ptp(stated, axis=0).max()), 1e-9)
        for (_, new), vertices in zip(pairs, at, strict=True):
            off = affine.transform_points(back, new.positions) - points[vertices]
            if np.abs(off).max(initial=0.0) > _AGREE * size:
                name = quoted(change.old.nodes.label(node))
                raise SaveError(f"vertices of {name} at one control point move apart")
    change.amendments.set_array(place, points.ravel())
    return points


def _map_of(
    change: FbxChange, node: int, pairs: list[tuple[Primitive, Primitive]]
) -> FloatArray | None:
    """Return the ``(4, 4)`` map of all vertices of a mesh to where they are wanted, if there is one."""
    old = np.concatenate([a.positions for a, _ in pairs])
    new = np.concatenate([b.positions for _, b in pairs])
    candidates = []
    skins = change.old.node_skins[node], change.new.node_skins[node]
    if skins[0] is not None and skins[1] is not None:
        was, now = change.old.skins[skins[0]], change.new.skins[skins[1]]
        if was.joints and was.joints[0] in now.joints:
            bind = now.joint_from_mesh[now.joints.index(was.joints[0])]
            if not affine.crushed(bind[:3, :3]):
                candidates.append(affine.inverse(bind[None])[0] @ was.joint_from_mesh[0])
    rows, _, rank, _ = np.linalg.lstsq(
        np.append(old, np.ones((len(old), 1)), axis=1), new, rcond=None
    )
    if rank == 4:
        candidates.append(np.vstack([rows.T, [0.0, 0.0, 0.0, 1.0]]))
    size = max(float(np.ptp(new, axis=0).max(initial=0.0)), 1e-9)
    for found in candidates:
        if np.abs(affine.transform_points(found, old) - new).max(initial=0.0) <= _MAPPED * size:
            return found
    return None


def _map_layers(geometry: Element, whole: FloatArray, amendments: Amendments) -> None:
    """Map normals, and tangents and binormals with the surface that they lie in."""
    linear = whole[:3, :3]
    turn, _ = affine.of_surface(linear)
    for layer, array in _ARRAYS.items():
        by = turn if layer == _NORMALS else linear
        for node in geometry.node.all(layer):
            place = node.child(array)
            if place is not None:
                rows = place.floats().reshape(-1, 3)
                length = np.linalg.norm(rows, axis=1, keepdims=True)
                amendments.set_array(place, (unit(rows @ by.T) * length).ravel())


def _map_shapes(change: FbxChange, geometry: Element, whole: FloatArray) -> None:
    """Map the displacements of blend shapes."""
    linear = whole[:3, :3]
    size = float(np.cbrt(abs(np.linalg.det(linear))))
    for shape in shape_nodes(change.reading.objects, geometry):
        for name, by in (("Vertices", linear), ("Normals", linear / size)):
            place = shape.child(name)
            if place is not None:
                rows = place.floats().reshape(-1, 3)
                change.amendments.set_array(place, (rows @ by.T).ravel())
