"""FBX 6.1: where it says otherwise than 7 what moves: takes with curves in words, shapes in meshes.

Everything else of 6.1 differs in names only and is read where 7 is: objects are identified by name,
properties have no label, a mesh is part of its node.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.curves import Curve
from rigview.io.fbx import tangents
from rigview.io.fbx.keys import build, left_out_words
from rigview.io.fbx.layers import (
    ROTATION,
    SCALE,
    TRANSLATION,
    VISIBILITY,
    WEIGHT,
    AnimationLayer,
    Component,
    Stack,
    Target,
    shape_key,
)
from rigview.io.fbx.objects import Element
from rigview.io.fbx.shapes import ShapeChannel, read_shape
from rigview.io.fbx.tangents import Keys
from rigview.io.fbx.tree import Node, Value, as_float, bounded

_PROPERTIES = {"T": TRANSLATION, "R": ROTATION, "S": SCALE}
_FULL = 100.0


Numbers = float | FloatArray
_Four = Sequence[Numbers] | FloatArray
# Time, value, flags, and the four numbers of its tangents.
_Key = tuple[Numbers, Numbers, int, _Four]
# Times in ticks, values, flags, ``(n, 4)`` numbers of tangents.
_Rows = tuple[FloatArray, FloatArray, IntArray, FloatArray]


def read_takes(root: Node, ticks: float, notes: list[str]) -> tuple[Stack, ...]:
    """Read all takes, each of one layer."""
    block = root.child("Takes")
    return tuple(_take(node, ticks, notes) for node in (block.all("Take") if block else ()))


def _take(node: Node, ticks: float, notes: list[str]) -> Stack:
    span = node.child("LocalTime")
    start, stop = (0.0, 0.0) if span is None else (span.number(i) / ticks for i in range(2))
    tracks: dict[Target, tuple[_StatedCurve | float, ...]] = {}
    for model in node.all("Model"):
        for channel in model.all("Channel"):
            if channel.text() == "Transform":
                for part in channel.all("Channel"):
                    if part.text() in _PROPERTIES and _has_keys(part):
                        name = _PROPERTIES[part.text()]
                        tracks[model.text(), name] = _components(part, ticks, notes)
            elif channel.text() == VISIBILITY:
                tracks[model.text(), VISIBILITY] = (_component(channel, ticks, notes),)
            elif channel.child("Key") is not None:
                key = shape_key(model.text(), channel.text())
                tracks[key, WEIGHT] = (_component(channel, ticks, notes),)
    return Stack(node.text(), (AnimationLayer(_built(tracks)),), min(start, stop), max(start, stop))


def _has_keys(node: Node) -> bool:
    return any(channel.child("Key") is not None for channel in node.all("Channel"))


def _components(node: Node, ticks: float, notes: list[str]) -> "tuple[_StatedCurve | float, ...]":
    found = {channel.text(): channel for channel in node.all("Channel")}
    default = 1.0 if node.text() == "S" else 0.0
    return tuple(
        _component(found[axis], ticks, notes) if axis in found else default for axis in "XYZ"
    )


def _component(node: Node, ticks: float, notes: list[str]) -> "_StatedCurve | float":
    keys = node.child("Key")
    if keys is not None and keys.values:
        found = _stated(keys, ticks, notes)
        if found is not None:
            return found
    default = node.child("Default")
    return 0.0 if default is None else default.number()


@dataclass(frozen=True, eq=False)
class _StatedCurve:
    """The keys of one curve: ``(n,)`` ascending times, values and flags, ``(n, 4)`` numbers."""

    times: FloatArray
    values: FloatArray
    flags: IntArray
    data: FloatArray


def _built(
    tracks: dict[Target, tuple[_StatedCurve | float, ...]],
) -> dict[Target, tuple[Component, ...]]:
    """Return tracks of curves; those that share their key times are built together."""
    together: dict[bytes, list[_StatedCurve]] = {}
    for part in chain.from_iterable(tracks.values()):
        if isinstance(part, _StatedCurve):
            together.setdefault(part.times.tobytes(), []).append(part)
    curves: dict[_StatedCurve, Component] = {}
    for rows in together.values():
        columns = (np.stack([getattr(r, n) for r in rows]) for n in ("values", "flags", "data"))
        group = build(Keys(rows[0].times, *columns))
        for number, (row, still) in enumerate(zip(rows, group.still.tolist(), strict=True)):
            curves[row] = float(row.values[0]) if still else Curve(group, number)
    return {
        target: tuple(curves[part] if isinstance(part, _StatedCurve) else part for part in track)
        for target, track in tracks.items()
    }


def _stated(node: Node, ticks: float, notes: list[str]) -> _StatedCurve | None:
    """Read keys; those that are not finite are left out, and of one time all but the last."""
    rows = _alike(node) or _one_by_one(node)
    if rows is None:
        notes.append(
            f"{node.name} at {node.document.place(node.offset)} has keys of an "
            "unknown kind: the curve is left out"
        )
        return None
    pulse = node.document.pulse
    pulse()
    times, values, flags, data = rows
    times = times / ticks
    (finite,) = (np.isfinite(times) & np.isfinite(values)).nonzero()
    order = finite[np.argsort(times[finite], kind="stable")]
    pulse()
    order = order[np.append(np.diff(times[order]) > 0.0, True)[: len(order)]]
    pulse()
    if len(order) < len(times):
        place = node.document.place(node.offset)
        notes.append(f"{left_out_words(len(times) - len(order))} at {place}")
    if not len(order):
        return None
    numbers: FloatArray = np.nan_to_num(data[order], posinf=0.0, neginf=0.0)
    pulse()
    return _StatedCurve(times[order], values[order], flags[order], numbers)


def _alike(node: Node) -> _Rows | None:
    """Return keys that all bring the same letters, read as columns; None where they do not."""
    values = node.values
    words = _Words(node, values)
    if _key(words) is None or len(values) % words.at:
        return None
    width = words.at
    columns: list[Value] = []
    for place in range(width):
        node.document.pulse()
        column = values[place::width]
        if place in words.letters:
            if len(set(column)) > 1:
                return None
            columns.append(column[0])
        else:
            numbers = np.array(column)
            if numbers.dtype.kind not in "if":
                return None
            columns.append(bounded(numbers))
    found = _key(_Words(node, columns))
    return None if found is None else _rows(len(values) // width, *found)


def _one_by_one(node: Node) -> _Rows | None:
    """Return keys read one after the other; None where one is of an unknown kind."""
    words = _Words(node, node.values)
    keys = []
    while words.more():
        key = _key(words)
        if key is None:
            return None
        keys.append(key)
    times, values, flags, data = (np.array(column) for column in zip(*keys, strict=True))
    return _rows(len(keys), times, values, flags, data.T)


def _rows(count: int, times: Numbers, values: Numbers, flags: IntArray | int, data: _Four) -> _Rows:
    table = np.zeros((count, 4))
    for place, column in enumerate(data):
        table[:, place] = column
    return np.asarray(times), np.asarray(values), np.broadcast_to(flags, count), table


def _key(words: "_Words") -> _Key | None:
    """Read a key: a time, a value, a letter and what that letter brings; None of an unknown kind.

    C (constant) brings s or n, the value of this or the next key; L (linear) nothing; U (cubic) a
    kind of tangent: a, automatic; s or b, two slopes; then a letter that says which weights follow:
    n, none; r, the right one; l, the next left one; a, both.

    Automatic tangents are what 7 calls clamped progressively and independent of time: flat at the
    first and last key, and never beyond the values of the neighbours. 3ds Max evaluates them so.
    """
    time, value, mode = words.number(), words.number(), words.letter()
    flags = 0
    data: _Four = (0.0, 0.0, 0.0, 0.0)
    if mode == "C":
        flags = tangents.CONSTANT | (tangents.CONSTANT_NEXT if words.letter() == "n" else 0)
    elif mode == "U":
        found = _tangents(words)
        if found is None:
            return None
        flags, data = found
    return time, value, flags, data


def _tangents(words: "_Words") -> tuple[int, _Four] | None:
    kind = words.letter()
    if kind not in ("s", "b", "a"):
        return None
    flags = tangents.CUBIC
    right: Numbers = 0.0
    left: Numbers = 0.0
    if kind == "a":
        flags |= tangents.PROGRESSIVE | tangents.TIME_INDEPENDENT
    else:
        flags |= tangents.USER
        right, left = words.number(), words.number()
    weighted = words.letter()
    weights: list[Numbers] = [0.0, 0.0]
    for i, (letter, flag) in enumerate(
        (("r", tangents.WEIGHTED_RIGHT), ("l", tangents.WEIGHTED_NEXT_LEFT))
    ):
        if weighted in (letter, "a"):
            flags |= flag
            weights[i] = words.number()
    return flags, (right, left, weights[0], weights[1])


class _Words:
    """The words of keys, one after the other: values of a row, or columns of as many keys.

    Parameters
    ----------
    at
        How many have been read.
    letters
        Which of those were letters.
    """

    def __init__(self, node: Node, words: list[Value]) -> None:
        self._node, self._words = node, words
        self.at = 0
        self.letters: set[int] = set()

    def more(self) -> bool:
        """Tell whether a word is left."""
        return self.at < len(self._words)

    def _next(self) -> Value:
        if not self.more():
            raise self._node.error("the keys end within a key")
        self.at += 1
        return self._words[self.at - 1]

    def number(self) -> Numbers:
        """Return the next word, a number or a column of numbers."""
        word = self._next()
        if isinstance(word, np.ndarray):
            return word
        if not isinstance(word, int | float):
            raise self._node.error("a key has a word where a number should be")
        return as_float(word)

    def letter(self) -> str:
        """Return the next word, a letter: binary files store it as a small number."""
        self.letters.add(self.at)
        word = self._next()
        if isinstance(word, int) and 0 <= word < 128:
            return chr(word)
        if not isinstance(word, str):
            raise self._node.error("a key has a number where a letter should be")
        return word


def read_shapes_of_node(model: Element, points: int) -> list[ShapeChannel]:
    """Read the shapes that stand in a node, each with a channel of its own."""
    return [
        ShapeChannel(
            shape_key(model.key, node.text()),
            model.number(node.text(), 0.0),
            np.array([_FULL]),
            (read_shape(node, node.text(), points),),
        )
        for node in model.node.all("Shape")
    ]
