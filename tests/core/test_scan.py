"""Scanning a clip: when it looks, what it finds worst, and that it can be stopped."""

from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.measures.quantities import COLUMNS, QUANTITIES
from rigview.core.measures.scan import EVEN_TIMES, Comparison, Scan, scan, scan_times
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.core.pose import rest_pose, sample
from rigview.core.sampler import Sampler
from rigview.core.skinning import METHODS
from rigview.io import load


@pytest.fixture
def arm(samples):
    """The arm, whose elbow bends furthest at a key at 0.6 s of a new clip."""
    rig = load(samples / "arm.glb").rig
    elbow = rig.nodes.names.index("lowerarm")
    rest = rest_pose(rig).rotations[elbow]
    turns = quat.from_axis_angle((0, 0, 1.0), np.radians([0.0, 100.0, 10.0]))
    keys = quat.multiply(np.tile(rest, (3, 1)), turns)
    clip = Clip("Elbow", (Channel(elbow, "rotation", Sampler(np.array([0, 0.6, 1.0]), keys)),))
    return replace(rig, clips=(clip,)), elbow


def scanned(rig, methods=("lbs", "dqs"), **given):
    return scan(ShapeMeter(Deformer(rig)), rig.clips[0], Comparison(methods), **given)


def test_the_worst_frame_is_the_key_where_the_elbow_bends_most(arm):
    rig, elbow = arm
    got = scanned(rig)
    for method in ("lbs", "dqs"):
        for name in ("stretch", "normal", "collapse"):
            worst = got.worst(method, QUANTITIES[name])
            assert worst.time == pytest.approx(0.6, abs=0.1)
            assert got.times[worst.frame] == worst.time
            blamed = [joint for joint, _ in worst.joints]
            assert {elbow, rig.joint_parents[elbow]} & set(blamed[:2])
            assert worst.joints[0][1] == worst.value
    assert (
        got.worst("lbs", QUANTITIES["volume"]).value < got.worst("dqs", QUANTITIES["volume"]).value
    )


def test_a_scan_is_its_readings_frame_by_frame(arm):
    rig, _ = arm
    times = np.array([0.1, 0.6])
    got = scanned(rig, tuple(METHODS), times=times)
    deformer = Deformer(rig)
    for i, time in enumerate(times):
        frame = deformer.frame(sample(rig, rig.clips[0], time))
        skinned = {
            name: deformer.skin_all(frame, method, Comparison(("lbs",)).options)
            for name, method in METHODS.items()
        }
        for name in METHODS:
            reading = ShapeMeter(deformer).read(frame, skinned[name], skinned["lbs"])
            for column in COLUMNS:
                assert got.curves[name].figures[column][i] == reading.figures[column]
            for quantity in QUANTITIES:
                assert np.array_equal(
                    got.curves[name].joints[quantity][i], reading.joints[quantity]
                )


def test_it_looks_at_every_key_and_at_even_steps(arm):
    clip = arm[0].clips[0]
    usual, fine = scan_times(clip), scan_times(clip, 100.0)
    assert set(clip.key_times) <= set(usual)
    assert len(usual) == EVEN_TIMES + 1
    assert len(fine) == 101
    assert np.all(np.diff(fine) > 0)
    assert fine[-1] == clip.end
    assert scan_times(None).tolist() == [0.0]


def test_keys_that_a_reader_put_between_those_of_the_file_are_looked_at_by_frames():
    every, stated = np.linspace(0.0, 2.0, 801), np.array([0.0, 0.3, 2.0])
    curve = Sampler(every, np.zeros((801, 3)), "LINEAR", stated)
    times = scan_times(Clip("Bent", (Channel(0, "translation", curve),)))
    assert set(stated) <= set(times)
    assert len(times) == EVEN_TIMES + 61
    assert np.diff(times).max() <= 1 / 30


def test_it_tells_how_far_it_is_and_stops_when_the_listener_raises(arm):
    heard = []
    scanned(arm[0], times=np.linspace(0, 1, 4), progress=lambda _text, share: heard.append(share))
    assert heard == [0.0, 0.25, 0.5, 0.75]

    class EnoughError(Exception):
        pass

    def stop(_text, share):
        if share > 0.4:
            raise EnoughError

    with pytest.raises(EnoughError):
        scanned(arm[0], times=np.linspace(0, 1, 4), progress=stop)


def test_what_cannot_be_measured_has_no_worst_frame():
    rig = rigs.make(rigs.Recipe(clips=1))
    bare = rig.with_primitive(
        0, 0, replace(rig.meshes[0].primitives[0], triangles=np.zeros((0, 3)))
    )
    got: Scan = scanned(bare)
    assert got.worst("dqs", QUANTITIES["stretch"]) is None
    assert got.worst("dqs", QUANTITIES["bulge"]) is not None
    assert np.isnan(got.overall("dqs", "volume"))


def test_overall_is_the_mean_of_the_frames_that_could_be_measured(arm):
    rig, _ = arm
    got = scanned(rig, times=np.linspace(0.0, 1.0, 5))
    values = np.array([1.0, np.nan, 3.0, 8.0, np.nan])
    curves = replace(got.curves["dqs"], figures={**got.curves["dqs"].figures, "volume": values})
    partly = replace(got, curves={**got.curves, "dqs": curves})
    assert partly.overall("dqs", "volume") == 4.0
    assert partly.overall("lbs", "volume") == got.curves["lbs"].figures["volume"].mean()


def test_without_methods_there_is_nothing_to_compare():
    with pytest.raises(ValueError, match="at least one"):
        Comparison(())


def test_a_skeleton_whose_skin_nothing_wears_is_scanned_to_nothing():
    rig = rigs.make(rigs.Recipe(clips=1))
    bare = replace(rig, node_meshes=(None,) * len(rig.nodes), node_skins=(None,) * len(rig.nodes))
    got = scanned(bare)
    assert np.isnan(got.rest_volume)
    assert got.holes == 0
    assert all(got.worst("dqs", quantity) is None for quantity in QUANTITIES.values())
