"""``rigview diff``: 0 where nothing changed, 1 where something did, 2 where a file is none."""

import json
import shutil

import pytest


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
