"""What a layer over a USD file cannot hold, each refused by name before anything is written."""

from dataclasses import replace

import numpy as np
import pytest
from rigs import with_influences, with_nodes
from small_files import USD_ARM

from rigview.check.rig_edits.reframe import with_node
from rigview.check.rig_edits.reparent import hang
from rigview.core.clip import Channel
from rigview.core.pose import sample
from rigview.core.sampler import Sampler
from rigview.io import Listener, SaveError, load, save
from rigview.io.reading import Notes

pytest.importorskip("pxr", reason="needs rigview[usd]")
from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, UsdUtils

from rigview.io.usd.amend.layer import amended
from rigview.io.usd.reader import open_rig

SKEL, ANIM, MESH = "/Model/Skel", "/Model/Anim", "/Model/Arm"


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.usda"
    path.write_text(USD_ARM)
    return path


def unedited(stage):
    """Leave the file as it is."""


def node(rig, name):
    return rig.nodes.names.index(name)


def primitive(rig):
    return rig.meshes[0].primitives[0]


def named(rig, own, name):
    names = list(rig.nodes.names)
    names[node(rig, own)] = name
    return with_nodes(rig, names=tuple(names))


def with_curve(rig, path="rotation", **changes):
    """Return the rig with another curve of the forearm."""
    clip, lower = rig.clips[0], node(rig, "lower")
    channels = [
        replace(c, sampler=replace(c.sampler, **changes))
        if (c.node, c.path) == (lower, path)
        else c
        for c in clip.channels
    ]
    return replace(rig, clips=(replace(clip, channels=tuple(channels)),))


def bent(rig):
    curve = rig.clips[0].curve(node(rig, "lower"), "rotation")
    slopes = np.zeros((len(curve.times), 3, 4))
    slopes[:, 1] = curve.values
    slopes[:, 0] = slopes[:, 2] = 0.3
    clip = rig.clips[0]
    cubic = Sampler(curve.times, slopes, "CUBICSPLINE")
    own = Channel(node(rig, "lower"), "rotation", cubic)
    others = [c for c in clip.channels if (c.node, c.path) != (own.node, "rotation")]
    return replace(rig, clips=(replace(clip, channels=(own, *others)),))


def new_joint(rig):
    return with_node(rig, "extra", node(rig, "hand"), np.eye(4))[0]


def moved(rig):
    return rig.with_primitive(
        0, 0, replace(primitive(rig), positions=primitive(rig).positions + 0.001)
    )


def turned_normals(rig):
    return rig.with_primitive(0, 0, replace(primitive(rig), normals=-primitive(rig).normals))


def listed_prim(rig):
    """Let the skin list the mesh's own prim."""
    skin = rig.skins[0]
    binds = np.concatenate([skin.joint_from_mesh, np.eye(4)[None]])
    return rig.with_skin(
        0, replace(skin, joints=(*skin.joints, node(rig, "Arm")), inverse_binds=binds)
    )


def second_names(stage):
    UsdSkel.Skeleton(stage.GetPrimAtPath(SKEL)).CreateJointNamesAttr().Set(["a", "b", "c"])


def moving_points(stage):
    points = UsdGeom.Mesh(stage.GetPrimAtPath(MESH)).GetPointsAttr()
    for code, along in ((0, 0.0), (30, 1.0)):
        points.Set([p + Gf.Vec3f(along, 0, 0) for p in points.Get()], code)


def normals_of_corners(stage):
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(MESH))
    mesh.GetNormalsAttr().Set([(0, -1, 0)] * 4 + [(0, 0, 1)] * 4)
    mesh.SetNormalsInterpolation("faceVarying")


def apart(rig):
    """Move one of the vertices that share a point."""
    positions = primitive(rig).positions.copy()
    first = positions[0] * 0.0 + 0.001
    _, where, count = np.unique(positions.round(6), axis=0, return_inverse=True, return_counts=True)
    shared = int(np.flatnonzero(count[where.ravel()] > 1)[0])
    positions[shared] += first
    return rig.with_primitive(0, 0, replace(primitive(rig), positions=positions))


def follow_apart(rig):
    """Let one of the vertices that share a point follow another joint."""
    influences, positions = primitive(rig).influences, primitive(rig).positions
    _, where, count = np.unique(positions.round(6), axis=0, return_inverse=True, return_counts=True)
    shared = int(np.flatnonzero(count[where.ravel()] > 1)[0])
    joints = influences.joints.copy()
    joints[shared] = 2
    return with_influences(rig, joints, influences.weights)


def with_shape(stage):
    shape = UsdSkel.BlendShape.Define(stage, f"{MESH}/Smile")
    shape.GetOffsetsAttr().Set([(0, 0, 1)] * 6)
    binding = UsdSkel.BindingAPI(stage.GetPrimAtPath(MESH))
    binding.CreateBlendShapesAttr().Set(["Smile"])
    binding.CreateBlendShapeTargetsRel().SetTargets([shape.GetPath()])


def moving_shapes(stage):
    with_shape(stage)
    anim = UsdSkel.Animation(stage.GetPrimAtPath(ANIM))
    anim.CreateBlendShapesAttr().Set(["Smile"])
    for code, value in ((0, [0.0]), (30, [1.0])):
        anim.CreateBlendShapeWeightsAttr().Set(value, code)


def other_shapes(rig):
    morphs = primitive(rig).morphs
    return rig.with_primitive(
        0, 0, replace(primitive(rig), morphs=replace(morphs, positions=2.0 * morphs.positions))
    )


def other_shape_curves(rig):
    (clip,) = rig.clips
    channels = [
        replace(c, sampler=replace(c.sampler, values=0.5 * c.sampler.values))
        if c.path == "weights"
        else c
        for c in clip.channels
    ]
    return replace(rig, clips=(replace(clip, channels=tuple(channels)),))


def smiling(rig):
    return replace(rig, meshes=(replace(rig.meshes[0], morph_weights=np.array([0.5])),))


@pytest.mark.parametrize(
    ("edit", "change", "words"),
    [
        (
            unedited,
            lambda rig: named(hang(rig, node(rig, "hand"), node(rig, "upper")), "hand", "lower"),
            "two joints would have the path upper/lower",
        ),
        (unedited, lambda rig: named(rig, "hand", "a/b"), "cannot be called 'a/b'"),
        (
            unedited,
            lambda rig: hang(
                hang(rig, node(rig, "hand"), node(rig, "upper")),
                node(rig, "lower"),
                node(rig, "hand"),
            ),
            "would come before its parent in the list of joints",
        ),
        (second_names, new_joint, f"{SKEL} states second names of its joints"),
        (unedited, bent, "a curve of the clip Anim bends"),
        (
            unedited,
            lambda rig: with_curve(rig, interpolation="STEP"),
            "a curve of the clip Anim is held between keys otherwise",
        ),
        (
            unedited,
            lambda rig: rig.with_primitive(
                0, 0, replace(primitive(rig), triangles=primitive(rig).triangles[:, ::-1].copy())
            ),
            f"{MESH} would have other faces",
        ),
        (with_shape, other_shapes, f"{MESH} would have other blend shapes"),
        (moving_shapes, other_shape_curves, "the curves of the shapes of Arm in the clip Anim"),
        (with_shape, smiling, f"{SKEL} plays no animation of the blend shape Smile"),
        (moving_points, moved, f"the points of {MESH} change over time"),
        (normals_of_corners, apart, "that share a point would part"),
        (normals_of_corners, follow_apart, f"vertices of one point of {MESH} would follow joints"),
        (
            unedited,
            lambda rig: hang(rig, node(rig, "Arm"), node(rig, "Skel")),
            "the prim Arm cannot be moved under another by a layer",
        ),
        (
            unedited,
            lambda rig: replace(rig, clips=()),
            "the clips would be others, which a layer does not hold",
        ),
        (
            unedited,
            lambda rig: replace(rig, clips=(replace(rig.clips[0], name="Other"),)),
            "the clips would be others, which a layer does not hold",
        ),
        (
            unedited,
            lambda rig: replace(rig, node_skins=(None,) * len(rig.nodes)),
            f"{MESH} would lose its skin",
        ),
        (unedited, listed_prim, f"{MESH} would list Arm, which is no joint of its skeleton"),
    ],
)
def test_what_no_layer_can_hold_is_refused_by_name(arm, edit, change, words):
    stage = Usd.Stage.Open(str(arm))
    edit(stage)
    stage.Save()
    source = open_rig(arm, Listener(), Notes())
    with pytest.raises(SaveError, match=words):
        amended(source, change(source.rig))


def package(arm):
    """Return a package of the arm whose shapes move."""
    out = arm.with_suffix(".usdz")
    assert UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(str(arm)), str(out))
    return out


@pytest.mark.parametrize("how", ["layer", "flat", "package"])
def test_weights_of_shapes_at_rest_are_kept_however_the_copy_is_made(arm, how):
    stage = Usd.Stage.Open(str(arm))
    moving_shapes(stage)
    stage.Save()
    path = package(arm) if how == "package" else arm
    loaded, out = load(path), path.with_name(f"copy{path.suffix}")
    wanted = smiling(loaded.rig)
    save(loaded, wanted, out, flatten=how == "flat")
    if how == "flat":
        arm.rename(arm.with_name("gone.usda"))
    copy = load(out).rig
    assert copy.meshes[0].morph_weights == pytest.approx([0.5], abs=1e-6)
    for time in (0.0, 0.5, 1.0):
        was, now = (
            sample(rig, rig.clips[0], time).morph_weights[node(rig, "Arm")]
            for rig in (wanted, copy)
        )
        assert now == pytest.approx(was, abs=1e-6)
        assert was == pytest.approx([time], abs=1e-6)


def test_names_that_a_copy_cannot_have_are_refused(arm):
    loaded = load(arm)
    wanted = turned_normals(loaded.rig)
    for name, flat, words in (
        ("copy.usdz", False, "arm.usda is no package"),
        ("arm.usda", False, "give it another name"),
        ("copy.usdz", True, "needs a name of its own in .usda or .usdc"),
        ("arm.usda", True, "needs a name of its own"),
    ):
        with pytest.raises(SaveError, match=words):
            save(loaded, wanted, arm.with_name(name), flatten=flat)
    assert [path.name for path in arm.parent.iterdir()] == ["arm.usda"]
    assert arm.read_text() == USD_ARM
