"""The camera goes with a change that moves or scales the character, and back with undo."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.core.deform import Deformer
from rigview.render.framing import visible_points
from rigview.ui.workers.camera_follow import sight


def moved(rig, *, by=(0.0, 0.0, 0.0), scale=1.0):
    """Return a rig whose roots stand elsewhere and are of another size."""
    nodes = rig.nodes
    roots = [i for i, parent in enumerate(nodes.parents) if parent < 0]
    translations, scales = np.array(nodes.translations), np.array(nodes.scales)
    translations[roots] = scale * translations[roots] + by
    scales[roots] *= scale
    still = replace(nodes, translations=translations, scales=scales)
    return replace(rig, nodes=still, clips=())


def seen(hands):
    stage = hands.bench.stage
    points = visible_points(stage.deformer, stage.frame, hands.state.hidden)
    return sight(hands.state.camera, points, hands.bench.panes.aspect)


CHANGES = ({"by": (30.0, 0.0, 0.0)}, {"scale": 100.0}, {"scale": 0.01})


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_that_moves_the_character_away_is_framed_and_undo_goes_back(arm, change):
    # Without clips there is nothing that keys would move back.
    arm.document.replace(Deformer(replace(arm.rig, clips=())), "Still")
    arm.focus_panes()
    arm.key("A")
    camera = arm.state.camera
    there = Deformer(moved(arm.rig, **change))
    arm.document.replace(there, "Move")
    assert seen(arm).share > 0.9
    assert 0.3 < seen(arm).size < 3.0
    followed = arm.state.camera
    assert followed != camera
    arm.key("Ctrl+Z")
    assert arm.state.camera == camera
    arm.key("Ctrl+Y")
    assert arm.state.camera == followed
    arm.key("Ctrl+Z")
    # One that somebody has turned is not taken back, unless nothing would be seen.
    turned = replace(arm.state.camera, yaw=1.0)
    arm.bench.state.update(camera=turned)
    arm.bench.stage.show_preview(there)
    assert seen(arm).share > 0.9
    arm.bench.stage.show_preview(None)
    assert arm.state.camera == turned


def test_a_change_that_leaves_the_character_in_view_leaves_the_camera(arm):
    arm.document.replace(Deformer(replace(arm.rig, clips=())), "Still")
    for distance in (1.0, 0.2):
        arm.focus_panes()
        arm.key("A")
        near = replace(arm.state.camera, distance=distance * arm.state.camera.distance)
        arm.bench.state.update(camera=near)
        arm.document.replace(Deformer(moved(arm.rig, by=(0.001, 0.0, 0.0))), "Nudge")
        assert arm.state.camera == near
        arm.document.undo()
        assert arm.state.camera == near
