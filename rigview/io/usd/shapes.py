"""Blend shapes: every in-between a morph target of its own, weights shared out between neighbours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from pxr import Usd, UsdSkel

from rigview.core.arrays import FloatArray
from rigview.io.inbetweens import shares
from rigview.io.reading import LARGEST_NUMBER, Notes
from rigview.io.usd.stage import BadValueError, floats


@dataclass(frozen=True, eq=False)
class BlendShape:
    """One blend shape.

    Parameters
    ----------
    positions
        ``(n,)`` ascending weights at which the shape is stated, each a target; none is 0, where there is
        no displacement.
    offsets, normals
        ``(n, P, 3)`` displacements there.
    """

    name: str
    positions: FloatArray
    offsets: FloatArray
    normals: FloatArray | None

    def bends(self, times: FloatArray, weights: FloatArray) -> Iterator[FloatArray]:
        """Yield the times between keys at which a straight weight passes a position, or 0."""
        for position in (0.0, *self.positions):
            before, after = weights[:-1] - position, weights[1:] - position
            passes = before * after < 0.0
            share = before[passes] / (before[passes] - after[passes])
            yield times[:-1][passes] + share * np.diff(times)[passes]


def default_weights(anim: UsdSkel.AnimQuery | None) -> dict[str, float]:
    """Return blend shape → the weight that an animation states beside its samples: that at rest.

    Nothing where it has no default, or not one finite number for each of its blend shapes.
    """
    if not anim:
        return {}
    order = [str(name) for name in anim.GetBlendShapeOrder()]
    stated = UsdSkel.Animation(anim.GetPrim()).GetBlendShapeWeightsAttr().Get()
    values = np.zeros(0) if stated is None else floats(stated)
    if values.shape != (len(order),) or not np.all(np.abs(values) <= LARGEST_NUMBER):
        return {}
    return dict(zip(reversed(order), reversed(values.tolist()), strict=True))


def resting(shapes: Sequence[BlendShape], anim: UsdSkel.AnimQuery | None) -> FloatArray:
    """Return ``(T,)`` the weights at rest of all targets of some shapes, which an animation moves."""
    weights = default_weights(anim)
    rows = [shares(s.positions, np.array(weights.get(s.name, 0.0))) for s in shapes]
    return np.concatenate(rows) if rows else np.zeros(0)


def read_shapes(prim: Usd.Prim, points: int, notes: Notes) -> list[BlendShape]:
    """Read the blend shapes of a mesh, in its own order."""
    binding = UsdSkel.BindingAPI(prim)
    names = binding.GetBlendShapesAttr().Get() or []
    query = UsdSkel.BlendShapeQuery(binding)
    if len(names) != query.GetNumBlendShapes():
        notes.leave_out(
            "motion",
            f"{prim.GetPath()} names {len(names)} blend shapes and has {query.GetNumBlendShapes()}: "
            "none is shown, as in OpenUSD",
        )
        return []
    return [_shape(query, i, str(name), points, notes) for i, name in enumerate(names)]


def _shape(
    query: UsdSkel.BlendShapeQuery, number: int, name: str, points: int, notes: Notes
) -> BlendShape:
    shape = query.GetBlendShape(number)
    if not shape:
        notes.leave_out("motion", f"the blend shape {name} does not exist: it moves nothing")
        return BlendShape(name, np.ones(1), np.zeros((1, points, 3)), None)
    which = shape.GetPointIndicesAttr().Get()
    stated: dict[float, tuple[FloatArray, FloatArray | None]] = {}
    full = shape.GetOffsetsAttr().Get(), shape.GetNormalOffsetsAttr().Get()
    rows = [(1.0, *full)]
    for between in shape.GetInbetweens():
        weight = between.GetWeight()
        if weight is None or weight in (0.0, 1.0) or not np.isfinite(weight):
            notes.append(f"an in-between of {name} is at no usable weight and is left out")
            continue
        rows.append((float(weight), between.GetOffsets(), between.GetNormalOffsets()))
    for weight, offsets, normals in rows:
        spread = _spread(offsets, which, points)
        if spread is None:
            notes.append(f"a shape of {name} has another number of points and is left out")
            spread = np.zeros((points, 3))
        stated[weight] = spread, _spread(normals, which, points) if normals else None
    positions = sorted(stated)
    has_normals = any(stated[p][1] is not None for p in positions)
    zero = np.zeros((points, 3))
    return BlendShape(
        name,
        np.array(positions),
        np.array([stated[p][0] for p in positions]),
        np.array([zero if (n := stated[p][1]) is None else n for p in positions])
        if has_normals
        else None,
    )


def _spread(offsets: object, which: object, points: int) -> FloatArray | None:
    """Return ``(P, 3)`` offsets of all points, or None where they do not fit the mesh."""
    values = np.zeros((0, 3)) if offsets is None else floats(offsets)
    values = values.reshape(-1, 3)
    if not np.all(np.abs(values) <= LARGEST_NUMBER):
        raise BadValueError("an offset of a blend shape is not finite or too large")
    result = np.zeros((points, 3))
    if not len(values):
        return result
    if which is None or not len(np.array(which)):
        if len(values) != points:
            return None
        result[: len(values)] = values
        return result
    index = np.array(which, dtype=np.int64)
    fits = len(index) == len(values) and 0 <= int(index.min()) <= int(index.max()) < points
    if not fits:
        return None
    result[index] = values
    return result
