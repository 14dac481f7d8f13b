"""FBX 6.1: where it says otherwise than 7 what moves: takes with curves in words, shapes in meshes.

Everything else of 6.1 differs in names only and is read where 7 is: objects are identified by name,
properties have no label, a mesh is part of its node.
"""

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.io.fbx import tangents
from rigview.io.fbx.curves import Curve
from rigview.io.fbx.keys import build, left_out_words
from rigview.io.fbx.layers import (
    ROTATION,
    SCALE,
    TRANSLATION,
    WEIGHT,
    Component,
    Layer,
    Stack,
    shape_key,
)
from rigview.io.fbx.objects import Element
from rigview.io.fbx.shapes import ShapeChannel, read_shape
from rigview.io.fbx.tangents import Keys
from rigview.io.fbx.tree import Key, Node, Value, as_float

_PROPERTIES = {"T": TRANSLATION, "R": ROTATION, "S": SCALE}
_FULL = 100.0


def read_takes(root: Node, ticks: float, notes: list[str]) -> tuple[Stack, ...]:
    """Read all takes, each of one layer."""
    block = root.child("Takes")
    return tuple(_take(node, ticks, notes) for node in (block.all("Take") if block else ()))


def _take(node: Node, ticks: float, notes: list[str]) -> Stack:
    span = node.child("LocalTime")
    start, stop = (0.0, 0.0) if span is None else (span.number(i) / ticks for i in range(2))
    tracks: dict[tuple[Key, str], tuple[Component, ...]] = {}
    for model in node.all("Model"):
        for channel in model.all("Channel"):
            if channel.text() == "Transform":
                for part in channel.all("Channel"):
                    if part.text() in _PROPERTIES and _has_keys(part):
                        name = _PROPERTIES[part.text()]
                        tracks[model.text(), name] = _components(part, ticks, notes)
            elif channel.child("Key") is not None:
                key = shape_key(model.text(), channel.text())
                tracks[key, WEIGHT] = (_component(channel, ticks, notes),)
    return Stack(node.text(), (Layer(tracks),), min(start, stop), max(start, stop))


def _has_keys(node: Node) -> bool:
    return any(channel.child("Key") is not None for channel in node.all("Channel"))


def _components(node: Node, ticks: float, notes: list[str]) -> tuple[Component, ...]:
    found = {channel.text(): channel for channel in node.all("Channel")}
    default = 1.0 if node.text() == "S" else 0.0
    return tuple(
        _component(found[axis], ticks, notes) if axis in found else default for axis in "XYZ"
    )


def _component(node: Node, ticks: float, notes: list[str]) -> Component:
    keys = node.child("Key")
    if keys is not None and keys.values:
        curve = _curve(keys, ticks, notes)
        if curve is not None:
            return curve
    default = node.child("Default")
    return 0.0 if default is None else default.number()


def _curve(node: Node, ticks: float, notes: list[str]) -> Component | None:
    """Read keys, each a time, a value, a letter and what that letter brings.

    C (constant) brings s or n, the value of this or the next key; L (linear) nothing; U (cubic) a
    kind of tangent: a, automatic; s or b, two slopes; then a letter that says which weights follow:
    n, none; r, the right one; l, the next left one; a, both.
    """
    words = _Words(node)
    rows: list[tuple[float, float, int, tuple[float, float, float, float]]] = []
    while words.more():
        time, value, mode = words.number(), words.number(), words.letter()
        flags, data = 0, (0.0, 0.0, 0.0, 0.0)
        if mode == "C":
            flags = tangents.CONSTANT | (tangents.CONSTANT_NEXT if words.letter() == "n" else 0)
        elif mode == "U":
            found = _tangents(words)
            if found is None:
                notes.append(
                    f"{node.name} at {node.document.place(node.offset)} has keys of an "
                    "unknown kind: the curve is left out"
                )
                return None
            flags, data = found
        rows.append((time / ticks, value, flags, data))
    usable = [row for row in rows if np.isfinite(row[0]) and np.isfinite(row[1])]
    usable.sort(key=lambda row: row[0])
    stated, rows = len(rows), list({row[0]: row for row in usable}.values())
    if len(rows) < stated:
        place = node.document.place(node.offset)
        notes.append(f"{left_out_words(stated - len(rows))} at {place}")
    if not rows:
        return None
    times, values, flags_of, data_of = zip(*rows, strict=True)
    numbers: FloatArray = np.nan_to_num(np.array([data_of]), posinf=0.0, neginf=0.0)
    group = build(Keys(np.array(times), np.array([values]), np.array([flags_of]), numbers))
    return float(values[0]) if group.still[0] else Curve(group, 0)


def _tangents(words: "_Words") -> tuple[int, tuple[float, float, float, float]] | None:
    kind = words.letter()
    if kind not in ("s", "b", "a"):
        return None
    flags, right, left = tangents.CUBIC, 0.0, 0.0
    if kind != "a":
        flags |= tangents.USER
        right, left = words.number(), words.number()
    weighted = words.letter()
    weights = [0.0, 0.0]
    for i, (letter, flag) in enumerate(
        (("r", tangents.WEIGHTED_RIGHT), ("l", tangents.WEIGHTED_NEXT_LEFT))
    ):
        if weighted in (letter, "a"):
            flags |= flag
            weights[i] = words.number()
    return flags, (right, left, weights[0], weights[1])


class _Words:
    """The values of a row of keys, one after the other."""

    def __init__(self, node: Node) -> None:
        self._node, self._at = node, 0
        self._values: list[Value] = node.values

    def more(self) -> bool:
        """Tell whether a value is left."""
        return self._at < len(self._values)

    def _next(self) -> Value:
        if not self.more():
            raise self._node.error("the keys end within a key")
        self._at += 1
        return self._values[self._at - 1]

    def number(self) -> float:
        """Return the next value, a number."""
        value = self._next()
        if not isinstance(value, int | float):
            raise self._node.error("a key has a word where a number should be")
        return as_float(value)

    def letter(self) -> str:
        """Return the next value, a letter: binary files store it as a small number."""
        value = self._next()
        if isinstance(value, int) and 0 <= value < 128:
            return chr(value)
        if not isinstance(value, str):
            raise self._node.error("a key has a number where a letter should be")
        return value


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
