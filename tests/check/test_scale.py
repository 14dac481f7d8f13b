"""Rules about scale: where a mirroring begins, at rest or in a clip."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from tidy import ARMATURE, CHEST, HEAD, HIPS, run

from rigview.check.rig_edits.reframe import with_node
from rigview.core.clip import Channel, Clip
from rigview.core.sampler import Sampler


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_a_negative_scale_is_named_where_it_begins(order):
    rig = rigs.tidy()
    flipped = rigs.with_nodes(rig, scales=rigs.with_row(rig.nodes.scales, CHEST, (-1, 1, 1)))
    found = run(flipped, select=["SCL-NEG"]).findings
    assert [f.joints for f in found] == [(CHEST,)]


def test_a_mirroring_node_above_the_skeleton_is_named_at_its_first_joint():
    rig = rigs.tidy()
    flipped = rigs.with_nodes(rig, scales=rigs.with_row(rig.nodes.scales, ARMATURE, (-1, 1, 1)))
    found = run(flipped, select=["SCL-NEG"]).findings
    assert [f.joints for f in found] == [(HIPS,)]
    assert found[0].fix.reason == "the mirroring comes from a node above the joint"
    assert found[0].message == "hips is mirrored by Armature, above it"


def test_several_roots_below_one_mirroring_node_are_one_finding():
    rig = rigs.tidy()
    children = list(rig.nodes.children)
    children[CHEST] = tuple(c for c in children[CHEST] if c != HEAD)
    children[ARMATURE] = (*children[ARMATURE], HEAD)
    scales = rigs.with_row(rig.nodes.scales, ARMATURE, (-1, 1, 1))
    flipped = rigs.with_nodes(rig, scales=scales, children=tuple(children))
    (finding,) = run(flipped, select=["SCL-NEG"]).findings
    assert finding.joints == (HIPS, HEAD)
    assert finding.message == "hips and 1 more joint are mirrored by Armature, above them"


def test_a_mirroring_node_between_joints_is_named():
    rig = rigs.tidy()
    grown, new = with_node(rig, "flip", CHEST, np.diag([-1.0, 1.0, 1.0, 1.0]))
    children = list(grown.nodes.children)
    children[CHEST] = tuple(new if c == HEAD else c for c in children[CHEST] if c != new)
    children[new] = (HEAD,)
    (finding,) = run(rigs.with_nodes(grown, children=tuple(children)), select=["SCL-NEG"]).findings
    assert finding.message == "head is mirrored by flip, above it"


def test_a_key_with_a_negative_scale_is_found_though_the_rest_has_none():
    rig = rigs.tidy()
    values = np.array([[1.0, 1, 1], [-1.0, 1, 1]])
    keyed = Channel(HEAD, "scale", Sampler(np.array([0.0, 1.0]), values))
    rig = replace(rig, clips=(*rig.clips, Clip("Flip", (keyed,))))
    found = run(rig).findings
    assert [(f.rule, f.joints, f.fix.kind) for f in found] == [("SCL-NEG", (HEAD,), "none")]
