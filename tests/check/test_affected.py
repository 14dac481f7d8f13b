"""What a change is said to touch is all that it moves, and little else."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.check.applying.affected import Affected
from rigview.check.applying.rom_trials import limits
from rigview.check.rig_edits import joint_list, reparent
from rigview.check.rule import Refused
from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.motion.range_of_motion import RestSkeleton, range_of_motion
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options

MOMENTS = [(None, 0.0), (0, 0.3), (1, 0.5)]


def turned_node(rig, rng):
    rotations = rig.nodes.rotations.copy()
    rotations[rng.integers(len(rig.nodes))] = rigs.random_turn(rng)
    return rigs.with_nodes(rig, rotations=rotations)


def other_curve(rig, rng):
    clip = rig.clips[1]
    if not clip.channels:
        return rig
    number = int(rng.integers(len(clip.channels)))
    channel = clip.channels[number]
    sampler = replace(channel.sampler, values=channel.sampler.values[::-1].copy() * 1.5)
    channels = list(clip.channels)
    channels[number] = replace(channel, sampler=sampler)
    return replace(rig, clips=(rig.clips[0], replace(clip, channels=tuple(channels))))


def lost_curve(rig, rng):
    clip = rig.clips[0]
    channels = [c for i, c in enumerate(clip.channels) if i != 1]
    return replace(rig, clips=(replace(clip, channels=tuple(channels)), rig.clips[1]))


def rebound(rig, rng):
    skin = rig.skins[0]
    binds = skin.inverse_binds.copy()
    binds[rng.integers(len(binds)), :3, 3] += 0.1
    return rig.with_skin(0, replace(skin, inverse_binds=binds))


def rehung(rig, rng):
    node, parent = rng.choice(len(rig.nodes), 2, replace=False)
    try:
        return reparent.reparent(rig, int(node), int(parent))
    except Refused:
        return rig


def reweighted(rig, rng):
    influences = rig.meshes[0].primitives[0].influences
    weights = influences.weights.copy()
    weights[rng.integers(len(weights))] = rng.uniform(size=weights.shape[1])
    return rigs.with_influences(rig, weights=weights)


def reordered(rig, rng):
    order = rng.permutation(len(rig.skins[0].joints)).tolist()
    return joint_list.reorder_joints(rig, 0, order)


def reshaped(rig, rng):
    primitive = rig.meshes[0].primitives[0]
    positions = primitive.positions.copy()
    positions[rng.integers(len(positions))] += 0.1
    return rig.with_primitive(0, 0, replace(primitive, positions=positions))


def masked(rig, rng):
    primitive = rig.meshes[0].primitives[0]
    mask = (rng.random(len(primitive.positions)) < 0.8).astype(float)
    return rig.with_primitive(0, 0, replace(primitive, compensation=mask))


def morphed(rig, rng):
    weights = {node: rng.uniform(-1, 1, len(w)) for node, w in rig.node_morph_weights.items()}
    return replace(rig, node_morph_weights=weights)


CHANGES = [
    turned_node, other_curve, lost_curve, rebound, rehung, reweighted, reordered, reshaped, masked,
    morphed,
]  # fmt: skip


@pytest.mark.thorough(keep=3)
@pytest.mark.parametrize("change", CHANGES)
@settings(max_examples=7)
@given(recipe=rigs.recipes(clips=2, morphs=st.sampled_from([0, 2]), prop=True))
def test_what_moves_anywhere_is_touched(change, recipe):
    rig = rigs.make(recipe)
    changed = change(rig, np.random.default_rng(recipe.seed))
    old = Deformer(rig)
    touched = Affected(old, old.of_changed(changed))
    place = {part: number for number, part in enumerate(changed.parts)}
    for number, part in enumerate(rig.parts):
        named = set(touched.vertices(part).tolist())
        moved = moving_vertices(old, Deformer(changed), number, place[part])
        assert moved <= named
        crowds = touched.crowds(number, place[part], Options())
        assert moved <= set(() if crowds is None else crowds[0].vertices.tolist())


def moving_vertices(old, new, i, j):
    """Return the vertices that stand elsewhere at any moment by any method, beyond rounding."""
    moving = set()
    for clip, time in MOMENTS:
        frames = [
            of.frame(sample(of.rig, None if clip is None else of.rig.clips[clip], time))
            for of in (old, new)
        ]
        for method in ("lbs", "compensated"):
            a = old.skin(i, frames[0], METHODS[method], Options()).positions
            b = new.skin(j, frames[1], METHODS[method], Options()).positions
            apart = np.linalg.norm(a - b, axis=1)
            moving |= set(np.flatnonzero(apart > 1e-9 * old.size).tolist())
    return moving


@given(rig=rigs.rigs(clips=2, morphs=2, prop=True))
def test_a_rig_touches_nothing_of_itself(rig):
    old = Deformer(rig)
    again = replace(rig, clips=tuple(replace(clip) for clip in rig.clips))
    touched = Affected(old, old.of_changed(again))
    assert not any(len(touched.vertices(part)) for part in rig.parts)
    assert not any(touched.moves_in(clip) for clip in range(len(rig.clips)))


def test_what_is_bound_as_it_was_is_not_posed_though_it_is_written_otherwise():
    rig = rigs.make(rigs.Recipe(influences=3, seed=5))
    influences = rig.meshes[0].primitives[0].influences
    turned = rigs.with_influences(
        rig, joints=influences.joints[:, ::-1].copy(), weights=influences.weights[:, ::-1].copy()
    )
    old = Deformer(rig)
    touched = Affected(old, old.of_changed(turned))
    assert len(touched.vertices(rig.parts[0]))
    assert touched.crowds(0, 0, Options()) is None


def test_a_joint_that_turns_touches_what_follows_it_and_what_is_below():
    rig = rigs.make(rigs.Recipe(shape="chain", joints=6, influences=1, seed=2))
    old = Deformer(rig)
    turn = quat.multiply(rig.nodes.rotations, quat.from_axis_angle((0, 0, 1.0), 0.5))
    node = rig.skins[0].joints[3]
    rotations = rig.nodes.rotations.copy()
    rotations[node] = turn[node]
    touched = Affected(old, old.of_changed(rigs.with_nodes(rig, rotations=rotations)))
    follows = np.array(rig.skins[0].joints)[rig.meshes[0].primitives[0].influences.heaviest]
    below = np.isin(follows, list(rig.nodes.subtree(node)))
    assert set(touched.vertices(rig.parts[0])) == set(np.flatnonzero(below))
    assert below.any()
    assert not below.all()


def test_a_joint_that_is_bound_otherwise_may_move_its_vertices_though_it_stands_where_it_did():
    rig = rigs.tidy()
    binds = rig.skins[0].inverse_binds.copy()
    binds[4, 0, 3] += 0.1
    old = Deformer(rig)
    touched = Affected(
        old, old.of_changed(rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds)))
    )
    assert not touched.nodes.any()
    assert [listed.tolist() for listed in touched.joints(0)] == [[4], [4]]
    assert touched.moves_in(0)


def test_a_joint_that_is_named_without_weight_touches_nothing():
    rig = rigs.tidy()
    influences = rig.meshes[0].primitives[0].influences
    other = np.where(influences.weights == 0.0, 1, influences.joints)
    assert not np.array_equal(other, influences.joints)
    old = Deformer(rig)
    touched = Affected(old, old.of_changed(rigs.with_influences(rig, joints=other)))
    assert not len(touched.vertices(rig.parts[0]))


@pytest.mark.parametrize("joint", [5, 99])
def test_a_vertex_that_names_another_joint_is_touched_whether_the_skin_lists_it_or_not(joint):
    rig = rigs.tidy()
    joints = rig.meshes[0].primitives[0].influences.joints.copy()
    joints[6, 0] = joint
    old = Deformer(rig)
    touched = Affected(old, old.of_changed(rigs.with_influences(rig, joints=joints)))
    assert touched.vertices(rig.parts[0]).tolist() == [6]


def renamed(rig, _rng):
    return rigs.with_nodes(rig, names=tuple(f"joint {i}" for i in range(len(rig.nodes))))


def unweighted(rig, rng):
    influences = rig.meshes[0].primitives[0].influences
    lost = influences.joints == rng.integers(len(rig.skins[0].joints))
    return rigs.with_influences(rig, weights=np.where(lost, 0.0, influences.weights))


@pytest.mark.parametrize("change", [*CHANGES, renamed, unweighted])
@settings(max_examples=7)
@given(recipe=rigs.recipes(clips=2, morphs=st.sampled_from([0, 2]), prop=True))
def test_what_a_change_leaves_is_taken_over_and_nothing_else(change, recipe):
    rig = rigs.make(recipe)
    rigs.layout(rig)
    changed = change(rig, np.random.default_rng(recipe.seed))
    assert rigs.layout(changed) == rigs.layout(rigs.anew(changed))
    old, fresh = Deformer(rig), Deformer(changed)
    taken = old.of_changed(changed)
    assert taken.size == fresh.size
    for ours, theirs in zip(taken.rest_corners, fresh.rest_corners, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(taken.rest_nodes, fresh.rest_nodes)
    if RestSkeleton.of(rig).is_like(RestSkeleton.of(changed)):
        same_clips(range_of_motion(rig, limits()).clip, range_of_motion(changed, limits()).clip)


@pytest.mark.parametrize("change", [*CHANGES, renamed, unweighted])
@settings(max_examples=4)
@given(recipe=rigs.recipes(clips=2, morphs=st.sampled_from([0, 2]), prop=True))
def test_one_excerpt_does_for_both_where_only_what_hangs_on_the_nodes_changed(change, recipe):
    rig = rigs.make(recipe)
    changed = change(rig, np.random.default_rng(recipe.seed))
    old = Deformer(rig)
    touched = Affected(old, old.of_changed(changed))
    if change in (reweighted, reshaped, masked, unweighted):
        assert touched.moves_alike
    if touched.moves_alike:
        assert not touched.nodes.any()
        assert not any(len(touched.joints(skin)[0]) for skin in old.skins)
        assert all(a is b for a, b in zip(rig.clips, changed.clips, strict=True))


def same_clips(a, b):
    assert [(c.node, c.path) for c in a.channels] == [(c.node, c.path) for c in b.channels]
    for ours, theirs in zip(a.channels, b.channels, strict=True):
        np.testing.assert_array_equal(ours.sampler.times, theirs.sampler.times)
        np.testing.assert_array_equal(ours.sampler.values, theirs.sampler.values)
