"""Rigs exported with the joints that steer them: what carries no weight is no fault of the shape."""

from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.check.measures.facts import measured
from rigview.check.rig_edits.reframe import with_node
from rigview.check.rig_edits.reparent import reparent
from rigview.check.rules.stray_weights import joint_steps
from rigview.check.run import run
from rigview.core import affine, quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.sampler import Sampler

TIMES = np.array([0.0, 1.0 / 30.0, 1.0])
STRETCH = np.array([[1.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 2.0, 1.0]])


def steered(rig):
    """Return a tidy rig with two controls at the end of its skin, one below the other, and the first."""
    rig, control = with_node(rig, "control", rig.nodes.names.index("chest"), np.eye(4))
    end = affine.compose(np.array([0.0, 1.0, 0.0]), np.array(quat.IDENTITY), np.ones(3))
    rig, target = with_node(rig, "target", control, end)
    (skin,) = rig.skins
    joints = (*skin.joints, control, target)
    new = affine.inverse(Deformer(rig).rest_nodes[[control, target]])
    turned = affine.compose(np.zeros(3), quat.from_axis_angle((1.0, 0.0, 0.0), 1.0), np.ones(3))
    binds = np.concatenate([skin.joint_from_mesh, turned @ new])
    rig = rig.with_skin(0, replace(skin, joints=joints, inverse_binds=binds))
    turns = quat.from_axis_angle((0.0, 0.0, 1.0), np.array([0.0, 3.0, 0.0]))
    channels = (
        Channel(control, "scale", Sampler(TIMES, STRETCH)),
        Channel(control, "rotation", Sampler(TIMES, turns)),
        Channel(target, "translation", Sampler(TIMES, STRETCH * (0.0, 1.0, 0.0))),
        Channel(target, "scale", Sampler(TIMES, np.outer((1.0, 1e-9, 1.0), np.ones(3)))),
    )
    loop = Clip("Walk loop", channels)
    return replace(rig, clips=(*rig.clips, loop)), control


def loaded(rig, *joints):
    """Return the rig with half of the first vertices' weight on some joints."""
    influences = rig.meshes[0].primitives[0].influences
    numbers, weights = influences.joints.copy(), influences.weights.copy()
    for vertex, joint in enumerate(joints):
        numbers[vertex, 3] = rig.skins[0].joints.index(joint)
        weights[vertex] *= 0.5
        weights[vertex, 3] = 0.5
    return rigs.with_influences(rig, numbers, weights)


OF_ENDS = {"ANI-LEN", "ANI-LOOP", "SCL-ZERO"}
RULES = OF_ENDS | {"ANI-JUMP", "SCL-ANIM", "SCL-NONUNI", "BND-REST"}


def found(rig):
    return {finding.rule for finding in run(rig, select=RULES).findings}


def test_controls_may_stretch_jump_and_vanish():
    rig, control = steered(rigs.tidy())
    assert found(rig) == set()
    assert measured(rig).idle == {control, control + 1}


@pytest.mark.parametrize("below", [False, True])
def test_what_carries_weight_itself_may_not(below):
    rig, control = steered(rigs.tidy())
    carrying = loaded(rig, control, control + 1) if below else loaded(rig, control)
    assert found(carrying) == (RULES if below else RULES - OF_ENDS)


def test_a_skeleton_that_no_mesh_shows_is_looked_at_whole():
    rig, _ = steered(rigs.tidy())
    alone = replace(rig, node_meshes=(None,) * len(rig.nodes), node_skins=(None,) * len(rig.nodes))
    assert found(alone) >= {"ANI-LEN", "ANI-JUMP", "SCL-ANIM"}


def test_joints_without_weight_between_others_make_no_way_longer():
    rig = rigs.tidy()
    (skin,) = rig.skins
    before = joint_steps(measured(rig), 0)
    grown, between = rig, []
    for joint in skin.joints[1:]:
        grown, new = with_node(grown, f"control {joint}", grown.nodes.parents[joint], np.eye(4))
        grown = reparent(grown, joint, new)
        between.append(new)
    heads = affine.inverse(Deformer(grown).rest_nodes[between])
    joints, binds = (*skin.joints, *between), np.concatenate([skin.joint_from_mesh, heads])
    grown = grown.with_skin(0, replace(skin, joints=joints, inverse_binds=binds))
    count = len(skin.joints)
    assert joint_steps(measured(grown), 0)[:count, :count].tolist() == before.tolist()
    assert before.max() > 2


def test_a_socket_that_a_prop_hangs_on_may_move():
    rig, control = steered(rigs.tidy())
    rig = loaded(rig, control)
    shown = (*rig.node_meshes[: control + 1], 0, *rig.node_meshes[control + 2 :])
    assert "ANI-LEN" not in found(replace(rig, node_meshes=shown))
    assert "ANI-LEN" in found(loaded(rig, control, control + 1))


def test_clips_that_change_the_size_of_joints_are_told_at_once():
    rig, control = steered(rigs.tidy())
    rig = loaded(rig, control)
    rig = replace(rig, clips=(*rig.clips, replace(rig.clips[-1], name="Run")))
    (finding,) = run(rig, select=["SCL-ANIM"]).findings
    assert finding.message.endswith(" in Walk loop, and 1 more clip")
