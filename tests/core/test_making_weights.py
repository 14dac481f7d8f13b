"""Methods that make weights: their invariants, on solids whose weights are known."""

import sys
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.bones import Segments
from rigview.core.deform import Deformer
from rigview.core.weights import biharmonic, heat, prune, sight, sources, voxels, weight_surface
from rigview.core.weights.making import (
    WeightRequest,
    characters,
    joints_of,
    make_weights,
    surface_of,
    with_slots,
)
from rigview.core.weights.methods import METHODS
from rigview.core.weights.problem import NotMade, Problem, WeightOptions
from rigview.io import load

AROUND = 24


def capsule(rings=41, radius=0.5, ends=(-0.5, 5.5), around=AROUND):
    """Return vertices and triangles of a closed tube along x, round at both ends, its seam split."""
    x = np.linspace(*ends, rings)
    reach = np.minimum(x - ends[0], ends[1] - x)
    width = np.sqrt(np.clip(radius**2 - np.clip(radius - reach, 0, None) ** 2, 0, None))
    turn = 2 * np.pi * np.arange(around + 1) / around
    points = np.stack(
        [
            np.repeat(x[:, None], around + 1, axis=1),
            width[:, None] * np.cos(turn),
            width[:, None] * np.sin(turn),
        ],
        axis=-1,
    ).reshape(-1, 3)
    corner = np.arange(rings * (around + 1)).reshape(rings, around + 1)
    a, b = corner[:-1, :-1], corner[:-1, 1:]
    c, d = corner[1:, :-1], corner[1:, 1:]
    triangles = np.concatenate(
        [np.stack(f, axis=-1).reshape(-1, 3) for f in ((a, c, b), (b, c, d))]
    )
    return points, triangles


def bones(*ends):
    """Return bones from pairs of ends."""
    heads, tails = np.array(ends, dtype=float).swapaxes(0, 1)
    return Segments.between(heads, tails, np.array([1.0, 0.0, 0.0]))


COLLINEAR = bones(((0, 0, 0), (2.5, 0, 0)), ((2.5, 0, 0), (5, 0, 0)))


def made(method, points, triangles, of, size=6.0, **options):
    """Return ``(V, J)`` weights of the vertices, not pruned."""
    surface = weight_surface.weld(points, triangles, size)
    result = METHODS[method].make(Problem(surface, of), WeightOptions(**options), lambda _: None)
    return result.weights[surface.point_of]


needs_libigl = pytest.mark.skipif(find_spec("igl") is None, reason="libigl is not installed")
# A mesh of tetrahedra takes a second: what bounded biharmonic weights are is told by tests of their own.
_OF_BBW = (needs_libigl, pytest.mark.thorough)
every_method = pytest.mark.parametrize(
    "method", [pytest.param(id_, marks=_OF_BBW if id_ == "bbw" else ()) for id_ in METHODS]
)


def blob(rng, count):
    """Return a random triangle soup of several shells, some of its triangles collapsed or repeated."""
    points = rng.normal(size=(count, 3))
    triangles = rng.integers(0, count, size=(2 * count, 3))
    return points, np.concatenate([triangles, triangles[:2]])


@every_method
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 60), joints=st.integers(1, 6))
def test_every_row_sums_to_one_whatever_the_mesh(method, seed, count, joints):
    rng = np.random.default_rng(seed)
    points, triangles = blob(rng, count)
    of = bones(*rng.normal(size=(joints, 2, 3)))
    weights = made(method, points, triangles, of, 2.0, resolution=16)
    assert weights.min() >= 0.0
    assert np.abs(weights.sum(axis=1) - 1.0).max() < 1e-9
    columns, kept = prune.pruned(weights)
    assert kept.shape == columns.shape == (count, 4)
    assert np.abs(kept.sum(axis=1) - 1.0).max() < 1e-9
    assert np.all((kept == 0.0) | (kept >= prune.LEAST))


@every_method
def test_no_triangles_and_one_joint_do_not_raise(method):
    points = np.random.default_rng(3).normal(size=(20, 3))
    alone = made(method, points, np.zeros((0, 3), dtype=np.int64), bones(((0, 0, 0), (1, 0, 0))))
    assert np.array_equal(alone, np.ones((20, 1)))
    one = made(method, *capsule(), bones(((0, 0, 0), (5, 0, 0))))
    assert np.abs(one - 1.0).max() < 1e-9


@every_method
def test_permuted_vertices_and_triangles_permute_rows_exactly(method):
    points, triangles = capsule()
    rng = np.random.default_rng(5)
    order = rng.permutation(len(points))
    back = np.argsort(order)
    turned = np.roll(back[triangles][rng.permutation(len(triangles))], 1, axis=1)
    before = made(method, points, triangles, COLLINEAR)
    after = made(method, points[order], turned, COLLINEAR)
    assert np.array_equal(after, before[order])


@every_method
def test_copies_of_a_point_have_one_row(method):
    points, triangles = capsule()
    jitter = np.random.default_rng(7).uniform(-1e-6, 1e-6, points.shape)
    rows = made(method, points + jitter, triangles, COLLINEAR).reshape(41, AROUND + 1, 2)
    assert np.array_equal(rows[:, 0], rows[:, -1])


@every_method
def test_scale_changes_nothing(method):
    points, triangles = capsule()
    before = made(method, points, triangles, COLLINEAR)
    large = Segments(100.0 * COLLINEAR.heads, COLLINEAR.directions, 100.0 * COLLINEAR.lengths)
    after = made(method, 100.0 * points, triangles, large, 600.0)
    assert np.abs(after - before).max() < 1e-6


@pytest.mark.parametrize("method", ["nearest", "envelope", "heat"])
def test_a_rigid_motion_changes_nothing(method):
    points, triangles = capsule(rings=40)
    rng = np.random.default_rng(11)
    tilted = bones(((0, 0, 0), (2.4, 0.1, 0.05)), ((2.4, 0.1, 0.05), (5, 0, 0)))
    turn = quat.to_matrix(quat.normalise(rng.normal(size=4)))
    offset = rng.normal(size=3)
    moved = Segments(tilted.heads @ turn.T + offset, tilted.directions @ turn.T, tilted.lengths)
    before = made(method, points, triangles, tilted)
    after = made(method, points @ turn.T + offset, triangles, moved)
    if method == "heat":
        assert np.abs(after - before).mean() < 1e-3
    else:
        assert np.abs(after - before).max() < 1e-6


@every_method
def test_two_collinear_bones_share_a_capsule_at_the_joint(method):
    points, triangles = capsule()
    smooth = 0.02 if method == "nearest" else None
    weights = made(method, points, triangles, COLLINEAR, smooth=smooth)[:, 0]
    along = np.unique(points[:, 0])
    mean = np.array([weights[points[:, 0] == x].mean() for x in along])
    assert np.diff(mean).max() < 1e-9
    assert abs(mean[20] - 0.5) < 1e-3
    assert mean[0] > 1.0 - 1e-4
    assert mean[-1] < 1e-4


def test_the_nearest_bone_splits_a_tube_at_the_plane_between():
    points, triangles = capsule(rings=40)
    weights = made("nearest", points, triangles, COLLINEAR)
    assert np.array_equal(weights[:, 0], (points[:, 0] < 2.5).astype(float))


@every_method
def test_the_far_limb_has_no_weight(method):
    left, faces = capsule(ends=(-0.5, 5.5))
    right = left + np.array([0.0, 4.0, 0.0])
    points = np.concatenate([left, right])
    triangles = np.concatenate([faces, faces + len(left)])
    of = bones(((0, 0, 0), (5, 0, 0)), ((0, 4, 0), (5, 4, 0)))
    weights = made(method, points, triangles, of)
    assert np.abs(weights[: len(left), 1]).max() < prune.LEAST
    assert np.abs(weights[len(left) :, 0]).max() < prune.LEAST


def test_heat_on_a_rod_is_the_closed_form():
    """A strip heated by its halves: u'' = k (u − 1) and u'' = k u meet at ½ and fall like exp(−√k |x|)."""
    count, k = 401, 40.0
    x = np.linspace(-1.0, 1.0, count)
    points = np.concatenate([np.column_stack([x, np.full(count, y), 0 * x]) for y in (0.0, 0.01)])
    i = np.arange(count - 1)
    a, b = i, i + count
    triangles = np.concatenate([np.column_stack([a, a + 1, b]), np.column_stack([a + 1, b + 1, b])])
    surface = weight_surface.weld(points, triangles, 1.0)
    at = surface.points[:, 0]
    seen = np.column_stack([at <= 1e-12, at >= -1e-12])
    far = np.sqrt(seen.sum(axis=1) * heat.CONDUCTANCE / k)
    weights, cold = heat.equilibrium(surface, surface.laplacian, far, seen)
    root = np.sqrt(k)
    # With insulated ends: ½ cosh(√k (1 − |x|)) / cosh(√k) is the weight of the far half.
    smaller = 0.5 * np.cosh(root * (1.0 - np.abs(at))) / np.cosh(root)
    expected = np.where(at < 0.0, 1.0 - smaller, smaller)
    assert not cold.any()
    assert np.abs(weights[:, 0] - expected).max() < 1e-3


def bar(length, width):
    """Return vertices and triangles of a box along x, cut into squares of one unit."""
    ends = np.array([length, width, width])
    points, triangles = [], []
    for axis in range(3):
        u, v = ((axis + 1) % 3, (axis + 2) % 3)
        for side in (0, 1):
            grid = np.stack(np.meshgrid(*(np.arange(ends[k] + 1) for k in (u, v)), indexing="ij"))
            own = np.zeros((grid[0].size, 3))
            own[:, u], own[:, v], own[:, axis] = grid[0].ravel(), grid[1].ravel(), side * ends[axis]
            corner = sum(map(len, points)) + np.arange(len(own)).reshape(grid[0].shape)
            a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
            faces = np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)
            points.append(own)
            triangles.append(faces if side else faces[:, ::-1])
    return np.concatenate(points), np.concatenate(triangles)


@needs_libigl
def test_bounded_biharmonic_weights_are_those_of_libigls_own_steps():
    """libigl finds the fixed corners, solves for all bones at once and normalises, as in its tutorial."""
    import igl

    points, triangles = bar(12, 2)
    ends = np.array([[0.0, 1, 1], [4, 1, 1], [8, 1, 1], [12, 1, 1]])
    surface = weight_surface.weld(points, triangles, 12.0)
    grid = biharmonic._Grid(voxels.Solid(surface, 12))
    places = grid.solid.low + grid.points * grid.solid.side
    fixed, values = igl.boundary_conditions(
        places, grid.tetrahedra, ends, BE=np.array([[0, 1], [2, 3]])
    )
    found = igl.bbw(places, grid.tetrahedra, fixed, values, max_iter=biharmonic.ROUNDS)
    expected = grid.at(surface.points, found / found.sum(axis=1, keepdims=True))
    of = bones((ends[0], ends[1]), (ends[2], ends[3]))
    got = made("bbw", points, triangles, of, 12.0, resolution=12)
    assert np.abs(got - expected[surface.point_of]).max() < 1e-6


@needs_libigl
def test_bounded_biharmonic_weights_on_a_bar_are_the_cubic_between_two_bones():
    """Between ends that are held at 1 and at 0, w″″ = 0 has one solution; the bar is a tenth as wide."""
    points, triangles = bar(40, 2)
    of = bones(((0, 1, 1), (10, 1, 1)), ((30, 1, 1), (40, 1, 1)))
    weights = made("bbw", points, triangles, of, 40.0, resolution=40)[:, 0]
    t = np.clip((points[:, 0] - 10.0) / 20.0, 0.0, 1.0)
    assert np.abs(weights - (1.0 - t * t * (3.0 - 2.0 * t))).max() < 0.03


def test_without_libigl_the_method_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "igl", None)
    with pytest.raises(NotMade, match=r'pip install "rigview\[bbw\]"'):
        made("bbw", *capsule(), COLLINEAR)


def test_a_shell_that_no_heat_reaches_follows_the_nearest_bone():
    points, triangles = capsule()
    # A speck far away, wound so that the tube hides all bones from it.
    speck = np.array([[1.0, 5.0, 0.0], [1.1, 5.0, 0.0], [1.0, 5.0, 0.1]])
    surface = weight_surface.weld(
        np.concatenate([points, speck]),
        np.concatenate([triangles, [[len(points), len(points) + 1, len(points) + 2]]]),
        6.0,
    )
    result = METHODS["heat"].make(Problem(surface, COLLINEAR), WeightOptions(), lambda _: None)
    alone = surface.point_of[len(points) :]
    assert result.unseen[alone].all()
    assert result.fallback.sum() == 3
    assert np.array_equal(result.weights[alone], [[1.0, 0.0]] * 3)


def test_bridges_carry_heat_to_a_garment_that_sees_no_bone():
    points, triangles = capsule()
    around = points * (1.0, 1.03, 1.03)
    sleeve = triangles[((points[:, 0] > 0.5) & (points[:, 0] < 4.5))[triangles].all(axis=1)]
    surface = weight_surface.weld(
        np.concatenate([points, around]), np.concatenate([triangles, sleeve + len(points)]), 6.0
    )
    problem = Problem(surface, COLLINEAR)
    joined, apart = (
        METHODS["heat"].make(problem, WeightOptions(bridge=reach), lambda _: None)
        for reach in (0.005, 0.0)
    )
    assert joined.bridged.any()
    assert not apart.bridged.any()
    body, garment = (surface.point_of[: len(points)], surface.point_of[len(points) :])
    near = np.isin(np.arange(len(points)), sleeve)
    off = np.abs(joined.weights[garment] - joined.weights[body])[near].max()
    assert off < np.abs(apart.weights[garment] - apart.weights[body])[near].max()
    assert off < 0.02


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(4, 50))
def test_the_grid_blocks_the_segments_that_all_triangles_block(seed, count):
    rng = np.random.default_rng(seed)
    points, triangles = blob(rng, count)
    surface = weight_surface.weld(points, triangles, 2.0)
    sources = rng.integers(0, len(surface.points), 40)
    ends = 1.5 * rng.normal(size=(40, 3))
    got = sight.TriangleGrid(surface).blocked(sources, ends)
    assert np.array_equal(got, [blocks(surface, s, e) for s, e in zip(sources, ends, strict=True)])


def blocks(surface, source, end):
    """Tell whether any triangle without the source crosses the way, by solving for each crossing."""
    begin = surface.points[source]
    corners = surface.triangles[(surface.triangles != source).all(axis=1)]
    a, b, c = surface.points[corners].swapaxes(0, 1)
    system = np.stack([b - a, c - a, np.broadcast_to(begin - end, a.shape)], axis=-1)
    sound = np.abs(np.linalg.det(system)) > 1e-14
    u, v, t = np.linalg.solve(system[sound], (begin - a)[sound][..., None])[..., 0].T
    least = sight.NEAR * surface.size / np.linalg.norm(end - begin)
    return bool(np.any((u >= 0) & (v >= 0) & (u + v <= 1) & (t > least) & (t < 1)))


@pytest.mark.parametrize("wound", [1, -1])
def test_a_closed_capsule_is_solid(wound):
    points, triangles = capsule(around=64)
    solid = voxels.Solid(weight_surface.weld(points, triangles[:, ::wound], 6.0), 128)
    volume = np.pi * 0.5**2 * 5.0 + 4.0 / 3.0 * np.pi * 0.5**3
    for axis in range(3):
        inside = np.moveaxis(solid._inside_along(axis), -1, axis)
        assert inside.sum() * solid.side**3 == pytest.approx(volume, rel=0.02)
        assert np.all(solid.filled | ~inside)
    middle = np.array([[2.5, 0.0, 0.0], [2.5, 0.6, 0.0], [90.0, 0.0, 0.0]])
    assert solid.inside(middle).tolist() == [True, False, False]


def test_a_column_through_a_hole_does_not_vote():
    points, triangles = capsule(around=64)
    open_end = triangles[(points[:, 0] > -0.3)[triangles].all(axis=1)]
    solid = voxels.Solid(weight_surface.weld(points, open_end, 6.0), 64)
    assert not solid._inside_along(0)[:, :, :].any(axis=2)[12, 12]
    assert solid.inside(np.array([[2.5, 0.0, 0.0], [0.0, 0.0, 0.0]])).all()


def test_overlapping_shells_are_solid_throughout():
    points, triangles = capsule()
    both = np.concatenate([points, points + np.array([0.3, 0.2, 0.0])])
    solid = voxels.Solid(
        weight_surface.weld(both, np.concatenate([triangles, triangles + len(points)]), 6.0), 64
    )
    assert solid.inside(np.array([[2.5, 0.1, 0.0], [1.0, 0.1, 0.0], [4.0, 0.1, 0.1]])).all()


def test_distances_through_the_solid_go_around_a_gap():
    """Two bars side by side, joined at one end: the way to the other one's bone is around the gap."""
    low, faces = capsule()
    across = np.column_stack([low[:, 1], 0.48 * low[:, 0] - 0.5, low[:, 2]])
    points = np.concatenate([low, low + np.array([0.0, 1.4, 0.0]), across])
    triangles = np.concatenate([faces + k * len(low) for k in range(3)])
    surface = weight_surface.weld(points, triangles, 40.0)
    solid = voxels.Solid(surface, 96)
    of = bones(((0, 1.4, 0), (5, 1.4, 0)))
    far = voxels.solid_distances(solid, of, surface.points, lambda _: None)[:, 0]
    at = surface.points
    tip = (at[:, 0] > 4.5) & (at[:, 1] < 0.5)
    assert far[tip].min() > 4.0
    assert far[(at[:, 1] > 1.0) & (at[:, 0] > 1.0) & (at[:, 0] < 5.0)].max() < 0.9


TURNS = {
    "mirrored": np.diag([-1.0, 1.0, 1.0]),
    "a quarter turn": np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    "another axis up": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
}


@every_method
@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_mirroring_and_quarter_turns_change_nothing(method, turn):
    points, triangles = capsule(rings=40)
    points = points + 0.03 * np.sin(7.0 * points[:, ::-1])
    of = bones(((0, 0, 0.1), (2.4, 0.1, 0.05)), ((2.4, 0.1, 0.05), (5, 0, 0)))
    moved = Segments(of.heads @ turn.T, of.directions @ turn.T, of.lengths)
    before = made(method, points, triangles, of)
    after = made(method, points @ turn.T, triangles, moved)
    if method == "heat":
        assert np.abs(after - before).mean() < 1e-3
    else:
        assert np.abs(after - before).max() < 1e-5


def test_ties_are_shared_and_rounding_does_not_choose():
    far = np.array([[1.0, 1.0 + 1e-5, 2.0], [0.0, 0.0, 1.0], [3.0, 1.0, 1.1]])
    got = sources.shared(sources.nearest(far, 1.0))
    assert np.array_equal(got, [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 1, 0]])


def test_a_bone_before_the_surface_counts_as_farther():
    assert sources.facing_factor(np.array(1.0)) == pytest.approx(1.0)
    assert sources.facing_factor(np.array(-1.0)) == pytest.approx(2.3 / 0.3)


def test_pruning_keeps_the_largest_and_the_skins_order_among_equals():
    columns, weights = prune.pruned(np.array([[0.2, 0.3, 0.2, 0.2, 0.1], [0, 0.995, 0, 0, 0.005]]))
    assert columns[0].tolist() == [1, 0, 2, 3]
    assert np.abs(weights[0] - np.array([3, 2, 2, 2]) / 9).max() < 1e-12
    assert columns[1].tolist() == [1, 0, 0, 0]
    assert weights[1].tolist() == [1, 0, 0, 0]


@every_method
def test_whoever_hears_of_the_progress_can_stop_the_work(method):
    class CancelledError(Exception):
        pass

    def stop(share):
        raise CancelledError

    surface = weight_surface.weld(*capsule(), 6.0)
    with pytest.raises(CancelledError):
        METHODS[method].make(Problem(surface, COLLINEAR), WeightOptions(), stop)


@every_method
def test_a_mesh_that_is_wound_inwards_gets_the_same_weights(method):
    points, triangles = capsule()
    before = made(method, points, triangles, COLLINEAR)
    after = made(method, points, triangles[:, ::-1], COLLINEAR)
    assert np.abs(after - before).max() < 1e-9


def test_a_rig_without_skin_is_refused(samples):
    rig = load(samples / "box.glb").rig
    bare = replace(rig, node_skins=(None,) * len(rig.node_skins))
    with pytest.raises(NotMade, match="no mesh hangs on a skin"):
        make_weights(bare, WeightRequest())


def test_a_root_between_the_feet_moves_nothing_where_no_weights_say_what_does(samples):
    rig = load(samples / "biped.glb").rig
    (group,) = characters(rig)
    skin = rig.skins[group.skin]
    primitive = rig.meshes[0].primitives[0]
    bare = with_slots(rig.with_primitive(0, 0, replace(primitive, influences=None)))
    root = next(i for i, j in enumerate(skin.joints) if rig.joint_parents[j] < 0)
    labels = [rig.nodes.label(joint) for joint in skin.joints]
    deformer = Deformer(bare)
    surface, _ = surface_of(bare, deformer, group)
    chosen = joints_of(bare, deformer, group, surface, "deform")
    assert (labels[root], root in chosen) == ("root", False)
    assert {"pelvis", "head", "hand_l", "foot_r"} <= {labels[i] for i in chosen}


@pytest.mark.parametrize("method", ["heat", "geodesic-voxel"])
def test_one_triangle_less_changes_little_and_nothing_far_away(method, samples):
    rig = load(samples / "biped.glb").rig
    (group,) = characters(rig)
    deformer = Deformer(rig)
    surface, _ = surface_of(rig, deformer, group)
    joints = joints_of(rig, deformer, group, surface, "deform")
    problem = Problem(surface, deformer.bind_bones[group.skin].of(joints))
    before = METHODS[method].make(problem, WeightOptions(), lambda _: None).weights
    for lost in (1000, 5000):
        less = replace(surface, oriented=np.delete(surface.oriented, lost, axis=0))
        after = METHODS[method].make(Problem(less, problem.bones), WeightOptions(), lambda _: None)
        change = np.abs(after.weights - before).max(axis=1)
        hole = surface.points[surface.oriented[lost]].mean(axis=0)
        far = np.linalg.norm(surface.points - hole, axis=1) > 0.1 * surface.size
        assert 0.0 < change.mean() < 1e-3
        assert change[far].max() < 1e-4
