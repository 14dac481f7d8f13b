"""Commands that have nothing to do say why, and those that have something say nothing of the kind."""

import pytest
from glb import without_clips
from hands import until

from rigview.ui.actions import ACTIONS


def said(hands, action):
    """Trigger an action from its menu; return what the status line says then."""
    status = hands.bench.status
    status.say("", undoable=False)
    hands.window.commands.actions[action].trigger()
    return "" if status.said.isHidden() else status.said.text()


def test_what_has_nothing_to_do_says_why_and_does_nothing(arm):
    arm.bench.state.update(clip=None, time=0.0)
    before = arm.state
    for action in (row.id for row in ACTIONS if row.why_not(arm.bench) and not row.greyed):
        assert said(arm, action).endswith("."), action
    assert arm.state == before
    assert said(arm, "next_frame") == "No clip is chosen: the timeline has them."
    assert said(arm, "hide").startswith("Nothing is selected")


def test_a_rig_without_clips_is_told_how_to_get_one(hands, samples, tmp_path):
    still = tmp_path / "still.glb"
    still.write_bytes(without_clips((samples / "arm.glb").read_bytes()))
    hands.show(still)
    assert "range of motion" in said(hands, "toggle_play")
    hands.menu("Rig", "Add a range of motion")
    hands.rest()
    assert said(hands, "toggle_play") == ""
    assert hands.state.playing


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize(
    ("there", "action"),
    [
        ({"joint": True}, "hide"),
        ({"hidden": frozenset({0})}, "show_all"),
        ({"trial": {1: (1.0, 0.0, 0.0)}}, "reset_trial"),
        ({"time": 1.0}, "start_here"),
        ({"time": 1.0}, "end_here"),
        ({}, "next_key"),
    ],
)
def test_what_has_something_to_do_does_it(arm, there, action):
    if there.get("joint"):
        there = {"joint": arm.joint("hand")}
    arm.bench.state.update(**there)
    assert said(arm, action) == ""


def test_what_would_leave_nothing_or_all_to_play_says_so(arm):
    arm.key("End")
    assert "end" in said(arm, "start_here")
    assert said(arm, "end_here") == "All of the clip is played already."
    arm.key("Home")
    assert "start" in said(arm, "end_here")
    assert said(arm, "start_here") == "All of the clip is played already."


def test_check_again_says_what_it_found(faulty):
    faulty.key("F5")
    until(lambda: "Checked again" in faulty.bench.status.said.text())
    assert faulty.bench.status.said.text() == "Checked again: 4 findings."
