"""A changed rig changes its file where it must, and nowhere else."""

import json
from dataclasses import replace

import numpy as np
import pytest
from documents import CODES, Document, arm, contents, faults, stored
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from values import assert_same_rig, moved

from rigview.core.mesh import Influences
from rigview.core.nodes import Nodes
from rigview.core.sampler import Sampler
from rigview.io import SaveError, load, save
from rigview.io.gltf.patch import largest_remainder

FLOAT32 = 1e-7  # the spacing of 32-bit floats, relative


class Change:
    """A document saved with a changed rig: both files, and what differs between them."""

    def __init__(self, doc, folder, change, suffix=".glb", **formatting):
        source = folder / f"source{suffix}"
        write = doc.save_glb if suffix == ".glb" else doc.save
        self.loaded = load(write(source, **formatting))
        self.rig = change(self.loaded.rig)
        self.out = folder / f"out{suffix}"
        save(self.loaded, self.rig, self.out)
        assert not list(faults(self.out))
        self.again = load(self.out).rig
        self.old, self.old_text, self.old_buffers = contents(source)
        self.new, self.text, self.buffers = contents(self.out)

    @property
    def same_text(self):
        """Whether the JSON kept every character but the padding."""
        return self.text.rstrip(" ") == self.old_text.rstrip(" ")

    def changed_accessors(self):
        """The old accessors whose JSON or bytes are others now."""
        return {
            number
            for number, accessor in enumerate(self.old["accessors"])
            if accessor != self.new["accessors"][number] or self._bytes_changed(accessor)
        }

    def _bytes_changed(self, accessor):
        view = self.old["bufferViews"][accessor["bufferView"]]
        start, end = view["byteOffset"], view["byteOffset"] + view["byteLength"]
        return self.old_buffers[0][start:end] != self.buffers[0][start:end]

    def new_accessors(self):
        return self.new["accessors"][len(self.old["accessors"]) :]


def primitive(rig, number=0):
    return rig.meshes[0].primitives[number]


def with_positions(rig, number, positions):
    return rig.with_primitive(0, number, replace(primitive(rig, number), positions=positions))


def with_influences(rig, number, *, joints=None, weights=None):
    old = primitive(rig, number).influences
    new = Influences(
        old.joints if joints is None else joints, old.weights if weights is None else weights
    )
    return rig.with_primitive(0, number, replace(primitive(rig, number), influences=new))


def with_curve(rig, clip, channels, *, times=None, values=None, interpolation=None):
    """Give some channels of a clip another curve."""
    changed = list(rig.clips[clip].channels)
    for number in channels:
        old = changed[number].sampler
        sampler = Sampler(
            old.times if times is None else times,
            old.values if values is None else values,
            interpolation or old.interpolation,
        )
        changed[number] = replace(changed[number], sampler=sampler)
    clips = list(rig.clips)
    clips[clip] = replace(clips[clip], channels=tuple(changed))
    return replace(rig, clips=tuple(clips))


def with_node(rig, name, parent, translation):
    """Append a node."""
    nodes, new = rig.nodes, len(rig.nodes)
    children = [*map(list, nodes.children), []]
    if parent is not None:
        children[parent].append(new)
    changed = Nodes(
        (*nodes.names, name),
        tuple(map(tuple, children)),
        np.concatenate([nodes.translations, [translation]]),
        np.concatenate([nodes.rotations, [[0, 0, 0, 1]]]),
        np.concatenate([nodes.scales, [[1, 1, 1]]]),
        nodes.matrices,
    )
    return replace(
        rig,
        nodes=changed,
        node_meshes=(*rig.node_meshes, None),
        node_skins=(*rig.node_skins, None),
        roots=rig.roots if parent is not None else (*rig.roots, new),
    )


# nodes


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize(
    "formatting", [{}, {"indent": 2}, {"indent": "\t", "ensure_ascii": False}], ids=str
)
def test_a_moved_node_changes_its_translation_and_no_other_character(suffix, formatting, tmp_path):
    change = Change(arm(), tmp_path, moved, suffix, **formatting)
    before, after = (
        json.dumps([0.0, y, 0.0], **formatting).replace("\n", "\n" + " " * 6) for y in (1.0, 1.25)
    )
    if formatting:
        before, after = ("1.0,", "1.25,")
    knee = change.old_text.index('"Knee"')
    expected = change.old_text[:knee] + change.old_text[knee:].replace(before, after, 1)
    assert change.text.rstrip(" ") == expected.rstrip(" ")
    assert change.buffers == change.old_buffers
    assert_same_rig(change.again, change.rig)


def test_a_new_transform_replaces_a_matrix(tmp_path):
    doc = arm()
    doc.json["nodes"][1] = {"children": [2], "matrix": np.eye(4).reshape(-1).tolist()}

    def change(rig):
        return moved(replace(rig, nodes=replace(rig.nodes, matrices={})))

    done = Change(doc, tmp_path, change)
    assert done.new["nodes"][1] == {"children": [2], "translation": [0.0, 0.25, 0.0]}
    assert_same_rig(done.again, done.rig)


def test_a_changed_matrix_is_written_in_columns(tmp_path):
    doc = arm()
    doc.json["nodes"][1] = {"children": [2], "matrix": np.eye(4).reshape(-1).tolist()}
    matrix = np.eye(4)
    matrix[0, 3] = 5.0
    done = Change(
        doc, tmp_path, lambda rig: replace(rig, nodes=replace(rig.nodes, matrices={1: matrix}))
    )
    assert done.new["nodes"][1]["matrix"][12] == 5.0
    np.testing.assert_array_equal(done.again.nodes.matrices[1], matrix)


def test_rounding_takes_no_rotation_out_of_range(tmp_path):
    def change(rig):
        rotations = rig.nodes.rotations.copy()
        rotations[1:3] = (0.0, 0.0, 0.0, 1.0000000000000002), (0.0, 0.0, -1.0000000000000002, 0.0)
        return replace(rig, nodes=replace(rig.nodes, rotations=rotations))

    done = Change(arm(), tmp_path, change)
    assert "rotation" not in done.new["nodes"][1]
    assert done.new["nodes"][2]["rotation"] == [0.0, 0.0, -1.0, 0.0]


def test_a_transform_that_became_the_identity_is_left_out(tmp_path):
    done = Change(arm(), tmp_path, lambda rig: moved(rig, 1, (0.0, -1.0, 0.0)))
    assert "translation" not in done.new["nodes"][1]
    assert_same_rig(done.again, done.rig)


def test_renamed_nodes_and_moved_children_are_written(tmp_path):
    def change(rig):
        nodes = replace(rig.nodes, names=("Hip", "Ä", "", "Leg"), children=((1, 2), (), (), ()))
        return replace(rig, nodes=nodes)

    done = Change(arm(), tmp_path, change, indent=1)
    assert [n.get("name") for n in done.new["nodes"]] == ["Hip", "Ä", "", "Leg"]
    assert [n.get("children") for n in done.new["nodes"]] == [[1, 2], None, None, None]
    assert done.new["nodes"][2]["extras"] == done.old["nodes"][2]["extras"]
    assert done.buffers == done.old_buffers
    assert_same_rig(done.again, done.rig)


def test_a_new_joint_is_appended_to_nodes_and_skin(tmp_path):
    def change(rig):
        rig = with_node(rig, "Toe", 2, [0.0, 0.5, 0.0])
        skin = rig.skins[0]
        binds = np.concatenate([skin.inverse_binds, np.eye(4)[None]])
        return rig.with_skin(0, replace(skin, joints=(*skin.joints, 4), inverse_binds=binds))

    done = Change(arm(), tmp_path, change)
    assert done.new["nodes"][4] == {"name": "Toe", "translation": [0.0, 0.5, 0.0]}
    assert done.new["nodes"][2]["children"] == [4]
    assert done.new["skins"][0]["joints"] == [0, 1, 2, 4]
    assert done.changed_accessors() == {done.old["skins"][0]["inverseBindMatrices"]}
    assert_same_rig(done.again, done.rig)


def test_a_new_root_is_listed_in_the_scene(tmp_path):
    done = Change(arm(), tmp_path, lambda rig: with_node(rig, "Neutral", None, [0.0, 0.0, 0.0]))
    assert done.new["scenes"] == [{"nodes": [0, 3, 4]}]
    assert done.new["nodes"][4] == {"name": "Neutral"}
    assert_same_rig(done.again, done.rig)


def test_a_first_node_makes_the_list_of_nodes(tmp_path):
    done = Change(Document(), tmp_path, lambda rig: with_node(rig, "A", None, [1.0, 0.0, 0.0]))
    assert done.new["nodes"] == [{"name": "A", "translation": [1.0, 0.0, 0.0]}]


def test_changed_morph_weights_are_written(tmp_path):
    def change(rig):
        mesh = replace(rig.meshes[0], morph_weights=np.array([0.5]))
        return replace(rig, meshes=(mesh,), node_morph_weights={3: np.array([0.75])})

    done = Change(arm(), tmp_path, change)
    assert done.new["meshes"][0]["weights"] == [0.5]
    assert done.new["nodes"][3]["weights"] == [0.75]
    assert_same_rig(done.again, done.rig)


def test_numbers_written_as_3_0_count_as_3(tmp_path):
    doc = arm()
    doc.json["scene"] = 0.0
    doc.json["skins"][0]["inverseBindMatrices"] += 0.0
    for p in doc.json["meshes"][0]["primitives"]:
        p["attributes"] = {key: float(number) for key, number in p["attributes"].items()}
    for clip in doc.json["animations"]:
        for channel in clip["channels"]:
            channel["sampler"] += 0.0

    def change(rig):
        rig = with_positions(rig, 0, 2.0 * primitive(rig).positions)
        rig = with_curve(rig, 0, [0], values=np.tile([1.0, 0, 0, 0], (3, 1)))
        return replace(rig, roots=(3, 0))

    done = Change(doc, tmp_path, change)
    assert '"inverseBindMatrices": 15.0' in done.text or ".0" in done.text
    assert_same_rig(done.again, done.rig)


# accessors


def test_changed_weights_change_only_their_bytes(tmp_path):
    weights = np.tile([0.25, 0.25, 0.5, 0.0], (8, 1))
    done = Change(arm(), tmp_path, lambda rig: with_influences(rig, 1, weights=weights))
    number = done.old["meshes"][0]["primitives"][1]["attributes"]["WEIGHTS_0"]
    assert done.same_text
    assert done.changed_accessors() == {number}
    np.testing.assert_array_equal(stored(done.out, number), weights)
    assert_same_rig(done.again, done.rig)


@pytest.mark.parametrize("kind", ["u1", "u2"])
def test_integer_weights_stay_integers_and_sum_exactly(kind, tmp_path):
    weights = np.tile([1 / 3, 1 / 3, 1 / 3, 0.0], (8, 1))
    doc = arm(weights=kind)
    done = Change(doc, tmp_path, lambda rig: with_influences(rig, 0, weights=weights))
    number = done.old["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
    assert done.same_text
    assert done.changed_accessors() == {number}
    most = np.iinfo(kind).max
    assert np.all(stored(done.out, number).sum(axis=1, dtype=np.int64) == most)
    assert np.max(np.abs(primitive(done.again).influences.weights - weights)) < 1.0 / most


def test_one_changed_vertex_keeps_the_integer_weights_of_the_others(tmp_path):
    doc = arm(weights="u1")
    source = load(doc.save_glb(tmp_path / "arm.glb")).rig
    weights = primitive(source).influences.weights.copy()
    weights[3] = [0.1, 0.2, 0.7, 0.0]
    done = Change(doc, tmp_path, lambda rig: with_influences(rig, 0, weights=weights))
    number = done.old["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
    before, after = (stored(p, number) for p in (tmp_path / "arm.glb", done.out))
    assert np.flatnonzero(np.any(before != after, axis=1)).tolist() == [3]


def test_weights_that_integers_cannot_hold_become_floats(tmp_path):
    weights = np.tile([2.0, -1.0, 0.0, 0.0], (8, 1))
    doc = arm(weights="u1")
    done = Change(doc, tmp_path, lambda rig: with_influences(rig, 0, weights=weights))
    number = done.new["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
    assert done.new["accessors"][number]["componentType"] == CODES["f4"]
    assert "normalized" not in done.new["accessors"][number]
    assert_same_rig(done.again, done.rig)


def test_integer_weights_that_are_not_normalised_are_no_shares(tmp_path):
    doc = arm()
    for primitive_ in doc.json["meshes"][0]["primitives"]:
        primitive_["attributes"]["WEIGHTS_0"] = doc.accessor([[0, 1, 0, 0]] * 8, "u1")
    weights = np.tile([0.75, 0.25, 0.0, 0.0], (8, 1))
    done = Change(doc, tmp_path, lambda rig: with_influences(rig, 0, weights=weights))
    assert_same_rig(done.again, done.rig)


def test_changed_inverse_binds_change_only_their_bytes(tmp_path):
    def change(rig):
        binds = rig.skins[0].inverse_binds.copy()
        binds[1, 0, 3] = 0.5
        return rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))

    done = Change(arm(), tmp_path, change)
    assert done.same_text
    assert done.changed_accessors() == {done.old["skins"][0]["inverseBindMatrices"]}
    assert_same_rig(done.again, done.rig)


def test_inverse_binds_can_come_and_go(tmp_path):
    def without(rig):
        return rig.with_skin(0, replace(rig.skins[0], inverse_binds=None))

    done = Change(arm(), tmp_path, without)
    assert "inverseBindMatrices" not in done.new["skins"][0]
    back = tmp_path / "back.glb"
    binds = np.tile(np.eye(4), (3, 1, 1))
    loaded = load(done.out)
    changed = loaded.rig.with_skin(0, replace(loaded.rig.skins[0], inverse_binds=binds))
    save(loaded, changed, back)
    assert not list(faults(back))
    assert_same_rig(load(back).rig, changed)


def test_changed_positions_change_their_bytes_and_bounds(tmp_path):
    def change(rig):
        return with_positions(rig, 0, 3.0 * primitive(rig).positions)

    done = Change(arm(), tmp_path, change)
    number = done.old["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
    assert done.changed_accessors() == {number}
    values = stored(done.out, number)
    assert done.new["accessors"][number]["min"] == values.min(axis=0).tolist()
    assert done.new["accessors"][number]["max"] == values.max(axis=0).tolist()
    np.testing.assert_allclose(values, 3.0 * primitive(done.loaded.rig).positions, rtol=FLOAT32)


def test_changed_morph_targets_and_directions_are_written(tmp_path):
    def change(rig):
        old = primitive(rig)
        morphs = replace(old.morphs, positions=2.0 * old.morphs.positions)
        new = replace(old, morphs=morphs, normals=-old.normals, tangents=np.ones((8, 4)))
        return rig.with_primitive(0, 0, new)

    done = Change(arm(), tmp_path, change)
    old = done.old["meshes"][0]["primitives"][0]
    assert done.changed_accessors() == {old["attributes"]["NORMAL"], old["targets"][0]["POSITION"]}
    np.testing.assert_array_equal(primitive(done.again).tangents, np.ones((8, 4)))
    assert_same_rig(done.again, done.rig)


def test_noise_below_the_precision_of_the_file_changes_nothing(tmp_path):
    def change(rig):
        rig = with_positions(rig, 0, primitive(rig).positions * (1.0 + 1e-15))
        return with_influences(rig, 1, weights=(1 - 1e-15) * primitive(rig, 1).influences.weights)

    done = Change(arm(), tmp_path, change)
    assert done.out.read_bytes() == done.loaded.path.read_bytes()


def interleaved():
    """The arm with position and normal of its first primitive in one view of stride 24."""
    doc = arm()
    attributes = doc.json["meshes"][0]["primitives"][0]["attributes"]
    accessors = [doc.json["accessors"][attributes[key]] for key in ("POSITION", "NORMAL")]
    views = [doc.json["bufferViews"][accessor["bufferView"]] for accessor in accessors]
    columns = [
        np.frombuffer(bytes(doc.data), "<f4", 24, view["byteOffset"]).reshape(8, 3)
        for view in views
    ]
    shared = doc.view(np.concatenate(columns, axis=1).tobytes(), byteStride=24, target=34962)
    for i, accessor in enumerate(accessors):
        accessor.update(bufferView=shared, byteOffset=12 * i)
    return doc


def test_interleaved_values_are_changed_in_place(tmp_path):
    done = Change(
        interleaved(), tmp_path, lambda rig: with_positions(rig, 0, -primitive(rig).positions)
    )
    assert not done.new_accessors()
    assert len(done.buffers[0]) == len(done.old_buffers[0])
    assert_same_rig(done.again, done.rig)


def test_values_under_which_something_else_lies_move_away(tmp_path):
    """Two accessors read the same bytes; only one of them is to change."""
    doc = arm()
    attributes = [p["attributes"] for p in doc.json["meshes"][0]["primitives"]]
    twin = dict(doc.json["accessors"][attributes[0]["POSITION"]])
    attributes[1]["POSITION"] = doc.number(twin)
    done = Change(doc, tmp_path, lambda rig: with_positions(rig, 0, -primitive(rig).positions))
    assert_same_rig(done.again, done.rig)
    assert done.changed_accessors() == {attributes[0]["POSITION"]}
    assert done.buffers[0].startswith(done.old_buffers[0])


@pytest.mark.parametrize("extension", [False, True])
def test_bytes_that_an_image_or_extension_may_read_are_left_alone(extension, tmp_path):
    doc = arm()
    position = doc.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
    view = doc.json["accessors"][position]["bufferView"]
    if extension:
        doc.json["bufferViews"][view]["extensions"] = {"EXT_other": {}}
    else:
        doc.list("bufferViews").append(dict(doc.json["bufferViews"][view]))
        doc.json["images"] = [{"bufferView": len(doc.json["bufferViews"]) - 1}]
    done = Change(doc, tmp_path, lambda rig: with_positions(rig, 0, -primitive(rig).positions))
    assert done.buffers[0].startswith(done.old_buffers[0])
    assert_same_rig(done.again, done.rig)


def test_sparse_values_become_whole_ones(tmp_path):
    doc = arm()
    position = doc.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
    doc.json["accessors"][position]["sparse"] = {
        "count": 2,
        "indices": {"bufferView": doc.view(b"\1\5"), "componentType": CODES["u1"]},
        "values": {"bufferView": doc.view(np.ones((2, 3), "<f4").tobytes())},
    }
    done = Change(doc, tmp_path, lambda rig: with_positions(rig, 0, -primitive(rig).positions))
    assert done.changed_accessors() == {position}
    assert "sparse" not in done.new["accessors"][position]
    assert_same_rig(done.again, done.rig)


def test_quantised_positions_become_floats(tmp_path):
    doc = arm()
    attributes = doc.json["meshes"][0]["primitives"][0]["attributes"]
    attributes["POSITION"] = doc.accessor(
        np.pad(np.arange(24).reshape(8, 3), ((0, 0), (0, 1)))[:, :3], "i2", normalized=True
    )
    doc.json["extensionsUsed"] = ["KHR_mesh_quantization"]
    done = Change(doc, tmp_path, lambda rig: with_positions(rig, 0, primitive(rig).positions + 1))
    np.testing.assert_allclose(
        primitive(done.again).positions, primitive(done.rig).positions, rtol=FLOAT32
    )


# accessors that several read


def test_shared_positions_are_parted_when_one_changes(tmp_path):
    doc = arm(shared=True)
    done = Change(doc, tmp_path, lambda rig: with_positions(rig, 1, -primitive(rig).positions))
    numbers = [p["attributes"]["POSITION"] for p in done.new["meshes"][0]["primitives"]]
    assert numbers == [0, len(done.old["accessors"])]
    assert not done.changed_accessors()
    assert done.buffers[0].startswith(done.old_buffers[0])
    assert_same_rig(done.again, done.rig)


def test_shared_positions_stay_shared_when_all_change_alike(tmp_path):
    def change(rig):
        new = -primitive(rig).positions
        return with_positions(with_positions(rig, 0, new), 1, new.copy())

    done = Change(arm(shared=True), tmp_path, change)
    assert done.changed_accessors() == {0}
    assert not done.new_accessors()
    assert_same_rig(done.again, done.rig)


def test_shared_positions_are_parted_when_they_change_differently(tmp_path):
    def change(rig):
        new = primitive(rig).positions
        return with_positions(with_positions(rig, 0, -new), 1, 2 * new)

    done = Change(arm(shared=True), tmp_path, change)
    assert len(done.new_accessors()) == 2
    assert not done.changed_accessors()
    assert_same_rig(done.again, done.rig)


TURNED = np.array([[0, 0, 0, 1], [0, 1, 0, 0], [1, 0, 0, 0]], dtype=np.float64)


def test_a_changed_curve_changes_only_its_bytes(tmp_path):
    done = Change(arm(), tmp_path, lambda rig: with_curve(rig, 1, [2], values=TURNED))
    assert done.same_text
    assert done.changed_accessors() == {done.old["animations"][1]["samplers"][2]["output"]}
    assert_same_rig(done.again, done.rig)


def test_changed_times_change_their_bytes_and_bounds(tmp_path):
    times = np.array([0.0, 0.25, 2.0])
    done = Change(arm(), tmp_path, lambda rig: with_curve(rig, 0, [1], times=times))
    number = done.old["animations"][0]["samplers"][1]["input"]
    assert done.changed_accessors() == {number}
    assert (done.new["accessors"][number]["min"], done.new["accessors"][number]["max"]) == (
        [0],
        [2],
    )
    assert_same_rig(done.again, done.rig)


def test_of_curves_that_share_their_values_only_the_changed_one_is_new(tmp_path):
    doc = arm(shared=True)
    done = Change(doc, tmp_path, lambda rig: with_curve(rig, 0, [1], values=TURNED))
    assert not done.changed_accessors()
    assert len(done.new_accessors()) == 1
    assert done.new["animations"][1] == done.old["animations"][1]
    assert len(done.new["animations"][0]["samplers"]) == len(done.old["animations"][0]["samplers"])
    assert_same_rig(done.again, done.rig)


def test_of_channels_that_share_a_sampler_the_changed_one_gets_its_own(tmp_path):
    values = np.array([[0.0, 2.0, 0.0], [0.0, 3.0, 0.0], [0.0, 2.0, 0.0]])
    done = Change(arm(), tmp_path, lambda rig: with_curve(rig, 0, [4], values=values))
    assert [c["sampler"] for c in done.new["animations"][0]["channels"]] == [0, 1, 2, 3, 4]
    assert done.new["animations"][0]["samplers"][4]["interpolation"] == "STEP"
    assert not done.changed_accessors()
    assert_same_rig(done.again, done.rig)


def test_channels_that_share_a_sampler_and_change_alike_keep_it(tmp_path):
    values = np.array([[0.0, 2.0, 0.0], [0.0, 3.0, 0.0], [0.0, 2.0, 0.0]])
    done = Change(arm(), tmp_path, lambda rig: with_curve(rig, 0, [3, 4], values=values))
    assert done.same_text
    assert_same_rig(done.again, done.rig)


def test_channels_that_share_a_sampler_and_change_differently_part(tmp_path):
    def change(rig):
        steps = rig.clips[0].channels[3].sampler.values
        return with_curve(with_curve(rig, 0, [3], values=2 * steps), 0, [4], values=3 * steps)

    done = Change(arm(), tmp_path, change)
    assert [c["sampler"] for c in done.new["animations"][0]["channels"]] == [0, 1, 2, 3, 4]
    assert not done.changed_accessors()
    assert len(done.new_accessors()) == 2
    assert_same_rig(done.again, done.rig)


def test_a_channel_that_rigview_cannot_play_keeps_the_sampler_it_shares(tmp_path):
    doc = arm()
    pointer = {"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR": {"a": "/b"}}}}
    doc.json["animations"][0]["channels"].append(pointer)
    done = Change(doc, tmp_path, lambda rig: with_curve(rig, 0, [0], values=TURNED))
    assert done.new["animations"][0]["channels"][-1] == pointer
    assert done.new["animations"][0]["channels"][0]["sampler"] == 4
    assert not done.changed_accessors()
    assert_same_rig(done.again, done.rig)


def test_keys_can_be_dropped_and_interpolation_changed(tmp_path):
    def change(rig):
        rig = with_curve(rig, 0, [0], times=np.array([0.0, 1.0]), values=TURNED[:2])
        spline = np.zeros((3, 3, 3))
        return with_curve(rig, 1, [3, 4], values=spline, interpolation="CUBICSPLINE")

    done = Change(arm(), tmp_path, change)
    assert done.new["animations"][1]["samplers"][3]["interpolation"] == "CUBICSPLINE"
    assert_same_rig(done.again, done.rig)


def test_a_channel_can_lose_its_node(tmp_path):
    def change(rig):
        channels = list(rig.clips[0].channels)
        channels[1] = replace(channels[1], node=None)
        return replace(rig, clips=(replace(rig.clips[0], channels=tuple(channels)), rig.clips[1]))

    done = Change(arm(), tmp_path, change)
    assert done.new["animations"][0]["channels"][1]["target"] == {"path": "rotation"}


# influences


def many_joints(rig, count=301):
    for i in range(3, count):
        rig = with_node(rig, f"J{i}", 0, [0.0, 0.0, 0.0])
    skin = rig.skins[0]
    joints = (*skin.joints, *range(4, count + 1))
    binds = np.tile(np.eye(4), (count, 1, 1))
    return rig.with_skin(0, replace(skin, joints=joints, inverse_binds=binds))


def test_joint_numbers_above_255_become_sixteen_bits(tmp_path):
    joints = np.tile([0, 1, 300, 0], (8, 1))
    done = Change(arm(), tmp_path, lambda rig: with_influences(many_joints(rig), 0, joints=joints))
    kinds = [
        done.new["accessors"][p["attributes"]["JOINTS_0"]]["componentType"]
        for p in done.new["meshes"][0]["primitives"]
    ]
    assert kinds == [CODES["u2"], CODES["u1"]]
    np.testing.assert_array_equal(primitive(done.again).influences.joints, joints)
    assert_same_rig(done.again, done.rig)


def test_joint_numbers_above_65535_are_refused(tmp_path):
    loaded = load(arm().save_glb(tmp_path / "arm.glb"))
    changed = with_influences(loaded.rig, 0, joints=np.full((8, 4), 70_000))
    with pytest.raises(SaveError, match="glTF has no joint number 70,000"):
        save(loaded, changed, tmp_path / "out.glb")
    assert not (tmp_path / "out.glb").exists()


@pytest.mark.parametrize("slots", [1, 3, 4, 5, 8, 9])
def test_any_number_of_influences_is_written_in_sets_of_four(slots, tmp_path):
    def change(rig):
        joints = np.tile(np.arange(slots) % 3, (8, 1))
        new = Influences(joints, np.full((8, slots), 1.0 / slots))
        return rig.with_primitive(0, 0, replace(primitive(rig), influences=new))

    done = Change(arm(), tmp_path, change)
    sets = -(-slots // 4)
    names = done.new["meshes"][0]["primitives"][0]["attributes"]
    assert sorted(n for n in names if n[0] in "JW") == sorted(
        f"{kind}_{n}" for kind in ("JOINTS", "WEIGHTS") for n in range(sets)
    )
    again = primitive(done.again).influences
    np.testing.assert_array_equal(again.joints[:, :slots], np.tile(np.arange(slots) % 3, (8, 1)))
    np.testing.assert_allclose(again.weights[:, :slots], 1.0 / slots, rtol=FLOAT32)
    assert not np.any(again.weights[:, slots:])


def test_a_second_set_can_go_again(tmp_path):
    doc = arm()
    attributes = doc.json["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_1"], attributes["WEIGHTS_1"] = (
        attributes["JOINTS_0"],
        attributes["WEIGHTS_0"],
    )

    def change(rig):
        old = primitive(rig).influences
        return with_influences(rig, 0, joints=old.joints[:, :4], weights=old.weights[:, :4])

    done = Change(doc, tmp_path, change)
    assert "JOINTS_1" not in done.new["meshes"][0]["primitives"][0]["attributes"]
    assert done.buffers == done.old_buffers
    assert primitive(done.again).influences.joints.shape == (8, 4)


@given(
    arrays.arrays(np.float64, (6, 5), elements=st.floats(0.0, 1.0)),
    st.sampled_from([255, 65535]),
)
def test_the_largest_remainder_sums_exactly_and_is_nearest(weights, total):
    sums = weights.sum(axis=1, keepdims=True)
    weights = np.where(sums > 0, weights / np.where(sums > 0, sums, 1), np.eye(5)[0])
    integers = largest_remainder(weights, total)
    assert np.all(integers.sum(axis=1) == total)
    assert np.all(integers >= 0)
    assert np.max(np.abs(integers - weights * total)) < 1.0 + 1e-6


@given(arrays.arrays(np.uint8, (6, 4)))
def test_integer_weights_stay_what_they_are(stored_weights):
    np.testing.assert_array_equal(largest_remainder(stored_weights / 255.0, 255), stored_weights)


# what nobody knows


def test_unknown_members_survive_byte_for_byte(tmp_path):
    doc = arm()
    doc.json["extensionsUsed"] = ["EXT_unheard_of"]
    doc.json["extensions"] = {"EXT_unheard_of": {"z": [1.50, -0.0, 1e-7], "a": {"ß": None}}}
    doc.json["asset"]["extras"] = {"b": True, "a": False}
    for kind in ("nodes", "meshes", "skins", "accessors", "bufferViews", "animations"):
        for holder in doc.json[kind]:
            holder["extras"] = {"z": 1.0, "of": kind}

    def change(rig):
        rig = with_positions(moved(rig), 0, -primitive(rig).positions)
        return with_curve(rig, 0, [0], values=TURNED)

    done = Change(doc, tmp_path, change, indent=3)
    for kind in ("nodes", "meshes", "skins", "accessors", "bufferViews", "animations"):
        assert [h.get("extras") for h in done.old[kind]] == [
            h.get("extras") for h in done.new[kind]
        ]
    start, end = (done.old_text.index(key) for key in ('"extensionsUsed"', '"buffers"'))
    assert done.old_text[start:end] in done.text


def test_compressed_geometry_beside_a_changed_one_goes(tmp_path):
    doc = arm()
    for p in doc.json["meshes"][0]["primitives"]:
        # The indices are stated, so what would be decoded is only the attributes, and here none.
        del p["indices"]
        p["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}}
    doc.json["meshes"][0]["primitives"][0]["extensions"]["EXT_other"] = {}
    done = Change(doc, tmp_path, lambda rig: with_positions(rig, 0, -primitive(rig).positions))
    extensions = [p["extensions"] for p in done.new["meshes"][0]["primitives"]]
    assert list(extensions[0]) == ["EXT_other"]
    assert list(extensions[1]) == ["KHR_draco_mesh_compression"]


def test_weights_that_are_not_finite_are_written(tmp_path):
    weights = np.full((8, 4), np.nan)
    done = Change(arm(), tmp_path, lambda rig: with_influences(rig, 0, weights=weights))
    assert np.all(np.isnan(primitive(done.again).influences.weights))


def test_a_transform_that_is_not_finite_is_refused(tmp_path):
    loaded = load(arm().save_glb(tmp_path / "arm.glb"))
    with pytest.raises(SaveError, match=r"out\.glb: a changed number is not finite"):
        save(loaded, moved(loaded.rig, by=(np.nan, 0, 0)), tmp_path / "out.glb")
    assert not (tmp_path / "out.glb").exists()


def test_changes_that_the_writer_does_not_know_are_a_mistake(tmp_path):
    loaded = load(arm().save_glb(tmp_path / "arm.glb"))
    old = primitive(loaded.rig)
    with pytest.raises(
        ValueError, match="changes positions, faces, directions and influences only"
    ):
        save(
            loaded,
            loaded.rig.with_primitive(0, 0, replace(old, lines=np.array([[0, 1]]))),
            tmp_path / "out.glb",
        )


def test_faces_that_are_wound_the_other_way_are_written(tmp_path):
    loaded = load(arm().save_glb(tmp_path / "arm.glb"))
    old = primitive(loaded.rig)
    turned = loaded.rig.with_primitive(0, 0, replace(old, triangles=old.triangles[:, ::-1]))
    save(loaded, turned, tmp_path / "out.glb")
    again = primitive(load(tmp_path / "out.glb").rig)
    assert np.array_equal(again.triangles, old.triangles[:, ::-1])
    assert np.array_equal(again.positions, old.positions)


def test_a_document_without_buffers_gets_one(tmp_path):
    doc = Document(nodes=[{}], skins=[{"joints": [0]}])

    def change(rig):
        return rig.with_skin(0, replace(rig.skins[0], inverse_binds=np.eye(4)[None]))

    for suffix in (".glb", ".gltf"):
        done = Change(doc, tmp_path, change, suffix)
        assert_same_rig(done.again, done.rig)


@pytest.mark.parametrize(
    ("pointer", "missed"),
    [
        ("/nodes/1/weights/0", True),
        ("/nodes/9/rotation", True),
        ("/nodes/01/rotation", True),
        ("/nodes/9/extensions/KHR_node_visibility/visible", False),
        ("/materials/0/alphaCutoff", False),
    ],
)
def test_a_pointer_to_a_node_is_motion_that_is_missed(tmp_path, pointer, missed):
    doc = arm()
    target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}
    doc.json["animations"][0]["channels"].append({"sampler": 0, "target": target})
    path = tmp_path / "pointed.glb"
    doc.save_glb(path)
    loaded = load(path)
    assert any("which rigview does not play" in note for note in loaded.notes)
    assert [unseen.what for unseen in loaded.rig.unseen] == ["motion"] * missed


def test_curves_beside_a_channel_that_does_not_play_are_put_off_all_the_same(tmp_path):
    plain = load(arm().save(tmp_path / "plain.gltf")).rig.clips[0].channels
    doc = arm()
    extensions = {"KHR_animation_pointer": {"pointer": "/materials/0/alphaCutoff"}}
    target = {"path": "pointer", "extensions": extensions}
    doc.json["animations"][0]["channels"].insert(1, {"sampler": 0, "target": target})
    clip = load(doc.save(tmp_path / "mixed.gltf")).rig.clips[0]
    assert not clip.is_read
    first, still, *rest = clip.channels
    assert still.node is None
    assert not len(still.sampler.times)
    for channel, wanted in zip((first, *rest), plain, strict=True):
        assert (channel.node, channel.path) == (wanted.node, wanted.path)
        np.testing.assert_array_equal(channel.sampler.values, wanted.sampler.values)


def test_what_pointers_move_moves_as_without_them(tmp_path):
    def pointed(doc):
        for animation in doc.json["animations"]:
            for channel in animation["channels"]:
                node, path = channel["target"]["node"], channel["target"]["path"]
                way = {"pointer": f"/nodes/{node}/{path}"}
                extensions = {"KHR_animation_pointer": way}
                channel["target"] = {"path": "pointer", "extensions": extensions}
        doc.json["extensionsUsed"] = ["KHR_animation_pointer"]
        return doc

    plain = load(arm().save(tmp_path / "plain.gltf"))
    loaded = load(pointed(arm()).save(tmp_path / "pointed.gltf"))
    assert loaded.notes == ()
    assert_same_rig(loaded.rig, plain.rig)
    # A channel that is given another node needs no pointer any more.
    clip = loaded.rig.clips[0]
    moved = replace(clip, channels=[replace(clip.channels[0], node=2), *clip.channels[1:]])
    rig = replace(loaded.rig, clips=(moved, *loaded.rig.clips[1:]))
    save(loaded, rig, tmp_path / "moved.gltf")
    assert_same_rig(load(tmp_path / "moved.gltf").rig, rig)
    stored = json.loads((tmp_path / "moved.gltf").read_text())["animations"][0]["channels"]
    assert stored[0]["target"] == {"node": 2, "path": clip.channels[0].path}
    assert stored[1]["target"]["path"] == "pointer"


def test_constraints_of_nodes_are_motion_that_is_missed(tmp_path):
    doc = arm()
    doc.json["extensionsUsed"] = ["VRMC_node_constraint", "KHR_xmp"]
    path = tmp_path / "constrained.glb"
    doc.save_glb(path)
    loaded = load(path)
    assert [(unseen.what, unseen.reason) for unseen in loaded.rig.unseen] == [
        ("motion", "the extension VRMC_node_constraint is ignored")
    ]
    assert "the extension KHR_xmp is ignored" in loaded.notes
