"""Sliders of morph targets: they move the face on show, are never saved, and go back."""

import numpy as np
import pytest
from hands import click, drag, focus, idle, press_key, write_text
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from rigview.core.corrective import morph_weights, with_morphs
from rigview.core.pose import rest_pose, sample
from rigview.core.skinning import METHODS
from rigview.io import load
from rigview.ui.panels.morph_targets import rows_of

VRM = "V-Sekai+godot-vrm/vrm_samples/Godette_vrm_v4.vrm"
SINTEL = "Mesh2Motion+mesh2motion-app/static/models-variation/human-sintel.glb"
CUBE = "DRx3D+glTF-Sample-Assets-OLD/Models/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb"


def skinned(hands):
    """Return ``(V, 3)`` the positions on show under LBS."""
    stage = hands.bench.stage
    parts = stage.deformer.skin_all(stage.frame, METHODS["lbs"], hands.state.options)
    return np.concatenate([part.positions for part in parts])


@pytest.mark.corpus
def test_a_slider_moves_the_face_and_goes_back(hands, corpus):
    hands.show(corpus / "rigs" / VRM)
    panel = hands.bench.inspector.morphs
    rows = panel.rows
    assert panel.isVisible()
    rest = skinned(hands)
    number = next(i for i, row in enumerate(rows.rows) if row.moves)
    row = rows.rows[number]
    drag(rows, rows.place_of(number, 0.0), rows.place_of(number, 1.4))
    for target in row.targets:
        assert hands.state.morphs[target] == pytest.approx(1.4, abs=0.02)
    assert np.abs(skinned(hands) - rest).max() > 1e-3
    pose = hands.bench.stage.frame.pose
    for node, target in row.targets:
        assert morph_weights(hands.rig, pose, node)[target] == hands.state.morphs[node, target]
    assert "tried" in rows.accessibleName()
    assert not hands.bench.document.is_changed
    click(panel.reset)
    assert hands.state.morphs == {}
    np.testing.assert_array_equal(skinned(hands), rest)


@pytest.mark.corpus
def test_keys_change_a_weight_by_one_and_ten_per_cent(hands, corpus):
    hands.show(corpus / "rigs" / SINTEL)
    rows = hands.bench.inspector.morphs.rows
    row = rows.rows[0]
    click(rows, rows.place_of(0, 0.0) - QPointF(0, 18))
    focus(rows)
    press_key("Right", rows)
    assert hands.state.morphs[row.target] == pytest.approx(0.01)
    press_key("Shift+Right", rows)
    assert hands.state.morphs[row.target] == pytest.approx(0.11)
    press_key("Shift+Left", rows)
    press_key("Shift+Left", rows)
    assert hands.state.morphs[row.target] == pytest.approx(-0.09)
    press_key("Delete", rows)
    assert hands.state.morphs == {}


@pytest.mark.corpus
def test_a_weight_is_typed_and_right_click_takes_it_to_nothing(hands, corpus):
    hands.show(corpus / "rigs" / SINTEL)
    rows = hands.bench.inspector.morphs.rows
    row = rows.rows[1]
    at = rows.place_of(1, 0.0) - QPointF(0, 18)
    QTest.mouseDClick(rows, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at.toPoint())
    field = rows.findChildren(type(hands.bench.inspector.trial.euler[0]))[-1]
    write_text(field.lineEdit(), "65")
    press_key("Return", field)
    assert hands.state.morphs[row.target] == pytest.approx(0.65)
    idle(0.02)
    click(rows, rows.place_of(1, 0.0), button=Qt.MouseButton.RightButton)
    assert hands.state.morphs[row.target] == 0.0


@pytest.mark.corpus
def test_targets_of_one_name_move_together_and_those_of_nothing_say_so(hands, corpus):
    hands.show(corpus / "rigs" / SINTEL)
    rows = hands.bench.inspector.morphs.rows
    assert len({row.name for row in rows.rows}) == len(rows.rows) == 20
    assert all(len({node for node, _ in row.targets}) == 2 for row in rows.rows)
    # The file's own: exported without any difference to the basis.
    assert not any(row.moves for row in rows.rows)
    drag(rows, rows.place_of(1, 0.0), rows.place_of(1, 0.5))
    assert len(set(hands.state.morphs.values())) == 1
    assert set(hands.state.morphs) == set(rows.rows[1].targets)
    assert "moves nothing" in rows.accessibleName()


@pytest.mark.corpus
def test_search_and_chips_list_some(hands, corpus):
    hands.show(corpus / "rigs" / SINTEL)
    panel = hands.bench.inspector.morphs
    write_text(panel.search, "cheek")
    assert {row.name for row in panel.rows.rows} == {
        "CHEEK-out.L", "CHEEK-in.L", "CHEEK-out.R", "CHEEK-in.R",
    }  # fmt: skip
    panel.search.clear()
    assert not panel.changed.isEnabled()
    hands.bench.state.update(morphs={panel.rows.rows[3].target: 0.5})
    click(panel.changed)
    assert len(panel.rows.rows) == 1
    click(panel.changed)


@pytest.mark.corpus
def test_what_is_tried_holds_against_the_clip_until_another_file_is_opened(hands, corpus, samples):
    hands.show(corpus / "rigs" / CUBE)
    panel = hands.bench.inspector.morphs
    row = panel.rows.rows[0]
    assert row.curve is not None
    hands.bench.state.update(morphs={row.target: -0.25})
    clip = hands.rig.clips[0]
    for time in (clip.start, 0.4 * clip.end, clip.end):
        hands.bench.state.update(time=time)
        pose = hands.bench.stage.frame.pose
        assert morph_weights(hands.rig, pose, row.target[0])[row.target[1]] == -0.25
    hands.show(samples / "arm.glb")
    assert hands.state.morphs == {}
    assert not hands.bench.inspector.morphs.isVisible()


@pytest.mark.corpus
def test_rows_tell_which_targets_a_clip_keys(corpus):
    rig = load(corpus / "rigs" / CUBE).rig
    assert all(row.curve is None for row in rows_of(rig, None))
    keyed = rows_of(rig, rig.clips[0])
    assert len(keyed) == 2
    assert all(row.curve is not None for row in keyed)


@pytest.mark.corpus
def test_weights_that_the_rig_does_not_have_are_left_out(corpus):
    rig = load(corpus / "rigs" / CUBE).rig
    pose = rest_pose(rig)
    node = next(part.node for part in rig.parts)
    changed = with_morphs(rig, pose, {(node, 0): 0.5, (node, 99): 1.0, (9999, 0): 1.0})
    assert changed.morph_weights[node][0] == 0.5
    assert set(changed.morph_weights) <= {*pose.morph_weights, node}
    moved = sample(rig, rig.clips[0], rig.clips[0].end)
    assert with_morphs(rig, moved, {}).morph_weights == moved.morph_weights
