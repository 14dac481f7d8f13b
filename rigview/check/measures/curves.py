"""The curves of clips, end to end: what all channels of one property are keyed with."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.clip import Clip
from rigview.core.rig import Rig
from rigview.core.sampler import Path, Sampler

# Keys within this of each other (of a length: within this share) are one value that was sampled.
CONSTANT = 1e-6
PATHS: tuple[Path, ...] = ("translation", "rotation", "scale", "weights")


def finite_keys(sampler: Sampler) -> BoolArray:
    """Return ``(n,)`` which keys are numbers, times and values both."""
    if not len(sampler.times):
        return np.zeros(0, dtype=np.bool_)
    rows = np.isfinite(sampler.values.reshape(len(sampler.times), -1)).all(axis=1)
    return np.asarray(rows & np.isfinite(sampler.times), dtype=np.bool_)


def held_keys(sampler: Sampler) -> FloatArray:
    """Return ``(n, c)`` the keys without tangents; what is no number is as the key before, else the next.

    Playing a curve leaves such keys out: from one to the next it is asked whatever stands between.
    """
    known = finite_keys(sampler)
    if not known.any():
        return np.zeros_like(sampler.keys)
    before = np.maximum.accumulate(np.where(known, np.arange(len(known)), -1))
    return sampler.keys[np.where(before < 0, np.argmax(known), before)]


@dataclass(frozen=True, eq=False)
class JoinedCurves:
    """All curves of one property in some clips, end to end: what is asked of all is asked in one go.

    Parameters
    ----------
    clips, channels
        ``(n,)`` each curve's clip, ascending, and its place among the clip's channels.
    nodes
        ``(n,)`` what it moves; −1 for nothing.
    samplers
        The curves that have a key.
    """

    clips: IntArray
    channels: IntArray
    nodes: IntArray
    samplers: tuple[Sampler, ...]

    @cached_property
    def sound(self) -> BoolArray:
        """``(n,)`` whether all keys are numbers and in order, so that the curve is what is played."""
        return np.array([s.usable is s for s in self.samplers], dtype=np.bool_)

    @cached_property
    def played(self) -> BoolArray:
        """``(n,)`` whether a clip plays it: what moves something, and first of all (`Clip.active`)."""
        usable = self.sound.copy()
        for i in np.flatnonzero(~usable):
            usable[i] = self.samplers[i].usable is not None
        moving = np.flatnonzero(usable & (self.nodes >= 0))
        place = self.clips[moving] * (1 + self.nodes.max(initial=0)) + self.nodes[moving]
        result = np.zeros(len(self.samplers), dtype=np.bool_)
        result[moving[np.unique(place, return_index=True)[1]]] = True
        return result

    @cached_property
    def bent(self) -> BoolArray:
        """``(n,)`` which have tangents, so that keys do not tell what is between them."""
        splines = [s.interpolation == "CUBICSPLINE" for s in self.samplers]
        return np.array(splines, dtype=np.bool_)

    @cached_property
    def sizes(self) -> IntArray:
        """``(n,)`` how many keys each has."""
        return np.array([len(s.times) for s in self.samplers], dtype=np.int64)

    @cached_property
    def keys(self) -> FloatArray:
        """``(N, c)`` all keys without tangents; what is no number is 0."""
        every = [s.values for s in self.samplers]
        for i in np.flatnonzero(self.bent):
            every[i] = self.samplers[i].keys
        for i in np.flatnonzero(~self.sound):
            every[i] = np.where(np.isfinite(every[i]), every[i], 0.0)
        return np.concatenate(every) if every else np.zeros((0, 1))

    @cached_property
    def times(self) -> FloatArray:
        """``(N,)`` the time of each key."""
        return np.concatenate([np.zeros(0), *(s.times for s in self.samplers)])

    @cached_property
    def tangents(self) -> FloatArray:
        """``(n,)`` the largest number in any tangent of each curve; 0 of those that have none."""
        result, rows = np.zeros(len(self.samplers)), np.flatnonzero(self.bent)
        if len(rows):
            values = np.concatenate([self.samplers[i].values for i in rows])
            largest = np.abs(values[:, (0, 2)]).max(axis=(1, 2), initial=0.0)
            result[rows] = np.maximum.reduceat(largest, _starts(self.sizes[rows]))
        return result

    @cached_property
    def ends(self) -> FloatArray:
        """``(2, n, c)`` the first and the last key of each curve as it is played."""
        last = np.cumsum(self.sizes) - 1
        result = np.stack([self.keys[last - self.sizes + 1], self.keys[last]])
        for i in np.flatnonzero(~self.sound):
            played = self.samplers[i].usable
            if played is not None:
                result[:, i] = played.keys[[0, -1]]
        return result

    @cached_property
    def lowest(self) -> FloatArray:
        """``(n, c)`` the lowest value that each component is keyed with."""
        return self.each(np.minimum, self.keys)

    @cached_property
    def highest(self) -> FloatArray:
        """``(n, c)`` the highest one."""
        return self.each(np.maximum, self.keys)

    @cached_property
    def spreads(self) -> FloatArray:
        """``(n,)`` how far apart the keys of one component are at most."""
        return (self.highest - self.lowest).max(axis=1, initial=0.0)

    @cached_property
    def cosines(self) -> FloatArray:
        """``(N,)`` of quaternions: the cosine between each key and the next, 1 behind a curve's last."""
        keys = self.keys
        unsound = np.flatnonzero(~self.sound)
        if len(unsound):
            keys, starts = keys.copy(), _starts(self.sizes)
            for i in unsound:
                keys[starts[i] : starts[i] + self.sizes[i]] = held_keys(self.samplers[i])
        turns = quat.normalise(keys)
        result = np.ones(len(turns))
        result[:-1] = np.einsum("ij,ij->i", turns[1:], turns[:-1])
        result[np.cumsum(self.sizes) - 1] = 1.0
        return result

    def each(self, function: np.ufunc, values: FloatArray) -> FloatArray:
        """Return ``(n, …)``: a function such as ``np.maximum`` over the ``(N, …)`` of each curve."""
        if not self.samplers:
            return values[:0]
        starts = _starts(self.sizes)
        return np.asarray(function.reduceat(values, starts, axis=0), dtype=np.float64)


def _starts(sizes: IntArray) -> IntArray:
    """Return ``(n,)`` where each of some rows of ``(n,)`` sizes begins that stand end to end."""
    return np.cumsum(sizes) - sizes


def curves_of(clips: Sequence[Clip]) -> dict[Path, JoinedCurves]:
    """Return the curves of every property in some clips; those without any key are left out."""
    found: dict[Path, list[tuple[int, int, int, Sampler]]] = {path: [] for path in PATHS}
    for number, clip in enumerate(clips):
        for i, (channel, sampler) in enumerate(zip(clip.channels, clip.samplers, strict=True)):
            if len(sampler.times):
                node = -1 if channel.node is None else channel.node
                found[channel.path].append((number, i, node, sampler))
    result = {}
    for path, rows in found.items():
        *places, samplers = zip(*rows, strict=True) if rows else ((), (), (), ())
        numbers, channels, nodes = (np.array(of, dtype=np.int64) for of in places)
        result[path] = JoinedCurves(numbers, channels, nodes, samplers)
    return result


def curves(rig: Rig) -> dict[Path, JoinedCurves]:
    """Return the curves of all clips; rules ask for them through `Subject.of_rig`."""
    return curves_of(rig.clips)
