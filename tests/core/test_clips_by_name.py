"""Clips of another rig: matched by name, told of where not, and leaving both rigs alone."""

from dataclasses import replace

import numpy as np
import pytest
from rigs import tidy, with_nodes

from rigview.core.clip import Channel, Clip
from rigview.core.motion.clips_by_name import borrow_clips
from rigview.core.pose import model_from_nodes, sample
from rigview.core.sampler import Sampler


def renamed(rig, rename):
    return with_nodes(rig, names=tuple(rename(name) for name in rig.nodes.names))


@pytest.mark.parametrize(
    "rename", [str, lambda n: f"mixamorig:{n}", str.upper, lambda n: f"a:b:{n.title()}"]
)
def test_a_borrowed_clip_moves_the_namesakes_as_it_moved_its_own_joints(rename):
    other = tidy()
    bare = renamed(replace(other, clips=()), rename)
    borrowed = borrow_clips(bare, other)
    assert borrowed.unmatched == ()
    assert borrowed.rig.clips == borrowed.clips
    for time in (0.0, 0.3, 1.0):
        was = model_from_nodes(other, sample(other, other.clips[0], time))
        now = model_from_nodes(borrowed.rig, sample(borrowed.rig, borrowed.clips[0], time))
        np.testing.assert_array_equal(was, now)


def test_nodes_without_a_namesake_are_listed():
    other = tidy()
    rig = renamed(replace(other, clips=()), lambda n: "wing" if n == "arm" else n)
    borrowed = borrow_clips(rig, other)
    assert borrowed.unmatched == ("arm",)
    assert borrowed.moved == 3
    assert {rig.nodes.names[c.node] for c in borrowed.clips[0].channels} == {"spine", "hips"}


def test_an_exact_name_wins_over_a_similar_one():
    other = tidy()
    rig = renamed(other, lambda n: {"chest": "SPINE"}.get(n, n))
    borrowed = borrow_clips(rig, other)
    spine = rig.nodes.names.index("spine")
    assert any(channel.node == spine for channel in borrowed.clips[0].channels)


def test_the_rigs_own_clips_stay_and_names_stay_apart():
    rig = tidy()
    borrowed = borrow_clips(rig, rig)
    assert [clip.name for clip in borrowed.rig.clips] == ["Wave", "Wave (2)"]
    assert borrowed.rig.clips[0] is rig.clips[0]
    assert len(rig.clips) == 1


def test_morph_weights_go_only_to_a_mesh_with_as_many_targets():
    rig = tidy()
    body = rig.nodes.names.index("Body")
    weights = Channel(body, "weights", Sampler(np.array([0.0]), np.array([[0.5, 0.5]])))
    other = replace(rig, clips=(Clip("Smile", (weights,)),))
    assert borrow_clips(rig, other).unmatched == ("Body",)
    mesh = replace(rig.meshes[0], morph_weights=np.zeros(2))
    borrowed = borrow_clips(replace(rig, meshes=(mesh,)), other)
    assert borrowed.unmatched == ()
    assert borrowed.clips[0].channels[0].node == body
