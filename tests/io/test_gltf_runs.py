"""Floats that lie side by side are converted together; every accessor has its own all the same."""

import numpy as np
import pytest
from documents import Document

from rigview.io import load
from rigview.io.gltf import contiguous


@pytest.mark.parametrize("longest", [1, 8, 1 << 20])
def test_accessors_that_touch_overlap_or_lie_apart_have_their_own_values(
    longest, monkeypatch, tmp_path
):
    monkeypatch.setattr(contiguous, "_LONGEST", longest)
    numbers = np.random.default_rng(3).random(200).astype("<f4")
    doc = Document(scenes=[{"nodes": [0]}], nodes=[{"mesh": 0}], meshes=[{"primitives": []}])
    views = [doc.view(b"\xff" * 12), doc.view(numbers.tobytes()), doc.view(b"\xff" * 8)]
    wanted, samplers = [], []
    # (first number, vectors): neighbours, the same again, one within another, apart, far reaching.
    for first, count in ((0, 3), (9, 2), (0, 3), (3, 1), (30, 4), (1, 60), (181, 6), (60, 40)):
        accessor = {"bufferView": views[1], "byteOffset": 4 * first, "componentType": 5126}
        number = doc.number(accessor | {"count": count, "type": "VEC3"})
        doc.json["meshes"][0]["primitives"].append({"attributes": {"POSITION": number}, "mode": 0})
        samplers.append({"input": doc.accessor(np.arange(count)[:, None]), "output": number})
        wanted.append(numbers[first : first + 3 * count].reshape(-1, 3))
    channels = [
        {"sampler": i, "target": {"node": 0, "path": "translation"}} for i in range(len(samplers))
    ]
    doc.json["animations"] = [{"samplers": samplers, "channels": channels}]
    rig = load(doc.save_glb(tmp_path / "runs.glb")).rig
    assert not rig.clips[0].is_read
    both = zip(rig.meshes[0].primitives, rig.clips[0].channels, wanted, strict=True)
    for primitive, channel, values in both:
        np.testing.assert_array_equal(primitive.positions, values)
        np.testing.assert_array_equal(channel.sampler.values, values)


def test_floats_that_lie_askew_or_in_two_buffers_are_read(tmp_path):
    points = np.arange(12, dtype="<f4").reshape(4, 3)
    doc = Document(scenes=[{"nodes": [0]}], nodes=[{"mesh": 0}], meshes=[{"primitives": []}])
    (tmp_path / "a.bin").write_bytes(b"\xff" + points.tobytes())
    (tmp_path / "b.bin").write_bytes(points[::-1].tobytes())
    doc.json["buffers"] = [
        {"byteLength": 49, "uri": "a.bin"},
        {"byteLength": 48, "uri": "b.bin"},
    ]
    doc.json["bufferViews"] = [
        {"buffer": 0, "byteOffset": 1, "byteLength": 48},
        {"buffer": 1, "byteLength": 48},
    ]
    for view in range(2):
        number = doc.number({"bufferView": view, "componentType": 5126, "count": 4, "type": "VEC3"})
        doc.json["meshes"][0]["primitives"].append({"attributes": {"POSITION": number}, "mode": 0})
    first, second = load(doc.save(tmp_path / "two.gltf")).rig.meshes[0].primitives
    np.testing.assert_array_equal(first.positions, points)
    np.testing.assert_array_equal(second.positions, points[::-1])


def curves_of(path, curves):
    """Return the samplers of a file with a clip of curves, each its times and its values."""
    doc = Document(scenes=[{"nodes": [0]}], nodes=[{}])
    samplers = [
        {
            "input": doc.accessor(np.array(times, dtype="<f4")[:, None]),
            "output": doc.accessor(values),
        }
        for times, values in curves
    ]
    channels = [
        {"sampler": i, "target": {"node": 0, "path": "translation"}} for i in range(len(curves))
    ]
    doc.json["animations"] = [{"samplers": samplers, "channels": channels}]
    return [channel.sampler for channel in load(doc.save_glb(path)).rig.clips[0].channels]


@pytest.mark.parametrize("longest", [1, 1 << 20])
@pytest.mark.parametrize(
    ("times", "lost", "kept"),
    [
        ([0, 1, 2], None, [0, 1, 2]),
        ([0, 2, 1], None, [0, 1, 2]),
        ([0, np.nan, 2], None, [0, 2]),
        ([0, 1, np.inf], None, [0, 1]),
        ([-np.inf, 1, 2], None, [1, 2]),
        ([0, 1, 2], np.nan, [0, 2]),
        ([0, 1, 2], np.inf, [0, 2]),
    ],
)
def test_keys_that_cannot_be_played_are_found_beside_those_that_can(
    longest, times, lost, kept, monkeypatch, tmp_path
):
    monkeypatch.setattr(contiguous, "_LONGEST", longest)
    values = np.arange(9, dtype="<f4").reshape(3, 3)
    damaged = values.copy()
    damaged[1, 2] = values[1, 2] if lost is None else lost
    good = ([0, 1, 2], values)
    samplers = curves_of(tmp_path / "keys.glb", [good, (times, damaged), good])
    assert [s.usable.times.tolist() for s in samplers] == [[0, 1, 2], kept, [0, 1, 2]]
    assert samplers[0].usable is samplers[0]
    assert (samplers[1].usable is samplers[1]) == (kept == times)
