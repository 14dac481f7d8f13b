"""Places, neighbours and regions of meshes, against what a slow reading of the words gives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rigview.check.measures.surface import (
    around,
    edges_of,
    first_equal,
    mirrored_pairs,
    region_sizes,
    welded,
)

SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS, st.integers(0, 60), st.integers(1, 20))
def test_the_first_of_equal_keys_is_found(seed, number, different):
    some = np.random.default_rng(seed).integers(-(2**62), 2**62, different)
    keys = np.random.default_rng(seed + 1).choice(some, number)
    assert first_equal(keys).tolist() == [keys.tolist().index(key) for key in keys.tolist()]


def test_keys_that_differ_in_their_last_bits_only_are_told_apart():
    keys = np.arange(5000)[::-1] // 2
    assert first_equal(keys).tolist() == [i - i % 2 for i in range(5000)]


def test_what_a_seam_has_split_is_one_place():
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [1 + 1e-9, 0, 0]])
    assert welded(points).tolist() == [0, 1, 2, 1]
    assert welded(points, grid=10.0).tolist() == [0, 0, 0, 0]


def neighbours(corners, vertex):
    faces = [face for face in corners.T.tolist() if vertex in face]
    return {other for face in faces for other in face}


@given(SEEDS, st.integers(3, 12), st.integers(0, 8), st.integers(0, 4))
def test_the_triangles_around_are_those_reached(seed, vertices, faces, steps):
    random = np.random.default_rng(seed)
    corners = random.integers(0, vertices, (3, faces))
    near = random.random(vertices) < 0.3
    reached = set(np.flatnonzero(near).tolist())
    last: list[list[int]] = []
    for _ in range(steps):
        last = [face for face in corners.T.tolist() if reached & set(face)]
        reached |= {vertex for face in last for vertex in face}
    assert around(corners, near, steps).T.tolist() == last


@given(SEEDS, st.integers(1, 12), st.integers(0, 8))
def test_a_region_is_all_that_hangs_together(seed, vertices, faces):
    corners = np.random.default_rng(seed).integers(0, vertices, (3, faces))
    sizes = region_sizes(vertices, edges_of(corners))
    for vertex in range(vertices):
        region, old = {vertex}, set()
        while region != old:
            old, region = region, region.union(*(neighbours(corners, v) for v in region))
        assert sizes[vertex] == len(region)


@given(SEEDS, st.integers(0, 2), st.integers(0, 30), st.integers(-2, 2))
def test_an_image_is_the_first_vertex_where_the_mirror_shows_one(seed, axis, number, twice):
    points = np.random.default_rng(seed).integers(-2, 3, (number, 3)).astype(float)
    places = points.tolist()
    images = np.where(np.arange(3) == axis, twice - points, points).tolist()
    own, image = mirrored_pairs(points, axis, twice / 2, grid=1e-3)
    wanted = {i: places.index(place) for i, place in enumerate(images) if place in places}
    assert dict(zip(own.tolist(), image.tolist(), strict=True)) == wanted
