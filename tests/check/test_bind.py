"""Rules about the bind: against the rest pose, crushed, or not stated at all."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st
from tidy import ARM, JOINTS, run

from rigview.check.rule import Refused
from rigview.check.rules.bind_matrices import fold_stretch
from rigview.core import affine, quat


@pytest.mark.parametrize("form", ["glTF", "FBX"])
@pytest.mark.parametrize("clips", ["none", "keyed", "others keyed"])
def test_a_rest_in_another_pose_is_information_unless_a_clip_plays_it(form, clips):
    rig = rigs.tidy()
    turn = quat.multiply(rig.nodes.rotations[ARM], quat.from_axis_angle((1.0, 0.0, 0.0), 1.0))
    rig = rigs.with_nodes(rig, rotations=rigs.with_row(rig.nodes.rotations, ARM, turn))
    (clip,) = rig.clips
    assert ARM in clip.moves
    kept = {
        "none": (),
        "keyed": rig.clips,
        "others keyed": (replace(clip, channels=[c for c in clip.channels if c.node != ARM]),),
    }
    rig = replace(rig, origin=replace(rig.origin, format=form), clips=kept[clips])
    (finding,) = run(rig, select=["BND-REST"]).findings
    assert finding.severity == ("warning" if clips == "others keyed" else "info")


@pytest.mark.parametrize(
    "scales", [(3e38, 0.0, 1.0), (0.0, 0.0, 0.0), (1e-38, 0.0, 1e-38), (1.0, 1.0, 1e-320)]
)
def test_a_bind_that_crushes_has_a_finite_measure(scales):
    rig = rigs.tidy()
    binds = rig.skins[0].joint_from_mesh.copy()
    binds[2, :3, :3] = np.diag(scales)
    rig = replace(rig, skins=(replace(rig.skins[0], inverse_binds=binds),))
    (finding,) = run(rig, select=["BND-SINGULAR", "BND-NONRIGID"]).findings
    assert finding.rule == "BND-SINGULAR"
    assert finding.joints == (JOINTS[2],)
    assert np.isfinite(finding.value)


def test_no_inverse_binds_are_no_fault_where_all_joints_are_at_the_origin():
    rig = rigs.tidy()
    nodes = rig.nodes
    still = rigs.with_nodes(
        rig,
        translations=0.0 * nodes.translations,
        rotations=np.tile(quat.IDENTITY, (len(nodes), 1)),
    )
    still = replace(still.with_skin(0, replace(rig.skins[0], inverse_binds=None)), clips=())
    assert [f.rule for f in run(still).findings] == ["HIE-ZEROLEN"]


@pytest.mark.parametrize("odd", [0, 1, 2])
def test_of_three_skins_the_one_that_is_bound_otherwise_is_named_once(odd):
    rig = rigs.tidy()
    (skin,) = rig.skins
    binds = skin.joint_from_mesh.copy()
    turn = quat.to_matrix(quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(20.0)))
    binds[2, :3] = turn @ binds[2, :3]
    skins = [skin, skin, skin]
    skins[odd] = replace(skin, inverse_binds=binds)
    (finding,) = run(replace(rig, skins=tuple(skins)), select=["BND-CONFLICT"]).findings
    assert finding.key == odd
    assert finding.value == pytest.approx(20.0)
    assert finding.joints == (skin.joints[2],)


def test_a_bind_of_nothing_is_no_scale_of_the_skin():
    rig = rigs.tidy()
    (skin,) = rig.skins
    binds = skin.joint_from_mesh.copy()
    binds[2, :3, :3] = 0.0
    lost = rig.with_skin(0, replace(skin, inverse_binds=binds))
    rules = ["BND-SINGULAR", "SCL-SKIN"]
    assert [f.rule for f in run(lost, select=rules).findings] == ["BND-SINGULAR"]


def attached_stretched(rig, seed, joints=slice(None)):
    """Return the rig with inverse binds that stretch the mesh: by one ellipsoid, on some joints."""
    rng = np.random.default_rng(seed)
    _, stretch = affine.polar(np.eye(3) + 0.3 * rng.uniform(-1.0, 1.0, (3, 3)))
    binds = rig.skins[0].joint_from_mesh.copy()
    binds[joints, :3, :3] = binds[joints, :3, :3] @ stretch
    return rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))


RIGID = {"vertices": 12, "skins": 1, "bind_scale": 1.0, "joint_scale": False, "armature": 1.0}


@settings(max_examples=8)
@given(rig=rigs.rigs(**RIGID, clips=1, morphs=st.integers(0, 2)), seed=st.integers(0, 2**32 - 1))
def test_folding_a_common_stretch_makes_binds_rigid_and_moves_nothing(rig, seed):
    stretched = attached_stretched(rig, seed)
    fixed = fold_stretch(stretched, 0)
    _, left = affine.polar(fixed.skins[0].joint_from_mesh[:, :3, :3])
    assert affine.is_rigid(left, 1e-9)
    for pose, method in product(rigs.poses(rig)[:2], ("lbs", "dqs")):
        before, after = (rigs.positions(r, pose, method) for r in (stretched, fixed))
        assert np.abs(after - before).max() <= 1e-9 * np.ptp(before, axis=0).max()


def test_a_stretch_of_some_joints_or_with_loose_vertices_is_not_folded():
    rig = rigs.make(rigs.Recipe(seed=1, **RIGID))
    with pytest.raises(Refused, match="differently"):
        fold_stretch(attached_stretched(rig, 2, joints=[1]), 0)
    loose = rig.meshes[0].primitives[0].influences.weights.copy()
    loose[3] = 0.0
    with pytest.raises(Refused, match="no joint moves"):
        fold_stretch(attached_stretched(rigs.with_influences(rig, weights=loose), 2), 0)
