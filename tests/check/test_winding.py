"""MSH-WINDING: winding and normals are made to agree as the enclosed volume tells."""

from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.check.applying.dryrun import dry_run
from rigview.check.run import run
from rigview.core.measures.solid import closed_surface, signed_volume
from rigview.core.mesh import MorphTargets
from rigview.io import load, save


def with_primitive(rig, **changes):
    primitive = rig.meshes[0].primitives[0]
    return rig.with_primitive(0, 0, replace(primitive, **changes))


def ball(inside_out=False, dark=False):
    """Return a rig whose mesh is an octahedron, wound inwards or with normals that point inwards."""
    rig = rigs.tidy()
    old = rig.meshes[0].primitives[0]
    points = np.zeros((len(old.positions), 3))
    points[:6] = np.concatenate([np.eye(3), -np.eye(3)])
    faces = [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)]
    triangles = np.array(faces)
    normals = np.where(np.any(points, axis=1)[:, None], points, (0.0, 1.0, 0.0))
    normals[:6] *= -1.0 if dark else 1.0
    triangles = triangles[:, ::-1] if inside_out else triangles
    return with_primitive(rig, positions=points, normals=normals, triangles=triangles)


def findings(rig):
    return run(rig, select=["MSH-WINDING"]).findings


def test_a_sound_ball_is_silent_and_so_is_one_whose_normals_and_winding_both_face_inwards():
    assert findings(ball()) == ()
    assert findings(ball(inside_out=True, dark=True)) == ()


def test_faces_wound_inwards_are_turned_and_normals_stay():
    rig = ball(inside_out=True)
    (finding,) = findings(rig)
    before = rig.meshes[0].primitives[0]
    after = finding.fix.repair(rig).meshes[0].primitives[0]
    assert np.array_equal(after.normals, before.normals)
    assert np.array_equal(after.positions, before.positions)
    assert signed_volume(after.positions, closed_surface(after.positions, after.triangles)) > 0.0


def test_normals_that_point_inwards_are_turned_and_faces_stay():
    rig = ball(dark=True)
    (finding,) = findings(rig)
    before = rig.meshes[0].primitives[0]
    after = finding.fix.repair(rig).meshes[0].primitives[0]
    assert np.array_equal(after.triangles, before.triangles)
    assert np.array_equal(after.normals[:6], after.positions[:6])


def test_morphed_normals_and_the_axes_of_normal_maps_are_turned_with_the_normals():
    """What was shaded before is shaded after, seen from the other side."""
    rig = ball(dark=True)
    old = rig.meshes[0].primitives[0]
    rng = np.random.default_rng(3)
    moved, tangents = rng.normal(size=(2, 2, *old.positions.shape)), rng.normal(size=(6, 3))
    handed = np.concatenate([tangents, np.array([[1.0], [-1.0]] * 3)], axis=1)
    handed = np.concatenate([handed, np.tile((1.0, 0.0, 0.0, 1.0), (len(old.positions) - 6, 1))])
    rig = with_primitive(rig, morphs=MorphTargets(*moved), tangents=handed)
    before = rig.meshes[0].primitives[0]
    (finding,) = findings(rig)
    after = finding.fix.repair(rig).meshes[0].primitives[0]
    assert np.array_equal(after.morphs.positions, before.morphs.positions)
    for target in range(2):
        shaded = [p.normals[:6] + p.morphs.normals[target, :6] for p in (before, after)]
        assert np.array_equal(shaded[1], -shaded[0])
    third = [np.cross(p.normals, p.tangents[:, :3]) * p.tangents[:, 3:] for p in (before, after)]
    assert np.array_equal(third[0], third[1])
    # No face has the other vertices.
    assert np.array_equal(after.morphs.normals[:, 6:], before.morphs.normals[:, 6:])


@pytest.mark.corpus
def test_a_real_mesh_lit_from_within_is_turned_and_nothing_moves(corpus, tmp_path):
    """Its normals all point inwards: LBS, DQS and the compensation leave every vertex where it was."""
    path = corpus / "rigs" / "guillaumeblanc+ozz-animation/media/fbx/pab/skeleton.fbx"
    loaded = load(path)
    rig = loaded.rig
    before = run(rig).findings
    (finding,) = [found for found in before if found.rule == "MSH-WINDING"]
    fixed = finding.fix.repair(rig)
    old, new = rig.meshes[0].primitives[0], fixed.meshes[0].primitives[0]
    assert finding.fix.kind == "exact"
    assert dry_run(rig, fixed).displacement == {"lbs": 0.0, "dqs": 0.0, "compensated": 0.0}
    assert np.array_equal(new.triangles, old.triangles)
    assert np.array_equal(new.normals, -old.normals)
    assert finding.fix.repair(fixed) is fixed
    left = [(found.rule, found.message) for found in run(fixed).findings]
    assert left == [(f.rule, f.message) for f in before if f is not finding]
    # And so it is in the file that is saved.
    target = tmp_path / "fixed.glb"
    save(loaded, fixed, target)
    assert findings(load(target).rig) == ()


def test_a_mirrored_node_is_no_fault():
    rig = ball()
    scales = rig.nodes.scales.copy()
    scales[rig.parts[0].node] = (-1.0, 1.0, 1.0)
    assert findings(rigs.with_nodes(rig, scales=scales)) == ()


def test_a_flat_shell_has_no_inside_to_tell():
    rig = ball(inside_out=True)
    primitive = rig.meshes[0].primitives[0]
    sheet = with_primitive(
        rig,
        normals=np.tile((0.0, -1.0, 0.0), (len(primitive.positions), 1)),
        positions=primitive.positions * (1.0, 0.0, 1.0),
        triangles=np.array([(0, 2, 3)])[:, ::-1],
    )
    up = with_primitive(sheet, normals=np.tile((0.0, 1.0, 0.0), (len(primitive.positions), 1)))
    (finding,) = [*findings(sheet), *findings(up)]
    assert finding.fix.kind == "none"
    assert "flat" in finding.fix.reason
