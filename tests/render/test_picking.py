"""Picking agrees with looking at every bone and every triangle."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rigview.core.bones import Segments
from rigview.render.camera import Camera
from rigview.render.occlusion import covered
from rigview.render.picking import BONE_REACH, JOINT_REACH, pick_bone, pick_vertex
from rigview.render.surface_picker import SurfacePicker

seeds = st.integers(0, 2**32 - 1)
SIZE = (320.0, 240.0)


def bones(rng, count=6):
    heads = rng.normal(size=(count, 3))
    tails = heads + rng.normal(size=(count, 3))
    return Segments.between(heads, tails, np.tile([1.0, 0, 0], (count, 1)))


def far(rng, camera):
    return Camera(target=tuple(rng.normal(size=3)), yaw=rng.uniform(-3, 3), distance=9.0, reach=4.0)


@given(seed=seeds)
def test_the_nearest_joint_within_reach_is_picked_else_the_nearest_bone(seed):
    rng = np.random.default_rng(seed)
    segments, camera = bones(rng), far(rng, Camera())
    heads = camera.project(segments.heads, *SIZE)[:, :2]
    tails = camera.project(segments.tails, *SIZE)[:, :2]
    # Beside some bone: of a place anywhere most are near none.
    bone, at = int(rng.integers(len(heads))), rng.uniform()
    cursor = (1 - at) * heads[bone] + at * tails[bone] + rng.normal(scale=5.0, size=2)
    to_heads = np.linalg.norm(heads - cursor, axis=1)
    along = np.linspace(0, 1, 4001)[:, None, None]
    to_bones = np.linalg.norm((1 - along) * heads + along * tails - cursor, axis=-1).min(axis=0)
    wanted = None
    if to_heads.min() <= JOINT_REACH:
        wanted = int(np.argmin(to_heads))
    elif to_bones.min() <= BONE_REACH - 0.1:
        wanted = int(np.argmin(to_bones))
    elif to_bones.min() <= BONE_REACH + 0.1:
        return
    assert pick_bone(segments, camera, *cursor, *SIZE) == wanted


@given(seed=seeds)
def test_a_click_on_a_joint_picks_a_joint_that_is_there(seed):
    rng = np.random.default_rng(seed)
    segments, camera = bones(rng), far(rng, Camera())
    heads = camera.project(segments.heads, *SIZE)[:, :2]
    for number, (x, y) in enumerate(heads):
        picked = pick_bone(segments, camera, x, y, *SIZE)
        assert np.linalg.norm(heads[picked] - heads[number]) <= 1e-9


def test_without_bones_and_behind_the_eye_nothing_is_picked():
    none = Segments(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0))
    assert pick_bone(none, Camera(), 10, 10, *SIZE) is None
    camera = Camera(target=(0, 0, 0), distance=2.0)
    behind = camera.eye + camera.axes[2]
    one = Segments.between(behind[None], behind[None] + camera.axes[2], np.array([[1.0, 0, 0]]))
    assert pick_bone(one, camera, 160, 120, *SIZE) is None


def hits(positions, triangles, origin, direction):
    """Return (distance, nearest corner) of every triangle that a ray meets, one by one."""
    found = []
    for triangle in triangles:
        a, b, c = positions[triangle]
        matrix = np.stack([b - a, c - a, -direction], axis=1)
        if abs(np.linalg.det(matrix)) < 1e-14:
            continue
        u, v, distance = np.linalg.solve(matrix, origin - a)
        if u >= 0 and v >= 0 and u + v <= 1 and distance > 0:
            corner = int(np.argmax([1 - u - v, u, v]))
            found.append((distance, int(triangle[corner])))
    return sorted(found)


@given(seed=seeds)
def test_the_nearest_triangle_is_hit_and_its_nearest_vertex_picked(seed):
    rng = np.random.default_rng(seed)
    positions = rng.normal(size=(20, 3))
    triangles = np.array([rng.choice(20, 3, replace=False) for _ in range(30)])
    origin = 4.0 * rng.normal(size=3)
    direction = rng.dirichlet([2.0, 2.0, 2.0]) @ positions[triangles[0]] - origin
    direction /= np.linalg.norm(direction)
    wanted = hits(positions, triangles, origin, direction)
    hit = pick_vertex(positions, triangles, origin, direction)
    assert hit is not None
    assert abs(hit.distance - wanted[0][0]) <= 1e-9
    assert hit.vertex == wanted[0][1]


@given(seed=seeds)
def test_a_ray_the_other_way_hits_nothing(seed):
    rng = np.random.default_rng(seed)
    positions = rng.normal(size=(9, 3))
    triangles = np.arange(9).reshape(3, 3)
    origin = np.array([0.0, 0, 30.0])
    assert pick_vertex(positions, triangles, origin, np.array([0.0, 0, 1.0])) is None


def test_degenerate_triangles_and_none_are_never_hit():
    direction = np.array([0.0, 0, -1.0])
    origin = np.array([0.0, 0, 5.0])
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
    assert pick_vertex(flat, np.array([[0, 1, 2]]), origin, direction) is None
    assert pick_vertex(flat, np.zeros((0, 3), dtype=int), origin, direction) is None


def test_a_pixel_is_picked_through_the_camera_that_shows_it():
    positions = np.array([[-1.0, -1, 0], [1, -1, 0], [0, 1, 0]])
    camera = Camera().looking("front").framed(positions, SIZE[0] / SIZE[1])
    for vertex, point in enumerate(positions):
        inside = 0.9 * point + 0.1 * positions.mean(axis=0)
        x, y, _ = camera.project(inside, *SIZE)
        hit = pick_vertex(positions, np.array([[0, 1, 2]]), *camera.ray(x, y, *SIZE))
        assert hit.vertex == vertex


@given(seed=st.integers(0, 1000), x=st.floats(0.0, 200.0), y=st.floats(0.0, 150.0))
def test_the_brush_is_where_a_ray_meets_the_skin_first(seed, x, y):
    rng = np.random.default_rng(seed)
    size, camera = (200.0, 150.0), Camera(distance=3.0)
    parts = [
        (number, rng.uniform(-1.0, 1.0, (20, 3)) + camera.target, rng.integers(0, 20, (12, 3)))
        for number in (2, 5)
    ]
    picker = SurfacePicker.of(parts, camera, size)
    hit = picker.pick(x, y)
    ray = camera.ray(x, y, *size)
    found = {n: pick_vertex(p, t, *ray) for n, p, t in parts}
    known = {n: one for n, one in found.items() if one is not None}
    if not known:
        assert hit is None
        return
    nearest = min(known, key=lambda n: known[n].distance)
    assert hit.part == nearest
    np.testing.assert_allclose(hit.place, ray[0] + known[nearest].distance * ray[1], atol=1e-9)
    assert known[nearest].vertex in hit.corners
    assert hit.normal @ ray[1] <= 0.0


@given(seed=seeds, orthographic=st.booleans())
def test_a_point_is_covered_where_a_ray_to_the_eye_meets_a_triangle(seed, orthographic):
    rng = np.random.default_rng(seed)
    camera = replace(far(rng, Camera()), orthographic=orthographic)
    positions, points = rng.normal(size=(30, 3)), rng.normal(size=(20, 3))
    triangles = rng.integers(30, size=(12, 3))
    found = covered(points, positions, triangles, camera, SIZE)
    for point, is_covered in zip(points, found, strict=True):
        x, y, _ = camera.project(point, *SIZE)
        origin, direction = camera.ray(x, y, *SIZE)
        hit = pick_vertex(positions, triangles, origin, direction)
        away = (point - origin) @ direction
        # Within the tolerance either answer is right.
        if hit is None or abs(hit.distance - away) > 2e-3 * camera.reach:
            assert is_covered == (hit is not None and hit.distance < away)


def test_vertices_of_a_surface_do_not_cover_themselves():
    grid = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2) / 4.0
    positions = np.column_stack([grid, np.zeros(len(grid))])
    row = np.arange(4)[:, None] * 5 + np.arange(4)
    triangles = np.stack([row, row + 1, row + 6], axis=-1).reshape(-1, 3)
    camera = Camera(target=(0.5, 0.5, 0.0), yaw=0.3, distance=4.0, reach=1.0)
    assert not covered(positions, positions, triangles, camera, SIZE).any()
    behind = positions - 0.5 * camera.axes[2]
    assert covered(behind[12:13], positions, triangles, camera, SIZE).all()
