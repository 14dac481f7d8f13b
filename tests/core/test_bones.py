"""Bones: which child a joint leads to, and what bones do that have no child or no length."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import bones, quat
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.pose import rest_pose
from rigview.core.rig import Rig, Skin


def fork(weights=(1.0, 1.0), lengths=(1.0, 1.0), below=0.0):
    """Return a root at the origin with two children left and right, bound at rest.

    The first child has a child of its own that carries `below`.
    """
    sketch = rigs.Sketch()
    root = sketch.add("root", -1)
    left = sketch.add("left", root, (lengths[0], 0, 0))
    right = sketch.add("right", root, (-lengths[1], 0, 0))
    tip = sketch.add("tip", left, (0, 2, 0))
    sketch.add("Body", -1)
    geometry = rigs._geometry(
        np.random.default_rng(0).normal(size=(3, 3)), np.random.default_rng(0)
    )
    influences = Influences(
        np.array([[1, 0], [2, 0], [3, 0]]), np.array([[weights[0], 0], [weights[1], 0], [below, 0]])
    )
    binds = np.tile(np.eye(4), (4, 1, 1))
    binds[1, 0, 3], binds[2, 0, 3], binds[3, :2, 3] = -lengths[0], lengths[1], (-lengths[0], -2)
    nowhere = (None,) * 4
    return Rig(
        sketch.nodes(),
        (*nowhere, 0),
        (*nowhere, 0),
        sketch.roots,
        (rigs.Mesh("Body", (replace(geometry, influences=influences),)),),
        (Skin("Skin", (root, left, right, tip), binds),),
    )


def primary_of_root(rig):
    skeleton = Deformer(rig).skeleton
    return int(skeleton.joints[skeleton.primary[0]])


@pytest.mark.parametrize(
    ("rig", "child"),
    [
        (fork(weights=(1.0, 1.5)), 2),
        (fork(weights=(1.5, 1.0)), 1),
        (fork(weights=(1.0, 1.5), below=0.6), 1),
        (fork(lengths=(1.0, 1.5)), 2),
        (fork(lengths=(1.5, 1.0)), 1),
        (fork(weights=(1.0, 1.5), lengths=(9.0, 1.0)), 2),
        (fork(), 1),
        (fork(weights=(0.0, 0.0)), 1),
    ],
)
def test_the_primary_child_is_the_heaviest_then_the_longest_then_the_first(rig, child):
    assert primary_of_root(rig) == child


@given(noise=st.floats(-1e-7, 1e-7), more=st.floats(-1e-7, 1e-7))
def test_rounding_does_not_choose_between_children_that_are_even(noise, more):
    assert primary_of_root(fork(weights=(1.0, 1.0 + noise), lengths=(1.0, 1.0 + more))) == 1


@given(seed=st.integers(0, 2**32 - 1))
def test_the_primary_child_of_a_symmetric_rig_survives_a_motion_of_the_world(seed):
    rng = np.random.default_rng(seed)
    moved = rigs.under(fork(), 10.0 * rng.normal(size=3), rigs.random_turn(rng))
    assert primary_of_root(moved) == 1


def test_weights_of_every_mesh_count_for_the_primary_child():
    rig = fork(weights=(1.0, 1.5))
    shown = replace(
        rig,
        meshes=(*rig.meshes, replace(rig.meshes[0], name="more")),
        node_meshes=(None, 1, *rig.node_meshes[2:]),
        node_skins=(None, 0, *rig.node_skins[2:]),
    )
    heavy_left = rigs.with_influences(shown, weights=np.diag([9.0, 0, 0])[:, :2], mesh=1)
    assert primary_of_root(heavy_left) == 1


@given(rig=rigs.rigs())
def test_below_a_joint_are_the_joints_from_which_one_climbs_to_it(rig):
    skeleton = Deformer(rig).skeleton
    parents = skeleton.parents.tolist()

    def climbs_to(place, goal):
        while place not in (goal, -1):
            place = parents[place]
        return place == goal

    for goal in range(len(parents)):
        wanted = [climbs_to(place, goal) for place in range(len(parents))]
        assert skeleton.below(goal).tolist() == wanted


def test_a_bone_leads_to_the_primary_child():
    deformer = Deformer(fork(lengths=(1.0, 1.5)))
    bind = deformer.bind_bones[0]
    assert np.allclose(bind.heads[0], 0)
    assert np.allclose(bind.tails[0], [-1.5, 0, 0])
    assert np.allclose(deformer.posed_bones(deformer.rest).tails[0], [-1.5, 0, 0])


def test_a_leaf_continues_its_parents_bone_at_half_length():
    deformer = Deformer(fork())
    bind = deformer.bind_bones[0]
    # left → tip is two long along y; the tip goes on for one.
    assert np.allclose(bind.directions[3], [0, 1, 0])
    assert bind.lengths[3] == pytest.approx(1.0)
    # right is a leaf of the root, whose bone leads to left.
    assert np.allclose(bind.directions[2], [1, 0, 0])
    assert bind.lengths[2] == pytest.approx(0.5)


def test_a_leaf_below_a_bone_without_length_continues_the_one_before():
    rig = fork()
    # left → tip has no length: the root's bone is the last one that has.
    still = rig.nodes.translations.copy()
    still[rig.skins[0].joints[3]] = 0.0
    deformer = Deformer(replace(rig, nodes=replace(rig.nodes, translations=still)))
    bone = deformer.posed_bones(deformer.rest)
    assert bone.lengths[1] == 0.0
    assert np.allclose(bone.directions[3], bone.directions[0])
    assert bone.lengths[3] == pytest.approx(0.5 * bone.lengths[0])


def test_a_lone_root_points_along_its_own_y_for_a_twentieth_of_the_rig():
    rig = rigs.make(rigs.Recipe(joints=3))
    turn = quat.from_axis_angle((0, 0, 1.0), np.pi / 2)
    sketch = rigs.Sketch()
    lone = sketch.add("lone", -1, (1, 2, 3), turn)
    sketch.add("Body", -1)
    alone = Rig(
        sketch.nodes(), (None, 0), (None, 0), (0, 1), rig.meshes[:1], (Skin("Skin", (lone,)),)
    )
    deformer = Deformer(alone)
    bone = deformer.posed_bones(deformer.rest)
    assert np.allclose(bone.directions[0], [-1, 0, 0])
    assert bone.lengths[0] == pytest.approx(deformer.size / 20)


def test_a_bone_of_no_length_has_its_parents_direction():
    rig = fork()
    # The tip lies on left: left has no direction of its own.
    nodes = rig.nodes
    rig = rigs.with_nodes(rig, translations=rigs.with_row(nodes.translations, 3, 0.0))
    binds = rigs.with_row(rig.skins[0].inverse_binds, 3, rig.skins[0].inverse_binds[1])
    deformer = Deformer(rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds)))
    assert np.allclose(deformer.bind_bones[0].directions[1], [1, 0, 0])
    assert np.allclose(np.linalg.norm(deformer.bind_bones[0].directions, axis=1), 1.0)


@given(rig=rigs.rigs(clips=1))
def test_every_bone_direction_is_unit(rig):
    deformer = Deformer(rig)
    for pose in rigs.poses(rig, between=0)[:3]:
        frame = deformer.frame(pose)
        for skin, palette in frame.palettes.items():
            for axis in bones.AXES:
                directions = deformer.bone_directions(skin, palette, axis)
                assert np.allclose(np.linalg.norm(directions, axis=1), 1.0, atol=1e-12)
        posed = deformer.posed_bones(frame)
        assert np.allclose(np.linalg.norm(posed.directions, axis=1), 1.0, atol=1e-12)


@given(rig=rigs.rigs(clips=1))
def test_posed_bones_begin_at_joints_and_end_at_primary_children(rig):
    deformer = Deformer(rig)
    skeleton = deformer.skeleton
    for pose in rigs.poses(rig, between=0)[:3]:
        frame = deformer.frame(pose)
        posed = deformer.posed_bones(frame)
        heads = frame.model_from_node[skeleton.joints][:, :3, 3]
        assert np.array_equal(posed.heads, heads)
        parents = np.flatnonzero(skeleton.primary >= 0)
        assert np.allclose(posed.tails[parents], heads[skeleton.primary[parents]], atol=1e-9)


@given(rig=rigs.rigs(bind="rest", skins=1))
def test_bind_bones_lie_where_the_rest_bones_do_in_a_rig_bound_at_rest(rig):
    deformer = Deformer(rig)
    skin = rig.skins[0]
    model_from_mesh = deformer.rest.palettes[0].matrices[0]
    order = [list(deformer.skeleton.joints).index(joint) for joint in skin.joints]
    rest = deformer.rest_bones
    heads = bones.affine.transform_points(model_from_mesh, deformer.bind_bones[0].heads)
    assert np.allclose(heads, rest.heads[order], atol=1e-9 * deformer.size)
    led = np.flatnonzero(deformer.skeleton.primary[order] >= 0)
    tails = bones.affine.transform_points(model_from_mesh, deformer.bind_bones[0].tails)
    assert np.allclose(tails[led], rest.tails[order][led], atol=1e-9 * deformer.size)


@pytest.mark.parametrize("joints", [1, 4])
def test_skins_that_say_the_same_have_bones_as_large_as_their_own_meshes_ask(joints):
    rig = rigs.make(rigs.Recipe(skins=2, joints=4, bind="offset"))
    binds, listed = rig.skins[0].joint_from_mesh[:joints], rig.skins[0].joints[:joints]
    for skin in range(2):
        rig = rig.with_skin(skin, Skin(f"skin {skin}", listed, binds.copy()))
    again = rig.meshes[1].primitives[0]
    rig = rig.with_primitive(1, 0, replace(again, positions=3.0 * again.positions))
    assert rig.alike == (0, 0)
    deformer = Deformer(rig)
    for skin, size in deformer.bind_sizes.items():
        own = bones.BoundJoints.of(rig, skin, deformer.skeleton, deformer.rest_nodes).segments(size)
        assert np.array_equal(own.lengths, deformer.bind_bones[skin].lengths)
        assert np.array_equal(own.directions, deformer.bind_bones[skin].directions)
    first, second = (bones.lengths.sum() for bones in deformer.bind_bones.values())
    assert (first < second) == (joints == 1)  # a lone root is as long as the mesh is large
    assert np.array_equal(*deformer.rest_matrices)


def test_skins_with_other_binds_are_not_alike():
    rig = rigs.make(rigs.Recipe(skins=2))
    other = replace(rig.skins[0], inverse_binds=2.0 * rig.skins[0].joint_from_mesh)
    assert rig.with_skin(1, other).alike == (0, 1)


@pytest.mark.parametrize("axis", bones.AXES[1:])
def test_a_signed_axis_is_that_local_axis_of_every_joint(axis):
    rig = rigs.make(rigs.Recipe(seed=5, bind="rest"))
    deformer = Deformer(rig)
    frame = deformer.frame(rest_pose(rig))
    vector = bones.axis_vector(axis)
    assert abs(vector).sum() == 1.0
    assert vector["xyz".index(axis[1])] == (1.0 if axis[0] == "+" else -1.0)
    wanted = frame.model_from_node[list(rig.skins[0].joints), :3, :3] @ vector
    assert np.allclose(deformer.bone_directions(0, frame.palettes[0], axis), wanted, atol=1e-12)


@given(seed=st.integers(0, 2**32 - 1))
def test_the_distance_to_a_bone_is_that_to_its_nearest_point(seed):
    rng = np.random.default_rng(seed)
    segments = bones.Segments.between(
        rng.normal(size=(4, 3)), rng.normal(size=(4, 3)), np.tile([1.0, 0, 0], (4, 1))
    )
    points = 2.0 * rng.normal(size=(30, 3))
    numbers = rng.integers(4, size=30)
    along = np.linspace(0, 1, 2001)[:, None, None]
    on_bone = (1 - along) * segments.heads[numbers] + along * segments.tails[numbers]
    nearest = np.linalg.norm(points - on_bone, axis=-1).min(axis=0)
    got = segments.distance(numbers, points)
    assert np.all(got <= nearest + 1e-12)
    assert np.allclose(got, nearest, atol=1e-3)


def test_the_distance_to_a_bone_of_no_length_is_that_to_its_head():
    point = np.array([[3.0, 4.0, 0.0]])
    none = bones.Segments.between(np.zeros((1, 3)), np.zeros((1, 3)), np.array([[0.0, 1.0, 0.0]]))
    assert none.distance(np.array([0]), point) == pytest.approx([5.0])
