"""Weights edited by hand: sums and locks hold, seams stay closed, and nothing else changes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.weights import choosing, edits, filling, flooding, smoothing
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import BrushPoints
from rigview.core.weights.making import WeightRequest, make_weights
from rigview.core.weights.mirroring import mirror_of
from rigview.core.weights.problem import NotMade
from rigview.core.weights.skin_points import dense, editable, slots
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
JOINTS = 6
seeds = st.integers(0, 2**32 - 1)
shares = st.floats(0.0, 1.0)


def random_rows(rng, count=12, sums=None):
    """Return rows of a few influences; some have no weight at all."""
    rows = rng.random((count, JOINTS)) * (rng.random((count, JOINTS)) < 0.5)
    total = rows.sum(axis=1, keepdims=True)
    wanted = np.ones(count) if sums is None else sums
    return np.where(total > 0.0, rows / np.where(total > 0.0, total, 1.0), 0.0) * wanted[:, None]


def random_freedom(rng, locked=0.4):
    parents = np.array([-1, *(rng.integers(0, i) for i in range(1, JOINTS))])
    return Freedom(parents, rng.random(JOINTS) < locked)


def random_graph(rng, count=12):
    """Return the means of random neighbours; some points have none."""
    linked = rng.random((count, count)) < 0.2
    linked |= linked.T
    np.fill_diagonal(linked, 0)
    return csr_array(linked / np.maximum(linked.sum(axis=1, keepdims=True), 1))


def each_edit(rng, rows, free, joint, value, strength):
    """Yield every edit of rows that is not refused, with the rows it gives."""
    graph, points = random_graph(rng), np.arange(len(rows))
    means = smoothing.means_of(graph, points, rows.__getitem__)
    if free.refusal(joint, "it") is None:
        yield "replace", edits.replaced(rows, joint, value, strength, free)
        yield "add", edits.added(rows, joint, value, strength, free)
        yield "subtract", edits.added(rows, joint, -value, strength, free)
        yield "scale", edits.scaled(rows, joint, 3.0 * value, strength, free)
    yield "smooth", smoothing.smoothed(rows, means, strength, free)
    yield "sharpen", smoothing.sharpened(rows, means, strength, free)
    chosen = np.flatnonzero(strength > 0.5)
    hammered = rows.copy()
    hammered[chosen] = smoothing.hammered(graph, chosen, rows.__getitem__)
    yield "hammer", edits.obeying(rows, hammered, free)
    yield "prune", edits.pruned_below(rows, 0.3 * value, free)
    try:
        yield "keep", edits.largest_kept(rows, 3, free)
    except NotMade:
        assert ((rows > 0.0) & free.locked).sum(axis=1).max() > 3


@given(seed=seeds, joint=st.integers(0, JOINTS - 1), value=shares)
def test_sums_and_locked_joints_stay_and_no_weight_leaves_0_to_the_sum(seed, joint, value):
    rng = np.random.default_rng(seed)
    sums = rng.choice([1.0, 1.0, 0.7, 1.2], 12)
    rows, free = random_rows(rng, sums=sums), random_freedom(rng)
    before = rows.copy()
    for name, after in each_edit(rng, rows, free, joint, value, rng.random(12)):
        total = rows.sum(axis=1)
        gained = (total == 0.0) & (after.sum(axis=1) > 0.0)
        np.testing.assert_allclose(
            after.sum(axis=1)[~gained], total[~gained], atol=1e-9, err_msg=name
        )
        np.testing.assert_allclose(after.sum(axis=1)[gained], 1.0, atol=1e-9)
        assert (after >= 0.0).all(), name
        if name not in ("prune", "keep"):
            # These may leave nothing but locked joints, which take what the others had.
            np.testing.assert_array_equal(after[:, free.locked], rows[:, free.locked])
        else:
            assert (after[:, free.locked] >= rows[:, free.locked] - 1e-12).all()
        np.testing.assert_array_equal(rows, before)


@given(seed=seeds, joint=st.integers(0, JOINTS - 1), value=shares)
def test_at_strength_zero_nothing_changes_bit_for_bit(seed, joint, value):
    rng = np.random.default_rng(seed)
    rows, free = random_rows(rng), random_freedom(rng)
    for name, after in each_edit(rng, rows, free, joint, value, np.zeros(12)):
        if name not in ("prune", "keep"):
            np.testing.assert_array_equal(after, rows, err_msg=name)


@given(seed=seeds, joint=st.integers(0, JOINTS - 1), value=shares)
def test_a_joint_gets_the_weight_that_is_typed_and_the_others_give_way_in_proportion(
    seed, joint, value
):
    rng = np.random.default_rng(seed)
    rows, free = random_rows(rng) + 1e-3, Freedom(np.full(JOINTS, -1), np.zeros(JOINTS, bool))
    rows /= rows.sum(axis=1, keepdims=True)
    after = edits.replaced(rows, joint, value, np.ones(12), free)
    np.testing.assert_allclose(after[:, joint], value, atol=1e-12)
    others = np.arange(JOINTS) != joint
    share = rows[:, others] / rows[:, others].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(after[:, others], (1.0 - value) * share, atol=1e-12)


def test_what_nobody_else_has_goes_to_the_nearest_free_ancestor_or_stays():
    rows = np.array([[0.0, 0.0, 0.0, 1.0]])
    free = Freedom(np.array([-1, 0, 1, 2]), np.array([False, False, True, False]))
    after = edits.replaced(rows, 3, 0.25, np.ones(1), free)
    np.testing.assert_allclose(after, [[0.0, 0.75, 0.0, 0.25]])
    alone = edits.replaced(rows[:, ::-1].copy(), 0, 0.25, np.ones(1), free)
    np.testing.assert_array_equal(alone, [[1.0, 0.0, 0.0, 0.0]])


def test_a_joint_that_is_locked_or_has_nobody_to_take_from_is_refused():
    locked = np.array([False, True, True])
    assert Freedom(np.full(3, -1), locked).refusal(0, "hand_l") == "all other joints are locked"
    assert Freedom(np.full(3, -1), locked).refusal(1, "hand_l") == "hand_l is locked"
    assert Freedom(np.full(3, -1), ~locked).refusal(1, "hand_l") is None


@given(seed=seeds, strength=shares)
def test_smoothing_what_is_the_same_everywhere_changes_nothing(seed, strength):
    rng = np.random.default_rng(seed)
    row = random_rows(rng, 1) + 0.01
    rows = np.repeat(row / row.sum(), 12, axis=0)
    means = smoothing.means_of(random_graph(rng), np.arange(12), rows.__getitem__)
    after = smoothing.smoothed(rows, means, np.full(12, strength), random_freedom(rng))
    np.testing.assert_array_equal(after, rows)


@given(seed=seeds)
def test_normalising_makes_sums_one_and_scales_locked_joints_only_where_they_exceed_it(seed):
    rng = np.random.default_rng(seed)
    rows = random_rows(rng, sums=rng.choice([1.0, 0.3, 2.0], 12))
    free = random_freedom(rng)
    after = edits.normalised(rows, free)
    over = rows[:, free.locked].sum(axis=1) > 1.0
    loose = rows[:, ~free.locked].sum(axis=1) > edits.NO_WEIGHT
    np.testing.assert_allclose(after[loose | over].sum(axis=1), 1.0, atol=1e-9)
    np.testing.assert_array_equal(after[~over][:, free.locked], rows[~over][:, free.locked])


def test_a_hammered_patch_is_filled_from_its_border_inwards():
    line = np.zeros((5, JOINTS))
    line[:, 0] = [1.0, 0.0, 0.0, 0.0, 1.0]
    line[:, 1] = 1.0 - line[:, 0]
    linked = np.diag(np.ones(4), 1) + np.diag(np.ones(4), -1)
    graph = csr_array(linked / linked.sum(axis=1, keepdims=True))
    after = smoothing.hammered(graph, np.array([1, 2, 3]), line.__getitem__)
    np.testing.assert_allclose(after[:, 0], 1.0)


@given(seed=seeds, trace=st.floats(0.0, 1e-11))
def test_of_weights_however_small_no_more_are_kept_than_were_asked_for(seed, trace):
    rng = np.random.default_rng(seed)
    free = Freedom(np.full(JOINTS, -1), np.zeros(JOINTS, dtype=bool))
    after = edits.largest_kept(random_rows(rng) + trace, 3, free)
    assert np.count_nonzero(after, axis=1).max() <= 3


@given(seed=seeds)
def test_rows_become_slots_and_rows_again(seed):
    rows = random_rows(np.random.default_rng(seed))
    np.testing.assert_array_equal(dense(*slots(rows), JOINTS), rows)


@pytest.fixture(scope="module")
def biped():
    rig = load(SAMPLES / "biped.glb").rig
    (of,) = editable(Deformer(rig))
    return of


@pytest.fixture(scope="module")
def box():
    """Return a box whose edges are seams."""
    (of,) = editable(Deformer(load(SAMPLES / "box.glb").rig))
    assert of.copies.max() == 3
    return of


def unlocked(of):
    return Freedom(of.parents, np.zeros(len(of.nodes), dtype=bool))


def rows_by_vertex(rig, of):
    every = [rig.meshes[m].primitives[p].influences for m, p in of.character.members]
    return np.concatenate([dense(i.joints, i.weights, len(of.nodes)) for i in every])


def test_copies_at_a_seam_stay_equal_and_all_other_vertices_keep_their_bits(box):
    seam = np.flatnonzero(box.copies > 1)[:40]
    brush = BrushPoints("add", 1, 0.3)
    edited = flooding.flood(box, seam, brush, unlocked(box))
    before, after = rows_by_vertex(box.rig, box), rows_by_vertex(edited.rig, box)
    point_of = box.surface.point_of
    np.testing.assert_array_equal(after, after[box.first_vertex[point_of]])
    changed = (before != after).any(axis=1)
    np.testing.assert_array_equal(changed, np.isin(point_of, edited.points))
    assert set(edited.points) <= set(seam)


def test_lips_that_touch_at_rest_with_weights_of_their_own_stay_two(box):
    mesh, number = box.character.members[0]
    primitive = box.rig.meshes[mesh].primitives[number]
    vertex = int(np.flatnonzero(box.copies[box.surface.point_of] > 1)[0])
    joints, weights = primitive.influences.joints.copy(), primitive.influences.weights.copy()
    joints[vertex], weights[vertex] = 0, 0.0
    joints[vertex, 0], weights[vertex, 0] = 1, 1.0
    rig = box.rig.with_primitive(
        mesh, number, replace(primitive, influences=Influences(joints, weights))
    )
    (of,) = editable(Deformer(rig))
    assert of.count == box.count + 1
    np.testing.assert_array_equal(
        rows_by_vertex(rig, of)[of.first_vertex], of.rows(np.arange(of.count))
    )


def test_mirroring_twice_is_mirroring_once_and_mirrors_both_sides(biped):
    rng = np.random.default_rng(3)
    points = np.flatnonzero(rng.random(biped.count) < 0.2)
    brush = BrushPoints("add", int(rng.integers(len(biped.nodes))), 0.4)
    uneven = flooding.flood(biped, points, brush, unlocked(biped)).rig
    (of,) = editable(Deformer(uneven))
    by = mirror_of(of)
    once, told = flooding.mirror(of, by, "left to right", unlocked(of))
    assert len(once.points)
    (again,) = editable(Deformer(once.rig))
    twice, _ = flooding.mirror(again, mirror_of(again), "left to right", unlocked(again))
    assert not len(twice.points)
    rows = again.rows(np.arange(again.count))
    kept = np.setdiff1d(np.flatnonzero(by.side <= 0), told.unpaired)
    np.testing.assert_allclose(rows[kept], rows[by.image[kept]][:, by.partner], atol=1e-9)
    left = np.flatnonzero(by.side > 0)
    np.testing.assert_array_equal(rows[left], of.rows(left))


def test_points_that_nothing_mirrors_are_told_and_stay(biped):
    mesh, number = biped.character.members[0]
    primitive = biped.rig.meshes[mesh].primitives[number]
    by = mirror_of(biped)
    alone = int(np.flatnonzero(by.side < 0)[0])
    vertices = np.flatnonzero(biped.surface.point_of == alone)
    positions = primitive.positions.copy()
    positions[vertices] *= 1.05
    rig = biped.rig.with_primitive(mesh, number, replace(primitive, positions=positions))
    (of,) = editable(Deformer(rig))
    edited, told = flooding.mirror(of, mirror_of(of), "left to right", unlocked(of))
    assert set(of.points_of({0: vertices})) <= set(told.unpaired)
    assert not set(told.unpaired) & set(edited.points)


def test_no_vertex_gets_more_influences_than_it_has_slots(biped):
    free = unlocked(biped)
    of, everything = biped, np.arange(biped.count)
    for joint in range(0, len(biped.nodes), 5):
        edited = flooding.flood(of, everything[::7], BrushPoints("add", joint, 0.05), free)
        (of,) = editable(Deformer(edited.rig))
    widths = {p.influences.joints.shape[1] for m in edited.rig.meshes for p in m.primitives}
    assert widths == {4} == {biped.most}
    np.testing.assert_allclose(of.rows(everything).sum(axis=1), 1.0, atol=1e-6)


@given(seed=seeds)
def test_pasted_columns_are_set_and_the_others_share_what_is_left(seed):
    rng = np.random.default_rng(seed)
    rows = random_rows(rng) + 1e-3
    rows /= rows.sum(axis=1, keepdims=True)
    free = Freedom(np.full(JOINTS, -1), np.arange(JOINTS) == 5)
    joints = np.array([1, 3])
    values = rng.random((12, 2)) * 0.5 * (1.0 - rows[:, 5:])
    after = edits.with_some(rows, joints, values, free)
    np.testing.assert_allclose(after[:, joints], values, atol=1e-12)
    np.testing.assert_array_equal(after[:, 5], rows[:, 5])
    np.testing.assert_allclose(after.sum(axis=1), 1.0, atol=1e-12)


def test_growing_adds_a_ring_shrinking_takes_one_away_and_shells_are_whole(biped):
    start = np.array([0])
    ring = choosing.grown(biped, start)
    linked = biped.neighbours[start].indices
    np.testing.assert_array_equal(ring, np.union1d(start, linked))
    np.testing.assert_array_equal(choosing.shrunk(biped, ring), start)
    shell = choosing.of_shells(biped, start)
    np.testing.assert_array_equal(choosing.grown(biped, shell), shell)
    np.testing.assert_array_equal(choosing.shrunk(biped, shell), shell)
    node = biped.nodes[int(biped.joints[0, 0])]
    owned = choosing.of_joint(biped, node)
    position = biped.column_of[node]
    np.testing.assert_array_equal(owned, np.flatnonzero(biped.column(position)))


def test_emptied_vertices_are_filled_as_the_command_fills_them_and_no_others(biped):
    hand = biped.nodes.index(biped.rig.nodes.names.index("hand_l"))
    points = np.flatnonzero(biped.column(hand) > 0.9)
    empty = biped.after(points, np.zeros((len(points), len(biped.nodes))))
    filled = filling.fill(empty, points, unlocked(biped))
    made = make_weights(empty.rig, WeightRequest("geodesic-voxel")).rig
    np.testing.assert_allclose(
        rows_by_vertex(filled.rig, biped), rows_by_vertex(made, biped), atol=1e-12
    )
    others = np.setdiff1d(np.arange(biped.count), points)
    np.testing.assert_array_equal(filled.of.rows(others), biped.rows(others))


def test_what_is_filled_at_a_seam_takes_the_weights_of_its_copies(box):
    mesh, number = box.character.members[0]
    primitive = box.rig.meshes[mesh].primitives[number]
    vertex = int(np.flatnonzero(box.copies[box.surface.point_of] > 1)[-1])
    weights = primitive.influences.weights.copy()
    weights[vertex] = 0.0
    spoilt = replace(primitive, influences=Influences(primitive.influences.joints, weights))
    (of,) = editable(Deformer(box.rig.with_primitive(mesh, number, spoilt)))
    filled = filling.fill(of, of.points_of({0: [vertex]}), unlocked(of))
    np.testing.assert_allclose(rows_by_vertex(filled.rig, of), rows_by_vertex(box.rig, box))


def test_a_point_that_gains_only_a_trace_counts_as_unchanged():
    of = editable(Deformer(load(SAMPLES / "arm.glb").rig))[0]
    points = np.array([0])
    rows = of.rows(points)
    light = int(rows[0].argmin())
    rows[0, light] += 0.1 * flooding.TRACE
    free = Freedom(of.parents, np.zeros(len(of.nodes), dtype=bool))
    done = flooding.set_weights(of, points, rows, free)
    assert not len(done.points)
    assert done.rig is of.rig
