"""The rules name joints that are broken on purpose on real characters, and say nothing of tame twins."""

from dataclasses import replace
from itertools import cycle

import pytest
from planted_deformation import (
    CASES,
    FPS,
    PATCHED,
    ROLES,
    TAME,
    WORST_TIME,
    bend_axis,
    character,
    found,
    joint_of,
    plant,
    plant_near_patch,
    plant_patch,
    turning,
)

from rigview.check.rule import Subject
from rigview.check.rules.posed_skin.joint_faults import joint_faults, twist_fixes
from rigview.check.run import run
from rigview.core.mesh import Influences
from rigview.core.motion.range_of_motion import NAME

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


def warns(rig):
    """Return whether any rule about deformation says more than information."""
    report = run(rig, select=RULES)
    return any(report.severity(finding) != "info" for finding in report.findings)


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


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize(("role", "which"), [*zip(ROLES, cycle(["left", "right"]))])
def test_the_broken_joint_of_the_biped_is_named_and_its_tame_twin_not(samples, role, which):
    rig = character(samples / "biped.glb")
    assert names(plant(rig, role, which=which))
    assert not warns(plant(rig, role, TAME, which).rig)


@pytest.mark.parametrize("alone", [False, True])
def test_the_joint_that_moves_a_patch_of_the_biped_is_named(samples, alone):
    planted = plant_patch(character(samples / "biped.glb"))
    assert names(with_patch_alone(planted) if alone else planted)


@pytest.mark.thorough(keep=4)
@pytest.mark.corpus
@pytest.mark.parametrize(("name", "role"), CASES)
def test_the_broken_joint_of_a_character_is_named_and_its_tame_twin_not(corpus, name, role):
    rig = found(corpus, name)
    assert names(plant(rig, role))
    assert not warns(plant(rig, role, TAME).rig)


@pytest.mark.thorough(keep=2)
@pytest.mark.corpus
@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("name", PATCHED)
def test_the_joint_that_moves_a_patch_of_a_character_is_named(corpus, name, alone):
    planted = plant_patch(found(corpus, name))
    assert names(with_patch_alone(planted) if alone else planted)


@pytest.mark.parametrize("which", ["left", "right"])
def test_without_clips_a_range_of_motion_is_judged_and_the_finding_says_so(samples, which):
    rig = character(samples / "biped.glb")
    planted = plant_near_patch(rig, which)
    report = run(planted.rig, select=RULES)
    (finding,) = [f for f in report.findings if planted.joint in f.joints]
    assert planted.rig.nodes.label(planted.joint) in finding.message
    assert "in a range of motion, not in a clip of the file" in finding.message
    assert finding.clip == NAME
    assert finding.motion.end > finding.time > 0.0
    # The file has no such pose: nobody's build fails by it.
    assert not warns(planted.rig)
    sound = run(replace(planted.rig, meshes=rig.meshes).made_of(rig), select=RULES)
    assert not [f for f in sound.findings if planted.joint in f.joints]
    assert not sound.not_evaluated


def test_clips_that_bend_are_judged_and_no_range_of_motion(samples):
    rig = character(samples / "biped.glb")
    patched = plant_near_patch(rig).rig
    bent = plant(patched, "knee", 61.0)
    tame = plant(patched, "knee", 59.0)
    assert run(bent.rig, select=RULES).findings == ()
    in_motion = [f.joints for f in run(tame.rig, select=RULES).findings if f.motion is not None]
    assert joint_of(rig, "wrist") in in_motion[0]


def test_a_joint_that_a_clip_of_the_file_breaks_is_not_named_again_in_a_range_of_motion(samples):
    """A tame clip that stretches the patch: it is named where the file has it, and there alone."""
    rig = plant_near_patch(character(samples / "biped.glb")).rig
    joint = joint_of(rig, "wrist")
    clip = turning(rig, joint, bend_axis(rig, joint), 59.0)
    bent = replace(rig, clips=(clip,)).made_of(rig)
    found = [f for f in run(bent, select=RULES).findings if joint in f.joints]
    assert [f.motion for f in found] == [None]


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
