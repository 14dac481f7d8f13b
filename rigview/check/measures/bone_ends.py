"""Where the bones of joints end for rules about axes: in the middle of a body, and alike on both sides."""

from collections.abc import Iterable, Sequence

import numpy as np

from rigview.check.measures.facts import Facts
from rigview.core.arrays import IntArray, unit
from rigview.core.bones import EVEN

# So many children, each this part as heavy as the heaviest or more, leave a joint as fingers a palm: the
# one that is as near to the middle as a bone may be off its axis tells where it points.
_SEVERAL, _LIKE, _AMID = 3, 0.5, float(np.cos(np.radians(15.0)))
# The length that the mean of their directions has at least, where they go one way.
_TOGETHER = 0.5


def bone_ends(facts: Facts) -> IntArray:
    """Return ``(N,)`` the node at which the bone of each node ends, −1 where none does; for `Facts.once`.

    That is the primary child, but

    1. of a joint in the middle, never one of a left and a right child, of which whichever is a little
       heavier would have a spine point to a shoulder: the heaviest of the others, or none;
    2. of a pair whose primary children are no pair, at the pair of them that is heavier;
    3. none of a root that carries no weight: it says where a character is, and which way is forward;
    4. of several children of like weight, as fingers of a palm, the one in the middle, or none.
    """
    skeleton, children = facts.deformer.skeleton, facts.rig.joint_children
    partner = facts.anatomy.partner
    ends = np.full(len(facts.rig.nodes), -1)
    has = skeleton.primary >= 0
    ends[skeleton.joints[has]] = skeleton.joints[skeleton.primary[has]]
    for joint in skeleton.joints[has].tolist():
        if joint not in partner and partner.get(int(ends[joint])) in children[joint]:
            ends[joint] = _heaviest(facts, [c for c in children[joint] if c not in partner])
    for root in skeleton.joints[skeleton.parents < 0].tolist():
        ends[root] = ends[root] if root in facts.carrying else -1
    for left, right in facts.anatomy.pairs:
        if partner.get(int(ends[left])) != ends[right]:
            ways = [(end, partner.get(end, -1)) for end in (int(ends[left]), int(ends[right]))]
            ways = [way if way[0] in children[left] else way[::-1] for way in ways]
            ways = [(a, b) for a, b in ways if a in children[left] and b in children[right]]
            if ways:
                ends[left], ends[right] = max(ways, key=lambda way: sum(_weights(facts, way)))
    fans = [j for j, below in children.items() if len(below) >= _SEVERAL and ends[j] >= 0]
    for joint in fans:
        ends[joint] = _amid(facts, joint, int(ends[joint]))
    for left, right in facts.anatomy.pairs:
        if min(ends[left], ends[right]) < 0:
            ends[left] = ends[right] = -1
    return ends


def _amid(facts: Facts, joint: int, end: int) -> int:
    """Return the child in the middle of several like ones, −1 where none is; of fewer the one given."""
    partner, children = facts.anatomy.partner, facts.rig.joint_children[joint]
    is_middle = joint not in partner and end not in partner
    asked = [child for child in children if not (is_middle and child in partner)]
    weights = np.array(_weights(facts, asked))
    like = np.array(asked)[weights >= _LIKE * weights.max()]
    heads = facts.deformer.rest_nodes[:, :3, 3]
    ways = unit(heads[like] - heads[joint])
    if len(like) < _SEVERAL or not ways.any(axis=1).all():
        return end
    limbs = [child for child in like.tolist() if facts.rig.joint_children[child]]
    middle = ways.mean(axis=0)
    near = ways @ unit(middle)
    # What goes every way, and the many single joints of a face, point nowhere together.
    if not limbs or np.linalg.norm(middle) < _TOGETHER or near.max() < _AMID:
        return -1
    # Of two that are as near the first, whatever rounding says, and so alike on both sides.
    return int(like[np.argmax(near >= near.max() - EVEN)])


def _weights(facts: Facts, joints: Iterable[int]) -> list[float]:
    """Return how much weight the subtree of each of some joints carries."""
    total, subtree = facts.deformer.total_weights, facts.rig.nodes.subtree
    return [sum(total.get(node, 0.0) for node in subtree(joint)) for joint in joints]


def _heaviest(facts: Facts, joints: Sequence[int]) -> int:
    """Return the joint whose subtree carries most weight, the first of several; −1 of none."""
    return joints[int(np.argmax(_weights(facts, joints)))] if joints else -1
