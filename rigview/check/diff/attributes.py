"""What vertices carry beside their place and their weights: directions, colours, masks, morphs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, unit
from rigview.core.mesh import MorphTargets, Primitive
from rigview.core.weight_changes import DISPLACED

# Less than half a step of a byte is the rounding of a file that stores bytes.
_BYTE = 0.5 / 255.0
# Directions this near, degrees, are one; bytes state them to half of it.
_TURNED = 1.0
# Texture coordinates this near are one; 16 bits state them so.
_TEXEL = 2.0**-16

Values = FloatArray | None


@dataclass(frozen=True)
class AttributeChange:
    """Values per vertex that are not the same.

    Parameters
    ----------
    name
        As riggers call them: "compensation mask", "morph target smile".
    change
        Whether only the second rig has them, or only the first, or both have others.
    vertices
        How many have others.
    most
        How far apart they are at most, in `unit`; 0 where they came or went.
    unit
        "m", "°", or "" for plain numbers.
    """

    name: str
    change: Literal["added", "removed", "changed"]
    vertices: int
    most: float
    unit: str


@dataclass(frozen=True)
class _Kind:
    """How values are compared: what is no change, and how far apart the rows of two arrays are."""

    least: float
    unit: str
    apart: Callable[[FloatArray, FloatArray], FloatArray]


def _distance(a: FloatArray, b: FloatArray) -> FloatArray:
    found: FloatArray = np.linalg.norm(a - b, axis=-1)
    return found


def _largest(a: FloatArray, b: FloatArray) -> FloatArray:
    found: FloatArray = np.abs(a - b).reshape(len(a), -1).max(axis=1, initial=0.0)
    return found


def _angle(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return ``(V,)`` degrees between directions; half a turn where the handedness is another."""
    first, second = unit(a[:, :3]), unit(b[:, :3])
    chord = np.linalg.norm(first - second, axis=-1)
    degrees = np.degrees(2.0 * np.arcsin(np.minimum(0.5 * chord, 1.0)))
    return np.where(np.all(np.sign(a[:, 3:]) == np.sign(b[:, 3:]), axis=1), degrees, 180.0)


_DIRECTION = _Kind(_TURNED, "°", _angle)
_SHARE = _Kind(_BYTE, "", _largest)
_PLACE_IN_TEXTURE = _Kind(_TEXEL, "", _largest)

# One row per attribute of a primitive; texture coordinates and morph targets come in numbers.
_ATTRIBUTES: tuple[tuple[str, _Kind, Callable[[Primitive], Values]], ...] = (
    ("normals", _DIRECTION, lambda primitive: primitive.normals),
    ("tangents", _DIRECTION, lambda primitive: primitive.tangents),
    ("vertex colours", _SHARE, lambda primitive: primitive.colours),
    ("weights of dual quaternion skinning", _SHARE, lambda primitive: primitive.dqs_weights),
    ("compensation mask", _SHARE, lambda primitive: primitive.compensation),
)


def attribute_changes(
    before: Primitive, after: Primitive, size: float
) -> tuple[AttributeChange, ...]:
    """Compare what the vertices of two primitives carry, as many in both.

    Parameters
    ----------
    size
        H of the rigs, metres.
    """
    rows = [(name, kind, values(before), values(after)) for name, kind, values in _ATTRIBUTES]
    for number in sorted(before.uvs.keys() | after.uvs.keys()):
        uvs = (before.uvs.get(number), after.uvs.get(number))
        rows.append((f"texture coordinates {number}", _PLACE_IN_TEXTURE, *uvs))
    rows += _morph_rows(before.morphs, after.morphs, size)
    found = (_change(name, kind, a, b) for name, kind, a, b in rows)
    return tuple(change for change in found if change is not None)


def _change(name: str, kind: _Kind, before: Values, after: Values) -> AttributeChange | None:
    if before is not None and after is not None:
        apart = kind.apart(before, after)
        # What is no number is the same only as what is none at the same place.
        unknown = ~np.isfinite(apart)
        apart[unknown] = 0.0
        others = (apart > kind.least) | (unknown & ~_same_rows(before, after))
        most = float(apart.max(initial=0.0))
        count = int(others.sum())
        return AttributeChange(name, "changed", count, most, kind.unit) if count else None
    if after is not None:
        return AttributeChange(name, "added", len(after), 0.0, kind.unit)
    if before is not None:
        return AttributeChange(name, "removed", len(before), 0.0, kind.unit)
    return None


def _same_rows(a: FloatArray, b: FloatArray) -> BoolArray:
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return np.asarray(same.all(axis=1) if same.ndim > 1 else same)


def _morph_rows(
    before: MorphTargets | None, after: MorphTargets | None, size: float
) -> Iterator[tuple[str, _Kind, Values, Values]]:
    """Yield the morph targets by name, those of the first rig first."""
    place = _Kind(DISPLACED * size, "m", _distance)
    first, second = _numbers(before), _numbers(after)
    for name in dict.fromkeys([*first, *second]):
        sides = ((before, first.get(name)), (after, second.get(name)))
        for field, words, kind in (
            ("positions", "", place),
            ("normals", ", normals", place),
            ("tangents", ", tangents", place),
        ):
            a, b = (_of_target(morphs, field, number) for morphs, number in sides)
            yield f"morph target {name}{words}", kind, a, b


def _numbers(morphs: MorphTargets | None) -> dict[str, int]:
    """Return name → number of the targets; numbers are the names where two have one, or none any."""
    if morphs is None:
        return {}
    count = len(morphs.positions)
    named = len(morphs.names) == count == len(set(morphs.names))
    names = morphs.names if named else tuple(map(str, range(count)))
    return {name: number for number, name in enumerate(names)}


def _of_target(morphs: MorphTargets | None, field: str, number: int | None) -> Values:
    arrays = None if morphs is None or number is None else getattr(morphs, field)
    return None if arrays is None else arrays[number]
