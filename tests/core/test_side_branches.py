"""Limbs that hang beside a trunk have no share in the trunk's skin, whatever their weights say."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.core import quat
from rigview.core.bones import Segments
from rigview.core.mesh import Primitive
from rigview.core.methods import palette
from rigview.core.methods.binding import Binding
from rigview.core.methods.bone_frames import BoneFrames
from rigview.core.methods.capsule_shares import shares
from rigview.core.methods.posed import Posed
from rigview.core.methods.vertex_constants import VertexConstants
from rigview.core.skinning import METHODS, Options

# A trunk of hips, chest and head along y, of radius 1, and an arm that hangs beside it from the chest's
# end: joint, parent, head, tail, primary child.
HEADS = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 4.0, 0.0], [1.0, 4.0, 0.0]])
TAILS = np.array([[0.0, 2.0, 0.0], [0.0, 4.0, 0.0], [0.0, 6.0, 0.0], [3.0, 2.0, 0.0]])
HIPS, CHEST, HEAD, ARM = range(4)


def limbs():
    bones = Segments.between(HEADS, TAILS, np.tile((0.0, 1.0, 0.0), (4, 1)))
    return BoneFrames.linked(
        bones, np.array([-1, HIPS, CHEST, CHEST]), np.array([CHEST, HEAD, -1, -1])
    )


def waist():
    """Return points around the trunk where hips and chest meet, and the chest's weight there."""
    height, angle = np.meshgrid(np.linspace(1.0, 3.0, 21), np.linspace(0.0, 2 * np.pi, 24, False))
    y, phi = height.ravel(), angle.ravel()
    return np.stack([np.cos(phi), y, np.sin(phi)], axis=1), np.clip(y / 2.0 - 0.5, 0.1, 0.9)


def bound(points, chest, other, share):
    """Bind points to hips, chest and another joint that takes a share of what the chest has."""
    joints = np.tile((HIPS, CHEST, other), (len(points), 1))
    weights = np.stack([1.0 - chest, chest * (1.0 - share), chest * share], axis=1)
    count = len(points)
    return Binding(joints, weights, np.zeros(count), np.ones(count))


def skinned(points, binding, matrices):
    none = np.zeros((0, 3), dtype=np.int64), np.zeros((0, 2), dtype=np.int64), np.zeros(0, int)
    primitive = Primitive(points, *none, points * (1.0, 0.0, 1.0))
    of = palette.of_matrices(matrices)
    statics = VertexConstants(binding, limbs(), primitive)
    along = quat.rotate(of.rotations, limbs().bones.directions)
    posed = Posed(binding, of, along, points, primitive.normals, np.zeros(len(points)), statics)
    return METHODS["capsule"].skin(posed, Options()).positions


def bent_at_the_chest(axis, degrees):
    """Return skin matrices: the chest turns about its head, and all above it with it."""
    turn = np.eye(4)
    turn[:3, :3] = quat.to_matrix(quat.from_axis_angle(axis, np.radians(degrees)))
    turn[:3, 3] = HEADS[CHEST] - turn[:3, :3] @ HEADS[CHEST]
    return np.stack([np.eye(4), turn, turn, turn])


@pytest.mark.parametrize("share", [0.3, 0.6])
@pytest.mark.parametrize("axis", [(0, 0, 1), (1, 0, 0), (0, 1, 0)])
def test_an_arm_that_goes_with_the_chest_dents_no_waist(share, axis):
    points, chest = waist()
    bent = bent_at_the_chest(axis, 40.0)
    of_chest = skinned(points, bound(points, chest, CHEST, 0.0), bent)
    # Some of the chest's weight is the arm's now: both make the same motion, so both mean the same.
    of_arm = skinned(points, bound(points, chest, ARM, share), bent)
    nearer_the_trunk = limbs().bones.distance(np.full(len(points), ARM), points) > 1.2
    off = np.linalg.norm(of_arm - of_chest, axis=1)[nearer_the_trunk]
    assert len(off) > len(points) / 2
    assert off.max() < 0.1


def test_only_beside_a_branch_it_counts_how_near_the_trunk_is():
    points, _ = waist()
    of_trunk = limbs().distance_above(np.full(len(points), ARM), points)
    assert np.allclose(of_trunk, 1.0)
    assert np.all(np.isinf(limbs().distance_above(np.full(len(points), HIPS), points)))


def test_a_branch_off_the_line_stays_off_it_further_down():
    hand = len(HEADS)
    bones = limbs().bones
    longer = Segments(
        np.vstack([bones.heads, bones.tails[ARM]]),
        np.vstack([bones.directions, bones.directions[ARM]]),
        np.append(bones.lengths, 1.0),
    )
    offsets = BoneFrames.linked(
        longer, np.array([-1, HIPS, CHEST, CHEST, ARM]), np.array([CHEST, HEAD, -1, hand, -1])
    ).offsets
    assert offsets[ARM, hand] == pytest.approx(0.0)
    # The arm begins 1 beside the line of hips and chest, and the hand, at its end, lies 3 beside it.
    assert offsets[[HIPS, CHEST], ARM] == pytest.approx(1.0)
    assert offsets[[HIPS, CHEST], hand] == pytest.approx(3.0)
    assert np.array_equal(offsets, offsets.T)
    assert np.all(np.isinf(offsets[[HEAD, hand], [hand, HEAD]]))


@pytest.mark.parametrize(
    ("radii", "kept"), [(0.0, 1.0), (0.25, 1.0), (0.375, 0.768), (0.5, 0.0), (2.0, 0.0)]
)
def test_a_share_fades_where_the_other_joint_is_a_quarter_to_half_a_radius_off(radii, kept):
    point = np.array([[0.0, 1.0, 1.0]])
    binding = Binding(np.array([[HIPS, ARM]]), np.array([[0.5, 0.5]]), np.zeros(1), np.ones(1))

    def share(offset):
        return shares(binding, replace(limbs(), offsets=np.full((4, 4), offset)), point)[0, 0]

    assert share(0.0) > 0.1
    assert share(radii) == pytest.approx(kept * share(0.0), abs=1e-4)


def test_a_vertex_counts_for_the_bend_it_is_nearer_to():
    slope, start = limbs().posed(palette.of_matrices(np.tile(np.eye(4), (4, 1, 1)))).nearness.T

    def at(joint, height):
        return slope[joint] * height + start[joint]

    # The chest is 2 long and bends at both ends, the hips at their tail alone, the others at their head.
    assert (at(CHEST, 0.5), at(CHEST, 1.5)) == pytest.approx((0.0, 1.0))
    assert (at(HIPS, 0.5), at(HIPS, 1.5)) == (1.0, 1.0)
    assert (at(HEAD, 0.5), at(ARM, 1.5)) == (0.0, 0.0)


def test_branches_tell_which_joints_are_above_others():
    rng = np.random.default_rng(3)
    parents = np.array([-1, *[int(rng.integers(-1, i)) for i in range(1, 40)]])
    order = rng.permutation(40)
    renamed = np.full(40, -1)
    renamed[order] = np.where(parents >= 0, order[parents], -1)
    bones = Segments.between(np.zeros((40, 3)), np.eye(3)[np.zeros(40, int)], np.eye(3)[:1])
    tree = BoneFrames(bones, renamed, np.full(40, -1), np.zeros((40, 40)), np.arange(40))
    upper, lower = (a.ravel() for a in np.meshgrid(np.arange(40), np.arange(40)))
    wanted = np.zeros((40, 40), dtype=bool)
    for joint in range(40):
        above = renamed[joint]
        while above >= 0:
            wanted[above, joint] = True
            above = renamed[above]
    assert np.array_equal(tree.is_above(upper, lower), wanted[upper, lower])
    assert np.array_equal(tree.are_related(upper, lower), (wanted | wanted.T)[upper, lower])
