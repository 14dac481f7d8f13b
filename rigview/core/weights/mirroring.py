"""Mirroring weights from one side of a character to the other, by points and by pairs of joints."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rigview.core.anatomy import Anatomy
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.mirror_plane import MirrorPlane, mirror_plane
from rigview.core.weights.edits import Freedom, obeying
from rigview.core.weights.problem import NotMade
from rigview.core.weights.skin_points import SkinPoints

# A point and the image of its partner are this near, as a share of H.
NEAR = 1e-3
# Joints further off the plane stand aside, as a share of H.
ASIDE = 0.02
# As many points that may lie in one place are compared: of two shells that touch, the one that faces alike.
_CANDIDATES = 4

Way = Literal["left to right", "right to left"]


@dataclass(frozen=True, eq=False)
class Mirror:
    """What mirrors what on one character.

    Parameters
    ----------
    partner
        ``(J,)`` position in the skin of each joint's partner; its own in the middle, −1 for a joint
        that stands aside and has none.
    image
        ``(P,)`` the point that mirrors each point; −1 without one within `NEAR`.
    side
        ``(P,)`` +1 on the left, −1 on the right, 0 on the plane.
    """

    plane: MirrorPlane
    partner: IntArray
    image: IntArray
    side: IntArray


@dataclass(frozen=True, eq=False)
class Mirrored:
    """New weights of one side.

    Parameters
    ----------
    points, rows
        ``(n,)`` the points that were set, and their ``(n, J)``.
    unpaired
        Points of that side that stay as they are: nothing mirrors them, or what does follows a joint
        without partner.
    """

    points: IntArray
    rows: FloatArray
    unpaired: IntArray


def mirror_of(of: SkinPoints) -> Mirror:
    """Find the plane between left and right, and which points and joints mirror each other.

    Raises
    ------
    NotMade
        If no names of joints pair, or the joints that do stand in no mirror image.
    """
    anatomy, surface = Anatomy(of.rig), of.surface
    known = [pair for pair in anatomy.pairs if of.column_of.keys() >= set(pair)]
    if not known:
        raise NotMade("no two joints are named left and right")
    pairs = np.array([(of.column_of[a], of.column_of[b]) for a, b in known], dtype=np.int64)
    heads = of.rig.skins[of.character.skin].mesh_from_joint[:, :3, 3]
    left, right = heads[pairs[:, 0]], heads[pairs[:, 1]]
    plane = mirror_plane(left, right, anatomy.starts(known), surface.size)
    if plane is None:
        raise NotMade("left and right joints stand in the same places")
    partner = np.arange(len(of.nodes))
    partner[pairs[:, 0]], partner[pairs[:, 1]] = pairs[:, 1], pairs[:, 0]
    lone = np.ones(len(of.nodes), dtype=np.bool_)
    lone[pairs.reshape(-1)] = False
    partner[lone & (np.abs(plane.beyond(heads)) > ASIDE * surface.size)] = -1
    beyond = plane.beyond(surface.points)
    towards_left = np.sign(np.median((left - right) @ plane.normal))
    side = (np.sign(beyond) * (np.abs(beyond) > NEAR * surface.size) * towards_left).astype(
        np.int64
    )
    return Mirror(plane, partner, _images(of, plane), side)


def _images(of: SkinPoints, plane: MirrorPlane) -> IntArray:
    """Return ``(P,)`` the point nearest to each point's image that faces as it does; −1 without one."""
    from scipy.spatial import cKDTree

    points, normals = of.surface.points, of.surface.normals
    count = min(_CANDIDATES, len(points))
    far, near = cKDTree(points).query(
        plane.images(points), k=count, distance_upper_bound=NEAR * of.surface.size
    )
    far, near = far.reshape(len(points), count), near.reshape(len(points), count)
    found = np.isfinite(far)
    near = np.where(found, near, 0).astype(np.int64)
    faces = np.einsum("pi,pki->pk", normals @ plane.reflection, normals[near])
    nearest = np.where(found, far, np.inf).min(axis=1, keepdims=True)
    together = found & (far <= nearest + 1e-6 * of.surface.size)
    best = np.where(together, faces, -np.inf).argmax(axis=1)
    return np.where(found.any(axis=1), near[np.arange(len(points)), best], -1)


def mirrored(
    of: SkinPoints, mirror: Mirror, way: Way, free: Freedom, chosen: IntArray | None = None
) -> Mirrored:
    """Give points of one side the weights of their images, each joint its partner's.

    Points on the plane get the mean of both sides.

    Parameters
    ----------
    chosen
        The points that may change; None for all of that side.
    """
    target = -1 if way == "left to right" else 1
    wanted = mirror.side != -target
    if chosen is not None:
        within = np.zeros(of.count, dtype=np.bool_)
        within[chosen] = True
        wanted &= within
    points = np.flatnonzero(wanted)
    image = mirror.image[points]
    paired = (image >= 0) & ~_lone(of, mirror, np.maximum(image, 0)) & ~_lone(of, mirror, points)
    unpaired, points, image = points[~paired], points[paired], image[paired]
    own, seen = of.rows(points), _swapped(of.rows(image), mirror.partner)
    middle = mirror.side[points] == 0
    seen[middle] = 0.5 * (own[middle] + seen[middle])
    return Mirrored(points, obeying(own, seen, free), unpaired)


def _lone(of: SkinPoints, mirror: Mirror, points: IntArray) -> BoolArray:
    """Return ``(n,)`` which points follow a joint without partner."""
    named = (mirror.partner < 0)[of.joints[points]] & (of.weights[points] > 0.0)
    return np.asarray(named.any(axis=1))


def _swapped(rows: FloatArray, partner: IntArray) -> FloatArray:
    """Return rows ``(n, J)`` with each joint's weight on its partner."""
    result = np.zeros_like(rows)
    own = np.flatnonzero(partner >= 0)
    result[:, partner[own]] = rows[:, own]
    return result
