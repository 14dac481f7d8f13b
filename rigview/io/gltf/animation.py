"""Clips: the channels and samplers of glTF animations."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip, Deferred
from rigview.core.rig import Rig
from rigview.core.sampler import Path, Sampler
from rigview.io.gltf import markers, pointers, records
from rigview.io.gltf.accessors import Accessors
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.curves import INTERPOLATIONS, PATHS, TYPES, PlainCurves
from rigview.io.gltf.table import ABSENT, Table, are_indices
from rigview.io.reading import Notes, Pulse, comes_and_goes, quoted

# So many channels take a few milliseconds.
_MANY = 256
# Stands in for a channel that moves no node, so that channels keep their numbers.
_NOTHING = Sampler(np.zeros(0), np.zeros((0, 1)))


def read_clips(
    root: Cursor, accessors: Accessors, skeleton: Rig, notes: Notes, pulse: Pulse
) -> tuple[Clip, ...]:
    """Read all animations; a channel that rigview cannot play is kept without node and noted."""
    clips = []
    animations = records.table(root, "animations")
    names, extras = animations.strings("name", ""), animations.members("extras")
    deferred: list[Deferred] | None = None
    for i, name in enumerate(names):
        pulse.stage(f"reading clip {i + 1} of {len(names)}", 0.6 + 0.2 * i / len(names))
        if i == 0:
            deferred = _deferred(animations, accessors, skeleton, pulse)
        animations.use(i)
        channels: Sequence[Channel] | None = deferred[i] if deferred is not None else None
        if channels is None:
            channels = _channels(animations, i, accessors, skeleton, notes, pulse)
        clips.append(Clip(name, channels, markers.read(extras[i])))
    return tuple(clips)


def _deferred(
    animations: Table, accessors: Accessors, skeleton: Rig, pulse: Pulse
) -> list[Deferred] | None:
    """Return the channels of all animations, made later, if all of them are plain and sound, else None."""
    if not isinstance(animations, records.Records):
        return None
    plain = _Channels.joined(animations, accessors)
    pulse()
    curves = None if plain is None else plain.plain(skeleton)
    if curves is None:
        return None
    ends = [0, *accumulate(map(len, animations.members("channels")))]
    return [Deferred(curves.part(start, end).channels) for start, end in pairwise(ends)]


def _channels(
    animations: Table,
    number: int,
    accessors: Accessors,
    skeleton: Rig,
    notes: Notes,
    pulse: Pulse,
) -> Sequence[Channel]:
    """Return the channels of an animation."""
    table = _Channels.of(animations, number, accessors).followed(len(skeleton.nodes))
    pulse()
    return table.read(skeleton, notes, pulse)


@dataclass(frozen=True, eq=False)
class _Channels:
    """The channels of an animation, a column of each member that they have."""

    table: Table
    targets: Table
    curves: "_Curves"
    samplers: list[int]
    paths: list[str]
    nodes: list[Any]

    @classmethod
    def of(cls, animations: Table, number: int, accessors: Accessors) -> "_Channels":
        curves = _Curves(animations.arrays("samplers", number), accessors)
        table = animations.arrays("channels", number)
        samplers = table.indices("sampler", len(curves.table), "sampler")
        return cls._with(table, curves, samplers)

    @classmethod
    def joined(cls, animations: records.Records, accessors: Accessors) -> "_Channels | None":
        """Return the channels of all animations; None where one names a sampler that is not there."""
        samplers: list[int] = []
        before = 0
        arrays = zip(animations.members("channels"), animations.members("samplers"), strict=True)
        for channels, of in arrays:
            named = [channel.sampler for channel in channels]
            if max(named, default=-1) >= len(of):
                return None
            samplers += [before + number for number in named]
            before += len(of)
        curves = _Curves(animations.joined("samplers"), accessors)
        return cls._with(animations.joined("channels"), curves, samplers)

    @classmethod
    def _with(cls, table: Table, curves: "_Curves", samplers: list[int]) -> "_Channels":
        targets = table.objects("target")
        paths, nodes = targets.strings("path"), targets.members("node")
        return cls(table, targets, curves, samplers, paths, nodes)

    def followed(self, nodes: int) -> "_Channels":
        """Return channels that name a node and what of it moves, where they say so by a pointer."""
        if "pointer" not in self.paths:
            return self
        paths, named = self.paths.copy(), self.nodes.copy()
        for i, path in enumerate(self.paths):
            moved = pointers.moved(self._extensions(i), nodes) if path == "pointer" else None
            if moved is not None:
                named[i], paths[i] = moved
        return replace(self, paths=paths, nodes=named)

    def plain(self, skeleton: Rig) -> PlainCurves | None:
        """Return them if nothing is to be said of any and their curves are plain, else None."""
        if not (self.table.is_sound and self.targets.is_sound):
            return None
        if not are_indices(self.nodes, len(skeleton.nodes)):
            return None
        if "weights" in self.paths:
            of = zip(self.paths, self.nodes, strict=True)
            if any(skeleton.node_meshes[node] is None for path, node in of if path == "weights"):
                return None
        return self.curves.plain(self.nodes, self.paths, self.samplers)

    def read(self, skeleton: Rig, notes: Notes, pulse: Pulse) -> Sequence[Channel]:
        """Return them, made later if the curves of all that move something are plain and sound."""
        moved = list(self._moved(skeleton, notes, pulse))
        playing = [i for i, own in enumerate(moved) if own.plays]
        nodes, paths = [moved[i].node for i in playing], [moved[i].path for i in playing]
        samplers = [self.samplers[i] for i in playing]
        plain = self.curves.plain(nodes, paths, samplers) if playing else None
        if plain is not None:
            return Deferred(lambda: _with_still_ones(moved, plain.channels()))
        made = []
        for i, (node, path, sampler) in enumerate(zip(nodes, paths, samplers, strict=True)):
            if i % _MANY == 0:
                pulse()
            made.append(Channel(node, path, self.curves.sampler(sampler, path)))
        return _with_still_ones(moved, made)

    def _moved(self, skeleton: Rig, notes: Notes, pulse: Pulse) -> Iterator["_Moved"]:
        """Yield what each channel moves, and note what rigview does not play."""
        for i, (path, stated) in enumerate(zip(self.paths, self.nodes, strict=True)):
            if i % _MANY == 0:
                pulse()
            self.table.use(i)
            self.targets.use(i)
            kind = PATHS.get(path)
            if kind is None:
                self._note(i, path, skeleton, notes)
                yield _Moved(None, "translation", plays=False)
                continue
            node = None if stated is ABSENT else stated
            if stated is ABSENT:
                notes.append(f"{self.table.place(i).pointer} has no node and moves nothing")
            elif type(node) is not int or not 0 <= node < len(skeleton.nodes):
                node = self.targets.place(i).need("node").index(len(skeleton.nodes), "node")
            if kind == "weights" and node is not None and skeleton.node_meshes[node] is None:
                pointer = self.table.place(i).pointer
                notes.append(f"{pointer} animates morph weights of a node without mesh")
                yield _Moved(None, "weights", plays=False)
                continue
            yield _Moved(node, kind)

    def _extensions(self, i: int) -> Any:  # noqa: ANN401 - JSON
        return self.targets.place(i).member("extensions").value

    def _note(self, i: int, path: str, skeleton: Rig, notes: Notes) -> None:
        """Note that a channel animates what rigview does not play."""
        extensions = self._extensions(i)
        text = f"{self.table.place(i).pointer} animates {quoted(path)}, which rigview does not play"
        shown = pointers.shown(extensions, len(skeleton.nodes))
        if shown is not None:
            notes.append(comes_and_goes(skeleton.nodes.label(shown)))
        elif pointers.moves_a_node(extensions):
            notes.leave_out("motion", text)
        else:
            notes.append(text)


class _Moved(NamedTuple):
    """What a channel moves, and whether it has a curve that rigview plays."""

    node: int | None
    path: Path
    plays: bool = True


def _with_still_ones(moved: Sequence[_Moved], playing: Iterable[Channel]) -> tuple[Channel, ...]:
    """Return all channels: those that play, and between them those that have no curve."""
    rest = iter(playing)
    return tuple(
        next(rest) if own.plays else Channel(own.node, own.path, _NOTHING) for own in moved
    )


class _Curves:
    """The samplers of an animation."""

    def __init__(self, table: Table, accessors: Accessors) -> None:
        self.table, self._accessors = table, accessors
        self._inputs = table.indices("input", len(accessors), "accessor")
        self._outputs = table.indices("output", len(accessors), "accessor")
        self._words = table.strings("interpolation", "LINEAR")
        self._times: dict[int, FloatArray] = {}

    def plain(
        self, nodes: Sequence[int | None], paths: Sequence[str], samplers: Sequence[int]
    ) -> PlainCurves | None:
        """Return the curves of channels, unless something is to be said of any sampler."""
        if not self.table.is_sound:
            return None
        columns = (self._inputs, self._outputs)
        named = np.array([[*map(column.__getitem__, samplers)] for column in columns])
        words = [*map(self._words.__getitem__, samplers)]
        return PlainCurves.of(self._accessors, nodes, paths, words, named)

    def sampler(self, number: int, path: Path) -> Sampler:
        """Return one of them, which moves a property."""
        self.table.use(number)
        word = self._words[number]
        interpolation = INTERPOLATIONS.get(word)
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
