"""Malformed, truncated and bit-flipped files: one sentence that says where and why, or an open rig."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import survival
from documents import arm
from survival import refusal

from rigview.io import recognise

REPOSITORY = Path(__file__).parents[2]
KHRONOS = "KhronosGroup+glTF-Validator/test/base/data/"
POINTER = (
    "KhronosGroup+glTF-Validator/test/ext/KHR_animation_pointer/data/animation/channel/target/"
)
ASSIMP = "assimp+assimp/test/models/glTF2/"
MAGNUM = "mosra+magnum-plugins/src/MagnumPlugins/"
VRM = "saturday06+VRM-Addon-for-Blender/tests/resources/vrm/broken/"
OPENS = None

# Every malformed glTF of the corpus → a part of its refusal, or None where it opens: what is wrong
# there stops nothing, and rules or notes may name it.
BROKEN_GLTF = {
    # numbers that point at nothing, or at something of another kind
    KHRONOS + "animation/unresolved_sampler_input.gltf": "accessor 1 does not exist: there are 1",
    KHRONOS + "animation/unresolved_sampler_output.gltf": "accessor 1 does not exist: there are 1",
    KHRONOS + "animation/sampler_output_count_invalid.gltf": "2 values for 1 LINEAR keys",
    KHRONOS + "animation/sampler_output_format_invalid.gltf": "accessor 1 is VEC4, not VEC3",
    KHRONOS + "mesh_data/index_buffer_oob.gltf": "vertex 5 does not exist: there are 4",
    KHRONOS + "skin/unresolved_joint.gltf": "node 0 does not exist: there are 0",
    KHRONOS + "skin/empty_object.gltf": "joints is missing",
    ASSIMP + "SchemaFailures/sceneWrongType.gltf": "/scene: wanted a whole number, found a string",
    "microsoft+glTF-SDK/GLTFSDK.Test/Resources/gltf/MissingMeshRef.gltf": "asset is missing",
    "mmannerm+animsmith/fuzz/seeds/gltf_load/regression-target-node-oob": "node 9 does not exist",
    "mmannerm+animsmith/fuzz/seeds/gltf_load/regression-u32-animation-output": "1 values for 2",
    MAGNUM + "GltfImporter/Test/animation-invalid.gltf": "accessor 0 is VEC4, not SCALAR",
    MAGNUM + "TinyGltfImporter/Test/animation-invalid.gltf": "accessor 0 is VEC4, not SCALAR",
    MAGNUM + "TinyGltfImporter/Test/skin-invalid-no-joints.gltf": "joints is missing",
    # data that are not there
    KHRONOS + "animation/sampler_bufferview_bytestride.gltf": "the buffer has no uri",
    KHRONOS + "skin/buffer_view_bytestride.gltf": "the buffer has no uri",
    KHRONOS + "mesh_data/joints_no_weights.gltf": "it ends 16 bytes after buffer 0 does",
    ASSIMP + "wrongTypes/badNumber.gltf": "BoxTextured0.bin cannot be read: no such file",
    ASSIMP + "wrongTypes/badString.gltf": "BoxTextured0.bin cannot be read: no such file",
    MAGNUM + "GltfImporter/Test/skin-invalid-buffer-notfound.gltf": "leaves the folder of the file",
    # containers
    KHRONOS + "glb/empty_file.glb": "the file is empty",
    KHRONOS + "glb/empty_json_chunk.glb": "the JSON is damaged: expecting value",
    KHRONOS + "glb/invalid_version.glb": "version 0 is not 2",
    KHRONOS + "glb/only_bin_chunk.glb": "the first chunk is not JSON",
    "microsoft+glTF-SDK/GLTFSDK.Test/Resources/glb/CubeInvalidAccessorByteOffset.glb": "this is glTF 1.0",
    "microsoft+glTF-SDK/GLTFSDK.Test/Resources/glb/WrongJsonLength.glb": "3,156 bytes after the file",
    "mmannerm+animsmith/fuzz/seeds/gltf_fix_quat_hemisphere/regression-glb-length-oom": (
        "the file ends 2,550,138,114 bytes before its stated length"
    ),
    # one meaning is left, so they open
    KHRONOS + "glb/bom.glb": OPENS,
    KHRONOS + "glb/json_and_two_buffers.glb": OPENS,
    KHRONOS + "glb/unaligned_chunk.glb": OPENS,
    KHRONOS + "animation/sampler_input_no_bounds.gltf": OPENS,
    KHRONOS + "skin/custom_property.gltf": OPENS,
    KHRONOS + "skin/empty_array.gltf": OPENS,
    KHRONOS + "mesh_data/index_buffer_primitive_restart.gltf": OPENS,
    MAGNUM + "GltfImporter/Test/buffer-invalid-short-size.glb": OPENS,
    MAGNUM + "GltfImporter/Test/buffer-invalid-short-size.gltf": OPENS,
    "stevk+glTF-Asset-Generator/Output/Negative/Mesh_PrimitiveRestart/Mesh_PrimitiveRestart_00.gltf": (
        OPENS
    ),
    "vpenades+SharpGLTF/tests/Assets/SpecialCases/Invalid_EmptyArray.gltf": OPENS,
    # bad rigs, which rules are for
    KHRONOS + "animation/channel_duplicate_targets.gltf": OPENS,
    KHRONOS + "animation_data/invalid_input_values.gltf": OPENS,
    KHRONOS + "animation_data/quaternion_non_unit_values.gltf": OPENS,
    KHRONOS + "skin/ignored_local_transform.gltf": OPENS,
    KHRONOS + "skin/ignored_parent_transform.gltf": OPENS,
    KHRONOS + "skin/no_joints_in_scene.gltf": OPENS,
    KHRONOS + "skin_data/invalid_ibm.gltf": OPENS,
    MAGNUM + "GltfImporter/Test/scene-invalid-cycle-deep.gltf": OPENS,
    MAGNUM + "GltfImporter/Test/scene-invalid-multiple-parents.gltf": OPENS,
    # what moves or draws nothing, and is noted
    KHRONOS + "animation/channel_node_no_morphs.gltf": OPENS,
    POINTER + "invalid_channel_target_node.gltf": OPENS,
    POINTER + "missing_extension_declaration.gltf": OPENS,
    POINTER + "missing_pointer.gltf": OPENS,
    VRM + "human_bone.vrm": OPENS,
    "stevk+glTF-Asset-Generator/Output/Negative/Mesh_NoPosition/Mesh_NoPosition_00.gltf": OPENS,
    VRM + "draco.vrm": OPENS,  # what is wrong there is its VRM metadata
    # faults in what nothing of the rig uses
    ASSIMP + "issue_3269/texcoord_crash.gltf": OPENS,
    "syoyo+tinygltf/models/BoundsChecking/invalid-buffer-index.gltf": OPENS,
    "syoyo+tinygltf/models/BoundsChecking/invalid-buffer-view-index.gltf": OPENS,
    "syoyo+tinygltf/models/BoundsChecking/invalid-primitive-indices.gltf": OPENS,
}
RIGS = {
    "CesiumMan": ("DRx3D+glTF-Sample-Assets-OLD/Models/CesiumMan/glTF-Binary/CesiumMan.glb",),
    "RiggedSimple": (
        "DRx3D+glTF-Sample-Assets-OLD/Models/RiggedSimple/glTF/RiggedSimple.gltf",
        "DRx3D+glTF-Sample-Assets-OLD/Models/RiggedSimple/glTF/RiggedSimple0.bin",
    ),
    "SimpleSkin": ("DRx3D+glTF-Sample-Assets-OLD/Models/SimpleSkin/glTF-Embedded/SimpleSkin.gltf",),
    "AnimatedMorphCube": (
        "DRx3D+glTF-Sample-Assets-OLD/Models/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb",
    ),
    "textured VRM": (
        "saturday06+VRM-Addon-for-Blender/tests/resources/vrm/2.93/out/blend/tga_texture.vrm",
    ),
}


def broken_files(corpus):
    manifest = json.loads((corpus / "broken" / "manifest.json").read_text(encoding="utf-8"))
    return {entry["path"]: corpus / "broken" / entry["path"] for entry in manifest}


@pytest.mark.corpus
@pytest.mark.parametrize("name", BROKEN_GLTF)
def test_a_malformed_gltf_ends_as_the_table_says(name, corpus):
    start = time.process_time()
    refused = refusal(broken_files(corpus)[name])
    assert time.process_time() - start < survival.SECONDS
    wanted = BROKEN_GLTF[name]
    assert (refused is None) == (wanted is OPENS), refused
    if wanted is not OPENS:
        assert wanted in str(refused)


@pytest.mark.corpus
def test_malformed_files_of_other_formats_open_or_are_refused(corpus):
    others = {name: path for name, path in broken_files(corpus).items() if name not in BROKEN_GLTF}
    assert len(others) == 16
    for name, path in others.items():
        start = time.process_time()
        refused = refusal(path)
        assert time.process_time() - start < survival.SECONDS, name
        if recognise(path) is None:
            assert "of no format that rigview reads" in str(refused), name


# damaged copies: one process a rig, since a limit on memory is a process's


def environment():
    # Each thread of OpenBLAS reserves memory of its own.
    return os.environ | {"PYTHONPATH": str(REPOSITORY), "OPENBLAS_NUM_THREADS": "1"}


@pytest.fixture(scope="module")
def survivors(corpus, tmp_path_factory):
    """The processes that damage and open each rig, started together."""
    processes = {}
    for name, files in RIGS.items():
        folder = tmp_path_factory.mktemp("damaged")
        command = [sys.executable, "-W", "error", survival.__file__, folder]
        processes[name] = (
            folder,
            subprocess.Popen(
                [*command, *(corpus / "rigs" / file for file in files)],
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            ),
        )
    yield processes
    for _, process in processes.values():
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


@pytest.mark.thorough(keep=1)
@pytest.mark.corpus
@pytest.mark.thorough
@pytest.mark.parametrize("name", RIGS)
def test_truncated_and_flipped_rigs_open_or_are_refused(name, survivors):
    pytest.importorskip("resource", reason="limits on memory are POSIX")
    folder, process = survivors[name]
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, f"{(folder / 'case.txt').read_text()}\n{errors}"
    result = json.loads(output)
    assert result["opens"] + result["refused"] == result["tried"]
    assert min(result["opens"], result["refused"]) > 5  # both ways are tried
    assert result["slowest"] < survival.SECONDS
    assert result["peak"] < survival.BYTES
    assert not result["out_of_memory"]


# the command line


def rigview(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "rigview", *map(str, arguments)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def cut(path, size):
    path.write_bytes(arm().save_glb(path).read_bytes()[:size])


def without_buffer(path):
    arm().save(path.with_suffix(".gltf"), uri="gone.bin").replace(path)
    (path.parent / "gone.bin").unlink()


@pytest.mark.parametrize("command", ["info", "check", "fix", "bake"])
@pytest.mark.parametrize(
    "damage",
    [lambda path: cut(path, 900), without_buffer, lambda path: path.write_bytes(b"\0" * 99)],
    ids=["cut", "without its buffer", "zeros"],
)
def test_commands_say_one_sentence_about_bad_input_and_write_nothing(command, damage, tmp_path):
    path = tmp_path / "bad\nrig.glb"
    damage(path)
    before = sorted(tmp_path.iterdir())
    out = {"fix": ["-o", tmp_path / "out.glb"], "bake": ["-o", tmp_path / "out.npz"]}
    done = rigview(command, path, *out.get(command, []))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"rigview: {tmp_path}/bad\\nrig.glb: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")
    assert sorted(tmp_path.iterdir()) == before
