"""``rigview transfer``: the target's copy has the source's weights, and nothing else is changed."""

import shutil

import numpy as np
import pytest

from rigview.assets import resource
from rigview.core.deform import Deformer
from rigview.core.mesh import Mesh, Primitive
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import range_of_motion
from rigview.core.nodes import Nodes
from rigview.core.pose import sample
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS, Options
from rigview.io import load
from rigview.io.gltf.export.document import save as save_new


@pytest.fixture
def twin(samples, tmp_path):
    """Return a copy of a sample under another name."""
    path = tmp_path / "twin.glb"
    shutil.copyfile(samples / "biped.glb", path)
    return path


def test_weights_of_a_twin_are_its_own(rigview, samples, twin, tmp_path):
    out = tmp_path / "out.glb"
    got = rigview("transfer", samples / "biped.glb", twin, "-o", out, "--vertices", "all")
    assert got.status == 0
    assert "100 % known" in got.out
    assert "64 joints by name" in got.out
    before, after = (load(p).rig.meshes[0].primitives[0].influences for p in (twin, out))
    assert np.array_equal(before.heaviest, after.heaviest)


def test_a_dry_run_tells_and_writes_nothing(rigview, samples, twin, tmp_path):
    got = rigview(
        "transfer", samples / "biped.glb", twin, "--vertices", "all", "--dry-run", "--json"
    )
    assert got.status == 0
    (mesh,) = got.json["meshes"]
    assert (mesh["vertices"], mesh["known"], mesh["filled"], mesh["alone"]) == (6471, 6471, 0, 0)
    assert mesh["displacement"]["lbs"]["rms"] < 1e-4
    assert {pair["by"] for pair in got.json["joints"]} == {"name"}
    assert got.json["deformation"]["joints"] == {}
    assert list(tmp_path.iterdir()) == [twin]


def test_a_target_with_all_weights_stays_byte_for_byte(rigview, samples, twin, tmp_path):
    out = tmp_path / "out.glb"
    got = rigview("transfer", samples / "biped.glb", twin, "-o", out)
    assert got.status == 0
    assert "nothing to set" in got.out
    assert out.read_bytes() == twin.read_bytes()


@pytest.mark.parametrize("written", ["source", "target"])
def test_neither_file_is_written_over(rigview, samples, twin, tmp_path, written):
    source = tmp_path / "source.glb"
    shutil.copyfile(samples / "biped.glb", source)
    out = {"source": source, "target": twin}[written]
    before = out.read_bytes()
    got = rigview("transfer", source, twin, "-o", out, "--vertices", "all")
    assert got.status == 2
    assert "would be lost" in got.err
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--distance", "0"], "distance 0 %"),
        (["--angle", "nan"], "angle nan"),
        (["--vertices", "nothing"], "no mesh is called nothing"),
        (["--influences", "0"], "wanted 1 or more"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_written(
    rigview, samples, twin, tmp_path, arguments, reason
):
    out = tmp_path / "out.glb"
    got = rigview("transfer", samples / "biped.glb", twin, "-o", out, *arguments)
    assert got.status == 2
    assert reason in got.err
    assert not out.exists()


def test_files_of_other_joints_are_refused(rigview, samples, twin, tmp_path):
    got = rigview(
        "transfer", samples / "arm.glb", twin, "-o", tmp_path / "o.glb", "--vertices", "all"
    )
    assert got.status == 2
    assert "no joint of the target has the name" in got.err


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_a_target_without_skin_gets_the_joints_and_moves_as_the_source(
    rigview, samples, tmp_path, scale
):
    source = load(samples / "biped.glb").rig
    # The same mesh in another unit, under a node that stands in the way.
    primitive = source.meshes[0].primitives[0]
    own = Primitive(
        primitive.positions / scale,
        primitive.triangles,
        primitive.lines,
        primitive.points,
    )
    nodes = Nodes(
        ("Coat",),
        ((),),
        np.zeros((1, 3)),
        np.array([[0.0, 0.0, 0.0, 1.0]]),
        np.full((1, 3), scale),
    )
    bare, out = tmp_path / "bare.glb", tmp_path / "out.glb"
    save_new(Rig(nodes, (0,), (None,), (0,), meshes=(Mesh("Coat", (own,)),)), bare)
    got = rigview("transfer", samples / "biped.glb", bare, "-o", out)
    assert got.status == 0
    assert "the target had no skin: it gets 65 joints of the source" in got.out
    made = load(out).rig
    assert {made.nodes.label(j) for j in made.joints} == {
        source.nodes.label(j) for j in source.skins[0].joints
    }
    ends = []
    for rig in (source, made):
        motion = range_of_motion(rig, LimitTable.of(resource("joint_limits.json")))
        deformer, step = Deformer(rig), motion.steps[len(motion.steps) // 2]
        frame = deformer.frame(sample(rig, motion.clip, step.time))
        ends.append((step.name, deformer.skin(0, frame, METHODS["lbs"], Options()).positions))
    assert ends[0][0] == ends[1][0]
    assert np.linalg.norm(ends[0][1] - ends[1][1], axis=1).max() < 5e-3
    again = rigview("transfer", samples / "biped.glb", out, "-o", tmp_path / "again.glb")
    assert "nothing to set" in again.out


def test_a_target_without_skin_that_lies_elsewhere_is_refused(rigview, samples, tmp_path):
    source = load(samples / "biped.glb").rig
    primitive = source.meshes[0].primitives[0]
    far = Primitive(
        primitive.positions + 9.0, primitive.triangles, primitive.lines, primitive.points
    )
    one = Nodes(("Coat",), ((),), np.zeros((1, 3)), np.array([[0.0, 0, 0, 1]]), np.ones((1, 3)))
    bare = tmp_path / "bare.glb"
    save_new(Rig(one, (0,), (None,), (0,), meshes=(Mesh("Coat", (far,)),)), bare)
    got = rigview("transfer", samples / "biped.glb", bare, "--dry-run")
    assert got.status == 2
    assert "the target lies further from the source than the source is large" in got.err
