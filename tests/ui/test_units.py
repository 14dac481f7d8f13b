"""Unit and up axis: what the file says is shown, and the user may know better."""

import numpy as np
import pytest
from hands import click, until

pytestmark = pytest.mark.window


def test_another_unit_opens_the_file_in_another_size(arm):
    assert "metres" in arm.bench.status.facts.text()
    size = arm.bench.stage.deformer.size
    arm.menu("File", "Unit and axes…")
    until(lambda: arm.dialog is not None)
    dialog = arm.dialog
    dialog.unit.setCurrentIndex(3)
    dialog.up.setCurrentIndex(2)
    click(dialog.again)
    until(lambda: arm.bench.stage.deformer.size < 0.1 * size)
    arm.rest()
    assert arm.bench.stage.deformer.size == pytest.approx(0.01 * size)
    assert "centimetres" in arm.bench.status.facts.text()
    # The character fills the pane as before.
    points = arm.bench.stage.deformer.rest_positions
    places = [arm.place_of(p) for p in (points.min(axis=0), points.max(axis=0))]
    apart = np.hypot(places[1].x() - places[0].x(), places[1].y() - places[0].y())
    assert apart > 0.3 * arm.panes[0].height()
    # Reading it again keeps what was chosen.
    arm.key("Ctrl+R")
    until(lambda: not arm.bench.opener.is_busy)
    assert arm.bench.stage.deformer.size == pytest.approx(0.01 * size)


def test_the_file_itself_is_believed_again_when_it_is_opened_anew(arm, samples):
    arm.open(samples / "box.glb")
    arm.open(samples / "arm.glb")
    assert "metres" in arm.bench.status.facts.text()
    assert "centimetres" not in arm.bench.status.facts.text()
