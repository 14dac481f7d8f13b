"""The trial pose: bars bend and twist a joint, and the pose under hand joins the worst poses."""

import numpy as np
import pytest
from hands import click, idle, pick_segment, press_key, until
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QLabel

from rigview.core.motion.bone_turns import bone_turn, square_axis


@pytest.fixture
def biped(hands, samples):
    hands.show(samples / "biped.glb")
    return hands


def turn_of(hands):
    stage = hands.bench.stage
    hinge = square_axis(stage.deformer, stage.joint)
    return bone_turn(stage.deformer, stage.frame.pose, stage.joint, hinge)


@pytest.fixture
def elbow(biped):
    """Hands at a biped at rest whose elbow is selected."""
    biped.bench.state.update(methods=("lbs", "dqs"), clip=None, time=0.0)
    biped.click_joint("lowerarm_l")
    return biped


def test_bars_set_bend_and_twist_each_for_itself_and_snap(elbow):
    hands, trial = elbow, elbow.bench.inspector.trial
    bar = trial.bend
    click(bar, bar.place(96.0))
    assert abs(turn_of(hands).bend) == pytest.approx(96.0, abs=4.0)
    bent = bar.value
    # The twist is set beside the bend, which stays.
    trial.twist.setFocus()
    for _ in range(3):
        press_key("Shift+Right", trial.twist)
    assert turn_of(hands).twist == pytest.approx(30.0, abs=0.01)
    assert bar.value == pytest.approx(bent, abs=0.01)
    assert not bar.is_beyond
    trial.snap.setChecked(True)
    click(bar, bar.place(bent + 1.0))
    assert bar.value / 5.0 == pytest.approx(round(bar.value / 5.0), abs=1e-4)
    trial.snap.setChecked(False)
    # Euler angles are the same trial rotation.
    pick_segment(trial.split, 1)
    assert trial.bend.isHidden() or not trial.bend.isVisible()
    shown = tuple(field.value() for field in trial.euler)
    assert shown == pytest.approx(hands.state.trial[hands.joint("lowerarm_l")], abs=0.06)
    pick_segment(trial.split, 0)


def test_a_tried_pose_is_kept_among_the_worst_poses_until_it_is_removed(elbow):
    hands, bench, trial = elbow, elbow.bench, elbow.bench.inspector.trial
    click(trial.bend, trial.bend.place(96.0))
    posed, tried = bench.stage.frame.pose.rotations.copy(), hands.state.trial
    click(trial.keep)
    strip = bench.worst_strip
    until(lambda: len(strip.cards.cards) == 1)
    card = strip.cards.cards[0]
    assert card.joint == "lowerarm_l"
    assert card.clip == "rest pose (tried)"
    assert set(card.worst.values) == {"lbs", "dqs"}
    assert not hands.document.is_changed

    click(trial.back)
    assert hands.state.trial == {}
    assert np.abs(bench.stage.frame.pose.rotations - posed).max() > 0.1
    click(strip.cards, strip.cards.card_rect(0).center())
    assert hands.state.trial == tried
    np.testing.assert_allclose(bench.stage.frame.pose.rotations, posed)
    press_key("Backspace", strip.cards)
    assert hands.state.trial == {}

    # A pose that breaks nothing stays too: somebody wanted it.
    click(trial.keep)
    until(lambda: len(strip.cards.cards) == 2)
    assert strip.cards.cards[1].worst.severity < 1.0
    click(strip.cards, strip.cards.card_rect(0).center())
    assert strip.remove.isVisible()
    press_key("Delete", strip.cards)
    until(lambda: len(strip.cards.cards) == 1)
    assert strip.cards.cards[0].worst.severity < 1.0
    assert not strip.remove.isVisible()


def test_a_right_click_gives_no_bend_and_escape_the_bend_before(biped):
    hands, bar = biped, biped.bench.inspector.trial.bend
    hands.bench.state.update(clip=None, time=0.0)
    hands.click_joint("calf_l")
    for _ in range(4):
        press_key("Shift+Right", bar)
    assert bar.value == pytest.approx(40.0, abs=0.01)
    press_key("Delete", bar)
    assert bar.value == 0.0
    assert turn_of(hands).bend == pytest.approx(0.0, abs=0.06)


def test_a_drag_through_no_bend_goes_on_about_the_same_axis(biped):
    hands, bar = biped, biped.bench.inspector.trial.bend
    hands.bench.state.update(clip=None, time=0.0, trial={hands.joint("hand_l"): (0.0, 20.0, 50.0)})
    hands.click_joint("hand_l")
    before = turn_of(hands).hinge
    for value in (10.0, 0.0, -40.0):
        click(bar, QPointF(bar.place(value)))
    after = turn_of(hands).hinge
    assert abs(before @ after) == pytest.approx(1.0, abs=1e-4)


def test_every_number_of_the_weight_brush_has_its_name_at_every_width(biped):
    strip = biped.bench.weight_strip
    biped.focus_panes()
    biped.key("W")
    biped.key("P")
    until(strip.isVisible)
    for width in (1024, 1280, 1440):
        biped.window.resize(width, 800)
        until(lambda width=width: biped.window.width() == width)
        idle()
        for field in (strip.value, strip.radius, strip.strength):
            named = [
                words
                for words in strip.findChildren(QLabel)
                if words.isVisible() and 0 < field.x() - words.geometry().right() <= 8
            ]
            assert len(named) == 1, (width, field.accessibleName())
            assert named[0].width() >= named[0].sizeHint().width()
        assert strip.done.geometry().right() < strip.width()
