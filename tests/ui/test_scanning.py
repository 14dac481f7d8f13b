"""The clip measured along its length: the bulge lane, the worst frame, and the plots of figures."""

import numpy as np
import pytest
from hands import pick_segment, until

from rigview.core.measures.meter import Meter
from rigview.core.measures.scan import Comparison, read_frame
from rigview.core.pose import sample
from rigview.ui.panels.plot_kinds import KINDS

pytestmark = pytest.mark.window


@pytest.fixture
def eager(hands):
    """Hands at a window that scans clips at once; elsewhere scans are held back."""
    held_back = hands.bench.scanner._quiet.interval()
    hands.bench.scanner._quiet.setInterval(10)
    yield hands
    hands.bench.scanner._quiet.setInterval(held_back)


@pytest.fixture
def scanned(eager, samples):
    eager.open(samples / "cylinder_narrow.glb")
    until(lambda: eager.bench.scanner.scan is not None)
    return eager


@pytest.fixture
def bulging(eager, samples):
    """Hands at a window in which a joint bulges more than DEF-BULGE lets it, its bulge plotted."""
    eager.open(samples / "cylinder_wide.glb")
    eager.bench.checker.set_profile("dqs")
    until(lambda: eager.bench.scanner.scan is not None and eager.bench.checker.is_current)
    pick_segment(eager.bench.plots.kind, [kind.label for kind in KINDS].index("Bulge"))
    yield eager
    eager.bench.plots.kind.select(0)


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
    until(lambda: scanned.bench.scanner.scan is not None)
    assert scanned.bench.scanner.scan.clip is not old.clip


def test_findings_last_as_long_as_the_limit_is_broken(bulging):
    findings, stage = bulging.bench.timeline.ruler.lanes[1], bulging.bench.stage
    ((start, end, severity),) = findings.stretches
    found = bulging.finding("DEF-BULGE").finding
    assert severity == bulging.bench.checker.report.severity(found)
    assert start < found.time < end
    meter, comparison = Meter(stage.deformer), Comparison(("dqs",))

    def bulge(time):
        frame = stage.deformer.frame(sample(stage.rig, stage.clip, time))
        return read_frame(meter, frame, comparison)["dqs"].figures["bulge_99"]

    # Straight lines are drawn between the times of the scan: some tenths of a per cent off.
    assert bulge(start) == pytest.approx(found.limit, abs=5e-3)
    assert bulge(end) == pytest.approx(found.limit, abs=5e-3)
    assert bulge(0.5 * (start + end)) > found.limit


def test_a_limit_that_no_pane_s_method_is_held_to_is_not_drawn(bulging):
    graph = bulging.bench.plots.graph
    assert graph.limit.isVisible()
    assert graph.limit.value() == pytest.approx(100 * bulging.finding("DEF-BULGE").finding.limit)
    bulging.bench.state.update(methods=("lbs", "compensated"))
    until(lambda: bulging.bench.scanner.scan is not None)
    assert bulging.bench.timeline.ruler.lanes[1].stretches == []
    assert not graph.limit.isVisible()


def test_only_figures_have_a_limit(bulging):
    graph = bulging.bench.plots.graph
    bulging.bench.state.update(joint=bulging.joint("upper"))
    for label in ("Rotation", "Weights"):
        pick_segment(bulging.bench.plots.kind, [kind.label for kind in KINDS].index(label))
        assert graph.isVisible()
        assert not graph.limit.isVisible()
