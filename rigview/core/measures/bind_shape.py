"""What the triangles of a skinned mesh were when they were bound: lengths, areas, and their fronts."""

from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.measures.skinned_mesh import SkinnedMesh
from rigview.core.numeric import axis_major

# Edges shorter than this share of the bound size are rounding of float32 files: they have no ratio.
SHORTEST = 1e-5
# Triangles nearer to square to their shading normals than this cosine have no front.
FRONT = 0.1


@dataclass(frozen=True, eq=False)
class BoundTriangles:
    """Triangles as they were bound, ``(n,)`` each.

    Parameters
    ----------
    inverse_squares
        ``(3, n)`` 1 over the squared length of the edges u, v and v − u; 0 for too short ones.
    inverse_area
        1 over twice the area; 0 for those without.
    flat
        The triangles without area.
    side
        +1 where the triangle faced its shading normals, −1 where it faced against them, 0 where
        neither can be said.
    half_angle
        Half of that between the triangle and its shading normals, radians; π / 2 without side.
    """

    inverse_squares: FloatArray
    inverse_area: FloatArray
    flat: IntArray
    side: FloatArray
    half_angle: FloatArray

    def __getitem__(self, rows: slice) -> "BoundTriangles":
        """Return some of the triangles."""
        first, last = np.searchsorted(self.flat, (rows.start, rows.stop))
        return BoundTriangles(
            np.ascontiguousarray(self.inverse_squares[:, rows]),
            self.inverse_area[rows],
            self.flat[first:last] - rows.start,
            self.side[rows],
            self.half_angle[rows],
        )


def bound_triangles(mesh: SkinnedMesh, shading: IntArray) -> BoundTriangles:
    """Return what triangles at ``(3, n)`` vertices of the mesh were when they were bound."""
    points = mesh.bound_positions
    origin, u, v = axis_major.gather(points.T, shading)
    u, v = u - origin, v - origin
    size = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    squares = np.stack([axis_major.dot(u, u), axis_major.dot(v, v), axis_major.dot(v - u, v - u)])
    short = squares <= (SHORTEST * size) ** 2
    facing = axis_major.cross(u, v)
    double_area = np.sqrt(axis_major.dot(facing, facing))
    # A sliver as thin as the shortest edge has no area to compare with either.
    flat = double_area <= SHORTEST * size * np.sqrt(squares.max(axis=0, initial=0.0))
    a, b, c = axis_major.gather(mesh.bound_normals.T, shading)
    mean = a + b + c
    length = np.sqrt(axis_major.dot(mean, mean)) * double_area
    cosine = np.clip(axis_major.dot(mean, facing) / np.where(length > 0.0, length, 1.0), -1.0, 1.0)
    side = np.where(flat | (np.abs(cosine) < FRONT), 0.0, np.sign(cosine))
    return BoundTriangles(
        np.where(short, 0.0, 1.0 / np.where(short, 1.0, squares)),
        np.where(flat, 0.0, 1.0 / np.where(flat, 1.0, double_area)),
        np.flatnonzero(flat),
        side,
        # Half a turn, which no error can exceed, where neither side is the front.
        0.5 * np.where(side == 0.0, np.pi, np.arccos(np.abs(cosine))),
    )
