"""A range of motion made up in the window."""

import numpy as np
import pytest
from glb import joined, parts
from hands import click, until
from PySide6.QtWidgets import QApplication

from rigview.core.pose import model_from_nodes, sample
from rigview.io import load

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


def test_the_clips_of_another_file_are_played_on_this_rig(arm, samples, tmp_path):
    before = len(arm.rig.clips)
    other = tmp_path / "other_arm.glb"
    other.write_bytes((samples / "arm.glb").read_bytes())
    arm.bench.motions.borrow(other)
    until(lambda: len(arm.rig.clips) > before)
    arm.rest()
    assert arm.bench.stage.clip is arm.rig.clips[before]
    assert "other_arm.glb" in arm.bench.status.said.text()
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


def test_how_many_joints_did_not_match_is_said_and_the_list_can_be_copied(arm, samples, tmp_path):
    document, binary = parts((samples / "arm.glb").read_bytes())
    for number, node in enumerate(document["nodes"]):
        if "index" in node.get("name", ""):
            node["name"] = f"tentacle_{number}"
    file = tmp_path / "other.glb"
    file.write_bytes(joined(document, binary))
    arm.bench.motions.borrow(file)
    message = arm.bench.message
    until(message.isVisible)
    arm.rest()
    moved = {c.node for clip in arm.rig.clips for c in clip.active}
    assert message.title.text() == f"3 of {len(moved)} joints of other.glb did not match"
    click(message.copy)
    names = message.reason.text().split(", ")
    assert len(names) == 3
    assert QApplication.clipboard().text() == f"{message.title.text()}\n{', '.join(names)}"
    message.hide()


def test_clips_of_a_rig_that_rests_otherwise_are_retargeted(arm, samples):
    """The lowerarm of the other arm has axes turned by 34°: its turns taken over would bend it wrongly."""
    before = len(arm.rig.clips)
    arm.bench.motions.borrow(samples / "faulty_arm.glb")
    message = arm.bench.message
    until(message.isVisible)
    arm.rest()
    title = message.title.text()
    assert title.startswith("Retargeted from faulty_arm.glb: ")
    joints = len(arm.rig.joints)
    assert title.endswith(f"{joints} of {joints} joints have a counterpart")
    assert "of the length of a leg" in message.reason.text()
    assert arm.bench.stage.clip is arm.rig.clips[before]
    other = load(samples / "faulty_arm.glb").rig
    tip, at = "hand", arm.bench.stage.clip.end * 0.7
    own, theirs = arm.rig.joint(tip), other.joint(tip)
    clip = next(clip for clip in other.clips if clip.changes_anything)
    now = model_from_nodes(arm.rig, sample(arm.rig, arm.bench.stage.clip, at))[own, :3, 3]
    was = model_from_nodes(other, sample(other, clip, at))[theirs, :3, 3]
    assert np.linalg.norm(now - was) < 0.02 * np.linalg.norm(was)
    message.hide()
    arm.focus_panes()
    arm.key("Ctrl+Z")
    assert len(arm.rig.clips) == before
