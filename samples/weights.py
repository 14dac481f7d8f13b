"""Skin weights: smooth steps, and dense weights brought into the few influences of a vertex."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relaxation import links

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST = 4
# Engines that keep weights as bytes drop what is below 1/255.
SMALLEST = 1.0 / 250.0
# Where joints turn far against each other on a smooth surface, the edge of what is dropped can be seen. So
# such a step leaves its tails at this many widths from its middle, for the tangents there: they reach
# 0 and 1 within half a width, at a slope that takes rings of a mesh past the smallest weight at once.
LEAVES = 2.0
# Weights are multiples of this: their sums are exact in float32, and the same on every machine.
UNIT = 2.0**-16

_erf = np.vectorize(math.erf, otypes=[np.float64])


def step(distance: ArrayLike, sigma: ArrayLike) -> Array:
    """Return a step from 0 to 1 at distance 0, blurred by a Gaussian of width `sigma`."""
    return 0.5 * (1.0 + _erf(np.asarray(distance) / (np.asarray(sigma) * math.sqrt(2.0))))


def ending_step(distance: ArrayLike, sigma: float) -> Array:
    """Return `step` whose tails end: beyond `LEAVES` widths straight down to 0 and up to 1."""
    far = np.abs(np.asarray(distance)) / sigma
    slope = math.exp(-0.5 * LEAVES**2) / math.sqrt(2.0 * math.pi)
    straight = np.maximum(step(-LEAVES, 1.0) - slope * (far - LEAVES), 0.0)
    tail = np.where(far > LEAVES, straight, step(-far, 1.0))
    return np.where(np.asarray(distance) > 0.0, 1.0 - tail, tail)


def strongest(dense: Array) -> tuple[Ints, Array]:
    """Return the `MOST` largest of ``(V, J)`` weights as joints and weights, both ``(V, MOST)``.

    Weights below `SMALLEST` are dropped, the others made to sum to one, in falling order; unused
    slots are joint 0 with weight 0.
    """
    shares = dense / dense.sum(axis=1, keepdims=True)
    shares = np.where(shares < SMALLEST, 0.0, shares)
    joints = np.argsort(-shares, axis=1, kind="stable")[:, :MOST]
    kept = np.take_along_axis(shares, joints, axis=1)
    counts = _whole(kept / kept.sum(axis=1, keepdims=True))
    order = np.lexsort((joints, -counts), axis=1)
    joints = np.take_along_axis(joints, order, axis=1)
    counts = np.take_along_axis(counts, order, axis=1)
    spare = MOST - joints.shape[1]
    joints = np.pad(np.where(counts > 0, joints, 0), ((0, 0), (0, max(0, spare))))
    return joints, np.pad(counts * UNIT, ((0, 0), (0, max(0, spare))))


def _whole(shares: Array) -> Ints:
    """Return shares as whole numbers of `UNIT` that sum to one: the largest remainders round up."""
    exact = shares / UNIT
    counts = np.floor(exact).astype(np.int64)
    rank = np.argsort(np.argsort(counts - exact, axis=1, kind="stable"), axis=1)
    missing = round(1.0 / UNIT) - counts.sum(axis=1, keepdims=True)
    return counts + (rank < missing)


class Flow:
    """Weights on their way down a skeleton: all start at one joint, and joints hand shares on.

    Parameters
    ----------
    names
        Of all joints.
    count
        How many vertices.
    source
        The joint that has everything at first.
    """

    def __init__(self, names: Sequence[str], count: int, source: str) -> None:
        self._names = list(names)
        self.dense = np.zeros((count, len(self._names)))
        self.dense[:, self._names.index(source)] = 1.0

    def give(self, giver: str, taker: str, share: Array) -> None:
        """Move a share ``(V,)`` of what one joint has now to another."""
        self.spread(giver, {taker: share})

    def spread(self, giver: str, shares: Mapping[str, Array]) -> None:
        """Move shares ``(V,)`` of what one joint has now to several others at once."""
        one = self._names.index(giver)
        had = self.dense[:, one].copy()
        for taker, share in shares.items():
            moved = had * np.clip(share, 0.0, 1.0)
            self.dense[:, self._names.index(taker)] += moved
            self.dense[:, one] -= moved


def beyond(points: Array, joint: Array, normal: ArrayLike, sigma: float) -> Array:
    """Return ``(V,)`` a blurred step across the plane through a joint, 1 on the normal's side."""
    direction = np.asarray(normal, dtype=np.float64)
    length = np.sqrt(np.sum(direction * direction))
    return step(np.sum((points - joint) * direction, axis=1) / length, sigma)


def smoothed(dense: Array, triangles: Ints, rounds: int, held: NDArray[np.bool_]) -> Array:
    """Return ``(V, J)`` weights half way to the mean of their neighbours, several times over.

    Parameters
    ----------
    held
        ``(V,)`` vertices that keep theirs.
    """
    neighbours, starts, counts = links(triangles, len(dense))
    for _ in range(rounds):
        mean = np.add.reduceat(dense[neighbours], starts, axis=0) / counts[:, None]
        dense = np.where(held[:, None], dense, 0.5 * (dense + mean))
    return dense
