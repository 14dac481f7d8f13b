"""The slopes and weights of tangents.

What the flags and the four numbers per key mean is FBX SDK's fbxanimcurve.h; how automatic tangents
are computed is documented nowhere and follows what Maya and MotionBuilder export beside them.
"""

from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.io.curves import THIRD

# FBX SDK, FbxAnimCurveDef.
CONSTANT, CUBIC = 0x2, 0x8
CONSTANT_NEXT = 0x100
TCB, USER = 0x200, 0x400
_CLAMP, TIME_INDEPENDENT, PROGRESSIVE = 0x1000, 0x2000, 0x4000
WEIGHTED_RIGHT, WEIGHTED_NEXT_LEFT = 0x1000000, 0x2000000
# A clamped key this near to a neighbour's value has a flat tangent.
_CLAMP_REACH = 1e-5
# MotionBuilder: bias beyond 500 % adds 40 times its squared excess. Less than .01 % is none.
_FREE_BIAS, _BIAS_GAIN, _NO_BIAS = 5.0, 40.0, 1e-4


@dataclass(frozen=True, eq=False)
class Keys:
    """The keys of k curves at the same times.

    Parameters
    ----------
    times
        ``(n,)`` seconds.
    values, flags
        ``(k, n)``.
    data
        ``(k, n, 4)``: slope to the right, slope left of the next key, and their weights; tension,
        continuity and bias of keys that have those.
    """

    times: FloatArray
    values: FloatArray
    flags: IntArray
    data: FloatArray

    @property
    def cubic(self) -> BoolArray:
        """``(k, n)`` whether the piece after a key is a cubic."""
        return (self.flags & (CONSTANT | CUBIC)) == CUBIC


def weights(keys: Keys) -> FloatArray | None:
    """Return ``(k, n − 1, 2)`` tangent weights, or None where none is stated."""
    stated = _stated_weights(keys.flags)[:, :-1] & keys.cubic[:, :-1, None]
    if not np.any(stated):
        return None
    # Beyond one a tangent would run back in time.
    return np.where(stated, np.clip(keys.data[:, :-1, 2:], 0.0, 1.0), THIRD)


def _stated_weights(flags: IntArray) -> BoolArray:
    """Return ``(k, n, 2)`` whether the weight to the right and left of the next key is stated."""
    bits = np.stack([flags & WEIGHTED_RIGHT, flags & WEIGHTED_NEXT_LEFT], axis=-1)
    return bits.astype(np.bool_) & ((flags & TCB) == 0)[..., None]


def slopes(keys: Keys) -> tuple[FloatArray, FloatArray]:
    """Return the slopes right and left of every key, ``(k, n)`` each."""
    right, left = keys.data[..., 0], np.zeros(keys.values.shape)
    left[:, 1:] = keys.data[:, :-1, 1]
    tcb = keys.cubic & ((keys.flags & TCB) != 0)
    automatic = keys.cubic & ~tcb & ((keys.flags & USER) == 0)
    if np.any(automatic):
        auto_left, auto_right = _automatic(keys, left, right)
        left = np.where(automatic, auto_left, left)
        right = np.where(automatic, auto_right, right)
    if np.any(tcb):
        # A key with tension, continuity and bias states no slope for the next one.
        left[:, 1:] = np.where(tcb[:, :-1] & ~automatic[:, 1:], 0.0, left[:, 1:])
        tcb_left, tcb_right = _tcb(keys)
        left, right = np.where(tcb, tcb_left, left), np.where(tcb, tcb_right, right)
    return right, left


def _chords(keys: Keys) -> tuple[FloatArray, FloatArray]:
    """Return the slopes of the lines to the key before and after, ``(k, n)``; 0 outside."""
    slope = np.diff(keys.values, axis=1) / np.diff(keys.times)
    none = np.zeros((len(slope), 1))
    return np.concatenate([none, slope], axis=1), np.concatenate([slope, none], axis=1)


def _tcb(keys: Keys) -> tuple[FloatArray, FloatArray]:
    """Kochanek & Bartels 1984, equations 8 and 9, on slopes."""
    tension, continuity, bias = (keys.data[..., i] for i in range(3))
    before, after = _chords(keys)
    factor = np.full(keys.values.shape, 0.5)
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
    keys: Keys, bias_left: FloatArray, bias_right: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the slopes of automatic tangents; the slots of the slopes hold their biases.

    1. Time-independent: the slope between the neighbours. Else half of it, and half the slopes of
       the two lines, weighted by how near in time each neighbour is.
    2. A bias pulls towards one of the lines.
    3. Clamped: flat where a neighbour has the same value.
    4. Clamped progressively: no steeper than what keeps the Bézier points between the keys' values.
    """
    times, flags = keys.times, keys.flags
    n = len(times)
    if n == 1:
        return np.zeros(keys.values.shape), np.zeros(keys.values.shape)
    before, after = _chords(keys)
    d0, d1 = np.diff(times, prepend=times[0]), np.diff(times, append=times[-1])
    share = d0 / (d0 + d1)
    total = before * share + after * (1.0 - share)
    independent = (flags & TIME_INDEPENDENT) != 0
    mixed = 0.5 * total + 0.5 * (before * (1.0 - share) + after * share)
    edge = np.zeros(n, dtype=np.bool_)
    edge[[0, -1]] = True
    single = np.where(np.arange(n) == 0, after, before)
    middle = np.where(edge, single, np.where(independent, total, mixed))
    steps = np.minimum(np.abs(before * d0), np.abs(after * d1))
    steps[:, 0], steps[:, -1] = np.abs(after[:, 0] * d1[0]), np.abs(before[:, -1] * d0[-1])
    flat = ((flags & _CLAMP) != 0) & (steps <= _CLAMP_REACH)
    progressive = (flags & PROGRESSIVE) != 0
    most_left, most_right = _steepest(keys, before, after)
    result = []
    # The sign of a bias looks away from the key: what is stored left of it is reversed. At the
    # ends there is one tangent only, and its bias counts for both sides.
    left_bias, right_bias = -bias_left, bias_right.copy()
    left_bias[:, 0], right_bias[:, -1] = right_bias[:, 0], left_bias[:, -1]
    for bias in (left_bias, right_bias):
        amount = np.abs(bias) / 100.0
        pulled = np.where(edge | (amount <= _NO_BIAS), 0.0, amount)
        target = np.where(bias > 0.0, after, before)
        lean = target - middle
        biased = middle + lean * pulled
        excess = np.maximum(amount - _FREE_BIAS, 0.0)
        sign = np.where(edge | (np.abs(lean) <= _CLAMP_REACH), bias, lean)
        biased = biased + excess**2 * np.where(sign > 0.0, 1.0, -1.0) * _BIAS_GAIN
        slope = np.where(independent, middle, biased)
        upward = np.where(slope >= 0.0, 1.0, -1.0)
        most = np.minimum(upward * most_left, upward * most_right)
        kept = upward * np.minimum(np.abs(slope), np.maximum(most, 0.0))
        slope = np.where(progressive, np.where(edge, 0.0, kept), slope)
        result.append(np.where(flat, 0.0, slope))
    return result[0], result[1]


def _steepest(keys: Keys, before: FloatArray, after: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the slopes at which the Bézier points reach the neighbours' values, ``(k, n)`` each."""
    stated = np.where(_stated_weights(keys.flags), keys.data[..., 2:], THIRD)
    left = np.full(before.shape, THIRD)
    left[:, 1:] = stated[:, :-1, 1]
    right = stated[..., 0]
    return (
        np.where(left > 0.0, before / np.where(left > 0.0, left, 1.0), 0.0),
        np.where(right > 0.0, after / np.where(right > 0.0, right, 1.0), 0.0),
    )
