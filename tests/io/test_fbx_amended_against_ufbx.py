"""Amended FBX files as ufbx reads them: what moves nothing moves nothing there either."""

from dataclasses import replace
from pathlib import Path

import fbx_arm
import fbx_documents as fbx
import numpy as np
import pytest

pytest.importorskip("ufbx", reason="ufbx is not installed")
from ufbx_rigs import assert_read_alike
from ufbx_skins import reads, vertices

from rigview.check.applying.repair import repair
from rigview.check.rig_edits.reframe import reframe, rotations
from rigview.check.run import run
from rigview.core import quat
from rigview.io import SaveError, load, save

# As a share of the mesh: keys have 32 bits.
NEAR = 1e-6
FILES = (
    "ufbx+ufbx/data/maya_kenney_character_7700_binary.fbx",
    "ufbx+ufbx/data/maya_dq_weights_7500_ascii.fbx",
    "ufbx+ufbx/data/blender_293_barbarian_7400_binary.fbx",
    "guillaumeblanc+ozz-animation/media/fbx/pab/arnaud.fbx",
    "bexide+BxUni-Dual-Quaternion-Skinning/Assets/Models/skinned_cube.fbx",
)


def assert_alike(before, after):
    """Expect the same vertices at all times."""
    assert before.keys() == after.keys()
    for skin, places in before.items():
        size = np.ptp(places[0], axis=0).max()
        assert np.abs(places - after[skin]).max() <= NEAR * size


@pytest.mark.parametrize("encode", [fbx_arm.text, fbx_arm.binary])
@pytest.mark.parametrize(
    "names", [("shoulder",), ("elbow",), ("hand", "tip"), ("shoulder", "elbow")]
)
def test_new_axes_of_joints_move_no_vertex(tmp_path, encode, names):
    source, out = tmp_path / "arm.fbx", tmp_path / "out.fbx"
    source.write_bytes(encode())
    loaded = load(source)
    nodes = loaded.rig.nodes.names
    turns = {nodes.index(name): quat.from_axis_angle([3, 1, -2], 1.1) for name in names}
    save(loaded, reframe(loaded.rig, rotations(turns)), out)
    assert_alike(vertices(source, tmp_path), vertices(out, tmp_path))


def other_weights(rig):
    influences = rig.meshes[0].primitives[0].influences
    weights = influences.weights.copy()
    weights[2] = np.roll(weights[2], 1)
    return rig.with_primitive(
        0,
        0,
        replace(rig.meshes[0].primitives[0], influences=replace(influences, weights=weights)),
    )


def bound_elsewhere(rig):
    binds = rig.skins[0].joint_from_mesh.copy()
    binds[1, 0, 3] += 1e-4
    return rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))


def other_axes(rig):
    """Turn a joint, with its bind, about itself: no vertex moves."""
    turn = quat.from_axis_angle([0, 1, 0], 1e-3)
    return reframe(rig, rotations({rig.nodes.names.index("elbow"): turn}))


def moving_otherwise(rig):
    clip = rig.clips[0]
    first = clip.channels[0]
    values = first.sampler.values.copy()
    values[1] += 1e-3
    curve = replace(first, sampler=replace(first.sampler, values=values))
    return replace(rig, clips=(replace(clip, channels=(curve, *clip.channels[1:])),))


@pytest.mark.parametrize("encode", [fbx_arm.text, fbx_arm.binary])
def test_a_rig_is_read_alike_and_another_one_is_told(tmp_path, encode):
    path = tmp_path / "arm.fbx"
    path.write_bytes(encode())
    rig = load(path).rig
    assert_read_alike(path, rig, tmp_path)
    for change in (other_weights, bound_elsewhere, other_axes, moving_otherwise):
        with pytest.raises(AssertionError):
            assert_read_alike(path, change(rig), tmp_path)


ELBOW = np.flatnonzero(fbx_arm.WEIGHTS[:, 1])
ELBOW_WEIGHTS = fbx.row("Weights", fbx_arm.WEIGHTS[ELBOW, 1])
PLACE = fbx.vector("Lcl Translation", (30, 0, 0))
# Rule → what of the arm is replaced by what, so that the rule finds something.
FAULTS = {
    "HIE-NAMES": ('Model::hand"', 'Model::elbow"'),
    "WGT-RANGE": (ELBOW_WEIGHTS, fbx.row("Weights", np.where(ELBOW == 2, -0.2, 0.5))),
    "WGT-ZERO": (ELBOW_WEIGHTS, fbx.row("Weights", np.zeros(len(ELBOW)))),
    "HIE-UNUSED": (ELBOW_WEIGHTS, fbx.row("Weights", np.zeros(len(ELBOW)))),
    "SCL-NEG": (PLACE, PLACE + fbx.vector("Lcl Scaling", (-1, -1, 1))),
}


@pytest.mark.parametrize("rule", FAULTS)
def test_what_a_fix_settles_is_read_so_by_ufbx(tmp_path, rule):
    source, out = tmp_path / "arm.fbx", tmp_path / "out.fbx"
    was, faulty = (text.encode() for text in FAULTS[rule])
    assert fbx_arm.text().count(was) == 1
    source.write_bytes(fbx_arm.text().replace(was, faulty))
    loaded = load(source)
    made = repair(loaded.rig, rules=[rule])
    assert {one.finding.rule for one in made.applied} == {rule}
    save(loaded, made.rig, out)
    assert_read_alike(out, made.rig, tmp_path)
    assert not run(load(out).rig, select=[rule]).findings


@pytest.mark.thorough(keep=2)
@pytest.mark.corpus
@pytest.mark.parametrize("name", FILES)
def test_exact_fixes_move_no_vertex(corpus, tmp_path, name):
    source, out = corpus / "rigs" / name, tmp_path / Path(name).name
    loaded, before, saved = load(source), vertices(source, tmp_path), set()
    exact = {f.rule for f in run(loaded.rig).findings if f.fix.kind == "exact"}
    # Points that follow nothing get a joint there.
    for rule in sorted(exact - {"WGT-ZERO"}):
        made = repair(loaded.rig, rules=[rule])
        try:
            save(loaded, made.rig, out)
        except SaveError:
            continue
        saved.add(rule)
        assert_alike(before, vertices(out, tmp_path))
        assert_read_alike(out, made.rig, tmp_path)
    assert len(saved) >= 2


@pytest.mark.corpus
def test_other_weights_are_read_as_written(corpus, tmp_path):
    source, out = corpus / "rigs" / FILES[0], tmp_path / "out.fbx"
    loaded = load(source)
    made = repair(loaded.rig, rules=["WGT-TINY", "WGT-COUNT", "WGT-SUM", "HIE-UNUSED"])
    assert made.applied
    save(loaded, made.rig, out)
    copy, found = load(out), reads(out, tmp_path)
    weights = found["weights 0"] / found["weights 0"].sum(axis=0)
    names = found["names"][found["joints 0"]].tolist()
    skin = copy.rig.skins[0]
    assert sorted(names) == sorted(copy.rig.nodes.names[joint] for joint in skin.joints)
    rows = [names.index(copy.rig.nodes.names[joint]) for joint in skin.joints]
    for primitive in copy.rig.meshes[0].primitives:
        dense = np.zeros((len(primitive.positions), len(rows)))
        joints = primitive.influences.joints
        np.add.at(dense, (np.arange(len(joints))[:, None], joints), primitive.influences.weights)
        ours = {tuple(np.round(row, 6)) for row in dense}
        theirs = {tuple(np.round(row, 6)) for row in weights[rows].T}
        assert ours <= theirs
