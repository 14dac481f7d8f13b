"""The way of a root over a clip: whose it is, and that it is at every frame where the joint is."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.motion.trail import MOST_FRAMES, trails
from rigview.core.pose import model_from_nodes, sample
from rigview.core.sampler import Sampler

ROOT, HIPS, SPINE = range(3)


def walker(*channels, start=(0.0, 0.0, 0.0)):
    """Return a root, hips and a spine without mesh, and a clip of a second."""
    sketch = rigs.Sketch()
    root = sketch.add("root", -1, start)
    hips = sketch.add("hips", root, (0.0, 1.0, 0.0))
    sketch.add("spine", hips, (0.0, 0.5, 0.0))
    return rigs.Rig(
        sketch.nodes(), (None,) * 3, (None,) * 3, sketch.roots, clips=(Clip("Walk", channels),)
    )


def moved(node, *places, times=(0.0, 1.0)):
    sampler = Sampler(np.array(times), np.array(places, dtype=float), "LINEAR")
    return Channel(node, "translation", sampler)


def turned(node, degrees=90.0):
    ends = [quat.IDENTITY, quat.from_axis_angle((0, 0, 1), np.radians(degrees))]
    return Channel(node, "rotation", Sampler(np.array([0.0, 1.0]), np.array(ends), "LINEAR"))


def found(rig, fps=30.0):
    return trails(Deformer(rig), 0, fps)


@settings(max_examples=25)
@given(rig=rigs.rigs(clips=1), fps=st.sampled_from([24.0, 30.0, 29.97]))
def test_a_trail_is_at_every_frame_where_the_joint_is(rig, fps):
    for trail in found(rig, fps):
        model = model_from_nodes(rig, sample(rig, rig.clips[0], trail.times))
        np.testing.assert_allclose(trail.points, model[:, trail.joint, :3, 3], atol=1e-9)


def test_a_root_that_travels_has_a_trail_from_the_clips_start_to_its_end():
    (trail,) = found(walker(moved(ROOT, (0, 0, 0), (0, 0, 3))))
    assert trail.joint == ROOT
    assert len(trail.times) == 31
    np.testing.assert_allclose(trail.points[[0, -1]], [(0, 0, 0), (0, 0, 3)])


def test_a_root_that_stands_still_is_passed_over():
    (trail,) = found(walker(moved(HIPS, (0, 1, 0), (0, 1, 3)), turned(HIPS)))
    assert trail.joint == HIPS


@pytest.mark.parametrize("channels", [(), (turned(ROOT),), (turned(HIPS), turned(SPINE))])
def test_who_only_turns_stays_where_he_is(channels):
    assert found(walker(*channels, start=(2.0, 0.0, 0.0))) == ()


def test_every_character_has_its_own_and_its_props_have_none():
    first = walker(moved(ROOT, (0, 0, 0), (0, 0, 3)))
    both = rigs.beside(first, walker(moved(ROOT, (5, 0, 0), (5, 0, 1)), start=(5, 0, 0)))
    clip = Clip("both", tuple(channel for clip in both.clips for channel in clip.channels))
    both = replace(both, clips=(clip,))
    assert sorted(t.points[-1, 0] for t in found(both)) == [0.0, 5.0]
    sketch = rigs.Sketch()
    body = sketch.add("body", -1)
    for number in range(4):
        body = sketch.add(f"bone {number}", body, (0, 1, 0))
    target = sketch.add("target", -1)
    keys = moved(0, (0, 0, 0), (0, 0, 3)), moved(target, (0, 0, 0), (9, 0, 0))
    rig = rigs.Rig(
        sketch.nodes(), (None,) * 6, (None,) * 6, sketch.roots, clips=(Clip("Walk", keys),)
    )
    assert [t.joint for t in found(rig)] == [0]


def test_a_clip_of_hours_is_sampled_at_every_so_many_frames():
    long = walker(moved(ROOT, (0, 0, 0), (0, 0, 3), times=(0.0, 3600.0)))
    (trail,) = found(long, 60.0)
    assert MOST_FRAMES / 2 < len(trail.times) <= MOST_FRAMES
    assert len(np.unique(np.round(np.diff(trail.times) * 60.0, 6))) == 1
