"""USD against OpenUSD's own baked results and its own evaluation, and what damaged files come to."""

import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import survival
from survival import refusal

from rigview.check.run import run
from rigview.core.deform import Deformer
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.skinning import METHODS, Options
from rigview.io import Cancelled, Listener, LoadError, load

pxr = pytest.importorskip("pxr", reason="needs rigview[usd]")
from pxr import Gf, Sdf, Ts, Usd, UsdGeom, UsdSkel, UsdUtils  # noqa: E402

DATA = Path(__file__).parents[1] / "data"
TESTENV = "rigs/PixarAnimationStudios+OpenUSD/pxr/usd/usdSkel/testenv/testUsdSkelBakeSkinning"
TO_Y = {"Y": np.eye(3), "Z": np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0.0]])}
# Baked files hold 32-bit floats.
TOLERANCE = 1e-6


def corners(prim, code):
    """Return where the corners of a mesh's triangles, or a curve's points, are in the world."""
    points = np.array(UsdGeom.PointBased(prim).GetPointsAttr().Get(code), dtype=np.float64)
    world = np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code))
    points = points @ world[:3, :3] + world[3, :3]
    mesh = UsdGeom.Mesh(prim)
    if not prim.IsA(UsdGeom.Mesh) or not mesh.GetFaceVertexIndicesAttr().Get():
        return points
    index = list(mesh.GetFaceVertexIndicesAttr().Get())
    order, at = [], 0
    for size in mesh.GetFaceVertexCountsAttr().Get():
        ring = index[at : at + size]
        order += [c for i in range(1, size - 1) for c in (ring[0], ring[i], ring[i + 1])]
        at += size
    return points[order]


def by_rigview(rig, part, positions):
    primitive = rig.primitive(part)
    return positions[primitive.triangles] if len(primitive.triangles) else positions


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "method"),
    [("lbs", "lbs"), ("dqs", "dqs"), ("blendshapes", "lbs"), ("blendshapesWithNormals", "lbs")],
)
def test_every_frame_is_what_openusd_baked(name, method, corpus):
    folder = corpus / TESTENV
    loaded = load(folder / f"{name}.usda")
    rig = loaded.rig
    baked = Usd.Stage.Open(str(folder / "baseline" / f"{name}.baked.usda"))
    turn = TO_Y[rig.origin.up] * rig.origin.unit_m
    deformer = Deformer(rig)
    (clip,) = rig.clips
    frames = range(int(baked.GetStartTimeCode()), int(baked.GetEndTimeCode()) + 1)
    assert len(frames) > 10
    compared = 0
    for frame in frames:
        pose = deformer.frame(sample(rig, clip, frame / baked.GetTimeCodesPerSecond()))
        got = deformer.skin_all(pose, METHODS[method], Options(scale="origin"))
        for part, skinned in zip(rig.parts, got, strict=True):
            if not (rig.primitive(part).influences or rig.primitive(part).morphs):
                continue  # drawn beside it for comparison, from points that change over time
            prim = baked.GetPrimAtPath(path_of(rig, part.node))
            wanted = corners(prim, frame) @ turn.T
            have = by_rigview(rig, part, skinned.positions).reshape(-1, 3)
            if UsdGeom.Gprim(prim).GetOrientationAttr().Get() == "leftHanded":
                have = have.reshape(-1, 3, 3)[:, ::-1].reshape(-1, 3)
            np.testing.assert_allclose(
                have, wanted, atol=TOLERANCE * deformer.size, err_msg=f"{prim.GetPath()} {frame}"
            )
            compared += 1
    assert compared >= len(frames)


def path_of(rig, node):
    names = [rig.nodes.names[node]]
    names += [rig.nodes.names[above] for above in rig.nodes.ancestors(node)]
    return "/" + "/".join(reversed(names))


@pytest.mark.corpus
def test_normals_are_what_openusd_baked(corpus):
    folder = corpus / TESTENV
    rig = load(folder / "blendshapesWithNormals.usda").rig
    baked = Usd.Stage.Open(str(folder / "baseline" / "blendshapesWithNormals.baked.usda"))
    deformer = Deformer(rig)
    (part,) = rig.parts
    prim = baked.GetPrimAtPath(path_of(rig, part.node))
    for frame in range(1, 18):
        pose = deformer.frame(sample(rig, rig.clips[0], frame / 24))
        (skinned,) = deformer.skin_all(pose, METHODS["lbs"], Options())
        wanted = np.array(UsdGeom.Mesh(prim).GetNormalsAttr().Get(frame))
        np.testing.assert_allclose(skinned.normals, wanted, atol=1e-5)


@pytest.mark.corpus
def test_the_file_says_which_method_it_wants(corpus):
    for name in ("lbs", "dqs"):
        rig = load(corpus / TESTENV / f"{name}.usda").rig
        methods = {p.method for mesh in rig.meshes for p in mesh.primitives if p.influences}
        assert methods == {name}


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["CesiumMan", "RiggedFigure", "RiggedSimple"])
def test_a_twin_in_gltf_moves_alike(name, corpus):
    usd = load(corpus / f"rigs/usd-wg+assets/test_assets/USDZ/{name}/{name}.usdz").rig
    models = corpus / "rigs/DRx3D+glTF-Sample-Assets-OLD/Models" / name
    gltf = load(next(p for p in models.glob(f"glTF*/{name}.gl*") if "Draco" not in p.parts[-2])).rig
    for share in (0.0, 0.37, 1.0):
        clouds = []
        for rig in (usd, gltf):
            deformer = Deformer(rig)
            pose = sample(rig, rig.clips[0], share * rig.clips[0].end)
            parts = deformer.skin_all(deformer.frame(pose), METHODS["lbs"], Options())
            points = np.concatenate([part.positions for part in parts])
            # The converter stood RiggedSimple somewhere else.
            clouds.append(points - points.min(axis=0))
        gaps = np.linalg.norm(clouds[0][:, None] - clouds[1][None], axis=2)
        farthest = max(gaps.min(axis=0).max(), gaps.min(axis=1).max())
        assert farthest < 2e-6 * Deformer(gltf).size


def stage_at(path, up="Y", unit=1.0):
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, up)
    UsdGeom.SetStageMetersPerUnit(stage, unit)
    return stage


def triangle_at(path, name):
    """Return a stage of 24 time codes a second and the triangle on it."""
    stage = stage_at(path)
    stage.SetTimeCodesPerSecond(24.0)
    mesh = UsdGeom.Mesh.Define(stage, name)
    mesh.GetPointsAttr().Set([(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    mesh.GetFaceVertexCountsAttr().Set([3])
    mesh.GetFaceVertexIndicesAttr().Set([0, 1, 2])
    return stage, mesh


def arm(path, **settings):
    """Write a quad on two joints, the second bound in the mesh's own order, moved by an animation."""
    stage = stage_at(path, **settings)
    root = UsdSkel.Root.Define(stage, "/Root")
    skel = UsdSkel.Skeleton.Define(stage, "/Root/Skel")
    skel.GetJointsAttr().Set(["Hip", "Hip/Knee"])
    moved = Gf.Matrix4d().SetTranslate((0, 2, 0))
    skel.GetBindTransformsAttr().Set([Gf.Matrix4d(1), moved])
    skel.GetRestTransformsAttr().Set([Gf.Matrix4d(1), moved])
    UsdGeom.Xformable(skel).AddTranslateOp().Set((0, 0, 5))
    mesh = UsdGeom.Mesh.Define(stage, "/Root/Quad")
    mesh.GetPointsAttr().Set([(0, 0, 0), (1, 0, 0), (1, 4, 0), (0, 4, 0)])
    mesh.GetFaceVertexCountsAttr().Set([4])
    mesh.GetFaceVertexIndicesAttr().Set([0, 1, 2, 3])
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    UsdSkel.BindingAPI.Apply(root.GetPrim()).CreateSkeletonRel().SetTargets(["/Root/Skel"])
    binding.CreateJointsAttr().Set(["Hip/Knee", "Hip"])
    binding.CreateJointIndicesPrimvar(False, 1).Set([1, 1, 0, 0])
    binding.CreateJointWeightsPrimvar(False, 1).Set([1.0, 1.0, 1.0, 1.0])
    anim = UsdSkel.Animation.Define(stage, "/Root/Skel/Bend")
    anim.GetJointsAttr().Set(["Hip/Knee"])
    anim.GetTranslationsAttr().Set([(0, 2, 0)])
    anim.GetScalesAttr().Set([(1, 1, 1)])
    for code, angle in ((0, 0), (24, 90)):
        turn = Gf.Quatf(Gf.Rotation((0, 0, 1), angle).GetQuat())
        anim.GetRotationsAttr().Set([turn], code)
    UsdSkel.BindingAPI.Apply(skel.GetPrim()).CreateAnimationSourceRel().SetTargets(
        ["/Root/Skel/Bend"]
    )
    return stage


@pytest.mark.parametrize("suffix", ["usda", "usdc", "usd", "usdz"])
def test_every_container_gives_the_same_rig(suffix, tmp_path):
    path = tmp_path / f"arm.{'usda' if suffix == 'usdz' else suffix}"
    arm(path).Save()
    if suffix == "usdz":
        package = tmp_path / "arm.usdz"
        assert UsdUtils.CreateNewUsdzPackage(str(path), str(package))
        path = package
    rig = load(path).rig
    deformer = Deformer(rig)
    frame = deformer.frame(sample(rig, rig.clips[0], 1.0))
    (skinned,) = deformer.skin_all(frame, METHODS["lbs"], Options())
    np.testing.assert_allclose(
        skinned.positions, [[0, 0, 5], [1, 0, 5], [-2, 3, 5], [-2, 2, 5]], atol=1e-6
    )
    assert rig.clips[0].name == "Bend"
    assert rig.origin.format == "USD"


def test_units_and_the_up_axis_are_converted_and_kept(tmp_path):
    arm(tmp_path / "arm.usda", up="Z", unit=0.01).Save()
    rig = load(tmp_path / "arm.usda").rig
    assert (rig.origin.unit_m, rig.origin.up, rig.origin.fps) == (0.01, "Z", 24)
    deformer = Deformer(rig)
    (skinned,) = deformer.skin_all(deformer.frame(rest_pose(rig)), METHODS["lbs"], Options())
    np.testing.assert_allclose(skinned.positions[2], [0.01, 0.05, -0.04], atol=1e-12)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("unit", [0.0, -1.0, np.nan, np.inf])
def test_an_impossible_unit_is_openusds_own(unit, tmp_path):
    arm(tmp_path / "arm.usda", unit=unit).Save()
    loaded = load(tmp_path / "arm.usda")
    assert loaded.rig.origin.unit_m == 0.01
    assert loaded.notes == (f"the unit is {unit:g} m, which is impossible: 0.01 m is taken",)


def test_a_mirroring_bind_leaves_the_outside_outside(tmp_path):
    stage = arm(tmp_path / "arm.usda")
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Root/Quad"))
    mesh.CreateNormalsAttr().Set([(0, 0, 1)] * 4)
    bind = Gf.Matrix4d().SetScale((-1, 1, 1))
    UsdSkel.BindingAPI(mesh).CreateGeomBindTransformAttr().Set(bind)
    stage.Save()
    (primitive,) = load(tmp_path / "arm.usda").rig.meshes[0].primitives
    np.testing.assert_allclose(primitive.positions[:, 0].min(), -1.0)
    np.testing.assert_allclose(primitive.normals, [[0, 0, 1]] * 4, atol=1e-12)
    a, b, c = (primitive.positions[primitive.triangles[:, i]] for i in range(3))
    assert np.all(np.cross(b - a, c - a)[:, 2] > 0.0)


def test_points_without_weight_stay_with_their_prim(tmp_path):
    stage = arm(tmp_path / "arm.usda", up="Z", unit=0.01)
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Root/Quad"))
    mesh.AddTranslateOp().Set((7, 0, 1))
    binding = UsdSkel.BindingAPI(mesh)
    # Exporters' own inverses leave noise in the last element.
    bind = Gf.Matrix4d().SetTranslate((0, 0, 3))
    bind[3, 3] = np.nextafter(1.0, 0.0)
    binding.CreateGeomBindTransformAttr().Set(bind)
    stage.Save()
    whole = posed(load(tmp_path / "arm.usda").rig, 0.5)
    binding.GetJointWeightsPrimvar().Set([0.0, 1.0, 1.0, 1.0])
    stage.Save()
    rig = load(tmp_path / "arm.usda").rig
    partial = posed(rig, 0.5)
    np.testing.assert_allclose(partial[0], [0.07, 0.01, 0.0], atol=1e-12)
    np.testing.assert_allclose(partial[1:], whole[1:], atol=1e-12)
    assert not np.allclose(whole[0], partial[0])
    assert np.all(rig.skins[0].inverse_binds[:, 3] == (0.0, 0.0, 0.0, 1.0))


def test_weights_off_one_are_told_where_openusd_draws_them_elsewhere(tmp_path):
    stage = arm(tmp_path / "arm.usda")
    weights = UsdSkel.BindingAPI(stage.GetPrimAtPath("/Root/Quad")).GetJointWeightsPrimvar()
    notes = []
    for values in ([1.0, 0.5, 0.0, 1.25], [1.0, 1.0, 1.0, 0.9999]):
        weights.Set(values)
        stage.Save()
        notes.append(load(tmp_path / "arm.usda").notes)
    (bare, text), none = notes
    assert bare.startswith("1 points of /Root/Quad have no weight: OpenUSD lets them fall")
    assert text.startswith("2 points of /Root/Quad have weights off one by up to 0.5: OpenUSD")
    assert none == ()
    UsdGeom.Xformable(stage.GetPrimAtPath("/Root/Skel")).ClearXformOpOrder()
    weights.Set([1.0, 0.5, 0.0, 1.25])
    stage.Save()
    assert load(tmp_path / "arm.usda").notes == (bare,)


def posed(rig, time):
    deformer = Deformer(rig)
    (skinned,) = deformer.skin_all(
        deformer.frame(sample(rig, rig.clips[0], time)), METHODS["lbs"], Options()
    )
    return skinned.positions


def test_a_skeleton_alone_and_a_clip_alone_open(tmp_path):
    stage = arm(tmp_path / "arm.usda")
    stage.RemovePrim("/Root/Quad")
    stage.Save()
    rig = load(tmp_path / "arm.usda").rig
    assert [rig.nodes.label(j) for j in rig.joints if j > 1] == ["Hip", "Knee"]
    stage = stage_at(tmp_path / "clip.usda")
    anim = UsdSkel.Animation.Define(stage, "/Walk")
    anim.GetJointsAttr().Set(["Hip", "Hip/Knee"])
    anim.GetScalesAttr().Set([(1, 1, 1)] * 2)
    anim.GetRotationsAttr().Set([Gf.Quatf(1)] * 2)
    for code in (0, 12):
        anim.GetTranslationsAttr().Set([(0, 1, 0), (0, 2 + code, 0)], code)
    stage.Save()
    rig = load(tmp_path / "clip.usda").rig
    assert rig.nodes.names == ("Hip", "Knee")
    model = model_from_nodes(rig, sample(rig, rig.clips[0], 0.5))
    np.testing.assert_allclose(model[1, :3, 3], np.array([0, 15, 0]) * rig.origin.unit_m)


@pytest.mark.thorough(keep=3)
@pytest.mark.parametrize("weight", [-0.5, 0.0, 0.2, 0.25, 0.6, 1.0, 1.5])
def test_in_between_weights_are_openusds(weight, tmp_path):
    stage = arm(tmp_path / "arm.usda")
    shape = UsdSkel.BlendShape.Define(stage, "/Root/Quad/Smile")
    shape.GetOffsetsAttr().Set([(0, 0, 1)] * 2)
    shape.GetPointIndicesAttr().Set([1, 3])
    between = shape.CreateInbetween("quarter")
    between.SetWeight(0.25)
    between.SetOffsets([(0, 3, 0)] * 2)
    mesh = stage.GetPrimAtPath("/Root/Quad")
    binding = UsdSkel.BindingAPI(mesh)
    binding.CreateBlendShapesAttr().Set(["Smile"])
    binding.CreateBlendShapeTargetsRel().SetTargets(["/Root/Quad/Smile"])
    anim = UsdSkel.Animation(stage.GetPrimAtPath("/Root/Skel/Bend"))
    anim.GetBlendShapesAttr().Set(["Smile"])
    anim.GetBlendShapeWeightsAttr().Set([weight])
    stage.Save()
    rig = load(tmp_path / "arm.usda").rig
    names = rig.meshes[0].primitives[0].morphs.names
    assert names == ("Smile at 0.25", "Smile")
    node = next(n for n, m in enumerate(rig.node_meshes) if m == 0)
    have = rig.meshes[0].morph_weights
    assert node not in sample(rig, rig.clips[0], 0.0).morph_weights
    query = UsdSkel.BlendShapeQuery(binding)
    shares, _, subs = query.ComputeSubShapeWeights([weight])
    points = np.zeros((4, 3))
    offsets = query.ComputeSubShapePointOffsets()
    for share, sub in zip(shares, subs, strict=True):
        if len(offsets[sub]):
            points[[1, 3]] += share * np.array(offsets[sub])
    morphs = rig.meshes[0].primitives[0].morphs.positions
    np.testing.assert_allclose(np.einsum("t,tvi->vi", have, morphs), points, atol=1e-6)


def test_blend_shapes_of_another_number_than_their_names_move_nothing_as_in_openusd(tmp_path):
    stage = arm(tmp_path / "arm.usda")
    UsdSkel.BlendShape.Define(stage, "/Root/Quad/Smile").GetOffsetsAttr().Set([(0, 0, 1)] * 4)
    binding = UsdSkel.BindingAPI(stage.GetPrimAtPath("/Root/Quad"))
    binding.CreateBlendShapesAttr().Set(["Smile", "Frown"])
    binding.CreateBlendShapeTargetsRel().SetTargets(["/Root/Quad/Smile"])
    anim = UsdSkel.Animation(stage.GetPrimAtPath("/Root/Skel/Bend"))
    anim.GetBlendShapesAttr().Set(["Smile"])
    anim.GetBlendShapeWeightsAttr().Set([1.0])
    stage.Save()
    rig = load(tmp_path / "arm.usda").rig
    assert rig.meshes[0].primitives[0].morphs is None
    assert [unseen.what for unseen in rig.unseen] == ["motion"]
    shares = UsdSkel.BlendShapeQuery(binding).ComputeSubShapeWeights([1.0, 0.0])
    assert not any(map(len, shares))


def smiling(path):
    """Return the stage of `arm` with a blend shape, and the attribute of its weights."""
    stage = arm(path)
    UsdSkel.BlendShape.Define(stage, "/Root/Quad/Smile").GetOffsetsAttr().Set([(0, 0, 1)] * 4)
    binding = UsdSkel.BindingAPI(stage.GetPrimAtPath("/Root/Quad"))
    binding.CreateBlendShapesAttr().Set(["Smile"])
    binding.CreateBlendShapeTargetsRel().SetTargets(["/Root/Quad/Smile"])
    anim = UsdSkel.Animation(stage.GetPrimAtPath("/Root/Skel/Bend"))
    anim.GetBlendShapesAttr().Set(["Smile"])
    return stage, anim.GetBlendShapeWeightsAttr()


def test_the_default_beside_samples_is_the_weight_at_rest(tmp_path):
    path = tmp_path / "arm.usda"
    stage, weights = smiling(path)
    weights.Set([0.25])
    weights.Set([1.0], 0)
    weights.Set([0.5], 24)
    other = UsdSkel.Animation.Define(stage, "/Root/Skel/Still")
    other.GetJointsAttr().Set([])
    stage.Save()
    rig = load(path).rig
    (node,) = (n for n, m in enumerate(rig.node_meshes) if m is not None)
    np.testing.assert_allclose(rig.meshes[rig.node_meshes[node]].morph_weights, [0.25])
    played, still = rig.clips
    np.testing.assert_allclose(sample(rig, played, 0.0).morph_weights[node], [1.0])
    # OpenUSD has an animation that states no weights move no shape.
    np.testing.assert_allclose(sample(rig, still, 0.0).morph_weights[node], [0.0])


@pytest.mark.parametrize("odd", [[0.0, 0.0], [], Sdf.ValueBlock()])
def test_a_sample_of_another_number_of_blend_shapes_is_left_out_alone(odd, tmp_path):
    path = tmp_path / "arm.usda"
    stage, weights = smiling(path)
    for code, value in ((0, [0.0]), (6, odd), (12, [1.0]), (24, [0.5])):
        weights.Set(value, code)
    stage.Save()
    rig = load(path).rig
    (channel,) = (c for c in rig.clips[0].channels if c.path == "weights")
    assert channel.sampler.times.tolist() == [0.0, 0.5, 1.0]
    np.testing.assert_allclose(channel.sampler.keys[:, 0], [0.0, 1.0, 0.5])
    (unseen,) = rig.unseen
    assert unseen.what == "motion"
    assert unseen.reason.startswith("1 of 4 samples of /Root/Skel/Bend do not have one weight")


def test_blend_shapes_without_a_sample_that_fits_are_noted(tmp_path):
    path = tmp_path / "arm.usda"
    stage, weights = smiling(path)
    weights.Set([0.0, 1.0])
    stage.Save()
    rig = load(path).rig
    assert all(c.path != "weights" for c in rig.clips[0].channels)
    text = "/Root/Skel/Bend has no weight for each of its blend shapes, and moves none"
    assert [unseen.reason for unseen in rig.unseen] == [text]


def test_a_blend_shape_that_does_not_exist_moves_nothing_as_in_openusd(tmp_path):
    path = tmp_path / "arm.usda"
    stage, weights = smiling(path)
    weights.Set([1.0])
    stage.RemovePrim("/Root/Quad/Smile")
    stage.Save()
    rig = load(path).rig
    assert np.all(rig.meshes[0].primitives[0].morphs.positions == 0.0)
    text = "the blend shape Smile does not exist: it moves nothing"
    assert [(unseen.what, unseen.reason) for unseen in rig.unseen] == [("motion", text)]


def test_a_skeleton_without_joints_moves_nothing(tmp_path):
    path = tmp_path / "arm.usda"
    stage = arm(path)
    skel = stage.GetPrimAtPath("/Root/Skel")
    for name in ("joints", "bindTransforms", "restTransforms"):
        skel.RemoveProperty(name)
    stage.GetPrimAtPath("/Root/Quad").RemoveProperty("skel:joints")
    stage.Save()
    rig = survival.use(path).rig
    assert [len(skin.joints) for skin in rig.skins] == [0]


def test_a_value_of_another_type_is_refused_in_words_of_ours(tmp_path):
    path = tmp_path / "arm.usda"
    stage, _ = smiling(path)
    layer = stage.GetRootLayer()
    prim = layer.GetPrimAtPath("/Root/Quad/Smile")
    prim.RemoveProperty(prim.properties["offsets"])
    Sdf.AttributeSpec(prim, "offsets", Sdf.ValueTypeNames.StringArray).default = ["a", "b"]
    stage.Save()
    error = refusal(path)
    assert error.reason == "a value in it is not of the type or size that its schema states"


def test_nothing_outside_the_folder_is_composed(tmp_path):
    (tmp_path / "inside").mkdir()
    arm(tmp_path / "arm.usda").Save()
    for reference in ("../arm.usda", str(tmp_path / "arm.usda")):
        stage = stage_at(tmp_path / "inside" / "scene.usda")
        stage.DefinePrim("/Ref").GetReferences().AddReference(reference, "/Root")
        stage.Save()
        del stage
        with pytest.raises(LoadError, match="outside its folder"):
            load(tmp_path / "inside" / "scene.usda")
        (tmp_path / "inside" / "scene.usda").unlink()
    shutil.copy(tmp_path / "arm.usda", tmp_path / "inside" / "arm.usda")
    stage = stage_at(tmp_path / "inside" / "good.usda")
    stage.DefinePrim("/Ref").GetReferences().AddReference("./arm.usda", "/Root")
    stage.Save()
    assert len(load(tmp_path / "inside" / "good.usda").rig.skins) == 1


@pytest.mark.parametrize("numbered", [False, True])
def test_value_clips_are_read_from_inside_the_folder_only(numbered, tmp_path):
    (tmp_path / "inside").mkdir()
    values = stage_at(tmp_path / "values.1.usda")
    UsdGeom.Xform.Define(values, "/Prop").AddTranslateOp().Set((5, 0, 0), 1)
    values.Save()
    shutil.copy(tmp_path / "values.1.usda", tmp_path / "inside")
    for folder, inside in (("./", True), ("../", False)):
        path = tmp_path / "inside" / f"scene{inside}.usda"
        stage = stage_at(path)
        prop = UsdGeom.Xform.Define(stage, "/Prop")
        prop.AddTranslateOp()
        clips = Usd.ClipsAPI(prop)
        clips.SetClipPrimPath("/Prop")
        if numbered:
            clips.SetClipTemplateAssetPath(f"{folder}values.#.usda")
            clips.SetClipTemplateStartTime(1)
            clips.SetClipTemplateEndTime(1)
            clips.SetClipTemplateStride(1)
        else:
            clips.SetClipAssetPaths([Sdf.AssetPath(f"{folder}values.1.usda")])
            clips.SetClipActive([(1, 0)])
        stage.Save()
        del stage
        if inside:
            assert load(path).rig.nodes.translations[0, 0] == 5.0
        else:
            with pytest.raises(LoadError, match="outside its folder"):
                load(path)


def test_what_is_drawn_elsewhere_and_not_here_is_named_once_a_type(tmp_path):
    stage = arm(tmp_path / "arm.usda")
    for name in ("Left", "Right"):
        UsdGeom.Sphere.Define(stage, f"/Root/{name}Eye")
    UsdGeom.PointInstancer.Define(stage, "/Root/Crowd")
    stage.Save()
    assert load(tmp_path / "arm.usda").notes == (
        "what is of the type Sphere is not shown: /Root/LeftEye and 1 more",
        "what is of the type PointInstancer is not shown: /Root/Crowd",
    )


def test_instances_of_what_the_file_itself_holds_are_shown(tmp_path):
    path = tmp_path / "crowd.usda"
    stage = arm(path)
    for number in (1, 2):
        copy = stage.DefinePrim(f"/Copy{number}", "SkelRoot")
        copy.GetReferences().AddInternalReference("/Root")
        copy.SetInstanceable(True)
        UsdGeom.Xformable(copy).AddTranslateOp().Set((10 * number, 0, 0))
    stage.Save()
    rig = load(path).rig
    assert len(rig.parts) == len(rig.skins) == 3
    deformer = Deformer(rig)
    frame = deformer.frame(sample(rig, rig.clips[0], 0.5))
    one, *others = (s.positions for s in deformer.skin_all(frame, METHODS["lbs"], Options()))
    for number, other in enumerate(others, 1):
        np.testing.assert_allclose(other - one, [(10 * number, 0, 0)] * 4, atol=1e-9)


def test_a_joint_that_its_skeleton_lacks_stands_still_as_in_openusd(tmp_path):
    stage = arm(tmp_path / "arm.usda")
    mesh = stage.GetPrimAtPath("/Root/Quad")
    UsdSkel.BindingAPI(mesh).GetJointsAttr().Set(["Gone", "Hip/Knee"])
    stage.Save()
    rig = load(tmp_path / "arm.usda").rig
    (unseen,) = rig.unseen
    assert unseen.what == "influences"
    assert unseen.reason.startswith("the joint Gone of /Root/Quad is not in its skeleton")
    UsdSkel.BakeSkinning(UsdSkel.Root(stage.GetPrimAtPath("/Root")))
    np.testing.assert_allclose(posed(rig, 1.0), corners(mesh, 24.0)[[0, 1, 2, 5]], atol=1e-6)


def test_a_file_that_changed_is_read_anew(tmp_path):
    path = tmp_path / "arm.usda"
    stage = arm(path)
    stage.Save()
    before = load(path).rig
    path.write_text(path.read_text().replace("(1, 4, 0)", "(1, 9, 0)"), encoding="utf-8")
    after = load(path).rig
    assert before.meshes[0].primitives[0].positions[2, 1] == 4
    assert after.meshes[0].primitives[0].positions[2, 1] == 9


def test_without_the_library_the_refusal_says_what_to_install(tmp_path, monkeypatch):
    arm(tmp_path / "arm.usda").Save()
    monkeypatch.setitem(sys.modules, "pxr", None)
    with pytest.raises(LoadError, match=r"pip install 'rigview\[usd\]'"):
        load(tmp_path / "arm.usda")


def test_a_crate_that_claims_all_memory_is_refused():
    """OpenUSD takes 21 GiB for this kilobyte, found by flipping bytes of a skinned quad."""
    pytest.importorskip("resource", reason="limits on memory are POSIX")
    with pytest.raises(LoadError, match="bad_alloc"):
        load(DATA / "greedy.usdc")
    # From a small process: a child counts as large as its parent was when it began.
    script = (
        "import resource, sys\nfrom rigview.io import LoadError, load\n"
        "try:\n    load(sys.argv[1])\nexcept LoadError:\n    pass\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_maxrss, used.ru_utime + used.ru_stime)"
    )
    command = [sys.executable, "-c", script, str(DATA / "greedy.usdc")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    kib, seconds = map(float, done.stdout.split())
    assert kib < survival.BYTES >> 10
    assert seconds < survival.SECONDS


# A billion seconds of value clips, each a thousandth long. OpenUSD names each of them as soon as they are
# composed.
ENDLESS = (DATA / "endless_clips.usda").read_text(encoding="utf-8")


def endless(path):
    path.write_text(ENDLESS, encoding="utf-8")


@pytest.mark.thorough
def test_what_computes_without_end_is_refused_by_processor_time(tmp_path):
    pytest.importorskip("resource", reason="limits on processor time are POSIX")
    endless(tmp_path / "clips.usda")
    before = os.times().children_user
    with pytest.raises(LoadError, match="does not get to the end of it within 5 s"):
        load(tmp_path / "clips.usda")
    assert 3.0 < os.times().children_user - before < 8.0


def test_reading_can_be_stopped_whatever_openusd_computes(tmp_path):
    endless(tmp_path / "clips.usda")
    told = []

    class Impatient(Listener):
        def stage(self, text, _fraction):
            told.append(text)
            if told.count("opening the stage") == 3:
                raise Cancelled

    before = os.times().children_user
    with pytest.raises(Cancelled):
        load(tmp_path / "clips.usda", Impatient())
    assert list(dict.fromkeys(told)) == ["starting OpenUSD", "opening the stage"]
    assert os.times().children_user - before < 3.0


NESTED = {
    "prims": 'def "a" {\n' * 20_000 + "}\n" * 20_000,
    "dictionaries": 'def "a" (customData = {'
    + "dictionary a = {" * 50_000
    + "}" * 50_000
    + "}) {}",
    "tuples": 'def "a" { double3 x = ' + "(" * 1_000_000 + ")" * 1_000_000 + " }",
    "lists": 'def "a" { double3[] x = ' + "[" * 1_000_000 + "]" * 1_000_000 + " }",
}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", NESTED)
def test_text_nested_deeply_is_refused_in_one_sentence(name, tmp_path):
    path = tmp_path / "nested.usda"
    path.write_text(f"#usda 1.0\n{NESTED[name]}\n")
    script = (
        "import resource, sys\nfrom pathlib import Path\n"
        "from rigview.io import LoadError, load\n"
        "try:\n    load(sys.argv[1])\nexcept LoadError as error:\n    print(error.reason)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_maxrss, used.ru_utime + used.ru_stime)"
    )
    command = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    *reasons, figures = done.stdout.splitlines()
    kib, seconds = map(float, figures.split())
    assert len(reasons) == 1
    assert reasons[0].startswith(("OpenUSD ", "it takes more memory"))
    assert kib < survival.BYTES >> 10
    assert seconds < 7.0


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("suffix", ["usda", "usdc"])
def test_damaged_copies_open_or_are_refused(suffix, tmp_path, capfd):
    arm(tmp_path / f"arm.{suffix}").Save()
    content = (tmp_path / f"arm.{suffix}").read_bytes()
    rng = np.random.default_rng(3)
    outcomes = []
    # Each is read in a process of its own, which takes half a second.
    for case in range(8):
        data = bytearray(content)
        if case % 4 == 0:
            data = data[: rng.integers(8, len(data))]
        places = [i for i, byte in enumerate(data) if suffix == "usdc" or chr(byte).isdecimal()]
        for place in rng.choice(places, size=case % 4):
            data[place] = rng.integers(256) if suffix == "usdc" else rng.integers(48, 58)
        path = tmp_path / f"damaged{case}.{suffix}"
        path.write_bytes(data)
        outcomes.append(refusal(path) is None)
    assert 0 < sum(outcomes) < len(outcomes)


def test_points_that_move_and_influences_that_do_not_fit_are_missed(tmp_path):
    path = tmp_path / "cache.usda"
    stage = arm(path)
    points = UsdGeom.Mesh.Get(stage, "/Root/Quad").GetPointsAttr()
    for code in (0, 24):
        points.Set([(0, 0, code), (1, 0, 0), (1, 4, 0), (0, 4, 0)], code)
    primvar = UsdGeom.PrimvarsAPI(stage.GetPrimAtPath("/Root/Quad"))
    primvar.GetPrimvar("skel:jointIndices").Set([1, 1, 0])
    stage.Save()
    loaded = load(path)
    assert [unseen.what for unseen in loaded.rig.unseen] == ["motion", "influences"]
    assert {unseen.reason for unseen in loaded.rig.unseen} <= set(loaded.notes)
    assert load(path).rig.unseen == loaded.rig.unseen


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize("lacks", ["SkelBindingAPI", "SkelRoot", "weights", "skeleton", None])
def test_what_a_mesh_with_influences_lacks_to_be_skinned_is_told(lacks, tmp_path):
    path = tmp_path / "unbound.usda"
    stage = arm(path)
    root, mesh = stage.GetPrimAtPath("/Root"), stage.GetPrimAtPath("/Root/Quad")
    if lacks == "SkelBindingAPI":
        mesh.RemoveAPI(UsdSkel.BindingAPI)
    elif lacks == "skeleton":
        UsdSkel.BindingAPI(root).GetSkeletonRel().SetTargets([])
    elif lacks == "weights":
        mesh.RemoveProperty("primvars:skel:jointWeights")
    else:
        root.SetTypeName("Xform")
    if lacks is None:
        UsdGeom.Mesh(mesh).GetPointsAttr().Set([(0, 0, 0)] * 4, 7)
    stage.Save()
    loaded = load(path)
    assert not loaded.rig.skins
    told = [note for note in loaded.rig.unseen if "OpenUSD does not skin" in note.reason]
    assert all(lacks in note.reason for note in told)
    assert len(told) == (lacks is not None)


def test_the_shear_of_a_prim_that_moves_is_missed(tmp_path):
    path = tmp_path / "arm.usda"
    stage = arm(path)
    place = UsdGeom.Xform.Define(stage, "/Root/Prop").AddTransformOp()
    slanted = Gf.Matrix4d(1)
    slanted[0, 1] = 0.5
    for code, matrix in ((0, Gf.Matrix4d(1).SetScale((1, 2, 3))), (24, Gf.Matrix4d(2))):
        place.Set(matrix, code)
    stage.Save()
    assert load(path).rig.unseen == ()
    place.Set(slanted, 24)
    stage.Save()
    (unseen,) = load(path).rig.unseen
    text = "the shear of /Root/Prop is not animated: it is off by up to 0.2 of its size"
    assert (unseen.what, unseen.reason) == ("motion", text)


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("part", ["Translations", "Rotations", "Scales"])
def test_keys_that_are_no_numbers_open_and_are_found(part, bad, tmp_path):
    path = tmp_path / "arm.usda"
    stage = arm(path)
    attribute = getattr(UsdSkel.Animation.Get(stage, "/Root/Skel/Bend"), f"Get{part}Attr")()
    value = {
        "Translations": (bad, 2, 0),
        "Scales": (bad, 1, 1),
        "Rotations": Gf.Quatf(1, bad, 0, 0),
    }
    attribute.Set([value[part]], 12)
    stage.Save()
    found = run(load(path).rig, select=["ANI-NAN"]).findings
    assert [(f.rule, f.clip) for f in found] == [("ANI-NAN", "Bend")]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("degrees", [30.0, 180.0, 360.0, 2160.0])
def test_a_prim_that_turns_by_angles_turns_as_in_openusd_between_keys(degrees, tmp_path):
    path = tmp_path / "wheel.usda"
    stage, wheel = triangle_at(path, "/Wheel")
    pivot = wheel.AddTranslateOp(opSuffix="pivot")
    pivot.Set((0.5, 0, 2))
    turn = wheel.AddRotateXYZOp()
    turn.Set((0, 10, 0), 0)
    turn.Set((degrees, 50, 0), 48)
    wheel.AddTranslateOp(opSuffix="pivot", isInverseOp=True)
    stage.Save()
    moves_between_keys_as_in_openusd(path, wheel)


def test_a_prim_that_a_quaternion_turns_about_a_pivot_goes_round_it(tmp_path):
    path = tmp_path / "door.usda"
    stage, door = triangle_at(path, "/Door")
    door.AddTranslateOp(opSuffix="hinge").Set((3, 0, 0))
    turn = door.AddOrientOp()
    turn.Set(Gf.Quatf(1, 0, 0, 0), 0)
    turn.Set(Gf.Quatf(0.6, 0, 0.8, 0), 48)
    door.AddTranslateOp(opSuffix="hinge", isInverseOp=True)
    stage.Save()
    moves_between_keys_as_in_openusd(path, door)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("first", "last"), [((0, 0, 0), (1, 2, 1)), ((1, 1, 1), (1, -2, 1)), ((1, 1, 1), (-1, 1, -2))]
)
def test_a_prim_that_is_scaled_through_zero_is_not_turned_for_it(first, last, tmp_path):
    path = tmp_path / "door.usda"
    stage, door = triangle_at(path, "/Door")
    door.AddRotateXYZOp().Set((70, 40, 0))
    scale = door.AddScaleOp()
    scale.Set(first, 0)
    scale.Set(last, 48)
    stage.Save()
    moves_between_keys_as_in_openusd(path, door)


def test_a_prim_that_matrices_turn_shrinks_between_keys_as_in_openusd(tmp_path):
    path = tmp_path / "door.usda"
    stage, door = triangle_at(path, "/Door")
    place = door.AddTransformOp()
    place.Set(Gf.Matrix4d().SetScale(2), 0)
    place.Set(Gf.Matrix4d(Gf.Rotation((0, 1, 0), 80), Gf.Vec3d(3, 0, 1)), 48)
    stage.Save()
    moves_between_keys_as_in_openusd(path, door)
    assert load(path).notes == ()
    # About an axis of no column it slants on its way.
    place.Set(Gf.Matrix4d(Gf.Rotation((1, 1, 1), 80), Gf.Vec3d(3, 0, 1)), 48)
    stage.Save()
    loaded = load(path)
    text = "OpenUSD slants /Door between the samples of its matrices, by up to 0.1 of its size, and rigview"
    assert loaded.notes == (f"{text} does not",)
    assert loaded.rig.unseen == ()


def test_a_prim_that_a_spline_moves_moves_as_in_openusd_between_knots(tmp_path):
    path = tmp_path / "door.usda"
    stage = stage_at(path)
    stage.SetTimeCodesPerSecond(24.0)
    stage.SetStartTimeCode(0.0)
    stage.SetEndTimeCode(48.0)
    door = UsdGeom.Mesh.Define(stage, "/Door")
    door.GetPointsAttr().Set([(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    door.GetFaceVertexCountsAttr().Set([3])
    door.GetFaceVertexIndicesAttr().Set([0, 1, 2])
    spline = Ts.Spline()
    for time, value in ((0.0, 1.0), (48.0, 5.0)):
        knot = Ts.Knot()
        knot.SetTime(time)
        knot.SetValue(value)
        knot.SetNextInterpolation(Ts.InterpCurve)
        knot.SetPreTanWidth(8.0)
        knot.SetPostTanWidth(20.0)
        spline.SetKnot(knot)
    door.AddTranslateXOp().GetAttr().SetSpline(spline)
    stage.Save()
    moves_between_keys_as_in_openusd(path, door)


@pytest.mark.parametrize("part", ["translations", "rotations", "scales"])
def test_an_animation_without_all_parts_moves_nothing_as_in_openusd(part, tmp_path):
    path = tmp_path / "arm.usda"
    stage = arm(path)
    stage.GetPrimAtPath("/Root/Skel/Bend").RemoveProperty(part)
    stage.Save()
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(stage.GetPrimAtPath("/Root")), Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/Root/Skel")))
    assert query.ComputeJointLocalTransforms(24) == query.ComputeJointLocalTransforms(0, True)
    loaded = load(path)
    np.testing.assert_allclose(posed(loaded.rig, 1.0), posed(loaded.rig, 0.0))
    assert [u.what for u in loaded.rig.unseen] == ["motion"]


def test_samples_that_lack_a_part_are_left_out(tmp_path):
    stage = arm(tmp_path / "arm.usda")
    anim = UsdSkel.Animation(stage.GetPrimAtPath("/Root/Skel/Bend"))
    anim.GetRotationsAttr().Set(Sdf.ValueBlock(), 36)
    anim.GetRotationsAttr().Set([Gf.Quatf(1)], 48)
    stage.Save()
    rig = load(tmp_path / "arm.usda").rig
    (channel,) = rig.clips[0].channels
    assert channel.sampler.times.tolist() == [0, 1, 2]
    (unseen,) = rig.unseen
    assert "/Root/Skel/Bend does not have at 1 of its 4 samples translations" in unseen.reason


def test_a_binding_that_changes_over_time_is_missed(tmp_path):
    path = tmp_path / "arm.usda"
    stage = arm(path)
    binding = UsdSkel.BindingAPI(stage.GetPrimAtPath("/Root/Quad"))
    bind, weights = binding.CreateGeomBindTransformAttr(), binding.GetJointWeightsPrimvar()
    for attribute, values in (
        (bind, (Gf.Matrix4d(1), Gf.Matrix4d(2))),
        (weights.GetAttr(), ([1, 1, 1, 1], [1, 1, 0.5, 0])),
    ):
        stage.Save()
        assert load(path).rig.unseen == ()
        for code, value in enumerate(values):
            attribute.Set(value, code)
        stage.Save()
        (unseen,) = load(path).rig.unseen
        text = "what binds /Root/Quad changes over time; the first of it is taken"
        assert (unseen.what, unseen.reason) == ("motion", text)
        attribute.ClearAtTime(1)


def moves_between_keys_as_in_openusd(path, prim):
    loaded = load(path)
    (clip,) = loaded.rig.clips
    assert clip.stated_times.tolist() == [0.0, 2.0]
    node = loaded.rig.parts[0].node
    for code in np.linspace(0.0, 48.0, 37):
        place = model_from_nodes(loaded.rig, sample(loaded.rig, clip, code / 24.0))[node]
        wanted = np.array(prim.GetLocalTransformation(code)).T
        np.testing.assert_allclose(place, wanted, atol=2e-5)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("turn", "slant"),
    [
        ((0.7071, 0, 0, 0.7071), 0.0),  # as OpenUSD's own documentation has it
        ((0.7, 0, 0, 0.7), 0.0),
        ((2, 0, 2, 0), 0.0),
        ((0.5, 0.5, 0.5, 0.4), 0.1),
    ],
)
def test_quaternions_of_any_length_turn_and_scale_as_in_openusd(turn, slant, tmp_path):
    stage = arm(tmp_path / "arm.usda")
    anim = UsdSkel.Animation(stage.GetPrimAtPath("/Root/Skel/Bend"))
    anim.GetRotationsAttr().Set([Gf.Quatf(*turn)], 24)
    stage.Save()
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(stage.GetPrimAtPath("/Root")), Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/Root/Skel")))
    loaded = load(tmp_path / "arm.usda")
    rig = loaded.rig
    assert any("OpenUSD slants" in note for note in loaded.notes) == (slant > 0.0)
    for code in (0, 7, 12, 19.5, 24):
        wanted = np.array(query.ComputeJointSkelTransforms(code)[1]).T
        got = model_from_nodes(rig, sample(rig, rig.clips[0], code / 24))
        knee = rig.nodes.names.index("Knee")
        np.testing.assert_allclose(got[knee, :3, :3], wanted[:3, :3], atol=slant + 2e-6)


def test_a_quaternion_that_was_never_a_rotation_is_made_one(tmp_path):
    stage = arm(tmp_path / "arm.usda")
    anim = UsdSkel.Animation(stage.GetPrimAtPath("/Root/Skel/Bend"))
    anim.GetRotationsAttr().Set([Gf.Quatf(3e30, 0, 0, 3e30)], 24)
    stage.Save()
    np.testing.assert_allclose(
        posed(load(tmp_path / "arm.usda").rig, 1.0)[2, :2], [-2, 3], atol=1e-6
    )


def test_faces_that_are_holes_are_not_drawn(tmp_path):
    stage = arm(tmp_path / "arm.usda")
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Root/Quad"))
    mesh.GetFaceVertexCountsAttr().Set([3, 3])
    mesh.GetFaceVertexIndicesAttr().Set([0, 1, 2, 0, 2, 3])
    mesh.GetHoleIndicesAttr().Set([0])
    stage.Save()
    (primitive,) = load(tmp_path / "arm.usda").rig.meshes[0].primitives
    assert primitive.triangles.tolist() == [[0, 2, 3]]
    assert len(primitive.positions) == 4


def not_of_a_point(binding):
    for name in ("jointIndices", "jointWeights"):
        UsdGeom.Primvar(binding.GetPrim().GetAttribute(f"primvars:skel:{name}")).SetInterpolation(
            "constant"
        )


def of_64_bits(binding):
    prim = binding.GetPrim().GetStage().GetRootLayer().GetPrimAtPath("/Root/Quad")
    old = prim.properties["primvars:skel:jointWeights"]
    values = [*old.default]
    prim.RemoveProperty(old)
    kind = Sdf.ValueTypeNames.DoubleArray
    made = Sdf.AttributeSpec(prim, "primvars:skel:jointWeights", kind)
    made.default = values
    made.SetInfo("interpolation", "vertex")


@pytest.mark.parametrize("spoil", [not_of_a_point, of_64_bits])
def test_influences_that_openusd_cannot_read_move_nothing(spoil, tmp_path):
    stage = arm(tmp_path / "arm.usda")
    spoil(UsdSkel.BindingAPI(stage.GetPrimAtPath("/Root/Quad")))
    stage.Save()
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(stage.GetPrimAtPath("/Root")), Usd.PrimDefaultPredicate)
    query = cache.GetSkinningQuery(stage.GetPrimAtPath("/Root/Quad"))
    assert query.ComputeJointInfluences() is None
    rig = load(tmp_path / "arm.usda").rig
    assert [primitive.influences for primitive in rig.meshes[0].primitives] == [None]
    assert [unseen.what for unseen in rig.unseen] == ["influences"]
    np.testing.assert_allclose(posed(rig, 1.0)[2], [1, 4, 0])


def test_a_skeleton_without_a_mesh_has_the_joints_that_it_lists(tmp_path):
    stage = Usd.Stage.CreateNew(str(tmp_path / "bones.usda"))
    UsdGeom.Camera.Define(stage, "/World/Shot")
    UsdSkel.Root.Define(stage, "/World/Hero")
    skeleton = UsdSkel.Skeleton.Define(stage, "/World/Hero/Skel")
    skeleton.CreateJointsAttr(["hips", "hips/knee"])
    places = [Gf.Matrix4d(1), Gf.Matrix4d(1).SetTranslate((0, 1, 0))]
    skeleton.CreateBindTransformsAttr(places)
    skeleton.CreateRestTransformsAttr(places)
    stage.Save()
    rig = load(tmp_path / "bones.usda").rig
    assert [rig.nodes.names[joint] for joint in rig.joints] == ["hips", "knee"]


def test_a_prim_that_leaves_its_parents_stands_where_openusd_puts_it(tmp_path):
    path = tmp_path / "left.usda"
    stage = stage_at(path)
    UsdGeom.Xform.Define(stage, "/Group").AddTranslateOp().Set((5, 0, 0))
    alone = UsdGeom.Xform.Define(stage, "/Group/Alone")
    alone.AddTranslateOp().Set((0, 1, 0))
    alone.SetResetXformStack(True)
    stage.Save()
    rig = load(path).rig
    placed = model_from_nodes(rig, rest_pose(rig))[rig.nodes.names.index("Alone")]
    wanted = np.array(UsdGeom.XformCache().GetLocalToWorldTransform(alone.GetPrim())).T
    np.testing.assert_allclose(placed[:3, 3], wanted[:3, 3])


def test_a_skeleton_without_a_rest_pose_rests_as_it_was_bound(tmp_path):
    path = tmp_path / "arm.usda"
    stage = arm(path)
    skel = UsdSkel.Skeleton(stage.GetPrimAtPath("/Root/Skel"))
    places = [Gf.Matrix4d().SetTranslate((0, height, 0)) for height in (1, 3)]
    skel.GetBindTransformsAttr().Set(places)
    skel.GetPrim().RemoveProperty("restTransforms")
    stage.Save()
    rig = load(path).rig
    frames = model_from_nodes(rig, rest_pose(rig))
    stands = [frames[rig.nodes.names.index(name)][:3, 3] for name in ("Hip", "Knee")]
    np.testing.assert_allclose(stands, [[0, 1, 5], [0, 3, 5]])


def test_a_joint_whose_rest_is_not_finite_rests_as_it_was_bound(tmp_path):
    """Blender writes one for what hangs on a bone of no size."""
    path = tmp_path / "arm.usda"
    stage = arm(path)
    skel = UsdSkel.Skeleton(stage.GetPrimAtPath("/Root/Skel"))
    skel.GetRestTransformsAttr().Set([Gf.Matrix4d().SetTranslate((1, 0, 0)), Gf.Matrix4d(math.nan)])
    stage.Save()
    loaded = load(path)
    frames = model_from_nodes(loaded.rig, rest_pose(loaded.rig))
    stands = [frames[loaded.rig.nodes.names.index(name)][:3, 3] for name in ("Hip", "Knee")]
    np.testing.assert_allclose(stands, [[1, 0, 5], [1, 2, 5]])
    text = "where Hip/Knee rests in /Root/Skel is not finite; its bind pose is taken"
    assert loaded.notes == (text,)


@pytest.mark.parametrize(
    ("rate", "offset", "scale"), [(24, 0, 1), (30, 3, 1.25), (59.94, -7.5, 0.8)]
)
def test_a_sublayer_of_another_rate_plays_when_openusd_plays_it(rate, offset, scale, tmp_path):
    sub = arm(tmp_path / "sub.usda")
    sub.SetTimeCodesPerSecond(rate)
    turn = UsdGeom.Xformable(sub.GetPrimAtPath("/Root")).AddRotateXYZOp()
    turn.Set((0, 0, 0), 2)
    turn.Set((250, 30, 0), 17)
    sub.Save()
    path = tmp_path / "shot.usda"
    stage = stage_at(path)
    stage.SetTimeCodesPerSecond(24)
    stage.GetRootLayer().subLayerPaths.append("./sub.usda")
    stage.GetRootLayer().subLayerOffsets[0] = Sdf.LayerOffset(offset, scale)
    stage.Save()
    rig = load(path).rig
    codes = np.linspace(rig.clips[0].start * 24, rig.clips[0].end * 24, 9)
    have = [posed(rig, code / 24) for code in codes]
    skel = stage.GetPrimAtPath("/Root/Skel")
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(stage.GetPrimAtPath("/Root")), Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(UsdSkel.Skeleton(skel))
    for code, points in zip(codes, have, strict=True):
        knee = np.array(query.ComputeJointSkelTransforms(code)[1])
        place = np.array(UsdGeom.Xformable(skel).ComputeLocalToWorldTransform(code))
        bound = np.array([[1, 2, 0, 1], [0, 2, 0, 1.0]])
        np.testing.assert_allclose(points[2:], (bound @ knee @ place)[:, :3], atol=2e-5)
