"""``rigview bake``: the skinned vertices of one pose as a file."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.core.deform import Deformer
from rigview.core.motion.deltas import frame_times
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options
from rigview.io import Loaded, load, save

ARRAYS = {"positions", "normals", "primitive", "vertex"}


def baked(path):
    with np.load(path) as arrays:
        return {name: arrays[name] for name in arrays.files}


def skinned(path, clip=0, time=0.0, method="lbs", **options):
    rig = load(path).rig
    deformer = Deformer(rig)
    frame = deformer.frame(sample(rig, None if clip is None else rig.clips[clip], time))
    return deformer.skin_all(frame, METHODS[method], Options(**options))[0]


@pytest.fixture
def bake(rigview, tmp_path):
    """Bake to NPZ and return its arrays."""

    def run(path, *arguments):
        out = tmp_path / "pose.npz"
        done = rigview("bake", path, "-o", out, *arguments)
        assert (done.status, done.out, done.err) == (0, f"{out}\n", "")
        return baked(out)

    return run


def test_the_arrays_have_the_shapes_and_numbers_of_the_design(bake, box):
    arrays = bake(box)
    assert set(arrays) >= ARRAYS
    wanted = skinned(box)
    vertices = len(wanted.positions)
    assert arrays["positions"].shape == arrays["normals"].shape == (vertices, 3)
    np.testing.assert_array_equal(arrays["vertex"], np.arange(vertices))
    np.testing.assert_array_equal(arrays["primitive"], np.zeros(vertices))
    np.testing.assert_allclose(arrays["positions"], wanted.positions, atol=1e-12)
    np.testing.assert_allclose(arrays["normals"], wanted.normals, atol=1e-12)


@pytest.mark.parametrize("method", ["lbs", "dqs", "compensated"])
def test_a_method_is_the_cores(bake, box, method):
    arrays = bake(box, "--time", 1.75, "--method", method)
    np.testing.assert_allclose(
        arrays["positions"], skinned(box, 0, 1.75, method).positions, atol=1e-12
    )


def test_the_defaults_are_the_first_clip_at_its_start_linear_at_full_strength(bake, box):
    plain = bake(box)["positions"]
    stated = bake(
        box, "--clip", 0, "--time", 0, "--method", "lbs", "--strength", 1, "--scale", "vertex",
        "--polynomial", "p1", "--axis", "auto", "--backend", "cpu",
    )["positions"]  # fmt: skip
    np.testing.assert_array_equal(plain, stated)


def test_the_files_own_method_is_linear(bake, box):
    np.testing.assert_array_equal(
        bake(box, "--time", 1.0, "--method", "file")["positions"],
        bake(box, "--time", 1.0, "--method", "lbs")["positions"],
    )


def test_no_clip_is_the_rest_pose(bake, box):
    arrays = bake(box, "--clip", "none")
    np.testing.assert_allclose(arrays["positions"], skinned(box, None).positions, atol=1e-12)
    assert np.abs(arrays["positions"] - skinned(box, 0, 1.75).positions).max() > 0.1


def test_a_clip_is_found_by_name_and_by_number(bake, samples):
    chain = samples / "chain.glb"
    named = bake(chain, "--clip", "Wave", "--time", 0.7)["positions"]
    np.testing.assert_array_equal(named, bake(chain, "--clip", 1, "--time", 0.7)["positions"])
    np.testing.assert_allclose(named, skinned(chain, 1, 0.7).positions, atol=1e-12)


@pytest.mark.parametrize("given", [("--time", 99), ("--time", -5), ("--frame", 9999)])
def test_a_time_outside_the_clip_is_refused(rigview, box, tmp_path, given):
    done = rigview("bake", box, "-o", tmp_path / "pose.npz", *given)
    assert done.status == 2
    assert f"{given[0]} {given[1]}" in done.err
    assert "outside the clip" in done.err
    assert not (tmp_path / "pose.npz").exists()


def test_a_strength_of_nothing_is_dual_quaternion_skinning(bake, box):
    none = bake(box, "--time", 1.75, "--method", "compensated", "--strength", 0)["positions"]
    dqs = bake(box, "--time", 1.75, "--method", "dqs")["positions"]
    np.testing.assert_allclose(none, dqs, atol=1e-12)


def test_a_rig_without_meshes_gives_empty_arrays(bake, skeleton):
    arrays = bake(skeleton)
    assert arrays["positions"].shape == arrays["normals"].shape == (0, 3)
    assert arrays["primitive"].shape == arrays["vertex"].shape == (0,)


def test_obj_and_ply_hold_the_same_vertices(rigview, box, tmp_path):
    wanted = skinned(box, 0, 1.0)
    obj, ply = tmp_path / "pose.obj", tmp_path / "pose.ply"
    for out in (obj, ply):
        assert rigview("bake", box, "-o", out, "--time", 1).status == 0
    lines = obj.read_text().splitlines()
    points = [[float(x) for x in line.split()[1:4]] for line in lines if line.startswith("v ")]
    np.testing.assert_allclose(points, wanted.positions, atol=1e-5)
    head = ply.read_bytes().split(b"end_header")[0].decode()
    assert head.startswith("ply\n")
    assert f"element vertex {len(wanted.positions)}\n" in head


@pytest.mark.gl
def test_the_shaders_bake_what_the_core_does(bake, box):
    cpu = bake(box, "--time", 1.0, "--method", "dqs")["positions"]
    gl = bake(box, "--time", 1.0, "--method", "dqs", "--backend", "gl")["positions"]
    np.testing.assert_allclose(gl, cpu, atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "pose.txt"], ".npz"),
        (["-o", "pose.npz", "--method", "magic"], "did you mean basic?"),
        (["-o", "pose.npz", "--clip", "Jump"], "Twist"),
        (["-o", "pose.npz", "--clip", "7"], "Twist"),
        (["-o", "pose.npz", "--axis", "up"], "+x"),
        (["-o", "pose.npz", "--strength", "2"], "0 to 1"),
        (["-o", "pose.npz", "--time", "nan"], "time"),
        (["-o", "no/such/folder/pose.npz"], "no/such/folder"),
    ],
)
def test_what_cannot_be_baked_is_said_with_what_could(rigview, box, tmp_path, arguments, words):
    arguments[1] = tmp_path / arguments[1]
    done = rigview("bake", box, *arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.gl
def test_packed_weights_move_the_skin_a_little_and_are_the_shaders_affair(rigview, bake, box):
    exact = bake(box, "--time", 1.75, "--backend", "gl")["positions"]
    packed = bake(box, "--time", 1.75, "--backend", "gl", "--weight-bits", 8)["positions"]
    assert 1e-6 < np.abs(packed - exact).max() < 1e-2
    for flags in (["--weight-bits", 8], ["--backend", "gl", "--weight-bits", "8,16"]):
        done = rigview("bake", box, "-o", "pose.npz", *flags)
        assert (done.status, done.out) == (2, "")


def test_weights_are_baked_as_the_file_states_them_unless_normalised_ones_are_asked_for(
    bake, broken
):
    path = broken("WGT-SUM")
    literal, normalised = bake(path), bake(path, "--weights", "normalised")
    np.testing.assert_allclose(literal["positions"], skinned(path).positions, atol=1e-12)
    apart = np.linalg.norm(normalised["positions"] - literal["positions"], axis=1)
    assert apart.max() > 1e-3


def test_an_obj_has_the_names_of_meshes_and_their_texture_coordinates(rigview, samples, tmp_path):
    out = tmp_path / "pose.obj"
    path = next(
        p for p in sorted(samples.glob("*.glb")) if load(p).rig.primitive(load(p).rig.parts[0]).uvs
    )
    assert rigview("bake", path, "-o", out).status == 0
    rig, lines = load(path).rig, out.read_text().splitlines()
    uvs = np.concatenate([rig.primitive(part).uvs[0] for part in rig.parts])
    stated = [[float(x) for x in line.split()[1:]] for line in lines if line.startswith("vt ")]
    np.testing.assert_allclose(stated, np.stack([uvs[:, 0], 1 - uvs[:, 1]], axis=1), atol=1e-6)
    groups = [line[2:] for line in lines if line.startswith("g ")]
    assert groups == ["_".join(rig.meshes[part.mesh].name.split()) for part in rig.parts]
    corner = next(line for line in lines if line.startswith("f ")).split()[1]
    assert len(set(corner.split("/"))) == 1
    assert corner.count("/") == 2


def test_all_clips_are_written_frame_by_frame_under_names_of_their_own(rigview, samples, tmp_path):
    rig = load(samples / "faulty_arm.glb").rig
    again = replace(
        rig, clips=(rig.clips[0], replace(rig.clips[0]), replace(rig.clips[0], name="a/b c"))
    )
    rigs, out = tmp_path / "rig.glb", tmp_path / "pose.npz"
    save(Loaded(rigs, again, None), again, rigs)
    done = rigview("bake", rigs, "-o", out, "--clip", "all", "--fps", 4)
    assert done.status == 0
    written = [Path(line) for line in done.out.splitlines()]
    clips = load(rigs).rig.clips
    wanted = [(c, t) for c in clips for t in frame_times(c, 4.0)]
    assert len(set(written)) == len(wanted) > 3
    assert {path.parent for path in written} == {tmp_path}
    assert "pose.2.a_b_c.0000.npz" in {path.name for path in written}
    deformer = Deformer(load(rigs).rig, "literal")
    for path, (clip, time) in zip(written, wanted, strict=True):
        frame = deformer.frame(sample(deformer.rig, clip, time))
        parts = deformer.skin_all(frame, METHODS["lbs"], Options())
        np.testing.assert_allclose(
            baked(path)["positions"], np.concatenate([p.positions for p in parts]), atol=1e-12
        )


def test_every_frame_and_one_time_exclude_each_other(rigview, box, tmp_path):
    told = rigview("bake", box, "-o", tmp_path / "a.obj", "--clip", "all", "--time", 1)
    assert told.status == 2
    assert "leave --time and --frame out" in told.err


def test_no_frame_is_written_over_the_rig(rigview, box, tmp_path):
    rig = tmp_path / "pose.0.Bend.0000.npz"
    rig.write_bytes(box.read_bytes())
    clip = load(box).rig.clip_names[0]
    copy = rig.rename(tmp_path / f"pose.0.{clip}.0000.obj")
    told = rigview("bake", copy, "-o", tmp_path / "pose.obj", "--clip", "all")
    assert told.status == 2
    assert copy.read_bytes() == box.read_bytes()


def test_a_file_without_clips_has_no_frames_to_write(rigview, skeleton, tmp_path):
    told = rigview("bake", skeleton, "-o", tmp_path / "a.obj", "--clip", "all")
    assert told.status == 2
    assert "there is no clip whose frames" in told.err
