"""Clips that are read when they are chosen: the window stays alive, and the old clip on show."""

import threading
from dataclasses import replace

import numpy as np
import pytest
import rigs
from hands import choose, press_key, until

from rigview.core.clip import Channel, Clip, Deferred
from rigview.core.deform import Deformer
from rigview.core.sampler import Sampler
from rigview.ui.panels.lanes import key_times
from rigview.ui.workers.restoring import view_at_first

SECONDS = 20.0


@pytest.fixture
def late(arm):
    """The arm with a third clip that is read when the gate is opened, and only then."""
    gate, began = threading.Event(), threading.Event()
    curve = Sampler(np.array([1.0, 2.0]), np.ones((2, 3)))

    def make():
        began.set()
        assert gate.wait(SECONDS)
        return (Channel(arm.joint("hand"), "scale", curve),)

    clips = (*arm.rig.clips, Clip("late", Deferred(make)))
    arm.document.replace(Deformer(replace(arm.rig, clips=clips)), "Another clip")
    arm.gate, arm.began = gate, began
    yield arm
    gate.set()
    arm.rest()


def is_waiting(hands):
    return hands.bench.timeline.seconds.text() == "Reading the clip…"


def test_the_old_clip_can_be_seen_and_scrubbed_until_the_chosen_one_is_read(late):
    choose(late.bench.timeline.clips, "late")
    until(late.began.is_set)
    # The one above it in the list, which the keys passed on their way.
    assert late.bench.stage.clip is late.rig.clips[-2]
    assert late.bench.timeline.clips.currentText() == "late"
    assert is_waiting(late)
    before = late.picture(0)
    late.bench.state.update(time=1.5)
    assert (late.picture(0) != before).any()
    assert late.bench.timeline.clips.currentText() == "late"
    until(late.bench.status.job.isVisible)
    assert late.bench.status.job.text() == "Reading late"
    late.gate.set()
    until(lambda: late.bench.stage.clip.name == "late")
    assert late.state.time == 1.0
    assert not is_waiting(late)


def test_escape_leaves_a_clip_unread_and_the_old_one_on_show(late):
    choose(late.bench.timeline.clips, "late")
    assert is_waiting(late)
    press_key("Escape", late.canvas)
    assert not is_waiting(late)
    before = late.rig.clips[-2]
    assert late.bench.timeline.clips.currentText() == before.name
    late.gate.set()
    late.rest()
    assert late.bench.stage.clip is before


def test_another_choice_takes_the_place_of_one_that_is_waited_for(late):
    choose(late.bench.timeline.clips, "late")
    late.bench.clip_choice.choose(1)
    assert late.bench.stage.clip.name == late.rig.clips[1].name
    late.gate.set()
    late.rest()
    assert late.bench.stage.clip.name == late.rig.clips[1].name


def test_only_keys_of_the_file_are_stopped_at_and_drawn(arm):
    hand, times = arm.joint("hand"), np.linspace(0.0, 2.0, 61)
    added = Sampler(times, np.ones((61, 3)), stated=times[[0, 30, 60]])
    clip = Clip("baked", (Channel(hand, "scale", added),))
    arm.document.replace(Deformer(replace(arm.rig, clips=(clip,))), "Another clip")
    arm.bench.clip_choice.choose(0)
    assert key_times(clip, hand).tolist() == [0.0, 1.0, 2.0]
    assert key_times(clip, None).tolist() == [0.0, 1.0, 2.0]
    arm.focus_panes()
    arm.key("Down")
    assert arm.state.time == 1.0


def test_a_rig_is_first_shown_in_the_clip_that_moves_it():
    rig = rigs.make(rigs.Recipe(clips=1))
    still = Clip("Take 001", ())
    view = view_at_first(replace(rig, clips=(still, *rig.clips)))
    assert (view["clip"], view["time"]) == (1, rig.clips[0].start)
