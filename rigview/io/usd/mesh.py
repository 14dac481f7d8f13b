"""Meshes, curves and points: what a prim draws, before it is bound to a skeleton."""

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdGeom

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.reading import LARGEST_NUMBER, LoadError, Notes, comes_and_goes
from rigview.io.usd.scene import EARLIEST
from rigview.io.usd.stage import floats

_UV_TYPES = ("texCoord2f[]", "texCoord2d[]", "texCoord2h[]")
_PAIRS = ("float2[]", "double2[]", "half2[]")
_MOST_UV_SETS = 8


@dataclass(frozen=True, eq=False)
class MeshSubset:
    """One primitive of a prim.

    Parameters
    ----------
    control
        ``(V,)`` the point that each vertex came from.
    uvs
        Primvar → coordinates; `st` is the first.
    subset
        The subset whose material it has; None for the prim's own.
    of_corner
        ``(C,)`` the vertex of each corner of the prim's faces.
    """

    control: IntArray
    triangles: IntArray
    lines: IntArray
    points: IntArray
    normals: FloatArray | None = None
    uvs: dict[str, FloatArray] = field(default_factory=dict)
    colours: FloatArray | None = None
    subset: Usd.Prim | None = None
    of_corner: IntArray | None = None


_NO_TRIANGLES, _NO_LINES = np.zeros((0, 3), dtype=np.int64), np.zeros((0, 2), dtype=np.int64)
_NO_POINTS = np.zeros(0, dtype=np.int64)


def draws(prim: Usd.Prim) -> bool:
    """Tell whether a prim draws something that rigview shows."""
    return bool(prim.IsA(UsdGeom.Mesh) or prim.IsA(UsdGeom.BasisCurves) or prim.IsA(UsdGeom.Points))


def is_hidden(prim: Usd.Prim, notes: list[str]) -> bool:
    """Tell whether a prim is never to be seen; one that comes and goes is shown throughout."""
    place = prim
    while place and not place.IsPseudoRoot():
        imageable = UsdGeom.Imageable(place)
        stated = imageable.GetVisibilityAttr() if imageable else None
        if stated and stated.ValueMightBeTimeVarying():
            notes.append(comes_and_goes(str(place.GetPath())))
            return False
        place = place.GetParent()
    return bool(UsdGeom.Imageable(prim).ComputeVisibility(EARLIEST) == UsdGeom.Tokens.invisible)


def points_of(path: Path, prim: Usd.Prim, notes: Notes) -> FloatArray:
    """Return ``(P, 3)`` the points of a prim.

    Raises
    ------
    LoadError
        If one is not finite.
    """
    attribute = UsdGeom.PointBased(prim).GetPointsAttr()
    if attribute.ValueMightBeTimeVarying():
        notes.leave_out(
            "motion", f"the points of {prim.GetPath()} change over time; the first ones are shown"
        )
    values = attribute.Get(EARLIEST)
    result = np.zeros((0, 3)) if values is None else floats(values)
    result = result.reshape(-1, 3)
    if not np.all(np.abs(result) <= LARGEST_NUMBER):
        raise _error(path, prim, "a point is not finite")
    return result


def _error(path: Path, prim: Usd.Prim, reason: str) -> LoadError:
    return LoadError(path, str(prim.GetPath()), reason)


def surfaces(
    path: Path, prim: Usd.Prim, count: int, uv_names: Collection[str], notes: list[str]
) -> list[MeshSubset]:
    """Return the primitives of a prim of `count` points.

    Parameters
    ----------
    uv_names
        The primvars that are texture coordinates whatever their types call them.
    """
    if prim.IsA(UsdGeom.Mesh):
        return _mesh(path, prim, count, uv_names, notes)
    if prim.IsA(UsdGeom.BasisCurves):
        return [_curves(path, prim, count)]
    every = np.arange(count)
    return [MeshSubset(every, _NO_TRIANGLES, _NO_LINES, every)]


def _curves(path: Path, prim: Usd.Prim, count: int) -> MeshSubset:
    """Return the hull of curves as lines between following points."""
    lengths = UsdGeom.BasisCurves(prim).GetCurveVertexCountsAttr().Get(EARLIEST)
    sizes = np.array([] if lengths is None else lengths, dtype=np.int64)
    if len(sizes) and (int(sizes.min()) < 0 or int(sizes.sum()) > count):
        raise _error(path, prim, f"its curves have more than the {count} points")
    first = np.arange(max(0, int(sizes.sum()) - 1))
    breaks = np.cumsum(sizes)[:-1] - 1
    first = first[~np.isin(first, breaks)]
    return MeshSubset(np.arange(count), _NO_TRIANGLES, np.stack([first, first + 1], 1), _NO_POINTS)


def _mesh(
    path: Path, prim: Usd.Prim, count: int, uv_names: Collection[str], notes: list[str]
) -> list[MeshSubset]:
    mesh = UsdGeom.Mesh(prim)
    sizes, corners = (
        np.array([] if (v := attr.Get(EARLIEST)) is None else v, dtype=np.int64)
        for attr in (mesh.GetFaceVertexCountsAttr(), mesh.GetFaceVertexIndicesAttr())
    )
    if len(sizes) and (int(sizes.min()) < 0 or int(sizes.sum()) > len(corners)):
        raise _error(path, prim, f"its faces have more than the {len(corners)} corners")
    corners = corners[: int(sizes.sum())]
    if len(corners) and not 0 <= int(corners.min()) <= int(corners.max()) < count:
        raise _error(path, prim, f"point {int(corners.max())} does not exist: there are {count}")
    face_of_corner = np.repeat(np.arange(len(sizes)), sizes)
    layers = _Layers(prim, corners, face_of_corner, count, notes)
    normals = layers.normals(mesh)
    uvs = layers.uvs(uv_names)
    colours = layers.colours()
    control, of_corner, values = _vertices(corners, count, [normals, *uvs.values(), colours])
    triangles, face_of_triangle = _triangulated(sizes)
    holes = mesh.GetHoleIndicesAttr().Get(EARLIEST)
    if holes:
        filled = ~np.isin(face_of_triangle, np.array(holes, dtype=np.int64))
        triangles, face_of_triangle = triangles[filled], face_of_triangle[filled]
    triangles = of_corner[triangles]
    if mesh.GetOrientationAttr().Get(EARLIEST) == UsdGeom.Tokens.leftHanded:
        triangles = triangles[:, ::-1]
    result = []
    left = np.ones(len(sizes), dtype=bool)
    for subset in UsdGeom.Subset.GetAllGeomSubsets(mesh):
        faces = np.array(subset.GetIndicesAttr().Get(EARLIEST) or [], dtype=np.int64)
        faces = faces[(faces >= 0) & (faces < len(sizes))]
        if subset.GetFamilyNameAttr().Get() != "materialBind" or not len(faces):
            continue
        chosen = np.zeros(len(sizes), dtype=bool)
        chosen[faces] = True
        left &= ~chosen
        result.append((chosen[face_of_triangle], subset.GetPrim()))
    if not result or np.any(left[face_of_triangle]):
        result.insert(0, (left[face_of_triangle], None))
    return [
        MeshSubset(
            control,
            triangles[chosen],
            _NO_LINES,
            _NO_POINTS,
            values[0],
            {name: v for name, v in zip(uvs, values[1:-1], strict=True) if v is not None},
            values[-1],
            subset,
            of_corner,
        )
        for chosen, subset in result
    ]


def _vertices(
    corners: IntArray, count: int, layers: list[FloatArray | None]
) -> tuple[IntArray, IntArray, list[FloatArray | None]]:
    """Make vertices of corners: the points themselves where every layer agrees on each of them.

    Returns
    -------
    The point of each vertex, the vertex of each corner, and the layers ``(V, …)`` by vertex.
    """
    stated = [layer for layer in layers if layer is not None]
    if not _is_by_point(corners, count, stated):
        keys = np.concatenate([corners[:, None].astype(np.float64), *stated], axis=1)
        _, first, of_corner = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        of_corner = of_corner.reshape(-1)
        return corners[first], of_corner, [None if v is None else v[first] for v in layers]
    values: list[FloatArray | None] = []
    for layer in layers:
        if layer is None:
            values.append(None)
            continue
        by_point = np.zeros((count, layer.shape[1]))
        by_point[corners] = layer
        values.append(by_point)
    return np.arange(count), corners, values


def _is_by_point(corners: IntArray, count: int, layers: list[FloatArray]) -> bool:
    for layer in layers:
        by_point = np.zeros((count, layer.shape[1]))
        by_point[corners] = layer
        if not np.array_equal(by_point[corners], layer):
            return False
    return True


def _triangulated(sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Return a fan of ``(F, 3)`` corner numbers for every face, and the face of each."""
    starts = np.cumsum(sizes) - sizes
    fans = np.maximum(0, sizes - 2)
    first = np.repeat(starts, fans)
    within = np.arange(int(fans.sum())) - np.repeat(np.cumsum(fans) - fans, fans)
    faces = np.repeat(np.arange(len(sizes)), fans)
    return np.stack([first, first + within + 1, first + within + 2], axis=1), faces


@dataclass(frozen=True, eq=False)
class _Layers:
    """Primvars spread to the corners of a mesh."""

    prim: Usd.Prim
    corners: IntArray
    face_of_corner: IntArray
    count: int
    notes: list[str]

    def normals(self, mesh: UsdGeom.Mesh) -> FloatArray | None:
        """Return ``(C, 3)`` normals; those of a primvar win."""
        primvar = UsdGeom.PrimvarsAPI(self.prim).GetPrimvar("normals")
        if primvar and primvar.HasValue():
            return self._primvar(primvar, 3)
        values = mesh.GetNormalsAttr().Get(EARLIEST)
        if values is None:
            return None
        return self._spread("normals", floats(values), mesh.GetNormalsInterpolation(), 3)

    def uvs(self, wanted: Collection[str]) -> dict[str, FloatArray]:
        """Return ``(C, 2)`` of every set of texture coordinates; `st` is the first, then what is wanted."""
        found: dict[str, FloatArray] = {}
        primvars = {
            str(p.GetPrimvarName()): p
            for p in UsdGeom.PrimvarsAPI(self.prim).FindPrimvarsWithInheritance()
            if p.HasValue()
        }
        for name in sorted(primvars, key=lambda name: (name != "st", name not in wanted)):
            kind = str(primvars[name].GetTypeName())
            is_uv = kind in _UV_TYPES or (kind in _PAIRS and (name == "st" or name in wanted))
            if is_uv and len(found) < _MOST_UV_SETS:
                values = self._primvar(primvars[name], 2)
                if values is not None:
                    # USD's v points up, rigview's down.
                    found[name] = values * (1.0, -1.0) + (0.0, 1.0)
        return found

    def colours(self) -> FloatArray | None:
        """Return ``(C, 4)`` colours."""
        primvar = UsdGeom.PrimvarsAPI(self.prim).FindPrimvarWithInheritance("displayColor")
        if not primvar or not primvar.HasValue():
            return None
        rgb = self._primvar(primvar, 3)
        return None if rgb is None else np.concatenate([rgb, np.ones((len(rgb), 1))], axis=1)

    def _primvar(self, primvar: UsdGeom.Primvar, width: int) -> FloatArray | None:
        values = primvar.ComputeFlattened(EARLIEST)
        if values is None:
            return None
        array = floats(values)
        return self._spread(str(primvar.GetPrimvarName()), array, primvar.GetInterpolation(), width)

    def _spread(
        self, name: str, values: NDArray[np.float64], interpolation: str, width: int
    ) -> FloatArray | None:
        """Return ``(C, width)`` values of corners."""
        index = {
            "vertex": (self.corners, self.count),
            "varying": (self.corners, self.count),
            "faceVarying": (np.arange(len(self.corners)), len(self.corners)),
            "uniform": (self.face_of_corner, int(self.face_of_corner.max(initial=-1)) + 1),
            "constant": (np.zeros(len(self.corners), dtype=np.int64), 1),
        }.get(interpolation)
        if index is None or values.ndim != 2 or values.shape[1] != width or len(values) < index[1]:
            self.notes.append(
                f"{name} of {self.prim.GetPath()} does not fit its mesh and is ignored"
            )
            return None
        finite = np.isfinite(values)
        if not np.all(finite):
            self.notes.append(f"{name} of {self.prim.GetPath()} is not finite everywhere")
        return np.where(finite, values, 0.0)[index[0]]
