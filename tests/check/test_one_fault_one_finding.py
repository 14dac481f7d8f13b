"""A fault is told once, by its own rule: what follows from it is no finding of another."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs

from rigview.check.applying.repair import try_fix
from rigview.check.rig_edits.reframe import with_node
from rigview.check.run import run
from rigview.core import affine, quat
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def biped():
    rig = load(SAMPLES / "biped.glb").rig
    return replace(rig, clips=rig.clips[:1])


def found(rig, *rules):
    return [(f.rule, f.joint) for f in run(rig, select=rules).findings]


def renamed(rig, joint, name):
    names = [name if n == joint else n for n in rig.nodes.names]
    return rigs.with_nodes(rig, names=tuple(names))


@pytest.mark.parametrize("name", ["", "calf_r", "hand_l"])
def test_who_has_no_partner_since_that_has_no_name_of_its_own_is_not_told(biped, name):
    rig = renamed(biped, "hand_r", name)
    assert {rule for rule, _ in found(rig, "HIE-NAMES", "HIE-SIDE")} == {"HIE-NAMES"}


def test_who_has_no_partner_is_told_beside_names_that_others_have(biped):
    rig = renamed(renamed(biped, "hand_r", "grip"), "calf_r", "calf_l")
    assert ("HIE-SIDE", "hand_l") in found(rig, "HIE-SIDE")


def test_of_two_joints_of_one_name_one_gets_another(biped):
    rig = renamed(biped, "hand_r", "head")
    (finding,) = run(rig, select=["HIE-NAMES"]).findings
    assert len(finding.joints) == 2
    assert finding.fix.label == "Rename 1 joint"
    names = zip(rig.nodes.names, finding.fix.repair(rig).nodes.names, strict=True)
    assert sum(old != new for old, new in names) == 1


@pytest.mark.parametrize("scale", [(-1, 1, 1), (-1, 1, -1)])
def test_sides_are_those_of_the_bind_where_most_pairs_rest_turned_round(biped, scale):
    spine = biped.nodes.names.index("spine_01")
    flipped = rigs.with_row(biped.nodes.scales, spine, scale)
    rig = rigs.with_nodes(biped, scales=flipped)
    assert found(rig, "SCL-NEG", "HIE-SIDE") == [("SCL-NEG", "spine_01")]


def test_a_joint_bound_far_off_is_on_no_wrong_side_and_no_axis_is_voted_by_its_bone(biped):
    hand = biped.nodes.names.index("ring_03_l")
    rest = Deformer(biped).rest_nodes
    away = np.linalg.solve(rest[biped.nodes.parents[hand]][:3, :3], [-6.0, 0.0, 0.0])
    translations = rigs.with_row(
        biped.nodes.translations, hand, biped.nodes.translations[hand] + away
    )
    rig = replace(rigs.with_nodes(biped, translations=translations), clips=())
    binds = rig.skins[0].joint_from_mesh.copy()
    place = rig.skins[0].joints.index(hand)
    binds[place] = affine.inverse(Deformer(rig).rest_nodes[hand]) @ rest[hand] @ binds[place]
    rig = rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))
    assert [rule for rule, _ in found(rig, "BND-FAR", "HIE-SIDE")] == ["BND-FAR"]
    (axes,) = run(rig, select=["ORI-PRIMARY"]).findings
    assert [rig.nodes.names[j] for j in axes.joints] == ["ring_02_l"]


def test_a_mirrored_leaf_is_no_flip_of_the_skin(biped):
    hand = biped.nodes.names.index("hand_l")
    rig = rigs.with_nodes(biped, scales=rigs.with_row(biped.nodes.scales, hand, (-1.0, 1.0, 1.0)))
    assert found(rig, "SCL-NEG", "DEF-FLIP") == [("SCL-NEG", "hand_l")]
    left_out = dict(run(rig, select=["DEF-FLIP"]).not_evaluated)["DEF-FLIP"]
    assert "16 joints that SCL-NEG names are left out" in left_out


def test_what_names_a_joint_twice_is_not_told_to_be_out_of_order(biped):
    primitive = biped.primitive(biped.parts[0])
    joints, weights = (
        a.copy() for a in (primitive.influences.joints, primitive.influences.weights)
    )
    joints[0], weights[0] = [7, 8, 7, 0], [0.3, 0.2, 0.5, 0.0]
    rig = biped.with_primitive(0, 0, replace(primitive, influences=Influences(joints, weights)))
    report = run(rig, select=["WGT-DUP", "WGT-SORT"])
    (finding,) = report.findings
    assert finding.rule == "WGT-DUP"
    assert run(finding.fix.repair(rig), select=["WGT-DUP", "WGT-SORT"]).findings == ()


def test_a_key_that_is_no_number_turns_nothing_the_long_way(biped):
    clip = biped.clips[0]
    number, channel = next(
        (i, c)
        for i, c in enumerate(clip.channels)
        if c.path == "rotation" and len(c.sampler.times) > 4
    )
    # As near to half a turn from no turn as the keys beside the lost one may be.
    values = np.tile(quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(200.0)), (5, 1))
    values[2] = np.nan
    sampler = replace(channel.sampler, times=channel.sampler.times[:5], values=values)
    channels = list(clip.channels)
    channels[number] = replace(channel, sampler=sampler)
    rig = replace(biped, clips=(replace(clip, channels=tuple(channels)),))
    assert [rule for rule, _ in found(rig, "ANI-NAN", "ANI-QFLIP")] == ["ANI-NAN"]
    values[3] *= -1.0
    channels[number] = replace(channel, sampler=replace(sampler, values=values))
    rig = replace(biped, clips=(replace(clip, channels=tuple(channels)),))
    (flip,) = run(rig, select=["ANI-QFLIP"]).findings
    assert flip.value == 2
    assert run(flip.fix.repair(rig), select=["ANI-QFLIP"]).findings == ()


def in_two_skins(rig):
    """Return the rig with its mesh shown a second time, by a skin of its own of the same joints."""
    grown, node = with_node(rig, "Clothes", -1, np.eye(4))
    meshes = (*grown.node_meshes[:node], len(rig.meshes), *grown.node_meshes[node + 1 :])
    skins = (*grown.node_skins[:node], len(rig.skins), *grown.node_skins[node + 1 :])
    again = replace(rig.skins[0], name="Clothes")
    return replace(
        grown,
        meshes=(*rig.meshes, replace(rig.meshes[0], name="Clothes")),
        skins=(*rig.skins, again),
        node_meshes=meshes,
        node_skins=skins,
    )


def test_one_cause_in_all_skins_is_told_and_mended_once():
    rig = rigs.tidy()
    binds = rig.skins[0].joint_from_mesh.copy()
    binds[:, :3] *= 2.0
    rig = in_two_skins(rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds)))
    (finding,) = run(rig, select=["SCL-SKIN"]).findings
    assert finding.message.endswith(" joints scale the mesh by 2 at rest, in 2 skins")
    fixed, moved = try_fix(rig, finding)
    assert moved.exact
    assert run(fixed, select=["SCL-SKIN"]).findings == ()


def test_a_rest_pose_is_told_once_of_all_skins_but_apart_where_it_differs(biped):
    rig = in_two_skins(biped)
    hand = biped.nodes.names.index("hand_l")
    turn = quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(30.0))
    turned = quat.multiply(rig.nodes.rotations[hand], turn)
    posed = rigs.with_nodes(rig, rotations=rigs.with_row(rig.nodes.rotations, hand, turned))
    (finding,) = run(posed, select=["BND-REST"]).findings
    assert finding.message.endswith(", in 2 skins")
    assert finding.object == rig.skins[0].name
    assert run(finding.fix.repair(posed), select=["BND-REST"]).findings == ()
    # Without the thumb in one of them the two say different things.
    skin = posed.skins[1]
    kept = [i for i, j in enumerate(skin.joints) if "thumb" not in posed.nodes.names[j]]
    moved = replace(
        skin,
        joints=tuple(skin.joints[i] for i in kept),
        inverse_binds=skin.joint_from_mesh[kept],
    )
    thumb = biped.primitive(biped.parts[0]).influences
    root = Influences(
        np.zeros_like(thumb.joints), np.eye(thumb.joints.shape[1])[[0] * len(thumb.joints)]
    )
    apart = posed.with_skin(1, moved)
    apart = apart.with_primitive(1, 0, replace(apart.meshes[1].primitives[0], influences=root))
    assert len(run(apart, select=["BND-REST"]).findings) == 2


def test_weights_of_a_joint_whose_partner_is_not_known_have_no_other_side(biped):
    assert found(renamed(biped, "calf_r", ""), "WGT-SYM") == []
    weights = biped.primitive(biped.parts[0]).influences.weights.copy()
    weights[np.arange(0, len(weights), 50)] = 0.0
    rig = rigs.with_influences(biped, weights=weights)
    (finding,) = run(rig, select=["WGT-ZERO"]).findings
    assert found(finding.fix.repair(rig), "WGT-SYM") == []
