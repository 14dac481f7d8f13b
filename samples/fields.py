"""Solid shapes as fields: the signed distance to a surface, roughly, negative inside.

A field is a function of points ``(n, 3)`` in metres that returns ``(n,)`` metres. Only its zero has to be
exact; the distances are good near the surface, which is where they are used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

import quaternions as qt

Array = NDArray[np.float64]
Field = Callable[[Array], Array]

# Half the step of the differences that make gradients, metres.
STEP = 1e-4
# Deep inside, on its axis, a section has no distance of its own; nothing asks for it there.
TINY = 1e-12


def smooth_union(first: Array, second: Array, width: float) -> Array:
    """Return the smaller of two distances, rounded where they differ by less than `width` metres."""
    if width <= 0.0:
        return np.minimum(first, second)
    share = np.maximum(width - np.abs(first - second), 0.0) / width
    return np.minimum(first, second) - share * share * width / 4.0


def smooth_cut(solid: Array, hole: Array, width: float) -> Array:
    """Return `solid` without `hole`, the edge rounded over `width` metres."""
    return -smooth_union(-solid, hole, width)


def gradient(field: Field, points: Array) -> Array:
    """Return ``(n, 3)``: how the field grows at points ``(n, 3)``."""
    steps = np.concatenate([np.eye(3), -np.eye(3)]) * STEP
    values = field((points[None] + steps[:, None]).reshape(-1, 3)).reshape(6, -1)
    return ((values[:3] - values[3:]) / (2.0 * STEP)).T


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """An ellipsoid, turned by a quaternion.

    Parameters
    ----------
    centre, radii
        ``(3,)`` metres.
    turn
        ``(4,)``.
    """

    centre: Array
    radii: Array
    turn: Array

    def __call__(self, points: Array) -> Array:
        """Return the field."""
        return _ellipsoid(_turned(points - self.centre, qt.conjugate(self.turn)), self.radii)


def ellipsoid(
    centre: ArrayLike, radii: ArrayLike, pitch: float = 0.0, roll: float = 0.0
) -> Ellipsoid:
    """Return an ellipsoid, tipped forward by `pitch` and then to its left by `roll` degrees."""
    turn = qt.multiply(qt.about((0.0, 0.0, 1.0), -roll), qt.about((1.0, 0.0, 0.0), pitch))
    return Ellipsoid(np.asarray(centre, float), np.asarray(radii, float), turn)


def _ellipsoid(local: Array, radii: Array) -> Array:
    near = local / radii
    outer = np.sqrt(np.sum(near * near, axis=-1))
    steep = np.sqrt(np.sum((near / radii) ** 2, axis=-1))
    return np.where(
        outer > TINY, outer * (outer - 1.0) / np.maximum(steep, TINY), -np.min(radii, axis=-1)
    )


class Tube:
    """A limb: elliptic sections along a straight axis, with round ends.

    Parameters
    ----------
    head, tail
        ``(3,)`` the ends of the axis, metres.
    front
        ``(3,)`` the direction that `depth` and `shift` are measured in.
    stations
        ``(S,)`` places along the axis, 0 at the head and 1 at the tail.
    side, depth
        ``(S,)`` half widths of the sections, metres.
    shift
        ``(S,)`` how far forward of the axis the sections lie, metres.
    caps
        How far the round ends reach beyond head and tail, metres; None for the sections' own.
    """

    def __init__(  # noqa: PLR0913 - a table in columns
        self,
        head: ArrayLike,
        tail: ArrayLike,
        stations: Sequence[float],
        side: Sequence[float],
        depth: Sequence[float] | None = None,
        shift: Sequence[float] | None = None,
        front: ArrayLike = (0.0, 0.0, 1.0),
        caps: tuple[float | None, float | None] = (None, None),
    ) -> None:
        self.head, self.tail = np.asarray(head, float), np.asarray(tail, float)
        self.length = float(np.sqrt(np.sum((self.tail - self.head) ** 2)))
        self.along = (self.tail - self.head) / self.length
        forward = np.asarray(front, float)
        self.forward = qt.unit(forward - self.along * np.sum(forward * self.along))
        self.sideways = np.cross(self.along, self.forward)
        depth = side if depth is None else depth
        shift = [0.0] * len(side) if shift is None else shift
        self._curves = [curve(stations, values) for values in (side, depth, shift)]
        ends = (min(side[0], depth[0]), min(side[-1], depth[-1]))
        self._caps = [own if cap is None else cap for cap, own in zip(caps, ends, strict=True)]

    def __call__(self, points: Array) -> Array:
        """Return the field."""
        local = points - self.head
        y = np.sum(local * self.along, axis=-1)
        place = np.clip(y / self.length, 0.0, 1.0)
        side, depth, shift = (c(place) for c in self._curves)
        beyond = y - place * self.length
        cap = np.where(beyond < 0.0, *self._caps)
        x = np.sum(local * self.sideways, axis=-1)
        z = np.sum(local * self.forward, axis=-1) - shift
        return _ellipsoid(np.stack([x, beyond, z], axis=-1), np.stack([side, cap, depth], axis=-1))


def capsule(head: ArrayLike, tail: ArrayLike, first: float, last: float) -> Tube:
    """Return a round limb whose radius runs from `first` to `last`, metres."""
    return Tube(head, tail, (0.0, 1.0), (first, last))


def curve(stations: Sequence[float], values: Sequence[float]) -> Callable[[Array], Array]:
    """Return a smooth function through points: cubic, level at both ends and beyond."""
    xs, ys = np.asarray(stations, float), np.asarray(values, float)
    steps = np.diff(xs)
    slopes = np.diff(ys) / steps
    tangents = np.concatenate([[0.0], (slopes[1:] + slopes[:-1]) / 2.0, [0.0]])

    def evaluate(places: Array) -> Array:
        span = np.clip(np.searchsorted(xs, places, side="right") - 1, 0, len(steps) - 1)
        t = np.clip((places - xs[span]) / steps[span], 0.0, 1.0)
        width = steps[span]
        # Hermite's basis.
        near = (1.0 + 2.0 * t) * (1.0 - t) ** 2 * ys[span] + t * (1.0 - t) ** 2 * width * tangents[
            span
        ]
        far = (
            t * t * (3.0 - 2.0 * t) * ys[span + 1] - t * t * (1.0 - t) * width * tangents[span + 1]
        )
        return near + far

    return evaluate


def placed(field: Field, turn: ArrayLike, offset: ArrayLike) -> Field:
    """Return a field moved: turned about the origin by a quaternion, then shifted ``(3,)`` metres."""
    back, shift = qt.conjugate(turn), np.asarray(offset, float)
    return lambda points: field(_turned(points - shift, back))


def within(field: Field, centre: ArrayLike, reach: float) -> Field:
    """Return a field that is worked out only within a ball; beyond, it is the distance to that ball.

    The ball must hold the whole shape and as much more as any blend is wide.
    """
    middle = np.asarray(centre, float)

    def nearby(points: Array) -> Array:
        result = np.sqrt(np.sum((points - middle) ** 2, axis=-1)) - reach
        close = result < 0.0
        # On the ball the two agree badly, where nothing looks: both are far outside the shape.
        result = np.abs(result) + reach
        result[close] = field(points[close])
        return result

    return nearby


def _turned(points: Array, turn: Array) -> Array:
    return np.einsum("ij,nj->ni", qt.to_matrix(turn), points)
