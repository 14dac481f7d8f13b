"""Planted faults of deformation on real characters: the right joint is named; tame twins raise nothing."""

import numpy as np
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

from rigview.core.deform import Deformer
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.joint_scan import JointPlan, scan_joints
from rigview.core.measures.worst_poses import Judgement, worst_poses, worst_region
from rigview.core.pose import sample
from rigview.core.skinning import ASKED, Options


def is_named(planted):
    """Assert that the worst pose names the planted joint within two frames of the worst time."""
    plan = JointPlan(("lbs",), most=31)
    listed = worst_poses(scan_joints(JointMeter(Deformer(planted.rig)), plan=plan))
    assert listed, "nothing found"
    worst = listed[0]
    assert worst.joint == planted.joint, planted.rig.nodes.label(worst.joint)
    assert abs(worst.time - WORST_TIME) <= 2.0 / FPS + 1e-6
    assert worst.severity >= 1.0


def is_tame(planted):
    """Assert that nothing is found in the pose furthest from rest under LBS and DQS."""
    deformer = Deformer(planted.rig)
    meter = JointMeter(deformer)
    pose = meter.pose(deformer.frame(sample(planted.rig, planted.rig.clips[0], WORST_TIME)))
    for method in ("lbs", "dqs"):
        skinned = deformer.skin_all(pose.frame, ASKED[method], Options())
        worst = worst_region(meter, pose, meter.read(pose, skinned), Judgement())
        assert worst is not None
        assert worst.severity < 1.0, (method, worst)


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("which", ["left", "right"])
def test_the_biped_names_the_broken_joint_and_not_its_tame_twin(samples, role, which):
    rig = character(samples / "biped.glb")
    is_named(plant(rig, role, which=which))
    is_tame(plant(rig, role, TAME, which))


def test_the_biped_names_the_joint_that_moves_a_patch(samples):
    is_named(plant_patch(character(samples / "biped.glb")))


@pytest.mark.thorough(keep=4)
@pytest.mark.corpus
@pytest.mark.parametrize(("name", "role"), CASES)
def test_a_character_names_the_broken_joint(corpus, name, role):
    is_named(plant(found(corpus, name), role))


@pytest.mark.corpus
@pytest.mark.parametrize("name", PATCHED)
def test_a_patch_that_follows_a_far_joint_is_blamed_on_the_one_that_moves_it(corpus, name):
    is_named(plant_patch(found(corpus, name)))


def test_candy_shows_its_wrist(samples):
    rig = character(samples / "candy.glb")
    scan = scan_joints(JointMeter(Deformer(rig)), plan=JointPlan(("lbs", "dqs")))
    worst = worst_poses(scan, methods=("lbs",))[0]
    assert rig.nodes.names[worst.joint] == "hand_l"
    assert worst.time == pytest.approx(0.5, abs=1e-3)
    assert worst.measure == "collapse"
    assert worst.level == "error"
    assert abs(np.degrees(worst.turn.twist)) == pytest.approx(170.0, abs=5.0)
    assert worst.values["dqs"] < worst.values["lbs"] / 2.0
