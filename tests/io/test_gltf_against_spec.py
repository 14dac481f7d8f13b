"""The glTF reader and the deformer against a plain evaluator of the specification.

tests/reference/gltf_spec.py knows nothing of rigview. Every vertex of every file of the corpus has to
be where it says, at rest and along every clip; the small documents at the end are computed by hand,
and hold both to account.
"""

import base64
import importlib.util
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

from rigview.core.deform import Deformer
from rigview.core.pose import rest_pose, sample
from rigview.core.skinning import METHODS, Options
from rigview.io import LoadError, load

REPOSITORY = Path(__file__).parents[2]
CORPUS = Path(os.environ.get("RIGVIEW_CORPUS", REPOSITORY.parent / "shared" / "corpus"))
RIGS = CORPUS / "rigs"

TOLERANCE = 1e-5  # of the diagonal of the rest pose
MANY_CLIPS = 8

# Invalid glTF, and why rigview does not read it.
MAGNUM = "mosra+magnum-plugins/src/MagnumPlugins/GltfImporter/Test/"
REFUSED = {
    MAGNUM + "escaped-strings.gltf": "samplers is missing",
    MAGNUM + "texcoord-flip-unnormalized-morph-target.gltf": "attributes is missing",
}


def reference():
    # Tests are no package (--import-mode=importlib), hence by path.
    path = REPOSITORY / "tests" / "reference" / "gltf_spec.py"
    spec = importlib.util.spec_from_file_location("gltf_spec", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


gltf_spec = reference()


def corpus_files():
    """The valid glTFs of the corpus that need no Draco decoder; one skip without corpus."""
    manifest = RIGS / "manifest.json"
    if not manifest.is_file():
        skip = pytest.mark.skip(reason=f"no corpus at {CORPUS}: set RIGVIEW_CORPUS to its folder")
        return [pytest.param("", marks=skip, id="no-corpus")]
    return [
        entry["path"]
        for entry in json.loads(manifest.read_text(encoding="utf-8"))
        if entry["format"] in {"gltf", "glb", "vrm"}
        and "KHR_draco_mesh_compression" not in (entry["facts"].get("ext_req") or ())
        and entry["path"] not in REFUSED
    ]


def positions(rig, deformer, clip_index=None, time=None):
    pose = rest_pose(rig) if clip_index is None else sample(rig, rig.clips[clip_index], time)
    skinned = deformer.skin_all(deformer.frame(pose), METHODS["lbs"], Options())
    return [part.positions for part in skinned]


def moments(clips):
    """Rest, then (clip, time) along every clip; fewer times where there are many clips."""
    parts = (0.25, 0.75) if len(clips) > MANY_CLIPS else (0.0, 0.25, 0.5, 0.75, 1.0)
    yield None, None
    for index, (_, start, end) in enumerate(clips):
        for part in parts:
            yield index, start + part * (end - start)


def diagonal(parts):
    points = np.concatenate([np.zeros((0, 3)), *parts])
    return float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0 if len(points) else 1.0


def differences(wanted, got, allowed):
    for number, (want, have) in enumerate(zip(wanted, got, strict=True)):
        off = np.abs(have - want).max(initial=0.0)
        if not off <= allowed:
            yield f"primitive {number} is off by {off:.3g}, allowed is {allowed:.3g}"


@pytest.mark.corpus
@pytest.mark.parametrize("path", corpus_files(), ids=str)
def test_every_vertex_is_where_the_specification_puts_it(path):
    rig = load(RIGS / path).rig
    deformer = Deformer(rig)
    document = gltf_spec.Document(RIGS / path)
    clips = document.clips()
    assert [clip.name for clip in rig.clips] == [name for name, _, _ in clips]

    allowed = TOLERANCE * diagonal(document.evaluate())
    wrong = []
    for clip, time in moments(clips):
        wanted = document.evaluate(clip, time)
        got = positions(rig, deformer, clip, time)
        assert [part.shape for part in got] == [part.shape for part in wanted]
        wrong += [f"clip {clip} at {time}: {text}" for text in differences(wanted, got, allowed)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.corpus
@pytest.mark.skipif(not RIGS.is_dir(), reason=f"no corpus at {CORPUS}: set RIGVIEW_CORPUS")
@pytest.mark.parametrize("path", REFUSED, ids=str)
def test_an_invalid_document_is_refused_with_its_reason(path):
    with pytest.raises(LoadError, match=re.escape(REFUSED[path])):
        load(RIGS / path)


# ---------------------------------------------------------------- documents small enough to compute


class Builder:
    """A document in the making, its data in one data URI."""

    def __init__(self, points):
        self.data = b""
        self.json = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {}, "mode": 0}]}],
            "accessors": [],
            "bufferViews": [],
        }
        self.primitive = self.json["meshes"][0]["primitives"][0]
        self.primitive["attributes"]["POSITION"] = self.add(points, "VEC3")

    def view(self, array):
        self.data += b"\0" * (-len(self.data) % 4)
        raw = array.tobytes()
        self.json["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw)}
        )
        self.data += raw
        return len(self.json["bufferViews"]) - 1

    def add(self, values, kind, dtype="<f4", **more):
        component = {"<f4": 5126, "u1": 5121, "<u2": 5123, "<i2": 5122, "i1": 5120}[dtype]
        array = np.asarray(values, dtype)
        rows = array.reshape(len(array), -1)
        accessor = {
            "bufferView": self.view(array),
            "componentType": component,
            "count": len(array),
            "type": kind,
            "min": rows.min(axis=0).tolist(),
            "max": rows.max(axis=0).tolist(),
            **more,
        }
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def animate(self, path, times, output, interpolation=None, node=0):
        """Add a channel to the only animation; output is the index of an accessor."""
        animation = self.json.setdefault("animations", [{"samplers": [], "channels": []}])[0]
        sampler = {"input": self.add(times, "SCALAR"), "output": output}
        if interpolation:
            sampler["interpolation"] = interpolation
        animation["samplers"].append(sampler)
        number = len(animation["samplers"]) - 1
        animation["channels"].append({"sampler": number, "target": {"node": node, "path": path}})

    def write(self, folder):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        self.json["buffers"] = [{"byteLength": len(self.data), "uri": uri}]
        path = folder / "small.gltf"
        path.write_text(json.dumps(self.json), encoding="utf-8")
        return path


def by_rigview(path, clip=None, time=None):
    rig = load(path).rig
    return positions(rig, Deformer(rig), clip, time)


@pytest.fixture(params=[by_rigview, gltf_spec.evaluate], ids=["rigview", "reference"])
def where(request, tmp_path):
    """Give the points of the first primitive of a document, by rigview and by the reference."""

    def points(builder, clip=None, time=None):
        return request.param(builder.write(tmp_path), clip, time)[0]

    return points


def close(got, wanted):
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-6)


def turned(degrees):
    angle = np.radians(degrees)
    return [[np.cos(angle), np.sin(angle), 0.0]]


def about_z(degrees):
    half = np.radians(degrees) / 2
    return np.array((0.0, 0.0, np.sin(half), np.cos(half)))


@pytest.mark.parametrize("sign", [1, -1])
def test_linear_rotation_takes_the_short_arc_at_even_speed(where, sign):
    # q and -q are the same rotation; taken as they are, the way to -q is 270° the other way round.
    document = Builder([[1, 0, 0]])
    keys = document.add([about_z(0), sign * about_z(90)], "VEC4")
    document.animate("rotation", [0, 1], keys)
    # A normalised lerp would be at 21.6° after a quarter.
    close(where(document, 0, 0.25), turned(22.5))
    close(where(document, 0, 0.5), turned(45.0))
    close(where(document, 0, 1.0), turned(90.0))


def test_rotation_keys_in_normalised_bytes_are_made_unit(where):
    document = Builder([[1, 0, 0]])
    # 98/127 and 79/127 are 0.99115 long.
    keys = document.add([[0, 0, 0, 127], [0, 0, 79, 98]], "VEC4", "i1", normalized=True)
    document.animate("rotation", [0, 1], keys)
    whole = np.degrees(2 * np.arctan2(79, 98))
    close(where(document, 0, 1.0), turned(whole))
    close(where(document, 0, 0.5), turned(whole / 2))


def test_step_holds_until_the_next_key(where):
    document = Builder([[1, 0, 0]])
    keys = document.add([[0, 0, 0], [5, 0, 0], [7, 0, 0]], "VEC3")
    document.animate("translation", [0, 1, 2], keys, "STEP")
    close(where(document, 0, 0.999), [[1, 0, 0]])
    close(where(document, 0, 1.0), [[6, 0, 0]])
    close(where(document, 0, 1.999), [[6, 0, 0]])
    close(where(document, 0, 2.0), [[8, 0, 0]])


def spline():
    """Keys at 0, 2 and 3 s: in-tangent, value, out-tangent."""
    document = Builder([[0, 0, 0]])
    keys = [
        [[9, 9, 9], [1, 0, 0], [2, 0, 0]],
        [[-4, 0, 0], [3, 0, 0], [0, 1, 0]],
        [[0, 0, 0], [3, 5, 0], [9, 9, 9]],
    ]
    output = document.add(np.reshape(keys, (9, 3)), "VEC3")
    document.animate("translation", [0, 2, 3], output, "CUBICSPLINE")
    return document


def test_a_cubic_spline_hits_its_keys(where):
    document = spline()
    close(where(document, 0, 0.0), [[1, 0, 0]])
    close(where(document, 0, 2.0), [[3, 0, 0]])
    close(where(document, 0, 3.0), [[3, 5, 0]])


def test_the_tangents_of_a_cubic_spline_are_per_second(where):
    document = spline()
    # Half-way the four weights are ½, ⅛·dt, ½ and -⅛·dt, here with dt = 2 and dt = 1:
    # ½·1 + ¼·2 + ½·3 + ¼·4 = 3.5 and ⅛·1 + ½·5 = 2.625.
    close(where(document, 0, 1.0), [[3.5, 0, 0]])
    close(where(document, 0, 2.5), [[3, 2.625, 0]])


def test_a_cubic_spline_of_rotations_is_normalised(where):
    document = Builder([[1, 0, 0]])
    zero = np.zeros(4)
    keys = [zero, about_z(0), zero, zero, about_z(90), zero]
    document.animate("rotation", [0, 1], document.add(keys, "VEC4"), "CUBICSPLINE")
    close(where(document, 0, 0.5), turned(45.0))


@pytest.mark.parametrize("interpolation", ["STEP", "LINEAR", "CUBICSPLINE"])
def test_times_outside_the_keys_clamp_to_the_first_and_last(where, interpolation):
    document = Builder([[0, 0, 0]])
    keys = np.array([[2, 0, 0], [0, 3, 0]])
    if interpolation == "CUBICSPLINE":
        tangents = np.full((2, 3), 50)
        keys = np.stack([tangents, keys, tangents], axis=1).reshape(6, 3)
    document.animate("translation", [1, 2], document.add(keys, "VEC3"), interpolation)
    for time in (-1.0, 0.0, 1.0):
        close(where(document, 0, time), [[2, 0, 0]])
    for time in (2.0, 2.5, 100.0):
        close(where(document, 0, time), [[0, 3, 0]])


def test_a_channel_without_a_node_moves_nothing(where):
    # What KHR_animation_pointer writes, and what a reader without it leaves alone.
    document = Builder([[1, 0, 0]])
    document.animate("pointer", [0, 1], document.add([[0, 0, 0], [9, 9, 9]], "VEC3"))
    document.animate("translation", [0, 1], document.add([[0, 0, 0], [0, 4, 0]], "VEC3"))
    del document.json["animations"][0]["channels"][0]["target"]["node"]
    close(where(document, 0, 0.5), [[1, 2, 0]])


def test_animated_weights_come_before_the_nodes_and_those_before_the_meshs(where):
    document = Builder([[1, 1, 1]])
    document.primitive["targets"] = [
        {"POSITION": document.add([[10, 0, 0]], "VEC3")},
        {"POSITION": document.add([[0, 10, 0]], "VEC3")},
    ]
    close(where(document), [[1, 1, 1]])
    document.json["meshes"][0]["weights"] = [0.5, 0]
    close(where(document), [[6, 1, 1]])
    document.json["nodes"][0]["weights"] = [0, 0.25]
    close(where(document), [[1, 3.5, 1]])
    document.animate("weights", [0, 1], document.add([0, 1, 1, 0], "SCALAR"))
    close(where(document), [[1, 3.5, 1]])
    close(where(document, 0, 0.25), [[3.5, 8.5, 1]])


def two_joints():
    """Points 1 to 4 along x, skinned to a joint lifted by 10 and its child moved by 100."""
    document = Builder([[1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0]])
    attributes = document.primitive["attributes"]
    attributes["JOINTS_0"] = document.add([[0, 1, 0, 0]] * 4, "VEC4", "u1")
    weights = [[1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 0]]
    attributes["WEIGHTS_0"] = document.add(weights, "VEC4")
    document.json["nodes"] = [
        {"mesh": 0, "skin": 0, "translation": [7, 7, 7]},
        {"translation": [0, 10, 0], "children": [2]},
        {"translation": [0, 0, 100]},
    ]
    document.json["scenes"] = [{"nodes": [0, 1]}]
    document.json["skins"] = [{"joints": [1, 2]}]
    return document


def test_a_skinned_mesh_ignores_its_own_node_and_binds_by_identity_without_matrices(where):
    document = two_joints()
    wanted = [[1, 10, 0], [2, 10, 100], [3, 10, 50]]
    close(where(document)[:3], wanted)


def test_a_vertex_without_weight_stays_where_it_is_in_the_meshs_space(where):
    close(where(two_joints())[3], [4, 0, 0])


def test_every_set_of_joints_and_weights_counts(where):
    document = two_joints()
    attributes = document.primitive["attributes"]
    attributes["WEIGHTS_0"] = document.add([[0.5, 0, 0, 0]] * 4, "VEC4")
    attributes["JOINTS_1"] = document.add([[1, 0, 0, 0]] * 4, "VEC4", "<u2")
    halves = [[32768, 32767, 0, 0]] * 4
    attributes["WEIGHTS_1"] = document.add(halves, "VEC4", "<u2", normalized=True)
    # 0.5 of the first joint, then about 0.5 of each: a sum of 1.5, and nothing makes it one.
    first, second = 0.5 + 32767 / 65535, 32768 / 65535
    total = first + second
    close(where(document)[0], [total, 10 * total, 100 * second])


def test_morphs_come_before_the_skin(where):
    document = two_joints()
    document.primitive["targets"] = [{"POSITION": document.add([[0, 0, 8]] * 4, "VEC3")}]
    document.json["meshes"][0]["weights"] = [0.5]
    quarter = [0, 0, float(np.sqrt(0.5)), float(np.sqrt(0.5))]
    document.json["nodes"][1]["rotation"] = quarter
    document.json["nodes"][1]["scale"] = [1, 1, 3]
    close(where(document)[0], [0, 11, 12])


def test_sparse_values_replace_those_of_the_view_or_zeros(where):
    document = Builder([[1, 0, 0], [2, 0, 0], [3, 0, 0]])
    sparse = {
        "count": 1,
        "indices": {"bufferView": document.view(np.array([1], "<u2")), "componentType": 5123},
        "values": {"bufferView": document.view(np.array([[0, 9, 0]], "<f4"))},
    }
    accessor = document.json["accessors"][0]
    accessor.update(sparse=sparse, min=[0, 0, 0], max=[3, 9, 0])
    close(where(document), [[1, 0, 0], [0, 9, 0], [3, 0, 0]])
    del accessor["bufferView"]
    close(where(document), [[0, 0, 0], [0, 9, 0], [0, 0, 0]])
