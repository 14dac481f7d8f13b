"""Two files in linked panes: one time, one camera, one selection; and what changed in words."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hands import click, pick_segment, until

from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.io import load, save

pytestmark = pytest.mark.window


@pytest.fixture
def compared(faulty, samples):
    faulty.bench.comparer.open(samples / "arm.glb")
    until(lambda: faulty.bench.stage.guest is not None)
    faulty.rest()
    yield faulty
    faulty.bench.comparer.leave()
    assert len(faulty.state.methods) == 3


def test_both_files_are_drawn_by_one_method_at_one_time(compared):
    assert len(compared.panes) == 2
    assert len(set(compared.state.methods)) == 1
    compared.bench.state.update(time=1.0)
    stage = compared.bench.stage
    mine, other = stage.side(0), stage.side(1)
    rig = other.deformer.rig
    wanted = other.deformer.frame(sample(rig, rig.clips[0], 1.0))
    np.testing.assert_allclose(other.frame.model_from_node, wanted.model_from_node)
    assert other.deformer is not mine.deformer
    left, right = compared.picture(0), compared.picture(1)
    for picture in (left, right):
        assert np.ptp(picture.reshape(-1, 3), axis=0).min() > 60
    # The set-up differs, the shape does not: but for the vertices that no joint moves.
    height, width = min(left.shape[0], right.shape[0]), min(left.shape[1], right.shape[1])
    apart = np.abs(left[:height, :width].astype(int) - right[:height, :width])
    assert (apart.max(axis=2) > 40).mean() < 0.03


def test_a_joint_clicked_in_the_second_file_is_selected_by_name(compared):
    compared.bench.state.update(joint=None)
    side = compared.bench.stage.side(1)
    hand = side.deformer.rig.nodes.names.index("hand")
    place = compared.place_of(side.frame.model_from_node[hand][:3, 3], pane=1)
    click(compared.canvas, place)
    assert compared.rig.nodes.names[compared.state.joint] in ("hand", "lowerarm")


def test_changes_are_said_marked_and_go_with_the_fix(compared):
    text = compared.bench.comparer.text
    assert "lowerarm turned 34" in text
    assert compared.bench.compare_strip.isVisible()
    (marks,) = compared.bench.stage.side(0).look.marked
    assert marks[1]
    assert set(marks[1]) <= set(compared.finding("WGT-ZERO").finding.vertices.ids)
    compared.bench.checker.fix(compared.finding("ORI-PRIMARY").finding)
    compared.rest()
    until(lambda: "lowerarm turned" not in compared.bench.comparer.text)


def vivid(picture):
    return (np.ptp(picture.astype(int), axis=2) > 50).sum()


def test_the_strip_says_what_kind_of_thing_was_added_or_taken_away(arm, samples):
    bend, twist, _ = arm.rig.clips
    slow = tuple(
        replace(c, sampler=replace(c.sampler, times=2.0 * c.sampler.times)) for c in bend.channels
    )
    clips = (replace(bend, name="Bend 2", channels=slow), replace(twist, name="Twist 2"))
    arm.document.replace(Deformer(replace(arm.rig, clips=clips)), "Other clips")
    arm.bench.comparer.open(samples / "arm.glb")
    until(lambda: arm.bench.stage.guest is not None)
    words = arm.bench.compare_strip.words.text()
    assert words.startswith("with arm.glb   clips: + ")
    assert "− Bend 2" in words
    assert "Twist 2 renamed to Twist" in words
    arm.bench.comparer.leave()


def test_changes_are_painted_on_the_second_file_and_explained(compared, samples, tmp_path):
    loaded = load(samples / "arm.glb")
    sharp = tmp_path / "sharp.glb"
    save(loaded, rigs.sharpened(loaded.rig), sharp)
    compared.bench.comparer.open(sharp)
    until(lambda: compared.bench.stage.guest.name == "sharp.glb")
    bare = {"bones": False, "axes": False, "grid": False}
    compared.bench.state.update(shading="clay", time=1.0, **bare)
    strip, legend = compared.bench.compare_strip, compared.bench.legend
    shown = {}
    for number, unit in ((1, "% of weight"), (2, "% of size")):
        pick_segment(strip.shading, number)
        compared.rest()
        assert legend.isVisible()
        assert (legend.scale.name, legend.scale.ticks[0][1]) == (unit, ">0")
        assert not compared.bench.stage.side(1).look.marked
        left, right = compared.picture(0), compared.picture(1)
        assert vivid(right) > vivid(left) + 500
        shown[number] = right
    assert (shown[1] != shown[2]).any()
    pick_segment(strip.shading, 0)
    assert compared.state.shading == "clay"
    assert not legend.isVisible()
    pick_segment(strip.shading, 2)
    # Another shading of the bar is chosen: the strip follows; and leaving leaves no colours behind.
    compared.bench.state.update(shading="weights")
    assert strip.shading.current == 0
    pick_segment(strip.shading, 1)
    compared.bench.comparer.leave()
    assert compared.state.shading == "weights"
    compared.bench.state.update(shading="clay")


def test_a_preview_is_not_what_was_compared_and_stays_clay(compared):
    pick_segment(compared.bench.compare_strip.shading, 2)
    stage = compared.bench.stage
    assert stage.side(1).before is not None
    stage.show_preview(Deformer(compared.rig))
    assert stage.side(1).before is None
    compared.rest()
    stage.show_preview(None)


def test_escape_shows_one_file_again(compared):
    compared.focus_panes()
    compared.key("Escape")
    assert compared.bench.stage.guest is None
    assert not compared.bench.compare_strip.isVisible()


def test_opening_a_rig_of_other_joints_ends_the_comparison(compared, samples):
    compared.bench.state.update(methods=("capsule", "capsule"))
    compared.rest()
    joints = len(compared.rig.nodes)
    compared.open(samples / "biped.glb")
    assert len(compared.rig.nodes) != joints
    assert compared.bench.stage.guest is None
    assert len(compared.panes) == 3
    assert compared.bench.stage.shapes.keys() == set(compared.state.methods)


def test_no_vertex_is_marked_on_a_rig_that_was_not_compared(compared, samples):
    stage = compared.bench.stage
    assert stage.side(0).look.marked
    compared.document.replace(Deformer(load(samples / "box.glb").rig), "Exchange everything")
    assert stage.side(0).look.marked == ()
    compared.picture()
    compared.key("Ctrl+Z")


def test_a_file_that_cannot_be_read_leaves_all_as_it_is(faulty, tmp_path):
    bad = tmp_path / "bad.glb"
    bad.write_bytes(b"glTF")
    faulty.bench.comparer.open(bad)
    until(faulty.bench.message.isVisible)
    assert faulty.bench.stage.guest is None
    assert len(faulty.panes) == 3
    faulty.bench.message.hide()
