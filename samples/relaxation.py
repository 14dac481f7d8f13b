"""Lay the vertices of a net evenly on the surface that it stands for."""

import numpy as np
from numpy.typing import NDArray

from fields import Field, gradient
from quaternions import unit
from surface_nets import Array, Ints, Net, edges_of

# Newton steps that bring a vertex from its grid cell onto the surface.
NEWTON = 6
# Gradients shorter than this (squared) are those of a crease; a step along them would go far astray.
SHORTEST = 0.05


def settled(net_: Net, field: Field, rounds: int, share: float = 0.5) -> Net:
    """Return a net relaxed on the surface: vertices move along it towards their neighbours' mean.

    Vertices on the mirror plane x = 0 stay on it.
    """
    neighbours, starts, counts = links(net_.triangles, len(net_.points))
    middle = net_.points[:, 0] == 0.0
    points = onto(net_.points, field, middle)
    for _ in range(rounds):
        pull = np.add.reduceat(points[neighbours], starts, axis=0) / counts[:, None] - points
        outwards = unit(gradient(field, points))
        pull -= outwards * np.sum(pull * outwards, axis=1, keepdims=True)
        moved = points + share * pull
        moved[middle, 0] = 0.0
        points = onto(moved, field, middle, steps=2)
    return Net(points, net_.triangles)


def onto(points: Array, field: Field, middle: NDArray[np.bool_], steps: int = NEWTON) -> Array:
    """Return points moved onto the surface; those in the `middle` keep x = 0."""
    for _ in range(steps):
        slope = gradient(field, points)
        slope[middle, 0] = 0.0
        square = np.maximum(np.sum(slope * slope, axis=1), SHORTEST)
        points = points - slope * (field(points) / square)[:, None]
    return points


def links(triangles: Ints, count: int) -> tuple[Ints, Ints, Ints]:
    """Return neighbours of all vertices one after another, where each list starts, its length."""
    pairs = edges_of(triangles)
    pairs = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
    counts = np.bincount(pairs[:, 0], minlength=count)
    return pairs[:, 1], np.concatenate([[0], np.cumsum(counts)[:-1]]), counts
