"""The clip measured along its length: the bulge lane, the worst frame, and the plots of figures."""

import numpy as np
import pytest
from hands import pick_segment, until

from rigview.ui.panels.plot_kinds import KINDS

pytestmark = pytest.mark.window


@pytest.fixture
def eager(hands):
    """Hands at a window that scans clips at once; elsewhere scans are held back."""
    held_back = hands.bench.scanner.quiet_timer.interval()
    hands.bench.scanner.quiet_timer.setInterval(10)
    yield hands
    hands.bench.scanner.quiet_timer.setInterval(held_back)


@pytest.fixture
def scanned(eager, samples):
    eager.open(samples / "cylinder_narrow.glb")
    until(lambda: eager.bench.scanner.scan is not None)
    return eager


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


def test_figures_of_the_whole_body_have_no_limit(scanned):
    graph = scanned.bench.plots.graph
    scanned.bench.state.update(joint=scanned.joint("upper"))
    for label in ("Bulge", "Rotation", "Weights"):
        pick_segment(scanned.bench.plots.kind, [kind.label for kind in KINDS].index(label))
        assert graph.isVisible()
        assert not graph.limit.isVisible()
    scanned.bench.plots.kind.select(0)
