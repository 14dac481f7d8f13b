"""FBX files amended: what a fix changed is written, every other byte is kept, and the copy is proved."""

from dataclasses import replace
from pathlib import Path

import fbx_arm
import numpy as np
import pytest
from rigs import under, with_influences, with_nodes, with_row

from rigview.check.rig_edits.reframe import FrameTurn, reframe, rotations
from rigview.check.rule import Refused
from rigview.core import affine, quat
from rigview.core.arrays import unit
from rigview.core.mesh import Influences
from rigview.core.placement import scaled
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Skin
from rigview.core.sampler import Sampler
from rigview.io import LoadError, Overrides, SaveError, load, save
from rigview.io.fbx.amend import binary, text
from rigview.io.fbx.amend.amendments import Amendments
from rigview.io.fbx.binary import BinaryDocument
from rigview.io.fbx.reader import document, parsed
from rigview.io.fbx.transform import ORDERS, euler, to_euler
from rigview.io.fbx.tree import Packed
from rigview.io.reading import Listener, Pulse

ENCODINGS = {
    "ascii": fbx_arm.text,
    "binary": fbx_arm.binary,
    "wide": lambda: fbx_arm.binary(7500, "blender"),
}


def files(corpus):
    """Return the FBX files of the corpus that can be amended."""
    return [path for path in sorted((corpus / "rigs").rglob("*.fbx")) if _version(path) >= 7000]


def _version(path):
    try:
        return document(path).version
    except LoadError:
        return 0


@pytest.fixture(params=ENCODINGS)
def arm(request, tmp_path):
    """A small skinned arm in one of the encodings, opened."""
    path = tmp_path / "arm.fbx"
    path.write_bytes(ENCODINGS[request.param]())
    return load(path)


def walk(node, way=()):
    """Yield all records with a name that tells them apart."""
    for number, child in enumerate(node.children):
        own = (
            *way,
            f"{child.name} {child.values[0]}" if child.values else f"{child.name} {number}",
        )
        yield own, child
        yield from walk(child, own)


def stated(path):
    """Return all that a file states: record → its values."""
    found = {}
    for way, node in walk(document(path).root()):
        values = [v.decode(node).tolist() if isinstance(v, Packed) else v for v in node.values]
        # Of arrays the way names the object in memory.
        name = tuple(part.split(" [")[0].split(" <")[0] for part in way)
        found.setdefault(name, []).append(values)
    return found


def differences(before, after):
    """Return the records that two files do not state alike, each with the one that it is in."""
    a, b = stated(before), stated(after)
    names = (
        [part.split()[0] for part in way if part.split()[0] != "a"]
        for way in a.keys() | b.keys()
        if a.get(way) != b.get(way)
    )
    return {" / ".join(way[-2:]) for way in names}


def reweighted(rig):
    """Give two points other weights, one of them for the hand, which no point follows yet."""
    old = rig.meshes[0].primitives[0].influences
    joints, weights = np.array(old.joints), np.array(old.weights)
    joints[3], weights[3] = (0, 2), (0.25, 0.75)
    joints[4], weights[4] = (1, 0), (1.0, 0.0)
    return with_influences(rig, joints, weights)


def rebound(rig):
    """Bind the elbow a little off where it was."""
    skin = rig.skins[0]
    binds = skin.joint_from_mesh.copy()
    turn = affine.compose(
        np.array([0.01, 0.0, 0.02]), quat.from_axis_angle([1, 2, 3], 0.3), np.ones(3)
    )
    binds[1] = turn @ binds[1]
    return rig.with_skin(0, replace(skin, inverse_binds=binds))


def turned(*names):
    """Return a change that gives nodes other axes, and moves nothing."""

    def change(rig):
        turns = {
            rig.nodes.names.index(name): quat.from_axis_angle([1, 2 + i, -1], 0.8 + i)
            for i, name in enumerate(names)
        }
        return reframe(rig, rotations(turns))

    return change


def rested(rig):
    """Let the hand, which clips turn, and the sleeve, which they do not, rest elsewhere."""
    hand, sleeve = (rig.nodes.names.index(name) for name in ("hand", "sleeve"))
    translations, turns = rig.nodes.translations.copy(), rig.nodes.rotations.copy()
    translations[hand] += 0.03
    turns[sleeve] = quat.from_axis_angle([0, 1, 1], 0.4)
    turns[hand] = quat.multiply(turns[hand], quat.from_axis_angle([1, 0, 0], 0.2))
    return with_nodes(rig, translations=translations, rotations=turns)


def renamed(rig):
    names = tuple(f'{name}_l "x"' if name == "elbow" else name for name in rig.nodes.names)
    return with_nodes(rig, names=names)


def reshaped(rig):
    """Stretch the mesh, and bind it so that its skin stays where it is: normals turn with the surface."""
    mesh, skin = rig.meshes[0].primitives[0], rig.skins[0]
    grown = affine.compose(
        np.array([0.1, 0.0, 0.0]), np.array(quat.IDENTITY), np.array([2.0, 1.0, 0.5])
    )
    turn, _ = affine.of_surface(grown[:3, :3])
    positions = affine.transform_points(grown, mesh.positions)
    shape = replace(mesh, positions=positions, normals=unit(mesh.normals @ turn.T))
    binds = skin.joint_from_mesh @ affine.inverse(grown[None])
    return rig.with_primitive(0, 0, shape).with_skin(0, replace(skin, inverse_binds=binds))


def pulled(rig):
    """Move the vertices of one point."""
    mesh = rig.meshes[0].primitives[0]
    return rig.with_primitive(
        0, 0, replace(mesh, positions=with_row(mesh.positions, 3, (0.1, 0, 0.2)))
    )


def stilled(rig):
    """Keep one key of the elbow's rotation."""
    clip = rig.clips[0]
    channels = tuple(
        replace(c, sampler=Sampler(c.sampler.times[:1], c.sampler.keys[:1]))
        if (c.node, c.path) == (1, "rotation")
        else c
        for c in clip.channels
    )
    return replace(rig, clips=(replace(clip, channels=channels),))


def test_an_unchanged_rig_is_the_source_byte_for_byte(arm, tmp_path):
    out = tmp_path / "out.fbx"
    assert save(arm, arm.rig, out) == ()
    assert out.read_bytes() == arm.path.read_bytes()
    save(arm, replace(arm.rig), out)
    assert out.read_bytes() == arm.path.read_bytes()


@pytest.mark.thorough
@pytest.mark.corpus
def test_all_arrays_and_numbers_of_real_files_written_anew_are_the_same_bytes(corpus):
    for path in files(corpus):
        source = document(path)
        amendments = Amendments()
        for _, node in walk(source.root()):
            values = node.values
            if len(values) == 1 and isinstance(values[0], Packed):
                amendments.arrays[node.offset] = node.array()
            elif isinstance(source, BinaryDocument) and values and isinstance(values[-1], float):
                amendments.numbers[node.offset][len(values) - 1] = values[-1]
        apply = binary.apply if isinstance(source, BinaryDocument) else text.apply
        assert apply(source, amendments) == source.data, path


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("extra", [0, 1, 7, 16])
def test_records_behind_one_that_grew_say_where_they_end(name, extra, tmp_path):
    data = ENCODINGS[name]()
    source = parsed(Path("arm.fbx"), data, Pulse(Listener()))
    root = source.root()
    label = root.child("Objects").child("Model")
    amendments = Amendments()
    grown = b"shoulder" + b"x" * extra + b"\x00\x01Model"
    amendments.set_text(label, 1, grown)
    apply = binary.apply if isinstance(source, BinaryDocument) else text.apply
    again = parsed(Path("arm.fbx"), apply(source, amendments), Pulse(Listener()))
    assert len(again.data) % 16 == (len(data) % 16 if name != "ascii" else len(again.data) % 16)
    before, after = (list(walk(d.root())) for d in (source, again))
    assert len(before) == len(after)
    assert again.root().child("Objects").child("Model").label().count("x") == extra


@pytest.mark.parametrize(
    ("change", "records"),
    [
        (
            reweighted,
            {"Deformer / Indexes", "Deformer / Weights"},
        ),
        (
            rebound,
            {
                "Deformer / Transform",
                "Deformer / TransformLink",
                "PoseNode / Matrix",
            },
        ),
        # The elbow is keyed: post-rotation; the hand's translation rests, and its axes turn.
        (
            turned("elbow"),
            {
                "Deformer / Transform",
                "Deformer / TransformLink",
                "PoseNode / Matrix",
                "Properties70 / P",
                "AnimationCurve / KeyValueFloat",
                "AnimationCurve / KeyAttrFlags",
                "AnimationCurve / KeyAttrDataFloat",
                "AnimationCurve / KeyAttrRefCount",
            },
        ),
        # Joints stay where they were bound: the mesh is another.
        (
            reshaped,
            {"Geometry / Vertices", "LayerElementNormal / Normals", "Deformer / Transform"},
        ),
        (pulled, {"Geometry / Vertices"}),
        (rested, {"Properties70 / P", "AnimationCurve / KeyValueFloat"}),
        (renamed, {"Objects / Model"}),
        (lambda rig: scaled(rig, 2.5), {"Properties70 / P"}),
        (
            lambda rig: scaled(reweighted(rig), 0.01),
            {"Properties70 / P", "Deformer / Indexes", "Deformer / Weights"},
        ),
    ],
)
def test_a_change_amends_its_own_records_and_no_other(arm, tmp_path, change, records):
    out = tmp_path / "out.fbx"
    save(arm, change(arm.rig), out)
    assert differences(arm.path, out) == records
    again = tmp_path / "again.fbx"
    copy = load(out)
    save(copy, copy.rig, again)
    assert again.read_bytes() == out.read_bytes()


def test_weights_are_written_as_shares_of_the_sum_that_the_file_states(arm, tmp_path):
    out = tmp_path / "out.fbx"
    save(arm, reweighted(arm.rig), out)
    rows = []
    for _, node in walk(document(out).root()):
        if node.name == "Deformer" and node.child("Transform"):
            points, weights = node.need("Indexes").integers(), node.need("Weights").floats()
            rows.append(dict(zip(points.tolist(), weights.tolist(), strict=True)))
    # Point 3 stated 0.6 and 0.6, point 4 0.4 and 0.4; entries of point 2 are as they were.
    assert rows[0][3] == pytest.approx(1.2 * 0.25)
    assert rows[2] == pytest.approx({3: 1.2 * 0.75})
    assert (4 in rows[0], rows[1][4]) == (False, pytest.approx(0.8))
    assert (rows[0][2], rows[1][2]) == (0.8, 0.4)


def test_the_clusters_agree_on_where_the_mesh_was(arm, tmp_path):
    out = tmp_path / "out.fbx"
    save(arm, rebound(arm.rig), out)
    assert load(out).notes == arm.notes
    for _, node in walk(document(out).root()):
        if node.name == "Deformer" and node.child("Transform"):
            link, place = (
                node.child(n).floats().reshape(4, 4).T for n in ("TransformLink", "Transform")
            )
            np.testing.assert_allclose(link @ place, fbx_arm.MESH_FRAME, atol=1e-9)


def test_a_factor_of_all_lengths_is_the_unit_of_the_file(arm, tmp_path):
    out = tmp_path / "out.fbx"
    save(arm, scaled(arm.rig, 2.5), out)
    assert load(out).rig.origin.unit_m == pytest.approx(2.5 * arm.rig.origin.unit_m)


@pytest.mark.parametrize("names", [["shoulder"], ["tip"], ["hand"], ["shoulder", "elbow", "hand"]])
def test_new_axes_of_joints_leave_the_keys_of_rotations_alone(arm, tmp_path, names):
    out = tmp_path / "out.fbx"
    # That all moves as before the writer proves.
    save(arm, turned(*names)(arm.rig), out)
    before, after = (
        {
            node.value(0): node.child("KeyValueFloat").floats()
            for _, node in walk(document(path).root())
            if node.name == "AnimationCurve"
        }
        for path in (arm.path, out)
    )
    for number in (521, 522, 523, 531, 532, 533):
        np.testing.assert_array_equal(before[number], after[number])


def test_what_stays_unkeyed_takes_new_axes_in_its_pre_rotation(arm, tmp_path):
    out = tmp_path / "out.fbx"
    save(arm, turned("shoulder")(arm.rig), out)
    (shoulder,) = (
        n for _, n in walk(document(out).root()) if n.name == "Model" and n.value(0) == 101
    )
    stated = {row.text(): row for row in shoulder.child("Properties70").children}
    assert "PreRotation" in stated
    assert "PostRotation" not in stated
    assert stated["RotationActive"].value(4) == 1


@pytest.mark.parametrize("name", ["shoulder", "elbow"])
def test_a_node_that_a_constraint_names_keeps_its_frame(name, tmp_path):
    path = tmp_path / "arm.fbx"
    constraint = b'Constraint: 900, "Constraint::aim", "Aim" {\n}\n'
    link = b'C: "OP",102,900, "Aimed"\n'
    source = fbx_arm.text().replace(b"Pose: 400", constraint + b"Pose: 400", 1)
    path.write_bytes(source.replace(b'C: "OO",101,0\n', b'C: "OO",101,0\n' + link, 1))
    loaded = load(path)
    rig = turned(name)(loaded.rig)
    refused(loaded, rig, tmp_path / "out.fbx", "a constraint or a character names elbow")


def unlisted(rig):
    """Take the hand out of the skin, which no vertex follows."""
    skin = rig.skins[0]
    return rig.with_skin(0, Skin(skin.name, skin.joints[:2], skin.joint_from_mesh[:2]))


def rehung(rig):
    """Hang the sleeve under the shoulder, where it is."""
    nodes = rig.nodes
    frames = model_from_nodes(rig, rest_pose(rig))
    sleeve, shoulder = (nodes.names.index(name) for name in ("sleeve", "shoulder"))
    t, q, s = affine.decompose(affine.inverse(frames[shoulder][None])[0] @ frames[sleeve])
    children = list(nodes.children)
    children[shoulder] = (*children[shoulder], sleeve)
    hung = with_nodes(
        rig,
        children=tuple(children),
        translations=with_row(nodes.translations, sleeve, t),
        rotations=with_row(nodes.rotations, sleeve, q),
        scales=with_row(nodes.scales, sleeve, s),
    )
    return replace(hung, roots=tuple(root for root in rig.roots if root != sleeve))


def rooted(rig):
    """Put a node that is no identity above all others, and let two points follow it."""
    result = under(rig, (0.1, 0.2, 0.3))
    above = len(rig.nodes)
    skin = result.skins[0]
    frames = model_from_nodes(result, rest_pose(result))
    bind = affine.inverse(frames[above][None]) @ frames[skin.joints[0]] @ skin.joint_from_mesh[0]
    binds = np.concatenate([skin.joint_from_mesh, bind])
    result = result.with_skin(0, Skin(skin.name, (*skin.joints, above), binds))
    old = result.meshes[0].primitives[0].influences
    return with_influences(
        result, with_row(old.joints, 5, (3, 0)), with_row(old.weights, 5, (1, 0))
    )


CLUSTER = ["Version", "Indexes", "Weights", "Transform", "TransformLink"]


@pytest.mark.parametrize(
    ("change", "records"),
    [
        (unlisted, {"Objects / Deformer", "Connections / C"}),
        (rehung, {"Connections / C", "Properties70 / P"}),
        (
            rooted,
            {
                "Connections / C",
                "Objects / Model",
                "Objects / NodeAttribute",
                "NodeAttribute / TypeFlags",
                "Model / Version",
                "Objects / Deformer",
                # Below a node the shoulder's keys are in our axes, not in those of the file's roots.
                "AnimationCurve / KeyValueFloat",
            },
        ),
    ],
)
def test_nodes_and_joints_come_and_go_with_their_connections(arm, tmp_path, change, records):
    out = tmp_path / "out.fbx"
    save(arm, change(arm.rig), out)
    inside = {f"Deformer / {name}" for name in CLUSTER} | {
        "Properties70 / P",
        "Model / Properties70",
    }
    assert differences(arm.path, out) - inside == records - inside
    links = [node.link() for _, node in walk(document(out).root()) if node.name == "C"]
    objects = {node.value(0) for _, node in walk(document(out).root()) if node.label()}
    assert all({source, to} <= objects | {0} for source, to, _ in links)


def test_objects_are_counted_anew(tmp_path):
    path, out = tmp_path / "arm.fbx", tmp_path / "out.fbx"
    counts = (
        b'Definitions:  {\n\tVersion: 100\n\tCount: 9\n\tObjectType: "Model" {\n\t\tCount: 5\n\t}\n'
        b'\tObjectType: "Deformer" {\n\t\tCount: 4\n\t}\n}\n'
    )
    path.write_bytes(fbx_arm.text().replace(b"Objects:", counts + b"Objects:", 1))
    loaded = load(path)
    save(loaded, rooted(loaded.rig), out)
    found = document(out).root().child("Definitions")
    stated = {n.text(): n.child("Count").integer() for n in found.all("ObjectType")}
    assert stated == {"Model": 6, "Deformer": 5, "NodeAttribute": 1}
    assert found.child("Count").integer() == 12
    save(loaded, unlisted(loaded.rig), out)
    assert document(out).root().child("Definitions").child("Count").integer() == 8


def test_a_curve_that_one_key_is_enough_for_keeps_its_first(tmp_path):
    path, out = tmp_path / "arm.fbx", tmp_path / "out.fbx"
    rows = fbx_arm.text()
    for values in ("0.0,10.0,-5.0", "0.0,20.0,40.0", "5.0,60.0,90.0"):
        first = values.split(",")[0]
        again = f"a: 1{first},1{first}0001,1{first}".encode()
        rows = rows.replace(f"a: {values}".encode(), again, 1)
    path.write_bytes(rows)
    loaded = load(path)
    assert len(loaded.rig.clips[0].curve(1, "rotation").times) == 3
    save(loaded, stilled(loaded.rig), out)
    assert len(load(out).rig.clips[0].curve(1, "rotation").times) == 1
    assert differences(path, out) == {
        f"AnimationCurve / {name}"
        for name in (
            "KeyTime",
            "KeyValueFloat",
            "KeyAttrFlags",
            "KeyAttrDataFloat",
            "KeyAttrRefCount",
        )
    }


def test_a_copy_in_another_folder_gets_the_images_beside_it(tmp_path, pixel):
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "arm.fbm").mkdir(parents=True)
    there.mkdir()
    (here / "arm.fbm" / "skin.png").write_bytes(pixel)
    material = (
        'Material: 800, "Material::m", "" {\n}\nTexture: 801, "Texture::t", "" {\n'
        ' RelativeFilename: "arm.fbm/skin.png"\n FileName: "/gone/skin.png"\n}\n'
    )
    links = f'C: "OO",800,{fbx_arm.MESH}\nC: "OP",801,800, "DiffuseColor"\n'
    source = fbx_arm.text().replace(b"Pose: 400", material.encode() + b"Pose: 400", 1)
    source = source.replace(b'C: "OO",101,0\n', links.encode() + b'C: "OO",101,0\n', 1)
    (here / "arm.fbx").write_bytes(source)
    loaded = load(here / "arm.fbx")
    assert loaded.rig.images
    for rig in (loaded.rig, reweighted(loaded.rig)):
        save(loaded, rig, there / "copy.fbx")
        assert (there / "arm.fbm" / "skin.png").read_bytes() == pixel
    assert not load(there / "copy.fbx").rig.missing
    (there / "arm.fbm" / "skin.png").write_bytes(b"another")
    with pytest.raises(SaveError, match=r"skin\.png beside it is another file"):
        save(loaded, loaded.rig, there / "other.fbx")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", ["ascii", "binary"])
def test_damaged_sources_end_in_an_error_of_the_file_or_a_sound_copy(tmp_path, name):
    rng, data = np.random.default_rng(5), ENCODINGS[name]()
    path, out = tmp_path / "arm.fbx", tmp_path / "out.fbx"
    saved = 0
    for number in range(40):
        broken = bytearray(data)
        place = int(rng.integers(30, len(data)))
        broken[place] = int(rng.integers(0, 256)) if number % 2 else broken[place] ^ 1
        path.write_bytes(bytes(broken))
        try:
            loaded = load(path)
            rig = turned("elbow")(loaded.rig)
            wanted = with_nodes(rig, names=tuple(f"{name}_x" for name in rig.nodes.names))
        except (LoadError, ValueError, Refused):
            continue
        try:
            save(loaded, wanted, out)
        except SaveError:
            continue
        saved += 1
        assert load(out).rig.nodes.names == wanted.nodes.names
    assert saved > 5


def test_equal_streams_that_state_different_counts_are_an_error_of_the_file(tmp_path):
    data = bytearray(fbx_arm.binary())
    # The second count of two curves' runs, whose deflated bytes are the same.
    second = data.index(b"KeyAttrRefCounti", data.index(b"KeyAttrRefCounti") + 1)
    data[second + len(b"KeyAttrRefCounti") + 3] = 1
    path = tmp_path / "arm.fbx"
    path.write_bytes(bytes(data))
    with pytest.raises(LoadError, match="the array holds"):
        load(path)


# --- what is refused ----------------------------------------------------------------------------------


def refused(loaded, rig, out, words):
    with pytest.raises(SaveError, match=words):
        save(loaded, rig, out)
    assert not out.exists()


def test_rigs_that_are_not_the_file_s_are_refused(arm, samples, tmp_path):
    out = tmp_path / "out.fbx"
    other = load(samples / "box.glb")
    refused(other, other.rig, out, "only written as an amended copy .* glTF can hold")
    bigger = load(arm.path, overrides=Overrides(unit_m=1.0))
    refused(bigger, bigger.rig, out, "the unit and up axis that it states")
    arm.path.write_bytes(arm.path.read_bytes() + b" ")
    refused(arm, reweighted(arm.rig), out, "has changed since it was opened")


def test_vertices_of_one_control_point_must_agree(arm, tmp_path):
    mesh = arm.rig.meshes[0].primitives[0]
    file = tmp_path / "split.fbx"
    corners = "".join(f"{x},{x % 7}," for x in range(12)).rstrip(",")
    layer = (
        b'LayerElementUV: 0 {\n MappingInformationType: "ByPolygonVertex"\n'
        b' ReferenceInformationType: "Direct"\n UV: *24 {\n a: ' + corners.encode() + b"\n}\n}\n"
    )
    source = fbx_arm.text().replace(b"PolygonVertexIndex:", layer + b"PolygonVertexIndex:", 1)
    file.write_bytes(source)
    split = load(file)
    primitive = split.rig.meshes[0].primitives[0]
    assert len(primitive.positions) > len(mesh.positions)
    weights = np.array(primitive.influences.weights)
    twins = np.flatnonzero(np.all(primitive.positions == primitive.positions[2], axis=1))
    weights[twins[0]] = weights[twins[0]][::-1]
    changed = Influences(primitive.influences.joints, weights)
    rig = split.rig.with_primitive(0, 0, replace(primitive, influences=changed))
    refused(split, rig, tmp_path / "out.fbx", "at one control point have different weights")


def test_a_cluster_of_another_mode_is_refused(tmp_path):
    path = tmp_path / "arm.fbx"
    path.write_bytes(
        fbx_arm.text().replace(b" Version: 100\n", b' Version: 100\n Mode: "Additive"\n')
    )
    loaded = load(path)
    refused(loaded, reweighted(loaded.rig), tmp_path / "out.fbx", "has the mode Additive")


def masked(rig):
    mesh = rig.meshes[0].primitives[0]
    return rig.with_primitive(0, 0, replace(mesh, compensation=np.zeros(len(mesh.positions))))


def relit(rig):
    mesh = rig.meshes[0].primitives[0]
    return rig.with_primitive(0, 0, replace(mesh, normals=mesh.normals[:, ::-1]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (masked, "the painted mask of the mesh sleeve"),
        (relit, "other normals of sleeve are not written"),
        (lambda rig: replace(rig, clips=()), "clips of an FBX file cannot be taken out"),
        (lambda rig: replace(rig, node_skins=(None,) * len(rig.nodes)), "the skin of sleeve"),
    ],
)
def test_what_the_file_cannot_hold_is_refused_by_name(arm, tmp_path, change, words):
    refused(arm, change(arm.rig), tmp_path / "out.fbx", words)


@pytest.mark.corpus
def test_files_of_6_1_are_refused_by_name(corpus, tmp_path):
    path = corpus / "rigs/ufbx+ufbx/data/maya_transformed_skin_6100_ascii.fbx"
    loaded = load(path)
    refused(loaded, loaded.rig, tmp_path / "out.fbx", "FBX 6.1 is not amended, only 7.0 and newer")


@pytest.mark.parametrize("order", range(7))
@pytest.mark.parametrize("beside", [0.0, 1e-9, 1e-7, 1e-5, 1e-3])
def test_angles_of_a_rotation_give_it_back_near_right_angles(order, beside):
    degrees = np.array([[30.0, -70.0, 110.0], [-160.0, 5.0, 20.0]])
    degrees[:, ORDERS[order][1]] = 90.0 - beside, beside - 90.0
    of = np.array([order, order])
    wanted = quat.to_matrix(euler(degrees, of))
    again = quat.to_matrix(euler(to_euler(euler(degrees, of), of), of))
    np.testing.assert_allclose(again, wanted, atol=1e-7)


def scaled_below(rig):
    """Take a scale off the shoulder that everything below gets, without moving the skin."""
    return reframe(
        rig, {rig.nodes.names.index("shoulder"): FrameTurn(np.array(quat.IDENTITY), 0.01)}
    )


def test_a_scale_goes_from_a_joint_to_what_is_below(arm, tmp_path):
    out = tmp_path / "out.fbx"
    save(arm, scaled_below(arm.rig), out)
    assert load(out).rig.nodes.scales[0] == pytest.approx(0.01)
