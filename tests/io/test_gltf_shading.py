"""What only shading reads is seen to be sound at opening, and becomes numbers when it is asked for."""

import io

import numpy as np
import pytest
from documents import Document, contents
from PIL import Image

from rigview.core.numeric.lazy import LazyArray
from rigview.io import LoadError, load, save

POINTS = np.arange(12).reshape(4, 3)
DIRECTIONS = np.arange(16).reshape(4, 4) / 16


def document(**attributes):
    """Return a document of two primitives of four points that name the same accessors."""
    doc = Document(scenes=[{"nodes": [0]}], nodes=[{"mesh": 0}])
    named = {"POSITION": doc.accessor(POINTS)}
    named |= {name: doc.accessor(*values) for name, values in attributes.items()}
    doc.json["meshes"] = [{"primitives": 2 * [{"attributes": named, "mode": 0}]}]
    return doc


SHADED = {
    "NORMAL": (DIRECTIONS[:, :3],),
    "TANGENT": (DIRECTIONS,),
    "TEXCOORD_0": (DIRECTIONS[:, :2],),
    "TEXCOORD_2": (255 * DIRECTIONS[:, :2], "u1"),
    "COLOR_0": (DIRECTIONS[:, :3],),
}


def stated(primitive):
    """Return what a primitive holds of each, made or not."""
    own = vars(primitive)
    return [
        *(own[name] for name in ("normals", "tangents", "colours")),
        *own["uvs"].stated.values(),
    ]


def test_it_is_made_when_it_is_first_asked_for_and_shared_where_the_file_shares_it(tmp_path):
    rig = load(document(**SHADED).save_glb(tmp_path / "shaded.glb")).rig
    first, second = rig.meshes[0].primitives
    held = stated(first)
    assert len(held) == 5
    assert all(isinstance(array, LazyArray) and not array.is_made for array in held)
    np.testing.assert_array_equal(first.normals, DIRECTIONS[:, :3].astype("f4"))
    assert second.normals is first.normals
    assert [array.is_made for array in held] == [True, False, False, False, False]
    np.testing.assert_array_equal(first.tangents, DIRECTIONS.astype("f4"))
    assert list(first.uvs) == [0, 2]
    np.testing.assert_array_equal(first.uvs[0], DIRECTIONS[:, :2].astype("f4"))
    np.testing.assert_array_equal(first.uvs[2], (255 * DIRECTIONS[:, :2]).astype("u1"))
    np.testing.assert_array_equal(first.colours[:, :3], DIRECTIONS[:, :3].astype("f4"))
    assert first.colours[:, 3].tolist() == [1.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize("name", SHADED)
def test_what_is_not_finite_is_told_at_opening(name, tmp_path):
    values = np.where(DIRECTIONS == 0.0, -np.inf, DIRECTIONS)[:, : SHADED[name][0].shape[1]]
    loaded = load(document(**SHADED | {name: (values,)}).save_glb(tmp_path / "bad.glb"))
    assert loaded.notes == (
        f"/meshes/0/primitives/0/attributes/{name} is not finite at 1 of 4 vertices",
        f"/meshes/0/primitives/1/attributes/{name} is not finite at 1 of 4 vertices",
    )


@pytest.mark.parametrize("name", SHADED)
@pytest.mark.parametrize("wrong", [DIRECTIONS[:3], DIRECTIONS[:, :1]])
def test_what_does_not_fit_the_vertices_is_left_out_and_told(name, wrong, tmp_path):
    width = SHADED[name][0].shape[1]
    values = wrong[:, :width]
    doc = document(**SHADED | {name: (values,)})
    loaded = load(doc.save_glb(tmp_path / "odd.glb"))
    primitive = loaded.rig.meshes[0].primitives[0]
    assert len(stated(primitive)) == (4 if name.startswith("TEXCOORD") else 5)
    assert [array for array in stated(primitive) if array is None] == (
        [] if name.startswith("TEXCOORD") else [None]
    )
    assert len(loaded.notes) == 2
    for note in loaded.notes:
        assert f"/attributes/{name} is left out: it is {len(values)} × " in note
        assert note.endswith("for 4 vertices")
    np.testing.assert_array_equal(primitive.positions, POINTS)
    save(loaded, loaded.rig, tmp_path / "copy.glb")
    assert load(tmp_path / "copy.glb").notes == ()
    kept = contents(tmp_path / "copy.glb")[0]["meshes"][0]["primitives"][1]["attributes"]
    assert kept.keys() == {"POSITION", *SHADED} - {name}


@pytest.mark.parametrize("name", SHADED)
def test_what_lies_behind_the_end_of_the_data_is_refused_at_opening(name, tmp_path):
    doc = document(**SHADED)
    number = doc.json["meshes"][0]["primitives"][0]["attributes"][name]
    doc.json["accessors"][number]["byteOffset"] = 4
    with pytest.raises(LoadError, match=f"/accessors/{number}: it ends 4 bytes after bufferView"):
        load(doc.save_glb(tmp_path / "short.glb"))


@pytest.mark.parametrize("newer", [False, True])
def test_an_older_material_shows_its_diffuse_colour_where_it_has_no_other(newer, tmp_path, pixel):
    doc = document()
    doc.json["images"] = [{"bufferView": doc.view(pixel), "mimeType": "image/png"}]
    doc.json["textures"] = [{"source": 0}]
    old = {"diffuseFactor": [0.25, 0.5, 0.75, 1], "diffuseTexture": {"index": 0}}
    paint = {"extensions": {"KHR_materials_pbrSpecularGlossiness": old}}
    if newer:
        paint["pbrMetallicRoughness"] = {"baseColorFactor": [1, 0, 0, 1]}
    doc.json["materials"] = [paint]
    (material,) = load(doc.save_glb(tmp_path / "old.glb")).rig.materials
    if newer:
        assert (material.base_colour, material.texture) == ((1.0, 0.0, 0.0, 1.0), None)
    else:
        assert material.base_colour == (0.25, 0.5, 0.75, 1.0)
        assert material.texture.image == 0


@pytest.mark.parametrize("fallback", [False, True])
def test_a_texture_in_webp_is_shown_and_not_called_ignored(fallback, tmp_path, pixel):
    doc = document()
    webp = io.BytesIO()
    Image.new("RGB", (3, 2)).save(webp, "WEBP")
    doc.json["images"] = [
        {"bufferView": doc.view(webp.getvalue()), "mimeType": "image/webp"},
        {"bufferView": doc.view(pixel), "mimeType": "image/png"},
    ]
    texture = {"extensions": {"EXT_texture_webp": {"source": 0}}}
    doc.json["textures"] = [texture | ({"source": 1} if fallback else {})]
    doc.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    doc.json["extensionsUsed"] = ["EXT_texture_webp"]
    if not fallback:
        doc.json["extensionsRequired"] = ["EXT_texture_webp"]
    loaded = load(doc.save_glb(tmp_path / "webp.glb"))
    assert (loaded.notes, loaded.rig.unread) == ((), ())
    assert loaded.rig.materials[0].texture.image == int(fallback)
