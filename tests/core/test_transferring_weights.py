"""Transferring weights: the identity, what is interpolated, what is filled in and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.assets import resource
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences, Primitive
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import range_of_motion
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options
from rigview.core.weights import weight_surface
from rigview.core.weights.closest import closest_points
from rigview.core.weights.inpaint import inpainted
from rigview.core.weights.problem import NotMade
from rigview.core.weights.transfer import Trust, transferred
from rigview.core.weights.transferring import transfer_weights
from rigview.io import load


def sheet(across=13, along=9, bulge=0.0):
    """Return vertices and triangles of a grid in the unit square, and ``(V, 2)`` rows linear in x."""
    x, y = np.meshgrid(np.linspace(0, 1, across), np.linspace(0, 1, along), indexing="ij")
    points = np.stack([x, y, bulge * np.sin(3 * x)], axis=-1).reshape(-1, 3)
    corner = np.arange(across * along).reshape(across, along)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    triangles = np.concatenate(
        [np.stack(f, axis=-1).reshape(-1, 3) for f in ((a, c, b), (b, c, d))]
    )
    return points, triangles, np.column_stack([1.0 - points[:, 0], points[:, 0]])


def surface_with(points, triangles, rows):
    """Return a surface and the rows of its points."""
    surface = weight_surface.weld(points, triangles, 1.0)
    of = np.zeros((len(surface.points), rows.shape[1]))
    of[surface.point_of] = rows
    return surface, of


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_transfer_onto_itself_is_the_identity(seed):
    rng = np.random.default_rng(seed)
    points, triangles, _ = sheet(bulge=0.2)
    rows = rng.dirichlet(np.ones(5), len(points))
    surface, of = surface_with(points, triangles, rows)
    got = transferred(surface, of, surface, Trust())
    assert got.known.all()
    assert np.abs(got.weights - of).max() < 1e-9


def test_a_second_transfer_changes_nothing():
    surface, of = surface_with(*sheet(bulge=0.2))
    target, _ = surface_with(*sheet(17, 6, bulge=0.25))
    once = transferred(surface, of, target, Trust()).weights
    again = transferred(target, once, target, Trust()).weights
    assert np.abs(again - once).max() < 1e-9


def test_a_finer_copy_interpolates():
    surface, of = surface_with(*sheet())
    finer, wanted = surface_with(*sheet(25, 17))
    got = transferred(surface, of, finer, Trust())
    assert got.known.all()
    assert np.abs(got.weights - wanted).max() < 1e-9


def test_rows_too_far_away_are_filled_in_harmonically():
    """A sheet whose middle is lifted out of reach: between known rows linear in x stays linear."""
    points, triangles, rows = sheet(41, 9)
    surface, of = surface_with(points, triangles, rows)
    middle = np.abs(points[:, 0] - 0.5) < 0.2
    # Only the source lacks its middle, so that the target's surface is flat and the answer known.
    kept = triangles[~middle[triangles].any(axis=1)]
    source, of_source = surface_with(points, kept, rows)
    got = transferred(source, of_source, surface, Trust(distance=1e-4, smooth=0))
    assert 0.2 < 1.0 - got.known.mean() < 0.5
    assert not got.alone.any()
    assert np.abs(got.weights - of).max() < 1e-6


@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    share=st.floats(0.05, 0.9),
    stiffness=st.sampled_from([0.0, 0.02, 0.1]),
)
def test_filling_in_keeps_known_rows_and_stays_within_zero_and_one(seed, share, stiffness):
    rng = np.random.default_rng(seed)
    points, triangles, _ = sheet(bulge=0.3)
    surface, rows = surface_with(points, triangles, rng.dirichlet(np.ones(4), len(points)))
    known = rng.random(len(points)) < share
    known[0] = True
    got, alone = inpainted(surface, rows, known, stiffness)
    assert not alone.any()
    assert np.array_equal(got[known], rows[known])
    assert got.min() >= 0.0
    assert np.abs(got.sum(axis=1) - 1.0).max() < 1e-9


def test_a_shell_without_known_rows_takes_the_closest_points():
    points, triangles, rows = sheet()
    surface, of = surface_with(points, triangles, rows)
    both = np.concatenate([points, points + np.array([0.0, 0.0, 0.3])])
    target = weight_surface.weld(both, np.concatenate([triangles, triangles + len(points)]), 1.0)
    got = transferred(surface, of, target, Trust())
    assert got.alone.sum() == len(points)
    assert np.abs(got.weights[target.point_of[len(points) :]] - rows).max() < 1e-9


def test_normals_decide_between_the_sides_of_a_thin_part():
    """A lining wound the other way is not believed, unless flips are asked for."""
    points, triangles, rows = sheet()
    surface, of = surface_with(points, triangles, rows)
    back = weight_surface.weld(points + np.array([0.0, 0.0, 0.01]), triangles, 1.0)
    turned = replace(back)
    vars(turned)["normals"] = -back.normals
    with pytest.raises(NotMade, match="60° of its normals"):
        transferred(surface, of, turned, Trust())
    assert transferred(surface, of, turned, Trust(flips=True)).known.all()


@pytest.mark.parametrize(
    "trust", [Trust(distance=0.0), Trust(angle=0.0), Trust(stiffness=-1.0), Trust(smooth=-1)]
)
def test_limits_that_believe_nothing_are_refused(trust):
    surface, of = surface_with(*sheet())
    with pytest.raises(NotMade):
        transferred(surface, of, surface, trust)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_no_sampled_point_of_the_surface_is_closer_than_the_closest(seed):
    rng = np.random.default_rng(seed)
    points, triangles, _ = sheet(7, 5, bulge=0.3)
    surface = weight_surface.weld(points + 0.05 * rng.normal(size=points.shape), triangles, 1.0)
    asked = rng.uniform(-0.5, 1.5, (30, 3))
    faces, shares, far = closest_points(surface, asked)
    corners = surface.points[surface.triangles]
    found = np.einsum("nk,nki->ni", shares, corners[faces])
    assert shares.min() >= 0.0
    assert np.abs(shares.sum(axis=1) - 1.0).max() < 1e-12
    assert np.abs(np.linalg.norm(found - asked, axis=1) - far).max() < 1e-12
    others = np.einsum("sk,fki->fsi", rng.dirichlet(np.ones(3), 200), corners).reshape(-1, 3)
    nearest = np.linalg.norm(others - asked[:, None], axis=2).min(axis=1)
    assert np.all(far <= nearest + 5e-4)


def test_a_permuted_and_jittered_copy_gets_nearly_the_same_weights(samples):
    rig = load(samples / "arm.glb").rig
    primitive = rig.meshes[0].primitives[0]
    rng = np.random.default_rng(1)
    jitter = 1e-5 * rng.normal(size=primitive.positions.shape)
    copy = rig.with_primitive(
        0,
        0,
        replace(
            primitive,
            positions=primitive.positions + jitter,
            triangles=primitive.triangles[rng.permutation(len(primitive.triangles))],
            influences=None,
        ),
    )
    got = transfer_weights(rig, copy, Trust()).rig.meshes[0].primitives[0].influences
    assert np.abs(dense(got, rig) - dense(primitive.influences, rig)).max() < 0.02
    assert np.abs(dense(got, rig) - dense(primitive.influences, rig)).mean() < 1e-4


@pytest.mark.parametrize("name", ["biped", "arm"])
def test_a_permuted_and_jittered_copy_moves_as_the_original_over_the_range_of_motion(samples, name):
    rig = load(samples / f"{name}.glb").rig
    primitive = rig.meshes[0].primitives[0]
    rng = np.random.default_rng(2)
    # Copies at seams are moved alike, or the copy would be torn from the start.
    surface, size = primitive.positions, np.ptp(primitive.positions, axis=0).max()
    _, place = np.unique(surface, axis=0, return_inverse=True)
    shift = (3e-4 * size * rng.uniform(-1.0, 1.0, (place.max() + 1, 3)))[place.reshape(-1)]
    order = rng.permutation(len(surface))
    triangles = np.argsort(order)[primitive.triangles][rng.permutation(len(primitive.triangles))]
    bare = Primitive((surface + shift)[order], triangles, primitive.lines, primitive.points)
    copy = transfer_weights(rig, rig.with_primitive(0, 0, bare), Trust(), "all").rig
    got = copy.meshes[0].primitives[0].influences
    back = got.of(np.argsort(order))
    alike = rig.with_primitive(0, 0, replace(primitive, influences=back))
    motion = range_of_motion(rig, LimitTable.of(resource("joint_limits.json")))
    before, after = Deformer(rig), Deformer(alike)
    for step in motion.steps:
        pose = sample(rig, motion.clip, step.time)
        ends = (
            of.skin(0, of.frame(pose), METHODS["lbs"], Options()).positions
            for of in (before, after)
        )
        assert np.linalg.norm(np.subtract(*ends), axis=1).max() < 3e-3 * size


def dense(influences, rig):
    """Return ``(V, J)`` weights."""
    result = np.zeros((len(influences.joints), len(rig.skins[0].joints)))
    np.add.at(result, (np.arange(len(result))[:, None], influences.joints), influences.weights)
    return result


def test_weights_of_joints_that_the_target_lacks_go_to_the_one_above(samples):
    source = load(samples / "arm.glb").rig
    labels = [source.nodes.label(joint) for joint in source.skins[0].joints]
    lost = labels.index("lowerarm")
    renamed = list(source.nodes.names)
    renamed[source.skins[0].joints[lost]] = "something_else"
    nodes = replace(source.nodes, names=tuple(f"rig:{name.upper()}" for name in renamed))
    target = replace(source, nodes=nodes)
    primitive = source.meshes[0].primitives[0]
    bare = target.with_primitive(0, 0, replace(primitive, influences=None))
    got = transfer_weights(source, bare, Trust())
    pairs = {pair.source: pair for pair in got.pairs}
    assert (pairs["lowerarm"].by, pairs["lowerarm"].target) == ("ancestor", "rig:UPPERARM")
    assert pairs["upperarm"].by == "name"
    after = dense(got.rig.meshes[0].primitives[0].influences, source)
    before = dense(primitive.influences, source)
    upper = labels.index("upperarm")
    assert after[:, lost].max() == 0.0
    assert np.abs(after[:, upper] - before[:, upper] - before[:, lost]).max() < 0.03


def test_a_target_of_other_joints_is_refused(samples):
    source, target = (load(samples / f"{name}.glb").rig for name in ("biped", "arm"))
    with pytest.raises(NotMade, match="no joint of the target has the name"):
        transfer_weights(source, target, Trust(), "all")


def test_within_one_rig_what_is_set_is_no_source(samples):
    rig = load(samples / "arm.glb").rig
    with pytest.raises(NotMade, match="no vertex with weights"):
        transfer_weights(rig, rig, Trust(), "all")
    primitive = rig.meshes[0].primitives[0]
    weights = primitive.influences.weights.copy()
    weights[::7] = 0.0
    joints = np.where(weights > 0.0, primitive.influences.joints, 0)
    some = rig.with_primitive(0, 0, replace(primitive, influences=Influences(joints, weights)))
    got = transfer_weights(some, some, Trust(distance=0.5, angle=180.0))
    after = got.rig.meshes[0].primitives[0].influences
    kept = np.arange(len(weights)) % 7 > 0
    assert np.array_equal(after.weights[kept], weights[kept])
    assert np.abs(after.sums - 1.0).max() < 1e-9
