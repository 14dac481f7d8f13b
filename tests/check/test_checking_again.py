"""A rig that is checked for another target is not measured again while its facts are kept."""

from dataclasses import replace
from pathlib import Path

import pytest

from rigview.check.run import run
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
MEASURED = ("DEF-COLLAPSE", "DEF-VOLUME", "DEF-BULGE")


def told(report):
    return [(found.rule, found.key, found.message) for found in report.findings]


# Of the second one, rules leave out vertices that others name.
@pytest.mark.parametrize("name", ["arm", "faulty_arm"])
def test_the_joints_are_measured_once(name, skinned):
    # One that no other test has measured.
    rig = replace(load(SAMPLES / f"{name}.glb").rig)
    first = run(rig, select=MEASURED)
    before = sum(skinned)
    second = run(rig, select=MEASURED)
    assert told(second) == told(first)
    assert first.findings
    assert sum(skinned) - before < 0.35 * before


def test_other_vertices_left_out_are_measured_anew():
    rig = load(SAMPLES / "faulty_arm.glb").rig
    whole = replace(load(SAMPLES / "arm.glb").rig)
    for one in (rig, whole, rig):
        assert told(run(one, select=MEASURED)) == told(run(replace(one), select=MEASURED))
