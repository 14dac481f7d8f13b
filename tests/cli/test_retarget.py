"""``rigview retarget`` as it is typed: the copy, the map, the report, and what is refused."""

import shutil

import numpy as np
import pytest

from rigview.core.pose import model_from_nodes, sample
from rigview.io import load


@pytest.fixture
def biped(samples):
    return samples / "biped.glb"


def test_a_walk_is_played_on_another_file(rigview, biped, tmp_path):
    out, joint_map = tmp_path / "out.glb", tmp_path / "map.toml"
    done = rigview("retarget", biped, biped, "--clips", "Walk", "-o", out, "--save-map", joint_map)
    assert done.status == 0, done.err
    assert "1 clip (Walk (2)) on 65 joints; moves × 1" in done.out
    assert f"wrote {out}" in done.out
    copy = load(out).rig
    assert copy.clip_names[-1] == "Walk (2)"
    at = np.array([0.1, 0.6])
    was, now = (
        model_from_nodes(copy, sample(copy, copy.clip(name), at)) for name in ("Walk", "Walk (2)")
    )
    np.testing.assert_allclose(now[..., :3, 3], was[..., :3, 3], atol=3e-4)
    again = tmp_path / "again.glb"
    done = rigview("retarget", biped, biped, "--clips", "Walk", "--map", joint_map, "-o", again)
    assert done.status == 0, done.err
    assert again.read_bytes() == out.read_bytes()


def test_the_report_as_json_has_every_joint(rigview, biped):
    done = rigview("retarget", biped, biped, "--clips", "Walk", "--json")
    assert done.status == 0, done.err
    report = done.json
    assert report["out"] is None
    assert report["clips"] == ["Walk (2)"]
    assert {joint["joint"] for joint in report["joints"]} >= {"pelvis", "head", "hand_l"}
    assert all(joint["distance_of_leg"] < 1e-6 for joint in report["joints"])


@pytest.mark.corpus
def test_a_walk_is_written_into_a_copy_of_an_fbx_file(rigview, corpus, tmp_path):
    rigs, out = corpus / "rigs", tmp_path / "out.fbx"
    walk = rigs / "guillaumeblanc+ozz-animation/media/fbx/pab/walk.fbx"
    onto = rigs / "ufbx+ufbx/data/maya_character_7500_binary.fbx"
    as_gltf = tmp_path / "out.glb"
    done = rigview("retarget", walk, onto, "-o", out)
    assert done.status == 0, done.err
    assert "the clip walk is added with " in done.out
    assert rigview("retarget", walk, onto, "-o", as_gltf).status == 0
    copy, other = load(out).rig, load(as_gltf).rig
    # glTF has no clip without curves, which the first one is.
    assert (copy.clip_names, other.clip_names) == (("Take 001", "walk"), ("walk",))
    times = np.linspace(0.0, other.clips[-1].end, 37)
    ours, theirs = (model_from_nodes(r, sample(r, r.clips[-1], times)) for r in (copy, other))
    joints = [other.joint(copy.nodes.names[joint]) for joint in copy.joints]
    size = np.ptp(theirs[:, joints, :3, 3])
    assert np.abs(ours[:, copy.joints] - theirs[:, joints]).max() < 1e-5 * max(size, 1.0)


@pytest.mark.parametrize(
    ("extra", "told"),
    [
        ((), "name the copy with -o"),
        (("--clips", "Wlak", "-o", "out.glb"), "Walk"),
        (("--map", "none.toml", "-o", "out.glb"), "none.toml: "),
        (("--scale", "-1", "-o", "out.glb"), "--scale: a motion cannot be scaled by -1"),
        (("--scale", "nan", "-o", "out.glb"), "--scale: a motion cannot be scaled by nan"),
    ],
)
def test_what_cannot_be_done_is_said(rigview, biped, tmp_path, monkeypatch, extra, told):
    monkeypatch.chdir(tmp_path)
    done = rigview("retarget", biped, biped, *extra)
    assert done.status == 2
    assert told in done.err
    assert len(done.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_the_character_itself_is_not_written_over(rigview, biped, tmp_path):
    own = tmp_path / "own.glb"
    shutil.copy(biped, own)
    before = own.read_bytes()
    assert rigview("retarget", biped, own, "-o", own).status == 2
    assert own.read_bytes() == before


def test_the_ways_of_hips_can_be_scaled_by_hand(rigview, biped, tmp_path):
    out = tmp_path / "out.glb"
    done = rigview("retarget", biped, biped, "--clips", "Walk", "--scale", "0", "-o", out)
    assert done.status == 0, done.err
    rig = load(out).rig
    hips, at = rig.joint("pelvis"), np.linspace(0.0, 1.0, 9)
    walked, stood = (
        np.ptp(model_from_nodes(rig, sample(rig, rig.clip(name), at))[:, hips, :3, 3], axis=0).max()
        for name in ("Walk", "Walk (2)")
    )
    assert walked > 0.01
    assert stood < 1e-6
