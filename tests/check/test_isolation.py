"""One rule's error does not end the check of a file, and what caused two such errors is mended."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rigs import Sketch

from rigview.check.applying.repair import repair
from rigview.check.isolation import RAISE
from rigview.check.rule import PROFILES
from rigview.check.rules import roll
from rigview.check.run import run
from rigview.core.pose import LARGEST, model_from_nodes, rest_pose
from rigview.core.rig import Rig, Skin
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"


def chain(joints, scale):
    """Return a chain of joints, each scaled by a factor within the one above."""
    sketch, above = Sketch(), -1
    for i in range(joints):
        above = sketch.add(f"joint {i}", above, (0, 1, 0), scale=scale)
    nothing = (None,) * joints
    skin = Skin("Skin", tuple(range(joints)), None)
    return Rig(sketch.nodes(), nothing, nothing, sketch.roots, (), (skin,))


@pytest.fixture
def biped():
    return load(SAMPLES / "biped.glb").rig


def fails(*_):
    raise ArithmeticError("no such\nangle")


@pytest.mark.parametrize("scale", [1e12, -1e12, 3e38])
def test_scales_that_multiply_beyond_every_number_are_checked(scale):
    rig = chain(30, scale)
    assert np.abs(model_from_nodes(rig, rest_pose(rig))).max() == LARGEST
    assert {"SCL-SKIN"} <= {finding.rule for finding in run(rig).findings}


def test_a_body_whose_vertices_stand_in_one_place_is_said_to_have_no_height(biped):
    for i, mesh in enumerate(biped.meshes):
        for j, primitive in enumerate(mesh.primitives):
            flat = replace(primitive, positions=np.zeros_like(primitive.positions))
            biped = biped.with_primitive(i, j, flat)
    finding = next(f for f in run(biped, select=["SCL-UNIT"]).findings if f.unit == "m")
    assert (finding.value, finding.fix.kind) == (0.0, "none")


def test_a_body_whose_joints_stand_in_one_place_is_checked(biped):
    flat = replace(biped.nodes, translations=np.zeros_like(biped.nodes.translations), matrices={})
    run(replace(biped, nodes=flat))


def test_a_rule_that_fails_is_a_finding_and_the_others_are_evaluated(biped, monkeypatch):
    monkeypatch.setenv(RAISE, "0")
    sound = run(biped)
    monkeypatch.setattr(roll, "_twists", fails)
    report = run(replace(biped))
    failures = [finding for finding in report.findings if finding.failure]
    assert "ORI-ROLL" in {failure.rule for failure in failures}
    for failure in failures:
        assert "ArithmeticError: no such angle" in failure.message
        assert failure.message.endswith("please report it")
        assert failure.object == f"rule {failure.rule}"
    failed = {failure.rule for failure in failures}
    kept = [(f.rule, f.message) for f in sound.findings if f.rule not in failed]
    assert [(f.rule, f.message) for f in report.findings if not f.failure] == kept


def test_no_setting_makes_less_than_an_error_of_a_rule_that_fails(biped, monkeypatch):
    monkeypatch.setenv(RAISE, "0")
    monkeypatch.setattr(roll, "_twists", fails)
    lenient = replace(PROFILES["gltf"], severities={"ORI-ROLL": "info"})
    report = run(biped, lenient, select=["ORI-ROLL"])
    assert [report.severity(finding) for finding in report.findings] == ["error"]


def test_a_rule_that_fails_keeps_no_other_from_being_fixed(monkeypatch):
    monkeypatch.setenv(RAISE, "0")
    monkeypatch.setattr(roll, "_twists", fails)
    broken = load(SAMPLES / "broken" / "WGT-DUP.glb").rig
    assert "WGT-DUP" in {applied.finding.rule for applied in repair(broken).applied}


def test_in_tests_an_error_of_a_rule_is_raised(biped, monkeypatch):
    monkeypatch.setattr(roll, "_twists", fails)
    with pytest.raises(ArithmeticError):
        run(biped, select=["ORI-ROLL"])
