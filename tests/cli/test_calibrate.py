"""``rigview calibrate``: a mask fitted to flesh, what it gains, and what cannot be fitted."""

from pathlib import Path

import jointed_tubes
import numpy as np
import pytest

from rigview.io import Loaded, load, save


@pytest.fixture
def tube(tmp_path):
    """A file of a tube that one joint bends."""
    path = tmp_path / "tube.glb"
    rig = jointed_tubes.rig_of(jointed_tubes.tube(around=12, rings=33))
    save(Loaded(Path("tube.fbx"), rig, None), rig, path)
    return path


def test_a_copy_gets_a_mask_and_what_it_gains_is_told(rigview, tube, tmp_path):
    out = tmp_path / "out.glb"
    got = rigview("calibrate", tube, "-o", out, "--spacing", 0.6, "--method", "capsule", "--json")
    assert got.status == 0
    (joint,) = got.json["joints"]
    assert joint["joint"] == "joint"
    assert joint["calibrated"] < joint["dqs"]
    assert got.json["held_degrees"] not in got.json["fitted_degrees"]
    mask = load(out).rig.meshes[0].primitives[0].compensation
    assert mask.min() < mask.max()
    before = load(tube).rig.meshes[0].primitives[0]
    assert np.array_equal(load(out).rig.meshes[0].primitives[0].positions, before.positions)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--method", "dqs"], "no strength of dqs can be fitted; there are compensated, capsule"),
        (["--joints", "elbow"], "no joint elbow"),
        (["--joints", "root"], "no joint could be fitted (root: "),
        (["--spacing", "0"], "--spacing 0.0: wanted 0.1 to 1"),
    ],
)
def test_what_cannot_be_fitted_is_said(rigview, tube, arguments, words):
    got = rigview("calibrate", tube, *arguments)
    assert got.status == 2
    assert words in got.err
