"""Characters that rest in the middle of a clip are judged as they were bound."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "samples"))
import quaternions as qt
from draft import figure, globals_of, written
from rigview.check.run import run
from rigview.io import load

SHINS = [5, 9]


@pytest.fixture
def rig_of(tmp_path):
    """Return the rig of a draft, as if a file of that format had stated it."""

    def make(draft, form="glTF"):
        path = tmp_path / "rig.glb"
        path.write_bytes(written(draft))
        rig = load(path).rig
        return replace(rig, origin=replace(rig.origin, format=form))

    return make


def found(rig, rule):
    return [f for f in run(rig, select=[rule]).findings if f.rule == rule]


def lying():
    """Return a figure that rests on its back, and was bound upright."""
    draft = figure()
    back = qt.about((1.0, 0.0, 0.0), -90.0)
    draft.rotations[0] = qt.multiply(back, draft.rotations[0])
    return draft


def crossed():
    """Return a figure whose shins rest crossed, and were bound apart."""
    draft = figure()
    draft.translations[SHINS, 0] += (-0.3, 0.3)
    return draft


def test_a_body_that_was_bound_upright_may_rest_in_any_pose(rig_of):
    assert not found(rig_of(lying(), "FBX"), "ORI-UPFWD")


def test_what_a_gltf_shows_counts_since_nothing_says_how_its_mesh_stood(rig_of):
    assert found(rig_of(lying()), "ORI-UPFWD")


def test_a_body_that_was_bound_lying_lies(rig_of):
    draft = lying()
    draft.binds = np.linalg.inv(globals_of(draft))
    assert found(rig_of(draft, "FBX"), "ORI-UPFWD")


def test_a_body_that_no_mesh_binds_is_judged_as_it_rests(rig_of):
    draft = lying()
    draft.binds = None
    assert found(rig_of(draft, "FBX"), "ORI-UPFWD")


def test_shins_that_only_rest_crossed_are_on_their_own_sides(rig_of):
    assert not found(rig_of(crossed()), "HIE-SIDE")


def test_shins_that_were_bound_crossed_are_on_each_others_side(rig_of):
    draft = crossed()
    draft.binds = np.linalg.inv(globals_of(draft))
    (finding,) = found(rig_of(draft), "HIE-SIDE")
    assert finding.severity is None
    assert len(finding.joints) == 2
