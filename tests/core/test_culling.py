"""The box of the bind pose: where it is, and which clips carry the character out of it."""

from dataclasses import replace

import jointed_tubes
import numpy as np
import pytest
import rigs

from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.motion.culling import bind_box, box, culled, gap
from rigview.core.pose import sample
from rigview.core.sampler import Sampler
from rigview.render import overlay_legend
from rigview.render.look import Look
from rigview.render.overlay import bounds

TUBE = jointed_tubes.rig_of(jointed_tubes.tube(around=12, rings=17))


def going(name, *places):
    """Return a clip that takes the root through places, one a second."""
    start = TUBE.nodes.translations[jointed_tubes.ROOT]
    values = start + np.array(places, dtype=float)
    times = np.arange(len(places), dtype=float)
    return Clip(name, (Channel(jointed_tubes.ROOT, "translation", Sampler(times, values)),))


def with_clips(*clips):
    return Deformer(replace(TUBE, clips=clips).made_of(TUBE))


def test_a_clip_that_leaves_the_bind_box_is_named_with_when_and_how_far():
    stays = going("Sway", (0, 0, 0), (0, 1.5, 0), (0, 0, 0))
    leaves = going("Run", (0, 0, 0), (0, 0, 7), (0, 0, 1))
    deformer = with_clips(stays, leaves)
    (found,) = culled(deformer)
    assert (found.clip, found.time) == (1, pytest.approx(1.0))
    # Both boxes reach one radius towards the other.
    assert found.apart == pytest.approx(5.0, abs=1e-6)


def test_a_clip_on_the_spot_and_a_rig_without_mesh_leave_nothing():
    turn = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0]))
    assert culled(with_clips(jointed_tubes.clip_of(turn))) == ()
    assert culled(Deformer(replace(rigs.make(rigs.Recipe(clips=1)), roots=()))) == ()


def test_the_bind_box_stays_while_the_pose_moves():
    deformer = with_clips(going("Run", (0, 0, 0), (0, 0, 7)))
    frame = deformer.frame(sample(deformer.rig, deformer.rig.clips[0], 1.0))
    now, bound = box(deformer, frame), bind_box(deformer)
    assert np.allclose(bound, [[-4, -1, -1], [4, 1, 1]], atol=1e-9)
    assert np.allclose(now, bound + np.array([0, 0, 7]), atol=1e-9)
    assert gap(now, bound) == gap(bound, now) == pytest.approx(5.0)
    assert gap(bound, bound) == 0.0


def test_both_boxes_are_drawn_and_the_clip_is_named_where_that_is_asked_for():
    deformer = with_clips(going("Run", (0, 0, 0), (0, 0, 7)))
    frame = deformer.frame(sample(deformer.rig, deformer.rig.clips[0], 1.0))
    assert not bounds(deformer, frame, Look()).lines
    look = Look(bounds=True)
    first, second = (rows[:, :6].reshape(-1, 3) for rows in bounds(deformer, frame, look).lines)
    for corners, wanted in ((first, bind_box(deformer)), (second, box(deformer, frame))):
        assert len(corners) == 24
        assert np.allclose([corners.min(axis=0), corners.max(axis=0)], wanted)
    # Edges run along one axis.
    along = np.abs(first[::2] - first[1::2]) > 0.0
    assert np.array_equal(along.sum(axis=1), np.ones(12))
    words = [label.text for label in overlay_legend.labels(deformer, look)]
    assert words[:2] == ["box of the bind pose", "box of this pose"]
    assert words[2].startswith("Run vanishes")
    assert "5 m off at 1.00 s" in words[2]
