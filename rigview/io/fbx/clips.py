"""Clips: one for each animation stack."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Channel
from rigview.core.sampler import Path, Sampler
from rigview.io import sampling
from rigview.io.curves import Curve
from rigview.io.fbx.hierarchy import FbxHierarchy
from rigview.io.fbx.layers import ROTATION, SCALE, TRANSLATION, Stack, breaks, stated_times
from rigview.io.fbx.tree import Key

# What of a node can move → the path of the rig's channel.
_PATHS: dict[str, Path] = {
    "translation": "translation",
    "rotation": "rotation",
    "scale": "scale",
    "helper": "scale",
}
# Keys that are evaluated together; each takes about a kilobyte.
_SAMPLES = 8192
# Nearer to rest than this share of it is where a node rests.
_AT_REST = 1e-12


def read_channels(hierarchy: FbxHierarchy, stack: Stack) -> list[Channel]:
    """Return the channels of a stack without morph weights.

    What shares its key times is evaluated together, as far as memory shall go.
    """
    batches: dict[tuple[str, bytes], tuple[_Keys, list[int]]] = {}
    for number in range(len(hierarchy.keys)):
        for what, targets in _sources(hierarchy, number).items():
            if any(stack.moves(*target) for target in targets):
                keys = _keys([c for t in targets for c in stack.curves(*t)], stack)
                row = keys.grid.tobytes() + bytes([keys.steps, keys.straight])
                row += b"" if keys.stated is keys.grid else keys.stated.tobytes()
                batches.setdefault((what, row), (keys, []))[1].append(number)
    channels: list[Channel] = []
    for (what, _), (keys, numbers) in batches.items():
        block = max(1, _SAMPLES // len(keys.grid))
        for first in range(0, len(numbers), block):
            chosen = np.array(numbers[first : first + block])
            channels.extend(_channels(hierarchy, stack, what, keys, chosen))
    channels.sort(key=lambda channel: -1 if channel.node is None else channel.node)
    return channels


def _sources(hierarchy: FbxHierarchy, number: int) -> dict[str, list[tuple[Key, str]]]:
    """Return what of a node can move → the properties that move it."""
    key = hierarchy.keys[number]
    chain = [(hierarchy.keys[n], SCALE) for n in hierarchy.scale_chain(number)]
    around: list[tuple[Key, str]] = [(key, ROTATION), (key, SCALE)]
    result: dict[str, list[tuple[Key, str]]] = {
        "translation": [
            (key, TRANSLATION),
            *(around if hierarchy.transforms.pivoted[number] else ()),
        ],
        "rotation": [(key, ROTATION)],
        "scale": [(key, SCALE), *chain],
    }
    if hierarchy.has_helper[number]:
        result["helper"] = chain
    return result


@dataclass(frozen=True, eq=False)
class _Keys:
    """The key times of several curves.

    Parameters
    ----------
    grid
        ``(n,)`` ascending times between which all of them are smooth.
    stated
        ``(k,)`` ascending times of their keys.
    steps, straight
        Whether all curves jump from key to key; whether all are lines between them.
    """

    grid: FloatArray
    stated: FloatArray
    steps: bool
    straight: bool


def _keys(curves: list[Curve], stack: Stack) -> _Keys:
    if not curves:
        start = np.array([stack.start])
        return _Keys(start, start, steps=False, straight=True)
    steps = all(curve.group.stepped[curve.row] and not curve.group.goes_on for curve in curves)
    straight = all(curve.group.straight[curve.row] for curve in curves)
    stated = stated_times(curves)
    grid = stated if steps else breaks(curves, stack.start, stack.stop)
    return _Keys(grid, stated, steps=steps, straight=straight)


def _channels(
    hierarchy: FbxHierarchy, stack: Stack, what: str, keys: _Keys, numbers: IntArray
) -> Iterator[Channel]:
    """Yield the channels of nodes that share their key times; what stays at rest has none."""
    motion = _motion(hierarchy, stack, what, numbers)
    if keys.steps:
        samplers = sampling.stepped(motion, keys.grid)
    else:
        grid = keys.grid
        if what == "rotation":
            grid = sampling.without_fast_turns(
                hierarchy.animated(stack, numbers, ROTATION).at, grid
            )
        rotation = what == "rotation"
        samplers = sampling.fit(
            motion, grid, rotation=rotation, straight=keys.straight, stated=keys.stated
        )
    own = what in ("rotation", "scale")
    rest = hierarchy.helpers_at_rest if what == "helper" else hierarchy.at_rest[what]
    for number, sampler in zip(numbers.tolist(), samplers, strict=True):
        node = int(hierarchy.node_of[number]) if own else hierarchy.top_of(number)
        if not _rests(sampler, rest[number]):
            yield Channel(node, _PATHS[what], sampler)


def _rests(sampler: Sampler, rest: FloatArray) -> bool:
    if sampler.interpolation == "CUBICSPLINE":
        # What bends moves, if only between its keys.
        return False
    size = max(float(np.max(np.abs(rest))), 1e-3)
    return bool(np.all(np.abs(sampler.keys - rest) <= _AT_REST * size))


def _motion(hierarchy: FbxHierarchy, stack: Stack, what: str, numbers: IntArray) -> sampling.Motion:
    """Return ``(n,)`` times → ``(m, n, c)`` of what moves."""
    t, r, s = (hierarchy.animated(stack, numbers, name) for name in (TRANSLATION, ROTATION, SCALE))
    if what == "rotation":
        return lambda times: hierarchy.rotations(numbers, r.at(times))
    if what == "translation":
        if np.any(hierarchy.transforms.pivoted[numbers]):
            return lambda times: hierarchy.translations(
                numbers, t.at(times), r.at(times), s.at(times)
            )
        return lambda times: hierarchy.translations(numbers, t.at(times), t.rest, t.rest)
    chain = sorted({above for node in numbers.tolist() for above in hierarchy.scale_chain(node)})
    above = hierarchy.animated(stack, np.array(chain, dtype=np.int64), SCALE)

    def scale(times: FloatArray) -> FloatArray:
        own = dict(zip(chain, above.at(times), strict=True))
        if what == "helper":
            return 1.0 / hierarchy.carried(numbers, own, len(times))
        return hierarchy.scales(numbers, s.at(times), own)

    return scale
