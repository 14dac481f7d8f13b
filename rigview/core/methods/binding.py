"""Which joints move each vertex of a mesh: influences cleaned and ranked, once per rig."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import memo
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.mesh import Influences
from rigview.core.numeric.blending import Blending
from rigview.core.numeric.hemisphere import distinct_pairs, tiled
from rigview.core.rig import Rig, Skin


@dataclass(frozen=True, eq=False)
class Binding:
    """Influences ready for skinning, the heaviest in slot 0, and the static terms of compensation.

    Parameters
    ----------
    joints, weights
        ``(V, K)`` position in the palette, and weight; unused slots are joint 0 with weight 0.
    side
        ``(V,)`` +1 where the heaviest joint is an ancestor of the second, −1 where it is a
        descendant, 0 where it is neither.
    radius
        ``(V,)`` distance in mesh space to the bone of the heaviest joint.
    """

    joints: IntArray
    weights: FloatArray
    side: FloatArray
    radius: FloatArray

    @cached_property
    def unbound(self) -> IntArray:
        """The vertices without any weight, ascending: nothing moves them from mesh space."""
        return np.flatnonzero(~np.any(self.weights != 0.0, axis=1))

    @cached_property
    def blending(self) -> Blending:
        """The sums over influences."""
        return Blending(self.joints, self.weights)

    def blends_like(self, other: "Binding") -> bool:
        """Tell whether vertices follow the same joints by the same weights, slot by slot."""
        return np.array_equal(self.joints, other.joints) and np.array_equal(
            self.weights, other.weights
        )

    def is_like(self, other: "Binding") -> bool:
        """Tell whether vertices that blend alike have the same terms of compensation too."""
        return np.array_equal(self.side, other.side) and np.array_equal(self.radius, other.radius)

    def copies(self, count: int, width: int) -> "Binding":
        """Return the binding of as many copies of the mesh, one below the other (`Blending.copies`)."""
        blending = self.blending.copies(count, width)
        result = Binding(
            blending.joints,
            blending.weights,
            np.tile(self.side, count),
            np.tile(self.radius, count),
        )
        pairs, pair_of = self.leading
        number = pairs.shape[1]
        every = tiled(pair_of, count, number)
        every[np.tile(pair_of == number, count)] = count * number
        leading = np.stack([tiled(row, count, width) for row in pairs]), every
        memo.tell(result, blending=blending, leading=leading)
        return result

    def with_terms(self, side: FloatArray, radius: FloatArray) -> "Binding":
        """Return the same influences with other ``(V,)`` terms of compensation; the blending is shared."""
        result = Binding(self.joints, self.weights, side, radius)
        memo.tell(result, blending=self.blending, unbound=self.unbound)
        return result

    @cached_property
    def leading(self) -> tuple[IntArray, IntArray]:
        """The pairs ``(2, P)`` of a vertex's two heaviest joints that are above one another.

        With them ``(V,)`` which pair a vertex has; P where it has none.
        """
        related = np.flatnonzero(self.side)
        second = self.joints[related, min(1, self.joints.shape[1] - 1)]
        pairs, pair_of = distinct_pairs(self.joints[related, 0], second)
        every = np.full(len(self.side), pairs.shape[1])
        every[related] = pair_of
        return pairs, every


def bind(
    rig: Rig, skin: int, influences: Influences, bones: Segments, points: FloatArray
) -> Binding:
    """Bind ``(V, 3)`` mesh-space `points` to a skin.

    1. A weight that is not finite, or whose joint the skin does not have, counts as 0.
    2. A joint that a vertex names twice counts once, with the sum of its weights.
    3. Slots are ranked by weight; ties go to the joint nearer the root, then to the lower node.

    Parameters
    ----------
    bones
        The skin's bones at bind time, one per joint of the skin (`bones.Bound`).
    """
    joints, weights = _clean(influences, len(rig.skins[skin].joints))
    joints, weights = _merge(joints, weights)
    nodes = np.array(rig.skins[skin].joints, dtype=np.int64)
    joints, weights = _rank(joints, weights, rig.nodes.depths[nodes], nodes)
    side = _sides(rig, rig.skins[skin], joints, weights)
    return Binding(joints, weights, side, bones.distance(joints[:, 0], points))


def single(points: FloatArray) -> Binding:
    """Bind each of ``(V, 3)`` vertices rigidly to joint 0: an unskinned mesh on its node."""
    v = len(points)
    return Binding(np.zeros((v, 1), dtype=np.int64), np.ones((v, 1)), np.zeros(v), np.zeros(v))


# Vertices that `moved_once` moves in one go: what it computes of them stays near the processor.
_BLOCK = 1024
# Fewer vertices are moved sooner than it is found out which of them touch the box.
_FEW = 800
# Matrices that take some point further apart than this share of the mesh's size say little of one another.
_ALIKE = 0.05
# More than what one sum of a dozen products in float64 is off by, as a share of its largest term.
_ROUNDING = 1e-12


def moved_once(influences: Influences, matrices: FloatArray, points: FloatArray) -> FloatArray:
    """Return ``(V, 3)`` points blended by ``(J, 4, 4)`` matrices, for a single pose.

    What `bind` and `Blending` prepare pays from the second pose on.
    """
    joints, weights = _clean(influences, len(matrices))
    of_joints = np.ascontiguousarray(matrices[:, :3].reshape(-1, 12).T)
    result = np.zeros_like(points)
    # What an unused slot makes of the joint 0 that it names is left out, be it no number.
    with np.errstate(invalid="ignore"):
        for start in range(0, len(points), _BLOCK):
            some = slice(start, start + _BLOCK)
            result[some] = _moved_block(joints[some], weights[some], of_joints, points[some]).T
    return result


def _moved_block(
    joints: IntArray, weights: FloatArray, of_joints: FloatArray, points: FloatArray
) -> FloatArray:
    """Return ``(3, n)`` points blended by matrices ``(12, J)``, the numbers of each in a column.

    Number by number, as numpy gathers, multiplies and adds columns many times as quickly as rows.
    """
    coordinates, shares = points.T.copy(), weights.T.copy()
    terms = of_joints.take(joints.T, axis=1).reshape(3, 4, *shares.shape)
    terms[:, :3] *= coordinates[:, None]
    moved, y, z, w = terms.swapaxes(0, 1)
    moved += y
    moved += np.add(z, w, out=z)
    moved *= shares
    used = shares != 0.0
    blended = np.where(used, moved, 0.0).sum(axis=1)
    return np.where(used.any(axis=0), blended, coordinates)


def outermost(
    influences: Influences, matrices: FloatArray, points: FloatArray, box: FloatArray
) -> IntArray:
    """Return vertices among which are all that touch the box around what `moved_once` gives.

    Joints that stand where they were bound move the mesh as one: then any of their matrices tells where a
    vertex goes, to within how far they and the sums of weights differ. Else these are all vertices.

    Parameters
    ----------
    box
        ``(2, 3)`` around the points.
    """
    if len(points) < _FEW:
        return np.arange(len(points))
    if not influences.fit(len(matrices)) or influences.weight_span[0] < 0.0:
        return np.arange(len(points))
    off = float(np.abs(influences.sums - 1.0).max())
    if off > _ALIKE:
        return np.arange(len(points))
    used = matrices[influences.totals(len(matrices)) > 0.0, :3]
    furthest = np.append(np.abs(box).max(axis=0), 1.0)
    apart = np.abs(used - used[0]).max(axis=0) @ furthest
    reach = np.abs(used[0]) @ furthest
    slack = (1.0 + off) * apart + (off + _ROUNDING) * reach
    near = used[0, :, :3] @ np.ascontiguousarray(points.T)
    near += used[0, :, 3:]
    low, high = near.min(axis=1), near.max(axis=1)
    if not np.all(slack <= _ALIKE * (high - low)):
        return np.arange(len(points))
    low, high = low + 2.0 * slack, high - 2.0 * slack
    touches = (near <= low[:, None]) | (near >= high[:, None])
    return np.flatnonzero(touches.any(axis=0))


def _clean(influences: Influences, joint_count: int) -> tuple[IntArray, FloatArray]:
    valid = influences.weights != 0.0
    if not influences.fit(joint_count):
        valid &= (influences.joints >= 0) & (influences.joints < joint_count)
        valid &= np.isfinite(influences.weights)
    joints = np.where(valid, influences.joints, 0)
    weights = np.where(valid, influences.weights, 0.0)
    if joints.shape[1] == 0:
        return np.zeros((len(joints), 1), dtype=np.int64), np.zeros((len(joints), 1))
    return joints, weights


def _merge(joints: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    used = np.where(weights != 0.0, joints, -1 - np.arange(joints.shape[1]))
    ordered = np.sort(used, axis=1)
    twice = np.flatnonzero(np.any(ordered[:, 1:] == ordered[:, :-1], axis=1))
    if not len(twice):
        return joints, weights
    joints, weights = joints.copy(), weights.copy()
    for vertex in twice:
        first: dict[int, int] = {}
        for slot, joint in enumerate(joints[vertex]):
            if weights[vertex, slot] == 0.0:
                continue
            kept = first.setdefault(int(joint), slot)
            if kept != slot:
                weights[vertex, kept] += weights[vertex, slot]
                joints[vertex, slot], weights[vertex, slot] = 0, 0.0
    return joints, weights


def _rank(
    joints: IntArray, weights: FloatArray, depths: IntArray, nodes: IntArray
) -> tuple[IntArray, FloatArray]:
    most = max(1, int(np.count_nonzero(weights, axis=1).max(initial=0)))
    order = np.lexsort((nodes[joints], depths[joints], -weights, weights == 0.0), axis=1)
    order = order[:, :most]
    return np.take_along_axis(joints, order, axis=1), np.take_along_axis(weights, order, axis=1)


def _sides(rig: Rig, skin: Skin, joints: IntArray, weights: FloatArray) -> FloatArray:
    side = np.zeros(len(joints))
    if joints.shape[1] < 2:
        return side
    pairs, pair_of = distinct_pairs(joints[:, 0], joints[:, 1])
    values = np.zeros(pairs.shape[1])
    for i, (first, second) in enumerate(pairs.T):
        a, b = skin.joints[first], skin.joints[second]
        if rig.nodes.is_ancestor(a, b):
            values[i] = 1.0
        elif rig.nodes.is_ancestor(b, a):
            values[i] = -1.0
    side = values[pair_of]
    return np.where(weights[:, 1] != 0.0, side, 0.0)
