"""Collada against a plain evaluator of the specification, and small documents computed by hand."""

import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import survival
from collada_documents import IDENTITY, MESH, SCENE, SKIN, animated, document, sampler, source
from survival import refusal

from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.skinning import METHODS, Options
from rigview.io import LoadError, load

sys.path.append(str(Path(__file__).parents[1] / "reference"))
import collada_spec

FILE_UP = {
    "X": np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]]),
    "Y": np.eye(3),
    "Z": np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0.0]]),
}


def opened(tmp_path, text):
    path = tmp_path / "small.dae"
    path.write_text(text, encoding="utf-8")
    return load(path)


def skinned(rig, clip=None, seconds=0.0):
    deformer = Deformer(rig)
    frame = deformer.frame(sample(rig, clip, seconds))
    return deformer.skin_all(frame, METHODS["lbs"], Options())


@pytest.mark.corpus
def test_every_corner_and_every_joint_is_where_the_specification_puts_it(corpus):
    files = sorted((corpus / "rigs").rglob("*.dae"))
    assert len(files) > 15
    for path in files:
        if path.name == "exported-animation.dae":
            continue  # by Blender, which means its transforms otherwise
        rig = load(path).rig
        deformer = Deformer(rig)
        reference = collada_spec.Document(path)
        turn = FILE_UP[rig.origin.up] * rig.origin.unit_m
        clip = rig.clips[0] if len(rig.clips) == 1 else None
        keys = clip.key_times if clip is not None else []
        for seconds in [None, *keys[:: max(1, len(keys) - 1)]]:
            frame = deformer.frame(sample(rig, None if seconds is None else clip, seconds or 0.0))
            got = deformer.skin_all(frame, METHODS["lbs"], Options())
            wanted = reference.corners(seconds)
            assert len(got) == len(wanted), path
            for part, have, want in zip(rig.parts, got, wanted, strict=True):
                corners = have.positions[rig.primitive(part).triangles].reshape(-1, 3)
                np.testing.assert_allclose(
                    corners, want @ turn.T, atol=1e-6 * deformer.size, err_msg=f"{path} {seconds}"
                )
            for node, name in enumerate(rig.nodes.names):
                element = reference.by_id.get(name)
                if (
                    element is not None
                    and element.tag == "node"
                    and rig.nodes.names.count(name) < 2
                ):
                    np.testing.assert_allclose(
                        frame.model_from_node[node][:3, 3],
                        turn @ reference.world(element)[:3, 3],
                        atol=1e-6 * deformer.size,
                        err_msg=f"{path} {seconds} {name}",
                    )


def test_bind_shape_weights_and_joints_are_read(tmp_path):
    rig = opened(tmp_path, document(MESH, SKIN, SCENE)).rig
    assert [rig.nodes.label(j) for j in rig.skins[0].joints] == ["Root", "Tip"]
    (part,) = skinned(rig)
    np.testing.assert_allclose(
        part.positions, [[5, 0, 0], [6, 0, 0], [5, 2, 0], [6, 2, 0]], atol=1e-12
    )
    primitive = rig.meshes[0].primitives[0]
    np.testing.assert_array_equal(primitive.triangles, [[0, 1, 3], [0, 3, 2]])
    np.testing.assert_array_equal(primitive.influences.weights[3], [0.5, 0.5])


def test_a_mirroring_bind_shape_leaves_the_outside_outside(tmp_path):
    normals = source("n", [0, 0, 1] * 4, 3) + '<vertices id="v">'
    faces = '<input semantic="VERTEX" source="#v" offset="0"/>'
    mesh = MESH.replace('<vertices id="v">', normals).replace(
        faces, f'{faces}<input semantic="NORMAL" source="#n" offset="0"/>'
    )
    skin = SKIN.replace("<bind_shape_matrix>1 ", "<bind_shape_matrix>-1 ")
    (primitive,) = opened(tmp_path, document(mesh, skin, SCENE)).rig.meshes[0].primitives
    np.testing.assert_allclose(primitive.positions[:, 0], [5, 4, 5, 4], atol=1e-12)
    np.testing.assert_allclose(primitive.normals, [[0, 0, 1]] * 4, atol=1e-12)
    a, b, c = (primitive.positions[primitive.triangles[:, i]] for i in range(3))
    assert np.all(np.cross(b - a, c - a)[:, 2] > 0.0)


def test_a_skeleton_that_blender_wrote_twice_stands_where_it_belongs(tmp_path):
    skeleton = re.search('<node id="a".*</node></node>', SCENE)[0]
    prop = '<node id="p"><instance_geometry url="#g"/></node>'
    first = skeleton.replace("</node></node>", f"</node>{prop}</node>")
    last = first.replace('<node id="b"', '\n <node id="b"')
    scene = SCENE.replace(skeleton, first).replace(
        "</visual_scene>",
        f'<node id="top"><translate>0 0 7</translate>{last}</node></visual_scene>',
    )
    loaded = opened(tmp_path, document(MESH, SKIN, scene))
    rig = loaded.rig
    names = [rig.nodes.label(n) for n in range(len(rig.nodes))]
    assert names == ["n", "top", "Root", "Tip", "p"]
    assert [names[j] for j in rig.skins[0].joints] == ["Root", "Tip"]
    assert all(part.positions[0, 2] == 7.0 for part in skinned(rig))
    assert loaded.notes == (
        "3 nodes are in the file twice with all they hold: the last ones count",
    )
    # What only shares an id is no copy.
    moved = scene.replace('<node id="p">', '<node id="p"><translate>1 0 0</translate>', 1)
    assert len(opened(tmp_path, document(MESH, SKIN, moved)).rig.nodes) == 8


def test_units_and_the_up_axis_are_converted_and_kept(tmp_path):
    asset = "<unit name='inch' meter='0.0254'/><up_axis>Z_UP</up_axis>"
    rig = opened(tmp_path, document(MESH, SKIN, SCENE, asset=asset)).rig
    assert (rig.origin.unit_m, rig.origin.up) == (0.0254, "Z")
    (part,) = skinned(rig)
    np.testing.assert_allclose(part.positions[2], [5 * 0.0254, 0, -2 * 0.0254], atol=1e-12)


def test_vertices_of_no_joint_turn_with_the_up_axis(tmp_path):
    asset = '<unit meter="1"/><up_axis>Z_UP</up_axis>'
    whole = skinned(opened(tmp_path, document(MESH, SKIN, SCENE, asset=asset)).rig)[0].positions
    loose = SKIN.replace("<v>0 0 0 0 1 0", "<v>0 0 -1 0 1 0")
    rig = opened(tmp_path, document(MESH, loose, SCENE, asset=asset)).rig
    np.testing.assert_array_equal(rig.meshes[0].primitives[0].influences.per_vertex, [1, 0, 1, 2])
    np.testing.assert_allclose(skinned(rig)[0].positions, whole, atol=1e-12)


@pytest.mark.parametrize("turns", [2, 8])
def test_a_single_angle_may_turn_more_than_once(turns, tmp_path):
    degrees = 360 * turns
    text = animated(sampler("k", [0, 1], [0, degrees]), '<channel source="#k" target="a/r.ANGLE"/>')
    loaded = opened(tmp_path, text)
    clip = loaded.rig.clips[0]
    for seconds in np.linspace(0, 1, 17):
        model = model_from_nodes(loaded.rig, sample(loaded.rig, clip, seconds))
        angle = np.radians(degrees * seconds)
        np.testing.assert_allclose(
            model[1, :3, 3], [-2 * np.sin(angle), 2 * np.cos(angle), 0], atol=1e-5
        )


def test_bezier_segments_follow_their_control_points(tmp_path):
    text = animated(
        sampler(
            "k",
            [0, 1],
            [0, 1],
            kinds=["BEZIER", "BEZIER"],
            IN_TANGENT=[-1, 0, 0.9, 1],
            OUT_TANGENT=[0.6, 0, 2, 1],
        ),
        '<channel source="#k" target="a/t.X"/>',
    )
    rig = opened(tmp_path, text).rig
    for s in np.linspace(0, 1, 23):
        # A point of the curve by its parameter: time and value.
        seconds = 3 * (1 - s) ** 2 * s * 0.6 + 3 * (1 - s) * s**2 * 0.9 + s**3
        value = 3 * (1 - s) * s**2 + s**3
        pose = sample(rig, rig.clips[0], seconds)
        np.testing.assert_allclose(pose.translations[0, 0], value, atol=2e-6)


@pytest.mark.parametrize(
    ("tool", "tangents"),
    [
        ("Maya", {"OUT_TANGENT": [1, 7], "IN_TANGENT": [7, 4]}),
        ("FBX COLLADA exporter", {"OUT_TANGENT": [0.5, 7], "IN_TANGENT": [7, -1]}),
    ],
    ids=["values", "slopes"],
)
def test_tangents_of_one_number_are_values_and_slopes_by_autodesk(tmp_path, tool, tangents):
    channel = sampler("k", [0, 6], [0, 2], kinds=["BEZIER", "BEZIER"], **tangents)
    text = animated(channel, '<channel source="#k" target="a/t.X"/>').replace(
        "<asset>",
        f"<asset><contributor><authoring_tool>{tool}</authoring_tool></contributor>",
    )
    rig = opened(tmp_path, text).rig
    for s in np.linspace(0, 1, 13):
        value = 3 * (1 - s) ** 2 * s * 1 + 3 * (1 - s) * s**2 * 4 + s**3 * 2
        pose = sample(rig, rig.clips[0], 6 * s)
        np.testing.assert_allclose(pose.translations[0, 0], value, atol=2e-6)


def test_steps_hold_and_the_last_row_of_a_matrix_is_forced(tmp_path):
    text = animated(
        sampler("k", [0, 1], [2, 0], kinds=["STEP", "STEP"]),
        sampler("z", [0, 1], [0, 0]),
        '<channel source="#k" target="b/m(3)(1)"/><channel source="#z" target="b/m(3)(3)"/>',
    )
    rig = opened(tmp_path, text.replace('"#z" target', '"#k" target')).rig
    heights = [
        float(sample(rig, rig.clips[0], seconds).translations[1, 1])
        for seconds in (0.0, 0.5, 0.999, 1.0)
    ]
    assert heights == [2.0, 2.0, 2.0, 0.0]


def test_a_step_beside_a_line_is_no_ramp(tmp_path):
    text = animated(
        sampler("k", [0, 1, 2], [2, 4, 4], kinds=["STEP", "STEP", "STEP"]),
        sampler("l", [0, 2], [0, 8]),
        '<channel source="#k" target="a/t.Y"/><channel source="#l" target="a/t.X"/>',
        '<channel source="#l" target="a/r.ANGLE"/>',
    )
    loaded = opened(tmp_path, text)
    for seconds, height in ((0.0, 2), (0.9, 2), (0.999999, 2), (1.0, 4), (1.5, 4)):
        pose = sample(loaded.rig, loaded.rig.clips[0], seconds)
        np.testing.assert_allclose(pose.translations[0, :2], [4 * seconds, height], atol=1e-9)


def test_what_moves_only_between_its_keys_is_played(tmp_path):
    bulge = {"IN_TANGENT": [-0.3, 0, 0.7, 3], "OUT_TANGENT": [0.3, 3, 1.3, 0]}
    keys = sampler("k", [0, 1], [0, 0], kinds=["BEZIER", "BEZIER"], **bulge)
    for address, path, wanted in (
        ("a/r.ANGLE", "rotations", [0, 0, np.sin(np.radians(1.125)), np.cos(np.radians(1.125))]),
        ("a/t.X", "translations", [2.25, 0, 0]),
    ):
        rig = opened(tmp_path, animated(keys, f'<channel source="#k" target="{address}"/>')).rig
        got = getattr(sample(rig, rig.clips[0], 0.5), path)[0]
        np.testing.assert_allclose(got, wanted, atol=2e-6)


def test_a_pose_that_is_held_lasts_as_long_as_its_keys(tmp_path):
    text = animated(sampler("k", [0, 2], [90, 90]), '<channel source="#k" target="a/r.ANGLE"/>')
    (clip,) = opened(tmp_path, text).rig.clips
    assert (clip.start, clip.end) == (0.0, 2.0)


def test_a_clip_that_rests_is_left_out_and_told_of(tmp_path):
    text = animated(sampler("k", [0, 2], [0, 0]), '<channel source="#k" target="a/r.ANGLE"/>')
    loaded = opened(tmp_path, text)
    assert loaded.rig.clips == ()
    assert any(note.endswith("moves nothing and is left out") for note in loaded.notes)


def test_a_clip_may_begin_and_end_within_a_curve(tmp_path):
    ease = {"IN_TANGENT": [-1, 0, 0.6, 1], "OUT_TANGENT": [0.4, 0, 2, 1]}
    curves = [
        sampler("k", [0, 1], [0, 1], kinds=["BEZIER", "BEZIER"], **ease),
        sampler("l", [0, 1], [0, 300], kinds=["BEZIER", "BEZIER"], IN_TANGENT=[-1, 0, 0.6, 300],
                OUT_TANGENT=[0.4, 0, 2, 300]),
        '<channel source="#k" target="a/t.X"/><channel source="#l" target="a/r.ANGLE"/>',
    ]  # fmt: skip
    whole = opened(tmp_path, animated(*curves)).rig
    cut = (
        '<library_animation_clips><animation_clip id="c" start="0.3" end="0.7">'
        '<instance_animation url="#all"/></animation_clip></library_animation_clips>'
    )
    text = animated(*curves).replace("<animation>", '<animation id="all">')
    rig = opened(tmp_path, text.replace("</library_animations>", "</library_animations>" + cut)).rig
    assert (rig.clips[0].start, rig.clips[0].end) == (0.3, 0.7)
    for seconds in np.linspace(0.3, 0.7, 19):
        poses = sample(whole, whole.clips[0], seconds), sample(rig, rig.clips[0], seconds)
        models = [model_from_nodes(whole, pose) for pose in poses]
        np.testing.assert_allclose(*models, atol=5e-6)


def test_clips_are_cut_out_of_the_animations_they_name(tmp_path):
    text = document(
        '<library_animations><animation id="walk">',
        sampler("k", [0, 1, 2], [0, 10, 20]),
        '<channel source="#k" target="a/t.X"/></animation></library_animations>',
        '<library_animation_clips><animation_clip name="half" start="0.5" end="1.5">'
        '<instance_animation url="#walk"/></animation_clip></library_animation_clips>',
        MESH,
        SKIN,
        SCENE,
    )
    (clip,) = opened(tmp_path, text).rig.clips
    assert (clip.name, clip.start, clip.end) == ("half", 0.5, 1.5)
    np.testing.assert_allclose(clip.channels[0].sampler.times, [0.5, 1.0, 1.5])
    np.testing.assert_allclose(clip.channels[0].sampler.values[:, 0], [5, 10, 15])


def test_animations_that_drive_the_same_are_clips_of_their_own(tmp_path):
    def animation(name, target, height):
        keys = sampler(f"{name}-{target[0]}", [0, 1], [0, height])
        channel = f'<channel source="#{name}-{target[0]}" target="{target}"/>'
        return f'<animation name="{name}">{keys}{channel}</animation>'

    walk, wave = animation("Walk", "a/t.X", 4), animation("Wave", "a/t.X", 6)
    for texts, names in (
        ((walk, wave), ["Walk", "Wave"]),
        ((walk, animation("Walk", "b/m(3)(1)", 3), wave), ["small", "Wave"]),
    ):
        library = ("<library_animations>", *texts, "</library_animations>")
        rig = opened(tmp_path, document(*library, MESH, SKIN, SCENE)).rig
        assert [clip.name for clip in rig.clips] == names
        ends = [sample(rig, clip, 1.0).translations[0, 0] for clip in rig.clips]
        assert ends == [4.0, 6.0]
        assert len(rig.clips[0].channels) == len(texts) - 1


def test_what_has_the_same_id_is_told_apart_by_its_kind(tmp_path):
    clips = (
        '<library_animation_clips><animation_clip name="half" start="0.5">'
        '<instance_animation url="#walk"/></animation_clip></library_animation_clips>'
    )
    parts = (
        '<library_animations><animation id="walk">',
        sampler("k", [0, 1], [0, 10]),
        '<channel source="#k" target="a/t.X"/></animation></library_animations>',
        clips,
        MESH,
        SKIN,
        SCENE,
    )
    usual = opened(tmp_path, document(*parts)).rig
    text = re.sub('(id="|#|target=")(walk|g|c|a|s)(?=["/<])', r"\1same", document(*parts))
    assert text.count('id="same"') == 5
    rig = opened(tmp_path, text).rig
    assert (rig.skins[0].joints, rig.clips[0].name) == (usual.skins[0].joints, "half")
    for mine, its in zip(
        skinned(rig, rig.clips[0], 0.75), skinned(usual, usual.clips[0], 0.75), strict=True
    ):
        np.testing.assert_array_equal(mine.positions, its.positions)


def test_sources_of_the_same_id_are_those_of_their_geometry(tmp_path):
    mesh = MESH.removeprefix("<library_geometries>").removesuffix("</library_geometries>")
    other = mesh.replace('id="g"', 'id="h"').replace("0 0 0 1 0 0", "0 0 0 7 0 0")
    assert other != mesh
    instance = '<node id="m"><instance_geometry url="#h"/></node><node id="n">'
    text = document(
        f"<library_geometries>{mesh}{other}</library_geometries>",
        SKIN,
        SCENE.replace('<node id="n">', instance),
    )
    rig = opened(tmp_path, text).rig
    # The second is bound, five to the right.
    wide, narrow = (rig.meshes[part.mesh].primitives[0].positions for part in rig.parts)
    assert (wide[:, 0].max(), narrow[:, 0].max()) == (7.0, 6.0)


def test_a_skeleton_and_a_clip_without_a_mesh_open(tmp_path):
    scene = re.sub("<instance_controller.*?</instance_controller>", "", SCENE)
    text = document(
        "<library_animations><animation>",
        sampler("k", [0, 1], [0, 1]),
        '<channel source="#k" target="a/t.X"/></animation></library_animations>',
        scene,
    )
    rig = opened(tmp_path, text).rig
    assert len(rig.joints) == len(rig.nodes) == 3
    assert rig.clips[0].end == 1.0


@pytest.mark.parametrize(
    ("kind", "seconds", "height"),
    [("LINEAR", 0.5, 2.5), ("STEP", 0.5, 2.0), ("BEZIER", 0.42688, 2.352)],
)
@pytest.mark.parametrize("member", ["(0)", "(Weight_0_0)"], ids=["Collada", "FBX SDK"])
@pytest.mark.parametrize(
    ("method", "points"),
    [("NORMALIZED", "0 0 0 1 0 0 0 3 0 1 3 0"), ("RELATIVE", "0 0 0 0 0 0 0 1 0 0 1 0")],
    ids=["NORMALIZED", "RELATIVE"],
)
def test_morph_targets_are_displacements_with_animated_weights(
    tmp_path, method, points, member, kind, seconds, height
):
    target = MESH.replace('id="g" name="strip"', 'id="h" name="raised"').replace(
        "0 0 0 1 0 0 0 2 0 1 2 0", points
    )
    for name in ("p", "p-array", "v"):
        target = target.replace(f'"{name}"', f'"h{name}"').replace(f'"#{name}"', f'"#h{name}"')
    morph = (
        f'<library_controllers><controller id="m"><morph source="#g" method="{method}">'
        + source("t", ["h"], kind="name")
        + source("mw", [0.25])
        + '<targets><input semantic="MORPH_TARGET" source="#t"/>'
        '<input semantic="MORPH_WEIGHT" source="#mw"/></targets></morph></controller>'
        "</library_controllers>"
    )
    scene = SCENE.replace('url="#c"', 'url="#m"')
    ease = {"IN_TANGENT": [-1, 0, 0.6, 1], "OUT_TANGENT": [0.44, 0, 2, 1]}
    tangents = ease if kind == "BEZIER" else {}
    text = document(
        "<library_animations><animation>",
        sampler("k", [0, 1], [0, 1], kinds=[kind, kind], **tangents),
        f'<channel source="#k" target="mw{member}"/></animation></library_animations>',
        MESH,
        target.replace("</library_geometries>", "</library_geometries>"),
        morph,
        scene,
    )
    rig = opened(tmp_path, text).rig
    assert rig.meshes[0].primitives[0].morphs.names == ("raised",)
    (part,) = skinned(rig)
    np.testing.assert_allclose(part.positions[2:, 1], [2.25, 2.25])
    (part,) = skinned(rig, rig.clips[0], seconds)
    np.testing.assert_allclose(part.positions[2:, 1], height, atol=2e-6)


@pytest.mark.parametrize("stride", [0, 1, 3])
def test_a_mesh_of_nothing_opens(stride, tmp_path):
    """What a program writes for an object that was emptied; its sources count and step by none."""
    empty = source("p", []).replace('stride="1"', f'stride="{stride}"')
    mesh = MESH.replace(source("p", [0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0], 3), empty)
    mesh = mesh.replace('count="1"', 'count="0"').replace("4</vcount><p>0 1 3 2", "</vcount><p>")
    scene = SCENE.replace("instance_controller", "instance_geometry").replace("#c", "#g")
    rig = opened(tmp_path, document(mesh, scene)).rig
    assert [p.positions.shape for m in rig.meshes for p in m.primitives] == [(0, 3)]


def test_sources_may_leave_out_what_reads_them(tmp_path):
    moved = sampler("x", [0, 1], (IDENTITY + " 1 0 0 0 0 1 0 3 0 0 1 0 0 0 0 1").split(), 16)
    text = f'<library_animations><animation>{moved}<channel source="#x" target="b/m"/></animation>'
    text = document(MESH, SKIN, SCENE, text + "</library_animations>")
    wanted = opened(tmp_path, text).rig
    bare = re.sub("<technique_common><accessor.*?</technique_common>", "", text)
    rig = opened(tmp_path, bare).rig
    (got,), (known,) = (skinned(r, r.clips[0], 0.5) for r in (rig, wanted))
    np.testing.assert_array_equal(got.positions, known.positions)
    assert bare != text


def test_materials_show_the_diffuse_texture_but_never_one_outside_the_folder(tmp_path, pixel):
    (tmp_path / "here.png").write_bytes(pixel)
    (tmp_path.parent / "outside.png").write_bytes(pixel)
    images = {
        "good": r"C:\Users\me\textures\here.png",
        "bad": "../outside.png",
        "web": "http://x/y.png",
    }
    text = "".join(
        f'<library_images><image id="{i}"><init_from>{uri}</init_from></image></library_images>'
        f'<library_effects><effect id="e{i}"><profile_COMMON>'
        f'<newparam sid="s{i}"><surface type="2D"><init_from>{i}</init_from></surface></newparam>'
        f'<newparam sid="p{i}"><sampler2D><source>s{i}</source></sampler2D></newparam>'
        f'<technique sid="x"><lambert><diffuse><texture texture="p{i}"/></diffuse></lambert>'
        f"</technique></profile_COMMON></effect></library_effects>"
        f'<library_materials><material id="m{i}"><instance_effect url="#e{i}"/></material>'
        f"</library_materials>"
        for i, uri in images.items()
    )
    bind = "".join(f'<instance_material symbol="{i}" target="#m{i}"/>' for i in images)
    scene = SCENE.replace(
        "</instance_controller>",
        f"<bind_material><technique_common>{bind}</technique_common></bind_material>"
        "</instance_controller>",
    )
    drawn = re.search("<polylist.*</polylist>", MESH)[0]
    each = [drawn.replace("<polylist ", f'<polylist material="{i}" ') for i in images]
    mesh = MESH.replace(drawn, "".join(each))
    rig = opened(tmp_path, document(text, mesh, SKIN, scene)).rig
    material = rig.materials[rig.meshes[0].primitives[0].material]
    assert rig.images[material.texture.image].pixels.shape == (1, 1, 4)
    assert [image is None for image in rig.images] == [False, True, True]
    reasons = [unread.reason for unread in rig.unread]
    assert "not in the folder" in reasons[0]
    assert "is not a file" in reasons[1]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_files_in_utf16_open(encoding, tmp_path):
    text = document(MESH, SKIN, SCENE).replace('name="Tip"', 'name="Spitze ß"')
    text = text[text.index("<COLLADA") :]
    path = tmp_path / "wide.dae"
    mark = "" if encoding == "utf-16" else "\ufeff"
    path.write_bytes(f'{mark}<?xml version="1.0"?>{text}'.encode(encoding))
    assert load(path).rig.nodes.names[1] == "Spitze ß"


def test_instances_of_what_the_file_lacks_are_left_out_and_named(tmp_path):
    lost = '<node id="n"><instance_node url="other.dae#x"/><instance_geometry url="#y"/>'
    rig = opened(tmp_path, document(MESH, SKIN, SCENE.replace('<node id="n">', lost))).rig
    assert [(unread.where, unread.reason) for unread in rig.missing] == [
        ("<instance_node>", "other.dae#x is not in the file"),
        ("<instance_geometry>", "#y is not in the file"),
    ]
    assert [unseen.reason for unseen in rig.unseen] == [
        "<instance_node>: other.dae#x is not in the file",
        "<instance_geometry>: #y is not in the file",
    ]
    assert len(rig.parts) == 1


def test_animation_without_its_keys_is_not_played(tmp_path):
    lost = '<sampler id="l"><input semantic="INPUT" source="#gone"/></sampler>'
    loaded = opened(
        tmp_path,
        animated(
            f'{lost}<channel source="#l" target="b/m"/>',
            sampler("k", [0, 1], [0, 90]),
            '<channel source="#k" target="a/r.ANGLE"/>',
        ),
    )
    assert [channel.path for channel in loaded.rig.clips[0].channels] == ["rotation"]
    assert "animation whose keys are not in the file is not played" in loaded.notes


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">'
    "]><COLLADA>&b;</COLLADA>"
)
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><COLLADA></COLLADA>'


def test_a_skin_has_the_joints_that_its_accessor_counts(tmp_path):
    text = document(MESH, SKIN.replace("root tip<", "root tip root<"), SCENE)
    assert text != document(MESH, SKIN, SCENE)
    (got,) = skinned(opened(tmp_path, text).rig)
    (wanted,) = skinned(opened(tmp_path, document(MESH, SKIN, SCENE)).rig)
    np.testing.assert_array_equal(got.positions, wanted.positions)


def test_decimal_commas_are_read_as_points(tmp_path):
    text = document(MESH, SKIN, SCENE, asset='<unit meter="0.01"/><up_axis>Y_UP</up_axis>')
    wanted = opened(tmp_path, text)
    assert not wanted.notes
    loaded = opened(tmp_path, text.replace(">1 0.5<", ">1 0,5<").replace('"0.01"', '"0,01"'))
    assert loaded.notes == ("decimal commas are read as points",)
    assert loaded.rig.origin.unit_m == 0.01
    for got, was in zip(skinned(loaded.rig), skinned(wanted.rig), strict=True):
        np.testing.assert_array_equal(got.positions, was.positions)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BOMB, "defines a document type or entities"),
        (OUTSIDE, "defines a document type or entities"),
        ("<COLLADA><a></COLLADA>", "line 1, column 15: the XML is damaged"),
        ("<x><COLLADA/></x>", "the root element is <x>"),
        (document(MESH, SKIN, SCENE).replace(">1 0.5<", ">1<"), "weight 1 of 1 does not exist"),
        (document(MESH, SKIN, SCENE).replace('source="#names"', 'source="#q"'), "does not exist"),
        (
            document(MESH, SKIN, SCENE).replace("1 1 1 2<", "1 1 1<"),
            "influences of 3 vertices for 4",
        ),
        (document(MESH, SKIN, SCENE).replace('offset="1"', 'offset="x"'), "not a number of things"),
        (document(MESH, SKIN, SCENE).replace("0 1 3 2", "0 1 3 9"), "POSITION 9 does not exist"),
        (document(MESH, SKIN, SCENE).replace("0 1 3 2", "0 1 3 2.5"), "than whole numbers"),
        (document(MESH, SKIN, SCENE).replace("0 1 3 2", "0 1 3 1e30"), "than whole numbers"),
        (document(MESH, SKIN, SCENE).replace(">1 0.5<", ">1 nan<"), "is not finite"),
        (document(MESH, SKIN, SCENE).replace("1 1 1 2<", "1 1 1 9<"), "24 indices are needed"),
        (document(MESH, SKIN, SCENE).replace("root tip", "root top"), "the joint top is not in"),
        (
            document(MESH, SKIN, SCENE).replace(
                '<node id="n">', '<node id="n"><instance_node url="#n"/>'
            ),
            "has more than 131,072 nodes",
        ),
        (document(MESH, SKIN.replace('source="#g"', 'source="#c"'), SCENE), "deforms itself"),
    ],
)
def test_what_cannot_be_meant_is_refused(text, reason, tmp_path):
    start = time.process_time()
    with pytest.raises(LoadError, match=re.escape(reason)):
        opened(tmp_path, text)
    assert time.process_time() - start < survival.SECONDS


SHADED = (
    MESH.replace(
        '<vertices id="v">',
        source("n", [0, 0, 1] * 4, 3)
        + source("uv", [0, 0, 1, 0, 0, 1, 1, 1], 2)
        + source("rgb", [1, 0.5, 0] * 4, 3)
        + '<vertices id="v">',
    )
    .replace(
        'offset="0"/><vcount>',
        'offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>'
        '<input semantic="TEXCOORD" source="#uv" offset="2"/>'
        '<input semantic="COLOR" source="#rgb" offset="3"/><vcount>',
    )
    .replace("0 1 3 2", "0 0 0 0 1 1 1 1 3 3 3 3 2 2 2 2")
)
HIGH = "1 0 0 0 0 1 0 3 0 0 1 0 0 0 0 1"
WHOLE = document(
    "<library_animations><animation>",
    sampler("k", [0, 1], HIGH.split() * 2, 16, ["LINEAR"] * 2),
    '<channel source="#k" target="b/m"/></animation></library_animations>',
    SHADED,
    SKIN,
    SCENE,
)
LEFT_OUT = "<polylist>: the input {} is left out: "
# What is amiss → (text, what stands there instead, the note, what the rig is without).
BORNE = {
    "no accessor's array": (
        'source="#p-array"',
        'source="#q"',
        '<source "p">: #q does not exist: its own <float_array> is read',
        "",
    ),
    "an accessor that names its source, as Blender 2.45 wrote": (
        'source="#p-array"',
        'source="#p"',
        "accessors name a <source> instead of the array in it, which is read",
        "",
    ),
    "an accessor of names that names its source": (
        'source="#names-array"',
        'source="#names"',
        "accessors name a <source> instead of the array in it, which is read",
        "",
    ),
    "no accessor's names": (
        'source="#names-array"',
        'source="#q"',
        '<source "names">: #q does not exist: its own <Name_array> is read',
        "",
    ),
    "an accessor of more": (
        'source="#p-array" count="4"',
        'source="#p-array" count="5"',
        '<source "p">: it counts 5 elements, and there are 4',
        "",
    ),
    "an accessor of words": (
        'source="#w-array" count="2"',
        'source="#w-array" count="2.0"',
        "<accessor>: count is 2.0, not a number of things: it is taken for 2",
        "",
    ),
    "keys without stride": (
        'count="2" stride="16"',
        'count="2"',
        '<source "k-out">: it states no stride, which is taken for 16',
        "",
    ),
    "positions without stride": (
        'source="#p-array" count="4" stride="3"',
        'source="#p-array" count="4"',
        '<source "p">: it states no stride, which is taken for 3',
        "",
    ),
    "an empty bind shape": (
        "1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</bind",
        "</bind",
        "<skin>: its bind_shape_matrix is empty and taken for the identity",
        "shape",
    ),
    "no unit": (
        'meter="1"',
        'meter="0"',
        "<unit>: a unit cannot have 0 metres: it is taken for 1",
        "",
    ),
    "no set": (
        '#uv" offset="2"',
        '#uv" offset="2" set="x"',
        "<input>: set is x, not a number of things: it is taken for 0",
        "",
    ),
    "no normals": (
        'source="#n"',
        'source="#q"',
        LEFT_OUT.format("NORMAL") + "source refers to #q, which does not exist",
        "normals",
    ),
    "normals that are none": (
        ">0 0 1 0 0 1",
        ">nan 0 1 0 0 1",
        LEFT_OUT.format("NORMAL") + "a number is not finite or too large",
        "normals",
    ),
    "fewer texture coordinates": (
        "3 3 3 3",
        "3 3 9 3",
        LEFT_OUT.format("TEXCOORD") + "TEXCOORD 9 does not exist: there are 4",
        "uvs",
    ),
    "colours that are words": (
        ">1 0.5 0 ",
        ">red 0.5 0 ",
        LEFT_OUT.format("COLOR") + "the text holds something else than numbers",
        "colours",
    ),
    "fewer interpolations than keys": (
        'count="2">LINEAR LINEAR<',
        'count="2">LINEAR<',
        'a channel is left out: <sampler "k">: 1 interpolations for 2 keys',
        "motion",
    ),
    "fewer values than keys": (
        'source="#k-out-array" count="2"',
        'source="#k-out-array" count="1"',
        'a channel is left out: <sampler "k">: 1 values for 2 keys',
        "motion",
    ),
    "times that are none": (
        ">0 1<",
        ">0 nan<",
        'a channel is left out: <float_array "k-in-array">: a number is not finite or too large',
        "motion",
    ),
    "no sampler": (
        'source="#k"',
        'source="#q"',
        "a channel is left out: <channel>: source refers to #q, which does not exist",
        "motion",
    ),
}


@pytest.mark.parametrize("wrong", BORNE)
def test_what_leaves_no_doubt_of_the_skin_is_borne_and_told(wrong, tmp_path):
    old, new, note, missing = BORNE[wrong]
    usual = opened(tmp_path, WHOLE)
    assert (usual.notes, usual.rig.unseen) == ((), ())
    assert old in WHOLE
    rig = (loaded := opened(tmp_path, WHOLE.replace(old, new, 1))).rig
    assert loaded.notes == (note,)
    (part,), (wanted,) = skinned(rig), skinned(usual.rig)
    moved = (5.0, 0.0, 0.0) if missing == "shape" else (0.0, 0.0, 0.0)
    np.testing.assert_array_equal(part.positions + moved, wanted.positions)
    (mesh,), (sound,) = rig.meshes[0].primitives, usual.rig.meshes[0].primitives
    np.testing.assert_array_equal(mesh.triangles, sound.triangles)
    assert (mesh.normals is None) == (missing == "normals")
    assert (mesh.colours is None) == (missing == "colours")
    assert list(mesh.uvs) == ([] if missing == "uvs" else [0])
    assert len(rig.clips) == (missing != "motion")
    assert [unseen.what for unseen in rig.unseen] == (["motion"] if missing == "motion" else [])


def test_a_joint_that_is_not_in_the_scene_and_moves_nothing_is_left_out(tmp_path):
    # It stands between the two others, which keep what they move.
    skin = SKIN.replace('count="2">root tip<', 'count="3">root gone tip<')
    skin = skin.replace('"#names-array" count="2"', '"#names-array" count="3"')
    skin = skin.replace('count="32">', f'count="48">{IDENTITY} ')
    skin = skin.replace('"#binds-array" count="2"', '"#binds-array" count="3"')
    harmless = skin.replace("<v>0 0 0 0 1 0 0 1 1 1<", "<v>0 0 0 0 2 0 0 1 2 1<")
    loaded = opened(tmp_path, document(MESH, harmless, SCENE))
    told = "what is not in the scene and moves nothing is no joint here: gone"
    assert loaded.notes == (f"<skin>: {told}",)
    usual = opened(tmp_path, document(MESH, SKIN, SCENE)).rig
    assert loaded.rig.skins[0].joints == usual.skins[0].joints
    (got,), (wanted,) = skinned(loaded.rig), skinned(usual)
    np.testing.assert_array_equal(got.positions, wanted.positions)
    moving = skin.replace("<v>0 0 0 0 1 0 0 1 1 1<", "<v>0 0 0 0 2 0 0 1 1 1<")
    with pytest.raises(LoadError, match="the joint gone is not in the scene"):
        opened(tmp_path, document(MESH, moving, SCENE))


def test_a_clip_plays_those_of_its_animations_that_there_are(tmp_path):
    text = WHOLE.replace("<animation>", '<animation id="x">').replace(
        "</library_animations>",
        '</library_animations><library_animation_clips><animation_clip id="both" end="never">'
        '<instance_animation url="#x"/><instance_animation url="#y"/></animation_clip>'
        "</library_animation_clips>",
    )
    loaded = opened(tmp_path, text)
    (clip,) = loaded.rig.clips
    assert (clip.name, clip.end) == ("both", 1.0)
    (unseen,) = loaded.rig.unseen
    assert unseen.reason == "the animation #y is not in the file"
    assert set(loaded.notes) == {
        unseen.reason,
        '<animation_clip "both">: end is never, not a time: it is as long as its keys',
    }


def test_an_effect_that_cannot_be_read_is_found(tmp_path):
    effect = (
        '<library_effects><effect id="e"><profile_COMMON><technique sid="x"><lambert><diffuse>'
        '<color sid="d">red</color></diffuse></lambert></technique></profile_COMMON></effect>'
        '</library_effects><library_materials><material id="m"><instance_effect url="#e"/>'
        "</material></library_materials>"
    )
    bind = (
        '<bind_material><technique_common><instance_material symbol="s" target="#m">'
        '<bind_vertex_input semantic="UV" input_set="first"/></instance_material>'
        "</technique_common></bind_material></instance_controller>"
    )
    mesh = MESH.replace("<polylist ", '<polylist material="s" ')
    scene = SCENE.replace("</instance_controller>", bind)
    loaded = opened(tmp_path, document(effect, mesh, SKIN, scene))
    assert [(unread.where, unread.reason) for unread in loaded.rig.unread] == [
        ('<color "d">', "the text holds something else than numbers")
    ]
    assert loaded.rig.materials[0].base_colour == (1.0, 1.0, 1.0, 1.0)
    assert loaded.notes == (
        "<bind_vertex_input>: input_set is first, not a number of things: it is taken for 0",
    )


def test_a_prefix_may_name_the_space_of_all_elements(tmp_path):
    text = re.sub(r"<(/?)(\w)", r"<\1c:\2", WHOLE).replace("xmlns=", "xmlns:c=")
    assert "<c:COLLADA xmlns:c=" in text
    loaded = opened(tmp_path, text)
    assert loaded.notes == ()
    (part,), (wanted,) = skinned(loaded.rig), skinned(opened(tmp_path, WHOLE).rig)
    np.testing.assert_array_equal(part.positions, wanted.positions)


def test_damaged_copies_open_or_are_refused(tmp_path):
    text = animated(
        sampler("k", [0, 1], [0, 90]), '<channel source="#k" target="a/r.ANGLE"/>'
    ).encode()
    rng = np.random.default_rng(12)
    outcomes = []
    for case in range(48):
        data = bytearray(text)
        if case % 3 == 0:
            data = data[: rng.integers(len(data))]
        digits = [i for i, byte in enumerate(data) if chr(byte).isdecimal()]
        for place in rng.choice(digits, size=case % 3) if digits else ():
            data[place] = rng.choice(np.frombuffer(b"0123456789-. ", np.uint8))
        path = tmp_path / "damaged.dae"
        path.write_bytes(data or b" ")
        outcomes.append(refusal(path) is None)
    assert 3 < sum(outcomes) < 45


def test_a_second_skin_is_missed(tmp_path):
    second = SKIN.replace('id="c"', 'id="d"').replace('source="#g"', 'source="#c"', 1)
    scene = SCENE.replace('url="#c"', 'url="#d"')
    loaded = opened(tmp_path, document(MESH, SKIN, second, scene))
    (unseen,) = loaded.rig.unseen
    assert unseen.what == "influences"
    assert unseen.reason.startswith("a further deformation")
    assert unseen.reason in loaded.notes


def placed(tmp_path, *operations):
    """Return where a node of some transforms stands."""
    scene = (
        f'<library_visual_scenes><visual_scene id="s"><node id="a">{"".join(operations)}</node>'
        '</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>'
    )
    return opened(tmp_path, document(scene)).rig.nodes.local_matrices()[0]


@pytest.mark.parametrize("tool", ["Blender 4.5.15 LTS", "Other 1.0"])
def test_what_blender_scales_first_in_the_text_is_moved_last(tool, tmp_path):
    scene = (
        '<library_visual_scenes><visual_scene id="s"><node id="a"><scale sid="scale">2 3 4</scale>'
        '<rotate sid="rotationZ">0 0 1 90</rotate><rotate sid="rotationY">0 1 0 0</rotate>'
        '<rotate sid="rotationX">1 0 0 90</rotate><translate sid="location">5 6 7</translate>'
        '<node id="b"/></node></visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene>'
    )
    asset = f"<contributor><authoring_tool>{tool}</authoring_tool></contributor>"
    loaded = opened(tmp_path, document(scene, asset=asset))
    place = model_from_nodes(loaded.rig, rest_pose(loaded.rig))[0]
    turn = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    if tool.startswith("Blender"):
        wanted, at = turn * (2, 3, 4), (5, 6, 7)
    else:
        wanted, at = np.diag((2, 3, 4)) @ turn, (14, 15, 24)
    np.testing.assert_allclose(place[:3, :3], wanted, atol=1e-12)
    np.testing.assert_allclose(place[:3, 3], at)
    assert any("other way round" in note for note in loaded.notes) == tool.startswith("Blender")


def test_what_looks_at_a_point_has_it_along_its_minus_z(tmp_path):
    x, y, z, at = placed(tmp_path, "<lookat>1 2 3 4 6 3 0 0 1</lookat>")[:3].T
    np.testing.assert_allclose([-z, y, at], [[0.6, 0.8, 0], [0, 0, 1], [1, 2, 3]], atol=1e-12)
    np.testing.assert_allclose(np.cross(y, z), x, atol=1e-12)


def test_what_is_skewed_leans_from_the_first_axis_towards_the_second(tmp_path):
    linear = placed(tmp_path, "<skew>45 0 1 0 1 0 0</skew>")[:3, :3]
    np.testing.assert_allclose(linear @ np.eye(3), np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]]).T)


def along_x(tmp_path, times, values, seconds, **stated):
    text = animated(sampler("k", times, values, **stated), '<channel source="#k" target="a/t.X"/>')
    rig = opened(tmp_path, text).rig
    return sample(rig, rig.clips[0], np.array(seconds)).translations[..., 0, 0]


def test_a_segment_that_begins_as_hermite_ends_so(tmp_path):
    got = along_x(
        tmp_path,
        [0, 1, 2],
        [0, 1, 1],
        seconds := np.linspace(0.0, 2.0, 21),
        kinds=["HERMITE", "BEZIER", "BEZIER"],
        IN_TANGENT=[0, 0, 1, 0, 5 / 3, 1],
        OUT_TANGENT=[1, 0, 4 / 3, 1, 0, 0],
    )
    s = np.minimum(seconds, 1.0)
    np.testing.assert_allclose(got, 3 * s**2 - 2 * s**3, atol=5e-4)


def test_a_control_point_beyond_the_next_key_is_at_it(tmp_path):
    seconds = np.linspace(0.0, 1.0, 21)
    beyond, at = (
        along_x(
            tmp_path,
            [0, 1],
            [0, 1],
            seconds,
            kinds=["BEZIER", "BEZIER"],
            IN_TANGENT=[0, 0, 0.5, 1],
            OUT_TANGENT=[reach, 0, 0, 0],
        )
        for reach in (5, 1)
    )
    np.testing.assert_allclose(beyond, at, atol=1e-9)


def test_of_keys_at_one_time_the_first_counts(tmp_path):
    got = along_x(tmp_path, [0, 1, 1, 2], [0, 10, 99, 20], [0.5, 1.0, 1.5])
    np.testing.assert_allclose(got, [5, 10, 15])


def test_triangles_of_a_strip_wind_one_way(tmp_path):
    strip = re.sub(r"<polylist.*</polylist>", "", MESH).replace(
        "</mesh>",
        '<tristrips count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 3</p>'
        "</tristrips></mesh>",
    )
    primitive = opened(tmp_path, document(strip, SKIN, SCENE)).rig.meshes[0].primitives[0]
    a, b, c = primitive.positions[primitive.triangles].swapaxes(0, 1)
    assert len(a) == 2
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all()


def test_a_bind_shape_turns_normals_with_the_surface(tmp_path):
    mesh = MESH.replace("<vertices", source("up", [1, 0, 0] * 4, 3) + "<vertices", 1).replace(
        "</vertices>", '<input semantic="NORMAL" source="#up"/></vertices>'
    )
    skin = SKIN.replace("1 0 0 5 0 1 0 0 0 0 1 0", "0 -2 0 5 2 0 0 0 0 0 2 0")
    primitive = opened(tmp_path, document(mesh, skin, SCENE)).rig.meshes[0].primitives[0]
    np.testing.assert_allclose(primitive.shading_normals, [[0, 1, 0]] * 4, atol=1e-12)
    np.testing.assert_allclose(np.ptp(primitive.positions, axis=0), [4, 2, 0], atol=1e-12)


def test_joints_are_looked_for_below_the_skeleton_first(tmp_path):
    other = '<node id="x" name="Other"><node sid="root"/><node sid="tip"/></node><node id="a"'
    rig = opened(tmp_path, document(MESH, SKIN, SCENE.replace('<node id="a"', other, 1))).rig
    assert [rig.nodes.label(j) for j in rig.skins[0].joints] == ["Root", "Tip"]


def test_a_clip_that_begins_before_its_keys_begins_with_them(tmp_path):
    text = document(
        '<library_animations><animation id="walk">',
        sampler("k", [1, 2], [0, 10]),
        '<channel source="#k" target="a/t.X"/></animation></library_animations>'
        '<library_animation_clips><animation_clip name="cut" start="0" end="9">'
        '<instance_animation url="#walk"/></animation_clip></library_animation_clips>',
        MESH,
        SKIN,
        SCENE,
    )
    (clip,) = opened(tmp_path, text).rig.clips
    assert clip.key_times.tolist() == [1.0, 2.0]


def test_an_accessor_begins_where_it_says(tmp_path):
    shifted = MESH.replace(">0 0 0 1 0 0", ">7 7 7 0 0 0 1 0 0").replace(
        'accessor source="#p-array"', 'accessor offset="3" source="#p-array"'
    )
    rigs = [opened(tmp_path, document(mesh, SKIN, SCENE)).rig for mesh in (MESH, shifted)]
    a, b = (rig.meshes[0].primitives[0].positions for rig in rigs)
    np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("first", "last"), [((0, 0, 0), (1, 2, 1)), ((1, 1, 1), (1, -2, 1)), ((1, 1, 1), (-1, 1, -2))]
)
def test_what_is_scaled_through_zero_is_not_turned_for_it(first, last, tmp_path):
    turned = SCENE.replace(
        '<rotate sid="r">0 0 1 0</rotate>',
        '<rotate sid="r">0 0 1 40</rotate><scale sid="s">1 1 1</scale>',
    )
    text = document(
        "<library_animations><animation>",
        sampler("k", [0, 2], [*first, *last], 3),
        '<channel source="#k" target="a/s"/></animation></library_animations>',
        turned,
    )
    rig = opened(tmp_path, text).rig
    turn = quat.to_matrix(quat.from_axis_angle(np.array([0.0, 0, 1]), np.radians(40)))
    for seconds in (0.0, 0.3, 1.0, 1.7, 2.0):
        scale = np.add(first, seconds / 2 * np.subtract(last, first))
        got = model_from_nodes(rig, sample(rig, rig.clips[0], seconds))
        np.testing.assert_allclose(got[0, :3, :3], turn * scale, atol=1e-9)
