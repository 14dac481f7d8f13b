"""The rings that turn a joint: where they stand, what is hit, and what a drag does."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.pose import rest_pose, sample
from rigview.io import load
from rigview.render import rotate_rings
from rigview.render.camera import Camera
from rigview.render.rotate_rings import TWIST, angle_at, bend_and_twist, hit, rings_of, turned

SIZE = (640.0, 480.0)


@pytest.fixture(scope="module")
def biped(samples):
    return Deformer(load(samples / "biped.glb").rig)


@pytest.fixture
def elbow(biped):
    """The joint, its frame at rest, and a camera that looks at it."""
    joint = biped.rig.nodes.names.index("lowerarm_l")
    head = biped.rest.model_from_node[joint][:3, 3]
    camera = Camera(target=tuple(head), distance=1.2, reach=2.0)
    return joint, biped.rest, camera


def test_rings_stand_across_each_other_about_the_head_and_one_goes_round_the_bone(biped, elbow):
    joint, frame, camera = elbow
    rings = rings_of(biped, frame, joint, camera, SIZE[1])
    np.testing.assert_allclose(rings.axes @ rings.axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(rings.axes) == pytest.approx(1.0)
    bones = biped.posed_bones(frame)
    np.testing.assert_allclose(rings.axes[TWIST], bones.directions[biped.skeleton.places[joint]])
    assert sorted(rings.colours) == [0, 1, 2]
    for ring in range(3):
        points = rings.points(ring)
        np.testing.assert_allclose(np.linalg.norm(points - rings.centre, axis=1), rings.radius)
        np.testing.assert_allclose((points - rings.centre) @ rings.axes[ring], 0.0, atol=1e-12)


@pytest.mark.parametrize("distance", [0.05, 0.5, 5.0, 200.0])
def test_rings_stay_between_48_and_160_pixels(biped, elbow, distance):
    joint, frame, camera = elbow
    camera = replace(camera, distance=distance)
    rings = rings_of(biped, frame, joint, camera, SIZE[1])
    scale = camera.pixels_per_metre(rings.centre[None], SIZE[1])[0]
    assert 48.0 - 1e-6 <= rings.radius * scale <= 160.0 + 1e-6


def test_the_ring_under_the_cursor_is_hit_and_beside_them_none(biped, elbow):
    joint, frame, camera = elbow
    rings = rings_of(biped, frame, joint, camera, SIZE[1])
    for ring in range(3):
        seen = camera.project(rings.points(ring), *SIZE)
        near = np.flatnonzero(rings.faces(ring, camera))
        found = {hit(rings, camera, tuple(seen[i, :2]), SIZE) for i in near[4:-4]}
        assert ring in found
        alone = [
            i
            for i in near[:-1]
            if all(
                np.linalg.norm(
                    camera.project(rings.points(o), *SIZE)[:, :2] - seen[i, :2], axis=1
                ).min()
                > 3 * rotate_rings.HIT
                for o in range(3)
                if o != ring
            )
        ]
        assert all(hit(rings, camera, tuple(seen[i, :2]), SIZE) == ring for i in alone)
    centre = camera.project(rings.centre[None], *SIZE)[0, :2]
    assert hit(rings, camera, (centre[0] + 400.0, centre[1]), SIZE) is None


@pytest.mark.parametrize("ring", [0, 1, 2])
def test_the_angle_under_a_point_of_a_ring_is_its_own(biped, elbow, ring):
    joint, frame, camera = elbow
    rings = rings_of(biped, frame, joint, camera, SIZE[1])
    seen = camera.project(rings.points(ring), *SIZE)
    near = rings.faces(ring, camera)
    for i in np.flatnonzero(near)[::8]:
        got = angle_at(rings, ring, camera, tuple(seen[i, :2]), SIZE)
        wanted = 2.0 * np.pi * i / (rotate_rings.POINTS - 1)
        assert np.degrees(abs(np.remainder(got - wanted + np.pi, 2 * np.pi) - np.pi)) < 4.0


@given(
    trial=st.tuples(*[st.floats(-80.0, 80.0)] * 3),
    axis=st.sampled_from(np.eye(3).tolist()),
    angle=st.floats(-3.0, 3.0),
)
def test_a_turn_about_an_axis_comes_after_what_was_tried(trial, axis, angle):
    got = quat.from_euler(np.radians(turned(np.array(trial), np.array(axis), angle)))
    before = quat.from_euler(np.radians(np.array(trial)))
    wanted = quat.multiply(before, quat.from_axis_angle(np.array(axis), angle))
    # Near ±90° about y, x and z turn about one line.
    assert np.degrees(quat.angle_between(got, wanted)) < 1e-4


@given(twist=st.floats(-170.0, 170.0), bend=st.floats(0.0, 150.0))
def test_bend_and_twist_are_told_apart(biped, twist, bend):
    joint = biped.rig.nodes.names.index("lowerarm_l")
    frame = biped.rest
    bone = biped.rest_bones.directions[biped.skeleton.places[joint]]
    local = frame.model_from_node[joint][:3, :3].T @ bone
    across = np.cross(local, [0.3, 0.2, 0.9])
    across /= np.linalg.norm(across)
    turn = quat.multiply(
        quat.from_axis_angle(across, np.radians(bend)),
        quat.from_axis_angle(local / np.linalg.norm(local), np.radians(twist)),
    )
    posed = biped.frame(rest_pose(biped.rig).turned({joint: turn}))
    got_bend, got_twist = bend_and_twist(biped, posed, joint)
    assert got_bend == pytest.approx(bend, abs=1e-3)
    assert got_twist == pytest.approx(twist, abs=1e-3)


def test_a_joint_of_no_size_has_no_rings(biped, elbow):
    joint, _, camera = elbow
    pose = sample(biped.rig, biped.rig.clips[0], 0.0)
    scales = pose.scales.copy()
    scales[joint] = 0.0
    frame = biped.frame(replace(pose, scales=scales))
    assert rings_of(biped, frame, joint, camera, SIZE[1]) is None
