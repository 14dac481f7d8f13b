"""The crowd that is timed is the crowd of the poses, each drawn where it stands."""

import math
from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.core import thesis_scene
from rigview.core.deform import Deformer
from rigview.core.skinning import METHODS
from rigview.render.bench import PLAIN, Bench, Cost, displacements
from rigview.render.camera import Camera
from rigview.render.framing import visible_points
from rigview.render.gl import GLError
from rigview.render.vertex_stage import VertexStage

pytestmark = pytest.mark.gl
SIZE = (96, 64)


def picture(deformer, frames, method):
    bench = Bench(deformer, frames, SIZE)
    try:
        bench.draw(method)
        return bench.pixels()
    finally:
        bench.close()


@pytest.fixture(scope="module")
def bent():
    """A rig with a part that has no skin, and two poses of it."""
    rig = rigs.make(rigs.Recipe(seed=3, joints=4, vertices=60, clips=1, prop=True))
    deformer = Deformer(rig)
    return deformer, [deformer.frame(pose) for pose in rigs.poses(rig)[:2]]


@pytest.mark.parametrize("method", METHODS)
def test_two_copies_of_a_pose_are_drawn_alike_and_another_pose_is_not(gl, bent, method):
    deformer, (first, second) = bent
    alike = picture(deformer, [first, first], method)
    other = picture(deformer, [first, second], method)
    assert alike.any()
    assert np.abs(alike - other).max() > 0.1


@pytest.mark.parametrize("count", [2, 3, 7])
def test_each_copy_stands_in_its_place_of_the_square(gl, bent, count):
    deformer, frames = bent
    bench = Bench(deformer, [frames[i % 2] for i in range(count)], (160, 160))
    columns = math.ceil(math.sqrt(count))
    places = [divmod(copy, columns) for copy in range(count)]
    across, along = bench._step
    clouds = [
        visible_points(deformer, frames[copy % 2]) + np.array([column * across, 0.0, row * along])
        for copy, (row, column) in enumerate(places)
    ]
    camera = replace(Camera(), orthographic=True).looking("top").framed(np.concatenate(clouds), 1.0)
    bench.look_through(camera)
    try:
        bench.draw("lbs")
        covered = bench.pixels()[..., 3] > 0.0
    finally:
        bench.close()
    for cloud in clouds:
        x, y = np.rint(camera.project(cloud, 160, 160)[:, :2] - 0.5).astype(int).T
        near = np.any([covered[y + i, x + j] for i in (-1, 0, 1) for j in (-1, 0, 1)], axis=0)
        assert near.mean() > 0.9
    # What is drawn is nowhere else.
    x, y = np.concatenate([camera.project(cloud, 160, 160)[:, :2] for cloud in clouds]).T
    down, right = np.nonzero(covered)
    assert right.min() >= x.min() - 2
    assert right.max() <= x.max() + 2
    assert down.min() >= y.min() - 2
    assert down.max() <= y.max() + 2


def test_every_method_is_timed_beside_lbs(gl, bent):
    deformer, frames = bent
    bench = Bench(deformer, frames, SIZE)
    try:
        timings = bench.measure(["dqs", "capsule"], rounds=2)
    finally:
        bench.close()
    assert [t.method for t in timings] == ["lbs", "dqs", "capsule"]
    for timing in timings:
        assert len(timing.vertices.wall) == len(timing.frame.wall) == 2
        assert timing.vertices.best > 0.0
        assert timing.frame.best_card is None or timing.frame.best_card > 0.0


def test_more_copies_than_the_driver_takes_are_refused(gl):
    deformer = Deformer(thesis_scene.character())
    with pytest.raises(GLError, match="draw fewer copies"):
        Bench(deformer, [deformer.rest] * 1_000_000, SIZE)


def test_packed_buffers_are_measured_beside_the_plain_ones(gl, bent):
    deformer, frames = bent
    small = VertexStage(joints=8, weights=8)
    by_matrix = VertexStage(joints=8, weights=8, dual_route="matrix")
    bench = Bench(deformer, frames, SIZE, stages=[small, by_matrix])
    try:
        timings = bench.measure(["dqs"], rounds=1)
        # LBS blends no dual quaternions: there is nothing to make a matrix of.
        assert [(t.method, t.stage) for t in timings] == [
            ("lbs", PLAIN),
            ("lbs", small),
            ("dqs", PLAIN),
            ("dqs", small),
            ("dqs", by_matrix),
        ]
        assert all(len(t.frame.wall) == 1 for t in timings)
        assert bench.influence_bytes(PLAIN) >= 3 * bench.influence_bytes(small)
        assert bench.weight_error(PLAIN) < 1e-7 < bench.weight_error(small) < 1.0 / 255.0
        for stage in (PLAIN, small):
            bench.draw("dqs", stage)
            assert bench.pixels().any()
    finally:
        bench.close()
    off = displacements(deformer, frames, timings)
    assert off[0] == off[2] == 0.0
    # Weights off by half a 255th, on bones that are shorter than the whole.
    assert all(1e-6 < share < 1e-2 for share in (off[1], off[3], off[4]))


def test_no_round_begins_that_would_end_after_the_budget(gl, bent):
    deformer, frames = bent
    bench = Bench(deformer, frames, SIZE)
    try:
        assert len(bench.measure([], rounds=3, budget=1e-6)[0].frame.wall) == 1
        assert len(bench.measure([], rounds=3, budget=1e6)[0].frame.wall) == 3
    finally:
        bench.close()


def test_a_timer_that_does_not_count_the_work_says_nothing():
    assert Cost([10.0, 12.0], [0.0, 0.01]).best_card is None
    assert Cost([10.0, 12.0], [9.0, 11.0]).best_card == 9.0
    assert Cost([10.0], []).best_card is None
