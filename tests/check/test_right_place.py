"""A finding names the joint that was turned or moved, with the measure that is beyond its limit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs

from rigview.check.measures.axes import skin_axes
from rigview.check.measures.facts import measured
from rigview.check.measures.whole_skin import largest
from rigview.check.rig_edits.reframe import FrameTurn, reframe
from rigview.check.run import run
from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences, Primitive
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def biped():
    return load(SAMPLES / "biped.glb").rig


@pytest.fixture(scope="module")
def still(biped):
    """Return the same without clips, of which many rules have less to do."""
    return replace(biped, clips=())


def findings(rig, rule):
    return [f for f in run(rig, select=[rule]).findings if f.rule == rule]


def resting(rig: Rig, joint: int, *, turn=0.0, move=0.0) -> Rig:
    rotations, translations = rig.nodes.rotations.copy(), rig.nodes.translations.copy()
    about_x = quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(turn))
    rotations[joint] = quat.multiply(rotations[joint], about_x)
    translations[joint] += move
    nodes = replace(rig.nodes, rotations=rotations, translations=translations)
    return replace(rig, nodes=nodes)


def inner_joints(rig):
    """Return joints with joints that move something above, and joints below, of limbs and trunk."""
    upper = {j: rig.joint_parents[j] for j in rig.joints if rig.joint_children[j]}
    return [j for j, parent in upper.items() if parent >= 0 and rig.joint_parents[parent] >= 0]


def test_the_joint_that_rests_turned_comes_first_however_many_hang_on_it(biped):
    for joint in inner_joints(biped):
        (finding,) = findings(resting(biped, joint, turn=20.0), "BND-REST")
        assert finding.joints[0] == joint, biped.nodes.names[joint]
        assert finding.joint == biped.nodes.names[joint]
        assert (finding.value, finding.unit) == (pytest.approx(20.0, abs=1e-3), "°")
        # Most of the body hangs on some: then it is what is above them that is off.
        upper = biped.joint_parents[joint] in finding.joints
        said = f"{finding.joint} is posed against the joint above it"
        assert finding.message.endswith(said) == upper


def test_a_joint_that_rests_moved_is_told_by_how_far(biped):
    joint = inner_joints(biped)[-1]
    (finding,) = findings(resting(biped, joint, move=0.05), "BND-REST")
    assert finding.joint == biped.nodes.names[joint]
    assert finding.unit == "share"
    assert finding.value > finding.limit


def test_a_loop_that_ends_elsewhere_is_told_by_how_far(biped):
    clip = biped.clips[0]
    assert not findings(biped, "ANI-LOOP")
    joint = inner_joints(biped)[0]
    others = [c for c in clip.channels if (c.node, c.path) != (joint, "translation")]
    rest = biped.nodes.translations[joint]
    apart = np.array([0.03, 0.0, 0.0])
    curve = Sampler(np.array([clip.start, clip.end]), np.array([rest, rest + apart]))
    channels = (*others, Channel(joint, "translation", curve))
    clips = (Clip(clip.name, channels), *biped.clips[1:])
    (finding,) = findings(replace(biped, clips=clips), "ANI-LOOP")
    assert finding.joint == biped.nodes.names[joint]
    assert (finding.value, finding.unit) == (pytest.approx(0.03), "m")
    # Further apart than a clip ends by mistake, the name tells whether it was meant to close.
    wide = Sampler(curve.times, np.array([rest, rest + 10.0 * apart]))
    channels = (*others, Channel(joint, "translation", wide))
    for name, told in (("Idle", 1), ("Idle_to_fight", 0), ("JumpToIdle", 0), ("Torso Idle", 1)):
        rig = replace(biped, clips=(Clip(name, channels),))
        assert len(findings(rig, "ANI-LOOP")) == told


def test_what_holds_lost_vertices_in_place_rests_nowhere_wrong(biped):
    """The fix of one rule raises no other: a mesh bound in other units than it is shown in."""
    (skin,) = biped.skins
    shift = np.eye(4)
    shift[:3, 3] = 0.5, 0.0, 0.0
    primitive = biped.meshes[0].primitives[0]
    weights = primitive.influences.weights.copy()
    weights[:3] = 0.0
    lost = replace(primitive, influences=Influences(primitive.influences.joints, weights))
    rig = biped.with_skin(0, replace(skin, inverse_binds=skin.joint_from_mesh @ shift))
    rig = rig.with_primitive(0, 0, lost)
    (finding,) = findings(rig, "WGT-ZERO")
    fixed = finding.fix.repair(rig)
    assert not findings(fixed, "WGT-ZERO")
    assert not findings(fixed, "BND-REST")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("size", [0.0, 9e-7])
@pytest.mark.parametrize("name", ["hand_l", "lowerarm_l"])
def test_a_joint_without_size_is_told_once(still, name, size):
    scales = still.nodes.scales.copy()
    scales[still.nodes.names.index(name)] = size
    rig = replace(still, nodes=replace(still.nodes, scales=scales))
    before = {f.rule for f in run(still).findings}
    report = run(rig)
    assert {f.rule for f in report.findings} - before == {"SCL-ZERO"}
    told = "1 joint that SCL-ZERO names is left out"
    assert dict(report.not_evaluated)["BND-REST"] == told


def test_vertices_without_weight_are_told_once(still):
    primitive = still.meshes[0].primitives[0]
    weights = primitive.influences.weights.copy()
    weights[:3] *= 5e-7
    few = replace(primitive, influences=Influences(primitive.influences.joints, weights))
    before = {f.rule for f in run(still).findings}
    rig = still.with_primitive(0, 0, few)
    assert {f.rule for f in run(rig).findings} - before == {"WGT-ZERO"}


def test_a_mesh_that_is_bound_by_no_weight_at_all_is_told_and_mended(still):
    """Blender's Collada of a mesh without vertex groups has no place for any weight."""
    primitive = still.meshes[0].primitives[0]
    none = np.zeros((len(primitive.positions), 0))
    bare = replace(primitive, influences=Influences(none.astype(np.int64), none))
    rig = still.with_primitive(0, 0, bare)
    (finding,) = findings(rig, "WGT-ZERO")
    before, after = (Deformer(r).rest_positions for r in (rig, finding.fix.repair(rig)))
    np.testing.assert_allclose(after, before, atol=1e-12)
    assert not findings(finding.fix.repair(rig), "WGT-ZERO")
    # Nor are there always joints; the mesh is then where its node is, and stays there.
    (finding,) = findings(rig.with_skin(0, replace(rig.skins[0], joints=())), "WGT-ZERO")
    assert finding.fix.kind == "none"


def test_a_clip_that_moves_a_skinned_mesh_is_told_once(biped):
    (node,) = (part.node for part in biped.parts)
    clip, before = biped.clips[0], {f.rule for f in run(biped).findings}
    curve = Sampler(np.array([0.0, 0.5, 1.0]), np.eye(3))
    moved = Clip(clip.name, (*clip.channels, Channel(node, "translation", curve)))
    rig = replace(biped, clips=(moved, *biped.clips[1:]))
    assert {f.rule for f in run(rig).findings} - before == {"ANI-TARGET"}


def cut(rig: Rig, share: float) -> Rig:
    """Return the rig with its mesh in two primitives, so many triangles in the first."""
    (whole,) = rig.meshes[0].primitives
    first = int(share * len(whole.triangles))
    parts = []
    for triangles in (whole.triangles[:first], whole.triangles[first:]):
        kept, corners = np.unique(triangles, return_inverse=True)
        parts.append(
            Primitive(
                whole.positions[kept],
                corners.reshape(-1, 3),
                np.zeros((0, 2), dtype=np.int64),
                np.zeros(0, dtype=np.int64),
                influences=whole.influences.of(kept),
            )
        )
    return replace(rig, meshes=(replace(rig.meshes[0], primitives=tuple(parts)),))


@pytest.mark.parametrize("share", [0.3, 0.4, 0.5])
def test_where_a_mesh_is_cut_by_material_is_no_island(share):
    arm = replace(load(SAMPLES / "arm.glb").rig, clips=())
    assert not findings(cut(arm, share), "WGT-STRAY")


def test_a_paired_joint_that_is_listed_twice_is_told_once_and_stops_no_rule(still):
    (skin,) = still.skins
    influences = still.meshes[0].primitives[0].influences
    hand = next(i for i, j in enumerate(skin.joints) if still.nodes.names[j] == "hand_l")
    binds = np.concatenate([skin.joint_from_mesh, skin.joint_from_mesh[hand : hand + 1]])
    doubled = replace(skin, joints=(*skin.joints, skin.joints[hand]), inverse_binds=binds)
    joints = influences.joints.copy()
    # Half of the vertices name the second listing: they are weighted to the same joint all the same.
    joints[::2][joints[::2] == hand] = len(skin.joints)
    rig = still.with_skin(0, doubled)
    primitive = replace(
        still.meshes[0].primitives[0], influences=Influences(joints, influences.weights)
    )
    rig = rig.with_primitive(0, 0, primitive)
    before = {f.rule for f in run(still).findings}
    assert {f.rule for f in run(rig).findings} - before == {"HIE-DUPJOINT"}


def spoilt_key(rule, times, values):
    """Spoil the fourth key, or its time."""
    if rule == "ANI-NAN":
        values[3] = np.nan
    elif rule == "ANI-TIME":
        times[3] = times[2]
    elif rule == "ANI-QNORM":
        values[3] *= 1.5
    else:
        values[3] *= -1.0


@pytest.mark.parametrize("rule", ["ANI-NAN", "ANI-TIME", "ANI-QNORM", "ANI-QFLIP"])
def test_a_key_at_fault_is_told_by_its_time(biped, rule):
    clip = biped.clips[0]
    assert not findings(biped, rule)
    number = next(i for i, c in enumerate(clip.channels) if c.path == "rotation")
    channel = clip.channels[number]
    times, values = channel.sampler.times.copy(), channel.sampler.values.copy()
    spoilt_key(rule, times, values)
    curve = replace(channel.sampler, times=times, values=values)
    channels = [*clip.channels]
    channels[number] = replace(channel, sampler=curve)
    clips = (Clip(clip.name, tuple(channels)), *biped.clips[1:])
    (finding,) = findings(replace(biped, clips=clips), rule)
    assert (finding.joints, finding.clip) == ((channel.node,), clip.name)
    assert finding.time == times[3]


@pytest.mark.parametrize(("steps", "told"), [(127.0, 0), (100.0, 1)])
def test_quaternions_as_exact_as_bytes_can_be_are_no_fault(biped, steps, told):
    clip = biped.clips[0]
    channels = tuple(
        replace(c, sampler=replace(c.sampler, values=np.round(c.sampler.values * steps) / steps))
        if c.path == "rotation"
        else c
        for c in clip.channels
    )
    rounded = replace(biped, clips=(Clip(clip.name, channels),))
    assert len(findings(rounded, "ANI-QNORM")) == told


def test_a_body_faces_away_in_vrm_0_and_is_told_so_where_it_does_not(still):
    assert not findings(still, "ORI-UPFWD")
    origin = replace(still.origin, extensions=("VRM",))
    away = replace(still, origin=origin)
    (finding,) = findings(away, "ORI-UPFWD")
    assert "faces towards +Z; VRM 0 wants −Z" in finding.message
    turned = finding.fix.repair(away)
    assert not findings(turned, "ORI-UPFWD")
    facing = Deformer(turned).rest_nodes[:, 2, 2] - Deformer(away).rest_nodes[:, 2, 2]
    assert facing[turned.joints[0]] != 0.0
    assert findings(replace(turned, origin=still.origin), "ORI-UPFWD")


def test_a_bind_that_shears_is_no_rest_elsewhere(still):
    (skin,) = still.skins
    binds = skin.joint_from_mesh.copy()
    shear = np.eye(4)
    shear[0, 1] = 0.1
    binds[10] = shear @ binds[10]
    rig = still.with_skin(0, replace(skin, inverse_binds=binds))
    told = {f.rule for f in run(rig).findings if f.rule.startswith(("SCL-", "BND-"))}
    assert told == {"BND-NONRIGID"}
    joint = skin.joints[10]
    assert [f.joints[0] for f in findings(resting(rig, joint, turn=30.0), "BND-REST")] == [joint]


def in_centimetres(rig):
    """Return a rig of the same size whose armature scales by a hundredth all that is a hundred times it."""
    (skin,) = rig.skins
    binds = skin.joint_from_mesh.copy()
    binds[:, :3, 3] *= 100.0
    primitive = rig.meshes[0].primitives[0]
    large = replace(rig.nodes, translations=100.0 * rig.nodes.translations)
    rig = replace(rig, nodes=large).with_skin(0, replace(skin, inverse_binds=binds))
    rig = rig.with_primitive(0, 0, replace(primitive, positions=100.0 * primitive.positions))
    return rigs.under(rig, scale=0.01)


def test_an_open_loop_is_told_in_metres_whatever_the_joints_are_stated_in(still):
    joint = still.nodes.names.index("pelvis")
    for rig, metre in ((still, 1.0), (in_centimetres(still), 100.0)):
        away = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.03 * metre]])
        curve = Sampler(np.array([0.0, 1.0]), rig.nodes.translations[joint] + away)
        clip = Clip("In place", (Channel(joint, "translation", curve),))
        (finding,) = findings(replace(rig, clips=(clip,)), "ANI-LOOP")
        assert (finding.value, finding.unit) == (pytest.approx(0.03), "m")


def with_empty_node(rig: Rig, name: str, parent: int = -1) -> Rig:
    """Return the rig with a node that carries nothing, under another one or at the top."""
    nodes = rig.nodes
    children = list(nodes.children)
    if parent >= 0:
        children[parent] = (*children[parent], len(nodes))
    more = replace(
        nodes,
        names=(*nodes.names, name),
        children=(*children, ()),
        translations=np.concatenate([nodes.translations, np.zeros((1, 3))]),
        rotations=np.concatenate([nodes.rotations, [quat.IDENTITY]]),
        scales=np.concatenate([nodes.scales, np.ones((1, 3))]),
    )
    meshes, skins = (*rig.node_meshes, None), (*rig.node_skins, None)
    roots = rig.roots if parent >= 0 else (*rig.roots, len(nodes))
    return replace(rig, nodes=more, node_meshes=meshes, node_skins=skins, roots=roots)


def test_a_channel_of_a_node_that_carries_nothing_is_told_and_stays(biped):
    rig = with_empty_node(biped, "camera")
    clip = rig.clips[0]
    curve = Sampler(np.array([0.0, 1.0]), np.eye(3)[:2])
    twice = clip.channels[0]
    channels = (*clip.channels, Channel(len(rig.nodes) - 1, "translation", curve), twice)
    rig = replace(rig, clips=(Clip(clip.name, channels), *rig.clips[1:]))
    report = run(rig, select=["ANI-TARGET"])
    lonely, double = report.findings
    assert (lonely.joints, lonely.value, lonely.fix.kind) == ((len(rig.nodes) - 1,), 1, "none")
    assert (double.joints, double.value, double.fix.kind) == ((twice.node,), 1, "exact")
    assert [report.severity(f) for f in report.findings] == ["info", "warning"]
    fixed = double.fix.repair(rig)
    assert len(fixed.clips[0].channels) == len(clip.channels) + 1
    socket = with_empty_node(biped, "socket", biped.joints[-1])
    assert not findings(replace(socket, clips=rig.clips[:1]), "ANI-TARGET")[1:]
    # What a file calls a bone moves something in the program that wrote it.
    bone = replace(rig, bones=frozenset([len(rig.nodes) - 1]))
    assert [f.fix.kind for f in findings(bone, "ANI-TARGET")] == ["exact"]


def with_node_between(rig: Rig, joint: int, way) -> Rig:
    """Return the rig with a node between a joint and its parent, moved a way in the parent's space."""
    nodes, new = rig.nodes, len(rig.nodes)
    parent = nodes.parents[joint]
    children = [list(below) for below in (*nodes.children, [joint])]
    children[parent][children[parent].index(joint)] = new
    translations = np.concatenate([nodes.translations, [way]])
    translations[joint] -= way
    more = replace(
        nodes,
        names=(*nodes.names, "between"),
        children=tuple(map(tuple, children)),
        translations=translations,
        rotations=np.concatenate([nodes.rotations, [quat.IDENTITY]]),
        scales=np.concatenate([nodes.scales, np.ones((1, 3))]),
    )
    meshes, skins = (*rig.node_meshes, None), (*rig.node_skins, None)
    return replace(rig, nodes=more, node_meshes=meshes, node_skins=skins)


@pytest.mark.parametrize("share", [0.5, 0.99, 1.01, 10.0])
def test_a_gap_is_as_long_whatever_the_joints_are_stated_in(still, share):
    size = Deformer(still).size
    for rig, metre in ((still, 1.0), (in_centimetres(still), 100.0)):
        joint = rig.nodes.names.index("hand_l")
        way = 1e-5 * share * size * metre * np.array([0.6, 0.0, 0.8])
        found = findings(with_node_between(rig, joint, way), "HIE-GAP")
        told = [finding.value for finding in found if finding.object == "between"]
        assert told == ([pytest.approx(1e-5 * share)] if share > 1.0 else [])


@pytest.mark.parametrize("name", ["clavicle_r", "upperarm_r", "lowerarm_r"])
def test_one_joint_that_was_rolled_is_rolled_back_alone(still, name):
    joint = still.nodes.names.index(name)
    along = measured(still).of_skin(skin_axes, 0)
    bone = along.directions[along.joints.tolist().index(joint)]
    turn = FrameTurn(quat.from_axis_angle(bone, np.radians(60.0)), 1.0)
    rolled = reframe(still, {joint: turn})
    (finding,) = findings(rolled, "ORI-ROLL")
    # Rolled alone it is two twists, its own and that of the joint below it, if that runs along its bone.
    labels = {1: "Untwist 1 joint", 2: "Untwist 2 joints, turning 1"}
    assert finding.fix.label == labels[len(finding.joints)]
    fixed = finding.fix.repair(rolled)
    assert not findings(fixed, "ORI-ROLL")
    assert not findings(fixed, "ORI-MIRROR")


def test_the_reach_of_the_skin_is_looked_for_where_joints_go_furthest():
    arm = load(SAMPLES / "arm.glb").rig
    root, times = arm.joints[0], np.arange(24) / 24.0
    turns = quat.from_axis_angle((0.0, 1.0, 0.0), np.radians(2.0) * np.arange(24))
    turns[17] = quat.IDENTITY
    way = np.zeros((24, 3))
    way[17] = 5.0, 0.0, 0.0
    moving = (
        Channel(root, "rotation", Sampler(times, quat.multiply(arm.nodes.rotations[root], turns))),
        Channel(root, "translation", Sampler(times, arm.nodes.translations[root] + way)),
    )
    clips = (Clip("Go", moving), Clip("Turn", moving[:1]))
    (finding,) = findings(replace(arm, clips=clips), "MSH-BOUNDS")
    assert (finding.clip, finding.time) == ("Go", times[17])


def test_weights_that_do_not_all_fit_lean_to_no_side():
    weights = np.array([[0.3, 0.15, 0.2, 0.15, 0.2], [0.2] * 5, [0.5, 0.2, 0.15, 0.1, 0.05]])
    top, kept = largest(weights, 4)
    assert top[0].tolist()[:3] == [0, 2, 4]
    assert kept.tolist() == [[0.3, 0.2, 0.2, 0.0], [0.2] * 4, [0.5, 0.2, 0.15, 0.1]]


@pytest.mark.parametrize("rule", ["HIE-UNUSED", "HIE-LEAF"])
def test_keys_of_a_joint_that_leaves_its_skin_are_no_news(rule):
    rig = load(SAMPLES / "broken" / f"{rule}.glb").rig
    (finding,) = findings(rig, rule)
    assert not run(finding.fix.repair(rig), select=["ANI-TARGET"]).findings
