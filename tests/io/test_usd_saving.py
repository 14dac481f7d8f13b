"""Repaired copies of USD: a layer over the file with what was changed, which gives the wanted rig back."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from rigs import with_influences
from small_files import USD_ARM

from rigview.check.rig_edits.joint_list import reorder_joints
from rigview.check.rig_edits.reframe import reframe, rotations
from rigview.check.rig_edits.reparent import hang
from rigview.check.run import run
from rigview.cli import main
from rigview.core import quat
from rigview.core.placement import scaled
from rigview.io import Listener, SaveError, is_layer_over, load, save
from rigview.io.inbetweens import shares
from rigview.io.reading import Notes
from rigview.io.reopened import expect_same

pytest.importorskip("pxr", reason="needs rigview[usd]")
from pxr import Sdf, Usd, UsdSkel
from usd_validators import faults

from rigview.io.usd.amend.layer import amended
from rigview.io.usd.reader import open_rig

SKEL, ANIM, MESH = "/Model/Skel", "/Model/Anim", "/Model/Arm"
WEIGHTS = {f"{MESH}.primvars:skel:jointIndices", f"{MESH}.primvars:skel:jointWeights"}
FRAMES = {f"{SKEL}.bindTransforms", f"{SKEL}.restTransforms", f"{ANIM}.rotations"}


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.usda"
    path.write_text(USD_ARM)
    return path


def opened(path):
    return open_rig(path, Listener(), Notes())


def copied(path, change):
    """Return the properties that a copy states, which opens as the wanted rig, and its stage."""
    source = opened(path)
    wanted = change(source.rig)
    layer = amended(source, wanted).GetRootLayer()
    layer.subLayerPaths[0] = f"./{path.name}"
    out = path.with_name("copy.usda")
    assert layer.Export(str(out))
    found = opened(out)
    expect_same(wanted, found.rig)
    stated = set()
    layer.Traverse("/", lambda at: stated.add(str(at)) if at.IsPropertyPath() else None)
    return stated, found.stage


def node(rig, name):
    return rig.nodes.names.index(name)


def with_whole_weights(rig):
    whole = rig.meshes[0].primitives[0].influences.normalised(3)
    return with_influences(rig, whole.joints, whole.weights)


def with_a_third_slot(rig):
    old = rig.meshes[0].primitives[0].influences
    joints = np.concatenate([old.joints, np.full((6, 1), 2)], axis=1)
    weights = np.concatenate([0.9 * old.weights, np.full((6, 1), 0.1)], axis=1)
    return with_influences(rig, joints, weights)


def turned_lower(rig):
    turn = quat.from_axis_angle([0.0, 1.0, 0.0], 0.7)
    return reframe(rig, rotations({node(rig, "lower"): turn, node(rig, "hand"): turn}))


def renamed(rig):
    names = ["forearm" if name == "lower" else name for name in rig.nodes.names]
    return replace(rig, nodes=replace(rig.nodes, names=tuple(names)))


def moved_points(rig):
    mesh = rig.meshes[0]
    old = mesh.primitives[0]
    primitive = replace(
        old, positions=old.positions + np.array([0.001, 0.0, 0.0]), normals=-old.normals
    )
    return replace(rig, meshes=(replace(mesh, primitives=(primitive,)),))


def moved_mesh_node(rig):
    translations = rig.nodes.translations.copy()
    translations[node(rig, "Arm")] += [0.01, 0.02, 0.0]
    return replace(rig, nodes=replace(rig.nodes, translations=translations))


@pytest.mark.parametrize(
    ("change", "stated"),
    [
        (with_whole_weights, WEIGHTS),
        (with_a_third_slot, WEIGHTS),
        (turned_lower, FRAMES),
        (renamed, {f"{SKEL}.joints", f"{ANIM}.joints", f"{MESH}.skel:joints"}),
        (lambda rig: scaled(rig, 100.0), set()),
        (moved_points, {f"{MESH}.points", f"{MESH}.normals"}),
        (moved_mesh_node, {f"{MESH}.xformOp:transform:repaired", f"{MESH}.xformOpOrder"}),
        (lambda rig: reorder_joints(rig, 0, [2, 0, 1]), WEIGHTS | {f"{MESH}.skel:joints"}),
        (
            lambda rig: hang(rig, node(rig, "hand"), node(rig, "upper")),
            {f"{SKEL}.joints", f"{MESH}.skel:joints"},
        ),
    ],
    ids=["weights", "slots", "frames", "names", "unit", "points", "prim", "order", "parent"],
)
def test_a_copy_states_what_was_changed_and_is_the_wanted_rig(change, stated, arm):
    found, stage = copied(arm, change)
    assert found == stated
    assert stage.GetTimeCodesPerSecond() == 30.0
    assert str(stage.GetDefaultPrim().GetPath()) == "/Model"
    assert arm.read_text() == USD_ARM


@pytest.mark.parametrize("weight", [0.1, 0.6])
def test_other_weights_of_shapes_at_rest_are_a_default_over_the_samples(weight, arm):
    stage = Usd.Stage.Open(str(arm))
    shape = UsdSkel.BlendShape.Define(stage, f"{MESH}/Smile")
    shape.GetOffsetsAttr().Set([(0, 0, 1)] * 6)
    between = shape.CreateInbetween("quarter")
    between.SetWeight(0.25)
    between.SetOffsets([(0, 1, 0)] * 6)
    binding = UsdSkel.BindingAPI(stage.GetPrimAtPath(MESH))
    binding.CreateBlendShapesAttr().Set(["Smile"])
    binding.CreateBlendShapeTargetsRel().SetTargets([shape.GetPath()])
    anim = UsdSkel.Animation(stage.GetPrimAtPath(ANIM))
    anim.CreateBlendShapesAttr().Set(["Smile"])
    for code, value in ((0, [0.0]), (30, [1.0])):
        anim.CreateBlendShapeWeightsAttr().Set(value, code)
    stage.Save()

    def resting(rig):
        at_rest = shares(np.array([0.25, 1.0]), np.array(weight))
        (mesh,) = rig.meshes
        return replace(rig, meshes=(replace(mesh, morph_weights=at_rest),))

    stated, stage = copied(arm, resting)
    assert stated == {f"{ANIM}.blendShapeWeights"}
    query = UsdSkel.Cache().GetAnimQuery(UsdSkel.Animation(stage.GetPrimAtPath(ANIM)))
    for code, value in ((Usd.TimeCode.Default(), weight), (0, 0.0), (15, 0.5), (30, 1.0)):
        np.testing.assert_allclose(query.ComputeBlendShapeWeights(code), [value], atol=1e-6)
    rig = opened(arm).rig
    impossible = replace(rig.meshes[0], morph_weights=np.array([1.0, 1.0]))
    with pytest.raises(SaveError, match="no weight of the blend shape Smile"):
        amended(opened(arm), replace(rig, meshes=(impossible,)))


def gone(rig):
    """Return the rig with fewer keys of one curve."""
    clip = rig.clips[0]
    channels = [*clip.channels]
    sampler = channels[0].sampler
    few = replace(sampler, times=sampler.times[::2], values=sampler.values[::2])
    channels[0] = replace(channels[0], sampler=few)
    return replace(rig, clips=(replace(clip, channels=tuple(channels)),))


def split_weights(rig):
    nodes = rig.nodes
    return replace(rig, nodes=replace(nodes, names=("Other", *nodes.names[1:])))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (gone, "lower would have fewer keys in the clip Anim, and all joints"),
        (split_weights, "the prim Model cannot be renamed to Other"),
        (lambda rig: hang(rig, node(rig, "hand"), node(rig, "Model")), "Model, which is no joint"),
    ],
    ids=["keys", "prim", "out"],
)
def test_what_no_layer_can_hold_is_refused_by_name(change, words, arm):
    source = opened(arm)
    with pytest.raises(SaveError, match=words):
        amended(source, change(source.rig))


def test_parts_of_an_instance_are_refused_with_their_prototype(arm, tmp_path):
    path = tmp_path / "crowd.usda"
    path.write_text(
        '#usda 1.0\ndef "One" (instanceable = true\n references = @./arm.usda@</Model>) {}\n'
    )
    source = opened(path)
    with pytest.raises(SaveError, match=r"/One/Arm is in an instance of /Model/Arm \(arm.usda\)"):
        amended(source, with_whole_weights(source.rig))


def test_a_file_is_repaired_in_its_own_format_from_the_command_line(arm, capsys):
    out = arm.with_name("arm.repaired.usdc")
    assert main(["fix", str(arm), "-o", str(out), "--rules", "WGT-SUM"]) == 0
    assert out.read_bytes().startswith(b"PXR-USDC")
    assert "fixed WGT-SUM" in capsys.readouterr().out
    assert faults(out) <= faults(arm)
    loaded = load(arm)
    assert is_layer_over(loaded, out)
    assert not is_layer_over(loaded, out.with_suffix(".glb"))
    before, after = run(loaded.rig), run(load(out).rig)
    keys = {(f.rule, f.key) for f in before.findings}
    assert {(f.rule, f.key) for f in after.findings} <= keys
    assert not [f for f in after.findings if f.rule == "WGT-SUM"]
    elsewhere = arm.parent / "elsewhere"
    elsewhere.mkdir()
    with pytest.raises(SaveError, match="has to be in its folder"):
        save(loaded, with_whole_weights(loaded.rig), elsewhere / "arm.usda")
    with pytest.raises(SaveError, match="give it another name"):
        save(loaded, with_whole_weights(loaded.rig), arm)
    flat = elsewhere / "flat.usda"
    save(loaded, with_whole_weights(loaded.rig), flat, flatten=True)
    assert not Sdf.Layer.FindOrOpen(str(flat)).GetCompositionAssetDependencies()
    names = sorted(p.name for p in arm.parent.rglob("*"))
    assert names == ["arm.repaired.usdc", "arm.usda", "elsewhere", "flat.usda"]
    arm.write_text(USD_ARM.replace("0.25", "0.5"))
    with pytest.raises(SaveError, match="has changed since it was opened"):
        save(loaded, with_whole_weights(loaded.rig), out)


@pytest.mark.corpus
def test_a_package_takes_the_layer_in_and_keeps_its_files(corpus, tmp_path):
    name = "rigs/usd-wg+assets/test_assets/USDZ/RiggedFigure/RiggedFigure.usdz"
    source, out, same = (tmp_path / n for n in ("figure.usdz", "figure.repaired.usdz", "same.usdz"))
    shutil.copy(corpus / name, source)
    loaded = load(source)
    save(loaded, loaded.rig, same)
    assert same.read_bytes() == source.read_bytes()
    assert main(["fix", str(source), "-o", str(out)]) == 0
    old, new = Sdf.ZipFile.Open(str(source)), Sdf.ZipFile.Open(str(out))
    assert new.GetFileNames()[1:] == old.GetFileNames()
    for held in old.GetFileNames():
        assert new.GetFile(held) == old.GetFile(held)
        assert new.GetFileInfo(held).dataOffset % 64 == 0
    assert faults(out) <= faults(source)
