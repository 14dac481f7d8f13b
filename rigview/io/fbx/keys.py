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

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.io.curves import HELD, THIRD, Curve, CurveGroup, Outside, cubics
from rigview.io.fbx import tangents
from rigview.io.fbx.blocks import in_one
from rigview.io.fbx.nodes import ArrayColumn, FbxNodes, Ragged
from rigview.io.fbx.tangents import Keys
from rigview.io.fbx.tree import Node, as_integers, bounded
from rigview.io.reading import LARGEST_NUMBER

# Weights are stored as whole multiples of this, two of them in the bits of one 32-bit float.
_WEIGHT_UNIT = 1e-4
_NAMES = ("KeyTime", "KeyValueFloat", "KeyAttrFlags", "KeyAttrDataFloat", "KeyAttrRefCount")
_MODES = {ord(letter): letter for letter in "CRMAK"}


class Curves:
    """All curves of a file: what the file states of their keys, one curve after the other.

    Raises
    ------
    LoadError
        If the arrays of a curve do not fit together.
    """

    def __init__(self, nodes: FbxNodes, ticks: float, notes: list[str]) -> None:
        self._ticks = ticks
        self._building = Lock()
        self._ready: list[Curve | float | None] | None = None
        self._dropped = 0
        self.usable: list[bool] = []
        if not nodes:
            return
        self._keys = _read_keys(nodes, ticks, notes)
        nodes.pulse()
        self._outside = _outside(nodes)
        nodes.pulse()
        if self._keys.sound:
            self.usable = (self._keys.values.lengths > 0).tolist()
        else:
            # So rare that they may as well be built at once to count what is left out.
            self.usable = [curve is not None for curve in self._built()]
            if self._dropped:
                notes.append(left_out_words(self._dropped))

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
        return self._keys.constants[number]

    def at_keys(self, parts: Sequence[float | int]) -> FloatArray | None:
        """Return ``(c, n)`` stated values of curves, by their numbers, and of constants.

        None where the curves do not share their key times.
        """
        curves = [part for part in parts if isinstance(part, int)]
        if self._ready is not None or len({int(self._keys.which[curve]) for curve in curves}) != 1:
            return None
        rows = iter(self._keys.values.rows(curves).astype(np.float64))
        n = int(self._keys.values.lengths[curves[0]])
        return np.stack([next(rows) if isinstance(p, int) else np.full(n, p) for p in parts])

    def _built(self) -> list[Curve | float | None]:
        """Return all curves; one without any usable key is None."""
        with self._building:
            if self._ready is None:
                self._ready = self._build()
                del self._keys
            return self._ready

    def _build(self) -> list[Curve | float | None]:
        groups: dict[tuple[int, Outside, Outside], list[int]] = {}
        which = self._keys.which.tolist()
        for number, (row, outside) in enumerate(zip(which, self._outside, strict=True)):
            groups.setdefault((row, *outside), []).append(number)
        result: list[Curve | float | None] = [None] * len(which)
        for (_, before, after), numbers in groups.items():
            keys = self._keys.of(numbers, self._ticks)
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


def left_out_words(keys: int) -> str:
    """Say that some keys are left out, and why."""
    if keys == 1:
        return "1 key is not finite or shares its time with another: left out"
    return f"{keys:,} keys are not finite or share their time with another: left out"


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


@dataclass(frozen=True, eq=False)
class _StatedKeys:
    """The keys of all curves as the file states them, one curve after the other.

    Parameters
    ----------
    times, which
        Different rows of ticks, ``(n,)`` each, and ``(k,)`` which of them each curve has.
    values
        Of k curves.
    sound
        Whether all keys can be used: their values finite, their times ascending.
    flags, lengths
        ``(r,)`` flags of runs of equal keys, and how many keys those have.
    runs
        ``(k,)`` how many runs each curve has.
    data
        ``(r, 4)`` numbers of the runs.
    """

    times: list[IntArray]
    which: IntArray
    values: Ragged
    sound: bool
    flags: IntArray
    lengths: IntArray
    runs: IntArray
    data: NDArray[np.float32]

    @cached_property
    def _run_of_key(self) -> IntArray:
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @cached_property
    def constants(self) -> list[float | None]:
        """The value of every curve that certainly never moves, None of the others."""
        filled = self.values.lengths > 0
        bits = self.values.values.view(f"u{self.values.values.itemsize}")
        first = self.values.starts[filled]
        other = np.not_equal(bits, np.repeat(bits[first], self.values.lengths[filled]))
        # Between equal values all slopes are 0 but those that are stated.
        sloped: BoolArray = np.any(self.data[:, :2], axis=1)
        moves = Ragged(other, self.values.lengths).totals() + Ragged(sloped, self.runs).totals()
        values = np.zeros(len(filled))
        values[filled] = self.values.values[first]
        still = filled & (moves == 0)
        return [v if s else None for v, s in zip(values.tolist(), still.tolist(), strict=True)]

    def of(self, numbers: Sequence[int], ticks: float) -> Keys:
        """Return curves of equal key times as one value."""
        runs = self._run_of_key[self.values.places(numbers)]
        flags = self.flags[runs]
        times = self.times[self.which[numbers[0]]] / ticks
        values = bounded(self.values.rows(numbers))
        return Keys(times, values, flags, _unpacked(flags, self.data[runs]))


def _read_keys(nodes: FbxNodes, ticks: float, notes: list[str]) -> _StatedKeys:
    """Read the keys of all curves; equal rows of times, of which there are many, are decoded once."""
    arrays = nodes.columns(_NAMES)
    for name in ("KeyTime", "KeyValueFloat"):
        stated = arrays[name].stated
        if not stated.all():
            raise nodes[int(np.argmin(stated))].error(f"{name} is missing")
    values = arrays["KeyValueFloat"].joined(np.float32, _as_floats)
    times, which = arrays["KeyTime"].distinct(np.int64, as_integers)
    nodes.pulse()
    counts = np.array([len(row) for row in times], dtype=np.int64)[which]
    wrong = counts != values.lengths
    if wrong.any():
        n = int(np.argmax(wrong))
        raise nodes[n].error(f"the curve has {counts[n]} times and {values.lengths[n]} values")
    fitting = np.ones(len(nodes), dtype=np.bool_)
    runs, lengths, has_runs = _read_runs(arrays, counts, fitting)
    nodes.pulse()
    data = _read_data(arrays["KeyAttrDataFloat"], runs, has_runs, fitting)
    flags = runs.values.astype(np.int64)
    if not fitting.all():
        flags[np.repeat(~fitting, runs.lengths)] = 0
        count = np.count_nonzero(~fitting)
        curves = "1 curve" if count == 1 else f"{count:,} curves"
        notes.append(f"flags or tangents that do not fit the keys of {curves} are ignored")
    return _StatedKeys(
        times,
        which,
        values,
        _are_sound(times, values.values, ticks),
        flags,
        lengths,
        runs.lengths,
        data,
    )


def _read_runs(
    arrays: dict[str, ArrayColumn], counts: IntArray, fitting: BoolArray
) -> tuple[Ragged, IntArray, BoolArray]:
    """Return flags of runs, their lengths, and which curves state them; others have one run.

    Curves are taken out of `fitting` whose flags do not fit their keys.
    """
    kinds, lengths = arrays["KeyAttrFlags"], arrays["KeyAttrRefCount"]
    stated = kinds.stated & lengths.stated & fitting
    flags = kinds.joined(np.int32, as_integers, stated)
    keys = lengths.joined(np.int32, as_integers, stated)
    wrong = (flags.lengths != keys.lengths) | (stated & (keys.totals() != counts))
    negative = keys.values < 0
    if negative.any():
        wrong |= Ragged(negative, keys.lengths).totals() > 0
    if wrong.any():
        fitting &= ~wrong
        return _read_runs(arrays, counts, fitting)
    if stated.all():
        return flags, keys.values.astype(np.int64), stated
    places = flags.starts[~stated]
    return (
        Ragged(np.insert(flags.values, places, 0), flags.lengths + ~stated),
        np.insert(keys.values.astype(np.int64), places, counts[~stated]),
        stated,
    )


def _read_data(
    stated: ArrayColumn, runs: Ragged, has_runs: BoolArray, fitting: BoolArray
) -> NDArray[np.float32]:
    """Return the ``(r, 4)`` numbers of the runs; zeros where the file states none or needs none.

    Curves are taken out of `fitting` whose numbers do not fit their runs.
    """
    cubic = Ragged((runs.values & tangents.CUBIC) != 0, runs.lengths).totals() > 0
    wanted = has_runs & cubic & stated.stated & fitting
    rows = stated.joined(np.float32, _as_numbers, wanted)
    wrong = wanted & (rows.lengths != 4 * runs.lengths)
    if wrong.any():
        fitting &= ~wrong
        return _read_data(stated, runs, has_runs, fitting)
    if wanted.all():
        return rows.values.reshape(-1, 4)
    result = np.zeros((len(runs.values), 4), dtype=np.float32)
    result[np.repeat(wanted, runs.lengths)] = rows.values.reshape(-1, 4)
    return result


def _as_floats(_: Node, array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.float64)


def _as_numbers(_: Node, array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind == "i":
        # ASCII files state the bits of the floats where those are no decimal numbers.
        return array.astype(np.uint32).view(np.float32)
    return bounded(array).astype(np.float32)


def _are_sound(times: Sequence[IntArray], values: NDArray[Any], ticks: float) -> bool:
    """Tell whether all values are finite and all times ascend."""
    rows = [row for row in times if len(row)]
    if not rows:
        return not times
    if not np.all(np.abs(values) <= LARGEST_NUMBER):
        return False
    steps = np.diff(in_one(rows) / ticks) > 0.0
    if len(rows) > 1:
        steps[np.cumsum([len(row) for row in rows[:-1]]) - 1] = True
    return bool(np.all(steps))


def _unpacked(flags: IntArray, data: NDArray[np.float32]) -> FloatArray:
    """Return ``(k, n, 4)`` tangents with their weights as numbers; what is not finite becomes 0."""
    packed = np.ascontiguousarray(data[..., 2]).view(np.uint32)
    result = np.nan_to_num(data.astype(np.float64), posinf=0.0, neginf=0.0)
    weighted = (flags & tangents.TCB) == 0
    result[..., 2] = np.where(weighted, (packed & 0xFFFF) * _WEIGHT_UNIT, result[..., 2])
    result[..., 3] = np.where(weighted, (packed >> 16) * _WEIGHT_UNIT, 0.0)
    return result


def _outside(nodes: FbxNodes) -> list[tuple[Outside, Outside]]:
    """Return what goes on before and after the keys of every curve."""
    if not nodes.mention("-Extrapolation"):
        return [(HELD, HELD)] * len(nodes)
    curves = (nodes[number] for number in range(len(nodes)))
    return [
        (_beyond(node.child("Pre-Extrapolation")), _beyond(node.child("Post-Extrapolation")))
        for node in curves
    ]


def _beyond(found: Node | None) -> Outside:
    kind = None if found is None else found.child("Type")
    if found is None or kind is None or not kind.values:
        return HELD
    mode = kind.values[0]
    if isinstance(mode, int):
        mode = _MODES.get(mode)
    if mode not in _MODES.values():
        return HELD
    count = found.child("Repetition")
    stated = -1.0 if count is None or not count.values else count.number()
    return Outside(mode, stated) if stated >= 0.0 else Outside(mode)


def build(keys: Keys, before: Outside = HELD, after: Outside = HELD) -> CurveGroup:
    """Turn keys into pieces; `before` and `after` say what goes on outside of them."""
    flags, values, length = keys.flags, keys.values, np.diff(keys.times)
    constant = ((flags & tangents.CONSTANT) != 0)[:, :-1]
    following = constant & ((flags & tangents.CONSTANT_NEXT) != 0)[:, :-1]
    cubic = keys.cubic[:, :-1]
    right, left = tangents.slopes(keys)
    weights = tangents.weights(keys)
    chord = np.diff(values, axis=1)
    w0, w1 = (THIRD, THIRD) if weights is None else (weights[..., 0], weights[..., 1])
    out, back = w0 * length * right[:, :-1], w1 * length * left[:, 1:]
    pieces = cubics(values, cubic, constant, out, back)
    pieces[0] = np.where(following, values[:, 1:], pieces[0])
    jumps = np.stack([following, constant & ~following], axis=-1)
    # One key alone has no slope to go on with, whatever it states.
    slopes = np.zeros((len(values), 2))
    if len(length):
        slopes = np.stack([right[:, 0], left[:, -1]], axis=1)
        line = np.where(constant, 0.0, chord / length)[:, [0, -1]]
        slopes = np.where(cubic[:, [0, -1]], slopes, line)
    return CurveGroup(keys.times, values, pieces, weights, jumps, slopes, before, after)
