"""The clip measured along its length: the bulge lane, the worst frame, and the plots of figures."""

import numpy as np
import pytest
from hands import click, pick_segment, until

from rigview.core.measures.meter import Meter
from rigview.core.measures.scan import Comparison, read_frame
from rigview.core.pose import sample
from rigview.ui.panels.plot_kinds import KINDS

pytestmark = pytest.mark.window


@pytest.fixture
def scanned(hands, samples):
    # Elsewhere scans are held back.
    held_back = hands.bench.scanner._quiet.interval()
    hands.bench.scanner._quiet.setInterval(10)
    hands.open(samples / "cylinder_narrow.glb")
    until(lambda: hands.bench.scanner.scan is not None)
    yield hands
    hands.bench.scanner._quiet.setInterval(held_back)


def test_the_worst_frame_is_where_the_chosen_pane_bulges_most(scanned):
    scanned.bench.state.update(pane=1)
    click(scanned.bench.timeline.worst)
    scan, stage = scanned.bench.scanner.scan, scanned.bench.stage
    bulge = scan.curves["dqs"].figures["bulge_worst"]
    assert scanned.state.time == pytest.approx(scan.times[np.argmax(bulge)])
    assert scanned.state.joint in stage.rig.joints
    # What the scan says of that time is what the core says of it.
    frame = stage.deformer.frame(sample(stage.rig, stage.clip, scanned.state.time))
    reading = read_frame(Meter(stage.deformer), frame, Comparison(("lbs", "dqs")))["dqs"]
    assert reading.figures["bulge_worst"] == pytest.approx(bulge.max())
    assert bulge.max() > 0.03


def test_figures_are_plotted_for_every_pane(scanned):
    labels = [kind.label for kind in KINDS]
    pick_segment(scanned.bench.plots.kind, labels.index("Bulge"))
    scan = scanned.bench.scanner.scan
    for curve, method in zip(scanned.bench.plots.graph.curves, scanned.state.methods, strict=False):
        x, y = curve.getData()
        np.testing.assert_allclose(x, scan.times * scanned.state.fps)
        np.testing.assert_allclose(y, 100 * scan.curves[method].figures["bulge_99"])
    scanned.bench.plots.kind.select(0)


def test_another_clip_is_scanned_anew(scanned):
    old = scanned.bench.scanner.scan
    scanned.bench.state.update(clip=2, time=0.0, pane=1)
    assert scanned.bench.scanner.scan is None
    assert not scanned.bench.timeline.worst.isEnabled()
    until(lambda: scanned.bench.scanner.scan is not None)
    assert scanned.bench.scanner.scan.clip is not old.clip
    assert scanned.bench.timeline.worst.isEnabled()


def test_the_lane_draws_the_curve(scanned):
    ruler = scanned.bench.timeline.ruler
    with_curve = ruler.grab().toImage()
    scanned.bench.state.update(clip=None, time=0.0)
    assert ruler.grab().toImage() != with_curve
