"""A range of motion made up in the window."""

import pytest
from hands import until

from rigview.core.pose import sample

pytestmark = pytest.mark.window


def test_a_range_of_motion_is_added_shown_and_taken_back(arm):
    before = len(arm.rig.clips)
    arm.menu("Rig", "Add a range of motion")
    until(lambda: len(arm.rig.clips) == before + 1)
    arm.rest()
    clip = arm.bench.stage.clip
    assert clip is arm.rig.clips[-1]
    assert clip.end > 3.0
    # It bends the elbow far.
    angles = [
        abs(float(sample(arm.rig, clip, float(t)).rotations[arm.joint("lowerarm")][3]))
        for t in clip.key_times
    ]
    assert min(angles) < 0.6
    arm.focus_panes()
    arm.key("Ctrl+Z")
    assert len(arm.rig.clips) == before
    assert arm.bench.stage.clip is None or arm.state.clip < before


def test_nothing_is_added_where_nothing_can_move(hands, samples):
    hands.show(samples / "box.glb")
    hands.menu("Rig", "Add a range of motion")
    hands.rest()
    assert hands.bench.status.said.text()


def test_the_clips_of_another_file_are_played_on_this_rig(arm, samples):
    before = len(arm.rig.clips)
    arm.bench.motions.borrow(samples / "faulty_arm.glb")
    until(lambda: len(arm.rig.clips) > before)
    arm.rest()
    assert arm.bench.stage.clip is arm.rig.clips[before]
    assert "faulty_arm.glb" in arm.bench.status.said.text()
    arm.focus_panes()
    arm.key("Ctrl+Z")
    assert len(arm.rig.clips) == before


def test_what_does_not_match_is_said(arm, samples):
    before = len(arm.rig.clips)
    arm.bench.motions.borrow(samples / "box.glb")
    until(arm.bench.message.isVisible)
    assert "nothing to take over" in arm.bench.message.title.text()
    assert len(arm.rig.clips) == before
    arm.bench.message.hide()
