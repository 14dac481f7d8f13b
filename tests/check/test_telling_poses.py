"""The poses in which shapes are measured are those in which joints go furthest."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.check.applying.dryrun import sample_times
from rigview.check.rules.posed_skin.skin_reach import POSES, looked_at, telling
from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.sampler import Sampler

RIG = rigs.tidy()
SIZE = Deformer(RIG).size
HAND, ARM, SPINE = (RIG.nodes.names.index(name) for name in ("hand", "arm", "spine"))


def turning(name, turns):
    """Return a clip of (node → degrees about x at each key), a key every 1/30 s."""
    channels = []
    for node, degrees in turns.items():
        keys = quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(degrees))
        times = np.arange(len(degrees)) / 30.0
        keys = quat.multiply(RIG.nodes.rotations[node], keys)
        channels.append(Channel(node, "rotation", Sampler(times, keys)))
    return Clip(name, tuple(channels))


def with_clips(*clips):
    return replace(RIG, clips=clips)


def chosen(rig, most=POSES):
    return telling(looked_at(rig, SIZE, range(len(rig.clips)), list(rig.joints)), most)


def test_one_key_of_one_joint_is_met_among_many_that_turn_all_joints_more():
    busy = turning("Busy", {node: 60.0 + np.arange(400) % 7 for node in (ARM, SPINE)})
    flick = np.full(300, 5.0)
    flick[137] = -110.0
    rig = with_clips(busy, turning("Flick", {HAND: flick}))
    assert any(clip == 1 and time == pytest.approx(137 / 30) for clip, time in chosen(rig))


def test_a_joint_is_seen_at_its_furthest_each_way():
    swing = 80.0 * np.sin(np.linspace(0.0, 2.0 * np.pi, 61))
    busy = turning("Busy", {node: np.full(90, 70.0) for node in (HAND, SPINE)})
    times = [
        time for clip, time in chosen(with_clips(turning("Swing", {ARM: swing}), busy)) if clip == 0
    ]
    seen = np.interp(times, np.arange(61) / 30.0, swing)
    assert seen.max() > 0.85 * 80.0
    assert seen.min() < -0.85 * 80.0


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(8, POSES))
def test_every_joint_is_seen_near_its_furthest(seed, count, most):
    random = np.random.default_rng(seed)
    joints = RIG.joints
    clips = [
        turning(f"Clip {i}", {j: random.uniform(-150.0, 150.0, 40) for j in joints})
        for i in range(count)
    ]
    rig = with_clips(*clips)
    poses = chosen(rig, most)
    assert len(poses) == len(set(poses)) <= most
    assert poses == sorted(poses)
    rest = RIG.nodes.rotations[list(joints)]

    def furthest(pairs):
        turned = [
            quat.angle_between(rest, sample(rig, rig.clips[c], t).rotations[list(joints)])
            for c, t in pairs
        ]
        return np.max(turned, axis=0)

    everything = [(c, float(t)) for c, clip in enumerate(clips) for t in clip.key_times]
    assert np.all(furthest(poses) >= 0.97 * furthest(everything) - 1e-9)


def test_a_rig_that_does_not_move_has_poses_all_the_same():
    assert len(chosen(with_clips(turning("Still", {ARM: np.zeros(3)})))) == 3
    assert chosen(with_clips()) == []


def test_keys_that_a_reader_added_are_not_compared_one_by_one():
    every = np.linspace(0.0, 2.0, 4001)
    stated = every[::50]
    values = np.random.default_rng(0).normal(size=(4001, 3))
    curve = Sampler(every, values, "LINEAR", stated)
    times = sample_times(Clip("Bent", (Channel(0, "translation", curve),)))
    assert set(stated) <= set(times.tolist())
    assert len(times) < 200
