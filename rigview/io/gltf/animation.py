"""Clips: the channels and samplers of glTF animations."""

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip, Interpolation, Path, Sampler
from rigview.core.rig import Rig
from rigview.io.gltf.accessors import Accessors
from rigview.io.gltf.cursor import Cursor
from rigview.io.reading import quoted

WIDTHS: dict[Path, int] = {"translation": 3, "rotation": 4, "scale": 3}
_INTERPOLATIONS: dict[str, Interpolation] = {
    "LINEAR": "LINEAR",
    "STEP": "STEP",
    "CUBICSPLINE": "CUBICSPLINE",
}
# Stands in for a channel that moves no node, so that channels keep their numbers.
_NOTHING = Sampler(np.zeros(0), np.zeros((0, 1)))


def read_clips(
    root: Cursor, accessors: Accessors, skeleton: Rig, notes: list[str]
) -> tuple[Clip, ...]:
    """Read all animations; a channel that rigview cannot play is kept without node and noted."""
    clips = []
    for place in root.array("animations"):
        name = place.get("name")
        samplers = list(place.need("samplers").items())
        channels = []
        for channel in place.need("channels").items():
            number = channel.need("sampler").index(len(samplers), "sampler")
            channels.append(_channel(channel, samplers[number], accessors, skeleton, notes))
        clips.append(Clip("" if name is None else name.string(), tuple(channels)))
    return tuple(clips)


def _channel(
    place: Cursor, sampler: Cursor, accessors: Accessors, skeleton: Rig, notes: list[str]
) -> Channel:
    target = place.need("target")
    path = target.need("path").string()
    node_place = target.get("node")
    if path not in (*WIDTHS, "weights"):
        notes.append(f"{place.pointer} animates {quoted(path)}, which rigview does not play")
        return Channel(None, "translation", _NOTHING)
    node = None
    if node_place is None:
        notes.append(f"{place.pointer} has no node and moves nothing")
    else:
        node = node_place.index(len(skeleton.nodes), "node")
    if path == "weights" and node is not None and skeleton.node_meshes[node] is None:
        notes.append(f"{place.pointer} animates morph weights of a node without mesh")
        return Channel(None, "weights", _NOTHING)
    kind: Path = "weights" if path == "weights" else _path(path)
    return Channel(node, kind, _sampler(sampler, kind, accessors))


def _path(name: str) -> Path:
    return next(path for path in WIDTHS if path == name)


def _sampler(place: Cursor, path: Path, accessors: Accessors) -> Sampler:
    named = place.get("interpolation")
    word = "LINEAR" if named is None else named.string()
    if named is not None and word not in _INTERPOLATIONS:
        raise named.error(f"{quoted(word)} is no interpolation of glTF")
    interpolation = _INTERPOLATIONS[word]
    times = accessors.floats(place.need("input"), 1, "SCALAR")[:, 0]
    output = place.need("output")
    width = WIDTHS.get(path, 1)
    values = accessors.floats(output, width, f"VEC{width}" if width > 1 else "SCALAR")
    per_key = 3 if interpolation == "CUBICSPLINE" else 1
    if path == "weights":
        values = _by_target(output, values, len(times) * per_key)
    elif len(values) != len(times) * per_key:
        raise output.error(f"{len(values)} values for {len(times)} {word} keys")
    if interpolation == "CUBICSPLINE":
        values = values.reshape(len(times), 3, values.shape[-1])
    return Sampler(times, values, interpolation)


def _by_target(place: Cursor, values: FloatArray, rows: int) -> FloatArray:
    if rows == 0 and len(values) == 0:
        return values
    if rows == 0 or len(values) == 0 or len(values) % rows:
        raise place.error(f"{len(values)} values cannot be shared among {rows} keys")
    return values.reshape(rows, -1)
