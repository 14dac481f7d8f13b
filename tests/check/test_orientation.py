"""Rules about axes: joints that skins share, and rigs whose axes are mixed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs
from tidy import ARM, HAND, run, turned

from rigview.check.measures.axes import AXES, skin_axes
from rigview.check.measures.facts import measured
from rigview.check.rig_edits.reframe import FrameTurn, reframe
from rigview.core import quat
from rigview.core.arrays import unit
from rigview.io import load


@pytest.fixture(scope="module")
def biped():
    """Return a human figure without clips."""
    return replace(load(Path(__file__).parents[2] / "samples" / "biped.glb").rig, clips=())


def test_where_axes_are_mixed_dqs_does_not_warn():
    rig = turned(90.0)
    longer = rigs.with_nodes(
        rig,
        translations=rigs.with_row(rig.nodes.translations, HAND, 3 * rig.nodes.translations[HAND]),
    )
    report = run(longer, "dqs", select=["ORI-PRIMARY"])
    assert [report.severity(f) for f in report.findings] == ["info"]


def test_joints_share_one_axis_with_every_skin_that_shares_them():
    rig = turned(60.0)
    arms = replace(
        rig.skins[0], name="Arms", joints=(ARM, HAND), inverse_binds=rig.skins[0].inverse_binds[4:]
    )
    mesh = replace(rig.meshes[0], name="Sleeve")
    rig = replace(
        rig,
        skins=(*rig.skins, arms),
        meshes=(*rig.meshes, mesh),
        node_meshes=(1, *rig.node_meshes[1:]),
        node_skins=(1, *rig.node_skins[1:]),
    )
    joints = np.minimum(rig.meshes[1].primitives[0].influences.joints, 1)
    # Next to no weight, so that the chest's bone still leads to the head.
    weights = 1e-3 * rig.meshes[1].primitives[0].influences.weights
    rig = rigs.with_influences(rig, joints, weights, mesh=1)
    found = run(rig, select=["ORI-PRIMARY"]).findings
    assert [f.joints for f in found] == [(ARM,)]
    assert run(found[0].fix.repair(rig), select=["ORI-PRIMARY"]).findings == ()


def aside(rig, name, degrees):
    """Return the rig with the axes of a joint turned about X, and nothing moved."""
    turn = quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(degrees))
    return reframe(rig, {rig.nodes.names.index(name): FrameTurn(turn)})


@pytest.mark.parametrize(("name", "is_note"), [("pelvis", True), ("calf_l", False)])
def test_what_all_joints_hang_on_points_nowhere_for_certain(biped, name, is_note):
    rig = aside(biped, name, 40.0)
    report = run(rig, select=["ORI-PRIMARY"])
    (finding,) = report.findings
    assert report.is_note(finding) is is_note
    assert [rig.nodes.names[joint] for joint in finding.joints] == [name]
    assert run(finding.fix.repair(rig), select=["ORI-PRIMARY"]).findings == ()


def test_under_dqs_what_all_joints_hang_on_is_told(biped):
    report = run(aside(biped, "pelvis", 40.0), "dqs", select=["ORI-PRIMARY"])
    assert [report.is_note(finding) for finding in report.findings] == [False]


@pytest.mark.parametrize(("towards", "is_note"), [("thumb_01_l", True), ("lowerarm_l", False)])
def test_a_joint_whose_axis_runs_along_another_child_is_a_note(biped, towards, is_note):
    facts = measured(biped)
    hand, other = (biped.nodes.names.index(name) for name in ("hand_l", towards))
    heads = facts.deformer.rest_nodes[:, :3, 3]
    axis = AXES[facts.of_skin(skin_axes, 0).axis]
    # What turns the axis towards the child, in the frame of the hand.
    turn = quat.arc(axis, unit(heads[other] - heads[hand]) @ facts.frames[hand])
    rig = reframe(biped, {hand: FrameTurn(turn)})
    report = run(rig, select=["ORI-PRIMARY"])
    assert [report.is_note(finding) for finding in report.findings] == [is_note]


@pytest.mark.parametrize(
    ("degrees", "said"),
    [(40.0, "wrong line."), (90.0, "wrong line. It is nearer to another axis.")],
)
def test_a_bone_along_another_axis_is_told_to_be_so(biped, degrees, said):
    (finding,) = run(aside(biped, "calf_l", degrees), select=["ORI-PRIMARY"]).findings
    assert finding.explanation.endswith(said)
