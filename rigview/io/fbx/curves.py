"""Animation curves: keys with flags and tangents become cubic pieces that numpy evaluates in rows.

Most curves of a file share their key times and differ in their values only, so curves are kept in
groups: one row of times, one row of values a curve. All kinds of pieces are cubics in the share u
of the interval: constant, linear, and Bézier pieces whose inner points lie at the tangents' weights
w₀ and 1 − w₁ of the interval. Where the weights are ⅓, u is the Bézier parameter itself; elsewhere
``3 w₀ s(1 − s)² + 3 (1 − w₁) s²(1 − s) + s³ = u`` is solved for it.

What the flags and the four numbers per key mean is FBX SDK's fbxanimcurve.h; how automatic tangents
are computed is documented nowhere and follows what Maya and MotionBuilder export beside them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.io.fbx.tree import Node

# FBX SDK, FbxAnimCurveDef.
CONSTANT, CUBIC = 0x2, 0x8
CONSTANT_NEXT = 0x100
_TCB, USER = 0x200, 0x400
_CLAMP, _TIME_INDEPENDENT, _PROGRESSIVE = 0x1000, 0x2000, 0x4000
WEIGHTED_RIGHT, WEIGHTED_NEXT_LEFT = 0x1000000, 0x2000000
_THIRD = 1.0 / 3.0
# Weights are stored as whole multiples of this, two of them in the bits of one 32-bit float.
_WEIGHT_UNIT = 1e-4
# A clamped key this near to a neighbour's value has a flat tangent.
_CLAMP_REACH = 1e-5
# MotionBuilder: bias beyond 500 % adds 40 times its squared excess.
_FREE_BIAS, _BIAS_GAIN = 5.0, 40.0
# Bisection and Newton steps for u; 2⁻⁸ is near enough for six Newton steps to reach float64.
_BISECTIONS, _NEWTONS = 8, 6
# How often a cycle repeats at most: a file can state a span of centuries.
_MOST_CYCLES = 1000
_MODES = {ord("C"): "C", ord("R"): "R", ord("M"): "M", ord("A"): "A", ord("K"): "K"}


@dataclass(frozen=True, eq=False)
class CurveGroup:
    """Curves that share their key times and flags.

    Parameters
    ----------
    times
        ``(n,)`` seconds, strictly ascending.
    values
        ``(k, n)``.
    pieces
        ``(k, n − 1, 4)`` coefficients of 1, s, s², s³ in every interval.
    weights
        ``(k, n − 1, 2)`` tangent weights (w₀, w₁), or None where all are ⅓.
    jumps
        ``(n − 1, 2)`` whether an interval starts and ends with a jump to the key's value.
    slopes
        ``(k, 2)`` slopes before the first and after the last key, for linear extrapolation.
    before, after
        What goes on outside: "C" constant, "R" repeat, "M" mirror, "A" repeat with offset, "K"
        along the slope.
    """

    times: FloatArray
    values: FloatArray
    pieces: FloatArray
    weights: FloatArray | None
    jumps: BoolArray
    slopes: FloatArray
    before: str
    after: str

    @cached_property
    def straight(self) -> bool:
        """Whether every piece is a line."""
        return not np.any(self.pieces[..., 2:])

    @property
    def steps(self) -> bool:
        """Whether every piece keeps the value of the key before it."""
        return bool(np.all(self.jumps == (False, True))) and len(self.times) > 1

    def at(self, rows: IntArray, times: FloatArray) -> FloatArray:
        """Return ``(r, m)`` values of the numbered curves at ``(m,)`` times."""
        last = self.times[-1]
        inside, offset, slope = self._inside(rows, times)
        if len(self.times) == 1:
            return np.repeat(self.values[rows], len(times), axis=1) + slope
        left = np.clip(
            np.searchsorted(self.times, inside, side="right") - 1, 0, len(self.times) - 2
        )
        length = self.times[left + 1] - self.times[left]
        u = np.clip((inside - self.times[left]) / length, 0.0, 1.0)
        s: FloatArray = u
        if self.weights is not None:
            s = _parameter(u, self.weights[rows[:, None], left])
        c = self.pieces[rows[:, None], left]
        result: FloatArray = ((c[..., 3] * s + c[..., 2]) * s + c[..., 1]) * s + c[..., 0]
        # A key is the value at its own time, whatever the pieces beside it do.
        exact = (inside == self.times[left]) & self.jumps[left, 0]
        if np.any(exact):
            result[:, exact] = self.values[rows[:, None], left[exact]]
        end = inside == last
        if np.any(end):
            result[:, end] = self.values[rows, -1][:, None]
        return result + offset + slope

    def _inside(
        self, rows: IntArray, times: FloatArray
    ) -> tuple[FloatArray, FloatArray | float, FloatArray | float]:
        """Return times within the keys, and what cycles and slopes add to the values there."""
        first, last = self.times[0], self.times[-1]
        length = last - first
        inside = np.clip(times, first, last)
        if self.before == "C" and self.after == "C":
            return inside, 0.0, 0.0
        offset: FloatArray = np.zeros((len(rows), len(times)))
        slope: FloatArray = np.zeros((len(rows), len(times)))
        for mode, outside, end in (
            (self.before, times < first, 0),
            (self.after, times > last, 1),
        ):
            if mode == "K":
                beyond = times[outside] - (last if end else first)
                slope[:, outside] = self.slopes[rows, end][:, None] * beyond
            elif mode != "C" and length > 0.0:
                turns = np.floor((times[outside] - first) / length)
                rest = times[outside] - first - turns * length
                back = (mode == "M") & (turns % 2 == 1)
                inside[outside] = first + np.where(back, length - rest, rest)
                if mode == "A":
                    gain = self.values[rows, -1] - self.values[rows, 0]
                    offset[:, outside] = gain[:, None] * turns
        return inside, offset, slope

    def breaks(self, start: float, stop: float) -> FloatArray:
        """Return the times between which the curves are smooth, outside the keys up to a span.

        Just beside a jump there is a time of its own, so that whoever joins values by lines joins
        across nothing else.
        """
        result = [self.times]
        left, right = self.times[:-1], self.times[1:]
        result.append(np.nextafter(left[self.jumps[:, 0]], np.inf))
        result.append(np.nextafter(right[self.jumps[:, 1]], -np.inf))
        inner = np.concatenate(result)
        length = self.times[-1] - self.times[0]
        for mode, end, key in ((self.before, start, 0), (self.after, stop, -1)):
            reach = abs(end - self.times[key])
            outside = end < self.times[key] if key == 0 else end > self.times[key]
            if mode == "C" or not outside:
                continue
            result.append(np.array([end]))
            if mode != "K" and length > 0.0:
                cycles = np.arange(1, min(reach // length + 1.0, _MOST_CYCLES) + 1.0)
                shifted = inner + (cycles * (-length if key == 0 else length))[:, None]
                result.append(shifted[(shifted >= start) & (shifted <= stop)])
        return np.unique(np.concatenate(result))


def _parameter(u: FloatArray, weights: FloatArray) -> FloatArray:
    """Solve the Bézier's first coordinate for its parameter: ``(r, m)`` for ``(r, m, 2)``."""
    w0, w1 = weights[..., 0], 1.0 - weights[..., 1]
    c1, c2, c3 = 3.0 * w0, 3.0 * w1 - 6.0 * w0, 1.0 - 3.0 * w1 + 3.0 * w0
    target = np.broadcast_to(u, w0.shape)
    low, high = np.zeros(w0.shape), np.ones(w0.shape)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        below = ((c3 * middle + c2) * middle + c1) * middle < target
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    s = 0.5 * (low + high)
    for _ in range(_NEWTONS):
        error = ((c3 * s + c2) * s + c1) * s - target
        slope = (3.0 * c3 * s + 2.0 * c2) * s + c1
        step = np.where(slope > 0.0, error / np.where(slope > 0.0, slope, 1.0), 0.0)
        s = np.clip(s - step, low, high)
    return s


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve: a row of a group."""

    group: CurveGroup
    row: int


@dataclass(frozen=True)
class _Raw:
    """A curve as the file holds it."""

    node: Node
    values: FloatArray
    data: NDArray[np.float32]


def read_curves(nodes: Sequence[Node], ticks: float, notes: list[str]) -> list[Curve | None]:
    """Read curves; one without any usable key is None.

    Raises
    ------
    LoadError
        If the arrays of a curve do not fit together.
    """
    groups: dict[tuple[Any, ...], list[tuple[int, _Raw]]] = {}
    for number, node in enumerate(nodes):
        key, raw = _raw(node)
        groups.setdefault(key, []).append((number, raw))
    result: list[Curve | None] = [None] * len(nodes)
    dropped = 0
    for members in groups.values():
        node = members[0][1].node
        times = node.need("KeyTime").integers() / ticks
        flags = _flags(node, len(times))
        values = np.stack([raw.values for _, raw in members])
        data = _unpacked(flags, np.stack([raw.data for _, raw in members]))
        if values.shape[1] != len(times):
            raise node.error(f"the curve has {len(times)} times and {values.shape[1]} values")
        usable = np.all(np.isfinite(values), axis=0)
        order = np.argsort(times, kind="stable")
        order = order[usable[order]]
        order = order[np.diff(times[order], prepend=-np.inf) > 0.0]
        dropped += (len(times) - len(order)) * len(members)
        if len(order) == 0:
            continue
        if len(order) < len(times) or np.any(order[1:] < order[:-1]):
            times, flags, values, data = (
                times[order],
                flags[order],
                values[:, order],
                data[:, order],
            )
        group = build(times, values, flags, data, _mode(node, "Pre"), _mode(node, "Post"))
        for row, (number, _) in enumerate(members):
            result[number] = Curve(group, row)
    if dropped:
        notes.append(f"{dropped} keys are not finite or share their time with another: left out")
    return result


def _unpacked(flags: IntArray, data: NDArray[np.float32]) -> FloatArray:
    """Return ``(k, n, 4)`` tangents with their weights as numbers; what is not finite becomes 0."""
    packed = np.ascontiguousarray(data[..., 2]).view(np.uint32)
    result = np.nan_to_num(data.astype(np.float64), posinf=0.0, neginf=0.0)
    weighted = (flags & _TCB) == 0
    result[..., 2] = np.where(weighted, (packed & 0xFFFF) * _WEIGHT_UNIT, result[..., 2])
    result[..., 3] = np.where(weighted, (packed >> 16) * _WEIGHT_UNIT, 0.0)
    return result


def _identity(node: Node) -> object:
    """Return something that is equal for arrays that are equal in the file."""
    values = node.values
    for name in ("raw", "text"):
        if len(values) == 1 and hasattr(values[0], name):
            return getattr(values[0], name)
    inner = node.child("a")
    if inner is not None:
        return _identity(inner)
    return tuple(values) if all(isinstance(v, int | float) for v in values) else node.offset


def _raw(node: Node) -> tuple[tuple[Any, ...], _Raw]:
    times, values = node.need("KeyTime"), node.need("KeyValueFloat").floats()
    flags, counts = node.child("KeyAttrFlags"), node.child("KeyAttrRefCount")
    found = node.child("KeyAttrDataFloat")
    data = np.zeros((len(values), 4), dtype=np.float32)
    if flags is not None and counts is not None and found is not None:
        rows = found.array()
        # ASCII files state the bits of the floats where those are no decimal numbers.
        rows = rows.astype(np.uint32).view(np.float32) if rows.dtype.kind == "i" else rows
        repeats = counts.integers()
        if len(rows) != 4 * len(repeats) or np.any(repeats < 0) or repeats.sum() != len(values):
            raise node.error("the tangents do not fit the keys")
        data = np.repeat(rows.astype(np.float32).reshape(-1, 4), repeats, axis=0)
    key = (
        len(values),
        _identity(times),
        None if flags is None else _identity(flags),
        None if counts is None else _identity(counts),
        _mode(node, "Pre"),
        _mode(node, "Post"),
    )
    return key, _Raw(node, values, data)


def _flags(node: Node, count: int) -> IntArray:
    flags, counts = node.child("KeyAttrFlags"), node.child("KeyAttrRefCount")
    if flags is None or counts is None:
        return np.zeros(count, dtype=np.int64)
    kinds, repeats = flags.integers(), counts.integers()
    if len(kinds) != len(repeats) or repeats.sum() != count:
        raise node.error("the tangents do not fit the keys")
    return np.repeat(kinds, repeats)


def _mode(node: Node, end: str) -> str:
    found = node.child(f"{end}-Extrapolation")
    kind = None if found is None else found.child("Type")
    if kind is None or not kind.values:
        return "C"
    value = kind.values[0]
    if isinstance(value, str):
        return value if value in _MODES.values() else "C"
    return _MODES.get(value, "C") if isinstance(value, int) else "C"


def build(
    times: FloatArray,
    values: FloatArray,
    flags: IntArray,
    data: FloatArray,
    before: str = "C",
    after: str = "C",
) -> CurveGroup:
    """Turn keys into pieces.

    Parameters
    ----------
    times
        ``(n,)``.
    values
        ``(k, n)``.
    flags
        ``(n,)``.
    data
        ``(k, n, 4)``: slope to the right, slope left of the next key, and their weights; tension,
        continuity and bias of keys that have those.
    """
    n = len(times)
    length = np.diff(times)
    constant = (flags & CONSTANT) != 0
    cubic = ~constant & ((flags & CUBIC) != 0)
    right, left = _slopes(times, values, flags, cubic, data)
    weights = _weights(flags, cubic, data)
    start, end = values[:, :-1], values[:, 1:]
    chord = end - start
    w0, w1 = (_THIRD, _THIRD) if weights is None else (weights[..., 0], weights[..., 1])
    # The second and third Bézier points, each less the first and last.
    out, back = w0 * length * right[:, :-1], w1 * length * left[:, 1:]
    pieces = np.zeros((len(values), n - 1, 4))
    pieces[..., 0] = start
    pieces[..., 1] = 3.0 * out
    pieces[..., 2] = 3.0 * (chord - back - 2.0 * out)
    pieces[..., 3] = 3.0 * (out + back) - 2.0 * chord
    plain = ~cubic[:-1]
    pieces[:, plain, 1:] = 0.0
    pieces[:, plain, 1] = chord[:, plain]
    pieces[:, constant[:-1], 1] = 0.0
    following = constant & ((flags & CONSTANT_NEXT) != 0)
    pieces[:, following[:-1], 0] = end[:, following[:-1]]
    jumps = np.stack([following[:-1], (constant & ~following)[:-1]], axis=1)
    slopes = np.stack([right[:, 0], left[:, -1]], axis=1)
    if n > 1:
        first, last = chord[:, 0] / length[0], chord[:, -1] / length[-1]
        slopes[:, 0] = np.where(cubic[0], slopes[:, 0], np.where(constant[0], 0.0, first))
        slopes[:, 1] = np.where(cubic[-2], slopes[:, 1], np.where(constant[-2], 0.0, last))
    return CurveGroup(times, values, pieces, weights, jumps, slopes, before, after)


def _weights(flags: IntArray, cubic: BoolArray, data: FloatArray) -> FloatArray | None:
    """Return ``(k, n − 1, 2)`` tangent weights, or None where none is stated."""
    stated = _stated_weights(flags)[:-1] & cubic[:-1, None]
    if not np.any(stated):
        return None
    # Beyond one a tangent would run back in time.
    return np.where(stated, np.clip(data[:, :-1, 2:], 0.0, 1.0), _THIRD)


def _stated_weights(flags: IntArray) -> BoolArray:
    """Return ``(n, 2)`` whether the weight to the right and left of the next key is stated."""
    bits = np.stack([flags & WEIGHTED_RIGHT, flags & WEIGHTED_NEXT_LEFT], axis=1)
    return bits.astype(np.bool_) & ((flags & _TCB) == 0)[:, None]


def _slopes(
    times: FloatArray,
    values: FloatArray,
    flags: IntArray,
    cubic: BoolArray,
    data: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return the slopes right and left of every key, ``(k, n)`` each."""
    right, left = data[..., 0], np.zeros(values.shape)
    left[:, 1:] = data[:, :-1, 1]
    tcb = cubic & ((flags & _TCB) != 0)
    automatic = cubic & ~tcb & ((flags & USER) == 0)
    if np.any(automatic):
        auto_left, auto_right = _automatic(times, values, flags, data, left, right)
        left = np.where(automatic, auto_left, left)
        right = np.where(automatic, auto_right, right)
    if np.any(tcb):
        tcb_left, tcb_right = _tcb(times, values, data)
        left, right = np.where(tcb, tcb_left, left), np.where(tcb, tcb_right, right)
        # A key with tension, continuity and bias states no slope for the next one.
        unstated = np.concatenate([[False], tcb[:-1]]) & ~tcb & ~automatic
        left = np.where(unstated, 0.0, left)
    return right, left


def _chords(times: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the slopes of the lines to the key before and after, ``(k, n)``; 0 outside."""
    slope = np.diff(values, axis=1) / np.diff(times)
    none = np.zeros((len(values), 1))
    return np.concatenate([none, slope], axis=1), np.concatenate([slope, none], axis=1)


def _tcb(times: FloatArray, values: FloatArray, data: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Kochanek & Bartels 1984, equations 8 and 9, on slopes."""
    tension, continuity, bias = (data[..., i] for i in range(3))
    before, after = _chords(times, values)
    factor = np.full(values.shape, 0.5)
    factor[:, [0, -1]] = 1.0
    loose = factor * (1.0 - tension)
    left = loose * (
        (1.0 + bias) * (1.0 - continuity) * before + (1.0 - bias) * (1.0 + continuity) * after
    )
    right = loose * (
        (1.0 + bias) * (1.0 + continuity) * before + (1.0 - bias) * (1.0 - continuity) * after
    )
    return left, right


def _automatic(
    times: FloatArray,
    values: FloatArray,
    flags: IntArray,
    data: FloatArray,
    bias_left: FloatArray,
    bias_right: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return the slopes of automatic tangents; the slots of the slopes hold their biases.

    1. Time-independent: the slope between the neighbours. Else half of it, and half the slopes of
       the two lines, weighted by how near in time each neighbour is.
    2. A bias pulls towards one of the lines.
    3. Clamped: flat where a neighbour has the same value.
    4. Clamped progressively: no steeper than what keeps the Bézier points between the keys' values.
    """
    n = len(times)
    before, after = _chords(times, values)
    if n == 1:
        return np.zeros(values.shape), np.zeros(values.shape)
    d0, d1 = np.diff(times, prepend=times[0]), np.diff(times, append=times[-1])
    span = d0 + d1
    share = d0 / span
    total = (before * d0 + after * d1) / span
    independent = (flags & _TIME_INDEPENDENT) != 0
    mixed = 0.5 * total + 0.5 * (before * (1.0 - share) + after * share)
    middle = np.where(independent, total, mixed)
    near = np.minimum(np.abs(before * d0), np.abs(after * d1)) <= _CLAMP_REACH
    edge = np.zeros(n, dtype=np.bool_)
    edge[[0, -1]] = True
    single = np.where(np.arange(n) == 0, after, before)
    near = np.where(
        edge, np.abs(single * np.where(np.arange(n) == 0, d1, d0)) <= _CLAMP_REACH, near
    )
    flat = ((flags & _CLAMP) != 0) & near
    progressive = (flags & _PROGRESSIVE) != 0
    w_left, w_right = _all_weights(flags, data)
    result = []
    # The sign of a bias looks away from the key: what is stored left of it is reversed. At the
    # ends there is one tangent only, and its bias counts for both sides.
    left_bias, right_bias = -bias_left, bias_right.copy()
    left_bias[:, 0], right_bias[:, -1] = right_bias[:, 0], left_bias[:, -1]
    for bias in (left_bias, right_bias):
        slope = np.where(edge, single, middle)
        amount = np.abs(bias) / 100.0
        pulled = np.where(edge | (amount <= _WEIGHT_UNIT), 0.0, amount)
        target = np.where(bias > 0.0, after, before)
        lean = target - slope
        biased = slope * (1.0 - pulled) + target * pulled
        excess = np.maximum(amount - _FREE_BIAS, 0.0)
        sign = np.where(edge | (np.abs(lean) <= _CLAMP_REACH), bias, lean)
        biased = biased + excess**2 * np.where(sign > 0.0, 1.0, -1.0) * _BIAS_GAIN
        slope = np.where(independent, slope, biased)
        upward = np.where(slope >= 0.0, 1.0, -1.0)
        reach_left, reach_right = w_left * d0, w_right * d1
        most = np.minimum(
            np.where(
                reach_left > 0.0,
                upward * before * d0 / np.where(reach_left > 0.0, reach_left, 1.0),
                0.0,
            ),
            np.where(
                reach_right > 0.0,
                upward * after * d1 / np.where(reach_right > 0.0, reach_right, 1.0),
                0.0,
            ),
        )
        kept = upward * np.minimum(np.abs(slope), np.maximum(most, 0.0))
        slope = np.where(progressive, np.where(edge, 0.0, kept), slope)
        result.append(np.where(flat, 0.0, slope))
    return result[0], result[1]


def _all_weights(flags: IntArray, data: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the weights left and right of every key, ``(k, n)`` each; ⅓ where none is stated."""
    stated = np.where(_stated_weights(flags), data[..., 2:], _THIRD)
    left = np.full(data.shape[:2], _THIRD)
    left[:, 1:] = stated[:, :-1, 1]
    return left, stated[..., 0]
