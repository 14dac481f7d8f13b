"""Which points of a surface the eye sees, and which lie behind other parts of it."""

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.render.camera import Camera

# Pixels: points and triangles are compared within squares of the pane.
_SQUARE = 6.0
# What lies nearer to a triangle, as a share of the rig's reach, lies on it.
_ON_IT = 1e-3


def covered(
    points: FloatArray,
    positions: FloatArray,
    triangles: IntArray,
    camera: Camera,
    size: tuple[float, float],
) -> BoolArray:
    """Return which points lie behind a triangle, as the camera sees them.

    Parameters
    ----------
    points
        ``(n, 3)`` model space.
    positions, triangles
        ``(V, 3)`` model space, and ``(F, 3)`` into them.
    size
        Of the pane, in pixels.
    """
    result = np.zeros(len(points), dtype=np.bool_)
    towards = camera.axes[2] if camera.orthographic else camera.eye - points
    length = np.linalg.norm(towards, axis=-1, keepdims=True)
    step = towards / np.where(length > 0.0, length, 1.0)
    seen = camera.project(points + _ON_IT * camera.reach * step, *size)
    asked = np.flatnonzero(np.isfinite(seen).all(axis=1))
    corners = camera.project(positions, *size)[triangles]
    corners = corners[np.isfinite(corners).all(axis=(1, 2))]
    if not len(asked) or not len(corners):
        return result
    seen = seen[asked]
    squares = np.floor(seen[:, :2] / _SQUARE).astype(np.int64)
    first, last = squares.min(axis=0), squares.max(axis=0)
    columns = int(last[0] - first[0]) + 1
    keys = (squares - first) @ [1, columns]
    faces, places = _spread(corners, first, last)
    order = np.argsort(places, kind="stable")
    faces, places = faces[order], places[order]
    for key in np.unique(keys).tolist():
        start, end = np.searchsorted(places, [key, key + 1])
        here = np.flatnonzero(keys == key)
        result[asked[here]] = _behind(seen[here], corners[faces[start:end]])
    return result


def _spread(corners: FloatArray, first: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
    """Return pairs of a triangle and a square that its box reaches into, of squares first to last."""
    squares = np.floor(corners[..., :2] / _SQUARE)
    low = np.clip(squares.min(axis=1), first, last + 1).astype(np.int64)
    high = np.clip(squares.max(axis=1), first - 1, last).astype(np.int64)
    wide, tall = np.maximum(high - low + 1, 0).T
    counts = wide * tall
    faces = np.repeat(np.arange(len(corners)), counts)
    within = np.arange(len(faces)) - np.repeat(np.cumsum(counts) - counts, counts)
    across, down = within % np.maximum(wide, 1)[faces], within // np.maximum(wide, 1)[faces]
    columns = int(last[0] - first[0]) + 1
    places = (low[faces, 0] - first[0] + across) + columns * (low[faces, 1] - first[1] + down)
    return faces, places


def _behind(points: FloatArray, corners: FloatArray) -> BoolArray:
    """Return which of ``(n, 3)`` places in the pane lie behind any of ``(m, 3, 3)`` triangles."""
    x, y, depth = points.T[..., None]
    # Twice the area between the point and each edge, opposite to each corner.
    parts = []
    for one, other in ((1, 2), (2, 0), (0, 1)):
        a, b = corners[:, one, :2], corners[:, other, :2]
        parts.append((b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (b[:, 1] - a[:, 1]) * (x - a[:, 0]))
    whole = parts[0] + parts[1] + parts[2]
    inside = np.all([part * np.sign(whole) >= 0.0 for part in parts], axis=0) & (whole != 0.0)
    # Depth is affine over the pane.
    shares = [part * corners[:, i, 2] for i, part in enumerate(parts)]
    over = np.where(whole != 0.0, whole, 1.0)
    nearer = (shares[0] + shares[1] + shares[2]) / over < depth
    return np.asarray(np.any(inside & nearer, axis=1))
