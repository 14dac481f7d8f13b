"""Meshes in amended FBX files: nodes that move under vertices without weight, normals turned round."""

from dataclasses import replace

import fbx_arm
import numpy as np
import pytest
from rigs import with_nodes

from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.io import SaveError, load, save
from rigview.io.fbx.objects import Objects
from rigview.io.fbx.reader import document


@pytest.fixture(params=[fbx_arm.text, fbx_arm.binary])
def partly_skinned(request, tmp_path, monkeypatch):
    """The arm of which two points and one more follow no joint, opened."""
    weights = fbx_arm.WEIGHTS.copy()
    weights[[0, 1, 4]] = 0.0
    monkeypatch.setattr(fbx_arm, "WEIGHTS", weights)
    path = tmp_path / "arm.fbx"
    path.write_bytes(request.param())
    return load(path)


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.fbx"
    path.write_bytes(fbx_arm.text())
    return load(path)


def with_mesh_at(rig, translation, rotation=quat.IDENTITY, scale=(1.0, 1.0, 1.0)):
    node = rig.nodes.names.index("sleeve")
    rows = {"translations": translation, "rotations": rotation, "scales": scale}
    changed = {name: getattr(rig.nodes, name).copy() for name in rows}
    for name, value in rows.items():
        changed[name][node] = value
    return with_nodes(rig, **changed)


def element(path, name):
    objects = Objects(document(path).root())
    return next(
        e for kind in ("Model", "Geometry") for e in objects.of_kind(kind) if e.name == name
    )


TURN = quat.from_axis_angle([1.0, 2.0, 3.0], 0.8)


@pytest.mark.parametrize(
    "place",
    [((0.0, 0.0, 0.0),), ((0.3, 0.1, -0.2), TURN), ((0.0, 0.5, 0.0), TURN, (2.0, 2.0, 2.0))],
    ids=["origin", "turned", "scaled"],
)
def test_vertices_without_weight_stay_while_the_node_of_their_mesh_moves(
    partly_skinned, tmp_path, place
):
    wanted, out = with_mesh_at(partly_skinned.rig, *place), tmp_path / "out.fbx"
    save(partly_skinned, wanted, out)
    copy = load(out)
    a, b = Deformer(partly_skinned.rig), Deformer(copy.rig)
    assert np.abs(a.rest_positions - b.rest_positions).max() < 1e-9
    geometric = element(out, "sleeve").vector("GeometricTranslation", 0.0)
    assert np.abs(geometric).max() > 1.0
    again = tmp_path / "again.fbx"
    save(copy, copy.rig, again)
    assert again.read_bytes() == out.read_bytes()


def test_vertices_without_weight_that_would_shear_are_refused_by_name(partly_skinned, tmp_path):
    turned = with_mesh_at(partly_skinned.rig, (0.0, 0.0, 0.0), TURN, (1.0, 2.0, 1.0))
    with pytest.raises(SaveError, match=r"sleeve has vertices without weight.*sheared"):
        save(partly_skinned, turned, tmp_path / "out.fbx")
    assert not (tmp_path / "out.fbx").exists()


def test_a_mesh_whose_vertices_all_follow_joints_gets_no_geometric_transform(arm, tmp_path):
    out = tmp_path / "out.fbx"
    save(arm, with_mesh_at(arm.rig, (0.0, 0.0, 0.0)), out)
    assert not element(out, "sleeve").states("GeometricTranslation")


def with_normals(rig, normals):
    primitive = rig.meshes[0].primitives[0]
    return rig.with_primitive(0, 0, replace(primitive, normals=normals))


def test_normals_turned_round_are_written_and_nothing_else_is(arm, tmp_path):
    normals, out = arm.rig.meshes[0].primitives[0].normals, tmp_path / "out.fbx"
    places = arm.rig.meshes[0].primitives[0].positions[:, 0]
    sign = np.where(places > np.median(places), -1.0, 1.0)[:, None]
    save(arm, with_normals(arm.rig, normals * sign), out)
    (copy,) = load(out).rig.meshes[0].primitives
    assert np.allclose(copy.normals, normals * sign)
    before, after = (path.read_text().splitlines() for path in (arm.path, out))
    pairs = [*zip(before, after, strict=True)]
    assert {a.strip("a: -,0.68") for a, b in pairs if a != b} == {""}
    assert sum(a != b for a, b in pairs) == 1


def test_other_normals_and_those_of_one_point_that_part_are_refused(arm, tmp_path):
    (primitive,) = arm.rig.meshes[0].primitives
    other = primitive.normals[:, [0, 2, 1]]
    with pytest.raises(SaveError, match="only those turned round"):
        save(arm, with_normals(arm.rig, other), tmp_path / "out.fbx")
    # The third corner is not the only one of its point.
    head, *rows = fbx_arm.text().split(b"0,0.6,0.8")
    split = b"0,0.6,0.8".join([head, *rows[:2]]) + b"0,0.8,0.6" + b"0,0.6,0.8".join(rows[2:])
    path = tmp_path / "split.fbx"
    path.write_bytes(split)
    loaded = load(path)
    (primitive,) = loaded.rig.meshes[0].primitives
    one = np.isclose(primitive.normals, [0.0, 0.8, 0.6]).all(axis=1)
    assert one.sum() == 1
    parted = np.where(one[:, None], -primitive.normals, primitive.normals)
    with pytest.raises(SaveError, match="at one control point"):
        save(loaded, with_normals(loaded.rig, parted), tmp_path / "out.fbx")
