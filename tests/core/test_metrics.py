"""Volume, bulge and size: known solids, holes, seams, and the pose in which nothing has changed."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import affine, quat
from rigview.core.bones import box_diagonal
from rigview.core.deform import Deformer
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.core.measures.solid import closed_surface, signed_volume
from rigview.core.mesh import Influences
from rigview.core.pose import rest_pose
from rigview.core.rig import Rig, Skin
from rigview.core.skinning import METHODS, Options


def box(size=(1.0, 2.0, 3.0)):
    """Return the eight corners and twelve outward triangles of a box."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * size
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    return corners, np.array(faces)


def cylinder(rings=9, around=16, *, caps, seam=False):
    """Return a cylinder of radius 1 along y from −2 to 2; a seam splits one of its lengths."""
    columns = around + int(seam)
    phi = 2 * np.pi * np.arange(columns) / around
    y = np.linspace(-2, 2, rings)
    grid_y, grid_phi = np.meshgrid(y, phi, indexing="ij")
    points = np.stack([np.cos(grid_phi), grid_y, np.sin(grid_phi)], -1).reshape(-1, 3)
    if seam:
        # What a texture seam splits lies at the same place to the bit.
        points.reshape(rings, columns, 3)[:, -1] = points.reshape(rings, columns, 3)[:, 0]
    faces = []
    for ring in range(rings - 1):
        for i in range(around):
            a, b = ring * columns + i, ring * columns + (i + 1) % columns
            faces += [(a, a + columns, b), (b, a + columns, b + columns)]
    if caps:
        for ring, turn in ((0, 1), (rings - 1, -1)):
            corners = [ring * columns + i for i in range(around)]
            fan = [(corners[0], corners[i], corners[i + 1]) for i in range(1, around - 1)]
            faces += [f[::turn] for f in fan]
    return points, np.array(faces)


def prism_volume(around=16):
    return 4.0 * 0.5 * around * np.sin(2 * np.pi / around)


def test_the_volume_of_a_box():
    corners, faces = box()
    assert signed_volume(corners, faces) == pytest.approx(6.0)
    assert signed_volume(corners, faces[:, ::-1]) == pytest.approx(-6.0)


@given(seed=st.integers(0, 2**32 - 1))
def test_a_volume_does_not_mind_where_the_solid_is(seed):
    rng = np.random.default_rng(seed)
    corners, faces = box()
    moved = affine.transform_points(rigs.random_rigid(rng, 10.0), corners)
    assert signed_volume(moved, faces) == pytest.approx(6.0)


@pytest.mark.parametrize("caps", [True, False])
@pytest.mark.parametrize("seam", [True, False])
def test_the_volume_of_a_cylinder_with_and_without_caps_and_seam(caps, seam):
    points, faces = cylinder(caps=caps, seam=seam)
    surface = closed_surface(points, faces)
    assert signed_volume(points, surface) == pytest.approx(prism_volume())
    edges = np.concatenate([surface[:, (0, 1)], surface[:, (1, 2)], surface[:, (2, 0)]])
    assert {tuple(e) for e in edges} == {tuple(e[::-1]) for e in edges}


def test_a_box_without_one_face_is_closed_again():
    corners, faces = box()
    for missing in range(6):
        left = np.delete(faces, [2 * missing, 2 * missing + 1], axis=0)
        surface = closed_surface(corners, left)
        assert signed_volume(corners, surface) == pytest.approx(6.0)


def test_a_box_whose_faces_share_no_vertex_is_welded():
    corners, faces = box()
    apart = corners[faces].reshape(-1, 3)
    surface = closed_surface(apart, np.arange(36).reshape(-1, 3))
    assert len(surface) == 12
    assert signed_volume(apart, surface) == pytest.approx(6.0)


def test_two_solids_with_a_hole_each_are_closed_apart():
    points, faces = cylinder(caps=False)
    both = np.concatenate([points, points + np.array([5.0, 0, 0])])
    surface = closed_surface(both, np.concatenate([faces, faces + len(points)]))
    assert signed_volume(both, surface) == pytest.approx(2 * prism_volume())


def test_no_triangles_close_to_none():
    assert closed_surface(np.zeros((0, 3)), np.zeros((0, 3), dtype=int)).shape == (0, 3)
    assert closed_surface(np.ones((4, 3)), np.zeros((0, 3), dtype=int)).shape == (0, 3)


def tube_rig(points, faces, bend=0.0, influences=None):
    """Return a rig of three joints up the middle of a cylinder; the second is bent about z."""
    sketch = rigs.Sketch()
    low = sketch.add("low", -1, (0, -2, 0))
    middle = sketch.add("middle", low, (0, 2, 0), quat.from_axis_angle((0, 0, 1.0), bend))
    high = sketch.add("high", middle, (0, 1, 0))
    sketch.add("Body", -1)
    binds = np.tile(np.eye(4), (3, 1, 1))
    binds[:, 1, 3] = 2, 0, -1
    share = np.clip(0.5 + 0.5 * points[:, 1], 0, 1)
    influences = influences or Influences(
        np.tile([0, 1], (len(points), 1)), np.stack([1 - share, share], axis=1)
    )
    primitive = rigs._geometry(points, np.random.default_rng(0))
    primitive = replace(primitive, triangles=faces, influences=influences)
    return Rig(
        sketch.nodes(),
        (None, None, None, 0),
        (None, None, None, 0),
        sketch.roots,
        (rigs.Mesh("Body", (primitive,)),),
        (Skin("Skin", (low, middle, high), binds),),
    )


def shape(rig, method="dqs", pose=None):
    deformer = Deformer(rig)
    frame = deformer.frame(rest_pose(rig) if pose is None else pose)
    return ShapeMeter(deformer).shape(frame, deformer.skin_all(frame, METHODS[method], Options()))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("caps", [True, False])
def test_nothing_has_changed_in_the_rest_pose(method, caps):
    got = shape(tube_rig(*cylinder(caps=caps)), method)
    assert got.volume == pytest.approx(0.0, abs=1e-12)
    assert got.bulge == pytest.approx(0.0, abs=1e-12)


@given(rig=rigs.rigs(bind="rest", skins=1, joint_scale=False))
def test_no_rig_bulges_in_the_pose_it_was_bound_in(rig):
    assert shape(rig).bulge == pytest.approx(0.0, abs=1e-9)


def bent(rig, angle):
    pose = rest_pose(rig)
    turn = quat.from_axis_angle((0, 0, 1.0), angle)
    return replace(pose, rotations=rigs.with_row(pose.rotations, 1, turn))


def test_a_bend_bulges_under_dqs_less_when_compensated_and_shrinks_under_lbs():
    rig = tube_rig(*cylinder(rings=33, around=32, caps=False))
    pose = bent(rig, np.radians(90))
    got = {method: shape(rig, method, pose) for method in METHODS}
    assert 0.05 < got["dqs"].bulge < 0.5
    assert got["compensated"].bulge < 0.6 * got["dqs"].bulge
    assert got["lbs"].volume < got["dqs"].volume < 0.2


def test_a_twist_of_a_tube_costs_lbs_volume_and_dqs_none():
    rig = tube_rig(*cylinder(rings=65, around=64, caps=False))
    pose = rest_pose(rig)
    turn = quat.from_axis_angle((0, 1.0, 0), np.radians(90))
    pose = replace(pose, rotations=rigs.with_row(pose.rotations, 1, turn))
    assert shape(rig, "dqs", pose).volume == pytest.approx(0.0, abs=2e-3)
    assert shape(rig, "lbs", pose).volume < -0.1


@pytest.mark.parametrize("size", [0.01, 100.0])
def test_a_rig_of_another_size_measures_the_same(size):
    rig = tube_rig(*cylinder(caps=True))
    pose = bent(rig, 1.0)
    scaled = rigs.under(rig, scale=size)
    plain = shape(rig, "dqs", pose)
    moved = rest_pose(scaled)
    moved = replace(moved, rotations=rigs.with_row(moved.rotations, 1, pose.rotations[1]))
    got = shape(scaled, "dqs", moved)
    assert got.volume == pytest.approx(plain.volume, rel=1e-9)
    assert got.bulge == pytest.approx(plain.bulge, rel=1e-9)


def test_a_sheet_has_no_volume_to_change():
    grid = np.array([[x, y, 0.0] for y in np.linspace(-2, 2, 5) for x in (-1.0, 1.0)])
    faces = np.array(
        [t for i in range(0, 8, 2) for t in ((i, i + 1, i + 2), (i + 1, i + 3, i + 2))]
    )
    got = shape(tube_rig(grid, faces))
    assert np.isnan(got.volume)
    assert got.bulge == pytest.approx(0.0, abs=1e-12)


def test_a_mesh_without_skin_has_neither_volume_nor_bulge():
    rig = rigs.make(rigs.Recipe(prop=True))
    unbound = replace(rig, node_skins=(None,) * len(rig.nodes), skins=())
    assert np.isnan(shape(unbound)).all()


def test_vertices_without_weight_do_not_count_for_the_bulge():
    points, faces = cylinder(caps=True)
    rig = tube_rig(points, faces)
    weights = rig.meshes[0].primitives[0].influences.weights.copy()
    weights[::3] = 0.0
    assert shape(rigs.with_influences(rig, weights=weights)).bulge == pytest.approx(0, abs=1e-12)
    nothing = rigs.with_influences(rig, weights=0.0 * weights)
    assert np.isnan(shape(nothing).bulge)


@pytest.mark.parametrize(
    ("points", "diagonal"),
    [
        (np.zeros((0, 3)), 1.0),
        (np.ones((4, 3)), 1.0),
        (np.array([[0.0, 0, 0], [2, 3, 6]]), 7.0),
    ],
)
def test_a_box_has_a_diagonal_that_can_be_divided_by(points, diagonal):
    assert box_diagonal(points) == diagonal
