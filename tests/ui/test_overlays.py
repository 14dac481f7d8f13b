"""Overlays: each is a row of the table of actions, is switched by it, and leaves nothing behind."""

import numpy as np
import pytest
from hands import idle, until

from rigview.core.motion import trail
from rigview.render.look import OVERLAYS
from rigview.ui import stage
from rigview.ui.actions import ACTIONS

ROWS = [row for row in ACTIONS if row.kind == "overlay"]


def test_every_overlay_has_a_row():
    assert sorted(row.id for row in ROWS) == sorted(OVERLAYS)


@pytest.fixture
def walking(hands, samples):
    """The biped in the middle of its walk, in one pane."""
    hands.show(samples / "biped.glb")
    hands.bench.state.update(time=0.6, methods=("lbs",))
    hands.rest()
    hands.focus_panes()
    return hands


def switch(hands, name):
    hands.window.commands.actions[name].trigger()


def test_an_overlay_changes_the_picture_and_goes_without_a_trace(walking):
    before = walking.picture(0)
    for row in ROWS:
        was = row.is_on(walking.bench)
        switch(walking, row.id)
        assert row.is_on(walking.bench) is not was
        assert (walking.picture(0) != before).any(), row.id
        switch(walking, row.id)
        assert row.is_on(walking.bench) is was
        assert np.array_equal(walking.picture(0), before), row.id


def test_sticks_bring_their_bones(walking):
    walking.key("B")
    walking.key("Shift+B")
    assert walking.state.bones
    assert walking.state.sticks
    sticks = walking.picture(0)
    walking.key("B")
    assert not walking.window.commands.actions["sticks"].isChecked()
    walking.key("B")
    assert walking.window.commands.actions["sticks"].isChecked()
    assert np.array_equal(walking.picture(0), sticks)


def test_an_overlay_that_shows_nothing_says_why(walking):
    walking.bench.state.update(clip=None)
    walking.key("M")
    assert walking.state.trail
    assert "no trail" in walking.bench.status.said.text()
    walking.bench.status.say("", undoable=False)
    walking.key("R")
    assert walking.bench.status.said.text() == ""


def test_a_trail_is_computed_once_per_clip(walking, monkeypatch):
    asked = []

    def counted(deformer, clip, fps):
        asked.append(clip)
        return trail.trails(deformer, clip, fps)

    monkeypatch.setattr(stage, "trails", counted)
    walking.bench.state.update(fps=25.0)
    walking.key("M")
    for _ in range(3):
        walking.key("Right")
        walking.picture(0)
    assert asked == [0]
    walking.bench.state.update(clip=1)
    walking.picture(0)
    assert asked == [0, 1]


def test_both_sides_of_a_comparison_have_their_ghosts(walking, samples):
    walking.bench.state.update(methods=("lbs", "lbs"))
    walking.bench.comparer.open(samples / "biped.glb")
    until(lambda: walking.bench.stage.guest is not None)
    walking.rest()
    before = [walking.picture(pane) for pane in (0, 1)]
    for name in ("rest_ghost", "bind_ghost", "trail"):
        switch(walking, name)
        for pane in (0, 1):
            now = walking.picture(pane)
            assert (now != before[pane]).any(), (name, pane)
            before[pane] = now
    assert walking.bench.stage.side(1).look.trails
    walking.bench.comparer.leave()


def test_the_bar_has_all_menus_also_where_there_is_no_room_for_every_overlay(walking):
    bar = walking.window.bar
    assert all(button.isVisible() for button in bar.overlays.values())
    walking.window.resize(1024, 640)
    until(lambda: bar.width() == 1024 and not all(b.isVisible() for b in bar.overlays.values()))
    idle()
    shown = [button.isVisible() for button in bar.overlays.values()]
    assert shown == sorted(shown, reverse=True)
    assert sum(shown) >= 3
    assert bar.menus.width() >= bar.menus.sizeHint().width()
