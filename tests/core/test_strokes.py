"""Strokes of the weight brush: what a dab reaches, and that a stroke is an edit like any other."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.core.deform import Deformer
from rigview.core.weights import flooding
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import BrushPoints
from rigview.core.weights.mirroring import mirror_of
from rigview.core.weights.skin_points import editable
from rigview.core.weights.strokes import FALLOFFS, PosedSurface, WeightStroke, falloff
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
few = settings(max_examples=15)


@pytest.fixture(scope="module")
def biped():
    (of,) = editable(Deformer(load(SAMPLES / "biped.glb").rig))
    return of


@pytest.fixture(scope="module")
def surface(biped):
    return PosedSurface(biped, biped.surface.points)


def unlocked(of):
    return Freedom(of.parents, np.zeros(len(of.nodes), dtype=bool))


def dab_at(surface, number, radius=0.08):
    """Return what a brush reaches that stands on a point."""
    triangle = surface.of.surface.triangles[number % len(surface.of.surface.triangles)]
    place = surface.positions[triangle].mean(axis=0)
    points, far = surface.reach(place, triangle, radius)
    return points, falloff("smooth", far, radius)


@given(radius=st.floats(0.01, 1.0), far=st.floats(0.0, 1.0))
def test_falloffs_are_whole_in_the_middle_and_never_more_further_out(radius, far):
    for curve in FALLOFFS:
        near, there, edge = falloff(curve, np.array([0.0, far * radius, radius]), radius)
        assert near == 1.0 >= there >= edge >= 0.0


@few
@given(number=st.integers(0, 10_000), radius=st.floats(0.01, 0.3))
def test_the_brush_reaches_what_hangs_together_within_its_radius_and_nothing_beyond(
    surface, number, radius
):
    triangle = surface.of.surface.triangles[number % len(surface.of.surface.triangles)]
    place = surface.positions[triangle].mean(axis=0)
    points, far = surface.reach(place, triangle, radius)
    straight = np.linalg.norm(surface.positions[points] - place, axis=1)
    assert (straight <= far + 1e-12).all()
    assert (far < radius).all()
    assert len(np.unique(points)) == len(points)


def test_the_brush_does_not_go_through_the_body(surface):
    """Above the hand of a hanging arm is nothing of the thigh beside it, however near it is."""
    of = surface.of
    hand = of.nodes.index(of.rig.nodes.names.index("hand_l"))
    start = int(np.argmax(of.column(hand)))
    near = surface.positions.copy()
    # The legs stand where the hand is.
    legs = np.flatnonzero(np.linalg.norm(near - near[start], axis=1) > 0.6)
    near[legs] += near[start] - near[legs[0]]
    folded = PosedSurface(of, near)
    triangle = of.surface.triangles[(of.surface.triangles == start).any(axis=1)][0]
    points, _ = folded.reach(near[start], triangle, 0.1)
    beside = np.flatnonzero(np.linalg.norm(near - near[start], axis=1) < 0.1)
    assert len(np.intersect1d(beside, legs)) > 0
    assert not len(np.intersect1d(points, legs))


@few
@given(number=st.integers(0, 10_000), joint=st.integers(0, 60), value=st.floats(-0.5, 0.5))
def test_one_dab_is_a_flood_with_falloff_and_again_the_same_one_changes_nothing(
    biped, surface, number, joint, value
):
    points, shares = dab_at(surface, number)
    free = Freedom(biped.parents, np.arange(len(biped.nodes)) % 7 == 3)
    joint = joint if not free.locked[joint] else joint + 1
    brush = BrushPoints("add", joint, value, 0.6)
    stroke = WeightStroke(biped, brush, free)
    for _ in range(3):
        stroke.dab(points, shares)
    done = stroke.finish()
    flooded = flooding.flood(biped, points, brush, free, shares)
    np.testing.assert_array_equal(done.points, flooded.points)
    everything = np.arange(biped.count)
    wanted = flooded.of.rows(everything)
    np.testing.assert_allclose(done.of.rows(everything), wanted, atol=1e-12)
    np.testing.assert_allclose(wanted.sum(axis=1), biped.rows(everything).sum(axis=1), atol=1e-9)


@few
@given(number=st.integers(0, 10_000), tool=st.sampled_from(["replace", "smooth", "sharpen"]))
def test_a_stroke_without_strength_changes_nothing(biped, surface, number, tool):
    stroke = WeightStroke(biped, BrushPoints(tool, 3, 1.0, 0.0), unlocked(biped))
    stroke.dab(*dab_at(surface, number))
    assert not len(stroke.finish().points)


@few
@given(number=st.integers(0, 10_000), tool=st.sampled_from(["add", "smooth"]))
def test_with_mirror_both_sides_get_the_same(biped, surface, number, tool):
    by = mirror_of(biped)
    # The sample's own weights are not mirrored to the last bit.
    even, _ = flooding.mirror(biped, by, "left to right", unlocked(biped))
    of = even.of
    points, shares = dab_at(surface, number, 0.1)
    joint = int(of.joints[points[0], 0])
    stroke = WeightStroke(of, BrushPoints(tool, joint, 0.3, 0.8), unlocked(of), mirror=by)
    stroke.dab(points, shares)
    rows = stroke.rows(np.arange(of.count))
    paired = np.flatnonzero((by.image >= 0) & (by.side != 0))
    image = rows[by.image[paired]][:, by.partner]
    np.testing.assert_allclose(rows[paired], image, atol=1e-9)


def test_only_vertices_that_the_joint_moves_are_painted_where_that_is_asked_for(biped, surface):
    points, shares = dab_at(surface, 500, 0.2)
    joint = int(biped.joints[points[0], 0])
    stroke = WeightStroke(biped, BrushPoints("replace", joint, 0.7), unlocked(biped), owned=True)
    stroke.dab(points, shares)
    done = stroke.finish()
    assert len(done.points)
    assert (biped.column(joint)[done.points] > 0.0).all()
