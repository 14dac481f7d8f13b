"""Rules about what vertices make together leave out those whose own influences are at fault."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs

from rigview.check.catalogue import RULES
from rigview.check.rules.posed_skin.exclusions import NAMED
from rigview.check.run import run
from rigview.core.clip import Channel, Clip
from rigview.core.mesh import Influences, Mesh
from rigview.core.rig import Rig, Skin
from rigview.core.sampler import Sampler
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


@pytest.mark.thorough(keep=4)
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
    assert not [rule for rule, _ in run(rig, "dqs").not_evaluated if rule.startswith("DEF-")]
    told = dict(run(spoilt(rig, [3, 4], fault)).not_evaluated)
    assert told["DEF-STRETCH"] == f"2 vertices that {fault} names are left out"


@pytest.mark.parametrize("fault", WRONG)
def test_a_vertex_at_fault_is_no_fault_of_the_shape(fault):
    rig = load(BROKEN.parent / "arm.glb").rig
    before = {f.rule for f in run(rig).findings}
    after = run(spoilt(rig, [3, 4, 5], fault))
    assert {f.rule for f in after.findings} - before == {fault}


def test_what_a_rule_leaves_out_is_told_whichever_rule_names_it():
    assert {other for rule in RULES for other in rule.beside} <= NAMED.keys()
    report = run(sample("WGT-DUP"), select=["WGT-SORT"])
    assert dict(report.not_evaluated)["WGT-SORT"].endswith("that WGT-DUP names are left out")


def test_a_rig_of_which_every_vertex_is_at_fault_has_no_shape_to_judge():
    rig = load(BROKEN.parent / "arm.glb").rig
    every = np.arange(len(rig.meshes[0].primitives[0].positions))
    report = run(spoilt(rig, every, "WGT-ZERO"))
    assert not [f for f in report.findings if f.rule.startswith(("DEF-", "WGT-S"))]
    assert "DEF-VOLUME" in dict(report.not_evaluated)


def with_clip_at_fault(rig: Rig, fault: str) -> Rig:
    """Return the rig with another clip, in which the root vanishes or a key is no key."""
    root = rig.joints[0]
    times, values = np.array([0.0, 0.5, 1.0]), np.ones((3, 3))
    if fault == "SCL-ZERO":
        values[1] = 0.0
    elif fault == "ANI-NAN":
        values[1] = np.nan
    else:
        times[1] = 2.0
    wrong = Clip("Wrong", (Channel(root, "scale", Sampler(times, values)),))
    return replace(rig, clips=(wrong, *rig.clips))


@pytest.mark.parametrize("fault", ["SCL-ZERO", "ANI-NAN", "ANI-TIME"])
@pytest.mark.parametrize("rule", ["DEF-VOLUME", "MSH-BOUNDS"])
def test_a_fault_in_one_clip_does_not_hide_what_another_does_to_the_shape(rule, fault):
    rig = sample(rule)
    (before,) = run(rig, select=[rule]).findings
    report = run(with_clip_at_fault(rig, fault), select=[rule, fault])
    after = {f.rule: f for f in report.findings}
    assert set(after) == {rule, fault}
    assert (after[rule].joints, after[rule].clip) == (before.joints, before.clip)
    assert after[rule].value == pytest.approx(before.value)


@pytest.mark.parametrize("fault", ["SCL-ZERO", "ANI-NAN", "ANI-TIME"])
def test_a_clip_that_is_left_out_is_told(fault):
    report = run(with_clip_at_fault(load(BROKEN.parent / "arm.glb").rig, fault))
    what = "1 joint that SCL-ZERO names is left out in 1 clip"
    told = what if fault == "SCL-ZERO" else f"1 clip that {fault} names is left out"
    assert dict(report.not_evaluated)["DEF-VOLUME"] == told


def with_mesh_apart(rig: Rig, fault: str) -> Rig:
    """Return the rig with a second mesh that joints of its own move, which are at fault."""
    nodes, count = rig.nodes, len(rig.nodes)
    scale = 0.0 if fault == "SCL-ZERO" else 1.0
    more = replace(
        nodes,
        names=(*nodes.names, "prop", "prop mesh"),
        children=(*nodes.children, (), ()),
        translations=np.concatenate([nodes.translations, np.eye(3)[:2]]),
        rotations=np.concatenate([nodes.rotations, nodes.rotations[:1], np.eye(4)[3:]]),
        scales=np.concatenate([nodes.scales, [[scale] * 3], np.ones((1, 3))]),
    )
    bound = rig.meshes[0].primitives[0]
    own = np.zeros((len(bound.positions), 1), dtype=np.int64)
    mesh = Mesh("prop", (replace(bound, influences=Influences(own, own + 1.0)),))
    return replace(
        rig,
        nodes=more,
        meshes=(*rig.meshes, mesh),
        skins=(*rig.skins, Skin("prop", (count,), BINDS.get(fault, np.eye(4)[None]))),
        node_meshes=(*rig.node_meshes, None, len(rig.meshes)),
        node_skins=(*rig.node_skins, None, len(rig.skins)),
        roots=(*rig.roots, count, count + 1),
    )


FLAT = np.diag([1.0, 1.0, 0.0, 1.0])[None]
ASKEW = np.eye(4)[None] + 0.01 * (np.arange(16) == 12).reshape(1, 4, 4)
BINDS = {
    "BND-MISSING": None,
    "BND-COUNT": np.zeros((0, 4, 4)),
    "BND-AFFINE": ASKEW,
    "BND-SINGULAR": FLAT,
    "BND-MIRROR": np.diag([-1.0, 1.0, 1.0, 1.0])[None],
}


@pytest.mark.parametrize("fault", ["SCL-ZERO", *BINDS])
def test_a_joint_at_fault_does_not_hide_what_others_do_to_the_shape(fault):
    rig = sample("DEF-VOLUME")
    (before,) = run(rig, select=["DEF-VOLUME"]).findings
    report = run(with_mesh_apart(rig, fault), select=[fault, "DEF-VOLUME"])
    assert {f.rule for f in report.findings} == {fault, "DEF-VOLUME"}
    after = report.findings[-1]
    assert after.joints == before.joints
    assert after.value == pytest.approx(before.value)


def test_a_node_above_the_skeleton_without_size_is_named():
    rig = sample("DEF-VOLUME")
    hung = rigs.under(rig, scale=0.0)
    (finding,) = run(hung, select=["SCL-ZERO"]).findings
    assert finding.value == 0.0
    assert finding.joints[0] not in hung.joints


@pytest.mark.parametrize(
    ("rule", "hiding"), [("BND-REST", "BND-CONFLICT"), ("WGT-NEAREST", "BND-FAR")]
)
def test_a_skin_at_fault_does_not_hide_what_is_wrong_with_another(rule, hiding):
    rig = sample(rule)
    other = with_mesh_apart(rig, "none")
    prop = len(rig.skins)
    joint = other.skins[prop].joints[0]
    away = np.eye(4)[None].repeat(3, axis=0)
    away[0, 0, 3] = 1e3
    if hiding == "BND-FAR":
        # The joint is where it was bound, so the mesh is in its place.
        translations = other.nodes.translations.copy()
        translations[joint] = -away[0, :3, 3]
        other = replace(other, nodes=replace(other.nodes, translations=translations))
        skins = (*rig.skins, replace(other.skins[prop], inverse_binds=away[:1]))
    else:
        # Two skins of joints of their own, one of which they bind differently.
        joints = (joint, joint + 1, rig.joints[0])
        skins = tuple(
            Skin("prop", joints, binds) for binds in (away, np.eye(4)[None].repeat(3, axis=0))
        )
        skins = (*rig.skins, *skins)
    report = run(replace(other, skins=skins), select=[rule, hiding])
    (before,) = run(rig, select=[rule]).findings
    after = [f for f in report.findings if f.rule == rule and f.key == before.key]
    assert [f.value for f in after] == [pytest.approx(before.value)]
    assert hiding in {f.rule for f in report.findings}
