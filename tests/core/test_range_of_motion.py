"""The range of motion: names, limits, mirrored pairs, and a clip that plays and ends at rest."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.assets import resource
from rigview.core import affine, quat
from rigview.core.deform import Deformer
from rigview.core.motion.four_legs import flexion
from rigview.core.motion.joint_axes import joint_axes
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import STEP, range_of_motion, with_clip
from rigview.core.motion.rom_fallback import largest_bend
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


def test_helpers_and_roots_stay(biped):
    moved = {biped.nodes.names[c.node] for c in range_of_motion(biped, TABLE).clip.channels}
    assert not any("twist" in name for name in moved)
    assert "pelvis" not in moved
    assert "lowerarm_l" in moved


def same_motion(a, b):
    """Return whether two ranges of motion pose the same nodes equally at the same times."""
    return a.steps == b.steps and all(
        mine.node == other.node
        and np.array_equal(mine.sampler.times, other.sampler.times)
        and np.array_equal(mine.sampler.values, other.sampler.values)
        for mine, other in zip(a.clip.channels, b.clip.channels, strict=True)
    )


def test_twins_of_one_skeleton_pose_equally_whatever_their_weights_are(biped):
    part = biped.parts[0]
    primitive = biped.primitive(part)
    rng = np.random.default_rng(3)
    influences = primitive.influences
    joints = rng.integers(len(biped.skins[0].joints), size=influences.joints.shape)
    for changed in (
        replace(influences, joints=joints),
        replace(influences, weights=np.zeros_like(influences.weights)),
    ):
        twin = biped.with_primitive(
            part.mesh, part.primitive, replace(primitive, influences=changed)
        )
        assert same_motion(range_of_motion(biped, TABLE), range_of_motion(twin, TABLE))
    none = (None,) * len(biped.nodes.names)
    moved = {c.node for c in range_of_motion(biped, TABLE).clip.channels}
    bare = replace(biped, node_meshes=none, node_skins=none, meshes=())
    assert {c.node for c in range_of_motion(bare, TABLE).clip.channels} == moved


def test_every_step_is_a_marker_of_the_clip_that_names_who_goes_where(biped):
    motion = range_of_motion(biped, TABLE)
    assert [(m.time, m.name) for m in motion.clip.markers] == [
        (step.time, step.name) for step in motion.steps
    ]
    names = {step.name for step in motion.steps}
    assert {"lower arm: flex", "spine_01: swing", "fists: flex"} <= names
    assert "everything flexed and twisted" in names
    for step in motion.steps:
        assert motion.clip.marker_at(step.time + 0.01).name == step.name


@pytest.mark.parametrize("side_", ["l", "r"])
def test_a_hand_that_hangs_down_closes_towards_the_body(biped, side_):
    names = biped.nodes.names
    arm, hand = names.index(f"upperarm_{side_}"), names.index(f"hand_{side_}")
    model = model_from_nodes(biped, rest_pose(biped))
    along = model[hand, :3, 3] - model[arm, :3, 3]
    turn = quat.arc(along / np.linalg.norm(along), np.array([0.0, -1.0, 0.0]))
    above = quat.from_matrix(affine.polar(model[biped.nodes.parents[arm], :3, :3])[0])
    local = quat.multiply(quat.conjugate(above), quat.multiply(turn, above))
    rotation = quat.multiply(local, biped.nodes.rotations[arm])
    rotations = rigs.with_row(biped.nodes.rotations, arm, rotation)
    hanging = rigs.with_nodes(biped, rotations=rotations)
    motion = range_of_motion(hanging, TABLE)
    time = next(s.time for s in motion.steps if s.name == "fists: flex")
    rest, bent = heads(hanging, motion, 0.0), heads(hanging, motion, time)
    moved = bent[f"index_03_{side_}"] - rest[f"index_03_{side_}"]
    inward = -np.sign(rest[f"hand_{side_}"][0])
    assert moved[0] * inward > 2.0 * abs(moved[2])


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


FOX = "DRx3D+glTF-Sample-Assets-OLD/Models/Fox/glTF-Binary/Fox.glb"
ALPACA = "trebeljahr+quaternius-showcase/public/glb/animals_pack/Alpaca.glb"


def inner_angle(rig, model, joint):
    """Return the angle in degrees between a joint's bone and the one above it, by the first children."""
    points = model[:, :3, 3]
    up = points[rig.joint_parents[joint]] - points[joint]
    down = points[rig.joint_children[joint][0]] - points[joint]
    return np.degrees(np.arccos(up @ down / np.linalg.norm(up) / np.linalg.norm(down)))


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("file", "joint", "watched", "direction"),
    [
        # Hocks flex forward and stifles back; elbows flex forward. Facing +Z.
        (FOX, "b_LeftLeg02_016", "b_LeftFoot01_017", (0, 0, -1)),
        (FOX, "b_LeftFoot01_017", "b_LeftFoot02_018", (0, 0, 1)),
        (FOX, "b_LeftForeArm_010", "b_LeftHand_011", (0, 0, 1)),
        (ALPACA, "BackUpperLeg.L", "BackLowerLeg.L", (0, 0, -1)),
        (ALPACA, "FrontUpperLeg.L", "FrontLowerLeg.L", (0, 0, 1)),
    ],
)
def test_animals_bend_their_legs_as_animals_do(corpus, file, joint, watched, direction):
    rig = load(corpus / "rigs" / file).rig
    motion = range_of_motion(rig, TABLE)
    node = rig.nodes.names.index(joint)
    time = next(s.time for s in motion.steps if node in s.joints and s.label == "flex")
    # On the way there: a bend of 110° goes round.
    rest, bent = heads(rig, motion, 0.0), heads(rig, motion, time - 0.8 * STEP)
    moved = (bent[watched] - rest[watched]) / Deformer(rig).size
    assert moved @ np.array(direction) > 0.01
    # A human's thigh swings by 110°, which takes an animal's through its back.
    axes = joint_axes(rig, model_from_nodes(rig, rest_pose(rig)), TABLE)
    upper = [joint for joint, own in axes.items() if own.limits.id == "limb"]
    keys = sample(rig, motion.clip, motion.clip.key_times).rotations
    turned = quat.angle_between(keys, rig.nodes.rotations)[:, upper]
    assert len(upper) == 4
    assert np.degrees(turned.max()) < 50.0


@pytest.mark.corpus
def test_no_hinge_of_an_animal_closes_further_than_a_dogs(corpus):
    rig = load(corpus / "rigs" / FOX).rig
    motion = range_of_motion(rig, TABLE)
    for joint in ("b_LeftLeg02_016", "b_RightLeg02_020", "b_LeftFoot01_017", "b_LeftForeArm_010"):
        node = rig.nodes.names.index(joint)
        own = [s for s in motion.steps if node in s.joints and "everything" not in s.label]
        angles = [
            inner_angle(rig, model_from_nodes(rig, sample(rig, motion.clip, s.time)), node)
            for s in own
        ]
        assert min(angles) > 39.0


@pytest.mark.corpus
def test_a_lying_human_is_no_animal(corpus):
    rig = load(corpus / "rigs" / "VictorS-67+pybvh/bvh_data/bvh_example.bvh").rig
    axes = joint_axes(rig, model_from_nodes(rig, rest_pose(rig)), TABLE)
    assert not {a.limits.id for a in axes.values()} & set(TABLE.animal)


@given(
    inner=st.floats(0.0, 180.0),
    least=st.floats(-90.0, 0.0),
    most=st.floats(0.0, 180.0),
)
def test_flexion_keeps_hinges_within_their_reach_and_rest_within_the_range(inner, least, most):
    low, high = flexion((least, most), inner, (40.0, 164.0))
    assert least <= low <= 0.0 <= high <= most
    # Flexion closes the angle: what is open at rest may stay, and nothing leaves the reach.
    assert inner - high >= min(inner, 40.0) - 1e-9
    assert inner - low <= max(inner, 164.0) + 1e-9
