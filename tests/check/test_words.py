"""What findings say is right for one and for several, and says no more than was measured."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.check.report import FORMATS, Outcome, state
from rigview.check.rule import PROFILES, turned_and_moved
from rigview.check.rules.influence_slots import COUNT
from rigview.check.rules.joints import JOINTS
from rigview.check.run import run
from rigview.io import load

BROKEN = Path(__file__).parents[2] / "samples" / "broken"


def sample(rule):
    return load(BROKEN / f"{rule}.glb").rig


def finding(rig, rule, profile="gltf"):
    (one,) = run(rig, profile, select=[rule]).findings
    return one


@pytest.mark.parametrize(
    ("degrees", "metres", "said"),
    [
        (10.0, 0.3, "10.0° and 0.3 m"),
        (10.0, 0.0, "10.0°"),
        (0.01, 0.3, "0.3 m"),
        (0.0, 0.0, "0.0°"),
    ],
)
def test_what_is_next_to_nothing_is_not_told(degrees, metres, said):
    assert turned_and_moved(np.radians(degrees), metres) == said


def test_one_joint_is_told_as_one():
    rig = sample("BND-FAR")
    assert finding(rig, "BND-FAR").message.endswith("from the nearest vertex it moves")
    assert finding(sample("BND-SINGULAR"), "BND-SINGULAR").fix.label == (
        "Bind 1 joint anew where it rests"
    )


def test_axes_of_a_mirrored_joint_are_named_one_by_one():
    assert finding(sample("SCL-NEG"), "SCL-NEG").message == "tip has negative scale on x and y"


def test_a_joint_that_most_follow_is_told_as_the_one_that_is_posed():
    told = finding(sample("BND-REST"), "BND-REST")
    assert told.message.endswith("from the bind pose: middle is posed against the joint above it")
    assert told.joint == "middle"


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_a_limit_is_explained_by_its_own_source(profile):
    influences, joints = profile.source(COUNT), profile.source(JOINTS)
    assert any(word in influences for word in ("influences", "four bones", "BONE_WEIGHTS"))
    assert any(word in joints for word in ("joint numbers", "two vectors", "256 bones"))
    assert not any(word in f"{influences} {joints}" for word in ("paths", "T-pose"))


@pytest.mark.parametrize("rule", ["WGT-COUNT", "HIE-LIMIT"])
def test_a_limit_of_the_studio_is_not_told_as_the_targets(rule):
    own = replace(PROFILES["unity"], limits={"WGT-COUNT": 2, "HIE-LIMIT": 2})
    told = finding(sample(rule), rule, own)
    assert told.explanation.startswith("The configuration sets this limit. ")
    assert "Unity takes" not in told.message


def test_the_angle_of_a_body_that_lies_is_told_as_one_in_html():
    rig = sample("ORI-UPFWD")
    html = FORMATS["html"].write(Outcome([state("a", run(rig, select=["ORI-UPFWD"]), rig)]))
    assert "90° (limit 37°)" in html
