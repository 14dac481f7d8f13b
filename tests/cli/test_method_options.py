"""Every method of the table, and every option of the methods, on the command line."""

import numpy as np
import pytest

from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options
from rigview.io import load

TIME = 1.75
FLAGS = {
    "strength": (["--strength", "0.3"], Options(strength=0.3)),
    "axis": (["--axis", "+x"], Options(axis="+x")),
    "scale": (["--scale", "origin"], Options(scale="origin")),
    "polynomial": (["--polynomial", "2,-8,8.5"], Options(polynomial=(2.0, -8.0, 8.5))),
    "angle": (["--angle", "slide"], Options(angle="slide")),
    "blend": (["--blend", "0.2"], Options(blend=0.2)),
}


@pytest.fixture
def baked(rigview, tmp_path, box):
    """Bake one pose of the box and return its positions."""

    def run(*arguments):
        out = tmp_path / "pose.npz"
        done = rigview("bake", box, "-o", out, "--time", TIME, *arguments)
        assert (done.status, done.err) == (0, "")
        with np.load(out) as arrays:
            return arrays["positions"]

    return run


def skinned(path, method, options):
    rig = load(path).rig
    deformer = Deformer(rig)
    frame = deformer.frame(sample(rig, rig.clips[0], TIME))
    return deformer.skin_all(frame, METHODS[method], options)[0].positions


def test_there_is_a_flag_for_every_option():
    assert set(FLAGS) == set(Options.__dataclass_fields__)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_baked_with_the_options_that_it_minds(baked, box, method):
    assert np.abs(baked("--method", method) - skinned(box, method, Options())).max() <= 1e-12
    for name in METHODS[method].options:
        arguments, options = FLAGS[name]
        got = baked("--method", method, *arguments)
        assert np.abs(got - skinned(box, method, options)).max() <= 1e-12


@pytest.mark.gl
def test_every_method_is_baked_by_the_shaders_and_shown_in_a_pane(rigview, tmp_path, baked, box):
    for method in METHODS:
        apart = baked("--method", method, "--backend", "gl") - baked("--method", method)
        assert np.abs(apart).max() <= 2e-5
    done = rigview(
        "shot", box, "-o", tmp_path / "a.png", "--panes", ",".join(METHODS), "--size", "960x120"
    )
    assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--strength", "1.5"], "the strength must be 0 to 1"),
        (["--blend", "-1"], "the blend must be 0 to 1"),
        (
            ["--polynomial", "p7"],
            "there is no polynomial p7: choose p1, p0, p2, c1 or three numbers",
        ),
        (["--polynomial", "1,2"], "there is no polynomial (1.0, 2.0)"),
        (["--polynomial", "1,2,nan"], "there is no polynomial (1.0, 2.0, nan)"),
        (["--method", "best"], "there is no method best; choose lbs, dqs, compensated"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_in_words(rigview, tmp_path, box, arguments, words):
    done = rigview("bake", box, "-o", tmp_path / "a.npz", *arguments)
    assert done.status == 2
    assert words in done.err
