"""Curves: the keys of a property scaled, mixed among its axes, or all set to one value.

A value at rest stands in three places: the property, the curve node's own, and the keys. What agreed before
agrees afterwards.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx import tangents
from rigview.io.fbx.amend.amendments import Amendments, Record
from rigview.io.fbx.amend.key_rows import KeyRows
from rigview.io.fbx.objects import Element, Objects
from rigview.io.fbx.reader import FbxReading
from rigview.io.fbx.tangents import Keys
from rigview.io.fbx.tree import Key, bounded
from rigview.io.reading import SaveError, quoted

AXES = ("d|X", "d|Y", "d|Z")
# FBX SDK, FbxAnimCurveDef: interpolation; the bits of two weights of a third, which tangents without have.
_LINEAR, _CONSTANT, _UNWEIGHTED = 0x4, 0x2, 218434821
# A key whose slopes are stated on both sides: FBX SDK, FbxAnimCurveDef.
_STATED = tangents.CUBIC | tangents.USER | 0x800
_WEIGHTED = tangents.WEIGHTED_RIGHT | tangents.WEIGHTED_NEXT_LEFT
_KIND = tangents.CONSTANT | tangents.CUBIC | tangents.CONSTANT_NEXT | 0x4
# Shares of a value: of a mixture, what a factor below does; and what rounding to 32 bits does.
_NOTHING, _ROUNDING = 1e-12, 1e-6


@dataclass(frozen=True, eq=False)
class Track:
    """The curves of one property in one layer.

    Parameters
    ----------
    stack
        The number of the clip; None of a layer that none plays.
    node
        The curve node.
    curves
        Axis → curve, of those that it has.
    ticks
        How many a second has.
    """

    stack: int | None
    node: Element
    curves: dict[str, Element]
    ticks: float

    def defaults(self) -> list[float | None]:
        """Return what the curve node itself states per axis."""
        found = (self.node.properties.get(axis) for axis in AXES)
        return [None if row is None else row[0].number(row[1]) for row in found]


class Tracks(defaultdict[tuple[Key, str], list[Track]]):
    """(Object, property) → its tracks in all layers."""

    def __init__(self, reading: FbxReading) -> None:
        super().__init__(list)
        objects = reading.objects
        stacks = objects.of_kind("AnimationStack")
        clip_of: dict[Key, int] = {}
        for number, stack in enumerate(stacks):
            for layer in objects.source_keys(stack.key, "AnimationLayer"):
                clip_of[layer] = number
        for node in objects.of_kind("AnimationCurveNode"):
            targets = objects.destinations(node.key, "AnimationCurveNode")
            clip = next(
                (clip_of[key] for key, name in targets if not name and key in clip_of), None
            )
            curves = _curves_of(objects, node)
            ticks = reading.hierarchy.settings.ticks
            for target, name in targets:
                if name:
                    self[target, name].append(Track(clip, node, curves, ticks))


def _curves_of(objects: Objects, node: Element) -> dict[str, Element]:
    found = objects.property_sources(node.key, "AnimationCurve")
    return {axis: objects.element(key) for axis, key in found.items()}


def scale(track: Track, factor: float, amendments: Amendments) -> None:
    """Multiply all keys of a property."""
    for curve in track.curves.values():
        place = curve.node.need("KeyValueFloat")
        amendments.set_array(place, bounded(place.array()) * factor)
        _scale_slopes(curve, factor, amendments)
    _set_defaults(track, [None if v is None else v * factor for v in track.defaults()], amendments)


def flip(track: Track, signs: FloatArray, amendments: Amendments) -> None:
    """Multiply the keys of each axis of a property by ``(3,)`` signs."""
    for axis, sign in zip(AXES, signs.tolist(), strict=True):
        curve = track.curves.get(axis)
        if curve is not None and sign < 0.0:
            place = curve.node.need("KeyValueFloat")
            amendments.set_array(place, -bounded(place.array()))
            _scale_slopes(curve, -1.0, amendments)
    values = zip(track.defaults(), signs.tolist(), strict=True)
    _set_defaults(track, [None if v is None else v * sign for v, sign in values], amendments)


def _scale_slopes(curve: Element, factor: float, amendments: Amendments) -> None:
    flags, place = curve.node.child("KeyAttrFlags"), curve.node.child("KeyAttrDataFloat")
    if flags is None or place is None:
        return
    stated, bits = flags.integers(), _bits(place.array())
    if len(bits) != 4 * len(stated):
        return
    rows = bits.reshape(-1, 4).copy()
    sloped = ((stated & tangents.CUBIC) != 0) & ((stated & tangents.TCB) == 0)
    sloped &= (stated & tangents.USER) != 0
    slopes = rows[:, :2].copy().view(np.float32) * np.float32(factor)
    rows[sloped, :2] = slopes.view(np.uint32)[sloped]
    if not np.array_equal(rows.ravel(), bits):
        amendments.set_array(place, _like(place.array(), rows.ravel()))


def _bits(values: NDArray[Any]) -> NDArray[np.uint32]:
    """Return the bits of tangents' numbers: ASCII files may state them as whole ones."""
    if values.dtype.kind == "i":
        return values.astype(np.uint32)
    return np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)


def _like(stated: NDArray[Any], bits: NDArray[np.uint32]) -> NDArray[Any]:
    """Return bits as the file states them."""
    return as_stated(bits, whole=stated.dtype.kind == "i")


def as_stated(bits: NDArray[np.uint32], *, whole: bool) -> NDArray[Any]:
    """Return bits as whole numbers, which ASCII files of the SDK have, or as those that they are."""
    return bits.view(np.int32).astype(np.int64) if whole else bits.view(np.float32)


def rest(track: Track, old: FloatArray, new: FloatArray, amendments: Amendments) -> None:
    """Give a property that its curves keep at rest another value there.

    Parameters
    ----------
    old, new
        ``(3,)``.
    """
    for number, axis in enumerate(AXES):
        curve = track.curves.get(axis)
        if curve is not None and old[number] != new[number]:
            place = curve.node.need("KeyValueFloat")
            amendments.set_array(place, np.full(len(place.array()), new[number]))
    change_defaults(track, old, new, amendments)


def keep_first(track: Track, amendments: Amendments) -> None:
    """Keep the first key of every curve of a property."""
    for curve in track.curves.values():
        node = curve.node
        if len(node.need("KeyTime").array()) < 2:
            continue
        for name in ("KeyTime", "KeyValueFloat", "KeyAttrFlags"):
            place = node.child(name)
            if place is not None:
                amendments.set_array(place, place.array()[:1])
        runs, data = node.child("KeyAttrRefCount"), node.child("KeyAttrDataFloat")
        if runs is not None:
            amendments.set_array(runs, np.ones(1, dtype=np.int64))
        if data is not None:
            amendments.set_array(data, data.array()[:4])


def set_keys(
    curve: Element, keys: KeyRows, axis: int, ticks: float, amendments: Amendments
) -> None:
    """Give a curve other keys: those of one axis of a property.

    Parameters
    ----------
    ticks
        How many a second has.
    """
    node = curve.node
    data = node.child("KeyAttrDataFloat")
    for name, (code, array) in arrays(keys, axis, ticks).items():
        place = node.child(name)
        stated = array if name != "KeyAttrDataFloat" or data is None else _like(data.array(), array)
        if place is None:
            amendments.add(node, Record(name, ((code, stated),)))
        else:
            amendments.set_array(place, stated)


def arrays(keys: KeyRows, axis: int, ticks: float) -> dict[str, tuple[str, NDArray[Any]]]:
    """Return name → letter of its type and array, of all that states the keys of one axis.

    The tangents are bits.
    """
    count = len(keys.times)
    runs = np.array([count]) if keys.slopes is None else np.ones(count, dtype=np.int64)
    bits = np.zeros((len(runs), 4), dtype=np.uint32)
    bits[:, 2] = _UNWEIGHTED
    flag = _CONSTANT if keys.steps else _LINEAR
    if keys.slopes is not None:
        flag = _STATED
        right, left = keys.slopes[:, :, axis].astype(np.float32)
        bits[:, :2] = np.stack([right, np.append(left[1:], np.float32(0.0))], axis=1).view(
            np.uint32
        )
    return {
        "KeyTime": ("l", np.round(keys.times * ticks).astype(np.int64)),
        "KeyValueFloat": ("f", keys.values[:, axis].astype(np.float32)),
        "KeyAttrFlags": ("i", np.full(len(runs), flag)),
        "KeyAttrDataFloat": ("f", bits.ravel()),
        "KeyAttrRefCount": ("i", runs),
    }


def change_defaults(track: Track, old: FloatArray, new: FloatArray, amendments: Amendments) -> None:
    """Give the curve node's own values that were those at rest the new ones."""
    values: list[float | None] = []
    for number, stated in enumerate(track.defaults()):
        agrees = stated is not None and np.isclose(stated, old[number], _ROUNDING, _ROUNDING)
        values.append(float(new[number]) if agrees else stated)
    _set_defaults(track, values, amendments)


def _set_defaults(track: Track, values: list[float | None], amendments: Amendments) -> None:
    for axis, value in zip(AXES, values, strict=True):
        found = track.node.properties.get(axis)
        if found is not None and value is not None:
            amendments.set_numbers(*found, (value,))


def mix(track: Track, linear: FloatArray, name: str, amendments: Amendments) -> None:
    """Multiply the three axes of a property by a matrix.

    Parameters
    ----------
    linear
        ``(3, 3)``.
    name
        What messages call the node.

    Raises
    ------
    SaveError
        If the curves do not share their keys.
    """
    if np.allclose(linear, linear[0, 0] * np.eye(3), 0.0, _NOTHING * abs(linear[0, 0]) + 1e-15):
        scale(track, float(linear[0, 0]), amendments)
        return
    if not track.curves:
        _mix_defaults(track, linear, amendments)
        return
    curves = [track.curves.get(axis) for axis in AXES]
    if any(curve is None for curve in curves):
        raise SaveError(f"the translation of {quoted(name)} is keyed on some of its axes only")
    own = [_StatedKeys.of(curve) for curve in curves if curve is not None]
    first = own[0]
    for other in own[1:]:
        if not np.array_equal(other.times, first.times):
            raise SaveError(
                f"the axes of the translation of {quoted(name)} are keyed at other times"
            )
        if not np.array_equal(other.flags & _KIND, first.flags & _KIND):
            raise SaveError(f"the axes of the translation of {quoted(name)} go on in other ways")
    if any(np.any(keys.flags & _WEIGHTED) for keys in own):
        raise SaveError(f"the translation of {quoted(name)} has weighted tangents")
    values = linear @ np.stack([keys.values for keys in own])
    slopes = np.einsum("ij,jkn->ikn", linear, np.stack([keys.slopes(track.ticks) for keys in own]))
    cubic = (first.flags & (tangents.CONSTANT | tangents.CUBIC)) == tangents.CUBIC
    for number, keys in enumerate(own):
        amendments.set_array(keys.node.node.need("KeyValueFloat"), values[number])
        if cubic.any():
            keys.state(slopes[number], cubic, amendments)
    _mix_defaults(track, linear, amendments)


def _mix_defaults(track: Track, linear: FloatArray, amendments: Amendments) -> None:
    stated = track.defaults()
    if all(value is not None for value in stated):
        values = linear @ np.array(stated, dtype=np.float64)
        _set_defaults(track, values.tolist(), amendments)


@dataclass(frozen=True, eq=False)
class _StatedKeys:
    """The keys of one curve with flags and tangents of each: ``(n,)``, the last ``(n, 4)`` bits."""

    node: Element
    times: IntArray
    values: FloatArray
    flags: IntArray
    data: NDArray[np.uint32]

    @classmethod
    def of(cls, curve: Element) -> "_StatedKeys":
        node = curve.node
        times, values = node.need("KeyTime").integers(), node.need("KeyValueFloat").floats()
        flags, counts, data = (
            node.child(n) for n in ("KeyAttrFlags", "KeyAttrRefCount", "KeyAttrDataFloat")
        )
        if flags is None or counts is None or data is None:
            raise SaveError(f"the curve {curve.name or curve.key} states no tangents")
        runs = counts.integers()
        bits = _bits(data.array())
        if (
            runs.sum() != len(times)
            or len(bits) != 4 * len(runs)
            or len(flags.array()) != len(runs)
        ):
            raise SaveError(
                f"the tangents of the curve {curve.name or curve.key} do not fit its keys"
            )
        return cls(
            curve,
            times,
            values,
            np.repeat(flags.integers(), runs),
            np.repeat(bits.reshape(-1, 4), runs, axis=0),
        )

    def slopes(self, ticks: float) -> FloatArray:
        """Return ``(2, n)`` slopes right and left of every key, as evaluated."""
        numbers = np.nan_to_num(self.data.view(np.float32).astype(np.float64), posinf=0, neginf=0)
        keys = Keys(
            (self.times - self.times[0]) / ticks,
            self.values[None],
            self.flags[None],
            numbers[None],
        )
        right, left = tangents.slopes(keys)
        return np.concatenate([right, left])

    def state(self, slopes: FloatArray, cubic: NDArray[np.bool_], amendments: Amendments) -> None:
        """State the slopes of cubic keys, each with flags and tangents of its own."""
        flags, data = self.flags.copy(), self.data.copy()
        flags[cubic] = _STATED
        right, left = slopes.astype(np.float32)
        numbers = np.stack([right, np.append(left[1:], np.float32(0.0))], axis=1)
        data[cubic, :2] = numbers.view(np.uint32)[cubic]
        new = np.ones(len(flags), dtype=np.bool_)
        new[1:] = (flags[1:] != flags[:-1]) | np.any(data[1:] != data[:-1], axis=1)
        starts = np.flatnonzero(new)
        node = self.node.node
        place = node.need("KeyAttrDataFloat")
        amendments.set_array(node.need("KeyAttrFlags"), flags[starts])
        amendments.set_array(place, _like(place.array(), data[starts].ravel()))
        counts = np.diff(np.append(starts, len(flags)))
        amendments.set_array(node.need("KeyAttrRefCount"), counts)
