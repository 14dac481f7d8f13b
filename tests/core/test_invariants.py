"""What no skinning method may change (MATH.md §4), on random rigs in every pose of their clips."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.core import affine, quat
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.methods import palette
from rigview.core.nodes import Nodes
from rigview.core.pose import rest_pose
from rigview.core.skinning import METHODS, Options

CONVENTIONS = [Options(scale="vertex"), Options(scale="origin")]
ANY = rigs.rigs(
    clips=1,
    animated=st.sampled_from([("translation", "rotation"), ("translation", "rotation", "scale")]),
    mirrored=st.booleans(),
    stretched=st.booleans(),
    morphs=st.integers(0, 2),
)
# Rounding, as a share of H, that a few hundred operations on numbers up to 100·H may leave.
ROUNDING = 1e-10
seeds = st.integers(0, 2**32 - 1)


def methods(test):
    """Run a property for each method, with fewer rigs than a property that is tried once."""
    return pytest.mark.parametrize("method", METHODS)(settings(max_examples=8)(test))


@lru_cache(8)
def deformer_of(rig):
    return Deformer(rig)


def skin(rig, pose, method, options, change=None):
    """Skin all parts; `change` may replace the palettes."""
    deformer = deformer_of(rig)
    frame = deformer.frame(pose)
    if change is not None:
        changed = {number: change(p) for number, p in frame.palettes.items()}
        frame = Frame(frame.pose, frame.model_from_node, changed)
    parts = deformer.skin_all(frame, METHODS[method], options)
    return (
        np.concatenate([part.positions for part in parts]),
        np.concatenate([part.normals for part in parts]),
        deformer.size,
    )


def some_poses(rig):
    """Return the rest pose and, where there is a clip, poses at two of its times."""
    found = rigs.poses(rig, between=1)
    return [found[0], *found[1 :: max(1, (len(found) - 1) // 2)][:2]]


def same(before, after, tolerance=ROUNDING):
    positions, normals, size = before
    assert np.abs(after[0] - positions).max() <= tolerance * size
    assert np.abs(after[1] - normals).max() <= 100.0 * tolerance


@methods
@given(rig=ANY, seed=seeds)
def test_a_rigid_motion_of_the_world_moves_the_skin_along(method, rig, seed):
    rng = np.random.default_rng(seed)
    turn, shift = rigs.random_turn(rng), rng.normal(size=3)
    moved = rigs.under(rig, shift, turn)
    for options in CONVENTIONS:
        for pose, moved_pose in zip(some_poses(rig), some_poses(moved), strict=True):
            positions, normals, size = skin(rig, pose, method, options)
            expected = quat.rotate(turn, positions) + shift, quat.rotate(turn, normals), size
            same(expected, skin(moved, moved_pose, method, options))


@methods
@given(rig=ANY, seed=seeds)
def test_a_common_motion_of_all_joints_moves_the_skin_along(method, rig, seed):
    rng = np.random.default_rng(seed)
    matrix = rigs.random_rigid(rng)
    turn = quat.from_matrix(matrix[:3, :3])

    def move(of):
        rotation = quat.multiply(turn, of.rotations)
        matrices = matrix @ of.matrices
        dq = palette.dualquat.from_rigid(rotation, matrices[:, :3, 3])
        return palette.Palette(matrices, dq, of.stretches)

    for options in CONVENTIONS:
        pose = some_poses(rig)[-1]
        positions, normals, size = skin(rig, pose, method, options)
        expected = affine.transform_points(matrix, positions), quat.rotate(turn, normals), size
        same(expected, skin(rig, pose, method, options, move))


@pytest.mark.parametrize("method", [name for name, row in METHODS.items() if not row.spreads])
@settings(max_examples=8)
@given(rig=ANY, seed=seeds)
def test_vertices_whose_joints_move_as_one_do_not_mind_other_joints(method, rig, seed):
    rng = np.random.default_rng(seed)
    common, other = rigs.random_rigid(rng), rigs.random_rigid(rng)
    deformer = deformer_of(rig)
    stray = int(rng.integers(min(len(rig.skins[skin].joints) for skin in deformer.skins)))

    def moved(by):
        def change(before):
            matrices = np.tile(common, (len(before.matrices), 1, 1))
            matrices[stray] = by
            return palette.of_matrices(matrices)

        return change

    free = [
        np.all((b.joints != stray) | (b.weights == 0.0), axis=1)
        if deformer.is_skinned(part)
        else np.ones(len(b.weights), dtype=bool)
        for part, b in zip(rig.parts, deformer.bindings, strict=True)
    ]
    kept = np.concatenate(free)
    pose = rest_pose(rig)
    still, astir = (skin(rig, pose, method, Options(), moved(by)) for by in (common, other))
    same((still[0][kept], still[1][kept], still[2]), (astir[0][kept], astir[1][kept]))


@methods
@given(rig=ANY, seed=seeds)
def test_a_quaternion_and_its_negative_skin_alike(method, rig, seed):
    rng = np.random.default_rng(seed)

    def negate(of):
        signs = rng.choice([-1.0, 1.0], (len(of.matrices), 1))
        return palette.Palette(of.matrices, signs * of.dual_quaternions, of.stretches)

    for options in CONVENTIONS:
        for pose in some_poses(rig):
            same(skin(rig, pose, method, options), skin(rig, pose, method, options, negate))


@methods
@given(rig=rigs.rigs(influences=1, clips=1, animated=("translation", "rotation", "scale")))
def test_one_influence_is_the_joints_own_transform(method, rig):
    if METHODS[method].spreads:
        # Of a vertex whose neighbours have the same.
        for number, mesh in enumerate(rig.meshes):
            bound = mesh.primitives[0].influences
            if bound is not None:
                joints = np.full_like(bound.joints, bound.joints[0, 0])
                rig = rigs.with_influences(rig, joints=joints, mesh=number)
    deformer = Deformer(rig)
    for options in CONVENTIONS:
        for pose in some_poses(rig):
            frame = deformer.frame(pose)
            for number, part in enumerate(rig.parts):
                matrices = frame.palettes[part.skin].matrices
                chosen = matrices[deformer.bindings[number].joints[:, 0]]
                rest, _ = deformer.morphed(number, pose)
                wanted = np.einsum("vij,vj->vi", chosen[:, :3, :3], rest) + chosen[:, :3, 3]
                got = deformer.skin(number, frame, METHODS[method], options).positions
                assert np.abs(got - wanted).max() <= ROUNDING * deformer.size


@pytest.mark.parametrize("method", [name for name in METHODS if name != "basic"])
@given(rig=rigs.rigs(bind="rest", bind_scale=1.0, mirrored=st.booleans(), stretched=st.booleans()))
def test_the_rest_pose_leaves_the_mesh_alone_where_it_was_bound_there(method, rig):
    rest = np.concatenate([rig.primitive(part).positions for part in rig.parts])
    normals = np.concatenate([rig.primitive(part).shading_normals for part in rig.parts])
    for options in CONVENTIONS:
        got = skin(rig, rest_pose(rig), method, options)
        same((rest, normals, got[2]), got)


@methods
@given(rig=ANY, seed=seeds)
def test_the_order_of_a_vertexs_influences_does_not_matter(method, rig, seed):
    rng = np.random.default_rng(seed)
    old = rig.meshes[0].primitives[0].influences
    order = rng.permuted(np.tile(np.arange(old.joints.shape[1]), (len(old.joints), 1)), axis=1)
    shuffled = rigs.with_influences(
        rig,
        np.take_along_axis(old.joints, order, axis=1),
        np.take_along_axis(old.weights, order, axis=1),
    )
    for options in CONVENTIONS:
        for pose in some_poses(rig):
            same(skin(rig, pose, method, options), skin(shuffled, pose, method, options))


@methods
@given(rig=ANY, seed=seeds)
def test_the_order_of_a_skins_joints_does_not_matter(method, rig, seed):
    rng = np.random.default_rng(seed)
    old = rig.skins[0]
    order = rng.permutation(len(old.joints))
    renumbered = rig.with_skin(
        0,
        replace(
            old,
            joints=tuple(old.joints[i] for i in order),
            inverse_binds=old.inverse_binds[order],
        ),
    )
    numbers = np.argsort(order)[rig.meshes[0].primitives[0].influences.joints]
    renumbered = rigs.with_influences(renumbered, joints=numbers)
    for options in CONVENTIONS:
        for pose in some_poses(rig):
            same(skin(rig, pose, method, options), skin(renumbered, pose, method, options))


@given(rig=ANY)
def test_dqs_minds_only_the_ratios_of_weights(rig):
    old = rig.meshes[0].primitives[0].influences
    heavier = rigs.with_influences(rig, weights=1.7 * old.weights)
    for pose in some_poses(rig):
        same(skin(rig, pose, "dqs", Options()), skin(heavier, pose, "dqs", Options()))


def mirrored(rig):
    """Return the whole scene seen in a mirror across x = 0."""
    flip = np.array([-1.0, 1.0, 1.0])
    turn = np.array([1.0, -1.0, -1.0, 1.0])
    matrix = np.diag([-1.0, 1.0, 1.0, 1.0])
    nodes = rig.nodes
    assert not nodes.matrices

    def curve(channel):
        sampler = channel.sampler
        factor = {"translation": flip, "rotation": turn}.get(channel.path, 1.0)
        return replace(channel, sampler=replace(sampler, values=sampler.values * factor))

    def primitive(old):
        morphs = old.morphs
        if morphs is not None:
            morphs = replace(
                morphs, positions=morphs.positions * flip, normals=morphs.normals * flip
            )
        return replace(
            old, positions=old.positions * flip, normals=old.normals * flip, morphs=morphs
        )

    return replace(
        rig,
        nodes=Nodes(
            nodes.names,
            nodes.children,
            nodes.translations * flip,
            nodes.rotations * turn,
            nodes.scales,
        ),
        meshes=tuple(
            replace(m, primitives=tuple(map(primitive, m.primitives))) for m in rig.meshes
        ),
        skins=tuple(replace(s, inverse_binds=matrix @ s.inverse_binds @ matrix) for s in rig.skins),
        clips=tuple(replace(c, channels=tuple(map(curve, c.channels))) for c in rig.clips),
    )


@methods
@given(rig=ANY)
def test_a_mirrored_scene_skins_to_the_mirror_image(method, rig):
    image = mirrored(rig)
    flip = np.array([-1.0, 1.0, 1.0])
    for options in CONVENTIONS:
        for pose, seen in zip(some_poses(rig), some_poses(image), strict=True):
            positions, normals, size = skin(rig, pose, method, options)
            same((positions * flip, normals * flip, size), skin(image, seen, method, options))


@methods
@given(rig=rigs.rigs(clips=1, morphs=1, animated=("translation", "rotation")))
def test_a_character_below_a_mirror_moves_as_its_mirror_image(method, rig):
    image = rigs.under(rig, scale=(-1.0, 1.0, 1.0))
    flip = np.array([-1.0, 1.0, 1.0])
    for options in CONVENTIONS:
        for pose, seen in zip(some_poses(rig), some_poses(image), strict=True):
            positions, normals, size = skin(rig, pose, method, options)
            same((positions * flip, normals * flip, size), skin(image, seen, method, options))


@methods
@given(rig=ANY)
def test_normals_are_unit_everywhere(method, rig):
    for options in CONVENTIONS:
        for pose in some_poses(rig):
            _, normals, _ = skin(rig, pose, method, options)
            assert np.abs(np.linalg.norm(normals, axis=1) - 1.0).max() <= 1e-12


@given(rig=ANY)
def test_compensation_of_no_strength_is_dqs(rig):
    for options in CONVENTIONS:
        for pose in some_poses(rig):
            none = replace(options, strength=0.0)
            got, wanted = skin(rig, pose, "compensated", none), skin(rig, pose, "dqs", none)
            assert np.array_equal(got[0], wanted[0])
            assert np.array_equal(got[1], wanted[1])


@given(rig=ANY, strength=st.floats(0.0, 1.0))
def test_the_compensation_grows_with_its_strength_and_leaves_normals(rig, strength):
    pose = some_poses(rig)[-1]
    plain, _, size = skin(rig, pose, "dqs", Options())
    full, normals, _ = skin(rig, pose, "compensated", Options())
    part, part_normals, _ = skin(rig, pose, "compensated", Options(strength=strength))
    assert np.abs((part - plain) - strength * (full - plain)).max() <= ROUNDING * size
    assert np.array_equal(part_normals, normals)


def random_palette(rng, count):
    """Return `count` rigid skin matrices."""
    return np.stack([rigs.random_rigid(rng) for _ in range(count)])


@given(seed=seeds)
def test_where_all_joints_send_a_vertex_to_one_place_dqs_keeps_that_place(seed):
    rng = np.random.default_rng(seed)
    rig = rigs.make(rigs.Recipe(seed=seed, joints=4, vertices=3))
    # Every joint scales and turns about the first vertex, and moves it by the same step.
    point, step = rig.meshes[0].primitives[0].positions[0], rng.normal(size=3)
    matrices = random_palette(rng, 4)
    matrices[:, :3, :3] *= rng.uniform(0.3, 3.0, (4, 1, 1))
    matrices[:, :3, 3] = point + step - matrices[:, :3, :3] @ point
    positions, _, _ = skin(
        rig, rest_pose(rig), "dqs", Options(), lambda _: palette.of_matrices(matrices)
    )
    assert np.abs(positions[0] - point - step).max() <= 1e-12


def tube(angle, rings=41, around=24):
    """Return a tube of radius 1 along x, bound to two joints, the second twisted by `angle`."""
    x = np.linspace(-2, 2, rings)
    phi = np.linspace(0, 2 * np.pi, around, endpoint=False)
    grid_x, grid_phi = np.meshgrid(x, phi, indexing="ij")
    points = np.stack([grid_x, np.cos(grid_phi), np.sin(grid_phi)], -1).reshape(-1, 3)
    share = np.clip(0.5 + 0.5 * points[:, 0], 0.0, 1.0)
    twist = affine.compose(np.zeros(3), quat.from_axis_angle([1.0, 0.0, 0.0], angle), np.ones(3))
    rig = rigs.make(rigs.Recipe(joints=3, vertices=len(points)))
    primitive = replace(rig.meshes[0].primitives[0], positions=points, normals=None)
    rig = rig.with_primitive(0, 0, primitive)
    numbers = np.tile([0, 1, 2], (len(points), 1))
    weights = np.stack([1 - share, share, np.zeros_like(share)], 1)
    rig = rigs.with_influences(rig, numbers, weights)
    return rig, palette.of_matrices(np.stack([np.eye(4), twist, np.eye(4)])), points


@pytest.mark.parametrize("degrees", [30, 90, 150, 179])
def test_a_twisted_tube_keeps_its_radius_under_dqs_and_loses_it_under_lbs(degrees):
    angle = np.radians(degrees)
    rig, twisted, _ = tube(angle)
    radius = {}
    for method in ("lbs", "dqs"):
        positions, _, _ = skin(rig, rest_pose(rig), method, Options(), lambda _: twisted)
        radius[method] = np.linalg.norm(positions[:, 1:], axis=1)
    assert np.abs(radius["dqs"] - 1.0).max() <= 1e-12
    assert radius["lbs"].min() == pytest.approx(np.cos(angle / 2), abs=1e-12)


def test_a_pure_twist_is_not_compensated():
    rig, twisted, _ = tube(np.pi / 2)
    # The joints' x runs along the tube, as the bones do.
    rig = rig.with_skin(0, replace(rig.skins[0], inverse_binds=np.tile(np.eye(4), (3, 1, 1))))
    got = skin(rig, rest_pose(rig), "compensated", Options(axis="+x"), lambda _: twisted)
    wanted = skin(rig, rest_pose(rig), "dqs", Options(), lambda _: twisted)
    assert np.abs(got[0] - wanted[0]).max() <= 1e-12
