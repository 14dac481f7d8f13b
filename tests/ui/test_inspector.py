"""The inspector: a joint's numbers against the core's, its trial rotation, a vertex's influences."""

import numpy as np
import pytest
from hands import click, drag, pick_segment, press_key, write_text
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

from rigview.core import affine, euler, quat
from rigview.core.pose import model_from_nodes, sample
from rigview.core.skinning import METHODS
from rigview.ui.preferences.rows import BY_KEY, Desk


@pytest.fixture
def lowerarm(arm):
    """The lower arm selected in the middle of its bend."""
    arm.click_joint("lowerarm")
    arm.bench.state.update(time=1.3)
    pick_segment(arm.bench.inspector.trial.split, 1)
    return arm


def shown(hands):
    """Return the nine numbers of the inspector, as people read them."""
    fields = hands.bench.inspector.fields
    return np.array([[float(f.text().removesuffix("°")) for f in line] for line in fields])


def expected(hands, space):
    """Return what the core says of the lower arm."""
    joint = hands.joint("lowerarm")
    pose = sample(hands.rig, hands.rig.clips[0], hands.state.time)
    if space == "local":
        parts = pose.translations[joint], pose.rotations[joint], pose.scales[joint]
    else:
        parts = affine.decompose(model_from_nodes(hands.rig, pose)[joint])[:3]
    translation, rotation, scale = parts
    return np.array([translation, np.degrees(euler.to_angles(rotation)), scale])


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("number", "space"), [(0, "local"), (1, "model"), (2, "world")])
def test_numbers_are_the_core_s(lowerarm, number, space):
    pick_segment(lowerarm.bench.inspector.space, number)
    got, wanted = shown(lowerarm), expected(lowerarm, space)
    np.testing.assert_allclose(got[0], wanted[0], atol=6e-5)
    np.testing.assert_allclose(got[1], wanted[1], atol=6e-3)
    np.testing.assert_allclose(got[2], wanted[2], atol=6e-4)
    assert np.abs(wanted[1]).max() > 10.0


@pytest.mark.parametrize(("unit", "metre"), [("cm", 0.01), ("in", 0.0254), ("m", 1.0)])
def test_lengths_are_shown_in_the_unit_that_is_preferred(lowerarm, unit, metre):
    window = lowerarm.window
    desk = Desk(window.bench, window.appearance, window.shortcuts)
    row = BY_KEY["lengths"]
    row.choose(desk, unit)
    got, wanted = shown(lowerarm), expected(lowerarm, "local")
    # A tenth of a millimetre is seen in each.
    np.testing.assert_allclose(got[0] * metre, wanted[0], atol=6e-5)
    np.testing.assert_allclose(got[1], wanted[1], atol=6e-3)
    assert window.bench.inspector.units.text().startswith(f"{unit} ")
    assert row.value(window.bench.settings) == unit


def test_numbers_follow_the_time(lowerarm):
    before = shown(lowerarm)
    lowerarm.focus_panes()
    lowerarm.key("Shift+Right")
    assert np.abs(shown(lowerarm) - before).max() > 1.0


def test_numbers_cannot_be_typed_over(lowerarm):
    field = lowerarm.bench.inspector.fields[0][0]
    before = field.value()
    write_text(field.lineEdit(), "99")
    press_key("Return", field)
    assert field.value() == before
    assert np.all(lowerarm.rig.nodes.translations < 99)


def test_local_rotations_are_tried_by_typing_and_dragging(lowerarm):
    fields, joint = lowerarm.bench.inspector.fields[1], lowerarm.joint("lowerarm")
    wanted = [float(field.value()) for field in fields]
    # Beyond a right angle the same turn has other angles: those that were typed stay.
    for axis, degrees in ((1, 100.0), (2, -30.0)):
        wanted[axis] = degrees
        write_text(fields[axis].lineEdit(), str(degrees))
        press_key("Return", fields[axis])
        assert [field.value() for field in fields][axis] == pytest.approx(degrees, abs=0.02)
        turned = lowerarm.bench.stage.frame.pose.rotations[joint]
        rotation = euler.from_angles(np.radians([field.value() for field in fields]))
        assert abs(float(turned @ rotation)) == pytest.approx(1.0, abs=1e-6)
    assert joint in lowerarm.state.trial
    # The file's rotation is untouched, and Reset goes back to it.
    assert not lowerarm.document.is_changed
    click(lowerarm.bench.inspector.trial.back)
    before = shown(lowerarm)[1]
    np.testing.assert_allclose(before, expected(lowerarm, "local")[1], atol=6e-3)
    middle = QPointF(fields[2].lineEdit().rect().center())
    drag(fields[2].lineEdit(), middle, middle + QPointF(20, 0))
    assert shown(lowerarm)[1] - before == pytest.approx([0.0, 0.0, 10.0], abs=0.02)
    click(lowerarm.bench.inspector.trial.back)
    # In other spaces they are only read.
    pick_segment(lowerarm.bench.inspector.space, 1)
    before = shown(lowerarm)[1]
    drag(fields[2].lineEdit(), middle, middle + QPointF(20, 0))
    assert not lowerarm.state.trial
    assert (shown(lowerarm)[1] == before).all()


def test_numbers_can_be_copied(lowerarm):
    copy = next(
        b for b in lowerarm.bench.inspector.findChildren(type(lowerarm.bench.checks.fix_all))
        if b.toolTip() == "Copy the numbers"
    )  # fmt: skip
    click(copy)
    lines = QApplication.clipboard().text().split("\n")
    assert lines[0] == "lowerarm"
    got = np.array([[float(x) for x in line.split("\t")[1:]] for line in lines[1:]])
    np.testing.assert_allclose(got, shown(lowerarm), atol=1e-6)


def test_the_waterfall_shows_where_scale_comes_from(faulty):
    faulty.click_joint("lowerarm")
    steps = faulty.bench.inspector.waterfall.steps
    # The armature scales by 1/100 and the inverse bind matrices take it back.
    np.testing.assert_allclose(steps, (1.0, 0.01, 100.0, 1.0), rtol=1e-4)
    assert "IBM 100" in faulty.bench.inspector.waterfall.accessibleName()
    assert faulty.bench.inspector.scale_section.note.text() == "cancelled in the bind"


def test_the_waterfall_of_a_sound_joint_is_level(lowerarm):
    np.testing.assert_allclose(lowerarm.bench.inspector.waterfall.steps, 1.0, atol=1e-6)
    assert lowerarm.bench.inspector.scale_section.note.text() == "none"


def test_the_axis_of_a_bone_that_is_off_says_by_how_much(faulty):
    worst = max(faulty.bench.checker.deviations.items(), key=lambda item: item[1])
    faulty.click_joint(faulty.rig.nodes.names[worst[0]])
    assert faulty.bench.inspector.axis_section.note.text() == f"{worst[1]:.1f}° off"


# --- trial rotation ------------------------------------------------------------------------------


def test_a_trial_rotation_turns_the_joint_and_the_mesh_but_not_the_rig(lowerarm):
    rig, picture = lowerarm.rig, lowerarm.picture(0)
    before = lowerarm.bench.stage.frame.model_from_node
    field = lowerarm.bench.inspector.trial.euler[2]
    write_text(field.lineEdit(), "40")
    press_key("Return", field)
    joint = lowerarm.joint("lowerarm")
    assert lowerarm.state.trial == {joint: (0.0, 0.0, 40.0)}
    after = lowerarm.bench.stage.frame.model_from_node
    turn = affine.inverse(before[joint]) @ after[joint]
    wanted = quat.to_matrix(quat.from_euler(np.radians([0.0, 0.0, 40.0])))
    np.testing.assert_allclose(turn[:3, :3], wanted, atol=1e-6)
    assert (lowerarm.picture(0) != picture).any()
    assert lowerarm.rig is rig
    assert not lowerarm.document.is_changed
    assert lowerarm.document.undo_name is None


def test_a_trial_rotation_is_dragged_and_taken_back(lowerarm):
    field = lowerarm.bench.inspector.trial.euler[0]
    editor = field.lineEdit()
    before = lowerarm.bench.stage.frame.model_from_node
    drag(editor, QPointF(5, 8), QPointF(45, 8))
    assert field.value() == pytest.approx(20.0)
    assert lowerarm.state.trial[lowerarm.joint("lowerarm")][0] == pytest.approx(20.0)
    lowerarm.focus_panes()
    lowerarm.key("Ctrl+Backspace")
    assert lowerarm.state.trial == {}
    assert field.value() == 0.0
    np.testing.assert_array_equal(lowerarm.bench.stage.frame.model_from_node, before)


def test_each_joint_has_a_trial_rotation_of_its_own(lowerarm):
    field = lowerarm.bench.inspector.trial.euler[1]
    for joint, degrees in (("lowerarm", 10.0), ("hand", -20.0)):
        lowerarm.click_joint(joint)
        write_text(field.lineEdit(), str(degrees))
        press_key("Return", field)
    lowerarm.click_joint("lowerarm")
    assert field.value() == 10.0
    assert len(lowerarm.state.trial) == 2


def test_a_trial_rotation_is_not_saved(lowerarm, tmp_path):
    write_text(lowerarm.bench.inspector.trial.euler[2].lineEdit(), "40")
    press_key("Return", lowerarm.bench.inspector.trial.euler[2])
    lowerarm.key("Ctrl+S")
    target = tmp_path / "copy.glb"
    write_text(lowerarm.dialog.path, str(target))
    click(lowerarm.dialog.save)
    lowerarm.rest()
    assert target.read_bytes() == lowerarm.document.path.read_bytes()


# --- vertices ------------------------------------------------------------------------------------


def front_vertex(hands, pane, method):
    """Return the number and place of a vertex that is nearest to the eye, without bones above it."""
    frame = hands.bench.stage.frame
    skinned = hands.bench.stage.deformer.skin(0, frame, METHODS[method], hands.state.options)
    eye = np.asarray(hands.state.camera.eye)
    nearest = np.argsort(np.linalg.norm(skinned.positions - eye, axis=1))[0]
    return int(nearest), hands.place_of(skinned.positions[nearest], pane)


@pytest.mark.parametrize("pane", [0, 1, 2])
def test_a_click_on_the_mesh_shows_the_influences_of_that_vertex(lowerarm, pane):
    lowerarm.key("B")
    vertex, place = front_vertex(lowerarm, pane, lowerarm.state.methods[pane])
    click(lowerarm.canvas, place)
    part, number = lowerarm.state.vertex
    skinned = lowerarm.bench.stage.deformer.skin(
        part,
        lowerarm.bench.stage.frame,
        METHODS[lowerarm.state.methods[pane]],
        lowerarm.state.options,
    )
    # The vertex, or one that lies there too.
    away = np.linalg.norm(skinned.positions[number] - skinned.positions[vertex])
    assert away < 0.03 * lowerarm.bench.stage.deformer.size
    influences = lowerarm.rig.primitive(lowerarm.rig.parts[part]).influences
    joints = lowerarm.rig.skins[0].joints
    wanted = {
        lowerarm.rig.nodes.names[joints[j]]: w
        for j, w in zip(influences.joints[number], influences.weights[number], strict=True)
        if w
    }
    entries = lowerarm.bench.inspector.influences.entries
    assert dict(entries) == pytest.approx(wanted)
    assert [w for _, w in entries] == sorted(wanted.values(), reverse=True)
    assert sum(w for _, w in entries) == pytest.approx(1.0, abs=1e-4)
    assert lowerarm.bench.inspector.vertex_section.note.text() == f"{number} of Arm"


def test_a_vertex_without_weights_says_that_nothing_moves_it(broken):
    hands = broken("WGT-ZERO")
    finding = hands.finding("WGT-ZERO")
    click(finding, QPointF(60, 20))
    assert hands.state.vertex == (0, finding.finding.vertices.ids[0])
    assert hands.bench.inspector.influences.entries == ()
    assert hands.bench.inspector.influences.accessibleName() == "Influences: none"
