"""The strip of worst poses, the headers and heat: a real window shows where a character breaks."""

from dataclasses import replace

import numpy as np
import pytest
from hands import choose, click, idle, pixels, press_key, until
from planted_deformation import plant_near_patch
from PySide6.QtCore import QPointF

from rigview.check.measures.facts import joint_meter, measured
from rigview.check.rig_edits.twist_joints import plan
from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.measure_words import said
from rigview.core.pose import sample
from rigview.core.sampler import Sampler
from rigview.io import load
from rigview.io.gltf.export import document
from rigview.ui.panels.lanes import WorstLane
from rigview.ui.panels.plot_kinds import KINDS

CLIP = "Wrist twist"


def twisted(rig, degrees):
    """Return the biped with one clip: its left wrist twists about the forearm and back."""
    joint = rig.nodes.names.index("hand_l")
    along = plan(rig, joint, "above")
    model = Deformer(rig).rest_nodes
    axis = model[joint][:3, :3].T @ model[along.limb][:3, :3] @ along.bone
    times = np.arange(31) / 30.0
    angles = np.radians(degrees) * np.sin(np.pi * times)
    turns = quat.from_axis_angle(axis / np.linalg.norm(axis), angles)
    values = quat.multiply(rig.nodes.rotations[joint], turns)
    channel = Channel(joint, "rotation", Sampler(times, quat.normalise(values)))
    return replace(rig, clips=(Clip(CLIP, (channel,)),))


@pytest.fixture(scope="module")
def candy_file(samples, tmp_path_factory):
    loaded = load(samples / "biped.glb")
    out = tmp_path_factory.mktemp("candy") / "candy.glb"
    document.save(twisted(loaded.rig, 170.0), out)
    return out


@pytest.fixture
def candy(hands, candy_file):
    """Hands at a window that shows a wrist twisted by 170°, its worst poses found."""
    hands.show(candy_file)
    scanner = hands.bench.worst_scanner
    # What the test before found of the same rig still holds.
    if scanner.stand != "done":
        scanner.renew()
        scanner.quiet_timer.start(0)
        until(lambda: scanner.stand == "done", 60)
    return hands


def test_two_keys_lead_from_opening_to_the_picture_of_the_wrist(candy):
    strip, view = candy.bench.worst_strip, candy.state
    assert strip.isVisible()
    first = strip.cards.cards[0]
    assert first.joint == "hand_l"
    assert first.worst.level != "fine"
    assert abs(first.frame - 15.0) <= 2.0
    candy.focus_panes()
    candy.key("N")
    view = candy.state
    assert candy.rig.nodes.names[view.joint] == "hand_l"
    assert view.shading == "heat"
    assert view.measure == first.worst.measure
    assert view.time == pytest.approx(first.worst.time)
    assert strip.cards.current == 0
    # The wrist is in the middle of the picture, and large.
    area = candy.panes[0]
    head = candy.bench.stage.frame.model_from_node[view.joint][:3, 3]
    at = candy.place_of(head)
    assert abs(at.x() - area.width() / 2) < 0.25 * area.width()
    assert abs(at.y() - area.height() / 2) < 0.25 * area.height()
    assert view.camera.distance < 0.5 * Deformer(candy.rig).size


def test_backspace_shows_what_was_looked_at_before(candy):
    before = candy.state
    candy.focus_panes()
    candy.key("N")
    candy.key("Shift+N")
    told = candy.bench.status.said
    assert "Backspace goes back" in told.text()
    candy.key("Backspace")
    assert "Backspace goes back" not in told.text()
    after = candy.state
    for name in ("clip", "time", "joint", "shading", "measure", "camera"):
        assert getattr(after, name) == getattr(before, name)
    assert candy.bench.worst_strip.cards.current is None


def test_cards_are_chosen_by_mouse_and_arrows_and_say_themselves(candy):
    strip = candy.bench.worst_strip
    cards = strip.cards
    click(cards, cards.card_rect(0).center())
    assert cards.current == 0
    assert cards.accessibleName().startswith(f"1 of {len(cards.cards)}, hand_l, ")
    if len(cards.cards) > 1:
        press_key("Right", cards)
        assert cards.current == 1
        press_key("Home", cards)
        assert cards.current == 0
    assert strip.place.text() == f"1 of {len(cards.cards)}"


def test_chips_count_and_filter_by_measure_and_the_chooser_by_method(candy):
    strip = candy.bench.worst_strip
    every = candy.bench.worst_scanner.poses("lbs")
    assert strip.chips[None].text() == f"All {len(every)}"
    for measure in MEASURES:
        chip = strip.chips[measure]
        number = sum(one.measure == measure for one in every)
        assert chip.isVisible() == bool(number)
        if number:
            click(chip)
            assert {one.measure for one in strip.poses} == {measure}
    click(strip.chips[None])
    choose(strip.method, "DQS")
    assert {one.method for one in strip.poses} <= {"dqs"}
    candy.bench.document.replace(Deformer(replace(candy.rig, clips=())), "Without clips")
    until(lambda: not candy.bench.worst_scanner.poses("lbs"))
    # A count of nothing, before anything was measured, would say that all is well.
    assert strip.chips[None].text() == "All"


def test_the_header_names_the_worst_region_and_a_click_goes_there(candy):
    candy.bench.state.update(time=0.5)
    readings = candy.bench.readings
    until(lambda: readings.reading is not None and readings.reading.worst["lbs"].severity > 1.0)
    chip = candy.bench.headers.headers[0].worst
    worst = readings.reading.worst["lbs"]
    assert chip.is_over
    assert chip.text == f"hand_l {said(worst.measure, worst.value)}"
    click(chip, QPointF(10, 10))
    assert candy.rig.nodes.names[candy.state.joint] == "hand_l"
    assert candy.state.shading == "heat"


def test_at_rest_the_header_is_neutral(candy):
    candy.bench.state.update(time=0.0)
    readings = candy.bench.readings
    until(lambda: readings.reading is not None and readings.reading.worst["lbs"].severity <= 0.5)
    chip = candy.bench.headers.headers[0].worst
    assert not chip.is_over
    assert chip.text == "all within limits"


def test_heat_differs_between_methods_that_differ_and_is_clay_at_rest(candy):
    candy.focus_panes()
    candy.key("N")
    candy.bench.state.update(measure="collapse")
    until(lambda: candy.bench.panes.painter.heats.get("lbs") is not None)
    idle(0.1)
    lbs, dqs = (max(of.max() for of in candy.bench.panes.painter.heats[m]) for m in ("lbs", "dqs"))
    assert lbs > 0.5 > dqs
    candy.rest()
    hot = (
        pixels(candy.canvas.grab())[..., 0].astype(int) - pixels(candy.canvas.grab())[..., 2]
    ) > 90
    assert hot.any()
    candy.bench.state.update(time=0.0)
    until(lambda: max(of.max() for of in candy.bench.panes.painter.heats["lbs"]) == 0.0)


def test_the_lane_is_absolute(candy):
    lane = next(x for x in candy.bench.timeline.ruler.lanes if isinstance(x, WorstLane))
    times, severities, errors = lane.severities(candy.bench.stage.clip)
    assert severities.max() > 1.0
    assert abs(times[severities.argmax()] - 0.5) < 0.12
    assert severities[0] < 0.05
    assert errors.shape == times.shape


def test_the_strip_folds_to_its_title_and_names_the_first(candy):
    strip = candy.bench.worst_strip
    candy.focus_panes()
    candy.key("Ctrl+4")
    assert strip.is_folded
    assert "hand_l" in strip.said.text()
    candy.key("Ctrl+4")
    assert not strip.is_folded


def test_the_strip_folds_where_no_pose_is_found_and_comes_back_with_another_rig(
    hands, samples, candy_file
):
    hands.show(samples / "arm.glb")
    scanner, strip = hands.bench.worst_scanner, hands.bench.worst_strip

    def scan():
        scanner.renew()
        scanner.quiet_timer.start(0)
        until(lambda: scanner.stand == "done", 60)
        idle()
        return bool(strip.poses), strip.is_folded

    assert not strip.is_folded
    hands.bench.state.update(methods=("dqs",))
    assert scan() == (False, True)
    assert "No pose goes over a limit" in strip.said.text()
    # An edit is scanned again: the panes keep their size meanwhile.
    scanner.renew()
    assert strip.is_folded
    click(strip.fold)
    assert scan() == (False, False), "who unfolds it by hand sees it"
    hands.show(candy_file)
    assert not strip.is_folded
    assert scan() == (True, False)


@pytest.mark.thorough
def test_a_tame_clip_tries_a_range_of_motion_and_says_so(hands, samples, tmp_path):
    patched = plant_near_patch(load(samples / "biped.glb").rig)
    tame = tmp_path / "tame.glb"
    document.save(twisted(patched.rig, 20.0), tame)
    hands.show(tame)
    hands.bench.state.update(methods=("lbs",))
    scanner = hands.bench.worst_scanner
    scanner.renew()
    scanner.quiet_timer.start(0)
    until(lambda: scanner.stand == "done", 120)
    found = scanner.poses("lbs")
    assert all(scanner.is_tried(one) for one in found)
    cards = hands.bench.worst_strip.cards.cards
    assert all(card.clip.endswith("(tried)") for card in cards)
    hands.focus_panes()
    clip = hands.state.clip
    hands.key("N")
    # The clip is not the file's: the pose is shown, and nothing is added.
    assert hands.state.clip == clip
    assert len(hands.rig.clips) == 1
    assert not hands.bench.document.is_changed
    hands.key("Backspace")

    # The finding of the rules is in the same motion, and leads to its pose as a card does.
    stage = hands.bench.stage
    before = stage.frame.pose.rotations
    row = next(row for row in hands.bench.checks.rows if row.finding.motion is not None)
    finding = row.finding
    assert "not in a clip of the file" in finding.message
    assert finding.joints[0] in {one.joint for one in found}
    hands.bench.checks.choose(finding)
    posed = sample(hands.rig, finding.motion, finding.time).rotations
    np.testing.assert_allclose(stage.frame.pose.rotations, posed)
    assert np.abs(posed - before).max() > 0.1
    assert (hands.state.shading, hands.state.measure) == ("heat", finding.measure)
    assert (hands.state.clip, len(hands.rig.clips)) == (clip, 1)
    hands.bench.checks.choose(None)
    np.testing.assert_allclose(stage.frame.pose.rotations, before)


def test_a_scan_names_the_clip_it_is_at(hands, candy_file):
    hands.show(candy_file)
    scanner, told = hands.bench.worst_scanner, []
    scanner.told.connect(lambda: told.append(scanner.words))
    scanner.renew()
    scanner.quiet_timer.start(0)
    until(lambda: scanner.stand == "done", 60)
    assert told
    clips = [clip.name for clip in hands.rig.clips]
    for words in told:
        assert words.startswith("scanning ")
        assert "scanning joints" not in words
    assert any(clip in words for words in told for clip in clips)


def test_a_scan_can_be_cancelled_and_what_was_found_stays(hands, candy_file):
    hands.show(candy_file)
    scanner = hands.bench.worst_scanner
    scanner.renew()
    scanner.quiet_timer.start(0)
    until(lambda: scanner.stand == "scanning", 20)
    click(hands.bench.worst_strip.cancel)
    assert scanner.stand == "stopped"
    until(lambda: not [j for j in hands.bench.jobs.running if j.name == "scanning joints"], 20)
    assert scanner.stand == "stopped"


@pytest.mark.corpus
def test_a_rig_without_mesh_has_no_strip(hands, corpus):
    hands.show(corpus / "rigs" / "VictorS-67+pybvh/bvh_data/bvh_example.bvh")
    assert not hands.bench.worst_strip.isVisible()


def test_choosing_a_pose_plots_its_measure_under_every_method(candy):
    candy.focus_panes()
    candy.key("N")
    plots = candy.bench.plots
    if plots.is_folded:
        plots.set_folded(folded=False)
    kinds = [kind.label for kind in KINDS]
    assert kinds[plots.kind.current] == "Joint"
    candy.bench.state.update(measure="collapse")
    scan = candy.bench.worst_scanner.curves(candy.bench.stage.clip)
    (lbs, dqs) = plots.graph.curves[:2]
    x, y = lbs.getData()
    assert x[np.argmin(y)] == pytest.approx(15.0, abs=2.0)
    assert y.min() == pytest.approx(-100.0 * np.nanmax(scan.values["lbs"]["collapse"]), abs=1e-6)
    assert dqs.getData()[1].min() > y.min() + 20.0


def test_the_headers_share_with_the_checks_what_is_known_of_the_joints(faulty):
    """As the file states its weights, they do not: the checks look at what engines draw."""
    deformer, meters = faulty.document.deformer, faulty.bench.meters
    assert meters.of(deformer) is measured(faulty.rig).once(joint_meter, deformer)
    literal = Deformer(faulty.rig, "literal")
    assert meters.of(literal).deformer is literal
    assert meters.of(literal) is meters.of(literal)
