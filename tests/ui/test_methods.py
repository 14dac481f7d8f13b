"""Every method in a pane, with the options that it minds; those that take long come in a worker."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from hands import choose, click, pick_segment, until

from rigview.core.deform import Deformer
from rigview.core.methods.bulge import POLYNOMIALS
from rigview.core.skinning import METHODS, Options
from rigview.render.session import from_text
from rigview.ui.workers.restoring import view_of

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
    assert "shown linearly" in header(bent).words
    release.set()
    until(lambda: bent.bench.stage.methods[2] == "centres")
    assert threading.main_thread() not in threads


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("LBS", set()),
        ("Compensated", {"strength"}),
        ("Capsule", {"strength"}),
        ("Blend", {"blend"}),
    ],
)
def test_a_pane_offers_the_options_that_its_method_minds(bent, label, shown):
    bent.bench.state.update(methods=("lbs", "lbs", "lbs"), pane=2)
    choose(header(bent).method, label)
    controls = bent.bench.method_controls
    assert {o for o, row in controls.rows.items() if row.isVisible()} == shown
    assert controls.isVisible() == bool(shown)
    for option in shown:
        controls.rows[option].slider.setValue(25)
        assert getattr(bent.state.options, option) == 0.25
    bent.bench.state.update(options=type(bent.state.options)())


def further(hands):
    """The panel of further options, opened."""
    controls = hands.bench.method_controls
    click(controls.more)
    until(controls.further.isVisible)
    return controls.further


def shown_rows(panel):
    return {option for option, (name, _) in panel.rows.items() if name.isVisible()}


def test_what_a_method_minds_beyond_its_sliders_is_behind_a_button(bent):
    bent.bench.state.update(pane=2)
    panel = further(bent)
    assert shown_rows(panel) == {"polynomial", "angle", "axis", "scale"}
    plain = bent.picture(2)
    choose(panel.polynomial, "P0")
    pick_segment(panel.angle, 1)
    pick_segment(panel.scale, 1)
    options = bent.state.options
    assert (options.polynomial, options.angle, options.scale) == ("p0", "slide", "origin")
    assert [field.value() for field in panel.coefficients] == list(POLYNOMIALS["p0"])
    assert (bent.picture(2) != plain).any()
    panel.coefficients[1].setValue(-3.5)
    assert bent.state.options.polynomial == (2.29, -3.5, 9.12)
    assert panel.polynomial.currentText() == "Own"
    # What is set comes back with the picture that it was set for.
    restored = view_of(from_text(bent.bench.exporter.session().text()), bent.rig)
    assert restored["options"] == bent.state.options
    choose(panel.polynomial, "P1")
    assert bent.state.options.polynomial == "p1"
    panel.close()
    bent.bench.state.update(options=Options())


def test_dual_quaternions_have_the_button_alone_and_only_where_they_are_chosen(bent):
    bent.bench.state.update(methods=("lbs", "dqs", "compensated"), pane=1)
    controls = bent.bench.method_controls
    assert not any(row.isVisible() for row in controls.rows.values())
    panel = further(bent)
    assert shown_rows(panel) == {"scale"}
    panel.close()
    bent.bench.state.update(pane=0)
    assert controls.rows["strength"].isVisible()


@pytest.mark.parametrize("asked", [None, "blended"])
def test_a_pane_is_skinned_as_the_file_asks(bent, asked):
    rig = bent.rig
    meshes = tuple(
        replace(m, primitives=tuple(replace(p, method=asked) for p in m.primitives))
        for m in rig.meshes
    )
    bent.bench.document.replace(Deformer(replace(rig, meshes=meshes)), "Ask for a method")
    until(lambda: bent.bench.document.deformer is bent.bench.stage.deformer)
    # A blend that was set for panes is not what the file asks for.
    options = Options(blend=0.9)
    as_asked = asked or "lbs"
    bent.bench.state.update(methods=("lbs", "dqs", as_asked), options=Options(), pane=2)
    bent.rest()
    wanted = bent.picture(2)
    choose(header(bent).method, "As the file")
    bent.bench.state.update(options=options)
    bent.rest()
    assert METHODS[as_asked].label in header(bent).words
    assert (bent.picture(2) == wanted).mean() > 0.999
    assert not bent.bench.method_controls.rows["blend"].isVisible()
    bent.bench.state.update(options=Options())
