"""Keys with flags and tangents, read and turned into the pieces of curves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
    values: NDArray[Any]
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
    raws = [reader.read(node) for node in nodes]
    for number, raw in enumerate(raws):
        key = (len(raw.values), raw.times.raw, *_modes(raw.node))
        groups.setdefault(key, []).append(number)
    result: list[Curve | float | None] = [None] * len(nodes)
    dropped = 0
    for (_, _, before, after), numbers in groups.items():
        of = [raws[number] for number in numbers]
        keys = _stacked(of, ticks)
        finite = np.all(np.isfinite(keys.values), axis=1)
        # A curve with a damaged key loses that key; the others of its group do not.
        for rows in (np.flatnonzero(finite), *np.flatnonzero(~finite)[:, None]):
            kept = _kept(keys, rows)
            dropped += (len(keys.times) - len(kept.times)) * len(rows)
            if not len(rows) or not len(kept.times):
                continue
            group = build(kept, str(before), str(after))
            for row, (index, still) in enumerate(zip(rows, group.still.tolist(), strict=True)):
                curve = float(kept.values[row, 0]) if still else Curve(group, row)
                result[numbers[index]] = curve
    if dropped:
        notes.append(f"{dropped} keys are not finite or share their time with another: left out")
    return result


def _stacked(raws: list[_Raw], ticks: float) -> Keys:
    """Return curves of equal key times as one value."""
    first = raws[0]
    times = as_integers(first.node, first.times.decode(first.node)) / ticks
    values = bounded(np.stack([raw.values for raw in raws]))
    if values.shape[1] != len(times):
        raise first.node.error(f"the curve has {len(times)} times and {values.shape[1]} values")
    flags = np.stack([raw.flags for raw in raws])
    return Keys(times, values, flags, _unpacked(flags, np.stack([raw.data for raw in raws])))


def _kept(keys: Keys, rows: IntArray) -> Keys:
    """Return some of the curves with the keys that are finite, in ascending order, one a time."""
    values = keys.values[rows]
    usable = np.all(np.isfinite(values), axis=0)
    if np.all(usable) and np.all(np.diff(keys.times) > 0.0):
        return Keys(keys.times, values, keys.flags[rows], keys.data[rows])
    order = np.argsort(keys.times, kind="stable")
    order = order[usable[order]]
    order = order[np.diff(keys.times[order], prepend=-np.inf) > 0.0]
    at = (rows[:, None], order)
    return Keys(keys.times[order], keys.values[at], keys.flags[at], keys.data[at])


class _Reader:
    """Reads the arrays of curves; equal flags, of which there are many, are decoded once."""

    def __init__(self) -> None:
        self._runs: dict[tuple[object, ...], tuple[IntArray, IntArray]] = {}

    def read(self, node: Node) -> _Raw:
        """Read a curve, its tangents spread to one row a key."""
        arrays = node.packed()
        times, values = (arrays.get(name) for name in ("KeyTime", "KeyValueFloat"))
        if times is None or values is None:
            missing = "KeyTime" if times is None else "KeyValueFloat"
            raise node.error(f"{missing} is missing")
        heights = values.decode(node)
        n = len(heights)
        kinds, counts = arrays.get("KeyAttrFlags"), arrays.get("KeyAttrRefCount")
        if kinds is None or counts is None:
            return _Raw(node, times, heights, np.zeros(n, np.int64), np.zeros((n, 4), np.float32))
        key = (n, kinds.raw, counts.raw)
        if key not in self._runs:
            self._runs[key] = _runs(node, kinds, counts, n)
        flags, repeats = self._runs[key]
        stated = arrays.get("KeyAttrDataFloat")
        if stated is None or not len(repeats):
            return _Raw(node, times, heights, flags, np.zeros((n, 4), np.float32))
        return _Raw(node, times, heights, flags, _numbers(node, stated, repeats, n))


def _runs(node: Node, kinds: Packed, counts: Packed, n: int) -> tuple[IntArray, IntArray]:
    """Return ``(n,)`` flags and the lengths of their runs, none where there are no tangents."""
    stated = as_integers(node, kinds.decode(node))
    repeats = as_integers(node, counts.decode(node))
    if len(stated) != len(repeats) or np.any(repeats < 0) or repeats.sum() != n:
        raise node.error("the flags do not fit the keys")
    has_tangents = np.any(stated & tangents.CUBIC)
    return np.repeat(stated, repeats), repeats if has_tangents else repeats[:0]


def _numbers(node: Node, stated: Packed, repeats: IntArray, n: int) -> NDArray[np.float32]:
    """Return the ``(n, 4)`` numbers of the keys."""
    rows = stated.decode(node)
    if rows.dtype.kind == "i":
        # ASCII files state the bits of the floats where those are no decimal numbers.
        rows = rows.astype(np.uint32).view(np.float32)
    elif rows.dtype != np.float32:
        rows = bounded(rows).astype(np.float32)
    if len(rows) != 4 * len(repeats):
        raise node.error("the tangents do not fit the keys")
    rows = rows.reshape(-1, 4)
    return rows if len(repeats) == n else np.repeat(rows, repeats, axis=0)


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
