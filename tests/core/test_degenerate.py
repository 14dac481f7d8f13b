"""Every degenerate rig has a defined answer: finite, and the one that is written down."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import affine, quat
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.methods import bulge, palette
from rigview.core.pose import rest_pose
from rigview.core.rig import Rig, Skin
from rigview.core.skinning import METHODS, Options

methods = pytest.mark.parametrize("method", METHODS)
seeds = st.integers(0, 2**32 - 1)


def skinned(rig, method="lbs", pose=None, options=None):
    return rigs.positions(rig, rest_pose(rig) if pose is None else pose, method, options)


def chain(angle, axis=(0.0, 0.0, 1.0), seed=0):
    """Return a chain of three joints along y, its middle joint turned by `angle`, half-half weights."""
    sketch = rigs.Sketch()
    first = sketch.add("first", -1)
    second = sketch.add("second", first, (0, 1, 0))
    third = sketch.add("third", second, (0, 1, 0))
    body = sketch.add("Body", -1)
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(12, 3)) * 0.3 + (0, 1, 0)
    primitive = rigs._geometry(points, rng)
    share = rng.uniform(0.1, 0.9, 12)
    influences = Influences(np.tile([0, 1], (12, 1)), np.stack([share, 1 - share], 1))
    binds = np.tile(np.eye(4), (3, 1, 1))
    binds[:, 1, 3] = [0, -1, -2]
    nodes = sketch.nodes()
    rig = Rig(
        nodes,
        (None, None, None, 0),
        (None, None, None, 0),
        sketch.roots,
        (rigs.Mesh("Body", (replace(primitive, influences=influences),)),),
        (Skin("Skin", (first, second, third), binds),),
    )
    assert body == 3
    return rigs.with_nodes(
        rig, rotations=rigs.with_row(nodes.rotations, second, quat.from_axis_angle(axis, angle))
    )


@pytest.mark.parametrize("axis", [(0, 0, 1), (1, 0, 0), (1, 0, 1), (0.6, 0, -0.8)])
def test_bones_folded_onto_each_other_are_not_compensated(axis):
    folded = chain(np.pi, axis)
    assert np.abs(skinned(folded, "compensated") - skinned(folded, "dqs")).max() <= 1e-12


@given(seed=seeds)
def test_opposed_bone_directions_give_no_displacement(seed):
    rng = np.random.default_rng(seed)
    first, second = quat.normalise(rng.normal(size=(2, 4)))
    bone = rng.normal(size=3)
    bone /= np.linalg.norm(bone)
    noise = 1e-15 * rng.normal(size=3)
    assert np.array_equal(bulge.bend(first, second, bone, -bone + noise), np.zeros(3))


@given(seed=seeds, angle=st.floats(1e-12, 1e-5))
def test_an_almost_straight_joint_is_almost_not_compensated(seed, angle):
    rig = chain(angle, np.random.default_rng(seed).normal(size=3))
    moved = np.abs(skinned(rig, "compensated") - skinned(rig, "dqs")).max()
    assert moved <= angle


@methods
def test_a_vertex_without_weight_stays_in_mesh_space(method):
    rig = rigs.make(rigs.Recipe(seed=5, bind="offset", bind_scale=100.0, clips=1))
    primitive = rig.meshes[0].primitives[0]
    weights = rigs.with_row(primitive.influences.weights, 3, 0.0)
    lost = rigs.with_influences(rig, weights=weights)
    for pose in rigs.poses(lost):
        assert np.array_equal(skinned(lost, method, pose)[3], primitive.positions[3])


@methods
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_weight_that_is_no_number_counts_as_zero(method, value):
    rig = rigs.make(rigs.Recipe(seed=6, influences=3, clips=1))
    old = rig.meshes[0].primitives[0].influences
    slot = int(np.flatnonzero(old.weights[0])[0])
    damaged, clean = old.weights.copy(), old.weights.copy()
    damaged[0, slot], clean[0, slot] = value, 0.0
    pose = rigs.poses(rig)[-1]
    got = skinned(rigs.with_influences(rig, weights=damaged), method, pose)
    assert np.array_equal(got, skinned(rigs.with_influences(rig, weights=clean), method, pose))


@methods
@pytest.mark.parametrize("number", [-1, 5, 65535, 2**40])
def test_a_joint_that_does_not_exist_counts_as_no_weight(method, number):
    rig = rigs.make(rigs.Recipe(seed=8, joints=5, influences=3, clips=1))
    old = rig.meshes[0].primitives[0].influences
    slot = int(np.flatnonzero(old.weights[0])[0])
    joints, weights = old.joints.copy(), old.weights.copy()
    joints[0, slot], weights[0, slot] = number, 0.0
    pose = rigs.poses(rig)[-1]
    got = skinned(rigs.with_influences(rig, joints=joints), method, pose)
    assert np.array_equal(got, skinned(rigs.with_influences(rig, weights=weights), method, pose))


@methods
@given(seed=seeds)
def test_a_joint_named_twice_by_a_vertex_counts_once(method, seed):
    rig = rigs.make(rigs.Recipe(seed=seed, influences=3, clips=1))
    old = rig.meshes[0].primitives[0].influences
    share = np.random.default_rng(seed).uniform(0.2, 0.8, old.weights.shape)
    twice = rigs.with_influences(
        rig,
        np.concatenate([old.joints, old.joints], axis=1),
        np.concatenate([share * old.weights, (1 - share) * old.weights], axis=1),
    )
    for pose in rigs.poses(rig, between=0)[:3]:
        apart = skinned(twice, method, pose) - skinned(rig, method, pose)
        assert np.abs(apart).max() <= 1e-12


@methods
@given(seed=seeds)
def test_a_joint_listed_twice_by_a_skin_moves_like_one(method, seed):
    rig = rigs.make(rigs.Recipe(seed=seed, joints=4, influences=3, clips=1))
    skin = rig.skins[0]
    old = rig.meshes[0].primitives[0].influences
    doubled = rig.with_skin(
        0,
        replace(
            skin,
            joints=(*skin.joints, skin.joints[1]),
            inverse_binds=np.concatenate([skin.inverse_binds, skin.inverse_binds[1:2]]),
        ),
    )
    second = (np.arange(len(old.joints)) % 2 == 0)[:, None]
    doubled = rigs.with_influences(doubled, np.where(second & (old.joints == 1), 4, old.joints))
    for pose in rigs.poses(rig, between=0)[:3]:
        apart = skinned(doubled, method, pose) - skinned(rig, method, pose)
        assert np.abs(apart).max() <= 1e-12


@methods
def test_coincident_joints_keep_everything_finite(method):
    rig = rigs.make(rigs.Recipe(seed=9, joints=5, shape="chain", clips=1, bind="offset"))
    nodes = rig.nodes
    translations = nodes.translations.copy()
    translations[list(rig.skins[0].joints[1:])] = 0.0
    together = rigs.with_nodes(rig, translations=translations)
    binds = affine.inverse(Deformer(together).rest.model_from_node[list(rig.skins[0].joints)])
    together = together.with_skin(0, replace(rig.skins[0], inverse_binds=binds))
    for axis in ("auto", "+x"):
        for pose in rigs.poses(together):
            assert np.all(np.isfinite(skinned(together, method, pose, Options(axis=axis))))


@methods
@pytest.mark.parametrize("scale", [(0, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 1)])
def test_a_joint_of_scale_zero_keeps_positions_finite_and_normals_unit(method, scale):
    rig = rigs.make(rigs.Recipe(seed=10, joints=4, clips=1, influences=4))
    joint = rig.skins[0].joints[1]
    crushed = rigs.with_nodes(rig, scales=rigs.with_row(rig.nodes.scales, joint, scale))
    deformer = Deformer(crushed)
    for convention in ("vertex", "origin"):
        for pose in rigs.poses(crushed):
            for part in deformer.skin_all(
                deformer.frame(pose), METHODS[method], Options(scale=convention)
            ):
                assert np.all(np.isfinite(part.positions))
                assert np.abs(np.linalg.norm(part.normals, axis=1) - 1).max() <= 1e-12


def test_a_crushed_joint_turns_as_its_chain_of_joints_does():
    rig = chain(0.5, (1, 2, 3))
    flat = rigs.with_nodes(rig, scales=rigs.with_row(rig.nodes.scales, 1, 0.0))
    deformer = Deformer(flat)
    rotations = deformer.rest.palettes[0].rotations
    wanted = quat.from_axis_angle((1.0, 2.0, 3.0), 0.5)
    assert quat.angle_between(rotations[1], wanted) <= 1e-12


def test_a_skin_with_too_few_inverse_binds_takes_identities():
    rig = rigs.make(rigs.Recipe(seed=11, joints=5))
    skin = rig.skins[0]
    few = rig.with_skin(0, replace(skin, inverse_binds=skin.inverse_binds[:3]))
    full = np.concatenate([skin.inverse_binds[:3], np.tile(np.eye(4), (2, 1, 1))])
    whole = rig.with_skin(0, replace(skin, inverse_binds=full))
    for method in METHODS:
        assert np.array_equal(skinned(few, method), skinned(whole, method))


def test_a_skin_without_inverse_binds_takes_identities():
    rig = rigs.make(rigs.Recipe(seed=12, joints=3))
    none = rig.with_skin(0, replace(rig.skins[0], inverse_binds=None))
    ones = rig.with_skin(0, replace(rig.skins[0], inverse_binds=np.tile(np.eye(4), (3, 1, 1))))
    assert np.array_equal(skinned(none), skinned(ones))


@methods
def test_a_mesh_without_vertices_skins_to_nothing(method):
    rig = rigs.make(rigs.Recipe())
    old = rig.meshes[0].primitives[0]
    empty = replace(
        old,
        positions=np.zeros((0, 3)),
        normals=None,
        triangles=np.zeros((0, 3), dtype=int),
        influences=Influences(np.zeros((0, 4), dtype=int), np.zeros((0, 4))),
    )
    assert skinned(rig.with_primitive(0, 0, empty), method).shape == (0, 3)


@methods
def test_influences_without_any_slot_leave_the_mesh_in_place(method):
    rig = rigs.make(rigs.Recipe(seed=13, bind="offset"))
    old = rig.meshes[0].primitives[0]
    none = Influences(np.zeros((24, 0), dtype=int), np.zeros((24, 0)))
    bare = rig.with_primitive(0, 0, replace(old, influences=none))
    assert np.array_equal(skinned(bare, method), old.positions)


def test_a_rig_of_nothing_has_a_size_and_no_vertices():
    sketch = rigs.Sketch()
    sketch.add("only", -1)
    deformer = Deformer(Rig(sketch.nodes(), (None,), (None,), (0,)))
    assert deformer.size == 1.0
    assert deformer.rest_positions.shape == (0, 3)


@methods
@pytest.mark.parametrize("axis", [(0, 0, 1), (1, 0, 0), (0.6, 0, -0.8), (0, 1, 0)])
def test_a_fold_of_half_a_turn_gives_finite_positions_and_unit_normals(method, axis):
    for angle in (np.pi, np.pi - 1e-9, np.pi + 1e-9, -np.pi):
        folded = chain(angle, axis)
        deformer = Deformer(folded)
        part = deformer.skin(0, deformer.rest, METHODS[method], Options())
        assert np.all(np.isfinite(part.positions))
        assert np.abs(np.linalg.norm(part.normals, axis=1) - 1).max() <= 1e-12
        # No vertex leaves the limb: the longest bone and the furthest vertex at rest are its bounds.
        assert np.abs(part.positions).max() <= 4.0


@methods
def test_a_vertex_on_the_bone_itself_gives_a_finite_answer(method):
    bent = chain(1.2)
    primitive = bent.meshes[0].primitives[0]
    on_bone = np.zeros((12, 3))
    on_bone[:, 1] = np.linspace(-0.5, 2.5, 12)
    bent = bent.with_primitive(0, 0, replace(primitive, positions=on_bone))
    deformer = Deformer(bent)
    part = deformer.skin(0, deformer.rest, METHODS[method], Options())
    assert np.all(np.isfinite(part.positions))
    assert np.abs(np.linalg.norm(part.normals, axis=1) - 1).max() <= 1e-12


@methods
def test_weights_that_cancel_give_a_finite_answer(method):
    cancel = rigs.with_influences(chain(0.7), weights=np.tile([1.0, -1.0], (12, 1)))
    assert np.all(np.isfinite(skinned(cancel, method)))


@given(seed=seeds, noise=st.sampled_from([0.0, 1e-14, 1e-9]))
def test_joints_half_a_turn_apart_blend_to_finite_numbers(seed, noise):
    rng = np.random.default_rng(seed)
    rig = rigs.make(rigs.Recipe(seed=seed, joints=6, influences=6))
    # Half turns about random axes: every pair of joints is near the end of the short arc.
    turns = quat.from_axis_angle(rng.normal(size=(6, 3)), np.pi + noise * rng.normal(size=6))
    matrices = affine.compose(rng.normal(size=(6, 3)), turns, np.ones((6, 3)))
    deformer = Deformer(rig)
    frame = deformer.rest
    frame.palettes[0] = palette.of_matrices(matrices)
    for method in METHODS.values():
        part = deformer.skin(0, frame, method, Options())
        assert np.all(np.isfinite(part.positions))
        assert np.abs(np.linalg.norm(part.normals, axis=1) - 1.0).max() <= 1e-9
