"""The camera: what it frames is in the picture, and what is under the cursor stays there."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.render.camera import VIEWS, Camera

numbers = st.floats(-50.0, 50.0)
cameras = st.builds(
    Camera,
    target=st.tuples(numbers, numbers, numbers),
    distance=st.floats(0.5, 40.0),
    yaw=st.floats(-3.1, 3.1),
    pitch=st.floats(-1.5, 1.5),
    fov=st.floats(math.radians(10), math.radians(90)),
    orthographic=st.booleans(),
    reach=st.floats(0.5, 10.0),
)
panes = st.tuples(st.integers(200, 2000), st.integers(200, 2000))
seeds = st.integers(0, 2**32 - 1)


def cloud(seed, spread=None):
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.uniform(-3, 3)
    spread = rng.uniform(0.01, 1.0, 3) if spread is None else spread
    return size * (rng.normal(size=(int(rng.integers(2, 60)), 3)) * spread + rng.normal(size=3))


@given(camera=cameras)
def test_the_axes_are_square_and_right_handed(camera):
    axes = camera.axes
    assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.allclose(np.cross(axes[0], axes[1]), axes[2], atol=1e-12)


@given(camera=cameras, pane=panes)
def test_the_target_is_in_the_middle(camera, pane):
    width, height = pane
    x, y, depth = camera.project(np.array(camera.target), width, height)
    assert (x, y) == pytest.approx((width / 2, height / 2), abs=1e-6 * width)
    assert -1.0 <= depth <= 1.0


@given(camera=cameras, pane=panes, seed=seeds)
def test_a_ray_through_a_pixel_meets_what_is_drawn_there(camera, pane, seed):
    width, height = pane
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0, width), rng.uniform(0, height)
    origin, direction = camera.ray(x, y, width, height)
    assert np.linalg.norm(direction) == pytest.approx(1.0)
    points = origin + camera.distance * rng.uniform(0.5, 2.0, 5)[:, None] * direction
    seen = camera.project(points, width, height)
    assert np.allclose(seen[:, 0], x, atol=1e-6 * width)
    assert np.allclose(seen[:, 1], y, atol=1e-6 * height)


@given(camera=cameras, pane=panes, seed=seeds)
def test_a_metre_across_is_as_long_as_it_is_drawn(camera, pane, seed):
    # Some lie behind the eye.
    points = camera.eye + np.random.default_rng(seed).normal(0.0, camera.distance, (20, 3))
    drawn = [camera.project(points + way * camera.axes[1], *pane)[:, 1] for way in (-0.5, 0.5)]
    told = camera.pixels_per_metre(points, pane[1])
    seen = np.isfinite(told)
    assert seen.all() or not camera.orthographic
    assert np.array_equal(seen, np.isfinite(drawn[0]))
    assert told[seen] == pytest.approx((drawn[0] - drawn[1])[seen], rel=1e-6)


@given(camera=cameras, pane=panes)
def test_what_is_behind_the_eye_is_nowhere(camera, pane):
    behind = camera.eye + camera.axes[2]
    seen = camera.project(behind, *pane)
    assert np.all(np.isnan(seen)) != camera.orthographic


@given(camera=cameras, pane=panes, seed=seeds)
def test_nearer_points_have_less_depth(camera, pane, seed):
    steps = np.sort(np.random.default_rng(seed).uniform(0.2, 1.8, 8))
    points = camera.eye - camera.distance * steps[:, None] * camera.axes[2]
    assert np.all(np.diff(camera.project(points, *pane)[:, 2]) > 0)


@given(camera=cameras, pane=panes, seed=seeds)
def test_framing_has_every_point_in_the_picture_with_a_margin(camera, pane, seed):
    width, height = pane
    points = cloud(seed)
    framed = camera.framed(points, width / height)
    seen = framed.project(points, width, height)
    x, y = seen[:, 0] / width, seen[:, 1] / height
    assert x.min() >= 0.02
    assert x.max() <= 0.98
    assert y.min() >= 0.02
    assert y.max() <= 0.98
    assert np.abs(seen[:, 2]).max() <= 1.0
    assert (framed.yaw, framed.pitch, framed.fov) == (camera.yaw, camera.pitch, camera.fov)


@given(seed=seeds, pane=panes, view=st.sampled_from(VIEWS), orthographic=st.booleans())
def test_framing_fills_the_picture(seed, pane, view, orthographic):
    width, height = pane
    points = cloud(seed, np.array([1.0, 1.0, 1.0]))
    camera = Camera(orthographic=orthographic).looking(view).framed(points, width / height)
    seen = camera.project(points, width, height)
    spans = np.ptp(seen[:, 0]) / width, np.ptp(seen[:, 1]) / height
    assert max(spans) >= 0.45


@given(camera=cameras, seed=seeds)
def test_everything_within_reach_is_neither_cut_near_nor_far(camera, seed):
    points = cloud(seed)
    extent = np.linalg.norm(np.ptp(points, axis=0))
    framed = camera.framed(points, 1.5, reach=3.0 * extent)
    around = np.array(framed.target) + framed.reach * np.concatenate([np.eye(3), -np.eye(3)])
    depth = framed.project(around, 300, 200)[:, 2]
    away = (around - framed.eye) @ -framed.axes[2]
    # With perspective the eye may stand within reach: a thousandth of the way is too near to be seen.
    nearest = 1e-3 * (framed.distance + 4.0 * framed.reach) * (1.0 + 1e-9)
    in_front = away > (-np.inf if framed.orthographic else nearest)
    assert in_front.any()
    assert np.all(np.abs(depth[in_front]) <= 1.0 + 1e-9)


@given(camera=cameras, seed=seeds, seen=st.booleans())
def test_turned_to_a_surface_the_camera_sees_it_and_only_turns_where_it_did_not(camera, seed, seen):
    towards = camera.axes[2] if seen else -camera.axes[2]
    normal = towards + np.random.default_rng(seed).uniform(-0.3, 0.3, 3)
    turned = camera.facing(3.0 * normal)
    assert (turned == camera) == seen
    assert (turned.target, turned.distance) == (camera.target, camera.distance)
    cosine = turned.axes[2] @ normal / np.linalg.norm(normal)
    assert cosine >= 0.35 - 1e-9 or abs(turned.pitch) == pytest.approx(math.radians(60.0))
    # Neither from the left nor from the right of it.
    if not seen:
        assert turned.axes[0] @ normal == pytest.approx(0.0, abs=1e-9)
        assert turned.pitch * normal[1] >= 0.0


def test_framing_nothing_keeps_the_camera():
    camera = Camera()
    assert camera.framed(np.zeros((0, 3)), 1.0) is camera
    assert camera.framed(np.full((3, 3), np.nan), 1.0) is camera


def test_framing_one_point_shows_a_little_of_what_is_around_it():
    framed = Camera().framed(np.array([[1.0, 2.0, 3.0]]), 1.0, reach=2.0)
    assert framed.target == pytest.approx((1, 2, 3))
    assert 0.0 < framed.distance < 2.0


def test_points_that_are_no_numbers_do_not_spoil_the_frame():
    points = np.array([[0.0, 0, 0], [1, 1, 1], [np.nan, 0, 0], [np.inf, 0, 0]])
    assert Camera().framed(points, 1.0) == Camera().framed(points[:2], 1.0)


@given(camera=cameras, pane=panes, seed=seeds, factor=st.floats(0.5, 2.0))
def test_zooming_keeps_what_is_under_the_cursor(camera, pane, seed, factor):
    width, height = pane
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0, width), rng.uniform(0, height)
    origin, direction = camera.ray(x, y, width, height)
    # In the plane of the target.
    step = camera.distance if camera.orthographic else (
        camera.distance / (direction @ -camera.axes[2])
    )  # fmt: skip
    under = origin + step * direction
    zoomed = camera.zoomed(factor, x, y, width, height)
    seen = zoomed.project(under, width, height)
    assert seen[:2] == pytest.approx((x, y), abs=1e-6 * max(width, height))


@given(camera=cameras)
def test_zooming_stops_before_nothing_and_before_infinity(camera):
    near = camera
    for _ in range(40):
        near = near.zoomed(0.5, 100, 100, 200, 200)
    far = camera
    for _ in range(40):
        far = far.zoomed(2.0, 100, 100, 200, 200)
    assert 0.0 < near.distance < camera.reach < far.distance < 1e6


@given(camera=cameras, dx=st.floats(-300, 300), dy=st.floats(-300, 300), pane=panes)
def test_panning_drags_the_target_along_with_the_cursor(camera, dx, dy, pane):
    width, height = pane
    moved = camera.panned(dx, dy, height)
    seen = moved.project(np.array(camera.target), width, height)
    assert seen[:2] == pytest.approx((width / 2 + dx, height / 2 + dy), abs=1e-6 * max(pane))


@given(camera=cameras, turn=st.floats(-20, 20), tilt=st.floats(-20, 20))
def test_orbiting_keeps_target_and_distance_and_stops_at_the_poles(camera, turn, tilt):
    moved = camera.orbited(turn, tilt)
    assert moved.target == camera.target
    assert np.linalg.norm(moved.eye - np.array(moved.target)) == pytest.approx(camera.distance)
    assert abs(moved.pitch) < math.pi / 2
    assert abs(moved.yaw) <= math.pi + 1e-12
    assert math.cos(moved.yaw - camera.yaw - turn) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("view", "towards"),
    [
        ("front", (0, 0, 1)),
        ("back", (0, 0, -1)),
        ("left", (1, 0, 0)),
        ("right", (-1, 0, 0)),
        ("top", (0, 1, 0)),
    ],
)
def test_a_named_view_looks_from_its_side(view, towards):
    camera = Camera().looking(view)
    assert np.allclose(camera.axes[2], towards, atol=2e-3)
    assert camera.distance == Camera().distance


def test_the_characters_left_is_on_the_right_seen_from_the_front():
    camera = Camera(target=(0, 0, 0)).looking("front")
    assert camera.project(np.array([1.0, 0, 0]), 100, 100)[0] > 50
    assert camera.project(np.array([0, 1.0, 0]), 100, 100)[1] < 50


@given(camera=cameras, aspect=st.floats(0.3, 3.0))
def test_both_projections_agree_on_the_plane_of_the_target(camera, aspect):
    height = 400.0
    rng = np.random.default_rng(1)
    offsets = rng.normal(size=(5, 2)) @ camera.axes[:2] * 0.1 * camera.distance
    points = np.array(camera.target) + offsets
    one = replace(camera, orthographic=True).project(points, aspect * height, height)
    other = replace(camera, orthographic=False).project(points, aspect * height, height)
    assert np.allclose(one[:, :2], other[:, :2], atol=1e-6 * height)
