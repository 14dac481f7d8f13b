"""What a map of joints is told to lack: each sentence on a map that has the fault, none on one without."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.core import quat
from rigview.core.motion.joint_mapping import JointMapping, Match, propose
from rigview.core.motion.mapping_faults import mapping_faults, told_by
from rigview.core.motion.placed_motion import placed_motion
from rigview.core.pose import model_from_nodes, sample
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def biped():
    rig = load(SAMPLES / "biped.glb").rig
    return replace(rig, clips=tuple(clip for clip in rig.clips if clip.name == "Walk"))


def faults(biped, **changed):
    """Return what is told of the map of the biped onto itself with some counterparts changed."""
    whole = propose(biped, biped)
    matches = dict(whole.matches)
    for name, other in changed.items():
        del matches[biped.joint(name)]
        if other:
            matches[biped.joint(name)] = Match(biped.joint(other), how="map")
    return mapping_faults(biped, biped, JointMapping(matches, whole.parts), biped.clips)


def test_a_whole_map_has_no_fault(biped):
    assert faults(biped) == []


def test_a_joint_of_the_other_side_is_told(biped):
    told = faults(biped, hand_l="hand_r", hand_r="hand_l")
    assert "hand_l is on the left, and hand_r on the right." in told


def test_joints_in_another_order_are_told(biped):
    told = faults(biped, thigh_l="calf_l", calf_l="thigh_l")
    assert "calf_l is below thigh_l, but thigh_l is above calf_l." in told


def test_what_turns_several_joints_is_told_unless_they_are_one_chain(biped):
    assert any(
        words.startswith("hand_l turns 2 joints: ") for words in faults(biped, lowerarm_l="hand_l")
    )
    told = faults(biped, index_02_l="index_01_l", index_03_l="index_01_l")
    assert not any("turns 3 joints" in words for words in told)


def test_what_turns_nothing_is_told(biped):
    turned = [own.node for own in biped.clips[0].active if own.path == "rotation"]
    assert biped.joint("calf_l") in turned
    assert faults(biped, calf_l="") == ["1 joint of the motion turns nothing here: calf_l."]


def test_what_tells_a_counterpart(biped):
    names = tuple(
        "LeftArm" if name == "upperarm_l" else f"DEF-{name}" for name in biped.nodes.names
    )
    other = replace(biped, nodes=replace(biped.nodes, names=names))
    mapping = propose(biped, other)
    assert told_by(other, mapping, biped.joint("calf_l")) == ("lower leg", "name")
    assert told_by(other, mapping, biped.joint("upperarm_l")) == ("upper arm", "place")
    same = propose(biped, biped)
    assert told_by(biped, same, biped.joint("calf_l")) == ("lower leg", "same name")
    mine = JointMapping({biped.joint("calf_l"): Match(0, how="map")}, same.parts)
    assert told_by(biped, mine, biped.joint("calf_l")) == ("lower leg", "by hand")
    assert told_by(biped, mine, biped.joint("foot_l")) == ("foot", "")


def test_a_placed_motion_is_the_motion_elsewhere(biped):
    placement = np.eye(4)
    placement[:3, :3] = 1.5 * quat.to_matrix(quat.from_axis_angle((0.0, 1.0, 0.0), 1.0))
    placement[:3, 3] = 1.0, 2.0, 3.0
    placed = placed_motion(biped, biped.clips, [placement])
    assert placed.joints == biped.joints
    was = model_from_nodes(biped, sample(biped, biped.clips[0], 0.4))
    now = model_from_nodes(placed, sample(placed, placed.clips[0], 0.4))
    np.testing.assert_allclose(now[:-1], placement @ was, atol=1e-9)
