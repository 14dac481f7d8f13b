"""FBX against what the programs that wrote the files make of them: meshes exported frame by frame.

Beside many FBX files of the corpus lie ``NAME_FRAME.obj``: the same scene as Maya, 3ds Max or Blender
evaluated and baked it. Every vertex is compared, by its number in the file.
"""

import json
import re
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest

from rigview.core import affine
from rigview.core.deform import Deformer
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.skinning import METHODS, Options
from rigview.io import load
from rigview.io.fbx.mesh import read_geometries
from rigview.io.fbx.objects import Objects, matrices
from rigview.io.fbx.reader import document
from rigview.io.fbx.settings import read_settings

pytestmark = pytest.mark.corpus

# Share of the mesh's size. The files hold six digits after the point, and the smallest mesh is one
# unit large: they cannot tell less than half of this.
TOLERANCE = 1e-6

FOLDER = "rigs/ufbx+ufbx/data"
ENCODINGS = ("7500_binary", "7500_ascii")
SAUSAGE = (*ENCODINGS, "6100_ascii")


@dataclass(frozen=True)
class Case:
    """Exported frames of one scene.

    Parameters
    ----------
    files
        What follows the scene's name in the names of its FBX files.
    frames
        As the names of the OBJ files count them; None for the rest pose.
    from_start
        Whether they count from the start of the clip, not from time 0.
    moved_again
        Whether the program moved the skinned mesh by what its own node moved since it was bound,
        as Maya does; FBX SDK, engines and glTF do not.
    limits
        Mesh → its own tolerance, None where it is not compared; `REASONS` says why.
    """

    scene: str
    files: tuple[str, ...]
    frames: tuple[int | None, ...]
    method: str = "lbs"
    from_start: bool = False
    moved_again: bool = False
    limits: dict[str, float | None] = field(default_factory=dict)


CASES = (
    Case("blender440_shape_weight_anim", ("7400_binary",), (5, 15, 25)),
    Case("blender_293_half_skinned", ("7400_binary",), (None,)),
    Case("maya_axes_anim", ("7700_ascii",), (0, 5, 8), limits={"Y": None, "Z": 6e-4}),
    Case("maya_blend_inbetween", ENCODINGS, (1, 30, 60, 65, 71, 80, 89, 120)),
    Case("maya_dq_weights", ENCODINGS, (10, 18), method="blended"),
    Case("maya_dual_quaternion", ("7500_ascii",), (None,), method="dqs"),
    Case("maya_game_sausage_wiggle", SAUSAGE, (10, 18)),
    Case("maya_game_sausage_spin", SAUSAGE, (7, 15), from_start=True),
    Case("maya_game_sausage_deform", SAUSAGE, (8, 15), from_start=True),
    Case("maya_kenney_character", ("7700_binary",), (4, 9)),
    Case("maya_skinned_pivot", ("7700_ascii",), (None,)),
    Case(
        "maya_transformed_skin",
        ("7700_binary", "7700_ascii", "6100_binary", "6100_ascii"),
        (0, 4, 8),
        moved_again=True,
    ),
    Case("max2009_cube_anim", ("6100_binary", "6100_ascii"), (15, 45)),
)
# Y is moved by a vertex cache that is not in the corpus; one vertex of Z lost a weight of .0015 when
# it was exported.
REASONS = {"Y": "vertex caches are not played: the file names 2", "Z": "off one by up to 0.00151"}
# Frames whose FBX is not in the corpus.
WITHOUT_FBX = ("maya_axes_anim_lefthanded", "maya_game_sausage_wiggle_lefthanded")


def fbx_name(scene, suffix):
    clip = re.fullmatch(r"(maya_game_sausage)_(\w+)", scene)
    return f"{clip[1]}_{suffix}_{clip[2]}.fbx" if clip else f"{scene}_{suffix}.fbx"


RUNS = [
    pytest.param(case, fbx_name(case.scene, suffix), frame, id=f"{case.scene}-{suffix}-{frame}")
    for case in CASES
    for suffix in case.files
    for frame in case.frames
]


def read_obj(path):
    """Return vertices ``(V, 3)`` and, by name, the number of the first vertex of every mesh."""
    vertices, firsts, group = [], {}, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, *words = line.split() or [""]
        if kind == "v":
            vertices.append([float(word) for word in words])
        elif kind == "g":
            group = words[-1] if words else ""
        elif kind == "f":
            lowest = min(int(word.split("/")[0]) for word in words) - 1
            firsts[group] = min(lowest, firsts.get(group, lowest))
    return np.array(vertices), firsts


@cache
def opened(path):
    """Return the rig, its deformer, node → control points of its primitives, and the axes."""
    rig = load(path).rig
    source = document(path)
    root = source.root()
    objects = Objects(root)
    points = {}
    for model in objects.of_kind("Model"):
        found = objects.sources(model.key, "Geometry", "Mesh")
        owner = found[0].node if found else model.node
        if owner.child("Vertices") is not None:
            (found,) = read_geometries([owner])
            points[model.name] = [surface.control_points for surface in found.surfaces]
    return rig, Deformer(rig), points, read_settings(root, source.version).axes


def pose_of(rig, case, frame):
    if frame is None:
        return rest_pose(rig)
    clip = rig.clips[0]
    start = clip.start if case.from_start else 0.0
    return sample(rig, clip, start + frame / rig.origin.fps)


def moved_since_bound(path, frame):
    """Return what a mesh's node moved since its mesh was bound."""
    clusters = Objects(document(path).root()).of_kind("Deformer")
    cluster = next(element.node for element in clusters if element.sort == "Cluster")
    link, transform = matrices([cluster.need(name) for name in ("TransformLink", "Transform")])
    bound = link @ transform
    bound[:3, 3] *= 0.01
    return frame @ affine.inverse(bound)


def distances(path, obj, case, frame):
    """Return mesh → the largest distance of a vertex from where the program put it.

    Distances are shares of the size of everything.
    """
    rig, deformer, points, axes = opened(path)
    wanted, firsts = read_obj(obj)
    pose = pose_of(rig, case, frame)
    drawn = deformer.frame(pose)
    frames = model_from_nodes(rig, pose)
    # Maya blends the scales of joints before it blends their motions.
    skinned = deformer.skin_all(drawn, METHODS[case.method], Options(scale="origin"))
    size, compared = np.ptp(wanted, axis=0).max(), set()
    result = {}
    for part, mesh in zip(rig.parts, skinned, strict=True):
        name = rig.nodes.names[part.node]
        got = mesh.positions
        if case.moved_again:
            got = affine.transform_points(moved_since_bound(path, frames[part.node]), got)
        numbers = firsts[name] + points[name][part.primitive]
        compared.update(numbers.tolist())
        off = np.linalg.norm(got @ axes / rig.origin.unit_m - wanted[numbers], axis=1)
        result[name] = max(result.get(name, 0.0), float(off.max() / size))
    assert compared == set(range(len(wanted))), "not every vertex was compared"
    return result


@pytest.mark.parametrize(("case", "name", "frame"), RUNS)
def test_every_vertex_is_where_the_program_puts_it(corpus, case, name, frame):
    suffix = "" if frame is None else f"_{frame}"
    obj = corpus / FOLDER / f"{case.scene}{suffix}.obj"
    for mesh, off in distances(corpus / FOLDER / name, obj, case, frame).items():
        limit = case.limits.get(mesh, TOLERANCE)
        assert limit is None or off <= limit, mesh


def test_what_is_compared_loosely_is_noted_in_the_file(corpus):
    notes = load(corpus / FOLDER / "maya_axes_anim_7700_ascii.fbx").notes
    for reason in REASONS.values():
        assert any(reason in note for note in notes), reason


def test_no_exported_frame_is_left_out(corpus):
    covered = {
        f"{case.scene}{'' if frame is None else f'_{frame}'}"
        for case in CASES
        for frame in case.frames
    }
    found = {path.stem for path in (corpus / FOLDER).glob("*.obj")}
    assert found - covered == {s for s in found if s.startswith(WITHOUT_FBX)}
    assert covered <= found
    named = {fbx_name(scene, "*") for scene in WITHOUT_FBX}
    assert not any(list((corpus / FOLDER).glob(name)) for name in named)


@pytest.mark.parametrize(
    "scene", ["maya_dual_quaternion", "maya_dq_weights", "maya_kenney_character"]
)
def test_another_method_would_be_caught(corpus, scene):
    case = next(case for case in CASES if case.scene == scene)
    wrong = "dqs" if case.method == "lbs" else "lbs"
    frame = case.frames[0]
    suffix = "" if frame is None else f"_{frame}"
    off = distances(
        corpus / FOLDER / fbx_name(scene, case.files[0]),
        corpus / FOLDER / f"{scene}{suffix}.obj",
        Case(scene, case.files, case.frames, method=wrong),
        frame,
    )
    assert max(off.values()) > 100 * TOLERANCE


def golden():
    return (
        ("ufbx_maya_dual_quaternion_pCube1", "maya_dual_quaternion", None),
        ("ufbx_maya_dq_weights_10_pCube1", "maya_dq_weights", 10),
        ("ufbx_maya_dq_weights_18_pCube1", "maya_dq_weights", 18),
        ("ufbx_maya_game_sausage_wiggle_10_pCube1", "maya_game_sausage_wiggle", 10),
        ("ufbx_maya_game_sausage_spin_7_pCube1", "maya_game_sausage_spin", 7),
        ("ufbx_maya_game_sausage_deform_8_pCube1", "maya_game_sausage_deform", 8),
        ("ufbx_maya_kenney_character_4_characterMedium", "maya_kenney_character", 4),
    )


@pytest.mark.parametrize(("file", "scene", "frame"), golden())
def test_weights_and_shares_are_those_of_the_golden_results(corpus, file, scene, frame):
    case = next(case for case in CASES if case.scene == scene)
    rig, _, points, _ = opened(corpus / FOLDER / fbx_name(scene, case.files[-1]))
    index = json.loads((corpus / "golden" / "index.json").read_text(encoding="utf-8"))
    assert f"{file}.npz" in {entry["file"] for entry in index}
    with np.load(corpus / "golden" / f"{file}.npz") as stored:
        wanted = {name: stored[name] for name in stored.files}
    (part,) = (p for p in rig.parts if p.skin is not None)
    primitive = rig.primitive(part)
    at = points[rig.nodes.names[part.node]][part.primitive]
    joints = len(rig.skins[part.skin].joints)
    got = dense(primitive.influences.joints, primitive.influences.weights, joints)
    stated = dense(wanted["joint_indices"], wanted["joint_weights"], joints)[at]
    stated /= stated.sum(axis=1, keepdims=True)
    # The order of the joints is each reader's own.
    np.testing.assert_allclose(np.sort(got), np.sort(stated), atol=1e-6)
    shares = primitive.dqs_weights
    if shares is None:
        shares = np.full(len(at), float(primitive.method == "dqs"))
    np.testing.assert_allclose(shares, wanted["dq_weight"][at], atol=1e-6)


def dense(joints, weights, count):
    result = np.zeros((len(joints), count))
    np.add.at(result, (np.arange(len(joints))[:, None], joints), weights)
    return result
