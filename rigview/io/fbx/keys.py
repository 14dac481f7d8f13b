"""Keys with flags and tangents, read and turned into the pieces of curves.

All curves of a file are read and checked when it is opened, all of them are turned into pieces when
the first of them is to be evaluated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx import tangents
from rigview.io.fbx.binary import BinaryNode
from rigview.io.fbx.curves import THIRD, Curve, CurveGroup
from rigview.io.fbx.tangents import Keys
from rigview.io.fbx.tree import LARGEST_NUMBER, Node, Packed, as_integers, bounded

# Weights are stored as whole multiples of this, two of them in the bits of one 32-bit float.
_WEIGHT_UNIT = 1e-4
_MODES = {ord(letter): letter for letter in "CRMAK"}


@dataclass(frozen=True, eq=False)
class _Runs:
    """Runs of keys with equal flags and numbers: ``(r,)`` flags and lengths."""

    flags: IntArray
    lengths: IntArray
    has_tangents: bool

    @cached_property
    def of_keys(self) -> IntArray:
        """``(n,)`` flags."""
        return np.repeat(self.flags, self.lengths)


_Numbers = NDArray[np.float32]


@dataclass(eq=False, slots=True)
class _Raw:
    """A curve as the file holds it.

    Parameters
    ----------
    times
        ``(n,)`` ticks.
    values
        ``(n,)``.
    runs, numbers
        What the file states of the keys' kinds, and ``(r, 4)`` numbers of the runs; None where it
        states none.
    before, after
        What goes on outside of the keys.
    """

    times: IntArray
    values: NDArray[Any]
    runs: _Runs | None
    numbers: _Numbers | None
    before: str
    after: str

    @property
    def flags(self) -> IntArray:
        """``(n,)``."""
        return np.zeros(len(self.values), np.int64) if self.runs is None else self.runs.of_keys

    @property
    def data(self) -> _Numbers:
        """``(n, 4)`` numbers of the keys."""
        if self.runs is None or self.numbers is None:
            return np.zeros((len(self.values), 4), np.float32)
        if len(self.numbers) == len(self.values):
            return self.numbers
        return np.repeat(self.numbers, self.runs.lengths, axis=0)


class Curves:
    """All curves of a file.

    Raises
    ------
    LoadError
        If the arrays of a curve do not fit together.
    """

    def __init__(self, nodes: Sequence[Node], ticks: float, notes: list[str]) -> None:
        self._ticks = ticks
        self._building = Lock()
        self._ready: list[Curve | float | None] | None = None
        reader = _Reader()
        self._raws = [reader.read(node) for node in nodes]
        self._dropped = 0
        if not self._sound(reader.times):
            # So rare that they may as well be built at once to count what is left out.
            self.usable = [curve is not None for curve in self._built()]
            if self._dropped:
                notes.append(
                    f"{self._dropped} keys are not finite or share their time with another: "
                    "left out"
                )
        else:
            self.usable = [len(raw.values) > 0 for raw in self._raws]

    def __getitem__(self, number: int) -> Curve | float:
        """Return a usable curve; one that never moves is its value."""
        result = self._built()[number]
        if result is None:
            raise ValueError(f"curve {number} has no usable key")
        return result

    def constant(self, number: int) -> float | None:
        """Return the value of a usable curve that certainly never moves, without building it."""
        if self._ready is not None:
            curve = self._ready[number]
            return curve if isinstance(curve, float) else None
        raw = self._raws[number]
        stored = raw.values.tobytes()
        if stored != stored[: raw.values.itemsize] * len(raw.values):
            return None
        # Between equal values all slopes are 0 but those that are stated.
        flat = raw.numbers is None or not np.any(raw.numbers[:, :2])
        return float(raw.values[0]) if flat else None

    def at_keys(self, parts: Sequence[float | int]) -> FloatArray | None:
        """Return ``(c, n)`` stated values of curves, by their numbers, and of constants.

        None where the curves do not share their key times.
        """
        if self._ready is not None:
            return None
        raws = [self._raws[part] for part in parts if isinstance(part, int)]
        if not raws or any(raw.times is not raws[0].times for raw in raws):
            return None
        n = len(raws[0].times)
        return np.stack(
            [self._raws[p].values if isinstance(p, int) else np.full(n, p) for p in parts]
        ).astype(np.float64)

    def _sound(self, times: Sequence[IntArray]) -> bool:
        """Tell whether all keys can be used: their values finite, their times ascending."""
        if not self._raws:
            return True
        values = np.concatenate([raw.values for raw in self._raws])
        rows = [row for row in times if len(row)]
        if not np.all(np.abs(values) <= LARGEST_NUMBER) or not rows:
            return False
        steps = np.diff(np.concatenate(rows) / self._ticks) > 0.0
        steps[np.cumsum([len(row) for row in rows[:-1]], dtype=np.int64) - 1] = True
        return bool(np.all(steps))

    def _built(self) -> list[Curve | float | None]:
        """Return all curves; one without any usable key is None."""
        with self._building:
            if self._ready is None:
                self._ready = self._build()
                self._raws = []
            return self._ready

    def _build(self) -> list[Curve | float | None]:
        groups: dict[tuple[int, str, str], list[int]] = {}
        for number, raw in enumerate(self._raws):
            groups.setdefault((id(raw.times), raw.before, raw.after), []).append(number)
        result: list[Curve | float | None] = [None] * len(self._raws)
        for (_, before, after), numbers in groups.items():
            keys = self._stacked([self._raws[number] for number in numbers])
            finite = np.all(np.isfinite(keys.values), axis=1)
            # A curve with a damaged key loses that key; the others of its group do not.
            for rows in (np.flatnonzero(finite), *np.flatnonzero(~finite)[:, None]):
                kept = _kept(keys, rows)
                self._dropped += (len(keys.times) - len(kept.times)) * len(rows)
                if not len(rows) or not len(kept.times):
                    continue
                group = build(kept, before, after)
                for row, (index, still) in enumerate(zip(rows, group.still.tolist(), strict=True)):
                    curve = float(kept.values[row, 0]) if still else Curve(group, row)
                    result[numbers[index]] = curve
        return result

    def _stacked(self, raws: list[_Raw]) -> Keys:
        """Return curves of equal key times as one value."""
        values = bounded(np.stack([raw.values for raw in raws]))
        flags = np.stack([raw.flags for raw in raws])
        data = _unpacked(flags, np.stack([raw.data for raw in raws]))
        return Keys(raws[0].times / self._ticks, values, flags, data)


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
    """Reads the arrays of curves; equal ones, of which there are many, are decoded once."""

    def __init__(self) -> None:
        self._times: dict[object, IntArray] = {}
        self._runs: dict[tuple[object, ...], _Runs] = {}
        self._numbers: dict[tuple[object, ...], _Numbers] = {}

    @property
    def times(self) -> list[IntArray]:
        """The different rows of key times."""
        return list(self._times.values())

    def read(self, node: Node) -> _Raw:
        """Read a curve."""
        arrays = node.packed()
        stated, values = arrays.get("KeyTime"), arrays.get("KeyValueFloat")
        if stated is None or values is None:
            missing = "KeyTime" if stated is None else "KeyValueFloat"
            raise node.error(f"{missing} is missing")
        heights = values.decode(node)
        n = len(heights)
        times = self._times.get(stated.raw)
        if times is None:
            times = self._times[stated.raw] = as_integers(node, stated.decode(node))
        if len(times) != n:
            raise node.error(f"the curve has {len(times)} times and {n} values")
        runs = self._read_runs(node, arrays, n)
        numbers = None if runs is None else self._read_numbers(node, arrays, runs)
        return _Raw(times, heights, runs, numbers, *_modes(node))

    def _read_runs(self, node: Node, arrays: dict[str, Packed], n: int) -> _Runs | None:
        kinds, counts = arrays.get("KeyAttrFlags"), arrays.get("KeyAttrRefCount")
        if kinds is None or counts is None:
            return None
        key = (n, kinds.raw, counts.raw)
        result = self._runs.get(key)
        if result is None:
            result = self._runs[key] = _runs(node, kinds, counts, n)
        return result

    def _read_numbers(self, node: Node, arrays: dict[str, Packed], runs: _Runs) -> _Numbers | None:
        stated = arrays.get("KeyAttrDataFloat")
        if stated is None or not runs.has_tangents:
            return None
        key = (len(runs.lengths), stated.raw)
        result = self._numbers.get(key)
        if result is None:
            result = self._numbers[key] = _numbers(node, stated, len(runs.lengths))
        return result


def _runs(node: Node, kinds: Packed, counts: Packed, n: int) -> _Runs:
    flags = as_integers(node, kinds.decode(node))
    lengths = as_integers(node, counts.decode(node))
    if len(flags) != len(lengths) or np.any(lengths < 0) or lengths.sum() != n:
        raise node.error("the flags do not fit the keys")
    return _Runs(flags, lengths, bool(np.any(flags & tangents.CUBIC)))


def _numbers(node: Node, stated: Packed, count: int) -> _Numbers:
    """Return the ``(count, 4)`` numbers of the runs."""
    rows = stated.decode(node)
    if rows.dtype.kind == "i":
        # ASCII files state the bits of the floats where those are no decimal numbers.
        rows = rows.astype(np.uint32).view(np.float32)
    elif rows.dtype != np.float32:
        rows = bounded(rows).astype(np.float32)
    if len(rows) != 4 * count:
        raise node.error("the tangents do not fit the keys")
    return rows.reshape(-1, 4)


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
