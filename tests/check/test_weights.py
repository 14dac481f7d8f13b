"""Rules about weights: sums, shares that are none, and vertices that nothing moves."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from tidy import ARMATURE, HEAD, run, weights_with

from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.mesh import Influences
from rigview.core.sampler import Sampler

# Vertices whose weights sum to 0.9 and 1.2.
FAR_OFF = (3, (0.5, 0.4, 0, 0)), (6, (0.6, 0.6, 0, 0))


def normalised(rig):
    (finding,) = run(rig).findings
    assert finding.rule == "WGT-SUM"
    return finding.fix.repair(rig)


def test_normalising_weights_moves_lbs_as_meant_and_dqs_not_at_all():
    rig = weights_with(*FAR_OFF)
    fixed = normalised(rig)
    moved = rigs.largest_difference(rig, fixed)
    assert moved["dqs"] <= 1e-12
    assert moved["lbs"] > 1e-3
    sums = fixed.meshes[0].primitives[0].influences.weights.sum(axis=1)
    assert np.allclose(sums, 1.0, atol=1e-15)


def test_normalising_leaves_every_other_vertex_as_it_is():
    rig = weights_with(*FAR_OFF)
    fixed = normalised(rig)
    old, new = (r.meshes[0].primitives[0].influences.weights for r in (rig, fixed))
    others = np.setdiff1d(np.arange(len(old)), [vertex for vertex, _ in FAR_OFF])
    assert np.array_equal(old[others], new[others])


@pytest.mark.parametrize(
    ("row", "clamped"),
    [
        ((1.2, -0.2, 0, 0), (1, 0, 0, 0)),
        ((0.5, np.nan, 0.5, 0), (0.5, 0, 0.5, 0)),
        ((np.inf, 1.0, 0, 0), (0.5, 0.5, 0, 0)),
        ((-np.inf, 0.25, 0.25, 0), (0, 0.5, 0.5, 0)),
        ((3.0, 0.5, 0.5, 0), (0.5, 0.25, 0.25, 0)),
    ],
)
def test_clamped_weights_are_shares_again(row, clamped):
    rig = weights_with((5, row))
    fixed = run(rig).findings[0].fix.repair(rig)
    assert fixed.meshes[0].primitives[0].influences.weights[5].tolist() == list(clamped)


def test_clamping_a_vertex_that_has_no_usable_weight_leaves_it_to_the_rule_about_that():
    rig = weights_with((5, (np.nan, -1.0, 0, 0)))
    fixed = run(rig).findings[0].fix.repair(rig)
    assert [f.rule for f in run(fixed).findings] == ["WGT-ZERO"]


def test_what_too_many_influences_leave_out_is_that_of_the_vertex_that_loses_most():
    rig = rigs.tidy()
    influences = rig.meshes[0].primitives[0].influences
    joints = np.tile(np.arange(6), (len(influences.joints), 1))
    weights = np.zeros(joints.shape)
    weights[:, 0] = 1.0
    weights[4] = (0.04, 0.5, 0.2, 0.06, 0.1, 0.1)
    weights[9] = (0.3, 0.15, 0.02, 0.2, 0.03, 0.3)
    rig = rigs.with_influences(rig, joints=joints, weights=weights)
    (finding,) = run(rig, select=["WGT-COUNT"]).findings
    assert "2 vertices" in finding.message
    assert "leave out up to 0.1" in finding.message
    kept = finding.fix.repair(rig).meshes[0].primitives[0].influences
    assert kept.most == 4
    assert np.sort(kept.weights[4])[::-1][:4] == pytest.approx(np.array([5, 2, 1, 1]) / 9)


def test_a_neutral_joint_is_used_again():
    rig = weights_with((2, 0.0))
    once = run(rig).findings[0].fix.repair(rig)
    weights = once.meshes[0].primitives[0].influences.weights.copy()
    weights[9] = 0.0
    lost = rigs.with_influences(once, weights=weights)
    twice = run(lost).findings[0].fix.repair(lost)
    assert len(twice.nodes) == len(once.nodes) == len(rig.nodes) + 1
    assert len(twice.skins[0].joints) == 7
    assert run(twice).findings == ()


def test_a_neutral_joint_stands_still_where_the_armature_does_not():
    rig = weights_with((2, 0.0))
    turns = quat.from_axis_angle([[0, 1.0, 0], [0, 1.0, 0]], [0.0, 1.0])
    moving = Channel(ARMATURE, "rotation", Sampler(np.array([0.0, 1.0]), turns))
    rig = replace(rig, clips=(*rig.clips, Clip("Turn", (moving,))))
    fixed = run(rig).findings[0].fix.repair(rig)
    assert max(rigs.largest_difference(rig, fixed).values()) <= 1e-12
    new_root = len(rig.nodes) + 1
    assert fixed.nodes.parents[len(rig.nodes)] == new_root == fixed.nodes.parents[ARMATURE]
    assert fixed.roots == (new_root,)


def test_a_rig_of_several_trees_gets_a_neutral_joint_and_keeps_its_trees():
    rig = weights_with((2, 0.0))
    children = tuple(tuple(c for c in cs if c != HEAD) for cs in rig.nodes.children)
    trees = replace(rigs.with_nodes(rig, children=children), roots=(*rig.roots, HEAD))
    found = run(trees, select=["WGT-ZERO", "HIE-ROOT"]).findings
    assert {f.rule for f in found} == {"WGT-ZERO", "HIE-ROOT"}
    fixed = next(f for f in found if f.rule == "WGT-ZERO").fix.repair(trees)
    assert set(trees.roots) <= set(fixed.roots)


def test_a_mesh_shown_by_two_nodes_is_named_once():
    rig = weights_with((2, 0.0))
    twice = replace(
        rig,
        node_meshes=(0, *rig.node_meshes[1:]),
        node_skins=(0, *rig.node_skins[1:]),
    )
    assert [f.rule for f in run(twice, select=["WGT-ZERO"]).findings] == ["WGT-ZERO"]


def test_findings_keep_their_keys_when_nodes_are_hung_elsewhere():
    rig = rigs.make(rigs.Recipe(skins=2, joints=4))
    weights = rig.meshes[1].primitives[0].influences.weights * 0.9
    rig = rigs.with_influences(rig, weights=weights, mesh=1)
    before = run(rig, select=["WGT-SUM"]).findings
    children = [list(c) for c in rig.nodes.children]
    bodies = [rig.nodes.names.index(f"Body {i}") for i in (0, 1)]
    children[0] = [c for c in children[0] if c not in bodies] + bodies[::-1]
    moved = rigs.with_nodes(rig, children=tuple(map(tuple, children)))
    assert moved.parts != rig.parts
    assert [f.key for f in run(moved, select=["WGT-SUM"]).findings] == [f.key for f in before]


@pytest.mark.parametrize(
    ("rule", "row"),
    [("WGT-TINY", (0.998, 0.002, 0, 0, 0)), ("WGT-COUNT", (0.6, 0.1, 0.1, 0.1, 0.1))],
)
def test_pruning_one_side_of_a_seam_prunes_the_other(rule, row):
    """What one finding's fix prunes would tear the mesh where another material meets it."""
    rig = rigs.tidy()
    (primitive,) = rig.meshes[0].primitives
    joints = np.tile(np.arange(5), (len(primitive.positions), 1))
    weights = np.tile(np.array(row), (len(joints), 1))
    side = replace(primitive, influences=Influences(joints, weights))
    rig = replace(rig, meshes=(replace(rig.meshes[0], primitives=(side, side)),))
    found = run(rig, select=[rule, "WGT-SEAM"]).findings
    (finding,) = found
    assert finding.rule == rule
    assert len(finding.places) == 2
    assert run(finding.fix.repair(rig), select=[rule, "WGT-SEAM"]).findings == ()
