"""Fix, save and check again: what a fix settles in a file stays settled, and nothing new is found.

Fixes that a format cannot hold are in the table, with words of the reason that is told.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from rigview.check.applying.repair import repair
from rigview.check.catalogue import RULES
from rigview.check.run import run
from rigview.io import SaveError, load, save

# File → the rules whose fixes are refused there, and why.
FBX = {
    # Vertices without weight follow the mesh's node, which a fix moves.
    "ufbx+ufbx/data/blender_293_half_skinned_7400_binary.fbx": {},
    "bexide+BxUni-Dual-Quaternion-Skinning/Assets/Models/skinned_cube.fbx": {},
    "ufbx+ufbx/data/maya_game_sausage_7500_ascii_deform.fbx": {"HIE-GAP": "no node of the file"},
    "ufbx+ufbx/data/maya_dq_weights_7500_binary.fbx": {},
    "assimp+assimp/test/models/FBX/animation_with_skeleton.fbx": {},
}
_CTS = "KhronosGroup+COLLADA-CTS/StandardDataSets/collada"
_AMONG = "that stand among other numbers"
_CURVES, _BOUND = "other curves are not written", "is bound off by"
COLLADA = {
    f"{_CTS}/library_visual_scenes/visual_scene/node/instance_controller/same_material_same_skeleton/"
    "same_material_same_skeleton.dae": {"WGT-COUNT": _AMONG, "WGT-TINY": _AMONG},
    "assimp+assimp/test/models/Collada/library_animation_clips.dae": {
        "HIE-GAP": _CURVES,
        "HIE-UNUSED": "would list other joints",
    },
    "guillaumeblanc+ozz-animation/media/collada/pab/skeleton.dae": {
        "HIE-GAP": "its clips are",
        "HIE-ORDER": "in another order",
        "ORI-PRIMARY": _BOUND,
        "ORI-ROLL": _BOUND,
    },
    "mosra+magnum-plugins/src/MagnumPlugins/AssimpImporter/Test/skin-multiple-sets.dae": {
        "HIE-ROOT": "new nodes are not written"
    },
    "assimp+assimp/test/models/Collada/box_nested_animation.dae": {"HIE-GAP": _CURVES},
}
_ROWS, _AXES = "share their rows", "have the axes of the world"
BVH = {
    "20tab+bvh-python/tests/test_freebvh.bvh": {"ANI-CONST": _ROWS},
    "20tab+bvh-python/tests/test_mocapbank.bvh": {"ANI-CONST": _ROWS, "ORI-TPOSE": _AXES},
    "VictorS-67+pybvh/bvh_data/bvh_example.bvh": {"ORI-UPFWD": _AXES},
    "VictorS-67+pybvh/bvh_data/cmu_12_01_walk.bvh": {"ANI-CONST": _ROWS},
    "VictorS-67+pybvh/bvh_data/bvh_test2.bvh": {"ORI-TPOSE": _AXES},
}
_PXR = "PixarAnimationStudios+OpenUSD/pxr/usd/usdSkel/testenv"
_SAMPLES = "share their samples"
USD = {
    f"{_PXR}/testUsdSkelBakeSkinning/dqs.usda": {"ANI-CONST": _SAMPLES},
    f"{_PXR}/testUsdSkelBakeSkinning/lbs.usda": {"ANI-CONST": _SAMPLES},
    f"{_PXR}/testUsdSkelRoot/baseline/root.computedExtents.usda": {"ANI-CONST": _SAMPLES},
    "usd-wg+assets/test_assets/USDZ/CesiumMan/CesiumMan.usdz": {},
    "usd-wg+assets/test_assets/USDZ/RiggedFigure/RiggedFigure.usdz": {"ANI-CONST": _SAMPLES},
}
REFUSED = FBX | COLLADA | BVH | USD
# FBX has no order of joints and influences, BVH no quaternions: these fixes change nothing there.
NOTHING_TO_WRITE = {".fbx": {"HIE-ORDER", "WGT-SORT", "WGT-GHOST"}, ".bvh": {"ANI-QFLIP"}}
# Measures of how skin deforms take long, and no fix is about them.
ASKED = [rule.id for rule in RULES if not rule.id.startswith("DEF-")]


def findings(rig):
    return run(rig, select=ASKED).findings


def found(rig):
    """Return (rule, object) of all findings."""
    return {(finding.rule, finding.object) for finding in findings(rig)}


def copied(path, folder):
    """Return a copy of a file with what lies beside it, where layers over it may stand."""
    whole = folder / "source"
    shutil.copytree(path.parent, whole)
    return whole / path.name


def expect_read_by_others(loaded, wanted, out, folder):
    """Expect ufbx to read an FBX as wanted, and OpenUSD to say nothing new of a USD."""
    if out.suffix == ".fbx" and find_spec("ufbx") is not None:
        from ufbx_rigs import assert_read_alike

        assert_read_alike(out, wanted, folder)
    if out.suffix.startswith(".usd"):
        from usd_validators import faults

        assert faults(out) <= faults(loaded.path), out.name


@pytest.mark.corpus
@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize("name", REFUSED)
def test_a_saved_fix_is_settled_and_nothing_new_is_found(corpus, tmp_path, name):
    is_usd = Path(name).suffix.startswith(".usd")
    if is_usd:
        pytest.importorskip("pxr", reason="needs rigview[usd]")
    source = corpus / "rigs" / name
    loaded = load(copied(source, tmp_path) if is_usd else source)
    before = found(loaded.rig)
    rules = {f.rule for f in findings(loaded.rig) if f.fix.repair is not None}
    refused = {}
    for rule in sorted(rules):
        made = repair(loaded.rig, rules=[rule])
        if not made.applied:
            continue
        done = () if rule in NOTHING_TO_WRITE.get(source.suffix, ()) else made.applied
        settled = {(one.finding.rule, one.finding.object) for one in done}
        # Clips may be named by their file.
        folder = loaded.path.parent if is_usd else tmp_path / rule
        out = folder / (f"{rule}{source.suffix}" if is_usd else source.name)
        folder.mkdir(exist_ok=True)
        try:
            save(loaded, made.rig, out)
        except SaveError as error:
            refused[rule] = str(error)
            assert not out.exists()
            continue
        copy = load(out)
        expect_read_by_others(loaded, made.rig, out, tmp_path)
        after = found(copy.rig)
        # What the fix itself brings up is not the file's doing.
        assert after <= before | found(made.rig), rule
        assert not (settled & after) - found(made.rig), rule
        again = folder / f"again{source.suffix}"
        if not is_usd or source.suffix == ".usdz":
            save(copy, copy.rig, again)
            assert again.read_bytes() == out.read_bytes()
    assert refused.keys() == REFUSED[name].keys()
    assert all(REFUSED[name][rule] in words for rule, words in refused.items())
