"""The rules name joints that are broken on purpose on real characters, and say nothing of tame twins."""

from dataclasses import replace

import pytest
from planted_deformation import (
    CASES,
    FPS,
    PATCHED,
    ROLES,
    TAME,
    WORST_TIME,
    character,
    found,
    plant,
    plant_patch,
)

from rigview.check.rule import Subject
from rigview.check.rules.joint_faults import joint_faults, twist_fixes
from rigview.check.run import run
from rigview.core.mesh import Influences

RULES = ["DEF-COLLAPSE", "DEF-BULGE", "DEF-VOLUME", "DEF-STRETCH", "DEF-FLIP", "DEF-INTERSECT"]


def names(planted):
    """Return whether a finding names the joint within two frames, at warning or above."""
    report = run(planted.rig, select=RULES)
    return any(
        finding.joints[0] == planted.joint
        and abs(finding.time - WORST_TIME) <= 2.0 / FPS + 1e-6
        and report.severity(finding) != "info"
        for finding in report.findings
    )


def with_patch_alone(planted):
    """Return the planted rig, whose patch follows the far joint alone: no weight is blended."""
    rig = planted.rig
    for part in rig.parts:
        influences = rig.primitive(part).influences
        # `plant_patch` adds the far joint as the last influence, of half the weight.
        patch = influences.weights[:, -1] == 0.5
        if not patch.any():
            continue
        weights = influences.weights.copy()
        weights[patch], weights[patch, -1] = 0.0, 1.0
        changed = replace(rig.primitive(part), influences=Influences(influences.joints, weights))
        return replace(planted, rig=rig.with_primitive(part.mesh, part.primitive, changed))
    raise AssertionError("no part has a patch")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("which", ["left", "right"])
def test_the_broken_joint_of_the_biped_is_named_and_its_tame_twin_not(samples, role, which):
    rig = character(samples / "biped.glb")
    assert names(plant(rig, role, which=which))
    assert run(plant(rig, role, TAME, which).rig, select=RULES).findings == ()


@pytest.mark.parametrize("alone", [False, True])
def test_the_joint_that_moves_a_patch_of_the_biped_is_named(samples, alone):
    planted = plant_patch(character(samples / "biped.glb"))
    assert names(with_patch_alone(planted) if alone else planted)


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "role"), CASES)
def test_the_broken_joint_of_a_character_is_named_and_its_tame_twin_not(corpus, name, role):
    rig = found(corpus, name)
    assert names(plant(rig, role))
    assert run(plant(rig, role, TAME).rig, select=RULES).findings == ()


@pytest.mark.corpus
@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("name", PATCHED)
def test_the_joint_that_moves_a_patch_of_a_character_is_named(corpus, name, alone):
    planted = plant_patch(found(corpus, name))
    assert names(with_patch_alone(planted) if alone else planted)


def test_the_wrist_of_candy_is_named(samples):
    report = run(character(samples / "candy.glb"), select=RULES)
    (finding,) = report.findings
    assert (finding.rule, finding.joint) == ("DEF-COLLAPSE", "hand_l")
    assert abs(finding.time - 0.5) <= 2.0 / 30.0
    assert report.severity(finding) == "error"
    assert finding.fix.kind == "shape"
    mended = finding.fix.repair(character(samples / "candy.glb"))
    assert run(mended, select=["DEF-COLLAPSE"]).findings == ()


def test_the_gain_that_a_finding_states_is_what_the_fix_brings(samples):
    rig = character(samples / "candy.glb")
    (finding,) = run(rig, select=["DEF-COLLAPSE"]).findings
    stated = float(finding.message.partition("LBS with them: ")[2].partition(" %")[0]) / 100.0
    (fault,) = Subject.of(rig).kept(joint_faults)
    fix = twist_fixes(Subject.of(rig), [fault])[fault.worst.joint]
    assert fix.remedy.value == pytest.approx(stated, abs=0.006)
    assert fix.remedy.severity <= 0.5 * fault.worst.severity
