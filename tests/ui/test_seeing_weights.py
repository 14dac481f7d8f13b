"""Weights in the window: all joints by colour, and vertices counted by weight; with selection and undo."""

from dataclasses import replace

import numpy as np
import pytest
from hands import click, focus, pick_segment
from PySide6.QtCore import QPointF

from rigview.check.diff import compare
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.io import load
from rigview.render.look import Look
from rigview.render.tints import joint_colours
from rigview.ui.comparison import ComparedRig
from rigview.ui.panels.plot_kinds import KINDS
from rigview.ui.panes.picture_words import MESSAGE as NUMBERS

pytestmark = pytest.mark.window


@pytest.fixture
def coloured(arm):
    arm.focus_panes()
    arm.key("Shift+W")
    assert arm.state.shading == "joints"
    return arm


def hues(picture):
    """Return how many colours are told apart in a picture."""
    vivid = picture[np.ptp(picture.astype(int), axis=2) > 60]
    return len(np.unique(vivid // 48, axis=0))


def bound_to_one(deformer):
    """Return the rig with all vertices on one joint."""
    part = deformer.rig.parts[0]
    primitive = deformer.rig.primitive(part)
    weights = np.zeros_like(primitive.influences.weights)
    weights[:, 0] = 1.0
    influences = Influences(np.zeros_like(primitive.influences.joints), weights)
    changed = replace(primitive, influences=influences)
    return deformer.of_changed(deformer.rig.with_primitive(part.mesh, part.primitive, changed))


def test_the_key_shows_many_colours_and_the_bar_and_the_tree_say_so(coloured):
    assert hues(coloured.picture(0)) > 12
    segments = coloured.window.bar.shading
    assert segments.items[segments.current] == "Joints"
    stage, tree = coloured.bench.stage, coloured.bench.tree
    wanted = (255 * joint_colours(stage.deformer, stage.look)).round().astype(int)
    for joint, colour in zip(stage.deformer.skeleton.joints, wanted, strict=True):
        shown = tree.row(int(joint)).colour
        assert [int(shown[i : i + 2], 16) for i in (1, 3, 5)] == colour.tolist()
    coloured.key("C")
    assert {tree.row(joint).colour for joint in coloured.rig.joints} == {""}


def test_the_legend_follows_the_selection(coloured):
    legend = coloured.bench.legend
    assert "all joints" in legend.accessibleName()
    coloured.click_joint("lowerarm")
    assert legend.scale.name == "lowerarm"
    assert legend.scale.swatches[0].name == "lowerarm"
    first = legend.grab().toImage()
    coloured.bench.state.update(vertex=(0, 0))
    assert legend.scale.name == "vertex 0"
    assert legend.grab().toImage() != first


def test_colours_follow_other_weights_and_their_undo(coloured):
    coloured.bench.state.update(bones=False, axes=False)
    before = coloured.picture(0)
    coloured.document.replace(bound_to_one(coloured.document.deformer), "Bind to one joint")
    assert hues(coloured.picture(0)) < hues(before) / 2
    assert len(coloured.bench.legend.scale.swatches) == 1
    coloured.key("Ctrl+Z")
    # Numbers stand above, which are measured a little later.
    np.testing.assert_array_equal(coloured.picture(0)[NUMBERS:], before[NUMBERS:])
    assert len(coloured.bench.legend.scale.swatches) > 3


def test_one_joint_has_one_colour_in_both_files(samples):
    host = Deformer(load(samples / "arm.glb").rig)
    names = ["unterarm" if name == "lowerarm" else name for name in host.rig.nodes.names]
    nodes = replace(host.rig.nodes, names=tuple(names))
    other = Deformer(replace(host.rig, nodes=nodes))
    guest = ComparedRig("renamed", other, compare(host.rig, other.rig), host)
    look = Look(shading="joints")
    assert (joint_colours(other, look) != joint_colours(host, look)).any()
    np.testing.assert_array_equal(joint_colours(other, guest.look(look)), joint_colours(host, look))


# --- vertices counted by weight ------------------------------------------------------------------


@pytest.fixture
def counted(arm):
    labels = [kind.label for kind in KINDS]
    pick_segment(arm.bench.plots.kind, labels.index("Weights"))
    return arm


def heights(hands):
    return np.array(hands.bench.plots.graph.bars.opts["height"], dtype=float)


def press_bar(hands, number):
    hands.rest()
    graph = hands.bench.plots.graph
    place = graph.bars.opts["x"][number]
    box = graph.getPlotItem().vb
    at = graph.mapFromScene(box.mapViewToScene(QPointF(place, 0.1)))
    click(graph.viewport(), at)


def test_bars_follow_the_selection_and_name_what_they_count(counted):
    plots = counted.bench.plots
    assert plots.graph.getAxis("bottom").labelText == "influences per vertex"
    assert plots.graph.getAxis("left").labelText == "vertices"
    whole = heights(counted)
    counted.click_joint("lowerarm")
    assert plots.graph.getAxis("bottom").labelText == "weight of lowerarm"
    weights = counted.document.deformer.joint_weights(0, counted.state.joint)
    assert str(np.count_nonzero(weights)) in plots.legend.words.replace(" ", "")
    lower = heights(counted)
    assert len(lower) != len(whole)
    counted.click_joint("upperarm")
    assert not np.array_equal(heights(counted), lower)
    # More vertices are never a lower bar, and none are no bar.
    counts = plots.chart.counts
    assert np.all(np.diff(heights(counted)[np.argsort(counts)]) >= 0.0)
    np.testing.assert_array_equal(heights(counted) == 0.0, counts == 0)


def test_bars_follow_other_weights_and_their_undo(counted):
    before = heights(counted)
    counted.document.replace(bound_to_one(counted.document.deformer), "Bind to one joint")
    assert len(heights(counted)) == 1
    counted.key("Ctrl+Z")
    np.testing.assert_array_equal(heights(counted), before)


def test_a_bar_marks_its_vertices_until_it_or_nothing_is_chosen(counted):
    counted.click_joint("lowerarm")
    plots = counted.bench.plots
    bar = int(np.argmax(plots.chart.counts[:-1]))
    press_bar(counted, bar)
    ((part, ids),) = counted.state.marked
    weights = counted.document.deformer.joint_weights(part, counted.state.joint)[list(ids)]
    assert len(ids) == plots.chart.counts[bar]
    assert weights.max() - weights.min() <= 0.05 + 1e-6
    assert plots.legend.words.startswith(f"{len(ids)} vert")
    press_bar(counted, bar)
    assert counted.state.marked == ()
    press_bar(counted, bar)
    assert counted.state.marked
    counted.click_joint("upperarm")
    assert counted.state.marked == ()
    press_bar(counted, 0)
    assert counted.state.marked
    counted.key("Escape")
    assert counted.state.marked == ()


def test_arrows_lead_from_bar_to_bar_and_say_what_each_counts(counted):
    counted.click_joint("lowerarm")
    counted.rest()
    plots = counted.bench.plots
    filled = np.flatnonzero(plots.chart.counts)
    time = counted.state.time
    focus(plots.graph)
    for keys, bar in (("Right", filled[0]), ("Right", filled[1]), ("Left", filled[0])):
        counted.key(keys)
        assert counted.state.marked == plots.chart.vertices(bar)
        assert plots.graph.accessibleName().endswith(plots.chart.said(bar))
    counted.key("Left")
    assert counted.state.marked == plots.chart.vertices(filled[0])
    counted.click_joint("upperarm")
    counted.rest()
    focus(plots.graph)
    counted.key("Left")
    last = np.flatnonzero(plots.chart.counts)[-1]
    assert counted.state.marked == plots.chart.vertices(last)
    assert counted.state.time == time


def test_arrows_step_through_the_clip_beside_curves(counted):
    counted.click_joint("lowerarm")
    pick_segment(counted.bench.plots.kind, 0)
    counted.rest()
    focus(counted.bench.plots.graph)
    counted.key("Right")
    assert counted.state.time * counted.state.fps == pytest.approx(1.0)
    assert counted.state.marked == ()


def test_what_a_finding_marks_is_left_to_it(counted):
    press_bar(counted, 0)
    assert counted.state.marked
    counted.bench.state.update(marked=((0, (1, 2)),))
    assert counted.bench.plots.legend.words.endswith("on average")
    pick_segment(counted.bench.plots.kind, 0)
    assert counted.state.marked == ((0, (1, 2)),)


def test_curves_come_back_after_bars_with_their_unit_and_the_playhead(counted):
    graph = counted.bench.plots.graph
    counted.click_joint("lowerarm")
    assert not graph.playhead.isVisible()
    pick_segment(counted.bench.plots.kind, 0)
    assert graph.playhead.isVisible()
    assert len(heights(counted)) == 0
    assert len(graph.curves[0].getData()[0]) > 100
    assert all(text.endswith("°") for text in graph.getAxis("left").tickStrings([1.0, 2.0], 1, 1))
    assert graph.getAxis("bottom").labelText == ""
