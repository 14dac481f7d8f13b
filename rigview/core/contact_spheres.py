"""Spheres in place of a skinned surface, for the soft shadow that a character has on the ground."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame

# The side of the cubes in which a joint's surface becomes one sphere, as a share of the size: half a foot.
_CUBE = 0.05
# So many cubes on either side of the origin are told apart: fifty times the size, and a joint's number and
# those of its cube fit an integer.
_CUBES = 1000
# A sphere that darkens the ground below it by less than this share of light becomes one with all others
# like it: of a hundred small ones nobody sees the edges.
_LEAST = 0.04


@dataclass(frozen=True, eq=False)
class PartSpheres:
    """The spheres of one skinned part.

    Parameters
    ----------
    joints
        ``(n,)`` the place in the skin of the joint that each follows.
    centres
        ``(n, 3)`` mesh space at bind time.
    squares
        ``(n,)`` their squared radii, square metres.
    """

    node: int
    skin: int
    joints: IntArray
    centres: FloatArray
    squares: FloatArray


def spheres(deformer: Deformer) -> tuple[PartSpheres, ...]:
    """Return spheres with as much surface as the triangles of every skinned part.

    A sphere stands for what lies in one cube and follows one joint most. Its surface is that of the
    triangles at rest, so that spheres cover as much of the sky as the surface does, whatever the cubes.
    """
    result, first = [], 0
    for number, part in enumerate(deformer.rig.parts):
        primitive, binding = deformer.rig.primitive(part), deformer.bindings[number]
        at_rest = deformer.rest_positions[first : first + len(primitive.positions)]
        first += len(primitive.positions)
        skin = deformer.skin_of(part)
        if skin is None or not len(primitive.triangles):
            continue
        areas = _vertex_areas(at_rest, primitive.triangles)
        used = np.flatnonzero((areas > 0.0) & np.isfinite(areas) & np.any(binding.weights, axis=1))
        if not len(used):
            continue
        joints = binding.joints[used, 0]
        cubes = _cubes(at_rest[used] / (_CUBE * deformer.size))
        # A number for joint and cube is sorted faster than a row of four.
        keys = joints.astype(np.int64) * (2 * _CUBES) ** 3 + cubes
        _, chosen, which = np.unique(keys, return_index=True, return_inverse=True)
        whole = np.bincount(which, areas[used])
        centres = [
            np.bincount(which, areas[used] * axis) / whole for axis in primitive.positions[used].T
        ]
        result.append(
            PartSpheres(
                part.node, skin, joints[chosen], np.stack(centres, axis=1), whole / (4.0 * np.pi)
            )
        )
    return tuple(result)


def _cubes(places: FloatArray) -> IntArray:
    """Return ``(n,)`` the number of the unit cube that each of ``(n, 3)`` places lies in.

    Places farther away than `_CUBES` belong to the outermost cubes.
    """
    x, y, z = np.clip(np.floor(places), -_CUBES, _CUBES - 1).astype(np.int64).T + _CUBES
    return (x * (2 * _CUBES) + y) * (2 * _CUBES) + z


def _vertex_areas(positions: FloatArray, triangles: IntArray) -> FloatArray:
    """Return ``(V,)`` a third of the surface of each vertex's triangles."""
    a, b, c = positions[triangles].transpose(1, 0, 2)
    thirds = np.linalg.norm(np.cross(b - a, c - a), axis=-1) / 6.0
    sums = np.bincount(triangles.reshape(-1), np.repeat(thirds, 3), len(positions))
    return sums.astype(np.float64, copy=False)


def over_ground(
    parts: tuple[PartSpheres, ...], frame: Frame, hidden: Collection[int] = ()
) -> FloatArray:
    """Return the posed spheres above the ground, y = 0, as rows ``(n, 4)`` of centre and radius, metres.

    What lies too high to be told apart is one sphere, the last. None touches the ground from below:
    those that reach into it are lifted to where they touch it, and those under it are left out.

    Parameters
    ----------
    hidden
        Nodes whose parts are left out.
    """
    rows = [np.zeros((0, 4))]
    for part in parts:
        if part.node not in hidden:
            matrices = frame.palettes[part.skin].matrices[part.joints, :3]
            places = np.einsum("nab,nb->na", matrices[..., :3], part.centres) + matrices[..., 3]
            rows.append(np.column_stack([places, part.squares]))
    every = np.concatenate(rows)
    every = every[np.isfinite(every).all(axis=1)]
    radii = np.sqrt(every[:, 3])
    every, radii = every[every[:, 1] > -radii], radii[every[:, 1] > -radii]
    every[:, 1] = np.maximum(every[:, 1], radii)
    strong = every[:, 3] >= _LEAST * every[:, 1] ** 2
    near = np.column_stack([every[strong, :3], radii[strong]])
    far = every[~strong]
    if not len(far):
        return near
    square = far[:, 3].sum()
    middle = far[:, 3] @ far[:, :3] / square
    middle[1] = max(middle[1], np.sqrt(square))
    return np.concatenate([near, [[*middle, np.sqrt(square)]]])
