"""``rigview fix``: a repaired copy, and nothing else changed."""

import pytest

from rigview.check.run import run
from rigview.io import load


def left(path):
    return [finding.rule for finding in run(load(path).rig).findings]


def test_all_exact_fixes_are_made_and_the_source_is_not_touched(rigview, broken, tmp_path):
    source, out = broken("ORI-PRIMARY"), tmp_path / "out.glb"
    before = source.read_bytes()
    done = rigview("fix", source, "-o", out)
    assert (done.status, done.err) == (0, "")
    assert "fixed ORI-PRIMARY Skin" in done.out
    assert done.out.splitlines()[-1] == f"wrote {out}"
    assert left(source) == ["ORI-PRIMARY"]
    assert left(out) == []
    assert source.read_bytes() == before


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(rigview, broken, tmp_path):
    out = tmp_path / "out.glb"
    done = rigview("fix", broken("ORI-PRIMARY"), "-o", out, "--dry-run")
    assert done.status == 0
    assert "would fix ORI-PRIMARY" in done.out
    assert not out.exists()
    assert rigview("fix", broken("ORI-PRIMARY"), "--dry-run").out == done.out


def test_a_fix_that_changes_the_shape_is_made_only_when_named(rigview, broken, tmp_path):
    source = broken("WGT-SUM")
    exact, named = tmp_path / "exact.glb", tmp_path / "named.glb"
    rigview("fix", source, "-o", exact)
    assert left(exact) == ["WGT-SUM"]
    assert exact.read_bytes() == source.read_bytes()
    assert rigview("fix", source, "-o", named, "--rules", "wgt-sum").status == 0
    assert left(named) == []


def test_only_the_named_rules_are_fixed(rigview, broken, tmp_path):
    out = tmp_path / "out.glb"
    assert rigview("fix", broken("ORI-PRIMARY"), "-o", out, "--rules", "SCL-SKIN").status == 0
    assert left(out) == ["ORI-PRIMARY"]


def test_a_sound_rig_is_copied_byte_for_byte(rigview, box, tmp_path):
    out = tmp_path / "copy.glb"
    assert rigview("fix", box, "-o", out).status == 0
    assert out.read_bytes() == box.read_bytes()


def test_the_file_itself_is_overwritten_only_on_demand(rigview, broken, tmp_path):
    path = tmp_path / "rig.glb"
    path.write_bytes(broken("ORI-PRIMARY").read_bytes())
    refused = rigview("fix", path, "-o", path)
    assert (refused.status, refused.out) == (2, "")
    assert "--overwrite" in refused.err
    assert left(path) == ["ORI-PRIMARY"]
    assert rigview("fix", path, "-o", path, "--overwrite").status == 0
    assert left(path) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "-o"),
        (["-o", "out.glb", "--rules", "NO-SUCH"], "NO-SUCH"),
        (["-o", "out.glb", "--profile", "gtlf"], "gtlf"),
        (["-o", "no/such/folder/out.glb"], "folder"),
        (["-o", "out.obj"], ".obj"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(rigview, broken, arguments, words):
    done = rigview("fix", broken("ORI-PRIMARY"), *arguments)
    assert done.status == 2
    assert words in done.err
    assert done.err.count("\n") == 1
