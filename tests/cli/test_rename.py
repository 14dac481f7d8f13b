"""``--rename FROM->TO`` of ``fix`` and ``convert``: only names change, in the file's own format."""

import os
from pathlib import Path

import numpy as np
import pytest
import rigs

from rigview.check.template_files import named_template
from rigview.io import load

HERE = Path(os.environ.get("RIGVIEW_CORPUS", "/nowhere"))


@pytest.fixture
def biped(samples):
    return samples / "biped.glb"


def same_but_for_names(before, after):
    assert after.nodes.children == before.nodes.children
    np.testing.assert_array_equal(after.nodes.translations, before.nodes.translations)
    np.testing.assert_array_equal(after.nodes.rotations, before.nodes.rotations)
    assert [skin.joints for skin in after.skins] == [skin.joints for skin in before.skins]
    assert [clip.properties for clip in after.clips] == [clip.properties for clip in before.clips]
    if before.parts:
        assert max(rigs.largest_difference(before, after).values()) == 0.0


@pytest.mark.parametrize("arrow", ["->", "→", " -> "])
def test_joints_get_the_names_of_another_standard(rigview, biped, tmp_path, arrow):
    out = tmp_path / "out.glb"
    done = rigview("fix", biped, "--rename", f"unreal4{arrow}mixamo", "-o", out)
    assert done.status == 0, done.err
    assert "renamed 52 joints: pelvis is mixamorig:Hips, " in done.err
    before, after = load(biped).rig, load(out).rig
    same_but_for_names(before, after)
    wanted = {joint.name for joint in named_template("mixamo").joints if joint.required}
    assert wanted <= set(after.nodes.names)


def test_there_and_back_is_the_file_itself(rigview, biped, tmp_path):
    there, back = tmp_path / "there.glb", tmp_path / "back.glb"
    assert rigview("fix", biped, "--rename", "unreal4->godot", "-o", there).status == 0
    assert rigview("fix", there, "--rename", "godot->unreal4", "-o", back).status == 0
    assert load(back).rig.nodes.names == load(biped).rig.nodes.names


def test_auto_goes_by_the_parts_of_the_body(rigview, biped, tmp_path):
    there, out = tmp_path / "there.glb", tmp_path / "out.glb"
    assert rigview("fix", biped, "--rename", "auto->vrm", "-o", there).status == 0
    assert {"hips", "leftUpperArm", "rightLittleDistal"} <= set(load(there).rig.nodes.names)
    done = rigview("convert", there, "--rename", "auto->unreal4", "-o", out)
    assert done.status == 0, done.err
    assert load(out).rig.nodes.names == load(biped).rig.nodes.names


def test_fixes_are_made_too_where_they_are_named(rigview, biped, tmp_path):
    out = tmp_path / "out.glb"
    plain = rigview("fix", biped, "--rename", "auto->vrm", "-o", out)
    assert "0 fixes; " in plain.out
    also = rigview("fix", biped, "--rename", "auto->vrm", "--rules", "HIE-LEAF", "-o", out)
    assert also.status == 0, also.err


@pytest.mark.parametrize(
    ("file", "wanted", "words"),
    [
        ("biped.glb", "mixamo-", "write FROM->TO in quotes"),
        ("biped.glb", "->unreal", "write FROM->TO in quotes"),
        ("biped.glb", "mixamo->unrael", "there is no template unrael; did you mean unreal"),
        ("biped.glb", "mixamo->unreal", "1 of 22 joints that mixamo requires is there by name"),
        ("box.glb", "auto->unreal", "no joint is a part of a human body"),
    ],
)
def test_what_cannot_be_renamed_is_one_sentence(rigview, samples, tmp_path, file, wanted, words):
    done = rigview("fix", samples / file, f"--rename={wanted}", "-o", tmp_path / "out.glb")
    assert done.status == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "out.glb").exists()


def test_a_name_that_another_node_has_is_refused(rigview, biped, tmp_path):
    taken = load(biped).rig
    mesh = next(n for n, mesh in enumerate(taken.node_meshes) if mesh is not None)
    there = tmp_path / "there.glb"
    there.write_bytes(
        biped.read_bytes().replace(
            f'"{taken.nodes.names[mesh]}"'.encode(),
            b'"Hips"'.ljust(len(taken.nodes.names[mesh]) + 2),
        )
    )
    assert "Hips" in load(there).rig.nodes.names
    done = rigview("fix", there, "--rename", "auto->godot", "-o", tmp_path / "out.glb")
    assert done.status == 2
    assert "pelvis would be Hips, as another node, Hips, is; nothing was renamed" in done.err


REAL = {
    "VRM": ("V-Sekai+godot-vrm/vrm_samples/Godette_vrm_v4.vrm", "auto->unreal4"),
    "GLB": (
        "Mesh2Motion+mesh2motion-app/static/models-variation/human-female.glb",
        "unreal4->mixamo",
    ),
    "FBX": ("ufbx+ufbx/data/maya_character_7500_binary.fbx", "auto->godot"),
    "USD": ("usd-wg+assets/test_assets/USDZ/CesiumMan/CesiumMan.usdz", "auto->unreal"),
    "BVH": ("20tab+bvh-python/tests/test_freebvh.bvh", "mixamo->unreal"),
}


@pytest.mark.corpus
@pytest.mark.parametrize("kind", REAL)
def test_a_real_file_keeps_all_but_its_names(rigview, tmp_path, kind):
    name, wanted = REAL[kind]
    file = HERE / "rigs" / name
    if not file.is_file():
        pytest.skip("the corpus is not there")
    out = tmp_path / f"out{file.suffix}"
    done = rigview("fix", file, "--rename", wanted, "-o", out, "--fail-on", "never")
    assert done.status == 0, done.err
    before, after = load(file).rig, load(out).rig
    same_but_for_names(before, after)
    assert after.humanoid == before.humanoid
    assert sum(a != b for a, b in zip(before.nodes.names, after.nodes.names, strict=True)) > 15
