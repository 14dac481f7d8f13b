"""Skinning against results that Pixar's OpenUSD and Autodesk's Maya computed (corpus/golden)."""

import json

import numpy as np
import pytest

from rigview.core import skinning
from rigview.core.methods import bulge, palette
from rigview.core.methods.binding import Binding
from rigview.core.methods.posed import Posed
from rigview.core.skinning import Options

pytestmark = pytest.mark.corpus

CASES = {
    "openusd": ("lbs", "dqs"),
    "ufbx_maya": ("lbs", "dqs", "blend"),
}


def ranked(joints, weights):
    """Rank influences by weight, as binding a mesh does."""
    order = np.argsort(-weights, axis=1, kind="stable")
    v = len(weights)
    return Binding(
        np.take_along_axis(joints, order, axis=1),
        np.take_along_axis(weights, order, axis=1),
        np.zeros(v),
        np.zeros(v),
    )


def skinned(data, frame, method):
    matrices = data["joint_matrices"][frame]
    bound = ranked(data["joint_indices"].astype(int), data["joint_weights"].astype(float))
    points = data["points"].astype(float)
    # Curves are given as control points; their normals are of no interest here.
    posed = Posed(
        bound,
        palette.of_matrices(matrices),
        np.zeros((len(matrices), 3)),
        points,
        np.tile([0.0, 0.0, 1.0], (len(points), 1)),
        bulge.amplitudes(bound, "p1"),
    )
    return skinning.METHODS[method].skin(posed, Options(scale="origin")).positions


@pytest.fixture(scope="module")
def index(corpus):
    return json.loads((corpus / "golden" / "index.json").read_text(encoding="utf-8"))


def test_every_reference_is_of_a_known_kind(index):
    assert len(index) == 15
    for entry in index:
        family = next(f for f in CASES if entry["file"].startswith(f))
        assert entry["method"] in CASES[family]


@pytest.mark.parametrize("number", range(15))
def test_every_vertex_is_where_the_other_program_puts_it(corpus, index, number):
    entry = index[number]
    with np.load(corpus / "golden" / entry["file"]) as file:
        data = dict(file)
    assert len(data["expected"]) == entry["frames"]
    # Three times what a plain float64 evaluation reaches: the files hold float32, and Maya's are text.
    tolerance = 3.0 * entry["numpy_reference_max_abs_err"]
    worst = 0.0
    for frame, expected in enumerate(data["expected"]):
        if entry["method"] == "blend":
            share = data["dq_weight"].astype(float)[:, None]
            linear, dual = (skinned(data, frame, method) for method in ("lbs", "dqs"))
            got = linear + (dual - linear) * share
        else:
            got = skinned(data, frame, entry["method"])
        worst = max(worst, float(np.abs(got - expected).max()))
    assert worst <= tolerance


def test_the_references_would_catch_a_method_taken_for_the_other(corpus, index):
    for entry in index:
        if "lbs_max_abs_err" not in entry or entry["method"] != "dqs":
            continue
        with np.load(corpus / "golden" / entry["file"]) as file:
            data = dict(file)
        wrong = np.abs(skinned(data, 0, "lbs") - data["expected"][0]).max()
        assert wrong == pytest.approx(entry["lbs_max_abs_err"], rel=1e-3)
