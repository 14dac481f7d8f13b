"""Keys with flags and tangents, read and turned into the pieces of curves."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx import tangents
from rigview.io.fbx.binary import BinaryNode
from rigview.io.fbx.curves import THIRD, Curve, CurveGroup
from rigview.io.fbx.tangents import Keys
from rigview.io.fbx.tree import Node, Packed, as_integers, bounded

# Weights are stored as whole multiples of this, two of them in the bits of one 32-bit float.
_WEIGHT_UNIT = 1e-4
_MODES = {ord(letter): letter for letter in "CRMAK"}


@dataclass(frozen=True, eq=False)
class _Raw:
    """A curve as the file holds it: values and flags ``(n,)``, numbers ``(n, 4)``."""

    node: Node
    times: Packed
    values: FloatArray
    flags: IntArray
    data: NDArray[np.float32]


def read_curves(
    nodes: Sequence[Node], ticks: float, notes: list[str]
) -> list[Curve | float | None]:
    """Read curves; one that never moves is its value, one without any usable key None.

    Raises
    ------
    LoadError
        If the arrays of a curve do not fit together.
    """
    reader = _Reader()
    groups: dict[tuple[object, ...], list[int]] = {}
    raws = []
    for number, node in enumerate(nodes):
        raw = reader.read(node)
        raws.append(raw)
        finite = bool(np.all(np.isfinite(raw.values)))
        key = (len(raw.values), raw.times.raw if finite else number, *_modes(node))
        groups.setdefault(key, []).append(number)
    result: list[Curve | float | None] = [None] * len(nodes)
    dropped = 0
    for shared, numbers in groups.items():
        of = [raws[number] for number in numbers]
        times = as_integers(of[0].node, of[0].times.decode(of[0].node)) / ticks
        values, flags, data = (
            np.stack([getattr(raw, name) for raw in of]) for name in ("values", "flags", "data")
        )
        if values.shape[1] != len(times):
            raise of[0].node.error(f"the curve has {len(times)} times and {values.shape[1]} values")
        data = _unpacked(flags, data)
        keep = _kept(times, values)
        dropped += (len(times) - len(keep)) * len(of)
        if len(keep) == 0:
            continue
        if len(keep) < len(times) or np.any(np.diff(keep) < 0):
            times, values, flags, data = times[keep], values[:, keep], flags[:, keep], data[:, keep]
        group = build(Keys(times, values, flags, data), str(shared[2]), str(shared[3]))
        for row, (number, still) in enumerate(zip(numbers, group.still.tolist(), strict=True)):
            result[number] = float(values[row, 0]) if still else Curve(group, row)
    if dropped:
        notes.append(f"{dropped} keys are not finite or share their time with another: left out")
    return result


def _kept(times: FloatArray, values: FloatArray) -> IntArray:
    """Return the keys that are finite, in ascending order, one a time."""
    usable = np.all(np.isfinite(values), axis=0)
    order = np.argsort(times, kind="stable")
    order = order[usable[order]]
    return order[np.diff(times[order], prepend=-np.inf) > 0.0]


class _Reader:
    """Reads the arrays of curves; equal tangents, of which there are many, are decoded once."""

    def __init__(self) -> None:
        self._spread: dict[tuple[object, ...], tuple[IntArray, NDArray[np.float32]]] = {}

    def read(self, node: Node) -> _Raw:
        """Read a curve, its tangents spread to one row a key."""
        arrays = node.packed()
        for name in ("KeyTime", "KeyValueFloat"):
            if name not in arrays:
                raise node.error(f"{name} is missing")
        values = bounded(arrays["KeyValueFloat"].decode(node))
        found = [arrays.get(f"KeyAttr{name}") for name in ("Flags", "RefCount", "DataFloat")]
        stated = [array for array in found if array is not None]
        if len(stated) < len(found):
            n = len(values)
            flat = np.zeros(n, np.int64), np.zeros((n, 4), np.float32)
            return _Raw(node, arrays["KeyTime"], values, *flat)
        key = (len(values), *(array.raw for array in stated))
        if key not in self._spread:
            self._spread[key] = _spread(node, stated, len(values))
        return _Raw(node, arrays["KeyTime"], values, *self._spread[key])


def _spread(node: Node, arrays: list[Packed], count: int) -> tuple[IntArray, NDArray[np.float32]]:
    """Return ``(n,)`` flags and ``(n, 4)`` numbers: the file states runs of equal ones."""
    kinds, repeats = (as_integers(node, array.decode(node)) for array in arrays[:2])
    if len(kinds) != len(repeats) or np.any(repeats < 0) or repeats.sum() != count:
        raise node.error("the flags do not fit the keys")
    flags = np.repeat(kinds, repeats)
    if not np.any(kinds & tangents.CUBIC):  # lines and constants have no tangents
        return flags, np.zeros((count, 4), np.float32)
    rows = arrays[2].decode(node)
    # ASCII files state the bits of the floats where those are no decimal numbers.
    rows = rows.astype(np.uint32).view(np.float32) if rows.dtype.kind == "i" else rows
    if len(rows) != 4 * len(repeats):
        raise node.error("the tangents do not fit the keys")
    numbers = rows.astype(np.float32, copy=False).reshape(-1, 4)
    return flags, numbers if len(repeats) == count else np.repeat(numbers, repeats, axis=0)


def _unpacked(flags: IntArray, data: NDArray[np.float32]) -> FloatArray:
    """Return ``(k, n, 4)`` tangents with their weights as numbers; what is not finite becomes 0."""
    packed = np.ascontiguousarray(data[..., 2]).view(np.uint32)
    result = np.nan_to_num(data.astype(np.float64), posinf=0.0, neginf=0.0)
    weighted = (flags & tangents.TCB) == 0
    result[..., 2] = np.where(weighted, (packed & 0xFFFF) * _WEIGHT_UNIT, result[..., 2])
    result[..., 3] = np.where(weighted, (packed >> 16) * _WEIGHT_UNIT, 0.0)
    return result


def _modes(node: Node) -> tuple[str, str]:
    """Return what goes on before and after the keys."""
    if isinstance(node, BinaryNode) and not node.mentions(b"-Extrapolation"):
        return "C", "C"
    return _mode(node.child("Pre-Extrapolation")), _mode(node.child("Post-Extrapolation"))


def _mode(found: Node | None) -> str:
    kind = None if found is None else found.child("Type")
    if kind is None or not kind.values:
        return "C"
    value = kind.values[0]
    if isinstance(value, str):
        return value if value in _MODES.values() else "C"
    return _MODES.get(value, "C") if isinstance(value, int) else "C"


def build(keys: Keys, before: str = "C", after: str = "C") -> CurveGroup:
    """Turn keys into pieces; `before` and `after` say what goes on outside of them."""
    flags, values, length = keys.flags, keys.values, np.diff(keys.times)
    constant = ((flags & tangents.CONSTANT) != 0)[:, :-1]
    following = constant & ((flags & tangents.CONSTANT_NEXT) != 0)[:, :-1]
    cubic = keys.cubic[:, :-1]
    right, left = tangents.slopes(keys)
    weights = tangents.weights(keys)
    start, chord = values[:, :-1], np.diff(values, axis=1)
    w0, w1 = (THIRD, THIRD) if weights is None else (weights[..., 0], weights[..., 1])
    # The second and third Bézier points, each less the first and last.
    out, back = w0 * length * right[:, :-1], w1 * length * left[:, 1:]
    pieces = np.zeros((4, *start.shape))
    pieces[0] = np.where(following, values[:, 1:], start)
    pieces[1] = np.where(cubic, 3.0 * out, np.where(constant, 0.0, chord))
    pieces[2] = np.where(cubic, 3.0 * (chord - back - 2.0 * out), 0.0)
    pieces[3] = np.where(cubic, 3.0 * (out + back) - 2.0 * chord, 0.0)
    jumps = np.stack([following, constant & ~following], axis=-1)
    slopes = np.stack([right[:, 0], left[:, -1]], axis=1)
    if len(length):
        line = np.where(constant, 0.0, chord / length)[:, [0, -1]]
        slopes = np.where(cubic[:, [0, -1]], slopes, line)
    return CurveGroup(keys.times, values, pieces, weights, jumps, slopes, before, after)
