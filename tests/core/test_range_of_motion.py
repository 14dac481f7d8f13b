"""The range of motion: names, limits, mirrored pairs, and a clip that plays and ends at rest."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given

from rigview.assets import resource
from rigview.core import affine, quat
from rigview.core.deform import Deformer
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import largest_bend, range_of_motion, with_clip
from rigview.core.names import BODY_PARTS, side
from rigview.core.nodes import Nodes
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.rig import Rig
from rigview.io import load

TABLE = LimitTable.of(resource("joint_limits.json"))


def test_limits_are_those_of_parts():
    assert set(TABLE.rows) < {part.id for part in BODY_PARTS}


@pytest.fixture(scope="module")
def biped(samples):
    return load(samples / "biped.glb").rig


def heads(rig, motion, time):
    model = model_from_nodes(rig, sample(rig, motion.clip, time))
    return dict(zip(rig.nodes.names, model[:, :3, 3], strict=True))


def when(rig, motion, joint, label):
    node = rig.nodes.names.index(joint)
    return next(s.time for s in motion.steps if s.joints[0] == node and s.label == label)


@pytest.mark.parametrize(
    ("joint", "label", "watched", "direction"),
    [
        ("thigh_l", "flex", "foot_l", (0, 0, 1)),
        ("thigh_l", "extend", "foot_l", (0, 0, -1)),
        ("thigh_l", "swing", "foot_l", (1, 0, 0)),
        ("calf_l", "flex", "foot_l", (0, 0, -1)),
        ("foot_l", "flex", "ball_l", (0, 1, 0)),
        ("upperarm_l", "flex", "hand_l", (0, 0, 1)),
        ("upperarm_l", "swing", "hand_l", (0, 1, 0)),
        ("lowerarm_l", "flex", "hand_l", (0, 0, 1)),
        ("spine_01", "flex", "head", (0, 0, 1)),
        ("head", "flex", "head", (0, 0, 0)),
    ],
)
def test_joints_go_where_a_body_goes(biped, joint, label, watched, direction):
    motion = range_of_motion(biped, TABLE)
    time = when(biped, motion, joint, label)
    rest, bent = heads(biped, motion, 0.0), heads(biped, motion, time)
    moved = (bent[watched] - rest[watched]) / Deformer(biped).size
    if not any(direction):
        assert np.linalg.norm(moved) < 1e-9
        return
    assert moved @ np.array(direction) > 0.02


def test_left_and_right_move_as_each_others_mirror(biped):
    motion = range_of_motion(biped, TABLE)
    paired = [s for s in motion.steps if all(side(biped.nodes.names[j]) for j in s.joints)]
    assert len(paired) > 30
    for step in paired:
        here = heads(biped, motion, step.time)
        for name in ("hand", "lowerarm", "foot", "ball", "thumb_02", "index_03"):
            left, right = here[f"{name}_l"], here[f"{name}_r"]
            assert left * (-1, 1, 1) == pytest.approx(right, abs=2e-3), (step.label, name)


def test_no_joint_goes_beyond_its_limits_and_each_reaches_them(biped):
    motion = range_of_motion(biped, TABLE)
    limits = TABLE.of_rig(biped)
    for channel in motion.clip.channels:
        rest = biped.nodes.rotations[channel.node]
        angles = np.degrees(quat.angle_between(channel.sampler.keys, rest))
        own = limits[channel.node]
        single = max(abs(v) for v in (*own.flex[1:], *own.swing[1:], *own.twist))
        assert angles.max() == pytest.approx(single, abs=1e-6)


def test_it_starts_and_ends_at_rest_and_every_group_rests_before_the_next(biped):
    motion = range_of_motion(biped, TABLE)
    rest = rest_pose(biped).rotations
    for time in (0.0, motion.clip.end):
        got = sample(biped, motion.clip, time).rotations
        assert quat.angle_between(got, rest) == pytest.approx(0.0, abs=1e-7)
    for step in motion.steps:
        got = sample(biped, motion.clip, step.time).rotations
        moved = set(np.flatnonzero(quat.angle_between(got, rest) > 1e-6))
        assert moved <= set(step.joints)
        assert motion.at(step.time) is step


@given(rig=rigs.rigs(bind="rest"))
def test_any_rig_gets_a_clip_that_moves_its_joints_but_the_roots(rig):
    motion = range_of_motion(rig, TABLE)
    moved = {channel.node for channel in motion.clip.channels}
    assert moved <= {j for j in rig.joints if rig.joint_parents[j] >= 0}
    children = [j for j in rig.joints if rig.joint_parents[j] >= 0]
    assert bool(moved) == bool(motion.steps)
    assert moved or not children or len(children) < len(rig.joints)
    for channel in motion.clip.channels:
        assert np.all(np.isfinite(channel.sampler.values))
        assert np.all(np.diff(channel.sampler.times) > 0)


def test_helpers_and_joints_that_carry_nothing_stay(biped):
    moved = {biped.nodes.names[c.node] for c in range_of_motion(biped, TABLE).clip.channels}
    assert not any("twist" in name for name in moved)
    assert "pelvis" not in moved
    assert "lowerarm_l" in moved


def test_what_no_weight_hangs_on_stays_and_without_mesh_all_moves(biped):
    names = biped.nodes.names
    hand = biped.nodes.with_descendants({names.index("hand_l")})
    arm, skin = names.index("lowerarm_l"), biped.skins[0]
    part = biped.parts[0]
    primitive = biped.primitive(part)
    taken = np.isin(np.array(skin.joints)[primitive.influences.joints], list(hand))
    joints = np.where(taken, skin.joints.index(arm), primitive.influences.joints)
    influences = replace(primitive.influences, joints=joints)
    stump = biped.with_primitive(
        part.mesh, part.primitive, replace(primitive, influences=influences)
    )
    none = (None,) * len(names)
    bare = replace(biped, node_meshes=none, node_skins=none, meshes=())

    def moved(rig):
        return {channel.node for channel in range_of_motion(rig, TABLE).clip.channels}

    assert moved(biped) & hand
    assert moved(stump) == moved(biped) - hand
    assert moved(bare) >= moved(biped)


def test_a_body_that_faces_elsewhere_still_bends_its_knees_backwards(biped):
    turn = quat.from_axis_angle((0, 1.0, 0), np.radians(90))
    faced = rigs.under(biped, rotation=turn)
    motion = range_of_motion(faced, TABLE)
    time = when(faced, motion, "calf_l", "flex")
    rest, bent = heads(faced, motion, 0.0), heads(faced, motion, time)
    back = quat.rotate(turn, np.array([0, 0, -1.0]))
    assert (bent["foot_l"] - rest["foot_l"]) @ back > 0.1


def test_what_the_clip_moves_has_no_matrix(biped):
    nodes = biped.nodes
    calf = nodes.names.index("calf_l")
    matrix = affine.compose(nodes.translations[calf], nodes.rotations[calf], nodes.scales[calf])
    parts = (nodes.names, nodes.children, nodes.translations, nodes.rotations, nodes.scales)
    stated: Rig = replace(biped, nodes=Nodes(*parts, {calf: matrix, 0: np.eye(4)}))
    motion = range_of_motion(stated, TABLE)
    added = with_clip(stated, motion.clip)
    assert set(added.nodes.matrices) == {0}
    assert added.clips[-1] is motion.clip
    assert set(stated.nodes.matrices) == {0, calf}


def test_a_clip_is_tame_by_its_largest_bend(biped):
    walk = next(clip for clip in biped.clips if clip.name == "Walk")
    full = range_of_motion(biped, TABLE).clip
    assert largest_bend(biped, full) == pytest.approx(np.radians(140), abs=1e-6)
    assert 0.2 < largest_bend(biped, walk) < largest_bend(biped, full)
    assert largest_bend(biped, replace(walk, channels=())) == 0.0
