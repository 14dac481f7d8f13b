"""``rigview convert``: what glTF forbids is mended where nothing moves for it, and told of."""

import pytest

from rigview.check.applying.dryrun import dry_run
from rigview.check.run import run
from rigview.io import load

pytestmark = pytest.mark.corpus


def test_vertices_without_weight_get_a_joint_that_never_moves(rigview, corpus, tmp_path):
    path = corpus / "rigs/ufbx+ufbx/data/blender_293_half_skinned_7400_binary.fbx"
    done = rigview("convert", path, "-o", tmp_path / "out.glb")
    assert done.status == 0
    assert (
        "rigview: Plane: 2 vertices without any weight, which glTF forbids: "
        "Bind 2 vertices to a neutral joint; nothing moves\n"
    ) in done.err
    before, after = load(path).rig, load(tmp_path / "out.glb").rig
    assert len(after.joints) == len(before.joints) + 1
    assert run(after, select=["WGT-ZERO"]).findings == ()


def test_a_skinned_mesh_is_left_no_transform_that_gltf_ignores(rigview, corpus, tmp_path):
    path = corpus / "rigs/ufbx+ufbx/data/blender_293_barbarian_7400_binary.fbx"
    done = rigview("convert", path, "-o", tmp_path / "out.glb")
    said = (
        "moved, turned or scaled against the parent it shares with its skeleton "
        "(also in 1 more mesh), which glTF ignores"
    )
    assert done.err.count(said) == 1
    (finding,) = run(load(path).rig, select=["HIE-MESH-XFORM"]).findings
    assert len(finding.places) == 2
    after = load(tmp_path / "out.glb").rig
    assert run(after, select=["HIE-MESH-XFORM"]).findings == ()


@pytest.mark.parametrize(
    ("path", "rule", "said"),
    [
        ("ufbx+ufbx/data/maya_game_sausage_7500_binary_deform.fbx", "HIE-GAP", "leave out"),
        ("ufbx+ufbx/data/maya_game_sausage_7500_binary_wiggle.fbx", "HIE-ORDER", "read"),
    ],
)
def test_a_copy_warns_of_nothing_that_was_no_fault_in_the_file(
    rigview, corpus, tmp_path, path, rule, said
):
    path, out = corpus / "rigs" / path, tmp_path / "out.glb"
    done = rigview("convert", path, "-o", out)
    assert f"programs {said}" in done.err
    before, after = load(path).rig, load(out).rig
    warned = [
        {f.rule for f in r.findings if r.severity(f) != "info"} for r in map(run, (before, after))
    ]
    assert warned[1] <= warned[0]
    assert rule not in warned[0]
    assert rule in {f.rule for f in run(before).findings}
    assert "HIE-ZEROLEN" not in {f.rule for f in run(after).findings}
    # As near as 32-bit numbers are.
    moved = dry_run(before, after)
    assert moved.largest < 1e-6 * moved.size


def test_what_would_move_is_left_and_said(rigview, corpus, tmp_path):
    path = corpus / "rigs/assimp+assimp/test/models/Collada/library_animation_clips.dae"
    done = rigview("convert", path, "-o", tmp_path / "out.glb")
    assert done.status == 0
    assert "which glTF forbids: left as it is; rigview fix --rules WGT-SUM mends it\n" in done.err
    found = run(load(tmp_path / "out.glb").rig, select=["WGT-SUM"]).findings
    assert [f.value for f in found] == [
        f.value for f in run(load(path).rig, select=["WGT-SUM"]).findings
    ]


def test_nothing_is_mended_for_a_folder_that_is_missing(rigview, corpus, tmp_path):
    path = corpus / "rigs/ufbx+ufbx/data/blender_293_barbarian_7400_binary.fbx"
    out = tmp_path / "gone" / "out.glb"
    done = rigview("convert", path, "-o", out)
    assert (done.status, done.err) == (2, f"rigview: {out}: there is no such folder\n")


def test_a_gltf_keeps_its_faults(rigview, samples, tmp_path):
    done = rigview("convert", samples / "broken/WGT-ZERO.glb", "-o", tmp_path / "out.glb")
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "out.glb").read_bytes() == (samples / "broken/WGT-ZERO.glb").read_bytes()
