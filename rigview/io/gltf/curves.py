"""Curves that lie plainly in the buffers: checked all at once, made channels when first asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Channel
from rigview.core.sampler import Interpolation, Path, Sampler
from rigview.io.gltf.accessors import WIDTHS, Accessors
from rigview.io.gltf.contiguous import Numbers

# What a channel may move → the type of its values.
TYPES: dict[Path, str] = {
    "translation": "VEC3",
    "rotation": "VEC4",
    "scale": "VEC3",
    "weights": "SCALAR",
}
PATHS: dict[str, Path] = {path: path for path in TYPES}
INTERPOLATIONS: dict[str, Interpolation] = {
    "LINEAR": "LINEAR",
    "STEP": "STEP",
    "CUBICSPLINE": "CUBICSPLINE",
}
_WIDTHS: dict[str, int] = {path: WIDTHS[type_] for path, type_ in TYPES.items()}


@dataclass(frozen=True, eq=False)
class PlainCurves:
    """The channels of a clip by column, one entry a channel.

    Parameters
    ----------
    inputs, outputs
        The accessors of times and values.
    keys
        How many times there are.
    """

    numbers: Numbers
    nodes: Sequence[int | None]
    paths: Sequence[Path]
    interpolations: Sequence[Interpolation]
    inputs: IntArray
    outputs: IntArray
    keys: IntArray

    @classmethod
    def of(
        cls,
        accessors: Accessors,
        nodes: Sequence[int | None],
        paths: Sequence[str],
        words: Sequence[str],
        named: IntArray,
    ) -> "PlainCurves | None":
        """Return the curves, or None unless all of them are plain and as they should be.

        Parameters
        ----------
        named
            ``(2, n)`` the accessors of times and values.

        Raises
        ------
        LoadError
            If the file has not the bytes it states, or is too small to claim so much memory.
        """
        moved, ways = set(paths), set(words)
        if not (PATHS.keys() >= moved and INTERPOLATIONS.keys() >= ways):
            return None
        named = named.astype(np.int64).reshape(2, -1)
        single, widths = accessors.plain_widths[named]
        keys, values = accessors.counts[named]
        if (single != 1).any() or widths.tolist() != [*map(_WIDTHS.__getitem__, paths)]:
            return None
        rows = keys
        if "CUBICSPLINE" in ways:
            rows = keys * np.array([3 if word == "CUBICSPLINE" else 1 for word in words])
        off = values - rows
        if "weights" in moved:
            morphs = np.array([path == "weights" for path in paths])
            off[morphs] = (values % rows)[morphs]
        if off.any():
            return None
        return cls(
            accessors.numbers_of(named.reshape(-1).tolist()),
            nodes,
            cast("Sequence[Path]", paths),
            cast("Sequence[Interpolation]", words),
            named[0],
            named[1],
            keys,
        )

    def part(self, start: int, end: int) -> "PlainCurves":
        """Return those from `start` to before `end`."""
        return PlainCurves(
            self.numbers,
            self.nodes[start:end],
            self.paths[start:end],
            self.interpolations[start:end],
            self.inputs[start:end],
            self.outputs[start:end],
            self.keys[start:end],
        )

    def channels(self) -> tuple[Channel, ...]:
        """Return them as channels."""
        times = {number: self.numbers.of(number) for number in set(self.inputs.tolist())}
        columns = (self.nodes, self.paths, self.interpolations)
        numbers = [array.tolist() for array in (self.inputs, self.outputs, self.keys)]
        return tuple(
            Channel(node, path, Sampler(times[row], self._values(output, keys, way), way))
            for node, path, way, row, output, keys in zip(*columns, *numbers, strict=True)
        )

    def _values(self, output: int, keys: int, interpolation: Interpolation) -> FloatArray:
        shape = (keys, 3, -1) if interpolation == "CUBICSPLINE" else (keys, -1)
        return self.numbers.of(output).reshape(shape)
