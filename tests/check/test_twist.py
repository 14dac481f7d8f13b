"""A bone that is aimed along its axis is not left twisted against its neighbours."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs

sys.path.append(str(Path(__file__).parents[2] / "samples"))
from draft import draft, written
from rigview.check.applying.dryrun import dry_run
from rigview.check.rig_edits.reframe import FrameTurn, reframe
from rigview.check.run import run
from rigview.core import quat
from rigview.io import load

RULES = ("ORI-PRIMARY", "ORI-ROLL")
UP = np.array([0.0, 1.0, 0.0])


@pytest.fixture
def tube(tmp_path):
    """Return a sound tube over four joints whose +Y runs along their bones, and its first three joints."""
    path = tmp_path / "rig.glb"
    path.write_bytes(written(draft()))
    rig = load(path).rig
    return rig, rig.skins[0].joints[:3]


def about(axis, degrees):
    return quat.from_axis_angle(axis, np.radians(degrees))


def off_axis(rng, twist):
    """Return a turn that takes a bone off its axis by 40°, whatever is done about the bone."""
    lean = about((np.cos(a := rng.uniform(0.0, 2.0 * np.pi)), 0.0, np.sin(a)), 40.0)
    return FrameTurn(
        quat.multiply(quat.multiply(about(UP, twist), lean), about(UP, rng.uniform(0, 360)))
    )


def found(rig, rule):
    return run(rig, select=[rule]).findings


@pytest.mark.parametrize("spoilt", [(0,), (1,), (0, 1), (1, 2), (0, 2)])
@pytest.mark.parametrize("seed", range(4))
def test_a_bone_that_was_turned_away_comes_back_without_a_twist(tube, spoilt, seed):
    rig, joints = tube
    rng = np.random.default_rng(seed)
    away = reframe(rig, {joints[i]: off_axis(rng, 0.0) for i in spoilt})
    assert [f.rule for f in run(away, select=RULES).findings][:1] == ["ORI-PRIMARY"]
    fixed = away
    while findings := found(fixed, "ORI-PRIMARY"):
        fixed = findings[0].fix.repair(fixed)
    assert found(fixed, "ORI-ROLL") == ()
    assert dry_run(away, fixed).exact


def test_a_bone_between_two_that_are_twisted_takes_the_middle(tube):
    rig, joints = tube
    # The third is twisted by 50° against the first: each step is to be at most 30°.
    twisted = reframe(rig, {joints[2]: FrameTurn(about(UP, 50.0))})
    away = reframe(twisted, {joints[1]: off_axis(np.random.default_rng(3), 100.0)})
    fixed = found(away, "ORI-PRIMARY")[0].fix.repair(away)
    assert found(fixed, "ORI-ROLL") == ()


@pytest.mark.parametrize("turned", [1, 2])
def test_finding_and_fix_count_the_same_joints(tube, turned):
    """One turned joint in the middle of a chain is two twists, which one turn takes back."""
    rig, joints = tube
    twisted = reframe(rig, {joints[turned]: FrameTurn(about(UP, 50.0))})
    (finding,) = found(twisted, "ORI-ROLL")
    number = len(finding.joints)
    joint_s = f"{number} joint" + "s" * (number > 1)
    assert finding.message.startswith(f"{joint_s} of ")
    assert finding.fix.label.startswith(f"Untwist {joint_s}")
    fixed = finding.fix.repair(twisted)
    moved = (fixed.nodes.rotations != twisted.nodes.rotations).any(axis=1)
    assert finding.fix.label.endswith(", turning 1") == (number == 2)
    assert moved.any()
    assert found(fixed, "ORI-ROLL") == ()


def test_what_is_twisted_by_less_than_the_limit_stays(tube):
    rig, joints = tube
    away = reframe(
        rig, {joints[1]: FrameTurn(quat.multiply(about(UP, 25.0), about((1, 0, 0), 40.0)))}
    )
    (finding,) = found(away, "ORI-PRIMARY")
    fixed = finding.fix.repair(away)
    wanted = reframe(rig, {joints[1]: FrameTurn(about(UP, 25.0))})
    assert rigs.same(replace(fixed, clips=()), replace(wanted, clips=()), 1e-9)
