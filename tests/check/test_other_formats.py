"""What is a fault only as glTF states things is information in files of other formats."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from tidy import BODY, CHEST, SPINE

from rigview.check.rig_edits.joint_list import reorder_joints
from rigview.check.rig_edits.reframe import with_node
from rigview.check.rig_edits.reparent import reparent
from rigview.check.run import run
from rigview.core import affine, quat
from rigview.core.nodes import ADDED


@pytest.mark.parametrize(
    ("source", "profile", "wanted"),
    [
        ("glTF", "gltf", "warning"),
        ("none", "gltf", "warning"),
        ("FBX", "gltf", "info"),
        ("Collada", "unity", "info"),
        ("FBX", "thesis", "error"),
    ],
)
def test_the_order_of_joints_matters_where_the_format_has_one(source, profile, wanted):
    rig = rigs.tidy()
    rig = reorder_joints(rig, 0, list(reversed(range(len(rig.skins[0].joints)))))
    rig = replace(rig, origin=replace(rig.origin, format=source))
    report = run(rig, profile, select=["HIE-ORDER"])
    assert [report.severity(f) for f in report.findings] == [wanted]


@pytest.mark.parametrize(("source", "wanted"), [("glTF", "warning"), ("FBX", "info")])
def test_the_transform_of_a_skinned_mesh_matters_where_the_format_ignores_it(source, wanted):
    rig = rigs.tidy()
    moved = rigs.with_row(rig.nodes.translations, BODY, (0.0, 1.0, 0.0))
    rig = rigs.with_nodes(rig, translations=moved)
    rig = replace(rig, origin=replace(rig.origin, format=source))
    report = run(rig, select=["HIE-MESH-XFORM"])
    assert [report.severity(f) for f in report.findings] == [wanted]


def test_what_a_reader_adds_between_joints_is_information_until_it_is_written():
    rig = rigs.tidy()
    matrix = affine.compose(np.zeros(3), np.array(quat.IDENTITY), np.full(3, 2.0))
    added, node = with_node(rig, f"chest{ADDED}", SPINE, matrix)
    rig = reparent(added, CHEST, node)
    found = {}
    for source in ("FBX", "glTF"):
        report = run(replace(rig, origin=replace(rig.origin, format=source)), select=["HIE-GAP"])
        found[source] = [report.severity(f) for f in report.findings]
    assert found == {"FBX": ["info"], "glTF": ["warning"]}
