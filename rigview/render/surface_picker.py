"""Where the cursor meets the skin, asked again and again while the camera stays: for a brush."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.render.camera import Camera


class SurfaceHit(NamedTuple):
    """Where a ray meets a part: the vertices of the triangle, the place and the normal, ``(3,)`` each."""

    part: int
    corners: IntArray
    place: FloatArray
    normal: FloatArray


@dataclass(frozen=True, eq=False)
class SurfacePicker:
    """Posed triangles of several parts, and the boxes around them on the screen.

    Parameters
    ----------
    parts
        Number of each part.
    positions
        ``(V, 3)`` model space, of all parts.
    triangles
        ``(F, 3)`` into `positions`.
    part_of
        ``(F,)`` place in `parts`.
    starts
        Where each part's vertices begin.
    boxes
        ``(4, F)`` left, right, top and bottom in pixels.
    """

    parts: tuple[int, ...]
    positions: FloatArray
    triangles: IntArray
    part_of: IntArray
    starts: IntArray
    boxes: FloatArray
    camera: Camera
    size: tuple[float, float]

    @classmethod
    def of(
        cls,
        parts: Sequence[tuple[int, FloatArray, IntArray]],
        camera: Camera,
        size: tuple[float, float],
    ) -> "SurfacePicker":
        """Return what picks from parts: number, posed positions ``(V, 3)`` and triangles ``(F, 3)``."""
        starts = np.cumsum([0, *(len(p) for _, p, _ in parts)])
        positions = np.concatenate([np.zeros((0, 3)), *(p for _, p, _ in parts)])
        shifted = [t + start for (_, _, t), start in zip(parts, starts, strict=False)]
        triangles = np.concatenate([np.zeros((0, 3), dtype=np.int64), *shifted])
        part_of = np.repeat(np.arange(len(parts)), [len(t) for _, _, t in parts])
        seen = camera.project(positions, *size)[:, :2].T.copy()
        x, y = (axis[triangles.T] for axis in seen)
        # What is not on the screen compares as false.
        with np.errstate(invalid="ignore"):
            boxes = np.stack([x.min(axis=0), x.max(axis=0), y.min(axis=0), y.max(axis=0)])
        numbers = tuple(number for number, _, _ in parts)
        return cls(numbers, positions, triangles, part_of, starts[:-1], boxes, camera, size)

    def pick(self, x: float, y: float) -> SurfaceHit | None:
        """Return the nearest triangle under a point of the pane."""
        left, right, top, bottom = self.boxes
        found = np.flatnonzero((left <= x) & (right >= x) & (top <= y) & (bottom >= y))
        if not len(found):
            return None
        origin, direction = self.camera.ray(x, y, *self.size)
        a, b, c = (self.positions[self.triangles[found, i]] for i in range(3))
        normal = np.cross(b - a, c - a)
        slope = normal @ direction
        steep = np.abs(slope) > np.finfo(np.float64).tiny
        distance = np.einsum("fi,fi->f", normal, a - origin) / np.where(steep, slope, 1.0)
        at = origin + distance[:, None] * direction
        inside = steep & (distance > 0.0)
        for first, second in ((a, b), (b, c), (c, a)):
            across = np.cross(second - first, at - first)
            inside &= np.einsum("fi,fi->f", across, normal) >= 0.0
        if not inside.any():
            return None
        nearest = int(np.argmin(np.where(inside, distance, np.inf)))
        face = int(found[nearest])
        place = int(self.part_of[face])
        facing = unit(normal[nearest] * -np.sign(slope[nearest]))
        corners = self.triangles[face] - self.starts[place]
        return SurfaceHit(self.parts[place], corners, at[nearest], facing)
