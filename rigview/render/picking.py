"""What lies under the cursor: joints by distance on screen, vertices by a ray."""

from typing import NamedTuple

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.methods.posed import Skinned
from rigview.render.camera import Camera

# How near the cursor must come, in logical pixels.
JOINT_REACH = 9.0
BONE_REACH = 6.0


class Hit(NamedTuple):
    """Where a ray meets a mesh: its nearest vertex, and the distance along the ray."""

    vertex: int
    distance: float


def pick_bone(
    bones: Segments, camera: Camera, x: float, y: float, width: float, height: float
) -> int | None:
    """Return the number of the bone whose joint, or else whose segment, is nearest to the cursor."""
    if not len(bones.heads):
        return None
    cursor = np.array([x, y])
    heads = camera.project(bones.heads, width, height)[:, :2]
    tails = camera.project(bones.tails, width, height)[:, :2]
    to_head = np.linalg.norm(heads - cursor, axis=-1)
    to_head = np.where(np.isnan(to_head), np.inf, to_head)
    nearest = int(np.argmin(to_head))
    if to_head[nearest] <= JOINT_REACH:
        return nearest
    along = tails - heads
    square = np.maximum(np.einsum("ji,ji->j", along, along), 1e-12)
    foot = np.clip(np.einsum("ji,ji->j", cursor - heads, along) / square, 0.0, 1.0)
    to_bone = np.linalg.norm(heads + foot[:, None] * along - cursor, axis=-1)
    to_bone = np.where(np.isnan(to_bone), np.inf, to_bone)
    nearest = int(np.argmin(to_bone))
    return nearest if to_bone[nearest] <= BONE_REACH else None


def brushed(
    skinned: Skinned,
    camera: Camera,
    place: tuple[float, float],
    size: tuple[float, float],
    reach: float,
) -> IntArray:
    """Return the vertices within `reach` pixels of a place in a pane that face the eye."""
    seen = camera.project(skinned.positions, *size)
    away = np.hypot(seen[:, 0] - place[0], seen[:, 1] - place[1])
    near = np.nan_to_num(away, nan=np.inf) <= reach
    return np.flatnonzero(near & _facing(skinned, camera))


def boxed(
    skinned: Skinned,
    camera: Camera,
    box: tuple[float, float, float, float],
    size: tuple[float, float],
    *,
    through: bool,
) -> IntArray:
    """Return the vertices within a box of a pane that face the eye, or all of them.

    Parameters
    ----------
    box
        Left, top, right and bottom in pixels.
    """
    seen = np.nan_to_num(camera.project(skinned.positions, *size)[:, :2], nan=np.inf)
    left, top, right, bottom = box
    inside = (seen[:, 0] >= left) & (seen[:, 0] <= right)
    inside &= (seen[:, 1] >= top) & (seen[:, 1] <= bottom)
    return np.flatnonzero(inside if through else inside & _facing(skinned, camera))


def lassoed(
    skinned: Skinned,
    camera: Camera,
    path: FloatArray,
    size: tuple[float, float],
    *,
    through: bool,
) -> IntArray:
    """Return the vertices within a closed path in a pane that face the eye, or all of them.

    Parameters
    ----------
    path
        ``(n, 2)`` pixels, its end joined to its start; where it crosses itself, what it goes round twice
        is outside.
    """
    low, high = path.min(axis=0), path.max(axis=0)
    near = boxed(skinned, camera, (low[0], low[1], high[0], high[1]), size, through=through)
    return near[_enclosed(camera.project(skinned.positions[near], *size)[:, :2], path)]


def heads_boxed(
    heads: FloatArray,
    camera: Camera,
    box: tuple[float, float, float, float],
    size: tuple[float, float],
) -> IntArray:
    """Return which of ``(J, 3)`` joints are within a box of a pane: left, top, right, bottom in pixels."""
    seen = np.nan_to_num(camera.project(heads, *size)[:, :2], nan=np.inf)
    left, top, right, bottom = box
    inside = (seen[:, 0] >= left) & (seen[:, 0] <= right)
    return np.flatnonzero(inside & (seen[:, 1] >= top) & (seen[:, 1] <= bottom))


def heads_lassoed(
    heads: FloatArray, camera: Camera, path: FloatArray, size: tuple[float, float]
) -> IntArray:
    """Return which of ``(J, 3)`` joints are within a closed path in a pane, as `lassoed` has it."""
    low, high = path.min(axis=0), path.max(axis=0)
    near = heads_boxed(heads, camera, (low[0], low[1], high[0], high[1]), size)
    return near[_enclosed(camera.project(heads[near], *size)[:, :2], path)]


def _enclosed(places: FloatArray, path: FloatArray) -> BoolArray:
    """Return which of ``(n, 2)`` places are within a closed path."""
    x, y = places.T
    inside = np.zeros(len(places), dtype=np.bool_)
    for (ax, ay), (bx, by) in zip(path, np.roll(path, -1, axis=0), strict=True):
        if ay != by:
            crosses = (ay > y) != (by > y)
            inside ^= crosses & (x < ax + (y - ay) * (bx - ax) / (by - ay))
    return inside


def _facing(skinned: Skinned, camera: Camera) -> BoolArray:
    """Return ``(V,)`` which vertices face the eye."""
    towards = camera.eye - skinned.positions if not camera.orthographic else camera.axes[2]
    return np.asarray(np.sum(skinned.normals * towards, axis=1) > 0.0)


def pick_vertex(
    positions: FloatArray, triangles: IntArray, origin: FloatArray, direction: FloatArray
) -> Hit | None:
    """Return the nearest triangle's vertex that a ray hits, after Möller and Trumbore 1997.

    Parameters
    ----------
    positions, origin, direction
        ``(V, 3)``, ``(3,)`` and ``(3,)``, all in model space.
    """
    near = _met(positions, triangles, origin, direction)
    triangles = triangles[near]
    if not len(triangles):
        return None
    a, b, c = (positions[triangles[:, i]] for i in range(3))
    edge1, edge2 = b - a, c - a
    p = np.cross(direction, edge2)
    determinant = np.einsum("fi,fi->f", edge1, p)
    flat = np.abs(determinant) <= np.finfo(np.float64).tiny
    inverse = 1.0 / np.where(flat, 1.0, determinant)
    from_a = origin - a
    u = np.einsum("fi,fi->f", from_a, p) * inverse
    q = np.cross(from_a, edge1)
    v = (q @ direction) * inverse
    distance = np.einsum("fi,fi->f", edge2, q) * inverse
    hit = ~flat & (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (distance > 0.0)
    if not np.any(hit):
        return None
    face = int(np.argmin(np.where(hit, distance, np.inf)))
    shares = (1.0 - u[face] - v[face], u[face], v[face])
    return Hit(int(triangles[face, int(np.argmax(shares))]), float(distance[face]))


def _met(
    positions: FloatArray, triangles: IntArray, origin: FloatArray, direction: FloatArray
) -> IntArray:
    """Return the triangles that a line may meet: seen along it, not all corners are to one side of it."""
    if not len(triangles):
        return np.zeros(0, dtype=np.int64)
    across = np.cross(direction, np.eye(3)[np.argmin(np.abs(direction))])
    plane = np.stack([across, np.cross(direction, across)], axis=1)
    x, y = ((positions - origin) @ plane).T
    # A bit for each side: right, left, above, below.
    sides = np.zeros(len(positions), dtype=np.uint8)
    for bit, side in enumerate((x > 0.0, x < 0.0, y > 0.0, y < 0.0)):
        sides |= side.astype(np.uint8) << np.uint8(bit)
    a, b, c = (sides[triangles[:, i]] for i in range(3))
    return np.flatnonzero((a & b & c) == 0)


def merged(strokes: dict[int, list[IntArray]]) -> dict[int, IntArray]:
    """Return part → its touched vertices, each once."""
    return {part: np.unique(np.concatenate(touched)) for part, touched in strokes.items()}
