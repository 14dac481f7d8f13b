"""Who is a human's body, and what is said of how it stands."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rigs import beside, under, with_nodes

from rigview.check.measures.facts import measured
from rigview.check.rig_edits.reframe import with_node
from rigview.check.run import run
from rigview.core import quat
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.io import load

SAMPLE = Path(__file__).parents[2] / "samples" / "biped.glb"
OF_BODIES = ("ORI-UPFWD", "ORI-TPOSE")


@pytest.fixture
def biped():
    """Return a human figure that stands up +Y and faces +Z."""
    return load(SAMPLE).rig


def turned(rig, joint, axis, degrees):
    """Return the rig with a joint turned at rest about an axis of the model."""
    parent = rig.nodes.parents[joint]
    above = quat.from_matrix(model_from_nodes(rig, rest_pose(rig))[parent, :3, :3])
    turn = quat.from_axis_angle(axis, np.radians(degrees))
    turn = quat.multiply(quat.multiply(quat.conjugate(above), turn), above)
    rotations = rig.nodes.rotations.copy()
    rotations[joint] = quat.multiply(turn, rotations[joint])
    return replace(rig, nodes=replace(rig.nodes, rotations=rotations))


def legs(rig):
    return [rig.nodes.names.index(name) for name in ("thigh_l", "thigh_r")]


def on_all_fours(rig):
    for leg in legs(rig):
        rig = turned(rig, leg, (1.0, 0.0, 0.0), -90.0)
    return rig


def test_an_animal_with_the_names_of_a_human_is_none(biped):
    assert measured(biped).bodies
    animal = on_all_fours(biped)
    assert not measured(animal).bodies
    report = run(animal, select=OF_BODIES)
    assert report.findings == ()
    assert {rule for rule, _ in report.not_evaluated} == set(OF_BODIES)


def test_a_file_that_says_who_is_human_is_believed(biped):
    head = biped.nodes.names.index("head")
    assert measured(replace(on_all_fours(biped), humanoid={head: "head"})).bodies


def test_a_body_that_leans_is_told_by_how_much_and_turned_by_nothing(biped):
    pelvis = biped.nodes.names.index("pelvis")
    (finding,) = run(turned(biped, pelvis, (0.0, 1.0, 0.0), 41.0), select=["ORI-UPFWD"]).findings
    assert finding.message == "the body faces 41° off +Z"
    assert finding.fix.kind == "none"
    assert finding.fix.reason == "no quarter turn brings it nearer"
    (finding,) = run(turned(biped, pelvis, (0.0, 1.0, 0.0), 60.0), select=["ORI-UPFWD"]).findings
    assert finding.message == "the body faces towards +X; glTF wants +Z"
    assert finding.fix.kind == "shape"


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("part", ["thigh", "upperarm"])
def test_exchanged_names_of_one_pair_turn_no_body_round(biped, part):
    biped = replace(biped, clips=())
    names = list(biped.nodes.names)
    left, right = (names.index(f"{part}_{side}") for side in "lr")
    names[left], names[right] = names[right], names[left]
    rig = replace(biped, nodes=replace(biped.nodes, names=tuple(names)))
    found = {f.rule for f in run(rig).findings} - {f.rule for f in run(biped).findings}
    assert found == {"HIE-SIDE"}


def with_all_sides_exchanged(rig):
    """Return the rig with the names of left and right exchanged in all pairs."""
    other = {"_l": "_r", "_r": "_l"}
    names = (name[:-2] + other.get(name[-2:], name[-2:]) for name in rig.nodes.names)
    return with_nodes(replace(rig, clips=()), names=tuple(names))


@pytest.mark.parametrize(
    ("axis", "degrees", "message"),
    [
        ((0.0, 1.0, 0.0), 0.0, None),
        ((0.0, 1.0, 0.0), 180.0, "the body faces towards −Z; glTF wants +Z"),
        ((1.0, 0.0, 0.0), -90.0, "the body stands along −Z; glTF wants +Y"),
    ],
)
def test_a_body_whose_sides_are_all_named_wrongly_faces_where_its_feet_point(
    biped, axis, degrees, message
):
    rig = under(
        with_all_sides_exchanged(biped), rotation=quat.from_axis_angle(axis, np.radians(degrees))
    )
    found = run(rig, select=OF_BODIES).findings
    assert [finding.message for finding in found] == [message] * (message is not None)
    for finding in found:
        assert run(finding.fix.repair(rig), select=OF_BODIES).findings == ()


def test_sides_that_are_all_named_wrongly_are_told_once_and_exchanged(biped):
    assert run(biped, select=["HIE-SIDE"]).findings == ()
    rig = with_all_sides_exchanged(biped)
    (finding,) = run(rig, select=["HIE-SIDE"]).findings
    assert finding.severity == "info"
    pairs = len(measured(rig).anatomy.pairs)
    assert finding.message == (
        f"left and right are exchanged in the names of {pairs} pairs of joints, as the feet show"
    )
    fixed = finding.fix.repair(rig)
    assert fixed.nodes.names == biped.nodes.names
    assert finding.fix.repair(fixed) is fixed


def lying(rig, at=(3.0, 0.0, 0.0)):
    return under(rig, at, quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(-90.0)))


@pytest.mark.parametrize("first", [True, False])
def test_of_two_bodies_the_one_that_lies_is_told_and_stood_up(biped, first):
    clean = replace(biped, clips=())
    rig = beside(lying(clean), clean) if first else beside(clean, lying(clean))
    (finding,) = run(rig, select=OF_BODIES).findings
    assert finding.rule == "ORI-UPFWD"
    assert (finding.joints[0] < len(clean.nodes)) == first
    assert run(finding.fix.repair(rig), select=OF_BODIES).findings == ()


def test_bodies_under_one_node_that_need_different_turns_stay(biped):
    clean = replace(biped, clips=())
    rig = under(beside(clean, lying(clean)))
    (finding,) = run(rig, select=OF_BODIES).findings
    assert finding.fix.reason == "another body hangs under the same node and needs another turn"


def test_bodies_in_one_scene_may_look_at_each_other(biped):
    clean = replace(biped, clips=())
    back = quat.from_axis_angle((0.0, 1.0, 0.0), np.pi)
    assert run(beside(clean, under(clean, rotation=back)), select=OF_BODIES).findings == ()
    both = under(beside(clean, clean), rotation=back)
    found = run(both, select=OF_BODIES).findings
    assert [f.message for f in found] == ["the body faces towards −Z; glTF wants +Z"] * 2
    assert run(found[0].fix.repair(both), select=OF_BODIES).findings == ()


def test_a_helper_where_the_arm_begins_is_no_arm(biped):
    """A joint listed first, at the place of the upper arm, as twist bones have it."""
    arm = biped.nodes.names.index("upperarm_l")
    grown, helper = with_node(replace(biped, clips=()), "upperarm_twist_l", arm, np.eye(4))
    children = list(grown.nodes.children)
    children[arm] = (helper, *(c for c in children[arm] if c != helper))
    skin = grown.skins[0]
    binds = np.concatenate([skin.joint_from_mesh, skin.joint_from_mesh[[skin.joints.index(arm)]]])
    grown = with_nodes(grown, children=tuple(children)).with_skin(
        0, replace(skin, joints=(*skin.joints, helper), inverse_binds=binds)
    )
    assert run(grown, select=["ORI-TPOSE"]).findings == ()


def test_what_is_called_a_head_far_from_the_arms_is_none(biped):
    # As a control that the head looks at, which hangs beside the body.
    names = ["HEAD" if name == "root" else name for name in biped.nodes.names]
    rig = with_nodes(biped, names=tuple(names))
    assert biped.nodes.names[measured(rig).bodies[0].head] == "head"
    assert [f for f in run(rig, select=OF_BODIES).findings if f.rule == "ORI-UPFWD"] == []
