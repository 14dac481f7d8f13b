"""Documents that glTF forbids and that mean one thing: they open, and copies are as glTF wants them."""

import json
from pathlib import Path

import khronos
import numpy as np
import pytest
from documents import arm, contents, faults, glb
from values import assert_same_rig, moved

from rigview.check.run import run
from rigview.core.numeric.lazy import made
from rigview.io import LoadError, load, save

DATA = Path(__file__).parents[1] / "data"
CODES = json.loads((DATA / "validator_codes.json").read_text(encoding="utf-8"))["codes"]


def at(json_, pointer):
    for step in pointer.strip("/").split("/"):
        json_ = json_[int(step) if isinstance(json_, list) else step]
    return json_


def setting(holder, key, value):
    """Return what sets a member of the document."""

    def change(doc):
        at(doc.json, holder)[key] = value

    return change


def recoded(dtype):
    """Return what stores the joints of the first primitive in another type."""

    def change(doc):
        attributes = at(doc.json, "/meshes/0/primitives/0/attributes")
        view = doc.json["bufferViews"][attributes["JOINTS_0"]]
        slots = np.frombuffer(bytes(doc.data), "u1", view["byteLength"], view["byteOffset"])
        attributes["JOINTS_0"] = doc.accessor(slots.reshape(-1, 4), dtype)

    return change


def unflagged(doc):
    for accessor in doc.json["accessors"]:
        accessor.pop("normalized", None)


def displaced_normals(doc):
    target = at(doc.json, "/meshes/0/primitives/0/targets/0")
    target["NORMAL"] = doc.accessor(np.ones((3, 3)))


def buffer(views, stated, uri=None):
    """Return what states more or fewer bytes for the last view and for the buffer, or where that is."""

    def change(doc):
        doc.json["bufferViews"][-1]["byteLength"] += views
        doc.json["buffers"] = [{"byteLength": len(doc.data) + stated}]
        if uri is not None:
            doc.json["buffers"][0]["uri"] = uri

    return change


KEEP = {}
# What is amiss → (what makes it so, the settings of the arm, what is noted).
AMENDED = {
    "a name that is null": (
        setting("/nodes/1", "name", None),
        KEEP,
        ["/nodes/1/name is left out: it is null"],
    ),
    "much that is null": (
        lambda doc: [
            setting("/nodes/0", "mesh", None)(doc),
            setting("/skins/0", "skeleton", None)(doc),
            setting("/meshes/0/primitives/1", "material", None)(doc),
            setting("/nodes/2", "extras", {"kept": None})(doc),
            setting("/nodes/3", "extensions", None)(doc),
        ],
        KEEP,
        ["/nodes/0/mesh and 3 more are left out: it is null"],
    ),
    "numbers for names": (
        lambda doc: [
            setting("/nodes/1", "name", 7)(doc),
            setting("/animations/0", "name", 1.5)(doc),
            setting("/skins/0", "name", ["x"])(doc),
            setting("/asset", "generator", {})(doc),
        ],
        KEEP,
        [
            "/nodes/1/name and 1 more: a number is taken for its digits",
            "/asset/generator and 1 more are left out: it is no string",
        ],
    ),
    "no such skeleton": (
        setting("/skins/0", "skeleton", 99),
        KEEP,
        ["/skins/0/skeleton is left out: node 99 does not exist: there are 4"],
    ),
    "no such material": (
        lambda doc: [
            setting(f"/meshes/0/primitives/{n}", "material", 3 - 4 * n)(doc) for n in (0, 1)
        ],
        KEEP,
        [
            "/meshes/0/primitives/0/material is left out: material 3 does not exist: there are 0",
            "/meshes/0/primitives/1/material is left out: material -1 does not exist: there are 0",
        ],
    ),
    "a number for the version": (
        setting("/asset", "version", 2),
        KEEP,
        ["/asset/version: taken for glTF 2.0, which is a string"],
    ),
    "half a version": (
        setting("/asset", "version", "2"),
        KEEP,
        ["/asset/version: taken for glTF 2.0, which is a string"],
    ),
    "an interpolation in small letters": (
        setting("/animations/0/samplers/3", "interpolation", "step"),
        KEEP,
        ["/animations/0/samplers/3/interpolation: step is taken for STEP"],
    ),
    "a view and a buffer that count what pads them": (
        buffer(4, 4),
        KEEP,
        ["/buffers/0/byteLength: taken for ", "/byteLength: taken for "],
    ),
    "no address of the binary chunk": (
        buffer(0, 0, ""),
        KEEP,
        ["/buffers/0/uri is left out: it is empty, and the file has a binary chunk"],
    ),
    "a buffer that states no length": (
        lambda doc: [buffer(0, 0)(doc), doc.json["buffers"][0].pop("byteLength")],
        KEEP,
        ["/buffers/0/byteLength: taken for "],
    ),
    "a buffer that states less than there is": (
        buffer(0, -16),
        KEEP,
        ["/buffers/0/byteLength: taken for "],
    ),
    "joints as real numbers": (
        recoded("f4"),
        KEEP,
        [
            "/meshes/0/primitives/0/attributes/JOINTS_0 is float32, not uint8 or uint16; all are whole"
        ],
    ),
    "joints of 32 bits": (
        recoded("u4"),
        KEEP,
        [
            "/meshes/0/primitives/0/attributes/JOINTS_0 is uint32, not uint8 or uint16; all are whole"
        ],
    ),
    "weights without the word that they are normalised": (
        unflagged,
        {"weights": "u1"},
        [
            f"/normalized: taken for true, as glTF wants it of "
            f"/meshes/0/primitives/{n}/attributes/WEIGHTS_0, which is uint8"
            for n in (0, 1)
        ],
    ),
    "two things, one found after the other": (
        lambda doc: [recoded("f4")(doc), setting("/nodes/1", "name", None)(doc)],
        KEEP,
        ["/nodes/1/name is left out: it is null", "JOINTS_0 is float32, not uint8 or uint16"],
    ),
    "displaced normals for fewer vertices": (
        displaced_normals,
        KEEP,
        [
            "/meshes/0/primitives/0/targets/0/NORMAL is left out: it is 3 × VEC3 for 8 vertices",
        ],
    ),
}


@pytest.fixture(scope="module")
def validator():
    """The validator, running, if there is one."""
    if khronos.missing():
        yield None
        return
    with khronos.Validator() as running:
        yield running


def write(doc, path):
    """Write a GLB whose document may state its buffer otherwise than it is."""
    json_ = {"buffers": [{"byteLength": len(doc.data)}]} | doc.json
    path.write_bytes(glb(json.dumps(json_).encode(), bytes(doc.data)))
    return path


def assert_alike(rig, sound):
    assert set(rig.nodes.names) - set(sound.nodes.names) <= {"", "7"}
    for n in (0, 1):
        a, b = rig.meshes[0].primitives[n], sound.meshes[0].primitives[n]
        np.testing.assert_array_equal(a.positions, b.positions)
        np.testing.assert_array_equal(a.influences.joints, b.influences.joints)
        np.testing.assert_array_equal(a.influences.weights, b.influences.weights)
        np.testing.assert_array_equal(made(a.morphs.positions), made(b.morphs.positions))
    for before, after in zip(rig.clips, sound.clips, strict=True):
        for x, y in zip(before.channels, after.channels, strict=True):
            assert (x.node, x.path, x.sampler.interpolation) == (
                y.node,
                y.path,
                y.sampler.interpolation,
            )
            np.testing.assert_array_equal(x.sampler.values, y.sampler.values)


@pytest.mark.parametrize("wrong", AMENDED)
def test_it_opens_as_it_is_meant_and_copies_of_it_are_valid(wrong, validator, tmp_path):
    change, settings, notes = AMENDED[wrong]
    sound = load(write(arm(**settings), tmp_path / "sound.glb")).rig
    change(doc := arm(**settings))
    loaded = load(write(doc, path := tmp_path / "amiss.glb"))
    assert len(loaded.notes) == len(notes)
    for found, part in zip(loaded.notes, notes, strict=True):
        assert part in found
    assert_alike(loaded.rig, sound)
    if validator is not None:
        assert (codes := set(validator.faults(path)))
        # On real numbers for joints the validator itself fails.
        assert codes <= {"REFUSED", *CODES}
    for rig, name in ((loaded.rig, "as.gltf"), (moved(loaded.rig), "changed.glb")):
        save(loaded, rig, copy := tmp_path / name)
        assert not list(faults(copy))
        again = load(copy)
        assert again.notes == ()
        assert_same_rig(again.rig, rig)
        if validator is not None:
            assert validator.faults(copy) == {}


def test_a_copy_of_the_same_kind_is_amended_too(tmp_path):
    doc = arm()
    doc.json["nodes"][1]["name"] = None
    loaded = load(doc.save_glb(tmp_path / "null.glb", separators=(" ,", ": ")))
    save(loaded, loaded.rig, tmp_path / "copy.glb")
    del doc.json["nodes"][1]["name"]
    text = contents(doc.save_glb(tmp_path / "wanted.glb", separators=(" ,", ": ")))[1]
    assert contents(tmp_path / "copy.glb")[1].rstrip() == text.rstrip()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lambda doc: doc.json["accessors"][0].update(count=None), "count is missing"),
        (lambda doc: doc.json["nodes"].append(None), "/nodes/4: wanted an object, found null"),
        (setting("/asset", "version", 3), "wanted a string, found a number"),
        (setting("/animations/0/samplers/3", "interpolation", "hold"), "no interpolation of glTF"),
        (buffer(5, 5), "the data ends 5 bytes too early"),
        (buffer(5, 0), "it ends 5 bytes after buffer 0 does"),
        (buffer(0, 0, "gone.bin"), "gone.bin cannot be read"),
    ],
)
def test_what_may_mean_more_than_one_thing_is_refused(wrong, reason, tmp_path):
    wrong(doc := arm())
    with pytest.raises(LoadError, match=reason):
        load(write(doc, tmp_path / "bad.glb"))


@pytest.mark.parametrize(
    "slots", [[0.5, 0, 0, 0], [-1, 0, 0, 0], [np.nan, 0, 0, 0], [2**40, 0, 0, 0]]
)
def test_real_numbers_that_are_no_slots_are_refused(slots, tmp_path):
    doc = arm()
    attributes = at(doc.json, "/meshes/0/primitives/0/attributes")
    attributes["JOINTS_0"] = doc.accessor([slots] * 8)
    with pytest.raises(LoadError, match="the numbers must be unsigned integers, not float32"):
        load(doc.save_glb(tmp_path / "bad.glb"))


def test_whole_weights_of_1_are_what_they_say(tmp_path):
    doc = arm()
    attributes = at(doc.json, "/meshes/0/primitives/0/attributes")
    attributes["WEIGHTS_0"] = doc.accessor([[1, 0, 0, 0]] * 8, "u1")
    loaded = load(doc.save_glb(tmp_path / "rigid.glb"))
    assert loaded.notes == ()
    assert loaded.rig.meshes[0].primitives[0].influences.weights[:, 0].tolist() == [1.0] * 8


# What a material states amiss → (its object, where that is found, the rest of it).
COLOUR = {"baseColorFactor": [1, 0.5, 0, 1]}
MATERIALS = {
    "no such texture": (
        {"pbrMetallicRoughness": COLOUR | {"baseColorTexture": {"index": 5}}},
        "pbrMetallicRoughness/baseColorTexture/index",
    ),
    "a turn that is none": (
        {
            "pbrMetallicRoughness": COLOUR
            | {
                "baseColorTexture": {
                    "index": 0,
                    "extensions": {"KHR_texture_transform": {"rotation": "x"}},
                }
            }
        },
        "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/rotation",
    ),
    "a colour of two": (
        {"pbrMetallicRoughness": {"baseColorFactor": [1, 0]}},
        "pbrMetallicRoughness/baseColorFactor",
    ),
    "no such transparency": (
        {"pbrMetallicRoughness": COLOUR, "alphaMode": "blend"},
        "alphaMode",
    ),
    "a number for the sides": ({"pbrMetallicRoughness": COLOUR, "doubleSided": 1}, "doubleSided"),
}


@pytest.mark.parametrize("wrong", MATERIALS)
def test_a_material_does_without_what_it_states_amiss(wrong, validator, pixel, tmp_path):
    stated, where = MATERIALS[wrong]
    doc = arm()
    doc.json["materials"] = [stated]
    doc.json["textures"] = [{"source": 0}]
    doc.json["images"] = [{"bufferView": doc.view(pixel), "mimeType": "image/png"}]
    doc.json["extensionsUsed"] = ["KHR_texture_transform"]
    loaded = load(doc.save_glb(tmp_path / "odd.glb"))
    (material,) = loaded.rig.materials
    colour = (1.0, 1.0, 1.0, 1.0) if "Factor" in where else (1.0, 0.5, 0.0, 1.0)
    assert (material.base_colour, material.texture) == (colour, None)
    assert (material.alpha_mode, material.double_sided) == ("OPAQUE", False)
    (finding,) = run(loaded.rig, select=["MSH-READ"]).findings
    assert finding.object == f"/materials/0/{where}"
    save(loaded, loaded.rig, copy := tmp_path / "copy.glb")
    again = load(copy)
    assert again.rig.materials == loaded.rig.materials
    assert run(again.rig, select=["MSH-READ"]).findings == ()
    if validator is not None:
        assert validator.faults(copy) == {}


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_glb_may_lack_what_pads_its_end(missing, validator, tmp_path):
    doc = arm()
    doc.data.extend(b"\0" * (4 - missing))
    sound = doc.save_glb(tmp_path / "sound.glb").read_bytes()
    (tmp_path / "short.glb").write_bytes(sound[:-missing])
    loaded = load(tmp_path / "short.glb")
    assert loaded.notes == (
        f"the file ends {missing} bytes before its stated length: zeros are put there",
    )
    save(loaded, loaded.rig, tmp_path / "copy.glb")
    assert (tmp_path / "copy.glb").read_bytes() == sound


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_glb_that_lacks_the_end_of_its_last_numbers_is_refused(missing, tmp_path):
    doc = arm()
    doc.data.extend(b"\0" * (-len(doc.data) % 4))
    sound = doc.save_glb(tmp_path / "sound.glb").read_bytes()
    (last,) = (i for i, view in enumerate(doc.json["bufferViews"]) if ends_last(doc, view))
    assert any(accessor["bufferView"] == last for accessor in doc.json["accessors"])
    (tmp_path / "short.glb").write_bytes(sound[:-missing])
    with pytest.raises(LoadError, match=f"it ends {missing} bytes after bufferView {last} does"):
        load(tmp_path / "short.glb")


def ends_last(doc, view):
    """Tell whether a view ends where the data do."""
    return view.get("byteOffset", 0) + view["byteLength"] == len(doc.data)


def test_the_json_of_a_glb_may_be_padded_with_zeros(tmp_path):
    sound = arm().save_glb(tmp_path / "sound.glb").read_bytes()
    size = int.from_bytes(sound[12:16], "little")
    text = sound[20 : 20 + size].rstrip(b" ") + b" "
    spaces = text + b" " * (-len(text) % 4 + 4)
    zeros = text + b"\0" * (-len(text) % 4 + 4)
    path = tmp_path / "zeros.glb"
    for padded in (spaces, zeros):
        body = len(padded).to_bytes(4, "little") + sound[16:20] + padded + sound[20 + size :]
        path.write_bytes(sound[:8] + (12 + len(body)).to_bytes(4, "little") + body)
        if padded is spaces:
            wanted = path.read_bytes()
    loaded = load(path)
    assert loaded.notes == ("the JSON is padded with zeros, which are taken for spaces",)
    save(loaded, loaded.rig, tmp_path / "copy.glb")
    assert (tmp_path / "copy.glb").read_bytes().rstrip() == wanted
