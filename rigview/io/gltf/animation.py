"""Clips: the channels and samplers of glTF animations."""

from collections.abc import Iterator

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip, Interpolation, Path, Sampler
from rigview.core.rig import Rig
from rigview.io.gltf.accessors import Accessors
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.table import ABSENT, Table
from rigview.io.reading import Steps, quoted

# What a channel may move → the type of its values.
TYPES: dict[Path, str] = {
    "translation": "VEC3",
    "rotation": "VEC4",
    "scale": "VEC3",
    "weights": "SCALAR",
}
_PATHS: dict[str, Path] = {path: path for path in TYPES}
_INTERPOLATIONS: dict[str, Interpolation] = {
    "LINEAR": "LINEAR",
    "STEP": "STEP",
    "CUBICSPLINE": "CUBICSPLINE",
}
# So many channels take a few milliseconds.
_MANY = 256
# Stands in for a channel that moves no node, so that channels keep their numbers.
_NOTHING = Sampler(np.zeros(0), np.zeros((0, 1)))


def read_clips(
    root: Cursor, accessors: Accessors, skeleton: Rig, notes: list[str], steps: Steps
) -> tuple[Clip, ...]:
    """Read all animations; a channel that rigview cannot play is kept without node and noted."""
    clips = []
    places = root.array("animations")
    for i, place in enumerate(places):
        steps.stage(f"reading clip {i + 1} of {len(places)}", 0.6 + 0.2 * i / len(places))
        name = place.get("name")
        channels = _channels(place, accessors, skeleton, notes, steps)
        clips.append(Clip("" if name is None else name.string(), tuple(channels)))
    return tuple(clips)


def _channels(
    place: Cursor, accessors: Accessors, skeleton: Rig, notes: list[str], steps: Steps
) -> Iterator[Channel]:
    """Yield the channels of an animation."""
    curves = _Curves(Table.of(place.need("samplers")), accessors)
    channels = Table.of(place.need("channels"))
    targets = channels.objects("target")
    samplers = channels.indices("sampler", len(curves.table), "sampler")
    paths, nodes = targets.strings("path"), targets.members("node")
    for i, (sampler, path, stated) in enumerate(zip(samplers, paths, nodes, strict=True)):
        if i % _MANY == 0:
            steps()
        channels.use(i)
        targets.use(i)
        kind = _PATHS.get(path)
        if kind is None:
            pointer = channels.place(i).pointer
            notes.append(f"{pointer} animates {quoted(path)}, which rigview does not play")
            yield Channel(None, "translation", _NOTHING)
            continue
        node = None if stated is ABSENT else stated
        if stated is ABSENT:
            notes.append(f"{channels.place(i).pointer} has no node and moves nothing")
        elif type(node) is not int or not 0 <= node < len(skeleton.nodes):
            node = targets.place(i).need("node").index(len(skeleton.nodes), "node")
        if kind == "weights" and node is not None and skeleton.node_meshes[node] is None:
            pointer = channels.place(i).pointer
            notes.append(f"{pointer} animates morph weights of a node without mesh")
            yield Channel(None, "weights", _NOTHING)
            continue
        yield Channel(node, kind, curves.sampler(sampler, kind))


class _Curves:
    """The samplers of an animation."""

    def __init__(self, table: Table, accessors: Accessors) -> None:
        self.table, self._accessors = table, accessors
        self._inputs = table.indices("input", len(accessors), "accessor")
        self._outputs = table.indices("output", len(accessors), "accessor")
        self._words = table.strings("interpolation", "LINEAR")
        self._times: dict[int, FloatArray] = {}

    def sampler(self, number: int, path: Path) -> Sampler:
        """Return one of them, which moves a property."""
        self.table.use(number)
        word = self._words[number]
        interpolation = _INTERPOLATIONS.get(word)
        if interpolation is None:
            found = self.table.place(number).need("interpolation")
            raise found.error(f"{quoted(word)} is no interpolation of glTF")
        input_ = self._inputs[number]
        times = self._times.get(input_)
        if times is None:
            times = self._times[input_] = self._values(number, "input", input_, "SCALAR")[:, 0]
        values = self._values(number, "output", self._outputs[number], TYPES[path])
        keys = len(times) * (3 if interpolation == "CUBICSPLINE" else 1)
        if path == "weights":
            values = _by_target(self.table.place(number).need("output"), values, keys)
        elif len(values) != keys:
            output = self.table.place(number).need("output")
            raise output.error(f"{len(values)} values for {len(times)} {word} keys")
        if interpolation == "CUBICSPLINE":
            values = values.reshape(len(times), 3, values.shape[-1])
        return Sampler(times, values, interpolation)

    def _values(self, number: int, key: str, accessor: int, type_: str) -> FloatArray:
        if self._accessors.types[accessor] == type_:
            return self._accessors.floats_of(accessor)
        return self._accessors.floats(self.table.place(number).need(key), type_)


def _by_target(place: Cursor, values: FloatArray, rows: int) -> FloatArray:
    if rows == 0 and len(values) == 0:
        return values
    if rows == 0 or len(values) == 0 or len(values) % rows:
        raise place.error(f"{len(values)} values cannot be shared among {rows} keys")
    return values.reshape(rows, -1)
