"""Shadings that show a number: influences per vertex, and the difference of two methods."""

from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.assets import colour_map, rgb, theme
from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options
from rigview.io import load
from rigview.render import legend, review
from rigview.render.camera import Camera
from rigview.render.context import headless
from rigview.render.framing import visible_points
from rigview.render.look import Look
from rigview.render.picking import pick_vertex
from rigview.render.scalars import DIFFERENCE_RANGE, count_top, influence_counts

pytestmark = pytest.mark.gl
# The brightest of the colour that says "none", unlit.
NEUTRAL = 255 * max(rgb(theme("dark")["zero"]))
PLAIN = Look(bones=False, axes=False, grid=False, marks=False)


@pytest.fixture(scope="module")
def twisted(samples):
    deformer = Deformer(load(samples / "cylinder_narrow.glb").rig)
    clip = next(c for c in deformer.rig.clips if c.name == "Twist")
    return deformer, deformer.frame(sample(deformer.rig, clip, clip.end / 2))


def panes(deformer, frame, methods, shading):
    """Return each pane's ``(h, w, 3)`` colours."""
    size = (160 * len(methods) + 2 * (len(methods) - 1), 160)
    camera = Camera().looking("front").framed(visible_points(deformer, frame), 1.0)
    look = replace(PLAIN, shading=shading)
    wanted = review.Review(methods, camera, look, size, numbers=False, legend=False, samples=0)
    with headless():
        pixels = review.render(deformer, frame, wanted)[..., :3].astype(int)
    return [pixels[:, 162 * i : 162 * i + 160] for i in range(len(methods))]


def is_grey(colours):
    return np.ptp(colours, axis=-1) <= 6


def test_the_first_pane_has_no_difference_and_the_same_method_none_either(twisted):
    for pane in panes(*twisted, ("dqs", "dqs"), "difference"):
        assert is_grey(pane).all()


def test_what_the_twist_wrings_is_inward_of_dqs_and_red_the_other_way_round(twisted):
    deformer, frame = twisted
    lbs, dqs = (deformer.skin_all(frame, METHODS[m], Options())[0] for m in ("lbs", "dqs"))
    outward = np.einsum("vi,vi->v", lbs.positions - dqs.positions, dqs.normals)
    assert outward.min() < -4 * DIFFERENCE_RANGE * deformer.size

    wrung = panes(deformer, frame, ("dqs", "lbs"), "difference")[1]
    coloured = ~is_grey(wrung)
    assert coloured.any()
    # CET-D1 is blue at its low end.
    assert (wrung[coloured][:, 2] > wrung[coloured][:, 0]).mean() > 0.95

    round_ = panes(deformer, frame, ("lbs", "dqs"), "difference")[1]
    coloured = ~is_grey(round_)
    assert (round_[coloured][:, 0] > round_[coloured][:, 2]).mean() > 0.95


def test_rigid_vertices_have_no_difference(twisted):
    pane = panes(*twisted, ("dqs", "lbs"), "difference")[1]
    rows = np.flatnonzero((~is_grey(pane)).any(axis=1))
    # The cylinder fills the height; only its middle blends.
    assert rows.min() > 30
    assert rows.max() < 130


def test_none_is_told_from_what_moved_along_the_surface_or_turns_from_in_to_out(samples):
    deformer = Deformer(load(samples / "cylinder_wide.glb").rig)
    clip = next(c for c in deformer.rig.clips if c.name == "Bend and twist")
    frame = deformer.frame(sample(deformer.rig, clip, clip.end / 2))
    lbs, dqs = (deformer.skin_all(frame, METHODS[m], Options())[0] for m in ("lbs", "dqs"))
    moved = np.linalg.norm(dqs.positions - lbs.positions, axis=1)
    outward = np.einsum("vi,vi->v", dqs.positions - lbs.positions, lbs.normals)
    moved, outward = (v / (DIFFERENCE_RANGE * deformer.size) for v in (moved, outward))
    assert (outward[moved > 0.1] > 0.0).any()
    assert (outward[moved > 0.1] < 0.0).any()

    pane = panes(deformer, frame, ("lbs", "dqs"), "difference")[1]
    none = (np.ptp(pane, axis=-1) <= 3) & (pane.max(axis=-1) <= NEUTRAL)
    light = pane.min(axis=-1) > 120
    beside = light[:-2, 1:-1] | light[2:, 1:-1] | light[1:-1, :-2] | light[1:-1, 2:]
    camera = Camera().looking("front").framed(visible_points(deformer, frame), 1.0)
    triangles = deformer.rig.primitive(deformer.rig.parts[0]).triangles
    found = 0
    for y, x in np.argwhere(none[1:-1, 1:-1] & beside) + 1:
        ray = camera.ray(x + 0.5, y + 0.5, 160, 160)
        hit = pick_vertex(dqs.positions, triangles, *ray)
        # Lines are dark as well, the first ones at a quarter.
        if hit is not None and abs(outward[hit.vertex]) < 0.1:
            found += 1
            assert moved[hit.vertex] < 0.1, (x, y)
    assert found > 20


def test_counts_are_the_weights_that_are_not_zero(samples):
    deformer = Deformer(load(samples / "chain.glb").rig)
    influences = deformer.rig.primitive(deformer.rig.parts[0]).influences
    counts = influence_counts(deformer, 0)
    np.testing.assert_array_equal(counts, influences.per_vertex)
    assert len(set(counts)) > 1


@pytest.mark.parametrize(("most", "top"), [(2, 4), (4, 4), (9, 9)])
def test_the_last_colour_is_of_the_most_influences_but_of_no_fewer_than_four(most, top):
    deformer = Deformer(rigs.make(rigs.Recipe(joints=10, influences=most, skins=2, prop=True)))
    assert count_top(deformer) == top


def test_more_influences_have_another_colour(samples):
    deformer = Deformer(load(samples / "chain.glb").rig)
    (pane,) = panes(deformer, deformer.rest, ("lbs",), "count")
    coloured = pane[~is_grey(pane)]
    hues = np.unique(
        np.round(coloured / np.maximum(coloured.max(axis=1, keepdims=True), 1), 1), axis=0
    )
    assert len(hues) > 3


# --- the legend in the picture -------------------------------------------------------------------


def strip(deformer, frame, look, size):
    """Return the strip below the panes, and what is above it."""
    wanted = review.Review(("lbs",), Camera(), look, size, numbers=False, samples=0)
    with headless():
        pixels = review.render(deformer, frame, wanted)[..., :3].astype(int)
    return pixels[-legend.HEIGHT :], pixels[: -legend.HEIGHT]


def has_ramp(pixels, name):
    """Tell whether a row holds the whole colour map from left to right, whatever is beside it."""
    texels = np.array([rgb(colour) for colour in colour_map(name)]) * 255
    return all(
        (np.abs(pixels - texels[number]).max(axis=-1) <= 6).any() for number in range(8, 250, 11)
    )


@pytest.mark.parametrize(
    ("shading", "ramp"), [("weights", "viridis"), ("count", "viridis"), ("difference", "CET-D1")]
)
def test_a_picture_of_numbers_explains_its_colours_below_the_panes(twisted, shading, ramp):
    deformer, frame = twisted
    look = replace(PLAIN, shading=shading, joint=deformer.rig.joints[1])
    below, above = strip(deformer, frame, look, (640, 160))
    assert has_ramp(below, ramp)
    assert not has_ramp(above, ramp)
    other = replace(look, joint=deformer.rig.joints[0])
    named = strip(deformer, frame, other, (640, 160))[0]
    # Another joint has another name and other numbers; other shadings are of no joint.
    assert (below != named).any() == (shading == "weights")


@pytest.mark.parametrize(
    ("look", "width"),
    [
        (replace(PLAIN, shading="weights"), 640),
        (PLAIN, 640),
        (replace(PLAIN, shading="count"), 300),
        # What changed since another rig, where there is none.
        (replace(PLAIN, shading="reweighted"), 640),
    ],
)
def test_there_is_no_legend_without_a_joint_numbers_room_or_another_rig(twisted, look, width):
    deformer, frame = twisted
    bare = review.Review(("lbs",), Camera(), look, (width, 160), numbers=False, samples=0)
    with headless():
        shown = [
            review.render(deformer, frame, wanted) for wanted in (bare, replace(bare, legend=False))
        ]
    np.testing.assert_array_equal(*shown)
