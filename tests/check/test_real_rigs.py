"""The checker on real rigs: clean ones are silent, others are repaired without moving a vertex."""

from pathlib import Path

import pytest

from rigview.check.applying.dryrun import dry_run
from rigview.check.applying.repair import repair
from rigview.check.catalogue import RULES
from rigview.check.run import run
from rigview.io import load, save

pytestmark = pytest.mark.corpus

KHRONOS = "DRx3D+glTF-Sample-Assets-OLD/Models"
CLEAN = (
    "CesiumMan/glTF-Binary/CesiumMan.glb",
    "RiggedFigure/glTF-Binary/RiggedFigure.glb",
    "RiggedSimple/glTF-Binary/RiggedSimple.glb",
    "RiggedSimple/glTF/RiggedSimple.gltf",
    "Fox/glTF-Binary/Fox.glb",
    "SimpleSkin/glTF/SimpleSkin.gltf",
)
# Several skins, hierarchies and exporters; the last two bind at another scale than they rest in.
REPAIRED = {
    f"{KHRONOS}/CesiumMan/glTF-Binary/CesiumMan.glb": {"HIE-GAP", "ORI-PRIMARY", "WGT-SORT"},
    f"{KHRONOS}/Fox/glTF-Binary/Fox.glb": {"HIE-PARENT", "ORI-PRIMARY"},
    f"{KHRONOS}/RiggedFigure/glTF-Binary/RiggedFigure.glb": {
        "HIE-GAP",
        "HIE-PARENT",
        "ORI-PRIMARY",
        "WGT-SORT",
    },
    "godotengine+godot-demo-projects/3d/platformer/enemy/enemy.glb": {"ANI-QFLIP", "ORI-PRIMARY"},
    "godotengine+godot-demo-projects/3d/platformer/player/player.glb": {
        "ANI-QFLIP",
        "HIE-UNUSED",
        "ORI-PRIMARY",
    },
    "Mesh2Motion+mesh2motion-app/static/animations/spider-animations.glb": {"ANI-QFLIP"},
    "V-Sekai+godot-vrm/vrm_samples/Godette_vrm_v4.vrm": {"ORI-PRIMARY"},
    "godotengine+godot-tests/tests/gltf_skeleton_tests/gltf_tests/MeshSkinnedToItselfAndOthers.glb": {
        "ANI-QFLIP",
        "HIE-ORDER",
        "ORI-PRIMARY",
    },
    "trebeljahr+quaternius-showcase/public/glb/modular_women/Formal.glb": {
        "HIE-GAP",
        "HIE-PARENT",
    },
    "trebeljahr+quaternius-showcase/public/glb/cute_fish_pack/Puffer.glb": {
        "HIE-GAP",
        "HIE-PARENT",
        "SCL-SKIN",
    },
}


@pytest.mark.parametrize("name", CLEAN)
def test_the_clean_samples_raise_no_error_and_no_warning(corpus, name):
    # What clips do to the shape is no fault of the set-up: the legs of Fox have four vertices around.
    shape = [rule.id for rule in RULES if rule.id.startswith("DEF-")] if "Fox" in name else []
    report = run(load(corpus / "rigs" / KHRONOS / name).rig, "gltf", ignore=shape)
    assert [f.message for f in report.findings if report.severity(f) != "info"] == []


@pytest.mark.thorough(keep=3)
@pytest.mark.parametrize("name", REPAIRED, ids=lambda name: Path(name).stem)
def test_a_real_rig_is_repaired_exactly_and_stays_so_on_disk(corpus, tmp_path, name):
    loaded = load(corpus / "rigs" / name)
    made = repair(loaded.rig, "thesis")
    assert {a.finding.rule for a in made.applied} == REPAIRED[name]
    for applied in made.applied:
        assert applied.finding.fix.kind == "exact"
        assert applied.dry_run.exact
    copy = tmp_path / f"copy{Path(name).suffix}"
    save(loaded, made.rig, copy)
    again = load(copy).rig
    done = {(a.finding.rule, a.finding.key) for a in made.applied}
    left = {
        (f.rule, f.key)
        for f in run(again, "thesis").findings
        if f.fix.kind == "exact" and not f.fix.on_request
    }
    assert not done & left
    # All fixes together, and float32 on disk.
    assert dry_run(loaded.rig, again).exact
