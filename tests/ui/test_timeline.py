"""The timeline: playing, scrubbing, steps, and the curves' cursor that is tied to it."""

import time
from dataclasses import replace

import numpy as np
import pytest
from glb import with_clips_later, without_clips
from hands import (
    ALT,
    SHIFT,
    choose,
    click,
    drag,
    idle,
    pick_segment,
    pixels,
    press_key,
    until,
    write_text,
)
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF

from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.motion.deltas import deltas, frame_times
from rigview.core.sampler import Sampler
from rigview.ui.panels.curves import channel_curves
from rigview.ui.panels.lanes import apart
from rigview.ui.panels.plot_kinds import KINDS
from rigview.ui.panels.ruler import label_step
from rigview.ui.widgets.theme import colour


@pytest.fixture
def timeline(arm):
    arm.focus_panes()
    return arm


@pytest.fixture
def late(hands, samples, tmp_path):
    """The arm with clips that begin at 2 s."""
    file = tmp_path / "late.glb"
    file.write_bytes(with_clips_later((samples / "arm.glb").read_bytes(), 2.0))
    hands.open(file)
    hands.focus_panes()
    return hands


def ruler_at(hands, frame):
    ruler = hands.bench.timeline.ruler
    return QPointF(ruler.x_of(frame), 10)


def frame(hands):
    return hands.state.time * hands.state.fps


def test_space_plays_and_stops(timeline):
    timeline.key("Space")
    until(lambda: timeline.state.time > 0.1)
    assert timeline.state.playing
    timeline.key("Space")
    stopped = timeline.state.time
    idle(0.1)
    assert not timeline.state.playing
    assert timeline.state.time == stopped


def test_playing_draws_other_pictures_at_a_pace_that_is_shown(timeline):
    before = timeline.picture(0)
    click(timeline.bench.timeline.play)
    until(timeline.bench.status.pace.isVisible)
    assert timeline.bench.status.pace.text().endswith(" fps")
    click(timeline.bench.timeline.play)
    assert (timeline.picture(0) != before).any()
    assert not timeline.bench.status.pace.isVisible()


def test_playing_begins_again_at_the_end_of_the_clip(timeline):
    timeline.key("End")
    timeline.key("Left")
    before = timeline.state.time
    timeline.key("Space")
    until(lambda: timeline.state.time < before)
    assert timeline.state.playing


def test_playing_stops_at_the_end_without_loop(timeline):
    click(timeline.bench.timeline.loop)
    timeline.focus_panes()
    timeline.key("End")
    timeline.key("Left")
    timeline.key("Space")
    until(lambda: not timeline.state.playing)
    assert timeline.state.time == timeline.bench.stage.clip.end


@pytest.mark.parametrize(("entry", "speed"), [("0.25×", 0.25), ("2×", 2.0)])
def test_time_passes_by_the_clock_times_the_speed(timeline, entry, speed):
    choose(timeline.bench.timeline.speed, entry)
    timeline.focus_panes()
    timeline.key("Home")
    timeline.key("Space")
    moments = []
    timeline.bench.state.changed.connect(
        lambda _, new: moments.append((time.perf_counter(), new.time))
    )
    clip = timeline.bench.stage.clip
    loop = clip.end - clip.start

    # Counted is from one beat of the player to another: how long a picture takes is no matter, but
    # that less than a loop has passed.
    def some_beats():
        return len(moments) > 3 and speed * (moments[-1][0] - moments[-4][0]) < 0.8 * loop

    until(some_beats)
    (began, first), (ended, last) = moments[-4], moments[-1]
    timeline.key("Space")
    # It may have looped once.
    moved = (last - first) % loop
    assert moved / (ended - began) == pytest.approx(speed, rel=0.25)


def test_a_drag_on_the_ruler_goes_to_whole_frames(timeline):
    before = timeline.picture(0)
    drag(timeline.bench.timeline.ruler, ruler_at(timeline, 5), ruler_at(timeline, 45.3))
    assert frame(timeline) == pytest.approx(45)
    assert timeline.bench.timeline.frame.value() == 45
    assert timeline.bench.timeline.seconds.text() == "1.500 s"
    assert (timeline.picture(0) != before).any()


def test_a_drag_with_alt_goes_between_frames(timeline):
    ruler = timeline.bench.timeline.ruler
    drag(ruler, ruler_at(timeline, 5), ruler_at(timeline, 45.4), held=ALT)
    assert abs(frame(timeline) - 45.4) < 0.2
    assert frame(timeline) != round(frame(timeline))


def test_a_drag_stays_within_the_clip(timeline):
    drag(timeline.bench.timeline.ruler, ruler_at(timeline, 5), QPointF(-200, 10))
    assert timeline.state.time == timeline.bench.stage.clip.start
    drag(timeline.bench.timeline.ruler, ruler_at(timeline, 5), QPointF(5000, 10))
    assert timeline.state.time == timeline.bench.stage.clip.end


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize(
    ("keys", "moves"),
    [
        ("Right", 1),
        ("Left", -1),
        ("Shift+Right", 10),
        ("Shift+Left", -10),
        ("Alt+Right", 0.1),
        ("Alt+Left", -0.1),
    ],
)
def test_arrows_step_through_frames(timeline, keys, moves):
    timeline.bench.state.update(time=1.0)
    timeline.key(keys)
    assert frame(timeline) == pytest.approx(30 + moves)


def test_a_whole_step_from_between_frames_lands_on_a_frame(timeline):
    timeline.bench.state.update(time=30.4 / 30)
    timeline.key("Right")
    assert frame(timeline) == pytest.approx(31)
    timeline.bench.state.update(time=30.4 / 30)
    timeline.key("Left")
    assert frame(timeline) == pytest.approx(30)


def test_up_and_down_go_through_the_keys_of_the_selected_joint(timeline):
    timeline.click_joint("lowerarm")
    timeline.focus_panes()
    curve = timeline.bench.stage.clip.active[0].curve
    times = [timeline.state.time]
    for _ in curve.times[1:]:
        timeline.key("Down")
        times.append(timeline.state.time)
    np.testing.assert_allclose(times, curve.times, atol=1e-6)
    timeline.key("Down")
    assert timeline.state.time == times[-1]
    timeline.key("Up")
    assert timeline.state.time == pytest.approx(curve.times[-2])


def test_home_and_end_go_to_the_ends_of_a_clip_that_starts_later(late):
    assert late.state.time == pytest.approx(2.0)
    late.key("End")
    assert late.state.time == pytest.approx(2.0 + 95 / 30, abs=1e-4)
    late.key("Home")
    assert late.state.time == pytest.approx(2.0)
    late.key("Left")
    assert late.state.time == pytest.approx(2.0)
    assert late.bench.timeline.frame.value() == pytest.approx(60)


def test_a_clip_that_starts_later_moves_as_the_same_clip_does_from_0(late, samples):
    late.bench.state.update(time=3.5)
    shown = late.bench.stage.frame.model_from_node
    late.open(samples / "arm.glb")
    late.bench.state.update(time=1.5)
    np.testing.assert_allclose(shown, late.bench.stage.frame.model_from_node, atol=1e-6)


def test_a_clip_that_starts_later_loops_to_its_own_start(late):
    late.key("End")
    late.key("Space")
    until(lambda: late.state.time < 3.0)
    assert late.state.time >= 2.0


def test_another_clip_starts_at_its_own_beginning(timeline):
    timeline.bench.state.update(time=3.0)
    choose(timeline.bench.timeline.clips, "Twist")
    assert timeline.bench.stage.clip.name == "Twist"
    assert timeline.state.time == timeline.bench.stage.clip.start
    choose(timeline.bench.timeline.clips, "Rest pose")
    assert timeline.bench.stage.clip is None
    assert not timeline.bench.timeline.play.isEnabled()


def test_a_frame_can_be_typed(timeline):
    write_text(timeline.bench.timeline.frame.lineEdit(), "12.5")
    press_key("Return", timeline.bench.timeline.frame)
    assert frame(timeline) == pytest.approx(12.5)


def test_the_frame_rate_counts_anew_but_keeps_the_time(timeline):
    timeline.bench.state.update(time=1.0)
    choose(timeline.bench.timeline.rate, "24 fps")
    assert timeline.state.time == 1.0
    assert timeline.bench.timeline.frame.value() == 24


def test_a_rig_without_clips_rests(hands, samples, tmp_path):
    file = tmp_path / "still.glb"
    file.write_bytes(without_clips((samples / "arm.glb").read_bytes()))
    hands.open(file)
    hands.focus_panes()
    for key in ("Space", "Right", "Down", "End"):
        hands.key(key)
    assert hands.state.time == 0.0
    assert not hands.state.playing
    hands.click_joint("lowerarm")
    assert "no clips" in hands.bench.plots.words.text()


def test_a_clip_of_one_frame_says_so_and_draws_no_other(arm):
    curve = Sampler(np.zeros(1), np.ones((1, 3)))
    clip = Clip("pose", (Channel(arm.joint("hand"), "scale", curve),))
    rig = replace(arm.rig, clips=(clip,))
    arm.document.replace(Deformer(rig), "One frame")
    arm.bench.clip_choice.choose(0)
    timeline = arm.bench.timeline
    assert timeline.total.text() == "one frame"
    assert timeline.seconds.text() == ""
    assert not timeline.frame.isVisible()
    right = pixels(timeline.ruler.grab())[:18, -40:]
    assert (right == right[:, :1]).all()


# --- curves --------------------------------------------------------------------------------------


@pytest.fixture
def curves(timeline):
    timeline.click_joint("lowerarm")
    return timeline


def test_the_curves_are_the_angles_of_the_selected_joint(curves):
    times, angles = channel_curves(
        curves.rig, curves.bench.stage.clip, curves.joint("lowerarm"), "rotation"
    )
    assert np.ptp(angles) > 60.0
    for curve, values in zip(curves.bench.plots.graph.curves, angles.T, strict=False):
        x, y = curve.getData()
        np.testing.assert_allclose(x, times * 30)
        np.testing.assert_allclose(y, values)


def test_the_turns_of_the_selected_joint_are_those_that_the_command_tells(curves):
    rig, clip, plots = curves.rig, curves.bench.stage.clip, curves.bench.plots
    labels = [kind.label for kind in KINDS]
    pick_segment(plots.kind, labels.index("Deltas"))
    told = deltas(rig, clip, frame_times(clip, 30.0))
    angles = told.angles[:, told.joints.index(curves.joint("lowerarm"))]
    assert angles.max() > np.radians(0.5)
    x, _ = plots.graph.curves[0].getData()
    np.testing.assert_allclose(x, told.times[1:] * 30)
    turns = [curve.getData()[1] for curve in plots.graph.curves[:3]]
    np.testing.assert_allclose(np.linalg.norm(turns, axis=0), np.degrees(angles), atol=1e-6)
    pick_segment(plots.kind, 0)


def test_the_time_moves_the_cursor_of_the_curves(curves):
    drag(curves.bench.timeline.ruler, ruler_at(curves, 5), ruler_at(curves, 45))
    assert curves.bench.plots.graph.playhead.value() == pytest.approx(45)


def test_a_drag_on_the_curves_moves_the_time(curves):
    graph = curves.bench.plots.graph
    box = graph.getPlotItem().vb

    def at(frame_number):
        return QPointF(graph.mapFromScene(box.mapViewToScene(QPointF(frame_number, 0))))

    drag(graph.viewport(), at(10), at(60))
    assert frame(curves) == pytest.approx(60, abs=0.5)
    assert curves.bench.timeline.frame.value() == pytest.approx(60, abs=0.5)
    assert curves.bench.plots.graph.playhead.value() == pytest.approx(frame(curves))


def test_arrow_keys_step_on_the_curves_too(curves):
    curves.bench.plots.graph.setFocus()
    curves.key("Right")
    assert frame(curves) == pytest.approx(1)


def test_other_channels_can_be_shown(curves):
    pick_segment(curves.bench.plots.kind, 2)
    for curve in curves.bench.plots.graph.curves[:3]:
        np.testing.assert_allclose(curve.getData()[1], 1.0, atol=1e-6)


def test_another_joint_or_none_changes_the_curves(curves):
    before = curves.bench.plots.graph.curves[0].getData()[1]
    curves.click_joint("hand")
    after = curves.bench.plots.graph.curves[0].getData()[1]
    assert not np.allclose(before, after)
    curves.key("Ctrl+D")
    assert curves.bench.plots.words.isVisible()
    assert not curves.bench.plots.graph.isVisible()


# --- playing a stretch ---------------------------------------------------------------------------


def played(hands):
    """Return the first and the last frame that is played."""
    start, end = hands.bench.stage.played
    return round(start * hands.state.fps, 3), round(end * hands.state.fps, 3)


def go_to(hands, number):
    hands.bench.timeline.frame.setValue(number)


def test_a_drag_with_shift_marks_what_is_played_and_moves_no_time(timeline):
    ruler, whole, before = timeline.bench.timeline.ruler, played(timeline), timeline.state.time
    unmarked = pixels(ruler.grab())
    drag(ruler, ruler_at(timeline, 30.2), ruler_at(timeline, 11.8), held=SHIFT)
    assert played(timeline) == (12, 30)
    assert timeline.state.time == before
    assert not np.array_equal(pixels(ruler.grab()), unmarked)
    click(ruler, at=ruler_at(timeline, 20), held=SHIFT)
    assert played(timeline) == whole
    assert np.array_equal(pixels(ruler.grab()), unmarked)


@pytest.mark.parametrize("loop", [True, False])
def test_only_what_is_marked_is_played(timeline, loop):
    drag(timeline.bench.timeline.ruler, ruler_at(timeline, 10), ruler_at(timeline, 14), held=SHIFT)
    timeline.bench.state.update(loop=loop)
    seen = []
    timeline.bench.state.changed.connect(lambda *_: seen.append(frame(timeline)))
    timeline.key("Space")
    until(lambda: len(seen) > 1 and (seen[-1] < seen[-2] if loop else not timeline.state.playing))
    timeline.bench.state.update(playing=False)
    assert min(seen) >= 10 - 1e-6
    assert max(seen) <= 14 + 1e-6
    assert loop or frame(timeline) == pytest.approx(14)


def test_keys_say_where_playing_starts_and_ends_and_play_all_again(timeline):
    whole = played(timeline)
    go_to(timeline, 8)
    timeline.key("[")
    assert played(timeline) == (8, whole[1])
    go_to(timeline, 20)
    timeline.key("]")
    assert played(timeline) == (8, 20)
    # Beyond the other end it begins anew.
    go_to(timeline, 25)
    timeline.key("[")
    assert played(timeline) == (25, whole[1])
    go_to(timeline, 5)
    timeline.key("]")
    assert played(timeline) == (whole[0], 5)
    timeline.key("\\")
    assert played(timeline) == whole


def test_each_clip_is_played_whole_until_a_stretch_of_it_is_marked(timeline):
    clips = timeline.bench.timeline.clips
    drag(timeline.bench.timeline.ruler, ruler_at(timeline, 10), ruler_at(timeline, 14), held=SHIFT)
    choose(clips, clips.itemText(1))
    clip = timeline.bench.stage.clip
    assert timeline.bench.stage.played == (clip.start, clip.end)
    choose(clips, clips.itemText(0))
    assert played(timeline) == (10, 14)
    timeline.open(timeline.document.path)
    assert timeline.bench.stage.played == (
        timeline.bench.stage.clip.start,
        timeline.bench.stage.clip.end,
    )


@given(st.floats(1e-3, 1e12))
def test_labels_of_frames_stand_as_close_as_they_may(least):
    step = label_step(least)
    assert least <= step <= max(2.5 * least, 1)
    assert str(step).strip("0") in {"1", "2", "5"}


@given(st.lists(st.floats(0.0, 100.0), max_size=200), st.floats(1e-6, 50.0))
def test_keys_are_left_out_only_where_one_is_drawn_as_near(times, least):
    times = np.unique(times)
    kept = apart(times, least)
    assert set(kept) <= set(times)
    assert (np.diff(kept) > 0.0).all()
    for key in times:
        before = kept[kept <= key]
        assert len(before)
        assert before[-1] == key or key - before[-1] < least


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("key", [50_000, 50_001])
def test_the_key_that_is_on_show_stands_out_among_any_number(timeline, key):
    hand, times = timeline.joint("hand"), np.arange(100_001) / 30
    curve = Sampler(times, np.ones((len(times), 3)))
    clip = Clip("dense", (Channel(hand, "scale", curve),))
    timeline.document.replace(Deformer(replace(timeline.rig, clips=(clip,))), "Another clip")
    timeline.bench.clip_choice.choose(0)
    timeline.bench.state.update(time=key / 30)
    ruler = timeline.bench.timeline.ruler
    lane = pixels(ruler.grab())[22:38]
    beside = round(ruler.x_of(key)) + 2
    assert (lane[:, beside - 1 : beside + 1] == colour("text").getRgb()[:3]).all(axis=2).any()
