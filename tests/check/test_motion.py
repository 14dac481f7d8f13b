"""Rules about what clips show: who travels and how far, and keys that are no numbers."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from tidy import ARM, ARMATURE, CHEST, HAND, HEAD, HIPS, run

from rigview.check.rig_edits.reframe import with_node
from rigview.check.rules.channels import prune_constants
from rigview.check.run import run as run_all
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.sampler import Sampler


@pytest.mark.parametrize("above_all", [False, True])
def test_what_moves_above_one_of_several_roots_is_a_part_of_the_skeleton(above_all):
    rig, holder = with_node(rigs.tidy(), "unlisted bone", ARMATURE, np.eye(4))
    children = list(rig.nodes.children)
    children[CHEST] = tuple(c for c in children[CHEST] if c != HEAD)
    children[holder] = (HEAD,)
    moved = ARMATURE if above_all else holder
    places = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    walk = Clip("Walk", (Channel(moved, "translation", Sampler(np.array([0.0, 1.0]), places)),))
    rig = replace(rigs.with_nodes(rig, children=tuple(children)), clips=(walk,))
    assert [f.joints[0] for f in run(rig, select=["ANI-ROOT"]).findings] == [moved] * above_all


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_travel_is_measured_in_metres_whatever_scales_above(scale):
    rig = rigs.tidy()
    far = 0.04 * Deformer(rig).size
    places = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, far]])
    walk = Clip("Walk", (Channel(ARMATURE, "translation", Sampler(np.array([0.0, 1.0]), places)),))
    rig = rigs.under(replace(rig, clips=(walk,)), scale=scale)
    (finding,) = run(rig, select=["ANI-ROOT"]).findings
    assert finding.value == pytest.approx(0.04)


def test_why_motion_cannot_be_baked_names_the_node_and_what_is_the_matter():
    rig = rigs.tidy()
    times, places = np.array([0.0, 1.0]), np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for form in ("LINEAR", "STEP"):
        curve = Sampler(times, places, form)
        walk = Clip("Walk", (Channel(ARMATURE, "translation", curve),))
        rig = replace(rig, clips=(walk,))
        if form == "LINEAR":
            stated = rigs.with_nodes(rig, matrices={HIPS: rig.nodes.local_matrices()[HIPS]})
            (finding,) = run(stated, select=["ANI-ROOT"]).findings
            assert finding.fix.reason == "hips states a matrix, which no key can move"
    (finding,) = run(rig, select=["ANI-ROOT"]).findings
    assert finding.fix.reason.startswith("keys that are not interpolated linearly")


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38])
@pytest.mark.parametrize("path", ["translation", "rotation", "scale"])
def test_a_key_that_is_no_number_is_found_and_nothing_stumbles_over_it(path, bad):
    rig = rigs.tidy()
    rest = {"translation": "translations", "rotation": "rotations", "scale": "scales"}[path]
    keys = np.tile(getattr(rig.nodes, rest)[ARM], (3, 1))
    keys[1, 0] = bad
    curve = Channel(ARM, path, Sampler(np.array([0.0, 0.5, 1.0]), keys))
    report = run_all(replace(rig, clips=(Clip("Bad", (curve,)),)))
    named = {f.rule for f in report.findings}
    assert ("ANI-NAN" in named) == (not np.isfinite(bad))


def test_the_first_key_that_is_no_number_is_where_the_finding_leads():
    keys = np.tile(rigs.tidy().nodes.translations[ARM], (4, 1))
    keys[[1, 3], 0] = np.nan
    curve = Channel(ARM, "translation", Sampler(np.array([0.0, 0.5, 1.0, 1.5]), keys))
    rig = replace(rigs.tidy(), clips=(Clip("Bad", (curve,)),))
    assert [f.time for f in run(rig, select=["ANI-NAN"]).findings] == [0.5]


def test_a_clip_whose_ends_only_a_constant_channel_holds_keeps_them():
    still = np.tile(rigs.tidy().nodes.scales[ARM], (3, 1))
    long = Channel(ARM, "scale", Sampler(np.array([0.5, 1.0, 2.0]), still))
    moves = np.array([[0.0, 0.6, 0.0], [0.0, 0.7, 0.0]])
    short = Channel(HAND, "translation", Sampler(np.array([1.0, 1.5]), moves))
    rig = replace(rigs.tidy(), clips=(Clip("Long", (long, short)),))
    (clip,) = prune_constants(rig, 0, 1e-6).clips
    assert (clip.start, clip.end) == (0.5, 2.0)
    assert [len(channel.sampler.times) for channel in clip.channels] == [2, 2]


def test_of_keys_off_length_one_no_others_are_touched():
    rig = rigs.tidy()
    clip = next(c for c in rig.clips if sum(ch.path == "rotation" for ch in c.channels) > 1)
    number = rig.clips.index(clip)
    place = next(i for i, channel in enumerate(clip.channels) if channel.path == "rotation")
    channels = list(clip.channels)
    sampler = channels[place].sampler
    lengths = np.where(np.arange(len(sampler.times)) % 2, 1.0, 1.02)[:, None]
    longer = replace(sampler, values=sampler.values * lengths)
    channels[place] = replace(channels[place], sampler=longer)
    clips = list(rig.clips)
    clips[number] = replace(clip, channels=tuple(channels))
    (finding,) = run(replace(rig, clips=tuple(clips)), select=["ANI-QNORM"]).findings
    assert finding.value == pytest.approx(0.02)
    fixed = finding.fix.repair(replace(rig, clips=tuple(clips))).clips[number].channels
    assert [a is b for a, b in zip(fixed, channels, strict=True)].count(False) == 1
    assert np.linalg.norm(fixed[place].sampler.values, axis=1) == pytest.approx(1.0, abs=1e-12)
    assert fixed[place].sampler.values == pytest.approx(sampler.values, abs=1e-7)
