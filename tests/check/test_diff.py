"""What changed between two rigs: nothing where nothing did, and each change with its measure."""

import json
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from tidy import ARM, BODY, CHEST, HAND, HEAD, HIPS, SPINE

from rigview.assets import resource
from rigview.check.diff import compare
from rigview.check.diff.words import as_dict, as_text
from rigview.check.labels import part_label
from rigview.check.run import run
from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.materials import Image, Material, Texture
from rigview.core.mesh import Influences, MorphTargets
from rigview.core.sampler import Sampler
from rigview.core.weight_changes import Changes, PartHeat

TURN = quat.from_axis_angle((0.0, 0.0, 1.0), np.radians(30.0))
BEFORE = rigs.tidy()
SCHEMA = jsonschema.Draft202012Validator(resource("diff-1.schema.json"))


def found(after, before=BEFORE):
    """The difference as JSON values; the words must take it too."""
    difference = compare(before, after)
    words = as_text(difference, "a.glb", "b.glb")
    assert ("no difference" in words) == difference.same
    report = json.loads(json.dumps(as_dict(difference, "a.glb", "b.glb"), allow_nan=False))
    SCHEMA.validate(report)
    return report


def told(section):
    """The parts of a section that say anything."""
    return {key: value for key, value in section.items() if value}


def with_names(rig, **names):
    new = tuple(names.get(name, name) for name in rig.nodes.names)
    return rigs.with_nodes(rig, names=new)


@settings(max_examples=6)
@given(rigs.rigs(clips=1, morphs=1))
def test_a_rig_does_not_differ_from_itself(rig):
    assert compare(rig, rig).same


def test_equal_rigs_have_nothing_to_tell():
    report = found(BEFORE)
    assert report["same"] is True
    assert report["deformation"] == []
    for section in ("joints", "skins", "meshes", "clips"):
        assert told(report[section]) == {}


# Joints.


def test_a_joint_that_moves_takes_its_children_along_but_is_the_only_one_told():
    moved = BEFORE.nodes.translations[CHEST] + (0.0, 0.0, 0.25)
    after = rigs.with_nodes(
        BEFORE, translations=rigs.with_row(BEFORE.nodes.translations, CHEST, moved)
    )
    report = found(after)
    assert told(report["joints"]) == {
        "moved": [{"joint": BEFORE.nodes.names[CHEST], "distance_m": pytest.approx(0.25)}]
    }
    assert report["bind"] == []
    rest = next(row for row in report["deformation"] if row["clip"] is None)
    assert 0.0 < rest["distance_m"] <= 0.25 + 1e-9


def test_a_joint_that_turns_is_told_with_its_angle():
    turned = quat.multiply(BEFORE.nodes.rotations[ARM], TURN)
    after = rigs.with_nodes(BEFORE, rotations=rigs.with_row(BEFORE.nodes.rotations, ARM, turned))
    joints = told(found(after)["joints"])
    assert set(joints) == {"turned"}
    assert joints["turned"] == [
        {"joint": BEFORE.nodes.names[ARM], "angle_deg": pytest.approx(30.0)}
    ]


def test_a_joint_that_scales_is_told_with_its_factor():
    after = rigs.with_nodes(BEFORE, scales=rigs.with_row(BEFORE.nodes.scales, HIPS, 2.0))
    joints = told(found(after)["joints"])
    assert joints["scaled"] == [{"joint": BEFORE.nodes.names[HIPS], "factor": pytest.approx(2.0)}]


def test_an_exact_reorientation_turns_joint_and_bind_and_moves_no_vertex(samples):
    from rigview.io import load

    before = load(samples / "broken" / "ORI-PRIMARY.glb").rig
    fix = run(before, select=["ORI-PRIMARY"]).findings[0].fix
    report = found(fix.repair(before), before)
    assert [c["joint"] for c in report["joints"]["turned"]] == ["middle"]
    assert [c["joint"] for c in report["bind"]] == ["middle"]
    assert report["bind"][0]["angle_deg"] == pytest.approx(34.0, abs=0.01)
    assert report["deformation"] == []


def test_a_renamed_joint_is_no_other_joint_and_neither_are_its_children():
    names = BEFORE.nodes.names
    after = with_names(BEFORE, **{names[HIPS]: "Pelvis", names[ARM]: "UpperArm"})
    report = found(after)
    assert told(report["joints"]) == {
        "renamed": [
            {"from": names[HIPS], "to": "Pelvis"},
            {"from": names[ARM], "to": "UpperArm"},
        ]
    }
    assert report["meshes"]["changed"] == []


def test_a_prefix_on_every_joint_is_a_renaming():
    names = tuple(f"rig:{name}" for name in BEFORE.nodes.names)
    joints = found(rigs.with_nodes(BEFORE, names=names))["joints"]
    assert len(joints["renamed"]) == len(BEFORE.joints)
    assert joints["added"] == joints["removed"] == []


def test_a_joint_under_another_is_told():
    children = [list(c) for c in BEFORE.nodes.children]
    children[CHEST].remove(ARM)
    children[SPINE].append(ARM)
    names = BEFORE.nodes.names
    after = rigs.with_nodes(BEFORE, children=tuple(map(tuple, children)))
    assert found(after)["joints"]["reparented"] == [
        {"joint": names[ARM], "from": names[CHEST], "to": names[SPINE]}
    ]


def test_a_joint_that_left_the_skin_is_removed_and_one_that_came_is_added():
    skin = BEFORE.skins[0]
    name = BEFORE.nodes.names[skin.joints[-1]]
    shorter = replace(skin, joints=skin.joints[:-1], inverse_binds=skin.inverse_binds[:-1])
    influences = BEFORE.meshes[0].primitives[0].influences
    used = np.where(influences.joints == len(skin.joints) - 1, 0, influences.joints)
    after = rigs.with_influences(replace(BEFORE, skins=(shorter,)), joints=used)
    report = found(after)
    assert report["joints"]["removed"] == [name]
    assert report["skins"]["changed"] == [
        {"skin": skin.name or "skin 0", "removed": [name], "added": [], "reordered": False}
    ]
    back = found(BEFORE, after)
    assert back["joints"]["added"] == [name]
    assert back["skins"]["changed"][0]["added"] == [name]


def test_another_order_of_the_joints_is_told_and_changes_nothing_else():
    skin = BEFORE.skins[0]
    order = np.arange(len(skin.joints))[::-1]
    turned = replace(
        skin,
        joints=tuple(skin.joints[i] for i in order),
        inverse_binds=skin.inverse_binds[order],
    )
    joints = len(order) - 1 - BEFORE.meshes[0].primitives[0].influences.joints
    report = found(rigs.with_influences(replace(BEFORE, skins=(turned,)), joints=joints))
    assert [c["reordered"] for c in report["skins"]["changed"]] == [True]
    assert report["bind"] == report["deformation"] == report["meshes"]["changed"] == []


# Bind and weights.


def test_a_bind_that_moved_is_told_in_mesh_space():
    skin = BEFORE.skins[0]
    binds = skin.inverse_binds.copy()
    binds[2, :3, 3] += (0.0, 0.5, 0.0)
    report = found(BEFORE.with_skin(0, replace(skin, inverse_binds=binds)))
    name = BEFORE.nodes.names[skin.joints[2]]
    assert [(c["joint"], c["distance_m"]) for c in report["bind"]] == [(name, pytest.approx(0.5))]
    assert told(report["joints"]) == {}


@pytest.mark.parametrize(
    ("offset", "factor", "words"),
    [
        (0.5, 1.0, "bound 500 mm off"),
        (0.0, 100.0, "bound scaled by 0.01"),
        (0.5, 100.0, "bound 500 mm off, scaled by 0.01"),
    ],
)
def test_of_a_bind_only_what_changed_is_said(offset, factor, words):
    skin = BEFORE.skins[0]
    binds = skin.inverse_binds.copy()
    # About the joint itself, which therefore stays where it was bound.
    binds[2, :3] *= factor
    binds[2, :3, 3] += binds[2, :3, :3] @ (0.0, -offset, 0.0)
    after = BEFORE.with_skin(0, replace(skin, inverse_binds=binds))
    lines = as_text(compare(BEFORE, after), "a.glb", "b.glb").splitlines()
    (line,) = (line for line in lines if " bound " in line)
    assert line.endswith(words)


def test_reweighted_vertices_are_told_with_their_share_and_their_joints():
    influences = BEFORE.meshes[0].primitives[0].influences
    weights, joints = influences.weights.copy(), influences.joints.copy()
    weights[3] = weights[7] = 0.0
    weights[3, :2], joints[3, :2] = (0.75, 0.25), (0, 1)
    weights[7, 0], joints[7, 0] = 1.0, 0
    before = rigs.with_influences(BEFORE, joints, weights)
    moved = weights.copy()
    moved[3, :2] = (0.5, 0.5)
    report = found(rigs.with_influences(before, joints, moved), before)
    change = report["meshes"]["changed"][0]
    assert change["reweighted"] == {"count": 1, "ids": [3], "share": pytest.approx(0.25)}
    names = {BEFORE.nodes.names[BEFORE.skins[0].joints[i]] for i in (0, 1)}
    assert {row["joint"] for row in change["joints"]} == names
    assert [row["most"] for row in change["joints"]] == pytest.approx([0.25, 0.25])


def test_the_order_of_influences_is_no_change():
    influences = BEFORE.meshes[0].primitives[0].influences
    after = rigs.with_influences(BEFORE, influences.joints[:, ::-1], influences.weights[:, ::-1])
    assert compare(BEFORE, after).same


def test_other_numbers_of_vertices_are_told_and_not_compared():
    primitive = BEFORE.meshes[0].primitives[0]
    count = len(primitive.positions)
    keep = np.arange(count) < count - 1
    fewer = replace(
        primitive,
        positions=primitive.positions[keep],
        normals=None if primitive.normals is None else primitive.normals[keep],
        triangles=primitive.triangles[np.all(keep[primitive.triangles], axis=1)],
        uvs={},
        influences=replace(
            primitive.influences,
            joints=primitive.influences.joints[keep],
            weights=primitive.influences.weights[keep],
        ),
    )
    change = found(BEFORE.with_primitive(0, 0, fewer))["meshes"]["changed"][0]
    assert change["vertices"] == [count, count - 1]
    assert change["reweighted"]["count"] == change["reshaped"]["count"] == 0


BODY_NOW = BEFORE.meshes[0].primitives[0]
MANY = len(BODY_NOW.positions)


def changed_part(before, after):
    """The JSON of the one part that changed, from a primitive to another."""
    report = found(BEFORE.with_primitive(0, 0, after), BEFORE.with_primitive(0, 0, before))
    assert report["same"] is False
    (change,) = report["meshes"]["changed"]
    return change


@pytest.mark.parametrize(
    ("field", "name", "values", "moved", "most", "unit"),
    [
        ("compensation", "compensation mask", np.ones(MANY), 0.25, 0.75, ""),
        ("dqs_weights", "weights of dual quaternion skinning", np.ones(MANY), 0.5, 0.5, ""),
        ("colours", "vertex colours", np.ones((MANY, 4)), (1, 0.4, 1, 1), 0.6, ""),
        ("normals", "normals", np.tile([0.0, 0.0, 2.0], (MANY, 1)), (0, 1, 1), 45.0, "°"),
        ("tangents", "tangents", np.tile([1.0, 0, 0, 1], (MANY, 1)), (1, 0, 0, -1), 180.0, "°"),
    ],
)
def test_what_vertices_carry_is_told_when_it_comes_changes_and_goes(
    field, name, values, moved, most, unit
):
    without = replace(BODY_NOW, **{field: None})
    had = replace(BODY_NOW, **{field: values})
    has = replace(BODY_NOW, **{field: rigs.with_row(values, 3, moved)})
    for before, after, wanted in (
        (without, had, ("added", MANY, 0.0)),
        (had, has, ("changed", 1, pytest.approx(most))),
        (had, without, ("removed", MANY, 0.0)),
    ):
        (row,) = changed_part(before, after)["attributes"]
        assert (row["name"], row["unit"]) == (name, unit)
        assert (row["change"], row["vertices"], row["most"]) == wanted


def test_texture_coordinates_are_told_by_their_set():
    uvs = {0: np.zeros((MANY, 2)), 1: np.zeros((MANY, 2))}
    moved = uvs | {1: rigs.with_row(uvs[1], 2, (0.0, 0.125))}
    (row,) = changed_part(replace(BODY_NOW, uvs=uvs), replace(BODY_NOW, uvs=moved))["attributes"]
    assert (row["name"], row["vertices"], row["most"]) == ("texture coordinates 1", 1, 0.125)


def test_morph_targets_are_paired_by_name_and_told_by_how_far_they_move():
    shapes = np.zeros((2, MANY, 3))
    moved = shapes.copy()
    moved[1, 5] = (0.0, 0.25, 0.0)
    before = replace(BODY_NOW, morphs=MorphTargets(shapes, names=("smile", "blink")))
    # In another order, and with one more.
    after = MorphTargets(
        np.concatenate([moved[::-1], moved[:1]]), names=("blink", "smile", "frown")
    )
    rows = changed_part(before, replace(BODY_NOW, morphs=after))["attributes"]
    assert [(row["name"], row["change"]) for row in rows] == [
        ("morph target blink", "changed"),
        ("morph target frown", "added"),
    ]
    assert (rows[0]["vertices"], rows[0]["most"], rows[0]["unit"]) == (1, 0.25, "m")


def test_values_that_are_no_numbers_are_the_same_only_as_themselves():
    colours = rigs.with_row(np.ones((MANY, 4)), 1, np.nan)
    strange = replace(BODY_NOW, colours=colours)
    rig = BEFORE.with_primitive(0, 0, strange)
    assert compare(rig, rig).same
    (row,) = changed_part(replace(BODY_NOW, colours=np.ones((MANY, 4))), strange)["attributes"]
    assert (row["vertices"], row["most"]) == (1, 0.0)


def with_material(pixels=0, name="Skin", **looks):
    texture = Texture(0, wrap=looks.pop("wrap", ("repeat", "repeat")))
    image = Image("face.png", np.full((2, 2, 4), pixels, np.uint8))
    material = Material(name, texture=texture, **looks)
    rig = replace(BEFORE, materials=(material,), images=(image,))
    return rig.with_primitive(0, 0, replace(BODY_NOW, material=0, method=None))


@pytest.mark.parametrize(
    ("after", "wanted"),
    [
        (with_material(name="Cloth"), ("material", "Skin", "Cloth")),
        (with_material(base_colour=(1.0, 0.5, 0, 1)), ("base colour", "1 1 1 1", "1 0.5 0 1")),
        (with_material(alpha_mode="BLEND"), ("transparency", "opaque", "blended")),
        (with_material(double_sided=True), ("drawn", "on one side", "on both sides")),
        (with_material(200), ("texture", "face.png", "another picture of the name face.png")),
        (
            with_material(wrap=("clamp", "clamp")),
            ("texture", "face.png", "face.png, laid otherwise"),
        ),
        (BEFORE.with_primitive(0, 0, replace(BODY_NOW, method="dqs")), None),
    ],
)
def test_what_a_mesh_is_drawn_with_is_told(after, wanted):
    report = found(after, with_material())
    (change,) = report["meshes"]["changed"]
    rows = [(row["what"], row["from"], row["to"]) for row in change["stated"]]
    if wanted is None:
        assert ("skinning method", None, "dqs") in rows
        assert ("material", "Skin", None) in rows
        assert ("texture", "face.png", None) in rows
    else:
        assert rows == [wanted]
    assert change["attributes"] == []


def test_a_mesh_of_another_name_is_the_same_one_while_it_has_as_many_vertices():
    mesh = BEFORE.meshes[0]
    name = part_label(BEFORE, BEFORE.parts[0])
    renamed = replace(BEFORE, meshes=(replace(mesh, name="Coat"), *BEFORE.meshes[1:]))
    (change,) = found(renamed)["meshes"]["changed"]
    new_name = part_label(renamed, renamed.parts[0])
    assert change["stated"] == [{"what": "name", "from": name, "to": new_name}]
    assert f"name {name} → {new_name}" in as_text(compare(BEFORE, renamed), "a.glb", "b.glb")


def test_the_heatmap_of_weights_and_of_displacement_has_a_value_per_vertex():
    influences = BEFORE.meshes[0].primitives[0].influences
    rolled = rigs.with_influences(BEFORE, weights=np.roll(influences.weights, 1, axis=0))
    difference = compare(BEFORE, rolled)
    count = len(BEFORE.meshes[0].primitives[0].positions)
    assert difference.parts[0].reweighted.shape == (count,)
    assert difference.parts[0].reweighted.min() >= 0.0
    assert difference.parts[0].reweighted.max() <= 1.0 + 1e-12
    assert difference.motion.displaced[0].shape == (count,)


# Clips and shape.


def with_clip(angle, end=1.0, name="Wave", node=ARM):
    keys = np.stack([quat.IDENTITY, quat.from_axis_angle((0.0, 0.0, 1.0), angle)])
    keys = quat.multiply(BEFORE.nodes.rotations[node], keys)
    sampler = Sampler(np.array([0.0, end]), keys)
    return replace(BEFORE, clips=(Clip(name, (Channel(node, "rotation", sampler),)),))


def test_clips_of_other_names_that_move_otherwise_come_and_go():
    for other in (with_clip(0.8), with_clip(0.5, end=2.0), with_clip(0.5, node=HEAD)):
        named = replace(other, clips=(replace(other.clips[0], name="Walk"),))
        clips = found(named, with_clip(0.5))["clips"]
        assert (clips["added"], clips["removed"], clips["renamed"]) == (["Walk"], ["Wave"], [])


def test_a_clip_that_got_another_name_is_renamed_and_nothing_else():
    before, after = with_clip(0.5, name="Walk"), with_clip(0.5, name="Wave")
    report = found(after, before)
    assert told(report["clips"]) == {"renamed": [{"from": "Walk", "to": "Wave"}]}
    assert report["same"] is False
    assert report["deformation"] == []
    assert "Walk renamed to Wave" in as_text(compare(before, after), "a.glb", "b.glb")


def test_a_clip_that_got_another_name_and_other_keys_is_both_renamed_and_changed():
    before, after = with_clip(0.5, name="Walk"), with_clip(0.51, name="Wave")
    clips = found(after, before)["clips"]
    assert clips["renamed"] == [{"from": "Walk", "to": "Wave"}]
    assert [change["clip"] for change in clips["changed"]] == ["Wave"]


def test_renamed_clips_find_each_other_in_any_order_and_whatever_joints_are_called():
    angles = {"a": 0.3, "b": 0.6, "c": 0.9}
    before = replace(BEFORE, clips=tuple(with_clip(v, name=n).clips[0] for n, v in angles.items()))
    turned = reversed(before.clips)
    after = replace(before, clips=tuple(replace(c, name=f"new {c.name}") for c in turned))
    renamed = found(with_names(after, Arm="Upper Arm"), before)["clips"]["renamed"]
    assert {row["from"]: row["to"] for row in renamed} == {n: f"new {n}" for n in angles}


def test_clips_without_motion_are_one_only_by_the_curves_they_have():
    still, other = with_clip(0.0, name="Rest"), with_clip(0.0, name="Pose")
    assert found(other, still)["clips"]["renamed"] == [{"from": "Rest", "to": "Pose"}]
    other = with_clip(0.0, name="Pose", node=HEAD)
    assert found(other, still)["clips"]["removed"] == ["Rest"]


def test_clips_that_only_morph_are_told_apart():
    def morphing(name, target):
        row = np.zeros((2, 2))
        row[1, target] = 1.0
        channel = Channel(BODY, "weights", Sampler(np.array([0.0, 1.0]), row))
        return replace(with_morph(), clips=(Clip(name, (channel,)),))

    def with_morph():
        primitive = BEFORE.meshes[0].primitives[0]
        shapes = np.ones((2, len(primitive.positions), 3))
        return BEFORE.with_primitive(0, 0, replace(primitive, morphs=MorphTargets(shapes)))

    smile = morphing("Smile", 0)
    assert found(morphing("Grin", 0), smile)["clips"]["renamed"] == [
        {"from": "Smile", "to": "Grin"}
    ]
    assert found(morphing("Blink", 1), smile)["clips"]["added"] == ["Blink"]


def test_a_clip_that_one_file_calls_by_its_object_is_paired():
    (wave,) = BEFORE.clips
    called = replace(BEFORE, clips=(replace(wave, name=f"Armature|{wave.name}"),))
    for before, after in ((BEFORE, called), (called, BEFORE)):
        assert told(found(after, before)["clips"]) == {}
    other = replace(BEFORE, clips=(replace(wave, name=f"Micro{wave.name}"),))
    assert found(other)["clips"]["renamed"] == [{"from": wave.name, "to": f"Micro{wave.name}"}]


def test_times_that_were_rounded_are_no_change_of_a_clip_that_changed():
    (wave,) = BEFORE.clips
    rounded = tuple(
        replace(c, sampler=replace(c.sampler, times=c.sampler.times + 1e-8))
        for c in wave.channels[:-1]
    )
    (change,) = found(replace(BEFORE, clips=(replace(wave, channels=rounded),)))["clips"]["changed"]
    assert change["span_s"][0] == change["span_s"][1]
    assert len(change["removed"]) == 1


def test_a_changed_clip_names_joint_time_and_distance_and_what_becomes_of_the_shape():
    before, after = with_clip(0.5), with_clip(0.8)
    report = found(after, before)
    change = report["clips"]["changed"][0]
    assert (change["clip"], change["time"]) == ("Wave", pytest.approx(1.0))
    assert change["joint"] == BEFORE.nodes.names[HAND]
    length = np.linalg.norm(BEFORE.nodes.translations[HAND])
    assert change["distance_m"] == pytest.approx(2.0 * length * np.sin(0.15), rel=1e-6)
    worst = report["deformation"][0]
    assert (worst["clip"], worst["time"]) == ("Wave", pytest.approx(1.0))
    shapes = [
        rigs.positions(rig, rigs.sample(rig, rig.clips[0], 1.0), "lbs") for rig in (before, after)
    ]
    wanted = np.linalg.norm(shapes[0] - shapes[1], axis=-1).max()
    assert worst["distance_m"] == pytest.approx(wanted)


def test_a_longer_clip_and_other_curves_are_told():
    report = found(with_clip(0.5, end=2.0, node=HEAD), with_clip(0.5))
    change = report["clips"]["changed"][0]
    assert change["span_s"] == [[0.0, 1.0], [0.0, 2.0]]
    assert change["removed"] == [f"{BEFORE.nodes.names[ARM]} rotation"]
    assert change["added"] == [f"{BEFORE.nodes.names[HEAD]} rotation"]


@pytest.mark.corpus
def test_what_khronos_repaired_in_rigged_figure_is_found(corpus):
    from rigview.io import load

    place = "RiggedFigure/glTF-Binary/RiggedFigure.glb"
    old = load(corpus / "rigs" / "sbtron+glTF-Sample-Models" / "2.0" / place).rig
    new = load(corpus / "rigs" / "DRx3D+glTF-Sample-Assets-OLD" / "Models" / place).rig
    report = found(new, old)
    # The nodes got names, the armature one of its own, and 31 vertices other weights.
    assert len(report["joints"]["renamed"]) == len(new.joints)
    assert report["joints"]["added"] == report["joints"]["removed"] == report["bind"] == []
    weights = report["meshes"]["changed"][0]["reweighted"]
    assert (weights["count"], weights["share"]) == (31, pytest.approx(0.4, abs=0.01))
    assert {row["vertex"] for row in report["deformation"]} <= set(weights["ids"])


def test_a_defective_rig_can_be_compared():
    weights = BEFORE.meshes[0].primitives[0].influences.weights.copy()
    weights[3] = np.nan
    joints = BEFORE.meshes[0].primitives[0].influences.joints.copy()
    joints[4] = 99
    children = [list(c) for c in BEFORE.nodes.children]
    children[HAND].append(HIPS)
    broken = rigs.with_nodes(
        rigs.with_influences(BEFORE, joints, weights),
        scales=rigs.with_row(BEFORE.nodes.scales, HAND, 0.0),
        children=tuple(map(tuple, children)),
    )
    skin = broken.skins[0]
    broken = broken.with_skin(0, replace(skin, inverse_binds=skin.inverse_binds[:2]))
    for a, b in ((BEFORE, broken), (broken, BEFORE)):
        report = found(b, a)
        assert report["same"] is False
        assert BEFORE.nodes.names[HAND] in [c["joint"] for c in report["joints"]["scaled"]]


# Heat.


def test_heat_is_half_of_what_the_weights_of_a_vertex_changed():
    count = len(BEFORE.primitive(BEFORE.parts[0]).positions)
    joints, weights = np.tile([0, 1, 2], (count, 1)), np.tile([0.0, 1.0, 0.0], (count, 1))
    changed = rigs.with_row(weights, 0, (0.0, 0.25, 0.75))
    before = rigs.with_influences(BEFORE, joints, weights)
    after = rigs.with_influences(BEFORE, joints, changed)
    heat = compare(before, after).heat
    assert heat.parts[0].reweighted[0] == pytest.approx(0.75)
    assert not np.any(heat.parts[0].reweighted[1:])
    assert heat.weight_end == 1.0
    (row,) = found(after, before)["heat"]
    assert row["weights"] == {
        "max": pytest.approx(0.75),
        "mean": pytest.approx(0.75 / count),
        "vertices": 1,
    }


def test_heat_of_the_shape_is_the_furthest_a_vertex_stands_from_itself():
    moved = BEFORE.nodes.translations[CHEST] + (0.0, 0.0, 0.25)
    after = rigs.with_nodes(
        BEFORE, translations=rigs.with_row(BEFORE.nodes.translations, CHEST, moved)
    )
    report = found(after)
    (row,) = report["heat"]
    worst = max(r["distance_m"] for r in report["deformation"])
    assert row["deformation"]["max"] * report["size_m"] == pytest.approx(worst)
    assert 0 < row["deformation"]["vertices"] <= row["vertices"][0]
    assert row["weights"] == {"max": 0.0, "mean": 0.0, "vertices": 0}


def test_meshes_of_other_numbers_of_vertices_are_told_apart():
    part = BEFORE.parts[0]
    mesh, primitive = BEFORE.meshes[part.mesh], BEFORE.primitive(part)
    fewer = replace(
        primitive,
        positions=primitive.positions[:-1],
        normals=None,
        triangles=primitive.triangles[:0],
        influences=Influences(primitive.influences.joints[:-1], primitive.influences.weights[:-1]),
    )
    meshes = list(BEFORE.meshes)
    meshes[part.mesh] = replace(mesh, primitives=(fewer, *mesh.primitives[1:]))
    after = replace(BEFORE, meshes=tuple(meshes))
    row = found(after)["heat"][0]
    assert row["comparable"] is False
    assert row["weights"] is row["deformation"] is None
    heat = compare(BEFORE, after).heat
    assert heat.comparable == {}
    assert [h.label for h in heat.incomparable] == [row["mesh"]]


@pytest.mark.parametrize(
    ("metres", "end"), [(0.0, 1e-4), (0.0199, 0.02), (0.02, 0.02), (0.021, 0.05), (0.7, 1.0)]
)
def test_the_colours_of_displacements_end_at_a_round_share_that_holds_all(metres, end):
    heat = PartHeat(0, 0, "Body", (1, 1), np.zeros(1), np.array([metres]))
    assert Changes(1.0, (heat,)).displacement_end == pytest.approx(end)
    assert Changes(2.0, (replace(heat, displaced=np.array([2.0 * metres])),)).displacement_end == (
        pytest.approx(end)
    )
