"""Corrective shapes: the bend of a joint without its twist, and the weight that follows it."""

import math
from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.corrective import Corrective, bend_of, driven
from rigview.core.deform import Deformer
from rigview.core.mesh import MorphTargets
from rigview.core.pose import rest_pose

RIG = rigs.make(rigs.Recipe(joints=4, shape="chain"))


def with_target(rig):
    part = rig.parts[0]
    primitive = rig.primitive(part)
    moved = np.zeros((1, *primitive.positions.shape))
    moved[0, :, 1] = 0.5
    changed = replace(primitive, morphs=MorphTargets(moved, names=("bulged",)))
    rig = rig.with_primitive(part.mesh, part.primitive, changed)
    mesh = replace(rig.meshes[part.mesh], morph_weights=np.zeros(1))
    meshes = (*rig.meshes[: part.mesh], mesh, *rig.meshes[part.mesh + 1 :])
    return replace(rig, meshes=meshes)


def turned(deformer, joint, axis, angle):
    return rest_pose(deformer.rig).turned({joint: quat.from_axis_angle(np.array(axis), angle)})


@given(bend=st.floats(0.0, 3.1), twist=st.floats(-3.0, 3.0))
def test_a_twist_is_no_bend_and_a_bend_is_its_angle(bend, twist):
    deformer = Deformer(RIG)
    joint = int(deformer.skeleton.joints[1])
    number = int(np.flatnonzero(deformer.skeleton.joints == joint)[0])
    model = deformer.rest.model_from_node[joint][:3, :3]
    along = np.linalg.inv(model) @ deformer.rest_bones.directions[number]
    along /= np.linalg.norm(along)
    across = np.cross(along, [0.3, -0.5, 0.8])
    across /= np.linalg.norm(across)
    assert bend_of(deformer, turned(deformer, joint, along, twist), joint) == pytest.approx(
        0.0, abs=1e-6
    )
    assert bend_of(deformer, turned(deformer, joint, across, bend), joint) == pytest.approx(
        bend, abs=1e-6
    )


@pytest.mark.parametrize(("degrees", "weight"), [(0, 0), (30, 0), (60, 0.5), (90, 1), (150, 1)])
def test_the_weight_follows_the_curve(degrees, weight):
    curve = ((math.radians(30), 0.0), (math.radians(90), 1.0))
    assert Corrective(0, 0, 0, curve).weight(math.radians(degrees)) == pytest.approx(weight)


def test_the_target_comes_in_with_the_bend():
    deformer = Deformer(with_target(RIG))
    joint, part = int(deformer.skeleton.joints[1]), deformer.rig.parts[0]
    corrective = Corrective(joint, part.node, 0, ((0.0, 0.0), (1.0, 1.0)))
    assert corrective.fits(deformer.rig)
    bare = next(n for n, mesh in enumerate(deformer.rig.node_meshes) if mesh is None)
    count = len(deformer.rig.nodes)
    for elsewhere in ((joint, part.node, 1), (joint, bare, 0), (joint, count, 0)):
        assert not Corrective(*elsewhere, corrective.curve).fits(deformer.rig)
    assert not Corrective(count, part.node, 0, corrective.curve).fits(deformer.rig)
    pose = driven(deformer, rest_pose(deformer.rig), [corrective])
    assert pose.morph_weights[part.node].tolist() == [0.0]
    across = np.cross([0.0, 0.0, 1.0], [0.1, 0.9, 0.2])
    bent = driven(
        deformer, turned(deformer, joint, across / np.linalg.norm(across), 2.5), [corrective]
    )
    weight = float(bent.morph_weights[part.node][0])
    assert weight > 0.2
    moved, _ = deformer.morphed(0, bent)
    rest = deformer.rig.primitive(part).positions
    np.testing.assert_allclose(moved - rest, np.tile([0, 0.5 * weight, 0], (len(rest), 1)))
