"""Rules about axes: joints that skins share, and rigs whose axes are mixed."""

from dataclasses import replace

import numpy as np
import rigs
from tidy import ARM, HAND, run, turned


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
