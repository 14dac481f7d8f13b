"""ANI-GRID: the rate that a clip is keyed at, and keys between its frames."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from tidy import HEAD, run

from rigview.core.clip import Channel, Clip
from rigview.core.sampler import Sampler


def keyed_at(times):
    turns = np.tile(rigs.tidy().nodes.rotations[HEAD], (len(times), 1))
    channel = Channel(HEAD, "rotation", Sampler(np.asarray(times, dtype=float), turns))
    return replace(rigs.tidy(), clips=(Clip("Nod", (channel,)),))


@pytest.mark.parametrize("rate", [12.0, 23.976, 24.0, 25.0, 29.97, 30.0, 59.94, 99.9, 240.0])
def test_keys_at_an_even_rate_lie_on_its_frames(rate):
    assert not run(keyed_at(np.arange(300) / rate), select=["ANI-GRID"]).findings


def test_a_few_keys_may_lie_on_the_frames_of_any_whole_rate():
    frames = np.array([0, 25, 50, 75, 100, 120, 140, 160, 180, 200])
    assert not run(keyed_at(frames / 29), select=["ANI-GRID"]).findings
    (finding,) = run(
        keyed_at(frames / 29 + 0.4 * (frames == 75) / 29), select=["ANI-GRID"]
    ).findings
    assert finding.value > 0.1
    assert run(keyed_at(frames[:4] / 29), select=["ANI-GRID"]).findings


@pytest.mark.parametrize("rate", [24.0, 29.97, 30.0, 60.0, 47.0])
def test_one_key_between_frames_makes_no_finer_grid_of_a_clip_that_keys_every_frame(rate):
    for off in (0.15, 0.25, 0.4, 0.5):
        times = np.arange(80) / rate
        times[33] += off / rate
        for stated in (times, np.delete(times, [50, 51, 60])):
            (finding,) = run(keyed_at(stated), select=["ANI-GRID"]).findings
            assert finding.value == pytest.approx(off, abs=0.01)
            assert finding.time == times[33]
            assert finding.message.endswith(f"off a grid of {rate:g} to the second in Nod")


@pytest.mark.parametrize("rate", [12.0, 15.0])
def test_one_key_between_those_of_every_second_frame_lies_on_a_frame(rate):
    times = np.arange(80) / rate
    times[33] += 0.5 / rate
    assert not run(keyed_at(times), select=["ANI-GRID"]).findings


def test_keys_off_every_grid_are_told_of_the_grid_that_most_of_them_lie_on():
    times = np.arange(60) / 25.0
    times[20:23] += 0.3 / 25.0
    (finding,) = run(keyed_at(times), select=["ANI-GRID"]).findings
    assert finding.message.startswith("3 key times of 60 up to 0.30 frames off a grid of 25")
