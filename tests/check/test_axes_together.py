"""The fixes of rules about axes do not undo each other, in whatever order they are made."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs

from rigview.check.measures.axes import skin_axes
from rigview.check.measures.bone_ends import bone_ends
from rigview.check.measures.facts import measured
from rigview.check.rig_edits.reframe import FrameTurn, reframe, with_node
from rigview.check.run import run
from rigview.core import affine, quat
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.io import load

RULES = ("ORI-PRIMARY", "ORI-ROLL", "ORI-MIRROR")
BIPED = Path(__file__).parents[2] / "samples" / "biped.glb"
# Where they undid each other.
REAL = (
    "Mesh2Motion+mesh2motion-app/static/models-variation/human-sintel.glb",
    "guillaumeblanc+ozz-animation/media/fbx/pab/skeleton.fbx",
    "raysan5+raylib/examples/models/resources/models/gltf/robot.glb",
)


@pytest.fixture(scope="module")
def biped():
    return load(BIPED).rig


def fixable(rig):
    return [f for f in run(rig, select=RULES).findings if f.fix.kind != "none"]


def fixed_in_any_order(rig, seed):
    """Return a rig once no fix is left, chosen by chance, and how many there were."""
    rng = np.random.default_rng(seed)
    for number in range(10):
        left = fixable(rig)
        if not left:
            return rig, number
        rig = left[rng.integers(len(left))].fix.repair(rig)
    raise AssertionError(f"after ten fixes {[f.message for f in left]}")


def spoilt(rig, seed, most):
    """Return a rig with the axes of some joints turned by chance, and nothing moved."""
    rng = np.random.default_rng(seed)
    chosen = rng.choice(rig.joints, size=8, replace=False).tolist()
    axes = rng.normal(size=(8, 3))
    turns = quat.from_axis_angle(
        axes / np.linalg.norm(axes, axis=1, keepdims=True), np.radians(rng.uniform(5.0, most, 8))
    )
    return reframe(rig, {joint: FrameTurn(turn) for joint, turn in zip(chosen, turns, strict=True)})


@pytest.mark.parametrize("most", [20.0, 180.0])
@pytest.mark.parametrize("seed", range(4))
def test_all_fixes_of_axes_come_to_an_end_in_any_order(biped, seed, most):
    rig, number = fixed_in_any_order(spoilt(biped, seed, most), seed)
    assert number >= 1
    assert run(rig, select=RULES).findings == run(biped, select=RULES).findings == ()


def turned(rig, turns):
    """Return a rig with the axes of joints turned about their bones, by degrees, and nothing moved."""
    numbers = {rig.nodes.label(joint): joint for joint in rig.joints}
    about = {
        name: quat.from_axis_angle((0.0, 1.0, 0.0), np.radians(a)) for name, a in turns.items()
    }
    return reframe(rig, {numbers[name]: FrameTurn(turn) for name, turn in about.items()})


@pytest.mark.parametrize("side", ["l", "r"])
def test_the_side_that_is_twisted_is_made_to_mirror_the_other(biped, side):
    rig = turned(biped, {f"calf_{side}": 40.0})
    assert [f.rule for f in run(rig, select=RULES).findings] == ["ORI-ROLL", "ORI-MIRROR"]
    (finding,) = run(rig, select=["ORI-MIRROR"]).findings
    assert [rig.nodes.label(joint) for joint in finding.joints] == [f"calf_{side}"]
    assert finding.object == finding.joint == f"calf_{side}"
    fixed = finding.fix.repair(rig)
    assert run(fixed, select=RULES).findings == ()
    changed = np.abs(measured(fixed).frames - measured(rig).frames).max(axis=(1, 2)) > 1e-9
    assert [rig.nodes.label(int(node)) for node in np.flatnonzero(changed)] == [f"calf_{side}"]


def test_what_is_untwisted_on_one_side_is_turned_on_the_other_so_that_they_mirror(biped):
    rig = turned(biped, {"calf_l": 30.5, "calf_r": -25.8})
    (finding,) = run(rig, select=RULES).findings
    assert (finding.rule, [rig.nodes.label(j) for j in finding.joints]) == (
        "ORI-ROLL",
        ["foot_l", "calf_l"],
    )
    assert finding.fix.label == "Untwist 2 joints"
    assert run(finding.fix.repair(rig), select=RULES).findings == ()


def bent(rig, name, degrees):
    """Return a rig that rests, and is bound, with a joint turned sideways to its bone."""
    number = next(joint for joint in rig.joints if rig.nodes.label(joint) == name)
    rotations = rig.nodes.rotations.copy()
    turn = quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(degrees))
    rotations[number] = quat.multiply(rotations[number], turn)
    posed = replace(rig, nodes=replace(rig.nodes, rotations=rotations))
    frames = model_from_nodes(posed, rest_pose(posed))
    (skin,) = rig.skins
    bound = replace(skin, inverse_binds=affine.inverse(frames[list(skin.joints)]))
    return posed.with_skin(0, bound)


@pytest.mark.parametrize("name", ["lowerarm_r", "calf_l"])
def test_axes_that_turn_with_the_bones_of_a_pose_are_no_fault(biped, name):
    assert run(bent(biped, name, 6.0), select=RULES).findings == ()


def test_axes_that_are_off_beside_a_pose_are_told_without_it(biped):
    rig = turned(bent(biped, "calf_r", 6.0), {"calf_r": 20.0})
    (finding,) = run(rig, select=["ORI-MIRROR"]).findings
    assert finding.value == pytest.approx(20.0, abs=0.01)
    assert [rig.nodes.label(joint) for joint in finding.joints] == ["calf_r"]


@pytest.mark.corpus
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", REAL)
def test_all_fixes_of_axes_come_to_an_end_in_real_rigs(corpus, name, seed):
    rig, number = fixed_in_any_order(load(corpus / "rigs" / name).rig, seed)
    assert number >= 1
    assert fixable(rig) == []


def weighted_otherwise(rig, given):
    """Return a rig of which some joints take over the weights of others, by names."""
    joints = {rig.nodes.label(joint): i for i, joint in enumerate(rig.skins[0].joints)}
    influences = rig.meshes[0].primitives[0].influences
    rows = influences.joints.copy()
    for name, taker in given.items():
        rows[influences.joints == joints[name]] = joints[taker]
    return rigs.with_influences(rig, joints=rows)


def ends(rig):
    """Return name of a joint → the name of where its bone ends for the rules about axes."""
    label, found = rig.nodes.label, measured(rig).once(bone_ends)
    return {label(joint): label(int(found[joint])) for joint in rig.joints if found[joint] >= 0}


def test_a_bone_in_the_middle_does_not_end_at_a_shoulder_that_is_heavier_than_the_head(biped):
    rig = weighted_otherwise(biped, {"neck_01": "spine_03", "head": "spine_03"})
    skeleton = measured(rig).deformer.skeleton
    spine = next(joint for joint in rig.joints if rig.nodes.label(joint) == "spine_03")
    heaviest = skeleton.joints[skeleton.primary[skeleton.places[spine]]]
    assert rig.nodes.label(int(heaviest)) == "clavicle_l"
    assert ends(rig)["spine_03"] == "neck_01"
    assert run(rig, select=RULES).findings == ()


@pytest.mark.parametrize("side", ["l", "r"])
def test_bones_of_a_pair_end_in_a_pair(biped, side):
    calf = ("calf", "calf_twist_01", "foot", "ball")
    rig = weighted_otherwise(biped, {f"{name}_{side}": f"thigh_{side}" for name in calf})
    skeleton = measured(rig).deformer.skeleton
    thigh = next(joint for joint in rig.joints if rig.nodes.label(joint) == f"thigh_{side}")
    heaviest = skeleton.joints[skeleton.primary[skeleton.places[thigh]]]
    assert rig.nodes.label(int(heaviest)) == f"thigh_twist_01_{side}"
    found = ends(rig)
    assert (found["thigh_l"], found["thigh_r"]) == ("calf_l", "calf_r")


@pytest.mark.parametrize("side", ["l", "r"])
@pytest.mark.parametrize("heaviest", ["thumb", "index", "pinky"])
def test_a_palm_points_where_the_fingers_do_whichever_is_a_little_heavier(biped, side, heaviest):
    fingers = {"thumb", "index", "middle", "ring", "pinky"} - {heaviest}
    rig = weighted_otherwise(biped, {f"{name}_03_{side}": f"hand_{side}" for name in fingers})
    assert ends(rig)[f"hand_{side}"] in {f"middle_01_{side}", f"index_01_{side}"}
    assert run(rig, select=RULES).findings == ()


@pytest.mark.corpus
def test_of_children_as_near_to_the_middle_as_each_other_one_is_chosen_on_both_sides(corpus):
    path = "rigs/Mesh2Motion+mesh2motion-app/static/animations/spider-animations.glb"
    rig = load(corpus / path).rig
    told = set()
    for seed in range(3):
        noise = np.random.default_rng(seed).normal(size=rig.nodes.translations.shape)
        near = rig.nodes.translations * (1.0 + 1e-7 * noise)
        moved = replace(rig, nodes=replace(rig.nodes, translations=near))
        found = ends(moved)
        assert (found["legs_anchor_l"], found["legs_anchor_r"]) == (
            "legs_anchor_1_l",
            "legs_anchor_1_r",
        )
        told.update((f.message, f.joints) for f in run(moved, select=["ORI-ROLL"]).findings)
    assert len(told) == 1


def test_a_root_that_only_places_the_character_is_no_bone(biped):
    assert "root" not in ends(biped)
    root = next(joint for joint in biped.joints if biped.nodes.label(joint) == "root")
    lying = reframe(
        biped, {root: FrameTurn(quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(-90.0)))}
    )
    assert run(lying, select=RULES).findings == ()


def test_where_no_bone_follows_an_axis_the_nearest_is_told():
    tube = load(BIPED.parent / "cylinder_narrow.glb").rig
    aside = quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(28.0))
    only = reframe(tube, {tube.skins[0].joints[0]: FrameTurn(aside)})
    assert len(measured(only).of_skin(skin_axes, 0).joints) == 1
    (finding,) = run(only, select=RULES).findings
    assert finding.message == "1 bone of 1 up to 28.0° off +Y, the nearest axis"
    assert finding.explanation.startswith("None of 1 bones run along")
    assert run(finding.fix.repair(only), select=RULES).findings == ()


def with_leaves(rig, name, places):
    """Return a rig with joints under one of its joints, at places in the frame of that."""
    above = next(joint for joint in rig.joints if rig.nodes.label(joint) == name)
    (skin,) = rig.skins
    for number, place in enumerate(places):
        local = affine.compose(np.array(place), np.array(quat.IDENTITY), np.ones(3))
        rig, new = with_node(rig, f"leaf {number}", above, local)
        bind = affine.inverse(model_from_nodes(rig, rest_pose(rig))[new])
        binds = np.concatenate([skin.joint_from_mesh, bind[None]])
        skin = replace(skin, joints=(*skin.joints, new), inverse_binds=binds)
        rig = rig.with_skin(0, skin)
    return rig


@pytest.mark.parametrize(
    "places",
    [
        [(0.1, 0.0, 0.0), (-0.1, 0.0, 0.0), (0.0, 0.0, 0.1), (0.0, 0.0, -0.1)],
        [(0.01 * x, 0.01 * x * x, 0.1) for x in range(-5, 6)],
    ],
)
def test_joints_that_leave_one_every_way_or_fill_a_face_give_it_no_direction(biped, places):
    rig = with_leaves(biped, "head", places)
    assert "head" not in ends(rig)
    assert run(rig, select=RULES).findings == ()
