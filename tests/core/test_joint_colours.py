"""The colours of joints: one by its name from file to file, and told from those around it."""

import numpy as np
import pytest

from rigview.core import colour, names
from rigview.core.deform import Deformer
from rigview.core.joint_colours import choose, palette
from rigview.io import load

# What two colours differ by in OKLab that nobody takes for each other side by side.
TOLD = 0.1


@pytest.fixture(scope="module", params=["biped.glb", "faulty_arm.glb", "arm.glb"])
def skeleton(request, samples):
    """Labels and parents of a sample's joints."""
    deformer = Deformer(load(samples / request.param).rig)
    found = deformer.skeleton
    return [deformer.rig.nodes.label(j) for j in found.joints], found.parents.tolist()


def chosen(labels, parents):
    return palette()[choose(labels, parents)]


def test_colours_of_the_palette_differ_and_none_is_grey():
    apart = colour.apart(palette())
    assert len(np.unique(palette(), axis=0)) == len(palette())
    assert np.ptp(palette(), axis=1).min() > 0.2
    # Most are told by colour-blind eyes as well; three lightnesses see to that.
    assert (apart[np.triu_indices(len(apart), 1)] > TOLD).mean() > 0.8


def test_neighbours_and_both_sides_are_told_apart_by_all_eyes(skeleton):
    labels, parents = skeleton
    apart = colour.apart(chosen(labels, parents))
    places = {names.words(label): i for i, label in enumerate(labels)}
    for joint, parent in enumerate(parents):
        if parent >= 0:
            assert apart[joint, parent] > TOLD
        other = places.get(names.mirrored(labels[joint]), joint)
        assert other == joint or apart[joint, other] > TOLD
        for sibling in range(joint):
            assert parents[sibling] != parent or apart[joint, sibling] > TOLD


def test_order_namespace_and_spelling_of_a_file_change_no_colour(skeleton):
    labels, parents = skeleton
    rng = np.random.default_rng(7)
    wanted = dict(zip(labels, choose(labels, parents), strict=True))
    order = rng.permutation(len(labels))
    place = {int(old): new for new, old in enumerate(order)}
    spelt = [f"hero:{labels[i].replace('_', '.')}" for i in order]
    found = choose(spelt, [place.get(parents[i], -1) for i in order])
    assert {labels[i]: number for i, number in zip(order, found, strict=True)} == wanted


def test_most_joints_keep_their_colour_when_others_are_left_out(samples):
    deformer = Deformer(load(samples / "biped.glb").rig)
    found, numbers = deformer.skeleton, deformer.joint_colours
    labels, parents = [deformer.rig.nodes.label(j) for j in found.joints], found.parents.tolist()
    kept = [i for i in range(len(labels)) if i in parents]
    place = {old: new for new, old in enumerate(kept)}
    without = choose([labels[i] for i in kept], [place.get(parents[i], -1) for i in kept])
    assert 0 < len(kept) < len(labels)
    assert (without == numbers[kept]).mean() > 0.5


def test_a_crowd_of_siblings_shares_the_colours_that_are_unlike_their_parent_s():
    labels, parents = ["head", *(f"hair {i}" for i in range(300))], [-1, *[0] * 300]
    numbers = choose(labels, parents)
    assert len(set(numbers[1:])) > len(palette()) / 2
    assert np.bincount(numbers[1:]).max() < 300 / 6
    assert colour.apart(palette())[numbers[0], numbers[1:]].min() > TOLD


def test_joints_without_names_have_colours_too():
    assert len(choose(["", "", "骨"], [-1, 0, 1])) == 3
    assert len(choose([], [])) == 0
