"""ANI-ROOT in FBX: the motion of what stands above the skeleton goes to its root joint, in the file too."""

from importlib.util import find_spec

import fbx_arm
import fbx_documents as fbx
import numpy as np
import pytest

from rigview.check.applying.repair import repair
from rigview.check.run import run
from rigview.core.pose import model_from_nodes, sample
from rigview.io import load, save

CARRIER, CURVES = 100, 560
TURN = (10.0, 20.0, 30.0)
JOINTS = ("shoulder", "elbow", "hand", "tip")


def carried(flags=0x4):
    """Return the arm below a node that is turned and travels; its keys are not those of the shoulder."""
    text = fbx_arm.text()
    above = fbx.model(CARRIER, "armature", "Null", Lcl_Translation=(0, 0, 0), Lcl_Rotation=TURN)
    curves = {f"d|{axis}": CURVES + 1 + i for i, axis in enumerate("XYZ")}
    rows = zip(curves.values(), ([0, 60, 90], [0, -20, 30], [0, 0, 15]), strict=True)
    keys = "".join(fbx.curve(key, [0.0, 0.3, 1.0], row, flags=flags) for key, row in rows)
    node, links = fbx.animated(CURVES, CARRIER, "Lcl Translation", curves)
    own = b'C: "OO",101,0\n'
    assert text.count(own) == 1
    links = f'C: "OO",{CARRIER},0\nC: "OO",101,{CARRIER}\n{links}'
    # Objects are found by their numbers: their order says nothing.
    text = text.replace(b"Objects:  {\n", b"Objects:  {\n" + above.encode(), 1)
    text = text.replace(b"}\nConnections:", (keys + node).encode() + b"}\nConnections:", 1)
    return text.replace(own, links.encode())


ENCODINGS = {
    "ascii": carried,
    "binary": lambda: fbx_arm.binary(data=carried()),
    "wide": lambda: fbx_arm.binary(7500, "blender", data=carried()),
}


@pytest.fixture(params=ENCODINGS)
def source(request, tmp_path):
    path = tmp_path / "arm.fbx"
    path.write_bytes(ENCODINGS[request.param]())
    return path


def baked(path, folder):
    """Save the fix of ANI-ROOT; return what was loaded, and the copy."""
    loaded, out = load(path), folder / "out.fbx"
    made = repair(loaded.rig, rules=["ANI-ROOT"])
    assert [one.finding.rule for one in made.applied] == ["ANI-ROOT"]
    save(loaded, made.rig, out)
    return loaded, out


def places(rig, names):
    nodes = [rig.nodes.names.index(name) for name in names]
    poses = sample(rig, rig.clips[0], np.linspace(0.0, 1.0, 101))
    return model_from_nodes(rig, poses)[:, nodes, :3, 3]


def test_the_root_joint_travels_in_the_copy_and_what_is_above_it_rests(source, tmp_path):
    loaded, out = baked(source, tmp_path)
    copy = load(out).rig
    before, after = (places(rig, JOINTS) for rig in (loaded.rig, copy))
    assert np.ptp(before[:, 0], axis=0).max() > 0.5
    np.testing.assert_allclose(after, before, atol=1e-6 * np.ptp(before))
    assert np.ptp(places(copy, ["armature"]), axis=0).max() == 0.0
    assert not run(copy, select=["ANI-ROOT"]).findings


@pytest.mark.skipif(find_spec("ufbx") is None, reason="ufbx is not installed")
def test_ufbx_reads_the_same_poses_and_an_unmoved_node_above_them(source, tmp_path):
    from ufbx_skins import reads, vertices

    _, out = baked(source, tmp_path)
    before, after = (reads(path, tmp_path) for path in (source, out))
    rows = [before["names"].tolist().index(name) for name in JOINTS]
    assert before["names"].tolist() == after["names"].tolist()
    was, now = (found["nodes"][:, rows] for found in (before, after))
    np.testing.assert_allclose(now, was, atol=1e-6 * np.ptp(was))
    above = after["nodes"][:, after["names"].tolist().index("armature")]
    assert np.ptp(above, axis=0).max() == 0.0
    for skin, moved in vertices(source, tmp_path).items():
        np.testing.assert_allclose(vertices(out, tmp_path)[skin], moved, atol=1e-6 * np.ptp(moved))


def test_motion_that_bends_between_its_keys_is_not_offered(tmp_path):
    path = tmp_path / "arm.fbx"
    path.write_bytes(carried(flags=0x2108))
    (finding,) = run(load(path).rig, select=["ANI-ROOT"]).findings
    assert finding.fix.repair is None
    assert "not interpolated linearly" in finding.fix.reason
