"""Prims as nodes: their transforms can be set, their names and parents cannot."""

import numpy as np
from pxr import Gf, Usd, UsdGeom

from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.sampler import Path
from rigview.io.reading import SaveError
from rigview.io.usd.amend.change import LayerChange, same
from rigview.io.usd.amend.joints import curves_equal, matrix_of

_PATHS: tuple[Path, ...] = ("translation", "rotation", "scale")
# Of the operations that take the place of a prim's own.
_SUFFIX = "repaired"


def structure(change: LayerChange) -> None:
    """Refuse what no layer can hold: other names, parents, numbers of prims, meshes or clips.

    Raises
    ------
    SaveError
        If any of it is another.
    """
    was, wanted = change.was, change.wanted
    joints = {node for nodes in change.nodes.values() for node in nodes}
    for node in range(len(wanted.nodes)):
        if node in joints:
            continue
        label = wanted.nodes.label(node)
        if node >= len(was.nodes):
            raise SaveError(f"{label} would be a new prim above others, which no layer can move")
        if was.nodes.names[node] != wanted.nodes.names[node]:
            raise SaveError(
                f"the prim {was.nodes.label(node)} cannot be renamed to {label} by a layer"
            )
        if was.nodes.parents[node] != wanted.nodes.parents[node]:
            raise SaveError(f"the prim {label} cannot be moved under another by a layer")
    count = len(was.nodes)
    if was.node_meshes != wanted.node_meshes[:count] or any(wanted.node_meshes[count:]):
        raise SaveError("other prims would show meshes, which a layer does not hold")
    if [clip.name for clip in was.clips] != [clip.name for clip in wanted.clips]:
        raise SaveError("the clips would be others, which a layer does not hold")


def transforms(change: LayerChange) -> None:
    """Write the transforms of prims that rest or move otherwise."""
    old, new = change.old.nodes.local_matrices(), change.new.nodes.local_matrices()
    clips = (change.old.clips, change.new.clips)
    for node, prim in change.opened.scene.prims:
        before, after = (found[0] if found else None for found in clips)
        moved = before is not None and after is not None and _moves_otherwise(before, after, node)
        if not moved and _same(old[node], new[node]):
            continue
        place = UsdGeom.Xformable(change.prim(prim))
        if not place:
            raise SaveError(
                f"{prim.GetPath()} has no transform that could be set; glTF can hold one"
            )
        if after is not None and any(after.curve(node, path) for path in _PATHS):
            _animate(change, place, node, after)
        elif place.TransformMightBeTimeVarying() and not moved:
            raise SaveError(
                f"{prim.GetPath()} states samples of a transform that does not change; they cannot be "
                "set; glTF can hold it"
            )
        else:
            _place(place, new[node])


def _same(a: FloatArray, b: FloatArray) -> bool:
    size = float(np.abs(a[:3, 3]).max(initial=1e-9))
    return same(a[:3, :3], b[:3, :3]) and bool(
        np.abs(a[:3, 3] - b[:3, 3]).max() <= 1e-9 * max(size, 1e-9)
    )


def _moves_otherwise(old: Clip, new: Clip, node: int) -> bool:
    return any(not curves_equal(old.curve(node, p), new.curve(node, p)) for p in _PATHS)


def _place(place: UsdGeom.Xformable, local: FloatArray) -> None:
    """Give a prim one matrix, in the place of what it has."""
    reset, ops = place.GetResetXformStack(), place.GetOrderedXformOps()
    if len(ops) == 1 and ops[0].GetOpType() == UsdGeom.XformOp.TypeTransform:
        is_own = not ops[0].IsInverseOp() and ops[0].GetPrecision() == ops[0].PrecisionDouble
        if is_own and not ops[0].GetAttr().GetNumTimeSamples():
            ops[0].Set(matrix_of(local))
            return
    op = place.AddTransformOp(UsdGeom.XformOp.PrecisionDouble, _SUFFIX)
    op.Set(matrix_of(local))
    place.SetXformOpOrder([op], reset)


def _animate(change: LayerChange, place: UsdGeom.Xformable, node: int, clip: Clip) -> None:
    """Give a prim samples of translation, rotation and scale, in the place of what it has."""
    reset = place.GetResetXformStack()
    rate = change.stage.GetTimeCodesPerSecond()
    if node in change.new.nodes.matrices:
        raise SaveError(
            f"{place.GetPath()} shears, and its samples cannot be set; glTF can hold it"
        )
    double = UsdGeom.XformOp.PrecisionDouble
    ops = {
        "translation": place.AddTranslateOp(double, _SUFFIX),
        "rotation": place.AddOrientOp(double, _SUFFIX),
        "scale": place.AddScaleOp(double, _SUFFIX),
    }
    for path in _PATHS:
        curve = clip.curve(node, path)
        rest: FloatArray = getattr(change.new.nodes, f"{path}s")[node]
        if curve is None:
            ops[path].Set(_value(path, rest))
            continue
        if curve.interpolation == "CUBICSPLINE":
            raise SaveError(f"a curve of {place.GetPath()} bends; glTF can hold it")
        for time, key in zip(curve.times, curve.values, strict=True):
            ops[path].Set(_value(path, key), Usd.TimeCode(float(time * rate)))
    place.SetXformOpOrder([*ops.values()], reset)


def _value(path: Path, row: FloatArray) -> Gf.Vec3d | Gf.Quatd:
    if path == "rotation":
        x, y, z, w = row.tolist()
        return Gf.Quatd(w, x, y, z)
    return Gf.Vec3d(*row.tolist())
