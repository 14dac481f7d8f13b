"""``rigview transfer``: the target's copy has the source's weights, and nothing else is changed."""

import shutil

import numpy as np
import pytest

from rigview.io import load


@pytest.fixture
def twin(samples, tmp_path):
    """Return a copy of a sample under another name."""
    path = tmp_path / "twin.glb"
    shutil.copyfile(samples / "biped.glb", path)
    return path


def test_weights_of_a_twin_are_its_own(rigview, samples, twin, tmp_path):
    out = tmp_path / "out.glb"
    got = rigview("transfer", samples / "biped.glb", twin, "-o", out, "--vertices", "all")
    assert got.status == 0
    assert "100 % known" in got.out
    assert "64 joints by name" in got.out
    before, after = (load(p).rig.meshes[0].primitives[0].influences for p in (twin, out))
    assert np.array_equal(before.heaviest, after.heaviest)


def test_a_dry_run_tells_and_writes_nothing(rigview, samples, twin, tmp_path):
    got = rigview(
        "transfer", samples / "biped.glb", twin, "--vertices", "all", "--dry-run", "--json"
    )
    assert got.status == 0
    (mesh,) = got.json["meshes"]
    assert (mesh["vertices"], mesh["known"], mesh["filled"], mesh["alone"]) == (6471, 6471, 0, 0)
    assert mesh["displacement"]["lbs"]["rms"] < 1e-4
    assert {pair["by"] for pair in got.json["joints"]} == {"name"}
    assert got.json["deformation"]["joints"] == {}
    assert list(tmp_path.iterdir()) == [twin]


def test_a_target_with_all_weights_stays_byte_for_byte(rigview, samples, twin, tmp_path):
    out = tmp_path / "out.glb"
    got = rigview("transfer", samples / "biped.glb", twin, "-o", out)
    assert got.status == 0
    assert "nothing to set" in got.out
    assert out.read_bytes() == twin.read_bytes()


@pytest.mark.parametrize("written", ["source", "target"])
def test_neither_file_is_written_over(rigview, samples, twin, tmp_path, written):
    source = tmp_path / "source.glb"
    shutil.copyfile(samples / "biped.glb", source)
    out = {"source": source, "target": twin}[written]
    before = out.read_bytes()
    got = rigview("transfer", source, twin, "-o", out, "--vertices", "all")
    assert got.status == 2
    assert "would be lost" in got.err
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--distance", "0"], "distance 0 %"),
        (["--angle", "nan"], "angle nan"),
        (["--vertices", "nothing"], "no mesh is called nothing"),
        (["--influences", "0"], "wanted 1 or more"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_written(
    rigview, samples, twin, tmp_path, arguments, reason
):
    out = tmp_path / "out.glb"
    got = rigview("transfer", samples / "biped.glb", twin, "-o", out, *arguments)
    assert got.status == 2
    assert reason in got.err
    assert not out.exists()


def test_files_of_other_joints_are_refused(rigview, samples, twin, tmp_path):
    got = rigview(
        "transfer", samples / "arm.glb", twin, "-o", tmp_path / "o.glb", "--vertices", "all"
    )
    assert got.status == 2
    assert "no joint of the target has the name" in got.err
