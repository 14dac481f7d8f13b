"""Every rule: silent on a clean rig, exactly its finding on a broken one, and a fix that holds."""

from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np
import pytest
import rigs

from rigview.check.catalogue import RULES
from rigview.check.dryrun import dry_run
from rigview.check.reframe import with_node
from rigview.check.rule import PROFILES, Refused
from rigview.check.run import run as run_all
from rigview.core import affine, quat
from rigview.core.clip import Channel, Clip, Sampler
from rigview.core.deform import Deformer
from rigview.core.materials import Unread
from rigview.core.nodes import Nodes

ARMATURE, HIPS, SPINE, CHEST, HEAD, ARM, HAND, BODY = range(8)
JOINTS = [HIPS, SPINE, CHEST, HEAD, ARM, HAND]
# The tidy rig is a cloud of triangles: its set-up is sound, but no skinning keeps such a shape.
SHAPE = [rule.id for rule in RULES if rule.id.startswith("DEF-")] + ["MSH-BOUNDS"]
# It is no body with left and right, either.
ONE_SIDED = tuple(rule.id for rule in RULES if {"pairs", "humanoid"} & set(rule.needs.split()))
NEED_A_TREE = tuple(rule.id for rule in RULES if rule.tree and rule.id not in SHAPE)


def run(rig, profile="gltf", **chosen):
    return run_all(rig, profile, **chosen | {"ignore": [*chosen.get("ignore", ()), *SHAPE]})


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


def changed_keys(rig, node, path, function):
    """Return the clips with the values of one curve changed."""
    clips = []
    for clip in rig.clips:
        channels = tuple(
            replace(c, sampler=replace(c.sampler, values=function(c.sampler.values)))
            if (c.node, c.path) == (node, path)
            else c
            for c in clip.channels
        )
        clips.append(replace(clip, channels=channels))
    return tuple(clips)


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


def turned(degrees):
    """The arm's frame is turned about its z, everything else stays where it is."""
    rig = rigs.tidy()
    turn = quat.from_axis_angle((0.0, 0.0, 1.0), np.radians(degrees))
    back = quat.conjugate(turn)
    nodes = rig.nodes
    rotations, translations = nodes.rotations.copy(), nodes.translations.copy()
    rotations[ARM] = quat.multiply(rotations[ARM], turn)
    rotations[HAND] = quat.multiply(back, rotations[HAND])
    translations[HAND] = quat.rotate(back, translations[HAND])
    binds = rig.skins[0].inverse_binds.copy()
    binds[4, :3] = quat.to_matrix(back) @ binds[4, :3]
    clips = changed_keys(rig, ARM, "rotation", lambda v: quat.multiply(v, turn))
    rig = rigs.with_nodes(rig, rotations=rotations, translations=translations)
    return replace(rig, clips=clips).with_skin(0, replace(rig.skins[0], inverse_binds=binds))


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


def weights_with(*rows):
    rig = rigs.tidy()
    weights = rig.meshes[0].primitives[0].influences.weights.copy()
    for vertex, row in rows:
        weights[vertex] = row
    return rigs.with_influences(rig, weights=weights)


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


def test_normalising_weights_moves_lbs_as_meant_and_dqs_not_at_all():
    case = CASES["weights far off"]
    fixed = the_finding(case).fix.repair(case.rig)
    moved = rigs.largest_difference(case.rig, fixed)
    assert moved["dqs"] <= 1e-12
    assert moved["lbs"] > 1e-3
    sums = fixed.meshes[0].primitives[0].influences.weights.sum(axis=1)
    assert np.allclose(sums, 1.0, atol=1e-15)


def test_normalising_leaves_every_other_vertex_as_it_is():
    case = CASES["weights far off"]
    fixed = the_finding(case).fix.repair(case.rig)
    old, new = (r.meshes[0].primitives[0].influences.weights for r in (case.rig, fixed))
    others = np.setdiff1d(np.arange(len(old)), case.vertices)
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


@pytest.mark.parametrize("above_all", [False, True])
def test_what_moves_above_one_of_several_roots_is_a_part_of_the_skeleton(above_all):
    rig, holder = with_node(rigs.tidy(), "unlisted bone", ARMATURE, np.eye(4))
    children = list(rig.nodes.children)
    children[CHEST] = tuple(c for c in children[CHEST] if c != HEAD)
    children[holder] = (HEAD,)
    moved = ARMATURE if above_all else holder
    places = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    walk = Clip("Walk", (Channel(moved, "translation", Sampler(np.array([0.0, 1.0]), places)),))
    rig = replace(rigs.with_nodes(rig, children=tuple(children)), clips=(walk,))
    assert [f.joints[0] for f in run(rig, select=["ANI-ROOT"]).findings] == [moved] * above_all


def twins():
    """Return a character and its like in one file, each with a skin of its own."""
    rig = rigs.tidy()
    count, nodes = len(rig.nodes), rig.nodes
    children = (*nodes.children, *(tuple(c + count for c in cs) for cs in nodes.children))
    doubled = Nodes(
        nodes.names * 2,
        children,
        *(np.concatenate([a, a]) for a in (nodes.translations, nodes.rotations, nodes.scales)),
    )
    (skin,) = rig.skins
    return replace(
        rig,
        nodes=doubled,
        node_meshes=rig.node_meshes * 2,
        node_skins=(*rig.node_skins, *(None if s is None else 1 for s in rig.node_skins)),
        roots=(*rig.roots, *(r + count for r in rig.roots)),
        skins=(skin, replace(skin, joints=tuple(j + count for j in skin.joints))),
    )


def test_two_characters_of_one_make_may_have_the_same_names():
    (finding,) = run(twins(), select=["HIE-NAMES"]).findings
    assert finding.severity == "info"
    assert finding.message == "12 joints of 12 have the name of a joint of another skeleton"
    assert finding.fix.on_request
    repaired = finding.fix.repair(twins())
    assert run(repaired, select=["HIE-NAMES"]).findings == ()


def test_a_name_twice_in_one_skeleton_is_worse():
    rig = twins()
    names = list(rig.nodes.names)
    names[HAND] = names[HEAD]
    (finding,) = run(rigs.with_nodes(rig, names=tuple(names)), select=["HIE-NAMES"]).findings
    assert finding.severity is None
    assert "2 with the name of another joint" in finding.message
    assert not finding.fix.on_request


@pytest.mark.parametrize("form", ["glTF", "FBX"])
@pytest.mark.parametrize("keyed", [False, True])
def test_a_rest_that_exporters_leave_at_a_frame_is_information(form, keyed):
    rig = rigs.tidy()
    turn = quat.multiply(rig.nodes.rotations[ARM], quat.from_axis_angle((1.0, 0.0, 0.0), 1.0))
    rig = rigs.with_nodes(rig, rotations=rigs.with_row(rig.nodes.rotations, ARM, turn))
    clips = rig.clips if keyed else ()
    rig = replace(rig, origin=replace(rig.origin, format=form), clips=clips)
    (finding,) = run(rig, select=["BND-REST"]).findings
    assert finding.severity == ("info" if keyed and form == "FBX" else "warning")


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_travel_is_measured_in_metres_whatever_scales_above(scale):
    rig = rigs.tidy()
    far = 0.04 * Deformer(rig).size
    places = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, far]])
    walk = Clip("Walk", (Channel(ARMATURE, "translation", Sampler(np.array([0.0, 1.0]), places)),))
    rig = rigs.under(replace(rig, clips=(walk,)), scale=scale)
    (finding,) = run(rig, select=["ANI-ROOT"]).findings
    assert finding.value == pytest.approx(0.04)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38])
@pytest.mark.parametrize("path", ["translation", "rotation", "scale"])
def test_a_key_that_is_no_number_is_found_and_nothing_stumbles_over_it(path, bad):
    rig = rigs.tidy()
    rest = {"translation": "translations", "rotation": "rotations", "scale": "scales"}[path]
    keys = np.tile(getattr(rig.nodes, rest)[ARM], (3, 1))
    keys[1, 0] = bad
    curve = Channel(ARM, path, Sampler(np.array([0.0, 0.5, 1.0]), keys))
    report = run_all(replace(rig, clips=(Clip("Bad", (curve,)),)))
    named = {f.rule for f in report.findings}
    assert ("ANI-NAN" in named) == (not np.isfinite(bad))


@pytest.mark.parametrize("scales", [(3e38, 0.0, 1.0), (0.0, 0.0, 0.0), (1e-38, 0.0, 1e-38)])
def test_a_bind_that_crushes_has_a_finite_measure(scales):
    rig = rigs.tidy()
    binds = rig.skins[0].joint_from_mesh.copy()
    binds[2, :3, :3] = np.diag(scales)
    rig = replace(rig, skins=(replace(rig.skins[0], inverse_binds=binds),))
    (finding,) = run(rig, select=["BND-SINGULAR"]).findings
    assert finding.joints == (JOINTS[2],)
    assert np.isfinite(finding.value)


def test_a_key_with_a_negative_scale_is_found_though_the_rest_has_none():
    rig = rigs.tidy()
    values = np.array([[1.0, 1, 1], [-1.0, 1, 1]])
    keyed = Channel(HEAD, "scale", Sampler(np.array([0.0, 1.0]), values))
    rig = replace(rig, clips=(*rig.clips, Clip("Flip", (keyed,))))
    found = run(rig).findings
    assert [(f.rule, f.joints, f.fix.kind) for f in found] == [("SCL-NEG", (HEAD,), "none")]


def test_no_inverse_binds_are_no_fault_where_all_joints_are_at_the_origin():
    rig = rigs.tidy()
    nodes = rig.nodes
    still = rigs.with_nodes(
        rig,
        translations=0.0 * nodes.translations,
        rotations=np.tile(quat.IDENTITY, (len(nodes), 1)),
    )
    still = replace(still.with_skin(0, replace(rig.skins[0], inverse_binds=None)), clips=())
    assert [f.rule for f in run(still).findings] == ["HIE-ZEROLEN"]


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


def test_a_part_of_the_skeleton_with_a_skin_of_its_own_hangs_on_the_whole():
    rig = rigs.tidy()
    hair = replace(
        rig.skins[0], name="Hair", joints=(HEAD,), inverse_binds=rig.skins[0].inverse_binds[3:4]
    )
    mesh = replace(rig.meshes[0], name="Hair")
    rig = replace(
        rig,
        skins=(*rig.skins, hair),
        meshes=(*rig.meshes, mesh),
        node_meshes=(1, *rig.node_meshes[1:]),
        node_skins=(1, *rig.node_skins[1:]),
    )
    rig = rigs.with_influences(
        rig, joints=0 * rig.meshes[1].primitives[0].influences.joints, mesh=1
    )
    found = run(rig, "thesis", select=["HIE-PARENT"]).findings
    # The armature itself shows the hair, at the top of the scene: only that hangs apart.
    assert [(f.joints, f.object) for f in found] == [((HIPS, ARMATURE), "Hair")]


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


def keyed_at(times):
    turns = np.tile(rigs.tidy().nodes.rotations[HEAD], (len(times), 1))
    channel = Channel(HEAD, "rotation", Sampler(np.asarray(times, dtype=float), turns))
    return replace(rigs.tidy(), clips=(Clip("Nod", (channel,)),))


@pytest.mark.parametrize("rate", [12.0, 23.976, 24.0, 25.0, 29.97, 30.0, 59.94, 99.9, 240.0])
def test_keys_at_an_even_rate_lie_on_its_frames(rate):
    assert not run(keyed_at(np.arange(300) / rate), select=["ANI-GRID"]).findings


def test_a_few_keys_may_lie_on_the_frames_of_any_whole_rate():
    frames = np.array([0, 25, 50, 75, 100, 120, 140, 160, 180, 200])
    assert not run(keyed_at(frames / 29), select=["ANI-GRID"]).findings
    (finding,) = run(
        keyed_at(frames / 29 + 0.4 * (frames == 75) / 29), select=["ANI-GRID"]
    ).findings
    assert finding.value > 0.1
    assert run(keyed_at(frames[:4] / 29), select=["ANI-GRID"]).findings


@pytest.mark.parametrize("rate", [24.0, 29.97, 30.0, 60.0, 47.0])
def test_one_key_between_frames_makes_no_finer_grid_of_a_clip_that_keys_every_frame(rate):
    for off in (0.15, 0.25, 0.4, 0.5):
        times = np.arange(80) / rate
        times[33] += off / rate
        for stated in (times, np.delete(times, [50, 51, 60])):
            (finding,) = run(keyed_at(stated), select=["ANI-GRID"]).findings
            assert finding.value == pytest.approx(off, abs=0.01)
            assert finding.time == times[33]
            assert finding.message.endswith(f"off a grid of {rate:g} to the second in Nod")


@pytest.mark.parametrize("rate", [12.0, 15.0])
def test_one_key_between_those_of_every_second_frame_lies_on_a_frame(rate):
    times = np.arange(80) / rate
    times[33] += 0.5 / rate
    assert not run(keyed_at(times), select=["ANI-GRID"]).findings


def test_keys_off_every_grid_are_told_of_the_grid_that_most_of_them_lie_on():
    times = np.arange(60) / 25.0
    times[20:23] += 0.3 / 25.0
    (finding,) = run(keyed_at(times), select=["ANI-GRID"]).findings
    assert finding.message.startswith("3 key times of 60 up to 0.30 frames off a grid of 25")
