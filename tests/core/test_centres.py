"""Centres of rotation: what they are, that they are found once, and what finding them costs."""

import numpy as np
import pytest
import rigs

from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.methods import centres
from rigview.core.methods.binding import Binding
from rigview.core.pose import rest_pose
from rigview.core.skinning import METHODS, Options

ROW = METHODS["centres"]


def strip(columns, joints=3):
    """Return points, triangles and binding of a flat strip whose weights wander over the joints."""
    x, z = np.meshgrid(np.linspace(0.0, 1.0, columns), np.linspace(-0.1, 0.1, 5), indexing="ij")
    points = np.stack([x, 0.05 * np.sin(9 * x) + z * z, z], axis=-1).reshape(-1, 3)
    corner = np.arange(columns * 5).reshape(columns, 5)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[:-1, 1:], corner[1:, 1:]
    triangles = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (c, b, d))])
    near = np.exp(-((points[:, :1] - np.linspace(0.1, 0.9, joints)) ** 2) / 0.05)
    weights = near / near.sum(axis=1, keepdims=True)
    order = np.argsort(-weights, axis=1, kind="stable")
    count = len(points)
    bound = Binding(
        order, np.take_along_axis(weights, order, axis=1), np.zeros(count), np.ones(count)
    )
    return points, triangles, bound, weights


def by_definition(points, triangles, weights):
    """Return the centres as the paper's sums say, triangle by triangle and joint by joint."""
    corners = points[triangles]
    areas = 0.5 * np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    middles, means = corners.mean(axis=1), weights[triangles].mean(axis=1)
    result = np.zeros_like(points)
    for vertex, own in enumerate(weights):
        alike = np.zeros(len(triangles))
        for j in range(weights.shape[1]):
            for k in range(weights.shape[1]):
                if j != k:
                    unlike = own[j] * means[:, k] - own[k] * means[:, j]
                    product = own[j] * own[k] * means[:, j] * means[:, k]
                    alike += product * np.exp(-((unlike / centres.SIGMA) ** 2))
        result[vertex] = (alike * areas) @ middles / (alike @ areas)
    return result


def test_centres_are_the_papers_sums():
    points, triangles, bound, weights = strip(12)
    wanted = by_definition(points, triangles, weights)
    assert np.abs(centres.centres(bound, points, triangles) - wanted).max() <= 1e-12


def test_many_triangles_are_summed_in_cells_that_hide_little(monkeypatch):
    points, triangles, bound, _ = strip(400)
    binned = centres.centres(bound, points, triangles)
    assert len(triangles) > centres.EXACT
    monkeypatch.setattr(centres, "EXACT", len(triangles))
    exact = centres.centres(bound, points, triangles)
    assert 0.0 < np.abs(binned - exact).max() <= 1e-4


def test_a_vertex_that_shares_no_joints_with_a_triangle_is_its_own_centre():
    points, triangles, bound, _ = strip(6)
    lone = Binding(bound.joints[:, :1], np.ones((30, 1)), bound.side, bound.radius)
    assert np.array_equal(centres.centres(lone, points, triangles), points)
    none = np.zeros((0, 3), dtype=int)
    assert np.array_equal(centres.centres(bound, points, none), points)


class StopError(Exception):
    """What a progress callback raises to cancel."""


def test_progress_is_heard_and_may_stop_the_search():
    deformer = Deformer(rigs.make(rigs.Recipe(seed=1, joints=8, vertices=60, skins=2)))
    heard = []

    def stop(share):
        heard.append(share)
        if share > 0.5:
            raise StopError

    assert not deformer.is_prepared(ROW)
    with pytest.raises(StopError):
        deformer.prepare(ROW, stop)
    assert not deformer.is_prepared(ROW)
    assert heard == sorted(heard)
    heard.clear()
    deformer.prepare(ROW, heard.append)
    assert deformer.is_prepared(ROW)
    assert heard[-1] == 1.0
    assert heard == sorted(heard)


def test_centres_are_found_once_for_a_rig(monkeypatch):
    rig = rigs.make(rigs.Recipe(seed=2, clips=1))
    deformer = Deformer(rig)
    poses = rigs.poses(rig)
    first = deformer.skin(0, deformer.frame(poses[0]), ROW, Options()).positions
    monkeypatch.setattr(centres, "centres", None)
    assert not np.array_equal(
        deformer.skin(0, deformer.frame(poses[-1]), ROW, Options()).positions, first
    )


def test_other_methods_find_no_centres(monkeypatch):
    monkeypatch.setattr(centres, "centres", None)
    rig = rigs.make(rigs.Recipe(seed=3))
    deformer = Deformer(rig)
    for method in METHODS.values():
        if not method.reads_centres:
            deformer.prepare(method)
            assert deformer.is_prepared(method)
            deformer.skin(0, deformer.frame(rest_pose(rig)), method, Options())


def test_no_vertex_bulges_under_bulging_free_skinning():
    rig = rigs.make(rigs.Recipe(seed=4, joints=8, shape="chain", vertices=400, clips=1))
    deformer = Deformer(rig)
    moved = 0
    for pose in rigs.poses(rig):
        frame = deformer.frame(pose)
        plain, free = (
            deformer.skin(0, frame, METHODS[name], Options()).positions
            for name in ("dqs", "bulging-free")
        )
        bound, palette = deformer.bindings[0], frame.palettes[0]
        joints = bound.joints[:, 0]
        heads = palette.matrices[joints, :3, :3] @ deformer.bind_bones[0].heads[joints, :, None]
        heads = heads[..., 0] + palette.matrices[joints, :3, 3]
        along = quat.rotate(palette.rotations[joints], deformer.bind_bones[0].directions[joints])
        for points, at_most in ((plain, np.inf), (free, 1e-9)):
            foot = np.clip(
                np.einsum("vi,vi->v", points - heads, along),
                0.0,
                deformer.bind_bones[0].lengths[joints],
            )
            excess = np.linalg.norm(points - heads - foot[:, None] * along, axis=1) - bound.radius
            assert excess.max() <= at_most
            moved += int(np.count_nonzero(excess > 1e-6))
    assert moved > 100
