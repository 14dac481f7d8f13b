"""The project's own sound rigs: small, reproducible, and without anything to find."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from rigview.check.catalogue import RULES
from rigview.check.rule import PROFILES
from rigview.check.run import run
from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
FPS = 30.0


@dataclass(frozen=True)
class Wanted:
    clips: tuple[str, ...]
    joints: range
    most_bytes: int


BENDS = ("Bend", "Twist", "Bend and twist")
GOOD = {
    "arm.glb": Wanted(("Bend", "Twist", "Fist"), range(20, 24), 250_000),
    "biped.glb": Wanted(("Walk", "Range_Of_Motion"), range(60, 71), 450_000),
    "box.glb": Wanted(("Twist",), range(2, 3), 300_000),
    "candy.glb": Wanted(("Candy_Wrapper",), range(60, 71), 450_000),
    "chain.glb": Wanted(("Curl", "Wave"), range(4, 5), 300_000),
    "cylinder_narrow.glb": Wanted(BENDS, range(2, 3), 300_000),
    "cylinder_wide.glb": Wanted(BENDS, range(2, 3), 300_000),
}
every_sample = pytest.mark.parametrize("name", GOOD)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder into which the script has just written its samples."""
    folder = tmp_path_factory.mktemp("made")
    script = str(SAMPLES / "make.py")
    subprocess.run([sys.executable, script, str(folder)], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def rigs():
    return {name: load(SAMPLES / name).rig for name in GOOD}


@pytest.mark.thorough(keep=6)
@every_sample
def test_the_script_makes_the_committed_file_byte_for_byte(name, made):
    assert (made / name).read_bytes() == (SAMPLES / name).read_bytes()


@every_sample
def test_a_sample_is_small(name):
    assert (SAMPLES / name).stat().st_size < GOOD[name].most_bytes


@every_sample
def test_a_sample_opens_whole_and_without_notes(name):
    loaded = load(SAMPLES / name)
    assert not loaded.notes
    assert not loaded.rig.unread


@every_sample
def test_a_sample_has_its_clips_and_joints(name, rigs):
    assert tuple(clip.name for clip in rigs[name].clips) == GOOD[name].clips
    assert len(rigs[name].joints) in GOOD[name].joints


@every_sample
def test_the_rest_pose_is_the_bind_pose(name, rigs):
    rig = rigs[name]
    model_from_joint = model_from_nodes(rig, rest_pose(rig))[list(rig.skins[0].joints)]
    skin_matrices = model_from_joint @ rig.skins[0].joint_from_mesh
    assert np.abs(skin_matrices - np.eye(4)).max() < 1e-6


@every_sample
def test_weights_are_sorted_and_sum_to_one_in_single_precision(name, rigs):
    rig = rigs[name]
    influences = rig.primitive(rig.parts[0]).influences
    sums = influences.weights.astype(np.float32).sum(axis=1, dtype=np.float32)
    assert np.abs(sums - 1.0).max() < 1e-6
    assert np.all(np.diff(influences.weights, axis=1) <= 0.0)
    assert np.all(influences.joints[influences.weights == 0.0] == 0)


@every_sample
def test_every_bone_runs_along_its_joints_y(name, rigs):
    rig = rigs[name]
    bones = Deformer(rig).skeleton
    model = model_from_nodes(rig, rest_pose(rig))[bones.joints]
    with_child = np.flatnonzero(bones.primary >= 0)
    along = model[bones.primary[with_child], :3, 3] - model[with_child, :3, 3]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    assert np.abs(along - model[with_child, :3, 1]).max() < 1e-6


@every_sample
def test_keys_lie_on_frames_and_turn_by_at_most_a_quarter_turn(name, rigs):
    for clip in rigs[name].clips:
        frames = clip.key_times * FPS
        assert np.abs(frames - np.round(frames)).max() < 1e-4
        for node in rigs[name].joints:
            curve = clip.curve(node, "rotation")
            if curve is not None:
                between = quat.multiply(quat.conjugate(curve.keys[:-1]), curve.keys[1:])
                assert between[:, 3].min() > np.cos(np.pi / 4.0) - 1e-6


@every_sample
def test_nothing_scales(name, rigs):
    rig = rigs[name]
    assert np.all(rig.nodes.scales == 1.0)
    assert not rig.nodes.matrices
    assert not any(clip.curve(n, "scale") for clip in rig.clips for n in rig.joints)


@every_sample
def test_every_clip_ends_as_it_begins(name, rigs):
    rig = rigs[name]
    for clip in rig.clips:
        pose = sample(rig, clip, np.array([clip.start, clip.end]))
        assert np.abs(np.diff(pose.local_matrices(), axis=0)).max() < 1e-6


# What the samples are made to show: what skinning does to a shape, linear and by dual quaternions.
SHOWN = {
    "arm.glb": ({"DEF-COLLAPSE"}, set()),
    "biped.glb": ({"DEF-BULGE", "DEF-COLLAPSE", "DEF-STRETCH"}, {"DEF-BULGE", "DEF-STRETCH"}),
    "candy.glb": ({"DEF-COLLAPSE"}, {"DEF-STRETCH"}),
    "box.glb": ({"DEF-COLLAPSE"}, set()),
    "chain.glb": (set(), {"DEF-BULGE"}),
    "cylinder_narrow.glb": ({"DEF-STRETCH"}, {"DEF-STRETCH"}),
    "cylinder_wide.glb": ({"DEF-COLLAPSE"}, set()),
}


@every_sample
def test_a_sample_shows_what_it_is_made_to_show_and_no_other_fault(name, rigs):
    for profile, shown in zip(("gltf", "dqs"), SHOWN[name], strict=True):
        assert {f.rule for f in run(rigs[name], profile).findings} == shown


@every_sample
@pytest.mark.parametrize("profile", PROFILES)
def test_no_profile_finds_a_fault_of_the_set_up(name, profile, rigs):
    shape = [rule.id for rule in RULES if rule.id.startswith("DEF-")]
    found = run(rigs[name], profile, ignore=[*shape, "MSH-BOUNDS"]).findings
    assert found == ()


@every_sample
def test_the_skin_is_closed(name, rigs):
    rig = rigs[name]
    primitive = rig.primitive(rig.parts[0])
    # Vertices that differ in normal or texture coordinate only are one corner.
    _, corner = np.unique(primitive.positions, axis=0, return_inverse=True)
    triangles = corner.reshape(-1)[primitive.triangles]
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    forth, back = (np.unique(e, axis=0, return_counts=True) for e in (edges, edges[:, ::-1]))
    assert np.all(forth[1] == 1)
    assert np.array_equal(forth[0], back[0])


@pytest.mark.parametrize(
    ("name", "sigma"), [("cylinder_narrow.glb", 0.25), ("cylinder_wide.glb", 1)]
)
def test_a_cylinder_blends_over_its_width(name, sigma, rigs):
    rig = rigs[name]
    primitive = rig.primitive(rig.parts[0])
    weights = dense_weights(primitive, 2)
    middle = primitive.positions[:, 1] == 4.0
    assert np.allclose(weights[middle], 0.5)
    heights, place = np.unique(primitive.positions[:, 1], return_index=True)
    slope = np.gradient(weights[place, 1], heights)
    assert slope.max() == pytest.approx(1.0 / (sigma * np.sqrt(2.0 * np.pi)), rel=0.03)


@pytest.mark.parametrize("name", ["chain.glb", "cylinder_narrow.glb", "cylinder_wide.glb"])
def test_weights_run_out_without_an_edge(name, rigs):
    rig = rigs[name]
    primitive = rig.primitive(rig.parts[0])
    _, place = np.unique(primitive.positions[:, 1], return_index=True)
    weights = dense_weights(primitive, len(rig.joints))[place]
    falls = np.abs(np.diff(weights, axis=0))
    for joint in range(weights.shape[1]):
        last = np.flatnonzero(np.diff((weights[:, joint] > 0.0).astype(int)))
        for ring in last:
            # The last fall, to nothing, is hardly steeper than the one before.
            before = (
                falls[ring - 1, joint] if weights[ring, joint] > 0.0 else falls[ring + 1, joint]
            )
            assert falls[ring, joint] < 1.4 * before


def test_around_the_middle_of_the_chain_three_joints_share_the_skin(rigs):
    rig = rigs["chain.glb"]
    weights = dense_weights(rig.primitive(rig.parts[0]), 4)
    assert np.sort(weights, axis=1)[:, -3].max() > 0.2


def dense_weights(primitive, joints):
    """The weights (V, J) of a primitive."""
    dense = np.zeros((len(primitive.positions), joints))
    for slot in range(primitive.influences.joints.shape[1]):
        rows = np.arange(len(dense))
        dense[rows, primitive.influences.joints[:, slot]] += primitive.influences.weights[:, slot]
    return dense


@pytest.fixture(scope="module")
def biped(rigs):
    return rigs["biped.glb"]


@pytest.fixture(scope="module")
def skin(biped):
    """The biped's primitive, its joints' names, its weights (V, J)."""
    names = [biped.nodes.names[joint] for joint in biped.skins[0].joints]
    primitive = biped.primitive(biped.parts[0])
    return primitive, names, dense_weights(primitive, len(names))


def test_the_biped_is_its_own_mirror_image_in_shape_and_weights(skin):
    primitive, names, weights = skin
    number = {tuple(p): i for i, p in enumerate(primitive.positions)}
    image = np.array([number[tuple(p)] for p in primitive.positions * (-1.0, 1.0, 1.0)])
    swapped = {"_l": "_r", "_r": "_l"}
    other = [names.index(n[:-2] + swapped.get(n[-2:], n[-2:])) for n in names]
    assert np.array_equal(weights[image][:, other], weights)
    assert np.array_equal(primitive.normals[image] * (-1.0, 1.0, 1.0), primitive.normals)
    faces = {frozenset(f) for f in primitive.triangles.tolist()}
    assert faces == {frozenset(f) for f in image[primitive.triangles].tolist()}


def test_the_bipeds_joints_are_mirror_images_too(biped):
    model = model_from_nodes(biped, rest_pose(biped))
    place = {name: model[i, :3, 3] for i, name in enumerate(biped.nodes.names)}
    left = [name for name in place if name.endswith("_l")]
    assert len(left) == 29
    for name in left:
        assert place[name][0] > 0.0
        assert np.allclose(place[name] * (-1.0, 1.0, 1.0), place[f"{name[:-2]}_r"], atol=1e-7)


def test_no_joint_of_one_side_moves_skin_of_the_other(skin):
    primitive, names, weights = skin
    left = [i for i, name in enumerate(names) if name.endswith("_l")]
    assert weights[primitive.positions[:, 0] <= 0.0][:, left].max() == 0.0


def test_fingers_share_skin_in_the_webs_only(skin):
    _, names, weights = skin
    fingers = ("thumb", "index", "middle", "ring", "pinky")
    shares = np.stack(
        [
            weights[
                :, [i for i, n in enumerate(names) if n.startswith(f) and n.endswith("_l")]
            ].sum(1)
            for f in fingers
        ],
        axis=1,
    )
    shares.sort(axis=1)
    beyond_the_first_joint = weights[
        :, [i for i, n in enumerate(names) if n.startswith(fingers) and n[-4:-2] in ("02", "03")]
    ].sum(1)
    assert shares[beyond_the_first_joint > 0.5, -2].max() < 0.01
    assert np.count_nonzero(shares[:, -2] > 0.05) < 40


def test_the_biped_stands_on_the_ground_as_tall_as_a_man(skin):
    positions = skin[0].positions
    assert positions[:, 1].min() == pytest.approx(0.0, abs=0.01)
    assert positions[:, 1].max() == pytest.approx(1.8, abs=0.02)


def test_the_walk_carries_the_pelvis_on_a_cubic_spline(biped):
    walk = biped.clips[0]
    pelvis = biped.nodes.names.index("pelvis")
    assert walk.curve(pelvis, "translation").interpolation == "CUBICSPLINE"
    assert walk.curve(pelvis, "rotation").interpolation == "LINEAR"
    assert walk.end == pytest.approx(32 / FPS)


def test_a_foot_of_the_walk_stays_above_the_ground_and_carries_on_it(biped):
    times = np.linspace(0.0, 32 / FPS, 33)
    model = model_from_nodes(biped, sample(biped, biped.clips[0], times))
    ball = model[:, biped.nodes.names.index("ball_l"), :3, 3]
    rest = model_from_nodes(biped, rest_pose(biped))[biped.nodes.names.index("ball_l"), :3, 3]
    carrying = slice(4, 18)
    assert np.abs(ball[carrying, 1] - rest[1]).max() < 0.012
    assert ball[:, 1].min() > rest[1] - 0.012
    # The ground moves evenly backwards under the foot.
    steps = np.diff(ball[carrying, 2])
    assert np.all(steps < 0.0)
    assert np.ptp(steps) < 0.012
