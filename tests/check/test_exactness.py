"""Fixes that call themselves exact move no vertex: 200 random rigs, every key and between, every method."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rigview.check.rig_edits.joint_list import parents_first, reorder_joints
from rigview.check.rig_edits.reframe import FrameTurn, reframe
from rigview.check.rig_edits.reorient import reorient
from rigview.check.rig_edits.reparent import reparent
from rigview.check.rule import PROFILES, Refused
from rigview.check.rules.hierarchy import share_parent, skeleton_roots
from rigview.check.rules.scale import bake_scale, fold, unflip
from rigview.check.run import run
from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.sampler import Sampler
from rigview.core.skinning import Options

# What CHECKS.md allows is 1e-5; rounding leaves far less.
EXACT = 1e-9
ANIMATED = st.sampled_from([("translation", "rotation"), ("translation", "rotation", "scale")])
many = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def moves_nothing(before, after, options=None):
    worst = rigs.largest_difference(before, after, options)
    assert max(worst.values()) <= EXACT, worst


ANY = rigs.rigs(
    vertices=12, joints=st.integers(3, 13), clips=1, animated=ANIMATED,
    morphs=st.integers(0, 1), prop=st.booleans(),
)  # fmt: skip


@many
@given(rig=ANY)
def test_exact_fixes_of_many_rigs_move_nothing(rig):
    """Re-orientation, both scale bakes and reordering, one after the other on the same rig."""
    for rule in ("HIE-ORDER", "ORI-PRIMARY", "SCL-SKIN", "SCL-INHERIT"):
        found = [f for f in run(rig, select=[rule]).findings if f.fix.kind == "exact"]
        if found:
            fixed = found[0].fix.repair(rig)
            moves_nothing(rig, fixed)
            again = run(fixed, select=[rule]).findings
            assert found[0].key not in [f.key for f in again]
            rig = fixed


@given(rig=rigs.rigs(vertices=12, clips=1, animated=ANIMATED), axis=st.sampled_from(["+x", "-y"]))
def test_re_orientation_of_a_rig_with_an_axis_of_choice_moves_lbs_and_dqs_nothing(rig, axis):
    # A signed axis is a local one: turning the joints turns what the compensation takes for bones.
    turns = {
        j: FrameTurn(rigs.random_turn(np.random.default_rng(j))) for j in rig.skins[0].joints[:3]
    }
    worst = rigs.largest_difference(rig, reframe(rig, turns), Options(axis=axis))
    assert max(worst["lbs"], worst["dqs"]) <= EXACT


@given(
    rig=rigs.rigs(vertices=12, clips=1, animated=ANIMATED, prop=True, skins=1),
    seed=st.integers(0, 2**32 - 1),
)
def test_any_new_frames_of_any_joints_move_nothing(rig, seed):
    rng = np.random.default_rng(seed)
    joints = [j for j in rig.skins[0].joints if rng.random() < 0.5]
    turns = {j: FrameTurn(rigs.random_turn(rng), float(rng.uniform(0.1, 10.0))) for j in joints}
    moves_nothing(rig, reframe(rig, turns))


@given(rig=rigs.rigs(vertices=12, bind_scale=1.0, joint_scale=st.booleans(), clips=1))
def test_baked_joints_have_scale_one_and_children_stay(rig):
    baked = bake_scale(rig, 0)
    model = Deformer(baked).rest.model_from_node
    for joint in baked.skins[0].joints:
        assert np.allclose(np.linalg.norm(model[joint][:3, :3], axis=0), 1.0, atol=2e-5)
    # Nodes that are no joints stay where and how they were.
    old = Deformer(rig).rest.model_from_node
    touched = {a for j in rig.joints for a in (j, *rig.nodes.ancestors(j))}
    # What only shows a skinned mesh hangs as it did: its place does not count.
    shown = {n for n, skin in enumerate(rig.node_skins) if skin is not None}
    for node in set(range(len(rig.nodes))) - touched - shown:
        assert np.allclose(model[node], old[node], atol=1e-9 * max(1.0, np.abs(old[node]).max()))


@given(
    rig=rigs.rigs(
        vertices=12, bind_scale=st.sampled_from([0.01, 100.0]), morphs=1, clips=1, skins=1
    )
)
def test_a_folded_bind_leaves_unweighted_vertices_where_they_are(rig):
    weights = rig.meshes[0].primitives[0].influences.weights.copy()
    weights[2:4] = 0.0
    rig = rigs.with_influences(rig, weights=weights)
    # All of the skin scales alike unless joints do on top of it.
    moves_nothing(rig, fold(rig, 0))


@given(rig=rigs.rigs(vertices=12, clips=1, shuffled=True), seed=st.integers(0, 2**32 - 1))
def test_any_order_of_joints_moves_nothing_and_parents_first_is_one(rig, seed):
    order = np.random.default_rng(seed).permutation(len(rig.skins[0].joints)).tolist()
    moves_nothing(rig, reorder_joints(rig, 0, order))
    ordered = parents_first(rig, 0)
    place = {joint: i for i, joint in enumerate(ordered.skins[0].joints)}
    for joint, at in place.items():
        assert all(place[a] < at for a in rig.nodes.ancestors(joint) if a in place)


def test_parents_first_keeps_an_order_that_is_right():
    rig = rigs.make(rigs.Recipe(seed=1, joints=8))
    assert rigs.same(parents_first(rig, 0), rig)


@given(rig=rigs.rigs(vertices=12, clips=1, animated=ANIMATED, helpers=False, skins=1))
def test_another_parent_moves_nothing_where_it_is_taken(rig):
    # Above the armature nothing is animated: hang the skeleton beside it.
    still = replace(
        rig,
        clips=tuple(
            replace(c, channels=tuple(ch for ch in c.channels if ch.node != 0)) for c in rig.clips
        ),
    )
    root = skeleton_roots(still, 0)[0]
    moved = reparent(still, root, -1)
    assert moved.nodes.parents[root] == -1
    moves_nothing(still, moved)
    assert rigs.same(share_parent(rig, 0), rig)


@given(rig=rigs.rigs(vertices=12, clips=1, skins=1), seed=st.integers(0, 2**32 - 1))
def test_a_half_turn_written_as_scale_is_turned_and_moves_nothing(rig, seed):
    rng = np.random.default_rng(seed)
    joint = int(rng.choice(rig.skins[0].joints))
    flip = np.where(np.arange(3) == rng.integers(3), 1.0, -1.0)
    nodes = rig.nodes
    flipped = rigs.with_nodes(
        rig, scales=rigs.with_row(nodes.scales, joint, nodes.scales[joint] * flip)
    )
    turned = unflip(flipped, joint)
    assert np.all(turned.nodes.scales[joint] > 0.0)
    moves_nothing(flipped, turned)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 2)])
@pytest.mark.parametrize("seed", range(6))
def test_keys_half_a_turn_apart_go_the_same_way_round_after_a_re_orientation(axis, seed):
    # Both ways are equally short: which one is taken must be no matter of rounding.
    rng = np.random.default_rng(seed)
    rig = rigs.make(rigs.Recipe(seed=seed, joints=3, shape="chain", influences=3, vertices=12))
    middle = rig.skins[0].joints[1]
    rest = rig.nodes.rotations[middle]
    half = quat.multiply(rest, np.array([*np.array(axis) / np.linalg.norm(axis), 0.0]))
    curve = Channel(middle, "rotation", Sampler(np.array([0.0, 1.0]), np.stack([rest, half])))
    rig = replace(rig, clips=(Clip("Half turn", (curve,)),))
    moves_nothing(rig, reframe(rig, {middle: FrameTurn(rigs.random_turn(rng))}))


def test_two_legs_alike_keep_their_primary_child_when_the_hips_are_turned():
    # Weights and lengths of both sides are even: rounding must not choose another bone.
    for seed in range(20):
        rng = np.random.default_rng(seed)
        sketch = rigs.Sketch()
        hips = sketch.add("hips", -1, rng.normal(size=3), rigs.random_turn(rng))
        out = rng.normal(size=3)
        legs = [sketch.add(f"leg {side}", hips, out * (side, 1, 1)) for side in (-1, 1)]
        feet = [sketch.add(f"foot {i}", leg, (0, -1, 0)) for i, leg in enumerate(legs)]
        assert len(feet) == 2
        sketch.add("Body", -1)
        nodes = sketch.nodes()
        joints = (hips, *legs, *feet)
        shown = tuple(0 if n == 5 else None for n in range(6))
        source = rigs.make(rigs.Recipe(seed=seed, joints=5, influences=2, vertices=12))
        rig = replace(
            source,
            nodes=nodes,
            node_meshes=shown,
            node_skins=shown,
            roots=sketch.roots,
            skins=(replace(source.skins[0], joints=joints),),
            clips=(),
        )
        even = np.tile([[0, 1], [0, 2]], (6, 1))
        rig = rigs.with_influences(rig, even, np.full((12, 2), 0.5))
        model = Deformer(rig).rest.model_from_node[list(joints)]
        binds = np.linalg.inv(model)
        rig = rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))
        moves_nothing(rig, reframe(rig, {hips: FrameTurn(rigs.random_turn(rng))}))


def test_reorientation_is_refused_or_exact_never_neither():
    taken = 0
    for seed in range(40):
        rig = rigs.make(
            rigs.Recipe(seed=seed, stretched=seed % 2 == 0, mirrored=seed % 3 == 0, clips=1)
        )
        try:
            fixed = reorient(rig, 0, 0.0, PROFILES["gltf"])
        except Refused:
            continue
        taken += 1
        moves_nothing(rig, fixed)
    assert taken > 5
