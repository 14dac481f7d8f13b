"""Where methods place vertices, compared between a rig and its copy, and what is left out of that."""

from dataclasses import replace

import numpy as np
import pytest
from rigs import Recipe, make, with_influences, with_nodes

from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.numeric.hemisphere import HALF_TURN
from rigview.core.skinning import METHODS, Options
from rigview.io.posed_alike import METHODS_COMPARED, POSED, posed_difference

TURN = quat.from_axis_angle([0.0, 0.0, 1.0], 1.2)


def posed(rig):
    """Return the rig with all its joints turned at rest, so that methods place vertices differently."""
    rotations = rig.nodes.rotations.copy()
    for joint in rig.joints[1:]:
        rotations[joint] = quat.multiply(rotations[joint], TURN)
    return with_nodes(rig, rotations=rotations)


def by_weights(rig, *weights):
    """Return the rig with all vertices on the first joints of the skin, by the same weights."""
    count = len(rig.meshes[0].primitives[0].positions)
    joints = np.tile(np.arange(len(weights)), (count, 1))
    return with_influences(rig, joints, np.tile(weights, (count, 1)))


def difference(a, b):
    pair = Deformer(a), Deformer(b)
    return posed_difference(*pair, np.arange(len(a.nodes)), pair[0].size)


def most_off(a, b, methods):
    """Return how far any method places a vertex of two rigs apart, as a share of the size."""
    pair = Deformer(a), Deformer(b)
    placed = (list(d.skin_by(d.rest, methods, Options())) for d in pair)
    rows = (np.abs(x[0].positions - y[0].positions).max() for x, y in zip(*placed, strict=True))
    return max(rows) / pair[0].size


@pytest.fixture(scope="module")
def rig():
    return posed(make(Recipe(3, joints=6, shape="chain")))


def test_all_methods_but_the_two_slow_ones_are_compared():
    assert METHODS_COMPARED[0].id == "lbs"
    assert {*METHODS} - {method.id for method in METHODS_COMPARED} == {"centres", "delta-mush"}


def test_a_value_that_only_one_method_reads_is_seen(rig):
    primitive = rig.meshes[0].primitives[0]
    shares = np.linspace(0.0, 1.0, len(primitive.positions))
    other = rig.with_primitive(0, 0, replace(primitive, dqs_weights=shares))
    assert difference(rig, rig) is None
    assert "by the method Blend by " in difference(rig, other)


@pytest.mark.parametrize("weights", [(0.5, 0.5), (0.4, 0.3, 0.3)])
def test_a_vertex_of_joints_that_weigh_the_same_is_compared_by_linear_blending_alone(rig, weights):
    tie = np.array(weights)
    tie[-2:] += [-1e-7, 1e-7]
    a, b = by_weights(rig, *weights), by_weights(rig, *tie)
    assert most_off(a, b, METHODS_COMPARED[:1]) <= POSED < most_off(a, b, METHODS_COMPARED)
    assert difference(a, b) is None
    assert "is off by " in difference(a, by_weights(rig, 0.7, 0.3))


def test_opposite_turns_are_compared_by_linear_blending_alone():
    bound, pair = make(Recipe(3, joints=6, shape="chain")), []
    # Just this side and just beyond where methods take the other way round.
    for angle in 2.0 * np.arccos(HALF_TURN + np.array([1e-9, -1e-9])):
        turns, joint = bound.nodes.rotations.copy(), bound.skins[0].joints[1]
        turns[joint] = quat.multiply(turns[joint], quat.from_axis_angle([0.0, 0.0, 1.0], angle))
        pair.append(by_weights(with_nodes(bound, rotations=turns), 0.7, 0.3))
    a, b = pair
    assert most_off(a, b, METHODS_COMPARED[:1]) <= POSED < most_off(a, b, METHODS_COMPARED)
    assert difference(a, b) is None
