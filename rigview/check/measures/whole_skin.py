"""All weights of one skin, whatever parts it moves: as one list of vertices, and compared row by row."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rigview.check.measures.facts import Facts
from rigview.check.measures.influences import Weighted, counted, weighted
from rigview.core.arrays import FloatArray, IntArray, owned
from rigview.core.bones import box_diagonal
from rigview.core.mesh import Influences
from rigview.core.numeric import row_ops
from rigview.core.rig import Rig


@dataclass(frozen=True, eq=False)
class WholeSkin:
    """All primitives of one skin as one cloud of vertices in mesh space.

    Parameters
    ----------
    members
        The primitives.
    starts
        ``(members + 1,)`` where the vertices of each begin, and how many there are in all.
    positions
        ``(V, 3)``.
    influences
        Those that count (`influences.counted`).
    size
        The diagonal of the box around the positions.
    """

    members: tuple[Weighted, ...]
    starts: IntArray
    positions: FloatArray
    influences: Influences
    size: float

    @classmethod
    def of(cls, facts: Facts, skin: int) -> "WholeSkin | None":
        """Return a skin's vertices; None where no mesh hangs on it."""
        rig = facts.rig
        members = tuple(own for own in facts.of_rig(weighted) if own.skin == skin)
        if not members:
            return None
        rows = [facts.of_rig(counted, skin, own.influences) for own in members]
        primitives = [rig.primitive(own.part) for own in members]
        starts = np.cumsum([0, *(len(row.joints) for row in rows)])
        width = max(row.joints.shape[1] for row in rows)
        joints = np.concatenate([row_ops.widened(row.joints, width) for row in rows])
        weights = np.concatenate([row_ops.widened(row.weights, width) for row in rows])
        positions = np.concatenate([primitive.positions for primitive in primitives])
        size = box_diagonal(*(primitive.box for primitive in primitives))
        return cls(members, starts, positions, Influences(owned(joints), owned(weights)), size)

    def per_member(self, chosen: IntArray) -> Iterator[tuple[Weighted, IntArray, IntArray]]:
        """Yield the primitives that hold chosen vertices: numbers in each, places in `chosen`."""
        for own, start, end in zip(self.members, self.starts[:-1], self.starts[1:], strict=True):
            here = np.flatnonzero((chosen >= start) & (chosen < end))
            if len(here):
                yield own, chosen[here] - start, here

    def with_rows(self, rig: Rig, vertices: IntArray, dense: FloatArray) -> Rig:
        """Give vertices the weights ``(n, J)``, as many of the largest as the primitive has slots.

        Of equal ones that do not all fit there is none: what is left of a pair would lean to a side.
        """
        for own, local, rows in self.per_member(vertices):
            joints, weights = own.influences.joints.copy(), own.influences.weights.copy()
            width = joints.shape[1]
            top, new = largest(dense[rows], width)
            kept = new.sum(axis=1, keepdims=True)
            new *= dense[rows].sum(axis=1, keepdims=True) / np.where(kept > 0.0, kept, 1.0)
            weights[local], joints[local] = 0.0, 0
            weights[local, : new.shape[1]] = new
            joints[local, : new.shape[1]] = np.where(new > 0.0, top, 0)
            updated = replace(rig.primitive(own.part), influences=Influences(joints, weights))
            rig = rig.with_primitive(own.part.mesh, own.part.primitive, updated)
        return rig

    def dense(self, vertices: IntArray, joint_count: int) -> FloatArray:
        """Return ``(n, J)`` the weights of some vertices, joint by joint."""
        result = np.zeros((len(vertices), joint_count))
        rows = np.arange(len(vertices))[:, None]
        np.add.at(
            result, (rows, self.influences.joints[vertices]), self.influences.weights[vertices]
        )
        return result


def row_difference(a: Influences, b: Influences) -> tuple[FloatArray, FloatArray]:
    """Compare weights row by row, whatever the order of slots; no row names a joint twice.

    Returns
    -------
    ``(V,)`` the sum of all differences, and the largest one.
    """
    if a.joints.shape != b.joints.shape:
        return _difference_in_any_order(a, b)
    apart = np.abs(a.weights - b.weights)
    total, most = row_ops.sum_of(apart), row_ops.largest_of(apart)
    # Most rows that are compared list the same joints in the same order.
    used, theirs = a.weights != 0.0, b.weights != 0.0
    others = np.flatnonzero(
        row_ops.any_of(((a.joints != b.joints) & (used | theirs)) | (used != theirs))
    )
    if len(others):
        total[others], most[others] = _difference_in_any_order(a.of(others), b.of(others))
    return total, most


def _difference_in_any_order(a: Influences, b: Influences) -> tuple[FloatArray, FloatArray]:
    total, most = np.zeros(len(a.joints)), np.zeros(len(a.joints))
    other = [(j.copy(), w.copy()) for j, w in zip(b.joints.T, b.weights.T, strict=True)]
    seen = [np.zeros(len(a.joints)) for _ in other]

    def count(difference: FloatArray) -> None:
        np.add(total, difference, out=total)
        np.maximum(most, difference, out=most)

    # Slot by slot, which numpy does ten times as quickly as row by row.
    for joints, weights in zip(a.joints.T.copy(), a.weights.T.copy(), strict=True):
        in_b = np.zeros(len(joints))
        for (others, theirs), in_a in zip(other, seen, strict=True):
            same = joints == others
            in_b += same * theirs
            np.add(in_a, same * weights, out=in_a)
        # A joint of both is compared once, from a's side; a joint of b alone has no weight in a.
        count(np.where(weights != 0.0, np.abs(weights - in_b), 0.0))
    for (_, theirs), in_a in zip(other, seen, strict=True):
        count(np.where(in_a == 0.0, theirs, 0.0))
    return total, most


def largest(weights: FloatArray, width: int) -> tuple[IntArray, FloatArray]:
    """Return ``(n, W)`` the places and values of the largest of ``(n, J)`` weights that all fit, else 0."""
    order = np.argsort(-weights, axis=1, kind="stable")
    ordered = np.take_along_axis(weights, order, axis=1)
    top, new = order[:, :width], ordered[:, :width]
    if weights.shape[1] > width:
        split = new <= ordered[:, width : width + 1] * (1.0 + 1e-9)
        split &= ~split.all(axis=1, keepdims=True)
        new = np.where(split, 0.0, new)
    return top, new
