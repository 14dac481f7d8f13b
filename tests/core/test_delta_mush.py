"""Direct delta mush: the precomputed moments are the paper's matrices, and what it does to a bend."""

from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.core import affine, quat
from rigview.core.deform import Deformer
from rigview.core.methods import delta_mush
from rigview.core.methods.binding import Binding
from rigview.core.pose import rest_pose
from rigview.core.skinning import METHODS, Options

ROW = METHODS["delta-mush"]


def grid(joints=3, across=7, seed=0):
    """Return points, triangles and random weights of a bent sheet."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(across), np.arange(across), indexing="ij")
    points = np.stack([x, y, 0.2 * (x - 3.0) ** 2], -1).reshape(-1, 3) / across + 2.0
    corner = (across * np.arange(across - 1)[:, None] + np.arange(across - 1)).reshape(-1)
    triangles = np.concatenate(
        [
            np.stack([corner, corner + 1, corner + across], 1),
            np.stack([corner + 1, corner + across + 1, corner + across], 1),
        ]
    )
    weights = rng.dirichlet(np.ones(joints), len(points))
    return points, triangles, weights


def bound(weights):
    joints = np.tile(np.arange(weights.shape[1]), (len(weights), 1))
    none = np.zeros(len(weights))
    return Binding(joints, weights, none, none)


def papers(points, triangles, weights, matrices):
    """Return positions and rotations by the paper's dense matrices Ω and singular values."""
    n = len(points)
    adjacent = np.zeros((n, n))
    for a, b in ((0, 1), (1, 2), (2, 0)):
        adjacent[triangles[:, a], triangles[:, b]] = adjacent[triangles[:, b], triangles[:, a]] = 1
    laplacian = np.eye(n) - adjacent / adjacent.sum(axis=1, keepdims=True)
    smoothing = np.linalg.inv(np.eye(n) + delta_mush.LAMBDA * laplacian)
    smoothing = np.linalg.matrix_power(smoothing, delta_mush.STEPS)
    u = np.concatenate([points, np.ones((n, 1))], axis=1)
    psi = np.einsum("ik,kj,ka,kb->ijab", smoothing, weights, u, u)
    p = psi.sum(axis=1)[:, :, 3]
    omega = (1.0 - delta_mush.ALPHA) * psi
    omega += delta_mush.ALPHA * np.einsum("ij,ia,ib->ijab", weights, p, p)
    blended = np.einsum("jab,ijbc->iac", matrices, omega)
    q = blended[:, :3, 3]
    left, _, right = np.linalg.svd(blended[:, :3, :3] - q[:, :, None] * p[:, None, :3])
    left[:, :, 2] *= np.linalg.det(left @ right)[:, None]
    rotations = left @ right
    return q + np.einsum("iab,ib->ia", rotations, points - p[:, :3]), rotations


@pytest.mark.parametrize("block", [8192, 16])
def test_a_sheet_is_skinned_by_the_papers_matrices(monkeypatch, block):
    monkeypatch.setattr(delta_mush, "_BLOCK", block)
    points, triangles, weights = grid()
    turns = quat.from_axis_angle([[0, 0, 1.0], [1.0, 0, 0], [0, 1.0, 0]], [0.5, -0.4, 0.9])
    shifts = np.array([[0.1, 0, 0], [0, 0.2, 0], [0, 0, -0.1]])
    matrices = affine.compose(shifts, turns, np.ones((3, 3)))
    moments = delta_mush.moments(bound(weights), points, triangles)
    none = np.tile(quat.IDENTITY, (len(points), 1))
    centres, rotations = moments.moved(matrices[:, :3], None, none)
    wanted, turned = papers(points, triangles, weights, matrices)
    assert np.abs(quat.to_matrix(rotations) - turned).max() <= 1e-10
    got = centres + quat.rotate(rotations, points - moments.centres)
    assert np.abs(got - wanted).max() <= 1e-10


def test_moments_of_the_largest_joints_still_sum_to_one_and_to_nothing():
    points, triangles, weights = grid(joints=12)
    moments = delta_mush.moments(bound(weights), points, triangles)
    assert moments.joints.shape[1] == delta_mush.MOST < 12
    assert np.abs(moments.shares.sum(axis=1) - 1.0).max() <= 1e-12
    assert np.abs(moments.first.sum(axis=1)).max() <= 1e-12


def test_vertices_at_one_place_stay_there_across_a_seam():
    points, triangles, weights = grid()
    split = len(triangles) // 2
    twice = np.concatenate([points, points])
    halves = np.concatenate([triangles[:split], triangles[split:] + len(points)])
    cut = delta_mush.moments(bound(np.concatenate([weights, weights])), twice, halves)
    whole = delta_mush.moments(bound(weights), points, triangles)
    for half in (slice(len(points)), slice(len(points), None)):
        assert np.abs(cut.centres[half] - whole.centres).max() <= 1e-12
        assert np.abs(cut.second[half] - whole.second).max() <= 1e-12


def test_a_mesh_without_triangles_moves_as_linear_blending_moves_it():
    rig = rigs.make(rigs.Recipe(seed=3, joints=5, clips=1))
    primitive = rig.meshes[0].primitives[0]
    none = replace(
        primitive, triangles=np.zeros((0, 3), dtype=int), points=np.arange(len(primitive.positions))
    )
    deformer = Deformer(rig.with_primitive(0, 0, none))
    for pose in rigs.poses(rig):
        frame = deformer.frame(pose)
        got, wanted = (
            deformer.skin(0, frame, row, Options()).positions for row in (ROW, METHODS["lbs"])
        )
        assert np.abs(got - wanted).max() <= 1e-10 * deformer.size


def test_a_vertex_of_one_joint_follows_its_neighbours_joints_too():
    points, triangles, weights = grid(joints=2)
    weights[:] = (points[:, :1] > points[:, 0].mean()) @ [[1.0, 0.0]]
    weights[:, 1] = 1.0 - weights[:, 0]
    moments = delta_mush.moments(bound(weights), points, triangles)
    mixed = np.count_nonzero(moments.shares > 0.01, axis=1)
    assert set(mixed) == {1, 2}


def test_moments_are_found_once_and_in_steps(monkeypatch):
    rig = rigs.make(rigs.Recipe(seed=2, clips=1))
    deformer, heard = Deformer(rig), []
    assert not deformer.is_prepared(ROW)
    deformer.prepare(ROW, heard.append)
    assert deformer.is_prepared(ROW)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    monkeypatch.setattr(delta_mush, "moments", None)
    deformer.skin(0, deformer.frame(rest_pose(rig)), ROW, Options())


def test_a_neighbourhood_that_is_a_line_turns_as_dqs_does():
    rotation = quat.from_axis_angle([0.0, 0.0, 1.0], 0.7)
    line = np.zeros((1, 3, 3))
    line[0, 0, 0] = 1.0
    assert np.abs(delta_mush._rotations(line, rotation[None]) - rotation).max() <= 1e-12
