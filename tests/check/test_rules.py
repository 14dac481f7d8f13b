"""Rigs written in memory, each with one fault: exactly its finding, gravely enough, and a fix that holds.

What is asked of every rule and its sample is in `test_every_rule`; what is one family's own, in its module.
"""

from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np
import pytest
import rigs
from tidy import (
    ARM,
    ARMATURE,
    BODY,
    CHEST,
    HAND,
    HEAD,
    HIPS,
    JOINTS,
    SHAPE,
    SPINE,
    changed_keys,
    run,
    turned,
    weights_with,
)

from rigview.check.applying.dryrun import dry_run
from rigview.check.catalogue import RULES
from rigview.check.rule import PROFILES, Refused
from rigview.core import affine, quat
from rigview.core.deform import Deformer
from rigview.core.materials import Unread

# It is no body with left and right, either.
ONE_SIDED = tuple(rule.id for rule in RULES if {"pairs", "humanoid"} & set(rule.needs.split()))
# Rules about a template are not asked where there is none.
NEED_A_TREE = tuple(
    rule.id
    for rule in RULES
    if rule.tree and rule.id not in SHAPE and "template" not in rule.needs.split()
)


@dataclass(frozen=True)
class Case:
    """A rig with one fault, and what is to be said of it.

    Parameters
    ----------
    joints
        What the finding names, the worst first.
    severities
        Under gltf, dqs and thesis.
    fix
        Its class.
    """

    rule: str
    rig: object
    severities: tuple[str, str, str]
    joints: tuple[int, ...] = ()
    vertices: tuple[int, ...] = ()
    value: float | None = None
    fix: str = "none"
    not_evaluated: tuple[str, ...] = ()


def hung_apart():
    rig = rigs.tidy()
    children = tuple(tuple(c for c in cs if c != BODY) for cs in rig.nodes.children)
    return replace(rigs.with_nodes(rig, children=children), roots=(ARMATURE, BODY))


def looped():
    rig = rigs.tidy()
    children = [list(c) for c in rig.nodes.children]
    children[HAND].append(CHEST)
    return rigs.with_nodes(rig, children=tuple(map(tuple, children)))


def two_parents():
    rig = rigs.tidy()
    children = [list(c) for c in rig.nodes.children]
    children[ARM].append(HEAD)
    return rigs.with_nodes(rig, children=tuple(map(tuple, children)))


def beyond_the_joints():
    rig = rigs.tidy()
    joints = rig.meshes[0].primitives[0].influences.joints.copy()
    joints[4, 1], joints[9, 1] = 6, 200
    return rigs.with_influences(rig, joints=joints)


def child_first():
    """The skin lists the chest before spine and hips."""
    rig = rigs.tidy()
    skin = rig.skins[0]
    order = [2, 1, 0, 3, 4, 5]
    rig = rig.with_skin(
        0,
        replace(
            skin,
            joints=tuple(skin.joints[i] for i in order),
            inverse_binds=skin.inverse_binds[order],
        ),
    )
    old = rig.meshes[0].primitives[0].influences
    numbers = np.where(old.weights > 0.0, np.argsort(order)[old.joints], 0)
    return rigs.with_influences(rig, joints=numbers)


def armature_in_centimetres(size=0.01):
    """The armature scales, lengths below are larger, and the inverse binds cancel it."""
    rig = rigs.tidy()
    nodes = rig.nodes
    translations = nodes.translations / size
    translations[ARMATURE] *= size
    scaled = rigs.with_nodes(
        rig,
        translations=translations,
        scales=rigs.with_row(nodes.scales, ARMATURE, size),
    )
    scaled = replace(scaled, clips=changed_keys(scaled, HIPS, "translation", lambda v: v / size))
    model = Deformer(scaled).rest.model_from_node[JOINTS]
    skin = replace(scaled.skins[0], inverse_binds=affine.inverse(model))
    return scaled.with_skin(0, skin)


def mesh_in_centimetres():
    rig = rigs.tidy()
    primitive = rig.meshes[0].primitives[0]
    binds = rig.skins[0].inverse_binds @ np.diag([0.01, 0.01, 0.01, 1.0])
    rig = rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))
    return rig.with_primitive(0, 0, replace(primitive, positions=100.0 * primitive.positions))


def half_turned_by_scale(node=HAND):
    """A joint's half turn about z is written as a scale of −1 on x and y."""
    rig = rigs.tidy()
    nodes = rig.nodes
    half = np.array([0.0, 0.0, 1.0, 0.0])
    turned_ = rigs.with_nodes(
        rig,
        rotations=rigs.with_row(nodes.rotations, node, quat.multiply(nodes.rotations[node], half)),
        scales=rigs.with_row(nodes.scales, node, (-1, -1, 1)),
    )
    clips = changed_keys(turned_, node, "rotation", lambda v: quat.multiply(v, half))
    return replace(turned_, clips=clips)


def mirrored_hand():
    """The hand is a mirror image, bound so that the mesh is not."""
    rig = rigs.tidy()
    rig = rigs.with_nodes(rig, scales=rigs.with_row(rig.nodes.scales, HAND, (1, 1, -1)))
    model = Deformer(rig).rest.model_from_node[JOINTS]
    return rig.with_skin(0, replace(rig.skins[0], inverse_binds=affine.inverse(model)))


def without_binds():
    rig = rigs.tidy()
    return rig.with_skin(0, replace(rig.skins[0], inverse_binds=None))


def too_few_binds():
    rig = rigs.tidy()
    skin = rig.skins[0]
    return rig.with_skin(0, replace(skin, inverse_binds=skin.inverse_binds[:4]))


ALL = ("error", "error", "error")
CASES = {
    "an image is missing": Case(
        "MSH-READ",
        replace(rigs.tidy(), unread=(Unread("/images/0", "skin.png does not exist"),)),
        ALL,
    ),
    "a loop": Case("HIE-CYCLE", looped(), ALL, (CHEST,), not_evaluated=NEED_A_TREE),
    "two parents": Case("HIE-CYCLE", two_parents(), ALL, (HEAD,), not_evaluated=NEED_A_TREE),
    "joints that are not there": Case(
        "HIE-OOB", beyond_the_joints(), ALL, vertices=(4, 9), value=200
    ),
    "mesh and skeleton apart": Case(
        "HIE-PARENT", hung_apart(), ("info", "info", "error"), (HIPS, BODY), value=1, fix="exact"
    ),
    "child before parent": Case(
        "HIE-ORDER",
        child_first(),
        ("warning", "warning", "error"),
        (CHEST, SPINE),
        value=2,
        fix="exact",
    ),
    "an arm off its axis": Case(
        "ORI-PRIMARY",
        turned(60.0),
        ("info", "warning", "error"),
        (ARM,),
        value=60.0,
        fix="exact",
    ),
    "an arm far off its axis": Case(
        "ORI-PRIMARY", turned(170.0), ("info", "warning", "error"), (ARM,), value=170.0, fix="exact"
    ),
    "an arm slightly off its axis": Case(
        "ORI-PRIMARY", turned(8.0), ("info", "info", "info"), (ARM,), value=8.0, fix="exact"
    ),
    "scale cancelled in the bind": Case(
        "SCL-INHERIT",
        armature_in_centimetres(),
        ("info", "warning", "error"),
        tuple(JOINTS),
        value=0.01,
        fix="exact",
    ),
    "scale of 100 cancelled in the bind": Case(
        "SCL-INHERIT",
        armature_in_centimetres(100.0),
        ("info", "warning", "error"),
        tuple(JOINTS),
        value=100.0,
        fix="exact",
    ),
    "scale left in the skin": Case(
        "SCL-SKIN",
        mesh_in_centimetres(),
        ("info", "error", "error"),
        tuple(JOINTS),
        value=0.01,
        fix="exact",
    ),
    "two negative scales": Case(
        "SCL-NEG", half_turned_by_scale(), ALL, (HAND,), value=-1.0, fix="exact"
    ),
    "two negative scales in the middle": Case(
        "SCL-NEG", half_turned_by_scale(CHEST), ALL, (CHEST,), value=-1.0, fix="exact"
    ),
    "a mirrored joint": Case("SCL-NEG", mirrored_hand(), ALL, (HAND,), value=-1.0),
    "no inverse binds": Case(
        "BND-MISSING",
        without_binds(),
        ("warning", "warning", "warning"),
        tuple(JOINTS),
        value=6,
        fix="exact",
    ),
    "too few inverse binds": Case("BND-COUNT", too_few_binds(), ALL, (ARM, HAND), value=4),
    "weights a little off": Case(
        "WGT-SUM",
        weights_with((3, (0.5, 0.495, 0, 0)), (6, (0.503, 0.5, 0, 0))),
        ("warning", "warning", "warning"),
        vertices=(3, 6),
        value=0.005,
        fix="shape",
    ),
    "weights far off": Case(
        "WGT-SUM",
        weights_with((3, (0.5, 0.4, 0, 0)), (6, (0.6, 0.6, 0, 0))),
        ALL,
        vertices=(6, 3),
        value=0.2,
        fix="shape",
    ),
    "no weights": Case(
        "WGT-ZERO", weights_with((2, 0.0), (11, 0.0)), ALL, vertices=(2, 11), value=0, fix="exact"
    ),
    "negative weight": Case(
        "WGT-RANGE",
        weights_with((5, (1.2, -0.2, 0, 0))),
        ALL,
        vertices=(5,),
        value=1.2,
        fix="shape",
    ),
    "weight that is no number": Case(
        "WGT-RANGE", weights_with((5, (0.5, np.nan, 0.5, 0))), ALL, vertices=(5,), fix="shape"
    ),
    "infinite weight": Case(
        "WGT-RANGE", weights_with((5, (np.inf, 0.5, 0, 0))), ALL, vertices=(5,), fix="shape"
    ),
    "weight above one": Case(
        "WGT-RANGE",
        weights_with((7, (3.0, 0, 0, 0))),
        ALL,
        vertices=(7,),
        value=3.0,
        fix="shape",
    ),
}
cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
FIXABLE = {name: case for name, case in CASES.items() if case.fix != "none"}
fixable = pytest.mark.parametrize("case", FIXABLE.values(), ids=FIXABLE.keys())
# Other profiles differ by limits, which no case comes near to.
profiles = pytest.mark.parametrize("profile", ["gltf", "dqs", "thesis"])


def the_finding(case, profile="thesis"):
    found = run(case.rig, profile).findings
    assert [f.rule for f in found] == [case.rule]
    return found[0]


@profiles
def test_a_clean_rig_is_silent(profile):
    report = run(rigs.tidy(), profile)
    assert report.findings == ()
    assert tuple(rule for rule, _ in report.not_evaluated) == ONE_SIDED


@profiles
@cases
def test_a_broken_rig_gives_exactly_its_finding(case, profile):
    report = run(case.rig, profile)
    assert [f.rule for f in report.findings] == [case.rule]
    finding = report.findings[0]
    assert report.severity(finding) == case.severities[list(PROFILES).index(profile)]
    missing = {rule for rule, _ in report.not_evaluated} - set(ONE_SIDED)
    after = {rule.id for rule in RULES if case.rule in rule.beside}
    assert finding.joints == case.joints
    assert (finding.vertices.ids if finding.vertices else ()) == case.vertices
    assert finding.vertices is None or finding.vertices.count == len(case.vertices)
    if case.value is not None:
        assert finding.value == pytest.approx(case.value)
    assert finding.fix.kind == case.fix
    assert missing - after == set(case.not_evaluated) - set(ONE_SIDED)


@cases
def test_a_finding_says_what_where_and_why(case):
    finding = the_finding(case)
    assert finding.message
    assert finding.object
    assert finding.explanation
    if finding.joints:
        assert finding.joint == case.rig.nodes.label(finding.joints[0])
    assert finding.fix.label if finding.fix.kind != "none" else finding.fix.reason


@fixable
def test_the_fix_silences_the_rule_and_raises_nothing_new(case):
    fixed = the_finding(case).fix.repair(case.rig)
    for profile in ("gltf", "dqs", "thesis"):
        # What could not be looked at for this fault is no news of the fix.
        hidden = dict(run(case.rig, profile).not_evaluated)
        assert {f.rule for f in run(fixed, profile).findings} <= set(hidden)


@fixable
def test_the_fix_made_twice_is_the_fix_made_once(case):
    repair = the_finding(case).fix.repair
    fixed = repair(case.rig)
    try:
        again = repair(fixed)
    except Refused:
        return
    assert rigs.same(fixed, again)


@fixable
def test_a_fix_leaves_the_original_alone(case):
    untouched = deepcopy(case.rig)
    the_finding(case).fix.repair(case.rig)
    assert rigs.same(untouched, case.rig, 0.0)


@fixable
def test_an_exact_fix_moves_no_vertex_in_any_pose(case):
    finding = the_finding(case)
    if case.fix == "exact":
        fixed = finding.fix.repair(case.rig)
        assert max(rigs.largest_difference(case.rig, fixed).values()) <= 1e-12
        measured = dry_run(case.rig, fixed)
        assert measured.exact
        assert measured.largest <= 1e-12 * measured.size
