"""Seats: who counts in the capsule compensation, and what the joints there see of the blend."""

import numpy as np
import pytest
import rigs

from rigview.core import quat
from rigview.core.bones import Segments
from rigview.core.deform import Deformer
from rigview.core.methods import capsule_shares, palette
from rigview.core.methods.bone_frames import BoneFrames
from rigview.core.methods.capsule_shares import sharpened
from rigview.core.methods.relative_rotations import RelativeRotations
from rigview.io import load


def seated(**recipe):
    """Return the statics of a rig whose vertices have several influences."""
    return Deformer(rigs.make(rigs.Recipe(**recipe))).statics[0]


@pytest.mark.parametrize("name", ["chain", "cylinder_narrow"])
def test_a_vertex_on_the_line_of_a_bone_far_away_has_shares_too(samples, name):
    statics = Deformer(load(samples / f"{name}.glb").rig).statics[0]
    assert np.all(np.isfinite(statics.shares))
    assert statics.shares.sum(axis=1).max() <= 1.0 + 1e-12


def matrices(rotations):
    result = np.tile(np.eye(4), (len(rotations), 1, 1))
    result[:, :3, :3] = quat.to_matrix(rotations)
    return result


def assert_joints_see_the_blend(statics, rotations):
    of = palette.of_matrices(matrices(rotations))
    limbs, seating = statics.limbs.posed(of), statics.seating
    blending = statics.binding.blending
    blend = quat.normalise(blending.of_joints(of.rotations, blending.short_arcs(of.rotations)))[
        seating.vertices
    ]
    seen = np.concatenate(
        list(RelativeRotations(statics.binding, seating).rotations(limbs, of.rotations))
    )
    seen = quat.normalise(seen[:, (3, 2, 1, 0)])
    frames = limbs.frames[seating.joints]
    # Back in the mesh, the blend and then what the joint sees is the joint's own rotation.
    there = quat.multiply(quat.multiply(frames, seen), quat.conjugate(frames))
    apart = quat.angle_between(quat.multiply(blend, there), of.rotations[seating.joints])
    assert np.degrees(apart).max() <= 1e-5


def test_the_blend_and_what_a_joint_sees_of_it_make_the_joints_rotation():
    statics = seated(seed=3, joints=6, influences=4)
    turns = quat.from_axis_angle(np.random.default_rng(1).normal(size=(6, 3)), np.full(6, 0.8))
    assert statics.binding.blending.short_arcs(turns).pairs is None
    assert_joints_see_the_blend(statics, turns)


def test_joints_that_no_common_sign_suits_see_the_same_blend():
    statics = seated(seed=3, joints=6, influences=4)
    around = quat.from_axis_angle((0.0, 0.0, 1.0), np.linspace(0.0, 4.0 * np.pi, 6, endpoint=False))
    assert statics.binding.blending.short_arcs(around).pairs is not None
    assert_joints_see_the_blend(statics, around)


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


def test_points_that_changed_are_seated_anew():
    statics = seated(seed=4, joints=4)
    limbs = statics.limbs.posed(palette.of_matrices(np.tile(np.eye(4), (4, 1, 1))))
    rest = statics.primitive.positions
    kept = statics.seats(limbs, rest)
    assert statics.seats(limbs, rest)[0] is kept[0]
    seating = statics.seating
    vertices, first = np.unique(seating.vertices, return_index=True)
    along = rest.copy()
    along[vertices] += 0.25 * limbs.axes[seating.joints[first]]
    moved = statics.seats(limbs, along)
    assert np.allclose(moved[0].height[first], kept[0].height[first] + 0.25)
    assert np.allclose(moved[0].across[first], kept[0].across[first])


def test_two_threads_that_find_the_seats_at_once_find_them_once(monkeypatch):
    rig = rigs.make(rigs.Recipe(seed=7))
    deformer = Deformer(rig)
    statics, frame = deformer.statics[0], deformer.rest
    limbs = statics.limbs.posed(frame.palettes[0])
    points, find, found = rig.meshes[0].primitives[0].positions, capsule_shares.share_blocks, []

    def while_another_does(*arguments):
        if not found:
            found.append(())
            found.append(statics.seats(limbs, points))
        return find(*arguments)

    monkeypatch.setattr(capsule_shares, "share_blocks", while_another_does)
    for _ in range(2):
        assert len(statics.seats(limbs, points)) == len(statics.seating.blocks)
