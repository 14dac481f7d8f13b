"""The clip that is meant where none is named."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core.clip import Channel, Clip
from rigview.core.sampler import Sampler

TIMES = np.array([0.0, 1.0, 2.0])


def clip(path, values, interpolation="LINEAR"):
    return Clip("", (Channel(0, path, Sampler(TIMES, np.array(values, float), interpolation)),))


TURN = (0.0, 0.6, 0.0, 0.8)
STILL = [
    Clip("empty", ()),
    Clip("one key", (Channel(0, "scale", Sampler(np.zeros(1), np.full((1, 3), 2.0))),)),
    clip("translation", np.full((3, 3), 5.0)),
    clip("translation", 100.0 + 1e-5 * np.eye(3)),
    clip("rotation", [TURN, [-c for c in TURN], TURN]),
    clip("weights", np.zeros((3, 2))),
    clip(
        "scale", np.stack([np.zeros((3, 3)), np.ones((3, 3)), np.zeros((3, 3))], 1), "CUBICSPLINE"
    ),
    Clip("no node", (Channel(None, "scale", Sampler(TIMES, np.eye(3))),)),
]
MOVING = [
    clip("translation", np.eye(3)),
    clip("rotation", [TURN, (0, 0, 0, 1), TURN]),
    clip("weights", [[0, 0], [0, 1], [0, 0]]),
    clip("scale", np.ones((3, 3, 3)), "CUBICSPLINE"),
]


@pytest.mark.parametrize("still", STILL)
def test_clips_without_change_change_nothing(still):
    assert not still.changes_anything


@pytest.mark.parametrize("moving", MOVING)
def test_clips_with_a_change_change_something(moving):
    assert moving.changes_anything


@given(before=st.lists(st.sampled_from(STILL)), after=st.lists(st.sampled_from(STILL + MOVING)))
def test_the_default_is_the_first_that_moves_anything(before, after):
    rig = rigs.tidy()
    assert replace(rig, clips=(*before, MOVING[0], *after)).default_clip == len(before)
    assert replace(rig, clips=tuple(before)).default_clip == (0 if before else None)
