"""Points and normals of meshes."""

import numpy as np
from pxr import UsdGeom, Vt

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.mesh import MorphTargets, Primitive
from rigview.core.rig import Rig
from rigview.io.reading import SaveError
from rigview.io.usd.amend.change import LayerChange, same
from rigview.io.usd.reader import Drawn
from rigview.io.usd.scene import EARLIEST
from rigview.io.usd.stage import floats

_BY_POINT = ("vertex", "varying")


def meshes(change: LayerChange) -> None:
    """Write the points and normals of meshes of which any is another.

    Raises
    ------
    SaveError
        If faces or shapes are others, or a layer cannot hold the points.
    """
    for node, drawn in change.opened.drawn.items():
        old, new = _primitives(change.old, node), _primitives(change.new, node)
        path = drawn.prim.GetPath()
        if len(old) != len(new) or any(
            not _same_faces(a, b) for a, b in zip(old, new, strict=True)
        ):
            raise SaveError(f"{path} would have other faces; glTF can hold them")
        if any(not _same_shapes(a.morphs, b.morphs) for a, b in zip(old, new, strict=True)):
            raise SaveError(f"{path} would have other blend shapes; glTF can hold them")
        pairs = [*zip(old, new, strict=True)]
        if not all(same(a.positions, b.positions) for a, b in pairs):
            _set_points(change, drawn, new)
        if not all(same(a.normals, b.normals) for a, b in pairs):
            _set_normals(change, drawn, new)


def _primitives(rig: Rig, node: int) -> tuple[Primitive, ...]:
    mesh = rig.node_meshes[node]
    return () if mesh is None else rig.meshes[mesh].primitives


def _same_faces(a: Primitive, b: Primitive) -> bool:
    return len(a.positions) == len(b.positions) and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("triangles", "lines", "points")
    )


def _same_shapes(a: MorphTargets | None, b: MorphTargets | None) -> bool:
    if a is None or b is None:
        return a is b
    return same(a.positions, b.positions) and same(a.normals, b.normals)


def _set_points(change: LayerChange, drawn: Drawn, new: tuple[Primitive, ...]) -> None:
    attribute = UsdGeom.PointBased(change.prim(drawn.prim)).GetPointsAttr()
    if attribute.GetNumTimeSamples() > 1:
        raise SaveError(
            f"the points of {drawn.prim.GetPath()} change over time, so none can be set; glTF can hold "
            "the first ones"
        )
    points = floats(attribute.Get(EARLIEST)).reshape(-1, 3)
    back = affine.inverse(drawn.geometry)
    moved = np.zeros(len(points), dtype=bool)
    for surface, primitive in zip(drawn.surfaces, new, strict=True):
        found = affine.transform_points(back, primitive.positions)
        _put(points, moved, surface.control, found, f"vertices of {drawn.prim.GetPath()}")
    values = Vt.Vec3fArray.FromNumpy(points.astype(np.float32))
    if attribute.GetNumTimeSamples():
        attribute.Set(values, attribute.GetTimeSamples()[0])
    else:
        attribute.Set(values)


def _put(
    points: FloatArray, moved: FloatArray, control: IntArray, found: FloatArray, whose: str
) -> None:
    """Give points the values of their vertices, which have to agree."""
    size = float(np.abs(found).max(initial=1e-9))
    given = points.copy()
    given[control] = found
    split = np.abs(given[control] - found).max(initial=0.0)
    known = moved[control] != 0
    earlier = np.abs((points[control] - found)[known]).max(initial=0.0)
    if max(split, earlier) > 1e-6 * size:
        raise SaveError(f"{whose} that share a point would part; glTF can hold that")
    points[:] = given
    moved[control] = True


def _set_normals(change: LayerChange, drawn: Drawn, new: tuple[Primitive, ...]) -> None:
    prim = change.prim(drawn.prim)
    mesh, primvar = UsdGeom.PointBased(prim), UsdGeom.PrimvarsAPI(prim).GetPrimvar("normals")
    is_primvar = bool(primvar) and primvar.HasValue()
    attribute = primvar.GetAttr() if is_primvar else mesh.GetNormalsAttr()
    way = str(primvar.GetInterpolation() if is_primvar else mesh.GetNormalsInterpolation())
    values = _normals(drawn, new, way)
    if values is None or attribute.GetNumTimeSamples() > 1:
        raise SaveError(
            f"the normals of {drawn.prim.GetPath()} ({way}) cannot be set; glTF can hold them"
        )
    content = Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32))
    if is_primvar and primvar.IsIndexed():
        primvar.BlockIndices()
    if attribute.GetNumTimeSamples():
        attribute.Set(content, attribute.GetTimeSamples()[0])
    else:
        attribute.Set(content)


def _normals(drawn: Drawn, new: tuple[Primitive, ...], way: str) -> FloatArray | None:
    """Return the normals of all points or corners; None where they are stated neither way."""
    turn, _ = affine.of_surface(drawn.geometry[:3, :3])
    back = np.linalg.inv(turn).T
    first = new[0]
    if first.normals is None:
        return None
    vertices = first.normals @ back
    surface = drawn.surfaces[0]
    if way in _BY_POINT:
        count = len(UsdGeom.PointBased(drawn.prim).GetPointsAttr().Get(EARLIEST))
        result, moved = np.zeros((count, 3)), np.zeros(count, dtype=bool)
        _put(result, moved, surface.control, vertices, f"normals of {drawn.prim.GetPath()}")
        return result
    if way == "faceVarying" and surface.of_corner is not None:
        return vertices[surface.of_corner]
    return None
