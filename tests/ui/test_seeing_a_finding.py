"""Choosing a finding shows it: its vertices or joint, from where they can be seen, rightly shaded."""

import numpy as np
import pytest
from hands import click, pixels
from PySide6.QtGui import QGuiApplication

from rigview.assets import rgb, theme
from rigview.check.catalogue import RULES
from rigview.render.look import OVERLAYS
from rigview.render.overlay_legend import badge
from rigview.ui.panels.finding_words import LISTED_VERTICES, finding_text, vertex_words
from rigview.ui.panels.plot_kinds import KINDS
from rigview.ui.widgets.controls import Button

pytestmark = pytest.mark.window


@pytest.fixture
def unweighted(faulty):
    faulty.bench.state.update(shading="clay")
    faulty.bench.panes.frame_all()
    click(faulty.finding("WGT-ZERO"), faulty.finding("WGT-ZERO").rect().topLeft())
    faulty.rest()
    yield faulty
    faulty.bench.checks.choose(None)


def test_its_vertices_are_marked_and_seen_from_outside(unweighted):
    finding = unweighted.finding("WGT-ZERO").finding
    assert unweighted.state.marked == ((0, finding.vertices.ids),)
    frame, deformer = unweighted.bench.stage.frame, unweighted.bench.stage.deformer
    rest = deformer.rig.primitive(deformer.rig.parts[0])
    numbers = list(finding.vertices.ids)
    towards = unweighted.state.camera.axes[2]
    assert (rest.shading_normals[numbers] @ towards).mean() > 0.3
    places = [unweighted.place_of(p) for p in rest.positions[numbers]]
    assert all(unweighted.panes[0].contains(place) for place in places)
    amber = 255 * np.array(rgb(theme()["warning"]))
    picture = pixels(unweighted.canvas.grabFramebuffer())
    assert (np.abs(picture - amber).max(axis=2) < 12).sum() > 20
    assert frame is not None


def test_the_checks_grow_until_a_finding_that_is_chosen_is_seen_to_its_end(faulty):
    faulty.window.arrangement.reset()
    faulty.rest()
    docks = faulty.window.arrangement.docks
    before = docks["Checks"].height()
    row = faulty.finding("ORI-PRIMARY")
    faulty.bench.checks.choose(row.finding)
    faulty.rest()
    area = faulty.bench.checks.scroll_area.viewport()
    last = row.mapTo(area, row.rect().bottomLeft()).y()
    assert docks["Checks"].height() > before
    assert row.mapTo(area, row.rect().topLeft()).y() >= 0
    assert last <= area.height()
    faulty.bench.checks.choose(None)


def test_stray_vertices_are_seen_together_with_the_far_joint_that_they_follow(broken):
    hands = broken("WGT-STRAY")
    hands.bench.checks.choose(hands.finding("WGT-STRAY").finding)
    hands.rest()
    finding, deformer = hands.finding("WGT-STRAY").finding, hands.bench.stage.deformer
    vertices = hands.rig.primitive(finding.vertices.part).positions[list(finding.vertices.ids)]
    joint = deformer.rest_nodes[finding.joints[0], :3, 3]
    assert np.linalg.norm(vertices - joint, axis=1).min() > 0.2 * deformer.size
    assert hands.state.joint == finding.joints[0]
    for point in (joint, *vertices):
        assert hands.panes[0].contains(hands.place_of(point))
    amber = 255 * np.array(rgb(theme()["warning"]))
    assert (np.abs(hands.picture(0) - amber).max(axis=2) < 80).sum() > 5 * finding.vertices.count
    hands.bench.checks.choose(None)


def test_weights_are_shaded_while_it_is_chosen_and_what_was_before_comes_back(unweighted):
    assert unweighted.state.shading == "count"
    other = unweighted.finding("ORI-PRIMARY")
    unweighted.bench.checks.choose(other.finding)
    assert unweighted.state.shading == "clay"
    assert unweighted.state.joint == other.finding.joints[0]
    assert unweighted.state.marked == ()


def test_a_shading_taken_meanwhile_stays(unweighted):
    unweighted.focus_panes()
    unweighted.key("T")
    unweighted.bench.checks.choose(None)
    assert unweighted.state.shading == "textured"
    unweighted.key("C")


def test_what_a_finding_showed_goes_when_it_is_fixed(unweighted):
    unweighted.wait_for_dry_runs()
    click(unweighted.finding("WGT-ZERO").button)
    unweighted.rest()
    assert "WGT-ZERO" not in {row.finding.rule for row in unweighted.bench.checks.rows}
    assert unweighted.state.marked == ()
    assert unweighted.state.shading == "clay"


def test_another_file_opens_with_no_finding_chosen(broken, samples):
    hands = broken("WGT-ZERO")
    hands.bench.state.update(shading="clay")
    hands.bench.checks.choose(hands.finding("WGT-ZERO").finding)
    assert hands.state.shading == "count"
    hands.open(samples / "broken" / "WGT-ZERO.glb")
    assert not hands.finding("WGT-ZERO").is_selected
    assert hands.state.marked == ()
    assert hands.state.shading == "clay"


def test_a_finding_is_copied_as_text(unweighted):
    row = unweighted.finding("WGT-ZERO")
    row.copy()
    text = QGuiApplication.clipboard().text()
    assert text == finding_text(row.finding, "error", unweighted.rig)
    for words in ("WGT-ZERO", row.finding.message, "Measured: 0 < 10⁻⁶", row.finding.fix.label):
        assert words in text


def test_vertices_are_listed_with_the_joint_that_moves_them_most(broken):
    hands = broken("WGT-SUM")
    finding = hands.finding("WGT-SUM").finding
    words = vertex_words(finding, hands.rig)
    part = finding.vertices.part
    influences = hands.rig.primitive(part).influences
    first = finding.vertices.ids[0]
    joint = influences.joints[first, np.argmax(influences.weights[first])]
    name = hands.rig.nodes.label(hands.rig.skins[part.skin].joints[joint])
    assert f": {first} ({name})" in words
    assert words.count("(") == min(LISTED_VERTICES, finding.vertices.count)


def test_all_joints_of_a_finding_are_pointed_out_while_it_is_chosen(broken):
    hands = broken("SCL-INHERIT")
    finding = hands.finding("SCL-INHERIT").finding
    assert len(finding.joints) > 1
    hands.bench.checks.choose(finding)
    hands.rest()
    assert hands.bench.status.said.text() == f"SCL-INHERIT: {len(finding.joints)} joints marked"
    assert all(hands.bench.tree.row(node).involved for node in finding.joints)
    amber = 255 * np.array(rgb(theme()["warning"]))
    marked = (np.abs(hands.picture(0) - amber).max(axis=2) < 60).sum()
    hands.bench.checks.choose(None)
    hands.rest()
    assert not any(hands.bench.tree.row(node).involved for node in finding.joints)
    assert marked > 20 + (np.abs(hands.picture(0) - amber).max(axis=2) < 60).sum()


def test_the_curve_that_a_rule_measures_is_plotted_until_the_finding_is_left(broken):
    hands = broken("DEF-BULGE")
    kind = hands.bench.plots.kind
    before = kind.current
    hands.bench.checks.choose(hands.finding("DEF-BULGE").finding)
    assert KINDS[kind.current].label == "Joint"
    hands.bench.checks.choose(None)
    assert kind.current == before


def test_what_a_rule_is_seen_by_is_drawn_until_the_finding_is_left(broken):
    hands = broken("BND-REST")
    assert not hands.state.bind_ghost
    hands.key("R")
    hands.bench.checks.choose(hands.finding("BND-REST").finding)
    assert hands.state.rest_ghost
    assert hands.state.bind_ghost
    hands.bench.checks.choose(None)
    # The one was on before.
    assert hands.state.rest_ghost
    assert not hands.state.bind_ghost
    hands.key("R")


def test_every_overlay_that_a_rule_asks_for_can_be_drawn():
    asked = {overlay for rule in RULES for overlay in rule.overlays}
    assert asked
    assert asked <= set(OVERLAYS)


def test_a_bone_that_changes_length_is_plotted_by_its_length(broken):
    hands = broken("ANI-LEN")
    finding = hands.finding("ANI-LEN").finding
    hands.bench.checks.choose(finding)
    plots = hands.bench.plots
    assert KINDS[plots.kind.current].label == "Length"
    frames, values = plots.graph.curves[0].getData()
    assert np.ptp(values) == pytest.approx(100.0 * finding.value, rel=1e-4)
    furthest = frames[np.argmax(np.abs(values))] / hands.bench.state.value.fps
    assert furthest == pytest.approx(finding.time, abs=0.02)
    assert plots.legend.toolTip() == "Length"


def test_every_curve_that_a_rule_asks_for_can_be_plotted():
    assert {rule.plot for rule in RULES} - {kind.key for kind in KINDS} == {""}


@pytest.mark.parametrize("rule", ["WGT-DUP", "HIE-PARENT"])
def test_a_long_remedy_does_not_push_the_row_out_of_the_panel(broken, rule):
    hands = broken(rule)
    row = hands.finding(rule)
    hands.bench.checks.choose(row.finding)
    hands.rest()
    area = hands.bench.checks.rect()
    right = row.button.mapTo(hands.bench.checks, row.button.rect().topRight())
    assert area.contains(right)
    assert row.minimumSizeHint().width() <= area.width()
    hands.bench.checks.choose(None)


def test_weights_are_drawn_normalised_and_as_stated_while_their_finding_is_chosen(broken):
    hands = broken("WGT-SUM")
    stage = hands.bench.stage
    drawn = stage.deformer
    assert drawn.weights == hands.state.weights == "normalised"
    assert badge(drawn) == "weights normalised"
    hands.bench.checks.choose(hands.finding("WGT-SUM").finding)
    assert badge(stage.deformer) == "weights as in the file"
    assert stage.deformer.weights == hands.state.weights == "literal"
    hands.bench.checks.choose(None)
    assert stage.deformer is drawn
    hands.window.commands.do("literal_weights")
    assert stage.deformer.weights == "literal"
    assert hands.bench.document.undo_name is None
    hands.window.commands.do("literal_weights")


def test_of_a_rig_whose_weights_sum_to_one_nothing_is_said(arm):
    assert badge(arm.bench.stage.deformer) == ""


def test_how_a_joint_deforms_is_seen_in_heat_from_the_side_and_what_was_goes_back(hands, samples):
    hands.show(samples / "candy.glb")
    before = hands.state
    hands.bench.checks.choose(hands.finding("DEF-COLLAPSE").finding)
    hands.rest()
    state, frame = hands.state, hands.bench.stage.frame
    assert (state.shading, state.measure) == ("heat", "collapse")
    joint = hands.rig.nodes.names.index("hand_l")
    assert state.joint == joint
    wrist = frame.model_from_node[joint, :3, 3]
    assert hands.panes[0].contains(hands.place_of(wrist))
    # A twist is seen square to the bone, and near enough to see it.
    elbow = frame.model_from_node[hands.rig.nodes.names.index("lowerarm_l"), :3, 3]
    bone = (wrist - elbow) / np.linalg.norm(wrist - elbow)
    assert abs(state.camera.axes[2] @ bone) < 0.3
    assert state.camera.distance < 0.5 * hands.bench.stage.deformer.size
    hands.bench.state.update(pane=0)
    asked = hands.finding("DEF-COLLAPSE").findChildren(Button)
    click(next(b for b in asked if b.text() == "Use DQS in this pane"))
    assert hands.state.methods == ("dqs", *state.methods[1:])
    hands.bench.checks.choose(None)
    assert (hands.state.shading, hands.state.measure) == (before.shading, before.measure)
