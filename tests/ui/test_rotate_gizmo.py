"""Rings about the selected joint: a drag tries a rotation, Esc gives the old one back."""

import numpy as np
import pytest
from hands import ALT, CTRL, drag, press_key
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from rigview.core import quat
from rigview.render.rotate_rings import bend_and_twist


@pytest.fixture
def elbow(arm):
    """The lower arm selected at rest, with rings about it."""
    arm.click_joint("lowerarm")
    arm.bench.state.update(clip=None, time=0.0)
    arm.bench.panes.frame_selected()
    arm.focus_panes()
    arm.key("E")
    yield arm
    arm.bench.panes.gizmo.cancel()
    arm.bench.state.update(rotating=False, trial={})


def ends(hands, ring, by):
    """Return two places on a ring in the first pane, some of its points apart, on its near side."""
    panes, camera = hands.bench.panes, hands.state.camera
    area = panes.logical_panes()[0]
    rings = panes.gizmo.rings(area.height())
    seen = camera.project(rings.points(ring), area.width(), area.height())[:, :2]
    near = np.flatnonzero(rings.faces(ring, camera))
    found = []
    for start in near:
        places = [QPointF(*seen[i % 96]) + area.topLeft() for i in (start, start + by)]
        inside = panes.gizmo.hit(places[0], area) == ring and (start + by) % 96 in near
        found += [(np.hypot(*(seen[(start + by) % 96] - seen[start % 96])), places)] * inside
    # Where the ring runs across the line of sight, so that the cursor tells its angle.
    return max(found, key=lambda pair: pair[0])[1]


def joint_of(hands):
    return hands.joint("lowerarm")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("ring", [0, 1, 2])
def test_a_drag_on_a_ring_turns_the_joint_about_its_axis_and_is_not_saved(elbow, ring):
    start, end = ends(elbow, ring, 9)
    before = elbow.bench.stage.frame.pose.rotations[joint_of(elbow)]
    drag(elbow.bench.canvas, start, end)
    after = elbow.bench.stage.frame.pose.rotations[joint_of(elbow)]
    assert np.degrees(quat.angle_between(before, after)) == pytest.approx(9 * 360 / 96, abs=8.0)
    assert set(elbow.state.trial) == {joint_of(elbow)}
    bend, twist = bend_and_twist(
        elbow.bench.stage.deformer, elbow.bench.stage.frame, joint_of(elbow)
    )
    turned, still = (abs(twist), bend) if ring == 0 else (bend, abs(twist))
    assert turned > 20.0
    assert still < 1.0
    assert not elbow.bench.document.is_changed


def test_ctrl_snaps_to_fifteen_degrees(elbow):
    start, end = ends(elbow, 1, 9)
    drag(elbow.bench.canvas, start, end, held=CTRL)
    frame = elbow.bench.stage.frame
    bend, _ = bend_and_twist(elbow.bench.stage.deformer, frame, joint_of(elbow))
    assert bend > 10.0
    assert bend / 15.0 == pytest.approx(round(bend / 15.0), abs=1e-4)


def test_escape_gives_back_the_rotation_from_before_the_drag(elbow):
    joint = joint_of(elbow)
    elbow.bench.state.update(trial={joint: (5.0, 0.0, 0.0)})
    start, end = ends(elbow, 2, 9)
    drag(elbow.bench.canvas, start, end, release=False)
    assert elbow.state.trial[joint] != (5.0, 0.0, 0.0)
    press_key("Escape", elbow.bench.canvas)
    assert elbow.state.trial[joint] == (5.0, 0.0, 0.0)
    assert elbow.state.rotating
    QTest.mouseRelease(
        elbow.bench.canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end.toPoint()
    )
    assert elbow.state.trial[joint] == (5.0, 0.0, 0.0)
    press_key("Escape", elbow.bench.canvas)
    assert not elbow.state.rotating


def test_beside_the_rings_and_with_alt_a_drag_still_orbits(elbow):
    camera = elbow.state.camera
    start, end = ends(elbow, 1, 9)
    drag(elbow.bench.canvas, start, end, held=ALT)
    assert elbow.state.camera != camera
    assert elbow.state.trial == {}
    camera = elbow.state.camera
    area = elbow.bench.panes.logical_panes()[0]
    drag(elbow.bench.canvas, area.topLeft() + QPointF(8, 60), area.topLeft() + QPointF(40, 60))
    assert elbow.state.camera != camera


def test_without_a_joint_it_says_what_to_do(arm):
    arm.bench.state.update(joint=None, vertex=None, rotating=False)
    arm.focus_panes()
    arm.key("E")
    assert "Select a joint" in arm.bench.status.said.text()
    arm.bench.state.update(rotating=False)
