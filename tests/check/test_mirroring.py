"""ORI-MIRROR asks whether axes were made mirrored, whatever pose the file rests or was bound in."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.check.rig_edits.reframe import FrameTurn, reframe
from rigview.check.run import run
from rigview.core import quat
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
SAMPLE = SAMPLES / "broken" / "ORI-MIRROR.glb"
BACK = quat.from_axis_angle((0.0, 1.0, 0.0), np.radians(-20.0))


@pytest.fixture
def figure():
    """Return a figure whose right arm's axes are turned by 20° against its left's, at rest and bound."""
    return load(SAMPLE).rig


def found(rig):
    return run(rig, select=["ORI-MIRROR"]).findings


def resting_turned_back(rig, joint):
    rotations = rig.nodes.rotations.copy()
    rotations[joint] = quat.multiply(rotations[joint], BACK)
    return replace(rig, nodes=replace(rig.nodes, rotations=rotations))


def bound_turned_back(rig, joint):
    (skin,) = rig.skins
    binds = skin.joint_from_mesh.copy()
    turn = np.eye(4)
    turn[:3, :3] = quat.to_matrix(BACK).T
    binds[skin.joints.index(joint)] = turn @ binds[skin.joints.index(joint)]
    return rig.with_skin(0, replace(skin, inverse_binds=binds))


def test_axes_that_mirror_neither_at_rest_nor_as_bound_are_found(figure):
    (finding,) = found(figure)
    assert finding.value == pytest.approx(20.0, abs=1e-3)


def test_a_file_that_rests_in_a_pose_is_asked_how_it_was_bound(figure):
    arm = found(figure)[0].joints[0]
    assert found(bound_turned_back(figure, arm)) == ()


def test_a_file_bound_in_a_pose_is_asked_how_it_rests(figure):
    arm = found(figure)[0].joints[0]
    assert found(resting_turned_back(figure, arm)) == ()


@pytest.mark.parametrize("side", ["l", "r"])
@pytest.mark.parametrize("axis", ["along", "across"])
def test_of_a_pair_the_joint_is_named_that_strays_from_its_neighbours(side, axis):
    rig = load(SAMPLES / "biped.glb").rig
    joint = rig.nodes.names.index(f"lowerarm_{side}")
    # Twisted by less than ORI-ROLL names, or off the bone by less than ORI-PRIMARY does.
    way, degrees = ((0.0, 1.0, 0.0), 20.0) if axis == "along" else ((1.0, 0.0, 0.0), 12.0)
    turned = reframe(rig, {joint: FrameTurn(quat.from_axis_angle(way, np.radians(degrees)))})
    (finding,) = found(turned)
    assert finding.joint == f"lowerarm_{side}"
    assert finding.value == pytest.approx(degrees, abs=0.1)
    fixed = finding.fix.repair(turned)
    before, after = (quat.to_matrix(r.nodes.rotations[joint]) for r in (rig, fixed))
    assert np.allclose(before, after, atol=1e-3)
