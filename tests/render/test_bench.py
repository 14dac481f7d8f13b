"""The crowd that is timed is the crowd of the poses, each drawn where it stands."""

import numpy as np
import pytest
import rigs

from rigview.core import thesis_scene
from rigview.core.deform import Deformer
from rigview.core.skinning import METHODS
from rigview.render.bench import Bench
from rigview.render.gl import GLError

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
