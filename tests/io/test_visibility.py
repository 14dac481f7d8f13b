"""What files hide: read from every format that says it, shown all the same where that is all, and kept."""

import json
from dataclasses import replace

import fbx_documents as fbx
import numpy as np
import pytest
from documents import arm

from rigview.core.deform import Deformer
from rigview.io import load, save
from rigview.render.framing import visible_points

NAMES = ["Hidden", "Below", "Shown"]
TRIANGLE = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]


def write_gltf(path, *, all_=False, bare=False, comes=False):
    doc = arm()
    doc.json["nodes"] += [
        {"name": "Hidden", "mesh": 0, "children": [5]},
        {"name": "Below", "mesh": 0, "translation": [9, 0, 0]},
    ]
    doc.json["nodes"][3] |= {"name": "Shown"}
    doc.json["scenes"][0]["nodes"].append(4)
    for node in (3, 4) if all_ else () if bare else (4,):
        doc.json["nodes"][node]["extensions"] = {"KHR_node_visibility": {"visible": False}}
    if comes:
        place = "/nodes/4/extensions/KHR_node_visibility/visible"
        moved = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": place}}}
        curve = {"input": doc.accessor([0, 1]), "output": doc.accessor([0, 1], "u1")}
        doc.json["animations"] = [
            {"channels": [{"sampler": 0, "target": moved}], "samplers": [curve]}
        ]
    doc.json["extensionsUsed"] = ["KHR_node_visibility"]
    doc.json["extensionsRequired"] = ["KHR_node_visibility"]
    return doc.save(path.with_suffix(".gltf"))


def write_fbx(path, *, all_=False, bare=False, comes=False):
    objects = ""
    links = ""
    parents = {10: 0, 11: 10, 12: 0}
    for number, name in zip(parents, NAMES, strict=True):
        hides = name != "Below" and not bare and (all_ or name == "Hidden")
        more = {"Visibility": 0} if hides else {"Visibility_Inheritance": 1}
        objects += fbx.model(number, name, "Mesh", Lcl_Translation=(number, 0, 0), **more)
        objects += f'Geometry: {number + 10}, "Geometry::", "Mesh" {{\n'
        objects += fbx.row("Vertices", TRIANGLE) + fbx.whole("PolygonVertexIndex", [0, 1, -3])
        objects += "}\n"
        links += f'C: "OO",{number},{parents[number]}\nC: "OO",{number + 10},{number}\n'
    if comes:
        for number, last in ((10, 1), (12, 0)):
            held, more = fbx.animated(
                40 + number, number, "Visibility", {"d|Visibility": 70 + number}
            )
            objects += held + fbx.curve(70 + number, [0, 1], [last, 0])
            links += more
        objects += fbx.STACK
        links += fbx.STACK_LINKS
    path = path.with_suffix(".fbx")
    path.write_bytes(fbx.document(objects, links))
    return path


def write_usd(path, *, all_=False, bare=False, comes=False):
    pytest.importorskip("pxr", reason="needs rigview[usd]")
    from pxr import Usd, UsdGeom

    path = path.with_suffix(".usda")
    stage = Usd.Stage.CreateNew(str(path))
    for place in ("/Hidden", "/Hidden/Below", "/Shown"):
        mesh = UsdGeom.Mesh.Define(stage, place)
        mesh.GetPointsAttr().Set(TRIANGLE)
        mesh.GetFaceVertexCountsAttr().Set([3])
        mesh.GetFaceVertexIndicesAttr().Set([0, 1, 2])
    for place in ("/Hidden", "/Shown") if all_ else () if bare else ("/Hidden",):
        UsdGeom.Imageable.Get(stage, place).MakeInvisible()
    if comes:
        UsdGeom.Imageable.Get(stage, "/Hidden").GetVisibilityAttr().Set("inherited", 5)
        UsdGeom.Imageable.Get(stage, "/Hidden").GetVisibilityAttr().Set("invisible", 9)
    stage.Save()
    return path


def write_collada(path, *, all_=False, bare=False):
    floats = " ".join(str(x) for point in TRIANGLE for x in point)
    mesh = (
        f'<source id="p"><float_array id="a" count="9">{floats}</float_array><technique_common>'
        '<accessor source="#a" count="3" stride="3"/></technique_common></source>'
        '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
        '<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>'
    )

    def node(name, hides, below=""):
        visible = "0.000000" if hides and not bare else "1.000000"
        told = f'<technique profile="FCOLLADA"><visibility>{visible}</visibility></technique>'
        shown = '<instance_geometry url="#g"/>'
        return f'<node id="{name}">{shown}{below}<extra>{told}</extra></node>'

    nodes = node("Hidden", True, node("Below", False)) + node("Shown", all_)
    path = path.with_suffix(".dae")
    path.write_text(
        '<COLLADA version="1.4.1"><asset/><library_geometries><geometry id="g"><mesh>'
        f"{mesh}</mesh></geometry></library_geometries><library_visual_scenes>"
        f'<visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene></COLLADA>'
    )
    return path


WRITERS = [write_gltf, write_fbx, write_usd, write_collada]


def hidden_names(rig):
    return {rig.nodes.names[node] for node in rig.hidden}


@pytest.mark.parametrize("write", WRITERS)
def test_what_a_file_hides_and_all_below_it_is_hidden(write, tmp_path):
    loaded = load(write(tmp_path / "rig"))
    assert hidden_names(loaded.rig) == {"Hidden", "Below"}
    assert [n for n in loaded.notes if "hide" in n] == [
        "the file hides the mesh of Hidden and 1 more"
    ]
    assert not any("KHR_node_visibility" in note for note in loaded.notes)
    plain = load(write(tmp_path / "plain", bare=True))
    assert (plain.rig.hidden, [n for n in plain.notes if "hide" in n]) == (frozenset(), [])


@pytest.mark.parametrize("write", WRITERS)
def test_where_everything_is_hidden_everything_is_shown(write, tmp_path):
    loaded = load(write(tmp_path / "rig", all_=True))
    assert loaded.rig.hidden == frozenset()
    assert any(note.startswith("the file hides all its meshes") for note in loaded.notes)


@pytest.mark.parametrize("write", WRITERS)
def test_a_copy_and_a_conversion_hide_the_same(write, tmp_path):
    loaded = load(write(tmp_path / "rig"))
    save(loaded, loaded.rig, tmp_path / "out.gltf")
    again = load(tmp_path / "out.gltf").rig
    assert hidden_names(again) == {"Hidden", "Below"}
    stored = json.loads((tmp_path / "out.gltf").read_text())
    assert "KHR_node_visibility" in stored["extensionsUsed"]


def test_a_camera_frames_what_is_shown_and_that_is_the_size(tmp_path):
    deformer = Deformer(load(write_gltf(tmp_path / "rig")).rig)
    assert deformer.size < 5.0 < 9.0 < Deformer(replace(deformer.rig, hidden=frozenset())).size
    points = visible_points(deformer, deformer.rest)
    assert points[:, 0].max() < 1.0
    assert visible_points(deformer, deformer.rest, frozenset(), scenery=True)[:, 0].max() > 8.0
    np.testing.assert_allclose(points, visible_points(deformer, deformer.rest, deformer.rig.hidden))


def test_instances_are_told_to_be_shown_once(tmp_path):
    doc = arm()
    doc.json["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
    text = "the extension EXT_mesh_gpu_instancing is ignored: its meshes are shown once"
    assert load(doc.save(tmp_path / "rig.gltf")).notes == (text,)


@pytest.mark.parametrize("write", [write_gltf, write_fbx, write_usd])
def test_what_comes_and_goes_is_shown_and_told(write, tmp_path):
    loaded = load(write(tmp_path / "rig", comes=True))
    assert loaded.rig.hidden == frozenset()
    name = "/Hidden" if write is write_usd else "Hidden"
    text = f"the visibility of {name} is not animated: it is shown throughout"
    assert loaded.notes == (text,)
