"""Bones that no skin lists: one finding where the file calls them bones, and a place in the skin."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs

from rigview.check.run import run
from rigview.core.mesh import Influences
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
# Bones in the middle of limbs and trunk, as a controller leaves them out that lists what has weights.
OUT = ("spine_02", "lowerarm_l", "lowerarm_r", "calf_l")


def without(rig, names):
    """Return a rig whose skin does not list some joints; their weights go to the joints above."""
    (skin,) = rig.skins
    out = {j for j in skin.joints if rig.nodes.names[j] in names}
    upper = {j: next(a for a in rig.nodes.ancestors(j) if a not in out) for j in out}
    kept = [i for i, j in enumerate(skin.joints) if j not in out]
    joints = [skin.joints[i] for i in kept]
    place = np.array([joints.index(upper.get(j, j)) for j in skin.joints])
    bound = replace(skin, joints=tuple(joints), inverse_binds=skin.joint_from_mesh[kept])
    primitive = rig.meshes[0].primitives[0]
    of = primitive.influences
    influences = Influences(np.where(of.weights > 0.0, place[of.joints], 0), of.weights)
    rig = rig.with_primitive(0, 0, replace(primitive, influences=influences))
    return rig.with_skin(0, bound)


@pytest.fixture(scope="module")
def sparse():
    rig = load(SAMPLES / "biped.glb").rig
    return without(replace(rig, clips=rig.clips[:1]), OUT)


def gaps(rig):
    return [f for f in run(rig, select=["HIE-GAP"]).findings if "between joints" in f.message]


def of_collada(rig, *also):
    named = {n for n, name in enumerate(rig.nodes.names) if name in OUT}
    origin = replace(rig.origin, format="Collada")
    return replace(rig, origin=origin, bones=frozenset({*rig.joints, *named, *also}))


def test_nodes_between_joints_are_a_warning_where_nothing_says_that_they_are_bones(sparse):
    (finding,) = gaps(sparse)
    assert set(finding.objects) == set(OUT)
    assert finding.severity is None
    assert finding.message.endswith("(also in 3 more nodes)")


def test_bones_of_the_file_are_told_once_and_for_information(sparse):
    (finding,) = gaps(of_collada(sparse))
    assert {sparse.nodes.names[j] for j in finding.joints} == set(OUT)
    assert finding.severity == "info"
    assert finding.message.startswith("4 bones stand between joints")


def test_what_is_no_bone_of_the_file_is_told_by_itself(sparse):
    rig = of_collada(sparse)
    hand = rig.nodes.names.index("lowerarm_l")
    found = gaps(replace(rig, bones=rig.bones - {hand}))
    assert [f.joint for f in found if f.severity is None] == ["lowerarm_l"]
    assert len(found) == 2


def test_listed_bones_move_nothing_and_are_no_gap(sparse):
    rig = of_collada(sparse)
    (finding,) = gaps(rig)
    fixed = finding.fix.repair(rig)
    assert gaps(fixed) == []
    assert not {f.rule for f in run(fixed).findings} & {"HIE-ORDER", "BND-REST", "HIE-UNUSED"}
    moved = rigs.largest_difference(rig, fixed)
    assert max(moved["lbs"], moved["dqs"]) <= 1e-9
    assert fixed.nodes is rig.nodes
    assert finding.fix.repair(fixed).skins == fixed.skins


def test_animated_nodes_that_nothing_can_hang_past_are_made_joints(sparse):
    (finding,) = gaps(sparse)
    fixed = finding.fix.repair(sparse)
    assert {sparse.nodes.names.index(name) for name in OUT} <= set(fixed.skins[0].joints)
    assert finding.fix.label == f"List {finding.joint} among the joints and mend 3 more nodes"
    assert gaps(fixed) == []


@pytest.mark.corpus
def test_readers_say_which_nodes_a_file_calls_bones(corpus):
    fbx = load(corpus / "rigs/guillaumeblanc+ozz-animation/media/fbx/pab/arnaud.fbx").rig
    assert set(fbx.joints) < fbx.bones
    assert [fbx.nodes.names[n] for n in fbx.bones - set(fbx.joints)] == ["Hips"]
    helped = load(corpus / "rigs/ufbx+ufbx/data/maya_game_sausage_7500_binary_deform.fbx").rig
    assert {helped.nodes.names[n] for n in helped.bones} == {f"joint{i}" for i in range(1, 5)}
    name = "rigs/leapmotion+leapjs-rigged-hand/models/Revamped Hand/handrevamp_lowpoly_rig_left.dae"
    collada = load(corpus / name).rig
    assert set(collada.joints) <= collada.bones < set(range(len(collada.nodes)))
