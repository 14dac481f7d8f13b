"""Turntables: the character stays in the picture all the way round, and the end meets the beginning."""

import math
from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core.deform import Deformer
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.pose import sample
from rigview.render import review
from rigview.render.camera import Camera
from rigview.render.look import Look
from rigview.render.motion import RigMotion
from rigview.render.turntable import Turntable, drawn, fitting, turn_about

cameras = st.builds(
    Camera,
    target=st.tuples(*3 * [st.floats(-50.0, 50.0)]),
    distance=st.floats(0.5, 40.0),
    yaw=st.floats(-3.1, 3.1),
    pitch=st.floats(-1.4, 1.4),
    fov=st.floats(math.radians(10), math.radians(90)),
    orthographic=st.booleans(),
)
seeds = st.integers(0, 2**32 - 1)
aspects = st.floats(0.2, 5.0)
MOVED = rigs.make(rigs.Recipe(seed=3, clips=1, vertices=60))
BARE = Look(bones=False, axes=False, grid=False, marks=False, transparent=True)


def cloud(seed):
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.uniform(-3, 3)
    spread = rng.uniform(0.0, 1.0, 3)
    return size * (rng.normal(size=(int(rng.integers(1, 60)), 3)) * spread + rng.normal(size=3))


def motion_of(rig, clip):
    return RigMotion(
        Deformer(rig), lambda time: sample(rig, clip, time), clip, "a.glb", "Walk", 30.0
    )


def shots(motion, times, wanted, draw=lambda _frame, _review: np.zeros((1, 1, 4), np.uint8)):
    return list(drawn(motion, times, wanted, draw, lambda _text, _share: None))


@given(camera=cameras, seed=seeds, aspect=aspects)
def test_every_point_is_in_the_picture_all_the_way_round(camera, seed, aspect):
    points = cloud(seed)
    turn = turn_about(points, camera, aspect)
    for share in np.linspace(0.0, 1.0, 33):
        seen = turn.at(share).project(points, aspect, 1.0)
        assert np.all(seen[:, :2] > 0.0)
        assert np.all(seen[:, :2] < (aspect, 1.0))
        assert np.all(np.abs(seen[:, 2]) < 1.0)


@given(camera=cameras, seed=seeds, aspect=aspects)
def test_the_axis_stands_still_in_the_middle(camera, seed, aspect):
    points = cloud(seed)
    turn = turn_about(points, camera, aspect)
    low, high = points.min(axis=0), points.max(axis=0)
    assert turn.centre == pytest.approx((0.5 * (low + high))[[0, 2]])
    heights = np.linspace(low[1], high[1], 4)
    axis = np.stack([np.full(4, turn.centre[0]), heights, np.full(4, turn.centre[1])], axis=1)
    first = turn.at(0.0).project(axis, aspect, 1.0)
    assert first[:, 0] == pytest.approx(0.5 * aspect, abs=1e-6)
    for share in (0.1, 0.25, 0.77):
        assert turn.at(share).project(axis, aspect, 1.0) == pytest.approx(first, abs=1e-6)


@given(camera=cameras, seed=seeds, count=st.integers(2, 40))
def test_the_steps_are_even_and_the_last_is_one_before_the_first(camera, seed, count):
    turn = turn_about(cloud(seed), camera, 1.0)
    seen = [turn.at(i / count) for i in range(count)]
    steps = [
        math.remainder(b.yaw - a.yaw - math.tau / count, math.tau)
        for a, b in zip(seen, [*seen[1:], seen[0]], strict=True)
    ]
    assert np.abs(steps).max() < 1e-9
    assert {(c.pitch, c.distance, c.fov, c.reach) for c in seen} == {
        (seen[0].pitch, seen[0].distance, seen[0].fov, seen[0].reach)
    }
    assert turn.at(1.0).eye == pytest.approx(seen[0].eye, rel=1e-6, abs=1e-6)


@given(seed=seeds, yaw=st.floats(-3.0, 3.0))
def test_from_opposite_sides_the_outline_is_mirrored(seed, yaw):
    points = cloud(seed)
    turn = turn_about(points, Camera(yaw=yaw, pitch=0.0, orthographic=True), 1.0)
    for share in (0.0, 0.2, 0.4):
        there = turn.at(share).project(points, 1.0, 1.0)
        back = turn.at(share + 0.5).project(points, 1.0, 1.0)
        assert back[:, 0] == pytest.approx(1.0 - there[:, 0], abs=1e-9)
        assert back[:, 1] == pytest.approx(there[:, 1], abs=1e-9)


def test_a_held_pose_is_one_pose_in_all_pictures():
    motion, frames = motion_of(MOVED, MOVED.clips[0]), []
    times = Turntable(7, 30.0).times(motion.clip, 0.3)

    def draw(frame, wanted):
        frames.append(frame)
        assert dict(wanted.worst)
        return np.zeros((1, 1, 4), np.uint8)

    wanted = review.Review(("lbs",), Camera(), BARE, (64, 64), caption="-")
    pictures = shots(motion, times, wanted, draw)
    assert times == [0.3] * 7
    assert all(frame is frames[0] for frame in frames)
    assert [picture.time for picture in pictures] == times
    yaws = [math.remainder(p.camera.yaw - pictures[0].camera.yaw, math.tau) for p in pictures]
    assert np.sort(np.mod(yaws, math.tau)) == pytest.approx(math.tau * np.arange(7) / 7)


def test_each_picture_states_the_numbers_of_its_own_pose():
    motion, stated = motion_of(MOVED, MOVED.clips[0]), []
    wanted = review.Review(("lbs",), Camera(), BARE, (64, 64))
    times = Turntable(3, 30.0, plays=True).times(motion.clip, 0.0)
    measured = [
        review.measured(JointMeter(motion.deformer), motion.frame(t), wanted) for t in times
    ]
    known = replace(wanted, worst=measured[0])

    def draw(_frame, seen):
        stated.append(dict(seen.worst))
        return np.zeros((1, 1, 4), np.uint8)

    shots(motion, times, known, draw)
    assert stated == measured
    assert stated[1] != stated[0]


@given(pictures=st.integers(2, 300), rate=st.floats(10.0, 60.0))
def test_a_clip_that_plays_meanwhile_ends_where_it_begins(pictures, rate):
    clip = MOVED.clips[0]
    table = Turntable(pictures, rate, plays=True)
    times, length = np.array(table.times(clip, 0.0)), clip.end - clip.start
    step = table.rounds(clip) * length / pictures
    assert times[0] == clip.start
    # Wherever the clip begins again, the step is the same as anywhere else.
    steps = np.mod(np.diff([*times, times[0]]) - step + 0.5 * length, length) - 0.5 * length
    assert np.abs(steps).max() < 1e-9
    assert np.all((times >= clip.start) & (times < clip.end))
    # Another round more or less would be further from its own speed.
    rounds = table.rounds(clip)
    assert abs(rounds - table.seconds / length) <= 0.5 or rounds == 1


@given(seconds=st.floats(0.5, 20.0))
def test_a_turn_is_as_long_as_the_clip_needs_for_its_own_speed(seconds):
    clip = MOVED.clips[0]
    table = fitting(seconds, 30.0, clip)
    assert table.speed(clip) == pytest.approx(1.0, rel=0.51 / table.pictures)
    assert abs(table.seconds - seconds) <= max(0.5 * clip.end, clip.end - seconds) + 0.02
    assert fitting(seconds, 30.0, None) == Turntable(max(1, round(30.0 * seconds)), 30.0)


def test_the_camera_has_all_poses_of_the_clip_in_view():
    motion = motion_of(MOVED, MOVED.clips[0])
    wanted = review.Review(("lbs",), Camera(), BARE, (300, 200), numbers=False)
    pictures = shots(motion, Turntable(12, 30.0, plays=True).times(motion.clip, 0.0), wanted)
    assert len({picture.time for picture in pictures}) == 12
    for time in (picture.time for picture in pictures):
        frame = motion.frame(time)
        points = motion.deformer.skin_all(frame, review.ASKED["lbs"], BARE.options)
        for positions in (skinned.positions for skinned in points):
            for picture in pictures:
                x, y, _ = picture.camera.project(positions, 300, 200).T
                assert np.all((x > 0) & (x < 300) & (y > 0) & (y < 200))


@pytest.mark.gl
def test_opposite_pictures_have_mirrored_outlines(gl, samples):
    from rigview.io import load

    rig = load(samples / "arm.glb").rig
    motion = motion_of(rig, rig.clips[0])
    camera = Camera(yaw=0.4, pitch=0.0, orthographic=True)
    wanted = review.Review(("lbs",), camera, BARE, (96, 64), numbers=False)
    with review.easel(motion.deformer) as draw:
        pictures = shots(motion, [1.5] * 6, wanted, draw)
    masks = [picture.pixels[..., 3] > 127 for picture in pictures]
    for i in range(3):
        assert np.mean(masks[i] != masks[i + 3][:, ::-1]) < 0.01
        assert np.mean(masks[i] != masks[i + 1]) > 0.03
    for mask in masks:
        assert not mask[[0, -1]].any()
        assert not mask[:, [0, -1]].any()
        assert mask.any()


def test_nothing_is_measured_where_no_numbers_are_shown():
    motion = motion_of(MOVED, None)
    wanted = review.Review(("lbs",), Camera(), BARE, (64, 64), numbers=False)
    assert not review.measured(JointMeter(motion.deformer), motion.frame(0.0), wanted)
    assert "lbs" in review.measured(
        JointMeter(motion.deformer), motion.frame(0.0), replace(wanted, numbers=True)
    )
