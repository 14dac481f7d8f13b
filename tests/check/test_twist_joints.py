"""Twist joints: the mesh at rest and every other joint stay, and a twisted limb keeps its girth."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.check.rig_edits.twist_joints import add_twist_joints, plan, twist_angles
from rigview.check.rule import Refused
from rigview.core import affine, quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences, Mesh, Primitive
from rigview.core.nodes import Nodes
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.rig import Rig, Skin
from rigview.core.sampler import Sampler
from rigview.io import load, save

# A tube along +X around three joints at 0, 1 and 2, its blends narrow.
RADIUS, JOINTS = 0.15, 3


def tube(turns, wide=0.05, rings=401, sides=24):
    """Return a tube whose second and third joints turn about its own line by `turns` at 1 s."""
    along = np.linspace(-0.4, 2.4, rings)
    angle = np.arange(sides) * 2.0 * np.pi / sides
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * RADIUS
    positions = np.concatenate(
        [np.repeat(along, sides)[:, None], np.tile(ring, (rings, 1))], axis=1
    )
    x = positions[:, 0]
    shares = [np.clip((x - j) / (2 * wide) + 0.5, 0.0, 1.0) for j in (1.0, 2.0)]
    weights = np.stack([1.0 - shares[0], shares[0] * (1.0 - shares[1]), shares[1]], axis=1)
    joints = np.where(weights > 0.0, np.arange(3), 0)
    first = np.arange((rings - 1) * sides).reshape(rings - 1, sides)
    second = np.roll(first, -1, axis=1)
    quads = np.stack([first, second, second + sides, first, second + sides, first + sides], axis=-1)
    lines, points = np.zeros((0, 2), dtype=np.int64), np.zeros(0, dtype=np.int64)
    influences = Influences(joints, weights)
    primitive = Primitive(positions, quads.reshape(-1, 3), lines, points, influences=influences)
    nodes = Nodes(
        ("upper", "lower_l", "hand_l", "tube"),
        ((1,), (2,), (), ()),
        np.array([[0, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 0]], dtype=float),
        np.tile([0.0, 0, 0, 1], (4, 1)),
        np.ones((4, 3)),
    )
    binds = np.tile(np.eye(4), (3, 1, 1))
    binds[:, 0, 3] = [0.0, -1.0, -2.0]
    times = np.linspace(0.0, 1.0, 9)
    channels = [
        Channel(
            joint,
            "rotation",
            Sampler(times, quat.from_axis_angle((1.0, 0, 0), turn * times)),
        )
        for joint, turn in ((1, turns[0]), (2, turns[1]))
    ]
    return Rig(
        nodes=nodes,
        meshes=(Mesh("tube", (primitive,)),),
        skins=(Skin("skin", (0, 1, 2), binds),),
        node_meshes=(None, None, None, 0),
        node_skins=(None, None, None, 0),
        roots=(0, 3),
        clips=(Clip("twist", tuple(channels)),),
    )


def posed(rig, time):
    return rigs.positions(rig, sample(rig, rig.clips[0], time), "lbs")


def girth(rig, time, start=-1.0, end=3.0):
    """Return the smallest radius of the tube between two places, as a share of that at rest."""
    x = rig.meshes[0].primitives[0].positions[:, 0]
    chosen = (x > start) & (x < end)
    return np.linalg.norm(posed(rig, time)[chosen, 1:], axis=1).min() / RADIUS


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("degrees", [60.0, 120.0, 170.0])
def test_a_twisted_wrist_keeps_the_cosine_of_its_share(count, degrees):
    rig = tube((0.0, np.radians(degrees)))
    changed = add_twist_joints(rig, 2, count, "above")
    assert girth(rig, 1.0) == pytest.approx(np.cos(np.radians(degrees / 2)), abs=5e-3)
    assert girth(changed, 1.0) == pytest.approx(
        np.cos(np.radians(degrees / 2 / (count + 1))), abs=5e-3
    )


@pytest.mark.parametrize("count", [2, 3])
def test_an_upper_arm_untwists_towards_its_shoulder(count):
    turn = np.radians(150.0)
    rig = tube((turn, 0.0))
    changed = add_twist_joints(rig, 1, count, "own")
    # The narrow blend at the joint itself, which collapsed, is not twisted any more.
    assert girth(rig, 1.0, 0.9, 1.1) == pytest.approx(np.cos(turn / 2), abs=5e-3)
    assert girth(changed, 1.0, 0.9, 1.01) > 0.98
    assert girth(changed, 1.0) == pytest.approx(np.cos(turn / 2 / count), abs=5e-3)


def joints_stay(before, after, but=()):
    for clip in range(len(before.clips)):
        for time in np.linspace(before.clips[clip].start, before.clips[clip].end, 7):
            old = model_from_nodes(before, sample(before, before.clips[clip], time))
            new = model_from_nodes(after, sample(after, after.clips[clip], time))
            stay = [node for node in range(len(old)) if node not in but]
            np.testing.assert_allclose(new[stay], old[stay], atol=1e-12)


@pytest.mark.parametrize(
    ("joint", "limb"),
    [("hand_l", "above"), ("foot_r", "above"), ("upperarm_l", "own"), ("thigh_r", "own")],
)
@pytest.mark.parametrize("count", [2, 3])
def test_the_mesh_at_rest_and_every_other_joint_stay(samples, joint, limb, count):
    rig = load(samples / "biped.glb").rig
    changed = add_twist_joints(rig, rig.nodes.names.index(joint), count, limb)
    limb_node = plan(rig, rig.nodes.names.index(joint), limb).limb
    named = [
        n for n in changed.nodes.sound_children[limb_node] if "twist" in changed.nodes.names[n]
    ]
    assert len(named) == count
    joints_stay(rig, changed, but=named)
    height = Deformer(rig).size
    for method in ("lbs", "dqs"):
        old = rigs.positions(rig, rest_pose(rig), method)
        new = rigs.positions(changed, rest_pose(changed), method)
        # The file's own twist joints are bound and placed as exactly as 32-bit numbers go.
        assert np.abs(old - new).max() < 1e-7 * height
    for a, b in zip(rig.parts, changed.parts, strict=True):
        before, after = rig.primitive(a).influences, changed.primitive(b).influences
        if before is not None:
            np.testing.assert_allclose(after.sums, before.sums, atol=1e-12)
            assert after.joints.shape[1] <= max(4, before.joints.shape[1])
            assert after.joints.max() < len(changed.skins[b.skin].joints)


@settings(max_examples=15)
@given(
    turns=st.lists(
        st.tuples(st.floats(-3.0, 3.0), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0)),
        min_size=2,
        max_size=5,
    ),
    count=st.integers(2, 3),
    limb=st.sampled_from(["above", "own"]),
    stepped=st.booleans(),
)
def test_between_keys_new_joints_hold_their_share_of_the_twist(turns, count, limb, stepped):
    rig = tube((0.0, 0.0))
    times = np.arange(len(turns), dtype=float)
    keys = quat.normalise(
        np.array(
            [
                quat.multiply(
                    quat.from_axis_angle((0, 0, 1.0), swing),
                    quat.multiply(
                        quat.from_axis_angle((0, 1.0, 0), bend),
                        quat.from_axis_angle((1.0, 0, 0), twist),
                    ),
                )
                for twist, bend, swing in turns
            ]
        )
    )
    sampler = Sampler(times, keys, "STEP" if stepped else "LINEAR")
    rig = replace(rig, clips=(Clip("turns", (Channel(2, "rotation", sampler),)),))
    changed = add_twist_joints(rig, 2, count, limb)
    joints_stay(rig, changed)
    chosen = plan(rig, 2, limb)
    asked = np.linspace(0.0, times[-1], 23)
    dense = np.union1d(np.linspace(0.0, times[-1], 2001), asked)
    angles = twist_angles(rig, rig.clips[0], chosen, dense)[np.searchsorted(dense, asked)]
    for node, share in zip(range(4, 4 + count), chosen.shares(count), strict=True):
        got = sample(changed, changed.clips[0], asked).rotations[:, node]
        wanted = quat.from_axis_angle(np.array([1.0, 0, 0]), share * angles)
        # A swing of up to 180° leaves the twist of a key open: shares of it may go either way round.
        if np.abs(np.diff(angles)).max() < np.pi / 2:
            assert np.degrees(quat.angle_between(got, wanted)).max() < 1.0


def test_new_joints_are_called_after_the_limb_with_the_side_last(samples):
    rig = load(samples / "biped.glb").rig
    changed = add_twist_joints(rig, rig.nodes.names.index("hand_l"), 3)
    new = changed.nodes.names[len(rig.nodes) :]
    assert len(new) == 1
    assert all(name.startswith("lowerarm_twist_0") and name.endswith("_l") for name in new)
    assert len(set(changed.nodes.names)) == len(changed.nodes)
    parents = {changed.nodes.parents[n] for n in range(len(rig.nodes), len(changed.nodes))}
    assert parents == {rig.nodes.names.index("lowerarm_l")}


def test_a_twist_joint_that_no_clip_turns_is_put_to_use_and_one_that_turns_keeps_its_keys():
    rig = tube((0.0, np.radians(170.0)))
    with_one = add_twist_joints(rig, 2, 1, "above")
    idle = replace(with_one, clips=rig.clips)
    assert girth(idle, 1.0) == pytest.approx(np.cos(np.radians(85.0)), abs=5e-3)
    changed = add_twist_joints(idle, 2, 2, "above")
    assert len(changed.nodes) == len(rig.nodes) + 2
    assert girth(changed, 1.0) == pytest.approx(np.cos(np.radians(170.0 / 6.0)), abs=5e-3)
    keyed = add_twist_joints(with_one, 2, 2, "above")
    own = [c for c in keyed.clips[0].active if c.node == len(rig.nodes)]
    assert [c.sampler for c in own] == [with_one.clips[0].channels[-1].sampler]


def test_by_itself_it_takes_the_forearm_for_a_hand_and_the_upper_arm_for_a_shoulder(samples):
    rig = load(samples / "biped.glb").rig
    names = rig.nodes.names
    assert plan(rig, names.index("hand_l")).limb == names.index("lowerarm_l")
    assert plan(rig, names.index("upperarm_l")).limb == names.index("upperarm_l")
    assert plan(rig, names.index("thigh_r")).limb == names.index("thigh_r")


def test_what_cannot_be_done_is_refused_before_anything_changes():
    rig = tube((0.0, 1.0))
    with pytest.raises(Refused, match="hangs on no joint"):
        add_twist_joints(rig, 0, 1)
    with pytest.raises(Refused, match="two or more"):
        add_twist_joints(rig, 1, 1, "own")
    with pytest.raises(ValueError, match="wanted 1 to 3, got 4"):
        add_twist_joints(rig, 2, 4)
    short = replace(rig, skins=(replace(rig.skins[0], inverse_binds=np.eye(4)[None]),))
    with pytest.raises(Refused, match="fewer inverse bind matrices"):
        add_twist_joints(short, 2, 1, "above")
    still = rigs.with_nodes(rig, translations=np.zeros((4, 3)))
    with pytest.raises(Refused, match="has no length"):
        add_twist_joints(still, 2, 1, "above")


def test_a_saved_copy_opens_with_the_same_twist(samples, tmp_path):
    loaded = load(samples / "biped.glb")
    names = loaded.rig.nodes.names
    changed = add_twist_joints(loaded.rig, names.index("hand_l"), 2)
    save(loaded, changed, tmp_path / "twist.glb")
    again = load(tmp_path / "twist.glb").rig
    clip = changed.clips[0]
    for time in (clip.start, 0.5 * (clip.start + clip.end), clip.end):
        ours = rigs.positions(changed, sample(changed, clip, time), "lbs")
        theirs = rigs.positions(again, sample(again, again.clips[0], time), "lbs")
        assert np.abs(ours - theirs).max() < 1e-5 * Deformer(changed).size
    assert affine.determinant(again.skins[0].joint_from_mesh).min() > 0.0
