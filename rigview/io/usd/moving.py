"""The transform of a prim that moves, as keys of translation, rotation and scale.

Between its samples USD moves every operation of a transform in a line. Rotations that are stated by
angles take another way than the short arc between two keys, and may turn more than once between
them; what is moved before it is turned about a pivot goes round it; matrices that turn shrink and slant
on their way; splines bend. Such motions are fitted. What only quaternions turn, about the prim's own
origin, keeps its keys.
"""

from functools import cached_property

import numpy as np
from pxr import Usd, UsdGeom

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.sampler import Interpolation, Path, Sampler
from rigview.io import sampling
from rigview.io.rest import flips, with_scale
from rigview.io.usd.scene import local_matrices
from rigview.io.usd.stage import matrices

PARTS: tuple[Path, ...] = ("translation", "rotation", "scale")
_OPS = UsdGeom.XformOp
_TURNS = (
    *(_OPS.TypeRotateX, _OPS.TypeRotateY, _OPS.TypeRotateZ),
    *(_OPS.TypeRotateXYZ, _OPS.TypeRotateXZY, _OPS.TypeRotateYXZ),
    *(_OPS.TypeRotateYZX, _OPS.TypeRotateZXY, _OPS.TypeRotateZYX),
)
_SCALES = (_OPS.TypeScale, _OPS.TypeScaleX, _OPS.TypeScaleY, _OPS.TypeScaleZ)
_ACTING = (_OPS.TypeOrient, *_SCALES)
_SHIFTS = (_OPS.TypeTranslate, _OPS.TypeTranslateX, _OPS.TypeTranslateY, _OPS.TypeTranslateZ)
_MOVES = (*_SHIFTS, _OPS.TypeTransform)
# Degrees between two keys beyond which a rotation could be taken for a shorter one, and how many keys
# are set at most in their stead.
_FURTHEST, _MOST_PARTS = 90.0, 1000


def stated_codes(prim: Usd.Prim, stage: Usd.Stage) -> list[float]:
    """Return the time codes at which a prim's transform is stated, ascending.

    A spline is so at its knots, and goes on before and after them.
    """
    place = UsdGeom.Xformable(prim)
    codes = set(place.GetTimeSamples())
    for attribute in (op.GetAttr() for op in place.GetOrderedXformOps()):
        if attribute.HasSpline():
            codes |= {*attribute.GetSpline().GetKnots().keys()}
            codes |= {stage.GetStartTimeCode(), stage.GetEndTimeCode()}
    return sorted(codes)


class Moving:
    """A prim whose transform varies.

    Parameters
    ----------
    codes
        The time codes of its samples, ascending.
    """

    def __init__(self, prim: Usd.Prim, codes: list[float], stage: Usd.Stage) -> None:
        self._prim, self._codes = prim, np.array(codes, dtype=np.float64)
        self._ops = UsdGeom.Xformable(prim).GetOrderedXformOps()
        self._rate = stage.GetTimeCodesPerSecond()
        # Seconds → parts: the three are asked for at the same times.
        self._known: dict[bytes, affine.TRS] = {}

    @property
    def shear(self) -> float:
        """How far its samples are at most from what translation, rotation and scale make."""
        return self._shear(self._codes)

    @property
    def slant(self) -> float:
        """The same amid its samples, where matrices vary in lines."""
        return self._shear(0.5 * (self._codes[1:] + self._codes[:-1])) if self._slants else 0.0

    def _shear(self, codes: FloatArray) -> float:
        local = local_matrices(self._prim, [Usd.TimeCode(code) for code in codes])
        return float(affine.residue(local, affine.decompose(local)).max(initial=0.0))

    def curve(self, path: Path, interpolation: Interpolation) -> Sampler:
        """Return what becomes of one part."""
        stated = self._codes / self._rate
        turns = bool(np.any(np.diff(self._angles, axis=0)))
        bends = turns or self._slants or self._swings or self._curves
        if interpolation != "LINEAR" or not bends:
            return Sampler(stated, self._parts(path, stated), interpolation)
        (curve,) = sampling.fit(
            lambda times: self._parts(path, times)[None],
            self._grid,
            rotation=path == "rotation",
            stated=stated,
        )
        return curve

    def _parts(self, path: Path, times: FloatArray) -> FloatArray:
        """Return ``(n, c)`` translations, rotations or scales at some seconds."""
        key = times.tobytes()
        if key not in self._known:
            codes = times * self._rate
            local = local_matrices(self._prim, [Usd.TimeCode(code) for code in codes])
            if self._flips:
                others, scales = self._first
                parts = with_scale(local, _product(others, codes), _scale(scales, codes))
            else:
                parts = affine.decompose(local)
            self._known[key] = parts
        part: FloatArray = getattr(self._known[key], path)
        return part

    @cached_property
    def _first(self) -> tuple[list[UsdGeom.XformOp], list[UsdGeom.XformOp]]:
        """What acts on it beside translations: all else, and the scales that act before that."""
        acting = [op for op in self._ops if op.GetOpType() not in _SHIFTS]
        first = len(acting)
        while first and acting[first - 1].GetOpType() in _SCALES:
            first -= 1
        return acting[:first], acting[first:]

    @cached_property
    def _flips(self) -> bool:
        """Whether those scales reach zero or change their sign."""
        return bool(self._first[1]) and flips(_scale(self._first[1], self._codes))

    @cached_property
    def _curves(self) -> bool:
        """Whether splines move it."""
        return any(op.GetAttr().HasSpline() for op in self._ops)

    @cached_property
    def _slants(self) -> bool:
        """Whether matrices that vary may turn it."""
        return any(
            op.GetOpType() == _OPS.TypeTransform and op.MightBeTimeVarying() for op in self._ops
        )

    @cached_property
    def _swings(self) -> bool:
        """Whether quaternions or scales that vary act on a translation, which then leaves its line."""
        kinds = [op.GetOpType() for op in self._ops]
        return any(
            kind in _ACTING
            and op.MightBeTimeVarying()
            and not set(kinds[i + 1 :]).isdisjoint(_MOVES)
            for i, (kind, op) in enumerate(zip(kinds, self._ops, strict=True))
        )

    @cached_property
    def _angles(self) -> FloatArray:
        """``(n, a)`` the degrees of everything that turns it by angles."""
        turns = [op for op in self._ops if op.GetOpType() in _TURNS]
        columns = [np.array([op.Get(code) for code in self._codes]) for op in turns]
        n = len(self._codes)
        return np.concatenate([np.zeros((n, 0)), *(c.reshape(n, -1) for c in columns)], axis=1)

    @cached_property
    def _grid(self) -> FloatArray:
        """``(m,)`` seconds of its samples, and of more where an angle changes by more than a right one."""
        times = self._codes / self._rate
        moved = np.abs(np.diff(self._angles, axis=0)).max(axis=1, initial=0.0)
        parts = np.clip(np.ceil(np.nan_to_num(moved) / _FURTHEST), 1, _MOST_PARTS).astype(np.int64)
        if np.all(parts == 1):
            return times
        spans = zip(times[:-1], times[1:], parts.tolist(), strict=True)
        between = [np.linspace(a, b, n, endpoint=False) for a, b, n in spans]
        return np.concatenate([*between, times[-1:]])


def _product(ops: list[UsdGeom.XformOp], codes: FloatArray) -> FloatArray:
    """Return ``(n, 4, 4)`` what operations make together."""
    result = np.tile(np.eye(4), (len(codes), 1, 1))
    for op in ops:
        result = result @ matrices([op.GetOpTransform(code) for code in codes])
    return result


def _scale(ops: list[UsdGeom.XformOp], codes: FloatArray) -> FloatArray:
    """Return ``(n, 3)`` by what operations scale together."""
    return np.einsum("nii->ni", _product(ops, codes))[:, :3]
