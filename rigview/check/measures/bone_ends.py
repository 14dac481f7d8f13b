"""Where the bones of joints end for rules about axes: in the middle of a body, and alike on both sides."""

from collections.abc import Iterable

import numpy as np

from rigview.check.measures.facts import Facts
from rigview.core.arrays import IntArray


def bone_ends(facts: Facts) -> IntArray:
    """Return ``(N,)`` the node at which the bone of each node ends, −1 where none does; for `Facts.of`.

    That is the primary child, but

    1. of a joint in the middle, never one of a left and a right child, of which whichever is a little
       heavier would have a spine point to a shoulder: the heaviest of the others, or none;
    2. of a pair whose primary children are no pair, on the right as on the left.
    """
    skeleton, children = facts.deformer.skeleton, facts.rig.joint_children
    partner = facts.anatomy.partner
    ends = np.full(len(facts.rig.nodes), -1)
    has = skeleton.primary >= 0
    ends[skeleton.joints[has]] = skeleton.joints[skeleton.primary[has]]
    for joint in skeleton.joints[has].tolist():
        if joint not in partner and partner.get(int(ends[joint])) in children[joint]:
            ends[joint] = _heaviest(facts, [c for c in children[joint] if c not in partner])
    for left, right in facts.anatomy.pairs:
        other = partner.get(int(ends[left]))
        if other != ends[right] and other in children[right]:
            ends[right] = other
    return ends


def _heaviest(facts: Facts, joints: Iterable[int]) -> int:
    """Return the joint whose subtree carries most weight, the first of several; −1 of none."""
    total, subtree = facts.deformer.total_weights, facts.rig.nodes.subtree
    weights = {joint: sum(total.get(n, 0.0) for n in subtree(joint)) for joint in joints}
    return max(weights, key=lambda joint: weights[joint], default=-1)
