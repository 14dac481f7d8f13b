"""Every method in a pane, with the options that it minds; those that take long come in a worker."""

import threading

import numpy as np
import pytest
from hands import choose, until

from rigview.core.deform import Deformer
from rigview.core.skinning import METHODS

pytestmark = pytest.mark.window


@pytest.fixture
def bent(arm):
    arm.bench.state.update(time=1.5)
    yield arm
    arm.bench.state.update(methods=("lbs", "dqs", "compensated"), pane=0)
    arm.rest()


def header(hands, pane=2):
    return hands.bench.headers.headers[pane]


def test_every_method_can_be_chosen_and_is_drawn(bent):
    seen = []
    for method in METHODS.values():
        choose(header(bent).method, method.label)
        until(lambda m=method: bent.bench.stage.methods[2] == m.id)
        bent.rest()
        seen.append(bent.picture(2))
    assert len({picture.tobytes() for picture in seen}) == len(METHODS)
    assert all(np.ptp(picture) > 100 for picture in seen)


def test_a_method_that_takes_long_is_computed_in_a_worker_and_shown_linearly_meanwhile(
    bent, monkeypatch
):
    release, threads = threading.Event(), []
    really = Deformer.prepare

    def slow(self, method, progress=None):
        threads.append(threading.current_thread())
        release.wait(30)
        really(self, method, progress)

    fresh = Deformer(bent.rig)
    monkeypatch.setattr(Deformer, "prepare", slow)
    bent.bench.document.replace(fresh, "nothing")
    choose(header(bent).method, "CoR")
    until(lambda: threads)
    assert bent.bench.stage.methods[2] == "lbs"
    assert "shown linearly" in header(bent)._numbers.text()
    release.set()
    until(lambda: bent.bench.stage.methods[2] == "centres")
    assert threading.main_thread() not in threads


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("LBS", set()),
        ("Compensated", {"strength"}),
        ("Capsule", {"strength", "crease"}),
        ("Blend", {"blend"}),
    ],
)
def test_a_pane_offers_the_options_that_its_method_minds(bent, label, shown):
    bent.bench.state.update(methods=("lbs", "lbs", "lbs"), pane=2)
    choose(header(bent).method, label)
    controls = bent.bench.compensation
    assert {o for o, row in controls.rows.items() if row.isVisible()} == shown
    assert controls.isVisible() == bool(shown)
    for option in shown:
        controls.rows[option].slider.setValue(25)
        assert getattr(bent.state.options, option) == 0.25
    bent.bench.state.update(options=type(bent.state.options)())
