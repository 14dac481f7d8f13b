"""``rigview weights``: what is asked for is set, the rest of the file stays byte for byte."""

import json
import struct
from dataclasses import replace

import numpy as np
import pytest

from rigview.core.mesh import Influences
from rigview.io import load, save


def document(path):
    data = path.read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20 : 20 + length])


def influences(path):
    return load(path).rig.meshes[0].primitives[0].influences


@pytest.fixture
def some_bare(samples, tmp_path):
    """Return a copy of a sample in which every third vertex has no weight."""
    loaded = load(samples / "biped.glb")
    primitive = loaded.rig.meshes[0].primitives[0]
    weights = primitive.influences.weights.copy()
    weights[::3] = 0.0
    joints = np.where(weights > 0.0, primitive.influences.joints, 0)
    bare = replace(primitive, influences=Influences(joints, weights))
    path = tmp_path / "bare.glb"
    save(loaded, loaded.rig.with_primitive(0, 0, bare), path)
    return path


def test_only_vertices_without_weight_are_set(rigview, some_bare, tmp_path):
    out = tmp_path / "out.glb"
    got = rigview("weights", some_bare, "-o", out)
    assert got.status == 0
    assert "set 2 157 vertices" in got.out
    assert "against the weights before" not in got.out
    before, after = influences(some_bare), influences(out)
    kept = np.arange(len(before.joints)) % 3 > 0
    assert np.array_equal(after.weights[kept], before.weights[kept])
    assert np.array_equal(after.joints[kept], before.joints[kept])
    assert np.abs(after.sums - 1.0).max() < 1e-6
    old, new = document(some_bare), document(out)
    for key in ("nodes", "skins", "animations", "materials", "scenes", "asset"):
        assert new.get(key) == old.get(key)


def test_a_file_with_all_weights_stays_byte_for_byte(rigview, samples, tmp_path):
    out = tmp_path / "out.glb"
    got = rigview("weights", samples / "arm.glb", "-o", out)
    assert got.status == 0
    assert "nothing to set" in got.out
    assert out.read_bytes() == (samples / "arm.glb").read_bytes()


def test_replaced_weights_are_compared_and_a_dry_run_writes_nothing(rigview, samples, tmp_path):
    out = tmp_path / "out.glb"
    got = rigview(
        "weights", samples / "biped.glb", "-o", out, "--vertices", "all", "--dry-run", "--json"
    )
    assert got.status == 0
    assert not out.exists()
    (mesh,) = got.json["meshes"]
    assert mesh["vertices"] == mesh["replaced"] == 6471
    assert mesh["largest"] <= 4
    for moves in mesh["displacement"].values():
        assert 0.0 < moves["rms"] < moves["p99"] < 0.02
    joints = got.json["deformation"]["joints"]
    assert {"thigh_l", "upperarm_l"} <= joints.keys()
    before, after = (joints["thigh_l"]["stretch"][end] for end in ("before", "after"))
    assert before["value"] > after["value"] > 1.0
    assert before["pose"]
    said = rigview("weights", samples / "biped.glb", "--vertices", "all", "--dry-run").out
    assert "deformation, each joint at its worst in " in said
    assert f"stretch {before['value']:.1f}× → {after['value']:.1f}×" in said
    assert "more joints" in said.splitlines()[-1]


def test_named_joints_alone_get_weight(rigview, samples, tmp_path):
    out = tmp_path / "out.glb"
    got = rigview(
        "weights", samples / "arm.glb", "-o", out, "--vertices", "all", "--method", "nearest",
        "--joints", "upperarm,lowerarm",
    )  # fmt: skip
    assert got.status == 0
    rig = load(out).rig
    made = rig.meshes[0].primitives[0].influences
    labels = [rig.nodes.label(joint) for joint in rig.skins[0].joints]
    assert {labels[j] for j in made.joints[made.weights > 0.0]} == {"upperarm", "lowerarm"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--joints", "nobody", "--vertices", "all"], "no joint is called nobody"),
        (["--vertices", "nothing"], "no mesh is called nothing"),
        (["--method", "magic"], "no method magic"),
        (["--influences", "0"], "wanted 1 or more"),
        (["--smooth", "-1"], "not between 0 and 1"),
        (["--bridge", "nan"], "not between 0 and 10 %"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_written(
    rigview, samples, tmp_path, arguments, reason
):
    got = rigview("weights", samples / "arm.glb", "-o", tmp_path / "out.glb", *arguments)
    assert got.status == 2
    assert reason in got.err
    assert list(tmp_path.iterdir()) == []


def test_the_file_itself_is_refused(rigview, samples):
    got = rigview("weights", samples / "arm.glb", "-o", samples / "arm.glb")
    assert got.status == 2
    assert "would be lost" in got.err


def test_a_mesh_that_hangs_on_a_skin_and_states_no_joints_gets_them(rigview, samples, tmp_path):
    data = (samples / "arm.glb").read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    stated = json.loads(data[20 : 20 + length])
    for primitive in (p for mesh in stated["meshes"] for p in mesh["primitives"]):
        del primitive["attributes"]["JOINTS_0"], primitive["attributes"]["WEIGHTS_0"]
    text = json.dumps(stated, separators=(",", ":")).encode().ljust(length)
    bare, out = tmp_path / "bare.glb", tmp_path / "out.glb"
    bare.write_bytes(data[:20] + text + data[20 + length :])
    got = rigview("weights", bare, "-o", out)
    assert got.status == 0
    made = influences(out)
    assert np.abs(made.sums - 1.0).max() < 1e-6
    assert rigview("check", out, "--select", "WGT-ZERO,WGT-SUM,WGT-SEAM").status == 0
