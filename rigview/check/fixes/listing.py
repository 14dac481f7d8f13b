"""Nodes between joints made joints: listed in the skin, without any weight."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.fixes.joint_list import parents_first, relisted, reorder_joints
from rigview.check.fixes.reframe import whole_binds
from rigview.check.measures.facts import measured
from rigview.check.rule import Fix, FixClass, Refused
from rigview.core import affine, bones
from rigview.core.deform import Deformer
from rigview.core.rig import Rig

# Directions and lengths of bones nearer than this are one.
_SAME_BONE = 1e-9


def listed(
    rig: Rig,
    nodes: Collection[int],
    reorder: Callable[[Rig, int, list[int]], Rig] = reorder_joints,
) -> Rig:
    """List nodes in every skin that has joints above and below them, bound where they rest.

    Parameters
    ----------
    reorder
        As of `parents_first`.

    Raises
    ------
    Refused
        If a skin has fewer inverse bind matrices than joints.
    """
    model = measured(rig).deformer.rest_nodes
    for number, skin in enumerate(rig.skins):
        place = {joint: i for i, joint in enumerate(skin.joints)}
        above = {
            node: next((a for a in rig.nodes.ancestors(node) if a in place), None) for node in nodes
        }
        over = rig.nodes.with_ancestors(rig.nodes.parents[joint] for joint in skin.joints)
        new = {n: a for n, a in above.items() if a is not None and n in over and n not in place}
        if not new:
            continue
        binds = whole_binds(skin)
        rows = [
            affine.inverse(model[node]) @ model[upper] @ binds[place[upper]]
            for node, upper in new.items()
        ]
        grown = replace(
            skin,
            joints=(*skin.joints, *new),
            inverse_binds=np.concatenate([binds, np.array(rows)]),
        )
        rig = rig.with_skin(number, grown)
        # Parents that stood behind their children before are the business of HIE-ORDER.
        rig = parents_first(rig, number, reorder)
    return rig


def listing(deformer: Deformer, nodes: Collection[int], label: str) -> Fix:
    """Return the fix that lists nodes; only methods that look at bones may see anything of it."""
    try:
        longer = listed(deformer.rig, nodes, relisted)
    except Refused as refusal:
        return Fix("none", reason=str(refusal))
    kind: FixClass = "exact" if _same_bones(deformer, longer) else "bounded"
    return Fix(kind, label, partial(listed, nodes=nodes))


def _same_bones(before: Deformer, rig: Rig) -> bool:
    """Tell whether all joints that carry weight keep their bones where skins list more of the others.

    Parameters
    ----------
    rig
        With the longer lists; what its influences say is not looked at.
    """
    total = {joint: before.total_weights.get(joint, 0.0) for joint in rig.joints}
    skeleton = bones.skeleton(rig, before.rest_nodes, total)
    for skin, size in before.bind_sizes.items():
        place = {joint: i for i, joint in enumerate(rig.skins[skin].joints)}
        rows = [place[joint] for joint in before.rig.skins[skin].joints]
        old = before.bind_bones[skin]
        new = bones.Bound.of(rig, skin, skeleton, before.rest_nodes).segments(size)
        carries = [before.total_weights[j] > 0.0 for j in before.rig.skins[skin].joints]
        apart = np.abs(old.directions - new.directions[rows])[carries].max(initial=0.0)
        longer = np.abs(old.lengths - new.lengths[rows])[carries].max(initial=0.0)
        if apart > _SAME_BONE or longer > _SAME_BONE * float(old.lengths.max(initial=0.0)):
            return False
    return True
