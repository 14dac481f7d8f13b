"""``rigview diff``: 0 where nothing changed, 1 where something did, 2 where a file is none."""

import json
import shutil

import numpy as np
import pytest
import rigs
from PIL import Image

from rigview.io import load, save


def test_a_file_and_its_copy_do_not_differ(rigview, box, tmp_path):
    copy = tmp_path / "copy.glb"
    shutil.copy(box, copy)
    done = rigview("diff", box, copy)
    assert (done.status, done.err) == (0, "")
    assert done.out == f"{box} → {copy}\n  no difference\n"
    report = rigview("diff", box, copy, "--format", "json").json
    assert (report["a"], report["b"], report["same"]) == (str(box), str(copy), True)


def test_a_repair_is_told_and_moves_nothing(rigview, broken, tmp_path):
    fixed = tmp_path / "fixed.glb"
    rigview("fix", broken("ORI-PRIMARY"), "-o", fixed)
    done = rigview("diff", broken("ORI-PRIMARY"), fixed)
    assert (done.status, done.err) == (1, "")
    assert "middle turned 34.00°" in done.out
    assert "deformation" not in done.out


def test_a_change_of_shape_is_told_with_its_place(rigview, broken, tmp_path):
    fixed, out = tmp_path / "fixed.glb", tmp_path / "diff.json"
    rigview("fix", broken("WGT-SUM"), "-o", fixed, "--rules", "WGT-SUM")
    done = rigview("diff", broken("WGT-SUM"), fixed, "--format", "json", "-o", out)
    assert (done.status, done.out) == (1, "")
    report = json.loads(out.read_text())
    assert report["meshes"]["changed"][0]["reweighted"]["count"] == 5
    assert {row["clip"] for row in report["deformation"]} == {None, "Bend"}


@pytest.mark.parametrize("swapped", [False, True])
def test_a_file_that_is_none_is_one_sentence_and_status_2(rigview, box, no_rig, swapped):
    files = (no_rig, box) if swapped else (box, no_rig)
    done = rigview("diff", *files)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"rigview: {no_rig}: ")
    assert done.err.count("\n") == 1


def coloured(path):
    """How many pixels of each rig's half of a picture are, its legend and captions left out."""
    pixels = np.asarray(Image.open(path).convert("RGB")).astype(int)
    vivid = np.ptp(pixels[60:-70], axis=2) > 50
    middle = vivid.shape[1] // 2
    return vivid[:, 60:middle].sum(), vivid[:, middle + 60 :].sum()


@pytest.fixture
def sharp(box, tmp_path):
    """The box with every vertex given to one joint alone."""
    loaded = load(box)
    path = tmp_path / "sharp.glb"
    save(loaded, rigs.sharpened(loaded.rig), path)
    return path


@pytest.mark.gl
@pytest.mark.parametrize("heat", ["weights", "deformation"])
def test_a_picture_shows_where_weights_and_shape_changed(rigview, box, sharp, tmp_path, heat):
    out = tmp_path / "heat.png"
    done = rigview("diff", box, sharp, "-o", out, "--heat", heat, "--size", "400x300")
    # What is said goes where it went without a picture.
    assert (done.status, done.err) == (1, "")
    assert "changed by up to" in done.out
    plain, painted = coloured(out)
    assert painted > plain + 500


@pytest.mark.parametrize(
    "arguments",
    [("--heat", "weights"), ("--view", "top", "-o", "diff.json"), ("--size", "9x9", "-o", "a.png")],
)
def test_what_a_picture_is_asked_for_goes_with_a_picture(rigview, box, arguments, tmp_path):
    done = rigview("diff", box, box, *arguments)
    assert (done.status, done.out) == (2, "")


def test_files_without_a_common_mesh_have_no_picture(rigview, box, skeleton, tmp_path):
    done = rigview("diff", box, skeleton, "-o", tmp_path / "heat.png")
    assert (done.status, done.out) == (2, "")
    assert "no mesh in common" in done.err
    assert not (tmp_path / "heat.png").exists()
