"""Spheres that stand for a skinned surface above the ground."""

from pathlib import Path

import numpy as np
import pytest

from rigview.core.contact_spheres import over_ground, spheres
from rigview.core.deform import Deformer
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def biped():
    return Deformer(load(SAMPLES / "biped.glb").rig)


def test_spheres_have_as_much_surface_as_the_triangles(biped):
    rig, first, area = biped.rig, 0, 0.0
    for part in rig.parts:
        primitive = rig.primitive(part)
        corners = biped.rest_positions[first:][: len(primitive.positions)][primitive.triangles]
        first += len(primitive.positions)
        sides = corners[:, 1:] - corners[:, :1]
        area += 0.5 * np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=-1).sum()
    squares = np.concatenate([part.squares for part in spheres(biped)])
    assert 4.0 * np.pi * squares.sum() == pytest.approx(area)
    assert len(squares) < 500


def test_at_rest_they_lie_within_the_character(biped):
    rows = over_ground(spheres(biped), biped.rest)
    low, high = (
        np.stack(biped.rest_corners)[:, 0].min(axis=0),
        np.stack(biped.rest_corners)[:, 1].max(axis=0),
    )
    assert (rows[:, :3] >= low - 1e-9).all()
    assert (rows[:, :3] <= high + 1e-9).all()


def test_none_reaches_into_the_ground_and_what_is_high_is_one(biped):
    parts = spheres(biped)
    rows = over_ground(parts, biped.rest)
    assert (rows[:, 1] >= rows[:, 3]).all()
    weak = rows[:, 3] ** 2 < 0.04 * rows[:, 1] ** 2
    assert not weak[:-1].any()
    # Nothing that is left out is lost: the last has the surface of all that lies high.
    squares = sum(part.squares.sum() for part in parts)
    assert (rows[:, 3] ** 2).sum() == pytest.approx(squares)


def test_what_is_hidden_or_under_the_ground_has_no_spheres(biped):
    parts = spheres(biped)
    assert not len(over_ground(parts, biped.rest, {part.node for part in parts}))
    sunk = biped.frame(biped.rest.pose)
    for palette in sunk.palettes.values():
        palette.matrices[:, 1, 3] -= 10.0
    assert not len(over_ground(parts, sunk))
