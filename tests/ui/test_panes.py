"""The panes: pictures of three methods, shading, navigation, picking, framing."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hands import (
    ALT,
    CTRL,
    LEFT,
    MIDDLE,
    NONE,
    RIGHT,
    SHIFT,
    choose,
    click,
    drag,
    pick_segment,
    press_key,
    until,
    wheel,
)
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from rigview.assets import colour_map, theme
from rigview.core.skinning import METHODS
from rigview.render import framing
from rigview.ui.navigation import PRESETS
from rigview.ui.workbench import Workbench


@pytest.fixture
def bent(arm):
    """The arm where it is bent most, with nothing but meshes drawn."""
    arm.bench.state.update(time=1.5, bones=False, axes=False, grid=False)
    arm.rest()
    return arm


def different(first, second):
    """Return how many pixels of two pictures differ clearly."""
    away = np.abs(first.astype(int) - second.astype(int)).max(axis=-1)
    return int((away > 12).sum())


def middle(picture, width=None):
    """Return a pane's picture without the words at its top and the controls at its bottom."""
    return picture[30:-60, :width]


def near(picture, colour, distance=14):
    """Return how many pixels have a colour, nearly."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    away = np.abs(picture.astype(int) - (red, green, blue)).max(axis=-1)
    return int((away <= distance).sum())


# --- what is drawn -------------------------------------------------------------------------------


def test_every_pane_shows_the_mesh_by_its_own_method(bent):
    width = round(min(area.width() for area in bent.panes))
    pictures = [middle(bent.picture(i), width) for i in range(3)]
    bent.bench.state.update(hidden=frozenset({0}))
    empty = [middle(bent.picture(i), width) for i in range(3)]
    for picture, without in zip(pictures, empty, strict=True):
        assert picture.std() > 5.0
        assert different(picture, without) > 1500
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert different(pictures[i], pictures[j]) > 40


def test_panes_of_one_method_show_one_picture(bent):
    bent.bench.state.update(methods=("dqs", "dqs"))
    left, right = bent.picture(0), bent.picture(1)
    assert left.shape == right.shape
    assert different(left, right) == 0


def test_a_pane_s_heading_chooses_its_method(bent):
    before = bent.picture(0)
    header = bent.bench.headers.headers[0]
    assert header.method.currentText() == METHODS["lbs"].label
    choose(header.method, METHODS["dqs"].label)
    assert bent.state.methods == ("dqs", "dqs", "compensated")
    assert bent.state.pane == 0
    assert different(bent.picture(0), before) > 40


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("count", "entry"), [(1, "One"), (2, "2 side by side"), (4, "4 side by side")]
)
def test_one_to_four_panes_share_the_width(bent, count, entry):
    bent.menu("View", "Panes", entry)
    assert len(bent.panes) == len(bent.bench.headers.headers) == count
    assert len(set(bent.state.methods)) == min(count, len(METHODS))
    widths = [area.width() for area in bent.panes]
    assert sum(widths) + 2 * (count - 1) == pytest.approx(bent.canvas.width(), abs=1)
    assert max(widths) - min(widths) <= 2
    bent.rest()
    for header, area in zip(bent.bench.headers.headers, bent.panes, strict=True):
        assert abs(header.x() - area.x()) <= 2
        assert abs(header.width() - area.width()) <= 2
    assert all(middle(bent.picture(i)).std() > 5.0 for i in range(count))


def test_headings_tell_the_whole_body_where_the_mouse_rests(bent):
    until(lambda: set(bent.bench.stage.shapes) == set(bent.state.methods))
    until(lambda: bent.bench.readings.reading is not None)
    bent.bench.state.update(methods=("lbs",))
    bent.rest()
    volume = bent.bench.stage.shapes["lbs"].volume
    assert volume < 0.0
    tip = bent.bench.headers.headers[0].worst.toolTip()
    assert f"volume −{100 * abs(volume):.1f} %" in tip


def test_strength_blends_the_compensation_in(bent):
    controls = bent.bench.method_controls
    pictures = {}
    for share in (0.0, 1.0):
        slider = controls.strength
        click(slider, QPointF(5 + share * (slider.width() - 10), 9))
        assert bent.state.options.strength == pytest.approx(share, abs=0.02)
        pictures[share] = middle(bent.picture(2))
    dqs = middle(bent.picture(1))
    width = min(dqs.shape[1], pictures[0.0].shape[1])
    assert different(pictures[0.0][:, :width], dqs[:, :width]) < 40
    assert different(pictures[0.0], pictures[1.0]) > 40


def test_the_axis_that_bones_follow_can_be_set(bent):
    before = bent.bench.stage.shapes
    click(bent.bench.method_controls.more)
    further = bent.bench.method_controls.further
    choose(further.axis, "+X")
    bent.key("Escape")
    assert not further.isVisible()
    assert bent.state.options.axis == "+x"
    bent.rest()
    assert bent.bench.stage.shapes["compensated"] != before["compensated"]
    assert bent.bench.stage.shapes["dqs"] == before["dqs"]


# --- shading and overlays ------------------------------------------------------------------------


def test_w_shows_the_weights_of_the_selected_joint(bent):
    bent.click_joint("lowerarm")
    bent.focus_panes()
    bent.key("W")
    assert bent.state.shading == "weights"
    assert bent.window.bar.shading.current == 2
    picture = middle(bent.picture(0))
    full, neutral = colour_map("viridis")[255], theme("dark")["zero"]
    # Light darkens colours: what is told apart here is yellow against grey.
    yellow = (picture[..., 0].astype(int) - picture[..., 2]) > 60
    grey = np.ptp(picture.astype(int), axis=-1) < 14
    bent.bench.state.update(hidden=frozenset({0}))
    mesh = (picture != middle(bent.picture(0))).any(axis=-1)
    assert full == "#fde725"
    assert neutral == "#5c5c5e"
    assert (yellow & mesh).sum() > 200
    assert (grey & mesh).sum() > 200


def test_another_joint_s_weights_are_elsewhere(bent):
    bent.key("W")
    bent.click_joint("lowerarm")
    first = bent.picture(0)
    bent.click_joint("upperarm")
    assert different(first, bent.picture(0)) > 500


def test_the_legend_names_the_joint_and_counts_its_vertices(bent):
    bent.click_joint("hand")
    bent.key("W")
    assert bent.bench.legend.isVisible()
    part = bent.rig.parts[0]
    influences = bent.rig.primitive(part).influences
    number = bent.rig.skins[0].joints.index(bent.joint("hand"))
    moved = int(((influences.joints == number) & (influences.weights > 0)).any(axis=1).sum())
    words = bent.bench.legend.accessibleName()
    assert words.startswith("Weight of hand")
    assert f" {moved} of 3 310 vertices" in words
    bent.key("C")
    assert not bent.bench.legend.isVisible()


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize(
    ("key", "field"),
    [("B", "bones"), ("X", "xray"), ("Z", "wires"), ("J", "axes"), ("L", "names"), ("G", "grid")],
)
def test_keys_switch_overlays(arm, key, field):
    arm.click_joint("hand")
    arm.focus_panes()
    before, shown = arm.picture(0), getattr(arm.state, field)
    arm.key(key)
    assert getattr(arm.state, field) is not shown
    assert arm.window.bar.overlays[field].isChecked() is not shown
    assert different(arm.picture(0), before) > 20
    click(arm.window.bar.overlays[field])
    assert getattr(arm.state, field) is shown
    assert different(arm.picture(0), before) == 0


def test_the_bar_switches_the_shading(bent):
    clay = bent.picture(0)
    pick_segment(bent.window.bar.shading, 0)
    assert bent.state.shading == "textured"
    assert different(bent.picture(0), clay) > 200
    bent.key("C")
    assert different(bent.picture(0), clay) == 0


# --- navigation ----------------------------------------------------------------------------------

GESTURES = [
    ("Maya", LEFT, NONE, "orbit"),
    ("Maya", LEFT, ALT, "orbit"),
    ("Maya", MIDDLE, ALT, "pan"),
    ("Maya", MIDDLE, NONE, "pan"),
    ("Maya", RIGHT, ALT, "zoom"),
    ("Maya", RIGHT, NONE, "pan"),
    ("Blender", LEFT, NONE, "orbit"),
    ("Blender", MIDDLE, NONE, "orbit"),
    ("Blender", MIDDLE, SHIFT, "pan"),
    ("Blender", MIDDLE, CTRL, "zoom"),
    ("Touchpad", LEFT, NONE, "orbit"),
    ("Touchpad", LEFT, SHIFT, "pan"),
    ("Touchpad", LEFT, CTRL, "zoom"),
]


@pytest.mark.thorough(keep=4)
@pytest.mark.parametrize(("preset", "button", "held", "gesture"), GESTURES)
def test_drags_move_the_camera_as_the_preset_says(arm, preset, button, held, gesture):
    arm.menu("View", "Mouse as in", preset)
    before = arm.state.camera
    middle = arm.panes[1].center()
    drag(arm.canvas, middle, middle + QPointF(50, 20), button, held)
    after = arm.state.camera
    turned = (after.yaw, after.pitch) != (before.yaw, before.pitch)
    moved = after.target != before.target
    closer = after.distance != before.distance
    assert (turned, moved, closer) == {
        "orbit": (True, False, False),
        "pan": (False, True, False),
        "zoom": (False, False, True),
    }[gesture]


@pytest.mark.parametrize(
    ("preset", "held", "gesture"),
    [
        ("maya", NONE, "zoom"), ("maya", ALT, "zoom"), ("blender", SHIFT, "zoom"),
        ("touchpad", NONE, "orbit"), ("touchpad", SHIFT, "pan"), ("touchpad", CTRL, "zoom"),
    ],
)  # fmt: skip
def test_scrolling_moves_the_camera_as_the_preset_says(arm, preset, held, gesture):
    arm.bench.panes.preset = preset
    before = arm.state.camera
    wheel(arm.canvas, arm.panes[1].center(), 1, held)
    after = arm.state.camera
    assert {
        "orbit": after == before.orbited(0.0, after.pitch - before.pitch) != before,
        "pan": after == replace(before, target=after.target) != before,
        "zoom": after == replace(before, distance=after.distance) != before,
    }[gesture]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_in_front_follows_the_cursor_that_orbits(arm, preset):
    arm.bench.panes.preset = preset
    before = arm.state.camera
    front = np.array(before.target) + 0.1 * before.distance * before.axes[2]
    start = arm.place_of(front)
    drag(arm.canvas, start, start + QPointF(30, 15))
    end = arm.place_of(front)
    assert end.x() > start.x() + 1
    assert end.y() > start.y() + 1


@pytest.mark.parametrize(
    ("preset", "moved", "nearer"),
    [
        ("maya", (40, 0), 1), ("maya", (0, -40), 1), ("maya", (-40, 0), -1), ("maya", (0, 40), -1),
        ("blender", (40, 0), 0), ("blender", (0, -40), 1), ("blender", (0, 40), -1),
        ("touchpad", (40, 0), 0), ("touchpad", (0, -40), 1),
    ],
)  # fmt: skip
def test_a_drag_that_zooms_does_so_along_the_program_s_axis(preset, moved, nearer):
    factor = PRESETS[preset].zoom(QPointF(*moved))
    assert np.sign(1.0 - factor) == nearer


def test_fingers_that_part_zoom_to_what_is_between_them(arm):
    before = arm.state.camera
    point = np.array(before.target) + 0.1 * before.distance * before.axes[0]
    at = arm.place_of(point, pane=1)
    pinch = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture, QPointingDevice.primaryPointingDevice(),
        2, at, at, arm.canvas.mapToGlobal(at), 0.2, QPointF(),
    )  # fmt: skip
    QApplication.sendEvent(arm.canvas, pinch)
    assert arm.state.camera.distance < before.distance
    now = arm.place_of(point, pane=1)
    assert math.hypot(now.x() - at.x(), now.y() - at.y()) < 1.0


def test_the_preset_is_remembered(arm):
    arm.menu("View", "Mouse as in", "Blender")
    assert arm.bench.settings.read("navigation", "maya") == "blender"
    assert Workbench(arm.bench.settings, opengl=False).panes.preset == "blender"


def test_a_preset_that_there_is_not_counts_as_the_first(arm):
    arm.bench.settings.write("navigation", "softimage")
    assert Workbench(arm.bench.settings, opengl=False).panes.preset == "maya"


def test_the_sheet_of_keys_says_what_the_mouse_does_in_the_preset(arm):
    arm.menu("View", "Mouse as in", "Touchpad")
    arm.key("F1")
    words = {w.text() for w in arm.dialog.findChildren(QLabel)}
    arm.dialog.reject()
    assert {"Drag, two fingers", "Right drag, Shift+drag, Shift+two fingers", "Pinch"} <= words
    assert "Wheel" not in words


def test_a_pan_keeps_what_is_under_the_cursor_there(arm):
    target = arm.state.camera.target
    start = arm.place_of(target)
    drag(arm.canvas, start, start + QPointF(40, -25), RIGHT)
    end = arm.place_of(target)
    assert end.x() - start.x() == pytest.approx(40, abs=1.5)
    assert end.y() - start.y() == pytest.approx(-25, abs=1.5)


@pytest.mark.parametrize("notches", [2, -2])
def test_the_wheel_zooms_to_the_cursor(arm, notches):
    before = arm.state.camera
    # A point of the plane through the target that faces the eye, away from the middle.
    point = np.array(before.target) + 0.2 * before.distance * (
        0.5 * before.axes[0] - before.axes[1]
    )
    at = arm.place_of(point, pane=1)
    wheel(arm.canvas, at, notches)
    after = arm.state.camera
    assert (after.distance < before.distance) is (notches > 0)
    assert after.target != before.target
    now = arm.place_of(point, pane=1)
    assert math.hypot(now.x() - at.x(), now.y() - at.y()) < 1.0


def test_all_panes_share_the_camera(arm):
    arm.bench.state.update(methods=("lbs", "lbs"), bones=False)
    middle = arm.panes[1].center()
    drag(arm.canvas, middle, middle + QPointF(60, 0))
    # One picture at two places of the canvas: an edge through a pixel's middle may fall either way.
    assert different(arm.picture(0), arm.picture(1)) < 4


@pytest.mark.parametrize(
    ("keys", "yaw", "pitch"),
    [("1", 0, 0), ("3", -90, 0), ("7", 0, 90), ("Ctrl+1", 180, 0), ("Ctrl+3", 90, 0)],
)
def test_number_keys_look_from_a_side(arm, keys, yaw, pitch):
    arm.key(keys)
    camera = arm.state.camera
    assert math.cos(camera.yaw - math.radians(yaw)) == pytest.approx(1.0)
    assert math.degrees(camera.pitch) == pytest.approx(pitch, abs=0.2)


def test_5_switches_perspective(arm):
    before = arm.picture(0)
    arm.key("5")
    assert arm.state.camera.orthographic
    assert different(arm.picture(0), before) > 50
    arm.key("5")
    assert not arm.state.camera.orthographic


def fills(hands, points, pane=0):
    """Return the larger share of the pane that points take, and whether all are inside."""
    area = hands.panes[pane]
    seen = hands.state.camera.project(points, area.width(), area.height())[:, :2]
    share = np.ptp(seen, axis=0) / (area.width(), area.height())
    inside = (seen >= 0).all() and (seen <= (area.width(), area.height())).all()
    return float(share.max()), bool(inside)


def test_a_frames_the_skinned_mesh_in_its_pose(arm):
    arm.bench.state.update(time=1.5)
    wheel(arm.canvas, arm.panes[0].center(), -10)
    arm.key("A")
    frame = arm.bench.stage.frame
    skinned = arm.bench.stage.deformer.skin(0, frame, METHODS["lbs"], arm.state.options)
    share, inside = fills(arm, skinned.positions)
    assert inside
    assert share > 0.75


def test_more_panes_show_as_much_across_and_fewer_come_near_again(arm):
    arm.focus_panes()
    arm.key("A")
    before = arm.state.camera
    stage = arm.bench.stage
    points = framing.visible_points(stage.deformer, stage.frame, frozenset())
    arm.bench.state.update(methods=("lbs", "dqs", "compensated", "capsule"))
    assert arm.state.camera.distance > before.distance
    area = arm.panes[0]
    x = arm.state.camera.project(points, area.width(), area.height())[:, 0]
    assert 0.0 < x.min() <= x.max() < area.width()
    arm.bench.state.update(methods=("lbs", "dqs", "compensated"))
    assert arm.state.camera.distance == pytest.approx(before.distance)


def test_what_is_framed_in_narrow_panes_is_above_the_sliders(arm):
    controls = arm.bench.method_controls
    assert controls.isVisible()
    points = framing.visible_points(arm.bench.stage.deformer, arm.bench.stage.frame)
    tall = points[:1] - [0.0, 3.0, 0.0]
    both = np.concatenate([points, tall])
    arm.bench.panes.frame_points(both)
    last = len(arm.panes) - 1
    assert arm.place_of(tall[0], last).y() < controls.y()
    high = points[np.argmax(points[:, 1])]
    assert 0.0 < arm.place_of(high).y() < 0.15 * arm.panes[0].height()
    arm.bench.state.update(methods=("compensated",))
    assert controls.isVisible()
    assert arm.bench.panes.foot == 0.0


def test_f_and_a_double_click_frame_the_selected_joint(arm):
    arm.click_joint("index_03")
    arm.focus_panes()
    arm.key("F")
    points = framing.joint_points(
        arm.bench.stage.deformer, arm.bench.stage.frame, arm.joint("index_03")
    )
    framed = arm.state.camera
    share, inside = fills(arm, points)
    assert inside
    assert share > 0.5
    arm.key("A")
    assert arm.state.camera.distance > framed.distance
    at = arm.panes[0].topLeft().toPoint() + QPoint(20, 20)
    QTest.mouseDClick(arm.canvas, LEFT, NONE, at)
    assert arm.state.camera.distance == pytest.approx(framed.distance, rel=0.05)


# --- picking -------------------------------------------------------------------------------------


def head_of(hands, name, share=0.0):
    """Return where a joint is in model space, or a place along its bone."""
    deformer = hands.bench.stage.deformer
    bones = deformer.posed_bones(hands.bench.stage.frame)
    row = list(deformer.skeleton.joints).index(hands.joint(name))
    return bones.heads[row] + share * bones.lengths[row] * bones.directions[row]


@pytest.mark.parametrize("pane", [0, 2])
@pytest.mark.parametrize(("name", "share"), [("lowerarm", 0.0), ("upperarm", 0.0), ("hand", 0.5)])
def test_a_click_on_a_joint_or_its_bone_selects_it_and_its_pane(arm, name, share, pane):
    click(arm.canvas, arm.place_of(head_of(arm, name, share), pane))
    assert arm.state.joint == arm.joint(name)
    assert arm.state.vertex is None
    assert arm.state.pane == pane
    assert arm.bench.tree.tree.currentItem().text(0) == name


def test_a_click_beside_everything_selects_nothing(arm):
    arm.click_joint("hand")
    click(arm.canvas, QPointF(3, 3))
    assert arm.state.joint is None
    assert arm.state.vertex is None


def test_a_drag_selects_nothing(arm):
    arm.click_joint("hand")
    drag(arm.canvas, QPointF(10, 10), QPointF(60, 40))
    assert arm.state.joint == arm.joint("hand")


def test_a_selected_joint_is_named_on_the_picture(arm):
    at = arm.place_of(head_of(arm, "hand")).toPoint()
    around = slice(max(at.y() - 20, 0), at.y() + 40), slice(max(at.x() - 10, 0), at.x() + 60)
    accent = theme("dark")["accent"]
    before = arm.picture(0)[around]
    arm.click_joint("hand")
    assert near(arm.picture(0)[around], accent, 40) > near(before, accent, 40)


def test_escape_takes_back_one_thing_at_a_time(arm, samples):
    arm.click_joint("hand")
    arm.bench.message.show_message("error", "title", "reason")
    press_key("Escape", arm.canvas)
    assert not arm.bench.message.isVisible()
    assert arm.state.joint == arm.joint("hand")
    press_key("Escape", arm.canvas)
    assert arm.state.joint is None
