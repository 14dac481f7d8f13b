"""Who has a share in the capsule compensation of a vertex."""

import numpy as np
import pytest
import rigs

from rigview.core.bones import Segments
from rigview.core.deform import Deformer
from rigview.core.methods.bone_frames import BoneFrames
from rigview.core.methods.capsule_shares import sharpened
from rigview.io import load


@pytest.mark.parametrize("name", ["chain", "cylinder_narrow"])
def test_a_vertex_on_the_line_of_a_bone_far_away_has_shares_too(samples, name):
    statics = Deformer(load(samples / f"{name}.glb").rig).statics[0]
    assert np.all(np.isfinite(statics.shares))
    assert statics.shares.sum(axis=1).max() <= 1.0 + 1e-12


def test_sharpened_shares_follow_the_weights_without_a_jump():
    """Two bones share in full; where none of several counts for much, the rest is left to others."""
    parts = np.linspace(0.0, 1.0, 401)[:, None]
    two = sharpened(np.hstack([parts, 1.0 - parts]))
    assert np.abs(two.sum(axis=1) - 1.0).max() <= 1e-12
    assert np.array_equal(two[:, 0] == 0.0, parts[:, 0] <= 0.2)
    # From one bone alone to five that count alike.
    even = np.full(5, 0.2)
    many = sharpened(even + parts * (np.eye(5)[0] - even))
    assert many.sum(axis=1).max() <= 1.0 + 1e-12
    assert np.abs(np.diff(many, axis=0)).max() <= 0.02
    assert not many[0].any()


def test_relatedness_is_symmetric_and_measured_from_the_line_of_the_bone_above():
    # A spine upwards, a clavicle to the side, and an arm that goes on along it.
    heads = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.4, 1.0, 0.0]])
    tails = np.array([[0.0, 1.0, 0.0], [0.4, 1.0, 0.0], [1.0, 1.0, 0.0]])
    bones = Segments.between(heads, tails, heads)
    offsets = BoneFrames.linked(bones, np.array([-1, 0, 1]), np.array([1, 2, -1])).offsets
    assert np.allclose(offsets, [[0.0, 0.0, 0.4], [0.0, 0.0, 0.0], [0.4, 0.0, 0.0]])


def test_relatedness_knows_every_head_on_the_way():
    # The third bone ends on the line of the first again; the second and third heads lie off it.
    heads = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.5, 0.0], [3.0, 0.0, 0.0]])
    tails = np.array([[1.0, 0.0, 0.0], [2.0, 0.5, 0.0], [3.0, 0.0, 0.0], [4.0, 0.0, 0.0]])
    bones = Segments.between(heads, tails, heads)
    offsets = BoneFrames.linked(bones, np.array([-1, 0, 1, 2]), np.array([1, 2, 3, -1])).offsets
    assert np.array_equal(offsets, offsets.T)
    assert offsets[0, 3] == pytest.approx(0.5)


def test_bones_share_in_the_vertices_whose_shares_they_are():
    statics = Deformer(rigs.make(rigs.Recipe(seed=4, joints=4))).statics[0]
    found = np.zeros((len(statics.shares), 4))
    for joint, of in statics.bone_shares.items():
        assert np.all(of.shares > 0.0)
        found[of.vertices, joint] = of.shares
    wanted = np.zeros_like(found)
    rows = np.arange(len(wanted))[:, None]
    np.add.at(wanted, (rows, statics.binding.joints), statics.shares)
    assert wanted.any()
    assert np.array_equal(found, wanted)
