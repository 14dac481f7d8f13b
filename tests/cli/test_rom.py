"""``rigview rom``: the copy holds one clip more, and everything else as it was."""

import json
import struct

import numpy as np
import pytest

from rigview.core.clip import Clip
from rigview.io import load


def document(path):
    data = path.read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20 : 20 + length])


@pytest.fixture
def saved(rigview, samples, tmp_path):
    out = tmp_path / "rom.glb"
    got = rigview("rom", samples / "biped.glb", "-o", out)
    assert got.status == 0
    assert f"wrote {out}" in got.out
    assert "calf_l, calf_r: flex\n" in got.out
    return out


def test_the_copy_has_one_clip_more_and_the_rest_is_untouched(samples, saved):
    before, after = document(samples / "biped.glb"), document(saved)
    assert after["animations"][:-1] == before["animations"]
    for key in ("nodes", "meshes", "skins", "materials", "scenes", "asset"):
        assert after.get(key) == before.get(key)
    assert after["accessors"][: len(before["accessors"])] == before["accessors"]
    times = [s["input"] for s in after["animations"][-1]["samplers"]]
    for number in times:
        accessor = after["accessors"][number]
        assert accessor["min"] == [0.0] or accessor["min"][0] > 0.0
        assert accessor["max"][0] > accessor["min"][0]
    # Curves of equal times share them.
    assert len(set(times)) < len(times)


def test_what_is_read_back_is_what_was_made(samples, saved):
    old, new = load(samples / "biped.glb").rig, load(saved).rig
    assert [c.name for c in new.clips] == [*(c.name for c in old.clips), "Range of motion"]
    clip: Clip = new.clips[-1]
    rest = new.nodes.rotations
    for channel in clip.channels:
        assert channel.path == "rotation"
        first, last = channel.sampler.keys[0], channel.sampler.keys[-1]
        assert abs(first @ rest[channel.node]) == pytest.approx(1.0, abs=1e-6)
        assert abs(last @ rest[channel.node]) == pytest.approx(1.0, abs=1e-6)
        assert np.all(np.abs(channel.sampler.keys) <= 1.0)


def test_the_copy_can_be_measured_and_names_what_it_shows(rigview, samples, tmp_path):
    got = rigview("metrics", samples / "arm.glb", "--rom", "--panes", "dqs")
    assert got.status == 0
    assert "flex of lowerarm" in got.out
    both = rigview("metrics", samples / "arm.glb", "--rom", "--clip", "Bend")
    assert both.status == 2


def test_without_a_name_it_says_what_moves_and_writes_nothing(rigview, samples, tmp_path):
    got = rigview("rom", samples / "arm.glb")
    assert "lowerarm: flex" in got.out
    assert "wrote" not in got.out
    assert list(tmp_path.iterdir()) == []


def test_the_file_itself_is_refused(rigview, samples):
    path = samples / "arm.glb"
    before = path.read_bytes()
    got = rigview("rom", path, "-o", path)
    assert got.status == 2
    assert "would be lost" in got.err
    assert path.read_bytes() == before


def test_a_usd_file_with_the_clip_stands_alone_wherever_it_is(rigview, samples, tmp_path):
    pytest.importorskip("pxr")
    source, out = tmp_path / "biped.usda", tmp_path / "elsewhere" / "rom.usda"
    out.parent.mkdir()
    assert rigview("convert", samples / "biped.glb", "-o", source).status == 0
    names = load(source).rig.clip_names
    done = rigview("rom", source, "-o", out)
    assert done.status == 0
    assert f"wrote {out}" in done.out
    source.unlink()
    again = load(out).rig
    assert again.clip_names[:-1] == names
    assert len(again.clip_names) == len(names) + 1
