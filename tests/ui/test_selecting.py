"""Several joints in the view and in the tree are one selection, and what a click takes is lit up before."""

from dataclasses import replace

import numpy as np
import pytest
from hands import CTRL, NONE, SHIFT, click, drag, idle, pixels, until, wheel
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from rigview.render import axis_gizmo
from rigview.ui.sessions.views import view_from_json, view_to_json

pytestmark = pytest.mark.window


@pytest.fixture
def biped(hands, samples):
    hands.show(samples / "biped.glb")
    return hands


def joint_place(hands, name, pane=0):
    """Return where a joint's head is on the canvas."""
    stage = hands.bench.stage
    number = stage.deformer.skeleton.places[hands.joint(name)]
    return hands.place_of(stage.deformer.posed_bones(stage.frame).heads[number], pane)


def names(hands, joints):
    return [hands.rig.nodes.label(joint) for joint in joints]


def rows(hands):
    """Return the names of the rows that are selected in the tree."""
    return {item.text(0) for item in hands.bench.tree.tree.selectedItems()}


def some_joints(hands, count=3):
    """Return joints that stand alone: a click at their heads can take no other."""
    shown, heads = [], []
    for joint in hands.rig.joints:
        name = hands.rig.nodes.label(joint)
        place = joint_place(hands, name)
        far = all((place - other).manhattanLength() > 60 for other in heads)
        target = hands.bench.panes.selecting.target(place, 0, hands.panes[0])
        if far and target is not None and target.joint == joint and hands.panes[0].contains(place):
            shown.append(name)
            heads.append(place)
    assert len(shown) >= count
    return shown[:count]


def hover(hands, place):
    """Move the mouse without a button."""
    moved = QMouseEvent(
        QEvent.Type.MouseMove,
        place,
        hands.canvas.mapToGlobal(place),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        NONE,
    )
    QApplication.sendEvent(hands.canvas, moved)
    until(lambda: not hands.bench.panes.hovering.quiet_timer.isActive())


def test_shift_click_adds_joints_and_takes_them_out(biped):
    first, second, third = some_joints(biped)
    click(biped.canvas, joint_place(biped, first))
    for name in (second, third):
        click(biped.canvas, joint_place(biped, name), held=SHIFT)
    assert names(biped, biped.state.joints) == [first, second, third]
    assert names(biped, [biped.state.joint]) == [first]
    assert rows(biped) == {first, second, third}
    click(biped.canvas, joint_place(biped, second), held=SHIFT)
    assert names(biped, biped.state.joints) == [first, third]
    click(biped.canvas, joint_place(biped, first), held=CTRL)
    assert names(biped, biped.state.joints) == [third]
    click(biped.canvas, joint_place(biped, second))
    assert names(biped, biped.state.joints) == [second]
    assert rows(biped) == {second}
    assert not biped.state.chosen


def test_rows_of_the_tree_are_selected_in_the_view(biped):
    tree = biped.bench.tree
    first, second, _ = some_joints(biped)
    biped.click_joint(first)
    item = tree.item(biped.joint(second))
    tree.tree.scrollToItem(item)
    before = biped.picture(0)
    click(tree.tree.viewport(), tree.tree.visualItemRect(item).center(), held=CTRL)
    assert names(biped, biped.state.joints) == [second, first]
    assert biped.bench.stage.look.others == (biped.joint(first),)
    # Both are drawn as selected, not the last one alone.
    both = biped.picture(0)
    biped.click_joint(second)
    alone = biped.picture(0)
    assert (before != both).any()
    x, y = joint_place(biped, first).x(), joint_place(biped, first).y()
    around = np.s_[int(y) - 6 : int(y) + 7, int(x) - 6 : int(x) + 7]
    assert (both[around] != alone[around]).any()
    # Keys take rows together, too.
    biped.key("Shift+Down")
    assert len(biped.state.joints) == 2
    biped.key("Down")
    assert len(biped.state.joints) == 1


def test_a_box_and_a_lasso_select_joints(biped):
    biped.window.commands.actions["drags_joints"].trigger()
    area = biped.panes[0]
    corners = area.topLeft() + QPointF(2, 2), area.bottomRight() - QPointF(2, 2)
    drag(biped.canvas, *corners, held=SHIFT)
    inside = {
        biped.rig.nodes.label(joint)
        for joint in biped.rig.joints
        if area.contains(joint_place(biped, biped.rig.nodes.label(joint)))
    }
    assert set(names(biped, biped.state.joints)) == inside
    assert rows(biped) == inside
    assert not biped.state.chosen
    # Half of it taken out again.
    middle = area.center().x()
    drag(biped.canvas, corners[0], QPointF(middle, corners[1].y()), held=CTRL)
    right = {n for n in inside if joint_place(biped, n).x() > middle + 1}
    assert right <= set(names(biped, biped.state.joints)) < inside
    biped.bench.state.update(joint=None, lasso=True)
    drag(biped.canvas, *corners, held=SHIFT)
    # A line encloses nothing.
    assert not biped.state.joints
    biped.window.commands.actions["drags_joints"].trigger()
    biped.bench.state.update(lasso=False)


def test_actions_take_all_joints_or_say_why_not(biped):
    first, second, third = some_joints(biped)
    biped.bench.state.update(joints=tuple(map(biped.joint, (first, second, third))))
    actions = biped.window.commands.actions
    actions["copy_name"].trigger()
    assert QApplication.clipboard().text().splitlines() == [first, second, third]
    actions["lock_joint"].trigger()
    assert biped.state.locked == {*map(biped.joint, (first, second, third))}
    actions["lock_joint"].trigger()
    assert not biped.state.locked
    actions["rotate"].trigger()
    assert not biped.state.rotating
    assert "Several joints are selected" in biped.bench.status.said.text()
    before = biped.state.camera
    actions["frame_selected"].trigger()
    assert biped.state.camera != before
    for name in (first, second, third):
        assert biped.panes[0].contains(joint_place(biped, name))


def test_what_a_click_takes_is_lit_up_and_the_panes_are_not_redrawn(biped):
    panes, hovering = biped.bench.panes, biped.bench.panes.hovering
    name, *_ = some_joints(biped)
    biped.bench.state.update(playing=False)
    biped.rest()
    idle(0.1)
    drawn = []
    panes.drawn.connect(lambda: drawn.append(True))
    place = joint_place(biped, name)
    before = biped.window.grab().toImage()
    idle(0.1)
    drawn.clear()
    hover(biped, place)
    assert hovering.target.joint == biped.joint(name)
    idle(0.05)
    if hasattr(biped.canvas, "grabFramebuffer"):
        assert not drawn
    assert biped.window.grab().toImage() != before
    assert biped.state.joints == ()
    click(biped.canvas, place)
    assert biped.state.joints == (biped.joint(name),)
    assert hovering.target is None
    # A vertex, where bones are not shown, and nothing beside the character.
    biped.bench.state.update(bones=False)
    places = (joint_place(biped, biped.rig.nodes.label(joint)) for joint in biped.rig.joints)
    place = next(p for p in places if panes.selecting.target(p, 0, biped.panes[0]) is not None)
    hover(biped, place)
    lit = hovering.target.vertex
    assert lit is not None
    click(biped.canvas, place)
    assert biped.state.vertex == lit
    hover(biped, biped.panes[0].topLeft() + QPointF(3, biped.panes[0].height() / 2))
    assert hovering.target is None
    # While a tool takes the mouse nothing is selected by it.
    biped.bench.state.update(note_tool="pen")
    hover(biped, place)
    assert hovering.target is None


def corner(hands, end, pane=0):
    """Return where an end of the cross of axes is on the canvas."""
    x, y = axis_gizmo.ends(hands.state.camera)[end]
    return hands.panes[pane].bottomLeft() + QPointF(float(x), -float(y))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("pane", [0, 2])
def test_a_letter_of_the_axes_turns_the_camera_there_and_round(pane, biped):
    biped.bench.state.update(joint=biped.joint(some_joints(biped)[0]))
    joint = biped.state.joint
    hovering = biped.bench.panes.hovering
    for end in range(6):
        direction = np.eye(3)[end % 3] * (1.0 if end < 3 else -1.0)
        for looked_from in (direction, -direction):
            biped.bench.state.update(camera=replace(biped.state.camera, yaw=0.6, pitch=0.4))
            if looked_from is not direction:
                click(biped.canvas, corner(biped, end, pane))
            hover(biped, corner(biped, end, pane))
            # Along the line of sight both ends are at one place: that nearer to the eye is meant.
            assert hovering.axes.end == end
            assert axis_gizmo.NAMES[end] in biped.canvas.toolTip()
            assert hovering.target is None
            click(biped.canvas, corner(biped, end, pane))
            assert biped.state.camera.axes[2] @ looked_from > 0.999
    # It selects nothing, and where no letter is a click does what it always does.
    assert biped.state.joint == joint
    before = biped.state.camera
    click(biped.canvas, biped.panes[pane].topLeft() + QPointF(8, 90))
    assert (biped.state.camera, biped.state.joint) == (before, None)


def test_a_letter_is_lit_up_only_under_the_mouse(biped):
    hovering = biped.bench.panes.hovering
    biped.bench.state.update(camera=replace(biped.state.camera, yaw=0.6, pitch=0.4))
    hover(biped, corner(biped, 1))
    lit = pixels(biped.window.grab())
    hover(biped, biped.panes[0].center() - QPointF(0, 60))
    assert hovering.axes.end is None
    assert biped.canvas.toolTip() == ""
    assert (pixels(biped.window.grab()) != lit).any()


def test_a_pane_that_is_unlinked_keeps_its_own_camera(biped):
    action = biped.window.commands.actions["link_camera"]
    header = biped.bench.headers.headers[1]
    assert action.isChecked()
    assert not header.unlinked.isVisible()
    click(biped.canvas, biped.panes[1].topLeft() + QPointF(8, 90))
    shared = biped.state.linked_camera
    action.trigger()
    assert not action.isChecked()
    assert header.unlinked.isVisible()
    before = [biped.picture(pane) for pane in range(3)]
    drag(biped.canvas, *(biped.panes[1].center() + QPointF(x, 0) for x in (-40, 40)))
    after = [biped.picture(pane) for pane in range(3)]
    assert [(a != b).any() for a, b in zip(before, after, strict=True)] == [False, True, False]
    assert biped.state.linked_camera == shared
    own = biped.state.camera_of(1)
    assert own != shared
    # A click takes what that pane shows.
    name = some_joints(biped)[0]
    stage = biped.bench.stage
    number = stage.deformer.skeleton.places[biped.joint(name)]
    area = biped.panes[1]
    head = stage.deformer.posed_bones(stage.frame).heads[number]
    x, y, _ = own.project(head, area.width(), area.height())
    click(biped.canvas, area.topLeft() + QPointF(float(x), float(y)))
    assert biped.state.joint == biped.joint(name)
    # The others turn together and leave it alone, also by the wheel over one that is not current.
    wheel(biped.canvas, biped.panes[2].center(), 1)
    assert biped.state.linked_camera != shared
    assert biped.state.camera_of(1) == own
    assert biped.state.camera_of(0) == biped.state.camera_of(2) == biped.state.linked_camera
    stored = view_from_json(view_to_json(biped.state), biped.rig, same_file=True)
    assert stored["apart"] == {1: own}
    click(header.unlinked)
    assert biped.state.apart == {}
    assert biped.state.camera_of(1) == biped.state.linked_camera
    assert not header.unlinked.isVisible()


def test_a_pane_that_is_gone_leaves_no_camera(biped):
    biped.bench.state.update(pane=2)
    biped.window.commands.actions["link_camera"].trigger()
    assert set(biped.state.apart) == {2}
    biped.bench.state.update(methods=biped.state.methods[:1], pane=0)
    assert biped.state.apart == {}
    biped.window.commands.actions["link_camera"].trigger()
    assert "There is one pane only." in biped.bench.status.said.text()
    assert biped.state.apart == {}


def test_sessions_keep_the_joints_also_those_of_before_there_were_several(biped):
    joints = tuple(map(biped.joint, some_joints(biped)))
    biped.bench.state.update(joints=joints)
    stored = view_to_json(biped.state)
    assert view_from_json(stored, biped.rig, same_file=True)["joints"] == joints
    del stored["joints"]
    old = view_from_json({**stored, "joint": joints[0]}, biped.rig, same_file=True)
    assert old["joints"] == joints[:1]
    none = view_from_json({**stored, "joints": [10**6]}, biped.rig, same_file=True)
    assert "joints" not in none
