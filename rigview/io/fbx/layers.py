"""Animation stacks: layers of curves on properties, and what they add up to at any time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray
from rigview.io.curves import Curve, CurveGroup
from rigview.io.fbx.blocks import paced
from rigview.io.fbx.keys import Curves
from rigview.io.fbx.objects import Element, Objects
from rigview.io.fbx.transform import euler, to_euler
from rigview.io.fbx.tree import Key

TRANSLATION, ROTATION, SCALE = "Lcl Translation", "Lcl Rotation", "Lcl Scaling"
WEIGHT, VISIBILITY = "DeformPercent", "Visibility"
_COMPONENTS: dict[str, tuple[str, ...]] = {
    TRANSLATION: ("d|X", "d|Y", "d|Z"),
    ROTATION: ("d|X", "d|Y", "d|Z"),
    SCALE: ("d|X", "d|Y", "d|Z"),
    WEIGHT: ("d|DeformPercent",),
    VISIBILITY: ("d|Visibility",),
}
# FBX SDK, FbxAnimLayer::EBlendMode.
_ADDITIVE, _OVERRIDE = 0, 1

Component = Curve | float
# The number of a curve in the file's table, or what moves a component without it.
Part = int | Component
Target = tuple[Key, str]


def shape_key(owner: Key, name: str) -> Key:
    """Return what stands for the channel of a shape, which has no object of its own."""
    return f"{owner}\x00{name}"


@dataclass(frozen=True, eq=False)
class AnimationLayer:
    """Curves on properties, and how they join what the layers below give.

    Parameters
    ----------
    parts
        (Object, property) → what moves its components.
    curves
        The file's table, where parts are numbers.
    share
        Share of the layer in percent.
    by_layer
        Whether rotations are composed as rotations, not summed as angles.
    multiplies
        Whether scales are multiplied, not summed.
    """

    parts: dict[Target, tuple[Part, ...]]
    curves: Curves | None = None
    share: Part = 100.0
    mode: int = _ADDITIVE
    by_layer: bool = True
    multiplies: bool = True

    def track(self, key: Key, name: str) -> tuple[Component, ...]:
        """Return what moves the components of a property; nothing where the layer does not."""
        return tuple(map(self._ready, self.parts.get((key, name), ())))

    @cached_property
    def weight(self) -> Component:
        """Share of the layer in percent."""
        return self._ready(self.share)

    def constants(self, key: Key, name: str) -> list[float] | None:
        """Return the components of a property that certainly never moves, else None."""
        result: list[float] = []
        for part in self.parts[key, name]:
            table = self.curves
            value = table.constant(part) if table is not None and isinstance(part, int) else part
            if not isinstance(value, float):
                return None
            result.append(value)
        return result

    def at_keys(self, key: Key, name: str) -> FloatArray | None:
        """Return ``(c, n)`` a property as keyed, where its curves share their times, else None."""
        parts = self.parts[key, name]
        numbers = [part for part in parts if isinstance(part, int | float)]
        if self.curves is None or len(numbers) < len(parts):
            return None
        return self.curves.at_keys(numbers)

    def _ready(self, part: Part) -> Component:
        return self.curves[part] if isinstance(part, int) and self.curves is not None else part


@dataclass(frozen=True, eq=False)
class Stack:
    """One animation.

    Parameters
    ----------
    start, stop
        The span that the file states, in seconds; equal where it states none.
    """

    name: str
    layers: tuple[AnimationLayer, ...]
    start: float
    stop: float

    def curves(self, key: Key, name: str) -> list[Curve]:
        """Return all curves that move a property."""
        found: list[Curve] = []
        for number, layer in enumerate(self.layers):
            track = layer.track(key, name)
            # The lowest layer counts in full.
            parts = (*track, layer.weight) if number and track else track
            found.extend(part for part in parts if isinstance(part, Curve))
        return found

    def moves(self, key: Key, name: str) -> bool:
        """Tell whether a layer states a property."""
        return any((key, name) in layer.parts for layer in self.layers)

    def moving(self, name: str) -> Iterator[Key]:
        """Yield the objects of which a layer moves a property, unless it certainly stays as it is."""
        for layer in self.layers:
            for key, moved in layer.parts:
                if moved == name and layer.constants(key, name) is None:
                    yield key

    def only_layer(self, key: Key, name: str) -> AnimationLayer | None:
        """Return the lowest layer where it alone moves a property."""
        moving = [n for n, layer in enumerate(self.layers) if (key, name) in layer.parts]
        return self.layers[0] if moving == [0] else None


def read_stacks(objects: Objects, ticks: float, notes: list[str]) -> tuple[Stack, ...]:
    """Read all animation stacks."""
    found = objects.kind("AnimationCurve")
    curves = Curves(found.nodes, ticks, notes)
    objects.pulse()
    numbers = {key: i for i, key in enumerate(found.keys) if curves.usable[i]}
    return tuple(
        _stack(element, _Reader(objects, curves, numbers), ticks)
        for element in objects.of_kind("AnimationStack")
    )


@dataclass(frozen=True, eq=False)
class _Reader:
    """The objects and curves of a file, and the numbers of those that have usable keys."""

    objects: Objects
    curves: Curves
    numbers: dict[Key, int]


def _stack(element: Element, reader: _Reader, ticks: float) -> Stack:
    layers = reader.objects.sources(element.key, "AnimationLayer")
    start, stop = (element.integer(name, 0) / ticks for name in ("LocalStart", "LocalStop"))
    return Stack(
        element.name,
        tuple(_layer(layer, reader) for layer in layers if not layer.integer("Mute", 0)),
        min(start, stop),
        max(start, stop),
    )


def _layer(element: Element, reader: _Reader) -> AnimationLayer:
    objects = reader.objects
    tracks: dict[Target, tuple[Part, ...]] = {}
    for node in paced(objects.source_keys(element.key, "AnimationCurveNode"), objects.pulse):
        for target in objects.destinations(node, "AnimationCurveNode"):
            moved = _moved(objects, *target)
            if moved is None:
                continue
            (key, name), components = moved
            track = _track(node, name, components, reader)
            if track:
                tracks.setdefault((key, name), track)
    weight = objects.property_sources(element.key, "AnimationCurveNode").get("Weight")
    track = () if weight is None else _track(weight, "Weight", ("d|Weight",), reader)
    return AnimationLayer(
        tracks,
        reader.curves,
        track[0] if track else element.number("Weight", 100.0),
        element.integer("BlendMode", _ADDITIVE),
        element.integer("RotationAccumulationMode", 0) == 0,
        element.integer("ScaleAccumulationMode", 0) == 0,
    )


def _moved(objects: Objects, key: Key, name: str) -> tuple[Target, tuple[str, ...]] | None:
    """Return what a curve node on a property moves, with its components; None of what is not played.

    FBX 7.1 keeps shapes in their geometry, whose property of a shape's name is the shape's channel.
    """
    if name in _COMPONENTS:
        return (key, name), _COMPONENTS[name]
    geometry = objects.find(key, "Geometry") if name else None
    if geometry is None or all(shape.text() != name for shape in geometry.node.all("Shape")):
        return None
    return (shape_key(key, name), WEIGHT), (f"d|{name}",)


def _track(
    node: Key, name: str, components: tuple[str, ...], reader: _Reader
) -> tuple[int | float, ...]:
    """Return a curve node's curves, and the values that it states where it has none.

    Nothing where it has neither.
    """
    connected = reader.objects.property_sources(node, "AnimationCurve")
    if not connected and not any(map(reader.objects.element(node).states, components)):
        return ()
    default = 1.0 if name == SCALE else 0.0
    result: list[int | float] = []
    for component in components:
        curve = connected.get(component)
        number = None if curve is None else reader.numbers.get(curve)
        if number is None:
            result.append(reader.objects.element(node).number(component, default))
        else:
            result.append(number)
    return tuple(result)


def stated_times(curves: Sequence[Curve]) -> FloatArray:
    """Return ``(n,)`` ascending times of all keys of curves."""
    times = list({id(curve.group): curve.group.times for curve in curves}.values())
    return times[0] if len(times) == 1 else np.unique(np.concatenate([np.zeros(0), *times]))


def breaks(curves: Sequence[Curve], start: float, stop: float) -> FloatArray:
    """Return ``(n,)`` ascending times between which curves are smooth, up to a span at least."""
    rows: dict[int, tuple[CurveGroup, list[int]]] = {}
    for curve in curves:
        rows.setdefault(id(curve.group), (curve.group, []))[1].append(curve.row)
    times = [group.breaks(np.array(of), start, stop) for group, of in rows.values()]
    return times[0] if len(times) == 1 else np.unique(np.concatenate([np.zeros(0), *times]))


@dataclass(frozen=True, eq=False)
class _Rows:
    """The curves of one layer on one property of several objects, ready to be evaluated together."""

    layer: AnimationLayer
    base: bool
    objects: IntArray
    constants: FloatArray
    curves: list[tuple[CurveGroup, IntArray, IntArray, IntArray]]

    def at(self, times: FloatArray) -> FloatArray:
        """Return ``(r, n, c)``."""
        r, c = self.constants.shape
        result = np.broadcast_to(self.constants[:, None], (r, len(times), c)).copy()
        for group, rows, slots, components in self.curves:
            result[slots, :, components] = group.at(rows, times)
        return result

    def share(self, times: FloatArray) -> FloatArray:
        """Return ``(n, 1)`` shares of the layer, 0 to 1."""
        weight = self.layer.weight
        if isinstance(weight, Curve):
            percent = weight.group.at(np.array([weight.row]), times)[0]
        else:
            percent = np.full(len(times), weight)
        return np.clip(percent / 100.0, 0.0, 1.0)[:, None]


@dataclass(frozen=True, eq=False)
class Property:
    """One property of several objects in one stack, ready to be evaluated together.

    Parameters
    ----------
    rest
        ``(m, c)`` values without animation.
    order
        ``(m,)`` rotation orders.
    """

    name: str
    rest: FloatArray
    order: IntArray
    rows: tuple[_Rows, ...] = field(default=())

    @classmethod
    def of(
        cls, stack: Stack, keys: Sequence[Key], name: str, rest: FloatArray, order: IntArray
    ) -> "Property":
        """Collect the curves."""
        rows = []
        for number, layer in enumerate(stack.layers):
            found = [(i, t) for i, k in enumerate(keys) if (t := layer.track(k, name))]
            if found:
                rows.append(_rows(layer, number == 0, found))
        return cls(name, rest, order, tuple(rows))

    def at(self, times: FloatArray) -> FloatArray:
        """Return ``(m, n, c)`` values at ``(n,)`` times."""
        m, c = self.rest.shape
        result = np.broadcast_to(self.rest[:, None], (m, len(times), c)).copy()
        for rows in self.rows:
            values, which = rows.at(times), rows.objects
            if rows.base or rows.layer.mode == _OVERRIDE:
                result[which] = values
            else:
                below = result[which]
                result[which] = self._joined(rows, below, values, rows.share(times), which)
        return result

    def _joined(
        self,
        rows: _Rows,
        below: FloatArray,
        values: FloatArray,
        share: FloatArray,
        which: IntArray,
    ) -> FloatArray:
        """Join a layer with those below it: FBX SDK, FbxAnimLayer."""
        additive = rows.layer.mode == _ADDITIVE
        if self.name == ROTATION and rows.layer.by_layer:
            order = self.order[which]
            lower, upper = euler(below, order), euler(values, order)
            share = np.broadcast_to(share[:, 0], upper.shape[:-1])
            if additive:
                none = np.broadcast_to(np.array(quat.IDENTITY), upper.shape)
                turned = quat.multiply(lower, quat.slerp(none, upper, share))
            else:
                turned = quat.slerp(lower, upper, share)
            return to_euler(turned, order)
        if self.name == SCALE and rows.layer.multiplies:
            kept = below if additive else _power(below, 1.0 - share)
            return kept * _power(values, share)
        return below + values * share if additive else below * (1.0 - share) + values * share


def _power(values: FloatArray, exponent: FloatArray) -> FloatArray:
    """Return ``sign(v) |v|ᵉ``, and one where the exponent is zero."""
    exponent = np.broadcast_to(exponent, values.shape)
    raised = np.sign(values) * np.abs(values) ** np.where(exponent > 0.0, exponent, 1.0)
    return np.where(exponent > 0.0, raised, 1.0)


def _rows(
    layer: AnimationLayer, base: bool, found: list[tuple[int, tuple[Component, ...]]]
) -> _Rows:
    width = len(found[0][1])
    constants = np.zeros((len(found), width))
    groups: dict[int, tuple[CurveGroup, list[int], list[int], list[int]]] = {}
    for slot, (_, track) in enumerate(found):
        for component, part in enumerate(track):
            if isinstance(part, Curve):
                entry = groups.setdefault(id(part.group), (part.group, [], [], []))
                entry[1].append(part.row)
                entry[2].append(slot)
                entry[3].append(component)
            else:
                constants[slot, component] = part
    curves = [(g, np.array(a), np.array(b), np.array(c)) for g, a, b, c in groups.values()]
    return _Rows(layer, base, np.array([i for i, _ in found]), constants, curves)
