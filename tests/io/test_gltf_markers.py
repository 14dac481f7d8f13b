"""Markers of clips travel in the extras of animations."""

import pytest

from rigview.assets import resource
from rigview.core.clip import Marker
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import range_of_motion, with_clip
from rigview.io import load, save
from rigview.io.gltf import markers

TABLE = LimitTable.of(resource("joint_limits.json"))


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
@pytest.mark.parametrize("source", ["biped.glb", "arm.glb"])
def test_steps_of_a_range_of_motion_are_saved_and_read_again(samples, tmp_path, source, suffix):
    loaded = load(samples / source)
    motion = range_of_motion(loaded.rig, TABLE)
    assert motion.clip.markers
    out = tmp_path / f"out.{suffix}"
    save(loaded, with_clip(loaded.rig, motion.clip), out)
    again = load(out)
    assert again.rig.clips[-1].markers == motion.clip.markers
    assert not any(clip.markers for clip in again.rig.clips[:-1])
    fresh = tmp_path / "fresh.glb"
    save(again, again.rig, fresh)
    assert load(fresh).rig.clips[-1].markers == motion.clip.markers


@pytest.mark.parametrize(
    ("extras", "expected"),
    [
        (None, ()),
        ("markers", ()),
        ({"markers": 3}, ()),
        ({"markers": [None, {"time": "1", "name": "a"}, {"time": True, "name": "b"}]}, ()),
        ({"markers": [{"time": 1e999, "name": "a"}, {"time": float("nan"), "name": "b"}]}, ()),
        (
            {"markers": [{"time": 2, "name": "late"}, {"time": 1.5, "name": "early"}, {}]},
            (Marker(1.5, "early"), Marker(2.0, "late")),
        ),
    ],
)
def test_extras_may_hold_anything(extras, expected):
    assert markers.read(extras) == expected
