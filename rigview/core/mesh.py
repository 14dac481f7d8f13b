"""Meshes as frozen, shape-checked values: influences, morph targets, primitives.

A defective mesh is representable (joint numbers that no skin has, weights of any sum), so that a
rule can find and explain the defect; what no array operation could survive is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import isfinite
from typing import Literal, get_args

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray, cross, frozen, owned, unit
from rigview.core.brief import brief_repr
from rigview.core.memo import Remembers
from rigview.core.numeric import row_ops
from rigview.core.numeric.lazy import ArrayField, LazyArrays, check_fields, shape_of
from rigview.core.text import count

FileMethod = Literal["lbs", "dqs", "blended"]
# How weights that do not sum to one are drawn: divided by their sum, as engines do, or as the file
# states them.
Weights = Literal["normalised", "literal"]
WEIGHTS: tuple[Weights, ...] = get_args(Weights)
# What sums of weights are off by for no other reason than rounding.
_SUM_ROUNDING = 1e-5
# Vertices whose weights sum to no more have none.
_NO_WEIGHT = 1e-6


@dataclass(frozen=True, eq=False)
class Influences(Remembers):
    """Which joints move each vertex: any number per vertex, in slots.

    Parameters
    ----------
    joints
        ``(V, K)`` positions in the skin's list of joints, as the file states them.
    weights
        ``(V, K)``; an unused slot has weight 0.
    """

    __repr__ = brief_repr

    joints: IntArray
    weights: FloatArray

    def __post_init__(self) -> None:
        joints = frozen("joints", self.joints, (None, None), np.int64)
        object.__setattr__(self, "joints", joints)
        object.__setattr__(self, "weights", frozen("weights", self.weights, joints.shape))

    @cached_property
    def joint_end(self) -> int:
        """One more than the highest joint number of all slots, used or not; huge where any is below 0."""
        # A negative number is a huge one without its sign: one pass tells both ends.
        return int(self.joints.view(np.uint64).max(initial=0)) + 1 if self.joints.size else 0

    @cached_property
    def weight_span(self) -> tuple[float, float]:
        """The lowest and the highest weight; NaN where any weight is; 0 and 0 without any."""
        if not self.weights.size:
            return 0.0, 0.0
        return float(self.weights.min()), float(self.weights.max())

    def fit(self, joint_count: int) -> bool:
        """Tell whether all slots name joints of so many, and all weights are finite numbers."""
        return self.joint_end <= joint_count and all(map(isfinite, self.weight_span))

    def totals(self, joint_count: int) -> FloatArray:
        """Return ``(J,)`` the sum of the weights that each of so many joints has.

        Left out are weights that are no finite numbers, and those of other joints.
        """
        return self.once(_totals, joint_count)

    def moves(self, joint_count: int) -> BoolArray:
        """Return ``(J,)`` which of so many joints any vertex gives weight above 0."""
        if self.weight_span[0] >= 0.0:
            return self.totals(joint_count) > 0.0
        named = self.joints[self.weights > 0.0]
        return np.bincount(named[(named >= 0) & (named < joint_count)], minlength=joint_count) > 0

    def of(self, vertices: IntArray) -> "Influences":
        """Return the influences of some vertices."""
        joints = owned(self.joints.take(vertices, axis=0))
        return Influences(joints, owned(self.weights.take(vertices, axis=0)))

    @cached_property
    def sums(self) -> FloatArray:
        """``(V,)`` the sum of each vertex's weights, those left out that are no finite numbers."""
        if all(map(isfinite, self.weight_span)):
            return row_ops.sum_of(self.weights)
        return row_ops.sum_of(np.where(np.isfinite(self.weights), self.weights, 0.0))

    def sums_in(self, joint_count: int) -> FloatArray:
        """Return ``(V,)`` the sum of each vertex's weights that skin it.

        Left out are weights that are no finite numbers, and those of joints beyond so many.
        """
        if self.fit(joint_count):
            return self.sums
        valid = (self.joints >= 0) & (self.joints < joint_count) & np.isfinite(self.weights)
        return row_ops.sum_of(np.where(valid, self.weights, 0.0))

    def off_one(self, joint_count: int) -> BoolArray:
        """Return ``(V,)`` which vertices have weights, and of another sum than one."""
        sums = self.sums_in(joint_count)
        return np.asarray((np.abs(sums - 1.0) > _SUM_ROUNDING) & (sums > _NO_WEIGHT))

    def normalised(self, joint_count: int) -> "Influences":
        """Return the influences with the weights of every vertex divided by their sum.

        A vertex without weight stays so; a sum that is one but for rounding is left alone.
        """
        off = self.off_one(joint_count)
        if not off.any():
            return self
        divisor = np.where(off, self.sums_in(joint_count), 1.0)
        return Influences(self.joints, owned(self.weights / divisor[:, None]))

    @cached_property
    def heaviest_slots(self) -> IntArray:
        """``(V,)`` where each vertex's first largest weight stands, row by row; none without any slots."""
        width = self.joints.shape[1]
        if not width:
            return np.zeros(0, dtype=np.int64)
        return row_ops.place_of_largest(self.weights) + width * np.arange(len(self.joints))

    @cached_property
    def heaviest(self) -> IntArray:
        """``(V,)`` the joint of each vertex's first largest weight; of slot 0 where none is above 0."""
        if not self.joints.shape[1]:
            return np.zeros(len(self.joints), dtype=np.int64)
        return self.joints.reshape(-1).take(self.heaviest_slots)

    @cached_property
    def idle(self) -> BoolArray:
        """``(V, K)`` the slots that name a joint other than 0 and give it no weight."""
        return (self.weights == 0.0) & (self.joints != 0)

    @cached_property
    def doubled(self) -> BoolArray:
        """``(V,)`` which vertices give weight to one joint in two slots."""
        width = self.joints.shape[1]
        result = np.zeros(len(self.joints), dtype=np.bool_)
        if width < 2:
            return result
        joints, used = self.joints.T.copy(), (self.weights != 0.0).T.copy()
        for slot, other in combinations(range(width), 2):
            result |= (joints[slot] == joints[other]) & used[slot] & used[other]
        return result

    @cached_property
    def per_vertex(self) -> IntArray:
        """``(V,)`` how many slots of each vertex have a weight other than 0."""
        result = np.zeros(len(self.weights), dtype=np.int64)
        for column in self.weights.T:
            result += column != 0.0
        return result

    @property
    def most(self) -> int:
        """The largest number of influences that any vertex has."""
        return int(self.per_vertex.max(initial=0))


def _totals(of: Influences, joint_count: int) -> FloatArray:
    named, weights = of.joints.reshape(-1), of.weights.reshape(-1)
    if not of.fit(joint_count):
        valid = (named >= 0) & (named < joint_count) & np.isfinite(weights)
        named, weights = named[valid], weights[valid]
    sums = np.bincount(named, weights=weights, minlength=joint_count)
    return np.asarray(sums, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class MorphTargets:
    """Displacements of the rest shape, added before skinning; a reader may have them made later.

    Parameters
    ----------
    positions
        ``(T, V, 3)``.
    normals, tangents
        ``(T, V, 3)`` or None where no target states any.
    names
        One per target; empty where unknown.
    """

    __repr__ = brief_repr

    positions: ArrayField[FloatArray] = ArrayField()
    normals: ArrayField[FloatArray | None] = ArrayField(None)
    tangents: ArrayField[FloatArray | None] = ArrayField(None)
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self, {"positions": (None, None, 3)})
        check_fields(self, {"normals": self.shape, "tangents": self.shape})

    @property
    def shape(self) -> tuple[int, ...]:
        """``(T, V, 3)``, known before any displacement is made."""
        return shape_of(self, "positions")

    @property
    def count(self) -> int:
        """How many targets there are."""
        return self.shape[0]

    def prepare(self) -> None:
        """Make the displacements now, where waiting does no harm."""
        for name in ("positions", "normals", "tangents"):
            getattr(self, name)


@dataclass(frozen=True, eq=False)
class Primitive:
    """Vertices that share one material, in mesh space.

    What only shading reads, a reader may have made later.

    Parameters
    ----------
    positions
        ``(V, 3)`` metres.
    triangles, lines, points
        ``(F, 3)``, ``(L, 2)``, ``(P,)`` vertex numbers.
    normals
        ``(V, 3)`` or None.
    tangents
        ``(V, 4)`` or None; w is the handedness.
    uvs
        Texture coordinate set → ``(V, 2)``.
    colours
        ``(V, 4)`` linear RGBA or None.
    method
        The skinning method that the file asks for; None where it says nothing.
    dqs_weights
        ``(V,)`` per vertex how much of dual quaternion skinning the method "blended" takes: 0 is
        LBS, 1 is DQS; None where the file states none.
    compensation
        ``(V,)`` a painted mask that every compensation is multiplied by; None stands for 1.
    """

    __repr__ = brief_repr

    positions: FloatArray
    triangles: IntArray
    lines: IntArray
    points: IntArray
    normals: ArrayField[FloatArray | None] = ArrayField(None)
    tangents: ArrayField[FloatArray | None] = ArrayField(None)
    uvs: Mapping[int, FloatArray] = field(default_factory=dict)
    colours: ArrayField[FloatArray | None] = ArrayField(None)
    influences: Influences | None = None
    morphs: MorphTargets | None = None
    material: int | None = None
    method: FileMethod | None = None
    dqs_weights: FloatArray | None = None
    compensation: FloatArray | None = None

    def __post_init__(self) -> None:
        own = vars(self)
        positions = own["positions"] = frozen("positions", self.positions, (None, 3))
        v = len(positions)
        for name, shape in (("triangles", (None, 3)), ("lines", (None, 2)), ("points", (None,))):
            array = own[name] = frozen(name, own[name], shape, np.int64)
            # A negative number is a huge one without its sign: one pass tells both ends.
            if array.size and int(np.maximum.reduce(array.view(np.uint64), axis=None)) >= v:
                raise ValueError(f"{name}: vertex {int(array.max())} of {v}")
        check_fields(self, {"normals": (v, 3), "tangents": (v, 4), "colours": (v, 4)})
        for name in ("dqs_weights", "compensation"):
            if own[name] is not None:
                own[name] = frozen(name, own[name], (v,))
        own["uvs"] = LazyArrays.of("uvs", self.uvs, (v, 2))
        if self.influences is not None and len(self.influences.joints) != v:
            raise ValueError(f"influences: wanted {v} vertices, got {len(self.influences.joints)}")
        if self.morphs is not None and self.morphs.shape[1] != v:
            raise ValueError(f"morphs: wanted {v}, got {self.morphs.shape[1]} vertices")

    @cached_property
    def box(self) -> FloatArray:
        """``(2, 3)`` the lowest and the highest corner around the positions; ``(0, 3)`` without any."""
        return row_ops.corners(self.positions)

    @cached_property
    def mask(self) -> FloatArray:
        """``(V,)`` 0 to 1: how much of any compensation the user wants there."""
        if self.compensation is None:
            return np.ones(len(self.positions))
        return np.clip(np.nan_to_num(self.compensation), 0.0, 1.0)

    @cached_property
    def shading_normals(self) -> FloatArray:
        """``(V, 3)`` the file's normals made unit, else area-weighted ones of the rest shape."""
        if self.normals is not None:
            return unit(self.normals, (0.0, 0.0, 1.0))
        return area_weighted_normals(self.positions, self.triangles)


def area_weighted_normals(positions: FloatArray, triangles: IntArray) -> FloatArray:
    """Return ``(V, 3)`` unit normals, each the area-weighted mean of its triangles' normals.

    A vertex without any triangle of area gets +Z, so that no normal has length zero.
    """
    a, b, c = (positions[triangles[:, i]] for i in range(3))
    face = cross(b - a, c - a)
    total = np.zeros_like(positions)
    for corner in range(3):
        for axis in range(3):
            total[:, axis] += np.bincount(
                triangles[:, corner], weights=face[:, axis], minlength=len(positions)
            )
    return unit(total, (0.0, 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Mesh:
    """A named list of primitives, with the default weights of their morph targets ``(T,)``."""

    name: str
    primitives: tuple[Primitive, ...]
    morph_weights: FloatArray = field(default_factory=lambda: np.zeros(0))

    def __repr__(self) -> str:
        vertices = count(sum(len(p.positions) for p in self.primitives), "vertex")
        return f"Mesh({self.name!r}, {count(len(self.primitives), 'primitive')}, {vertices})"

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "morph_weights", frozen("morph_weights", self.morph_weights, (None,))
        )
