"""Meshes: primitives, influences and morph targets."""

from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any, get_args

import numpy as np

from rigview.core.arrays import FloatArray, IntArray, frozen, owned
from rigview.core.mesh import FileMethod, Influences, Mesh, MorphTargets, Primitive
from rigview.core.numeric.lazy import LazyArray, LazyArrays, made
from rigview.io.gltf import draco
from rigview.io.gltf.accessors import Accessors
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.raw_accessor import RawAccessor, scale

POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN = range(7)
# The custom vertex attribute of rigview: per vertex, how much of any compensation is wanted, 0 to 1.
COMPENSATION = "_COMPENSATION"
# … and how much of dual quaternion skinning the method "blended" takes there, 0 to 1.
DQS_WEIGHT = "_DQS_WEIGHT"
# The member of a primitive's extras that says how it wants to be skinned: lbs, dqs or blended.
METHOD = "skinningMethod"
# What glTF has for joints; whole numbers of other types stand for some, too, below this.
_JOINT_TYPES = (np.dtype("u1"), np.dtype("<u2"))
_MOST_JOINTS = 2**32
_NO_TRIANGLES = frozen("triangles", np.zeros((0, 3)), (0, 3), np.int64)
_NO_LINES = frozen("lines", np.zeros((0, 2)), (0, 2), np.int64)
_NO_POINTS = frozen("points", np.zeros(0), (0,), np.int64)
_UV_SETS = {f"TEXCOORD_{n}": n for n in range(100)}


def read_mesh(place: Cursor, accessors: Accessors, materials: int, notes: list[str]) -> Mesh:
    """Read one mesh with all its primitives, also those that draw nothing, so numbers keep."""
    target_names = _target_names(place)
    primitives = tuple(
        _primitive(p, accessors, materials, target_names, notes)
        for p in place.need("primitives").items()
    )
    targets = max((p.morphs.count for p in primitives if p.morphs), default=0)
    weights = np.zeros(targets)
    found = place.get("weights")
    if found is not None:
        stated = found.numbers()
        if len(stated) != targets:
            notes.append(
                f"{found.pointer} states {len(stated)} morph weights for {targets} targets"
            )
        weights[: len(stated)] = stated[:targets]
    return Mesh(place.text("name"), primitives, weights)


def _target_names(place: Cursor) -> tuple[str, ...]:
    names = _extra(place, "targetNames")
    if not isinstance(names, list):
        return ()
    return tuple(n if isinstance(n, str) else "" for n in names)


def _extra(place: Cursor, key: str) -> Any:  # noqa: ANN401 - JSON
    """Return a member of an object's extras, which may be anything; None where it is absent."""
    extras = place.get("extras")
    return extras.value.get(key) if extras is not None and isinstance(extras.value, dict) else None


def _primitive(
    place: Cursor,
    accessors: Accessors,
    materials: int,
    target_names: tuple[str, ...],
    notes: list[str],
) -> Primitive:
    attributes = place.need("attributes")
    position = attributes.get("POSITION")
    if position is None:
        notes.append(f"{place.pointer} has no POSITION and draws nothing")
        return Primitive(np.zeros((0, 3)), _NO_TRIANGLES, _NO_LINES, _NO_POINTS)
    draco.unpack(place, accessors)
    positions = _finite(position, accessors)
    v = len(positions)
    vertices = _Vertices(attributes, accessors, v, notes)
    material = place.get("material")
    triangles, lines, points = _topology(place, accessors, v)
    return Primitive(
        positions,
        triangles,
        lines,
        points,
        normals=vertices.shading("NORMAL", "VEC3"),
        tangents=vertices.shading("TANGENT", "VEC4"),
        uvs=vertices.uvs(),
        colours=vertices.colours(),
        compensation=vertices.share(COMPENSATION),
        dqs_weights=vertices.share(DQS_WEIGHT),
        method=_method(place, notes),
        influences=vertices.influences(),
        morphs=_morphs(place, accessors, v, target_names),
        material=None if material is None else material.index(materials, "material"),
    )


class _Vertices:
    """What a primitive states of every vertex, `count` of them."""

    def __init__(
        self, attributes: Cursor, accessors: Accessors, count: int, notes: list[str]
    ) -> None:
        self._attributes, self._accessors = attributes, accessors
        self._count, self._notes = count, notes
        self._names: dict[str, Any] = attributes.value
        self._amendments = accessors.source.amendments

    def shading(self, name: str, *types: str) -> FloatArray | LazyArray | None:
        """Return an attribute that shading reads, zeros where it is not finite: nothing moves for that.

        None where it is of another type, or for more or fewer vertices; the rest can be shown without.
        """
        place = self._attributes.get(name)
        number = _fitting(place, self._accessors, types, self._count)
        if place is None or number is None:
            return None
        if self._accessors.is_finite(number):
            return self._accessors.later(number)
        values = self._accessors.floats_of(number)
        finite = np.isfinite(values)
        bad = int(np.count_nonzero(~np.all(finite, axis=1)))
        self._notes.append(f"{place.pointer} is not finite at {bad:,} of {len(values):,} vertices")
        return np.where(finite, values, 0.0)

    def _match(self, place: Cursor, length: int) -> None:
        if length != self._count:
            raise place.error(f"{length} values for {self._count} vertices")

    def uvs(self) -> LazyArrays:
        """Return the texture coordinates by the number of their set."""
        return LazyArrays(
            {
                _UV_SETS[name]: uv
                for name in self._names
                if name in _UV_SETS and (uv := self.shading(name, "VEC2")) is not None
            }
        )

    def colours(self) -> FloatArray | LazyArray | None:
        """Return colours and how opaque they are, which is wholly where that is not stated."""
        stated = self.shading("COLOR_0", "VEC3", "VEC4")
        if stated is None or stated.shape[1] == 4:
            return stated
        return LazyArray((self._count, 4), partial(_opaque, stated))

    def share(self, name: str) -> FloatArray | None:
        """Return what rigview states; an attribute of that name which is no share is left alone."""
        if name not in self._names:
            return None
        found = self._attributes.need(name)
        number = self._accessors.number(found)
        stated = self._accessors.types[number]
        if stated != "SCALAR":
            self._notes.append(f"{found.pointer} is {stated}, and so no share of a method")
            return None
        self._match(found, self._accessors.stored(number).length)
        values = self.shading(name, "SCALAR")
        return None if values is None else made(values)[:, 0]

    def influences(self) -> Influences | None:
        """Return what every pair JOINTS_n, WEIGHTS_n states, however many there are."""
        joints: list[IntArray] = []
        weights: list[FloatArray] = []
        for n in count():
            has_joints, has_weights = f"JOINTS_{n}" in self._names, f"WEIGHTS_{n}" in self._names
            if not (has_joints and has_weights):
                if has_joints or has_weights:
                    self._notes.append(
                        f"{self._attributes.pointer} has JOINTS_{n} or WEIGHTS_{n} without the other"
                    )
                break
            joint = self._attributes.need(f"JOINTS_{n}")
            weight = self._attributes.need(f"WEIGHTS_{n}")
            joints.append(self._joints(joint))
            self._match(joint, len(joints[-1]))
            weights.append(self._weights(weight))
            self._match(weight, len(weights[-1]))
        if not joints:
            return None
        if len(joints) == 1:
            return Influences(joints[0], weights[0])
        return Influences(np.concatenate(joints, axis=1), np.concatenate(weights, axis=1))

    def _joints(self, place: Cursor) -> IntArray:
        """Return the slots of every vertex, which are whole numbers whatever their type."""
        number = self._accessors.typed(place, ("VEC4",))
        dtype = self._accessors.stored(number).dtype
        if dtype in _JOINT_TYPES:
            return self._accessors.integers_of(number)
        slots = self._accessors.raw(number)
        self._accessors.allowance.spend(place, 8 * slots.size)
        if not np.all((slots >= 0) & (slots < _MOST_JOINTS) & (slots == np.floor(slots))):
            raise place.error(f"the numbers must be unsigned integers, not {dtype.name}")
        # In copies they have a type that glTF has for them.
        self._amendments.leave_out(place)
        self._notes.append(f"{place.pointer} is {dtype.name}, not uint8 or uint16; all are whole")
        return owned(slots.astype(np.int64))

    def _weights(self, place: Cursor) -> FloatArray:
        """Return the weights of every vertex; integers are shares of their largest one."""
        number = self._accessors.typed(place, ("VEC4",))
        stored = self._accessors.stored(number)
        weights = self._accessors.floats_of(number)
        if stored.dtype.kind == "f" or stored.normalised or weights.max(initial=0.0) <= 1.0:
            return weights
        self._amendments.take(
            self._accessors.member(number, "normalized"),
            True,
            f"taken for true, as glTF wants it of {place.pointer}, which is {stored.dtype.name}",
        )
        self._accessors.allowance.spend(place, weights.nbytes)
        weights = weights.copy()
        scale(weights, stored.dtype)
        return owned(weights)


def _fitting(
    place: Cursor | None, accessors: Accessors, types: Sequence[str], count: int
) -> int | None:
    """Return an accessor that shading reads if it has a value of some type for every vertex.

    Otherwise it is left out: all else can be shown without.
    """
    if place is None:
        return None
    number = accessors.number(place)
    length, stated = accessors.stored(number).length, accessors.types[number]
    if stated in types and length == count:
        return number
    what = f"it is {length:,} × {stated} for {count:,} vertices"
    accessors.source.amendments.leave_out(place, what)
    return None


def _opaque(colours: FloatArray | LazyArray) -> FloatArray:
    """Return ``(n, 4)`` colours that are wholly opaque."""
    rgb = made(colours)
    result = np.ones((len(rgb), 4))
    result[:, :3] = rgb
    return owned(result)


def _finite(place: Cursor, accessors: Accessors) -> FloatArray:
    """Return the vectors of every vertex, which must be finite."""
    number = accessors.typed(place, ("VEC3",))
    values = accessors.floats_of(number)
    if accessors.is_finite(number):
        return values
    bad = np.flatnonzero(~np.all(np.isfinite(values), axis=-1))
    raise place.error(f"{len(bad)} vertices are not finite, the first is vertex {bad[0]}")


def _method(place: Cursor, notes: list[str]) -> FileMethod | None:
    """Read how a primitive wants to be skinned."""
    stated = _extra(place, METHOD)
    if stated is None:
        return None
    known = next((method for method in get_args(FileMethod) if method == stated), None)
    if known is None:
        notes.append(
            f"{place.pointer}/extras/{METHOD} is none of {', '.join(get_args(FileMethod))}"
        )
    return known


def _morphs(
    place: Cursor, accessors: Accessors, v: int, names: tuple[str, ...]
) -> MorphTargets | None:
    targets = place.array("targets")
    if not targets:
        return None

    def displacements(key: str) -> LazyArray | None:
        found = [target.get(key) for target in targets]
        if key != "POSITION":
            fitting = (_fitting(f, accessors, ("VEC3",), v) for f in found)
            found = [f if n is not None else None for f, n in zip(found, fitting, strict=True)]
        if all(f is None for f in found):
            return None
        accessors.allowance.spend(place, len(targets) * v * 24)
        stored = [None if f is None else _displacement(f, accessors, v) for f in found]
        return LazyArray((len(targets), v, 3), partial(_stacked, stored, v))

    positions = displacements("POSITION")
    if positions is None:
        accessors.allowance.spend(place, len(targets) * v * 24)
        positions = LazyArray((len(targets), v, 3), partial(np.zeros, (len(targets), v, 3)))
    return MorphTargets(
        positions,
        displacements("NORMAL"),
        displacements("TANGENT"),
        names[: len(targets)],
    )


def _displacement(place: Cursor, accessors: Accessors, v: int) -> RawAccessor:
    """Return where a displacement of every vertex is, once nothing is wrong with any."""
    stored = accessors.stored(accessors.typed(place, ("VEC3",)))
    if stored.length != v:
        raise place.error(f"{stored.length} values for {v} vertices")
    if not stored.is_surely_finite():
        _finite(place, accessors)
    return stored


def _stacked(targets: Sequence[RawAccessor | None], v: int) -> FloatArray:
    """Return ``(T, V, 3)`` the displacements of targets; zeros where one has none."""
    result = np.zeros((len(targets), v, 3))
    for row, stored in zip(result, targets, strict=True):
        if stored is not None:
            stored.write(row)
    return result


def _topology(place: Cursor, accessors: Accessors, v: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return triangles ``(F, 3)``, lines ``(L, 2)`` and points ``(P,)`` of any of the seven modes."""
    found = place.get("indices")
    # A strip's or fan's triangles repeat each of its numbers three times.
    count = v if found is None else accessors.count(found)
    accessors.allowance.spend(place, 4 * 8 * count)
    if found is None:
        order = np.arange(v)
    else:
        order = accessors.integers(found, "SCALAR")[:, 0]
        highest = int(np.maximum.reduce(order, initial=-1))
        if highest >= v:
            raise found.error(f"vertex {highest} does not exist: there are {v}")
    mode_place = place.get("mode")
    mode = TRIANGLES if mode_place is None else mode_place.integer(0, TRIANGLE_FAN)
    if mode == POINTS:
        return _NO_TRIANGLES, _NO_LINES, order
    if mode in (LINES, LINE_LOOP, LINE_STRIP):
        return _NO_TRIANGLES, _lines(order, mode), _NO_POINTS
    return _triangles(order, mode), _NO_LINES, _NO_POINTS


def _lines(order: IntArray, mode: int) -> IntArray:
    if mode == LINES:
        return order[: len(order) // 2 * 2].reshape(-1, 2)
    following = np.roll(order, -1)
    pairs = np.stack([order, following], axis=1)
    return pairs if mode == LINE_LOOP and len(order) > 1 else pairs[:-1]


def _triangles(order: IntArray, mode: int) -> IntArray:
    if mode == TRIANGLES:
        return order[: len(order) // 3 * 3].reshape(-1, 3)
    if len(order) < 3:
        return _NO_TRIANGLES
    if mode == TRIANGLE_FAN:
        first = np.full(len(order) - 2, order[0])
        return np.stack([order[1:-1], order[2:], first], axis=1)
    strip = np.stack([order[:-2], order[1:-1], order[2:]], axis=1)
    # Every second triangle of a strip winds the other way: glTF 2.0, 3.7.2.1.
    strip[1::2, 1:] = strip[1::2, :0:-1]
    return strip
