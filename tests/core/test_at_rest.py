"""Where a rig stands at rest: the boxes around its parts are those around all of their vertices."""

from dataclasses import replace

import numpy as np
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.methods import binding
from rigview.core.numeric import row_ops


def with_noise(rig, binds, weights, seed):
    """Return a rig whose binds and weights are off by so much at most."""
    rng = np.random.default_rng(seed)
    for number, skin in enumerate(rig.skins):
        noise = binds * rng.uniform(-1, 1, skin.inverse_binds.shape)
        noise[:, 3] = 0.0
        rig = rig.with_skin(number, replace(skin, inverse_binds=skin.inverse_binds + noise))
    for number, mesh in enumerate(rig.meshes):
        for place, primitive in enumerate(mesh.primitives):
            old = primitive.influences
            if old is not None:
                shares = old.weights * (1.0 + weights * rng.uniform(-1, 1, old.weights.shape))
                new = replace(primitive, influences=Influences(old.joints, shares))
                rig = rig.with_primitive(number, place, new)
    return rig


@given(
    rigs.rigs(vertices=1000),
    st.sampled_from([0.0, 1e-6, 1e-3, 0.3]),
    st.sampled_from([0.0, 1e-7, 0.02, 1.5]),
    st.integers(0, 99),
)
def test_the_box_of_a_part_holds_all_its_vertices_and_is_as_small(rig, binds, weights, seed):
    deformer = Deformer(with_noise(rig, binds, weights, seed))
    starts = np.cumsum([0, *(len(rig.primitive(part).positions) for part in rig.parts)])
    whole = np.split(deformer.rest_positions, starts[1:-1])
    for points, box in zip(whole, deformer.rest_corners, strict=True):
        assert np.array_equal(box, row_ops.corners(points))


def skinned(rig):
    """Return what `binding` is given of the first part of the first skin at rest."""
    part = rig.skinned_parts(0)[0]
    matrices = Deformer(rig).rest_nodes[list(rig.skins[0].joints)] @ rig.skins[0].joint_from_mesh
    return rig.primitive(part).influences, matrices, rig.primitive(part).positions


def test_of_a_mesh_at_its_bind_few_vertices_are_asked_where_they_are():
    rig = with_noise(rigs.make(rigs.Recipe(seed=4, joints=9, vertices=3000)), 1e-7, 1e-7, 0)
    influences, matrices, points = skinned(rig)
    assert len(binding.outermost(influences, matrices, points, row_ops.corners(points))) < 30


def test_a_vertex_without_weights_stays_in_the_mesh_and_may_reach_furthest():
    rig = rigs.make(rigs.Recipe(seed=4, joints=9, vertices=1000, bind="offset"))
    influences, matrices, points = skinned(rig)
    weights = influences.weights.copy()
    weights[17] = 0.0
    lost = Influences(influences.joints, weights)
    chosen = binding.outermost(lost, matrices, points, row_ops.corners(points))
    moved = binding.moved_once(lost, matrices, points)
    assert np.array_equal(row_ops.corners(moved[chosen]), row_ops.corners(moved))


def test_points_that_are_no_numbers_leave_all_vertices_in_question():
    influences, matrices, points = skinned(rigs.make(rigs.Recipe(seed=4, vertices=1000)))
    broken = points.copy()
    broken[3, 1] = np.nan
    chosen = binding.outermost(influences, matrices, broken, row_ops.corners(broken))
    assert len(chosen) == len(points)
