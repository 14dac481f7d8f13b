"""What rules say of left and right holds whichever way a character faces, and beside others."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "samples"))
from rigs import beside, under, with_nodes

import quaternions as qt
from draft import figure, globals_of, turn_frame, written
from rigview.check.applying.repair import repair
from rigview.check.run import run
from rigview.core import quat
from rigview.core.mirror_plane import mirror_plane
from rigview.io import load

OF_SIDES = ("HIE-SIDE", "ORI-MIRROR", "ORI-TPOSE", "WGT-SYM")
FACING = (0.0, 33.0, 90.0, 141.0, -90.0, 180.0)


@pytest.fixture(scope="module")
def biped():
    """Return a human figure that stands up +Y and faces +Z."""
    return load(Path(__file__).parents[2] / "samples" / "biped.glb").rig


@pytest.fixture
def rig_of(tmp_path):
    """Return the rig of a draft."""

    def make(draft):
        path = tmp_path / "rig.glb"
        path.write_bytes(written(draft))
        return load(path).rig

    return make


def facing(rig, degrees, at=(0.0, 0.0, 0.0)):
    """Return the rig turned about the vertical, and moved."""
    return under(rig, at, quat.from_axis_angle((0.0, 1.0, 0.0), np.radians(degrees)))


def renamed(rig, **names):
    return with_nodes(rig, names=tuple(names.get(name, name) for name in rig.nodes.names))


def exchanged(rig, *joints):
    """Return the rig with the names of joints of both sides exchanged."""
    other = {f"{joint}_{a}": f"{joint}_{b}" for joint in joints for a, b in ("lr", "rl")}
    return renamed(rig, **other)


def found(rig, *rules):
    return run(rig, select=rules or OF_SIDES).findings


def names(rig, finding):
    return {rig.nodes.names[joint] for joint in finding.joints}


@pytest.mark.parametrize("degrees", FACING)
def test_a_clean_character_is_clean_whichever_way_it_faces(biped, degrees):
    assert found(facing(biped, degrees)) == ()


@pytest.mark.parametrize("degrees", FACING)
def test_exchanged_names_are_found_whichever_way_a_character_faces(biped, degrees):
    (straight,) = found(exchanged(biped, "foot"), "HIE-SIDE")
    rig = facing(exchanged(biped, "foot"), degrees)
    (finding,) = found(rig, "HIE-SIDE")
    assert names(rig, finding) == {"foot_l", "foot_r"}
    assert finding.value == pytest.approx(straight.value)
    assert found(finding.fix.repair(rig), "HIE-SIDE") == ()


@pytest.mark.parametrize("degrees", FACING)
def test_axes_that_do_not_mirror_are_found_whichever_way_a_character_faces(rig_of, degrees):
    draft = figure()
    turn_frame(draft, 6, qt.about((0.0, 1.0, 0.0), 20.0))
    rig = facing(rig_of(draft), degrees)
    (finding,) = found(rig, "ORI-MIRROR")
    assert names(rig, finding) == {"UpperArm.R"}
    assert finding.value == pytest.approx(20.0, abs=1e-3)
    assert found(finding.fix.repair(rig), "ORI-MIRROR") == ()


@pytest.mark.parametrize("degrees", FACING)
def test_a_mesh_that_was_modelled_facing_elsewhere_is_mirrored_all_the_same(rig_of, degrees):
    draft = figure()
    hand = np.flatnonzero(draft.positions[:, 0] < -0.75)
    draft.joints[hand, :2], draft.weights[hand, :2] = (7, 6), (0.8, 0.2)
    turn = qt.about((0.0, 1.0, 0.0), degrees)
    draft.positions, draft.normals = (qt.rotate(turn, v) for v in (draft.positions, draft.normals))
    draft.rotations[0] = qt.multiply(turn, draft.rotations[0])
    draft.translations[0] = qt.rotate(turn, draft.translations[0])
    draft.keys[0] = qt.multiply(turn, draft.keys[0])
    draft.binds = np.linalg.inv(globals_of(draft))
    (finding,) = found(rig_of(draft), "WGT-SYM")
    assert finding.value == pytest.approx(0.2, abs=1e-6)


@pytest.mark.parametrize("degrees", FACING)
def test_arms_are_out_to_the_sides_of_the_body(biped, degrees):
    rotations = biped.nodes.rotations.copy()
    arm = biped.nodes.names.index("upperarm_l")
    forwards = quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(60.0))
    rotations[arm] = quat.multiply(rotations[arm], forwards)
    posed = with_nodes(replace(biped, clips=()), rotations=rotations)
    (straight,) = found(posed, "ORI-TPOSE")
    (finding,) = found(facing(posed, degrees), "ORI-TPOSE")
    assert finding.value == pytest.approx(straight.value)


@pytest.mark.parametrize("degrees", [0.0, 33.0, 90.0])
@pytest.mark.parametrize(
    "begin", [("upperarm",), ("lowerarm",), ("index", "middle", "ring", "pinky"), ("hand", "calf")]
)
def test_limbs_with_all_that_is_below_do_not_outvote_the_body(biped, begin, degrees):
    """An arm has more joints than the rest of the body, and five fingers are more than four limbs."""
    sided = [j for j in biped.joints if biped.nodes.names[j].endswith("_l")]
    tops = [j for j in sided if biped.nodes.names[j].startswith(begin)]
    below = set().union(*(biped.nodes.subtree(top) for top in tops))
    parts = [biped.nodes.names[j][:-2] for j in sided if j in below]
    rig = facing(exchanged(biped, *parts), degrees)
    told = set().union(*(names(rig, finding) for finding in found(rig, "HIE-SIDE")))
    assert told == {f"{part}_{side}" for part in parts for side in "lr"}
    repaired = repair(rig, rules=["HIE-SIDE"]).rig
    assert repaired.nodes.names[: len(biped.nodes)] == biped.nodes.names


def test_of_an_arm_and_a_leg_the_one_that_lies_as_of_who_faces_forwards_is_right(biped):
    (arm,) = [j for j in biped.joints if biped.nodes.names[j] == "clavicle_l"]
    parts = [biped.nodes.names[j][:-2] for j in biped.nodes.subtree(arm)]
    rig = exchanged(biped, *parts)
    told = set().union(*(names(rig, finding) for finding in found(rig, "HIE-SIDE")))
    assert told == {f"{part}_{side}" for part in parts for side in "lr"}


def test_limbs_that_swing_do_not_tell_the_way_a_character_faces(biped):
    rotations = biped.nodes.rotations.copy()
    for joint, axis, degrees in (
        ("upperarm_l", (0.0, 1.0, 0.0), -80.0),
        ("upperarm_r", (0.0, 1.0, 0.0), -80.0),
    ):
        node = biped.nodes.names.index(joint)
        turn = quat.from_axis_angle(axis, np.radians(degrees))
        rotations[node] = quat.multiply(rotations[node], turn)
    # Nothing but the skeleton: no bind says how it stood.
    bare = replace(
        with_nodes(biped, rotations=rotations),
        skins=(), clips=(), meshes=(), node_meshes=(None,) * len(biped.nodes),
        node_skins=(None,) * len(biped.nodes),
    )  # fmt: skip
    assert found(bare, "HIE-SIDE") == ()


@pytest.mark.parametrize("rule", ["HIE-SIDE", "ORI-MIRROR"])
@pytest.mark.parametrize("first", [True, False])
def test_each_of_two_characters_of_the_same_names_is_judged_by_itself(biped, rig_of, rule, first):
    draft = figure()
    if rule == "HIE-SIDE":
        draft.names[3], draft.names[7] = draft.names[7], draft.names[3]
    else:
        turn_frame(draft, 6, qt.about((0.0, 1.0, 0.0), 20.0))
    spoilt, clean = rig_of(draft), facing(rig_of(figure()), 90.0, at=(2.0, 0.0, 0.0))
    rig = beside(spoilt, clean) if first else beside(clean, spoilt)
    (alone,), (finding,) = found(spoilt, rule), found(rig, rule)
    step = 0 if first else len(clean.nodes)
    assert finding.joints == tuple(joint + step for joint in alone.joints)
    assert finding.value == pytest.approx(alone.value)
    assert found(finding.fix.repair(rig), rule) == ()


def test_a_lone_joint_is_not_answered_by_another_character(biped):
    lone = renamed(biped, foot_r="hoof")
    (finding,) = found(beside(lone, biped), "HIE-SIDE")
    assert finding.joint == "foot_l"
    assert finding.joints == (lone.nodes.names.index("foot_l"),)


def test_hands_with_a_skeleton_each_are_partners(rig_of):
    left, right = rig_of(figure()), rig_of(figure())
    left = with_nodes(left, names=tuple(f"{name}_l" for name in range(len(left.nodes))))
    right = with_nodes(right, names=tuple(f"{name}_r" for name in range(len(right.nodes))))
    rig = beside(left, under(right, (-3.0, 0.0, 0.0)))
    assert "HIE-SIDE" not in dict(run(rig, select=["HIE-SIDE"]).not_evaluated)


def test_a_plane_is_told_by_most_pairs_and_by_none():
    rng = np.random.default_rng(7)
    left = rng.normal(size=(20, 3))
    normal = np.array([0.48, 0.6, 0.64])
    right = left - 2.0 * (left @ normal - 0.3)[:, None] * normal
    # A few are posed, a few exchanged.
    right[:4] += rng.normal(size=(4, 3))
    left[4:8], right[4:8] = right[4:8].copy(), left[4:8].copy()
    plane = mirror_plane(left, right, np.ones(20, dtype=bool), 4.0)
    assert abs(plane.normal @ normal) == pytest.approx(1.0)
    assert plane.offset * (plane.normal @ normal) == pytest.approx(0.3)
    assert mirror_plane(left[:0], right[:0], np.ones(0, dtype=bool), 4.0) is None
    assert mirror_plane(left, left, np.ones(20, dtype=bool), 4.0) is None
