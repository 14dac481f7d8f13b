"""Normals turned round: those of some control points, in all layers and shapes of a geometry.

FBX states no handedness of tangents: the third axis is a layer of its own, which a normal that is turned
round with its tangents' handedness leaves as it is.
"""

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.mesh import Primitive
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.objects import Element
from rigview.io.fbx.shapes import shape_nodes
from rigview.io.fbx.tree import Node
from rigview.io.reading import SaveError

# Parts of a unit normal: less is rounding.
_ROUNDING = 1e-9
_BY_POINT = ("ByVertice", "ByVertex", "ByControlPoint")


def turn_round(
    change: FbxChange,
    geometry: Element,
    mesh: int,
    pairs: list[tuple[Primitive, Primitive]],
    name: str,
) -> None:
    """Write normals that changed where points did not.

    Raises
    ------
    SaveError
        If they are not turned round, or some at one control point are and others not.
    """
    at = change.reading.meshes.control_points[mesh]
    count = len(geometry.node.need("Vertices").array()) // 3
    turned, kept = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    for (old, new), points in zip(pairs, at, strict=True):
        if old.normals is new.normals:
            kept[points] = True
            continue
        if old.normals is None or new.normals is None:
            raise SaveError(f"normals of {name} cannot come or go in an FBX file")
        same, opposite = _close(old.normals, new.normals), _close(old.normals, -new.normals)
        if not np.all(same | opposite):
            raise SaveError(f"other normals of {name} are not written, only those turned round")
        turned[points[~same]] = True
        kept[points[same]] = True
    if not turned.any():
        return
    if np.any(turned & kept):
        raise SaveError(f"normals of {name} at one control point would be turned round and not")
    corners = geometry.node.need("PolygonVertexIndex").integers()
    corners = np.where(corners < 0, -1 - corners, corners)
    inside = (corners >= 0) & (corners < count)
    of_corner = inside & turned[np.where(inside, corners, 0)]
    for layer in geometry.node.all("LayerElementNormal"):
        _turn_layer(change, layer, of_corner, turned, name)
    for shape in shape_nodes(change.reading.objects, geometry):
        place, index = shape.child("Normals"), shape.child("Indexes")
        if place is not None and index is not None:
            _turn_rows(change, place, turned[index.integers()])


def _close(a: FloatArray, b: FloatArray) -> BoolArray:
    result: BoolArray = np.abs(a - b).max(axis=1) <= _ROUNDING
    return result


def _turn_layer(
    change: FbxChange, layer: Node, of_corner: BoolArray, of_point: BoolArray, name: str
) -> None:
    place, mapping = layer.child("Normals"), layer.child("MappingInformationType")
    if place is None or mapping is None:
        return
    chosen = of_point if mapping.text() in _BY_POINT else of_corner
    if mapping.text() not in (*_BY_POINT, "ByPolygonVertex"):
        raise SaveError(f"normals of {name} are mapped {mapping.text()}, and some would be turned")
    index = layer.child("NormalsIndex")
    if index is not None:
        chosen = _rows_of(chosen, index.integers(), len(place.array()) // 3, name)
    _turn_rows(change, place, chosen)


def _rows_of(chosen: BoolArray, index: IntArray, rows: int, name: str) -> BoolArray:
    """Return ``(rows,)`` which values only what is turned round has."""
    if len(index) != len(chosen) or np.any((index < 0) | (index >= rows)):
        raise SaveError(f"the indices of normals of {name} do not fit its polygons")
    turned, kept = (np.bincount(index[of], minlength=rows) > 0 for of in (chosen, ~chosen))
    if np.any(turned & kept):
        raise SaveError(f"normals of {name} are shared, and some of them would be turned round")
    return turned


def _turn_rows(change: FbxChange, place: Node, chosen: BoolArray) -> None:
    rows = place.floats().reshape(-1, 3)
    if len(rows) != len(chosen):
        raise SaveError(f"{place.name} at {place.document.place(place.offset)} do not fit the mesh")
    change.amendments.set_array(place, np.where(chosen[:, None], -rows, rows).ravel())
