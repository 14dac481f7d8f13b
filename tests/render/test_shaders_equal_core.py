"""The shaders compute what `core.skinning` computes (MATH.md §5): real rigs and random ones."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rigview.core import bones, quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.mesh import WEIGHTS
from rigview.core.methods import bulge
from rigview.core.pose import rest_pose, sample
from rigview.core.sampler import Sampler
from rigview.core.skinning import DEFAULT_PANES, FILE, METHODS, Options
from rigview.io import load
from rigview.render.feedback import Feedback

pytestmark = pytest.mark.gl

# As a share of the largest coordinate, and in degrees.
# A spherical centre is known to less where joints of a random rig drift apart and it is far away.
POSITION = {
    **dict.fromkeys(METHODS, 4e-6),
    "lbs": 2e-6,
    "capsule": 1e-5,
    "flesh": 1e-5,
    "spherical": 4e-5,
}
NORMAL = {**dict.fromkeys(METHODS, 0.01), "capsule": 0.1, "flesh": 0.1, "delta-mush": 0.1}
CONVENTIONS = ("vertex", "origin")


def assert_equal(deformer, feedback, pose, options, methods=tuple(METHODS)):
    frame = deformer.frame(pose)
    for name in methods:
        core = deformer.skin_all(frame, METHODS[name], options)
        card = feedback.skin_all(frame, name, options)
        largest = max((np.abs(c.positions).max(initial=0.0) for c in core), default=1.0) or 1.0
        for one, other in zip(core, card, strict=True):
            off = np.abs(one.positions - other.positions).max(initial=0.0)
            assert off <= POSITION[name] * largest, (name, options)
            sine = np.linalg.norm(np.cross(one.normals, other.normals), axis=1)
            cosine = np.sum(one.normals * other.normals, axis=1)
            turned = np.degrees(np.arctan2(sine, cosine)).max(initial=0.0)
            assert turned <= NORMAL[name], (name, options)


REAL = (
    "DRx3D+glTF-Sample-Assets-OLD/Models/CesiumMan/glTF-Binary/CesiumMan.glb",
    "DRx3D+glTF-Sample-Assets-OLD/Models/Fox/glTF-Binary/Fox.glb",
    "DRx3D+glTF-Sample-Assets-OLD/Models/RiggedFigure/glTF-Binary/RiggedFigure.glb",
    # Joints and skin scale.
    "godotengine+godot-demo-projects/3d/ragdoll_physics/characters/mannequiny.glb",
    "trebeljahr+quaternius-showcase/public/glb/animals_pack/Alpaca.glb",
    "trebeljahr+quaternius-showcase/public/glb/tank_pack/Tank.glb",
    # Mirrored joints, and joints crushed to a line.
    "trebeljahr+quaternius-showcase/public/glb/cyberpunk_pack/Enemy_2Legs_Gun.glb",
    # Two sets of influences.
    "facebookincubator+momentum/momentum/test/resources/mesh-not-combined.glb",
    # Morph targets.
    "V-Sekai+godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
    "KhronosGroup+glTF-Test-Assets-Interactivity/Models/Ghost/glTF-Binary/ghost_v2.glb",
    "raysan5+raylib/examples/models/resources/models/gltf/greenman.glb",
    "Mesh2Motion+mesh2motion-app/static/animations/spider-animations.glb",
)


def real_poses(rig):
    """Return the rest, morph targets half in, and five poses of every clip."""
    result = [rest_pose(rig)]
    morphed = {
        part.node: np.full(len(rig.primitive(part).morphs.positions), 0.5)
        for part in rig.parts
        if rig.primitive(part).morphs is not None
    }
    if morphed:
        result.append(replace(rest_pose(rig), morph_weights=morphed))
    for clip in rig.clips:
        times = np.linspace(clip.start, clip.end, 5)
        result += [sample(rig, clip, float(time)) for time in times]
    return result


@pytest.mark.thorough(keep=2)
@pytest.mark.corpus
@pytest.mark.parametrize("name", REAL, ids=lambda name: Path(name).stem)
def test_a_real_rig_is_skinned_alike_in_every_clip(gl, corpus, name):
    rig = load(corpus / "rigs" / name).rig
    deformer = Deformer(rig)
    feedback = Feedback(deformer)
    poses = real_poses(rig)
    # A rig of many clips would take minutes: every method in some poses, the main ones in all.
    some = set(np.linspace(0, len(poses) - 1, 6).astype(int).tolist())
    for number, pose in enumerate(poses):
        methods = tuple(METHODS) if number in some else DEFAULT_PANES
        for convention in CONVENTIONS:
            assert_equal(deformer, feedback, pose, Options(scale=convention), methods)
    feedback.close()


@settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    rig=rigs.rigs(
        clips=1,
        animated=st.sampled_from(
            [("translation", "rotation"), ("translation", "rotation", "scale")]
        ),
        morphs=st.integers(0, 2),
        prop=st.booleans(),
        mirrored=st.booleans(),
        stretched=st.booleans(),
    ),
    axis=st.sampled_from(bones.AXES),
    polynomial=st.sampled_from([*bulge.POLYNOMIAL_NAMES, (1.0, -4.0, 3.0)]),
    strength=st.floats(0.0, 1.0),
    angle=st.sampled_from(bulge.ANGLE_FACTORS),
    blend=st.none() | st.floats(0.0, 1.0),
    seed=st.integers(0, 2**32 - 1),
)
def test_a_random_rig_is_skinned_alike_with_any_options(
    gl, rig, axis, polynomial, strength, angle, blend, seed
):
    first = rig.meshes[0].primitives[0]
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.0, 1.0, len(first.positions))
    rig = rig.with_primitive(
        0, 0, replace(first, dqs_weights=weights, compensation=rng.uniform(0.0, 1.0, len(weights)))
    )
    deformer = Deformer(rig)
    feedback = Feedback(deformer)
    for pose in rigs.poses(rig, between=0)[:3]:
        for convention in CONVENTIONS:
            options = Options(strength, axis, convention, polynomial, angle, blend)
            assert_equal(deformer, feedback, pose, options)
    feedback.close()


def both(rig, poses, options=None):
    deformer = Deformer(rig)
    feedback = Feedback(deformer)
    for pose in poses:
        for convention in CONVENTIONS:
            assert_equal(deformer, feedback, pose, options or Options(scale=convention))
    feedback.close()


@pytest.mark.thorough(keep=3)
@pytest.mark.parametrize("influences", [1, 2, 4, 5, 8, 12])
def test_any_number_of_influences_is_skinned_alike(gl, influences):
    rig = rigs.make(rigs.Recipe(seed=influences, joints=14, influences=influences, clips=1))
    assert rig.meshes[0].primitives[0].influences.most == influences
    both(rig, rigs.poses(rig))


def test_influences_that_count_for_nothing_are_left_out_alike(gl):
    rig = rigs.make(rigs.Recipe(seed=3, influences=6, joints=8, clips=1))
    old = rig.meshes[0].primitives[0].influences
    joints, weights = old.joints.copy(), old.weights.copy()
    weights[0] = 0.0
    weights[1, 0] = np.nan
    joints[2] = 77
    joints[3] = joints[3, 0]
    weights[4, 0] = -0.3
    both(rigs.with_influences(rig, joints, weights), rigs.poses(rig))


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize("scale", [(0, 0, 0), (1, 0, 1), (0, 0, 1), (-1, -1, -1), (1, -1, 1)])
def test_crushed_and_mirrored_joints_are_skinned_alike(gl, scale):
    rig = rigs.make(rigs.Recipe(seed=5, joints=5, clips=1))
    joint = rig.skins[0].joints[2]
    rig = rigs.with_nodes(rig, scales=rigs.with_row(rig.nodes.scales, joint, scale))
    both(rig, rigs.poses(rig))


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0.8, 0)])
def test_a_joint_turned_by_half_a_turn_is_skinned_alike(gl, axis):
    rig = rigs.make(rigs.Recipe(seed=6, joints=3, shape="chain", influences=3))
    middle = rig.skins[0].joints[1]
    half = quat.multiply(rig.nodes.rotations[middle], np.array([*axis, 0.0]))
    rest = rig.nodes.rotations[middle]
    curve = Channel(middle, "rotation", Sampler(np.array([0.0, 1.0]), np.stack([rest, half])))
    rig = replace(rig, clips=(Clip("Half turn", (curve,)),))
    both(rig, rigs.poses(rig))


def test_a_bone_folded_onto_its_parent_is_compensated_alike(gl):
    sketch = rigs.Sketch()
    first = sketch.add("first", -1)
    second = sketch.add("second", first, (0, 1, 0), quat.from_axis_angle((0, 0, 1.0), np.pi))
    third = sketch.add("third", second, (0, 1, 0))
    sketch.add("Body", -1)
    source = rigs.make(rigs.Recipe(joints=3, influences=3))
    binds = np.tile(np.eye(4), (3, 1, 1))
    binds[:, 1, 3] = 0, -1, -2
    shown = (None, None, None, 0)
    rig = replace(
        source,
        nodes=sketch.nodes(),
        node_meshes=shown,
        node_skins=shown,
        roots=sketch.roots,
        skins=(replace(source.skins[0], joints=(first, second, third), inverse_binds=binds),),
    )
    both(rig, [rest_pose(rig)])


def test_a_scene_of_no_vertices_is_skinned_alike(gl):
    rig = rigs.make(rigs.Recipe(skins=2))
    old = rig.meshes[0].primitives[0]
    empty = replace(
        old,
        positions=np.zeros((0, 3)),
        normals=None,
        triangles=np.zeros((0, 3), dtype=int),
        influences=rigs.Influences(np.zeros((0, 4), dtype=int), np.zeros((0, 4))),
    )
    both(rig.with_primitive(0, 0, empty), [rest_pose(rig)])


def test_morph_weights_that_come_and_go_are_followed(gl):
    rig = rigs.make(rigs.Recipe(morphs=2, seed=4))
    node = next(iter(rig.node_morph_weights))
    rest = rest_pose(rig)
    poses = [
        replace(rest, morph_weights=weights)
        for weights in ({node: np.array([1.0, 0.0])}, {}, {node: np.array([0.0, -1.0])}, {})
    ]
    both(rig, poses)


def test_the_files_own_method_is_skinned_alike_part_by_part(gl):
    animated = ("translation", "rotation", "scale")
    rig = rigs.make(rigs.Recipe(seed=8, skins=2, prop=True, clips=1, animated=animated))
    for mesh, method in enumerate(("dqs", "blended")):
        primitive = rig.meshes[mesh].primitives[0]
        stated = replace(primitive, method=method, dqs_weights=np.linspace(0.0, 1.0, 24))
        rig = rig.with_primitive(mesh, 0, stated)
    deformer = Deformer(rig)
    feedback = Feedback(deformer)
    frame = deformer.frame(rigs.poses(rig)[-1])
    core = deformer.skin_all(frame, FILE, Options())
    card = feedback.skin_all(frame, FILE.id, Options())
    for one, other in zip(core, card, strict=True):
        assert np.abs(one.positions - other.positions).max() <= 1e-5
    feedback.close()


def test_another_polynomial_replaces_the_first(gl):
    rig = rigs.make(rigs.Recipe(seed=7, joints=4, shape="chain", clips=1))
    deformer = Deformer(rig)
    feedback = Feedback(deformer)
    pose = rigs.poses(rig)[-1]
    for polynomial in ("p1", "p0", "c1", "p1"):
        assert_equal(deformer, feedback, pose, Options(polynomial=polynomial))
    feedback.close()


@pytest.mark.parametrize("weights", WEIGHTS)
def test_weights_that_do_not_sum_to_one_are_the_same_on_the_card(gl, weights):
    rig = rigs.make(rigs.Recipe(seed=4, clips=1))
    stated = rig.meshes[0].primitives[0].influences.weights
    factors = np.linspace(0.5, 1.5, len(stated))[:, None]
    deformer = Deformer(rigs.with_influences(rig, weights=factors * stated), weights)
    feedback = Feedback(deformer)
    assert_equal(deformer, feedback, sample(rig, rig.clips[0], rig.clips[0].end), Options())
    feedback.close()
