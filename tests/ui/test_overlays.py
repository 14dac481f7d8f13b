"""Overlays: each is a row of the table of actions, is switched by it, and leaves nothing behind."""

import numpy as np
import pytest

from rigview.render.look import OVERLAYS
from rigview.ui.actions import ACTIONS

ROWS = [row for row in ACTIONS if row.kind == "overlay"]


def test_every_overlay_has_a_row():
    assert sorted(row.id for row in ROWS) == sorted(OVERLAYS)


@pytest.fixture
def bent(arm):
    """The arm in the middle of its clip, in one pane."""
    clip = arm.rig.clips[0]
    arm.bench.state.update(time=0.5 * (clip.start + clip.end), methods=("lbs",))
    arm.rest()
    arm.focus_panes()
    return arm


def switch(hands, name):
    hands.window.commands.actions[name].trigger()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_an_overlay_changes_the_picture_and_goes_without_a_trace(bent, row):
    before, was = bent.picture(0), row.is_on(bent.state)
    switch(bent, row.id)
    assert row.is_on(bent.state) is not was
    changed = bent.picture(0)
    assert (changed != before).any()
    switch(bent, row.id)
    assert row.is_on(bent.state) is was
    assert np.array_equal(bent.picture(0), before)


def test_sticks_bring_their_bones(bent):
    bent.key("B")
    bent.key("Shift+B")
    assert bent.state.bones
    assert bent.state.sticks
    sticks = bent.picture(0)
    bent.key("B")
    assert not bent.window.commands.actions["sticks"].isChecked()
    bent.key("B")
    assert bent.window.commands.actions["sticks"].isChecked()
    assert np.array_equal(bent.picture(0), sticks)
