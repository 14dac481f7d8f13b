"""The elastic reference against what is known of elastic bodies."""

import numpy as np
import pytest

from rigview.core import quat
from rigview.core.elastic.body import LAMBDA, MU, ElasticBody, Lattice, winding_numbers

# A cantilever of length L under a load P at its tip that keeps its direction: P L² / EI, and how far the
# tip moves across and along, in L (Mattiasson 1981, by elliptic integrals).
CANTILEVER = ((1.0, 0.30172, 0.05643), (2.0, 0.49346, 0.16064), (5.0, 0.71379, 0.38763))
YOUNG = MU * (3.0 * LAMBDA + 2.0 * MU) / (LAMBDA + MU)
LENGTH, THICK = 16.0, 2.0


def bar(across):
    spacing = THICK / across
    shape = (round(LENGTH / spacing), across, across)
    lattice = Lattice.of(np.ones(shape, dtype=bool), np.zeros(3), spacing)
    return lattice, ElasticBody(lattice, lattice.points[:, 0] < 1e-9)


def tip_of_cantilever(across, load):
    lattice, body = bar(across)
    tip = np.flatnonzero(lattice.points[:, 0] > LENGTH - 1e-9)
    force = np.zeros_like(lattice.points)
    stiffness = YOUNG * THICK**4 / 12.0
    held = lattice.points[body.pinned]
    for share in (0.5, 1.0):
        force[tip, 1] = share * load * stiffness / LENGTH**2 / len(tip)
        assert body.settle(held, force, steps=400) < 1e-4
    moved = (body.positions - lattice.points)[tip].mean(axis=0)
    return moved[1] / LENGTH, -moved[0] / LENGTH


@pytest.mark.parametrize(("load", "across", "along"), CANTILEVER)
def test_a_cantilever_bends_as_published(load, across, along):
    coarse, fine = (np.array(tip_of_cantilever(n, load)) for n in (2, 4))
    wanted = np.array((across, along))
    assert np.all(np.abs(fine - wanted) < np.abs(coarse - wanted))
    # Error falls with the square of the spacing: the limit of both is this.
    limit = fine + (fine - coarse) / 3.0
    assert limit == pytest.approx(wanted, abs=0.012)


def test_the_gradient_is_that_of_the_energy():
    lattice, body = bar(2)
    rng = np.random.default_rng(1)
    positions = lattice.points + rng.normal(scale=0.1, size=lattice.points.shape)
    way = rng.normal(size=lattice.points.shape)
    _, gradient = body.energy(positions)
    step = 1e-5
    rise = (body.energy(positions + step * way)[0] - body.energy(positions - step * way)[0]) / 2
    assert rise / step == pytest.approx(np.sum(gradient * way), rel=1e-5)


def test_a_body_that_is_only_turned_has_no_energy():
    lattice, body = bar(2)
    turn = quat.to_matrix(quat.from_axis_angle((0.0, 0.6, 0.8), 2.0))
    energy, gradient = body.energy(lattice.points @ turn.T)
    assert energy < 1e-9
    assert np.abs(gradient).max() < 1e-5


def test_flesh_between_held_ends_keeps_its_volume():
    lattice = Lattice.of(np.ones((8, 4, 4), dtype=bool), np.zeros(3), 1.0)
    ends = (lattice.points[:, 0] < 0.5) | (lattice.points[:, 0] > 7.5)
    body = ElasticBody(lattice, ends, lam=30.0)
    held = lattice.points[body.pinned] * (1.2, 1.0, 1.0)
    assert body.settle(held, steps=400) < 1e-4
    corner = body.positions[lattice.tetrahedra]
    volume = np.linalg.det(corner[:, 1:] - corner[:, :1]).sum() / 6.0
    assert volume == pytest.approx(8 * 4 * 4, rel=0.03)
    # It grows thin in the middle.
    middle = np.abs(lattice.points[:, 0] - 4.0) < 0.1
    assert np.ptp(body.positions[middle, 1]) < 0.95 * 4.0


def test_points_are_carried_by_the_cell_around_them():
    lattice, _ = bar(2)
    points = np.random.default_rng(2).uniform(0.1, 1.9, size=(20, 3))
    nodes, shares = lattice.embed(points)
    assert np.allclose(np.einsum("vk,vki->vi", shares, lattice.points[nodes]), points)
    assert np.isnan(lattice.embed(points - 5.0)[1]).all()


def test_winding_numbers_tell_inside_from_outside():
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    faces = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    inside, outside = winding_numbers(np.array([[0.1, 0.1, 0.1], [1.0, 1.0, 1.0]]), faces)
    assert inside == pytest.approx(1.0)
    assert outside == pytest.approx(0.0)
