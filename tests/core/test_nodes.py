"""The hierarchy: a sound forest whatever the file lists, quick also where it is deep."""

import time
from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import affine
from rigview.core.deform import Deformer
from rigview.core.mesh import area_weighted_normals
from rigview.core.nodes import Nodes
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Part, Rig


def nodes_of(*children):
    """Return nodes at rest, with these lists of children."""
    n = len(children)
    return Nodes(
        tuple(f"n{i}" for i in range(n)),
        tuple(tuple(c) for c in children),
        np.zeros((n, 3)),
        np.tile([0.0, 0, 0, 1], (n, 1)),
        np.ones((n, 3)),
    )


def test_of_two_parents_the_first_listed_counts():
    nodes = nodes_of([2], [2], [])
    assert nodes.parents == (-1, -1, 0)
    assert nodes.faults == ((1, 2),)
    assert nodes.sound_children == ((2,), (), ())


def test_a_child_listed_twice_is_one_child():
    nodes = nodes_of([1, 1], [])
    assert nodes.parents == (-1, 0)
    assert nodes.faults == ((0, 1),)
    assert nodes.sound_children == ((1,), ())


def test_a_node_below_itself_is_a_root():
    nodes = nodes_of([0, 1], [])
    assert nodes.parents == (-1, 0)
    assert nodes.faults == ((0, 0),)


def test_a_loop_is_cut_where_its_lowest_node_hangs():
    nodes = nodes_of([], [2], [3], [1, 4], [])
    assert nodes.parents == (-1, -1, 1, 2, 3)
    assert nodes.faults == ((3, 1),)


@given(st.lists(st.lists(st.integers(0, 7), max_size=5), min_size=8, max_size=8))
def test_whatever_is_listed_the_parents_are_a_forest(children):
    nodes = nodes_of(*children)
    order = [int(n) for level in nodes.levels for n in level]
    assert sorted(order) == list(range(8))
    place = {n: i for i, n in enumerate(order)}
    for node, parent in enumerate(nodes.parents):
        assert parent == -1 or place[parent] < place[node]
        assert nodes.depths[node] == len(list(nodes.ancestors(node)))
        assert (parent == -1) == (node not in [c for cs in nodes.sound_children for c in cs])
    listed = [(p, c) for p, cs in enumerate(children) for c in cs]
    sound = [(p, c) for c, p in enumerate(nodes.parents) if p >= 0]
    assert sorted(listed) == sorted([*sound, *nodes.faults])


@given(rig=rigs.rigs())
def test_walks_agree_with_the_parents(rig):
    nodes = rig.nodes
    for node in range(len(nodes)):
        below = list(nodes.subtree(node))
        assert below[0] == node
        assert set(below) == {node} | {n for n in range(len(nodes)) if nodes.is_ancestor(node, n)}
    assert sorted(rig.scene) == list(range(len(nodes)))
    assert list(nodes.depth_first) == [n for root in nodes.roots for n in nodes.subtree(root)]


@given(rig=rigs.rigs())
def test_nodes_in_model_space_are_products_from_the_root(rig):
    local, model = rig.nodes.local_matrices(), model_from_nodes(rig, rest_pose(rig))
    for node in range(len(rig.nodes)):
        wanted = local[node]
        for above in rig.nodes.ancestors(node):
            wanted = local[above] @ wanted
        assert np.allclose(model[node], wanted, rtol=1e-12, atol=1e-12)


def growth(work, n):
    """Return how many times as long 4 n takes as n does: 4 if linear, 16 if quadratic."""

    def seconds(size):
        taken = []
        for _ in range(3):
            start = time.process_time()
            work(size)
            taken.append(time.process_time() - start)
        return min(taken)

    return seconds(4 * n) / seconds(n)


def walk_a_chain(n):
    nodes = nodes_of(*([i + 1] for i in range(n - 1)), [])
    rig = Rig(nodes, (None,) * n, (None,) * n, (0,))
    assert nodes.depths[-1] == n - 1
    assert len(rig.scene) == n
    assert np.array_equal(model_from_nodes(rig, rest_pose(rig))[-1], np.eye(4))


def walk_a_loop(n):
    nodes = nodes_of(*([(i + 1) % n] for i in range(n)))
    assert nodes.faults == ((n - 1, 0),)


def pose_a_chain_of_bones(n):
    sketch = rigs.Sketch()
    for i in range(n):
        sketch.add(f"joint {i}", i - 1, (0, 0.1, 0))
    deformer = Deformer(Rig(sketch.nodes(), (None,) * n, (None,) * n, (0,)))
    assert deformer.posed_bones(deformer.rest).heads[-1] == pytest.approx([0, 0.1 * n, 0])


def bind_the_ends_of_a_chain(n):
    source = rigs.make(rigs.Recipe(joints=3))
    sketch = rigs.Sketch()
    for i in range(n):
        sketch.add(f"node {i}", i - 1, (0, 1e-3, 0))
    body = sketch.add("Body", -1)
    shown = tuple(0 if i == body else None for i in range(n + 1))
    ends = replace(source.skins[0], joints=(0, 1, n - 1))
    rig = Rig(sketch.nodes(), shown, shown, sketch.roots, source.meshes, (ends,))
    assert np.isfinite(Deformer(rig).size)


@pytest.mark.parametrize(
    "work", [walk_a_chain, walk_a_loop, pose_a_chain_of_bones, bind_the_ends_of_a_chain]
)
def test_work_grows_with_the_number_of_nodes_not_with_its_square(work):
    assert growth(work, 2_500) < 10.0


def test_a_rig_without_skin_and_mesh_is_all_joints():
    sketch = rigs.Sketch()
    root = sketch.add("root", -1)
    sketch.add("tip", root)
    rig = Rig(sketch.nodes(), (None, None), (None, None), (0,))
    assert rig.joints == (0, 1)
    assert rig.joint_parents == {0: -1, 1: 0}


def test_joints_skip_the_nodes_between_them():
    rig = rigs.make(rigs.Recipe(seed=3, joints=8, shape="chain", helpers=True))
    joints = rig.skins[0].joints
    assert any(rig.nodes.parents[j] not in joints for j in joints[1:])
    assert [rig.joint_parents[j] for j in joints[1:]] == list(joints[:-1])
    assert [rig.joint_children[j] for j in joints[:-1]] == [(j,) for j in joints[1:]]


def test_parts_are_the_scenes_primitives_depth_first():
    rig = rigs.make(rigs.Recipe(skins=2, prop=True))
    prop = rig.nodes.names.index("Prop")
    bodies = [rig.nodes.names.index(f"Body {i}") for i in range(2)]
    assert rig.parts == (
        Part(prop, 2, 0, None),
        Part(bodies[0], 0, 0, 0),
        Part(bodies[1], 1, 0, 1),
    )


def test_a_node_that_states_a_matrix_uses_it():
    rig = rigs.make(rigs.Recipe())
    sheared = np.eye(4)
    sheared[0, 1] = 0.5
    stated = rigs.with_nodes(rig, matrices={1: sheared})
    assert np.array_equal(stated.nodes.local_matrices()[1], sheared)
    assert np.array_equal(rest_pose(stated).local_matrices()[1], sheared)
    turn = affine.quat.from_axis_angle((0.0, 0.0, 1.0), 0.5)
    turned = rest_pose(stated).turned({1: turn}).local_matrices()[1]
    assert np.allclose(turned[:3, :3], sheared[:3, :3] @ affine.quat.to_matrix(turn))


def test_area_weighted_normals_of_a_box_corner_point_outwards():
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    normals = area_weighted_normals(corners, faces)
    assert np.all(np.sign(normals) == np.sign(corners - 0.5))
    assert np.allclose(np.linalg.norm(normals, axis=1), 1.0)


def test_a_vertex_without_area_has_a_normal_all_the_same():
    normals = area_weighted_normals(np.zeros((3, 3)), np.array([[0, 1, 2]]))
    assert np.array_equal(normals, np.tile([0.0, 0, 1], (3, 1)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"triangles": np.array([[0, 1, 24]])}, "triangles: vertex 24 of 24"),
        ({"triangles": np.array([[-1, 0, 1]])}, "triangles"),
        ({"normals": np.zeros((3, 3))}, "normals: wanted shape"),
    ],
)
def test_a_primitive_that_does_not_fit_together_is_refused(change, message):
    primitive = rigs.make(rigs.Recipe()).meshes[0].primitives[0]
    with pytest.raises(ValueError, match=message):
        replace(primitive, **change)


@given(rigs.rigs())
def test_what_is_above_nodes_is_what_walking_up_from_each_meets(rig):
    nodes = rig.nodes
    paths = {n: [n, *nodes.ancestors(n)] for n in range(len(nodes))}
    assert nodes.tops == tuple(path[-1] for path in paths.values())
    assert nodes.with_ancestors(rig.joints) == {n for j in rig.joints for n in paths[j]}
    above = {j: [n for n in paths[j][1:] if n in rig.joints] for j in rig.joints}
    assert rig.joint_parents == {j: (*found, -1)[0] for j, found in above.items()}
