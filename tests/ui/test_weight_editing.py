"""Mending weights by hand in the window, from a wrist that is chosen to a copy that is opened again."""

import numpy as np
import pytest
from hands import (
    ALT,
    CTRL,
    LEFT,
    NONE,
    SHIFT,
    click,
    drag,
    focus,
    idle,
    press_key,
    shown_labels,
    until,
    write_text,
)
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPointingDevice, QTabletEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from rigview.core.weights.skin_points import dense
from rigview.io import load
from rigview.ui.widgets.controls import Button

pytestmark = pytest.mark.window
NONE_DOWN = Qt.MouseButton.NoButton


def rows(rig):
    """Return the weights of all skinned vertices, joint by joint."""
    parts = [part for part in rig.parts if part.skin is not None]
    every = [(rig.primitive(p).influences, len(rig.skins[p.skin].joints)) for p in parts]
    return np.concatenate([dense(i.joints, i.weights, n) for i, n in every])


def edited(hands, act):
    """Do something and wait until the rig is another; return its name."""
    before = hands.document.deformer
    act()
    until(lambda: hands.document.deformer is not before)
    return hands.document.undo_name


def type_into(view, text):
    """Type into the current cell, which the first key opens, and press Return."""
    focus(view)
    QTest.keyClicks(view, text[0])
    QTest.keyClicks(QApplication.focusWidget(), text[1:])
    QTest.keyClick(QApplication.focusWidget(), "\r")
    until(lambda: view.state() != view.State.EditingState)


def select_cells(table, first, last, column):
    """Select cells of a column with click and Shift+click."""
    view = table.view
    for row, held in dict.fromkeys([(first, NONE), (last, SHIFT if last > first else NONE)]):
        place = view.visualRect(table.model.index(row, column)).center()
        click(view.viewport(), place, held=held)


@pytest.fixture
def candy(hands, samples):
    hands.show(samples / "candy.glb")
    hands.focus_panes()
    hands.key("W")
    hands.click_joint("hand_l")
    hands.focus_panes()
    hands.key("F")
    yield hands
    hands.bench.vertex_table.set_wanted(wanted=False)


def place_of_the_wrist(hands):
    node = hands.joint("hand_l")
    return hands.place_of(hands.bench.stage.frame.model_from_node[node][:3, 3])


def fill_an_empty_table(hands):
    """It says how to choose, and its link chooses all of a joint."""
    table = hands.bench.vertex_table
    hands.menu("Weights", "Hammer: take the mean of the ring")
    assert hands.bench.status.said.text().startswith("No vertex is chosen")
    hands.key("Ctrl+5")
    assert "choose all of hand_l" in table.empty.text()
    table.empty.linkActivated.emit("joint")
    until(lambda: table.model.rowCount() > 0)
    weights = hands.bench.stage.deformer.joint_weights(0, hands.joint("hand_l"))
    assert table.model.rowCount() == np.count_nonzero(weights)
    hands.key("Ctrl+D")
    assert table.model.rowCount() == 0
    hands.click_joint("hand_l")


def choose_the_wrist(hands):
    """Choose by boxes: with Shift what is in it, with Ctrl what is no more."""
    wrist = place_of_the_wrist(hands)
    drag(hands.canvas, wrist - QPointF(30, 30), wrist + QPointF(30, 30), held=SHIFT)
    many = sum(len(ids) for _, ids in hands.state.chosen)
    drag(hands.canvas, wrist - QPointF(30, 30), wrist + QPointF(0, 30), held=CTRL)
    assert 0 < sum(len(ids) for _, ids in hands.state.chosen) < many
    few = hands.bench.weight_editor.chosen_count
    hands.key("Ctrl++")
    table = hands.bench.vertex_table
    until(lambda: table.model.rowCount() > few)
    assert table.isVisible()
    assert table.model.rowCount() == hands.bench.weight_editor.chosen_count
    assert table.model.node(1) == hands.joint("hand_l")


def choose_with_a_lasso(hands):
    """A lasso drawn as a triangle takes half of what its box would."""
    # The table may just have made the panes lower.
    hands.rest()
    idle()
    canvas, wrist = hands.canvas, QPointF(place_of_the_wrist(hands).toPoint())
    corners = [wrist + QPointF(x, y) for x, y in ((-30, -30), (30, 30), (-30, 30))]
    hands.key("Ctrl+D")
    hands.click_joint("hand_l")
    hands.focus_panes()
    drag(canvas, corners[0], corners[1], held=SHIFT)
    boxed = dict(hands.state.chosen)
    hands.key("Ctrl+D")
    hands.click_joint("hand_l")
    hands.focus_panes()
    hands.key("Q")
    assert hands.state.lasso
    QTest.mousePress(canvas, LEFT, SHIFT, corners[0].toPoint())
    for place in (*corners[1:], corners[0]):
        held = Qt.MouseButton.LeftButton
        moved = QMouseEvent(
            QEvent.Type.MouseMove, place, canvas.mapToGlobal(place), held, held, SHIFT
        )
        QApplication.sendEvent(canvas, moved)
    QTest.mouseRelease(canvas, LEFT, SHIFT, corners[0].toPoint())
    lassoed = dict(hands.state.chosen)
    # The panes may still have changed their height by a pixel or two.
    assert (place_of_the_wrist(hands) - wrist).manhattanLength() < 4.0
    assert all(set(ids) <= set(boxed[part]) for part, ids in lassoed.items())
    assert 0 < sum(map(len, lassoed.values())) < 0.8 * sum(map(len, boxed.values()))
    hands.key("Q")
    assert not hands.state.lasso


def choose_by_weight(hands):
    """The field keeps rows above a weight, and its button makes them the chosen ones."""
    table = hands.bench.vertex_table
    hands.menu("Weights", "Choose by weight…")
    weights = hands.bench.stage.deformer.joint_weights(0, hands.joint("hand_l"))
    until(lambda: table.model.rowCount() == np.count_nonzero(weights > 0.5))
    assert table.filter.field.text() == "above 0.5"
    write_text(table.filter.field, "0.2 to 0.4")
    few = np.flatnonzero((weights > 0.2) & (weights < 0.4))
    assert table.model.rowCount() == len(few)
    click(table.filter.take)
    assert not table.filter.field.text()
    assert [ids for _, ids in hands.state.chosen] == [tuple(few.tolist())]


def hold_b_and_drag(hands, place):
    """B held changes the radius across and the strength along; a tap on it shows the bones or not."""
    brush, bones, canvas = hands.state.weight_brush, hands.state.bones, hands.canvas
    QTest.keyPress(canvas, Qt.Key.Key_B)
    for away in (QPointF(0, 0), QPointF(20, 0), QPointF(20, -25)):
        at = place + away
        none = Qt.MouseButton.NoButton
        moved = QMouseEvent(QEvent.Type.MouseMove, at, canvas.mapToGlobal(at), none, none, NONE)
        QApplication.sendEvent(canvas, moved)
    QTest.keyRelease(canvas, Qt.Key.Key_B)
    assert hands.state.weight_brush.radius == pytest.approx(brush.radius * np.exp(0.2))
    assert hands.state.weight_brush.strength == pytest.approx(brush.strength + 0.1)
    assert hands.state.bones == bones
    QTest.keyClick(canvas, Qt.Key.Key_B)
    assert hands.state.bones != bones
    QTest.keyClick(canvas, Qt.Key.Key_B)


def weight_beside_the_brush(hands):
    hud = hands.bench.panes.weights.hud((0, hands.panes[0]))
    before, now = hud.weights
    assert before == now
    return now


def paint_the_wrist(hands):
    """A stroke is one undo step, and Esc gives it up; the picture follows while it goes on."""
    hands.focus_panes()
    hands.key("P")
    strip, editor = hands.bench.weight_strip, hands.bench.weight_editor
    assert strip.isVisible()
    assert hands.state.brush is None
    until(lambda: editor.editable is not None)
    strip.radius.setValue(60.0)
    # The strip has made the panes lower.
    idle()
    wrist = place_of_the_wrist(hands)
    hold_b_and_drag(hands, wrist)
    still = hands.picture(1)
    before, weights = hands.document.deformer, rows(hands.rig)
    drag(hands.canvas, wrist - QPointF(8, 0), wrist + QPointF(8, 0), release=False)
    assert (hands.picture(1) != still).any(axis=2).sum() > 100
    press_key("Escape")
    QTest.mouseRelease(hands.canvas, LEFT)
    assert hands.document.deformer is before
    # Alt+click takes a weight into the brush, which sets it then.
    click(hands.canvas, wrist, held=ALT)
    picked = strip.value.value()
    assert 0.0 < picked <= 1.0
    strip.value.setValue(0.3)
    camera = hands.state.camera
    name = edited(hands, lambda: drag(hands.canvas, wrist - QPointF(8, 0), wrist + QPointF(8, 0)))
    changed = np.flatnonzero((rows(hands.rig) != weights).any(axis=1))
    assert name == f"Painted hand_l on {len(changed)} vertices"
    assert hands.state.camera == camera
    # The brush tells the weight that is there now, though the mouse has not moved since.
    hands.rest()
    told = weight_beside_the_brush(hands)
    click(hands.canvas, wrist + QPointF(8, 0), held=ALT)
    assert strip.value.value() == pytest.approx(told, abs=0.005)
    hands.focus_panes()
    hands.key("P")
    assert not strip.isVisible()


def press_the_pen(canvas, kind, place, pressure):
    """Send what a tablet sends before the mouse event that stands for it."""
    button = NONE_DOWN if kind == QEvent.Type.TabletRelease else LEFT
    pen = QPointingDevice.primaryPointingDevice()
    at = canvas.mapToGlobal(place)
    event = QTabletEvent(
        kind, pen, place, at, pressure, 0.0, 0.0, 0.0, 0.0, 0.0, NONE, LEFT, button
    )
    QApplication.sendEvent(canvas, event)
    return event.isAccepted()


def paint_with_a_pen(hands):
    """A pen that is pressed a quarter paints a quarter; the mouse after it paints whole again."""
    hands.focus_panes()
    hands.key("P")
    hands.rest()
    idle()
    canvas, wrist, column = hands.canvas, place_of_the_wrist(hands), hands.joint("hand_l")
    hands.bench.weight_strip.value.setValue(0.0)
    position = hands.rig.skins[0].joints.index(column)
    lost = []
    for pressure in (0.25, None):
        until(lambda: hands.bench.weight_editor.editable is not None)
        before = rows(hands.rig)[:, position].sum()
        if pressure is not None:
            assert not press_the_pen(canvas, QEvent.Type.TabletPress, wrist, pressure)
        QTest.mousePress(canvas, LEFT, NONE, wrist.toPoint())
        if pressure is not None:
            press_the_pen(canvas, QEvent.Type.TabletRelease, wrist, 0.0)
        edited(hands, lambda: QTest.mouseRelease(canvas, LEFT, NONE, wrist.toPoint()))
        lost.append(before - rows(hands.rig)[:, position].sum())
        hands.key("Ctrl+Z")
        hands.rest()
    assert lost[0] == pytest.approx(0.25 * lost[1], rel=0.02)
    hands.focus_panes()
    hands.key("P")


def smooth_beside_a_lock(hands):
    """Lock a column's joint and smooth: it keeps its weights."""
    table = hands.bench.vertex_table
    every, column = np.arange(table.model.rowCount()), 2
    before = table.model.weights(every, column)
    click(table.header.viewport(), table.header.lock_rect(column).center())
    assert hands.state.locked == {table.model.node(column)}
    name = edited(hands, lambda: hands.menu("Weights", "Smooth"))
    assert name.startswith("Smooth ")
    np.testing.assert_array_equal(table.model.weights(every, column), before)


def type_where_all_others_are_locked(hands):
    """With all others locked a cell says so and nothing changes."""
    table, deformer = hands.bench.vertex_table, hands.document.deformer
    click(table.header.viewport(), table.header.lock_rect(1).center(), held=ALT)
    select_cells(table, 0, 0, 1)
    type_into(table.view, "0.9")
    assert hands.bench.status.said.text() == "All other joints are locked."
    assert hands.document.deformer is deformer
    hands.key("Alt+K")
    assert not hands.state.locked


def paste_from_a_spreadsheet(hands):
    """A table goes out as text, and another comes in."""
    table = hands.bench.vertex_table
    select_cells(table, 0, 1, 1)
    focus(table.view)
    QTest.keySequence(table.view, "Ctrl+C")
    assert QApplication.clipboard().text().startswith("Vertex\thand_l\n")
    QApplication.clipboard().setText("hand_l\n0,25\n0.5\n")
    name = edited(hands, lambda: QTest.keySequence(table.view, "Ctrl+V"))
    assert name == "Paste weights of 1 joint on 2 vertices"
    np.testing.assert_allclose(table.model.weights(np.arange(2), 1), [0.25, 0.5])


def go_back_in_the_history(hands, first, last):
    """The list of changes goes to the one that is clicked, and stays while the work goes on."""
    changes = hands.document.changes
    hands.key("Ctrl+H")
    dialog, steps = hands.dialog, hands.dialog.list
    assert [steps.item(i).text() for i in range(1, steps.count())] == list(changes)
    assert "with other weights, not saved" in dialog.words.text()
    click(steps.viewport(), steps.visualItemRect(steps.item(0)).center())
    np.testing.assert_array_equal(rows(hands.rig), first)
    assert dialog.words.text() == "Nothing is unsaved."
    steps.setFocus()
    press_key("End", steps)
    np.testing.assert_array_equal(rows(hands.rig), last)
    assert steps.currentRow() == len(changes)
    press_key("Escape", dialog)
    hands.come_to_the_front()


def test_a_wrist_is_mended_saved_and_opened_again_as_it_was(candy, tmp_path):
    table, first = candy.bench.vertex_table, rows(candy.rig)
    fill_an_empty_table(candy)
    choose_by_weight(candy)
    choose_with_a_lasso(candy)
    choose_the_wrist(candy)
    select_cells(table, 0, 3, 1)
    name = edited(candy, lambda: type_into(table.view, "0.42"))
    assert name == "Set hand_l to 0.42 on 4 vertices"
    np.testing.assert_allclose(table.model.weights(np.arange(4), 1), 0.42)
    paint_the_wrist(candy)
    paint_with_a_pen(candy)
    smooth_beside_a_lock(candy)
    type_where_all_others_are_locked(candy)
    paste_from_a_spreadsheet(candy)
    name = edited(candy, lambda: candy.menu("Weights", "Mirror left to right"))
    assert name.startswith("Mirror left to right on ")

    last, steps = rows(candy.rig), len(candy.document.changes)
    go_back_in_the_history(candy, first, last)
    np.testing.assert_allclose(last.sum(axis=1), first.sum(axis=1), atol=1e-6)
    for _ in range(steps):
        candy.key("Ctrl+Z")
    np.testing.assert_array_equal(rows(candy.rig), first)
    for _ in range(steps):
        candy.key("Ctrl+Shift+Z")
    np.testing.assert_array_equal(rows(candy.rig), last)
    copy = tmp_path / "mended.glb"
    candy.bench.saver.write(copy)
    until(lambda: not candy.document.is_changed)
    np.testing.assert_allclose(rows(load(copy).rig), last, atol=1e-6)


def cure_button(hands, words):
    return next(b for b in shown_labels(hands.bench.checks, Button) if b.text() == words)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("rule", "words", "name", "outcome"),
    [
        ("WGT-STRAY", "Smooth from the ring around…", "Hammer ", "stretch 8.8× → 1.3×"),
        ("WGT-ZERO", "Fill by geodesic voxels…", "Fill ", "stretch 14.8× → 1.5×"),
    ],
)
def test_a_cure_is_measured_and_previewed_before_it_is_taken(broken, rule, words, name, outcome):
    hands = broken(rule)
    before = hands.document.deformer
    hands.bench.checks.choose(hands.finding(rule).finding)
    click(cure_button(hands, words))
    until(lambda: hands.sees_preview)
    assert hands.document.deformer is before
    strip = hands.bench.preview_strip
    assert outcome in strip.words.text()
    told = [x.text() for x in shown_labels(hands.finding(rule), QLabel)]
    assert any(outcome in text for text in told)
    made = edited(hands, lambda: click(strip.apply))
    assert made.startswith(name)
    hands.rest()
    assert not hands.bench.checks.rows


@pytest.mark.thorough
def test_a_cure_that_makes_the_shape_worse_is_shown_but_not_advised(candy):
    candy.bench.checks.choose(candy.finding("DEF-COLLAPSE").finding)
    click(cure_button(candy, "Smooth the region…"))
    until(lambda: candy.sees_preview)
    strip = candy.bench.preview_strip
    assert "collapse 93 %, as before, but hand_l local volume" in strip.words.text()
    assert strip.apply.text() == "Apply all the same"
    press_key("Escape", candy.window)
    assert not candy.sees_preview
    told = [x.text() for x in shown_labels(candy.finding("DEF-COLLAPSE"), QLabel)]
    assert any(text.startswith("Not advised: it makes the shape worse.") for text in told)
    candy.bench.checks.choose(None)
