"""Documents made to break readers: each opens, or is refused in one sentence that says where and why."""

import base64
import json
import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from documents import EMBEDDED, Document, arm, chunk, glb
from survival import refusal, use

from rigview.check.run import run
from rigview.io import LoadError, load

OPENS = None
TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])


def document(**members):
    return {"asset": {"version": "2.0"}, **members}


def changed(pointer, value):
    """Return the arm with one value of its JSON exchanged."""
    doc = arm()
    doc.json = json.loads(doc.text())
    *way, last = pointer.strip("/").split("/")
    holder = doc.json
    for step in way:
        holder = holder[int(step) if isinstance(holder, list) else step]
    holder[int(last) if isinstance(holder, list) else last] = value
    return doc.json


def triangle(**attributes):
    """Return a document of one triangle with further attributes, given as (values, type)."""
    doc = Document(scenes=[{"nodes": [0]}], nodes=[{"mesh": 0}])
    named = {"POSITION": doc.accessor(TRIANGLE)}
    for name, (values, dtype) in attributes.items():
        named[name] = doc.accessor(values, dtype)
    doc.json["meshes"] = [{"primitives": [{"attributes": named}]}]
    return json.loads(doc.text())


def skinned(joints, weights, joint_type="u1", weight_type="f4"):
    json_ = triangle(JOINTS_0=(joints, joint_type), WEIGHTS_0=(weights, weight_type))
    json_["nodes"][0]["skin"] = 0
    json_["nodes"].append({"name": "Bone"})
    json_["skins"] = [{"joints": [1]}]
    return json_


def animated(times, values, path="translation", **sampler):
    doc = Document(nodes=[{"mesh": 0}, {}], meshes=[{"primitives": []}])
    doc.json["animations"] = [
        {
            "samplers": [{"input": doc.accessor(times), "output": doc.accessor(values), **sampler}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
        }
    ]
    return json.loads(doc.text())


def pictured(data, kind="image/png"):
    """Return a textured triangle whose image is `data`."""
    json_ = triangle()
    json_["meshes"][0]["primitives"][0]["material"] = 0
    json_["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    json_["textures"] = [{"source": 0}]
    json_["images"] = [{"uri": f"data:{kind};base64,{base64.b64encode(data).decode()}"}]
    return json_


def png(width, height, rows=b""):
    """Return a PNG of a stated size, one byte a pixel, with rows of your own."""

    def piece(name, content):
        return (
            struct.pack(">I", len(content))
            + name
            + content
            + struct.pack(">I", zlib.crc32(name + content))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            piece(b"IHDR", header),
            piece(b"IDAT", zlib.compress(rows, 1)),
            piece(b"IEND", b""),
        ]
    )


def chain(count):
    return document(nodes=[{"children": [i + 1]} for i in range(count - 1)] + [{}])


def buffer_uri(uri):
    return changed("/buffers/0/uri", uri)


ONES = np.ones((3, 1))
FULL = [[1, 0, 0, 0]] * 3
NOWHERE = [[0, 0, 0, 0]] * 3
SIGNALLING = np.frombuffer(b"\x01\x00\x80\x7f", "<f4")[0]

# What is wrong → (document, a part of the refusal; None where it opens).
DOCUMENTS = {
    # numbers
    "a boolean for an index": (
        changed("/nodes/3/mesh", True),
        "wanted a whole number, found a bool",
    ),
    "a string for an index": (changed("/skins/0/joints/1", "1"), "found a string"),
    "null for a list": (changed("/nodes", None), "node 0 does not exist: there are 0"),
    "a negative index": (changed("/nodes/3/skin", -1), "skin -1 does not exist: there are 1"),
    "an index too large": (changed("/nodes/0/children/0", 4), "node 4 does not exist: there are 4"),
    "half an index": (changed("/nodes/3/mesh", 0.5), "wanted a whole number, found 0.5"),
    "a whole number as 3.0": (changed("/nodes/3/mesh", 0.0), OPENS),
    "an integer of 400 digits": (changed("/accessors/0/count", 10**400), "too large"),
    "an absurd count": (changed("/accessors/0/count", 2**53), "after bufferView 0 does"),
    "a negative count": (changed("/accessors/0/count", -1), "wanted 0 or more, found -1"),
    "a transform of 1e200": (changed("/nodes/1/translation/0", 1e200), "the number is too large"),
    "a transform of 400 digits": (changed("/nodes/1/translation/0", 10**400), "too large"),
    "a boolean in a transform": (changed("/nodes/1/translation/0", True), "found a boolean"),
    "two numbers for a translation": (changed("/nodes/1/translation", [0, 1]), "wanted 3 numbers"),
    "a rotation of nothing": (changed("/nodes/1/rotation", [0, 0, 0, 0]), OPENS),
    "a scale of nothing": (changed("/nodes/1/scale", [0, 0, 0]), OPENS),
    "the largest scale of 32 bits": (changed("/nodes/1/scale", [3.4e38] * 3), OPENS),
    "a matrix of zeros": (changed("/nodes/1/matrix", [0] * 16), OPENS),
    "a matrix of 15": (changed("/nodes/1/matrix", [0] * 15), "wanted 16 numbers, found 15"),
    "null for an index": (changed("/nodes/3/mesh", None), OPENS),
    "null for an index in a list": (
        changed("/skins/0/joints/1", None),
        "/skins/0/joints/1: wanted a whole number, found null",
    ),
    "null for a node": (changed("/animations/0/channels/0/target/node", None), OPENS),
    "a boolean for a count": (changed("/accessors/0/count", True), "/accessors/0/count: wanted a"),
    "a count of 8.0": (changed("/accessors/0/count", 8.0), OPENS),
    "a string for an accessor": (changed("/accessors/0", "VEC3"), "/accessors/0: wanted an object"),
    "a number for a name": (changed("/nodes/1/name", 7), OPENS),
    "a number for a node": (changed("/nodes/1", 7), "/nodes/1: wanted an object, found a number"),
    "a number for a list of children": (changed("/nodes/1/children", 7), "wanted an array"),
    # hierarchy
    "a loop": (document(nodes=[{"children": [1]}, {"children": [0]}]), OPENS),
    "its own child": (document(nodes=[{"children": [0]}]), OPENS),
    "two parents": (document(nodes=[{"children": [2]}, {"children": [2]}, {}]), OPENS),
    "a child listed twice": (document(nodes=[{"children": [1, 1]}, {}]), OPENS),
    "a scene of a child": (changed("/scenes/0/nodes", [2, 1, 0, 3, 3]), OPENS),
    "no scene of that number": (changed("/scene", 7), "scene 7 does not exist: there are 1"),
    "an empty scene": (changed("/scenes/0", {}), OPENS),
    "a joint that hangs below itself": (changed("/nodes/2/children", [0]), OPENS),
    # buffers
    "no buffer of that number": (changed("/bufferViews/0/buffer", 1), "buffer 1 does not exist"),
    "a stride of 0": (changed("/bufferViews/0/byteStride", 0), OPENS),
    "a stride of 1": (changed("/bufferViews/0/byteStride", 1), "shorter than an element of 12"),
    "a huge stride": (changed("/bufferViews/0/byteStride", 2**50), "after bufferView 0 does"),
    "a view beyond the buffer": (changed("/bufferViews/0/byteOffset", 9**9), "after buffer 0 does"),
    "an offset beyond the view": (
        changed("/accessors/0/byteOffset", 4),
        "4 bytes after bufferView",
    ),
    "an unaligned offset": (changed("/bufferViews/0/byteOffset", 1), OPENS),
    "a buffer that is too short": (changed("/buffers/0/byteLength", 10**6), "bytes too early"),
    "no component type": (changed("/accessors/0/componentType", 5124), "5124 is no component type"),
    "no accessor type": (changed("/accessors/0/type", "VEC3\n"), "is no type that rigview reads"),
    "base64 garbage": (buffer_uri(EMBEDDED + "§$%&"), "the base64 data is damaged"),
    "base64 padded in the middle": (
        buffer_uri(EMBEDDED + "AAA=" * 300),
        "the base64 data is damaged",
    ),
    "a data URI cut short": (buffer_uri("data:"), "the data URI is not base64"),
    "a URI with a scheme": (buffer_uri("http://127.0.0.1/x.bin"), "not a relative path"),
    "a URI with a host": (buffer_uri("//127.0.0.1/x.bin"), "not a relative path"),
    "a file URI": (buffer_uri("file:///etc/hostname"), "not a relative path"),
    "an absolute path": (buffer_uri("/etc/hostname"), "leaves the folder"),
    "a path upwards": (buffer_uri("../../etc/hostname"), "leaves the folder"),
    "an escaped path upwards": (buffer_uri("%2e%2e%2fhostname"), "leaves the folder"),
    "the folder itself": (buffer_uri(""), "this is a folder, not a file"),
    "a missing file": (buffer_uri("none.bin"), "none.bin cannot be read: no such file"),
    "a NUL in a URI": (buffer_uri("a%00b"), "no usable path"),
    "a newline in a URI": (buffer_uri("a\n\x1b[2Jb"), "a\\n\\x1b[2Jb cannot be read"),
    "half a surrogate pair in a URI": (buffer_uri("\ud800.bin"), "cannot be read"),
    "a URI of 100,000 letters": (buffer_uri("x" * 100_000), "file name too long"),
    # sparse
    "sparse beyond the end": (
        changed(
            "/accessors/0/sparse",
            {
                "count": 1,
                "indices": {"bufferView": 0, "componentType": 5121, "byteOffset": 14},
                "values": {"bufferView": 0},
            },
        ),
        "does not exist: there are 8",
    ),
    "sparse without indices": (changed("/accessors/0/sparse", {"count": 1}), "indices is missing"),
    "sparse of too many": (changed("/accessors/0/sparse", {"count": 9}), "wanted 1 to 8, found 9"),
    # geometry
    "positions that are no numbers": (
        changed("/meshes/0/primitives/0/attributes/POSITION", 4),
        "accessor 4 is VEC4, not VEC3",
    ),
    "joints as floats": (skinned(0.5 * ONES @ [[1] * 4], FULL, "f4"), "integers, not float32"),
    "negative joints": (skinned(-np.array(FULL), FULL, "i1"), "unsigned integers, not int8"),
    "weights that are not finite": (skinned(NOWHERE, np.full((3, 4), np.nan)), OPENS),
    "weights beyond float32": (skinned(NOWHERE, np.full((3, 4), np.inf)), OPENS),
    "weights that signal": (skinned(NOWHERE, np.full((3, 4), SIGNALLING)), OPENS),
    "the largest weights": (skinned(NOWHERE, np.full((3, 4), 3.4e38)), OPENS),
    "joints that do not exist": (skinned(FULL, FULL), OPENS),
    "unnormalised weights": (skinned(NOWHERE, np.full((3, 4), 200), weight_type="u1"), OPENS),
    "fewer weights than vertices": (skinned(NOWHERE, FULL[:2]), "2 values for 3 vertices"),
    "fewer joints than vertices": (skinned(NOWHERE[:2], FULL), "2 values for 3 vertices"),
    "normals that are not finite": (triangle(NORMAL=(np.full((3, 3), np.inf), "f4")), OPENS),
    "the largest normals": (triangle(NORMAL=(np.full((3, 3), 3.4e38), "f4")), OPENS),
    "colours that are not finite": (triangle(COLOR_0=(np.full((3, 4), np.nan), "f4")), OPENS),
    "a UV set of 5,000 digits": (triangle(**{"TEXCOORD_" + "1" * 5000: (ONES, "f4")}), OPENS),
    "a UV set that is no number": (triangle(**{"TEXCOORD_²": (ONES, "f4")}), OPENS),
    "no mode of that number": (changed("/meshes/0/primitives/0/mode", 7), "wanted 0 to 6, found 7"),
    "fewer positions than the rest": (changed("/accessors/0/count", 5), "vertex 5 does not exist"),
    "a list for attributes": (changed("/meshes/0/primitives/0/attributes", []), "wanted an object"),
    "a mesh that is a word": (changed("/meshes/0", "mesh"), "wanted an object, found a string"),
    "a primitive that is a word": (changed("/meshes/0/primitives/0", "all"), "wanted an object"),
    "extras that are a word": (changed("/meshes/0/extras", "none"), OPENS),
    "target names that are no names": (
        changed("/meshes/0/extras", {"targetNames": [1, None, [[[]]], "A"]}),
        OPENS,
    ),
    # skins
    "no joints": (changed("/skins/0/joints", []), OPENS),
    "no list of joints": (changed("/skins/0", {}), "joints is missing"),
    "a joint twice": (changed("/skins/0/joints", [0, 1, 1]), OPENS),
    "too few inverse bind matrices": (changed("/skins/0/joints", [0, 1, 2, 3]), OPENS),
    # animation
    "no keys": (animated(np.zeros((0, 1)), np.zeros((0, 3))), OPENS),
    "no keys of weights": (animated(np.zeros((0, 1)), np.zeros((0, 1)), "weights"), OPENS),
    "fewer values than keys": (
        animated(np.zeros((2, 1)), np.zeros((3, 3))),
        "3 values for 2 LINEAR",
    ),
    "times that fall": (animated([[2], [1], [1]], np.zeros((3, 3))), OPENS),
    "times that are not finite": (animated([[0], [np.nan]], np.zeros((2, 3))), OPENS),
    "values that are not finite": (animated([[0], [1]], np.full((2, 3), np.inf)), OPENS),
    "no interpolation": (
        animated([[0]], np.zeros((1, 3)), interpolation="SPLINE"),
        "SPLINE is no interpolation of glTF",
    ),
    "a spline without tangents": (
        animated([[0]], np.zeros((1, 3)), interpolation="CUBICSPLINE"),
        "1 values for 1 CUBICSPLINE keys",
    ),
    "values of the wrong width": (animated([[0]], np.zeros((1, 4))), "is VEC4, not VEC3"),
    "a channel without sampler": (
        changed("/animations/0/channels/0/sampler", 4),
        "sampler 4 does not exist",
    ),
    "a property that does not exist": (
        changed("/animations/0/channels/0/target/path", "colour\n"),
        OPENS,
    ),
    # materials and images
    "an image that is none": (pictured(b"GIF89a"), OPENS),
    "an image of 100,000² pixels": (pictured(png(100_000, 100_000)), OPENS),
    "an image of no pixels": (pictured(png(0, 0)), OPENS),
    "an image without its rows": (pictured(png(64, 64)), OPENS),
    "no texture of that number": (
        changed("/materials", [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]),
        OPENS,
    ),
    "no alpha mode": (changed("/materials", [{"alphaMode": "x" * 1000}]), OPENS),
    # the document
    "an old version": (document() | {"asset": {"version": "1.0"}}, "this is glTF 1.0, and rigview"),
    "a number as version": (document() | {"asset": {"version": 1.0}}, "this is glTF 1.0, and rigv"),
    "no asset": ({"nodes": []}, "asset is missing"),
    "nothing": (document(), OPENS),
    "an unknown extension": (document(extensionsUsed=["A\nB" * 1000]), OPENS),
    "an unknown extension that is required": (
        document(extensionsRequired=["A\nB" * 1000]),
        "requires the extension A\\nBA",
    ),
    "an extension that is required and shows more instances": (
        document(extensionsRequired=["EXT_mesh_gpu_instancing"]),
        "requires the extension EXT_mesh_gpu_instancing",
    ),
    **{
        f"{name}, which moves nothing, required": (document(extensionsRequired=[name]), OPENS)
        for name in (
            "EXT_mesh_features",
            "KHR_audio_emitter",
            "KHR_node_selectability",
            "KHR_physics_rigid_bodies",
            "MSFT_lod",
        )
    },
}


@pytest.mark.parametrize("wrong", DOCUMENTS)
def test_a_document_opens_or_is_refused_in_one_sentence(wrong, tmp_path):
    json_, wanted = DOCUMENTS[wrong]
    path = tmp_path / "hostile.gltf"
    path.write_text(json.dumps(json_))
    refused = refusal(path)
    assert (refused is None) == (wanted is OPENS), refused
    if wanted is not OPENS:
        assert wanted in str(refused)


def depth(count):
    return b'{"asset":{"version":"2.0"},"extras":' + b"[" * count + b"]" * count + b"}"


LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:bca96a60\nsize 5897\n"
# What is wrong → (bytes of the file, a part of the refusal; None where it opens).
GOOD = json.dumps(document()).encode()
BYTES = {
    "an empty file": (b"", "the file is empty"),
    "white space": (b" \n" * 100, "of no format that rigview reads"),
    "a picture": (png(1, 1), "of no format that rigview reads"),
    "a pointer of Git LFS": (LFS_POINTER, "git lfs pull fetches it"),
    "a list": (b"[]", "of no format that rigview reads"),
    "UTF-16": (GOOD.decode().encode("utf-16"), "of no format that rigview reads"),
    "Latin-1": (
        b'{"asset":{"version":"2.0","generator":"\xe4"}}',
        "byte 39: the text is not UTF-8",
    ),
    "a byte order mark": (b"\xef\xbb\xbf" + GOOD, OPENS),
    "an opening brace": (b"{", "line 1, column 2: the JSON is damaged: expecting property name"),
    "text behind the document": (GOOD + b"}", "the JSON is damaged: extra data"),
    # What Python's parser says of it depends on its version.
    "a comma at the end": (GOOD[:-1] + b",}", "the JSON is damaged: "),
    "a string without end": (
        b'{"a": "b',
        "line 1, column 7: the JSON is damaged: unterminated string",
    ),
    "a tab in a string": (b'{"a": "\t"}', "the JSON is damaged: invalid control character"),
    "NaN": (
        b'{"N": "NaN",\n"a": NaN}',
        "line 2, column 6: the JSON is damaged: NaN is not a number",
    ),
    "minus infinity": (b'{"a": -Infinity}', "-Infinity is not a number"),
    "1e999 that nobody reads": (GOOD[:-1] + b',"extras":1e999}', OPENS),
    "1e999 in a transform": (
        GOOD[:-1] + b',"nodes":[{"scale":[1e999,1,1]}]}',
        "/nodes/0/scale/0: the number is too large",
    ),
    "an integer of 5,000 digits": (GOOD[:-1] + b',"x":' + b"1" * 5000 + b"}", "too many digits"),
    "keys that stand twice": (GOOD[:-1] + b',"nodes":5,"nodes":[{}]}', OPENS),
    "lists in lists": (depth(100_000), "nested more than 128 levels deep"),
    "lists in lists, a few": (depth(500), "nested more than 128 levels deep"),
    "lists in lists, as many as may be": (depth(127), OPENS),
    "lists in lists behind brackets in a string": (
        GOOD[:-1] + b',"extras":["' + b"]" * 900 + b'",' + b"[" * 200 + b"]" * 200 + b"]}",
        "nested more than 128 levels deep",
    ),
    "brackets in a string": (GOOD[:-1] + b',"extras":"' + b"[" * 900 + b'"}', OPENS),
    "brackets behind an escaped quote": (
        GOOD[:-1] + b',"extras":"\\\\\\"' + b"[" * 900 + b'"}',
        OPENS,
    ),
    "half a surrogate pair for a name": (GOOD[:-1] + b',"nodes":[{"name":"\\ud800"}]}', OPENS),
    "a GLB header cut short": (b"glTF\2\0", "GLB header: the file ends after 6 of 12 bytes"),
    "a GLB of version 1": (b"glTF" + struct.pack("<II", 1, 12), "this is glTF 1.0, and rigview"),
    "a GLB without chunks": (b"glTF" + struct.pack("<II", 2, 12), "the chunk's header is cut off"),
    "a GLB that states 4 GiB": (
        glb(GOOD)[:8] + b"\xff" * 4 + glb(GOOD)[12:],
        "bytes before its stated length",
    ),
    "a GLB that states no length": (
        glb(GOOD)[:8] + b"\0" * 4 + glb(GOOD)[12:],
        "GLB chunk 0: the chunk's header is cut off",
    ),
    "a JSON chunk that states 4 GiB": (
        glb(GOOD)[:12] + b"\xff" * 4 + glb(GOOD)[16:],
        "GLB chunk 0: the chunk ends 4,294,967,",
    ),
    "a binary chunk that states 4 GiB": (
        glb(GOOD, extra=b"\xff" * 4 + b"BIN\0"),
        "GLB chunk 1: the chunk ends 4,294,967,295 bytes after the file",
    ),
    "a GLB whose JSON comes second": (
        b"glTF" + struct.pack("<II", 2, 20) + chunk(b"BIN\0", b""),
        "the first chunk is not JSON",
    ),
    "a GLB with an empty JSON chunk": (glb(b""), "the JSON is damaged: expecting value"),
    "a GLB whose JSON is not UTF-8": (
        glb(b'{"\xff":0}'),
        "GLB chunk 0, byte 2: the text is not UTF-8",
    ),
    "a GLB with a byte order mark": (glb(b"\xef\xbb\xbf" + GOOD), OPENS),
    "100,000 unknown chunks": (glb(GOOD, extra=chunk(b"WHAT", b"") * 100_000), OPENS),
    "bytes behind a GLB": (glb(GOOD) + b"xyz", OPENS),
}


@pytest.mark.parametrize("wrong", BYTES)
def test_a_file_opens_or_is_refused_in_one_sentence(wrong, tmp_path):
    content, wanted = BYTES[wrong]
    path = tmp_path / "hostile.glb"
    path.write_bytes(content)
    refused = refusal(path)
    assert (refused is None) == (wanted is OPENS), refused
    if wanted is not OPENS:
        assert wanted in str(refused)


def test_a_buffer_that_is_a_pointer_of_git_lfs_is_told_of(tmp_path):
    (tmp_path / "arm.bin").write_bytes(LFS_POINTER)
    refused = refusal(save(buffer_uri("arm.bin"), tmp_path / "arm.gltf"))
    assert "arm.bin cannot be read: only a pointer of Git LFS is here" in str(refused)


@pytest.mark.parametrize("kind", ["accessors", "bufferViews"])
@pytest.mark.parametrize("bad", [None, {}, {"count": "1", "byteLength": -1, "buffer": 2.5}])
def test_what_is_wrong_with_what_nobody_uses_does_no_harm(kind, bad, tmp_path):
    json_ = json.loads(arm().text())
    json_[kind].append(bad)
    assert refusal(save(json_, tmp_path / "unused.gltf")) is None


def save(json_, path):
    path.write_text(json.dumps(json_))
    return path


@pytest.mark.thorough
def test_a_chain_of_100_000_nodes_opens(tmp_path):
    rig = use(save(chain(100_000), tmp_path / "chain.gltf")).rig
    assert len(rig.nodes.levels) == 100_000


@pytest.mark.thorough
def test_a_loop_of_100_000_nodes_opens(tmp_path):
    json_ = chain(100_000)
    json_["nodes"][-1] = {"children": [0]}
    assert use(save(json_, tmp_path / "loop.gltf")).rig.nodes.faults == ((99_999, 0),)


def test_100_000_nodes_with_matrices_open(tmp_path):
    node = {"matrix": np.eye(4).reshape(-1).tolist()}
    assert refusal(save(document(nodes=[node] * 100_000), tmp_path / "matrices.gltf")) is None


def claims(path):
    """Return why a file may not claim its memory, having seen that little was taken for it."""
    with pytest.raises(LoadError, match="more than a file of this size can claim") as caught:
        load(path)
    return str(caught.value)


def test_an_accessor_without_data_claims_no_more_than_its_file_accounts_for(tmp_path):
    json_ = triangle()
    json_["accessors"][0] = {"componentType": 5126, "count": 10**9, "type": "VEC3"}
    assert "/accessors/0" in claims(save(json_, tmp_path / "zeros.gltf"))


def test_small_accessors_without_data_are_zeros(tmp_path):
    json_ = triangle()
    json_["accessors"][0] = {"componentType": 5126, "count": 100_000, "type": "VEC3"}
    assert refusal(save(json_, tmp_path / "zeros.gltf")) is None


def test_many_primitives_of_one_accessor_share_its_memory(tmp_path):
    doc = arm()
    doc.json["meshes"][0]["primitives"] *= 50
    primitives = load(doc.save(tmp_path / "many.gltf")).rig.meshes[0].primitives
    assert len({id(p.positions) for p in primitives}) == 2


def test_many_primitives_of_one_large_accessor_claim_no_more_than_they_may(tmp_path):
    json_ = triangle()
    json_["accessors"][0] = {"componentType": 5126, "count": 100_000, "type": "VEC3"}
    json_["meshes"][0]["primitives"] *= 10_000
    assert "/meshes/0/primitives/" in claims(save(json_, tmp_path / "many.gltf"))


def test_empty_morph_targets_claim_no_more_than_they_may(tmp_path):
    json_ = triangle()
    json_["accessors"][0] = {"componentType": 5126, "count": 100_000, "type": "VEC3"}
    json_["meshes"][0]["primitives"][0]["targets"] = [{}] * 100_000
    assert "/meshes/0/primitives/0" in claims(save(json_, tmp_path / "targets.gltf"))


def test_pictures_that_unfold_claim_no_more_than_they_may(tmp_path):
    rows = bytes(8001) * 8000
    json_ = pictured(png(8000, 8000, rows))
    json_["images"] *= 3
    json_["textures"] = [{"source": i} for i in range(3)]
    json_["materials"] = [
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in range(3)
    ]
    rig = load(save(json_, tmp_path / "bombs.gltf")).rig
    assert [image is None for image in rig.images] == [False, True, True]
    assert "more than a file of this size can claim" in rig.unread[0].reason


def test_a_picture_of_absurd_size_is_left_out_and_said_so(tmp_path):
    rig = load(save(pictured(png(100_000, 100_000)), tmp_path / "picture.gltf")).rig
    assert "more pixels than rigview decodes" in rig.unread[0].reason


def test_a_picture_without_its_rows_is_white_and_missing(tmp_path):
    rig = load(save(pictured(png(64, 64)), tmp_path / "picture.gltf")).rig
    assert rig.images[0].pixels.tolist() == [[[255] * 4]]
    assert [(m.where, m.reason[:20]) for m in rig.missing] == [
        ("/images/0", "the image is damaged")
    ]
    (finding,) = (f for f in run(rig).findings if f.rule == "MSH-READ")
    assert finding.object == "/images/0"


def test_damaged_pictures_never_stop_a_rig_from_opening(tmp_path):
    rng = np.random.default_rng(1)
    good = np.frombuffer(png(16, 16, bytes(17) * 16), np.uint8)
    for i in range(300):
        bad = good[: len(good) * i // 100 + 9].copy()
        bad[rng.integers(8, len(bad), size=3)] = rng.integers(256, size=3)
        assert refusal(save(pictured(bad.tobytes()), tmp_path / "picture.gltf")) is None


def test_names_of_one_line_reach_people(tmp_path):
    from rigview.io.describe import as_text

    json_ = document(asset={"version": "2.0", "generator": "A\nB\x1b"}, meshes=[])
    assert "A\\nB\\x1b" in as_text(load(save(json_, tmp_path / "names.gltf")))


def make_huge(path):
    path.write_bytes(b"glTF\x02\0\0\0")
    os.truncate(path, 2**33)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (Path.exists, "no such file or directory"),
        (Path.mkdir, "this is a folder, not a file"),
        (lambda path: path.symlink_to(path), "symbolic links"),
        (lambda path: path.symlink_to("/dev/zero"), "this is a device or a pipe, not a file"),
        (make_huge, "the file is larger than 4 GiB"),
    ],
    ids=["missing", "folder", "link to itself", "device", "huge"],
)
def test_what_is_no_readable_file_is_refused(make, reason, tmp_path):
    path = tmp_path / "rig.glb"
    make(path)
    assert reason in str(refusal(path))


def test_a_name_that_no_file_can_have_is_refused():
    with pytest.raises(LoadError, match="no file can have this name"):
        load(Path("a\0b.glb"))


def test_a_buffer_outside_the_folder_is_refused_also_through_a_link(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(10**4))
    path = tmp_path / "inside" / "rig.gltf"
    (path.parent / "link.bin").symlink_to(tmp_path / "secret.bin")
    (path.parent / "folder").symlink_to(tmp_path)
    for uri in ("link.bin", "folder/secret.bin"):
        path.write_text(json.dumps(buffer_uri(uri)))
        assert "leaves the folder" in str(refusal(path))
