"""What rigview writes is what the validator of Khronos calls valid."""

from pathlib import Path

import khronos
import numpy as np
import pytest
from documents import arm

from rigview.check.applying.repair import repair
from rigview.check.rule import Refused
from rigview.check.run import run
from rigview.cli import main
from rigview.core.mask import painted
from rigview.io import load, save

BROKEN = Path(__file__).parents[2] / "samples" / "broken"
REPAIRED = (
    "DRx3D+glTF-Sample-Assets-OLD/Models/RiggedSimple/glTF-Binary/RiggedSimple.glb",
    "DRx3D+glTF-Sample-Assets-OLD/Models/Fox/glTF-Binary/Fox.glb",
    "mosra+magnum-plugins/src/MagnumPlugins/GltfImporter/Test/scene.gltf",
    "godotengine+godot-demo-projects/3d/platformer/enemy/enemy.glb",
)
CONVERTED = (
    "ufbx+ufbx/data/maya_dq_weights_7500_binary.fbx",
    "ufbx+ufbx/data/maya_transformed_skin_7700_ascii.fbx",
    "ufbx+ufbx/data/blender_293_half_skinned_7400_binary.fbx",
    "PixarAnimationStudios+OpenUSD/pxr/usd/usdSkel/testenv/testUsdSkelBakeSkinning/dqs.usda",
    "usd-wg+assets/test_assets/USDZ/RiggedSimple/RiggedSimple.usdz",
    "KhronosGroup+COLLADA-CTS/StandardDataSets/collada/library_controllers/controller/morph/"
    "morph_on_skin/morph_on_skin.dae",
    "guillaumeblanc+ozz-animation/media/collada/pab/walk.dae",
    "VictorS-67+pybvh/bvh_data/bvh_test3.bvh",
)
# What hangs where is the file's, and its nodes keep their places and motions: HIE-MESH-XFORM and
# ANI-TARGET are about that, and a node above that does nothing does no harm.
HUNG = {
    "NODE_SKINNED_MESH_LOCAL_TRANSFORMS",
    "NODE_SKINNED_MESH_NON_ROOT",
    "ANIMATION_CHANNEL_TARGET_NODE_SKIN",
}
# A new root goes above joints that had none, and above their mesh, so that both have one parent, as
# HIE-PARENT wants it: the validator would rather have the mesh at the top.
NEW_ROOT = {"HIE-ROOT": {"NODE_SKINNED_MESH_NON_ROOT"}}


@pytest.fixture(scope="module")
def validator():
    """The validator, running."""
    reason = khronos.missing()
    if reason:
        pytest.skip(reason)
    with khronos.Validator() as running:
        yield running


def test_the_validator_finds_what_is_wrong(validator, tmp_path):
    doc = arm()
    sound = doc.save_glb(tmp_path / "sound.glb")
    assert validator.faults(sound) == {}
    doc.json["skins"][0]["joints"] = [0, 1, 99]
    assert set(validator.faults(doc.save_glb(tmp_path / "wrong.glb"))) == {"UNRESOLVED_REFERENCE"}
    (tmp_path / "none.glb").write_bytes(b"nothing")
    assert set(validator.faults(tmp_path / "none.glb")) == {"REFUSED"}
    assert validator.faults(sound) == {}


def test_no_fix_of_a_broken_sample_breaks_anything_else(validator, tmp_path):
    copy, tried = tmp_path / "copy.glb", 0
    for path in sorted(BROKEN.glob("*.glb")):
        loaded = load(path)
        for finding in run(loaded.rig, select=[path.stem]).findings:
            if finding.fix.repair is None:
                continue
            try:
                fixed = finding.fix.repair(loaded.rig)
            except Refused:
                continue
            tried += 1
            save(loaded, fixed, copy)
            new = validator.new_faults(copy, path)
            assert set(new) <= NEW_ROOT.get(path.stem, set()), (path.stem, new)
    assert tried > 30


@pytest.mark.corpus
@pytest.mark.parametrize("name", REPAIRED, ids=lambda name: Path(name).stem)
def test_a_real_rig_repaired_is_as_valid_as_it_was(validator, name, corpus, tmp_path):
    loaded = load(corpus / "rigs" / name)
    made = repair(loaded.rig)
    assert made.applied
    copy = tmp_path / Path(name).name
    save(loaded, made.rig, copy)
    excused = {code for a in made.applied for code in NEW_ROOT.get(a.finding.rule, ())}
    new = validator.new_faults(copy, loaded.path)
    assert set(new) <= excused, new


@pytest.mark.corpus
@pytest.mark.parametrize("name", CONVERTED, ids=lambda name: Path(name).name)
def test_what_is_converted_is_valid(validator, name, corpus, tmp_path, capsys):
    if Path(name).suffix.startswith(".usd"):
        pytest.importorskip("pxr", reason="needs rigview[usd]")
    for copy in (tmp_path / "copy.glb", tmp_path / "copy.gltf"):
        assert main(["convert", str(corpus / "rigs" / name), "-o", str(copy)]) == 0
        assert set(validator.faults(copy)) <= HUNG
    # What moves for it is left to who asks for it.
    assert "left as it is" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["arm.glb", "broken/HIE-PARENT.glb"])
def test_a_range_of_motion_adds_no_fault(validator, name, samples, tmp_path, capsys):
    assert main(["rom", str(samples / name), "-o", str(tmp_path / "rom.glb")]) == 0
    assert capsys.readouterr().out
    assert validator.new_faults(tmp_path / "rom.glb", samples / name) == {}


def test_a_painted_mask_adds_no_fault(validator, samples, tmp_path):
    loaded = load(samples / "arm.glb")
    rig = painted(loaded.rig, {0: np.arange(20)}, 0.25)
    save(loaded, rig, tmp_path / "painted.gltf")
    assert validator.new_faults(tmp_path / "painted.gltf", samples / "arm.glb") == {}
