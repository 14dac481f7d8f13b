"""What is read of many objects of an FBX file together is what each of them says alone."""

import re
import struct
from collections.abc import Mapping
from dataclasses import fields

import fbx_documents as fbx
import numpy as np
import pytest

from rigview.io import Listener, load, reading
from rigview.io.fbx import binary, blocks, container, surfaces
from rigview.io.fbx.hierarchy import read_hierarchy
from rigview.io.fbx.nodes import FbxNodes
from rigview.io.fbx.objects import Kind, Objects
from rigview.io.fbx.reader import document
from rigview.io.fbx.settings import read_settings

MAPPINGS = ("ByPolygonVertex", "ByControlPoint", "ByPolygon", "AllSame")


def random_layer(rng, kind, name, width, most):
    """A layer whose indices or values do not always reach."""
    values = rng.normal(size=(rng.integers(1, most), width))
    if rng.random() < 0.1:
        values[0, 0] = np.finfo(np.float64).max
    mapping = rng.choice(MAPPINGS)
    if rng.random() < 0.5:
        reference, indices = "Direct", ""
    else:
        index = rng.integers(0, len(values) + (rng.random() < 0.2), most)
        reference, indices = "IndexToDirect", fbx.whole(f"{name}Index", index)
    return (
        f'LayerElement{kind}: 0 {{\nMappingInformationType: "{mapping}"\n'
        f'ReferenceInformationType: "{reference}"\n{fbx.row(name, values)}{indices}}}\n'
    )


def random_geometry(rng, number):
    """Polygons of one to six corners, with any layers and up to three materials."""
    points = rng.integers(3, 9)
    counts = rng.integers(1, 7, rng.integers(0, 6))
    corners = [rng.integers(0, points, count) for count in counts]
    for polygon in corners:
        polygon[-1] = -1 - polygon[-1]
    most = int(counts.sum()) + 3
    inside = fbx.row("Vertices", rng.normal(size=(points, 3)))
    inside += fbx.whole("PolygonVertexIndex", np.concatenate([[], *corners]))
    for kind, name, width in (("Normal", "Normals", 3), ("Color", "Colors", 4), ("UV", "UV", 2)):
        for _ in range(rng.integers(0, 3)):
            inside += random_layer(rng, kind, name, width, most)
    if rng.random() < 0.5:
        inside += (
            'LayerElementMaterial: 0 {\nMappingInformationType: "ByPolygon"\n'
            f"{fbx.whole('Materials', rng.integers(-1, 3, len(counts)))}}}\n"
        )
    return f'Geometry: {number}, "Geometry::g{number}", "Mesh" {{\n{inside}}}\n'


def opened(folder, geometries):
    """Return the meshes of a file with one node for each geometry, and the notes without places."""
    objects, links = "", ""
    for number, geometry in geometries.items():
        objects += geometry + fbx.model(1000 + number, f"m{number}", "Mesh")
        links += f'C: "OO",{number},{1000 + number}\nC: "OO",{1000 + number},0\n'
    path = folder / "file.fbx"
    path.write_bytes(fbx.document(objects, links))
    loaded = load(path)
    return loaded.rig.meshes, [re.sub(r" at line \d+", "", note) for note in loaded.notes]


def same(one, other):
    """Tell whether two primitives have the same bits."""
    pairs = [(getattr(one, f.name), getattr(other, f.name)) for f in fields(one)]
    pairs += [(one.uvs.get(k), other.uvs.get(k)) for k in {*one.uvs, *other.uvs}]
    return all(
        a.tobytes() == b.tobytes() if isinstance(a, np.ndarray) else a == b
        for a, b in pairs
        if not isinstance(a, Mapping)
    )


@pytest.mark.parametrize("seed", range(6))
def test_small_geometries_are_as_if_read_alone(tmp_path, seed):
    rng = np.random.default_rng(seed)
    geometries = {number: random_geometry(rng, number) for number in range(1, 13)}
    together, notes = opened(tmp_path, geometries)
    alone = [opened(tmp_path, {number: geometry}) for number, geometry in geometries.items()]
    for mesh, ((other,), _) in zip(together, alone, strict=True):
        assert len(mesh.primitives) == len(other.primitives)
        assert all(map(same, mesh.primitives, other.primitives))
    assert notes == list(dict.fromkeys(note for _, own in alone for note in own))


@pytest.mark.parametrize("most", [0, 20])
def test_surfaces_are_the_same_however_many_are_cut_at_once(tmp_path, monkeypatch, most):
    rng = np.random.default_rng(11)
    triangle = fbx.row("Vertices", np.eye(3)) + fbx.whole("PolygonVertexIndex", [0, 1, -3])
    geometries = {1: f'Geometry: 1, "Geometry::g1", "Mesh" {{\n{triangle}}}\n'}
    geometries |= {number: random_geometry(rng, number) for number in range(2, 25)}
    expected, _ = opened(tmp_path, geometries)
    monkeypatch.setattr(surfaces, "_TOGETHER", most)
    found, _ = opened(tmp_path, geometries)
    assert {len(mesh.primitives) for mesh in found} == {1, 2, 3}
    for mesh, other in zip(found, expected, strict=True):
        assert len(mesh.primitives) == len(other.primitives)
        assert all(map(same, mesh.primitives, other.primitives))


def text(value):
    return b"S" + struct.pack("<I", len(value)) + value


def row(name, numbers, word=b"P"):
    """A property of three numbers, or of one; returns what makes the record at an offset."""
    whole = np.ndim(numbers) == 0
    values = b"".join(map(text, (name, b"", b"", b"A")))
    if whole and isinstance(numbers, float):
        values += b"D" + struct.pack("<d", numbers)
    elif whole:
        values += b"I" + struct.pack("<i", numbers)
    else:
        values += b"".join(b"D" + struct.pack("<d", number) for number in numbers)
    return lambda at: fbx.record(word.decode(), values, 5 if whole else 7, at=at)


def around(name, values, count, inner):
    """A record with others inside, as what makes it at an offset."""

    def make(at):
        begin, body = fbx.inside_of(name, values, at), b""
        for member in inner:
            body += member(begin + len(body))
        return fbx.record(name, values, count, body + bytes(13) if inner else b"", at)

    return make


def model(number, rows):
    values = b"L" + struct.pack("<q", number) + text(b"m\0\1Model") + text(b"LimbNode")
    return around("Model", values, 3, [around("Properties70", b"", 0, rows)] if rows else [])


def test_properties_are_found_as_if_looked_for_one_by_one(tmp_path):
    rng = np.random.default_rng(7)

    def usual():
        names = (b"Lcl Translation", b"Other", b"Twist")
        return [row(b"Visibility", rng.random()), *(row(n, rng.normal(size=3)) for n in names)]

    hidden = row(b"Lcl Rotation", (7.0, 8.0, 9.0))(0)
    odd = [
        [],
        [*usual(), row(b"Lcl Translation", (1.0, 2.0, 3.0))],
        [row(b"Lcl Scaling", (1.0, 1.0, 1.0), b"Q"), *usual()],
        [row(b"RotationOrder", 3), around("P", text(hidden), 1, []), *usual()],
        [around("P", text(b"Compound"), 1, usual()), row(b"RotationOrder", 2)],
        [row(b"Lcl Translation\0", (4.0, 5.0, 6.0)), row(b"Visibility", -7)],
    ]
    models = [model(i, odd[i // 5] if i % 5 == 0 and i < 30 else usual()) for i in range(40)]
    path = tmp_path / "file.fbx"
    path.write_bytes(fbx.header() + around("Objects", b"", 0, models)(27) + bytes(13))
    kind = Objects(document(path).root()).kind("Model")
    vectors = dict.fromkeys(("Lcl Translation", "Lcl Rotation", "Lcl Scaling", "Twist"), -1.0)
    asked = vectors, {"RotationOrder": -1}, {"Visibility": 1.0, "Absent": 4.0}
    together = kind.stated(*asked)
    one_by_one = Kind(kind.keys, FbxNodes(list(kind.nodes)), kind.defaults).stated(*asked)
    assert [*map(np.ndarray.tolist, together)] == [*map(np.ndarray.tolist, one_by_one)]
    assert together[0][0, 5].tolist() == [1.0, 2.0, 3.0]
    assert together[1][0, [15, 20]].tolist() == [3, 2]
    assert together[2][:, [0, 25]].T.tolist() == [[1.0, 4.0], [-7.0, 4.0]]
    assert len(set(together[2][0, 30:].tolist())) == 10


@pytest.mark.parametrize("seed", range(5))
def test_nodes_hang_together_as_their_connections_say_one_by_one(tmp_path, seed):
    rng = np.random.default_rng(seed)
    count = 9
    depth = rng.permutation(count)
    # Some to the scene, to a property or to nothing; some nodes twice, or below several others.
    links = [
        (child, parent, rng.random() < 0.2)
        for child, parent in rng.integers(0, count, (25, 2)).tolist()
        if depth[child] > depth[parent]
    ] + [(int(child), -1 - child % 2, False) for child in rng.integers(0, count, 5)]
    links = [links[i] for i in rng.permutation(len(links))]
    path = tmp_path / "file.fbx"
    stated = (
        f'C: "OP",{1 + child},{1 + parent}, "LookAtProperty"\n'
        if to_property
        else f'C: "OO",{1 + child},{1 + parent}\n'
        for child, parent, to_property in links
    )
    models = "".join(fbx.model(1 + i, f"m{i}") for i in range(count))
    path.write_bytes(fbx.document(models, "".join(stated)))
    root = document(path).root()
    hierarchy = read_hierarchy(Objects(root), read_settings(root, 7500), ())
    above = [
        [p for c, p, of in links if c == child and p >= 0 and not of] for child in range(count)
    ]
    assert hierarchy.parents == tuple(parents[0] if parents else -1 for parents in above)
    assert hierarchy.children == tuple(
        tuple(child for child in range(count) for p in above[child] if p == parent)
        for parent in range(count)
    )


def test_the_records_of_one_node_can_be_stopped_between_any_two(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "PULSE_S", -1.0)
    rows = [row(b"Lcl Translation", (float(i), 0.0, 0.0)) for i in range(50)]
    path = tmp_path / "file.fbx"
    objects = around("Objects", b"", 0, [model(1, rows)])(27)
    path.write_bytes(fbx.header() + objects + bytes(13))

    class Count(Listener):
        told = 0

        def stage(self, text, fraction):  # noqa: ARG002 - a listener's signature
            self.told += 1

    at_once, one_by_one = Count(), Count()
    load(path, at_once)
    for module in (binary, container):
        monkeypatch.setattr(module, "STEP", 0)
    monkeypatch.setattr(blocks, "MANY", 1)
    # The last of equal names counts, however the rows are gone through.
    assert load(path, one_by_one).rig.nodes.translations.tolist() == [[0.49, 0.0, 0.0]]
    # Where the rows begin, and what each of them is.
    assert one_by_one.told - at_once.told >= 2 * len(rows)
