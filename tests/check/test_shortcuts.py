"""What rules settle at one glance is what looking at everything finds, and in time."""

import time
from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.check.measures.facts import Facts
from rigview.check.measures.whole_skin import row_difference
from rigview.check.rules import bind_pose
from rigview.check.rules import joints as joints_
from rigview.check.rules.nearest import nearer
from rigview.check.run import run
from rigview.core import affine, quat
from rigview.core.arrays import unit
from rigview.core.bones import Segments
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.rig import Rig, Skin

SEEDS = st.integers(0, 2**32 - 1)


def rows(rng, number, width):
    """Return influences of which no row names a joint twice, some slots empty."""
    joints = np.array([rng.permutation(6)[:width] for _ in range(number)]).reshape(number, width)
    weights = rng.random((number, width)) * (rng.random((number, width)) < 0.7)
    return Influences(np.where(weights == 0.0, 0, joints), weights)


def dense(influences):
    result = np.zeros((len(influences.joints), 6))
    each = np.arange(len(influences.joints))[:, None]
    np.add.at(result, (each, influences.joints), influences.weights)
    return result


@given(SEEDS, st.integers(0, 12), st.integers(1, 5), st.integers(1, 5))
def test_rows_of_weights_differ_as_joint_by_joint(seed, number, width, other_width):
    rng = np.random.default_rng(seed)
    a, b = rows(rng, number, width), rows(rng, number, other_width)
    if width == other_width:  # rows in the same order, with other weights
        same = rng.random(number) < 0.5
        weights = a.weights * rng.random(a.weights.shape)
        mask = same[:, None]
        b = Influences(np.where(mask, a.joints, b.joints), np.where(mask, weights, b.weights))
    apart = np.abs(dense(a) - dense(b))
    total, most = row_difference(a, b)
    np.testing.assert_allclose(total, apart.sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(most, apart.max(axis=1, initial=0.0), atol=1e-12)


@given(
    seed=SEEDS, number=st.integers(1, 6), size=st.sampled_from([1e-6, 1.0, 1e24]),
    off=st.sampled_from([0.0, 1e5]), spread=st.sampled_from([1.0, 0.0]),
)  # fmt: skip
def test_the_nearest_bone_is_the_nearest_of_all_one_by_one(seed, number, size, off, spread):
    rng = np.random.default_rng(seed)
    heads, points = rng.normal(size=(number, 3)), rng.normal(size=(20, 3))
    directions, reach = unit(rng.normal(size=(number, 3))), 2.0 * rng.random(20)
    bones = Segments(size * (spread * heads + off), directions, size * spread * rng.random(number))
    points = size * (points + off)
    found, nearest = nearer(bones, points, size * reach)
    each = [bones.distance(np.full(20, bone), points) for bone in range(number)]
    least = np.min(each, axis=0) / size
    np.testing.assert_allclose(nearest / size, least[found], atol=1e-3)
    assert set(np.flatnonzero(least < reach - 0.05)) <= set(found)
    assert np.all(least[found] < reach[found] + 0.05)


@given(
    rig=rigs.rigs(vertices=12, skins=st.integers(1, 2), bind=st.just("rest")),
    seed=SEEDS, noise=st.sampled_from([0.0, 1e-6, 1e-3, 3e-3, 1e-2, 0.1]),
)  # fmt: skip
def test_binds_that_are_alike_at_a_glance_are_alike_one_by_one(rig, seed, noise):
    rng = np.random.default_rng(seed)
    for skin, old in enumerate(rig.skins):
        off = affine.compose(
            noise * rng.normal(size=(len(old.joints), 3)),
            quat.from_axis_angle(
                rng.normal(size=(len(old.joints), 3)), noise * rng.random(len(old.joints))
            ),
            np.ones((len(old.joints), 3)),
        )
        rig = rig.with_skin(skin, replace(old, inverse_binds=old.joint_from_mesh @ off))
    found = run(rig, select=["BND-REST"]).findings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bind_pose, "_as_bound", lambda *_: False)
        assert [f.message for f in run(rig, select=["BND-REST"]).findings] == [
            f.message for f in found
        ]


@given(
    rig=rigs.rigs(
        joints=8, vertices=12, skins=st.integers(1, 2), bind=st.sampled_from(["rest", "offset"]),
        helpers=st.booleans(), shuffled=st.booleans(),
    ),
    carrying=st.integers(1, 4),
)  # fmt: skip
def test_joints_that_say_nothing_of_bones_are_those_without_which_bones_stay(rig, carrying):
    for mesh in range(len(rig.meshes)):
        joints = rig.meshes[mesh].primitives[0].influences.joints % carrying
        rig = rigs.with_influences(rig, joints=joints, mesh=mesh)
    leaves = {joint for joint, below in rig.joint_children.items() if not below}
    names = enumerate(rig.nodes.names)
    rig = rigs.with_nodes(rig, names=tuple(f"{n}_end" if i in leaves else n for i, n in names))
    told = run(rig, select=["HIE-UNUSED", "HIE-LEAF"]).findings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joints_, "_say_nothing", lambda *_: False)
        whole = run(rig, select=["HIE-UNUSED", "HIE-LEAF"]).findings
    assert [f.fix.kind for f in whole] == [f.fix.kind for f in told]


def test_that_joints_say_nothing_of_bones_is_known_without_laying_bones_anew(monkeypatch):
    rig = rigs.make(rigs.Recipe(joints=6, shape="chain"))
    rig = rigs.with_influences(rig, joints=rig.meshes[0].primitives[0].influences.joints % 2)
    monkeypatch.setattr(joints_, "same_bones", None)
    (finding,) = run(rig, select=["HIE-UNUSED"]).findings
    assert finding.fix.kind == "exact"
    assert finding.value == 3  # the third says where the bone of the second ends


def chain(number):
    """Return a skeleton of joints in a row, without a mesh."""
    sketch = rigs.Sketch()
    for i in range(number):
        sketch.add(f"joint {i}", i - 1, (0.0, 0.1, 0.0))
    none = (None,) * number
    return Rig(sketch.nodes(), none, none, (0,), skins=(Skin("skin", tuple(range(number))),))


def seconds(rig):
    """Return what the rules about a skin's list, and what they share, take on a new rig."""
    new = replace(rig)
    start = time.process_time()
    assert not Facts(Deformer(new)).idle
    run(new, select=["HIE-DUPJOINT", "HIE-NAMES", "HIE-ROOT"])
    return time.process_time() - start


def test_rules_about_joints_take_no_longer_than_their_number():
    few, many = chain(600), chain(2400)
    assert min(seconds(many) for _ in range(3)) < 8.0 * min(seconds(few) for _ in range(3))
