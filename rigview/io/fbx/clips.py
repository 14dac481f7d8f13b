"""Clips: one for each animation stack."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Channel, Clip, Path, Sampler
from rigview.io.fbx import sampling
from rigview.io.fbx.curves import Curve
from rigview.io.fbx.hierarchy import Hierarchy, Local
from rigview.io.fbx.layers import ROTATION, SCALE, TRANSLATION, Stack, breaks
from rigview.io.reading import Listener


def read_clip(hierarchy: Hierarchy, stack: Stack, listener: Listener, done: float) -> Clip:
    """Return the clip of a stack without its morph weights.

    Nodes that share their key times are evaluated together.
    """
    grids: dict[bytes, tuple[_Keys, list[int]]] = {}
    for number, curves in _moving(hierarchy, stack):
        keys = _keys(curves, stack)
        row = keys.grid.tobytes() + bytes([keys.steps, keys.straight])
        grids.setdefault(row, (keys, []))[1].append(number)
    channels: list[Channel] = []
    for keys, numbers in grids.values():
        listener.stage(f"reading clip {stack.name}", done)
        channels.extend(_Batch(hierarchy, stack, keys, np.array(numbers)).channels())
    channels.sort(key=lambda channel: -1 if channel.node is None else channel.node)
    return Clip(stack.name, tuple(channels))


def _moving(hierarchy: Hierarchy, stack: Stack) -> Iterator[tuple[int, list[Curve]]]:
    """Yield the nodes that a stack moves, with all curves that do it."""
    for number, model in enumerate(hierarchy.models):
        chain = [(hierarchy.models[n].key, SCALE) for n in hierarchy.scale_chain(number)]
        own = [(model.key, name) for name in (TRANSLATION, ROTATION, SCALE)]
        moving = [target for target in (*own, *chain) if stack.moves(*target)]
        if moving:
            yield number, [curve for target in moving for curve in stack.curves(*target)]


@dataclass(frozen=True, eq=False)
class _Keys:
    """The key times of several nodes.

    Parameters
    ----------
    grid
        ``(n,)`` ascending.
    steps, straight
        Whether all curves jump from key to key; whether all are lines between them.
    """

    grid: FloatArray
    steps: bool
    straight: bool


def _keys(curves: list[Curve], stack: Stack) -> _Keys:
    if not curves:
        return _Keys(np.array([stack.start]), steps=False, straight=True)
    steps = all(curve.group.stepped[curve.row] for curve in curves)
    straight = all(curve.group.straight[curve.row] for curve in curves)
    if steps:
        times = list({id(c.group): c.group.times for c in curves}.values())
        grid = times[0] if len(times) == 1 else np.unique(np.concatenate(times))
    else:
        grid = breaks(curves, stack.start, stack.stop)
    return _Keys(grid, steps=steps, straight=straight)


class _Batch:
    """Nodes that share their key times, and their motion."""

    def __init__(self, hierarchy: Hierarchy, stack: Stack, keys: _Keys, numbers: IntArray) -> None:
        self._hierarchy, self._keys, self._numbers = hierarchy, keys, numbers
        self._motion = hierarchy.motion(stack, numbers)
        self._cache: dict[bytes, Local] = {}
        self._grid = keys.grid
        if not keys.steps:
            self._grid = _without_fast_turns(self._motion.properties[1].at, keys.grid)

    def channels(self) -> Iterator[Channel]:
        """Yield the channels of everything that moves."""
        nodes = self._hierarchy.node_of[self._numbers]
        helped = self._hierarchy.has_helper[self._numbers]
        yield from self._of("translation", "translation", nodes - helped)
        yield from self._of("rotation", "rotation", nodes)
        yield from self._of("scale", "scale", nodes)
        if np.any(helped):
            yield from self._of("scale", "helper_scale", nodes - helped, np.flatnonzero(helped))

    def _of(
        self, path: Path, name: str, targets: IntArray, only: IntArray | None = None
    ) -> Iterator[Channel]:
        """Yield the channels of one property of the chosen rows, all of them by default."""
        rows = np.arange(len(self._numbers)) if only is None else only
        rest = getattr(self._hierarchy.at_rest, name)[self._numbers[rows], 0]
        still, at_rest = sampling.is_still(self._probes(name, rows), rest)
        first = self._values(name, self._grid)[:, :1]
        for row in rows[still & ~at_rest]:
            yield Channel(int(targets[row]), path, Sampler(self._grid[:1], first[row]))
        rows = rows[~still]
        if not len(rows):
            return

        def motion(times: FloatArray) -> FloatArray:
            return self._values(name, times)[rows]

        if self._keys.steps:
            samplers = sampling.stepped(motion, self._grid)
        else:
            samplers = sampling.fit(
                motion, self._grid, rotation=path == "rotation", straight=self._keys.straight
            )
        for row, sampler in zip(rows, samplers, strict=True):
            yield Channel(int(targets[row]), path, sampler)

    def _values(self, name: str, times: FloatArray) -> FloatArray:
        """Return ``(m, n, c)``; the properties of one time are evaluated together, once."""
        key = times.tobytes()
        if key not in self._cache:
            self._cache[key] = self._motion.at(times)
        values: FloatArray = getattr(self._cache[key], name)
        return values

    def _probes(self, name: str, rows: IntArray) -> FloatArray:
        """Return values by which to tell what never moves.

        A cubic that is the same at 0, ⅓, ½ and 1 of every interval does not; a line needs its ends.
        """
        times = [self._grid]
        if not (self._keys.straight or self._keys.steps):
            length = np.diff(self._grid)
            times += [self._grid[:-1] + share * length for share in (1 / 3, 1 / 2)]
        return np.concatenate([self._values(name, t)[rows] for t in times], axis=1)


# A quaternion between two keys knows no full turns: no interval may turn further than this.
_FURTHEST = 90.0
_MOST_PARTS = 64


def _without_fast_turns(rotation: sampling.Motion, grid: FloatArray) -> FloatArray:
    """Add times to intervals in which an Euler angle moves by more than a right angle."""
    if len(grid) == 1:
        return grid
    degrees = np.max(np.abs(np.diff(rotation(grid), axis=1)), axis=(0, 2))
    parts = np.clip(np.ceil(degrees / _FURTHEST), 1, _MOST_PARTS).astype(np.int64)
    parts = np.where(np.diff(grid) > 1e-6, parts, 1)
    if np.all(parts == 1):
        return grid
    shares = [np.arange(1, n) / n for n in parts]
    extra = [a + (b - a) * s for a, b, s in zip(grid[:-1], grid[1:], shares, strict=True)]
    return np.unique(np.concatenate([grid, *extra]))
