"""The terms of a node's transform as an FBX file states them, and what a local transform is in them."""

from dataclasses import dataclass

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx.hierarchy import FbxHierarchy
from rigview.io.fbx.objects import Element
from rigview.io.fbx.transform import ORDERS, euler, to_euler

_PIVOTS = ("RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot")
_FLIP_TURN = np.array([1.0, -1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms of a node's transform, file units and degrees; rotations as quaternions."""

    t: FloatArray
    r: FloatArray
    s: FloatArray
    offset: FloatArray
    pivot: FloatArray
    scale_offset: FloatArray
    scale_pivot: FloatArray
    pre: FloatArray
    post: FloatArray
    order: int

    def turn(self) -> FloatArray:
        """Return ``(4,)`` of the Lcl Rotation."""
        return euler(self.r[None], np.array([self.order]))[0]

    def of_angles(self, degrees: FloatArray) -> FloatArray:
        """Return ``(n, 4)`` of ``(n, 3)`` Lcl Rotations."""
        return euler(degrees[None], np.array([self.order]))[0]

    @property
    def is_pivoted(self) -> bool:
        """Whether rotation and scale move the node."""
        inside = self.scale_offset + self.scale_pivot - self.pivot
        return bool(np.any(inside) or np.any(self.scale_pivot))

    def places(self, t: FloatArray, q: FloatArray, s: FloatArray) -> FloatArray:
        """Return ``(…, 3)`` the Lcl Translations that give translations.

        Parameters
        ----------
        t, q, s
            ``(…, 3)``, ``(…, 4)`` and ``(…, 3)``: translations and rotations of the whole product, and
            Lcl Scalings.
        """
        inside = self.scale_offset + self.scale_pivot - self.pivot - s * self.scale_pivot
        return t - self.offset - self.pivot - quat.rotate(q, inside)

    def turns(self, q: FloatArray) -> FloatArray:
        """Return ``(…, 4)`` of the Lcl Rotations that give ``(…, 4)`` rotations of the whole product."""
        pre, post = (np.broadcast_to(x, q.shape) for x in (quat.conjugate(self.pre), self.post))
        return quat.multiply(pre, quat.multiply(q, post))


def read_terms(hierarchy: FbxHierarchy, element: Element, number: int) -> Terms:
    """Return the terms of a node of the file.

    Parameters
    ----------
    number
        Of the node in the hierarchy.
    """
    offset, pivot, scale_offset, scale_pivot = (
        np.array(element.vector(name, 0.0)) for name in _PIVOTS
    )
    t, r, s = (values[number] for values in hierarchy.rest)
    turns = hierarchy.transforms
    pre, post = turns.pre[number], quat.conjugate(turns.post[number])
    order = int(turns.order[number])
    return Terms(t, r, s, offset, pivot, scale_offset, scale_pivot, pre, post, order)


def in_file(
    hierarchy: FbxHierarchy, t: FloatArray, q: FloatArray, *, is_root: bool
) -> tuple[FloatArray, FloatArray]:
    """Return ``(…, 3)`` translations and ``(…, 4)`` rotations of a node as the file has them."""
    settings = hierarchy.settings
    if is_root:
        back = np.broadcast_to(quat.conjugate(hierarchy.turn), q.shape)
        t, q = quat.rotate(back, t), quat.multiply(back, q)
    if settings.mirrored:
        q = q * _FLIP_TURN
    return t / np.diag(settings.ours_from_file), q


def near(degrees: FloatArray, like: FloatArray, order: int) -> FloatArray:
    """Return the angles of the same rotation that are nearest to others, ``(3,)``."""
    i, j, k = ORDERS[order]
    other = degrees.copy()
    other[[i, k]] += 180.0
    other[j] = 180.0 - other[j]
    turns = [row + 360.0 * np.round((like - row) / 360.0) for row in (degrees, other)]
    return min(turns, key=lambda row: float(np.abs(row - like).max()))


def continuous_angles(q: FloatArray, like: FloatArray, order: int) -> FloatArray:
    """Return ``(n, 3)`` degrees of ``(n, 4)`` rotations, each row nearest to the one before it.

    Parameters
    ----------
    like
        ``(3,)`` what the first row is nearest to.
    """
    codes: IntArray = np.full(len(q), order)
    both = np.stack([to_euler(q, codes)] * 2)
    i, j, k = ORDERS[order]
    both[1][:, [i, k]] += 180.0
    both[1][:, j] = 180.0 - both[1][:, j]
    before = np.concatenate([np.broadcast_to(like, (2, 1, 3)), both[:, :-1]], axis=1)
    # [choice before, choice now, row]
    steps = _wrapped(both[None] - before[:, None])
    far = np.abs(steps).max(axis=-1, initial=0.0)
    other = (far[:, 1] < far[:, 0]).tolist()
    taken = np.zeros(len(q) + 1, dtype=np.int64)
    for row in range(len(q)):
        taken[row + 1] = other[taken[row]][row]
    rows = np.arange(len(q))
    result = both[taken[1:], rows]
    near_by = like + np.cumsum(steps[taken[:-1], taken[1:], rows], axis=0)
    turned: FloatArray = result + 360.0 * np.round((near_by - result) / 360.0)
    return turned


def _wrapped(degrees: FloatArray) -> FloatArray:
    result: FloatArray = degrees - 360.0 * np.round(degrees / 360.0)
    return result
