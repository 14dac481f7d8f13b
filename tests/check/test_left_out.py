"""Rules about what vertices make together leave out those whose own influences are at fault."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.check.run import run
from rigview.core.mesh import Influences
from rigview.core.rig import Rig
from rigview.io import load

BROKEN = Path(__file__).parents[2] / "samples" / "broken"
# Where a vertex of its own goes wrong, and what that makes of one: its joints and weights.
WRONG = {
    "WGT-ZERO": lambda joints, weights: (joints, 0.0 * weights),
    "WGT-RANGE": lambda joints, weights: (joints, weights * np.nan),
    "WGT-SUM": lambda joints, weights: (joints, 0.5 * weights),
    "HIE-OOB": lambda joints, weights: (joints + 90 * (weights > 0.0), weights),
}
JUDGED = ("WGT-STRAY", "WGT-SEAM", "WGT-SORT", "DEF-VOLUME")


def sample(rule):
    return load(BROKEN / f"{rule}.glb").rig


def spoilt(rig: Rig, vertices, fault) -> Rig:
    primitive = rig.meshes[0].primitives[0]
    joints, weights = primitive.influences.joints.copy(), primitive.influences.weights.copy()
    joints[vertices], weights[vertices] = WRONG[fault](joints[vertices], weights[vertices])
    return rig.with_primitive(0, 0, replace(primitive, influences=Influences(joints, weights)))


def sound_vertex(rig: Rig, rule: str) -> int:
    """Return a vertex low on the limb that the sample's own finding does not name."""
    finding = next(f for f in run(rig, select=[rule]).findings)
    named = set(finding.vertices.ids) if finding.vertices else set()
    order = np.argsort(rig.meshes[0].primitives[0].positions[:, 1], kind="stable")
    return next(int(v) for v in order if int(v) not in named)


@pytest.mark.parametrize(
    ("rule", "fault"),
    # A sum that is off leaves the shares as they are: rules about those judge it.
    [(r, f) for r in JUDGED for f in WRONG if f != "WGT-SUM" or r.startswith("DEF-")],
)
def test_one_vertex_at_fault_does_not_hide_what_is_wrong_elsewhere(rule, fault):
    rig = sample(rule)
    (before,) = run(rig, select=[rule]).findings
    report = run(spoilt(rig, [sound_vertex(rig, rule)], fault))
    (after,) = (f for f in report.findings if f.rule == rule)
    assert after.joints == before.joints
    assert after.value == pytest.approx(before.value, rel=0.05)
    assert [f.rule for f in report.findings if f.rule == fault] == [fault]


@pytest.mark.parametrize("fault", WRONG)
def test_what_was_left_out_is_said_where_nothing_was_found(fault):
    rig = load(BROKEN.parent / "arm.glb").rig
    assert not [rule for rule, _ in run(rig).not_evaluated if rule.startswith("DEF-")]
    told = dict(run(spoilt(rig, [3, 4], fault)).not_evaluated)
    assert told["DEF-STRETCH"] == f"2 vertices that {fault} names are left out"


@pytest.mark.parametrize("fault", WRONG)
def test_a_vertex_at_fault_is_no_fault_of_the_shape(fault):
    rig = load(BROKEN.parent / "arm.glb").rig
    before = {f.rule for f in run(rig).findings}
    after = run(spoilt(rig, [3, 4, 5], fault))
    assert {f.rule for f in after.findings} - before == {fault}


def test_a_rig_of_which_every_vertex_is_at_fault_has_no_shape_to_judge():
    rig = load(BROKEN.parent / "arm.glb").rig
    every = np.arange(len(rig.meshes[0].primitives[0].positions))
    report = run(spoilt(rig, every, "WGT-ZERO"))
    assert not [f for f in report.findings if f.rule.startswith(("DEF-", "WGT-S"))]
    assert "DEF-VOLUME" in dict(report.not_evaluated)
