"""The mathematics against numbers computed independently (tests/data/golden.json)."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import plain_dual_quaternions
import pytest

from rigview.core import affine, dualquat, quat, skinning
from rigview.core.bones import Segments
from rigview.core.mesh import Primitive
from rigview.core.methods import bulge, palette
from rigview.core.methods.binding import Binding
from rigview.core.methods.bone_frames import BoneFrames
from rigview.core.methods.capsule_shares import sharpened
from rigview.core.methods.posed import Posed
from rigview.core.methods.vertex_constants import VertexConstants
from rigview.core.skinning import Options

VECTORS = {
    vector["name"]: vector
    for vector in json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())[
        "vectors"
    ]
}


@pytest.fixture
def vector(request):
    chosen = VECTORS[request.param]
    inputs = {k: np.array(v) if isinstance(v, list) else v for k, v in chosen["inputs"].items()}
    expected = {k: np.array(v) for k, v in chosen["expected"].items()}
    return inputs, expected, chosen.get("tol", 1e-9)


def close(got, wanted, tolerance):
    wanted = np.asarray(wanted)
    assert np.all(np.abs(np.asarray(got) - wanted) <= tolerance * np.maximum(1.0, np.abs(wanted)))


def named(name):
    return pytest.mark.parametrize("vector", [name], indirect=True)


def binding(weights, side=0.0, radius=1.0):
    """One vertex whose influence k is joint k, ranked by weight."""
    order = np.argsort(-weights, kind="stable")
    return Binding(order[None], weights[order][None], np.array([side]), np.array([radius]))


def posed(matrices, weights, point, normal=(0.0, 0.0, 1.0), **static):
    bound = binding(np.asarray(weights), **static)
    return Posed(
        bound,
        palette.of_matrices(np.asarray(matrices)),
        np.zeros((len(matrices), 3)),
        np.asarray(point, dtype=float)[None],
        np.asarray(normal, dtype=float)[None],
        bulge.amplitudes(bound, "p1"),
    )


def cloud(points):
    none = np.zeros(0, dtype=int)
    return Primitive(points, none.reshape(0, 3), none.reshape(0, 2), none)


def two_bones():
    bones = Segments(np.zeros((2, 3)), np.tile((1.0, 0.0, 0.0), (2, 1)), np.ones(2))
    return bones, np.array([-1, 0]), np.array([1, -1])


def bent(bound, mesh, turn, statics):
    """Pose two bones, the second turned about the origin."""
    matrices = np.tile(np.eye(4), (2, 1, 1))
    matrices[1, :3, :3] = quat.to_matrix(turn)
    points = mesh.positions
    normals = np.tile((0.0, 0.0, 1.0), (len(points), 1))
    still = np.zeros(len(points))
    return Posed(
        bound, palette.of_matrices(matrices), np.zeros((2, 3)), points, normals, still, statics
    )


@named("dq_from_rigid")
def test_a_rigid_motion_as_dual_quaternion(vector):
    given, wanted, tol = vector
    dq = dualquat.from_rigid(given["quat"], given["translation"])
    close(dq, wanted["dq"], tol)
    close(plain_dual_quaternions.to_matrix(dq), wanted["matrix"], tol)


@named("dq_transform_point_normal")
def test_a_dual_quaternion_moves_points_and_turns_normals(vector):
    given, wanted, tol = vector
    close(
        plain_dual_quaternions.transform_points(given["dq"], given["point"]), wanted["point"], tol
    )
    close(quat.rotate(given["dq"][:4], given["normal"]), wanted["normal"], tol)


@named("quat_from_matrix_180")
def test_the_quaternion_of_a_half_turn(vector):
    given, wanted, tol = vector
    q = quat.from_matrix(given["matrix"])
    target = wanted["quat_up_to_sign"]
    close(q * np.sign(np.dot(q, target)), target, tol)


@named("dlb_two_antipodal")
def test_blending_takes_the_short_arc(vector):
    given, wanted, tol = vector
    blended = plain_dual_quaternions.blend(
        np.stack([given["dq0"], given["dq1"]])[None], given["weights"][None]
    )
    close(blended[0], wanted["blended_dq"], tol)
    close(plain_dual_quaternions.transform_points(blended, given["point"])[0], wanted["point"], tol)
    close(quat.rotate(blended[:, :4], given["normal"])[0], wanted["normal"], tol)


@named("dlb_three")
def test_the_heaviest_influence_is_the_pivot(vector):
    given, wanted, tol = vector
    bound = binding(given["weights"])
    dq = np.stack([given["dq0"], given["dq1"], given["dq2"]])[bound.joints]
    blended = plain_dual_quaternions.blend(dq, bound.weights)
    close(blended[0], wanted["blended_dq"], tol)
    close(plain_dual_quaternions.transform_points(blended, given["point"])[0], wanted["point"], tol)


@named("lbs_vs_dqs_90")
def test_lbs_collapses_where_dqs_keeps_its_length(vector):
    given, wanted, tol = vector
    mesh = posed([given["S0"], given["S1"]], given["weights"], given["point"], given["normal"])
    for method in ("lbs", "dqs"):
        skinned = skinning.METHODS[method].skin(mesh, Options())
        close(skinned.positions[0], wanted[f"{method}_point"], tol)
        close(skinned.normals[0], wanted[f"{method}_normal"], tol)


@named("dqs_with_scale")
def test_dqs_with_joints_that_scale(vector):
    given, wanted, tol = vector
    mesh = posed([given["S0"], given["S1"]], given["weights"], given["point"], given["normal"])
    rotation, stretch = affine.polar(given["S1"][:3, :3])
    close(rotation, wanted["polar_R"], tol)
    close(stretch, wanted["polar_S"], tol)
    for convention in ("vertex", "origin"):
        skinned = skinning.dqs(mesh, Options(scale=convention))
        close(skinned.positions[0], wanted[f"point_{convention}"], tol)
        close(skinned.normals[0], wanted["normal"], tol)


@named("thesis_two_bones_90")
def test_listing_2_on_two_bones(vector):
    given, wanted, tol = vector
    weights = np.zeros(2)
    weights[given["slots"]] = given["weights"]
    turn = np.eye(4)
    turn[:3, :3] = quat.to_matrix(quat.from_axis_angle((0.0, 0.0, 1.0), np.pi / 2))
    bones = np.stack([given["dir_parent"], given["dir_child"]])
    # The child is the heavier joint, a descendant of the other.
    bound = binding(weights, side=-1.0, radius=given["R"])
    for name in ("p1", "p0", "p2", "c1"):
        amplitude = bulge.amplitudes(bound, name)
        close(abs(amplitude[0]), wanted[f"poly_{name.upper()}_value"], tol)
        mesh = Posed(
            bound,
            palette.of_matrices(np.stack([np.eye(4), turn])),
            bones,
            given["point"][None],
            np.array([[0.0, -1.0, 0.0]]),
            amplitude,
        )
        close(skinning.dqs(mesh, Options()).positions[0], wanted["dqs_point"], tol)
        for angle in ("code", "slide"):
            compensated = skinning.compensated(mesh, Options(strength=given["s"], angle=angle))
            close(compensated.positions[0], wanted[f"compensated_{name.upper()}_{angle}"], tol)


@named("thesis_three_influences")
def test_listing_2_on_three_influences(vector):
    given, wanted, tol = vector
    weights = np.zeros(3)
    weights[given["slots"]] = given["weights"]
    # Joint 1 is the heaviest and the parent of joint 2, the second heaviest.
    bound = binding(weights, side=1.0, radius=float(wanted["R"]))
    matrices = plain_dual_quaternions.to_matrix(given["skin_dq"])
    for name in ("p1", "c1"):
        mesh = Posed(
            bound,
            palette.of_matrices(matrices),
            given["bone_dir"],
            given["point"][None],
            np.array([[0.0, 0.0, 1.0]]),
            bulge.amplitudes(bound, name),
        )
        close(skinning.dqs(mesh, Options()).positions[0], wanted["dqs_point"], tol)
        compensated = skinning.compensated(mesh, Options(strength=given["s"]))
        close(compensated.positions[0], wanted[f"compensated_{name.upper()}"], tol)
    limbs = BoneFrames.linked(
        Segments(np.zeros((3, 3)), given["bone_dir"], np.ones(3)),
        np.array([-1, 0, 1]),
        np.array([1, 2, -1]),
    )
    mesh = replace(mesh, statics=VertexConstants(bound, limbs, cloud(given["point"][None])))
    basic = skinning.basic(mesh, Options(strength=given["s"]))
    close(basic.positions[0], wanted["listing1_P1"], tol)


@named("capsule_two_bones_90")
def test_the_capsule_on_two_bones(vector):
    given, wanted, tol = vector
    bones = Segments.between(given["heads"], given["tails"], given["heads"])
    limbs = BoneFrames.linked(bones, given["parents"], np.array([1, -1]))
    bound = Binding(given["slots"], given["weights"], np.zeros(5), np.ones(5))
    turn = np.eye(4)
    turn[:3, :3] = quat.to_matrix(
        quat.from_axis_angle((0.0, 0.0, 1.0), np.radians(given["bend_deg"]))
    )
    statics = VertexConstants(bound, limbs, cloud(given["points"]))
    close(statics.shares, sharpened(wanted["shares"]), tol)
    # The published points are those of shares that no step sharpens.
    vars(statics)["shares"] = wanted["shares"]
    mesh = Posed(
        bound,
        palette.of_matrices(np.stack([np.eye(4), turn])),
        np.zeros((2, 3)),
        given["points"],
        given["normals"],
        np.zeros(5),
        statics,
    )
    close(skinning.dqs(mesh, Options()).positions, wanted["dqs"], tol)
    skinned = skinning.capsule_compensated(mesh, Options())
    close(skinned.positions, wanted["point_crease0.0"], tol)
    close(skinned.normals, wanted["normal_crease0.0"], tol)


@named("cor_tube")
def test_the_centre_of_rotation_of_a_tubes_vertex(vector):
    given, wanted, tol = vector
    order = np.argsort(-given["weights"], axis=1, kind="stable")
    weights = np.take_along_axis(given["weights"], order, axis=1)
    bound = Binding(order, weights, np.zeros(len(weights)), np.ones(len(weights)))
    mesh = replace(cloud(given["vertices"]), triangles=given["triangles"])
    statics = VertexConstants(bound, BoneFrames.linked(*two_bones()), mesh)
    close(statics.centres[given["vertex"]], wanted["centre"], tol)
    turn = quat.from_axis_angle((0.0, 0.0, 1.0), np.radians(given["bend_deg"]))
    skinned = skinning.rotated_about_centres(bent(bound, mesh, turn, statics), Options())
    close(skinned.positions[given["vertex"]], wanted["point"], tol)


@named("cor_given_centre")
def test_a_vertex_turns_about_its_centre(vector):
    given, wanted, tol = vector
    # The first weight is the turned bone's, as in the vectors of the thesis.
    bound = Binding(np.array([[1, 0]]), given["weights"][None], np.zeros(1), np.ones(1))
    mesh = cloud(given["point"][None])
    statics = VertexConstants(bound, BoneFrames.linked(*two_bones()), mesh)
    vars(statics)["centres"] = given["centre"][None]
    turn = quat.from_axis_angle((0.0, 0.0, 1.0), np.pi / 2)
    skinned = skinning.rotated_about_centres(bent(bound, mesh, turn, statics), Options())
    close(skinned.positions[0], wanted["point"], tol)


@named("shortest_arc_edge_cases")
def test_the_shortest_arc_of_parallel_and_opposed_directions(vector):
    given, wanted, tol = vector
    q = quat.arc(given["a"], given["b"])
    close(q[0], wanted["q_parallel"], tol)
    unit = given["a"] / np.linalg.norm(given["a"], axis=1, keepdims=True)
    close(quat.rotate(q, unit), wanted["rotated_a"], tol)


@named("swing_twist")
def test_swing_and_twist(vector):
    given, wanted, tol = vector
    swing, twist = quat.swing_twist(given["quat"], given["axis"])
    close(swing, wanted["swing"], tol)
    close(twist, wanted["twist"], tol)
