"""FBX files that are damaged, absurd or malicious: one sentence that says where and why."""

import struct
import time
import zlib

import fbx_documents as fbx
import numpy as np
import pytest
from survival import refusal

from rigview.io import Cancelled, Listener, load, reading
from rigview.io.fbx import blocks, packed
from rigview.io.fbx.reader import document

# Every malformed FBX of the corpus → a part of its refusal, or None where it opens.
BROKEN = {
    "mmannerm+animsmith/crates/animsmith-fbx/testdata/rigged_triangle_empty_take.fbx": None,
    "mmannerm+animsmith/fuzz/seeds/fbx_load/ascii_header": None,
    "ufbx+ufbx/data/fuzz/fuzz_0000.fbx": "the file ends before its last node does",
    "ufbx+ufbx/data/fuzz/fuzz_0620.fbx": "the node ends outside of the one that it is in",
    "ufbx+ufbx/data/synthetic_bad_inf_nan_7700_ascii.fbx": "line 270: wanted numbers",
    "ufbx+ufbx/data/synthetic_bad_inf_nan_fail_7500_ascii.fbx": "line 270: wanted numbers",
    "ufbx+ufbx/data/synthetic_bad_inf_nan_fail_7700_ascii.fbx": "line 270: wanted numbers",
    "ufbx+ufbx/data/synthetic_broken_cluster_7500_ascii.fbx": None,
    "ufbx+ufbx/data/synthetic_legacy_nonzero_material_5800_ascii.fbx": "this is FBX 5.8",
}


GEOMETRY = 'Geometry: 9, "Geometry::", "Mesh" {{\n{}}}\n'
TRIANGLE = fbx.row("Vertices", np.eye(3))


@pytest.mark.corpus
@pytest.mark.parametrize("name", BROKEN)
def test_malformed_files_of_others(corpus, name):
    error = refusal(corpus / "broken" / name)
    if BROKEN[name] is None:
        assert error is None
    else:
        assert BROKEN[name] in str(error)


def layer(kind, name, mapping, values):
    """A layer of values of a mesh, stated directly."""
    return (
        f'LayerElement{kind}: 0 {{\nMappingInformationType: "{mapping}"\n'
        f'ReferenceInformationType: "Direct"\n{fbx.row(name, values)}}}\n'
    )


def saved(folder, content):
    path = folder / "file.fbx"
    path.write_bytes(content)
    return path


def refused(folder, content):
    start = time.process_time()
    error = refusal(saved(folder, content))
    assert time.process_time() - start < 5.0
    return str(error)


@pytest.mark.parametrize(
    ("version", "word"), [(5800, "5.8"), (4050, "4.0"), (3000, "3.0"), (8000, "8.0")]
)
def test_other_versions_are_refused_by_name(tmp_path, version, word):
    assert f"this is FBX {word}; rigview reads" in refused(tmp_path, fbx.header(version))
    assert f"this is FBX {word}; rigview reads" in refused(
        tmp_path, fbx.document("", "", version=version)
    )


def test_a_file_without_version_is_refused(tmp_path):
    assert "states no version" in refused(tmp_path, b"; FBX\nObjects: {\n}\n")


def test_a_binary_file_that_was_transferred_as_text_is_told_as_such(tmp_path):
    spoilt = fbx.header(7400).replace(b"\x00", b" ") + b"FBXHeaderExtension"
    assert "as by a transfer as text" in refused(tmp_path, spoilt)


def mesh(values, count):
    """A binary file with one mesh whose points are stated in `values`."""
    at = fbx.inside_of("Objects")
    name = b"S" + struct.pack("<I", 4) + b"\x00\x01Ge" + b"S" + struct.pack("<I", 4) + b"Mesh"
    identity = b"L" + struct.pack("<q", 9) + name
    inner = fbx.record("Vertices", values, count, at=fbx.inside_of("Geometry", identity, at))
    geometry = fbx.record("Geometry", identity, 3, inner + bytes(13), at)
    node = b"L" + struct.pack("<q", 1) + name
    models = fbx.record("Model", node, 3, b"", at + len(geometry))
    objects = fbx.record("Objects", b"", 0, geometry + models + bytes(13))
    link = b"S" + struct.pack("<I", 2) + b"OO" + b"L" + struct.pack("<q", 9)
    link += b"L" + struct.pack("<q", 1)
    at = 27 + len(objects)
    links = fbx.record("C", link, 3, b"", fbx.inside_of("Connections", b"", at))
    connections = fbx.record("Connections", b"", 0, links + bytes(13), at)
    return fbx.header() + objects + connections + bytes(13)


def test_the_binary_document_of_these_tests_opens(tmp_path):
    points = np.arange(9, dtype="<f8")
    rig = load(saved(tmp_path, mesh(fbx.deflated(b"d", 9, points.tobytes()), 1))).rig
    assert len(rig.meshes) == 1


def test_a_small_array_that_inflates_to_gigabytes(tmp_path):
    bomb = zlib.compress(bytes(1 << 22), 9)
    for _ in range(3):
        bomb = zlib.compress(bomb, 9)
    stated = 1 << 31
    values = b"d" + struct.pack("<III", stated, 1, len(bomb)) + bomb
    assert "more than a file of this size can claim" in refused(tmp_path, mesh(values, 1))


def test_an_array_that_holds_more_than_it_states(tmp_path):
    values = fbx.deflated(b"d", 3, bytes(24 * 100_000))
    assert "the array holds 25 bytes and states 24" in refused(tmp_path, mesh(values, 1))


def test_an_array_whose_stream_is_cut(tmp_path):
    packed = zlib.compress(np.random.default_rng(1).bytes(2400))[:-200]
    values = b"d" + struct.pack("<III", 300, 1, len(packed)) + packed
    assert "the array holds" in refused(tmp_path, mesh(values, 1))


def test_more_values_than_bytes(tmp_path):
    assert "a value has a type" in refused(tmp_path, mesh(b"I\0\0\0\0", 2**32 - 1))


def test_every_truncation_of_a_file_is_refused_or_opens(tmp_path):
    content = mesh(fbx.deflated(b"d", 9, np.arange(9, dtype="<f8").tobytes()), 1)
    for length in range(len(content)):
        refusal(saved(tmp_path, content[:length] or b"Kaydara"))
    text = fbx.document(fbx.model(1, "a"), 'C: "OO",1,0\n')
    for length in range(30, len(text), 7):
        refusal(saved(tmp_path, text[:length]))


def test_nodes_nested_without_end(tmp_path):
    text = b"; FBX 7.5.0 project file\n" + b"A: {" * 100_000
    assert "nested too deeply" in refused(tmp_path, text)


@pytest.mark.parametrize("filler", [b"\n", b" ", b"\t\n", b";\n", b"1,", b"("])
def test_long_rows_of_nothing_take_no_time(tmp_path, filler):
    text = b"; FBX 7.5.0 project file\nObjects: {\nA: 1" + filler * 300_000
    assert refused(tmp_path, text)
    assert refused(tmp_path, text.replace(b"A: 1", b"A:"))


def test_a_large_mesh_shown_by_very_many_nodes(tmp_path):
    nodes = range(100, 700)
    content = fbx.document(
        "".join(fbx.model(i, "a", "Mesh", GeometricTranslation=(i, 0, 0)) for i in nodes)
        + GEOMETRY.format(
            fbx.whole("Vertices", np.zeros(3 * 20_000))
            + fbx.whole("PolygonVertexIndex", np.tile([0, 1, -3], 1))
        ),
        "".join(f'C: "OO",{i},0\nC: "OO",9,{i}\n' for i in nodes),
    )
    path = saved(tmp_path, content)
    assert refusal(path) is None
    # An unused point is no vertex; each node has a mesh of its own.
    assert {len(m.primitives[0].positions) for m in load(path).rig.meshes} == {3}


@pytest.mark.parametrize(
    "links",
    [
        'C: "OO",1,2\nC: "OO",2,3\nC: "OO",3,1\n',
        'C: "OO",1,1\n',
        'C: "OO",1,2\nC: "OO",1,3\nC: "OO",2,0\nC: "OO",3,0\n',
    ],
)
def test_hierarchies_that_are_no_trees_open(tmp_path, links):
    models = "".join(fbx.model(i, f"n{i}", InheritType=i % 3) for i in (1, 2, 3))
    path = saved(tmp_path, fbx.document(models, links))
    assert refusal(path) is None
    assert load(path).rig.nodes.faults


LINKS = 'C: "OO",1,0\nC: "OO",9,1\n'


def shape_of(folder, inside):
    return refused(folder, fbx.document(fbx.model(1, "a", "Mesh") + GEOMETRY.format(inside), LINKS))


def test_numbers_that_no_integer_holds(tmp_path):
    corners = "PolygonVertexIndex: 0,1,99999999999999999999999\n"
    assert "too large" in shape_of(tmp_path, TRIANGLE + corners)
    many = "PolygonVertexIndex: *9 {\na: 0,1,2,3,4,5,6,7,99999999999999999999999\n}\n"
    assert "does not exist" in shape_of(tmp_path, TRIANGLE + many)


def test_points_that_are_no_numbers(tmp_path):
    assert "not finite" in shape_of(tmp_path, "Vertices: *3 {\na: 1,nan,1e999\n}\n")
    assert "not finite" in shape_of(tmp_path, "Vertices: *3 {\na: 1,1e300,1\n}\n")


def test_corners_that_do_not_exist(tmp_path):
    index = fbx.whole("PolygonVertexIndex", [0, 1, -9])
    assert "point 8 does not exist: there are 3" in shape_of(tmp_path, TRIANGLE + index)


def test_layers_that_name_nothing_are_noted(tmp_path):
    layer = (
        "LayerElementNormal: 0 {\n"
        'MappingInformationType: "ByPolygonVertex"\nReferenceInformationType: "IndexToDirect"\n'
        + fbx.row("Normals", [0.0, 0.0, 1e300])
        + fbx.whole("NormalsIndex", [7, -1, 0])
        + "}\n"
    )
    index = fbx.whole("PolygonVertexIndex", [0, 1, -3])
    content = fbx.document(
        fbx.model(1, "a", "Mesh") + GEOMETRY.format(TRIANGLE + index + layer), LINKS
    )
    path = saved(tmp_path, content)
    assert refusal(path) is None
    assert any("Normals" in note for note in load(path).notes)


def test_influences_that_would_fill_the_memory(tmp_path):
    # One point with very many influences makes a slot for each at all points.
    points, joints = 40_000, 400
    clusters = "".join(
        f'Deformer: {1000 + j}, "SubDeformer::", "Cluster" {{\n'
        "Indexes: 0\nWeights: 1\n" + fbx.row("Transform", np.eye(4)) + "}\n"
        for j in range(joints)
    )
    links = "".join(f'C: "OO",{1000 + j},29\nC: "OO",2,{1000 + j}\n' for j in range(joints))
    geometry = GEOMETRY.format(fbx.whole("Vertices", np.zeros(3 * points)))
    content = fbx.document(
        fbx.model(1, "a", "Mesh")
        + fbx.model(2, "j")
        + geometry
        + 'Deformer: 29, "Deformer::", "Skin" {\n}\n'
        + clusters,
        LINKS + 'C: "OO",29,9\nC: "OO",2,0\n' + links,
    )
    assert "more than a file of this size can claim" in refused(tmp_path, content)


def test_a_clip_of_centuries_that_repeats_every_second(tmp_path):
    endless = "Post-Extrapolation:  {\nType: 82\n}\n"
    span = f'Properties70: {{\nP: "LocalStop", "KTime", "Time", "",{10**18}\n}}\n'
    stack = fbx.STACK.replace("{\n}", "{\n" + span + "}", 1)
    curves = fbx.curve(11, [0, 1], [0.0, 1.0], extra=endless)
    objects, links = fbx.animated(10, 1, "Lcl Translation", {"d|X": 11})
    content = fbx.document(stack + fbx.model(1, "a") + curves + objects, fbx.STACK_LINKS + links)
    path = saved(tmp_path, content)
    assert refusal(path) is None
    assert len(load(path).rig.clips[0].channels[0].sampler.times) < 10_000


def test_pictures_outside_of_the_folder_stay_closed(tmp_path, pixel):
    folder = tmp_path / "rigs"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(pixel)
    material = 'Material: 5, "Material::m", "" {\n}\n'
    texture = 'Texture: 6, "Texture::t", "" {{\nRelativeFilename: "{}"\n}}\n'
    links = 'C: "OO",1,0\nC: "OO",5,1\nC: "OP",6,5, "DiffuseColor"\n'

    def images(name):
        content = fbx.document(fbx.model(1, "a") + material + texture.format(name), links)
        return load(saved(folder, content)).rig

    assert images("..\\secret.png").images == (None,)
    assert images("../secret.png").unread
    (folder / "beside.png").write_bytes(pixel)
    assert images("C:\\art\\beside.png").images[0].pixels.shape == (1, 1, 4)
    (folder / "file.fbm").mkdir()
    (folder / "file.fbm" / "unpacked.png").write_bytes(pixel)
    assert images("elsewhere/unpacked.png").images[0] is not None


class Stages(Listener):
    """Notes the stages and cancels at one of them."""

    def __init__(self, stop=-1):
        self.fractions, self.rigs, self._stop = [], [], stop

    def stage(self, text, fraction):  # noqa: ARG002 - a listener's signature
        if len(self.fractions) == self._stop:
            raise Cancelled
        self.fractions.append(fraction)

    def skeleton(self, rig):
        self.rigs.append(rig)


def test_reading_tells_its_progress_and_stops_at_any_stage(tmp_path):
    objects, links = fbx.animated(10, 1, "Lcl Translation", {"d|X": 11})
    content = fbx.document(
        fbx.STACK + fbx.model(1, "a") + fbx.curve(11, [0, 1], [0.0, 1.0]) + objects,
        fbx.STACK_LINKS + links,
    )
    path = saved(tmp_path, content)
    stages = Stages()
    load(path, stages)
    assert stages.fractions == sorted(stages.fractions)
    assert (stages.fractions[0], stages.fractions[-1]) == (0.0, 1.0)
    assert stages.rigs[0].nodes.names == ("a",)
    for stop in range(len(stages.fractions)):
        with pytest.raises(Cancelled):
            load(path, Stages(stop))


def test_a_long_stage_can_be_stopped_within(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "PULSE_S", 0.0)
    triangle = GEOMETRY.format(TRIANGLE + fbx.whole("PolygonVertexIndex", [0, 1, -3]))
    links = 'C: "OO",1,0\nC: "OO",9,1\n'
    path = saved(tmp_path, fbx.document(fbx.model(1, "a", "Mesh") + triangle, links))
    stages = Stages()
    load(path, stages)
    within_mesh = stages.fractions.count(0.3)
    assert within_mesh > 3
    with pytest.raises(Cancelled):
        load(path, Stages(stages.fractions.index(0.3) + within_mesh - 1))


def test_many_objects_can_be_stopped_between_them(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "PULSE_S", 0.0)
    count = 12
    models = "".join(fbx.model(1 + i, f"m{i}") for i in range(count))
    links = "".join(f'C: "OO",{1 + i},{i}\n' for i in range(count))
    path = saved(tmp_path, fbx.document(models, links))
    at_once, one_by_one = Stages(), Stages()
    expected = load(path, at_once).rig
    monkeypatch.setattr(blocks, "MANY", 1)
    rig = load(path, one_by_one).rig
    assert (rig.nodes.names, rig.nodes.children) == (expected.nodes.names, expected.nodes.children)
    # Objects, their connections and the hierarchy are each gone through several times.
    told = one_by_one.fractions.count(0.1) - at_once.fractions.count(0.1)
    assert told >= 8 * count
    for stop in range(0, len(one_by_one.fractions), 7):
        with pytest.raises(Cancelled):
            load(path, Stages(stop))


def test_many_materials_templates_and_clusters_can_be_stopped_between_them(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "PULSE_S", 0.0)
    monkeypatch.setattr(blocks, "MANY", 1)
    cluster = (
        fbx.whole("Indexes", [0]) + fbx.row("Weights", [1.0]) + fbx.row("Transform", np.eye(4))
    )

    def told(materials, templates, clusters):
        definitions = 'ObjectType: "Material" {\n}\n' * templates
        objects = fbx.model(1, "a", "Mesh") + GEOMETRY.format(
            TRIANGLE + fbx.whole("PolygonVertexIndex", [0, 1, -3])
        )
        objects += 'Deformer: 20, "Deformer::", "Skin" {\n}\n'
        links = 'C: "OO",1,0\nC: "OO",9,1\nC: "OO",20,9\n'
        for i in range(materials):
            objects += f'Material: {100 + i}, "Material::", "" {{\n}}\n'
        for i in range(clusters):
            objects += f'Deformer: {200 + i}, "SubDeformer::", "Cluster" {{\n{cluster}}}\n'
            links += f'C: "OO",{200 + i},20\nC: "OO",1,{200 + i}\n'
        path = tmp_path / "file.fbx"
        text = fbx.document(objects, links).decode()
        path.write_text(text.replace("Objects:", f"Definitions:  {{\n{definitions}}}\nObjects:", 1))
        stages = Stages()
        load(path, stages)
        return [stages.fractions.count(stage) for stage in (0.1, 0.2, 0.3)]

    skeleton, materials, meshes = told(12, 1, 1)
    fewer = told(2, 1, 1)
    # Which there are, and each of them.
    assert materials - fewer[1] >= 2 * 10
    # Of which kind they are, and where each is inside of what holds them.
    assert told(12, 9, 1)[0] - skeleton >= 2 * 8
    # Of each cluster among others the joint, the weights and two places, found, read and joined.
    assert told(12, 1, 11)[2] - meshes >= 16 * 10


def test_long_arrays_are_read_piece_by_piece_to_the_same_rig(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    n = 9
    corner = np.arange(n * n).reshape(n, n)
    quads = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]], -1)
    corners = quads.reshape(-1, 4) * (1, 1, 1, -1) - (0, 0, 0, 1)
    points = np.stack([*np.indices((n, n)), np.zeros((n, n))], -1) + rng.normal(size=(n, n, 3)) / 3
    inside = (
        fbx.row("Vertices", points)
        + fbx.whole("PolygonVertexIndex", corners)
        + layer("Normal", "Normals", "ByPolygonVertex", rng.normal(size=(64, 3)).repeat(4, axis=0))
        + layer("UV", "UV", "ByPolygonVertex", rng.integers(0, 2, (256, 2)))
    )
    cluster = fbx.whole("Indexes", range(n * n)) + fbx.row("Weights", np.full(n * n, 0.5))
    clusters = "".join(
        f'Deformer: {i}, "SubDeformer::", "Cluster" {{\n{cluster}}}\n' for i in (21, 22)
    )
    path = saved(
        tmp_path,
        fbx.document(
            fbx.model(1, "a", "Mesh")
            + "".join(fbx.model(i, f"j{i}") for i in (31, 32))
            + GEOMETRY.format(inside)
            + 'Deformer: 20, "Deformer::", "Skin" {\n}\n'
            + clusters,
            'C: "OO",1,0\nC: "OO",9,1\nC: "OO",20,9\nC: "OO",21,20\nC: "OO",22,20\n'
            'C: "OO",31,21\nC: "OO",32,22\n',
        ),
    )

    def arrays():
        (primitive,) = load(path).rig.meshes[0].primitives
        influences = primitive.influences
        assert len(primitive.positions) > n * n
        return [
            primitive.positions,
            primitive.triangles,
            primitive.normals,
            primitive.uvs[0],
            influences.joints,
            influences.weights,
        ]

    whole = arrays()
    monkeypatch.setattr(blocks, "SIZE", 7)
    for at_once, in_pieces in zip(whole, arrays(), strict=True):
        np.testing.assert_array_equal(in_pieces, at_once)


def test_an_array_is_inflated_piece_by_piece_to_the_same(tmp_path, monkeypatch):
    points = np.random.default_rng(1).random((100, 3)).astype("<f8")
    path = saved(tmp_path, mesh(fbx.deflated(b"d", 300, points.tobytes()), 1))
    place = document(path).root().child("Objects").child("Geometry").child("Vertices")
    monkeypatch.setattr(packed, "_MADE", 64)
    monkeypatch.setattr(packed, "_READ", 50)
    np.testing.assert_array_equal(place.floats(), points.ravel())


def test_a_point_with_very_many_vertices(tmp_path):
    n = 40
    around = np.arange(n)
    corners = np.stack([np.zeros(n), 1 + around, -2 - (around + 1) % n], axis=1)
    angles = 2 * np.pi * around / n
    points = np.concatenate(
        [np.zeros((1, 3)), np.stack([np.cos(angles), np.sin(angles), 0 * angles], 1)]
    )
    poles = np.stack([np.arange(n) % 25, np.zeros(n)], axis=1)
    uvs = np.concatenate([poles[:, None], np.ones((n, 2, 2))], axis=1)
    inside = (
        fbx.row("Vertices", points)
        + fbx.whole("PolygonVertexIndex", corners)
        + layer("UV", "UV", "ByPolygonVertex", uvs)
    )
    content = fbx.document(
        fbx.model(1, "a", "Mesh") + GEOMETRY.format(inside), 'C: "OO",1,0\nC: "OO",9,1\n'
    )
    (primitive,) = load(saved(tmp_path, content)).rig.meshes[0].primitives
    # The pole has as many vertices as values, in the order of its corners; all others have one.
    np.testing.assert_array_equal(primitive.uvs[0][:25, 0], np.arange(25))
    np.testing.assert_array_equal(primitive.triangles[:, 0], np.arange(n) % 25)
    np.testing.assert_allclose(primitive.positions[25:], points[1:] / 100, rtol=1e-12)


OLD = """; FBX 6.1.0 project file
FBXHeaderExtension:  {
 FBXVersion: 6100
}
Objects:  {
 Model: "Model::a", "LimbNode" {
  Version: 232
 }
}
Takes:  {
 Take: "T" {
  Model: "Model::a" {
   Channel: "Transform" {
    Channel: "T" {
     Channel: "X" {
      Key: 0,0,U,s,KEY,0,n,46186158000,1,U,a,n,92372316000,KEY,L
     }
    }
   }
  }
 }
}
"""


def test_old_keys_that_no_program_can_hold_are_left_out_and_noted(tmp_path):
    path = tmp_path / "old.fbx"
    path.write_text(OLD.replace("KEY", "4"))
    sound = load(path)
    assert sound.notes == ()
    assert sound.rig.clips[0].end == 2.0
    path.write_text(OLD.replace("KEY", "1e200"))
    loaded = load(path)
    assert [note[:43] for note in loaded.notes] == ["1 key is not finite or shares its time with"]
    assert loaded.rig.clips[0].end == 1.0
    keys = loaded.rig.clips[0].channels[0].sampler.keys
    assert np.abs(keys).max() == pytest.approx(0.01)


@pytest.mark.parametrize(
    "wrong",
    [
        ("KeyAttrFlags", [8, 8, 8]),
        ("KeyAttrRefCount", [1, 2]),
        ("KeyAttrRefCount", [3, -1]),
        ("KeyAttrDataFloat", [0] * 7),
    ],
)
def test_flags_that_do_not_fit_the_keys_are_ignored(tmp_path, wrong):
    name, numbers = wrong
    cubic = fbx.curve(11, [0, 1], [0.0, 1.0], flags=0x408, data=(9.0, 9.0, 0.0, 0.0))
    line = next(text for text in cubic.split("}\n") if text.startswith(name))
    other = fbx.curve(12, [0, 1], [0.0, 2.0], flags=0x408, data=(9.0, 9.0, 0.0, 0.0))
    objects, links = fbx.animated(10, 1, "Lcl Translation", {"d|X": 11, "d|Y": 12})

    def keys_of(curve):
        content = fbx.document(
            fbx.STACK + fbx.model(1, "a") + curve + other + objects, fbx.STACK_LINKS + links
        )
        loaded = load(saved(tmp_path, content))
        (channel,) = loaded.rig.clips[0].channels
        return loaded.notes, channel.sampler.at(np.array([0.25]))[0] * 100.0

    usual, (x, y, _) = keys_of(cubic)
    assert abs(x - 0.25) > 0.1
    notes, (straight, same, _) = keys_of(cubic.replace(line, fbx.whole(name, numbers)[:-2]))
    ignored = "flags or tangents that do not fit the keys of 1 curve are ignored"
    assert set(notes) - set(usual) == {ignored}
    assert straight == pytest.approx(0.25, abs=1e-4)
    assert same == pytest.approx(y, abs=1e-4)


def test_clips_are_made_when_they_are_asked_for_of_what_was_checked_before(tmp_path):
    objects, links = fbx.animated(10, 1, "Lcl Translation", {"d|X": 11})
    sound = fbx.curve(11, [0, 1], [0.0, 1.0])

    def content(curve):
        return fbx.document(
            fbx.STACK + fbx.model(1, "a") + curve + objects, fbx.STACK_LINKS + links
        )

    assert "2 times and 3 values" in refused(
        tmp_path, content(sound.replace("0.0,1.0", "0.0,1.0,2.0"))
    )
    path = saved(tmp_path, content(sound))
    clip = load(path).rig.clips[0]
    path.unlink()
    assert [(channel.path, clip.end) for channel in clip.channels] == [("translation", 1.0)]
