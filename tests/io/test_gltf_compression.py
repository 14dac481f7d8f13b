"""Draco and meshopt: decoded values against other encoders and decoders, damage, and saving.

tests/data/meshopt.json holds streams written by meshoptimizer 1.3 (its JavaScript package) with what
its own decoder makes of them; tests/data/arm_meshopt.glb is samples/arm.glb packed by glTF-Transform
at its highest level, which quantises and reorders.
"""

import base64
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from documents import arm, contents

from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options
from rigview.io import LoadError, load, save

DATA = Path(__file__).parents[1] / "data"
STREAMS = json.loads((DATA / "meshopt.json").read_text(encoding="utf-8"))
DRACO, MESHOPT = "KHR_draco_mesh_compression", "EXT_meshopt_compression"
NEWER_MESHOPT = "KHR_meshopt_compression"
TYPES = {1: ("SCALAR", 5121), 2: ("SCALAR", 5123), 4: ("SCALAR", 5125)}


def name_of(stream):
    return "{mode} {filter} {count}x{stride}".format(**stream)


def packed_document(stream, data):
    """Return a document whose first accessor reads the packed bytes, as one unsigned integer each."""
    doc = arm()
    # The newer extension is the one that may hold version 1 of attributes.
    name = NEWER_MESHOPT if data[:1] == b"\xa1" else MESHOPT
    size = 2 if stream["mode"] == "INDICES" and stream["stride"] == 2 else 4
    content = {k: stream[k] for k in ("count", "mode", "filter")} | {"byteStride": stream["stride"]}
    length = stream["count"] * stream["stride"]
    view = doc.view(data)
    extension = dict(doc.json["bufferViews"][view]) | content
    doc.json["bufferViews"].append(
        {"buffer": 1, "byteLength": length, "extensions": {name: extension}}
    )
    type_, code = TYPES[size]
    accessor = {
        "bufferView": len(doc.json["bufferViews"]) - 1,
        "componentType": code,
        "count": length // size,
        "type": type_,
    }
    number = doc.number(accessor)
    where = "data:application/octet-stream;base64," + base64.b64encode(doc.data).decode()
    doc.json["buffers"] = [
        {"byteLength": len(doc.data), "uri": where},
        {"byteLength": length, "extensions": {name: {"fallback": True}}},
    ]
    doc.json["extensionsUsed"] = doc.json["extensionsRequired"] = [name]
    return doc, number


def unpacked(stream, data, tmp_path):
    """Return the bytes of a packed view as the reader sees them."""
    from rigview.io.gltf import container
    from rigview.io.gltf.accessors import Accessors

    doc, number = packed_document(stream, data)
    path = doc.save(tmp_path / "packed.gltf")
    load(path)
    source = container.read(path)
    return Accessors(source, source.root).raw(number).tobytes()


@pytest.mark.parametrize("stream", STREAMS, ids=name_of)
def test_a_packed_view_holds_what_its_maker_says(stream, tmp_path):
    data, wanted = (base64.b64decode(stream[key]) for key in ("data", "want"))
    assert unpacked(stream, data, tmp_path) == wanted


@pytest.mark.parametrize("stream", STREAMS, ids=name_of)
def test_a_truncated_packed_view_is_refused(stream, tmp_path):
    data = base64.b64decode(stream["data"])
    for size in sorted({0, 1, len(data) // 3, len(data) // 2, len(data) - 20, len(data) - 1}):
        if not 0 <= size < len(data):
            continue
        try:
            got = unpacked(stream, data[:size], tmp_path)
        except LoadError as error:
            assert "too early" in str(error) or "of kind" in str(error)  # noqa: PT017
        else:
            # The last bytes of an attribute stream are its first element, wherever they start.
            assert stream["mode"] == "ATTRIBUTES" or size > len(data) - 20
            assert len(got) == stream["count"] * stream["stride"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"mode": "LIES"}, "no mode"),
        ({"filter": "LIES"}, "no filter"),
        ({"byteStride": 6}, "no multiple of 4"),
        ({"byteStride": 0}, "wanted 1 to 256"),
        ({"count": 2**40}, "more than a file of this size can claim"),
        ({"filter": "QUATERNION"}, "works on no elements"),
    ],
    ids=str,
)
def test_a_packed_view_that_contradicts_the_extension_is_refused(change, reason, tmp_path):
    stream = next(s for s in STREAMS if name_of(s) == "ATTRIBUTES NONE 700x4")
    doc, number = packed_document(stream, base64.b64decode(stream["data"]))
    doc.json["bufferViews"][-1]["extensions"][MESHOPT].update(change)
    doc.json["meshes"][0]["primitives"][0]["indices"] = number
    with pytest.raises(LoadError, match=reason):
        load(doc.save(tmp_path / "packed.gltf"))


def skinned(rig, clip, time):
    deformer = Deformer(rig)
    frame = deformer.frame(sample(rig, clip, time))
    parts = deformer.skin_all(frame, METHODS["lbs"], Options())
    return np.concatenate([part.positions for part in parts]), deformer.size


def farthest(points, others):
    """Return the largest distance from a point to its nearest other."""
    gaps = np.linalg.norm(points[:, None] - others[None], axis=2)
    return max(gaps.min(axis=0).max(), gaps.min(axis=1).max())


def test_a_packed_character_moves_like_its_original(samples):
    original, packed = load(samples / "arm.glb").rig, load(DATA / "arm_meshopt.glb").rig
    assert [clip.name for clip in packed.clips] == [clip.name for clip in original.clips]
    for was, now in zip(original.clips, packed.clips, strict=True):
        time = 0.4 * was.start + 0.6 * was.end
        (a, size), (b, _) = skinned(original, was, time), skinned(packed, now, time)
        assert farthest(a, b) < 1e-3 * size  # the encoder quantised to 14 bits and less


# Draco


@pytest.fixture
def library():
    return pytest.importorskip("DracoPy", reason="needs rigview[draco]")


def draco_arm(library):
    """Return the arm with its first primitive compressed, and the values that went in."""
    doc = arm()
    plain = doc.json["meshes"][0]["primitives"][0]
    points = np.random.default_rng(5).normal(size=(30, 3)).astype(np.float32)
    joints = np.arange(120, dtype=np.uint16).reshape(30, 4) % 3
    weights = np.tile(np.float32([0.5, 0.25, 0.125, 0.125]), (30, 1))
    faces = np.arange(30).reshape(10, 3)
    data = library.encode(
        points,
        faces,
        quantization_bits=20,
        preserve_order=True,
        generic_attributes={4: joints, 7: weights},
    )
    ids = {a["attribute_type"]: a["unique_id"] for a in library.decode(data).attributes}
    holders = {"POSITION": (5126, "VEC3"), "JOINTS_0": (5121, "VEC4"), "WEIGHTS_0": (5126, "VEC4")}
    attributes = {
        name: doc.number({"componentType": code, "count": 30, "type": type_})
        for name, (code, type_) in holders.items()
    }
    numbers = {"POSITION": ids[0], "JOINTS_0": 4, "WEIGHTS_0": 7}
    doc.json["meshes"][0]["primitives"] = [
        {
            "attributes": attributes,
            "indices": doc.number({"componentType": 5123, "count": 30, "type": "SCALAR"}),
            "extensions": {DRACO: {"bufferView": doc.view(data), "attributes": numbers}},
        },
        {key: value for key, value in plain.items() if key != "targets"},
    ]
    del doc.json["meshes"][0]["weights"]
    doc.json["extensionsUsed"] = doc.json["extensionsRequired"] = [DRACO]
    return doc, points, joints, weights, faces


def test_draco_keeps_skin_attributes_and_the_order_of_vertices(library, tmp_path):
    doc, points, joints, weights, faces = draco_arm(library)
    primitive = load(doc.save_glb(tmp_path / "arm.glb")).rig.meshes[0].primitives[0]
    # What 20 bits resolve of the range of these values.
    np.testing.assert_allclose(primitive.positions, points, atol=8e-6)
    np.testing.assert_array_equal(primitive.influences.joints, joints)
    np.testing.assert_allclose(primitive.influences.weights, weights, atol=1e-6)
    np.testing.assert_array_equal(primitive.triangles, faces)


def test_a_changed_draco_primitive_is_saved_uncompressed(library, tmp_path):
    doc, *_ = draco_arm(library)
    loaded = load(doc.save_glb(tmp_path / "arm.glb"))
    old = loaded.rig.meshes[0].primitives[0]
    new = replace(old, influences=replace(old.influences, weights=old.influences.weights[:, ::-1]))
    save(loaded, loaded.rig.with_primitive(0, 0, new), tmp_path / "out.glb")
    document, _, _ = contents(tmp_path / "out.glb")
    assert DRACO not in json.dumps(document)
    again = load(tmp_path / "out.glb").rig.meshes[0].primitives[0]
    np.testing.assert_array_equal(again.influences.weights, new.influences.weights)
    np.testing.assert_array_equal(again.influences.joints, old.influences.joints)
    np.testing.assert_array_equal(again.positions, old.positions)
    np.testing.assert_array_equal(again.triangles, old.triangles)


def test_an_unchanged_draco_primitive_stays_compressed(library, tmp_path):
    doc, *_ = draco_arm(library)
    loaded = load(doc.save_glb(tmp_path / "arm.glb"))
    nodes = loaded.rig.nodes
    moved = replace(loaded.rig, nodes=replace(nodes, translations=nodes.translations + 1.0))
    save(loaded, moved, tmp_path / "out.glb")
    document, _, _ = contents(tmp_path / "out.glb")
    assert DRACO in document["meshes"][0]["primitives"][0]["extensions"]
    np.testing.assert_array_equal(
        load(tmp_path / "out.glb").rig.meshes[0].primitives[0].positions,
        loaded.rig.meshes[0].primitives[0].positions,
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda _, p: p["extensions"][DRACO]["attributes"].update(POSITION=99),
            "no attribute 99",
        ),
        (lambda doc, p: doc.json["accessors"][p["indices"]].update(count=27), "27 elements of 1"),
        (lambda _, p: p["extensions"][DRACO].update(bufferView=0), "Draco data are damaged"),
        (lambda _, p: p["attributes"].pop("JOINTS_0"), "JOINTS_0 is missing"),
    ],
    ids=["no such attribute", "another count", "other bytes", "no such accessor"],
)
def test_draco_data_that_contradict_the_document_are_refused(library, change, reason, tmp_path):
    doc, *_ = draco_arm(library)
    change(doc, doc.json["meshes"][0]["primitives"][0])
    with pytest.raises(LoadError, match=reason):
        load(doc.save_glb(tmp_path / "arm.glb"))


def test_without_the_decoder_the_refusal_says_what_to_install(library, tmp_path, monkeypatch):
    doc, *_ = draco_arm(library)
    path = doc.save_glb(tmp_path / "arm.glb")
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    with pytest.raises(LoadError, match=r"pip install 'rigview\[draco\]'"):
        load(path)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["CesiumMan", "RiggedFigure", "RiggedSimple"])
def test_a_draco_twin_has_the_triangles_of_its_original(library, name, corpus):
    folder = corpus / "rigs" / "DRx3D+glTF-Sample-Assets-OLD" / "Models" / name
    twin = load(folder / "glTF-Draco" / f"{name}.gltf").rig
    original = load(next(p for p in folder.glob(f"glTF*/{name}.gl*") if "Draco" not in p.parts[-2]))
    centres, size = [], 1.0
    for rig in (twin, original.rig):
        clip = rig.clips[0]
        points, size = skinned(rig, clip, 0.5 * (clip.start + clip.end))
        triangles = rig.primitive(rig.parts[0]).triangles
        assert len(triangles)
        centres.append(points[triangles].mean(axis=1))
    assert len(centres[0]) == len(centres[1])
    assert farthest(*centres) < 2e-3 * size  # the twin's positions have 11 bits, its weights 8
