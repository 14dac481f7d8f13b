"""Vertices counted by weight and by number of influences: every one once, in the bar of its number."""

from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.io import load
from rigview.ui.panels.charts import PlotInput
from rigview.ui.panels.histograms import WeightHistogram, influence_bars, weight_bars, weight_bin

KIND = WeightHistogram("Weights", "weights")


@pytest.fixture(scope="module")
def arm(samples):
    return Deformer(load(samples / "arm.glb").rig)


@pytest.fixture(scope="module")
def two_skins():
    """A rig of two skinned meshes and one that has no skin."""
    recipe = rigs.Recipe(seed=5, joints=8, vertices=50, influences=6, skins=2, prop=True)
    return Deformer(rigs.make(recipe))


def skinned(deformer):
    return [i for i, part in enumerate(deformer.rig.parts) if deformer.is_skinned(part)]


def of(deformer, joint=None):
    return PlotInput(deformer, None, 30.0, joint, (), None, None)


def bad_weights(deformer):
    """Return the rig with vertices of weight 0, above 1 and below 0."""
    part = deformer.rig.parts[0]
    primitive = deformer.rig.primitive(part)
    weights = primitive.influences.weights.copy()
    weights[:5], weights[5:8, 0], weights[8:10, 0] = 0.0, 1.5, -0.25
    new = replace(primitive, influences=Influences(primitive.influences.joints, weights))
    return Deformer(deformer.rig.with_primitive(part.mesh, part.primitive, new))


def test_bars_of_every_joint_count_all_vertices_that_it_moves(two_skins):
    for joint in two_skins.rig.joints:
        bars = weight_bars(two_skins, joint)
        moved = [np.count_nonzero(two_skins.joint_weights(i, joint)) for i in skinned(two_skins)]
        assert bars.counts.sum() == sum(moved)
        assert f"{sum(moved)} of 100 vertices" == bars.words


def test_bars_of_influences_count_every_skinned_vertex_once(two_skins):
    bars = influence_bars(two_skins)
    assert bars.counts.sum() == 100
    mean = bars.counts @ bars.places / bars.counts.sum()
    assert f"{mean:.1f} on average" in bars.words
    assert bars.names[0].startswith("1 influence")


def test_a_bar_s_vertices_are_those_that_it_counts(arm):
    joint = arm.rig.nodes.names.index("lowerarm")
    bars = weight_bars(arm, joint)
    weights = arm.joint_weights(0, joint)
    assert len(bars.places) == 20
    for bar, (place, counted) in enumerate(zip(bars.places, bars.counts, strict=True)):
        ((_, ids),) = bars.vertices(bar) or ((0, ()),)
        assert len(ids) == counted
        inside = weights[list(ids)]
        assert np.all(inside > (place - 1) / 20 - 1e-6)
        assert np.all(inside <= place / 20 + 1e-6)


def test_weights_at_a_border_are_in_the_bin_below_it():
    borders = np.arange(1, 21) / 20
    np.testing.assert_array_equal(weight_bin(borders), np.arange(1, 21))
    np.testing.assert_array_equal(
        weight_bin(borders.astype(np.float32).astype(float)), np.arange(1, 21)
    )
    np.testing.assert_array_equal(weight_bin(borders + 1e-3), np.arange(2, 22))
    np.testing.assert_array_equal(weight_bin(np.array([0.0, 1e-9, -1e-9, 2.0])), [-1, 1, 0, 21])


def test_weights_that_no_weight_should_have_stand_aside(arm):
    bad = bad_weights(arm)
    part = arm.rig.parts[0]
    first = arm.rig.skins[part.skin].joints[arm.rig.primitive(part).influences.joints[5, 0]]
    bars = weight_bars(bad, first)
    weights = bad.joint_weights(0, first)
    counted = dict(zip(bars.names, bars.counts, strict=True))
    assert counted["weight above 1"] == np.count_nonzero(weights > 1.0 + 1e-6) > 0
    assert counted.get("weight below 0", 0) == np.count_nonzero(weights < 0.0)
    assert np.all(np.diff(bars.places) >= 1.0)
    assert {text for _, text in bars.ticks} > {"0", "0.5", "1", ">1"}


def test_vertices_that_nothing_moves_have_a_bar_without_colour(arm):
    bars = influence_bars(bad_weights(arm))
    assert (bars.names[0], bars.counts[0], bars.colours[0]) == ("0 influences", 5, "")
    assert bars.said(0) == "5 vertices: 0 influences"
    assert all(bars.colours[1:])


def test_without_a_skin_or_without_weight_there_are_words_instead(arm, samples):
    assert KIND.missing(of(arm)) == ""
    bare = Deformer(replace(arm.rig, node_skins=(None,) * len(arm.rig.nodes)))
    assert KIND.missing(of(bare)) == "Nothing here is skinned."
    root = Deformer(load(samples / "biped.glb").rig)
    idle = next(n for n in range(len(root.rig.nodes)) if not root.total_weights.get(n))
    assert "moves no vertex" in KIND.missing(of(root, idle))
    assert KIND.chart(of(bare)) is KIND.chart(of(root, idle)) is None
