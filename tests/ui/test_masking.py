"""Painting the mask of compensation in the window: brush, joint, undo, and the saved copy."""

import numpy as np
import pytest
from hands import click, drag, until
from PySide6.QtCore import QPointF

from rigview.core.mask import mask_of
from rigview.core.skinning import METHODS, Options
from rigview.io import load

pytestmark = pytest.mark.window


@pytest.fixture
def painting(arm):
    arm.focus_panes()
    arm.key("P")
    assert arm.bench.brush_strip.isVisible()
    yield arm
    arm.bench.masker.leave()


def mask(hands):
    return mask_of(hands.rig, hands.rig.parts[0])


def stroke(hands, joint, pane=2):
    """Drag the brush over a joint."""
    node = hands.bench.stage.frame.model_from_node[hands.joint(joint)]
    place = hands.place_of(node[:3, 3], pane)
    before = hands.bench.document.deformer
    drag(hands.canvas, place - QPointF(6, 0), place + QPointF(6, 0))
    until(lambda: hands.bench.document.deformer is not before)
    hands.rest()
    return place


def test_a_stroke_paints_what_is_under_it_and_is_one_undo_step(painting):
    camera = painting.state.camera
    place = stroke(painting, "lowerarm")
    touched = np.flatnonzero(mask(painting) == 0.0)
    assert 20 < len(touched) < len(mask(painting)) / 2
    assert painting.state.camera == camera
    stage = painting.bench.stage
    skinned = stage.deformer.skin_all(stage.frame, METHODS["compensated"], Options())
    positions = skinned[0].positions
    for vertex in touched[::10]:
        away = painting.place_of(positions[vertex], 2) - place
        assert np.hypot(away.x(), away.y()) <= painting.state.brush.radius + 8
    painting.key("Ctrl+Z")
    assert (mask(painting) == 1.0).all()
    painting.key("Ctrl+Shift+Z")
    assert (mask(painting) == 0.0).sum() == len(touched)


def test_the_selected_joint_is_set_by_its_weights(painting):
    painting.click_joint("hand")
    painting.bench.brush_strip.value.setValue(0.5)
    painting.bench.brush_strip.joint_asked.emit()
    until(lambda: painting.document.is_changed)
    share = painting.bench.stage.deformer.joint_weights(0, painting.joint("hand"))
    np.testing.assert_allclose(mask(painting), 1.0 - 0.5 * share, atol=1e-9)
    painting.bench.brush_strip.value.setValue(0.0)


@pytest.mark.thorough
def test_the_mask_is_fitted_to_flesh_in_the_background_and_that_can_be_stopped(arm):
    before = arm.document.deformer
    arm.window.commands.actions["calibrate_mask"].trigger()
    until(lambda: any(not job.quiet for job in arm.bench.jobs.running))
    assert arm.bench.cancel_work()
    arm.rest()
    assert arm.document.deformer is before
    arm.bench.masker.calibrate(spacing=1.0)
    until(lambda: arm.document.deformer is not before or "fitted" in arm.bench.status.said.text())
    arm.rest()
    assert "of the radius off at 75°" in arm.bench.status.said.text()
    fitted = mask(arm)
    assert 0.0 <= fitted.min() < fitted.max() <= 1.0
    arm.key("Ctrl+Z")
    assert (mask(arm) == 1.0).all()


def test_the_copy_holds_the_mask(painting, tmp_path):
    stroke(painting, "lowerarm")
    copy = tmp_path / "masked.glb"
    painting.bench.saver.write(copy)
    until(copy.exists)
    painting.rest()
    again = load(copy).rig
    np.testing.assert_allclose(mask_of(again, again.parts[0]), mask(painting), atol=1e-6)


def test_done_lets_a_drag_orbit_again(painting):
    strip = painting.bench.brush_strip
    click(strip.done)
    assert not strip.isVisible()
    assert painting.state.shading != "mask"
    camera = painting.state.camera
    area = painting.panes[0]
    drag(painting.canvas, area.center(), area.center() + QPointF(60, 0))
    assert painting.state.camera != camera
    assert (mask(painting) == 1.0).all()
