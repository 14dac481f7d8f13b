"""Motion of one skeleton on another: the same where they differ in names, axes, rest pose or size alone."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.core import affine, quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.motion.joint_mapping import JointMapping, Match, propose
from rigview.core.motion.retarget import RetargetError, RetargetOptions, retarget
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.sampler import Sampler
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
TIMES = (0.0, 0.21, 0.5, 0.9)


@pytest.fixture(scope="module")
def biped():
    rig = load(SAMPLES / "biped.glb").rig
    return replace(rig, clips=tuple(clip for clip in rig.clips if clip.name == "Walk"))


def with_frames(rig, frames):
    """Return the rig at rest and bound with other ``model_from_node``, without clips."""
    parents = np.array(rig.nodes.parents)
    above = np.where((parents >= 0)[:, None, None], frames[parents], np.eye(4))
    local = affine.decompose(np.linalg.inv(above) @ frames)
    nodes = replace(
        rig.nodes,
        translations=local.translation,
        rotations=local.rotation,
        scales=local.scale,
        matrices={},
    )
    skins = tuple(
        replace(skin, inverse_binds=np.linalg.inv(frames[list(skin.joints)])) for skin in rig.skins
    )
    return replace(rig, nodes=nodes, skins=skins, clips=())


def rest_frames(rig):
    return model_from_nodes(rig, rest_pose(rig))


def heads(rig, clip, times=TIMES):
    return model_from_nodes(rig, sample(rig, clip, np.array(times)))[..., :3, 3]


def played(motion, character, mapping=None, **options):
    mapping = propose(motion, character) if mapping is None else mapping
    how = RetargetOptions(**options)
    return retarget(Deformer(motion), Deformer(character), mapping, options=how)


def by_joint(made):
    return {error.joint: error for error in made.errors}


def of_joints(rig, places):
    return places[:, list(rig.joints)]


def test_a_motion_on_its_own_skeleton_is_the_same_motion(biped):
    made = played(biped, replace(biped, clips=()))
    was, now = heads(biped, biped.clips[0]), heads(made.rig, made.clips[0])
    # Between keys the copy is straight in 30 frames a second, and the walk is not.
    np.testing.assert_allclose(of_joints(biped, now), of_joints(biped, was), atol=2e-4)
    assert made.unmapped == ()
    assert made.scale == pytest.approx(1.0, abs=1e-9)
    assert max(error.distance for error in made.errors) < 1e-9


def test_other_axes_of_joints_change_nothing(biped):
    frames = rest_frames(biped)
    turns = quat.to_matrix(quat.normalise(np.random.default_rng(7).normal(size=(len(frames), 4))))
    other = frames.copy()
    joints = list(biped.joints)
    other[joints, :3, :3] = frames[joints, :3, :3] @ turns[joints]
    made = played(biped, with_frames(biped, other))
    was, now = heads(biped, biped.clips[0]), heads(made.rig, made.clips[0])
    np.testing.assert_allclose(of_joints(biped, now), of_joints(biped, was), atol=2e-4)


def lowered(rig, degrees):
    """Return the rig with arms that rest and are bound lower: an A-pose of a T-pose."""
    frames = rest_frames(rig)
    for side, sign in (("l", -1.0), ("r", 1.0)):
        arm = rig.joint(f"upperarm_{side}")
        turn = np.eye(4)
        turn[:3, :3] = quat.to_matrix(
            quat.from_axis_angle((0.0, 0.0, 1.0), sign * np.radians(degrees))
        )
        about = np.eye(4)
        about[:3, 3] = frames[arm, :3, 3]
        for node in rig.nodes.subtree(arm):
            frames[node] = about @ turn @ np.linalg.inv(about) @ frames[node]
    return with_frames(rig, frames)


@pytest.mark.parametrize("degrees", [-30.0, 35.0])
def test_arms_that_rest_lower_go_where_the_motion_has_them(biped, degrees):
    character = lowered(biped, degrees)
    made = played(biped, character)
    was, now = heads(biped, biped.clips[0]), heads(made.rig, made.clips[0])
    np.testing.assert_allclose(of_joints(biped, now), of_joints(biped, was), atol=2e-4)


def test_a_larger_character_takes_larger_steps(biped):
    frames = rest_frames(biped)
    frames[:, :3, 3] *= 1.7
    made = played(biped, with_frames(biped, frames))
    was, now = heads(biped, biped.clips[0]), heads(made.rig, made.clips[0])
    assert made.scale == pytest.approx(1.7, abs=1e-6)
    np.testing.assert_allclose(of_joints(biped, now), 1.7 * of_joints(biped, was), atol=5e-4)


@pytest.mark.parametrize(("axis", "quarters"), [((0, 1, 0), 1), ((0, 1, 0), 2), ((1, 0, 0), -1)])
def test_a_character_that_faces_or_lies_elsewhere_moves_in_its_own_frame(biped, axis, quarters):
    turn = np.eye(4)
    turn[:3, :3] = quat.to_matrix(quat.from_axis_angle(axis, quarters * np.pi / 2.0))
    character = with_frames(biped, turn @ rest_frames(biped))
    made = played(biped, character)
    was = heads(biped, biped.clips[0]) @ turn[:3, :3].T
    now = heads(made.rig, made.clips[0])
    np.testing.assert_allclose(of_joints(biped, now), of_joints(biped, was), atol=2e-4)


def test_a_skeleton_that_stands_up_in_its_clips_alone_does_not_lift_the_character(biped):
    """Motion capture often states the hips at the origin and their height in every frame."""
    frames = rest_frames(biped)
    pelvis = biped.joint("pelvis")
    down = frames[pelvis, :3, 3].copy()
    motion = with_frames(biped, frames)
    nodes = motion.nodes
    low = nodes.translations.copy()
    local = np.linalg.inv(frames[nodes.parents[pelvis], :3, :3]) @ down
    low[pelvis] -= local
    sunk = frames.copy()
    sunk[[*nodes.subtree(pelvis)], :3, 3] -= down
    skins = tuple(
        replace(skin, inverse_binds=np.linalg.inv(sunk[list(skin.joints)])) for skin in motion.skins
    )
    moves = [
        c for c in biped.clips[0].channels if not (c.node == pelvis and c.path == "translation")
    ]
    was = biped.clips[0].curve(pelvis, "translation")
    hips = was or Sampler(np.array([0.0]), nodes.translations[[pelvis]])
    clip = replace(biped.clips[0], channels=(*moves, Channel(pelvis, "translation", hips)))
    motion = replace(motion, nodes=replace(nodes, translations=low), skins=skins, clips=(clip,))
    made = played(motion, replace(biped, clips=()))
    now, wanted = heads(made.rig, made.clips[0]), heads(biped, biped.clips[0])
    foot = biped.joint("foot_l")
    assert abs(now[:, foot, 1] - wanted[:, foot, 1]).max() < 0.05
    # Where the motion has a joint is above its own ground, too.
    assert max(error.distance for error in made.errors) < 0.05


def test_chains_of_other_lengths_share_out_the_turn(biped):
    """Without its middle joint a spine ends turned as before, and so does all above it."""
    spine = biped.joint("spine_02")
    names = tuple(
        "kept" if node == spine else f"DEF-{name}" for node, name in enumerate(biped.nodes.names)
    )
    short = replace(biped, nodes=replace(biped.nodes, names=names), clips=())
    mapping = propose(biped, short)
    top, bottom = biped.joint("spine_03"), biped.joint("spine_01")
    assert mapping.matches[top].source == top
    assert mapping.matches[bottom] == Match(bottom, spine, 0.5)
    made = played(biped, short, mapping)
    was = model_from_nodes(biped, sample(biped, biped.clips[0], 0.4))
    now = model_from_nodes(made.rig, sample(made.rig, made.clips[0], 0.4))
    for name in ("spine_03", "head", "hand_l", "foot_r"):
        joint = biped.joint(name)
        np.testing.assert_allclose(now[joint, :3, :3], was[joint, :3, :3], atol=2e-3)


def test_errors_say_how_far_bones_and_places_are(biped):
    """A character whose forearms are half as long has its hands elsewhere, its arms turned alike."""
    frames = rest_frames(biped)
    elbow, hand = biped.joint("lowerarm_l"), biped.joint("hand_l")
    away = 0.5 * (frames[hand, :3, 3] - frames[elbow, :3, 3])
    for node in biped.nodes.subtree(hand):
        frames[node, :3, 3] -= away
    made = played(biped, with_frames(biped, frames))
    found = by_joint(made)
    leg = sum(
        np.linalg.norm(frames[biped.joint(b), :3, 3] - frames[biped.joint(a), :3, 3])
        for a, b in (("pelvis", "thigh_l"), ("thigh_l", "calf_l"), ("calf_l", "foot_l"))
    )
    assert found[elbow].degrees < 1e-4
    assert found[hand].distance == pytest.approx(np.linalg.norm(away) / leg, rel=1e-3)
    assert found[biped.joint("hand_r")].distance < 1e-6


def test_a_motion_on_its_own_skeleton_has_no_error(biped):
    made = played(biped, replace(biped, clips=()))
    assert {error.joint for error in made.errors} == set(biped.joints)
    told = [error.degrees for error in made.errors if not np.isnan(error.degrees)]
    assert len(told) > 0.6 * len(biped.joints)
    # Half a millionth of a degree is what an arc between float64 directions is good for.
    assert max(told) < 1e-5


def test_a_bone_that_rests_otherwise_is_the_one_whose_error_says_so(biped):
    """Where arms are not aligned, each keeps the angle by which it rests lower; all else is alike."""
    made = played(biped, lowered(biped, 35.0), align=False)
    arms = {biped.joint(f"upperarm_{side}") for side in "lr"}
    below = {node for arm in arms for node in biped.nodes.subtree(arm)}
    for joint, error in by_joint(made).items():
        if joint in arms:
            assert error.degrees == pytest.approx(35.0, abs=0.01)
        elif joint not in below and not np.isnan(error.degrees):
            assert error.degrees < 1e-4, biped.nodes.names[joint]


def test_where_the_motion_is_placed_its_joints_are_the_character_s(biped):
    """The placement shows the two side by side: as large, at one place, facing alike."""
    turn = np.eye(4)
    turn[:3, :3] = 1.7 * quat.to_matrix(quat.from_axis_angle((0.0, 1.0, 0.0), 0.5 * np.pi))
    frames = turn @ rest_frames(biped)
    frames[:, :3, :3] /= 1.7
    made = played(biped, with_frames(biped, frames))
    was, now = heads(biped, biped.clips[0]), heads(made.rig, made.clips[0])
    placement = made.placements[0]
    seen = was @ placement[:3, :3].T + placement[:3, 3]
    np.testing.assert_allclose(of_joints(biped, now), of_joints(biped, seen), atol=5e-4)


def twists(rig, clip, name, end):
    """Return how far a joint turns about its own bone, below the joint above, in degrees."""
    joint, tip = rig.joint(name), rig.joint(end)
    rest = rest_frames(rig)
    parent = rig.nodes.parents[joint]
    local = np.linalg.inv(rest[parent]) @ rest[joint]
    bone = local[:3, :3] @ (np.linalg.inv(rest[joint]) @ rest[tip])[:3, 3]
    frames = model_from_nodes(rig, sample(rig, clip, np.array(TIMES)))
    now = np.linalg.inv(frames[:, parent]) @ frames[:, joint]
    turned = quat.from_matrix(now[:, :3, :3] @ np.linalg.inv(local[:3, :3]))
    swing = quat.arc(np.broadcast_to(bone, (len(TIMES), 3)), quat.rotate(turned, bone))
    return np.degrees(quat.angle_between(swing, turned))


@pytest.fixture(scope="module")
def waving(biped):
    """The biped, whose forearm turns about itself while the elbow bends."""
    elbow, hand = biped.joint("lowerarm_l"), biped.joint("hand_l")
    bone = biped.nodes.translations[hand]
    rest = biped.nodes.rotations[elbow]
    about = quat.from_axis_angle(bone, np.radians([0.0, 70.0]))
    bent = quat.from_axis_angle(np.cross(bone, (0.3, 0.5, 0.9)), np.radians([10.0, 50.0]))
    keys = quat.multiply(rest[None], quat.multiply(bent, about))
    wave = Channel(elbow, "rotation", Sampler(np.array([0.0, 1.0]), keys))
    still = [
        Channel(joint, "rotation", Sampler(np.zeros(1), biped.nodes.rotations[[joint]]))
        for joint in biped.joints
        if joint != elbow
    ]
    return replace(biped, clips=(Clip("Wave", (wave, *still)),))


def test_twist_is_kept_and_can_be_left_out_alone(waving):
    """Without it no bone points elsewhere."""
    kept = played(waving, replace(waving, clips=()))
    left = played(waving, replace(waving, clips=()), twist=False)
    was, kept_at, left_at = (
        heads(*pair)[:, waving.joint("hand_l")]
        for pair in (
            (waving, waving.clips[0]),
            (kept.rig, kept.clips[0]),
            (left.rig, left.clips[0]),
        )
    )
    np.testing.assert_allclose(kept_at, was, atol=2e-4)
    np.testing.assert_allclose(left_at, was, atol=2e-4)
    own = twists(waving, waving.clips[0], "lowerarm_l", "hand_l")
    assert own.max() > 50.0
    now = twists(kept.rig, kept.clips[0], "lowerarm_l", "hand_l")
    np.testing.assert_allclose(now, own, atol=0.1)
    assert twists(left.rig, left.clips[0], "lowerarm_l", "hand_l").max() < 0.1
    told = [error.degrees for error in left.errors if not np.isnan(error.degrees)]
    assert max(told) < 1e-4


def test_fingers_of_other_lengths_share_out_the_turn(biped):
    """A finger of two joints ends turned as one of three."""
    lost = biped.joint("index_02_l")
    names = tuple(
        "kept" if node == lost else f"DEF-{name}" for node, name in enumerate(biped.nodes.names)
    )
    short = replace(biped, nodes=replace(biped.nodes, names=names), clips=())
    first, last = biped.joint("index_01_l"), biped.joint("index_03_l")
    curl = Sampler(np.array([0.0, 1.0]), np.array([quat.IDENTITY, (0.0, 0.0, 0.6, 0.8)]))
    turned = {first, lost, last}
    still = [c for c in biped.clips[0].channels if c.node not in turned]
    moving = (*still, *(Channel(node, "rotation", curl) for node in turned))
    motion = replace(biped, clips=(Clip("Curl", moving),))
    mapping = propose(motion, short)
    assert mapping.matches[last].source == last
    assert lost not in mapping.matches
    made = played(motion, short, mapping)
    frames = [
        model_from_nodes(rig, sample(rig, clip, 0.8))[last, :3, :3]
        for rig, clip in ((motion, motion.clips[0]), (made.rig, made.clips[0]))
    ]
    np.testing.assert_allclose(frames[1], frames[0], atol=2e-3)


def test_a_motion_without_counterparts_is_refused(biped):
    character = replace(biped, clips=())
    with pytest.raises(RetargetError, match="no joint of the character has a counterpart"):
        played(biped, character, JointMapping())
    head = biped.joint("head")
    with pytest.raises(RetargetError, match=r"of the \d+ joints that carry the motion have no"):
        played(biped, character, JointMapping({head: Match(head)}))
    with pytest.raises(RetargetError, match="turns no joint"):
        played(character, biped)


def test_joints_without_counterpart_are_told_and_keep_their_place(biped):
    whole = propose(biped, biped)
    hand, fingers = biped.joint("hand_l"), set(biped.nodes.subtree(biped.joint("index_01_l")))
    curl = Sampler(np.array([0.0, 1.0]), np.array([quat.IDENTITY, (0.0, 0.0, 0.6, 0.8)]))
    moving = [*biped.clips[0].channels, *(Channel(node, "rotation", curl) for node in fingers)]
    motion = replace(biped, clips=(Clip("Curl", tuple(moving)),))
    left = {joint: match for joint, match in whole.matches.items() if joint not in fingers}
    made = played(motion, biped, JointMapping(left, whole.parts))
    assert set(made.unmapped) == fingers
    frames = model_from_nodes(made.rig, sample(made.rig, made.clips[-1], 1.0))
    rest = rest_frames(biped)
    for finger in fingers:
        now = np.linalg.inv(frames[hand]) @ frames[finger]
        np.testing.assert_allclose(now, np.linalg.inv(rest[hand]) @ rest[finger], atol=1e-6)
    assert made.rig.clips[0].name == "Walk"
    assert made.clips[0].name == "Curl"
