"""Where no clip is named, the first that moves anything is meant, by every command and after convert."""

import json
import struct

import numpy as np
import pytest

from rigview.io import load


def with_still_take(path, out, *, keys):
    """Write a GLB whose first animation is a take that moves nothing.

    Parameters
    ----------
    keys
        Whether it has keys, all the same, or a channel that no node has.
    """
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, rest = json.loads(data[20 : 20 + length]), bytearray(data[20 + length :])
    binary = rest[8:]
    times = len(binary)
    binary += struct.pack("<2f", 0.0, 2.0) + struct.pack("<8f", *(0, 0, 0, 1) * 2)
    views = document["bufferViews"]
    views += [
        {"buffer": 0, "byteOffset": times, "byteLength": 8},
        {"buffer": 0, "byteOffset": times + 8, "byteLength": 32},
    ]
    document["buffers"][0]["byteLength"] = len(binary)
    accessors = document["accessors"]
    span = {"min": [0.0], "max": [2.0], "type": "SCALAR"}
    accessors += [
        {"bufferView": len(views) - 2, "componentType": 5126, "count": 2, **span},
        {"bufferView": len(views) - 1, "componentType": 5126, "count": 2, "type": "VEC4"},
    ]
    target = {"node": document["skins"][0]["joints"][0]} if keys else {}
    document["animations"].insert(
        0,
        {
            "name": "Take 001",
            "channels": [{"sampler": 0, "target": {**target, "path": "rotation"}}],
            "samplers": [{"input": len(accessors) - 2, "output": len(accessors) - 1}],
        },
    )
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    chunks += struct.pack("<II", len(binary), 0x004E4942) + binary
    out.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks)
    return out


@pytest.fixture(params=[True, False], ids=["same keys", "no node"])
def still_first(request, box, tmp_path):
    """The box with a take before its clip that moves nothing."""
    return with_still_take(box, tmp_path / "take.glb", keys=request.param)


def test_metrics_and_deltas_measure_the_clip_that_moves(rigview, box, still_first):
    assert load(still_first).rig.clip_names[0] == "Take 001"
    moving = load(box).rig.clip_names[0]
    told = rigview("metrics", still_first, "--panes", "lbs", "--json")
    assert told.status == 0, told.err
    assert told.json["files"][0]["clip"] == moving
    assert rigview("deltas", still_first, "--json").json["clip"] == moving


def test_bake_writes_a_pose_of_the_clip_that_moves(rigview, box, still_first, tmp_path):
    poses = []
    for file in (box, still_first):
        out = tmp_path / f"{file.stem}.npz"
        assert rigview("bake", file, "-o", out, "--time", 1).status == 0
        poses.append(np.load(out)["positions"])
    assert np.array_equal(*poses)
    # The clip moves the box at this time.
    out = tmp_path / "still.npz"
    assert rigview("bake", still_first, "-o", out, "--clip", "Take 001", "--time", 1).status == 0
    assert not np.array_equal(np.load(out)["positions"], poses[0])


def test_convert_keeps_which_clip_is_meant(rigview, still_first, tmp_path):
    out = tmp_path / "copy.gltf"
    assert rigview("convert", still_first, "-o", out).status == 0
    before, after = load(still_first).rig, load(out).rig
    assert after.clip_names[after.default_clip] == before.clip_names[before.default_clip]


@pytest.mark.corpus
def test_an_fbx_with_an_empty_take_first_plays_the_next_one_also_once_converted(
    rigview, corpus, tmp_path
):
    file = next((corpus / "rigs").rglob("Decomposition_05.fbx"))
    assert load(file).rig.clip_names[0] == "Take 001"
    told = rigview("metrics", file, "--panes", "lbs", "--json")
    out = tmp_path / "copy.glb"
    assert rigview("convert", file, "-o", out).status == 0
    again = rigview("metrics", out, "--panes", "lbs", "--json")
    assert told.json["files"][0]["clip"] == again.json["files"][0]["clip"] != "Take 001"
