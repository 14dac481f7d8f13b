"""Local delta rotations: what is local about them, and what positions show of them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.motion.deltas import (
    best_fit,
    deltas,
    frame_times,
    of_joint,
    of_positions,
    of_rotations,
)
from rigview.core.pose import rest_pose
from rigview.core.sampler import Sampler
from rigview.io import load

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())


def same_turn(got, wanted, tolerance):
    """Compare rotations; a quaternion and its negative are one."""
    assert unit_angle(np.asarray(got), np.asarray(wanted)) == pytest.approx(0.0, abs=tolerance)


def angle(q):
    return float(unit_angle(q, np.array(quat.IDENTITY)))


def unit_angle(got, wanted):
    """Return the angle between rotations; to a quaternion of no length there is none."""
    assert np.linalg.norm(got, axis=-1) == pytest.approx(1.0, abs=1e-9)
    return quat.angle_between(got, wanted)


def chain(rng, joints=5):
    """Return positions and parents of a chain with a side branch."""
    parents = np.array([-1, *range(joints - 1), 1])
    points = np.zeros((joints + 1, 3))
    for joint in range(1, joints + 1):
        points[joint] = points[parents[joint]] + rng.normal(size=3)
    return points, parents


def test_the_published_chain():
    vector = next(v for v in GOLDEN["vectors"] if v["name"] == "local_delta_fixed")
    given_, wanted = vector["inputs"], np.array(vector["expected"]["local_delta"])
    got = of_positions(
        np.array(given_["start"]),
        np.array(given_["end"]),
        np.array(given_["parents"]),
        np.array(quat.IDENTITY),
    )
    same_turn(got, wanted, 1e-8)


@given(seed=st.integers(0, 2**32 - 1))
def test_a_rigid_motion_is_the_roots_alone(seed):
    rng = np.random.default_rng(seed)
    points, parents = chain(rng)
    turn = quat.normalise(rng.normal(size=4))
    got = of_positions(points, quat.rotate(turn, points) + rng.normal(size=3), parents)
    same_turn(got[0], turn, 1e-7)
    for joint in range(1, len(points)):
        assert angle(got[joint]) == pytest.approx(0.0, abs=1e-6)


@given(seed=st.integers(0, 2**32 - 1), degrees=st.floats(1, 179))
def test_a_bend_shows_at_the_link_that_moves_and_nowhere_else(seed, degrees):
    rng = np.random.default_rng(seed)
    points, parents = chain(rng)
    link = points[3] - points[2]
    turn = quat.from_axis_angle(np.cross(link, rng.normal(size=3)), np.radians(degrees))
    end = points.copy()
    # Everything below joint 2 turns about it.
    end[3:5] = points[2] + quat.rotate(turn, points[3:5] - points[2])
    got = of_positions(points, end, parents, np.array(quat.IDENTITY))
    same_turn(got[3], turn, 1e-7)
    others = [angle(got[j]) for j in range(len(points)) if j != 3]
    assert max(others) == pytest.approx(0.0, abs=1e-6)


@given(seed=st.integers(0, 2**32 - 1))
def test_the_same_motion_seen_from_elsewhere_turns_as_far(seed):
    rng = np.random.default_rng(seed)
    start, parents = chain(rng)
    end, _ = chain(rng)
    view = quat.normalise(rng.normal(size=4))
    got = of_positions(start, end, parents)
    seen = of_positions(quat.rotate(view, start), quat.rotate(view, end), parents)
    assert [angle(q) for q in seen] == pytest.approx([angle(q) for q in got], abs=1e-6)


@pytest.mark.parametrize("turn", [0.0, 1.0, np.pi])
def test_points_on_a_line_turn_the_short_way(turn):
    line = np.outer(np.arange(4.0), [1.0, 0, 0])
    wanted = quat.from_axis_angle((0, 0, 1.0), turn)
    got = best_fit(line, quat.rotate(wanted, line))
    assert angle(got) == pytest.approx(turn, abs=1e-6)
    assert quat.rotate(got, line) == pytest.approx(quat.rotate(wanted, line), abs=1e-6)


def test_a_single_joint_and_joints_in_one_place_do_not_turn():
    point = np.ones((1, 3))
    assert angle(best_fit(point, 5 * point)) == 0.0
    got = of_positions(np.zeros((3, 3)), np.ones((3, 3)), np.array([-1, 0, 1]))
    assert [angle(q) for q in got] == [0.0, 0.0, 0.0]


@given(seed=st.integers(0, 2**32 - 1))
def test_rotations_below_a_turning_joint_stay(seed):
    rng = np.random.default_rng(seed)
    parents = np.array([-1, 0, 1, 2])
    local = quat.normalise(rng.normal(size=(2, 4, 4)))
    local[1] = local[0]
    turn = quat.from_axis_angle(rng.normal(size=3), rng.uniform(0.1, 3.0))
    local[1, 1] = quat.multiply(turn, local[0, 1])
    model = local.copy()
    for joint in (1, 2, 3):
        model[:, joint] = quat.multiply(model[:, joint - 1], local[:, joint])
    got = of_rotations(model, parents)[0]
    same_turn(got[1], turn, 1e-7)
    for joint in (0, 2, 3):
        assert angle(got[joint]) == pytest.approx(0.0, abs=1e-6)


def flipping_rig():
    """Return a rig whose third node turns by 120° from one frame to the next."""
    rig = rigs.make(rigs.Recipe(joints=5, shape="chain"))
    joint = rig.joints[2]
    start = rest_pose(rig).rotations[joint]
    turns = [0.0, 0.1, 0.1 + np.radians(120), 0.1 + np.radians(120)]
    keys = np.array(
        [quat.multiply(quat.from_axis_angle((0, 1.0, 0), angle), start) for angle in turns]
    )
    clip = Clip("Flip", (Channel(joint, "rotation", Sampler(np.arange(4) / 30, keys)),))
    return replace(rig, clips=(clip,)), joint


def test_a_jump_is_marked_with_joint_time_and_angle():
    rig, joint = flipping_rig()
    clip = rig.clips[0]
    got = deltas(rig, clip, frame_times(clip, 30.0))
    assert got.angles.shape == (3, len(rig.joints))
    (jump,) = got.jumps()
    assert jump.joint == joint
    assert jump.time == pytest.approx(2 / 30)
    assert jump.angle == pytest.approx(np.radians(120))
    assert got.jumps(np.radians(130)) == ()
    # Seen four times as often it is no jump: the curve between the keys is straight.
    assert deltas(rig, clip, frame_times(clip, 120.0)).jumps() == ()


def test_positions_see_a_motion_when_it_happens():
    rig, _ = flipping_rig()
    got = deltas(rig, rig.clips[0], frame_times(rig.clips[0], 30.0), "positions")
    slow, fast, none = got.angles.max(axis=1)
    assert fast > 5 * slow > 0.0
    assert none == pytest.approx(0.0, abs=1e-6)


def test_a_real_walk_has_no_jumps_by_either_source(samples):
    rig = load(samples / "biped.glb").rig
    clip = rig.clips[0]
    for source in ("transforms", "positions"):
        got = deltas(rig, clip, frame_times(clip, 30.0), source)
        assert got.jumps() == ()
        assert np.degrees(got.angles.max()) > 3.0


def test_the_deltas_of_one_joint_are_those_among_all(samples):
    rig = load(samples / "biped.glb").rig
    clip = rig.clips[0]
    times = frame_times(clip, 30.0)
    every = deltas(rig, clip, times)
    for place, joint in enumerate(every.joints):
        alone = of_joint(rig, clip, joint, times)
        np.testing.assert_allclose(alone, every.rotations[:, place], atol=1e-9)


def test_frames_cover_a_clip_and_no_more():
    keys = np.tile(quat.IDENTITY, (2, 1))
    clip = Clip("a", (Channel(0, "rotation", Sampler(np.array([0.5, 1.5]), keys)),))
    times = frame_times(clip, 30.0)
    assert times[0] == 0.5
    assert times[-1] == pytest.approx(1.5)
    assert len(times) == 31
    assert frame_times(None, 30.0).tolist() == [0.0]


def test_a_rig_without_joints_has_no_deltas():
    rig = replace(rigs.make(rigs.Recipe()), skins=())
    got = deltas(rig, None, np.zeros(3))
    assert got.angles.shape == (2, 0)
    assert got.jumps() == ()
