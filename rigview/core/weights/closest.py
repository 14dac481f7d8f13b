"""The point of a surface that is closest to each of many points."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.weights.weight_surface import WeightSurface

# Samples stand at most this share of H apart, and no triangle has more than `MOST` along an edge.
SPACING, MOST = 0.01, 24
# Triangles that are measured exactly per point, those of the nearest samples.
CANDIDATES = 12
# Points that are worked on at once.
BLOCK = 20_000


def closest_points(
    surface: WeightSurface, points: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the triangle, ``(n, 3)`` shares of its corners and the distance of the closest point.

    Exact among the triangles of the nearest samples; ``(n,)``, ``(n, 3)`` and ``(n,)``.
    """
    from scipy.spatial import cKDTree

    samples, owners = _samples(surface)
    tree = cKDTree(samples)
    count = min(CANDIDATES, len(samples))
    triangles, shares, far = [], [], []
    for start in range(0, len(points), BLOCK):
        block = points[start : start + BLOCK]
        _, near = tree.query(block, k=count)
        faces = owners[near.reshape(len(block), count)]
        corners = surface.points[surface.triangles[faces]]
        share = _shares(corners.reshape(-1, 3, 3), np.repeat(block, count, axis=0))
        share = share.reshape(len(block), count, 3)
        foot = np.einsum("nck,ncki->nci", share, corners)
        lengths = np.linalg.norm(foot - block[:, None], axis=2)
        best = lengths.argmin(axis=1)
        at = np.arange(len(block))
        triangles.append(faces[at, best])
        shares.append(share[at, best])
        far.append(lengths[at, best])
    none = np.zeros(0, dtype=np.int64)
    return (
        np.concatenate([none, *triangles]),
        np.concatenate([np.zeros((0, 3)), *shares]),
        np.concatenate([np.zeros(0), *far]),
    )


def _samples(surface: WeightSurface) -> tuple[FloatArray, IntArray]:
    """Return points on all triangles, and the triangle of each."""
    corners = surface.points[surface.triangles]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    steps = np.clip(np.ceil(longest / (SPACING * surface.size)), 1, MOST).astype(np.int64)
    points, owners = [np.zeros((0, 3))], [np.zeros(0, dtype=np.int64)]
    for count in np.unique(steps).tolist():
        i, j = (axis.ravel() for axis in np.indices((count + 1, count + 1)))
        i, j = i[i + j <= count], j[i + j <= count]
        shares = np.column_stack([i, j, count - i - j]) / count
        some = np.flatnonzero(steps == count)
        points.append(np.einsum("sk,fki->fsi", shares, corners[some]).reshape(-1, 3))
        owners.append(np.repeat(some, len(shares)))
    return np.concatenate(points), np.concatenate(owners)


def _shares(corners: FloatArray, points: FloatArray) -> FloatArray:
    """Return ``(n, 3)`` shares of the corners of the point of each triangle closest to a point.

    The foot of the perpendicular where it is inside, else the nearest point of the three edges.
    """
    a, b, c = corners.swapaxes(0, 1)
    u, v, w = b - a, c - a, points - a
    uu, uv, vv = (np.einsum("ni,ni->n", p, q) for p, q in ((u, u), (u, v), (v, v)))
    wu, wv = (np.einsum("ni,ni->n", w, q) for q in (u, v))
    det = uu * vv - uv * uv
    flat = det <= 1e-14 * uu * vv
    safe = np.where(flat, 1.0, det)
    s, t = (vv * wu - uv * wv) / safe, (uu * wv - uv * wu) / safe
    inside = ~flat & (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
    result = np.column_stack([1.0 - s - t, s, t])
    best = np.where(inside, -1.0, np.inf)
    for first, second in ((0, 1), (1, 2), (2, 0)):
        begin = corners[:, first]
        edge = corners[:, second] - begin
        square = np.einsum("ni,ni->n", edge, edge)
        along = np.einsum("ni,ni->n", points - begin, edge) / np.where(square > 0.0, square, 1.0)
        along = np.clip(along, 0.0, 1.0)
        far = ((points - begin - along[:, None] * edge) ** 2).sum(axis=1)
        nearer = far < best
        best = np.where(nearer, far, best)
        row = np.zeros_like(result)
        row[:, first], row[:, second] = 1.0 - along, along
        result = np.where(nearer[:, None], row, result)
    return result
